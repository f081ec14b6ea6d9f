"""Scenery: what grows on a block, placed by hashes of its 81 vertices.

Nothing is random: the hashes take global vertex coordinates, so two blocks that share an edge
evaluate its vertices alike and each keeps what lands inside it. Ground heights and slopes come
from the very triangles that are drawn and walked on.
"""

from __future__ import annotations

import logging
from collections.abc import Set
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import F32, U16
from acclient_py.core.frame import local_to_global, set_heading, vector_heading_deg
from acclient_py.core.geom import height_on_plane
from acclient_py.core.ids import hex8, within_block
from acclient_py.core.trig import power
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.scene import Scene, SceneObject
from acclient_py.errors import DataError
from acclient_py.kernels import kernel
from acclient_py.log import warn_once
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel
from acclient_py.world.terrain import cell_under, find_terrain_poly

log = logging.getLogger(__name__)

SALT_FREQUENCY: Final = 23399
SALT_SCALE: Final = 32593
SALT_DISPLACE_X: Final = 45773
SALT_ROTATION: Final = 63127
SALT_DISPLACE_Y: Final = 72719
ROAD_WIDTH: Final = 5.0
_ROAD_FAR: Final = 19.0
_UNIT: Final = 2.0**-32


class SceneryObject(Struct, frozen=True, eq=False):
    """One placed object, in the order of insertion. frame : (7,) block-local ; cell : land cell."""

    did: int
    frame: F32
    scale: float
    cell_id: int


def object_hash(gx: int, gy: int, salt: int) -> int:
    """The noise word of an object of a vertex; `salt` is one of SALT_* plus its place k."""
    value = 1813693831 * gy - (1360117743 * gx * gy + 1888038839) * salt - 1109124029 * gx
    return value & 0xFFFFFFFF


def scene_hash(gx: int, gy: int) -> int:
    """The word that chooses among the scenes of a vertex' slot."""
    value = gy * (712977289 * gx + 1813693831) - 1109124029 * gx + 2139937281
    return value & 0xFFFFFFFF


def quadrant_hash(gx: int, gy: int) -> int:
    """The word that turns the displacement of all objects of a vertex."""
    return (1813693831 * gy - gx * (1870387557 * gy + 1109124029) - 402451965) & 0xFFFFFFFF


def unit(word: int) -> float:
    """A hash as a fraction of 1."""
    return word * _UNIT


def displaced(gx: int, gy: int, k: int, entry: SceneObject) -> tuple[float, float]:
    """Where object k stands from its vertex, turned by the vertex' quadrant.

    Retail: ObjectDesc::Place @0x005A5BB0.
    """
    x, y, _ = entry.base_frame.origin
    if entry.displace_x > 0:
        x += unit(object_hash(gx, gy, SALT_DISPLACE_X + k)) * entry.displace_x
    if entry.displace_y > 0:
        y += unit(object_hash(gx, gy, SALT_DISPLACE_Y + k)) * entry.displace_y
    quadrant = quadrant_hash(gx, gy) >> 30
    if quadrant == 0:
        return x, y
    if quadrant == 1:
        return -y, x
    if quadrant == 2:
        return -x, -y
    return y, -x


def object_scale(gx: int, gy: int, k: int, entry: SceneObject) -> float:
    """The scale of object k, a float32 value. Retail: ObjectDesc::ScaleObj @0x0052F0C0."""
    low, high = entry.min_scale, entry.max_scale
    if low == high or not low > 0:
        return high
    noise = unit(object_hash(gx, gy, SALT_SCALE + k))
    return float(np.float32(power(high / low, noise) * low))


def object_rotation_deg(gx: int, gy: int, k: int, max_rotation: float) -> float:
    """The compass heading that a vertex gives object k."""
    return unit(object_hash(gx, gy, SALT_ROTATION + k)) * max_rotation


@kernel
def turn_to(frame: F32, heading_deg: float) -> None:
    """`set_heading` for the thousands of things that grow on a few blocks."""
    set_heading(frame, heading_deg)


def on_road(a: bool, b: bool, c: bool, d: bool, dx: float, dy: float) -> bool:
    """Whether a point of a cell lies on a road strip.

    a b c d : corners SW NW SE NE have a road ; dx, dy : metres from the SW corner
    Retail: CLandBlock::on_road @0x0052FFF0.
    """
    w, f = ROAD_WIDTH, _ROAD_FAR
    key = a << 3 | b << 2 | c << 1 | d
    return (
        False,
        dx + dy > 43,
        dy - dx < -f,
        dx > f,
        dy - dx > f,
        dy > f,
        abs(dx + dy - 24) < w,
        dx > f or dy > f,
        dx + dy < w,
        abs(dx - dy) < w,
        dy < w,
        dx > f or dy < w,
        dx < w,
        dx < w or dy > f,
        dx < w or dy < w,
        True,
    )[key]


def point_on_road(terrain: U16, x: float, y: float) -> bool:
    """Whether a point of a block lies on a road. terrain : (81,) uint16."""
    cell = cell_under(x, y)
    if cell < 0:
        return False
    cx, cy = cell >> 3, cell & 7
    at = cx * 9 + cy
    return on_road(
        bool(terrain[at] & 3),
        bool(terrain[at + 1] & 3),
        bool(terrain[at + 9] & 3),
        bool(terrain[at + 10] & 3),
        x - 24.0 * cx,
        y - 24.0 * cy,
    )


def get_land_scenes(
    landblock: Landblock,
    region: RegionModel,
    dats: DatSet,
    models: Models,
    building_cells: Set[int],
) -> list[SceneryObject]:
    """All scenery of a block in full detail, in order of insertion.

    building_cells : land cells that own a building. Retail: get_land_scenes @0x00530460.
    """
    placed = []
    words = landblock.terrain
    for i in range(9):
        for j in range(9):
            word = int(words[i * 9 + j])
            gx, gy = landblock.x * 8 + i, landblock.y * 8 + j
            scene_id = region.scene_id(word >> 2 & 31, word >> 11, scene_hash(gx, gy))
            scene = _scene(dats, scene_id) if scene_id else None
            if scene is None:
                continue
            for k, entry in enumerate(scene.objects):
                noise = unit(object_hash(gx, gy, SALT_FREQUENCY + k))
                if noise < entry.frequency and entry.weenie_object == 0:
                    made = _place(landblock, models, building_cells, i, j, k, entry)
                    if made is not None:
                        placed.append(made)
    return placed


def _scene(dats: DatSet, scene_id: int) -> Scene | None:
    try:
        scene = dats.record(scene_id)
    except DataError as error:
        warn_once(("record", scene_id), "no scenery of %s: %s", hex8(scene_id), error, logger=log)
        return None
    assert isinstance(scene, Scene), "ids of type 0x12 are scenes"
    return scene


def _place(
    landblock: Landblock,
    models: Models,
    building_cells: Set[int],
    i: int,
    j: int,
    k: int,
    entry: SceneObject,
) -> SceneryObject | None:
    """Object k of vertex (i, j), None when the place is refused."""
    gx, gy = landblock.x * 8 + i, landblock.y * 8 + j
    dx, dy = displaced(gx, gy, k, entry)
    x, y = np.float32(24.0 * i + dx), np.float32(24.0 * j + dy)
    cell = cell_under(x, y)
    if cell < 0 or point_on_road(landblock.terrain, float(x), float(y)):
        return None
    cell_id = landblock.id & 0xFFFF0000 | cell + 1
    if cell_id in building_cells:
        return None
    triangle = find_terrain_poly(bool(landblock.swne[cell]), cell, x, y)
    if triangle < 0:
        return None
    nx, ny, nz, d = landblock.planes[cell, triangle]
    if not entry.min_slope <= float(nz) <= entry.max_slope:
        return None
    frame = entry.base_frame.array()
    frame[0], frame[1] = x, y
    frame[2] = height_on_plane(nx, ny, nz, d, x, y, frame[2])
    if entry.align:
        turn_to(frame, float(vector_heading_deg(-nx, -ny)))
    elif entry.max_rotation > 0:
        turn_to(frame, object_rotation_deg(gx, gy, k, entry.max_rotation))
    sphere = models.setup(entry.object_id).sorting_sphere
    sx, sy, _ = local_to_global(frame, sphere[0], sphere[1], sphere[2])
    if not within_block(sx, sy, sphere[3]):
        return None
    return SceneryObject(entry.object_id, frame, object_scale(gx, gy, k, entry), cell_id)

"""Scenery: what grows on a block, placed by hashes of its 81 vertices.

Nothing is random: the hashes take global vertex coordinates, so two blocks that share an edge
evaluate its vertices alike and each keeps what lands inside it. Ground heights and slopes come
from the very triangles that are drawn and walked on.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, I32, I64, U16, Bool, Struct
from acclient_py.core.frame import local_to_global, set_heading, vector_heading_deg
from acclient_py.core.geom import height_on_plane
from acclient_py.core.ids import within_block
from acclient_py.core.trig import power
from acclient_py.kernels import kernel
from acclient_py.world.terrain import cell_under, find_terrain_poly

SALT_FREQUENCY: Final = 23399
SALT_SCALE: Final = 32593
SALT_DISPLACE_X: Final = 45773
SALT_ROTATION: Final = 63127
SALT_DISPLACE_Y: Final = 72719
ROAD_WIDTH: Final = 5.0
_ROAD_FAR: Final = 19.0
_UNIT: Final = 2.0**-32


RULE_DTYPE: Final = np.dtype([  # an object of a scene record
    ("object_id", "<u4"),
    ("weenie_object", "<u4"),
    ("base_frame", "<f4", 7),
    ("frequency", "<f8"),
    ("displace_x", "<f8"), ("displace_y", "<f8"),
    ("min_scale", "<f8"), ("max_scale", "<f8"),
    ("max_rotation", "<f8"),
    ("min_slope", "<f8"), ("max_slope", "<f8"),
    ("align", "<u4"),
    ("known", "<u4"),        # the sphere has been filled in
    ("sphere", "<f4", 4),    # the sorting sphere of the object's setup
])  # fmt: skip
SCENE_DTYPE: Final = np.dtype([  # a scene: its rules, -1 before its record is read
    ("first", "<i4"), ("count", "<i4"),
])  # fmt: skip
GROWN_DTYPE: Final = np.dtype([  # one placed object
    ("did", "<u4"),
    ("frame", "<f4", 7),     # block-local
    ("scale", "<f4"),
    ("land_cell", "<u4"),    # 0..63
])  # fmt: skip

DONE: Final = 0
"""Answers of `get_land_scenes`: all is placed; a scene, or a rule's sphere, is not known yet."""
WANTS_SCENE: Final = 1
WANTS_SPHERE: Final = 2


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


def scene_index(word: int, count: int) -> int:
    """Which of a slot's `count` scenes a vertex has, by its scene hash."""
    n = word * count >> 32 if count > 1 else 0
    return n if n < count else 0


def unit(word: int) -> float:
    """A hash as a fraction of 1."""
    return word * _UNIT


def displaced(
    gx: int, gy: int, k: int, x: float, y: float, displace_x: float, displace_y: float
) -> tuple[float, float]:
    """Where object k stands from its vertex, turned by the vertex' quadrant.

    x, y : origin of its base frame. Retail: ObjectDesc::Place @0x005A5BB0.
    """
    if displace_x > 0:
        x += unit(object_hash(gx, gy, SALT_DISPLACE_X + k)) * displace_x
    if displace_y > 0:
        y += unit(object_hash(gx, gy, SALT_DISPLACE_Y + k)) * displace_y
    quadrant = quadrant_hash(gx, gy) >> 30
    if quadrant == 0:
        return x, y
    if quadrant == 1:
        return -y, x
    if quadrant == 2:
        return -x, -y
    return y, -x


def object_scale(gx: int, gy: int, k: int, low: float, high: float) -> float:
    """The scale of object k between two, to be rounded to float32.

    Retail: ObjectDesc::ScaleObj @0x0052F0C0.
    """
    if low == high or not low > 0:
        return high
    noise = unit(object_hash(gx, gy, SALT_SCALE + k))
    return power(high / low, noise) * low


def object_rotation_deg(gx: int, gy: int, k: int, max_rotation: float) -> float:
    """The compass heading that a vertex gives object k."""
    return unit(object_hash(gx, gy, SALT_ROTATION + k)) * max_rotation


def on_road(a: bool, b: bool, c: bool, d: bool, dx: float, dy: float) -> bool:
    """Whether a point of a cell lies on a road strip.

    a b c d : corners SW NW SE NE have a road ; dx, dy : metres from the SW corner
    Retail: CLandBlock::on_road @0x0052FFF0.
    """
    w, f = ROAD_WIDTH, _ROAD_FAR
    key = (8 if a else 0) + (4 if b else 0) + (2 if c else 0) + (1 if d else 0)
    if key in (0, 15):
        return key == 15
    if key in (1, 2, 4, 8):  # one corner
        if key == 1:
            return dx + dy > 43
        if key == 2:
            return dy - dx < -f
        return dy - dx > f if key == 4 else dx + dy < w
    if key in (6, 9):  # two across
        return abs(dx + dy - 24) < w if key == 6 else abs(dx - dy) < w
    east, north = dx > f, dy > f
    west, south = dx < w, dy < w
    if key in (3, 5, 10, 12):  # an edge
        if key == 3:
            return east
        if key == 5:
            return north
        return south if key == 10 else west
    if key in (7, 11):
        return east or north if key == 7 else east or south
    return west or north if key == 13 else west or south


def point_on_road(terrain: U16, x: float, y: float) -> bool:
    """Whether a point of a block lies on a road. terrain : (81,) uint16."""
    cell = cell_under(x, y)
    if cell < 0:
        return False
    cx, cy = cell >> 3, cell & 7
    at = cx * 9 + cy
    return on_road(
        terrain[at] & 3 != 0,
        terrain[at + 1] & 3 != 0,
        terrain[at + 9] & 3 != 0,
        terrain[at + 10] & 3 != 0,
        x - 24.0 * cx,
        y - 24.0 * cy,
    )


def place(
    words: U16, swne: Bool, planes: F32, owned: Bool,
    gx: int, gy: int, i: int, j: int, k: int, rule: Any, out: Any,
) -> bool:  # fmt: skip
    """Fill a GROWN_DTYPE row with object k of vertex (i, j); False when the place is refused.

    gx, gy : the vertex, global. The object's sphere is not asked.
    """
    base = rule.base_frame
    x0, y0 = float(base[0]), float(base[1])
    dx, dy = displaced(gx, gy, k, x0, y0, rule.displace_x, rule.displace_y)
    x, y = np.float32(24.0 * i + dx), np.float32(24.0 * j + dy)
    cell = cell_under(x, y)
    if cell < 0 or owned[cell] or point_on_road(words, float(x), float(y)):
        return False
    triangle = find_terrain_poly(swne[cell], cell, x, y)
    if triangle < 0:
        return False
    plane = planes[cell, triangle]
    if not (plane[2] >= rule.min_slope and plane[2] <= rule.max_slope):
        return False
    frame = out.frame
    for n in range(7):
        frame[n] = base[n]
    frame[0] = x
    frame[1] = y
    frame[2] = height_on_plane(plane[0], plane[1], plane[2], plane[3], x, y, base[2])
    if rule.align:
        set_heading(frame, float(vector_heading_deg(-plane[0], -plane[1])))
    elif rule.max_rotation > 0:
        set_heading(frame, object_rotation_deg(gx, gy, k, rule.max_rotation))
    out.did = rule.object_id
    out.scale = np.float32(object_scale(gx, gy, k, rule.min_scale, rule.max_scale))
    out.land_cell = cell
    return True


@kernel
def get_land_scenes(
    words: U16, swne: Bool, planes: F32, owned: Bool, block_x: int, block_y: int,
    slots: I32, listed: I32, scenes: Struct, rules: Struct, at: I64, out: Struct,
) -> int:  # fmt: skip
    """All scenery of a block in full detail, in order of insertion, from the place `at` on.

    words  : (81,) terrain words ; swne : (64,) ; planes : (64, 2, 4)
    owned  : (64,) land cells that own a building
    slots  : (32 * 32, 2) by terrain type and slot: first and number of its scenes in `listed`
    listed : rows of `scenes`, -1 for none ; scenes : SCENE_DTYPE ; rules : RULE_DTYPE
    at     : (4,) vertex, object of its scene, objects placed so far; and what is not known
    out    : GROWN_DTYPE, filled

    Returns DONE, or what is not known yet: at[3] is the row of the scene, or of the rule. When
    that has been filled in, the next call goes on. Retail: get_land_scenes @0x00530460.
    """
    vertex, k, placed = int(at[0]), int(at[1]), int(at[2])
    while vertex < 81:
        i, j = vertex // 9, vertex % 9
        gx, gy = block_x * 8 + i, block_y * 8 + j
        word = int(words[vertex])
        slot = (word >> 2 & 31) << 5 | word >> 11
        scene = -1
        if slots[slot, 1] > 0:
            n = scene_index(scene_hash(gx, gy), int(slots[slot, 1]))
            scene = listed[slots[slot, 0] + n]
        first, count = 0, 0
        if scene >= 0:
            first, count = int(scenes[scene].first), int(scenes[scene].count)
            if count < 0:
                at[0], at[1], at[2], at[3] = vertex, 0, placed, scene
                return WANTS_SCENE
        while k < count:
            rule = rules[first + k]
            noise = unit(object_hash(gx, gy, SALT_FREQUENCY + k))
            if noise < rule.frequency and rule.weenie_object == 0:
                row = out[placed]
                if place(words, swne, planes, owned, gx, gy, i, j, k, rule, row):
                    if not rule.known:
                        at[0], at[1], at[2], at[3] = vertex, k, placed, first + k
                        return WANTS_SPHERE
                    sphere = rule.sphere
                    sx, sy, _ = local_to_global(row.frame, sphere[0], sphere[1], sphere[2])
                    if within_block(sx, sy, sphere[3]):
                        placed += 1
            k += 1
        k = 0
        vertex += 1
    at[2] = placed
    return DONE

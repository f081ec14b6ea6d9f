"""Tiny DAT sets made in code: records by id, written to a folder and opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from builders import records as made
from msgspec.structs import replace

from acclient_py.core.frame import Frame
from acclient_py.dat import records as rec
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.writer import CELL, PORTAL, build

BLOCK = 0xA9B4FFFF
GFX = 0x01000001
SETUP = 0x02000001
ENVIRONMENT = 0x0D000001
ROOM = 0xA9B40100


def dat_set(folder: Path, records: dict[int, Any]) -> DatSet:
    """Write records (or their bytes) to the file that their id says, and open the folder."""
    cells: dict[int, bytes] = {}
    portal: dict[int, bytes] = {}
    for did, record in records.items():
        data = record if isinstance(record, bytes) else record.write()
        is_cell = isinstance(record, rec.LandBlock | rec.LandBlockInfo | rec.EnvCell)
        (cells if is_cell else portal)[did] = data
    build(folder / PORTAL.name, portal or {0x04000001: bytes(8)}, PORTAL)
    build(folder / CELL.name, cells or {0x0000FFFF: bytes(252)}, CELL)
    return DatSet.open(folder)


def block(
    heights: Callable[[int, int], int] | int = 20,
    words: Callable[[int, int], int] | int = 0,
    *,
    block_id: int = BLOCK,
    has_objects: int = 0,
) -> rec.LandBlock:
    """A land block from functions of the vertex (x, y)."""

    def grid(value: Callable[[int, int], int] | int, dtype: Any) -> Any:
        return np.array(
            [value(x, y) if callable(value) else value for x in range(9) for y in range(9)],
            dtype,
        )

    return rec.LandBlock(block_id, has_objects, grid(words, np.uint16), grid(heights, np.uint8))


def box_gfx(
    did: int = GFX,
    size: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    solid: bool = True,
    surfaces: tuple[int, ...] = (0x08000001,),
) -> rec.GfxObj:
    """A box that stands on z 0, its six faces outwards, with one physics leaf when solid."""
    sx, sy, sz = (v / 2 for v in size)
    corners = [(x * sx, y * sy, z * 2 * sz) for z in (0, 1) for y in (-1, 1) for x in (-1, 1)]
    faces = (
        (0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5),
    )  # fmt: skip
    vertices = rec.VertexArray.make(corners, [(0.0, 0.0, 1.0)] * 8, [[(0.0, 0.0), (1.0, 1.0)]] * 8)
    polygons = tuple(
        [rec.Polygon(i, 0, 0, 0, -1, face, (0, 1, 0, 1)) for i, face in enumerate(faces)]
    )
    hit = tuple([rec.Polygon(i, 4, 0, -1, -1, face) for i, face in enumerate(faces)])
    radius = (sx * sx + sy * sy + sz * sz) ** 0.5
    ball = (0.0, 0.0, sz, radius)
    physics = rec.BspTree.from_node(
        rec.BspKind.PHYSICS,
        rec.BspNode(
            "BPIN",
            (0.0, 0.0, 1.0, 0.0),
            rec.BspNode("LEAF", leaf=0, sphere=ball, polygons=tuple(range(6)), solid=1),
            rec.BspNode("LEAF", leaf=1),
            ball,
        ),
    )
    drawing = rec.BspTree.from_node(
        rec.BspKind.DRAWING,
        rec.BspNode("BPOL", (0.0, 0.0, 1.0, 0.0), sphere=ball, polygons=tuple(range(6))),
    )
    return rec.GfxObj(
        did,
        3 if solid else 2,
        surfaces,
        vertices,
        hit if solid else (),
        physics if solid else None,
        (0.0, 0.0, sz),
        polygons,
        drawing,
    )


def simple_setup(did: int = SETUP, parts: Iterable[int] = (GFX,), **changes: Any) -> rec.Setup:
    """A setup with these parts at the origin, its sorting sphere of radius 1."""
    part_ids = tuple(parts)
    pose = np.zeros((len(part_ids), 7), np.float32)
    pose[:, 3] = 1
    base = replace(
        made.setup(),
        id=did,
        flags=0,
        parts=part_ids,
        parents=(),
        scales=None,
        placement_frames=(rec.PlacementFrame(0, rec.AnimationFrame(pose)),),
        sorting_sphere=rec.Sphere((0.0, 0.0, 0.0), 1.0),
    )
    return replace(base, **changes)


def at(x: float, y: float, z: float) -> Frame:
    """A frame that looks north."""
    return Frame((x, y, z), (1.0, 0.0, 0.0, 0.0))


def room(low: int = 0) -> rec.Environment:
    """One structure, a box with a portal polygon in its east wall."""
    gfx = box_gfx(size=(10.0, 10.0, 6.0))
    walls = ((1, 0, 0, 5), (-1, 0, 0, 5), (0, 1, 0, 5), (0, -1, 0, 5), (0, 0, 1, 0), (0, 0, -1, 6))
    node = rec.BspNode("LEAF", leaf=0)
    for plane in reversed(walls):
        node = rec.BspNode("BPnn", plane, node)
    assert gfx.physics_bsp is not None
    structure = rec.CellStructure(
        low,
        gfx.vertices,
        gfx.polygons,
        (5,),
        rec.BspTree.from_node(rec.BspKind.CELL, node),
        gfx.physics_polygons,
        gfx.physics_bsp,
    )
    return rec.Environment(ENVIRONMENT, (structure,))


def env_cell(**changes: Any) -> rec.EnvCell:
    base = rec.EnvCell(
        ROOM, 3, (0x08000001,), ENVIRONMENT, 0, at(84.0, 84.0, 40.0),
        (rec.CellPortal(4, 5, 0xFFFF, 0xFFFF), rec.CellPortal(1, 5, 0x0101, 2)),
        (0x0100, 0x0101), (rec.Stab(GFX, at(80.0, 80.0, 40.0)),),
    )  # fmt: skip
    return replace(base, **changes)

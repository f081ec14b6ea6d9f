"""Worlds of the benches, made in code: flat blocks, a dungeon, bodies without files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from acclient_py.core import F32
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import LandBlock
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.cell import EnvCellModel, PortalModel, StaticModel
from acclient_py.world.landblock import Landblock, make_landblock
from acclient_py.world.models import Models, SetupModel
from acclient_py.world.pools import GFX_DTYPE, HAS_DRAWING
from acclient_py.world.shapes import StructureModel

BODIES = 0x02000001
EDGE = 10.0
"""Metres of a room of the dungeon."""


class _NoFiles:
    """A DAT set without a file."""

    def has(self, did: int) -> bool:
        return False


def models(kinds: int, *, reach: float = 1.0) -> Models:
    """`kinds` bodies of one to three boxes, BODIES and up; every other has a cylinder sphere."""
    made = Models(cast(DatSet, _NoFiles()))
    rng = np.random.default_rng(12)
    for kind in range(kinds):
        row = np.zeros(1, GFX_DTYPE)
        half = rng.uniform(0.2, reach, 3).astype(np.float32)
        row["id"], row["bsp_root"], row["degrade"] = 0x01000001 + kind, -1, -1
        row["box_min"], row["box_max"] = -half, half
        row["drawing_sphere"] = (0, 0, 0, np.sqrt(np.sum(half * half)))
        row["flags"] = HAS_DRAWING
        made._records.append(None)
        gfx = made._gfx_of[0x01000001 + kind] = made._gfx.append(row)
        parts = kind % 3 + 1
        poses = np.zeros((parts, 7), np.float32)
        poses[:, 2], poses[:, 3] = np.arange(parts) * 0.4, 1.0
        cylinders = np.array([[0, 0, 0, half[0], 2]] if kind % 2 else [], np.float32)
        made._setups[BODIES + kind] = SetupModel(
            BODIES + kind, np.full(parts, gfx, np.int32), np.ones((parts, 3), np.float32),
            {0: poses}, {}, cylinders.reshape(-1, 5), np.zeros((0, 4), np.float32),
            np.array((0, 0, 0, half[0]), np.float32), np.array((0, 0, 0, half[0]), np.float32),
        )  # fmt: skip
    return made


def flat_block(x: int, y: int) -> Landblock:
    """A block without anything on it."""
    block_id = x << 24 | y << 16 | 0xFFFF
    record = LandBlock(block_id, 1, np.zeros(81, np.uint16), np.zeros(81, np.uint8))
    return make_landblock(record, np.zeros(256, np.float32), None, block_id=block_id)


def open_land(made: Models, side: int) -> PhysicsWorld:
    """side x side flat blocks in full detail."""
    world = PhysicsWorld(made)
    at = range(0x40, 0x40 + side)
    world.arrivals.arrive([(flat_block(x, y), 8) for x in at for y in at])
    return world


def _planes() -> F32:
    """Inward planes of a room whose corner is the origin."""
    planes = [(1, 0, 0, 0), (-1, 0, 0, EDGE), (0, 1, 0, 0), (0, -1, 0, EDGE)]
    return np.array([*planes, (0, 0, 1, 0), (0, 0, -1, 5)], np.float32)


def dungeon(cells: int, statics: int, kinds: int) -> list[EnvCellModel]:
    """Rooms in rows of 20 on one floor, doors between all neighbours, statics spread over them."""
    rng = np.random.default_rng(7)
    wide = 20
    planes = _planes()
    corner = np.array((EDGE, EDGE, 5.0), np.float32)
    structure = StructureModel(
        0x0D000001, 0, cast(Any, SimpleNamespace()), planes, 0, {}, -1,
        np.zeros(3, np.float32), corner,
    )  # fmt: skip
    made = []
    for index in range(cells):
        x, y = index % wide, index // wide
        portals = []
        for plane, dx, dy in zip(planes, (-1, 1, 0, 0), (0, 0, -1, 1), strict=False):
            other = (y + dy) * wide + x + dx
            if 0 <= x + dx < wide and 0 <= other < cells:
                portals.append(
                    PortalModel(
                        0x01020100 + other, 0, 0, False, plane, np.zeros((0, 3), np.float32)
                    )
                )
        frame = np.array((x * EDGE, y * EDGE, 0, 1, 0, 0, 0), np.float32)
        stabs = tuple(portal.other_cell_id for portal in portals)
        count = statics * (index + 1) // cells - statics * index // cells
        things = []
        for _ in range(count):
            place = np.zeros(7, np.float32)
            place[:2] = frame[:2] + rng.uniform(0, EDGE, 2)
            angle = rng.uniform(0, np.pi)
            place[3], place[6] = np.cos(angle), np.sin(angle)
            things.append(StaticModel(BODIES + int(rng.integers(0, kinds)), place))
        made.append(
            EnvCellModel(
                0x01020100 + index,
                frame,
                structure,
                (),
                tuple(portals),
                stabs,
                False,
                tuple(things),
                0,
            )
        )
    return made

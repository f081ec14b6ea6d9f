"""A landblock made into arrays: its ground at any level of detail, its water, its info record.

A `Landblock` is the ground in full detail, which physics stands on; `grid` gives the ground at the
level of detail that a place in the load window asks for. Both never change after they are made.
"""

from __future__ import annotations

import logging
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import F32, U8, U16, Bool
from acclient_py.core.ids import hex8, landblock_info_of, landblock_of
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.errors import DataError
from acclient_py.log import warn_once
from acclient_py.world import terrain

log = logging.getLogger(__name__)

MAX_OBJECT_HEIGHT: Final = np.float32(200.0)
"""Added to the highest vertex for the bounds that visibility tests."""


class TerrainGrid(Struct, frozen=True, eq=False):
    """The ground of one block at one level of detail.

    z      : (side + 1, side + 1) float32, x-major
    swne   : (side * side,) bool, diagonals
    planes : (side * side, 2, 4) float32, N and d of each cell's two triangles
    """

    side: int
    direction: int
    z: F32
    swne: Bool
    planes: F32

    def vertices(self) -> F32:
        """(side * side, 2, 3, 3) float32: the corners of the triangles, block-local."""
        return terrain.triangle_vertices(self.z, self.swne)


class Landblock(Struct, frozen=True, eq=False):
    """One block in full detail.

    heights      : (9, 9) float32, x-major ; height_bytes : (81,) uint8
    swne         : (64,) bool ; planes : (64, 2, 4) float32
    water        : (64,) uint8 classes ; block_water : the class of the whole
    terrain      : (81,) uint16 terrain words
    min_z, max_z : bounds that visibility tests, from all 81 bytes whatever the level of detail
    info         : what stands on it; None when nothing does
    """

    id: int
    heights: F32
    swne: Bool
    planes: F32
    water: U8
    block_water: int
    terrain: U16
    height_bytes: U8
    table: F32
    min_z: float
    max_z: float
    info: LandBlockInfo | None = None

    @property
    def x(self) -> int:
        """The block's index to the east, 0..254."""
        return self.id >> 24 & 0xFF

    @property
    def y(self) -> int:
        """The block's index to the north, 0..254."""
        return self.id >> 16 & 0xFF

    def grid(self, side: int = 8, direction: int = 0) -> TerrainGrid:
        """The ground with `side` cells on an edge, its seams fitted towards `direction`."""
        if side == 8:
            return TerrainGrid(8, direction, self.heights, self.swne, self.planes)
        z = terrain.vertex_heights(self.height_bytes, self.table, side, direction)
        swne = terrain.diagonals(self.x, self.y, side)
        planes = terrain.triangle_planes(z, swne)
        return TerrainGrid(side, direction, z, swne, planes)


def make_landblock(
    record: LandBlock, table: F32, info: LandBlockInfo | None = None, *, block_id: int = 0
) -> Landblock:
    """The block of a record. table : (256,) float32 heights ; block_id : where the id differs."""
    at = landblock_of(block_id or record.id)
    words = np.ascontiguousarray(record.terrain, np.uint16)
    height_bytes = np.ascontiguousarray(record.heights, np.uint8)
    z = terrain.vertex_heights(height_bytes, table)
    swne = terrain.diagonals(at >> 24 & 0xFF, at >> 16 & 0xFF)
    water, block_water = terrain.water_classes(words)
    # retail: CLandBlock::get_land_limits @0x0052F1D0
    low, high = table[int(height_bytes.min())], table[int(height_bytes.max())]
    return Landblock(
        at,
        z,
        swne,
        terrain.triangle_planes(z, swne),
        water,
        block_water,
        words,
        height_bytes,
        table,
        float(low - np.float32(1.0)),
        float(high + MAX_OBJECT_HEIGHT),
        info,
    )


def load_landblock(dats: DatSet, block_id: int, table: F32) -> Landblock | None:
    """The block of an id from the DAT set, None where there is none or it cannot be read."""
    at = landblock_of(block_id)
    if not dats.has(at, file="cell"):
        return None
    try:
        record = dats.record(at, file="cell")
    except DataError as error:
        warn_once(("record", at), "landblock %s left out: %s", hex8(at), error, logger=log)
        return None
    assert isinstance(record, LandBlock), "an id with low word 0xFFFF is a LandBlock"
    info = None
    if record.has_objects:
        info_id = landblock_info_of(block_id)
        try:
            found = dats.record(info_id, file="cell")
            assert isinstance(found, LandBlockInfo), "low word 0xFFFE is a LandBlockInfo"
            info = found
        except DataError as error:
            warn_once(
                ("record", info_id), "objects of %s left out: %s", hex8(at), error, logger=log
            )
    return make_landblock(record, table, info, block_id=at)

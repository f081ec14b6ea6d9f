"""LandBlock, 0xXXYYFFFF: the terrain of one block."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class LandBlock(Record, frozen=True, eq=False):
    """Terrain words and height bytes of the 9 x 9 vertices of a block, 252 bytes.

    Vertex (x, y) has index x * 9 + y: x-major, x east, y north, 24 units apart. `heights`
    holds indices into the Region's height table.
    """

    id: int
    has_objects: int  # nonzero: a LandBlockInfo exists
    terrain: npt.NDArray[np.uint16]  # (81,)
    heights: npt.NDArray[np.uint8]  # (81,)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        block = cls(cursor.u32(), cursor.u32(), cursor.array("<u2", 81), cursor.array("u1", 81))
        cursor.align4()
        return block

    def pack(self, out: Packer) -> None:
        assert self.terrain.shape == self.heights.shape == (81,), "a block has 9 x 9 vertices"
        out.u32(self.id)
        out.u32(self.has_objects)
        out.array(self.terrain, "<u2")
        out.array(self.heights, "u1")
        out.align4()


class TerrainWord(Struct, frozen=True):
    """The fields of one terrain word: road 0-3, type 0-31, encounter 0-15, scenery 0-31."""

    road: int
    type: int
    encounter: int
    scenery: int

    @classmethod
    def from_word(cls, word: int) -> Self:
        """Take a terrain word apart."""
        return cls(word & 3, word >> 2 & 31, word >> 7 & 15, word >> 11 & 31)

    @property
    def word(self) -> int:
        """The u16 of these fields."""
        return self.road | self.type << 2 | self.encounter << 7 | self.scenery << 11

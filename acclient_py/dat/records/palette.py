"""Palette, 0x04, and PaletteSet, 0x0F."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class Palette(Record, frozen=True, eq=False):
    """Colours 0xAARRGGBB: 2048 for INDEX16 pictures, 256 for P8."""

    id: int
    colors: npt.NDArray[np.uint32]  # (n,)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.array("<u4", cursor.count32(4)))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(len(self.colors))
        out.array(self.colors, "<u4")


class PaletteSet(Record, frozen=True):
    """Palettes of one kind of thing from one shade to the other."""

    id: int
    palettes: tuple[int, ...]

    def choose(self, shade: float) -> int:
        """The palette for a shade 0..1; 0 from an empty set."""
        if not self.palettes:
            return 0
        index = int((len(self.palettes) - 0.000001) * shade)
        return self.palettes[min(max(index, 0), len(self.palettes) - 1)]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32s(cursor.count32(4)))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(len(self.palettes))
        out.u32s(self.palettes)

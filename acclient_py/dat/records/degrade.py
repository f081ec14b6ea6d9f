"""GfxObjDegradeInfo, 0x11: the models of a part by distance."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class DegradeLevel(Struct, frozen=True):
    """One level of detail; model 0 draws nothing."""

    model_id: int  # GfxObj
    mode: int  # 1 plain, 2 billboard, 3 4 5 turning about x y z
    min_distance: float
    ideal_distance: float
    max_distance: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32(), *cursor.f32s(3))

    def pack(self, out: Packer) -> None:
        out.u32(self.model_id)
        out.u32(self.mode)
        out.f32s((self.min_distance, self.ideal_distance, self.max_distance))


class GfxObjDegradeInfo(Record, frozen=True):
    """Levels of detail, nearest first."""

    id: int
    levels: tuple[DegradeLevel, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(DegradeLevel.unpack, 20))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.many(self.levels, DegradeLevel.pack)

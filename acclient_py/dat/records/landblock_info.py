"""LandBlockInfo, 0xXXYYFFFE: objects, buildings and the number of env cells of a block."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import Pair, Stab, pack_pair, unpack_pair

RESTRICTION_BUCKETS = 8


class BuildingPortal(Struct, frozen=True):
    """One opening of a building. The k-th belongs to portal index k of the model's drawing tree."""

    flags: int  # 1 exact match, 2 portal side (inverted); unknown bits are kept
    other_cell_id: int  # low 16 bits of the env cell behind it
    other_portal_id: int  # index in that env cell's portal list
    stabs: tuple[int, ...]  # low 16 bits of the env cells visible through it

    @property
    def portal_side(self) -> int:
        """0: the interior is on the positive side of the portal polygon's plane; 1: negative."""
        return 1 - (self.flags >> 1 & 1)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        flags, other_cell_id, other_portal_id, count = cursor.u16s(4)
        stabs = cursor.u16s(cursor.count(count, 2))
        cursor.align4()
        return cls(flags, other_cell_id, other_portal_id, stabs)

    def pack(self, out: Packer) -> None:
        out.u16s((self.flags, self.other_cell_id, self.other_portal_id, len(self.stabs)))
        out.u16s(self.stabs)
        out.align4()


class BuildingInfo(Struct, frozen=True):
    """A building: its shell model, where it stands, and its openings."""

    model_id: int  # GfxObj or Setup
    frame: Frame
    leaf_count: int  # leaves of the model's drawing tree
    portals: tuple[BuildingPortal, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        model_id, frame, leaf_count = cursor.u32(), cursor.frame(), cursor.u32()
        return cls(model_id, frame, leaf_count, cursor.many(BuildingPortal.unpack, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.model_id)
        out.frame(self.frame)
        out.u32(self.leaf_count)
        out.many(self.portals, BuildingPortal.pack)


class LandBlockInfo(Record, frozen=True):
    """What stands in a block. Env cells 0xXXYY0100 .. 0xXXYY0100 + cell_count - 1 exist."""

    id: int
    cell_count: int
    objects: tuple[Stab, ...]
    buildings: tuple[BuildingInfo, ...]
    mask: int = 0  # bit 0: the restriction table follows; other bits are kept
    restriction_buckets: int = RESTRICTION_BUCKETS
    restrictions: tuple[Pair, ...] = ()  # (cell id, object id), in file order

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, cell_count = cursor.u32(), cursor.u32()
        objects = cursor.many(Stab.unpack, 32)
        building_count, mask = cursor.u16(), cursor.u16()
        cursor.count(building_count, 40)
        buildings = tuple([BuildingInfo.unpack(cursor) for _ in range(building_count)])
        buckets = RESTRICTION_BUCKETS
        restrictions: tuple[Pair, ...] = ()
        if mask & 1:
            count, buckets = cursor.u16(), cursor.u16()
            cursor.count(count, 8)
            restrictions = tuple([unpack_pair(cursor) for _ in range(count)])
        return cls(record_id, cell_count, objects, buildings, mask, buckets, restrictions)

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.cell_count)
        out.many(self.objects, Stab.pack)
        out.u16(len(self.buildings))
        out.u16(self.mask)
        for building in self.buildings:
            building.pack(out)
        if self.mask & 1:
            out.u16(len(self.restrictions))
            out.u16(self.restriction_buckets)
            for pair in self.restrictions:
                pack_pair(pair, out)
        else:
            assert not self.restrictions, "restrictions need bit 0 of the mask"

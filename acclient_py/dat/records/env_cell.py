"""EnvCell, 0xXXYY0100 and up: one env cell of a block."""

from __future__ import annotations

from enum import IntFlag
from typing import Final, Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import Stab

SURFACE_BASE: Final = 0x08000000
ENVIRONMENT_BASE: Final = 0x0D000000


class EnvCellFlags(IntFlag):
    """Bits of EnvCell.flags."""

    SEEN_OUTSIDE = 1
    HAS_STATICS = 2
    HAS_RESTRICTION = 8


class PortalFlags(IntFlag):
    """Bits of a portal's flags; bit 1 is inverted, see `CellPortal.portal_side`."""

    EXACT_MATCH = 1
    PORTAL_SIDE = 2
    OUTSIDE = 4


class CellPortal(Struct, frozen=True):
    """One portal of an env cell: which polygon it is and what lies behind it."""

    flags: int  # PortalFlags; unknown bits are kept
    polygon_id: int  # id of one of the structure's portal polygons
    other_cell_id: int  # low 16 bits; 0xFFFF when the other side is the outside
    other_portal_id: int  # index in the other cell's portal list

    @property
    def portal_side(self) -> int:
        """0: the owner is on the positive side of the polygon's plane; 1: on the negative side."""
        return 1 - (self.flags >> 1 & 1)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(*cursor.u16s(4))

    def pack(self, out: Packer) -> None:
        out.u16s((self.flags, self.polygon_id, self.other_cell_id, self.other_portal_id))


class EnvCell(Record, frozen=True):
    """One env cell. The record is not aligned anywhere.

    `surfaces` are full ids (0x08......), `environment_id` a full id (0x0D......);
    `structure_index` is the position in that environment's list. Statics are block-local.
    """

    id: int
    flags: int  # EnvCellFlags; unknown bits are kept
    surfaces: tuple[int, ...]
    environment_id: int
    structure_index: int
    frame: Frame
    portals: tuple[CellPortal, ...]
    visible_cells: tuple[int, ...]  # low 16 bits
    statics: tuple[Stab, ...] = ()  # stored only with HAS_STATICS
    restriction_id: int | None = None  # stored only with HAS_RESTRICTION
    second_id: int | None = None  # the id's second copy, where it differs from the first

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, flags, second_id = cursor.u32s(3)
        surface_count, portal_count, visible_count = cursor.u8(), cursor.u8(), cursor.u16()
        surfaces = tuple([SURFACE_BASE | low for low in cursor.u16s(surface_count)])
        environment_id = ENVIRONMENT_BASE | cursor.u16()
        structure_index = cursor.u16()
        frame = cursor.frame()
        cursor.count(portal_count, 8)
        portals = tuple([CellPortal.unpack(cursor) for _ in range(portal_count)])
        visible_cells = cursor.u16s(visible_count)
        return cls(
            record_id,
            flags,
            surfaces,
            environment_id,
            structure_index,
            frame,
            portals,
            visible_cells,
            cursor.many(Stab.unpack, 32) if flags & EnvCellFlags.HAS_STATICS else (),
            cursor.u32() if flags & EnvCellFlags.HAS_RESTRICTION else None,
            None if second_id == record_id else second_id,
        )

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.flags)
        out.u32(self.id if self.second_id is None else self.second_id)
        out.u8(len(self.surfaces))
        out.u8(len(self.portals))
        out.u16(len(self.visible_cells))
        out.u16s([surface & 0xFFFF for surface in self.surfaces])
        out.u16(self.environment_id & 0xFFFF)
        out.u16(self.structure_index)
        out.frame(self.frame)
        for portal in self.portals:
            portal.pack(out)
        out.u16s(self.visible_cells)
        if self.flags & EnvCellFlags.HAS_STATICS:
            out.many(self.statics, Stab.pack)
        else:
            assert not self.statics, "statics need EnvCellFlags.HAS_STATICS"
        if self.flags & EnvCellFlags.HAS_RESTRICTION:
            out.u32(self.restriction_id or 0)
        else:
            assert self.restriction_id is None, "a restriction needs HAS_RESTRICTION"

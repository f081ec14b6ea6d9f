"""Polygons of GfxObjs and cell structures: single ones as objects, lists of them as columns.

A world's start reads some twenty thousand polygons, and takes all of them apart again into arrays.
So a list that was read is columns, and an item becomes a `Polygon` when it is asked for. Corners,
trees and portal lists mean places in these lists, never the stored ids.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from enum import IntEnum, IntFlag
from typing import Any, Final, Self, overload

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.core import I16, I64, U8
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.gather import items_at

_POLYGON_HEAD: Final = struct.Struct("<HBBihh")
MIN_POLYGON_SIZE: Final = _POLYGON_HEAD.size
"""Bytes of the smallest stored polygon, its id included."""

POLYGON_DTYPE: Final = np.dtype(
    [
        ("polygon_id", "<u2"),  # the place in the list, in sound records
        ("corner_count", "u1"),
        ("stippling", "u1"),  # Stippling bits; unknown bits are kept
        ("sides", "<i4"),  # Sides
        ("pos_surface", "<i2"),  # index in the owner's surface list, -1 none
        ("neg_surface", "<i2"),
    ]
)
"""The fixed head of a stored polygon, 12 bytes; corners (int16) and tables (bytes) follow it."""

_NO_POS_UVS: Final = 0x04  # of Stippling; plain numbers, since a loop over all polygons asks them
_NO_NEG_UVS: Final = 0x08
_BOTH: Final = 2  # of Sides


class Stippling(IntFlag):
    """Bits of Polygon.stippling; unknown bits are kept."""

    POSITIVE = 0x01
    NEGATIVE = 0x02
    NO_POS_UVS = 0x04
    NO_NEG_UVS = 0x08


class Sides(IntEnum):
    """Values of Polygon.sides."""

    SINGLE = 0  # seen from the front only
    DOUBLE = 1  # one surface on both sides
    BOTH = 2  # an own surface for the back


class Polygon(Struct, frozen=True):
    """One polygon. Its front is where its corners run counter-clockwise."""

    polygon_id: int  # the place in the list, in sound records
    stippling: int  # Stippling bits; unknown bits are kept
    sides: int  # Sides
    pos_surface: int  # index in the owner's surface list, -1 none
    neg_surface: int
    vertex_indices: tuple[int, ...]
    pos_uv: tuple[int, ...] = ()  # for each corner which of its vertex's uv pairs; may be short
    neg_uv: tuple[int, ...] = ()

    @property
    def has_pos_uv(self) -> bool:
        """A table of front uv indices is stored."""
        return not self.stippling & Stippling.NO_POS_UVS

    @property
    def has_neg_uv(self) -> bool:
        """A table of back uv indices is stored."""
        return self.sides == Sides.BOTH and not self.stippling & Stippling.NO_NEG_UVS

    def uv_index(self, corner: int, *, back: bool = False) -> int:
        """Which uv pair of its vertex a corner takes; 0 where the table has no entry."""
        table = self.neg_uv if back else self.pos_uv
        return table[corner] if corner < len(table) else 0

    def pack(self, out: Packer) -> None:
        count = len(self.vertex_indices)
        out.bytes(
            _POLYGON_HEAD.pack(
                self.polygon_id,
                count,
                self.stippling,
                self.sides,
                self.pos_surface,
                self.neg_surface,
            )
        )
        out.bytes(struct.pack(f"<{count}h", *self.vertex_indices))
        if self.has_pos_uv:
            out.bytes(bytes(self.uv_index(corner) for corner in range(count)))
        if self.has_neg_uv:
            out.bytes(bytes(self.uv_index(corner, back=True) for corner in range(count)))


class Polygons(Sequence[Polygon]):
    """A list of polygons as columns; as a sequence it is the tuple of them.

    heads          : (n,) POLYGON_DTYPE
    sizes, first   : (n,) int64, each polygon's run in the corners
    corners        : (m,) int16 vertex indices, all polygons' one after the other
    pos_uv, neg_uv : (m,) uint8, each corner's uv index; 0 where the table has no entry
    """

    __slots__ = ("_items", "corners", "first", "heads", "neg_uv", "pos_uv", "sizes")

    def __init__(
        self,
        heads: npt.NDArray[Any],
        sizes: I64,
        first: I64,
        corners: I16,
        pos_uv: U8,
        neg_uv: U8,
        *,
        items: tuple[Polygon, ...] | None = None,
    ) -> None:
        """items : the polygons, where there are any already"""
        self.heads: Final = heads
        self.sizes: Final = sizes
        self.first: Final = first
        self.corners: Final = corners
        self.pos_uv: Final = pos_uv
        self.neg_uv: Final = neg_uv
        self._items: Final = items
        for values in (heads, sizes, first, corners, pos_uv, neg_uv):
            values.setflags(write=False)

    @classmethod
    def of(cls, polygons: Sequence[Polygon]) -> Polygons:
        """The columns of a list; a list of columns is given back as it is."""
        if isinstance(polygons, Polygons):
            return polygons
        items = tuple(polygons)
        if not items:
            return _NONE
        heads = np.array(
            [
                (p.polygon_id, len(p.vertex_indices), p.stippling, p.sides, p.pos_surface,
                 p.neg_surface) for p in items
            ],
            POLYGON_DTYPE,
        )  # fmt: skip
        corners = [corner for p in items for corner in p.vertex_indices]
        front = [p.uv_index(i) for p in items for i in range(len(p.vertex_indices))]
        back = [p.uv_index(i, back=True) for p in items for i in range(len(p.vertex_indices))]
        sizes = heads["corner_count"].astype(np.int64)
        return cls(
            heads, sizes, sizes.cumsum() - sizes, np.array(corners, np.int16),
            np.array(front, np.uint8), np.array(back, np.uint8), items=items,
        )  # fmt: skip

    @classmethod
    def unpack(cls, cursor: Cursor, count: int) -> Self:
        """`count` polygons, each with its id in front."""
        cursor.count(count, MIN_POLYGON_SIZE)
        data = cursor.data
        at = np.array(_places(cursor, count), np.int64)
        heads = items_at(data, POLYGON_DTYPE, at)
        sizes = heads["corner_count"].astype(np.int64)
        first = sizes.cumsum() - sizes
        # of each corner: its number in the polygon, and where it would lie if each took a byte
        number = np.arange(int(sizes.sum())) - first.repeat(sizes)
        place = (at + MIN_POLYGON_SIZE).repeat(sizes) + number
        corners = items_at(data, "<i2", place + number)
        place += (2 * sizes).repeat(sizes)
        has_pos_uv = heads["stippling"] & _NO_POS_UVS == 0
        pos_uv = _tables(data, place, sizes, has_pos_uv)
        has_neg_uv = heads["sides"] == _BOTH
        if np.count_nonzero(has_neg_uv):
            has_neg_uv &= heads["stippling"] & _NO_NEG_UVS == 0
            place += (has_pos_uv * sizes).repeat(sizes)
        return cls(heads, sizes, first, corners, pos_uv, _tables(data, place, sizes, has_neg_uv))

    def __len__(self) -> int:
        return len(self.heads)

    @overload
    def __getitem__(self, place: int) -> Polygon: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Polygon, ...]: ...
    def __getitem__(self, place: int | slice) -> Polygon | tuple[Polygon, ...]:
        if self._items is not None:
            return self._items[place]
        if isinstance(place, slice):
            return tuple(self)[place]
        head, first = self.heads[place].item(), int(self.first[place])
        run = slice(first, first + head[1])
        columns = (self.corners, self.pos_uv, self.neg_uv)
        return _polygon(head, *[tuple(column[run].tolist()) for column in columns])

    def __iter__(self) -> Iterator[Polygon]:
        if self._items is not None:
            yield from self._items
            return
        corners, front, back = (
            tuple(column.tolist()) for column in (self.corners, self.pos_uv, self.neg_uv)
        )
        first = 0
        for head in self.heads.tolist():
            run = slice(first, first + head[1])
            yield _polygon(head, corners[run], front[run], back[run])
            first += head[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | Polygons):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


_NONE: Final = Polygons(
    np.zeros(0, POLYGON_DTYPE), np.zeros(0, np.int64), np.zeros(0, np.int64),
    np.zeros(0, np.int16), np.zeros(0, np.uint8), np.zeros(0, np.uint8), items=(),
)  # fmt: skip


def _polygon(
    head: tuple[int, ...], corners: tuple[int, ...], front: tuple[int, ...], back: tuple[int, ...]
) -> Polygon:
    """A polygon that was read, of its POLYGON_DTYPE and its run of the columns."""
    polygon_id, _, stippling, sides, pos_surface, neg_surface = head
    if stippling & _NO_POS_UVS:
        front = ()
    if sides != _BOTH or stippling & _NO_NEG_UVS:
        back = ()
    return Polygon(polygon_id, stippling, sides, pos_surface, neg_surface, corners, front, back)


def _places(cursor: Cursor, count: int) -> list[int]:
    """Where each of `count` polygons begins; steps over them. RecordError where they do not fit."""
    data, at = cursor.data, cursor.at
    places: list[int] = []
    found = places.append
    try:
        for _ in range(count):
            found(at)
            width = 2 if data[at + 3] & _NO_POS_UVS else 3
            if data[at + 4] == _BOTH and data[at + 5 : at + 8] == b"\0\0\0":
                width += not data[at + 3] & _NO_NEG_UVS
            at += MIN_POLYGON_SIZE + width * data[at + 2]
    except IndexError:
        pass  # the last place is so near to the end, or behind it
    if at > cursor.size:
        cursor.at = max(place for place in places if place < at)
        cursor.need(MIN_POLYGON_SIZE)
        cursor.need(at - cursor.at)
    cursor.at = at
    if places[-1:] == [at]:
        cursor.need(MIN_POLYGON_SIZE)
    return places


def _tables(data: bytes, places: I64, sizes: I64, stored: npt.NDArray[np.bool_]) -> U8:
    """Each corner's entry in the table of its polygon; 0 of polygons that store none."""
    count = np.count_nonzero(stored)
    if count == len(stored):
        return items_at(data, np.uint8, places)
    tables: U8 = np.zeros(len(places), np.uint8)
    if count:
        has_entry = stored.repeat(sizes)
        tables[has_entry] = items_at(data, np.uint8, places[has_entry])
    return tables

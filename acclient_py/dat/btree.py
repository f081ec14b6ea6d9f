"""The directory of a DAT file: nodes and entries (dat format 1.3, 1.5).

A node is 1716 bytes in a chain of its own: 62 branches, a count, 61 entries of 24 bytes. Ids are
unsigned and ascend in an in-order walk. Node is the read form, kept in DatFile's cache; the
editor has its own mutable one.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from typing import Final, Self

from msgspec import Struct

from acclient_py.errors import RecordError

NODE_SIZE: Final = 1716
ENTRIES_MAX: Final = 61
MIN_DEGREE: Final = 31
"""t: every node but the root has t - 1 = 30 to 2 t - 1 = 61 entries."""

ENTRIES_MIN: Final = MIN_DEGREE - 1
COUNT_AT: Final = 248
ENTRIES_AT: Final = 252
ENTRY: Final = struct.Struct("<HHIiIIi")
FOREIGN_LEAF: Final = 0xCDCDCDCD
"""branches[0] of a leaf written by a public tool (7.1); read as 0, never written."""

DEPTH_MAX: Final = 16
"""A tree of 2 GiB has at most six levels; anything deeper than this is a circle or a bomb."""

COMPRESSED: Final = 1


class Entry(Struct, frozen=True):
    """One record of a DAT file as its directory names it (24 bytes)."""

    flags: int
    version: int
    id: int
    offset: int
    size: int  # stored bytes: the compressed length if compressed
    date: int  # seconds since 1970
    iteration: int

    @classmethod
    def unpack(cls, data: bytes, at: int = 0) -> Self:
        return cls(*ENTRY.unpack_from(data, at))

    def pack(self) -> bytes:
        return ENTRY.pack(
            self.flags, self.version, self.id, self.offset, self.size, self.date, self.iteration
        )

    @property
    def compressed(self) -> bool:
        return bool(self.flags & COMPRESSED)


class Node(Struct, frozen=True):
    """A node as read: ids and branches decoded, entries made when they are asked for."""

    at: int
    ids: tuple[int, ...]
    branches: tuple[int, ...]  # empty in a leaf, else len(ids) + 1
    raw: bytes

    @classmethod
    def read(cls, raw: bytes, at: int, *, file: str) -> Self:
        """Decode 1716 bytes; `at` is the offset of the node's first block."""
        (count,) = struct.unpack_from("<I", raw, COUNT_AT)
        if count > ENTRIES_MAX:
            raise RecordError(
                f"a directory node claims {count} entries, at most 61 fit", at=at, file=file
            )
        ids = struct.unpack_from(f"<{6 * count}I", raw, ENTRIES_AT)[1::6]
        (first,) = struct.unpack_from("<I", raw)
        if first in (0, FOREIGN_LEAF):
            return cls(at, ids, (), raw)
        return cls(at, ids, struct.unpack_from(f"<{count + 1}I", raw), raw)

    def entry(self, index: int) -> Entry:
        return Entry.unpack(self.raw, ENTRIES_AT + ENTRY.size * index)

    def find(self, id: int) -> tuple[int, bool]:
        """The number of entries below `id`, and whether the next one is `id` itself."""
        index = bisect_left(self.ids, id)
        return index, index < len(self.ids) and self.ids[index] == id

    @property
    def is_leaf(self) -> bool:
        return not self.branches


def pack_node(entries: list[Entry], branches: list[int]) -> bytes:
    """The 1716 bytes of a node; a leaf has no branches. Unused slots are zero."""
    assert len(entries) <= ENTRIES_MAX, "a node holds at most 61 entries"
    assert not branches or len(branches) == len(entries) + 1, "an inner node has n + 1 branches"
    out = bytearray(NODE_SIZE)
    struct.pack_into(f"<{len(branches)}I", out, 0, *branches)
    struct.pack_into("<I", out, COUNT_AT, len(entries))
    out[ENTRIES_AT : ENTRIES_AT + ENTRY.size * len(entries)] = b"".join(
        entry.pack() for entry in entries
    )
    return bytes(out)


def capacity(height: int) -> int:
    """Entries that a tree of this height (0: a single leaf) can hold: 62^(h+1) - 1."""
    return int((ENTRIES_MAX + 1) ** (height + 1)) - 1


class Plan(Struct, frozen=True):
    """The shape of a bulk-built tree over entries[first : first + count] (1.5).

    `keys` are indices of this node's own entries; `children` is empty in a leaf.
    """

    keys: tuple[int, ...]
    children: tuple[Plan, ...]


def plan_tree(count: int) -> Plan:
    """The shape of the tree that holds `count` sorted entries."""
    height = 0
    while capacity(height) < count:
        height += 1
    return _plan(0, count, height, is_root=True)


def _plan(first: int, count: int, height: int, *, is_root: bool) -> Plan:
    if height == 0:
        return Plan(tuple(range(first, first + count)), ())
    least = 2 if is_root else MIN_DEGREE
    children = max(least, -(-(count + 1) // (capacity(height - 1) + 1)))
    run, longer = divmod(count - (children - 1), children)
    keys = []
    parts = []
    for number in range(children):
        length = run + (1 if number < longer else 0)
        parts.append(_plan(first, length, height - 1, is_root=False))
        first += length
        if number < children - 1:
            keys.append(first)
            first += 1
    return Plan(tuple(keys), tuple(parts))

"""Wave, 0x0A, and SoundTable, 0x20."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.errors import RecordError


class Wave(Record, frozen=True):
    """A sound: its WAVEFORMATEX header and its data. Format tag 0x55 is MP3."""

    id: int
    header: bytes
    data: bytes

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, header_size, data_size = cursor.u32(), cursor.i32(), cursor.i32()
        cursor.count(header_size, 1)
        cursor.count(data_size, 1)
        return cls(record_id, cursor.bytes(header_size), cursor.bytes(data_size))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.i32(len(self.header))
        out.i32(len(self.data))
        out.bytes(self.header)
        out.bytes(self.data)


class SoundEntry(Struct, frozen=True):
    """One wave of a node."""

    wave_id: int
    priority: float
    probability: float
    volume: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), *cursor.f32s(3))

    def pack(self, out: Packer) -> None:
        out.u32(self.wave_id)
        out.f32s((self.priority, self.probability, self.volume))


class SoundNode(Struct, frozen=True):
    """A node of the table. `stray_count` is a child count with no nodes behind it, see below."""

    key: int  # 0 in the root, else the sound type
    entries: tuple[SoundEntry, ...]
    children: tuple[SoundNode, ...] = ()
    stray_count: int | None = None


class SoundTable(Record, frozen=True):
    """Waves by sound type: the children of the root.

    The record is a recursive node. Tools that took the root for a special head may have left
    any number as the child count of the root's children; where the recursive reading does not
    end at the end, that number is read as a plain value and kept as `stray_count`.
    """

    id: int
    root: SoundNode

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, start = cursor.u32(), cursor.at
        try:
            root = _unpack_tree(cursor)
            cursor.end()
        except RecordError:
            cursor.at = start
            root = _unpack_flat(cursor)
        return cls(record_id, root)

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        stack = [self.root]
        while stack:
            node = stack.pop()
            out.u32(node.key)
            out.many(node.entries, SoundEntry.pack)
            out.u32(len(node.children) if node.stray_count is None else node.stray_count)
            stack.extend(reversed(node.children))


def _unpack_head(cursor: Cursor) -> tuple[int, tuple[SoundEntry, ...]]:
    return cursor.u32(), cursor.many(SoundEntry.unpack, 16)


def _unpack_tree(cursor: Cursor) -> SoundNode:
    """The recursive reading, with a stack: depth is bounded by the bytes alone."""
    # each open node: key, entries, children still to come, children read
    open_nodes: list[tuple[int, tuple[SoundEntry, ...], int, list[SoundNode]]] = []
    while True:
        key, entries = _unpack_head(cursor)
        open_nodes.append((key, entries, cursor.count32(12), []))
        while len(open_nodes[-1][3]) == open_nodes[-1][2]:
            key, entries, _, children = open_nodes.pop()
            node = SoundNode(key, entries, tuple(children))
            if not open_nodes:
                return node
            open_nodes[-1][3].append(node)


def _unpack_flat(cursor: Cursor) -> SoundNode:
    """The fall-back: no child of the root has children, whatever its count says."""
    key, entries = _unpack_head(cursor)
    children = []
    for _ in range(cursor.count32(12)):
        child_key, child_entries = _unpack_head(cursor)
        children.append(SoundNode(child_key, child_entries, (), cursor.u32()))
    return SoundNode(key, entries, tuple(children))

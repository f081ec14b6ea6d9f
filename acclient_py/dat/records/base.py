"""What all records share: a whole record is read to its last byte and written as it was.

A class that stands for a whole record has `unpack(cursor)` and `pack(out)` for its fields in
file order; `read` and `write` here add the border: the end check, and the bytes. Parts of
records (a stab, a portal, a polygon) have `unpack` and `pack` alone.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Self

from msgspec import Struct, StructMeta

from acclient_py.dat.cursor import Cursor, Packer, cursor_of


class _RecordMeta(StructMeta, ABCMeta):
    """A struct with methods that each kind must have."""


class Record(Struct, metaclass=_RecordMeta, frozen=True):
    """A whole record of a DAT file."""

    @classmethod
    @abstractmethod
    def unpack(cls, cursor: Cursor) -> Self:
        """Read the fields from the cursor's place on. RecordError on anything impossible."""

    @abstractmethod
    def pack(self, out: Packer) -> None:
        """Append the fields in file order."""

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview | Cursor, record_id: int = 0) -> Self:
        """Read the whole record; `record_id` names it in an error. It must end at the end."""
        cursor = cursor_of(data, record_id)
        record = cls.unpack(cursor)
        cursor.end()
        return record

    def write(self) -> bytes:
        """The record's bytes, the same that were read but for padding."""
        out = Packer()
        self.pack(out)
        return out.finish()

"""RawRecord: the kinds that the program knows by name only; their bytes are kept exactly."""

from __future__ import annotations

from msgspec import Struct


class RawRecord(Struct, frozen=True):
    """A record kept as bytes. `kind` is its name, `id` that of its directory entry."""

    kind: str
    id: int
    data: bytes

    def write(self) -> bytes:
        """The record's bytes."""
        return self.data

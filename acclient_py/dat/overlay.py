"""A DAT file under change: the old bytes, and the blocks that differ from them.

Nothing is written to the file until it is saved, and then a new file is written beside it and
renamed, so neither a crash nor a reader ever meets half an edit. A failed edit is rolled back.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, overload

from acclient_py.dat.blocks import U32


class Overlay:
    """Blocks by offset over an unchanged base; reads like bytes (a Source)."""

    def __init__(self, base: mmap.mmap | bytes, block_size: int) -> None:
        self.base = base
        self.block_size = block_size
        self._size = len(base)
        self._changed: dict[int, bytes] = {}
        self._undo: dict[int, bytes | None] | None = None

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, key: int, /) -> int: ...

    @overload
    def __getitem__(self, key: slice, /) -> bytes: ...

    def __getitem__(self, key: int | slice, /) -> int | bytes:
        """A range that begins at a block and does not pass the end."""
        assert isinstance(key, slice), "an overlay is read in ranges"
        start, stop, _ = key.indices(self._size)
        step = self.block_size
        blocks = b"".join(self.block(at) for at in range(start, stop, step))
        return blocks[: stop - start]

    def block(self, at: int) -> bytes:
        """The whole block at an offset."""
        changed = self._changed.get(at)
        return self.base[at : at + self.block_size] if changed is None else changed

    def put(self, at: int, block: bytes) -> None:
        """Change a whole block."""
        assert len(block) == self.block_size, "blocks are changed whole"
        if self._undo is not None and at not in self._undo:
            self._undo[at] = self._changed.get(at)
        self._changed[at] = block

    def link(self, at: int) -> int:
        """The link word of a block."""
        return int(U32.unpack_from(self.block(at))[0])

    def put_link(self, at: int, link: int) -> None:
        self.put(at, U32.pack(link) + self.block(at)[4:])

    def grow(self, blocks: int) -> int:
        """Append zero blocks and return the offset of the first."""
        start = self._size
        self._size += blocks * self.block_size
        for at in range(start, self._size, self.block_size):
            self.put(at, bytes(self.block_size))
        return start

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All changes of the body, or none of them if it raises."""
        assert self._undo is None, "an edit within an edit"
        self._undo = {}
        size = self._size
        try:
            yield
        except BaseException:
            for at, block in self._undo.items():
                if block is None:
                    self._changed.pop(at, None)
                else:
                    self._changed[at] = block
            self._size = size
            raise
        finally:
            self._undo = None

    def write_to(self, file: BinaryIO) -> None:
        """Write the file as it now stands."""
        file.write(self.base)
        for at in sorted(self._changed):
            file.seek(at)
            file.write(self._changed[at])

    def close(self) -> None:
        """Let go of the old file."""
        if isinstance(self.base, mmap.mmap):
            self.base.close()

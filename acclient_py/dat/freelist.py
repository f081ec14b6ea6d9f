"""The list of free blocks (dat format 1.8): allocate, free, expand.

The list runs through the link words of the free blocks, each with bit 31 set. Blocks are taken
from its head and given back to its tail, so it is neither contiguous nor ascending for long.
"""

from __future__ import annotations

from acclient_py.dat.blocks import FREE_BIT, LINK_MASK, U32, check_block
from acclient_py.dat.overlay import Overlay
from acclient_py.errors import DataError


class FreeList:
    """Owner of the free blocks of a file under change."""

    def __init__(
        self, disk: Overlay, first: int, last: int, count: int, *, growth: int, file: str
    ) -> None:
        self.disk = disk
        self.first = first
        self.last = last
        self.count = count
        self.growth = growth  # blocks added when the list runs short
        self.file = file

    def load(self) -> None:
        """Walk the list once, so that no edit meets a broken one.

        tolerated: files of a public writer, whose free blocks simply follow each other with links
        of 0 (7.1); they are linked properly in the overlay. Raises DataError for anything else.
        """
        if self._is_foreign():
            self._link_run(self.first, self.count)
            return
        seen: set[int] = set()
        at, last = self.first, 0
        while at:
            if at in seen or len(seen) >= self.count:
                raise self._broken("is longer than its count, or a circle", at)
            check_block(self.disk, self.disk.block_size, at, record=None, file=self.file)
            seen.add(at)
            link = self.disk.link(at)
            if not link & FREE_BIT:
                raise self._broken("runs into a used block", at)
            last, at = at, link & LINK_MASK
        if len(seen) != self.count or last != self.last:
            raise self._broken(f"has {len(seen)} blocks, the header says {self.count}", last)

    def _broken(self, text: str, at: int) -> DataError:
        return DataError(
            f"the list of free blocks {text}",
            file=self.file,
            at=at,
            do="write the records to a new file instead of editing this one",
        )

    def _is_foreign(self) -> bool:
        size = self.disk.block_size
        if not self.count or self.last != self.first + (self.count - 1) * size:
            return False
        if self.first < size or self.last + size > len(self.disk):
            return False
        return all(self.disk.link(at) == 0 for at in range(self.first, self.last + 1, size))

    def _link_run(self, start: int, count: int) -> None:
        """Link blocks that follow each other from `start`, the last one ending the list."""
        size = self.disk.block_size
        for number in range(count):
            at = start + number * size
            link = at + size if number < count - 1 else 0
            self.disk.put_link(at, FREE_BIT | link)

    def reserve(self, blocks: int) -> None:
        """Expand until more than `blocks` blocks are free."""
        if self.count <= blocks:
            self.expand(max(self.growth, blocks + 1 - self.count))

    def allocate(self) -> int:
        """Take the first free block; one always stays in the list."""
        self.reserve(1)
        at = self.first
        self.first = self.disk.link(at) & LINK_MASK
        self.count -= 1
        return at

    def expand(self, blocks: int) -> None:
        """Append blocks to the file and to the tail of the list."""
        start = self.disk.grow(blocks)
        self._link_run(start, blocks)
        self._append(start, start + (blocks - 1) * self.disk.block_size, blocks)

    def _append(self, start: int, last: int, blocks: int) -> None:
        if self.count:
            self.disk.put_link(self.last, FREE_BIT | start)
        else:
            self.first = start
        self.last = last
        self.count += blocks

    def store(self, data: bytes) -> int:
        """Put bytes into a new chain and return the offset of its first block."""
        payload = self.disk.block_size - 4
        pieces = [data[i : i + payload] for i in range(0, len(data), payload)]
        places = [self.allocate() for _ in pieces]
        for piece, at, link in zip(pieces, places, [*places[1:], 0], strict=True):
            self.disk.put(at, U32.pack(link) + piece.ljust(payload, b"\0"))
        return places[0]

    def free(self, start: int) -> None:
        """Give a whole chain back, whatever its length."""
        chain = [start]
        seen = {start}
        while True:
            check_block(self.disk, self.disk.block_size, chain[-1], record=None, file=self.file)
            link = self.disk.link(chain[-1])
            if link == 0:
                break
            if link in seen or link & FREE_BIT:
                raise DataError("a chain of blocks is damaged", file=self.file, at=chain[-1])
            chain.append(link)
            seen.add(link)
        for at in chain:
            self.disk.put_link(at, self.disk.link(at) | FREE_BIT)
        self._append(start, chain[-1], len(chain))

"""A DAT file for reading: mapped into memory, decoded only where it is asked.

DatFile owns the mapping. Everything it gives out is a copy, so the file may be closed at any time
and any number of threads may read: the mapping never changes, and the only shared state is a
small cache of directory nodes behind a lock. Damage is reported for the record or node that has
it; the rest of the file stays readable.
"""

from __future__ import annotations

import contextlib
import logging
import mmap
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from acclient_py.core import U32
from acclient_py.dat.blocks import Source, read_chain
from acclient_py.dat.btree import DEPTH_MAX, NODE_SIZE, Entry, Node
from acclient_py.dat.header import FIRST_BLOCK_MIN, HEADER_SIZE, ROOT_AT, Header, transaction_fault
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID, IterationRecord
from acclient_py.dat.stored import map_file, unpack_stored
from acclient_py.errors import DataError, MissingRecord, RecordError
from acclient_py.log import warn_once

log = logging.getLogger(__name__)

NODE_CACHE: Final = 1024
"""Nodes kept decoded, about 6 KiB each."""

Fault = Callable[[DataError], None]


class DatFile:
    """One DAT file, read only. Safe for several threads; a context manager."""

    def __init__(self, path: Path, mapping: mmap.mmap, header: Header) -> None:
        self.path = path
        self.header = header
        self.name = path.name
        self.warnings: list[str] = []
        self._map = mapping
        self._size = len(mapping)
        self._nodes: OrderedDict[int, Node] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file and check its head.

        Raises DataError when the path cannot be opened, is no DAT file, or has an impossible block
        size or root. What hinders only an editor (an unfinished transaction, a free list outside
        the file, a file shorter than it says) is logged and kept in `warnings`.
        """
        path = Path(path)
        mapping = map_file(path)
        try:
            head = mapping[:HEADER_SIZE]
            header = Header.read(head, file=str(path))
            file = cls(path, mapping, header)
            file._check_head(head)
        except BaseException:
            mapping.close()
            raise
        return file

    def _check_head(self, head: bytes) -> None:
        header = self.header
        size = self._size
        if not FIRST_BLOCK_MIN <= header.root <= size - header.block_size:
            raise DataError(
                f"the directory begins at 0x{header.root:08X}, outside the file of {size} bytes",
                file=self.path,
                at=ROOT_AT,
                do="is the file complete?",
            )
        if header.file_size != size:
            self._warn(f"the header says {header.file_size} bytes, the file has {size}")
        for name, at in (("first", header.first_free), ("last", header.last_free)):
            if at and not FIRST_BLOCK_MIN <= at <= size - header.block_size:
                self._warn(f"the {name} free block 0x{at:08X} is outside the file")
        fault = transaction_fault(head)
        if fault is not None:
            self._warn(fault)

    def _warn(self, text: str) -> None:
        self.warnings.append(text)
        warn_once((str(self.path), text), "%s: %s", self.path, text, logger=log)

    # -- life ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Unmap the file; reading afterwards raises DataError. Bytes handed out stay good."""
        with self._lock:
            self._nodes.clear()
        # a slice being copied by another thread this instant holds the mapping: the collector
        # unmaps it then
        with contextlib.suppress(BufferError):
            self._map.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"DatFile({str(self.path)!r})"

    # -- directory ----------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The real length of the file in bytes."""
        return self._size

    @property
    def source(self) -> Source:
        """The raw bytes of the file, for checks of the container; slices are copies."""
        return self._map

    def words(self) -> U32:
        """The mapped file as uint32, read only, for kernels. Let go of it before `close`."""
        try:
            return np.frombuffer(self._map, np.uint32, self._size // 4)
        except ValueError as error:
            raise DataError("the file has been closed", file=self.path) from error

    @property
    def block_size(self) -> int:
        return self.header.block_size

    def node(self, at: int) -> Node:
        """The directory node whose first block is at `at`, from the cache or the file."""
        with self._lock:
            node = self._nodes.get(at)
            if node is not None:
                self._nodes.move_to_end(at)
                return node
        node = Node.read(self._chain(at, NODE_SIZE, None), at, file=str(self.path))
        with self._lock:
            self._nodes[at] = node
            while len(self._nodes) > NODE_CACHE:
                self._nodes.popitem(last=False)
        return node

    def find(self, id: int) -> Entry | None:
        """The entry of a record, or None. Reads one node a level, nothing else."""
        at = self.header.root
        for _ in range(DEPTH_MAX):
            node = self.node(at)
            index, found = node.find(id)
            if found:
                return node.entry(index)
            if node.is_leaf:
                return None
            at = node.branches[index]
        raise RecordError(
            f"the directory is deeper than {DEPTH_MAX} nodes, or a circle",
            record=id,
            at=at,
            file=str(self.path),
        )

    def __contains__(self, id: int) -> bool:
        return self.find(id) is not None

    def entries(
        self, first: int = 0, last: int = 0xFFFFFFFF, *, on_fault: Fault | None = None
    ) -> Iterator[Entry]:
        """All entries with first <= id <= last, in ascending order of their ids.

        Subtrees outside the range are not read. A damaged node raises RecordError, or is handed to
        `on_fault` and left out together with all below it.
        """
        seen: set[int] = set()
        # (node, index of the next entry); in an inner node branch i stands before entry i
        stack: list[tuple[Node, int]] = []
        previous = -1

        def enter(at: int) -> None:
            try:
                if at in seen or len(stack) >= DEPTH_MAX:
                    raise RecordError(
                        "a directory node is reached twice, or too deep", at=at, file=str(self.path)
                    )
                seen.add(at)
                node = self.node(at)
            except DataError as error:
                if on_fault is None:
                    raise
                on_fault(error)
                return
            index, _ = node.find(first)
            stack.append((node, index))
            if node.branches:
                pending.append(node.branches[index])

        pending = [self.header.root]
        while pending or stack:
            if pending:
                enter(pending.pop())
                continue
            node, index = stack.pop()
            if index >= len(node.ids):
                continue
            id = node.ids[index]
            if id > last:
                return
            stack.append((node, index + 1))
            if node.branches:
                pending.append(node.branches[index + 1])
            if id > previous:
                previous = id
                yield node.entry(index)
                continue
            error = RecordError(
                f"the directory is out of order after 0x{previous:08X}",
                record=id,
                at=node.at,
                file=str(self.path),
            )
            if on_fault is None:
                raise error
            on_fault(error)

    def ids(self, first: int = 0, last: int = 0xFFFFFFFF) -> Iterator[int]:
        """The ids of all records in a range, ascending."""
        return (entry.id for entry in self.entries(first, last))

    # -- records ------------------------------------------------------------------------------

    def read(self, id: int) -> bytes:
        """The bytes of a record, unpacked if it is stored compressed.

        Raises MissingRecord when the file has no such record, RecordError when it is damaged.
        """
        entry = self.find(id)
        if entry is None:
            raise MissingRecord(id, file=self.path)
        return self.read_entry(entry)

    def read_entry(self, entry: Entry) -> bytes:
        """The bytes of the record that an entry of this file names."""
        stored = self.read_stored(entry)
        if not entry.compressed:
            return stored
        return unpack_stored(stored, record=entry.id, file=str(self.path))

    def read_head(self, entry: Entry, size: int) -> bytes:
        """The first `size` bytes of such a record, or all of one that is shorter."""
        if entry.compressed:
            return self.read_entry(entry)[:size]
        return self._chain(entry.offset, min(size, entry.size), entry.id)

    def read_stored(self, entry: Entry) -> bytes:
        """The bytes as they lie in the file, still compressed if the entry is."""
        return self._chain(entry.offset, entry.size, entry.id)

    def iterations(self) -> IterationRecord | None:
        """Which content iterations the file holds (1.9), or None when it does not say."""
        entry = self.find(ITERATION_RECORD_ID)
        if entry is None:
            return None
        try:
            return IterationRecord.read(self.read_entry(entry), entry.id)
        except RecordError as error:
            error.file = str(self.path)
            raise

    def _chain(self, at: int, length: int, record: int | None) -> bytes:
        try:
            return read_chain(
                self._map,
                self.header.block_size,
                at,
                length=length,
                record=record,
                file=str(self.path),
            )
        except ValueError as error:
            if not self._map.closed:
                raise
            raise DataError("the file has been closed", file=self.path) from error

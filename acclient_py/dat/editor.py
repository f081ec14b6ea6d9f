"""Changing a DAT file entry by entry, as the client does (dat format 1.4, 1.8).

DatEditor inserts with splits on the way down, stores an update in a new chain before the old one
is freed, and deletes by the textbook with t = 31. All edits stay in an overlay until `save`, which
writes a new file beside the old one and renames it. One editor belongs to one thread.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec.structs import replace

from acclient_py.dat.blocks import read_chain
from acclient_py.dat.btree import Entry, pack_node
from acclient_py.dat.freelist import FreeList
from acclient_py.dat.header import HEADER_SIZE, INFO_AT, Header, transaction_fault
from acclient_py.dat.overlay import Overlay
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID
from acclient_py.dat.stored import map_file, unpack_stored
from acclient_py.dat.tree_edit import TreeEdit
from acclient_py.dat.writer import (
    ENTRY_VERSION,
    FIXED_DATE,
    GROWTH,
    ITERATION_VERSION,
    FileKind,
    free_run,
    write_beside,
)
from acclient_py.errors import DataError, MissingRecord, RecordError

RESERVE: Final = 51
"""Free blocks that the client wants beyond those of the record it is about to store (1.8)."""


class DatEditor:
    """One DAT file under change; a context manager. What is not saved is lost."""

    def __init__(
        self,
        path: Path,
        base: mmap.mmap | bytes,
        header: Header,
        *,
        growth: int = GROWTH,
        reserve: int = RESERVE,
    ) -> None:
        self.path = path
        self.file = str(path)
        self.header = header
        self.reserve = reserve
        self.disk = Overlay(base, header.block_size)
        self.free_list = FreeList(
            self.disk,
            header.first_free,
            header.last_free,
            header.free_count,
            growth=max(1, growth // header.block_size),
            file=self.file,
        )
        self.tree = TreeEdit(self.disk, self.free_list, header.root, file=self.file)

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, growth: int = GROWTH, reserve: int = RESERVE
    ) -> Self:
        """Take an existing file into hand.

        Raises DataError when it is no DAT file, when an operation of the client stands unfinished
        in it, or when its free list is broken.
        """
        path = Path(path)
        base = map_file(path)
        try:
            head = base[:HEADER_SIZE]
            header = Header.read(head, file=str(path))
            fault = transaction_fault(head)
            if fault is not None:
                raise DataError(fault, file=path, do="write the records to a new file instead")
            editor = cls(path, base, header, growth=growth, reserve=reserve)
            editor.free_list.load()
        except BaseException:
            base.close()
            raise
        return editor

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        kind: FileKind,
        *,
        guid: bytes = bytes(16),
        minor: int = 1,
        blocks: int | None = None,
        growth: int = GROWTH,
        reserve: int = RESERVE,
    ) -> Self:
        """A new file of free blocks and an empty directory (1.8 `create`).

        blocks : data blocks to begin with; as many as fill `growth` bytes when left out
        """
        count = (growth - HEADER_SIZE) // kind.block_size if blocks is None else blocks
        size = HEADER_SIZE + count * kind.block_size
        header = Header(
            block_size=kind.block_size,
            file_size=size,
            data_set=kind.data_set,
            data_subset=kind.data_subset,
            first_free=HEADER_SIZE,
            last_free=size - kind.block_size,
            free_count=count,
            engine_pack_version=kind.engine_pack_version,
            version_major=guid,
            version_minor=minor,
        )
        base = header.head() + free_run(HEADER_SIZE, size, kind.block_size)
        editor = cls(Path(path), base, header, growth=growth, reserve=reserve)
        editor.tree.root = editor.free_list.store(pack_node([], []))
        return editor

    # -- reading ------------------------------------------------------------------------------

    def find(self, id: int) -> Entry | None:
        """The entry of a record as it now stands, or None."""
        return self.tree.find(id)

    def read(self, id: int) -> bytes:
        """The bytes of a record as they now stand."""
        entry = self.find(id)
        if entry is None:
            raise MissingRecord(id, file=self.path)
        stored = read_chain(
            self.disk,
            self.disk.block_size,
            entry.offset,
            length=entry.size,
            record=id,
            file=self.file,
        )
        return unpack_stored(stored, record=id, file=self.file) if entry.compressed else stored

    # -- edits --------------------------------------------------------------------------------

    def put(self, id: int, data: bytes, *, iteration: int = 0, date: int = FIXED_DATE) -> bool:
        """Insert a record or replace its bytes; false if a newer one is kept.

        iteration : in which the record changed; 0 makes no claim: it keeps that of an existing
                    entry. A nonzero one below the entry's is ignored, as the client does.
        """
        if not 0 <= id <= 0xFFFFFFFF or not data:
            raise RecordError(f"{len(data)} bytes cannot be stored", record=id, file=self.path)
        with self._whole():
            old = self.find(id)
            if old is not None and iteration and iteration < old.iteration:
                return False
            payload = self.disk.block_size - 4
            blocks = -(-len(data) // payload)
            self.free_list.reserve(max(len(data) // payload + self.reserve, blocks))
            is_list = id == ITERATION_RECORD_ID
            entry = Entry(
                flags=0,
                version=ITERATION_VERSION if is_list else ENTRY_VERSION,
                id=id,
                offset=self.free_list.store(data),
                size=len(data),
                date=date,
                iteration=1 if is_list else iteration or (old.iteration if old else 1),
            )
            if old is None:
                self.tree.insert(entry)
            else:
                self.tree.replace(entry)
                if old.size:
                    self.free_list.free(old.offset)
        return True

    def delete(self, id: int) -> None:
        """Remove a record; raises MissingRecord when there is none."""
        with self._whole():
            entry = self.find(id)
            if entry is None:
                raise MissingRecord(id, file=self.path)
            self.tree.delete(id)
            if entry.size:
                self.free_list.free(entry.offset)

    def save(self, path: str | os.PathLike[str] | None = None) -> Header:
        """Write the file as it now stands, to its own place or another, and return its header."""
        target = self.path if path is None else Path(path)
        header = self.current_header()
        own = target == self.path
        with write_beside(target) as file:
            self.disk.write_to(file)
            file.seek(INFO_AT)
            file.write(header.write())
            if own:
                self.disk.close()  # a mapped file cannot be replaced everywhere
        if own:
            self.disk = Overlay(map_file(target), header.block_size)
            self.free_list.disk = self.tree.disk = self.disk
            self.header = header
        return header

    def current_header(self) -> Header:
        """The file information as `save` would write it."""
        return replace(
            self.header,
            file_size=len(self.disk),
            first_free=self.free_list.first,
            last_free=self.free_list.last,
            free_count=self.free_list.count,
            root=self.tree.root,
        )

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """One edit: all of it, or after an error the state before it."""
        tree, free = self.tree, self.free_list
        before = (tree.root, free.first, free.last, free.count)
        try:
            with self.disk.whole():
                yield
        except BaseException:
            tree.root, free.first, free.last, free.count = before
            raise

    # -- life ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of the file; unsaved edits are lost."""
        self.disk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

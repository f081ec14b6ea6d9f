"""A complete DAT file in one go (dat format 1.5, 1.10).

Ascending ids, payloads one after another, then the directory from the leaves up, then a tail of
free blocks to the next whole MiB; zeros in all slack. The same records give the same bytes on
every machine. The file is written beside its place and renamed into it, so a reader never sees
half a file and a reader of the old one keeps it.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
from msgspec import Struct

from acclient_py.dat.blocks import FREE_BIT, U32, block_count
from acclient_py.dat.btree import NODE_SIZE, Entry, Plan, pack_node, plan_tree
from acclient_py.dat.header import (
    DATA_SET_CELL,
    DATA_SET_LOCAL,
    DATA_SET_PORTAL,
    FILE_SIZE_MAX,
    HEADER_SIZE,
    SUBSET_HIGHRES,
    Header,
)
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID, IterationRecord
from acclient_py.errors import DataError, RecordError

GROWTH: Final = 1 << 20
"""Files grow by whole MiB."""

FIXED_DATE: Final = 0x51000000
"""The one date of all entries made here: a build must not know what day it is."""

ENTRY_VERSION: Final = 2
ITERATION_VERSION: Final = 1


class FileKind(Struct, frozen=True):
    """What the header of one of the four files says (0.3, 1.1)."""

    name: str
    block_size: int
    data_set: int
    data_subset: int
    engine_pack_version: int


PORTAL: Final = FileKind("client_portal.dat", 1024, DATA_SET_PORTAL, 0, 110)
HIGHRES: Final = FileKind("client_highres.dat", 1024, DATA_SET_PORTAL, SUBSET_HIGHRES, 110)
CELL: Final = FileKind("client_cell_1.dat", 256, DATA_SET_CELL, 1, 22)
LOCAL: Final = FileKind("client_local_English.dat", 1024, DATA_SET_LOCAL, 1, 110)
FILE_KINDS: Final = (PORTAL, CELL, HIGHRES, LOCAL)


def build(
    path: str | os.PathLike[str],
    records: Mapping[int, bytes],
    kind: FileKind,
    *,
    guid: bytes | uuid.UUID = bytes(16),
    minor: int = 1,
    master_map_id: int = 0,
    iterations: bytes | None = None,
    growth: int = GROWTH,
) -> Header:
    """Write a complete file with these records and return its header.

    records    : id -> bytes, in any order; none may be empty
    guid       : identifies the content line (Windows byte order when given as bytes)
    iterations : the bytes of record 0xFFFF0001; iteration 1 alone when left out
    growth     : the size is rounded up to a multiple of this

    Raises DataError for ids or lengths that a DAT file cannot hold.
    """
    path = Path(path)
    items = dict(records)
    if iterations is not None or ITERATION_RECORD_ID not in items:
        items[ITERATION_RECORD_ID] = (
            IterationRecord.full(1).write() if iterations is None else iterations
        )
    for id, data in items.items():
        if not 0 <= id <= 0xFFFFFFFF or not data:
            raise RecordError(f"{len(data)} bytes cannot be stored", record=id, file=path)
    layout = _Layout(kind.block_size)
    entries = []
    for id in sorted(items):
        version = ITERATION_VERSION if id == ITERATION_RECORD_ID else ENTRY_VERSION
        at = layout.take(len(items[id]))
        entries.append(Entry(0, version, id, at, len(items[id]), FIXED_DATE, 1))
    nodes: list[tuple[int, bytes]] = []
    root = _lay_tree(plan_tree(len(entries)), entries, layout, nodes)
    used_end = layout.end
    size = -(-(used_end + kind.block_size) // growth) * growth
    size -= (size - HEADER_SIZE) % kind.block_size
    if size < used_end + kind.block_size:
        size += kind.block_size
    if size > FILE_SIZE_MAX:
        raise DataError(f"{size} bytes, but a DAT file ends below 2 GiB", file=path)
    guid_bytes = guid.bytes_le if isinstance(guid, uuid.UUID) else guid
    header = Header(
        block_size=kind.block_size,
        file_size=size,
        data_set=kind.data_set,
        data_subset=kind.data_subset,
        first_free=used_end,
        last_free=size - kind.block_size,
        free_count=(size - used_end) // kind.block_size,
        root=root,
        master_map_id=master_map_id,
        engine_pack_version=kind.engine_pack_version,
        version_major=guid_bytes,
        version_minor=minor,
    )
    with write_beside(path) as file:
        file.write(header.head())
        for entry in entries:
            file.write(pack_chain(items[entry.id], entry.offset, kind.block_size))
        for at, data in nodes:
            file.write(pack_chain(data, at, kind.block_size))
        file.write(free_run(used_end, size, kind.block_size))
    return header


class _Layout:
    """Hands out contiguous blocks from offset 1024 upwards."""

    def __init__(self, block_size: int) -> None:
        self.block_size = block_size
        self.end = HEADER_SIZE

    def take(self, length: int) -> int:
        at = self.end
        self.end += block_count(length, self.block_size) * self.block_size
        return at


def _lay_tree(
    plan: Plan, entries: list[Entry], layout: _Layout, nodes: list[tuple[int, bytes]]
) -> int:
    """Lay out the nodes of a subtree, children first, and return the offset of its root."""
    branches = [_lay_tree(child, entries, layout, nodes) for child in plan.children]
    at = layout.take(NODE_SIZE)
    nodes.append((at, pack_node([entries[key] for key in plan.keys], branches)))
    return at


def pack_chain(data: bytes, at: int, block_size: int) -> bytes:
    """The blocks of a byte string that lies contiguously from offset `at`; zero slack."""
    payload = block_size - 4
    blocks = block_count(len(data), block_size)
    if blocks == 1:
        return (bytes(4) + data).ljust(block_size, b"\0")
    links = np.arange(1, blocks + 1, dtype="<u4") * np.uint32(block_size) + np.uint32(at)
    links[-1] = 0
    rows = np.empty((blocks, block_size), np.uint8)
    rows[:, :4] = links.view(np.uint8).reshape(blocks, 4)
    rows[:, 4:] = np.frombuffer(data.ljust(blocks * payload, b"\0"), np.uint8).reshape(
        blocks, payload
    )
    return rows.tobytes()


def free_run(start: int, end: int, block_size: int) -> bytes:
    """Free blocks from `start` to `end`, each linked to the next, the last one ending the list."""
    out = bytearray(end - start)
    for at in range(start, end, block_size):
        following = at + block_size
        U32.pack_into(out, at - start, FREE_BIT | (following if following < end else 0))
    return bytes(out)


@contextlib.contextmanager
def write_beside(path: Path) -> Iterator[BinaryIO]:
    """Open a new file beside `path` for writing and rename it to `path` when all went well.

    What is no plain file (a pipe, a device) is written to as it is; of a link it is the file behind
    it that is made anew. On Windows the rename fails while another program has the old file mapped;
    the old one stays.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        try:
            with path.open("wb") as file:
                yield file
        except OSError as error:
            raise DataError(f"cannot be written: {error.strerror or error}", file=path) from error
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", file=path) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)

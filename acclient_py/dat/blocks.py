"""Blocks and chains: how a byte string lies in a DAT file (dat format 1.2).

A block is a u32 link and `block size - 4` bytes of payload. A chain is followed by its links; the
last block of a used chain has link 0, a link with bit 31 belongs to a free block. Nothing here
trusts a length or a link: work and memory are bounded by the size of the file.
"""

from __future__ import annotations

import struct
from collections.abc import Container
from typing import Final, Protocol, overload

import numpy as np

from acclient_py.dat.header import FIRST_BLOCK_MIN
from acclient_py.errors import RecordError

FREE_BIT: Final = 0x80000000
LINK_MASK: Final = 0x7FFFFFFF
U32: Final = struct.Struct("<I")
RUN_MIN: Final = 4
"""From this many blocks on it pays to try the whole chain as one contiguous run."""


class Source(Protocol):
    """What a chain is read from: an mmap or bytes."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, key: int, /) -> int: ...

    @overload
    def __getitem__(self, key: slice, /) -> bytes: ...


def block_count(length: int, block_size: int) -> int:
    """Blocks that `length` bytes take."""
    return -(-length // (block_size - 4))


def read_chain(
    source: Source, block_size: int, at: int, *, length: int, record: int | None, file: str
) -> bytes:
    """The first `length` bytes of the chain that begins at offset `at`.

    record : the id named in errors, None for a node of the directory

    An empty record is empty wherever its offset points (1.2).
    """
    if length == 0:
        return b""
    payload = block_size - 4
    blocks = block_count(length, block_size)
    if blocks * block_size > len(source):
        raise RecordError(
            f"{length} bytes cannot lie in a file of {len(source)} bytes",
            record=record,
            at=at,
            file=file,
        )
    check_block(source, block_size, at, record=record, file=file)
    if blocks >= RUN_MIN:
        run = _read_run(source, block_size, at, blocks)
        if run is not None:
            return run[:length]
    pieces = []
    left = length
    seen: set[int] = set()
    while True:
        seen.add(at)
        block = source[at : at + block_size]
        (link,) = U32.unpack_from(block)
        if link & FREE_BIT:
            raise RecordError("its chain runs into a free block", record=record, at=at, file=file)
        pieces.append(block[4 : 4 + left])
        left -= payload
        if left <= 0:
            return b"".join(pieces)
        if link == 0:
            raise RecordError(
                f"its chain ends {left} bytes too early", record=record, at=at, file=file
            )
        if link in seen:
            raise RecordError("its chain of blocks is a circle", record=record, at=at, file=file)
        at = link
        check_block(source, block_size, at, record=record, file=file)


def check_block(source: Source, block_size: int, at: int, *, record: int | None, file: str) -> None:
    """Raise unless a whole block can lie at `at`."""
    if at < FIRST_BLOCK_MIN or at + block_size > len(source):
        raise RecordError(
            f"block offset 0x{at & 0xFFFFFFFF:08X} is outside the file of {len(source)} bytes",
            record=record,
            at=at,
            file=file,
        )


def _read_run(source: Source, block_size: int, at: int, blocks: int) -> bytes | None:
    """All payloads of `blocks` blocks that follow each other on disk, or None if they do not."""
    end = at + blocks * block_size
    if end > len(source):
        return None
    rows = np.frombuffer(source[at:end], np.uint8).reshape(blocks, block_size)
    links = rows[:, :4].copy().view("<u4")[:, 0]
    if links[-1] & FREE_BIT:
        return None
    expected = np.arange(1, blocks, dtype=np.int64) * block_size + at
    if not np.array_equal(links[:-1], expected):
        return None
    return rows[:, 4:].tobytes()


def chain_offsets(
    source: Source,
    block_size: int,
    at: int,
    *,
    length: int,
    record: int | None,
    file: str,
    taken: Container[int] = (),
) -> tuple[list[int], int]:
    """The offsets of all blocks of a chain, and the link of its last one.

    The link is 0 in a chain that ends where it should (1.8); more than that is left to the caller
    to judge. A chain is followed to its first block in `taken` and no farther. Raises RecordError
    as read_chain does.
    """
    offsets: list[int] = []
    blocks = block_count(length, block_size)
    if blocks * block_size > len(source):
        raise RecordError(
            f"{length} bytes cannot lie in a file of {len(source)} bytes",
            record=record,
            at=at,
            file=file,
        )
    seen: set[int] = set()
    link = at
    for number in range(blocks):
        if link == 0:
            raise RecordError(
                f"its chain ends after {number} of {blocks} blocks",
                record=record,
                at=offsets[-1] if offsets else 0,
                file=file,
            )
        if link in seen:
            raise RecordError("its chain of blocks is a circle", record=record, at=link, file=file)
        check_block(source, block_size, link, record=record, file=file)
        offsets.append(link)
        if link in taken:
            return offsets, 0
        seen.add(link)
        (link,) = U32.unpack(source[link : link + 4])
        if link & FREE_BIT:
            raise RecordError(
                "its chain runs into a free block", record=record, at=offsets[-1], file=file
            )
    return offsets, link

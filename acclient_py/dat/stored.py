"""The bytes of a file as they are stored: mapped into memory, and unpacked (dat format 1.6)."""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from pathlib import Path
from typing import Final

from acclient_py.errors import DataError, RecordError

STORED_MIN: Final = 16
"""The client wants at least this many stored bytes in a compressed entry (1.6)."""

UNPACKED_MAX: Final = 64 << 20
"""No record is nearly as long; a compressed entry that claims more is damaged."""

DEFLATE_RATIO_MAX: Final = 1032
"""Deflate cannot do better: a larger claim is a lie, found without unpacking."""


def unpack_stored(stored: bytes, *, record: int, file: str) -> bytes:
    """Unpack the bytes of a compressed entry: a u32 length, then a zlib stream (1.6)."""
    if len(stored) < STORED_MIN:
        raise RecordError(
            f"a compressed record of {len(stored)} bytes", record=record, at=0, file=file
        )
    (length,) = struct.unpack_from("<I", stored)
    most = min(UNPACKED_MAX, DEFLATE_RATIO_MAX * len(stored))
    if not len(stored) <= length <= most:
        raise RecordError(
            f"{len(stored)} compressed bytes claim to hold {length}",
            record=record,
            at=0,
            file=file,
        )
    inflater = zlib.decompressobj()
    try:
        out = inflater.decompress(stored[4:], length + 1)
    except zlib.error as error:
        raise RecordError(
            f"its compressed data is damaged ({error})", record=record, at=4, file=file
        ) from error
    if len(out) != length or not inflater.eof:
        raise RecordError(
            f"its compressed data does not hold the {length} bytes it claims",
            record=record,
            at=4,
            file=file,
        )
    return out


def map_file(path: Path) -> mmap.mmap:
    """Map a whole file for reading; the descriptor is not kept."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise DataError("the file is empty", file=path, do="fetch it again")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except IsADirectoryError as error:
        raise DataError("a directory, not a DAT file", file=path) from error
    except (OSError, ValueError) as error:
        if path.is_dir():
            raise DataError("a directory, not a DAT file", file=path) from error
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"cannot be opened: {reason}", file=path) from error

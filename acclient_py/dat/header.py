"""The head of a DAT file: file information and the transaction record.

The first 1024 bytes of a file belong to the head. Text, the transaction record at 0x100 and the
file information at 0x140 are the only used areas (dat format 1.1, 1.7); everything else is zero
in files made here. Values are kept as they stand in the file, without interpretation.
"""

from __future__ import annotations

import struct
from typing import Final, Self

from msgspec import Struct

from acclient_py.errors import DataError

HEADER_SIZE: Final = 1024
"""Where the blocks of a file made here (and by the retail client) begin."""

FIRST_BLOCK_MIN: Final = 400
"""No block can begin below the end of the file information (0x190)."""

TRANSACTION_AT: Final = 0x100
TRANSACTION_MAGIC: Final = 0x00004C50
IDLE_TRANSACTION: Final = struct.pack("<BI", 0, TRANSACTION_MAGIC)
TRANSACTION_NAMES: Final = (
    "idle",
    "add",
    "delete from leaf",
    "delete from inner node",
    "merge",
    "update",
    "split",
    "rotate",
    "LRU expand",
    "LRU delete",
)

INFO_AT: Final = 0x140
ROOT_AT: Final = 0x160
MAGIC: Final = 0x00005442
INFO: Final = struct.Struct("<IiiIIIIIIIIB3xIII16sI")

DATA_SET_PORTAL: Final = 1
DATA_SET_CELL: Final = 2
DATA_SET_LOCAL: Final = 3
SUBSET_HIGHRES: Final = 0x69466948
"""The bytes `48 69 46 69`, "HiFi": what tells the high resolution file from the portal file."""

BLOCK_SIZE_MIN: Final = 5
"""A block is a 4-byte link and at least one byte of payload."""

FILE_SIZE_MAX: Final = 0x7FFFFFFF


class Header(Struct, frozen=True):
    """The file information at 0x140, 80 bytes, fields in file order after the magic."""

    block_size: int
    file_size: int
    data_set: int
    data_subset: int
    first_free: int = 0
    last_free: int = 0
    free_count: int = 0
    root: int = 0
    young_lru: int = 0
    old_lru: int = 0
    use_lru: int = 0
    master_map_id: int = 0
    engine_pack_version: int = 0
    game_pack_version: int = 0
    version_major: bytes = bytes(16)
    version_minor: int = 0

    @classmethod
    def read(cls, head: bytes, *, file: str) -> Self:
        """Read the file information out of the first bytes of a file.

        head : at least 0x190 bytes from offset 0
        file : named in errors

        Raises DataError when this is no DAT file or its block size is impossible.
        """
        if len(head) < INFO_AT + INFO.size:
            raise DataError(
                f"{len(head)} bytes are too few for a DAT header, 400 are needed",
                file=file,
                do="is the file complete?",
            )
        magic, *fields = INFO.unpack_from(head, INFO_AT)
        if magic != MAGIC:
            raise DataError(
                f"magic 0x{magic:08X} instead of 0x{MAGIC:08X}: no end-of-retail DAT file",
                file=file,
                at=INFO_AT,
            )
        header = cls(*fields)
        if header.block_size < BLOCK_SIZE_MIN:
            raise DataError(
                f"block size {header.block_size}, but a block has at least {BLOCK_SIZE_MIN} bytes",
                file=file,
                at=INFO_AT + 4,
            )
        return header

    def write(self) -> bytes:
        """The 80 bytes that stand at 0x140."""
        return INFO.pack(
            MAGIC,
            self.block_size,
            self.file_size,
            self.data_set,
            self.data_subset,
            self.first_free,
            self.last_free,
            self.free_count,
            self.root,
            self.young_lru,
            self.old_lru,
            self.use_lru,
            self.master_map_id,
            self.engine_pack_version,
            self.game_pack_version,
            self.version_major,
            self.version_minor,
        )

    def head(self) -> bytes:
        """The whole first 1024 bytes: no text, an idle transaction, this file information."""
        out = bytearray(HEADER_SIZE)
        out[TRANSACTION_AT : TRANSACTION_AT + len(IDLE_TRANSACTION)] = IDLE_TRANSACTION
        out[INFO_AT : INFO_AT + INFO.size] = self.write()
        return bytes(out)


def transaction_fault(head: bytes) -> str | None:
    """What is wrong with the transaction record, or None when it is idle (1.7)."""
    kind, magic = struct.unpack_from("<BI", head, TRANSACTION_AT)
    if magic != TRANSACTION_MAGIC:
        return f"transaction record has magic 0x{magic:08X}; the retail client refuses the file"
    if kind == 0:
        return None
    name = TRANSACTION_NAMES[kind] if kind < len(TRANSACTION_NAMES) else f"type {kind}"
    return f"an unfinished operation ({name}) stands in the transaction record; reading only"

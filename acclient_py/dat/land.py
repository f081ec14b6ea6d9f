"""Many land blocks at once, as arrays: what a load window, a map or a check of a world wants.

The plain case runs in one kernel over the mapped file; anything else (damage, compressed records,
other block sizes) goes record by record through the readers, with the same result.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from acclient_py.core import F32, U8, U16, U32
from acclient_py.dat.container import DatFile
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.errors import DataError, MissingRecord, RecordError
from acclient_py.kernels.land_blocks import ABSENT, ODD, READ, read_land_blocks


class LandBlocks(Struct, frozen=True):
    """The terrain of n blocks; rows of blocks that are not there are zero.

    found       : (n,) bool, whether the record is there and sound
    has_objects : (n,) uint32, nonzero where a LandBlockInfo exists
    terrain     : (n, 81) uint16 terrain words, vertex x * 9 + y
    z           : (n, 81) float32 heights in metres
    faults      : one error for each damaged record
    """

    ids: U32
    found: np.ndarray
    has_objects: U32
    terrain: U16
    z: F32
    faults: tuple[DataError, ...]


def land_blocks(cell: DatFile, ids: U32, height_table: F32) -> LandBlocks:
    """Read the LandBlock records of `ids` (0xXXYYFFFF) out of a cell file.

    ids          : (n,) uint32 in any order
    height_table : (256,) float32, metres of each height byte (Region)
    """
    ids = np.ascontiguousarray(ids, np.uint32)
    table = np.ascontiguousarray(height_table, np.float32)
    count = len(ids)
    state: U8 = np.full(count, ODD, np.uint8)
    has_objects: U32 = np.zeros(count, np.uint32)
    terrain: U16 = np.zeros((count, 81), np.uint16)
    z: F32 = np.zeros((count, 81), np.float32)
    root = cell.header.root
    if cell.block_size % 4 == 0 and root % 4 == 0 and count:
        read_land_blocks(
            cell.words(), cell.block_size, root, ids, table, state, has_objects, terrain, z
        )
    faults: list[DataError] = []
    for index in np.flatnonzero(state == ODD).tolist():
        id = int(ids[index])
        try:
            record = LandBlock.read(cell.read(id), id)
        except MissingRecord:
            state[index] = ABSENT
            continue
        except RecordError as error:
            error.file = str(cell.path)
            faults.append(error)
            continue
        state[index] = READ
        has_objects[index] = record.has_objects
        terrain[index] = record.terrain
        z[index] = table[record.heights]
    return LandBlocks(ids, state == READ, has_objects, terrain, z, tuple(faults))

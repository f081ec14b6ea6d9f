"""Look up and read many land blocks of a DAT file in one call (dat format 1.2, 1.3, 4.1).

Works on the mapped file itself: follows the chain of each directory node, searches it in place,
and copies the record out of its block. Nothing in the file is trusted; what is not plain (a record
over several blocks, a compressed one, any damage) is left to the caller, marked ODD. The last node
of each level stays resolved, so ids that lie near each other cost one node in all.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, U8, U16, U32
from acclient_py.kernels import kernel

ABSENT: Final = 0
READ: Final = 1
ODD: Final = 2

DEPTH: Final = 16
NODE_BLOCKS: Final = 429  # of the smallest block, 8 bytes
_NODE_SIZE: Final = 1716
_ENTRIES: Final = 61
_RECORD: Final = 252
_FIRST_BLOCK: Final = 400


def _warm() -> None:
    file = np.frombuffer(bytes(2048), np.uint32)  # read only, as a mapped file is
    ids = np.zeros(1, np.uint32)
    read_land_blocks(
        file,
        256,
        0,
        ids,
        np.zeros(256, np.float32),
        np.zeros(1, np.uint8),
        np.zeros(1, np.uint32),
        np.zeros((1, 81), np.uint16),
        np.zeros((1, 81), np.float32),
    )


@kernel(warm=_warm)
def read_land_blocks(
    words: U32,
    block_size: int,
    root: int,
    ids: U32,
    table: F32,
    state: U8,
    has_objects: U32,
    terrain: U16,
    z: F32,
) -> None:
    """Read the land block records of `ids`.

    words       : the file as uint32, read only; a rest of less than four bytes left out
    block_size  : a multiple of 4, at least 8
    root        : offset of the directory's root node, a multiple of 4
    ids         : (n,) uint32, any order; near ids next to each other are cheapest
    table       : (256,) float32, the height of each height byte
    state       : (n,) uint8, filled with ABSENT, READ or ODD
    has_objects : (n,) uint32; terrain : (n, 81) uint16; z : (n, 81) float32; filled where READ
    """
    octets = words.view(np.uint8)
    halves = words.view(np.uint16)
    file_size = words.size * 4
    payload = block_size - 4
    node_blocks = (_NODE_SIZE + payload - 1) // payload
    # where the words of entry m's id stand: which block of the node, which word in it
    id_block = np.empty(_ENTRIES, np.int64)
    id_word = np.empty(_ENTRIES, np.int64)
    for m in range(_ENTRIES):
        start = 252 + 24 * m + 4
        id_block[m] = start // payload
        id_word[m] = start % payload // 4 + 1
    count_block = 248 // payload
    count_word = 248 % payload // 4 + 1
    known = np.full(DEPTH, -1, np.int64)  # the node that is resolved at each depth
    blocks = np.empty((DEPTH, NODE_BLOCKS), np.int64)  # word index of its blocks

    for i in range(ids.size):
        want = ids[i]
        node: Any = np.int64(root)
        result = ODD
        for depth in range(DEPTH):
            if known[depth] != node:
                known[depth] = -1
                at: Any = node
                sound = True
                for b in range(node_blocks):
                    if at < _FIRST_BLOCK or at + block_size > file_size or at & 3 != 0:
                        sound = False
                        break
                    for earlier in range(b):
                        if blocks[depth, earlier] == at >> 2:
                            sound = False
                    if not sound:
                        break
                    blocks[depth, b] = at >> 2
                    at = np.int64(words[at >> 2])
                if not sound or at >= 0x80000000:
                    break
                known[depth] = node
            place: Any = 0
            count = np.int64(words[blocks[depth, count_block] + count_word])
            if count > _ENTRIES:
                break
            low = 0
            high: Any = count
            while low < high:
                middle = (low + high) >> 1
                place = blocks[depth, id_block[middle]] + id_word[middle]
                if words[np.uint64(place)] < want:
                    low = middle + 1
                else:
                    high = middle
            if low < count and words[blocks[depth, id_block[low]] + id_word[low]] == want:
                place = 252 + 24 * low
                head = words[blocks[depth, place // payload] + place % payload // 4 + 1]
                place += 8
                offset = np.int64(words[blocks[depth, place // payload] + place % payload // 4 + 1])
                place += 4
                size = np.int64(words[blocks[depth, place // payload] + place % payload // 4 + 1])
                if head & np.uint32(1) != 0 or size != _RECORD or payload < _RECORD:
                    break
                if offset < _FIRST_BLOCK or offset + block_size > file_size or offset & 3 != 0:
                    break
                first = offset >> 2
                if words[first] & np.uint32(0x80000000) != 0 or words[first + 1] != want:
                    break
                has_objects[i] = words[first + 2]
                half = first * 2 + 6
                octet = offset + 174
                # unsigned places: a signed one may be negative and is tested at each step
                row = np.uint64(i)
                for j in range(81):
                    terrain[row, np.uint64(j)] = halves[np.uint64(half + j)]
                for j in range(81):
                    z[row, np.uint64(j)] = table[octets[np.uint64(octet + j)]]
                result = READ
                break
            leaf = np.int64(words[blocks[depth, 0] + 1])
            if leaf == 0 or leaf == 0xCDCDCDCD:
                result = ABSENT
                break
            place = 4 * low
            node = np.int64(words[blocks[depth, place // payload] + place % payload // 4 + 1])
        state[i] = result

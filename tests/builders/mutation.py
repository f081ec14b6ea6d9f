"""Wire messages changed at random: bytes, numbers, lengths, whom they speak of."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

NUMBERS = (
    0, 1, 2, 3, 8, 0x10, 0x41, 0x65, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
    0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF,
    0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 0x00000001, 0x4F000000,
)  # fmt: skip
"""Counts, edges of fields, and the floats 1, -1, infinities, NaN, the largest, the smallest."""


class Mutator:
    """Makes one message after the other out of a corpus; the same seed gives the same ones."""

    def __init__(self, corpus: Sequence[bytes], guids: Sequence[int], seed: str) -> None:
        self.corpus = list(corpus)
        self.guids = list(guids)
        self.random = random.Random(seed)

    def next(self) -> bytes:
        """One more message: now and then an unchanged one, else one to six changes."""
        pick = self.random
        data = bytearray(pick.choice(self.corpus))
        if pick.random() < 0.2:
            return bytes(data)
        for _ in range(pick.choice((1, 1, 1, 2, 3, 6))):
            self._change(data)
        return bytes(data)

    def _change(self, data: bytearray) -> None:
        pick = self.random
        what = pick.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8))
        if not data:
            data += pick.randbytes(pick.randrange(1, 24))
        elif what == 0:
            data[pick.randrange(len(data))] ^= 1 << pick.randrange(8)
        elif what == 1:
            data[pick.randrange(len(data))] = pick.randrange(256)
        elif what == 2 and len(data) >= 4:
            struct.pack_into("<I", data, self._at(data), pick.choice(NUMBERS))
        elif what == 3 and len(data) >= 4:
            struct.pack_into("<I", data, self._at(data), pick.choice(self.guids))
        elif what == 4 and len(data) >= 2:
            at = pick.randrange(0, len(data) - 1, 2)
            struct.pack_into("<H", data, at, pick.choice(NUMBERS) & 0xFFFF)
        elif what == 5:
            del data[pick.randrange(len(data)) :]
        elif what == 6:
            data += pick.randbytes(pick.choice((1, 2, 4, 4, 8, 64)))
        elif what == 7:
            other = pick.choice(self.corpus)
            at = pick.randrange(min(len(data), len(other)))
            data[at:] = other[at:]
        else:
            at = pick.randrange(len(data))
            del data[at : at + pick.randrange(1, 9)]

    def _at(self, data: bytearray) -> int:
        return self.random.randrange(0, len(data) - 3, 4)

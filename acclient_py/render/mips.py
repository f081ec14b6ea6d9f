"""Mip levels made by the program: the same under every driver, and only of what is new.

A driver averages all layers of an array anew when one came.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import U8, U32
from acclient_py.kernels import kernel

_TWO_CHANNELS: Final = np.uint32(0x00FF00FF)
_ROUNDING: Final = np.uint32(0x00020002)
_TWO: Final = np.uint32(2)
_EIGHT: Final = np.uint32(8)


@kernel
def halve(picture: U32, out: U32) -> None:
    """Each texel of `out` the average of four of `picture`: two channels at a time, in 16 bits."""
    m = _TWO_CHANNELS
    for y in range(len(out)):
        above, below, row = picture[2 * y], picture[2 * y + 1], out[y]
        for x in range(len(row)):
            a, b, c, d = above[2 * x], above[2 * x + 1], below[2 * x], below[2 * x + 1]
            even = np.uint32((a & m) + (b & m) + (c & m) + (d & m) + _ROUNDING) >> _TWO
            e, f, g, h = a >> _EIGHT, b >> _EIGHT, c >> _EIGHT, d >> _EIGHT
            odd = np.uint32((e & m) + (f & m) + (g & m) + (h & m) + _ROUNDING) >> _TWO
            row[x] = np.uint32((np.uint32(even) & m) | ((np.uint32(odd) & m) << _EIGHT))


@kernel
def average_down(picture: U32, out: U32) -> None:
    """All levels of a picture from 1 on, one after the other in `out`; four bytes a texel.

    picture : (size, size), size a power of two
    """
    done = 0
    half = len(picture) // 2
    while half > 0:
        level = out[done : done + half * half].reshape(half, half)
        halve(picture, level)
        picture = level
        done += half * half
        half //= 2


def levels_of(picture: U8) -> list[U8]:
    """Levels 1 and on of a (size, size, 4) picture, down to one texel: plain averages."""
    size = len(picture)
    out: U32 = np.empty((size * size - 1) // 3, np.uint32)
    average_down(np.ascontiguousarray(picture).view(np.uint32)[..., 0], out)
    levels: list[U8] = []
    done = 0
    while size > 1:
        size //= 2
        levels.append(out[done : done + size * size].view(np.uint8).reshape(size, size, 4))
        done += size * size
    return levels

"""Mip levels made by the program: the same under every driver, and only of what is new.

A driver averages all layers of an array anew when one came.
"""

from __future__ import annotations

import numpy as np

from acclient_py.core import U8
from acclient_py.kernels import kernel


@kernel
def halve(picture: U8, out: U8) -> None:
    """Each texel of `out` the average of four of `picture`, which is square, twice the side."""
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            for c in range(out.shape[2]):
                four = (
                    np.int32(picture[2 * y, 2 * x, c])
                    + np.int32(picture[2 * y, 2 * x + 1, c])
                    + np.int32(picture[2 * y + 1, 2 * x, c])
                    + np.int32(picture[2 * y + 1, 2 * x + 1, c])
                )
                out[y, x, c] = np.uint8((four + 2) >> 2)


def halved(picture: U8) -> U8:
    """The next level of a square picture, (size, size, 4): each texel the average of four."""
    size = len(picture) // 2
    out: U8 = np.empty((size, size, 4), np.uint8)
    halve(np.ascontiguousarray(picture), out)
    return out


def levels_of(picture: U8) -> list[U8]:
    """Levels 1 and on of a (size, size, 4) picture, down to one texel: plain averages."""
    levels: list[U8] = []
    while len(picture) > 1:
        picture = halved(picture)
        levels.append(picture)
    return levels

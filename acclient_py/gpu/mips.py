"""Mip levels made by the program: the same under every driver, and only of what is new.

A driver averages all layers of an array anew when one came.
"""

from __future__ import annotations

import numpy as np

from acclient_py.core import U8


def halved(picture: U8) -> U8:
    """The next level of a square picture: each texel the average of four."""
    wide = picture.astype(np.uint16)
    rows = wide[0::2] + wide[1::2]
    averaged: U8 = ((rows[:, 0::2] + rows[:, 1::2] + 2) >> 2).astype(np.uint8)
    return averaged


def levels_of(picture: U8) -> list[U8]:
    """Levels 1 and on of a (size, size, 4) picture, down to one texel: plain averages."""
    levels: list[U8] = []
    while len(picture) > 1:
        picture = halved(picture)
        levels.append(picture)
    return levels

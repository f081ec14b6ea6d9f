"""The uniform block of a frame: its layout, and how light and fog go into it."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import Struct

FRAME_DTYPE: Final = np.dtype(
    [
        ("world_to_clip", "<f4", (4, 4)),
        ("sky_to_clip", "<f4", (4, 4)),
        ("eye", "<f4", 4),
        ("sun_vector", "<f4", 4),
        ("sun_colour", "<f4", 4),
        ("terrain_ambient", "<f4", 4),
        ("object_ambient", "<f4", 4),
        ("indoor_ambient", "<f4", 4),
        ("fog_colour", "<f4", 4),
        ("fog_range", "<f4", 4),
    ]
)
assert FRAME_DTYPE.itemsize == 256, "the std140 size of lib/frame.glsl's Frame"
BINDING: Final = 0


def blank() -> Struct:
    """One frame block, zero."""
    return np.zeros(1, FRAME_DTYPE)

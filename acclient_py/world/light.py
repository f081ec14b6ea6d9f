"""Light of terrain vertices, worked out on the CPU a block at a time (spec landscape 8).

Equal weights for all triangles of the same block that touch a vertex, nothing from the neighbours:
the faint seam in shading between blocks is retail's.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, U8, Bool
from acclient_py.core.geom import F_EPSILON
from acclient_py.world.terrain import CORNERS

_ZERO: Final = np.float32(0)
_ONE: Final = np.float32(1)
_BYTE: Final = np.float32(0.0039215689)
SUN_IN_OBJECT_AMBIENT: Final = np.float32(0.2)


def vertex_normals(planes: F32, swne: Bool, side: int, out: F32) -> None:
    """Unit sums of the normals of the triangles that adjoin each vertex of a block.

    planes : (side * side, 2, 4) ; swne : (side * side,)
    out    : ((side + 1) ** 2, 3), filled. A sum shorter than EPS is (0, 0, 1).
    """
    out[:] = _ZERO
    for t in range(2):
        for c in range(3):
            for cell in range(side * side):
                vx = cell // side + CORNERS[int(swne[cell]), t, c, 0]
                vy = cell % side + CORNERS[int(swne[cell]), t, c, 1]
                for axis in range(3):
                    out[vx * (side + 1) + vy, axis] += planes[cell, t, axis]
    for at in range(len(out)):
        x, y, z = out[at, 0], out[at, 1], out[at, 2]
        length = np.sqrt(x * x + y * y + z * z)
        if length < F_EPSILON:
            out[at, 0], out[at, 1], out[at, 2] = _ZERO, _ZERO, _ONE
        else:
            out[at, 0], out[at, 1], out[at, 2] = x / length, y / length, z / length


def vertex_colours(
    normals: F32, sun_vector: F32, sun_rgb: F32, ambient_rgb: F32, ambient_level: float
) -> F32:
    """(..., 3) float32 light 0..1 of vertices. sun_vector : (3,), its length is the sun's level.

    sun_rgb, ambient_rgb : (3,) 0..255. Retail: CLandBlockStruct::calc_lighting @0x00531700.
    """
    sun = np.asarray(sun_vector, np.float32)
    d = normals[..., 0] * sun[0] + normals[..., 1] * sun[1] + normals[..., 2] * sun[2]
    d = np.maximum(d, np.float32(0))
    ambient = np.asarray(ambient_rgb, np.float32) * _BYTE * np.float32(ambient_level)
    lit = np.asarray(sun_rgb, np.float32) * _BYTE * d[..., None] + ambient
    colours: F32 = np.minimum(lit, np.float32(1))
    return colours


def colour_bytes(colours: F32) -> U8:
    """The bytes of light 0..1, truncated."""
    return (np.float32(255) * colours).astype(np.uint8)


def object_ambient(sun_vector: F32, ambient_level: float) -> float:
    """The ambient level of objects outdoors."""
    x, y, z = (np.float32(v) for v in sun_vector)
    length = np.sqrt(x * x + y * y + z * z)
    return float(length * SUN_IN_OBJECT_AMBIENT + np.float32(ambient_level))

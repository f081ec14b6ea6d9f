"""The one vertex layout of the world, and packing into it."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I16, Struct
from acclient_py.kernels import kernel

VERTEX_DTYPE: Final = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<i2", 2),  # octahedral, of 32767
        ("uv", "<f4", 2),
        ("extra", "<u4"),  # ground: block row << 20 | surface row; else RGBA static light
    ]
)
assert VERTEX_DTYPE.itemsize == 28
VERTEX_FORMAT: Final = "3f 2i2 2f 1u4"
VERTEX_NAMES: Final = ("a_position", "a_normal", "a_uv", "a_extra")


@kernel
def pack_normals(normals: F32, out: I16) -> None:
    """(n, 2) octahedral coordinates of (n, 3) normals; a zero normal points up."""
    one, zero, full = np.float32(1), np.float32(0), np.float32(32767)
    for i in range(len(normals)):
        x, y, z = normals[i, 0], normals[i, 1], normals[i, 2]
        total = abs(x) + abs(y) + abs(z)
        if total > zero:
            x, y, z = x / total, y / total, z / total
        else:
            x, y, z = zero, zero, one
        u, v = x, y
        if z < zero:
            u = one - abs(y) if x >= zero else abs(y) - one
            v = one - abs(x) if y >= zero else abs(x) - one
        out[i, 0] = np.int16(np.rint(u * full))
        out[i, 1] = np.int16(np.rint(v * full))


def octahedral(normals: F32) -> I16:
    """(..., 2) int16 of (..., 3) unit normals; a zero normal points up."""
    flat = np.ascontiguousarray(normals, np.float32).reshape(-1, 3)
    out: I16 = np.empty((len(flat), 2), np.int16)
    pack_normals(flat, out)
    return out.reshape(*normals.shape[:-1], 2)


def pack_mesh(vertices: Struct) -> Struct:
    """A mesh's vertices (position, normal, uv) in the world's layout."""
    packed = np.zeros(len(vertices), VERTEX_DTYPE)
    packed["position"] = vertices["position"]
    packed["normal"] = octahedral(vertices["normal"])
    packed["uv"] = vertices["uv"]
    return packed

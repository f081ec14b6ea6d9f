"""The one vertex layout of the world, and packing into it."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I16, Struct

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


def octahedral(normals: F32) -> I16:
    """(..., 2) int16 of (..., 3) unit normals; a zero normal points up."""
    n = np.asarray(normals, np.float32)
    total = np.abs(n).sum(-1, keepdims=True)
    up = np.zeros_like(n)
    up[..., 2] = 1
    n = np.where(total > 0, n / np.where(total > 0, total, 1), up)
    x, y = n[..., 0], n[..., 1]
    sign_x = np.where(x >= 0, np.float32(1), np.float32(-1))
    sign_y = np.where(y >= 0, np.float32(1), np.float32(-1))
    below = n[..., 2] < 0
    u = np.where(below, (1 - np.abs(y)) * sign_x, x)
    v = np.where(below, (1 - np.abs(x)) * sign_y, y)
    packed = np.stack((u, v), axis=-1) * 32767
    result: I16 = np.round(packed).astype(np.int16)
    return result


def pack_mesh(vertices: Struct) -> Struct:
    """A mesh's vertices (position, normal, uv) in the world's layout."""
    packed = np.zeros(len(vertices), VERTEX_DTYPE)
    packed["position"] = vertices["position"]
    packed["normal"] = octahedral(vertices["normal"])
    packed["uv"] = vertices["uv"]
    return packed

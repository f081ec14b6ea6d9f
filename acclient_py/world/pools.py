"""Flat, growing arrays of model data, shared by physics and drawing order.

Rows are only ever appended and never change, so an array that a reader took before a growth stays
right for all indices it knew. The owner (`Models`) holds a lock while it appends.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, Struct

HAS_PHYSICS: Final = 1
HAS_DRAWING: Final = 2
ALWAYS_2D: Final = 4
STAND_IN: Final = 8

GFX_DTYPE: Final = np.dtype(
    [
        ("id", "<u4"),
        ("flags", "<u4"),  # HAS_PHYSICS, HAS_DRAWING (a sphere of that kind), ALWAYS_2D, STAND_IN
        ("physics_sphere", "<f4", 4),  # root of the physics tree
        ("drawing_sphere", "<f4", 4),  # root of the drawing tree
        ("box_min", "<f4", 3),  # bounds of all vertices
        ("box_max", "<f4", 3),
        ("sort_center", "<f4", 3),
        ("bsp_root", "<i4"),  # physics tree, row of bsp_nodes; -1 none
        ("degrade", "<i4"),  # row of Models.degrades; -1 none
    ]
)

NODE: Final = 0
LEAF: Final = 1
PORT: Final = 2

BSP_NODE_DTYPE: Final = np.dtype(
    [
        ("plane", "<f4", 4),
        ("sphere", "<f4", 4),
        ("pos", "<i4"),  # row of this array, -1 none
        ("neg", "<i4"),
        ("kind", "u1"),  # NODE, LEAF, PORT
        ("solid", "u1"),  # leaf only
        ("poly_first", "<i4"),  # run of bsp_poly_index
        ("poly_count", "<i4"),
    ]
)

POLYGON_DTYPE: Final = np.dtype(
    [
        ("plane", "<f4", 4),
        ("vertex_first", "<i4"),  # run of poly_vertices
        ("vertex_count", "<i4"),
        ("sides", "<i4"),
    ]
)


class Pool:
    """One growing array; `rows` is what has been filled: the same view until more is added."""

    __slots__ = ("_array", "_rows", "count")

    def __init__(self, dtype: Any, width: tuple[int, ...] = ()) -> None:
        self._array: Struct = np.zeros((64, *width), dtype)
        self.count = 0
        self._rows = self._array[:0]

    @property
    def rows(self) -> Struct:
        """The filled rows; a view that growth leaves behind intact."""
        return self._rows

    def append(self, rows: Struct) -> int:
        """Add rows; returns the index of the first."""
        assert rows.dtype == self._array.dtype, "rows of the pool's kind"
        first = self.count
        need = first + len(rows)
        if need > len(self._array):
            size = max(need, 2 * len(self._array))
            grown = np.zeros((size, *self._array.shape[1:]), self._array.dtype)
            _plain(grown)[:first] = _plain(self._array)[:first]
            self._array = grown
        _plain(self._array)[first:need] = _plain(rows)
        self.count = need
        self._rows = self._array[:need]
        return first


def _plain(rows: Struct) -> Struct:
    """Records as plain bytes: numpy copies those at once, but records field by field."""
    return rows.view(f"V{rows.dtype.itemsize}") if rows.dtype.names else rows


def polygon_planes(corners: F32) -> F32:
    """(n, 4) float32 planes of n polygons of k corners, the bits of core's plane_of_polygon.

    corners : (n, k, 3) float32
    """
    # x, y and z apart, polygons last: numpy is then quick whatever the number of corners
    columns = np.ascontiguousarray(corners.transpose(2, 1, 0), np.float32)
    _, k, n = columns.shape
    edges = columns[:, 1:] - columns[:, :1]
    yzx, zxy = edges[[1, 2, 0]], edges[[2, 0, 1]]
    crosses = yzx[:, :-1] * zxy[:, 1:] - zxy[:, :-1] * yzx[:, 1:]
    normals: F32 = np.zeros((3, n), np.float32)
    for i in range(k - 2):  # one after the other: another order would have other bits
        normals += crosses[:, i]
    length = np.sqrt(_sum_of_three(normals * normals))
    is_flat = ~(length > 0)
    length[is_flat] = 1
    normals /= length
    heights = _sum_of_three(normals[:, None] * columns)
    total: F32 = np.zeros(n, np.float32)
    for i in range(k):
        total += heights[i]
    planes: F32 = np.empty((n, 4), np.float32)
    planes[:, :3] = normals.T
    planes[:, 3] = -(total / np.float32(max(k, 1)))
    planes[is_flat] = 0
    return planes


def _sum_of_three(columns: F32) -> F32:
    """x + y + z of (3, ...), added in this order."""
    total: F32 = columns[0] + columns[1] + columns[2]
    return total

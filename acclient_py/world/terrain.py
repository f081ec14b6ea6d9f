"""The ground: vertices with level of detail and seams, diagonals, triangles, planes, water.

One sampler for all: what is drawn, what is stood on and what scenery is put on are the same two
triangles a cell, chosen by the same hash. Arrays are x-major: vertex (x, y) is [x, y] or index
x * 9 + y, cell (x, y) is index x * side + y. Per block the work is vectorised; the functions that
kernels call are scalar and compile under numba.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from acclient_py.core import F32, U8, U16, U32, Bool, Real
from acclient_py.core.geom import FLOOR_Z, height_on_plane, outside_edge_2d, plane_of_triangle
from acclient_py.kernels import kernel

NOT_WATER: Final = 0
PARTIALLY_WATER: Final = 1
ENTIRELY_WATER: Final = 2

DEPTH_ENTIRELY: Final = np.float32(0.89999998)
DEPTH_WET_CORNER: Final = np.float32(0.44999999)
DEPTH_DRY_CORNER: Final = np.float32(0.1)

# directions of a coarse block from the load point (spec landscape 3.3)
IN_VIEWER_BLOCK: Final = 0
NORTH: Final = 1
SOUTH: Final = 2
EAST: Final = 3
WEST: Final = 4
NORTH_WEST: Final = 5
SOUTH_WEST: Final = 6
NORTH_EAST: Final = 7
SOUTH_EAST: Final = 8

_ZERO: Final = np.float32(0.0)
_CELL: Final = np.float32(24.0)
_HALF_CELL: Final = np.float32(12.0)
_HALF: Final = np.float32(0.5)
_TWO: Final = np.float32(2.0)

# corners of the two triangles: (dx, dy) from the cell's south-west vertex
CORNERS: Final = np.array(
    (
        (((0, 0), (1, 0), (0, 1)), ((1, 1), (0, 1), (1, 0))),  # diagonal SE-NW
        (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1))),  # diagonal SW-NE
    ),
    np.int64,
)


def split_hash(gx: U32, gy: U32) -> U32:
    """The hash that chooses a cell's diagonal, for arrays of global cell coordinates."""
    x = np.asarray(gx, np.uint32)
    y = np.asarray(gy, np.uint32)
    with np.errstate(over="ignore"):
        product = x * np.uint32(214614067) + np.uint32(1813693831)
        result: U32 = y * product - x * np.uint32(1109124029) - np.uint32(1369149221)
    return result


def is_swne(gx: int, gy: int) -> bool:
    """Whether the diagonal of the cell at a global coordinate runs from south-west to north-east.

    Retail: CLandBlockStruct::ConstructPolygons @0x00531D10.
    """
    value = gy * (214614067 * gx + 1813693831) - 1109124029 * gx - 1369149221
    return (value & 0xFFFFFFFF) >= 0x80000000


def diagonals(block_x: int, block_y: int, side: int = 8) -> Bool:
    """(side * side,) bool: which diagonals run SW-NE.

    A coarse block hashes its corner plus the cell's index, not the place of the cell.
    """
    index = np.arange(side, dtype=np.uint32)
    gx = (np.uint32(block_x * 8) + index)[:, None]
    gy = (np.uint32(block_y * 8) + index)[None, :]
    result: Bool = (split_hash(gx, gy) >= np.uint32(0x80000000)).reshape(side * side)
    return result


def vertex_heights(height_bytes: U8, table: F32, side: int = 8, direction: int = 0) -> F32:
    """(side + 1, side + 1) float32 heights of a block's vertices, seams adjusted.

    height_bytes : (81,) uint8 ; table : (256,) float32 ; direction : spec landscape 3.3
    Retail: CLandBlockStruct::ConstructVertices @0x005328D0.
    """
    step = 8 // side
    full: F32 = table[height_bytes].astype(np.float32).reshape(9, 9)
    z = full[::step, ::step].copy()
    if direction != IN_VIEWER_BLOCK and 1 < side < 8:
        trans_adjust(z, full, side, direction)
    return z


def below(coarse: np.float32, fine: F32, n: int) -> np.float32:
    """The height of vertex n of an edge of side 4, lowered under the full resolution's slopes.

    fine : (9,) float32 heights of the edge in full
    """
    here = 2 * n
    return min(
        coarse,
        _TWO * fine[here - 1] - fine[here - 2],
        _TWO * fine[here + 1] - fine[here + 2],
    )


def trans_adjust(z: F32, full: F32, side: int, direction: int) -> None:
    """Fit the edges of a coarse block to its neighbours, in place.

    The outward edges take the next ring's half resolution; the inward edge of side 4 stays below
    the full resolution it faces. full : (9, 9) float32, all heights of the block.
    Retail: CLandBlockStruct::TransAdjust @0x005323D0.
    """
    for n in range(1, side, 2):
        if direction in (NORTH, NORTH_WEST, NORTH_EAST):
            z[n, side] = (z[n - 1, side] + z[n + 1, side]) * _HALF
        if direction in (SOUTH, SOUTH_WEST, SOUTH_EAST):
            z[n, 0] = (z[n - 1, 0] + z[n + 1, 0]) * _HALF
        if direction in (EAST, NORTH_EAST, SOUTH_EAST):
            z[side, n] = (z[side, n - 1] + z[side, n + 1]) * _HALF
        if direction in (WEST, NORTH_WEST, SOUTH_WEST):
            z[0, n] = (z[0, n - 1] + z[0, n + 1]) * _HALF
    if side != 4:
        return
    for n in (1, 3):
        if direction == NORTH:
            z[n, 0] = below(z[n, 0], full[:, 0], n)
        elif direction == SOUTH:
            z[n, side] = below(z[n, side], full[:, 8], n)
        elif direction == EAST:
            z[0, n] = below(z[0, n], full[0, :], n)
        elif direction == WEST:
            z[side, n] = below(z[side, n], full[8, :], n)


def triangle_vertices(z: F32, swne: Bool) -> F32:
    """(side * side, 2, 3, 3) float32: the corners of every triangle of a block, block-local."""
    side = z.shape[0] - 1
    edge = np.float32(192.0 / side)
    ix, iy = np.divmod(np.arange(side * side), side)
    corners = CORNERS[swne.astype(np.int64)]  # (cells, 2, 3, 2)
    vx = ix[:, None, None] + corners[..., 0]
    vy = iy[:, None, None] + corners[..., 1]
    vertices = np.empty((side * side, 2, 3, 3), np.float32)
    vertices[..., 0] = vx.astype(np.float32) * edge
    vertices[..., 1] = vy.astype(np.float32) * edge
    vertices[..., 2] = z[vx, vy]
    return vertices


@kernel
def fill_planes(z: F32, swne: Bool, out: F32) -> None:
    """The planes of a block's triangles: the very corners of `triangle_vertices`.

    z : (side + 1, side + 1) ; swne : (side * side,) ; out : (side * side, 2, 4)
    """
    side = z.shape[0] - 1
    edge = np.float32(192.0 / side)
    corners = np.empty((3, 3), np.float32)
    for cell in range(side * side):
        for t in range(2):
            for n in range(3):
                vx = cell // side + CORNERS[int(swne[cell]), t, n, 0]
                vy = cell % side + CORNERS[int(swne[cell]), t, n, 1]
                corners[n, 0] = np.float32(vx) * edge
                corners[n, 1] = np.float32(vy) * edge
                corners[n, 2] = z[vx, vy]
            plane_of_triangle(corners, out[cell, t])


def triangle_planes(z: F32, swne: Bool) -> F32:
    """(side * side, 2, 4) float32 planes of a block's triangles. z : (side + 1, side + 1)"""
    planes = np.empty((len(swne), 2, 4), np.float32)
    fill_planes(z, swne, planes)
    return planes


def water_classes(terrain: U16) -> tuple[U8, int]:
    """(64,) uint8 water classes of the cells of a block in full detail, and that of the block.

    terrain : (81,) uint16 terrain words. Retail: CalcCellWater @0x00531550, CalcWater @0x005327E0.
    """
    kinds = (terrain.reshape(9, 9) >> 2) & 31
    wet = ((kinds >= 16) & (kinds <= 20)).astype(np.uint8)
    count = wet[:-1, :-1] + wet[1:, :-1] + wet[:-1, 1:] + wet[1:, 1:]
    cells = np.where(count == 4, ENTIRELY_WATER, np.where(count > 0, PARTIALLY_WATER, NOT_WATER))
    classes: U8 = cells.astype(np.uint8).reshape(64)
    if bool(np.all(classes == ENTIRELY_WATER)):
        return classes, ENTIRELY_WATER
    return classes, PARTIALLY_WATER if bool(np.any(classes)) else NOT_WATER


def is_water_type(word: int) -> bool:
    """Whether a terrain word is one of the five water types."""
    return 16 <= ((int(word) >> 2) & 31) <= 20


def water_depth(water_class: int, terrain: U16, cell: int, x: Real, y: Real) -> np.float32:
    """How deep a walker sinks at a point of a land cell of a block in full detail.

    water_class : the cell's ; terrain : (81,) uint16 ; cell : 0..63 ; x, y : block-local
    On the cell's centre line the lower corner counts. Retail: CObjCell::get_water_depth.
    """
    if water_class == 0:
        return _ZERO
    if water_class == 2:
        return DEPTH_ENTIRELY
    cx = cell >> 3
    cy = cell & 7
    vx = cx + 1 if np.float32(x) - np.float32(cx) * _CELL > _HALF_CELL else cx
    vy = cy + 1 if np.float32(y) - np.float32(cy) * _CELL > _HALF_CELL else cy
    if is_water_type(terrain[vx * 9 + vy]):
        return DEPTH_WET_CORNER
    return DEPTH_DRY_CORNER


def find_terrain_poly(swne: bool, cell: int, x: Real, y: Real) -> int:
    """Which triangle of a land cell contains a point seen from above: 0, 1, or -1 for neither.

    swne : the cell's diagonal ; cell : 0..63 ; x, y : block-local, block in full detail
    A point on the diagonal lies in both, triangle 0 wins. The test is the same 32-bit sum as
    point_in_poly_2d, corner by corner. Retail: CLandCell::find_terrain_poly @0x00532CF0.
    """
    px = np.float32(x)
    py = np.float32(y)
    x0 = np.float32(cell >> 3) * _CELL
    y0 = np.float32(cell & 7) * _CELL
    x1 = x0 + _CELL
    y1 = y0 + _CELL
    if swne:
        # SW, SE, NE
        if not (
            outside_edge_2d(x0, y0, x1, y1, px, py)
            or outside_edge_2d(x1, y1, x1, y0, px, py)
            or outside_edge_2d(x1, y0, x0, y0, px, py)
        ):
            return 0
        # SW, NE, NW
        if not (
            outside_edge_2d(x0, y0, x0, y1, px, py)
            or outside_edge_2d(x0, y1, x1, y1, px, py)
            or outside_edge_2d(x1, y1, x0, y0, px, py)
        ):
            return 1
        return -1
    # SW, SE, NW
    if not (
        outside_edge_2d(x0, y0, x0, y1, px, py)
        or outside_edge_2d(x0, y1, x1, y0, px, py)
        or outside_edge_2d(x1, y0, x0, y0, px, py)
    ):
        return 0
    # NE, NW, SE
    if not (
        outside_edge_2d(x1, y1, x1, y0, px, py)
        or outside_edge_2d(x1, y0, x0, y1, px, py)
        or outside_edge_2d(x0, y1, x1, y1, px, py)
    ):
        return 1
    return -1


def cell_under(x: Real, y: Real) -> int:
    """The index 0..63 of the land cell under a point of its block, -1 outside the block."""
    px = np.float32(x) / _CELL
    py = np.float32(y) / _CELL
    if not (px >= _ZERO and px < np.float32(8.0) and py >= _ZERO and py < np.float32(8.0)):
        return -1
    return int(math.floor(px)) * 8 + int(math.floor(py))


def height_under(swne: Bool, planes: F32, x: Real, y: Real) -> np.float32:
    """The height of the ground at a point of a block in full detail; NaN outside the block.

    swne : (64,) bool ; planes : (64, 2, 4) float32
    """
    cell = cell_under(x, y)
    if cell < 0:
        return np.float32(np.nan)
    t = max(find_terrain_poly(swne[cell], cell, x, y), 0)
    p = planes[cell, t]
    return height_on_plane(p[0], p[1], p[2], p[3], x, y, np.float32(np.nan))


def heights_under(z: F32, swne: Bool, x: F32, y: F32) -> F32:
    """Heights at many points of a block, vectorised: the same triangles and planes.

    z : (side + 1, side + 1) ; x, y : (n,) float32 block-local, 0 <= x, y <= 192
    """
    side = z.shape[0] - 1
    edge = np.float32(192.0 / side)
    cx = np.clip(np.floor(x / edge).astype(np.int64), 0, side - 1)
    cy = np.clip(np.floor(y / edge).astype(np.int64), 0, side - 1)
    u = x / edge - cx.astype(np.float32)
    v = y / edge - cy.astype(np.float32)
    cell = cx * side + cy
    cut = swne[cell]
    triangle = np.where(cut, v > u, u + v > np.float32(1.0)).astype(np.int64)
    plane = triangle_planes(z, swne)[cell, triangle]
    result: F32 = -(plane[:, 0] * x + plane[:, 1] * y + plane[:, 3]) / plane[:, 2]
    return result


def walkable(normal_z: Real) -> bool:
    """Whether a polygon is flat enough to stand on."""
    return bool(np.float32(normal_z) >= FLOOR_Z)

"""Block order and cell order of the landscape: fixed permutations, tabulated once.

Retail draws rings by Chebyshev distance, eight arms a ring. The block list is nearest first and
drawn from its end; a block's draw array is farthest first. Both depend on cells only, never on
where the eye looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np

from acclient_py.core import I32, U8


class Direction(IntEnum):
    """Where a block lies."""

    NONE = 0
    N = 1
    S = 2
    E = 3
    W = 4
    NW = 5
    SW = 6
    NE = 7
    SE = 8


def ring(r: int) -> Iterator[tuple[int, int]]:
    """The 8r squares at Chebyshev distance r, in retail's order, as (dx, dy)."""
    for k in range(r):
        yield -k, r
        yield -r, -k
        yield k, -r
        yield r, k
        yield k + 1, r
        yield -r, k + 1
        yield -k - 1, -r
        yield r, -k - 1


def block_order(width: int, viewer_x: int, viewer_y: int) -> I32:
    """The block draw list, nearest first, as ix * width + iy; (0,) when the viewer is off the window.

    Retail: LScape::get_block_order @0x00504C50.
    """
    # contract: L1
    if not (0 <= viewer_x < width and 0 <= viewer_y < width):
        return np.zeros(0, np.int32)
    order = [viewer_x * width + viewer_y]
    rings = max(viewer_x, viewer_y, width - 1 - viewer_x, width - 1 - viewer_y)
    for r in range(1, rings + 1):
        for dx, dy in ring(r):
            x, y = viewer_x + dx, viewer_y + dy
            if 0 <= x < width and 0 <= y < width:
                order.append(x * width + y)
    return np.array(order, np.int32)


def block_orient(dx: int, dy: int) -> tuple[int, int, Direction]:
    """Cell size factor, cells a side and seam direction of the block dx, dy from the load point.

    Retail: LScape::get_block_orient @0x00504F90.
    """
    m = max(abs(dx), abs(dy))
    size, q = (1, 1) if m <= 1 else (2, 2) if m == 2 else (4, 4) if m <= 4 else (8, 0)
    if not q:
        return size, 8 // size, Direction.NONE
    return size, 8 // size, _compass((dx == q) - (dx == -q), (dy == q) - (dy == -q))


def direction(dx: int, dy: int) -> Direction:
    """Direction by signs alone. Retail: LandDefs::get_dir @0x005A9AA0."""
    return _compass((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))


def _compass(x: int, y: int) -> Direction:
    return {
        (0, 0): Direction.NONE,
        (0, 1): Direction.N,
        (0, -1): Direction.S,
        (1, 0): Direction.E,
        (-1, 0): Direction.W,
        (-1, 1): Direction.NW,
        (-1, -1): Direction.SW,
        (1, 1): Direction.NE,
        (1, -1): Direction.SE,
    }[x, y]


def closest_cell(side: int, where: int, cell_x: int, cell_y: int) -> tuple[int, int]:
    """The cell of a block that lies nearest to the viewer's cell.

    where          : direction of the block as seen from the viewer's block
    cell_x, cell_y : the viewer's cell in its own block, 0..7
    """
    if side == 1:
        return 0, 0
    s = 8 // side
    last = side - 1
    x, y = cell_x // s, cell_y // s
    return {
        Direction.NONE: (x, y),
        Direction.N: (x, 0),
        Direction.S: (x, last),
        Direction.E: (0, y),
        Direction.W: (last, y),
        Direction.NW: (last, 0),
        Direction.SW: (last, last),
        Direction.NE: (0, 0),
        Direction.SE: (0, last),
    }[Direction(where)]


@cache
def _draw_array(side: int, close_x: int, close_y: int) -> tuple[int, ...]:
    order = [close_x * side + close_y]
    r = 1
    while len(order) < side * side:
        for dx, dy in ring(r):
            x, y = close_x + dx, close_y + dy
            if 0 <= x < side and 0 <= y < side:
                order.append(x * side + y)
        r += 1
    return tuple(reversed(order))


def draw_array(side: int, close_x: int, close_y: int) -> U8:
    """Cells of a block, farthest first, as x * side + y.

    Retail: CLandBlock::calc_sq_draw_order @0x0052F4A0.
    """
    # contract: L4
    return np.array(_draw_array(side, close_x, close_y), np.uint8)


SIDES: Final = (8, 4, 2, 1)
ROWS_BEFORE: Final = {8: 0, 4: 64, 2: 80, 1: 84}  # a side's first row in `cell_orders()`


@cache
def cell_orders() -> U8:
    """All 85 draw arrays, (85, 64) uint8: row ROWS_BEFORE[side] + x * side + y for the closest cell."""
    table = np.zeros((85, 64), np.uint8)
    for side in SIDES:
        for x in range(side):
            for y in range(side):
                row = ROWS_BEFORE[side] + x * side + y
                table[row, : side * side] = draw_array(side, x, y)
    table.setflags(write=False)
    return table


def order_row(side: int, where: int, cell_x: int, cell_y: int) -> int:
    """Row of `cell_orders()` for a block of `side` that lies `where` from the viewer's cell."""
    x, y = closest_cell(side, where, cell_x, cell_y)
    return ROWS_BEFORE[side] + x * side + y

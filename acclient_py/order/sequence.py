"""Block order and cell order of the landscape: fixed permutations, tabulated once.

Retail draws rings by Chebyshev distance, eight arms a ring. The block list is nearest first and
drawn from its end; a block's draw array is farthest first. Both depend on cells only, never on
where the eye looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np

from acclient_py.core import I32, U8
from acclient_py.world.terrain import (
    EAST,
    IN_VIEWER_BLOCK,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)


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
    """The block draw list, nearest first, as ix * width + iy; empty with the viewer off the window.

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
        IN_VIEWER_BLOCK: (x, y),
        NORTH: (x, 0),
        SOUTH: (x, last),
        EAST: (0, y),
        WEST: (last, y),
        NORTH_WEST: (last, 0),
        SOUTH_WEST: (last, last),
        NORTH_EAST: (0, 0),
        SOUTH_EAST: (0, last),
    }[where]


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
    """All 85 draw arrays, (85, 64) uint8: row ROWS_BEFORE[side] + x * side + y of the nearest."""
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

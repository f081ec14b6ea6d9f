"""Which blocks and cells are in view: a window of blocks around the load point, rated by all views.

The window is read anew from the graph each frame; nothing of it is kept but its arrays.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32, U8, Struct
from acclient_py.kernels import kernel
from acclient_py.kernels.cull import PLANES
from acclient_py.kernels.openings import Window

OBJECT_HEIGHT: Final = np.float32(200.0)
ONE: Final = np.float32(1.0)
MAX_BLOCKS: Final = 255


@kernel
def fill_window(
    block_of: I32,
    blocks: Struct,
    heights: F32,
    first_x: int,
    first_y: int,
    width: int,
    known: I32,
    bounds: F32,
    window: I32,
    side: I32,
    low: F32,
    high: F32,
) -> None:
    """Look up the blocks of a window and the heights of their prisms.

    first_x, first_y : block indices of the south-west place
    known, bounds    : (block slots,) generation seen and (block slots, 2) its bounds, kept
    window .. high   : out, per place ix * width + iy

    Retail: CLandBlock::get_land_limits @0x0052F1D0.
    """
    for ix in range(width):
        for iy in range(width):
            q = ix * width + iy
            x = first_x + ix
            y = first_y + iy
            window[q] = -1
            if x < 0 or y < 0 or x >= MAX_BLOCKS or y >= MAX_BLOCKS:
                continue
            b = block_of[x << 8 | y]
            if b < 0 or blocks[b].side == 0:
                continue
            generation = np.int32(blocks[b].generation)
            if known[b] != generation:
                least = heights[b, 0, 0]
                most = least
                for i in range(9):
                    for j in range(9):
                        least = min(least, heights[b, i, j])
                        most = max(most, heights[b, i, j])
                known[b] = generation
                bounds[b, 0] = least - ONE
                bounds[b, 1] = most + OBJECT_HEIGHT
            window[q] = b
            side[q] = blocks[b].side
            low[q] = bounds[b, 0]
            high[q] = bounds[b, 1]


class Visibility:
    """The window's blocks and what the views admit of them.

    blocks        : (w * w,) int32, block slot at ix * w + iy, -1 none
    block_in_view : (w * w,) uint8 ; cell_in_view : (w * w, 64) uint8
    """

    def __init__(self) -> None:
        self.width = 0
        self._known: I32 = np.full(0, -1, np.int32)
        self._bounds: F32 = np.zeros((0, 2), np.float32)
        self.resize(3)

    def resize(self, width: int) -> None:
        """Make room for a window of `width` blocks a side; rare."""
        if width == self.width:
            return
        self.width = width
        square = width * width
        self.blocks: I32 = np.full(square, -1, np.int32)
        self.side: I32 = np.zeros(square, np.int32)
        self.low: F32 = np.zeros(square, np.float32)
        self.high: F32 = np.zeros(square, np.float32)
        self.block_in_view: U8 = np.zeros(square, np.uint8)
        self.cell_in_view: U8 = np.zeros((square, 64), np.uint8)
        self._grid: F32 = np.zeros((PLANES, (width + 1) ** 2), np.float32)
        self._rated: U8 = np.zeros(square, np.uint8)
        self._cell_grid: F32 = np.zeros((PLANES, 81), np.float32)
        self._cell_rated: F32 = np.zeros(64, np.float32)

    def look_up(
        self, block_of: I32, blocks: Struct, heights: F32, first_x: int, first_y: int
    ) -> None:
        """Read the window whose south-west block is (first_x, first_y) from the graph."""
        if len(self._known) < len(blocks):
            self._known = np.full(len(blocks), -1, np.int32)
            self._bounds = np.zeros((len(blocks), 2), np.float32)
        fill_window(
            block_of,
            blocks,
            heights,
            first_x,
            first_y,
            self.width,
            self._known,
            self._bounds,
            self.blocks,
            self.side,
            self.low,
            self.high,
        )

    def window(
        self, draw_list: I32, order_rows: I32, cell_orders: U8, views: Struct, origin: F32
    ) -> Window:
        """What the walk takes: it rates blocks and cells itself (L2, L3), the union of the views.

        draw_list, order_rows, cell_orders : `order/sequence.py`
        views  : VIEW_DTYPE, relative to the camera's block
        origin : (2,) south-west corner of the window in that space

        Retail: LScape::draw_check_blocks @0x00505f80.
        """
        return Window(
            self.blocks,
            self.side,
            self.low,
            self.high,
            draw_list,
            order_rows,
            cell_orders,
            self.block_in_view,
            self.cell_in_view,
            views,
            origin,
            self._grid,
            self._rated,
            self._cell_grid,
            self._cell_rated,
        )

"""What is in view: clip-height intervals over the ground, blocks, cells, and spheres.

A view is up to 32 planes through the eye, the near plane first, inside where N.p + d >= 0. For a
vertical line at one ground point a plane leaves an interval of heights, told by one float: 0 the
whole line, -h everything from h up, +h everything up to h, OUT nothing. Neighbouring blocks and
cells share these lines, so the result has no cracks.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32, U8, Real, Struct, Whole
from acclient_py.kernels import kernel

PLANES: Final = 32  # near plane and at most 31 edges
OUT: Final = np.float32(1001.0)
TOP: Final = np.float32(1000.0)  # heights of interest are 0 .. 1000
EPS: Final = np.float32(0.0002)
ZERO: Final = np.float32(0.0)
CELL: Final = np.float32(24.0)
BLOCK: Final = np.float32(192.0)

OUTSIDE: Final = 0
PARTIALLY: Final = 1
ENTIRELY: Final = 2


@kernel(inner=True)
def point_limits(
    planes: F32, count: Whole, x0: Real, y0: Real, step: Real, side: Whole, out: F32
) -> None:
    """Intervals of all planes at a square grid of ground points.

    planes : (32, 4) float32, `count` of them in use; N and d
    out    : (side, side, 32) float32, at x0 + i * step, y0 + j * step

    Retail: Render::get_pt_limit @0x0054B840, get_clip_height @0x0054CFF0.
    """
    # contract: L2
    for k in range(count):
        nx = planes[k, 0]
        ny = planes[k, 1]
        nz = planes[k, 2]
        d = planes[k, 3]
        for i in range(side):
            x = np.float32(x0 + step * np.float32(i))
            for j in range(side):
                y = np.float32(y0 + step * np.float32(j))
                s = np.float32(nx * x + ny * y + d)
                if nz > EPS:
                    h = np.float32(-s / nz)
                    if h >= TOP:
                        b = OUT
                    elif h > ZERO:
                        b = np.float32(-h)
                    else:
                        b = ZERO
                elif nz < -EPS:
                    h = np.float32(-s / nz)
                    if h <= ZERO:
                        b = OUT
                    elif h >= TOP:
                        b = ZERO
                    else:
                        b = h
                elif s < -EPS:
                    b = OUT
                else:
                    b = ZERO
                out[i, j, k] = b


@kernel(inner=True)
def corner_plane_check(bound: Real, low: Real, high: Real) -> Whole:
    """How a vertical line from `low` to `high` lies in an interval.

    Retail: Render::corner_plane_check @0x0054B930.
    """
    if bound == OUT:
        return OUTSIDE
    if bound == ZERO:
        return ENTIRELY
    if bound < ZERO:
        h = -bound
        if h <= low:
            return ENTIRELY
        if h >= high:
            return OUTSIDE
        return PARTIALLY
    if bound >= high:
        return ENTIRELY
    if bound <= low:
        return OUTSIDE
    return PARTIALLY


@kernel(inner=True)
def check_squares(grid: F32, count: Whole, side: Whole, low: F32, high: F32, out: U8) -> None:
    """Rate the side x side squares of a grid of intervals.

    grid      : (side + 1, side + 1, 32) float32 from `point_limits`
    low, high : (side * side,) float32, heights of each square's prism
    out       : (side * side,) uint8, i * side + j: 0 outside, 1 partially, 2 entirely inside

    A square is outside when one plane has all four corner lines outside.
    Retail: Render::block_plane_check @0x0054D060, block_check @0x0054DC50.
    """
    for i in range(side):
        for j in range(side):
            q = i * side + j
            lo = low[q]
            hi = high[q]
            verdict = 2
            for k in range(count):
                total = 0
                for c in range(4):
                    b = grid[i + (c >> 1), j + (c & 1), k]
                    if b == OUT:
                        r = 0
                    elif b == ZERO:
                        r = 2
                    elif b < ZERO:
                        r = 2 if -b <= lo else (0 if -b >= hi else 1)
                    else:
                        r = 2 if b >= hi else (0 if b <= lo else 1)
                    total += r
                if total == 0:
                    verdict = 0
                    break
                if total < 8:
                    verdict = 1
            out[q] = verdict


@kernel(inner=True)
def check_blocks(
    views: Struct,
    view_count: Whole,
    width: Whole,
    origin_x: Real,
    origin_y: Real,
    window: I32,
    side: I32,
    low: F32,
    high: F32,
    grid: F32,
    rated: U8,
    cell_grid: F32,
    cell_low: F32,
    cell_high: F32,
    cell_rated: U8,
    block_in_view: U8,
    cell_in_view: U8,
) -> None:
    """The union of all views over blocks and cells.

    views                : VIEW_DTYPE, around the camera's block
    origin_x, origin_y   : south-west corner of the window in that space
    window               : (width * width,) int32, block slot at ix * width + iy, -1 for none
    side, low, high      : per window place: cells a side, heights of the prism
    grid .. cell_rated   : scratch
    block_in_view        : (width * width,) uint8 out, the last rating that was not OUTSIDE
    cell_in_view         : (width * width, 64) uint8 out, never lowered by a later view

    Retail: LScape::draw_check_blocks @0x00505f80, landcell_check @0x005050a0.
    """
    # contract: L2, L3
    for q in range(width * width):
        block_in_view[q] = 0
        for c in range(64):
            cell_in_view[q, c] = 0
    for v in range(view_count):
        count = views[v].plane_count
        point_limits(views[v].planes, count, origin_x, origin_y, BLOCK, width + 1, grid)
        check_squares(grid, count, width, low, high, rated)
        for q in range(width * width):
            r = rated[q]
            if r == 0 or window[q] < 0:
                continue
            block_in_view[q] = r
            n = side[q]
            if n != 8:
                for c in range(n * n):
                    cell_in_view[q, c] = 1
            elif r == 2:
                for c in range(64):
                    cell_in_view[q, c] = 2
            else:
                ix = q // width
                iy = q - ix * width
                for c in range(64):
                    cell_low[c] = low[q]
                    cell_high[c] = high[q]
                x0 = np.float32(origin_x + BLOCK * np.float32(ix))
                y0 = np.float32(origin_y + BLOCK * np.float32(iy))
                point_limits(views[v].planes, count, x0, y0, CELL, 9, cell_grid)
                check_squares(cell_grid, count, 8, cell_low, cell_high, cell_rated)
                for c in range(64):
                    if cell_in_view[q, c] == 0:
                        cell_in_view[q, c] = cell_rated[c]


@kernel(inner=True)
def viewcone_check(planes: F32, count: Whole, x: Real, y: Real, z: Real, radius: Real) -> Whole:
    """How a sphere lies in one view: 0 outside, 1 partially, 2 entirely inside.

    Retail: Render::viewconeCheck @0x0054C250.
    """
    least = np.float32(3.0e38)
    for k in range(count):
        d = np.float32(planes[k, 0] * x + planes[k, 1] * y + planes[k, 2] * z + planes[k, 3])
        least = min(least, d)
    if least < -radius:
        return OUTSIDE
    if least > radius:
        return ENTIRELY
    return PARTIALLY

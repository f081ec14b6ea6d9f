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

SEVEN: Final = np.float32(7.0)
ONE: Final = np.uint64(1)  # unsigned places: a signed index might count from the end

OUTSIDE: Final = 0
PARTIALLY: Final = 1
ENTIRELY: Final = 2


@kernel(inner=True)
def point_limits(
    planes: F32, count: Whole, x0: Real, y0: Real, step: Real, side: Whole, out: F32
) -> None:
    """Intervals of all planes at a square grid of ground points.

    planes : (32, 4) float32, `count` of them in use; N and d
    out    : (32, side * side) float32 by plane, at x0 + i * step, y0 + j * step

    Retail: Render::get_pt_limit @0x0054B840, get_clip_height @0x0054CFF0.
    """
    # contract: L2
    # plane by plane without a jump, so that the points of a row are done together
    n = np.uint64(side)
    for k in range(np.uint64(count)):
        nx = planes[k, 0]
        ny = planes[k, 1]
        nz = planes[k, 2]
        d = planes[k, 3]
        upright = abs(nz) <= EPS
        from_above = nz > EPS
        by = np.float32(1.0) if upright else nz
        at = np.uint64(0)
        for i in range(n):
            x = np.float32(x0 + step * np.float32(i))
            for j in range(n):
                y = np.float32(y0 + step * np.float32(j))
                s = np.float32(nx * x + ny * y + d)
                h = np.float32(-s / by)
                high = h >= TOP
                above = h > ZERO
                if upright:
                    b = OUT if s < -EPS else ZERO
                elif from_above:
                    b = OUT if high else (np.float32(-h) if above else ZERO)
                else:
                    b = OUT if not above else (ZERO if high else h)
                out[k, at + j] = b
            at += n


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
def check_squares(bounds: F32, count: Whole, side: Whole, low: F32, high: F32, out: U8) -> None:
    """Rate the side x side squares of a grid of intervals.

    bounds    : (32, (side + 1) ** 2) float32 from `point_limits`
    low, high : (side * side,) float32, heights of each square's prism
    out       : (side * side,) uint8, i * side + j: 0 outside, 1 partially, 2 entirely inside

    A square is outside when one plane has all four corner lines outside.
    Retail: Render::block_plane_check @0x0054D060, block_check @0x0054DC50.
    """
    n = np.uint64(side)
    q = np.uint64(0)
    for i in range(n):
        for j in range(n):
            lo = low[q]
            hi = high[q]
            verdict = ENTIRELY
            at = i * (n + ONE) + j
            for k in range(np.uint64(count)):
                total = (
                    corner_plane_check(bounds[k, at], lo, hi)
                    + corner_plane_check(bounds[k, at + ONE], lo, hi)
                    + corner_plane_check(bounds[k, at + n + ONE], lo, hi)
                    + corner_plane_check(bounds[k, at + n + ONE + ONE], lo, hi)
                )
                if total == 0:
                    verdict = OUTSIDE
                    break
                if total < 8:
                    verdict = PARTIALLY
            out[q] = verdict
            q += ONE


@kernel(inner=True)
def check_cells(bounds: F32, count: Whole, lo: Real, hi: Real, verdict: F32) -> None:
    """Rate the 64 cells of a block, whose prisms all reach from `lo` to `hi`.

    bounds  : (32, 81) float32 from `point_limits`; what the corners are rated is left there
    verdict : (64,) float32 out, x * 8 + y: 0 outside, 1 partially, 2 entirely inside

    The same as `check_squares`, but every corner line is rated once for its four cells.
    """
    # contract: L3
    none, some, whole = ZERO, np.float32(1.0), np.float32(2.0)
    side = np.uint64(8)
    for cell in range(np.uint64(64)):
        verdict[cell] = whole
    for k in range(np.uint64(count)):
        for p in range(np.uint64(81)):
            b = bounds[k, p]
            h = abs(b)
            below = h <= lo
            over = h >= hi
            from_above = whole if below else (none if over else some)
            from_below = whole if over else (none if below else some)
            rating = from_above if b < ZERO else from_below
            rating = whole if b == ZERO else rating
            bounds[k, p] = none if b == OUT else rating
        for i in range(side):
            q = i * side
            at = q + i
            across = at + side + ONE
            for j in range(side):
                total = (
                    bounds[k, at + j]
                    + bounds[k, at + j + ONE]
                    + bounds[k, across + j]
                    + bounds[k, across + j + ONE]
                )
                worst = whole if total > SEVEN else (some if total > ZERO else none)
                before = verdict[q + j]
                verdict[q + j] = worst if worst < before else before


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
    cell_rated: F32,
    block_in_view: U8,
    cell_in_view: U8,
) -> None:
    """The union of all views over blocks and cells.

    views                : VIEW_DTYPE, around the camera's block
    origin_x, origin_y   : south-west corner of the window in that space
    window               : (width * width,) int32, block slot at ix * width + iy, -1 for none
    side, low, high      : per window place: cells a side, heights of the prism
    grid, rated          : scratch, (32, (width + 1) ** 2) and (width * width,)
    cell_grid, cell_rated: scratch, (32, 81) and (64,)
    block_in_view        : (width * width,) uint8 out, the last rating that was not OUTSIDE
    cell_in_view         : (width * width, 64) uint8 out, never lowered by a later view

    Retail: LScape::draw_check_blocks @0x00505f80, landcell_check @0x005050a0.
    """
    # contract: L2, L3
    places = np.uint64(width * width)
    cells = np.uint64(64)
    for q in range(places):
        block_in_view[q] = 0
        for c in range(cells):
            cell_in_view[q, c] = 0
    for v in range(view_count):
        count = views[v].plane_count
        planes = views[v].planes
        point_limits(planes, count, origin_x, origin_y, BLOCK, width + 1, grid)
        check_squares(grid, count, width, low, high, rated)
        for q in range(places):
            r = rated[q]
            if r == 0 or window[q] < 0:
                continue
            block_in_view[q] = r
            n = np.uint64(side[q])
            if n != 8:
                for c in range(n * n):
                    cell_in_view[q, c] = 1
            elif r == 2:
                for c in range(cells):
                    cell_in_view[q, c] = 2
            else:
                ix = np.int64(q) // width
                iy = np.int64(q) - ix * width
                x0 = np.float32(origin_x + BLOCK * np.float32(ix))
                y0 = np.float32(origin_y + BLOCK * np.float32(iy))
                point_limits(planes, count, x0, y0, CELL, 9, cell_grid)
                check_cells(cell_grid, count, low[q], high[q], cell_rated)
                # every byte is stored: as conditional stores LLVM 22.1 makes a wrong loop of this
                for c in range(cells):
                    seen = cell_in_view[q, c]
                    rating = np.uint8(cell_rated[c])
                    cell_in_view[q, c] = seen if seen != 0 else rating


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

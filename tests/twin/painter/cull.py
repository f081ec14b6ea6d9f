"""Which blocks and land cells a set of views admits (landscape 6): the interval of each column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from twin.painter.numbers import EPS, F, doubt
from twin.painter.reading import Block
from twin.painter.views import View

NOTHING = 1001.0
OUTSIDE, PARTIALLY_INSIDE, ENTIRELY_INSIDE = 0, 1, 2


def limit(plane: Any, x: Any, y: Any) -> Any:
    """Which heights of a column are inside a plane: 0 all, below 0 a floor, above 0 a ceiling.

    Retail: get_pt_limit @0x0054B840.
    """
    s = plane[0] * x + plane[1] * y + plane[3]
    if plane[2] > F(EPS):
        h = -s / plane[2]
        if not doubt.below(h, 1000.0, "column"):
            return F(NOTHING)
        return -h if doubt.above(h, 0.0, "column") else F(0)
    if plane[2] < F(-EPS):
        h = -s / plane[2]
        if not doubt.above(h, 0.0, "column"):
            return F(NOTHING)
        return h if doubt.below(h, 1000.0, "column") else F(0)
    return F(NOTHING) if doubt.below(s, F(-EPS), "column") else F(0)


def corner_plane_check(b: Any, low: Any, high: Any) -> int:
    """Retail: @0x0054B930."""
    if b == NOTHING:
        return OUTSIDE
    if b == 0:
        return ENTIRELY_INSIDE
    if b < 0:
        if not doubt.above(-b, low, "prism"):
            return ENTIRELY_INSIDE
        return PARTIALLY_INSIDE if doubt.below(-b, high, "prism") else OUTSIDE
    if not doubt.below(b, high, "prism"):
        return ENTIRELY_INSIDE
    return PARTIALLY_INSIDE if doubt.above(b, low, "prism") else OUTSIDE


def block_check(corners: list[list[Any]], low: Any, high: Any) -> int:
    """Rate a prism by the intervals at its four corners. Retail: @0x0054DC50."""
    result = ENTIRELY_INSIDE
    for of_plane in zip(*corners, strict=True):
        rated = {corner_plane_check(b, low, high) for b in of_plane}
        if rated == {OUTSIDE}:
            return OUTSIDE
        if rated != {ENTIRELY_INSIDE}:
            result = PARTIALLY_INSIDE
    return result


@dataclass
class Rated:
    """A block of the window and what is in view of it."""

    block: Block
    x: Any
    y: Any
    in_view: int = OUTSIDE
    cells: dict[tuple[int, int], int] = field(default_factory=dict)


class Grid:
    """The intervals of one view at the corners of squares, each corner worked out once."""

    def __init__(self, view: View, x: Any, y: Any, size: float) -> None:
        self.view, self.x, self.y, self.size = view, x, y, size
        self._at: dict[tuple[int, int], list[Any]] = {}

    def corner(self, i: int, j: int) -> list[Any]:
        if (i, j) not in self._at:
            x, y = self.x + F(self.size * i), self.y + F(self.size * j)
            self._at[i, j] = [limit(plane, x, y) for plane in self.view.planes]
        return self._at[i, j]

    def corners(self, i: int, j: int) -> list[list[Any]]:
        return [self.corner(i + di, j + dj) for di in (0, 1) for dj in (0, 1)]


def landcell_check(rated: Rated, now: int, view: View) -> None:
    """L3. Retail: @0x005050A0."""
    block = rated.block
    if block.side != 8:
        for key in rated.cells:
            rated.cells[key] = PARTIALLY_INSIDE
        return
    if now == ENTIRELY_INSIDE:
        for key in rated.cells:
            rated.cells[key] = ENTIRELY_INSIDE
        return
    grid = Grid(view, rated.x, rated.y, 24.0)
    for (i, j), state in rated.cells.items():
        if state == OUTSIDE:
            rated.cells[i, j] = block_check(grid.corners(i, j), block.low, block.high)


def draw_check_blocks(
    window: dict[tuple[int, int], Block], viewer: tuple[int, int], views: list[View]
) -> dict[tuple[int, int], Rated]:
    """L2: the blocks of the window by square, each with its state and those of its cells.

    viewer : the square of the eye's block, whose corner is the origin
    Retail: LScape::draw_check_blocks @0x00505F80.
    """
    found = {}
    for (ix, iy), block in window.items():
        x, y = F((ix - viewer[0]) * 192.0), F((iy - viewer[1]) * 192.0)
        cells = {(i, j): OUTSIDE for i in range(block.side) for j in range(block.side)}
        found[ix, iy] = Rated(block, x, y, OUTSIDE, cells)
    for view in views:
        grid = Grid(view, F(-viewer[0] * 192.0), F(-viewer[1] * 192.0), 192.0)
        for (ix, iy), rated in found.items():
            now = block_check(grid.corners(ix, iy), rated.block.low, rated.block.high)
            if now != OUTSIDE:
                rated.in_view = now
                landcell_check(rated, now, view)
    return found

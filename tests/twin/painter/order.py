"""Block order and cell order (landscape 3.5, 3.6): fixed by where the eye's cell is."""

from __future__ import annotations

from collections.abc import Iterator


def ring(r: int) -> Iterator[tuple[int, int]]:
    """The squares of a ring, eight arms that start at its middles and spread to its corners."""
    for k in range(r):
        yield from (
            (-k, r), (-r, -k), (k, -r), (r, k), (k + 1, r), (-r, k + 1), (-k - 1, -r), (r, -k - 1),
        )  # fmt: skip


def blocks_nearest_first(width: int, vx: int, vy: int) -> list[tuple[int, int]]:
    """The window's squares, the viewer's first; none when the viewer is not on it."""
    if vx not in range(width) or vy not in range(width):
        return []
    found = [(vx, vy)]
    r = 0
    while len(found) < width * width:
        r += 1
        for dx, dy in ring(r):
            if vx + dx in range(width) and vy + dy in range(width):
                found.append((vx + dx, vy + dy))
    return found


def nearest_cell(side: int, dx: int, dy: int, cell: tuple[int, int]) -> tuple[int, int]:
    """The cell of a block that the viewer is nearest to.

    dx, dy : the block's offset from the viewer's ; cell : the viewer's, 0..7 in its own block
    """
    if side == 1:
        return 0, 0
    size, last = 8 // side, side - 1
    x = 0 if dx > 0 else last if dx < 0 else cell[0] // size
    y = 0 if dy > 0 else last if dy < 0 else cell[1] // size
    return x, y


def cells_farthest_first(side: int, close: tuple[int, int]) -> list[tuple[int, int]]:
    """A block's cells: filled from the end, the nearest first, then ring by ring."""
    found = [close]
    r = 0
    while len(found) < side * side:
        r += 1
        for dx, dy in ring(r):
            x, y = close[0] + dx, close[1] + dy
            if x in range(side) and y in range(side):
                found.append((x, y))
    found.reverse()
    return found

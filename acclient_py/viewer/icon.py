"""The window's icon, drawn with arithmetic: a gold ring on dark blue."""

from __future__ import annotations

from typing import Final

Pixels = list[list[tuple[int, int, int, int]]]

SIZE: Final = 32
RING: Final = (209, 168, 84, 255)
FIELD: Final = (22, 30, 48, 255)
CLEAR: Final = (0, 0, 0, 0)
OUTER: Final = 15.0
RING_OUTER: Final = 10.5
RING_INNER: Final = 7.0


def icon() -> tuple[int, int, Pixels]:
    """(width, height, rows of pixels)."""
    middle = (SIZE - 1) / 2
    rows: Pixels = []
    for y in range(SIZE):
        row = []
        for x in range(SIZE):
            away = ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5
            if away > OUTER:
                row.append(CLEAR)
            else:
                row.append(RING if RING_INNER <= away <= RING_OUTER else FIELD)
        rows.append(row)
    return SIZE, SIZE, rows

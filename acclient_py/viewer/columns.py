"""How the keys' help is set: two columns, letters as large as fit, long lines broken."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Final

SPACES: Final = 24
"""Letters' widths that go between and behind the columns."""
HEAD: Final = 3
"""Lines that stand over the rows, and the panel's own edges."""
LEAST: Final = 0.5
"""The smallest letters, as a share of their usual size."""
NARROWEST: Final = 12
"""Letters that are left for what a key does, however small the window."""
STEP: Final = 0.05

Rows = list[tuple[str, str]]


def in_columns(
    rows: Rows, room: tuple[float, float], letter: Callable[[float], tuple[float, float]]
) -> tuple[float, Rows, Rows]:
    """(size of the letters, left rows, right rows) of what keys do; lines are broken to fit.

    rows   : (keys, what they do) ; room : pixels to the right and down
    letter : width and height of a letter of a size, a share of the usual one
    """
    half = (len(rows) + 1) // 2
    parts = (rows[:half], rows[half:])
    share = 1.0
    while True:
        width, height = letter(share)
        words = _widths(parts, int(room[0] / width) - SPACES)
        broken = [[(k, textwrap.fill(w, words)) for k, w in part] for part in parts]
        lines = sum(
            max(_lines(left), _lines(right))
            for left, right in zip(broken[0], [*broken[1], ("", "")], strict=False)
        )
        if share <= LEAST or ((lines + HEAD) * height <= room[1] and not _is_broken(broken)):
            return share, broken[0], broken[1]
        share = max(LEAST, share - STEP)


def _widths(parts: tuple[Rows, Rows], letters: int) -> int:
    """Letters for what a key does, beside the keys."""
    keys = sum(max((len(k) for k, _ in part), default=0) for part in parts)
    return max(NARROWEST, (letters - keys) // 2)


def _lines(row: tuple[str, str]) -> int:
    return 1 + row[1].count("\n")


def _is_broken(parts: list[Rows]) -> bool:
    return any("\n" in words for part in parts for _, words in part)

"""Runs of rows of one array: given out, taken back, last freed first; and growth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from acclient_py.core import I32


class Slabs:
    """Runs of rows of one array, given out and taken back by Python. Not for hot paths."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array
        self.used = 0
        self._free: dict[int, list[int]] = {}

    def room_for(self, count: int) -> int:
        """Rows that the array must have before `take(count)` succeeds without growing."""
        if count == 0 or self._free.get(count):
            return len(self.array)
        return self.used + count

    def take(self, count: int) -> int:
        """The first row of `count` free ones; the array must hold them (see `room_for`)."""
        if count == 0:
            return 0
        waiting = self._free.get(count)
        if waiting:
            return waiting.pop()
        first = self.used
        assert first + count <= len(self.array), "a slab was taken before the array had grown"
        self.used += count
        return first

    def take_many(self, runs: int, count: int) -> I32:
        """The first rows of `runs` runs, as so many calls of `take` would give them."""
        waiting = self._free.get(count, [])
        old = waiting[len(waiting) - min(runs, len(waiting)) :][::-1]
        del waiting[len(waiting) - len(old) :]
        new = self.used + count * np.arange(runs - len(old))
        self.used += count * (runs - len(old))
        assert self.used <= len(self.array), "slabs were taken before the array had grown"
        return np.concatenate((old, new)).astype(np.int32)

    def room_for_many(self, runs: int, count: int) -> int:
        """Rows that the array must have before `take_many` succeeds without growing."""
        return self.used + count * max(0, runs - len(self._free.get(count, ())))

    def give(self, first: int, count: int) -> None:
        """Take rows back."""
        if count:
            self._free.setdefault(count, []).append(first)

    def in_use(self) -> int:
        """Rows that are given out."""
        return self.used - sum(count * len(firsts) for count, firsts in self._free.items())


def grown(array: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A copy with at least `rows` rows, new ones zero: half as much again, so growth is rare."""
    size = max(rows, len(array) + len(array) // 2)
    new = np.zeros((size, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new

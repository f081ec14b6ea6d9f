"""Runs of rows of one array: given out, taken back, last freed first; and growth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from acclient_py.core import I32


class _Stack:
    """First rows of runs that were taken back, the last one on top."""

    __slots__ = ("rows", "size")

    def __init__(self) -> None:
        self.rows: I32 = np.zeros(16, np.int32)
        self.size = 0

    def give(self, first: int) -> None:
        if self.size == len(self.rows):
            self.rows = grown(self.rows, self.size + 1)
        self.rows[self.size] = first
        self.size += 1

    def pop(self) -> int:
        self.size -= 1
        return int(self.rows[self.size])

    def take(self, count: int) -> I32:
        """So many of them, the top one first."""
        self.size -= count
        return self.rows[self.size : self.size + count][::-1]


class Slabs:
    """Runs of rows of one array, given out and taken back by Python. Not for hot paths."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array
        self.used = 0
        self._free: dict[int, _Stack] = {}

    def room_for(self, count: int) -> int:
        """Rows that the array must have before `take(count)` succeeds without growing."""
        if count == 0 or self._waiting(count):
            return len(self.array)
        return self.used + count

    def take(self, count: int) -> int:
        """The first row of `count` free ones; the array must hold them (see `room_for`)."""
        if count == 0:
            return 0
        if self._waiting(count):
            return self._free[count].pop()
        first = self.used
        assert first + count <= len(self.array), "a slab was taken before the array had grown"
        self.used += count
        return first

    def take_many(self, runs: int, count: int) -> I32:
        """The first rows of `runs` runs, as so many calls of `take` would give them."""
        firsts = np.empty(runs, np.int32)
        old = min(runs, self._waiting(count))
        if old:
            firsts[:old] = self._free[count].take(old)
        end = self.used + count * (runs - old)
        firsts[old:] = np.arange(self.used, end, count)
        self.used = end
        assert self.used <= len(self.array), "slabs were taken before the array had grown"
        return firsts

    def room_for_many(self, runs: int, count: int) -> int:
        """Rows that the array must have before `take_many` succeeds without growing."""
        return self.used + count * max(0, runs - self._waiting(count))

    def give(self, first: int, count: int) -> None:
        """Take rows back."""
        if count:
            waiting = self._free.get(count)
            if waiting is None:
                waiting = self._free[count] = _Stack()
            waiting.give(first)

    def in_use(self) -> int:
        """Rows that are given out."""
        return self.used - sum(count * stack.size for count, stack in self._free.items())

    def _waiting(self, count: int) -> int:
        """How many runs of this length have been taken back and not given out again."""
        stack = self._free.get(count)
        return 0 if stack is None else stack.size

    def free_runs(self, count: int) -> I32:
        """The first rows of the runs that wait, the next one to be given out last; a copy."""
        stack = self._free.get(count)
        return np.zeros(0, np.int32) if stack is None else stack.rows[: stack.size].copy()


def grown(array: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A copy with at least `rows` rows, new ones zero: half as much again, so growth is rare."""
    size = max(rows, len(array) + len(array) // 2)
    new = np.zeros((size, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory as an array that cannot be written, nor be made so; contiguous."""
    if array.size == 0:
        nothing = array.copy()
        nothing.flags.writeable = False
        return nothing
    flat: Any = array.reshape(-1).view(np.uint8)
    shown = memoryview(flat).toreadonly()
    return np.frombuffer(shown, array.dtype).reshape(array.shape)

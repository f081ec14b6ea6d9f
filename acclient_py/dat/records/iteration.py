"""The iteration record, 0xFFFF0001: which content iterations a file holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record

ITERATION_RECORD_ID: Final = 0xFFFF0001


class IterationRun(Struct, frozen=True):
    """Iterations first, first + 1, ...; a run of one may be stored as a single number."""

    first: int
    count: int = 1
    is_single: bool = True


class IterationRecord(Record, frozen=True):
    """Iterations as runs in file order. The record holds no id.

    total : how many iterations the head announces; reading stops when so many are covered
    """

    total: int
    runs: tuple[IterationRun, ...]

    @classmethod
    def full(cls, count: int) -> Self:
        """Iterations 1 .. count in the form that every reader takes."""
        return cls(count, (IterationRun(1, count, False),))

    @classmethod
    def of(cls, iterations: Iterable[int]) -> Self:
        """The client's form: runs of three or more as runs, the rest as single numbers."""
        numbers = list(iterations)
        runs: list[IterationRun] = []
        at = 0
        while at < len(numbers):
            end = at + 1
            while end < len(numbers) and numbers[end] == numbers[end - 1] + 1:
                end += 1
            if end - at >= 3:
                runs.append(IterationRun(numbers[at], end - at, False))
            else:
                runs.extend(IterationRun(number) for number in numbers[at:end])
            at = end
        return cls(len(numbers), tuple(runs))

    def __iter__(self) -> Iterator[int]:
        for run in self.runs:
            yield from range(run.first, run.first + run.count)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        total = cursor.u32()
        runs: list[IterationRun] = []
        covered = 0
        while covered < total:
            value = cursor.i32()
            if value < 0:
                runs.append(IterationRun(cursor.i32(), -value, False))
                covered += -value
            else:
                runs.append(IterationRun(value | (value & 0x40000000) << 1))
                covered += 1
        return cls(total, tuple(runs))

    def pack(self, out: Packer) -> None:
        out.u32(self.total)
        for run in self.runs:
            if run.is_single:
                out.u32(run.first & 0x7FFFFFFF)
            else:
                out.i32(-run.count)
                out.i32(run.first)

"""The iteration record, id 0xFFFF0001: which content iterations a file holds (dat format 1.9)."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Final

from acclient_py.errors import RecordError

ITERATION_ID: Final = 0xFFFF0001
ITERATIONS_MAX: Final = 1 << 20
"""More iterations than any file can have had: retail ended at 2072."""


def read_iterations(data: bytes, *, file: str | None = None) -> list[int]:
    """The iterations in file order: runs of (negative length, start) and single numbers."""
    if len(data) < 4 or len(data) % 4:
        raise RecordError(
            f"an iteration record of {len(data)} bytes", record=ITERATION_ID, at=0, file=file
        )
    (count,) = struct.unpack_from("<I", data)
    if count > ITERATIONS_MAX:
        raise RecordError(f"{count} iterations", record=ITERATION_ID, at=0, file=file)
    out: list[int] = []
    at = 4

    def take() -> int:
        nonlocal at
        if at + 4 > len(data):
            raise RecordError(
                f"{len(out)} of {count} iterations, then the end",
                record=ITERATION_ID,
                at=at,
                file=file,
            )
        (value,) = struct.unpack_from("<i", data, at)
        at += 4
        return int(value)

    while len(out) < count:
        value = take()
        if value >= 0:
            # bit 30 stands for the sign that marks runs
            out.append(value - 0x80000000 if value & 0x40000000 else value)
            continue
        if -value > count - len(out):
            raise RecordError(
                f"a run of {-value} iterations where {count - len(out)} are left",
                record=ITERATION_ID,
                at=at - 4,
                file=file,
            )
        start = take()
        out.extend(range(start, start - value))
    if at != len(data):
        raise RecordError(f"{len(data) - at} bytes too many", record=ITERATION_ID, at=at, file=file)
    return out


def write_iterations(iterations: Iterable[int]) -> bytes:
    """Encode as the client does: runs of three or more as runs, shorter ones as singles."""
    numbers = list(iterations)
    out = [struct.pack("<I", len(numbers))]
    first = 0
    while first < len(numbers):
        last = first
        while last + 1 < len(numbers) and numbers[last + 1] == numbers[last] + 1:
            last += 1
        if last - first >= 2:
            out.append(struct.pack("<ii", -(last - first + 1), numbers[first]))
        else:
            out.extend(struct.pack("<i", n & 0x7FFFFFFF) for n in numbers[first : last + 1])
        first = last + 1
    return b"".join(out)


def write_iteration_run(count: int) -> bytes:
    """Iterations 1..count as one run, the form that every public reader accepts."""
    return struct.pack("<Iii", count, -count, 1)

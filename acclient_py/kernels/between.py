"""Between two ticks: what moved, where it is at a share of its way, and back again (register D8).

A way is a row of `WAY`: of an object or of a part, its row there, where it was a tick ago (seen
from the block that it is in now) and where it is. A memory is a row of `LAST` for each row of the
pool: the frame, the cell id and the life at the last tick. Another life in the same row is no way.
What was changed since the tick is not where its way ends, and is left alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import Real, Struct, Whole
from acclient_py.kernels import kernel

LAST: Final = np.dtype([("frame", "<f4", 7), ("seen_in", "<u4"), ("life", "<i8")])
WAY: Final = np.dtype(
    [("part", "u1"), ("shown", "u1"), ("row", "<i4"), ("before", "<f4", 7), ("now", "<f4", 7)]
)
NOBODY: Final = -1
"""The life of a row of `LAST` that remembers nothing."""

BLOCK_SIZE: Final = np.float32(192.0)
JUMP: Final = np.float32(2.0)
"""Metres of one tick: more is no way. The fastest body goes 50 m a second."""
ZERO: Final = np.float32(0.0)
ONE: Final = np.float32(1.0)


@kernel
def note_tick(
    objects: Struct,
    parts: Struct,
    object_count: Whole,
    part_count: Whole,
    last_objects: Struct,
    last_parts: Struct,
    ways: Struct,
) -> Whole:
    """Remember another tick; returns how many ways there are since the one before.

    last_objects, last_parts : (>= count,) LAST, brought up to date
    ways : (>= both counts,) WAY out
    """
    object_frames, part_frames = objects["frame"], parts["frame"]
    old_frames, before, now = last_objects["frame"], ways["before"], ways["now"]
    count = 0
    for i in range(object_count + part_count):
        part = i >= object_count
        row = i - object_count if part else i
        owner = parts[row]["object"] if part else row
        if i == object_count:
            old_frames = last_parts["frame"]
        life = np.int64(NOBODY)
        cell = np.uint32(0)
        if owner >= 0:
            life = np.int64(owner) * 65536 + np.int64(objects[owner]["generation"])
            cell = objects[owner]["part_cell_id"]
        if part:
            old_life, old_cell = last_parts[row]["life"], last_parts[row]["seen_in"]
            last_parts[row]["life"] = life
            last_parts[row]["seen_in"] = cell
        else:
            old_life, old_cell = last_objects[row]["life"], last_objects[row]["seen_in"]
            last_objects[row]["life"] = life
            last_objects[row]["seen_in"] = cell
        moved = False
        for k in range(7):
            new = part_frames[row, k] if part else object_frames[row, k]
            old = old_frames[row, k]
            if new != old:
                moved = True
                old_frames[row, k] = new
            before[count, k] = old
            now[count, k] = new
        if not moved or life == NOBODY or life != old_life:
            continue
        if cell != old_cell:
            east = np.int64(old_cell >> 24) - np.int64(cell >> 24)
            north = np.int64((old_cell >> 16) & 255) - np.int64((cell >> 16) & 255)
            before[count, 0] += np.float32(east) * BLOCK_SIZE
            before[count, 1] += np.float32(north) * BLOCK_SIZE
        way = ZERO
        turn = ZERO
        for k in range(3):
            d = now[count, k] - before[count, k]
            way += d * d
        for k in range(3, 7):
            turn += now[count, k] * before[count, k]
        if not way < JUMP * JUMP:
            continue
        if turn < ZERO:  # the shorter of the two turns
            for k in range(3, 7):
                before[count, k] = -before[count, k]
        ways[count]["part"] = 1 if part else 0
        ways[count]["row"] = row
        count += 1
    return count


@kernel
def show_between(objects: Struct, parts: Struct, ways: Struct, count: Whole, share: Real) -> None:
    """Put what is on the way to a share of it, 0 the tick before, 1 the last one."""
    object_frames, part_frames = objects["frame"], parts["frame"]
    before, now = ways["before"], ways["now"]
    s = np.float32(share)
    for i in range(count):
        row, part = ways[i]["row"], ways[i]["part"] == 1
        same = True
        length = ZERO
        for k in range(7):
            here = part_frames[row, k] if part else object_frames[row, k]
            if here != now[i, k]:
                same = False
            if k >= 3:
                q = before[i, k] + (now[i, k] - before[i, k]) * s
                length += q * q
        ways[i]["shown"] = 1 if same else 0
        if not same:
            continue
        scale = ONE / max(np.float32(np.sqrt(length)), np.float32(1e-6))
        for k in range(7):
            at = before[i, k] + (now[i, k] - before[i, k]) * s
            if k >= 3:
                at *= scale
            if part:
                part_frames[row, k] = at
            else:
                object_frames[row, k] = at


@kernel
def put_back(objects: Struct, parts: Struct, ways: Struct, count: Whole) -> None:
    """The frames of the last tick again, to the bit."""
    object_frames, part_frames = objects["frame"], parts["frame"]
    now = ways["now"]
    for i in range(count):
        if ways[i]["shown"] == 0:
            continue
        row = ways[i]["row"]
        for k in range(7):
            if ways[i]["part"] == 1:
                part_frames[row, k] = now[i, k]
            else:
                object_frames[row, k] = now[i, k]

"""Animation records and sequences in code, for tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from acclient_py.anim.sequence import AnimationStore, Sequences


def animation(frames: int, *, parts: int = 1, root: Any = None, hooks: Any = ()) -> Any:
    """An animation record; `root` gives the x of each frame's root motion, hooks (frame, dir)."""
    rows = np.zeros((frames, parts, 7), np.float32)
    rows[:, :, 3] = 1.0
    rows[:, 0, 0] = np.arange(frames)
    pos = None
    if root is not None:
        pos = np.zeros((frames, 7), np.float32)
        pos[:, 0] = root
        pos[:, 3] = 1.0
    by_frame: list[list[Any]] = [[] for _ in range(frames)]
    for frame, direction, name in hooks:
        by_frame[frame].append(SimpleNamespace(direction=direction, name=name))
    return SimpleNamespace(
        id=0x03000001,
        part_count=parts,
        frames=[SimpleNamespace(frames=rows[f], hooks=by_frame[f]) for f in range(frames)],
        position_frames=pos,
    )


def world(**animations: Any) -> Sequences:
    rows: list[Any] = []

    def add(poses: Any) -> int:
        first = sum(len(r) for r in rows)
        rows.append(poses)
        return first

    store = AnimationStore(lambda i: animations.get(f"a{i}"), add)
    return Sequences(store, capacity=4)


def out_frame() -> Any:
    return np.array([0, 0, 0, 1, 0, 0, 0], np.float64)

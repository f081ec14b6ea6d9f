"""Pictures between two ticks: what moved is shown on its way from the tick before to the last one.

The graph holds the state of the last tick and nothing else: the frames of what moved are changed
for the time of one picture and put back before anybody else looks, so membership, collision and
recordings know of no other state. What jumped (a teleport, a particle that begins anew, a row that
somebody else has now) is shown where it is. divergence: D8
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from acclient_py.core import F32, I32, U32
from acclient_py.physics.graph import Graph

JUMP: Final = 2.0
"""Metres of one tick: more is no way. The fastest body goes 50 m a second."""

BLOCK: Final = 192.0


class _Pool:
    """The frames of one pool of rows, as they were at the last two ticks."""

    def __init__(self) -> None:
        self.frames: F32 = np.zeros((0, 7), np.float32)
        self.cells: U32 = np.zeros(0, np.uint32)
        self.owners: I32 = np.zeros(0, np.int32)
        self.rows: I32 = np.zeros(0, np.int32)
        """Those that are on the way, with where they come from and where they are."""
        self.before: F32 = self.frames
        self.now: F32 = self.frames

    def note(self, frames: F32, cells: U32, owners: I32) -> None:
        """Another tick: copies, and what is on the way from the one before."""
        count = min(len(frames), len(self.frames))
        old = self.frames[:count]
        moved = (frames[:count] != old).any(axis=1) & (owners[:count] == self.owners[:count])
        rows = np.flatnonzero(moved).astype(np.int32)
        before, now = old[rows].copy(), frames[rows].copy()
        dx = (self.cells[rows] >> 24).astype(np.int32) - (cells[rows] >> 24).astype(np.int32)
        dy = (self.cells[rows] >> 16 & 255).astype(np.int32) - (cells[rows] >> 16 & 255).astype(
            np.int32
        )
        before[:, 0] += dx * np.float32(BLOCK)
        before[:, 1] += dy * np.float32(BLOCK)
        way = now[:, :3] - before[:, :3]
        near = (way * way).sum(axis=1) < JUMP * JUMP
        other = (now[:, 3:] * before[:, 3:]).sum(axis=1) < 0.0
        before[other, 3:] *= np.float32(-1.0)  # the shorter of the two turns
        self.rows, self.before, self.now = rows[near], before[near], now[near]
        self.frames, self.cells, self.owners = frames.copy(), cells.copy(), owners.copy()

    def between(self, share: float) -> F32:
        """Their frames at a share of the way."""
        made = self.before + (self.now - self.before) * np.float32(share)
        length = np.sqrt((made[:, 3:] * made[:, 3:]).sum(axis=1, keepdims=True))
        made[:, 3:] /= np.maximum(length, np.float32(1e-6))
        return made


class Blend:
    """Remembers two ticks of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._objects = _Pool()
        self._parts = _Pool()

    def note(self) -> None:
        """A tick was made."""
        a = self._graph.arrays
        objects = a.objects[: self._graph.used("objects")]
        parts = a.parts[: self._graph.used("parts")]
        ids = objects["generation"].astype(np.int32)
        self._objects.note(objects["frame"], objects["part_cell_id"], ids)
        owner = np.clip(parts["object"], 0, max(0, len(objects) - 1))
        life = np.where(parts["object"] >= 0, parts["object"] * 65536 + ids[owner], -1)
        self._parts.note(parts["frame"], objects["part_cell_id"][owner], life.astype(np.int32))

    @contextmanager
    def shown(self, share: float) -> Iterator[None]:
        """The graph as it looks at a share of the way, for as long as a picture takes.

        share : 0 the tick before, 1 the last one
        """
        a = self._graph.arrays
        if share >= 1.0:
            yield
            return
        pools = ((self._objects, a.objects["frame"]), (self._parts, a.parts["frame"]))
        for pool, frames in pools:
            frames[pool.rows] = pool.between(share)
        try:
            yield
        finally:
            for pool, frames in pools:
                frames[pool.rows] = pool.now

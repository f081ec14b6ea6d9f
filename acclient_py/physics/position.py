"""The position commit: cells, then frames, then publication, for many roots in one call (C5, C6).

Whoever moves objects fills a `Batch`, one row a root, and `commit` runs it: the cell change of each
root and all below it, the frames, and the cell arrays that the moves left. A row without a cell is
no row of a batch; the world sends such an object to the lost cells by itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32, I64, U8, U32
from acclient_py.kernels import kernel
from acclient_py.physics.cells import write_cells
from acclient_py.physics.children import set_frames
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    FLAG_DO_NOT_LOAD,
    FLAG_MISSED,
    FLAG_OUTSIDE,
    RECORDING,
    Arrays,
)
from acclient_py.physics.shadow import republish
from acclient_py.physics.state import HAS_PHYSICS_BSP
from acclient_py.physics.transit import (
    ADDED_OUTSIDE,
    COUNT,
    DO_NOT_LOAD,
    HEAD_SIZE,
    MAX_CYLINDERS,
    MISSED,
    OVERFLOW,
    calc_cell_array,
)  # fmt: skip

GIVEN: Final = 0
DYNAMIC: Final = 1
STATIC: Final = 2

_SKIP: Final = -2


@kernel
def make_arrays(
    g: Arrays, roots: I32, routes: U8, firsts: I32, counts: I32, flags: U8, ids: U32, slots: I32,
    used: int, head: I64, spheres: F32,
) -> int:  # fmt: skip
    """Compute the cell arrays of those roots whose route says so, behind the first `used` cells.

    routes : (n,) GIVEN, DYNAMIC (calc_cross_cells), STATIC (calc_cross_cells_static)
    Returns the cells used then, or -1 when `ids` is too short: nothing counts then.
    """
    for i in range(roots.shape[0]):
        if routes[i] == GIVEN or counts[i] == _SKIP:
            continue
        o = roots[i]
        calc_cell_array(g, o, routes[i] == STATIC, ids[used:], slots[used:], head, spheres)
        if head[OVERFLOW] != 0:
            return -1
        firsts[i] = used
        counts[i] = head[COUNT]
        used += head[COUNT]
        flags[i] = (
            (FLAG_OUTSIDE if head[ADDED_OUTSIDE] != 0 else 0)
            | (FLAG_DO_NOT_LOAD if head[DO_NOT_LOAD] != 0 else 0)
            | (FLAG_MISSED if head[MISSED] != 0 else 0)
        )
    return int(used)


@kernel(inner=True)
def begin_commit(
    g: Arrays, roots: I32, targets: I32, cell_ids: U32, causes: U8, frames: F32,
    counts: I32, routes: U8,
) -> None:  # fmt: skip
    """The identity half of a commit: cells and ids, then frames; then who publishes what (C6)."""
    # contract: C5
    write_cells(g, roots, targets, cell_ids, causes)
    set_frames(g, roots, frames)
    # contract: C6
    for i in range(roots.shape[0]):
        o = roots[i]
        if g.objects["cell"][o] < 0:
            counts[i] = _SKIP
            routes[i] = GIVEN
        elif g.objects["state"][o] & HAS_PHYSICS_BSP != 0:
            routes[i] = DYNAMIC
            counts[i] = 0
        else:
            routes[i] = GIVEN
            if counts[i] == 0:
                counts[i] = _SKIP


@kernel
def commit_kernel(
    g: Arrays, roots: I32, targets: I32, cell_ids: U32, causes: U8, frames: F32,
    firsts: I32, counts: I32, flags: U8, routes: U8, ids: U32, slots: I32, used: int,
    head: I64, spheres: F32, need: I64,
) -> int:  # fmt: skip
    """A frame's moves in one call: cells, frames, arrays, publication.

    Returns how many roots are published; -1 when `ids` is too short (cells and frames are done).
    """
    begin_commit(g, roots, targets, cell_ids, causes, frames, counts, routes)
    if make_arrays(g, roots, routes, firsts, counts, flags, ids, slots, used, head, spheres) < 0:
        return -1
    return int(republish(g, roots, firsts, counts, ids, slots, flags, 0, need))


class Batch:
    """Rows for a commit, made once and filled again and again.

    n        : rows filled ; used : cells filled in `ids` and `slots`
    roots    : (k,) int32 objects ; targets : (k,) int32 cell slots, never -1 for a move
    cell_ids : (k,) uint32 id of the position; 0: `change_cell` whatever the cell was
    causes   : (k,) uint8 CAUSE_* ; frames : (k, 7) float32, in the block of the new id
    firsts, counts : (k,) int32 the move's cell array in `ids` (uint32) and `slots` (int32)
    flags    : (k,) uint8 FLAG_*
    """

    def __init__(self, rows: int = 16, cells: int = 256) -> None:
        self.n = 0
        self.used = 0
        self.head: I64 = np.zeros(HEAD_SIZE, np.int64)
        self.spheres: F32 = np.zeros((MAX_CYLINDERS, 4), np.float32)
        self.need: I64 = np.zeros(3, np.int64)
        self._make_rows(rows)
        self._make_cells(cells)

    def _make_rows(self, rows: int) -> None:
        self.roots: I32 = np.zeros(rows, np.int32)
        self.targets: I32 = np.zeros(rows, np.int32)
        self.cell_ids: U32 = np.zeros(rows, np.uint32)
        self.causes: U8 = np.zeros(rows, np.uint8)
        self.frames: F32 = np.zeros((rows, 7), np.float32)
        self.firsts: I32 = np.zeros(rows, np.int32)
        self.counts: I32 = np.zeros(rows, np.int32)
        self.flags: U8 = np.zeros(rows, np.uint8)
        self.routes: U8 = np.zeros(rows, np.uint8)

    def _make_cells(self, cells: int) -> None:
        self.ids: U32 = np.zeros(cells, np.uint32)
        self.slots: I32 = np.zeros(cells, np.int32)

    def clear(self) -> None:
        """Forget the rows."""
        self.n = 0
        self.used = 0

    def reserve(self, rows: int, cells: int) -> None:
        """Room for so many rows and cells in all; what is filled stays."""
        if rows > len(self.roots):
            old = {name: getattr(self, name) for name in _ROWS}
            self._make_rows(max(rows, 2 * len(self.roots)))
            for name, array in old.items():
                getattr(self, name)[: len(array)] = array
        if cells > len(self.ids):
            ids, slots = self.ids, self.slots
            self._make_cells(max(cells, 2 * len(ids)))
            self.ids[: len(ids)] = ids
            self.slots[: len(slots)] = slots

    def add(
        self, obj: int, target: int, frame: F32, *, cell_id: int = 0, cause: int = 0,
        ids: U32 | None = None, slots: I32 | None = None, flags: int = 0, route: int = GIVEN,
    ) -> None:  # fmt: skip
        """One more row, its cell array copied."""
        count = 0 if ids is None else len(ids)
        self.reserve(self.n + 1, self.used + count)
        i = self.n
        self.roots[i], self.targets[i], self.cell_ids[i] = obj, target, cell_id
        self.causes[i], self.frames[i] = cause, frame
        self.firsts[i], self.counts[i], self.flags[i], self.routes[i] = (
            self.used, count, flags, route,
        )  # fmt: skip
        if ids is not None and slots is not None:
            self.ids[self.used : self.used + count] = ids
            self.slots[self.used : self.used + count] = slots
        self.used += count
        self.n = i + 1

    def fill(self, roots: I32, route: int, *, cells_each: int) -> None:
        """Rows for `cross` alone: objects that stay where they are, all by one route."""
        n = len(roots)
        self.clear()
        self.reserve(n, cells_each * n)
        self.roots[:n], self.routes[:n] = roots, route
        for column in (self.firsts, self.counts, self.flags):
            column[:n] = 0
        self.n = n

    def commit(self, graph: Graph) -> None:
        """Run the rows: every move of a frame in one jitted call, unless room is lacking."""
        if self.n == 0:
            return
        n = self.n
        if graph.recording and n > 1:  # one root after the other, so that events are in order
            self._commit_singly(graph)
            return
        self._reserve_events(graph)
        done = commit_kernel(
            graph.arrays, self.roots[:n], self.targets[:n], self.cell_ids[:n], self.causes[:n],
            self.frames[:n], self.firsts[:n], self.counts[:n], self.flags[:n], self.routes[:n],
            self.ids, self.slots, self.used, self.head, self.spheres, self.need,
        )  # fmt: skip
        if done < 0:
            self.reserve(0, 2 * len(self.ids))
            self.cross(graph)
        else:
            self._finish(graph, int(done))
        self.clear()

    def _commit_singly(self, graph: Graph) -> None:
        single = Batch()
        for i in range(self.n):
            first, count = int(self.firsts[i]), int(self.counts[i])
            single.add(
                int(self.roots[i]), int(self.targets[i]), self.frames[i],
                cell_id=int(self.cell_ids[i]), cause=int(self.causes[i]),
                ids=self.ids[first : first + count], slots=self.slots[first : first + count],
                flags=int(self.flags[i]),
            )  # fmt: skip
            single.commit(graph)
        self.clear()

    def cross(self, graph: Graph) -> None:
        """Compute the arrays of the rows by their routes and publish them, without cell work."""
        n = self.n
        if n == 0:
            return
        while True:
            used = make_arrays(
                graph.arrays, self.roots[:n], self.routes[:n], self.firsts[:n], self.counts[:n],
                self.flags[:n], self.ids, self.slots, self.used, self.head, self.spheres,
            )  # fmt: skip
            if used >= 0:
                break
            self.reserve(0, 2 * len(self.ids))
        self._reserve_events(graph)
        self._finish(graph, 0)
        self.clear()

    def _finish(self, graph: Graph, done: int) -> None:
        n = self.n
        first = done == 0
        while done < n:
            if not first:
                need = self.need
                graph.reserve(shadows=int(need[0]), places=int(need[1]), entries=int(need[2]))
            first = False
            done = republish(
                graph.arrays, self.roots[:n], self.firsts[:n], self.counts[:n], self.ids,
                self.slots, self.flags[:n], done, self.need,
            )  # fmt: skip

    def _reserve_events(self, graph: Graph) -> None:
        if graph.arrays.control[RECORDING]:
            reserve_events(graph, [int(o) for o in self.roots[: self.n]], len(self.ids))


def reserve_events(graph: Graph, roots: list[int], cells: int) -> None:
    """Room for all events that changes of these trees can make, with arrays of `cells` cells."""
    total = 0
    for root in roots:
        for obj in graph.subtree_of(root):
            row = graph.arrays.objects[obj]
            each = 2 + int(row["part_count"])
            total += 3 + each * int(row["shadow_count"]) + each * cells
    graph.reserve_events(total)


_ROWS: Final = (
    "roots", "targets", "cell_ids", "causes", "frames", "firsts", "counts", "flags", "routes",
)  # fmt: skip

__all__ = [
    "DYNAMIC",
    "FLAG_DO_NOT_LOAD",
    "FLAG_MISSED",
    "FLAG_OUTSIDE",
    "GIVEN",
    "STATIC",
    "Batch",
    "begin_commit",
    "commit_kernel",
    "make_arrays",
    "reserve_events",
]

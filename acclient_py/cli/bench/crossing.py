"""Cell changes of trees of objects, with and without publication, against C on the same rows."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._c import library
from acclient_py.cli.bench._turns import best_of_turns
from acclient_py.core import I32, U8, U32
from acclient_py.physics import children
from acclient_py.physics.blocks import Blocks
from acclient_py.physics.cells import write_cells
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    CELL_DTYPE,
    ENTRY_TOTAL,
    LAND,
    OBJECT_DTYPE,
    PART_DTYPE,
    PART_ENTRY_DTYPE,
    SHADOW_DTYPE,
    SHADOW_TOTAL,
)  # fmt: skip
from acclient_py.physics.shadow import republish
from acclient_py.world.pools import GFX_DTYPE, HAS_DRAWING

_CELLS: Final = 81 * 64


class Forest:
    """Trees of one-part objects over the land cells of 9 x 9 blocks, made the same each time."""

    def __init__(self, objects: int, depth: int, *, rows: int = 0, each: int = 2) -> None:
        """depth : levels of each tree; rows : a tree has so many objects (0: by the depth).

        each : cells that an object is published in, 1 or 2
        """
        gfx = np.zeros(1, GFX_DTYPE)
        gfx["flags"] = HAS_DRAWING
        self.graph = graph = Graph(gfx, objects=objects, cells=_CELLS)
        self.blocks = Blocks(graph)
        first = graph.take("cells", _CELLS)
        self.blocks._new_cells(first, np.arange(_CELLS, dtype=np.uint32) + 0x10100001, LAND, 0)
        rng = np.random.default_rng(4)
        pose = graph.take("poses")
        graph.arrays.poses[pose] = (0, 0, 0, 1, 0, 0, 0)
        size = rows or (depth if depth > 3 else depth * 2)
        roots = []
        made: list[int] = []
        for index in range(objects):
            obj = graph.new_object()
            part = graph.take("parts")
            graph.arrays.parts[part]["object"] = obj
            row = graph.arrays.objects[obj]
            row["has_part_array"], row["part_first"], row["part_count"] = 1, part, 1
            row["pose_first"], row["pose_count"], row["hold_part"] = pose, 1, -1
            place = index % size
            if place == 0:
                roots.append(obj)
                made = [obj]
                continue
            parent = made[-1] if place < depth else made[int(rng.integers(0, len(made)))]
            children.append_child(graph.arrays, parent, obj)
            made.append(obj)
        self.roots: I32 = np.array(roots, np.int32)
        where = rng.integers(0, _CELLS, (2, len(roots)))
        self.targets: list[I32] = [row.astype(np.int32) for row in where]
        self.no_ids: U32 = np.zeros(len(roots), np.uint32)
        self.causes: U8 = np.ones(len(roots), np.uint8)
        self.frames = np.tile(np.array((1, 2, 3, 1, 0, 0, 0), np.float32), (len(roots), 1))
        self.firsts: I32 = np.arange(0, 2 * len(roots), 2, dtype=np.int32)
        self.counts: I32 = np.full(len(roots), each, np.int32)
        self.flags: U8 = np.zeros(len(roots), np.uint8)
        self.need = np.zeros(3, np.int64)
        self.slots: list[I32] = []
        self.ids: list[U32] = []
        for targets in self.targets:
            slots = np.stack((targets, (targets + 1) % _CELLS), axis=1).reshape(-1)
            self.slots.append(np.ascontiguousarray(slots, np.int32))
            self.ids.append(graph.arrays.cells["id"][slots].astype(np.uint32))
        self.turn = 0
        for _ in range(4):
            self.change()
            self.publish()
            self.turn ^= 1

    def change(self) -> None:
        """The cell change alone."""
        write_cells(
            self.graph.arrays, self.roots, self.targets[self.turn], self.no_ids, self.causes
        )

    def compose(self) -> None:
        """The frames."""
        children.set_frames(self.graph.arrays, self.roots, self.frames)

    def publish(self) -> None:
        """The publication in two cells each."""
        done = 0
        while done < len(self.roots):
            done = republish(
                self.graph.arrays, self.roots, self.firsts, self.counts, self.ids[self.turn],
                self.slots[self.turn], self.flags, done, self.need,
            )  # fmt: skip
            if done < len(self.roots):
                shadows, places, entries = (int(v) for v in self.need)
                self.graph.reserve(shadows=shadows, places=places, entries=entries)


class InC:
    """The same calls on the same kind of rows, in C."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.c = library("crossing.c")
        for which, dtype in enumerate(
            (OBJECT_DTYPE, CELL_DTYPE, SHADOW_DTYPE, PART_ENTRY_DTYPE, PART_DTYPE)
        ):
            assert self.c.sizes(which) == dtype.itemsize, f"row {which} differs in C"

    def _call(self, name: str, *arrays: Any) -> None:
        arguments = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        getattr(self.c, name)(len(self.forest.roots), *arguments)

    def change(self) -> None:
        """The cell change alone."""
        f, a = self.forest, self.forest.graph.arrays
        self._call("change_cells", f.roots, f.targets[f.turn], a.objects, a.cells)

    def compose(self) -> None:
        """The frames."""
        f, a = self.forest, self.forest.graph.arrays
        self._call("set_frames", f.roots, f.frames, a.objects, a.parts, a.poses)

    def publish(self) -> None:
        """The publication in two cells each."""
        f, a = self.forest, self.forest.graph.arrays
        self._call(
            "republish", f.roots, f.firsts, f.counts, f.ids[f.turn], f.slots[f.turn], a.objects,
            a.shadows, a.cells, a.entries, a.order, a.ranks, a.places, a.parts,
        )  # fmt: skip


def versus(ours: Callable[[], None], theirs: Callable[[], None], rounds: int) -> float:
    """Ours over theirs, turn by turn in one run: the quotient of the best times."""
    mine, yardstick = best_of_turns((ours, theirs), rounds)
    return mine / yardstick


def _rounds(side: Forest | InC, forest: Forest, *names: str) -> Callable[[], None]:
    calls = [getattr(side, name) for name in names]

    def there_and_back() -> None:
        for _ in range(2):
            for call in calls:
                call()
            forest.turn ^= 1

    return there_and_back


def same(a: Graph, b: Graph) -> bool:
    """Whether two graphs hold the same rows."""
    for name in a.arrays._fields:
        if name in ("stack", "control"):
            continue
        if getattr(a.arrays, name).tobytes() != getattr(b.arrays, name).tobytes():
            return False
    return True


def run(quick: bool) -> list[Row]:
    """G9: the write alone, and with frames and publication."""
    objects = 2000 if quick else 10_000
    rounds = 20 if quick else 60
    rows = []
    for depth in (1, 3, 10, 100):
        ours, theirs = Forest(objects, depth), Forest(objects, depth)
        in_c = InC(theirs)
        ratio = versus(_rounds(ours, ours, "change"), _rounds(in_c, theirs, "change"), rounds)
        rows.append(Row(f"cell change, depth {depth}", ratio, "x", "C -O3, recursive", 1.25))
        ratio = versus(
            _rounds(ours, ours, "change", "publish"),
            _rounds(in_c, theirs, "change", "publish"), rounds,
        )  # fmt: skip
        rows.append(Row(f"with publication, depth {depth}", ratio, "x", "C -O3, recursive", 1.5))
        assert same(ours.graph, theirs.graph), "C and the kernels part"
        assert ours.graph.arrays.control[SHADOW_TOTAL] == 2 * objects, "two shadows an object"
        assert ours.graph.arrays.control[ENTRY_TOTAL] == 2 * objects, "two entries an object"
    ours, theirs = Forest(objects, 3, rows=9), Forest(objects, 3, rows=9)
    in_c = InC(theirs)
    steps = ("change", "compose", "publish")
    ratio = versus(_rounds(ours, ours, *steps), _rounds(in_c, theirs, *steps), rounds)
    rows.append(Row("commit of roots with 8 descendants", ratio, "x", "C -O3, recursive", 1.5))
    assert same(ours.graph, theirs.graph), "C and the kernels part"
    deep = Forest(10_001, 10_001)
    deep.change()
    cell = deep.graph.arrays.objects["cell"][: deep.graph.used("objects")]
    behind = float(np.count_nonzero(cell != cell[0]))
    rows.append(Row("depth 10,000: objects left behind", behind, "objects", "", 0))
    rows.append(Row("arrays an object, one part, one cell", _bytes(), "bytes", "", 400))
    return rows


def _bytes() -> float:
    """What an object of one part in one cell takes of the arrays, slack of slabs included."""
    count = 20_000
    forest = Forest(count, 1, rows=1, each=1)
    a = forest.graph.arrays
    slabs = sum(
        int(meta[0]) * sum(array.itemsize for array in arrays)
        for meta, arrays in (
            (a.shadow_meta, (a.shadows,)), (a.place_meta, (a.places,)),
            (a.entry_meta, (a.entries, a.order, a.ranks)),
        )
    )  # fmt: skip
    rows = a.objects.itemsize + a.parts.itemsize + a.stack.itemsize
    return rows + slabs / count

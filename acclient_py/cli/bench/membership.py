"""Movers over 9 x 9 blocks, a dungeon's statics, 200,000 residents: membership against C."""

from __future__ import annotations

import ctypes
import gc
import time
from typing import Any, Final

import numpy as np

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._c import library
from acclient_py.cli.bench._turns import best_of_turns
from acclient_py.cli.bench._worlds import BODIES, dungeon, models, open_land
from acclient_py.cli.bench.crossing import Forest, InC, _rounds, versus
from acclient_py.core import F32, I32, U32, Struct
from acclient_py.physics.bodies import BODY_DTYPE
from acclient_py.physics.layout import (
    BLOCK_DTYPE,
    CAUSE_MOVE,
    CELL_DTYPE,
    OBJECT_DTYPE,
    PART_DTYPE,
    PART_ENTRY_DTYPE,
    PORTAL_DTYPE,
    SHADOW_DTYPE,
    SHAPE_DTYPE,
    Arrays,
)
from acclient_py.physics.state import HAS_PHYSICS_BSP
from acclient_py.physics.statics import place_statics
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.cell import STATIC_DTYPE
from acclient_py.world.pools import GFX_DTYPE

_KINDS: Final = 12
_SIDE: Final = 9
_NOT_COMPARED: Final = ("control", "events", "stack")


def _address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class _C:
    """The library, and a graph's arrays as its struct of pointers."""

    def __init__(self) -> None:
        self.c = library("membership.c")
        rows = (OBJECT_DTYPE, CELL_DTYPE, SHADOW_DTYPE, PART_ENTRY_DTYPE, PART_DTYPE)
        for which, dtype in enumerate(rows):
            assert self.c.sizes(which) == dtype.itemsize, f"row {which} differs in C"
        for which, dtype in enumerate((BLOCK_DTYPE, PORTAL_DTYPE, SHAPE_DTYPE, GFX_DTYPE)):
            assert self.c.sizes_more(which) == dtype.itemsize, f"row {which} differs in C"

    @staticmethod
    def graph(arrays: Arrays) -> Any:
        """Pointers to the arrays, in the order of their fields."""
        return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))


def parted(a: Arrays, b: Arrays) -> list[str]:
    """Arrays and fields that differ."""
    names = []
    for name in a._fields:
        one, two = getattr(a, name), getattr(b, name)
        for field in one.dtype.names or ("",):
            if name not in _NOT_COMPARED:
                x, y = (one[field], two[field]) if field else (one, two)
                if x.tobytes() != y.tobytes():
                    names.append(f"{name} {field}")
    return names


class Movers:
    """Objects on the land of 9 x 9 blocks in full detail, and two places for each.

    Every other has a physics BSP, so that its parts' boxes give its cells at each commit; the rest
    bring the array of their path, as from a transition.
    """

    def __init__(self, count: int) -> None:
        self.world = open_land(models(_KINDS, reach=3.0), _SIDE)
        rng = np.random.default_rng(5)
        world = self.world
        objs = [world.make_object(BODIES + n % _KINDS) for n in range(count)]
        self.roots: I32 = np.array(objs, np.int32)
        world.graph.arrays.objects["state"][self.roots[::2]] |= HAS_PHYSICS_BSP
        land = np.flatnonzero(world.graph.arrays.cells["kind"] == 1)
        self.targets: list[I32] = []
        self.frames: list[F32] = []
        self.arrays: list[tuple[I32, I32, U32, I32]] = []
        for _ in range(2):
            where = rng.choice(land, count).astype(np.int32)
            frames = np.zeros((count, 7), np.float32)
            frames[:, :3] = world.graph.arrays.cells["frame"][where, :3]
            frames[:, :2] += rng.uniform(-12, 12, (count, 2))
            angle = rng.uniform(0, np.pi, count)
            frames[:, 3], frames[:, 6] = np.cos(angle), np.sin(angle)
            for obj, cell, frame in zip(objs, where.tolist(), frames, strict=True):
                world.force_into_cell(obj, cell, frame)
            paths = [world.cell_array(obj) for obj in objs]
            counts = np.array([len(ids) for ids, _ in paths], np.int32)
            firsts = (np.cumsum(counts) - counts).astype(np.int32)
            ids = np.concatenate([ids for ids, _ in paths]).astype(np.uint32)
            slots = np.concatenate([slots for _, slots in paths]).astype(np.int32)
            self.targets.append(where)
            self.frames.append(frames)
            self.arrays.append((firsts, counts, ids, slots))
        self.turn = 0
        for _ in range(4):
            self.commit()

    def commit(self) -> None:
        """All of them to their other place: one batch, one jitted call."""
        batch, turn = self.world.batch, self.turn
        firsts, counts, ids, slots = self.arrays[turn]
        n, used = len(self.roots), len(ids)
        batch.reserve(n, used + 64 * n)
        cells = self.world.graph.arrays.cells
        batch.roots[:n], batch.targets[:n] = self.roots, self.targets[turn]
        batch.cell_ids[:n] = cells["id"][self.targets[turn]]
        batch.causes[:n], batch.frames[:n] = CAUSE_MOVE, self.frames[turn]
        batch.firsts[:n], batch.counts[:n], batch.flags[:n] = firsts, counts, 0
        batch.ids[:used], batch.slots[:used] = ids, slots
        batch.n, batch.used = n, used
        batch.commit(self.world.graph)
        self.turn ^= 1

    def commit_in_c(self, c: _C) -> None:
        """The same in C."""
        turn = self.turn
        rows = (self.roots, self.targets[turn], self.frames[turn], *self.arrays[turn])
        graph = c.graph(self.world.graph.arrays)
        c.c.commit(graph, len(self.roots), *(_address(row) for row in rows))
        self.turn ^= 1


class _ManifestInC(ctypes.Structure):
    """The struct `Manifest` of membership.c."""

    _fields_ = (
        *((name, ctypes.c_int64 if name == "rooms" else ctypes.c_void_p) for name in (
            "rooms", "ids", "slots", "sizes", "statics", "keys", "values",
        )),
        ("mask", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("patterns", "parts", "free_objects")),
        ("free_object_count", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in (
            "used_objects", "free_parts", "free_part_counts", "used_parts", "bodies", "fresh",
        )),
        ("body_size", ctypes.c_int64),
        ("body_generation", ctypes.c_int64),
        ("generations", ctypes.c_void_p),
        ("clock", ctypes.c_double),
        ("made", ctypes.c_void_p),
    )  # fmt: skip


class Dungeon:
    """A dungeon whose statics are made, taken away, and made again."""

    def __init__(self, cells: int, statics: int) -> None:
        self.rooms = dungeon(cells, statics, _KINDS)
        self.world = PhysicsWorld(models(_KINDS))
        for room in self.rooms:
            self.world.blocks.add_env(room)
        self.slots = [self.world.cell_slot(room.id) for room in self.rooms]
        for _ in range(2):  # the second time rows are taken that were given back
            self.wait()
            self.world.arrivals.manifest.place()
            self.clear()

    def wait(self) -> None:
        """The manifests of all rooms wait to be made, as at an arrival."""
        self.world.arrivals._init_static_objects(self.slots)

    def clear(self) -> None:
        """Everything out again."""
        for room in self.rooms:
            for obj in self.world.statics.pop(room.id):
                self.world.delete_object(obj)

    def in_c(self, bodies: Struct) -> tuple[_ManifestInC, list[Any]]:
        """What C is given: the same rooms, patterns and free rows; and the arrays, to be kept."""
        world, patterns = self.world, self.world.arrivals.manifest.patterns
        manifests = [np.frombuffer(room.manifest, STATIC_DTYPE) for room in self.rooms]
        dids = np.unique(np.concatenate([rows["did"] for rows in manifests]))
        keys, values = np.zeros(64, np.uint32), np.zeros(64, np.int32)
        assert len(dids) < 32, "the table has room"
        for did, pattern in zip(dids.tolist(), patterns.of_all(dids).tolist(), strict=True):
            at = did * 2654435761 & 0xFFFFFFFF & 63
            while keys[at]:
                at = (at + 1) & 63
            keys[at], values[at] = did, pattern
        rows = patterns.rows.copy()
        rows["part_first"] = patterns.starts
        slabs = world.graph._slabs
        runs = [slabs["parts"].free_runs(n) for n in range(max(patterns.lengths) + 1)]
        each = {
            "ids": np.array([room.id for room in self.rooms], np.uint32),
            "slots": np.array(self.slots, np.int32),
            "sizes": np.array([len(rows) for rows in manifests]),
            "statics": np.array([rows.ctypes.data for rows in manifests]),
            "keys": keys, "values": values, "patterns": rows, "parts": patterns.parts,
            "free_objects": slabs["objects"].free_runs(1),
            "used_objects": np.array([slabs["objects"].used]),
            "free_parts": np.array([run.ctypes.data for run in runs]),
            "free_part_counts": np.array([len(run) for run in runs]),
            "used_parts": np.array([slabs["parts"].used]),
            "bodies": bodies, "fresh": patterns.body, "generations": world.graph.generations,
        }  # fmt: skip
        each["made"] = np.zeros(int(each["sizes"].sum()), np.int32)
        manifest = _ManifestInC(
            rooms=len(self.rooms), mask=63, free_object_count=len(each["free_objects"]),
            body_size=BODY_DTYPE.itemsize, clock=world.clock,
            body_generation=bodies["generation"].ctypes.data - bodies.ctypes.data,
            **{name: array.ctypes.data for name, array in each.items()},
        )  # fmt: skip
        return manifest, [each, runs]

    def measure(self, c: _C, rounds: int) -> tuple[float, float]:
        """Ours over theirs in warmed arrays: placing alone, and all from the manifests on.

        C makes and places object by object in one turn, all objects made first in the next; the
        quicker of both ways is what all of it is held against.
        """
        placed, whole = [np.inf, np.inf], [np.inf, np.inf]
        manifest = self.world.arrivals.manifest
        for turn in range(rounds):
            for passes in ((1, 2), (3,)):
                theirs, bodies = self._copies()
                graph = c.graph(theirs)
                given, kept = self.in_c(bodies)
                times = [time.perf_counter()]
                for each in passes:
                    c.c.statics(graph, ctypes.byref(given), each)
                    times.append(time.perf_counter())
                if len(passes) == 2:
                    placed[1] = min(placed[1], times[2] - times[1])
                whole[1] = min(whole[1], times[-1] - times[0])
            self._copies()  # the processor's caches are as they were for C
            times = [time.perf_counter()]
            self.wait()
            made = manifest.make()
            times.append(time.perf_counter())
            place_statics(self.world, *made)
            times.append(time.perf_counter())
            placed[0] = min(placed[0], times[2] - times[1])
            whole[0] = min(whole[0], times[2] - times[0])
            if turn == rounds - 1:
                after = self.world.graph.arrays
                assert parted(after, theirs) == [], "C and the kernels part"
                assert bodies.tobytes() == self.world.bodies.rows.tobytes(), "bodies part"
                assert kept[0]["made"].tolist() == made[0].tolist(), "rows part"
            self.clear()
        return placed[0] / placed[1], whole[0] / whole[1]

    def _copies(self) -> tuple[Arrays, Struct]:
        copies: Any = [array.copy() for array in self.world.graph.arrays]
        return Arrays(*copies), self.world.bodies.rows.copy()


def _residents(quick: bool) -> list[Row]:
    """The same 1,000 crossings among few and among very many residents.

    What they do is the same, statement by statement (`tests/physics/test_warm_commit.py`). Whoever
    leaves a list is replaced by its last member, which may be any resident: among very many, that
    member's rows are not in the processor's cache. So the time grows, in C as here, by the memory's
    latency, and then no more; no list is walked.
    """
    rows = []
    count = 20_000 if quick else 200_000
    few, many = Forest(2_000, 1), Forest(count, 1)
    moved = 1_000
    steps = ("change", "publish")
    for forest in (few, many):
        forest.roots = np.ascontiguousarray(forest.roots[:moved])
        for name in ("targets", "slots", "ids"):
            each = 2 if name != "targets" else 1
            columns = getattr(forest, name)
            setattr(forest, name, [np.ascontiguousarray(c[: each * moved]) for c in columns])
        forest.no_ids, forest.causes = forest.no_ids[:moved], forest.causes[:moved]
        forest.firsts, forest.counts = forest.firsts[:moved], forest.counts[:moved]
        forest.flags = forest.flags[:moved]
    steps = ("change", "publish")
    rounds = 20 if quick else 60
    ours, theirs = _rounds(many, many, *steps), _rounds(InC(many), many, *steps)
    ours_few, theirs_few = _rounds(few, few, *steps), _rounds(InC(few), few, *steps)
    best = best_of_turns((ours, theirs, ours_few, theirs_few), rounds)
    growth, growth_in_c = best[0] / best[2], best[1] / best[3]
    rows.append(
        Row(f"crossings among {count:,} residents", best[0] / best[1], "x", "C -O3, the same", 1.5)
    )
    rows.append(Row("the same", growth, "x", "the same among 2,000", None))
    rows.append(Row("the same in C", growth_in_c, "x", "C among 2,000", None))
    rows.append(Row("growth", growth / growth_in_c, "x", "growth in C", 1.1))
    a = many.graph.arrays
    used = sum(array.nbytes for array in (a.objects, a.parts, a.stack))
    used += sum(
        int(meta[0]) * sum(array.itemsize for array in arrays)
        for meta, arrays in (
            (a.shadow_meta, (a.shadows,)), (a.place_meta, (a.places,)),
            (a.entry_meta, (a.entries, a.order, a.ranks)),
        )
    )  # fmt: skip
    rows.append(Row("arrays a resident, one part, two cells", used / count, "bytes", "", None))
    return rows


def _movers(c: _C, count: int, rounds: int) -> float:
    ours, theirs = Movers(count), Movers(count)

    def there_and_back() -> None:
        ours.commit()
        ours.commit()

    def in_c() -> None:
        theirs.commit_in_c(c)
        theirs.commit_in_c(c)

    ratio = versus(there_and_back, in_c, rounds)
    assert parted(ours.world.graph.arrays, theirs.world.graph.arrays) == [], "C and kernels part"
    return ratio


def run(quick: bool) -> list[Row]:
    """The graph at its full size."""
    c = _C()
    rows = []
    ratio = _movers(c, 2_000 if quick else 10_000, 10 if quick else 30)
    rows.append(Row("movers over 9 x 9 blocks, republished", ratio, "x", "C -O3", 1.5))
    gc.collect()
    cells, statics = (100, 800) if quick else (500, 4_000)
    placed, made = Dungeon(cells, statics).measure(c, 6 if quick else 60)
    rows.append(Row("a dungeon's statics, placed alone", placed, "x", "C -O3", 1.5))
    rows.append(Row("made and placed, all of it", made, "x", "C -O3", None if quick else 1.4))
    return [*rows, *_residents(quick)]

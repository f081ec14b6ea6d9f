"""The membership arrays: objects, parts, cells and the lists that tie them together.

Everything is flat so that kernels can walk it. An index is a row (`slot`) of one of the arrays;
-1 is retail's null pointer. Lists, and the order they keep:

* a cell's object list and light list are linked through the members themselves (`cell_next`,
  `cell_prev`; `next`, `prev`): a member is in one cell at most, so an enter never needs room;
* a cell's shadow list is linked through the shadow rows (`next`, `prev`);
* a cell's part list is a slab of `entries`: `parts_first`, `parts_count`, `parts_room`. Beside it,
  at the same indices, `order` holds the list as retail's would stand after sorting: the painter
  sorts that slice, and `ranks` has each entry's index in it. An added entry goes to the end of
  both, a removed one is replaced by the last of each;
* an object's shadows are a slab of `shadows` (`shadow_first`, `shadow_count`, `shadow_room`) in
  cell array order, and `places[place_first + s * part_count + i]` is where the entry of part i for
  shadow s lies in `entries`;
* a child list is linked through the children (`next_sibling`, `prev_sibling`), order kept.

A removal from a cell's list moves the last member into the hole, as retail does everywhere.

`cell` and `objcell_id` are written by `cells.py` only (C18). Capacities grow here, in Python,
before a kernel runs; a kernel that lacks room stops before it has written anything (E3). Rows are
reused, last freed first, so the same events give the same rows.

`arrays` is the tuple that kernels take (`layout.Arrays`); it is made anew when an array has grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from acclient_py.core import I32, I64, Struct
from acclient_py.physics.layout import (
    BLOCK_DTYPE,
    BUILDING_DTYPE,
    BUILDING_PORTAL_DTYPE,
    CELL_DTYPE,
    EVENT_COUNT,
    EVENT_DTYPE,
    LIGHT_DTYPE,
    META_SIZE,
    OBJECT,
    OBJECT_DTYPE,
    OBJECT_LINKS,
    PART_DTYPE,
    PART_ENTRY_DTYPE,
    PORTAL_DTYPE,
    RECORDING,
    SHADOW_DTYPE,
    SHAPE_DTYPE,
    SIZE,
    USED,
    Arrays,
)  # fmt: skip
from acclient_py.physics.slabs import Slabs, grown, read_only

PAINTERS_OWN: Final = ("order", "ranks")


def _meta(size: int) -> I64:
    meta = np.full(META_SIZE, -1, np.int64)
    meta[USED] = 0
    meta[SIZE] = size
    return meta


class Graph:
    """Owner of the arrays: hands out rows, grows, and gives readers views that cannot be written.

    What the rows mean is written by the modules beside this one.
    """

    _PYTHON_POOLS: Final = (
        "objects",
        "parts",
        "poses",
        "lights",
        "cells",
        "blocks",
        "env_table",
        "portals",
        "stabs",
        "planes",
        "buildings",
        "building_portals",
        "shapes",
        "spheres",
        "cylinders",
    )

    def __init__(self, gfx: Struct, *, objects: int = 256, cells: int = 1024) -> None:
        """gfx : the models' pool; `set_gfx` when it has grown."""
        i32 = np.int32
        self.arrays = Arrays(
            control=np.zeros(8, np.int64),
            events=np.zeros(0, EVENT_DTYPE),
            objects=np.zeros(objects, OBJECT_DTYPE),
            parts=np.zeros(objects * 2, PART_DTYPE),
            poses=np.zeros((64, 7), np.float32),
            shadows=np.zeros(objects * 2, SHADOW_DTYPE),
            places=np.zeros(objects * 4, i32),
            entries=np.zeros(objects * 8, PART_ENTRY_DTYPE),
            order=np.zeros(objects * 8, i32),
            ranks=np.zeros(objects * 8, i32),
            shadow_meta=_meta(objects * 2),
            place_meta=_meta(objects * 4),
            entry_meta=_meta(objects * 8),
            lights=np.zeros(16, LIGHT_DTYPE),
            cells=np.zeros(cells, CELL_DTYPE),
            blocks=np.zeros(16, BLOCK_DTYPE),
            block_of=np.full(65536, -1, i32),
            env_table=np.zeros(64, i32),
            portals=np.zeros(64, PORTAL_DTYPE),
            stabs=np.zeros(64, np.uint32),
            planes=np.zeros((64, 4), np.float32),
            buildings=np.zeros(8, BUILDING_DTYPE),
            building_portals=np.zeros(8, BUILDING_PORTAL_DTYPE),
            shapes=np.zeros(16, SHAPE_DTYPE),
            spheres=np.zeros((16, 4), np.float32),
            cylinders=np.zeros((16, 5), np.float32),
            gfx=gfx,
            swne=np.zeros((16, 64), np.uint8),
            heights=np.zeros((16, 9, 9), np.float32),
            terrain_planes=np.zeros((16, 64, 2, 4), np.float32),
            water=np.zeros((16, 64), np.uint8),
            terrain=np.zeros((16, 81), np.uint16),
            stack=np.zeros(objects + 1, i32),
        )
        self._slabs = {name: Slabs(getattr(self.arrays, name)) for name in self._PYTHON_POOLS}
        self.generations: I32 = np.zeros(objects, np.int32)
        self._seen: Arrays | None = None  # what `_views` are of
        self._views = self.arrays
        self.growths = 0
        """How often an array had to grow: a warmed crossing leaves it as it is (C19)."""

    # rows given out by Python

    def take(self, pool: str, count: int = 1) -> int:
        """The first of `count` free rows of a pool, zeroed; the pool grows when it must."""
        slabs = self._slabs[pool]
        need = slabs.room_for(count)
        if need > len(slabs.array):
            self._grow(pool, need)
        first = slabs.take(count)
        if count:
            slabs.array[first : first + count] = np.zeros((), slabs.array.dtype)
        return first

    def take_many(self, pool: str, runs: int, count: int = 1) -> I32:
        """The first rows of `runs` runs of a pool; what is in the rows is left as it was."""
        if count == 0:
            return np.zeros(runs, np.int32)
        slabs = self._slabs[pool]
        need = slabs.room_for_many(runs, count)
        if need > len(slabs.array):
            self._grow(pool, need)
        return slabs.take_many(runs, count)

    def new_objects(self, count: int) -> I32:
        """Free object rows, as many calls of `new_object` give them; the caller fills them whole.

        `generations` says which life each of them is in.
        """
        return self.take_many("objects", count)

    def new_object(self) -> int:
        """A free object row: no cell, no parts, no relations, identity frame, scale 1."""
        slot = self.take("objects")
        row = self.arrays.objects[slot]
        row["generation"] = self.generations[slot]
        for name in OBJECT_LINKS:
            row[name] = -1
        for name in ("frame", "hold_frame"):
            row[name] = (0, 0, 0, 1, 0, 0, 0)
        row["scale"] = 1.0
        row["kind"] = OBJECT
        return slot

    def free_object(self, slot: int) -> None:
        """Take an object row back; its generation rises, so that nobody mistakes the next one."""
        row = self.arrays.objects[slot]
        self.generations[slot] = (int(row["generation"]) + 1) & 0xFFFF
        row["kind"] = 0
        self.give("objects", slot)

    def give(self, pool: str, first: int, count: int = 1) -> None:
        """Take rows of a pool back."""
        self._slabs[pool].give(first, count)

    def in_use(self, pool: str) -> int:
        """Rows of a pool that are given out."""
        return self._slabs[pool].in_use()

    def used(self, pool: str) -> int:
        """One more than the highest row of a pool that was ever given out."""
        return self._slabs[pool].used

    def _replace(self, **arrays: npt.NDArray[Any]) -> None:
        self.arrays = self.arrays._replace(**arrays)
        for name, array in arrays.items():
            if name in self._slabs:
                self._slabs[name].array = array
        self.growths += 1

    def _grow(self, pool: str, rows: int) -> None:
        array = grown(getattr(self.arrays, pool), rows)
        names = {pool: array}
        if pool == "objects":
            names["stack"] = np.zeros(len(array) + 1, np.int32)
            self.generations = grown(self.generations, len(array))
        if pool == "blocks":
            for beside in ("swne", "heights", "terrain_planes", "water", "terrain"):
                names[beside] = grown(getattr(self.arrays, beside), len(array))
        self._replace(**names)

    def set_gfx(self, gfx: Struct) -> None:
        """The models' pool has grown, or is another one."""
        if gfx is not self.arrays.gfx:
            self.arrays = self.arrays._replace(gfx=gfx)

    # slab pools given out by kernels

    def reserve(self, *, shadows: int = 0, places: int = 0, entries: int = 0) -> None:
        """See to it that so many rows are free beyond those ever used, before a kernel runs."""
        a = self.arrays
        if a.shadow_meta[USED] + shadows > len(a.shadows):
            self._replace(shadows=grown(a.shadows, int(a.shadow_meta[USED]) + shadows))
            self.arrays.shadow_meta[SIZE] = len(self.arrays.shadows)
        if a.place_meta[USED] + places > len(a.places):
            self._replace(places=grown(a.places, int(a.place_meta[USED]) + places))
            self.arrays.place_meta[SIZE] = len(self.arrays.places)
        if a.entry_meta[USED] + entries > len(a.entries):
            rows = int(a.entry_meta[USED]) + entries
            self._replace(
                entries=grown(a.entries, rows),
                order=grown(a.order, rows),
                ranks=grown(a.ranks, rows),
            )
            self.arrays.entry_meta[SIZE] = len(self.arrays.entries)

    # events

    @property
    def recording(self) -> bool:
        """Whether kernels write events."""
        return bool(self.arrays.control[RECORDING])

    def record(self, on: bool) -> None:
        """Switch the writing of events on or off; off costs a branch a publication."""
        self.arrays.control[RECORDING] = int(on)
        if on:
            self.reserve_events(1024)

    def reserve_events(self, count: int) -> None:
        """Room for `count` more events."""
        need = int(self.arrays.control[EVENT_COUNT]) + count
        if need > len(self.arrays.events):
            self._replace(events=grown(self.arrays.events, need))

    def drain_events(self) -> Struct:
        """The events since the last call, in order (EVENT_DTYPE), and forget them."""
        count = int(self.arrays.control[EVENT_COUNT])
        drained = self.arrays.events[:count].copy()
        self.arrays.control[EVENT_COUNT] = 0
        return drained

    # look-up and reading

    def cell_slot(self, cell_id: int) -> int:
        """The slot of a resident cell, or -1. Retail: CObjCell::GetVisible @0x0052AD40."""
        a = self.arrays
        block = int(a.block_of[(cell_id >> 16) & 0xFFFF])
        if block < 0:
            return -1
        low = cell_id & 0xFFFF
        row = a.blocks[block]
        if low < 0x100:
            first = int(row["cell_first"])
            return first + low - 1 if first >= 0 and 1 <= low <= 64 else -1
        index = low - 0x100
        if index >= row["env_count"]:
            return -1
        return int(a.env_table[int(row["env_first"]) + index])

    def full_cell_id(self, obj: int) -> int:
        """`cell.id` while resident, else 0: what everybody outside physics reads (D1)."""
        cell = int(self.arrays.objects["cell"][obj])
        return int(self.arrays.cells["id"][cell]) if cell >= 0 else 0

    def children_of(self, obj: int) -> Iterator[int]:
        """The children in child-list order."""
        objects = self.arrays.objects
        child = int(objects["first_child"][obj])
        while child >= 0:
            following = int(objects["next_sibling"][child])
            yield child
            child = following

    def subtree_of(self, obj: int) -> list[int]:
        """The object and all its descendants, each before its children."""
        found, waiting = [], [obj]
        while waiting:
            found.append(waiting.pop())
            waiting.extend(reversed(list(self.children_of(found[-1]))))
        return found

    def objects_of(self, cell: int) -> list[int]:
        """A cell's object list, in its order."""
        return self._linked(
            self.arrays.cells["objects_first"][cell], self.arrays.objects["cell_next"]
        )

    def shadows_of(self, cell: int) -> list[int]:
        """A cell's shadow list, in its order: rows of `shadows`."""
        return self._linked(self.arrays.cells["shadows_first"][cell], self.arrays.shadows["next"])

    def lights_of(self, cell: int) -> list[int]:
        """A cell's light list, in its order: rows of `lights`."""
        return self._linked(self.arrays.cells["lights_first"][cell], self.arrays.lights["next"])

    def parts_of(self, cell: int) -> Struct:
        """A cell's part list in publication order, a view that cannot be written."""
        row = self.arrays.cells[cell]
        first = int(row["parts_first"])
        view = self.arrays.entries[first : first + int(row["parts_count"])]
        view.flags.writeable = False
        return view

    def shadows_on(self, obj: int) -> Struct:
        """An object's shadows in cell array order, a view that cannot be written."""
        row = self.arrays.objects[obj]
        first = int(row["shadow_first"])
        view = self.arrays.shadows[first : first + int(row["shadow_count"])]
        view.flags.writeable = False
        return view

    @staticmethod
    def _linked(first: Any, following: npt.NDArray[Any]) -> list[int]:
        found, at = [], int(first)
        while at >= 0:
            found.append(at)
            at = int(following[at])
        return found

    def views(self) -> Arrays:
        """All arrays as views that cannot be written, for readers; the same ones until one grows.

        Only `order` and `ranks` can: they say in which order a cell's parts were last drawn, and
        nothing of a membership follows from them (L6, register D5).
        """
        # divergence: D5
        if self._seen is not self.arrays:
            views = {
                name: array if name in PAINTERS_OWN else read_only(array)
                for name, array in zip(Arrays._fields, self._all(), strict=True)
            }
            self._seen, self._views = self.arrays, Arrays(**views)
        return self._views

    def memory(self) -> dict[str, int]:
        """Bytes of each array that grows with the world."""
        return {name: array.nbytes for name, array in zip(Arrays._fields, self._all(), strict=True)}

    def _all(self) -> tuple[Any, ...]:
        return tuple(self.arrays)

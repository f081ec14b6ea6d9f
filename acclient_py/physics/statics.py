"""Statics by the hundred: their rows made at once, and placed in one pass each way (S1, S2).

A block or a dungeon brings thousands. What one static needs of Python is paid once for its Setup: a
pattern of its object row and of its part rows, which a kernel then lays out for all that look
alike. The cells, frames, cell arrays and shadows of all are written by one kernel call each, in the
order of the manifest. Those with lights, a default animation or a default script are made one by
one, since they start something of their own, and are placed with the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from acclient_py.core import F32, I32, I64, U8, U32, Struct
from acclient_py.physics import cells, children, position
from acclient_py.physics.bodies import Bodies
from acclient_py.physics.layout import CAUSE_STATIC, OBJECT_DTYPE, PART_DTYPE
from acclient_py.physics.objects import SETUP_TYPE
from acclient_py.physics.static_rows import APART, NONE, lay_out, match, place_of
from acclient_py.world.cell import STATIC_DTYPE

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

_CELLS_EACH: Final = 4
"""Room that is taken for a static's cell array; a pass that lacks some is begun again with more."""


class _Made(msgspec.Struct):
    """The statics of several homes, one home after the other."""

    homes: U32  # (h,)
    ends: I64  # (h,) where a home's statics end in `rows`
    rows: I32  # (n,) object rows, -1 an empty slot

    def of(self, home: int) -> I32:
        """One home's; where it came twice, what came last."""
        at = int(np.flatnonzero(self.homes == home)[-1])
        return self.rows[int(self.ends[at - 1]) if at else 0 : int(self.ends[at])]


class MadeStatics:
    """By landblock or env cell id: the rows of its statics in source order, -1 an empty slot."""

    def __init__(self) -> None:
        self._made: dict[int, _Made] = {}

    def add(self, homes: U32, sizes: I64, made: I32) -> None:
        """The rows of many, one home after the other. homes, sizes : (h,) ; made : (n,)"""
        self._made.update(dict.fromkeys(homes.tolist(), _Made(homes, np.cumsum(sizes), made)))

    def __contains__(self, home: int) -> bool:
        return home in self._made

    def __getitem__(self, home: int) -> I32:
        return self._made[home].of(home)

    def pop(self, home: int) -> list[int]:
        """Forget a home; what was made for it."""
        made = self._made.pop(home, None)
        if made is None:
            return []
        rows: list[int] = made.of(home).tolist()
        return rows

    def homes(self) -> list[int]:
        """All that have come and not gone."""
        return list(self._made)


class Patterns:
    """What all statics of one Setup have in common: a row of an object, and those of its parts.

    rows    : (p,) OBJECT_DTYPE ; parts : PART_DTYPE of all, one pattern after the other
    starts  : (p,) where a pattern's parts begin
    lengths : the different numbers of parts ; classes : (p,) a pattern's place in `lengths`
    uses    : (p,) how many of those that were asked for last follow each
    """

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.rows: Struct = np.zeros(0, OBJECT_DTYPE)
        self.parts: Struct = np.zeros(0, PART_DTYPE)
        self.starts: I64 = np.zeros(0, np.int64)
        self.lengths: list[int] = []
        self.classes: I64 = np.zeros(0, np.int64)
        self.body: Struct = Bodies.fresh()
        self.uses: I64 = np.zeros(0, np.int64)
        self._keys: U32 = np.zeros(16, np.uint32)  # of a table, 0: nothing is there
        self._values: I64 = np.zeros(16, np.int64)

    def of_all(self, dids: U32) -> I64:
        """The pattern of each data id: APART when such statics start something, NONE no object.

        `uses` counts afterwards how many follow each pattern.
        """
        which: I64 = np.empty(len(dids), np.int64)
        self.uses[:] = 0
        at = 0
        while (at := match(self._keys, self._values, dids, at, which, self.uses)) < len(dids):
            self._know(int(dids[at]))
        return which

    def _know(self, did: int) -> None:
        """One more entry of the table, which is never more than half full."""
        self._enter(did, self._make(did))
        keys = self._keys
        if 2 * np.count_nonzero(keys) > len(keys):
            known = np.flatnonzero(keys)
            old = zip(keys[known].tolist(), self._values[known].tolist(), strict=True)
            self._keys = np.zeros(2 * len(keys), np.uint32)
            self._values = np.zeros(2 * len(keys), np.int64)
            for key, value in old:
                self._enter(key, value)

    def _enter(self, did: int, pattern: int) -> None:
        at = place_of(self._keys, did)
        self._keys[at], self._values[at] = did, pattern

    def _make(self, did: int) -> int:
        """Copied from one that is made and given back."""
        world = self.world
        if world.refuse_object(did) is not None:
            return NONE
        setup = world.models.setup(did if did >> 24 else did | SETUP_TYPE)
        if setup.lights or setup.default_animation or setup.default_script:
            return APART
        obj = world.make_object(did, dynamic=False)
        a = world.graph.arrays
        first = int(a.objects["part_first"][obj])
        parts = a.parts[first : first + setup.part_count].copy()
        parts["frame"] = (0, 0, 0, 1, 0, 0, 0)
        if len(parts) not in self.lengths:
            self.lengths.append(len(parts))
        self.starts = np.append(self.starts, len(self.parts))
        self.classes = np.append(self.classes, self.lengths.index(len(parts)))
        self.uses = np.append(self.uses, 0)
        self.rows = _joined(self.rows, a.objects[obj : obj + 1])
        self.parts = _joined(self.parts, parts)
        world.objects.free(obj)
        return len(self.rows) - 1


class _Chunk(msgspec.Struct):
    """Manifests, one after the other: of how many statics each is, and the statics of all."""

    homes: U32
    sizes: I64
    dids: U32
    where: I32
    frames: F32
    scales: F32


class Manifest:
    """Statics that are to be made, in order; `place` makes them and says which rows they got."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.patterns = Patterns(world)
        self._chunks: list[_Chunk] = []

    def add(self, home: int, dids: U32, where: I32, frames: F32, scales: F32) -> None:
        """The manifest of a landblock: (n,) of each, frames (n, 7).

        dids  : 0, or one that no object can be made of, leaves its slot at -1
        where : cell slots
        """
        sizes = np.array([len(dids)])
        self._chunks.append(
            _Chunk(
                np.array([home], np.uint32), sizes, np.ascontiguousarray(dids), where,
                np.ascontiguousarray(frames), np.ascontiguousarray(scales),
            )
        )  # fmt: skip

    def add_cells(self, slots: I32) -> None:
        """The manifests of env cells, by the slots that these are in."""
        if len(slots) == 0:
            return
        models = self.world.blocks.env_models
        manifests = [models[slot].manifest for slot in slots.tolist()]
        sizes = np.fromiter(map(len, manifests), np.int64, len(slots)) // STATIC_DTYPE.itemsize
        rows = np.frombuffer(b"".join(manifests), STATIC_DTYPE)
        homes = self.world.graph.arrays.cells["id"][slots]
        self._chunks.append(
            _Chunk(
                homes, sizes, np.ascontiguousarray(rows["did"]), np.repeat(slots, sizes),
                np.ascontiguousarray(rows["frame"]), np.ones(len(rows), np.float32),
            )
        )  # fmt: skip

    def place(self) -> None:
        """Make all that were added and put them into their cells."""
        # contract: S1, S2
        if self._chunks:
            place_statics(self.world, *self.make())

    def make(self) -> tuple[I32, I32, F32]:
        """The rows of all that were added, in no cell: objects, cell slots, frames."""
        all_of, self._chunks = _joined_chunks(self._chunks), []
        which = self.patterns.of_all(all_of.dids)
        given = self._take_rows(which, all_of)
        self.world.statics.add(all_of.homes, all_of.sizes, given)
        real = given >= 0
        if real.all():
            return given, all_of.where, all_of.frames
        return given[real], all_of.where[real], all_of.frames[real]

    def _take_rows(self, which: I64, all_of: _Chunk) -> I32:
        """The object rows of all, in order, filled. Retail: CPhysicsObj::makeObject.

        which : (n,) their patterns. Returns (n,) rows, -1 for none
        """
        world, patterns = self.world, self.patterns
        graph = world.graph
        count = int(patterns.uses.sum())
        if count == len(which):
            given = graph.new_objects(count)
        else:
            given = np.full(len(which), -1, np.int32)
            alike = which >= 0
            given[alike] = graph.new_objects(count)
            for at in np.flatnonzero(which == APART).tolist():
                did, scale = int(all_of.dids[at]), float(all_of.scales[at])
                given[at] = world.make_object(did, dynamic=False, scale=scale)
        tally = np.zeros(len(patterns.lengths), np.int64)
        np.add.at(tally, patterns.classes, patterns.uses)
        runs = [
            graph.take_many("parts", int(wanted), length)
            for wanted, length in zip(tally, patterns.lengths, strict=True)
        ]
        world.bodies.reserve(int(given.max(initial=-1)) + 1)
        a, bodies = graph.arrays, world.bodies.rows
        lay_out(
            a, _words(a.objects, 8), _words(a.parts, 4), _words(bodies, 8), bodies,
            _words(patterns.rows, 8), _words(patterns.parts, 4), _words(patterns.body, 8)[0],
            patterns.starts, patterns.classes, np.concatenate([_NO_ROWS, *runs]),
            np.cumsum(tally) - tally, which, given, all_of.scales, all_of.homes, all_of.sizes,
            graph.generations, world.clock,
        )  # fmt: skip
        return given


_NO_ROWS: Final = np.zeros(0, np.int32)


def _joined_chunks(chunks: list[_Chunk]) -> _Chunk:
    """All of them as one."""
    if len(chunks) == 1:
        return chunks[0]
    return _Chunk(
        *(
            np.concatenate([getattr(chunk, name) for chunk in chunks])
            for name in _Chunk.__struct_fields__
        )
    )


def _words(rows: Struct, size: int) -> npt.NDArray[Any]:
    """(n, itemsize / size) view of rows as unsigned numbers of so many bytes."""
    view = rows.view(np.uint64 if size == 8 else np.uint32)
    return view.reshape(len(rows), rows.dtype.itemsize // size)


def _joined(table: Struct, more: Struct) -> Struct:
    """Rows after rows, with what lies between their fields: two same rows are the same bytes."""
    both: U8 = np.concatenate((table.view(np.uint8), more.view(np.uint8)))
    return both.view(table.dtype)


def place_statics(world: PhysicsWorld, objs: I32, where: I32, frames: F32) -> None:
    """`add_obj_to_cell` for many new objects, in order: cells, frames, static membership.

    objs : (n,) object slots ; where : (n,) cell slots ; frames : (n, 7) float32, block-local
    While events are recorded it is done one by one: their order is that of the objects.
    """
    # contract: S1, S2
    if world.graph.recording:
        for obj, cell, frame in zip(objs.tolist(), where.tolist(), frames, strict=True):
            world.add_obj_to_cell(obj, cell, frame, cause=CAUSE_STATIC)
        return
    arrays = world.graph.arrays
    count = len(objs)
    causes = np.full(count, CAUSE_STATIC, np.uint8)
    cells.write_cells(arrays, objs, where, np.zeros(count, np.uint32), causes)
    children.set_frames(arrays, objs, frames)
    world.batch.fill(objs, position.STATIC, cells_each=_CELLS_EACH)
    world.batch.cross(world.graph)

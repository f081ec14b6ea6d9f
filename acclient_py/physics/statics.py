"""Statics by the hundred: their rows made at once, and placed in one pass each way (S1, S2).

A block or a dungeon brings thousands. What one static needs of Python is paid once for its Setup: a
pattern of its object row and of its part rows, which is then laid out for all that look alike. The
cells, frames, cell arrays and shadows of all are written by one kernel call each, in the order of
the manifest. Those with lights, a default animation or a default script are made one by one, since
they start something of their own, and are placed with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from acclient_py.core import F32, I32, I64, U8, Struct
from acclient_py.physics import cells, children, position
from acclient_py.physics.layout import CAUSE_STATIC, OBJECT_DTYPE, PART_DTYPE
from acclient_py.physics.objects import SETUP_TYPE
from acclient_py.world.models import SetupModel

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

NONE: Final = -1
APART: Final = -2
_CELLS_EACH: Final = 4
"""Room that is taken for a static's cell array; a pass that lacks some is begun again with more."""


class Patterns:
    """What all statics of one Setup have in common: a row of an object, and those of its parts.

    rows   : (n,) OBJECT_DTYPE ; parts : PART_DTYPE of all, one pattern after the other
    starts : (n,) where a pattern's parts begin ; sizes : (n,) how many they are
    """

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.rows: Struct = np.zeros(0, OBJECT_DTYPE)
        self.parts: Struct = np.zeros(0, PART_DTYPE)
        self.starts: I64 = np.zeros(0, np.int64)
        self.sizes: I64 = np.zeros(0, np.int64)
        self.setups: list[SetupModel] = []
        self._known: dict[int, int] = {}

    def of(self, did: int) -> int:
        """The pattern of a data id: APART when such statics start something, NONE for no object."""
        known = self._known.get(did)
        if known is None:
            known = self._known[did] = self._make(did)
        return known

    def _make(self, did: int) -> int:
        """Copied from one that is made and given back."""
        world = self.world
        if did == 0 or world.refuse_object(did) is not None:
            return NONE
        setup = world.models.setup(did if did >> 24 else did | SETUP_TYPE)
        if setup.lights or setup.default_animation or setup.default_script:
            return APART
        obj = world.make_object(did, dynamic=False)
        a = world.graph.arrays
        first = int(a.objects["part_first"][obj])
        parts = a.parts[first : first + setup.part_count].copy()
        parts["frame"] = (0, 0, 0, 1, 0, 0, 0)
        self.starts = np.append(self.starts, len(self.parts))
        self.sizes = np.append(self.sizes, len(parts))
        self.rows = _joined(self.rows, a.objects[obj : obj + 1])
        self.parts = _joined(self.parts, parts)
        self.setups.append(setup)
        world.objects.free(obj)
        return len(self.setups) - 1


@dataclass(slots=True)
class _Chunk:
    """What one home wants: the list that its rows go to, from `first` on, and the statics."""

    made: list[int]
    first: int
    home: int
    dids: I64
    where: I32
    frames: F32
    scales: F32


class Manifest:
    """Statics that are to be made, in order; `place` makes them and says which rows they got."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.patterns = Patterns(world)
        self._chunks: list[_Chunk] = []

    def add(
        self,
        made: list[int],
        home: int,
        dids: Sequence[int],
        where: int | Sequence[int],
        frames: Sequence[npt.ArrayLike],
        scales: float | Sequence[float] = 1.0,
    ) -> None:
        """More of them: a slot each is appended to `made` now and filled by `place`.

        home  : the landblock or env cell whose manifest it is
        dids  : 0, or one that no object can be made of, leaves its slot at -1
        where : the cell slot of all, or of each
        """
        count = len(dids)
        if count == 0:
            return
        slots = np.empty(count, np.int32)
        slots[:] = where
        sizes = np.empty(count, np.float32)
        sizes[:] = scales
        placed = np.array(frames, np.float32).reshape(count, 7)
        kinds = np.array(dids, np.int64)
        self._chunks.append(_Chunk(made, len(made), home, kinds, slots, placed, sizes))
        made.extend([-1] * count)

    def place(self) -> None:
        """Make all that were added and put them into their cells."""
        # contract: S1, S2
        if self._chunks:
            place_statics(self.world, *self.make())

    def make(self) -> tuple[I32, I32, F32]:
        """The rows of all that were added, in no cell: objects, cell slots, frames."""
        chunks, self._chunks = self._chunks, []
        kinds, kind_of = np.unique(np.concatenate([c.dids for c in chunks]), return_inverse=True)
        pattern_of = np.array([self.patterns.of(did) for did in kinds.tolist()])[kind_of]
        sizes = np.array([len(chunk.dids) for chunk in chunks])
        first = np.array([chunk.first for chunk in chunks])
        ends = np.cumsum(sizes)
        real = np.flatnonzero(pattern_of != NONE)
        scales = np.concatenate([chunk.scales for chunk in chunks])[real]
        objs = self._make(kinds[kind_of[real]], pattern_of[real], scales)
        rows = self.world.graph.arrays.objects
        home = np.repeat(np.array([chunk.home for chunk in chunks], np.uint32), sizes)
        index = np.arange(len(kind_of)) + np.repeat(first - (ends - sizes), sizes)
        rows["home_id"][objs], rows["home_index"][objs] = home[real], index[real]
        given = np.full(len(kind_of), -1, np.int32)
        given[real] = objs
        slots, at = given.tolist(), 0
        for chunk, end in zip(chunks, ends.tolist(), strict=True):
            chunk.made[chunk.first : chunk.first + end - at] = slots[at:end]
            at = end
        where = np.concatenate([chunk.where for chunk in chunks])[real]
        return objs, where, np.concatenate([chunk.frames for chunk in chunks])[real]

    def _make(self, dids: I64, pattern_of: I64, scales: F32) -> I32:
        """The rows of all, in order. Retail: CPhysicsObj::makeObject."""
        world = self.world
        alike = np.flatnonzero(pattern_of >= 0)
        objs = np.full(len(dids), -1, np.int32)
        objs[alike] = world.graph.new_objects(len(alike))
        for at in np.flatnonzero(pattern_of == APART).tolist():
            objs[at] = world.make_object(int(dids[at]), dynamic=False, scale=float(scales[at]))
        self._lay_out(pattern_of[alike], objs[alike], scales[alike])
        return objs

    def _lay_out(self, which: I64, objs: I32, scales: F32) -> None:
        """Fill the rows of objects that follow patterns; their parts are taken here.

        which : (n,) their patterns ; objs : (n,) their rows
        """
        world = self.world
        graph = world.graph
        patterns = self.patterns
        made = _rows_of(patterns.rows, which)
        counts = patterns.sizes[which]
        first = np.zeros(len(objs), np.int32)
        for size in sorted(set(patterns.sizes.tolist())):
            same = np.flatnonzero(counts == size)
            first[same] = graph.take_many("parts", len(same), size)
        made["part_first"] = first
        made["scale"] = scales
        made["update_time"] = world.clock
        made["generation"] = graph.generations[objs]
        _bytes_of(graph.arrays.objects)[objs] = _bytes_of(made)
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        parts = _rows_of(patterns.parts, np.repeat(patterns.starts[which], counts) + within)
        parts["object"] = np.repeat(objs, counts)
        parts["scale"] *= np.repeat(scales, counts)[:, None]
        _bytes_of(graph.arrays.parts)[np.repeat(first, counts) + within] = _bytes_of(parts)
        setups = map(patterns.setups.__getitem__, which.tolist())
        world.objects.setups.update(zip(objs.tolist(), setups, strict=True))
        world.bodies.reset_many(objs, made["generation"])


def _bytes_of(rows: Struct) -> U8:
    """(n, itemsize) view: numpy copies a record field by field, but its bytes at once."""
    return rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)


def _joined(table: Struct, more: Struct) -> Struct:
    """Rows after rows, with what lies between their fields: two same rows are the same bytes."""
    both = np.concatenate((_bytes_of(table), _bytes_of(more)))
    return both.reshape(-1).view(table.dtype)


def _rows_of(table: Struct, which: I64) -> Struct:
    """Rows of a table, a copy."""
    return _bytes_of(table)[which].reshape(-1).view(table.dtype)


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

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

from acclient_py.core import F32, I32, I64, Struct
from acclient_py.physics import cells, children, position
from acclient_py.physics.layout import CAUSE_STATIC, OBJECT_DTYPE, PART_DTYPE
from acclient_py.physics.objects import SETUP_TYPE
from acclient_py.world.models import SetupModel

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

_CELLS_EACH: Final = 4
"""Room that is taken for a static's cell array; a pass that lacks some is begun again with more."""


@dataclass(slots=True)
class Pattern:
    """What all statics of one Setup have in common: () OBJECT_DTYPE, (parts,) PART_DTYPE."""

    setup: SetupModel
    row: Struct
    parts: Struct


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
        self._chunks: list[_Chunk] = []
        self._patterns: dict[int, Pattern | None] = {}

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
        chunks, self._chunks = self._chunks, []
        if not chunks:
            return
        dids = np.concatenate([chunk.dids for chunk in chunks])
        kinds, kind_of = np.unique(dids, return_inverse=True)
        there = [did != 0 and self.world.refuse_object(did) is None for did in kinds.tolist()]
        real = np.array(there)[kind_of]
        sizes = [len(chunk.dids) for chunk in chunks]
        homes = np.repeat(np.array([chunk.home for chunk in chunks], np.uint32), sizes)
        places = [np.arange(c.first, c.first + len(c.dids), dtype=np.int32) for c in chunks]
        objs = self._make(dids[real], np.concatenate([chunk.scales for chunk in chunks])[real])
        rows = self.world.graph.arrays.objects
        rows["home_id"][objs] = homes[real]
        rows["home_index"][objs] = np.concatenate(places)[real]
        place_statics(
            self.world,
            objs,
            np.concatenate([chunk.where for chunk in chunks])[real],
            np.concatenate([chunk.frames for chunk in chunks])[real],
        )
        given = np.full(len(dids), -1, np.int32)
        given[real] = objs
        at = 0
        for chunk, size in zip(chunks, sizes, strict=True):
            chunk.made[chunk.first : chunk.first + size] = given[at : at + size].tolist()
            at += size

    def _pattern(self, did: int) -> Pattern | None:
        """The rows of such a static, copied from one that is made and given back; None: apart."""
        if did in self._patterns:
            return self._patterns[did]
        world = self.world
        setup = world.models.setup(did if did >> 24 else did | SETUP_TYPE)
        found = None
        if not (setup.lights or setup.default_animation or setup.default_script):
            obj = world.make_object(did, dynamic=False)
            a = world.graph.arrays
            first, count = int(a.objects["part_first"][obj]), setup.part_count
            found = Pattern(setup, a.objects[obj].copy(), a.parts[first : first + count].copy())
            found.parts["frame"] = (0, 0, 0, 1, 0, 0, 0)
            world.objects.free(obj)
        self._patterns[did] = found
        return found

    def _make(self, dids: I64, scales: F32) -> I32:
        """The rows of all, in order. Retail: CPhysicsObj::makeObject."""
        world = self.world
        kinds, kind_of = np.unique(dids, return_inverse=True)
        patterns = [self._pattern(did) for did in kinds.tolist()]
        plain = np.array([pattern is not None for pattern in patterns], bool)[kind_of]
        objs = np.full(len(dids), -1, np.int32)
        objs[plain], generations = world.graph.new_objects(int(plain.sum()))
        for at in np.flatnonzero(~plain).tolist():
            objs[at] = world.make_object(int(dids[at]), dynamic=False, scale=float(scales[at]))
        for kind, pattern in enumerate(patterns):
            if pattern is not None:
                which = np.flatnonzero(kind_of == kind)
                self._lay_out(pattern, objs[which], scales[which])
        world.graph.arrays.objects["generation"][objs[plain]] = generations
        world.bodies.reset_many(objs[plain], generations)
        return objs

    def _lay_out(self, pattern: Pattern, objs: I32, scales: F32) -> None:
        """Fill the rows of all of one pattern; their parts are taken here."""
        world = self.world
        graph = world.graph
        count, parts = len(objs), len(pattern.parts)
        first = graph.take_many("parts", count, parts)
        made = np.empty(count, OBJECT_DTYPE)
        made[:] = pattern.row
        made["part_first"] = first
        made["scale"] = scales
        made["update_time"] = world.clock
        graph.arrays.objects[objs] = made
        block = np.empty((count, parts), PART_DTYPE)
        block[:] = pattern.parts
        block["object"] = objs[:, None]
        block["scale"] *= scales[:, None, None]
        graph.arrays.parts[first[:, None] + np.arange(parts)] = block
        world.objects.setups.update(dict.fromkeys(objs.tolist(), pattern.setup))


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

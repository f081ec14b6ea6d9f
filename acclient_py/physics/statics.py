"""Statics by the hundred: their rows made at once, and placed in one pass each way (S1, S2).

A block or a dungeon brings thousands. What one static needs of Python is paid once for its Setup: a
pattern of its object row and of its part rows, which is then laid out for all that look alike. The
cells, frames, cell arrays and shadows of all are written by one kernel call each, in the order of
the manifest. Those with lights, a default animation or a default script are made one by one, since
they start something of their own, and are placed with the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from acclient_py.core import F32, I32, Struct
from acclient_py.physics import cells, children, position
from acclient_py.physics.layout import CAUSE_STATIC, OBJECT_DTYPE, PART_DTYPE
from acclient_py.physics.objects import SETUP_TYPE
from acclient_py.physics.posing import as_frame
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


class Manifest:
    """Statics that are to be made, in order; `place` makes them and says which rows they got."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self._dids: list[int] = []
        self._cells: list[int] = []
        self._frames: list[F32] = []
        self._scales: list[float] = []
        self._homes: list[tuple[int, int]] = []
        self._slots: list[tuple[list[int], int]] = []
        self._patterns: dict[int, Pattern | None] = {}

    def add(
        self, made: list[int], home: int, did: int, cell: int, frame: npt.ArrayLike, scale: float
    ) -> None:
        """One more: its slot in `made` is appended now and filled by `place`; -1 stays empty.

        home : the landblock or env cell whose manifest it is
        """
        index = len(made)
        made.append(-1)
        if did == 0 or self.world.refuse_object(did) is not None:
            return
        self._dids.append(did)
        self._cells.append(cell)
        self._frames.append(as_frame(frame))
        self._scales.append(scale)
        self._homes.append((home, index))
        self._slots.append((made, index))

    def place(self) -> None:
        """Make all that were added and put them into their cells."""
        # contract: S1, S2
        if not self._dids:
            return
        objs = self._make()
        for (made, index), obj in zip(self._slots, objs.tolist(), strict=True):
            made[index] = obj
        place_statics(
            self.world, objs, np.array(self._cells, np.int32), np.array(self._frames, np.float32)
        )
        for waiting in (self._dids, self._cells, self._frames, self._scales, self._homes):
            waiting.clear()
        self._slots.clear()

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

    def _make(self) -> I32:
        """The rows of all, in order. Retail: CPhysicsObj::makeObject."""
        world = self.world
        scales = np.array(self._scales, np.float32)
        kinds, kind_of = np.unique(np.array(self._dids, np.int64), return_inverse=True)
        patterns = [self._pattern(did) for did in kinds.tolist()]
        plain = np.array([pattern is not None for pattern in patterns])[kind_of]
        objs = np.full(len(scales), -1, np.int32)
        objs[plain], generations = world.graph.new_objects(int(plain.sum()))
        for at in np.flatnonzero(~plain).tolist():
            objs[at] = world.make_object(self._dids[at], dynamic=False, scale=self._scales[at])
        for kind, pattern in enumerate(patterns):
            if pattern is not None:
                which = np.flatnonzero(kind_of == kind)
                self._lay_out(pattern, objs[which], scales[which])
        rows = world.graph.arrays.objects
        rows["generation"][objs[plain]] = generations
        world.bodies.reset_many(objs[plain], generations)
        homes = np.array(self._homes, np.int64)
        rows["home_id"][objs], rows["home_index"][objs] = homes[:, 0], homes[:, 1]
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

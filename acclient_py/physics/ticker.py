"""The tick of a world: every mover through one kernel, in as many calls as there has to be.

While events are recorded objects go one by one, so that the room for their events is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from acclient_py.anim.sequence import Sequences
from acclient_py.core import F32
from acclient_py.kernels import compile_for
from acclient_py.physics import tick as ticking
from acclient_py.physics.layout import OBJECT
from acclient_py.physics.position import reserve_events
from acclient_py.physics.shadow import republish
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.transit import HEAD_SIZE
from acclient_py.physics.transition import run_path

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


class Ticker:
    """Runs `tick_bodies`; owner of the arrays that it works in."""

    def __init__(self, world: PhysicsWorld, sequences: Sequences) -> None:
        self.world = world
        self.sequences = sequences
        self._rows: tuple[Any, ...] = (
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.zeros(1, np.uint32),
            np.zeros(1, np.uint8),
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.zeros(1, np.uint8),
            np.zeros(1, np.uint8),
            np.zeros(HEAD_SIZE, np.int64),
            np.zeros((10, 4), np.float32),
            np.zeros(3, np.int64),
        )
        self._frames: F32 = np.zeros((1, 7), np.float32)
        self._scratch = np.zeros((3, 7), np.float64)
        self._out = np.zeros(4, np.int64)
        self._lost = np.zeros((64, 2), np.int64)
        self._lost_frames = np.zeros((64, 7), np.float64)

    def run(self, quantum: float) -> None:
        """One quantum for every object; those that moved out of the loaded world are lost."""
        # contract: C7, C8
        world, graph = self.world, self.world.graph
        tables = world.transitions.tables
        stop = graph.used("objects")
        if stop > len(self._lost):
            self._lost = np.zeros((2 * stop, 2), np.int64)
            self._lost_frames = np.zeros((2 * stop, 7), np.float64)
        self._out[:] = 0
        at = self._next_mover(0, stop)
        while at < stop:
            here = at + 1 if graph.recording else stop
            if graph.recording:
                reserve_events(graph, [at], len(tables.cell_ids))
            at = ticking.tick_bodies(*self._arguments(at, here, quantum))
            if self._out[ticking.NEED_ROOM] >= 0:
                self._publish_with_more_room()
            at = self._next_mover(at, stop)
        for n in range(int(self._out[ticking.LOST_COUNT])):
            obj, cell_id = (int(v) for v in self._lost[n])
            world.lose(obj, cell_id, self._lost_frames[n].astype(np.float32))

    def _arguments(self, at: int, here: int, quantum: float) -> tuple[Any, ...]:
        """Those of `tick_bodies`, for the rows `at` to `here` - 1."""
        world, tables = self.world, self.world.transitions.tables
        return (
            world.transitions.paths,
            tables.refresh(),
            world.graph.arrays,
            world.bodies.rows,
            self.sequences.rows,
            self.sequences.pack(),
            at,
            here,
            world.player,
            quantum,
            (tables.cell_ids, tables.cell_slots, tables.cell_head),
            self._rows,
            self._frames,
            self._out,
            self._lost,
            self._lost_frames,
            self._scratch,
        )

    def compile(self) -> None:
        """Make the machine code of movement: nearly half of all that there is."""
        paths, rows = self.world.transitions.paths, self.world.transitions.tables.refresh()
        compile_for(run_path, paths, rows, True)
        compile_for(ticking.tick_bodies, *self._arguments(0, 0, 0.0))

    def _next_mover(self, at: int, stop: int) -> int:
        """While events are recorded objects go one by one; the next row that can move at all."""
        if not self.world.graph.recording:
            return at
        rows = self.world.graph.arrays.objects[at:stop]
        animated = rows["state"] & PhysicsState.HAS_DEFAULT_ANIM != 0
        able = rows["state"] & PhysicsState.STATIC == 0
        able |= animated
        able &= (rows["kind"] == OBJECT) & (rows["parent"] < 0) & (rows["cell"] >= 0)
        found = np.flatnonzero(able)
        return at + int(found[0]) if len(found) else stop

    def _publish_with_more_room(self) -> None:
        """The object at hand is moved, but its shadows found no room: make some and go on."""
        graph, tables = self.world.graph, self.world.transitions.tables
        roots, firsts, counts, flags, need = (self._rows[k] for k in (0, 4, 5, 6, 10))
        done = 0
        while done < 1:
            graph.reserve(shadows=int(need[0]), places=int(need[1]), entries=int(need[2]))
            done = republish(
                graph.arrays, roots, firsts, counts, tables.cell_ids, tables.cell_slots, flags,
                0, need,
            )  # fmt: skip

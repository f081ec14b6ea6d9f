"""Particle emitters of a world's objects: made, stopped, destroyed, advanced (spec rendering 8.2).

Owner of the rows that `particles.py` works on. An object's emitters are known by number, as hooks
name them; an emitter ends by itself when it may emit no more and its last particle is gone. Each
has a random stream of its own, seeded by what it is and whose, so that neither another emitter nor
the order of arrivals changes what it does. Nothing here depends on what is drawn (register D22).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from acclient_py.core import F64, I32, I64
from acclient_py.core.frame import Frame
from acclient_py.core.ids import hex8
from acclient_py.dat.records.hooks import WHOLE_OBJECT
from acclient_py.dat.records.particle_emitter import ParticleEmitter, VectorRange
from acclient_py.errors import DataError
from acclient_py.log import warn_once
from acclient_py.physics import particles as p
from acclient_py.physics.position import reserve_events
from acclient_py.physics.state import PhysicsState

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

log = logging.getLogger(__name__)

STATE: Final = (
    PhysicsState.PARTICLE_EMITTER | PhysicsState.ETHEREAL | PhysicsState.IGNORE_COLLISIONS
)
FIRST_GUID: Final = 0xEE000001
"""Emitters have names of their own, from here on: transcripts and probes tell them by it."""

_MOST: Final = 1000
"""More particles than this of one emitter are not had (retail's records stay far below)."""


class Emitters:
    """All emitters of one world."""

    def __init__(self, world: PhysicsWorld, *, seed: int = 1) -> None:
        self.world = world
        self.seed = seed
        self.rows = np.zeros(16, p.EMITTER_DTYPE)
        self.rows["object"] = -1
        self.particles = np.zeros(128, p.PARTICLE_DTYPE)
        self._used = 0
        self._particles_used = 0
        self._free: list[int] = []
        self._free_particles: dict[int, list[int]] = {}
        self._of: dict[int, dict[int, int]] = {}
        self._next_id: dict[int, int] = {}
        self.made = 0
        self._records: dict[int, ParticleEmitter | None] = {}
        self._changes: I32 = np.zeros((128, 3), np.int32)
        self._drawn: F64 = np.zeros((4, 3), np.float64)
        self._frame: F64 = np.zeros(7, np.float64)
        self._out: I64 = np.zeros(2, np.int64)
        self._need: I64 = np.zeros(3, np.int64)

    # reading ---------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._used - len(self._free)

    def of(self, obj: int) -> dict[int, int]:
        """An object's emitters: number to the emitter's own object."""
        return {
            number: int(self.rows["object"][at]) for number, at in self._of.get(obj, {}).items()
        }

    def is_emitter(self, obj: int) -> bool:
        """Whether an object is one of these emitters."""
        return bool((self.rows["object"][: self._used] == obj).any())

    def living(self) -> int:
        """How many particles there are."""
        rows = self.rows[: self._used]
        return int(rows["count"][rows["object"] >= 0].sum())

    # making and ending -----------------------------------------------------------------

    def create(
        self,
        obj: int,
        did: int,
        *,
        part: int,
        frame: Frame,
        number: int = 0,
        blocking: bool = False,
    ) -> int:
        """Start an emitter on an object or on one of its parts; its number, 0 when refused.

        number   : one that is there already is replaced; 0: a new one
        blocking : one that is there already stays, and nothing is started

        Retail: ParticleManager::CreateParticleEmitter, CreateBlockingParticleEmitter.
        """
        mine = self._of.get(obj, {})
        if number and number in mine:
            if blocking:
                return 0
            self.destroy(obj, number)
        record = self._record(did)
        if record is None:
            return 0
        gfx = self.world.models.gfx(record.hardware_model_id)
        self.world.graph.set_gfx(self.world.models.gfx_rows)
        parts = int(self.world.graph.arrays.objects["part_count"][obj])
        if part != WHOLE_OBJECT and part >= parts:
            # EQP-04: never the last part
            warn_once(
                ("part of an emitter", did, part),
                "emitter %s asks for part %d of %d: it hangs on the object",
                hex8(did), part, parts, logger=log,
            )  # fmt: skip
            part = WHOLE_OBJECT
        most = min(max(record.max_particles, 0), _MOST)
        emitter = self.world.objects.make_emitter(most, _reach(record))
        row = self.world.graph.arrays.objects[emitter]
        of = self.world.graph.arrays.objects[obj]
        row["guid"] = FIRST_GUID + self.made
        row["state"] = int(STATE)
        row["home_id"], row["home_index"] = int(of["home_id"]), int(of["home_index"])
        self.world.bodies.reset(emitter, int(row["generation"]))
        self.made += 1
        reason = self.world.set_parent_frame(emitter, obj, part, frame)
        if reason is not None:
            self.world.delete_object(emitter)
            return 0
        if not number:
            number = self._next_id.get(obj, 1)
            while number in self._of.get(obj, {}):
                number += 1
            self._next_id[obj] = number + 1
        at = self._take_row()
        self._of.setdefault(obj, {})[number] = at
        first = self._take_particles(most)
        self._fill(at, record, emitter, obj, -1 if part == WHOLE_OBJECT else part, first, most, gfx)
        self.rows[at]["hold"] = frame.array()[:3]
        self._seed(at, obj, did, part, number)
        return number

    def stop(self, obj: int, number: int) -> None:
        """No more particles from this one; those that are there live on."""
        at = self._of.get(obj, {}).get(number)
        if at is not None:
            self.rows["stopped"][at] = 1

    def destroy(self, obj: int, number: int) -> None:
        """End an emitter with all its particles."""
        at = self._of.get(obj, {}).pop(number, None)
        if at is not None:
            self._release(at)

    def forget(self, obj: int) -> None:
        """The object is deleted: its emitters end with it."""
        for number in list(self._of.get(obj, ())):
            self.destroy(obj, number)
        self._of.pop(obj, None)
        self._next_id.pop(obj, None)

    # time ------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """One update of all emitters; what has ended is taken out."""
        # divergence: D22
        if not self._of:
            return
        graph = self.world.graph
        rows = self.rows[: self._used]
        room = self._particles_used * 2 + self._used
        if room > len(self._changes):
            self._changes = np.zeros((2 * room, 3), np.int32)
        p.advance_particles(
            graph.arrays, rows, self.particles, now, self._changes, self._drawn, self._frame,
            self._out,
        )  # fmt: skip
        count = int(self._out[p.CHANGES])
        done = 0
        while done < count:
            if graph.recording:
                graph.reserve_events(2 * (count - done))
            done = p.swap_parts(graph.arrays, self._changes, done, count, self._need)
            if done < count:
                graph.reserve(entries=int(self._need[2]))
        if self._out[p.ENDED]:
            self._take_out_ended()

    def _take_out_ended(self) -> None:
        for obj, mine in list(self._of.items()):
            for number, at in list(mine.items()):
                if self.rows["ended"][at]:
                    self.destroy(obj, number)
            if not mine:
                del self._of[obj]

    # rows ------------------------------------------------------------------------------

    def _record(self, did: int) -> ParticleEmitter | None:
        if did not in self._records:
            found = None
            try:
                record = self.world.models.dats.record(did)
                if isinstance(record, ParticleEmitter) and record.hardware_model_id:
                    found = record
            except DataError as error:
                warn_once(("record", did), "emitter %s left out: %s", hex8(did), error, logger=log)
            self._records[did] = found
        return self._records[did]

    def _fill(
        self, at: int, record: ParticleEmitter, emitter: int, obj: int, part: int, first: int,
        most: int, gfx: int,
    ) -> None:  # fmt: skip
        row = self.rows[at]
        self.rows[at : at + 1] = np.zeros(1, p.EMITTER_DTYPE)
        row["object"], row["parent"], row["part"] = emitter, obj, part
        row["particle_first"], row["most"], row["gfx"] = first, most, gfx
        row["type"], row["kind"] = record.particle_type, record.emitter_type
        row["pending"], row["total"] = record.initial_particles, max(record.total_particles, 0)
        row["local"] = record.is_parent_local != 0
        row["birthrate"], row["seconds"] = record.birthrate, max(record.total_seconds, 0.0)
        row["created"] = row["last_time"] = self.world.clock
        row["span"], row["span_random"] = record.lifespan, record.lifespan_random
        row["away"], row["a"] = _spread(record.offset), _spread(record.a)
        row["b"], row["c"] = _spread(record.b), _spread(record.c)
        row["scale"] = (record.start_scale, record.final_scale, record.scale_random)
        row["clear"] = (
            record.start_translucency,
            record.final_translucency,
            record.translucency_random,
        )
        objects = self.world.graph.arrays.objects
        row["last_at"] = objects["frame"][emitter][:3]
        row["last_cell_id"] = objects["objcell_id"][emitter]

    def _seed(self, at: int, obj: int, did: int, part: int, number: int) -> None:
        """Where the emitter's own stream of random numbers begins."""
        of = self.world.graph.arrays.objects[obj]
        words = (
            self.seed, int(of["guid"]), int(of["home_id"]), int(of["home_index"]) + 1,
            int(of["instance"]), did, part, number,
        )  # fmt: skip
        mixed = 0x9E3779B97F4A7C15
        for word in words:
            mixed = ((mixed ^ word) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            mixed ^= mixed >> 29
        self.rows[at]["random"] = (1 + (mixed >> 32) % 2147483562, 1 + mixed % 2147483398)

    def _take_row(self) -> int:
        if self._free:
            return self._free.pop()
        if self._used == len(self.rows):
            more = np.zeros(2 * len(self.rows), p.EMITTER_DTYPE)
            more["object"] = -1
            more[: self._used] = self.rows
            self.rows = more
        self._used += 1
        return self._used - 1

    def _take_particles(self, count: int) -> int:
        waiting = self._free_particles.get(count)
        if waiting:
            first = waiting.pop()
        else:
            first = self._particles_used
            self._particles_used += count
            if self._particles_used > len(self.particles):
                more = np.zeros(2 * self._particles_used, p.PARTICLE_DTYPE)
                more[: len(self.particles)] = self.particles
                self.particles = more
        self.particles[first : first + count] = np.zeros((), p.PARTICLE_DTYPE)
        return first

    def _release(self, at: int) -> None:
        """Free an emitter's rows and its object."""
        row: Any = self.rows[at]
        emitter, first, count = int(row["object"]), int(row["particle_first"]), int(row["most"])
        row["object"] = -1
        row["ended"] = 0
        self._free.append(at)
        self._free_particles.setdefault(count, []).append(first)
        if self.world.graph.recording:
            reserve_events(self.world.graph, [emitter], 1)
        self.world.delete_object(emitter)


def _spread(value: VectorRange) -> tuple[float, ...]:
    return (*value.vector, value.min, value.max)


def _reach(record: ParticleEmitter) -> float:
    """Radius of the sorting sphere. Retail: ParticleEmitterInfo::InitEnd."""
    return max(record.offset.max, record.a.max * record.lifespan)

"""Errands: objects that go by themselves, along places or after somebody, tick by tick.

An errand is a step of a scenario, so it is recorded, replayed and run without a window like all
else. It holds the motions that a walk holds: it turns the object, sets it going forward, and time
and the ground do the rest. What it does on arriving (a door, a thing taken up or put away) are
steps too. Who is not in the world waits; who is gone has no errand any more, but for the world's
own things (`things.py`): they come again, and go on from the beginning.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field

from acclient_py.anim import motion
from acclient_py.core import F32, trig
from acclient_py.core.frame import local_to_global_vec
from acclient_py.core.ids import get_block_offset, hex8
from acclient_py.host import scenario as sc

if TYPE_CHECKING:
    from acclient_py.host.host import Host

ARRIVED: Final = 0.3
"""Metres from a place at which it is reached."""

STUCK_TICKS: Final = 60
"""Ticks without coming nearer after which the next place is tried."""

TURN: Final = math.pi / 20
"""Radians of a turn in one tick: 270 degrees a second."""

STANDS_ABOVE: Final = 0.7
"""Radians between the heading and the way at which an object turns where it stands."""

STRAIGHT: Final = 1e-3
"""Radians off the way that are not worth a turn."""

CRUMB: Final = 0.5
"""Metres between two places of a trail."""

LONGEST_TRAIL: Final = 400
HURRIES: Final = 5
"""Places of a trail from which on a follower runs."""
GIVES_WAY: Final = 0.6
"""Nearer than this share of its distance a follower goes out of its leader's way: in a doorway the
one who turns round could not pass it."""

_NORTH: Final = (np.float32(0.0), np.float32(1.0), np.float32(0.0))


class _Run(Struct):
    """How far one errand has come.

    life  : the incarnation that is on it
    trail : where the leader went, oldest first: (cell id, x, y)
    """

    step: sc.Errand
    life: int = -1
    at: int = 0
    waits: int = 0
    best: float = math.inf
    since: int = 0
    gait: bool | None = None  # running, walking, standing
    trail: list[tuple[int, float, float]] = field(default_factory=list)


class Errands:
    """All errands of one host, in the order in which they began."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._runs: dict[int, _Run] = {}

    def __len__(self) -> int:
        return len(self._runs)

    def begin(self, step: sc.Errand) -> str | None:
        """Start or end an errand; why not, or None."""
        guid = int(step.guid)
        known = self.host.session.directory.get(guid)
        if known is None:
            if not self.host.keeper.keeps(guid):
                return "nobody has this guid"
        elif not self.host.physics.movement.has_table(known.obj):
            return f"{hex8(guid)} has no motion table to walk by"
        before = self._runs.pop(guid, None)
        if before is not None and known is not None:
            self._stand(known.obj, before)
        if step.stops or step.follow is not None:
            self._runs[guid] = _Run(step)
        return None

    def tick(self) -> None:
        """One tick of every errand, before the world's own."""
        physics, directory = self.host.physics, self.host.session.directory
        for guid, run in list(self._runs.items()):
            known = directory.get(guid)
            if known is None:
                if not self.host.keeper.keeps(guid):
                    del self._runs[guid]
                continue
            if run.life != known.instance:
                run = self._runs[guid] = _Run(run.step, known.instance)
            if not physics.is_resident(known.obj) or physics.parent_of(known.obj) >= 0:
                run.gait = None  # what held it was ended with its place in the world
            elif run.step.follow is not None:
                self._follow(known.obj, run, int(run.step.follow))
            else:
                self._go(guid, known.obj, run)

    # along places

    def _go(self, guid: int, obj: int, run: _Run) -> None:
        stops = run.step.stops
        if run.waits > 0:
            run.waits -= 1
            return
        stop = stops[run.at]
        way = self._way(obj, int(stop.to.cell), stop.to.origin[0], stop.to.origin[1])
        left = math.sqrt(way[0] * way[0] + way[1] * way[1])
        run.since = 0 if left < run.best - 0.01 else run.since + 1
        run.best = min(run.best, left)
        if left > ARRIVED and run.since < STUCK_TICKS:
            self._towards(obj, run, way, running=stop.run)
            return
        run.best, run.since = math.inf, 0
        run.waits = int(stop.wait * sc.TICKS_PER_SECOND + 0.5)
        run.at += 1
        last = run.at == len(stops)
        if run.waits or (last and not run.step.loop):
            self._stand(obj, run)
        if left <= ARRIVED:
            self._door(stop.open, on=True)
            self._door(stop.shut, on=False)
            for step in stop.then:
                self.host.step(step)
        if last:
            run.at = 0
            if not run.step.loop:
                self._runs.pop(guid, None)

    def _door(self, guid: int | None, *, on: bool) -> None:
        """A door opened that is shut, or shut that is open; others have used it meanwhile."""
        known = None if guid is None else self.host.session.directory.get(guid)
        if known is not None and self.host.doors.is_open(known) != on:
            self.host.doors.use(known.guid)

    # after somebody

    def _follow(self, obj: int, run: _Run, leader: int) -> None:
        known = self.host.session.directory.get(leader)
        if known is None or not self.host.physics.is_resident(known.obj):
            self._stand(obj, run)
            return
        if not self.host.physics.is_ticking(obj):
            run.trail.clear()  # too far from the player to move (C8): nothing is kept meanwhile
            return
        row = self.host.physics.row(known.obj)
        here = (int(row["objcell_id"]), float(row["frame"][0]), float(row["frame"][1]))
        if not run.trail or _apart(run.trail[-1], here) >= CRUMB:
            run.trail.append(here)
            del run.trail[:-LONGEST_TRAIL]
        way = self._way(obj, *here)
        away = math.sqrt(way[0] * way[0] + way[1] * way[1])
        if away < GIVES_WAY * run.step.distance:
            run.trail.clear()
            self._towards(obj, run, (-way[0], -way[1]), running=False)
            return
        if away <= run.step.distance:
            run.trail.clear()
            self._stand(obj, run)
            self._turn(obj, way)
            return
        while run.trail:
            way = self._way(obj, *run.trail[0])
            if way[0] * way[0] + way[1] * way[1] > ARRIVED * ARRIVED:
                break
            del run.trail[0]
        self._towards(obj, run, way, running=len(run.trail) > HURRIES)

    # what an object does

    def _towards(self, obj: int, run: _Run, way: tuple[float, float], *, running: bool) -> None:
        movement = self.host.physics.movement
        if self._turn(obj, way) > STANDS_ABOVE:
            self._stand(obj, run)
        elif run.gait is not running:
            movement.do_motion(obj, motion.WALK_FORWARD, hold_run=running)
            run.gait = running

    def _stand(self, obj: int, run: _Run) -> None:
        if run.gait is not None:
            self.host.physics.movement.stop_motion(obj, motion.WALK_FORWARD)
            run.gait = None

    def _turn(self, obj: int, way: tuple[float, float]) -> float:
        """Turn towards a way, as far as one tick lets; the radians that are left."""
        frame: F32 = self.host.physics.row(obj)["frame"]
        x, y, _ = local_to_global_vec(frame, *_NORTH)
        now = trig.atan2(float(x), float(y))
        off = trig.atan2(way[0], way[1]) - now
        off -= 2 * math.pi * math.floor(off / (2 * math.pi) + 0.5)
        turn = max(-TURN, min(TURN, off))
        if abs(turn) > STRAIGHT:
            degrees = (now + turn) * 180.0 / math.pi
            self.host.physics.movement.set_heading(obj, degrees % 360.0)
        return abs(off - turn)

    def _way(self, obj: int, cell_id: int, x: float, y: float) -> tuple[float, float]:
        """Metres east and north from an object to a place."""
        row = self.host.physics.row(obj)
        dx, dy = get_block_offset(int(row["objcell_id"]), cell_id)
        return x + float(dx) - float(row["frame"][0]), y + float(dy) - float(row["frame"][1])


def _apart(a: tuple[int, float, float], b: tuple[int, float, float]) -> float:
    dx, dy = get_block_offset(a[0], b[0])
    x, y = b[1] + float(dx) - a[1], b[2] + float(dy) - a[2]
    return math.sqrt(x * x + y * y)

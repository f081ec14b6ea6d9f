"""Errands: objects that go by themselves, along places or after somebody, tick by tick.

An errand is a step of a scenario, so it is recorded, replayed and run without a window like all
else. It sends the object to a place, or after somebody, as a server's movement block would: the way
there is the world's (`physics/ways.py`). What it does on arriving (a door, a thing taken up or put
away) are steps too. Who is not in the world, or too far from the player to move, waits; who is gone
has no errand any more, but for the world's own things (`things.py`): they come again, and go on
from the beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from acclient_py.core.ids import hex8
from acclient_py.host import scenario as sc
from acclient_py.host.trips import RUNS, WALKS, Legs, Progress, Trip, trip_to
from acclient_py.physics.distance import Place, distance, place_of, shape_of
from acclient_py.physics.ways import USUAL, Manner, WayFlags

if TYPE_CHECKING:
    from acclient_py.host.host import Host

LOOSE: Final = 0.5
"""Metres beyond its distance from which on a follower sets out."""
HURRIES: Final = 2.5
"""Metres beyond its distance from which on a follower runs."""
GIVES_WAY: Final = 0.6
"""Nearer than this share of its distance a follower steps back from its leader: in a doorway the
one who turns round could not pass it."""

FOLLOWS: Final = (USUAL | WayFlags.MOVE_AWAY) & ~WayFlags.USE_SPHERES


class _Run(Struct):
    """How far one errand has come.

    life  : the incarnation that is on it
    at    : of its stops ; trip : to that stop ; waits : ticks
    legs  : of a follower, through the house where its leader is ; leg : that it was sent on last
    """

    step: sc.Errand
    life: int = -1
    at: int = 0
    waits: int = 0
    trip: Trip | None = None
    legs: Legs = field(default_factory=Legs)
    leg: Place | None = None


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
        if self._runs.pop(guid, None) is not None and known is not None:
            self.host.physics.movement.ways.cancel(known.obj)
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
            if not physics.is_ticking(known.obj):
                continue  # in nobody's sight (C8), in a hand or in no cell: it waits
            if run.step.follow is not None:
                self._follow(known.obj, run)
            else:
                self._go(guid, known.obj, run)

    # along places

    def _go(self, guid: int, obj: int, run: _Run) -> None:
        if run.waits > 0:
            run.waits -= 1
            return
        stop = run.step.stops[run.at]
        if run.trip is None:
            run.trip = trip_to(stop.to, run=stop.run)
        progress = run.trip.go_on(self.host.physics.movement, obj, self.host.routes)
        if progress is Progress.GOING:
            return
        run.trip = None
        run.waits = int(stop.wait * sc.TICKS_PER_SECOND + 0.5)
        run.at = (run.at + 1) % len(run.step.stops)
        if progress is Progress.THERE:
            self._door(stop.open, on=True)
            self._door(stop.shut, on=False)
            for step in stop.then:
                self.host.step(step)
        if run.at == 0 and not run.step.loop:
            self._runs.pop(guid, None)

    def _door(self, guid: int | None, *, on: bool) -> None:
        """A door opened that is shut, or shut that is open; others have used it meanwhile."""
        known = None if guid is None else self.host.session.directory.get(guid)
        if known is not None and self.host.doors.is_open(known) != on:
            self.host.doors.use(known.guid)

    # after somebody

    def _follow(self, obj: int, run: _Run) -> None:
        """To the leader, as a server sends a pet: again each time it has fallen behind.

        Straight, or through the openings of the house that lie between.
        """
        step, world = run.step, self.host.physics
        assert step.follow is not None, "a follower has a leader"
        ways = world.movement.ways
        known = self.host.session.directory.get(int(step.follow))
        if known is None or not world.is_resident(known.obj):
            ways.cancel(obj)
            return
        here, there = place_of(world, obj), place_of(world, known.obj)
        beyond = distance(here, there) - step.distance
        leg = run.legs.toward(self.host.routes, here, there, shape_of(world, obj).radius)
        goal, least = ways.goal(obj), GIVES_WAY * step.distance
        on_leg = goal is not None and goal == run.leg
        run.leg = None if leg is there else leg
        if run.leg is not None:
            if goal != leg and (on_leg or beyond > LOOSE):
                ways.to_place(obj, leg, RUNS if beyond > HURRIES else WALKS)
            return
        if goal is None or on_leg:
            sets_out = beyond > LOOSE or beyond < least - step.distance
        else:
            sets_out = beyond > HURRIES and ways.is_walking(obj)
        if sets_out:
            manner = Manner(FOLLOWS, step.distance, least, run_from=HURRIES)
            ways.to_object(obj, known.obj, manner)
        elif on_leg:
            ways.cancel(obj)

"""A body that is sent to a place, and watched until it is there or comes no nearer.

How it goes is the world's own way to a place (`physics/ways.py`); a walk of a scenario and an
errand only send it, send it again when something else has ended its way, and call it back. Into
another room it goes by the openings of the house (`routes.py`), one after the other, unless they
lie on its straight way, and round houses that stand in it (`footprints.py`).
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from acclient_py.host.routes import BEFORE, Opening, Routes, room_of
from acclient_py.physics.distance import Place, offset, place_of, shape_of
from acclient_py.physics.ways import USUAL, Manner, WayFlags

if TYPE_CHECKING:
    from acclient_py.host.scenario import At
    from acclient_py.physics.movement import Movement

ARRIVED: Final = 0.3
"""Metres from a place at which it is reached, seen from above: a scenario may name any height."""

STUCK_TICKS: Final = 60
"""Ticks of coming no nearer, turns left out, after which a trip is given up."""

NEARER: Final = 0.01
"""Metres that count as coming nearer."""

MOST_LEGS: Final = 40
"""Legs after which a trip is given up that leads to and fro."""
LOOKS: Final = 15
"""Ticks between two looks for houses on a straight way."""

_MANNER: Final = USUAL & ~(WayFlags.USE_SPHERES | WayFlags.CAN_WALK | WayFlags.CAN_RUN)
WALKS: Final = Manner(_MANNER | WayFlags.CAN_WALK, ARRIVED)
RUNS: Final = Manner(_MANNER | WayFlags.CAN_RUN, ARRIVED)


class Progress(Enum):
    """How a trip stands."""

    GOING = 0
    THERE = 1
    STUCK = 2


class Legs(Struct):
    """Where a body goes next that is to come to a place: round houses, through openings, there.

    rooms   : its own and the place's, when the openings `ahead` were looked for
    end     : the place
    next    : what it goes to first: a corner, or the place before or behind an opening
    through : that place is behind an opening
    looks   : ticks until it looks again whether a house is in its way
    """

    rooms: tuple[int, int] = (-1, -1)
    end: Place | None = None
    ahead: tuple[Opening, ...] = ()
    next: Place | None = None
    through: bool = False
    looks: int = 0

    def toward(self, routes: Routes, here: Place, end: Place, radius: float) -> Place:
        """The place to go to now; `end` itself when nothing is to be gone round.

        What was begun, a corner or the way through an opening, is gone to its end.
        """
        own, goal_room = room_of(here.cell_id), self.rooms[1]
        if own != self.rooms[0] or end != self.end:
            self.end, goal_room = end, routes.room_at(end)
        rooms = (own, goal_room)
        same = rooms == self.rooms
        if self.next is not None and (same or self.through) and flat(here, self.next) > ARRIVED:
            return self.next
        if self.next is not None or not same:
            self.next, self.looks = None, 0
        if not same:
            self.rooms, self.ahead = rooms, routes.between(here, end)
        goal = end
        self.through = False
        if not all(opening.passes(here, end, radius) for opening in self.ahead):
            first = next(opening for opening in self.ahead if not opening.in_floor)
            goal = first.at(BEFORE)
            self.through = first.passes(here, goal, radius)
            goal = self.next = goal if self.through else first.at(-BEFORE)
        if not rooms[0] and not self.through and (not rooms[1] or self.next is not None):
            goal = self._round(routes, here, goal, radius)
        return goal

    def _round(self, routes: Routes, here: Place, goal: Place, radius: float) -> Place:
        self.looks -= 1
        if self.looks < 0:
            self.looks = LOOKS
            corner = routes.footprints.corner(here, goal, radius)
            if corner is not None:
                goal = self.next = corner
        return goal


class Trip(Struct):
    """One body's way to one place.

    best  : metres that were left of the leg at hand where it was nearest
    since : ticks since then ; heading : compass degrees at the last look
    """

    place: Place
    manner: Manner
    best: float = math.inf
    since: int = 0
    heading: float = math.nan
    legs: Legs = field(default_factory=Legs)
    leg: Place | None = None
    gone: int = 0  # legs, the one at hand too

    def go_on(self, movement: Movement, obj: int, routes: Routes) -> Progress:
        """Before a tick: send the body on; when it is there or stuck its way has ended."""
        ways = movement.ways
        here = place_of(movement.world, obj)
        leg = self.legs.toward(routes, here, self.place, shape_of(movement.world, obj).radius)
        if leg != self.leg:
            self.leg, self.best, self.since = leg, math.inf, 0
            self.gone += 1
        left = flat(here, leg)
        heading = movement.heading(obj)
        turned = ways.is_turning(obj) and heading != self.heading
        self.since = 0 if turned or left < self.best - NEARER else self.since + 1
        self.best, self.heading = min(self.best, left), heading
        there = leg is self.place and left <= ARRIVED
        if there or self.since >= STUCK_TICKS or self.gone > MOST_LEGS:
            ways.cancel(obj)
            return Progress.THERE if there else Progress.STUCK
        if ways.goal(obj) != leg:
            ways.to_place(obj, leg, self.manner)
        return Progress.GOING


def flat(here: Place, there: Place) -> float:
    """Metres, seen from above."""
    x, y, _ = offset(here, there)
    return math.sqrt(x * x + y * y)


def trip_to(at: At, *, run: bool) -> Trip:
    """A trip to a scenario's place."""
    return Trip(Place(int(at.cell), *at.origin), RUNS if run else WALKS)

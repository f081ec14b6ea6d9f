"""A body that is sent to a place, and watched until it is there or comes no nearer.

How it goes is the world's own way to a place (`physics/ways.py`); a walk of a scenario and an
errand only send it, send it again when something else has ended its way, and call it back.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from acclient_py.physics.distance import Place, offset, place_of
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

_MANNER: Final = USUAL & ~(WayFlags.USE_SPHERES | WayFlags.CAN_WALK | WayFlags.CAN_RUN)
WALKS: Final = Manner(_MANNER | WayFlags.CAN_WALK, ARRIVED)
RUNS: Final = Manner(_MANNER | WayFlags.CAN_RUN, ARRIVED)


class Progress(Enum):
    """How a trip stands."""

    GOING = 0
    THERE = 1
    STUCK = 2


class Trip(Struct):
    """One body's way to one place.

    best  : metres that were left where it was nearest
    since : ticks since then ; heading : compass degrees at the last look
    """

    place: Place
    manner: Manner
    best: float = math.inf
    since: int = 0
    heading: float = math.nan

    def go_on(self, movement: Movement, obj: int) -> Progress:
        """Before a tick: send the body on; when it is there or stuck its way has ended."""
        ways = movement.ways
        x, y, _ = offset(place_of(movement.world, obj), self.place)
        left = math.sqrt(x * x + y * y)
        heading = movement.heading(obj)
        turned = ways.is_turning(obj) and heading != self.heading
        self.since = 0 if turned or left < self.best - NEARER else self.since + 1
        self.best, self.heading = min(self.best, left), heading
        if left <= ARRIVED or self.since >= STUCK_TICKS:
            ways.cancel(obj)
            return Progress.THERE if left <= ARRIVED else Progress.STUCK
        if ways.goal(obj) != self.place:
            ways.to_place(obj, self.place, self.manner)
        return Progress.GOING


def trip_to(at: At, *, run: bool) -> Trip:
    """A trip to a scenario's place."""
    return Trip(Place(int(at.cell), *at.origin), RUNS if run else WALKS)

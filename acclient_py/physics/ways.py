"""Going somewhere by oneself: to an object, to a place, or turning to one (MoveToManager).

What a movement block of type 6 to 9 asks is made into a few legs, turn, go, turn; each update of
the body looks whether the leg at hand is done. The body goes by its own motions, so all that stops
or slows a walk stops or slows this. One `Ways` a world; who is on no way has no row here.

The names of the bits are those of public servers. A body that cannot get on goes on trying, as
retail's does: whoever sent it calls it back, or it is farther than `fail` from where it began.
"""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from acclient_py.anim import motion as m
from acclient_py.physics.distance import (
    POINT,
    Place,
    Shape,
    cylinder_distance,
    distance,
    heading,
    place_of,
    shape_of,
)
from acclient_py.physics.layout import OBJECT
from acclient_py.physics.state import TransientState

if TYPE_CHECKING:
    from acclient_py.physics.movement import Movement

EPSILON: Final = 0.0002
AWAKE: Final = TransientState.ACTIVE | TransientState.CONTACT
"""Who goes on: too far from the player to be updated, or in the air, a body waits (5.2)."""
AUX_TURN: Final = 20.0
"""Degrees off its way from which on a body turns while it goes."""


class WayFlags(IntFlag):
    """How to go there; the bitfield of a movement block."""

    CAN_WALK = 0x1
    CAN_RUN = 0x2
    CAN_SIDESTEP = 0x4
    CAN_WALK_BACKWARDS = 0x8
    CAN_CHARGE = 0x10
    FAIL_WALK = 0x20
    USE_FINAL_HEADING = 0x40
    STICKY = 0x80
    MOVE_AWAY = 0x100
    MOVE_TOWARDS = 0x200
    USE_SPHERES = 0x400
    SET_HOLD_KEY = 0x800
    AUTONOMOUS = 0x1000
    MODIFY_RAW_STATE = 0x2000
    MODIFY_INTERPRETED_STATE = 0x4000
    CANCEL_MOVE_TO = 0x8000
    STOP_COMPLETELY = 0x10000


USUAL: Final = 0x1EE0F


class Manner(Struct, frozen=True):
    """The parameters of a way.

    flags    : of `WayFlags` ; distance : at which it has arrived
    least    : nearer than that it goes away, with MOVE_AWAY
    fail     : metres from where it began at which it is given up
    run_from : farther than that from its goal it runs ; heading : compass degrees, the last turn
    """

    flags: int = USUAL
    distance: float = 0.6
    least: float = 0.0
    fail: float = 3.4e38
    speed: float = 1.0
    run_from: float = 15.0
    heading: float = 0.0


class Way(Struct):
    """One body's way."""

    manner: Manner
    begun: Place
    goal: Place
    target: int = -1  # object, -1 a place
    generation: int = 0  # of the target's row
    shape: Shape = POINT  # of the target
    legs: list[float | None] = field(default_factory=list)  # a heading to turn to, None: go
    command: int = 0
    aux: int = 0  # a turn while it goes
    away: bool = False
    fresh: bool = True  # the leg at hand has not begun
    run: bool = False  # while it goes
    last_heading: float = 0.0


class Ways:
    """Who is on a way; owned by the world's movement, asked once a tick."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.world = movement.world
        self.ways: dict[int, Way] = {}

    # beginning and ending ----------------------------------------------------------------

    def to_object(self, obj: int, target: int, manner: Manner) -> bool:
        """Go to an object, wherever it goes (type 6). Nobody goes to himself."""
        if target == obj:
            return False
        return self._set_out(obj, manner, place_of(self.world, target), target, turn_only=False)

    def to_place(self, obj: int, place: Place, manner: Manner) -> bool:
        """Go to a place (type 7)."""
        return self._set_out(obj, manner, place, -1, turn_only=False)

    def turn_to_object(self, obj: int, target: int, manner: Manner) -> bool:
        """Look at an object, plus the manner's heading when that is asked for (type 8)."""
        if target == obj:
            return False
        return self._set_out(obj, manner, place_of(self.world, target), target, turn_only=True)

    def turn_to_heading(self, obj: int, manner: Manner) -> bool:
        """Look that way (type 9)."""
        here = place_of(self.world, obj)
        if not self._may(obj, manner):
            return False
        self.ways[obj] = Way(manner, here, here, legs=[manner.heading % 360.0])
        return True

    def goal(self, obj: int) -> Place | None:
        """Where a body is on its way to; None for who is on none."""
        way = self.ways.get(obj)
        return None if way is None else way.goal

    def is_turning(self, obj: int) -> bool:
        """Whether a body is on its way and turns where it stands."""
        way = self.ways.get(obj)
        return way is not None and bool(way.legs) and way.legs[0] is not None

    def is_walking(self, obj: int) -> bool:
        """Whether a body goes its way and does not run."""
        way = self.ways.get(obj)
        if way is None or way.fresh or not way.legs or way.legs[0] is not None:
            return False
        return not way.run

    def cancel(self, obj: int) -> None:
        """Stop going there; nothing happens to who is on no way."""
        way = self.ways.pop(obj, None)
        if way is not None:
            self._let_go(obj, way)

    def forget(self, obj: int) -> None:
        """The object is no more: its way ends, and those of who goes to it."""
        self.ways.pop(obj, None)
        for other in [o for o, way in self.ways.items() if way.target == obj]:
            self.cancel(other)

    def _may(self, obj: int, manner: Manner) -> bool:
        self.cancel(obj)
        if not self.movement.has_table(obj):
            return False
        if manner.flags & WayFlags.STOP_COMPLETELY:
            self.movement.stop_completely(obj)
        self.world.set_active(obj, True)
        return True

    def _set_out(
        self, obj: int, manner: Manner, goal: Place, target: int, *, turn_only: bool
    ) -> bool:
        if not self._may(obj, manner):
            return False
        here = place_of(self.world, obj)
        way = Way(manner, here, goal, target)
        if target >= 0:
            way.generation = int(self.world.graph.arrays.objects["generation"][target])
            way.shape = shape_of(self.world, target)
        there = heading(here, goal)
        if turn_only:
            way.legs = [(there + manner.heading) % 360.0]
        else:
            if self._command(way, self._left(obj, way))[0]:
                way.legs = [there, None]
            if manner.flags & WayFlags.USE_FINAL_HEADING:
                final = manner.heading + (there if target >= 0 else 0.0)
                way.legs.append(final % 360.0)
        self.ways[obj] = way
        return True

    # a tick --------------------------------------------------------------------------------

    def use_time(self) -> None:
        """Look after everybody who is on a way, in row order."""
        for obj in sorted(self.ways):
            way = self.ways.get(obj)
            if way is None:
                continue
            objects = self.world.graph.arrays.objects
            if way.target >= 0:
                target = objects[way.target]
                gone = target["kind"] != OBJECT or target["generation"] != way.generation
                if gone or target["cell"] < 0:
                    self.cancel(obj)
                    continue
                way.goal = place_of(self.world, way.target)  # divergence: D15
            if objects["cell"][obj] < 0 or objects["parent"][obj] >= 0:
                self.cancel(obj)
            elif objects["transient"][obj] & AWAKE == AWAKE:
                self._go_on(obj, way)

    def _go_on(self, obj: int, way: Way) -> None:
        if not way.legs:
            self._arrived(obj, way)
            return
        leg = way.legs[0]
        if leg is None:
            self._begin_going(obj, way) if way.fresh else self._keep_going(obj, way)
        else:
            self._begin_turn(obj, way, leg) if way.fresh else self._keep_turning(obj, way, leg)

    def _next(self, obj: int, way: Way) -> None:
        self._let_go(obj, way)
        way.legs.pop(0)
        way.fresh = True
        if not way.legs:
            self._arrived(obj, way)

    def _arrived(self, obj: int, way: Way) -> None:
        self._let_go(obj, way)
        self.ways.pop(obj, None)
        if way.manner.flags & WayFlags.STICKY and way.target >= 0:
            self.movement.steering.stick_to(obj, way.target)

    def _let_go(self, obj: int, way: Way) -> None:
        for command in (way.command, way.aux):
            if command:
                self.movement.stop_motion(obj, command)
        way.command = way.aux = 0

    def _do(self, obj: int, way: Way, command: int, *, run: bool) -> None:
        self.movement.do_motion(obj, command, way.manner.speed, hold_run=run)

    # turning -------------------------------------------------------------------------------

    def _begin_turn(self, obj: int, way: Way, to: float) -> None:
        now = self.movement.heading(obj)
        left = (to - now) % 360.0
        if left <= EPSILON or left + EPSILON >= 360.0:
            self._next(obj, way)
            return
        way.command = m.TURN_RIGHT if left < 180.0 else m.TURN_LEFT
        way.fresh, way.last_heading = False, now
        self._do(obj, way, way.command, run=False)

    def _keep_turning(self, obj: int, way: Way, to: float) -> None:
        """Done when the heading has come past: it is then set exactly."""
        now = self.movement.heading(obj)
        right = way.command == m.TURN_RIGHT
        done = (now - way.last_heading) % 360.0 if right else (way.last_heading - now) % 360.0
        left = (to - way.last_heading) % 360.0 if right else (way.last_heading - to) % 360.0
        if done < 180.0 and done >= left:
            self.movement.set_heading(obj, to)
            self._next(obj, way)
        else:
            way.last_heading = now

    # going ---------------------------------------------------------------------------------

    def _left(self, obj: int, way: Way) -> float:
        here = place_of(self.world, obj)
        if way.manner.flags & WayFlags.USE_SPHERES and way.target >= 0:
            return cylinder_distance(here, shape_of(self.world, obj), way.goal, way.shape)
        return distance(here, way.goal)

    @staticmethod
    def _command(way: Way, left: float) -> tuple[int, bool, bool]:
        """(motion or 0, whether away from the goal, whether running) at a distance."""
        manner = way.manner
        flags = manner.flags
        command, away = 0, False
        if flags & WayFlags.MOVE_TOWARDS or not flags & WayFlags.MOVE_AWAY:
            if left > manner.distance:
                command = m.WALK_FORWARD
            elif flags & WayFlags.MOVE_AWAY and left - manner.least < EPSILON:
                command, away = m.WALK_BACKWARDS, True
        elif left < manner.least:
            command, away = m.WALK_FORWARD, True
        far = left - manner.distance > manner.run_from
        run = bool(flags & WayFlags.CAN_RUN) and (not flags & WayFlags.CAN_WALK or far)
        return command, away, run

    def _begin_going(self, obj: int, way: Way) -> None:
        left = self._left(obj, way)
        command, way.away, way.run = self._command(way, left)
        if not command:
            self._next(obj, way)
            return
        way.command, way.fresh = command, False
        self._do(obj, way, command, run=way.run)

    def _keep_going(self, obj: int, way: Way) -> None:
        left = self._left(obj, way)
        self._turn_on_the_way(obj, way)
        if left >= way.manner.least if way.away else left <= way.manner.distance:
            self._next(obj, way)
        elif distance(way.begun, place_of(self.world, obj)) > way.manner.fail:
            self.cancel(obj)

    def _turn_on_the_way(self, obj: int, way: Way) -> None:
        here = place_of(self.world, obj)
        wanted = heading(here, way.goal)
        if way.away == (way.command == m.WALK_FORWARD):  # its back to what it leaves
            wanted += 180.0
        off = (wanted - self.movement.heading(obj)) % 360.0
        turn = 0
        if AUX_TURN < off < 360.0 - AUX_TURN:
            turn = m.TURN_RIGHT if off < 180.0 else m.TURN_LEFT
        if turn == way.aux:
            return
        if way.aux:
            self.movement.stop_motion(obj, way.aux)
        way.aux = turn
        if turn:
            self._do(obj, way, turn, run=self.movement.commands[obj].hold_run)


__all__ = ["Manner", "Place", "Way", "WayFlags", "Ways"]

"""Corrections of a body's place that are walked off instead of jumped (retail's PositionManager).

Three things bend a quantum's own motion, in this order (spec 5.11): interpolation takes the body
to the places that a server says it is at; a sticky target keeps it close to somebody; the leash
lets it go no farther from the last word of the server than that allows. Before each tick their sum
is put into the bodies' rows, `tick.adjust_offset` applies it, and the tick's transition says how
far the body really came. One `Steering` a world; who is not corrected has no row here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field

from acclient_py.core import F32, F64
from acclient_py.core.frame import set_heading
from acclient_py.physics.bodies import STEERED_LEASH, STEERED_OFFSET
from acclient_py.physics.distance import (
    Place,
    distance,
    flat_distance,
    heading,
    offset,
    place_of,
    shape_of,
)
from acclient_py.physics.layout import OBJECT
from acclient_py.physics.state import SetPositionFlags, TransientState

if TYPE_CHECKING:
    from acclient_py.physics.movement import Movement

EPSILON: Final = 0.0002
ARRIVED: Final = 0.05  # metres from a correction's place at which it is done
CLOSE: Final = 0.2  # within this, slow progress is no failure
SPEED: Final = 7.5  # metres a second at most
STICKY_SPEED: Final = 15.0  # of a body without a motion table
STICKY_GAP: Final = 0.3  # metres kept from a sticky target
STICKY_SECONDS: Final = 1.0
PROGRESS_TICKS: Final = 5
LEAST_PROGRESS: Final = 0.3  # of the way that the speed would have made
MOST_FAILURES: Final = 3
MOST_PLACES: Final = 20
SLIDE: Final = int(
    SetPositionFlags.SEND_POSITION_EVENT | SetPositionFlags.SLIDE | SetPositionFlags.TELEPORT
)

INDOORS: Final = (5.0, 20.0)  # where the leash begins to hold and where it ends, metres
OUTDOORS: Final = (10.0, 50.0)


class Glide(Struct):
    """The places that a body is taken to, oldest first."""

    places: list[tuple[Place, F32]] = field(default_factory=list)  # with the frame
    keep_heading: bool = False
    ticks: int = 0
    seconds: float = 0.0
    left: float = 0.0  # distance when the count began
    failures: int = 0


class Stick(Struct):
    """Whom a body keeps close to, and until when."""

    target: int
    generation: int
    until: float


class Leash(Struct):
    """How far from the last word of the server a body may go by itself."""

    start: float
    most: float


class Steering:
    """The corrections of all bodies of a world, by object row."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.world = movement.world
        self.glides: dict[int, Glide] = {}
        self.sticks: dict[int, Stick] = {}
        self.leashes: dict[int, Leash] = {}
        self._written: set[int] = set()
        """Rows of bodies in which a correction may stand."""

    # what is asked -------------------------------------------------------------------------

    def interpolate_to(
        self, obj: int, cell_id: int, frame: F32, *, keep_heading: bool = False
    ) -> None:
        """Take a body to a place over time (`InterpolateTo`)."""
        place = Place(cell_id, float(frame[0]), float(frame[1]), float(frame[2]))
        if distance(place_of(self.world, obj), place) <= ARRIVED:
            self.stop_interpolating(obj)
            if not keep_heading:
                own = self.world.graph.arrays.objects["frame"][obj].copy()
                own[3:] = frame[3:]
                self.world.set_frame(obj, own)
            return
        glide = self.glides.setdefault(obj, Glide())
        while glide.places and distance(glide.places[-1][0], place) < ARRIVED:
            glide.places.pop()
        del glide.places[: max(0, len(glide.places) + 1 - MOST_PLACES)]
        glide.places.append((place, frame.copy()))
        glide.keep_heading = keep_heading
        if len(glide.places) == 1:
            self._begin(obj, glide)
        self.world.set_active(obj, True)

    def stop_interpolating(self, obj: int) -> None:
        """What is left of the way is forgotten."""
        self.glides.pop(obj, None)

    def is_interpolating(self, obj: int) -> bool:
        """Whether a body is on the way to where a server says that it is."""
        return obj in self.glides

    def stick_to(self, obj: int, target: int) -> None:
        """Keep close to somebody for a second; nobody sticks to himself (`StickTo`)."""
        row = self.world.graph.arrays.objects[target]
        if target != obj and row["kind"] == OBJECT:
            until = self.world.clock + STICKY_SECONDS
            self.sticks[obj] = Stick(target, int(row["generation"]), until)

    def unstick(self, obj: int) -> None:
        """Let go of whom a body keeps close to."""
        self.sticks.pop(obj, None)

    def constrain(self, obj: int, place: Place | None = None) -> None:
        """Arm the leash at a place, or where the body is (`ConstrainTo`)."""
        here = place_of(self.world, obj)
        indoors = here.cell_id & 0xFFFF >= 0x100
        self.leashes[obj] = Leash(*(INDOORS if indoors else OUTDOORS))
        self.world.bodies.rows["travelled"][obj] = 0.0 if place is None else distance(here, place)

    def unconstrain(self, obj: int) -> None:
        """No leash any more."""
        self.leashes.pop(obj, None)

    def forget(self, obj: int) -> None:
        """The object leaves the world: nothing corrects it, and nobody sticks to it."""
        for rows in (self.glides, self.sticks, self.leashes):
            rows.pop(obj, None)
        for other in [o for o, stick in self.sticks.items() if stick.target == obj]:
            del self.sticks[other]
        if obj < len(self.world.bodies.rows):
            self.world.bodies.rows["steered"][obj] = 0

    # a tick --------------------------------------------------------------------------------

    def before(self, quantum: float) -> None:
        """Put the corrections of the tick to come into the bodies' rows."""
        rows, objects = self.world.bodies.rows, self.world.graph.arrays.objects
        for obj in sorted({*self.glides, *self.sticks, *self.leashes}):
            steered = 0
            if objects["transient"][obj] & TransientState.CONTACT:
                move = self._glide(obj, quantum)
                stuck = self._stick(obj, quantum)
                move = stuck if stuck is not None else move
                if move is not None:
                    steered |= STEERED_OFFSET
                    rows["offset"][obj] = move
                leash = self.leashes.get(obj)
                if leash is not None:
                    steered |= STEERED_LEASH
                    rows["leash"][obj] = self._slack(leash, float(rows["travelled"][obj]))
            rows["steered"][obj] = steered
            self._written.add(obj)

    def after(self) -> None:
        """Those that do not get on are put where they should be; sticking has an end."""
        for obj in sorted(self.glides):
            glide = self.glides.get(obj)
            if glide is not None and glide.failures > MOST_FAILURES:
                place, frame = glide.places[-1]
                del self.glides[obj]
                self.world.set_position(obj, place.cell_id, frame, SLIDE)
        for obj, stick in list(self.sticks.items()):
            if self.world.clock > stick.until:
                self.unstick(obj)
        for obj in [o for o in self._written if o not in {**self.glides, **self.sticks}]:
            if obj not in self.leashes:
                self.world.bodies.rows["steered"][obj] = 0
                self._written.discard(obj)

    @staticmethod
    def _slack(leash: Leash, travelled: float) -> float:
        """What the leash leaves of a way: all at first, nothing at its end."""
        if travelled >= leash.most:
            return 0.0
        if travelled <= leash.start:
            return 1.0
        return (leash.most - travelled) / (leash.most - leash.start)

    def _begin(self, obj: int, glide: Glide) -> None:
        glide.ticks, glide.seconds = 0, 0.0
        glide.left = distance(place_of(self.world, obj), glide.places[0][0])

    def _glide(self, obj: int, quantum: float) -> F64 | None:
        glide = self.glides.get(obj)
        if glide is None:
            return None
        here = place_of(self.world, obj)
        place, frame = glide.places[0]
        left = distance(here, place)
        if left <= ARRIVED:
            glide.places.pop(0)
            glide.failures = 0
            if glide.places:
                self._begin(obj, glide)
            else:
                self.stop_interpolating(obj)
            return None
        speed = min(2.0 * self.movement.max_speed(obj), SPEED)
        if speed < EPSILON:
            speed = SPEED
        glide.ticks += 1
        glide.seconds += quantum
        if glide.ticks >= PROGRESS_TICKS:
            slow = glide.left - left < LEAST_PROGRESS * speed * glide.seconds
            glide.failures = glide.failures + 1 if slow and left > CLOSE else 0
            self._begin(obj, glide)
        most = speed * quantum
        share = most / left if left > most else 1.0
        x, y, z = (v * share for v in offset(here, place))
        return self._relative(obj, x, y, z, None if glide.keep_heading else frame)

    def _stick(self, obj: int, quantum: float) -> F64 | None:
        stick = self.sticks.get(obj)
        if stick is None:
            return None
        row = self.world.graph.arrays.objects[stick.target]
        if row["generation"] != stick.generation or row["cell"] < 0:
            self.unstick(obj)
            return None
        here, there = place_of(self.world, obj), place_of(self.world, stick.target)
        shapes = shape_of(self.world, obj), shape_of(self.world, stick.target)
        gap = flat_distance(here, shapes[0], there, shapes[1]) - STICKY_GAP
        x, y, _ = offset(here, there)
        m = math.sqrt(x * x + y * y)
        speed = 5.0 * self.movement.max_speed(obj)
        most = (speed if speed >= EPSILON else STICKY_SPEED) * quantum
        way = min(gap, most) if gap >= 0.0 else max(gap, -most)
        share = way / m if m >= EPSILON else 0.0
        turned: F32 = np.zeros(7, np.float32)
        set_heading(turned, heading(here, there))
        return self._relative(obj, x * share, y * share, 0.0, turned)

    def _relative(self, obj: int, x: float, y: float, z: float, facing: F32 | None) -> F64:
        """A frame relative to the body's that moves it by (x, y, z) of the world, and turns it."""
        own = self.world.graph.arrays.objects["frame"][obj].astype(np.float64)
        w, a, b, c = own[3], -own[4], -own[5], -own[6]
        tx, ty, tz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
        made = np.zeros(7, np.float64)
        made[0] = x + w * tx + b * tz - c * ty
        made[1] = y + w * ty + c * tx - a * tz
        made[2] = z + w * tz + a * ty - b * tx
        made[3] = 1.0
        if facing is not None:
            p, q, r, s = (float(v) for v in facing[3:7])
            made[3] = w * p - a * q - b * r - c * s
            made[4] = w * q + a * p + b * s - c * r
            made[5] = w * r - a * s + b * p + c * q
            made[6] = w * s + a * r - b * q + c * p
        return made


__all__ = ["INDOORS", "OUTDOORS", "Glide", "Leash", "Steering", "Stick"]

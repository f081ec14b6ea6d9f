"""A gamepad made into keys: buttons, sticks and triggers with dead zones.

Each button is a key of the keymap (`pad-a`), each direction of a stick too (`pad-left-up`); a
direction and a trigger have a strength besides, from 0 at the edge of the dead zone to 1. The
window library gives both sticks and the triggers as numbers from -1 to 1: a stick at rest is near
0 and never exactly there, a trigger at rest is at -1.
"""

# contract cases: INP-04
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from acclient_py.viewer.input import KEY, PRESS, RELEASE, STRENGTH, Event
from acclient_py.viewer.keys import CODES, PAD

DEAD_ZONE: Final = 0.15
"""Of a stick, as a share of its way; a keymap may name another."""

TRIGGER_DEAD: Final = 0.05
WALKS_BELOW: Final = 0.6
"""A left stick that is out less far than this walks."""

SIDEWAYS: Final = math.sin(math.radians(22.5))
"""A stick points in one of eight directions: two of its four at once on a diagonal."""

BUTTONS: Final = 15
"""A gamepad's buttons come first among its keys, in the order of the window library."""

STICKS: Final = (("pad-left", 0, 1), ("pad-right", 2, 3))
TRIGGERS: Final = (("pad-left-trigger", 4), ("pad-right-trigger", 5))
AT_REST: Final = (0.0, 0.0, 0.0, 0.0, -1.0, -1.0)
HALF: Final = "pad-left-half"
"""Held while the left stick is out, but not far."""


class PadState(NamedTuple):
    """What a gamepad says. axes : six numbers, two a stick and the triggers ; buttons : 0 or 1"""

    axes: Sequence[float]
    buttons: Sequence[int]


def stick(x: float, y: float, dead: float) -> tuple[float, float]:
    """A stick's way beyond its dead zone, each part -1..1; the zone is round."""
    length = math.hypot(x, y)
    if not length > dead:  # a NaN is at rest too
        return 0.0, 0.0
    share = min(1.0, (length - dead) / (1.0 - dead)) / length
    return x * share, y * share


def trigger(value: float) -> float:
    """A trigger's way, 0..1."""
    way = (value + 1.0) / 2.0
    if not way > TRIGGER_DEAD:
        return 0.0
    return min(1.0, (way - TRIGGER_DEAD) / (1.0 - TRIGGER_DEAD))


def strengths(state: PadState, dead: float = DEAD_ZONE) -> dict[int, float]:
    """Code of each key of a gamepad that is down, and how far."""
    held = {PAD + n: 1.0 for n, down in enumerate(state.buttons[:BUTTONS]) if down}
    found: dict[str, float] = {}
    axes = [*state.axes, *AT_REST[len(state.axes) :]]
    for name, at_x, at_y in STICKS:
        x, y = stick(axes[at_x], axes[at_y], dead)
        out = math.hypot(x, y)
        for direction, value in (("right", x), ("left", -x), ("down", y), ("up", -y)):
            if value > 0.0 and value >= SIDEWAYS * out:
                found[f"{name}-stick-{direction}"] = value
        if name == "pad-left" and 0.0 < out < WALKS_BELOW:
            found[HALF] = 1.0
    for name, at in TRIGGERS:
        way = trigger(axes[at])
        if way > 0.0:
            found[name] = way
    return held | {CODES[name]: value for name, value in found.items()}


class Gamepad:
    """Remembers what was down, so that only changes become events."""

    def __init__(self, dead: float = DEAD_ZONE) -> None:
        self.dead = dead
        self._down: dict[int, float] = {}

    def events(self, state: PadState | None, *, focused: bool = True) -> list[Event]:
        """What changed since the last call. state : None when there is no gamepad

        A gamepad speaks to the program even while another window has the keys: then nothing on it
        counts, and what was held is let go.
        """
        now = {} if state is None or not focused else strengths(state, self.dead)
        before, self._down = self._down, now
        events = [Event(KEY, code, RELEASE) for code in before if code not in now]
        for code, value in now.items():
            if code not in before:
                events.append(Event(KEY, code, PRESS))
            if before.get(code, 1.0) != value:
                events.append(Event(STRENGTH, code, 0, 0, value))
        return events

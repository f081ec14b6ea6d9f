"""What bodies are asked to do and how fast they do it: the gaits (spec 5.10, 7.4)."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct

from acclient_py.anim import motion as m

WALK_SPEED: Final = 3.12
RUN_SPEED: Final = 4.0
SIDESTEP_SPEED: Final = 1.25
BACKWARDS: Final = 0.65
SIDESTEP: Final = WALK_SPEED / SIDESTEP_SPEED * 0.5
MAX_SIDESTEP: Final = 3.0
RUN_TURN: Final = 1.5
PLAIN_JUMP_SPEED: Final = 10.0
LEAST_JUMP: Final = 0.35
EPSILON: Final = 0.0002
NAMES: Final = ("forward", "sidestep", "turn")


def load_mod(load: float) -> float:
    """What a burden (1 is all one can carry well) leaves of speed and height."""
    if load < 1.0:
        return 1.0
    return 2.0 - load if load < 2.0 else 0.0


def run_rate(load: float, skill: int, scaling: float = 1.0) -> float:
    """The factor of the run speed (0x6B0950). At 800 and above it is 4.5."""
    if skill >= 800:
        return 18.0 / 4.0
    return (load_mod(load) * (skill / (skill + 200.0)) * 11.0 + 4.0) / scaling / 4.0


def jump_height(load: float, skill: int, extent: float, scaling: float = 1.0) -> float:
    """Metres that a jump of a charge (0 to 1) rises."""
    extent = min(max(extent, 0.0), 1.0)
    height = load_mod(load) * (skill / (skill + 1300.0) * 22.2 + 0.05) * extent / scaling
    return max(height, LEAST_JUMP)


def jump_speed(height: float) -> float:
    """The upward speed that rises so high."""
    return math.sqrt(19.6 * height)


def adjust_motion(command: int, speed: float, *, run: bool, rate: float) -> tuple[int, float]:
    """A raw command in terms of those that motion tables know (0x528010)."""
    if command == m.TURN_LEFT:
        command, speed = m.TURN_RIGHT, -speed
    elif command == m.WALK_BACKWARDS:
        command, speed = m.WALK_FORWARD, -BACKWARDS * speed
    elif command == m.SIDESTEP_LEFT:
        command, speed = m.SIDESTEP_RIGHT, -speed
    if command == m.SIDESTEP_RIGHT:
        speed *= SIDESTEP
    if run:
        if command == m.WALK_FORWARD:
            if speed > 0.0:
                command = m.RUN_FORWARD
            speed *= rate
        elif command == m.TURN_RIGHT:
            speed *= RUN_TURN
        elif command == m.SIDESTEP_RIGHT:
            speed = min(max(speed * rate, -MAX_SIDESTEP), MAX_SIDESTEP)
    return command, speed


class Commands(Struct):
    """What is asked of a body: three raw commands and the run key, and what it can."""

    forward: tuple[int, float] = (m.READY, 1.0)
    sidestep: tuple[int, float] = (0, 1.0)
    turn: tuple[int, float] = (0, 1.0)
    hold_run: bool = False
    rate: float = 1.0
    jump_skill: int | None = None  # None: retail's plain jump of 10 m/s
    load: float = 0.0
    extent: float = 0.0  # of the jump that is being done
    long_jump: bool = False  # charged where it stands: it goes nowhere before it jumps


def slot_of(command: int) -> str | None:
    """Which of the three held commands a motion is; None for stances, actions and the like."""
    if command in (m.TURN_LEFT, m.TURN_RIGHT):
        return "turn"
    if command in (m.SIDESTEP_LEFT, m.SIDESTEP_RIGHT):
        return "sidestep"
    return "forward" if command & m.CYCLE and not command & m.STYLE else None

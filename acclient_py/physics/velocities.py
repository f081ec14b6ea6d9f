"""Velocities of bodies: what a jump gives, what the ground takes over (spec 5.2, 5.10).

Functions of a `Movement`, which has them as methods.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from acclient_py.anim import motion as m
from acclient_py.physics import tick as ticking
from acclient_py.physics.bodies import THING
from acclient_py.physics.gait import (
    EPSILON,
    PLAIN_JUMP_SPEED,
    RUN_SPEED,
    SIDESTEP_SPEED,
    WALK_SPEED,
    jump_height,
    jump_speed,
)
from acclient_py.physics.settle import GRAVITY_Z
from acclient_py.physics.state import PhysicsState, TransientState

if TYPE_CHECKING:
    from acclient_py.physics.movement import Movement


def state_velocity(movement: Movement, obj: int) -> tuple[float, float]:
    """What the commands ask for, metres a second to the right and ahead (0x527D50)."""
    asked = movement.commands.get(obj)
    if asked is None:
        return 0.0, 0.0
    forward, sidestep, _ = movement.interpreted(asked)
    x = SIDESTEP_SPEED * sidestep[1] if sidestep[0] == m.SIDESTEP_RIGHT else 0.0
    y = 0.0
    if forward[0] == m.WALK_FORWARD:
        y = WALK_SPEED * forward[1]
    elif forward[0] == m.RUN_FORWARD:
        y = RUN_SPEED * forward[1]
    speed, most = math.sqrt(x * x + y * y), RUN_SPEED * asked.rate
    if speed > most:
        x, y = x * most / speed, y * most / speed
    return x, y


def max_speed(movement: Movement, obj: int) -> float:
    """The fastest that an object runs, metres a second; 0 without a motion table."""
    asked = movement.commands.get(obj)
    return 0.0 if asked is None else RUN_SPEED * asked.rate


def jump_v_z(movement: Movement, obj: int) -> float:
    """The upward speed of the jump that is being done."""
    asked = movement.commands.get(obj)
    if asked is None or asked.extent < EPSILON:
        return 0.0
    if asked.jump_skill is None:
        return PLAIN_JUMP_SPEED
    return jump_speed(jump_height(asked.load, asked.jump_skill, asked.extent))


def charge_jump(movement: Movement, obj: int) -> None:
    """The charge of a jump begins: who stands still stays where he is until he jumps.

    What is asked of him meanwhile, but a turn, is where the jump goes: the standing long jump.
    Retail: CMotionInterp::charge_jump @0x005281C0.
    """
    asked = movement.commands.get(obj)
    if asked is None or asked.forward[0] != m.READY or asked.sidestep[0] or asked.turn[0]:
        return
    both = TransientState.CONTACT | TransientState.ON_WALKABLE
    if int(movement.world.graph.arrays.objects["transient"][obj]) & both == both:
        asked.long_jump = True


def end_charge(movement: Movement, obj: int) -> None:
    """The charge is over without a jump."""
    asked = movement.commands.get(obj)
    if asked is not None and asked.long_jump:
        asked.long_jump = False
        movement.apply(obj)


def jump(movement: Movement, obj: int, extent: float = 1.0) -> bool:
    """Jump with a charge of 0 to 1; only from walkable ground, and with no charge not at all.

    Without an upward speed a body that has left the ground would stay in contact with it, and so
    neither fall nor land.
    """
    asked = movement.commands.get(obj)
    row = movement.world.graph.arrays.objects[obj]
    if asked is None or row["cell"] < 0 or not row["transient"] & TransientState.ON_WALKABLE:
        return False
    if not extent >= EPSILON:  # a NaN is no charge either
        return False
    asked.extent = min(extent, 1.0)
    row["transient"] = int(row["transient"]) & ~TransientState.ON_WALKABLE & 0xFFFFFFFF
    leave_ground(movement, obj)
    return True


def set_velocity(movement: Movement, obj: int, x: float, y: float, z: float) -> None:
    """A velocity in world axes; no faster than 50 m/s, and the object wakes."""
    v = np.array((x, y, z), np.float64)
    speed = math.sqrt(x * x + y * y + z * z)
    if speed > ticking.MAX_SPEED:
        v *= ticking.MAX_SPEED / speed
    movement.world.bodies.rows["velocity"][obj] = v
    accelerate(movement, obj)
    movement.world.set_active(obj, True)


def velocity(movement: Movement, obj: int) -> tuple[float, float, float]:
    """What the last tick really moved, metres a second."""
    x, y, z = (float(v) for v in movement.world.bodies.rows["cached_velocity"][obj])
    return x, y, z


def accelerate(movement: Movement, obj: int) -> None:
    """At rest on walkable ground nothing pulls; in the air gravity does, as in `settle.py`."""
    row, body = movement.world.graph.arrays.objects[obj], movement.world.bodies.rows[obj]
    body["acceleration"] = 0.0
    both = TransientState.CONTACT | TransientState.ON_WALKABLE
    if int(row["transient"]) & both == both and not row["state"] & PhysicsState.SLEDDING:
        body["omega"] = 0.0
    elif row["state"] & PhysicsState.GRAVITY:
        body["acceleration"][2] = GRAVITY_Z


def leave_ground(movement: Movement, obj: int) -> None:
    """What the commands give to a body that loses its ground (`LeaveGround` @0x00528B00).

    Nothing to what is no creature, nor to what gravity does not pull: it would rise for ever.
    """
    asked = movement.commands.get(obj)
    pulled = movement.world.graph.arrays.objects["state"][obj] & PhysicsState.GRAVITY
    if not pulled or movement.world.bodies.rows["weenie"][obj] & THING:
        accelerate(movement, obj)
        return
    if asked is not None:
        x, y = state_velocity(movement, obj)
        z = jump_v_z(movement, obj)
        if abs(x) > EPSILON or abs(y) > EPSILON or abs(z) > EPSILON:
            f = movement.world.graph.arrays.objects["frame"][obj].astype(np.float64)
            vx, vy, vz = _out_of(f, x, y, z)
            set_velocity(movement, obj, vx, vy, vz)
        asked.extent, asked.long_jump = 0.0, False
    accelerate(movement, obj)
    movement.drop_links(obj)


def _out_of(f: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    qw, qx, qy, qz = (float(v) for v in f[3:7])
    tx, ty, tz = 2.0 * (qy * z - qz * y), 2.0 * (qz * x - qx * z), 2.0 * (qx * y - qy * x)
    return (
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    )

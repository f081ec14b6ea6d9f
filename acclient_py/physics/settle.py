"""What a commit leaves on a body: contact, sliding, impact (the end of `SetPositionInternal`)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.kernels import kernel
from acclient_py.physics.path import FLOOR_Z, GRAVITY, MISSILE, Int, copy
from acclient_py.physics.state import PhysicsState, TransientState

GRAVITY_Z: Final = -9.8
HIT_GROUND: Final = 1
LEFT_GROUND: Final = 2

_CONTACT: Final = int(TransientState.CONTACT)
_ON_WALKABLE: Final = int(TransientState.ON_WALKABLE)
_WATER: Final = int(TransientState.WATER_CONTACT)
_SLIDING: Final = int(TransientState.SLIDING)
_FALL: Final = int(TransientState.STATIONARY_FALL)
_STOP: Final = int(TransientState.STATIONARY_STOP)
_STATIONARY: Final = _FALL | _STOP | int(TransientState.STATIONARY_STUCK)
_SLEDDING: Final = int(PhysicsState.SLEDDING)
_INELASTIC: Final = int(PhysicsState.INELASTIC)
_MISSILE_BITS: Final = MISSILE | int(PhysicsState.ALIGNPATH) | int(PhysicsState.PATHCLIPPED)
_ALL: Final = 0xFFFFFFFF


@kernel(inner=True)
def calc_acceleration(body: Any, state: Int, transient: Int) -> None:
    """At rest on the ground nothing pulls; in the air gravity does."""
    a = body["acceleration"]
    a[0] = 0.0
    a[1] = 0.0
    a[2] = 0.0
    both = _CONTACT | _ON_WALKABLE
    if transient & both == both and state & _SLEDDING == 0:
        w = body["omega"]
        w[0] = 0.0
        w[1] = 0.0
        w[2] = 0.0
    elif state & GRAVITY != 0:
        a[2] = GRAVITY_Z


@kernel(inner=True)
def bounce(body: Any, n: Any, state: Int) -> None:
    """What an impact leaves of a velocity."""
    v = body["velocity"]
    if state & _INELASTIC != 0:
        v[0] = 0.0
        v[1] = 0.0
        v[2] = 0.0
        return
    d = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    if d < 0.0:
        s = -(1.0 + body["elasticity"]) * d
        v[0] += s * n[0]
        v[1] += s * n[1]
        v[2] += s * n[2]


@kernel(inner=True)
def settle_body(t: Any, objects: Any, bodies: Any, obj: Int) -> None:
    """Contact, sliding and impact after a commit: the end of `SetPositionInternal` (0x515330)."""
    body = bodies[obj]
    transient = np.int64(objects["transient"][obj])
    state = np.int64(objects["state"][obj])
    was_walkable = transient & _ON_WALKABLE != 0
    v = body["velocity"]
    if t["killed_velocity"] != 0:
        v[0] = 0.0
        v[1] = 0.0
        v[2] = 0.0
    transient &= ~(_CONTACT | _ON_WALKABLE | _WATER | _SLIDING) & _ALL
    walkable = False
    if t["contact_valid"] != 0:
        copy(body["contact"], t["contact"], 4)
        body["contact_cell_id"] = t["contact_cell_id"]
        body["contact_water"] = t["contact_water"]
        walkable = t["contact"][2] >= FLOOR_Z
        transient |= _CONTACT
        if walkable:
            transient |= _ON_WALKABLE
        if t["contact_water"] != 0:
            transient |= _WATER
    if t["sliding_valid"] != 0:
        transient |= _SLIDING
        copy(body["sliding"], t["sliding"], 3)
    if walkable and not was_walkable:
        body["grounded"] = HIT_GROUND
    elif was_walkable and not walkable:
        body["grounded"] = LEFT_GROUND
    # handle_all_collisions 0x514780
    body["hit_environment"] = t["hit_environment"]
    fall = t["stationary"]
    if fall > 1:
        v[0] = 0.0
        v[1] = 0.0
        v[2] = 0.0
    elif t["normal_valid"] != 0 and not (was_walkable and walkable and state & _SLEDDING == 0):
        bounce(body, t["normal"], state)
    if state & MISSILE != 0 and t["normal_valid"] != 0:
        objects["state"][obj] = np.uint32(state & ~_MISSILE_BITS & _ALL)
    transient &= ~_STATIONARY & _ALL
    if fall == 1:
        transient |= _FALL
    elif fall == 2:
        transient |= _STOP
    objects["transient"][obj] = np.uint32(transient)
    calc_acceleration(body, state, transient)


@kernel
def run_settle(paths: Any, objects: Any, bodies: Any, obj: Int) -> None:
    """`settle_body` of the first row."""
    settle_body(paths[0], objects, bodies, obj)

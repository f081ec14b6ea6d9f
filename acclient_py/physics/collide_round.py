"""Spheres against the round shapes of objects: spheres and upright cylinders (spec 5.7).

One function a shape, as in `collide.py`, which asks them.
"""

from __future__ import annotations

import math
from typing import Any

from acclient_py.kernels import kernel
from acclient_py.physics.path import (
    ADJUSTED,
    COLLIDED,
    CONTACT,
    EPSILON,
    OK,
    ON_WALKABLE,
    ONE,
    PATH_CLIPPED,
    PERFECT_CLIP,
    PLACEMENT,
    STEP_UP,
    Z_FOR_LANDING,
    ZERO,
    Flag,
    Int,
    add_offset,
    block_dx,
    block_dy,
    copy,
    normalise_small,
    rotate,
    set_collide,
    set_collision_normal,
    set_contact,
    slide_sphere,
)


@kernel(inner=True)
def time_of_contact(
    mx: float, my: float, mz: float, dx: float, dy: float, dz: float, reach: float
) -> float:
    """When a point at (dx, dy, dz) that moves by m is `reach` from the origin; -1 never."""
    m2 = mx * mx + my * my + mz * mz
    b = -(dx * mx + dy * my + dz * mz)
    c = dx * dx + dy * dy + dz * dz - reach * reach
    q = b * b - c * m2
    if c < EPSILON or m2 < EPSILON or q < 0.0:
        return -1.0
    root = math.sqrt(q)
    if b - root < 0.0:
        return (b + root) / m2
    return (b - root) / m2


@kernel(inner=True)
def sphere_clip(t: Any, i: Int, x: float, y: float, z: float, reach: float) -> Int:
    """Stop sphere `i` of the path at a sphere (`CSphere::collide_with_point`)."""
    center = t["curr_center"]
    globe = t["globe"]
    v = t["vector"]
    v[0] = center[i, 0] - x
    v[1] = center[i, 1] - y
    v[2] = center[i, 2] - z
    if t["state"] & PERFECT_CLIP == 0:
        if not normalise_small(v):
            set_collision_normal(t, v[0], v[1], v[2])
        return COLLIDED
    mx = globe[i, 0] - center[i, 0] + block_dx(t["curr_id"], t["check_id"])
    my = globe[i, 1] - center[i, 1] + block_dy(t["curr_id"], t["check_id"])
    mz = globe[i, 2] - center[i, 2]
    s = time_of_contact(mx, my, mz, v[0], v[1], v[2], reach + EPSILON)
    if s < EPSILON or s > 1.0:
        return COLLIDED
    add_offset(t, mx * (s - 1.0), my * (s - 1.0), mz * (s - 1.0))
    set_collision_normal(t, globe[i, 0] - x, globe[i, 1] - y, globe[i, 2] - z)
    return ADJUSTED


@kernel(inner=True)
def sphere_collisions(t: Any, x: float, y: float, z: float, r: float, creature: Flag) -> Int:
    """A sphere of an object, in the block of the checked position (`intersects_sphere`)."""
    globe = t["globe"]
    center = t["curr_center"]
    reach = r + globe[0, 3] - EPSILON
    dx = globe[0, 0] - x
    dy = globe[0, 1] - y
    dz = globe[0, 2] - z
    hit0 = dx * dx + dy * dy + dz * dz <= reach * reach
    hit1 = False
    if t["num_sphere"] > 1:
        ex = globe[1, 0] - x
        ey = globe[1, 1] - y
        ez = globe[1, 2] - z
        hit1 = ex * ex + ey * ey + ez * ez <= reach * reach
    if not hit0 and not hit1:
        return OK
    if t["insert_type"] == PLACEMENT or t["obstruction_ethereal"] != 0:
        return COLLIDED
    v = t["vector"]
    if t["step_down"] != 0:
        if creature:
            return OK
        amount = t["step_down_amt"] * t["walk_interp"]
        full = reach + EPSILON
        q = full * full - dx * dx - dy * dy
        if abs(amount) < EPSILON or q < 0.0:
            return COLLIDED
        rise = math.sqrt(q) - dz
        interp = (1.0 - rise / amount) * t["walk_interp"]
        if interp >= t["walk_interp"] or interp < -0.1:
            return COLLIDED
        nx = dx / full
        ny = dy / full
        nz = (dz + rise) / full
        if nz <= t["walkable_allowance"]:
            return OK
        d = -(nx * (x + nx * r) + ny * (y + ny * r) + nz * (z + nz * r))
        set_contact(t, nx, ny, nz, d, ONE, t["check_id"])
        t["walk_interp"] = interp
        add_offset(t, 0.0, 0.0, rise)
        return ADJUSTED
    if t["check_walkable"] != 0:
        return COLLIDED
    if t["collide"] != 0:
        if creature:
            return OK
        mx = center[0, 0] - globe[0, 0] - block_dx(t["curr_id"], t["check_id"])
        my = center[0, 1] - globe[0, 1] - block_dy(t["curr_id"], t["check_id"])
        mz = center[0, 2] - globe[0, 2]
        full = reach + EPSILON
        m2 = mx * mx + my * my + mz * mz
        b = -(mx * dx + my * dy + mz * dz)
        q = b * b - (dx * dx + dy * dy + dz * dz - full * full) * m2
        if m2 < EPSILON or q < 0.0:
            return COLLIDED
        s = b + math.sqrt(q)
        if s > 1.0:
            s = 2.0 * b - s
        s /= m2
        interp = (1.0 - s) * t["walk_interp"]
        if interp >= t["walk_interp"] or interp < -0.1:
            return COLLIDED
        nx = (dx + mx * s) / full
        ny = (dy + my * s) / full
        nz = (dz + mz * s) / full
        if nz <= t["walkable_allowance"]:
            return OK
        px = globe[0, 0] + mx * s - nx * globe[0, 3]
        py = globe[0, 1] + my * s - ny * globe[0, 3]
        pz = globe[0, 2] + mz * s - nz * globe[0, 3]
        set_contact(t, nx, ny, nz, -(nx * px + ny * py + nz * pz), ONE, t["check_id"])
        t["walk_interp"] = interp
        add_offset(t, mx * s, my * s, mz * s)
        return ADJUSTED
    if t["state"] & (CONTACT | ON_WALKABLE) != 0:
        i = ZERO if hit0 else ONE
        v[0] = center[i, 0] - x
        v[1] = center[i, 1] - y
        v[2] = center[i, 2] - z
        if hit0 and t["step_up_height"] >= reach + EPSILON - dz:
            copy(t["step_normal"], v, 3)
            return STEP_UP
        if normalise_small(v):
            return COLLIDED
        return slide_sphere(t, i, v[0], v[1], v[2], i)
    if t["state"] & PATH_CLIPPED != 0:
        if hit0:
            return sphere_clip(t, ZERO, x, y, z, reach)
        return OK
    if hit0:
        v[0] = center[0, 0] - x
        v[1] = center[0, 1] - y
        v[2] = center[0, 2] - z
        if normalise_small(v):
            return COLLIDED
        set_collide(t, v[0], v[1], v[2])
        t["walkable_allowance"] = Z_FOR_LANDING
        return ADJUSTED
    return sphere_clip(t, ONE, x, y, z, reach)


@kernel(inner=True)
def cylinder_normal(
    t: Any, i: Int, x: float, y: float, z: float, height: float, reach: float, dz: float
) -> Flag:
    """The side or end of a cylinder that sphere `i` comes from, into `vector`.

    dz : the sphere's height over the low point now. False: it may be the side or an end.
    """
    center = t["curr_center"]
    v = t["vector"]
    ox = center[i, 0] - x
    oy = center[i, 1] - y
    oz = center[i, 2] - z
    if reach * reach < ox * ox + oy * oy:
        v[0] = ox
        v[1] = oy
        v[2] = 0.0
        half = 0.5 * height
        return t["globe"][i, 3] - EPSILON + half >= abs(half - oz) or abs(oz - dz) <= EPSILON
    v[0] = 0.0
    v[1] = 0.0
    v[2] = 1.0 if dz - oz <= 0.0 else -1.0
    return True


@kernel(inner=True)
def cylinder_clip(
    t: Any, i: Int, x: float, y: float, z: float, height: float, reach: float, dz: float
) -> Int:
    """Stop sphere `i` at a cylinder (`CCylSphere::collide_with_point`)."""
    certain = cylinder_normal(t, i, x, y, z, height, reach, dz)
    v = t["vector"]
    if normalise_small(v):
        return COLLIDED
    if t["state"] & PERFECT_CLIP == 0:
        set_collision_normal(t, v[0], v[1], v[2])
        return COLLIDED
    center = t["curr_center"]
    globe = t["globe"]
    r = globe[i, 3]
    mx = globe[i, 0] - center[0, 0] + block_dx(t["curr_id"], t["check_id"])
    my = globe[i, 1] - center[0, 1] + block_dy(t["curr_id"], t["check_id"])
    mz = globe[i, 2] - center[0, 2]
    ox = center[0, 0] - x
    oy = center[0, 1] - y
    oz = center[0, 2] - z
    full = reach + EPSILON
    m2 = mx * mx + my * my
    b = -(mx * ox + my * oy)
    q = b * b - (ox * ox + oy * oy - full * full) * m2
    side = -1.0
    if q >= 0.0 and m2 >= EPSILON:
        root = math.sqrt(q)
        side = (b + root) / m2 if b - root < 0.0 else (b - root) / m2
    end = -1.0
    if abs(mz) >= EPSILON:
        end = -(oz + r) / mz if mz > 0.0 else (r + height - oz) / mz
    use_side = certain and v[2] == 0.0
    if not certain:
        px = ox + mx * end
        py = oy + my * end
        use_side = px * px + py * py >= full * full
    s = side if use_side else end
    if s < 0.0 or s > 1.0:
        return COLLIDED
    add_offset(t, mx * (s - 1.0), my * (s - 1.0), mz * (s - 1.0))
    if use_side:
        set_collision_normal(t, ox + mx * s, oy + my * s, 0.0)
    else:
        set_collision_normal(t, 0.0, 0.0, -1.0 if mz > 0.0 else 1.0)
    return ADJUSTED


@kernel(inner=True)
def cylinder_collisions(
    t: Any, x: float, y: float, z: float, r: float, height: float, frame: Any
) -> Int:
    """A cylinder of an object: low point in the block of the checked position, own frame."""
    globe = t["globe"]
    center = t["curr_center"]
    reach = r + globe[0, 3] - EPSILON
    half = 0.5 * height
    dx = globe[0, 0] - x
    dy = globe[0, 1] - y
    dz = globe[0, 2] - z
    hit0 = dx * dx + dy * dy <= reach * reach and abs(half - dz) <= globe[0, 3] - EPSILON + half
    hit1 = False
    ez = 0.0
    if t["num_sphere"] > 1:
        ex = globe[1, 0] - x
        ey = globe[1, 1] - y
        ez = globe[1, 2] - z
        hit1 = ex * ex + ey * ey <= reach * reach and abs(half - ez) <= globe[1, 3] - EPSILON + half
    if not hit0 and not hit1:
        return OK
    if t["insert_type"] == PLACEMENT or t["obstruction_ethereal"] != 0:
        return COLLIDED
    v = t["vector"]
    if t["step_down"] != 0:
        amount = t["step_down_amt"] * t["walk_interp"]
        if abs(amount) < EPSILON:
            return COLLIDED
        rise = height + globe[0, 3] - dz
        interp = (1.0 - rise / amount) * t["walk_interp"]
        if interp >= t["walk_interp"] or interp < -0.1:
            return COLLIDED
        set_contact(t, 0.0, 0.0, 1.0, -(globe[0, 2] + rise - globe[0, 3]), 1, t["check_id"])
        t["walk_interp"] = interp
        add_offset(t, 0.0, 0.0, rise)
        return ADJUSTED
    if t["check_walkable"] != 0:
        return COLLIDED
    if t["collide"] != 0:
        mx = center[0, 0] - globe[0, 0] - block_dx(t["curr_id"], t["check_id"])
        my = center[0, 1] - globe[0, 1] - block_dy(t["curr_id"], t["check_id"])
        mz = center[0, 2] - globe[0, 2]
        if abs(mz) < EPSILON:
            return COLLIDED
        s = (height + globe[0, 3] - dz) / mz
        px = dx + mx * s
        py = dy + my * s
        if reach * reach < px * px + py * py:
            return OK
        interp = (1.0 - s) * t["walk_interp"]
        if interp >= t["walk_interp"] or interp < -0.1:
            return COLLIDED
        set_contact(t, 0.0, 0.0, 1.0, -(globe[0, 2] + mz * s - globe[0, 3]), 1, t["check_id"])
        t["walk_interp"] = interp
        add_offset(t, mx * s, my * s, mz * s)
        return ADJUSTED
    if t["state"] & (CONTACT | ON_WALKABLE) != 0:
        i = ZERO if hit0 else ONE
        cylinder_normal(t, i, x, y, z, height, reach, dz if hit0 else ez)
        if normalise_small(v):
            return COLLIDED
        if hit0 and t["step_up_height"] >= globe[0, 3] + height - dz:
            nx, ny, nz = rotate(frame, v[0], v[1], v[2])
            n = t["step_normal"]
            n[0] = nx
            n[1] = ny
            n[2] = nz
            return STEP_UP
        return slide_sphere(t, i, v[0], v[1], v[2], i)
    if t["state"] & PATH_CLIPPED != 0:
        if hit0:
            return cylinder_clip(t, ZERO, x, y, z, height, reach, dz)
        return OK
    if hit0:
        cylinder_normal(t, ZERO, x, y, z, height, reach, dz)
        if normalise_small(v):
            return COLLIDED
        set_collide(t, v[0], v[1], v[2])
        t["walkable_allowance"] = Z_FOR_LANDING
        return ADJUSTED
    return cylinder_clip(t, ONE, x, y, z, height, reach, ez)

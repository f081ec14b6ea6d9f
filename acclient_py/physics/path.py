"""The record of one transition: SPHEREPATH, OBJECTINFO and COLLISIONINFO in one row.

Spec physics-membership 5.1. Numbers are float64, as retail's intermediates were wider than its
stores; positions and spheres are rounded to float32 whenever they are written. Positions are
(cell id, frame); a frame is x y z qw qx qy qz. Spheres are x y z r. The small kernels here are
retail's helpers of the same names; they take the row.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from acclient_py.kernels import kernel

Int = Any
"""A whole number of a kernel: int64."""

Flag = Any
"""A truth of a kernel."""

EPSILON: Final = 0.0002
FLOOR_Z: Final = 0.6641741461866276
Z_FOR_LANDING: Final = 0.0871557
LOOSE_STEP: Final = 0.04  # step height of a body that is not on walkable ground

OK: Final = 1
COLLIDED: Final = 2
ADJUSTED: Final = 3
SLID: Final = 4
STEP_UP: Final = 5  # a collision asks its caller for a step up; no result of retail's

# numbers that reach a kernel as variables: a literal would compile one more form of it
ZERO: Final = np.int64(0)
NONE: Final = np.int64(-1)
ONE: Final = np.int64(1)
THREE: Final = np.int64(3)
FIVE: Final = np.int64(5)

TRANSITION: Final = 0
PLACEMENT: Final = 1
INITIAL_PLACEMENT: Final = 2

# OBJECTINFO.state (spec 4.3)
CONTACT: Final = 0x1
ON_WALKABLE: Final = 0x2
IS_VIEWER: Final = 0x4
PATH_CLIPPED: Final = 0x8
FREE_ROTATE: Final = 0x10
PERFECT_CLIP: Final = 0x40
IS_IMPENETRABLE: Final = 0x80
IS_PLAYER: Final = 0x100
EDGE_SLIDE: Final = 0x200
IGNORE_CREATURES: Final = 0x400
IS_PK: Final = 0x800
IS_PKLITE: Final = 0x1000

# PhysicsState bits as plain numbers, for kernels
ETHEREAL: Final = 0x00000004
IGNORE_COLLISIONS: Final = 0x00000010
MISSILE: Final = 0x00000040
GRAVITY: Final = 0x00000400

MAX_TOUCHED: Final = 32

PATH_DTYPE: Final = np.dtype(
    [
        # the mover
        ("object", "<i8"),
        ("state", "<i8"),  # OBJECTINFO bits
        ("physics_state", "<i8"),
        ("target", "<i8"),  # object a missile flies at, -1
        ("ethereal", "<i8"),
        ("may_step_down", "<i8"),  # OBJECTINFO.step_down: not a missile
        ("step_up_height", "<f8"),
        ("step_down_height", "<f8"),
        # the spheres
        ("num_sphere", "<i8"),
        ("local", "<f8", (2, 4)),
        ("local_low", "<f8", 3),
        ("globe", "<f8", (2, 4)),  # global_sphere: at check_pos, in its block
        ("low", "<f8", 3),  # global_low_point
        ("curr_center", "<f8", (2, 3)),
        ("localspace", "<f8", (2, 4)),
        ("localspace_curr", "<f8", (2, 3)),
        ("localspace_z", "<f8", 3),
        ("localspace_frame", "<f8", 7),
        ("localspace_id", "<i8"),
        ("localspace_scale", "<f8"),
        # where
        ("has_begin", "<i8"),
        ("begin_cell", "<i8"),
        ("begin_id", "<i8"),
        ("begin", "<f8", 7),
        ("end_id", "<i8"),
        ("end", "<f8", 7),
        ("curr_cell", "<i8"),
        ("curr_id", "<i8"),
        ("curr", "<f8", 7),
        ("check_cell", "<i8"),
        ("check_id", "<i8"),
        ("check", "<f8", 7),
        ("backup_cell", "<i8"),
        ("backup_id", "<i8"),
        ("backup", "<f8", 7),
        # how
        ("insert_type", "<i8"),
        ("step_down", "<i8"),
        ("step_up", "<i8"),
        ("collide", "<i8"),
        ("check_walkable", "<i8"),
        ("bldg_check", "<i8"),
        ("obstruction_ethereal", "<i8"),
        ("hits_interior_cell", "<i8"),
        ("placement_allows_sliding", "<i8"),
        ("walkable_allowance", "<f8"),
        ("walk_interp", "<f8"),
        ("step_down_amt", "<f8"),
        ("step_up_normal", "<f8", 3),
        ("walkable", "<i8"),  # polygon row, -1 none
        ("walkable_sphere", "<f8", 4),
        ("walkable_up", "<f8", 3),
        ("walkable_frame", "<f8", 7),
        ("walkable_id", "<i8"),
        ("walkable_scale", "<f8"),
        ("neg_poly_hit", "<i8"),
        ("neg_step_up", "<i8"),
        ("neg_normal", "<f8", 3),
        # what was met
        ("contact_valid", "<i8"),
        ("contact", "<f8", 4),
        ("contact_water", "<i8"),
        ("contact_cell_id", "<i8"),
        ("last_valid", "<i8"),  # last_known_contact_plane
        ("last", "<f8", 4),
        ("last_water", "<i8"),
        ("last_cell_id", "<i8"),
        ("sliding_valid", "<i8"),
        ("sliding", "<f8", 3),
        ("normal_valid", "<i8"),  # collision_normal
        ("normal", "<f8", 3),
        ("hit_environment", "<i8"),
        ("stationary", "<i8"),  # frames_stationary_fall
        ("killed_velocity", "<i8"),
        ("touched_count", "<i8"),
        ("touched", "<i8", MAX_TOUCHED),  # collided objects
        # where a collision that asked for a step up goes on
        ("at_phase", "<i8"),
        ("at_shadow", "<i8"),
        ("at_item", "<i8"),
        ("step_normal", "<f8", 3),
        # scratch
        ("valid", "<f8", (2, 4)),
        ("vector", "<f8", 3),
    ],
    align=True,
)


@kernel(inner=True)
def copy(target: Any, source: Any, count: Int) -> None:
    """The first `count` numbers of one array into another."""
    for i in range(count):
        target[i] = source[i]


@kernel(inner=True)
def stored(x: float) -> float:
    """A number as retail's 32-bit store left it."""
    return np.float64(np.float32(x))


@kernel(inner=True)
def block_dx(from_id: Int, to_id: Int) -> Any:
    """Metres east from one id's block to another's."""
    return (((to_id >> 24) & 0xFF) - ((from_id >> 24) & 0xFF)) * 192.0


@kernel(inner=True)
def block_dy(from_id: Int, to_id: Int) -> Any:
    """Metres north from one id's block to another's."""
    return (((to_id >> 16) & 0xFF) - ((from_id >> 16) & 0xFF)) * 192.0


@kernel(inner=True)
def rotate(f: Any, x: float, y: float, z: float) -> Any:
    """A direction out of a frame (float32 or float64 row)."""
    qw = np.float64(f[3])
    qx = np.float64(f[4])
    qy = np.float64(f[5])
    qz = np.float64(f[6])
    tx = 2.0 * (qy * z - qz * y)
    ty = 2.0 * (qz * x - qx * z)
    tz = 2.0 * (qx * y - qy * x)
    return (
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    )


@kernel(inner=True)
def unrotate(f: Any, x: float, y: float, z: float) -> Any:
    """A direction into a frame (float32 or float64 row)."""
    qw = np.float64(f[3])
    qx = -np.float64(f[4])
    qy = -np.float64(f[5])
    qz = -np.float64(f[6])
    tx = 2.0 * (qy * z - qz * y)
    ty = 2.0 * (qz * x - qx * z)
    tz = 2.0 * (qx * y - qy * x)
    return (
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    )


@kernel(inner=True)
def normalise_small(v: Any) -> Flag:
    """Make a vector unit length; True (and unchanged) when it is too short for that."""
    m = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if m < EPSILON:
        return True
    v[0] /= m
    v[1] /= m
    v[2] /= m
    return False


@kernel(inner=True)
def init_spheres(t: Any, scale: float) -> None:
    """Scale the local spheres and find their low point (`init_sphere`)."""
    local = t["local"]
    for i in range(t["num_sphere"]):
        for k in range(4):
            local[i, k] *= scale
    low = t["local_low"]
    low[0] = local[0, 0]
    low[1] = local[0, 1]
    low[2] = local[0, 2] - local[0, 3]


@kernel(inner=True)
def cache_curr_center(t: Any) -> None:
    """`global_curr_center` from `curr_pos`."""
    f = t["curr"]
    local = t["local"]
    center = t["curr_center"]
    for i in range(t["num_sphere"]):
        x, y, z = rotate(f, local[i, 0], local[i, 1], local[i, 2])
        center[i, 0] = stored(x + f[0])
        center[i, 1] = stored(y + f[1])
        center[i, 2] = stored(z + f[2])


@kernel(inner=True)
def cache_globe(t: Any) -> None:
    """The global spheres and low point from `check_pos`."""
    f = t["check"]
    local = t["local"]
    globe = t["globe"]
    for i in range(t["num_sphere"]):
        x, y, z = rotate(f, local[i, 0], local[i, 1], local[i, 2])
        globe[i, 0] = stored(x + f[0])
        globe[i, 1] = stored(y + f[1])
        globe[i, 2] = stored(z + f[2])
        globe[i, 3] = local[i, 3]
    low = t["local_low"]
    x, y, z = rotate(f, low[0], low[1], low[2])
    out = t["low"]
    out[0] = stored(x + f[0])
    out[1] = stored(y + f[1])
    out[2] = stored(z + f[2])


@kernel(inner=True)
def add_offset(t: Any, x: float, y: float, z: float) -> None:
    """Move `check_pos` and what hangs on it (`add_offset_to_check_pos`)."""
    x = stored(x)
    y = stored(y)
    z = stored(z)
    f = t["check"]
    f[0] = stored(f[0] + x)
    f[1] = stored(f[1] + y)
    f[2] = stored(f[2] + z)
    globe = t["globe"]
    for i in range(t["num_sphere"]):
        globe[i, 0] = stored(globe[i, 0] + x)
        globe[i, 1] = stored(globe[i, 1] + y)
        globe[i, 2] = stored(globe[i, 2] + z)
    low = t["low"]
    low[0] = stored(low[0] + x)
    low[1] = stored(low[1] + y)
    low[2] = stored(low[2] + z)


@kernel(inner=True)
def set_check_pos(t: Any, cell: Int, cell_id: Int, frame: Any) -> None:
    """Another position to be checked."""
    t["check_cell"] = cell
    t["check_id"] = cell_id
    copy(t["check"], frame, 7)
    cache_globe(t)


@kernel(inner=True)
def save_check_pos(t: Any) -> None:
    """Keep the position to be checked (backup)."""
    t["backup_cell"] = t["check_cell"]
    t["backup_id"] = t["check_id"]
    copy(t["backup"], t["check"], 7)


@kernel(inner=True)
def restore_check_pos(t: Any) -> None:
    """Back to the position kept last."""
    set_check_pos(t, t["backup_cell"], t["backup_id"], t["backup"])


@kernel(inner=True)
def adjust_check_pos(t: Any, cell_id: Int) -> None:
    """Re-express the position in the block of the cell that was chosen."""
    if (cell_id & 0xFFFF) < 0x100:
        add_offset(t, block_dx(cell_id, t["check_id"]), block_dy(cell_id, t["check_id"]), 0.0)
    t["check_id"] = cell_id


@kernel(inner=True)
def take_check(t: Any) -> None:
    """The checked position becomes the current one."""
    t["curr_cell"] = t["check_cell"]
    t["curr_id"] = t["check_id"]
    copy(t["curr"], t["check"], 7)
    cache_curr_center(t)


@kernel(inner=True)
def set_collision_normal(t: Any, x: float, y: float, z: float) -> None:
    """The normal of what was hit, unit length, or zero when it has no length."""
    t["normal_valid"] = 1
    n = t["normal"]
    n[0] = x
    n[1] = y
    n[2] = z
    if normalise_small(n):
        n[0] = 0.0
        n[1] = 0.0
        n[2] = 0.0


@kernel(inner=True)
def set_sliding_normal(t: Any, x: float, y: float) -> None:
    """The horizontal normal along which the next step slides."""
    t["sliding_valid"] = 1
    n = t["sliding"]
    n[0] = x
    n[1] = y
    n[2] = 0.0
    if normalise_small(n):
        n[0] = 0.0
        n[1] = 0.0


@kernel(inner=True)
def set_contact(t: Any, x: float, y: float, z: float, d: float, water: Int, cell_id: Int) -> None:
    """What the body stands on."""
    t["contact_valid"] = 1
    p = t["contact"]
    p[0] = x
    p[1] = y
    p[2] = z
    p[3] = d
    t["contact_water"] = water
    t["contact_cell_id"] = cell_id


@kernel(inner=True)
def no_contact(t: Any) -> None:
    """The contact plane is no longer valid."""
    t["contact_valid"] = 0
    t["contact_water"] = 0


@kernel(inner=True)
def set_collide(t: Any, x: float, y: float, z: float) -> None:
    """A body in the air met something: announce the landing test."""
    t["collide"] = 1
    save_check_pos(t)
    n = t["step_up_normal"]
    n[0] = x
    n[1] = y
    n[2] = z
    t["walk_interp"] = 1.0


@kernel(inner=True)
def cache_localspace(t: Any, frame: Any, frame_id: Int, scale: float) -> None:
    """The path's spheres in the frame that is tested, divided by its scale."""
    t["localspace_id"] = frame_id
    t["localspace_scale"] = scale
    own = t["localspace_frame"]
    copy(own, frame, 7)
    inverse = 1.0 / scale
    globe = t["globe"]
    center = t["curr_center"]
    local = t["localspace"]
    curr = t["localspace_curr"]
    ox = block_dx(frame_id, t["check_id"]) - own[0]
    oy = block_dy(frame_id, t["check_id"]) - own[1]
    cx = block_dx(frame_id, t["curr_id"]) - own[0]
    cy = block_dy(frame_id, t["curr_id"]) - own[1]
    for i in range(t["num_sphere"]):
        x, y, z = unrotate(own, globe[i, 0] + ox, globe[i, 1] + oy, globe[i, 2] - own[2])
        local[i, 0] = stored(x * inverse)
        local[i, 1] = stored(y * inverse)
        local[i, 2] = stored(z * inverse)
        local[i, 3] = stored(t["local"][i, 3] * inverse)
        x, y, z = unrotate(own, center[i, 0] + cx, center[i, 1] + cy, center[i, 2] - own[2])
        curr[i, 0] = stored(x * inverse)
        curr[i, 1] = stored(y * inverse)
        curr[i, 2] = stored(z * inverse)
    x, y, z = unrotate(own, 0.0, 0.0, 1.0)
    up = t["localspace_z"]
    up[0] = x
    up[1] = y
    up[2] = z


@kernel(inner=True)
def touched(t: Any, obj: Int) -> None:
    """Remember an object that was collided with (`add_object`)."""
    count = t["touched_count"]
    for i in range(count):
        if t["touched"][i] == obj:
            return
    if count < MAX_TOUCHED:
        t["touched"][count] = obj
        t["touched_count"] = count + 1


@kernel(inner=True)
def slide_sphere(t: Any, sphere: Int, x: float, y: float, z: float, curr: Int) -> Int:
    """Slide a sphere of the path along a surface (0x537440).

    x, y, z : the surface's normal ; curr : whose current centre the movement is counted from
    """
    globe = t["globe"]
    center = t["curr_center"]
    if x == 0.0 and y == 0.0 and z == 0.0:
        add_offset(
            t,
            0.5 * (center[curr, 0] - globe[sphere, 0]),
            0.5 * (center[curr, 1] - globe[sphere, 1]),
            0.5 * (center[curr, 2] - globe[sphere, 2]),
        )
        return ADJUSTED
    set_collision_normal(t, x, y, z)
    mx = globe[sphere, 0] - center[curr, 0] + block_dx(t["curr_id"], t["check_id"])
    my = globe[sphere, 1] - center[curr, 1] + block_dy(t["curr_id"], t["check_id"])
    mz = globe[sphere, 2] - center[curr, 2]
    p = t["last"]
    if t["contact_valid"] != 0:
        p = t["contact"]
    dx = y * p[2] - z * p[1]
    dy = z * p[0] - x * p[2]
    dz = x * p[1] - y * p[0]
    d2 = dx * dx + dy * dy + dz * dz
    if d2 >= EPSILON:
        s = (dx * mx + dy * my + dz * mz) / d2
        tx = dx * s
        ty = dy * s
        tz = dz * s
        if tx * tx + ty * ty + tz * tz < EPSILON:
            return COLLIDED
        add_offset(t, tx - mx, ty - my, tz - mz)
        return SLID
    if x * p[0] + y * p[1] + z * p[2] >= 0.0:
        s = x * mx + y * my + z * mz
        add_offset(t, -s * x, -s * y, -s * z)
        return SLID
    if mx * mx + my * my + mz * mz >= EPSILON * EPSILON:
        set_collision_normal(t, -mx, -my, -mz)
    return COLLIDED

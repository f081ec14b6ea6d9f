"""What the path's spheres meet in one cell: terrain, env cell, building shell, objects.

Spec physics-membership 5.7 and 5.8. Each collision answers OK, COLLIDED, ADJUSTED or SLID and
leaves its normal and contact plane in the path's row. A collision that wants the body to step up
answers STEP_UP: the caller steps, takes what came of it as the collision's answer and goes on from
`at_phase`, `at_shadow`, `at_item`. So nothing here calls itself.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.kernels import kernel
from acclient_py.physics.bodies import CREATURE, IMPENETRABLE, PK, PKLITE, PLAYER
from acclient_py.physics.bsp import (
    find_walkable,
    sphere_hits_polygon,
    sphere_in_solid,
    sphere_solid_polygon,
    walkable_under,
)
from acclient_py.physics.collide_round import cylinder_collisions, sphere_collisions
from acclient_py.physics.path import (
    ADJUSTED,
    COLLIDED,
    CONTACT,
    EPSILON,
    ETHEREAL,
    FLOOR_Z,
    IGNORE_COLLISIONS,
    IGNORE_CREATURES,
    INITIAL_PLACEMENT,
    IS_IMPENETRABLE,
    IS_PK,
    IS_PKLITE,
    IS_PLAYER,
    IS_VIEWER,
    MISSILE,
    OK,
    ON_WALKABLE,
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
    cache_localspace,
    copy,
    rotate,
    set_collide,
    set_collision_normal,
    set_contact,
    slide_sphere,
    touched,
)
from acclient_py.physics.state import HAS_PHYSICS_BSP, STATIC
from acclient_py.physics.tables import (
    blocks_of,
    bodies_of,
    buildings_of,
    cells_of,
    cylinders_of,
    gfx_of,
    objects_of,
    parts_of,
    polygons_of,
    shadows_of,
    shapes_of,
    spheres_of,
    swne_of,
    terrain_of,
    terrain_planes_of,
    water_of,
)
from acclient_py.world.terrain import find_terrain_poly, water_depth

PHASE_ENVIRONMENT: Final = 0
PHASE_BUILDING: Final = 1
PHASE_OBJECTS: Final = 2


# terrain -------------------------------------------------------------------------------------


@kernel(inner=True)
def validate_walkable(
    t: Any, x: float, y: float, z: float, r: float, plane: Any, water: Int, depth: float, cell: Int
) -> Int:
    """The lowest point of a sphere against the ground (0x50D010).

    x, y, z, r : sphere 0 in the plane's space ; cell : the land cell's id
    """
    nx = np.float64(plane[0])
    ny = np.float64(plane[1])
    nz = np.float64(plane[2])
    d = np.float64(plane[3])
    if t["state"] & IS_VIEWER != 0:
        h = x * nx + y * ny + z * nz + d - r
        indoors = t["has_begin"] != 0 and (t["begin_id"] & 0xFFFF) >= 0x100
        if h > -EPSILON and indoors:
            return OK
        center = t["curr_center"]
        globe = t["globe"]
        mx = globe[0, 0] - center[0, 0] + block_dx(t["curr_id"], t["check_id"])
        my = globe[0, 1] - center[0, 1] + block_dy(t["curr_id"], t["check_id"])
        mz = globe[0, 2] - center[0, 2]
        along = mx * nx + my * ny + mz * nz
        if h > -EPSILON:
            return OK
        if along == 0.0:
            return OK
        s = h / along
        if (s <= 0.0 or s > 1.0) and indoors:
            return OK
        add_offset(t, -s * mx, -s * my, -s * mz)
        set_collision_normal(t, nx, ny, nz)
        t["hit_environment"] = 1
        return ADJUSTED
    h = x * nx + y * ny + (z - r) * nz + d + depth
    if h > EPSILON:
        return OK
    stands = t["step_down"] != 0 or t["state"] & ON_WALKABLE == 0 or nz >= FLOOR_Z
    loose = t["state"] & CONTACT == 0 and t["step_down"] == 0
    if h >= -EPSILON:
        if stands:
            set_contact(t, nx, ny, nz, d, water, cell)
        if loose:
            set_collision_normal(t, nx, ny, nz)
            t["hit_environment"] = 1
        return OK
    if t["check_walkable"] != 0:
        return COLLIDED
    result = OK
    if stands:
        rise = -h / nz
        set_contact(t, nx, ny, nz, d, water, cell)
        if t["step_down"] != 0:
            old = t["walk_interp"]
            interp = (1.0 - rise / (t["step_down_amt"] * old)) * old
            if interp >= old or interp < -0.1:
                return COLLIDED
            t["walk_interp"] = interp
        add_offset(t, 0.0, 0.0, rise)
        result = ADJUSTED
    if loose:
        set_collision_normal(t, nx, ny, nz)
        t["hit_environment"] = 1
    return result


@kernel(inner=True)
def land_environment(t: Any, w: Any, cell: Int) -> Int:
    """The ground of a land cell (0x532F20)."""
    row = cells_of(w)[cell]
    cell_id: Any = np.int64(row["id"])
    block = row["block"]
    index = (cell_id & 0xFFFF) - 1
    ox = block_dx(t["check_id"], cell_id)
    oy = block_dy(t["check_id"], cell_id)
    low = t["low"]
    x = low[0] - ox
    y = low[1] - oy
    triangle = find_terrain_poly(swne_of(w)[block, index] != 0, index, np.float32(x), np.float32(y))
    if triangle < 0:
        return OK
    if (
        blocks_of(w)[block]["water"] == 2
        and t["state"] & IS_VIEWER == 0
        and t["physics_state"] & MISSILE == 0
    ):
        return COLLIDED
    wet = water_of(w)[block, index]
    depth = 0.0
    if wet != 0:
        depth = np.float64(
            water_depth(wet, terrain_of(w)[block], index, np.float32(x), np.float32(y))
        )
    globe = t["globe"]
    return validate_walkable(
        t,
        globe[0, 0] - ox,
        globe[0, 1] - oy,
        globe[0, 2],
        globe[0, 3],
        terrain_planes_of(w)[block, index, triangle],
        1 if wet != 0 else 0,
        depth,
        cell_id,
    )


# physics BSP ---------------------------------------------------------------------------------


@kernel(inner=True)
def bsp_contact(t: Any, w: Any, polygon: Int) -> None:
    """The contact plane and the walkable polygon of a body that now stands at `valid[0]`.

    The plane is put out of local space into the block of the checked position.
    """
    p = polygons_of(w)[polygon]["plane"]
    f = t["localspace_frame"]
    x, y, z = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
    ox = f[0] + block_dx(t["check_id"], t["localspace_id"])
    oy = f[1] + block_dy(t["check_id"], t["localspace_id"])
    d = np.float64(p[3]) * t["localspace_scale"] - (x * ox + y * oy + z * f[2])
    set_contact(t, x, y, z, d, ZERO, t["check_id"])
    t["walkable"] = polygon
    copy(t["walkable_sphere"], t["valid"][0], 4)
    copy(t["walkable_up"], t["localspace_z"], 3)
    copy(t["walkable_frame"], f, 7)
    t["walkable_id"] = t["localspace_id"]
    t["walkable_scale"] = t["localspace_scale"]


@kernel(inner=True)
def bsp_settle(t: Any, w: Any, root: Int, mx: float, my: float, mz: float) -> Int:
    """Set sphere 0 onto what is walkable along a local movement; ADJUSTED when there was some."""
    local = t["localspace"]
    valid = t["valid"][0]
    copy(valid, local[0], 4)
    polygon = find_walkable(t, w, root, valid, mx, my, mz)
    if polygon < 0:
        return OK
    scale = t["localspace_scale"]
    x, y, z = rotate(
        t["localspace_frame"],
        valid[0] - local[0, 0],
        valid[1] - local[0, 1],
        valid[2] - local[0, 2],
    )
    add_offset(t, x * scale, y * scale, z * scale)
    bsp_contact(t, w, polygon)
    return ADJUSTED


@kernel(inner=True)
def bsp_clip(t: Any, w: Any, root: Int, polygon: Int) -> Int:
    """Stop at the polygon that was hit (`collide_with_pt`): exactly, for a perfect clipper."""
    f = t["localspace_frame"]
    p = polygons_of(w)[polygon]["plane"]
    nx, ny, nz = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
    if t["state"] & PERFECT_CLIP == 0:
        set_collision_normal(t, nx, ny, nz)
        return COLLIDED
    local = t["localspace"][0]
    curr = t["localspace_curr"][0]
    r = local[3]
    mx = local[0] - curr[0]
    my = local[1] - curr[1]
    mz = local[2] - curr[2]
    free = -1.0
    blocked = 1.0
    hit = polygon
    for _ in range(15):
        p = polygons_of(w)[hit]["plane"]
        dist = curr[0] * p[0] + curr[1] * p[1] + curr[2] * p[2] + p[3]
        along = mx * p[0] + my * p[1] + mz * p[2]
        if abs(dist) < r:
            return COLLIDED
        s = 0.0
        if abs(along) >= EPSILON:
            s = ((r if dist > 0.0 else -r) - dist) / along
        found, other = sphere_hits_polygon(
            w, root, curr[0] + mx * s, curr[1] + my * s, curr[2] + mz * s, r, mx, my, mz
        )
        if not found:
            free = s
            break
        blocked = s
        hit = other
    if free < 0.0:
        return COLLIDED
    for _ in range(15):
        s = 0.5 * (free + blocked)
        found, other = sphere_hits_polygon(
            w, root, curr[0] + mx * s, curr[1] + my * s, curr[2] + mz * s, r, mx, my, mz
        )
        if found:
            blocked = s
            hit = other
        else:
            free = s
        if blocked - free < 0.02:
            break
    p = polygons_of(w)[hit]["plane"]
    nx, ny, nz = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
    set_collision_normal(t, nx, ny, nz)
    back = (free - 1.0) * t["localspace_scale"]
    x, y, z = rotate(f, mx * back, my * back, mz * back)
    add_offset(t, x, y, z)
    return ADJUSTED


@kernel(inner=True)
def bsp_placement_insert(t: Any, w: Any, root: Int) -> Int:
    """Push the spheres out of solid space, for up to 20 rounds (initial placement)."""
    local = t["localspace"]
    valid = t["valid"]
    count = t["num_sphere"]
    for i in range(count):
        copy(valid[i], local[i], 4)
    probe = local[0, 3]
    check = not (t["bldg_check"] != 0 and t["hits_interior_cell"] != 0)
    polygon = np.int64(-1)
    for turn in range(20):
        struck = 0
        hit, inside, polygon = sphere_solid_polygon(
            w,
            root,
            valid[0, 0],
            valid[0, 1],
            valid[0, 2],
            valid[0, 3],
            probe,
            check,
            False,
            polygon,
        )
        if not hit and count > 1:
            struck = 1
            hit, inside, polygon = sphere_solid_polygon(
                w,
                root,
                valid[1, 0],
                valid[1, 1],
                valid[1, 2],
                valid[1, 3],
                probe,
                check,
                inside,
                polygon,
            )
        if not hit:
            if turn == 0:
                return OK
            x, y, z = rotate(
                t["localspace_frame"],
                valid[0, 0] - local[0, 0],
                valid[0, 1] - local[0, 1],
                valid[0, 2] - local[0, 2],
            )
            add_offset(t, x, y, z)
            return ADJUSTED
        if polygon < 0:
            probe *= 2.0
            continue
        p = polygons_of(w)[polygon]["plane"]
        d = valid[struck, 0] * p[0] + valid[struck, 1] * p[1] + valid[struck, 2] * p[2] + p[3]
        reach = probe
        if check and inside != (d <= 0.0):
            reach = -probe
        for i in range(count):
            valid[i, 0] += p[0] * (reach - d)
            valid[i, 1] += p[1] * (reach - d)
            valid[i, 2] += p[2] * (reach - d)
    return COLLIDED


@kernel(inner=True)
def bsp_collisions(t: Any, w: Any, root: Int) -> Int:
    """A physics tree, whose frame `cache_localspace` has set (0x53A440)."""
    if root < 0:
        return OK
    local = t["localspace"]
    curr = t["localspace_curr"]
    two = t["num_sphere"] > 1
    f = t["localspace_frame"]
    if t["insert_type"] == INITIAL_PLACEMENT:
        return bsp_placement_insert(t, w, root)
    if t["insert_type"] == PLACEMENT or t["obstruction_ethereal"] != 0:
        check = not (t["bldg_check"] != 0 and t["hits_interior_cell"] != 0)
        if sphere_in_solid(w, root, local[0, 0], local[0, 1], local[0, 2], local[0, 3], check):
            return COLLIDED
        if two and sphere_in_solid(
            w, root, local[1, 0], local[1, 1], local[1, 2], local[1, 3], check
        ):
            return COLLIDED
        return OK
    if t["check_walkable"] != 0:
        if walkable_under(
            w,
            root,
            local[0, 0],
            local[0, 1],
            local[0, 2],
            local[0, 3],
            t["localspace_z"],
            t["walkable_allowance"],
        ):
            return COLLIDED
        return OK
    if t["step_down"] != 0:
        up = t["localspace_z"]
        s = -(t["step_down_amt"] * t["walk_interp"]) / t["localspace_scale"]
        return bsp_settle(t, w, root, up[0] * s, up[1] * s, up[2] * s)
    mx = local[0, 0] - curr[0, 0]
    my = local[0, 1] - curr[0, 1]
    mz = local[0, 2] - curr[0, 2]
    if t["collide"] != 0:
        return bsp_settle(t, w, root, mx, my, mz)
    hit, low_polygon = sphere_hits_polygon(
        w, root, local[0, 0], local[0, 1], local[0, 2], local[0, 3], mx, my, mz
    )
    if t["state"] & CONTACT != 0:
        if hit:
            p = polygons_of(w)[low_polygon]["plane"]
            x, y, z = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
            n = t["step_normal"]
            n[0] = x
            n[1] = y
            n[2] = z
            return STEP_UP
        if two:
            hit, high_polygon = sphere_hits_polygon(
                w, root, local[1, 0], local[1, 1], local[1, 2], local[1, 3], mx, my, mz
            )
            polygon = high_polygon if high_polygon >= 0 else low_polygon
            if polygon >= 0:
                p = polygons_of(w)[polygon]["plane"]
                x, y, z = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
                if hit:
                    return slide_sphere(t, ZERO, x, y, z, ZERO)
                t["neg_poly_hit"] = 1
                t["neg_step_up"] = 0 if high_polygon >= 0 else 1
                n = t["neg_normal"]
                n[0] = -x
                n[1] = -y
                n[2] = -z
        return OK
    if t["state"] & PATH_CLIPPED != 0:
        if low_polygon >= 0:
            return bsp_clip(t, w, root, low_polygon)
        return OK
    if low_polygon >= 0:
        p = polygons_of(w)[low_polygon]["plane"]
        x, y, z = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
        set_collide(t, x, y, z)
        t["walkable_allowance"] = Z_FOR_LANDING
        return ADJUSTED
    if two:
        hit, high_polygon = sphere_hits_polygon(
            w, root, local[1, 0], local[1, 1], local[1, 2], local[1, 3], mx, my, mz
        )
        if high_polygon >= 0:
            p = polygons_of(w)[high_polygon]["plane"]
            x, y, z = rotate(f, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
            set_collision_normal(t, x, y, z)
            return COLLIDED
    return OK


@kernel(inner=True)
def part_collisions(t: Any, w: Any, gfx: Int, frame: Any, frame_id: Int, scale: float) -> Int:
    """One part with a physics tree: only when a sphere meets the mesh's physics sphere."""
    row = gfx_of(w)[gfx]
    root = np.int64(row["bsp_root"])
    if root < 0:
        return OK
    # the far ones are sorted out without turning them
    s = row["physics_sphere"]
    globe = t["globe"]
    x, y, z = rotate(frame, s[0] * scale, s[1] * scale, s[2] * scale)
    x += np.float64(frame[0]) + block_dx(t["check_id"], frame_id)
    y += np.float64(frame[1]) + block_dy(t["check_id"], frame_id)
    z += np.float64(frame[2])
    near = False
    for i in range(t["num_sphere"]):
        dx = x - globe[i, 0]
        dy = y - globe[i, 1]
        dz = z - globe[i, 2]
        reach = s[3] * scale + globe[i, 3]
        if dx * dx + dy * dy + dz * dz - reach * reach < EPSILON * scale * scale:
            near = True
    if not near:
        return OK
    cache_localspace(t, frame, frame_id, scale)
    return bsp_collisions(t, w, root)


# objects -------------------------------------------------------------------------------------


@kernel(inner=True)
def missile_ignores(t: Any, obj: Int, state: Int, weenie: Int) -> Flag:
    """Whether a missile and an object pass each other whatever their shapes."""
    if state & MISSILE != 0:
        return True
    if t["physics_state"] & MISSILE == 0 or obj == t["target"]:
        return False
    return (state & ETHEREAL != 0 and weenie != 0) or (t["target"] >= 0 and weenie & CREATURE != 0)


@kernel(inner=True)
def players_pass(t: Any, weenie: Int) -> Flag:
    """Two players walk through each other unless their kinds of war say otherwise."""
    state = t["state"]
    return not (
        weenie & PLAYER == 0
        or state & IS_PLAYER == 0
        or state & IS_IMPENETRABLE != 0
        or weenie & IMPENETRABLE != 0
        or (state & IS_PK != 0 and weenie & PK != 0)
        or (state & IS_PKLITE != 0 and weenie & PKLITE != 0)
    )


@kernel(inner=True)
def object_outcome(t: Any, w: Any, obj: Int, result: Int) -> Int:
    """What a collision with an object means once its shape has answered (rule 6 of 5.7)."""
    if result == OK or t["step_down"] != 0:
        return result
    state = objects_of(w)[obj]["state"]
    if state & STATIC != 0:
        if t["state"] & CONTACT == 0:
            t["hit_environment"] = 1
        return result
    ethereal = state & ETHEREAL != 0 or t["ethereal"] != 0
    creature = state & MISSILE != 0 or bodies_of(w)[obj]["weenie"] & CREATURE != 0
    touched(t, obj)
    if ethereal or (creature and t["state"] & IGNORE_CREATURES != 0):
        t["normal_valid"] = 0
        return OK
    return result


@kernel(inner=True)
def object_collisions(t: Any, w: Any, obj: Int, first: Int) -> Int:
    """One object's shape (0x50F050), from its item `first` on; STEP_UP leaves `at_item`."""
    row = objects_of(w)[obj]
    state = row["state"]
    if state & ETHEREAL != 0 and state & IGNORE_COLLISIONS != 0:
        return OK
    weenie = bodies_of(w)[obj]["weenie"]
    if t["state"] & IS_VIEWER != 0 and weenie & CREATURE != 0:
        return OK
    ethereal = state & ETHEREAL != 0 or (t["ethereal"] != 0 and state & STATIC == 0)
    if ethereal and t["step_down"] != 0:
        return OK
    if (
        row["has_part_array"] == 0
        or players_pass(t, weenie)
        or missile_ignores(t, obj, state, weenie)
    ):
        return OK
    t["obstruction_ethereal"] = 1 if ethereal else 0
    result = OK
    if state & HAS_PHYSICS_BSP != 0:
        frame_id = np.int64(row["part_cell_id"])
        for k in range(first, row["part_count"]):
            part = parts_of(w)[row["part_first"] + k]
            if part["gfx"] < 0:
                continue
            result = part_collisions(
                t, w, np.int64(part["gfx"]), part["frame"], frame_id, np.float64(part["scale"][2])
            )
            if result != OK:
                t["at_item"] = k
                break
    elif row["shape"] >= 0:
        shape = shapes_of(w)[row["shape"]]
        frame = row["frame"]
        frame_id = np.int64(row["objcell_id"])
        scale = np.float64(row["scale"])
        ox = np.float64(frame[0]) + block_dx(t["check_id"], frame_id)
        oy = np.float64(frame[1]) + block_dy(t["check_id"], frame_id)
        oz = np.float64(frame[2])
        if shape["cylinder_count"] > 0:
            for k in range(first, shape["cylinder_count"]):
                c = cylinders_of(w)[shape["cylinder_first"] + k]
                x, y, z = rotate(frame, c[0] * scale, c[1] * scale, c[2] * scale)
                result = cylinder_collisions(
                    t, x + ox, y + oy, z + oz, c[3] * scale, c[4] * scale, frame
                )
                if result != OK:
                    t["at_item"] = k
                    break
        else:
            creature = state & MISSILE != 0 or weenie & CREATURE != 0
            for k in range(first, shape["sphere_count"]):
                s = spheres_of(w)[shape["sphere_first"] + k]
                x, y, z = rotate(frame, s[0] * scale, s[1] * scale, s[2] * scale)
                result = sphere_collisions(t, x + ox, y + oy, z + oz, s[3] * scale, creature)
                if result != OK:
                    t["at_item"] = k
                    break
    t["obstruction_ethereal"] = 0
    if result == STEP_UP:
        return STEP_UP
    return object_outcome(t, w, obj, result)


# cells ---------------------------------------------------------------------------------------


@kernel(inner=True)
def find_collisions(t: Any, w: Any, cell: Int, phase: Int, shadow: Int, item: Int) -> Int:
    """All that stands in a cell, from (phase, shadow, item) on; begin with phase 0.

    After STEP_UP the caller puts what came of the step through `after_step` and, while that is OK,
    calls again with the phase, the shadow and the item after those left in `at_...`.
    """
    row = cells_of(w)[cell]
    land = row["kind"] == 1
    if phase == PHASE_ENVIRONMENT:
        if item == 0:
            t["obstruction_ethereal"] = 0
            if land:
                result = land_environment(t, w, cell)
            else:
                result = OK
                if row["structure"] >= 0:
                    cache_localspace(t, row["frame"], np.int64(row["id"]), 1.0)
                    result = bsp_collisions(t, w, np.int64(row["structure"]))
                    if result == STEP_UP:
                        t["at_phase"] = PHASE_ENVIRONMENT
                        t["at_shadow"] = -1
                        t["at_item"] = 0
                        return STEP_UP
                    if result != OK and t["state"] & CONTACT == 0:
                        t["hit_environment"] = 1
            if result != OK:
                return result
        phase = PHASE_BUILDING
        item = 0
    if phase == PHASE_BUILDING:
        if item == 0 and land and row["building"] >= 0:
            shell = objects_of(w)[buildings_of(w)[row["building"]]["object"]]
            if shell["part_count"] > 0 and parts_of(w)[shell["part_first"]]["gfx"] >= 0:
                part = parts_of(w)[shell["part_first"]]
                t["bldg_check"] = 1
                result = part_collisions(
                    t,
                    w,
                    np.int64(part["gfx"]),
                    part["frame"],
                    np.int64(row["id"]),
                    np.float64(part["scale"][2]),
                )
                t["bldg_check"] = 0
                if result == STEP_UP:
                    t["at_phase"] = PHASE_BUILDING
                    t["at_shadow"] = -1
                    t["at_item"] = 0
                    return STEP_UP
                if result != OK:
                    if t["state"] & CONTACT == 0:
                        t["hit_environment"] = 1
                    return result
        shadow = np.int64(row["shadows_first"])
        item = 0
    if t["insert_type"] == INITIAL_PLACEMENT:
        return OK
    while shadow >= 0:
        obj = np.int64(shadows_of(w)[shadow]["object"])
        if objects_of(w)[obj]["parent"] < 0 and obj != t["object"]:
            result = object_collisions(t, w, obj, item)
            if result == STEP_UP:
                t["at_phase"] = PHASE_OBJECTS
                t["at_shadow"] = shadow
                return STEP_UP
            if result != OK:
                return result
        item = 0
        shadow = np.int64(shadows_of(w)[shadow]["next"])
    return OK


@kernel(inner=True)
def after_step(t: Any, w: Any, phase: Int, shadow: Int, result: Int) -> Int:
    """The answer of the collision that asked for a step, when the step came out as `result`."""
    if phase == PHASE_OBJECTS:
        return object_outcome(t, w, np.int64(shadows_of(w)[shadow]["object"]), result)
    if result != OK and t["state"] & CONTACT == 0:
        t["hit_environment"] = 1
    return result

"""Putting the path's spheres into cells, and the steps that follow from what they meet.

Spec physics-membership 5.4 and 5.5. Retail's functions call each other in a circle; the circle is
open because inside a step's insert no further step can start: with `step_down` set every shape
answers by settling the sphere, and a placement insert is an overlap test. So the innermost insert
(`insert_plain`) knows no steps, `step_down` uses it, `step_up_or_slide` uses that, and the outer
`transitional_insert` uses all. A kernel is compiled again with each kernel that calls it, so the
large ones are few and are called from few places.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core.ids import adjust_to_outside
from acclient_py.kernels import kernel
from acclient_py.physics.bsp import crossed_edge, polygon_supports
from acclient_py.physics.collide import after_step, find_collisions
from acclient_py.physics.path import (
    ADJUSTED,
    COLLIDED,
    CONTACT,
    EDGE_SLIDE,
    FIVE,
    FLOOR_Z,
    LOOSE_STEP,
    NONE,
    OK,
    ON_WALKABLE,
    ONE,
    PLACEMENT,
    SLID,
    STEP_UP,
    THREE,
    Z_FOR_LANDING,
    ZERO,
    Flag,
    Int,
    add_offset,
    adjust_check_pos,
    block_dx,
    block_dy,
    cache_localspace,
    copy,
    no_contact,
    normalise_small,
    restore_check_pos,
    rotate,
    save_check_pos,
    set_check_pos,
    set_collision_normal,
    slide_sphere,
)
from acclient_py.physics.tables import (
    cell_head_of,
    cell_ids_of,
    cell_slots_of,
    cell_spheres_of,
    cells_of,
    graph_of,
)
from acclient_py.physics.transit import COUNT, CURR_CELL, HITS_INTERIOR, find_cell_list

TRIES: Final = 3

# cells of the path ---------------------------------------------------------------------------


@kernel(inner=True)
def build_cell_array(t: Any, w: Any) -> Int:
    """The cells that the spheres reach; the slot of the one that holds sphere 0, or -1."""
    globe = t["globe"]
    head = cell_head_of(w)
    spheres = cell_spheres_of(w)
    for i in range(t["num_sphere"]):
        for k in range(4):
            spheres[i, k] = np.float32(globe[i, k])
    head[CURR_CELL] = -1
    find_cell_list(
        graph_of(w),
        t["check_id"],
        np.float32(t["check"][0]),
        np.float32(t["check"][1]),
        spheres,
        t["num_sphere"],
        cell_ids_of(w),
        cell_slots_of(w),
        head,
        True,
    )
    t["hits_interior_cell"] = head[HITS_INTERIOR]
    return np.int64(head[CURR_CELL])


@kernel(inner=True)
def settle_cell(t: Any, w: Any, new_cell: Int) -> Int:
    """The end of `check_other_cells`: the body is in `new_cell`, or leaves the loaded world."""
    t["check_cell"] = new_cell
    if new_cell >= 0:
        adjust_check_pos(t, np.int64(cells_of(w)[new_cell]["id"]))
        return OK
    if t["step_down"] != 0:
        return COLLIDED
    cell_id = t["check_id"]
    if (cell_id & 0xFFFF) < 0x100:
        check = t["check"]
        ok, cell_id, _, _ = adjust_to_outside(cell_id, np.float32(check[0]), np.float32(check[1]))
        if not ok or cell_id == 0:
            return COLLIDED
    adjust_check_pos(t, cell_id)
    set_check_pos(t, NONE, t["check_id"], t["check"])
    return OK


# without steps -------------------------------------------------------------------------------


@kernel(inner=True)
def insert_plain(t: Any, w: Any, tries: Int, turns: Int) -> Int:
    """`transitional_insert` where no step can start: in a step, a placement, a walkable check.

    tries : how often all is done again ; turns : how often the body's own cell may push
    """
    result = OK
    if t["check_cell"] < 0:
        return OK
    slots = cell_slots_of(w)
    head = cell_head_of(w)
    for _ in range(tries):
        cell = t["check_cell"]
        other = cell
        new_cell = np.int64(-1)
        at = -1  # the body's own cell first, then those of its array
        turn = 0
        while True:
            result = find_collisions(t, w, other, ZERO, NONE, ZERO)
            if result == SLID:
                no_contact(t)
            if at < 0:
                turn += 1
                if result > COLLIDED and turn < turns:
                    continue
                if result == OK:
                    new_cell = build_cell_array(t, w)
            if result != OK:
                break
            at += 1
            while at < head[COUNT] and (slots[at] < 0 or slots[at] == cell):
                at += 1
            if at >= head[COUNT]:
                break
            other = np.int64(slots[at])
        if result == OK:
            result = settle_cell(t, w, new_cell)
        if result == OK:
            return OK
        t["neg_poly_hit"] = 0
        if result == COLLIDED:
            return COLLIDED
    return result


@kernel(inner=True)
def limited_step(t: Any, height: float) -> float:
    """A step no deeper than the body is big."""
    r = t["globe"][0, 3]
    if t["num_sphere"] < 2 and 2.0 * r < height:
        height = 0.5 * r
    return height


@kernel(inner=True)
def check_walkable(t: Any, w: Any, z: float) -> Flag:
    """Whether half of the body is over something walkable (0x50AFF0)."""
    if t["state"] & ON_WALKABLE == 0:
        return True
    if t["walkable"] < 0:
        return True
    s = t["walkable_sphere"]
    s[3] *= 0.5
    if polygon_supports(w, t["walkable"], s[0], s[1], s[2], s[3], t["walkable_up"]):
        return True
    cell = t["check_cell"]
    cell_id = t["check_id"]
    x = t["check"][0]
    y = t["check"][1]
    height_now = t["check"][2]
    t["walkable_allowance"] = z
    t["check_walkable"] = 1
    height = limited_step(t, t["step_down_height"])
    if 2.0 * t["globe"][0, 3] < height:
        height *= 0.5
    add_offset(t, 0.0, 0.0, -height)
    result = insert_plain(t, w, ONE, ONE)
    t["check_walkable"] = 0
    check = t["check"]
    check[0] = x
    check[1] = y
    check[2] = height_now
    set_check_pos(t, cell, cell_id, check)
    return result != OK


@kernel(inner=True)
def step_down(t: Any, w: Any, height: float, z: float) -> Flag:
    """Lower the body (not in a step up) and settle it onto what is walkable (0x50B2A0)."""
    t["neg_poly_hit"] = 0
    t["step_down"] = 1
    t["step_down_amt"] = height
    t["walk_interp"] = 1.0
    if t["step_up"] == 0:
        add_offset(t, 0.0, 0.0, -height)
    result = insert_plain(t, w, FIVE, FIVE)
    t["step_down"] = 0
    if result != OK or t["contact_valid"] == 0 or t["contact"][2] < z:
        return False
    if t["state"] & EDGE_SLIDE != 0 and t["step_up"] == 0 and not check_walkable(t, w, z):
        return False
    kind = t["insert_type"]
    t["insert_type"] = PLACEMENT
    result = insert_plain(t, w, ONE, ONE)
    t["insert_type"] = kind
    return result == OK


@kernel(inner=True)
def step_up_or_slide(t: Any, w: Any, x: float, y: float, z: float) -> Int:
    """Lift the body onto what stands in its way (0x50B610), or slide along it."""
    no_contact(t)
    t["step_up"] = 1
    n = t["step_up_normal"]
    n[0] = x
    n[1] = y
    n[2] = z
    height = LOOSE_STEP
    allowance = Z_FOR_LANDING
    if t["state"] & ON_WALKABLE != 0:
        allowance = FLOOR_Z
        height = t["step_up_height"]
    t["walkable_allowance"] = allowance
    save_check_pos(t)
    done = step_down(t, w, height, allowance)
    t["step_up"] = 0
    t["walkable"] = -1
    if done:
        return OK
    restore_check_pos(t)
    no_contact(t)
    return slide_sphere(t, ZERO, n[0], n[1], n[2], ZERO)


# edges ---------------------------------------------------------------------------------------


@kernel(inner=True)
def cliff_slide(t: Any, x: float, y: float) -> Int:
    """Along the line where a too steep plane meets the last ground (0x50A6D0).

    x, y, and z of `contact` : the steep plane's normal
    """
    p = t["contact"]
    q = t["last"]
    cx = y * q[2] - p[2] * q[1]
    cy = p[2] * q[0] - x * q[2]
    v = t["vector"]
    v[0] = -cy
    v[1] = cx
    v[2] = 0.0
    if normalise_small(v):
        return OK
    globe = t["globe"]
    center = t["curr_center"]
    mx = globe[0, 0] - center[0, 0] + block_dx(t["curr_id"], t["check_id"])
    my = globe[0, 1] - center[0, 1] + block_dy(t["curr_id"], t["check_id"])
    a = mx * v[0] + my * v[1]
    if a > 0.0:
        add_offset(t, -a * v[0], -a * v[1], 0.0)
        set_collision_normal(t, -v[0], -v[1], 0.0)
    else:
        add_offset(t, a * v[0], a * v[1], 0.0)
        set_collision_normal(t, v[0], v[1], 0.0)
    return ADJUSTED


@kernel(inner=True)
def precipice_slide(t: Any, w: Any) -> Int:
    """Along the edge of the walkable polygon that the body would leave (0x50CC80)."""
    s = t["walkable_sphere"]
    v = t["vector"]
    found = crossed_edge(w, t["walkable"], s[0], s[1], s[2], t["walkable_up"], v)
    t["walkable"] = -1
    if not found:
        return COLLIDED
    t["step_up"] = 0
    x, y, z = rotate(t["walkable_frame"], v[0], v[1], v[2])
    globe = t["globe"]
    center = t["curr_center"]
    mx = globe[0, 0] - center[0, 0] + block_dx(t["curr_id"], t["check_id"])
    my = globe[0, 1] - center[0, 1] + block_dy(t["curr_id"], t["check_id"])
    mz = globe[0, 2] - center[0, 2]
    if x * mx + y * my + z * mz > 0.0:
        x = -x
        y = -y
        z = -z
    return slide_sphere(t, ZERO, x, y, z, ZERO)


@kernel(inner=True)
def edge_slide(t: Any, w: Any, height: float, z: float) -> Any:
    """(result, return now?): nothing to stand on below (0x50B3D0)."""
    if t["state"] & ON_WALKABLE == 0 or t["state"] & EDGE_SLIDE == 0:
        t["walkable"] = -1
        restore_check_pos(t)
        no_contact(t)
        return OK, True
    if t["contact_valid"] != 0 and t["contact"][2] < z:
        t["walkable"] = -1
        restore_check_pos(t)
        p = t["contact"]
        result = cliff_slide(t, p[0], p[1])
        no_contact(t)
        return result, False
    if t["walkable"] >= 0:
        restore_check_pos(t)
        no_contact(t)
        result = precipice_slide(t, w)
        return result, result == COLLIDED
    if t["contact_valid"] != 0:
        restore_check_pos(t)
        no_contact(t)
        return OK, True
    globe = t["globe"]
    center = t["curr_center"]
    add_offset(
        t,
        center[0, 0] - globe[0, 0],
        center[0, 1] - globe[0, 1],
        center[0, 2] - globe[0, 2],
    )
    height = limited_step(t, height)
    if 2.0 * t["globe"][0, 3] < height:
        height *= 0.5
    step_down(t, w, height, z)
    no_contact(t)
    restore_check_pos(t)
    if t["walkable"] < 0:
        return COLLIDED, True
    cache_localspace(t, t["walkable_frame"], t["walkable_id"], t["walkable_scale"])
    copy(t["walkable_sphere"], t["localspace"][0], 4)
    result = precipice_slide(t, w)
    return result, result == COLLIDED


# with steps ----------------------------------------------------------------------------------


@kernel(inner=True)
def visit_cells(t: Any, w: Any, tries: Int) -> Int:
    """The body's own cell, again while it only pushes, then all others that the body reaches.

    Every step up that is asked for is taken. `insert_into_cell` and `check_other_cells`.
    """
    cell = t["check_cell"]
    other = cell
    new_cell = np.int64(-1)
    slots = cell_slots_of(w)
    head = cell_head_of(w)
    at = -1
    turn = 0
    phase = ZERO
    shadow = NONE
    item = ZERO
    result = OK
    while True:
        result = find_collisions(t, w, other, phase, shadow, item)
        if result == STEP_UP:
            phase = t["at_phase"]
            shadow = t["at_shadow"]
            item = t["at_item"] + 1
            n = t["step_normal"]
            result = after_step(t, w, phase, shadow, step_up_or_slide(t, w, n[0], n[1], n[2]))
            if result == OK:
                continue
        phase = ZERO
        shadow = NONE
        item = ZERO
        if result == SLID:
            no_contact(t)
        if at < 0:
            turn += 1
            if result > COLLIDED and turn < tries:
                continue
            if result == OK:
                new_cell = build_cell_array(t, w)
        if result != OK:
            return result
        at += 1
        while at < head[COUNT] and (slots[at] < 0 or slots[at] == cell):
            at += 1
        if at >= head[COUNT]:
            break
        other = np.int64(slots[at])
    return settle_cell(t, w, new_cell)


@kernel(inner=True)
def land(t: Any, w: Any) -> Int:
    """A body in the air met something and settled: may it stand there?"""
    t["collide"] = 0
    if t["contact_valid"] != 0 and check_walkable(t, w, Z_FOR_LANDING):
        kind = t["insert_type"]
        t["insert_type"] = PLACEMENT
        result = insert_plain(t, w, THREE, THREE)
        t["insert_type"] = kind
        if result == OK:
            t["walkable"] = -1
            return OK
    t["walkable"] = -1
    restore_check_pos(t)
    no_contact(t)
    if t["last_valid"] != 0:
        t["killed_velocity"] = 1
        t["last_valid"] = 0
    else:
        n = t["step_up_normal"]
        set_collision_normal(t, n[0], n[1], n[2])
    return COLLIDED


@kernel(inner=True)
def settle_down(t: Any, w: Any, height: float, z: float) -> Flag:
    """`step_down`, in two halves when it is deeper than the body."""
    height = limited_step(t, height)
    halves = 2.0 * t["globe"][0, 3] < height
    if halves:
        height *= 0.5
    return step_down(t, w, height, z) or (halves and step_down(t, w, height, z))


@kernel(inner=True)
def transitional_insert(t: Any, w: Any) -> Int:
    """Bring the checked position to rest among what is there, in three tries (0x50B6F0)."""
    result = OK
    for _ in range(TRIES):
        if t["check_cell"] < 0:
            return OK
        result = visit_cells(t, w, THREE)
        if result != OK:
            t["neg_poly_hit"] = 0
            if result == COLLIDED:
                return COLLIDED
            continue
        if t["collide"] != 0:
            return land(t, w)
        if t["neg_poly_hit"] != 0:
            t["neg_poly_hit"] = 0
            n = t["neg_normal"]
            if t["neg_step_up"] == 0:
                result = slide_sphere(t, ZERO, n[0], n[1], n[2], ZERO)
            else:
                result = step_up_or_slide(t, w, n[0], n[1], n[2])
            continue
        if (
            t["contact_valid"] != 0
            or t["state"] & CONTACT == 0
            or t["check_cell"] < 0
            or t["may_step_down"] == 0
        ):
            return OK
        # nothing was met, and a body in contact looks for its ground below
        height = LOOSE_STEP
        z = Z_FOR_LANDING
        if t["state"] & ON_WALKABLE != 0:
            z = FLOOR_Z
            height = t["step_down_height"]
        t["walkable_allowance"] = z
        save_check_pos(t)
        if settle_down(t, w, height, z):
            t["walkable"] = -1
            return OK
        result, now = edge_slide(t, w, height, z)
        if now:
            return result
    return result

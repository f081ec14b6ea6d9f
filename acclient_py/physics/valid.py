"""From a position to another: the steps of a transition, and the search for a place to stand.

Spec physics-membership 5.3, 5.6 and `validate_transition` of 5.5. Everything is in the path's row:
on success `curr_cell`, `curr_id`, `curr` say where the body now is, and the cell array of the last
look-up is what the commit publishes.
"""

from __future__ import annotations

import math
from typing import Any, Final

from acclient_py.core.trig import PI, acos, cos, sin
from acclient_py.kernels import kernel
from acclient_py.physics.insert import (
    build_cell_array,
    insert_plain,
    settle_down,
    transitional_insert,
)
from acclient_py.physics.path import (
    COLLIDED,
    CONTACT,
    EPSILON,
    FLOOR_Z,
    FREE_ROTATE,
    GRAVITY,
    INITIAL_PLACEMENT,
    IS_VIEWER,
    OK,
    ON_WALKABLE,
    ONE,
    PATH_CLIPPED,
    PLACEMENT,
    THREE,
    TRANSITION,
    Z_FOR_LANDING,
    ZERO,
    Flag,
    Int,
    add_offset,
    block_dx,
    block_dy,
    cache_curr_center,
    cache_globe,
    copy,
    no_contact,
    restore_check_pos,
    save_check_pos,
    set_check_pos,
    set_collision_normal,
    set_contact,
    set_sliding_normal,
    take_check,
)

REACH: Final = 4.0  # how far a placement looks around
SMALL_RADIUS: Final = 0.125
USUAL_RADIUS: Final = 0.48


@kernel(inner=True)
def adjust_offset(t: Any) -> None:
    """Turn the step in `vector` along what the body stands on and slides at (0x50A370).

    A body that has sunk into its contact plane is lifted out of it on the way.
    """
    o = t["vector"]
    s = t["sliding"]
    slides = False
    if t["sliding_valid"] != 0:
        if o[0] * s[0] + o[1] * s[1] + o[2] * s[2] < 0.0:
            slides = True
        else:
            t["sliding_valid"] = 0
    if t["contact_valid"] == 0:
        if slides:
            d = o[0] * s[0] + o[1] * s[1] + o[2] * s[2]
            o[0] -= d * s[0]
            o[1] -= d * s[1]
            o[2] -= d * s[2]
        return
    p = t["contact"]
    d = o[0] * p[0] + o[1] * p[1] + o[2] * p[2]
    if slides:
        cx = p[1] * s[2] - p[2] * s[1]
        cy = p[2] * s[0] - p[0] * s[2]
        cz = p[0] * s[1] - p[1] * s[0]
        m = math.sqrt(cx * cx + cy * cy + cz * cz)
        along = 0.0
        if m >= EPSILON:
            cx /= m
            cy /= m
            cz /= m
            along = o[0] * cx + o[1] * cy + o[2] * cz
        o[0] = cx * along
        o[1] = cy * along
        o[2] = cz * along
    elif d <= 0.0:
        o[0] -= d * p[0]
        o[1] -= d * p[1]
        o[2] -= d * p[2]
    elif abs(p[2]) > EPSILON:
        o[2] = -(o[0] * p[0] + o[1] * p[1]) / p[2]
    if t["contact_water"] == 0 and t["contact_cell_id"] != 0:
        globe = t["globe"]
        x = globe[0, 0] - block_dx(t["check_id"], t["contact_cell_id"])
        y = globe[0, 1] - block_dy(t["check_id"], t["contact_cell_id"])
        h = x * p[0] + y * p[1] + globe[0, 2] * p[2] + p[3]
        r = globe[0, 3]
        if h < r - EPSILON and p[2] != 0.0:
            dz = (r - h) / p[2]
            if abs(dz) < r:
                add_offset(t, 0.0, 0.0, dz)


@kernel(inner=True)
def interpolate_check(t: Any, s: float) -> None:
    """The checked rotation between begin and end, on the shorter arc."""
    a = t["begin"]
    b = t["end"]
    f = t["check"]
    cosine = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]
    sign = 1.0
    if cosine < 0.0:
        cosine = -cosine
        sign = -1.0
    wa = 1.0 - s
    wb = s
    if 1.0 - cosine > EPSILON:
        angle = acos(cosine)
        over = 1.0 / sin(angle)
        wa = sin(wa * angle) * over
        wb = sin(wb * angle) * over
    wb *= sign
    m = 0.0
    for k in range(3, 7):
        f[k] = a[k] * wa + b[k] * wb
        m += f[k] * f[k]
    m = math.sqrt(m)
    for k in range(3, 7):
        f[k] /= m


@kernel(inner=True)
def turns(t: Any) -> Flag:
    """Whether begin and end look different ways."""
    a = t["begin"]
    b = t["end"]
    return a[3] != b[3] or a[4] != b[4] or a[5] != b[5] or a[6] != b[6]


@kernel(inner=True)
def moved_away(t: Any) -> Flag:
    """Whether the checked position is another than the current one."""
    if t["check_id"] != t["curr_id"]:
        return True
    a = t["check"]
    b = t["curr"]
    for k in range(7):  # noqa: SIM110 - kernels know no generators
        if a[k] != b[k]:
            return True
    return False


@kernel(inner=True)
def validate_transition(t: Any, w: Any, result: Int) -> Int:
    """Take over a step that came out well; else go back, and judge what that means (0x50AA70)."""
    moved = False
    if result == OK:
        moved = moved_away(t)
        take_check(t)
        cache_globe(t)
    else:
        if t["last_valid"] != 0:
            t["killed_velocity"] = 1
            p = t["last"]
            c = t["curr_center"]
            d = c[0, 0] * p[0] + c[0, 1] * p[1] + c[0, 2] * p[2] + p[3]
            if t["globe"][0, 3] + EPSILON > abs(d):
                set_contact(t, p[0], p[1], p[2], p[3], t["last_water"], t["last_cell_id"])
                moved = t["state"] & ON_WALKABLE != 0
        if t["normal_valid"] == 0:
            set_collision_normal(t, 0.0, 0.0, 1.0)
        set_check_pos(t, t["curr_cell"], t["curr_id"], t["curr"])
        build_cell_array(t, w)
    if t["normal_valid"] != 0:
        set_sliding_normal(t, t["normal"][0], t["normal"][1])
    if t["state"] & IS_VIEWER == 0 and t["physics_state"] & GRAVITY != 0:
        if moved:
            t["stationary"] = 0
        elif t["stationary"] == 0:
            t["stationary"] = 1
        elif t["stationary"] == 1:
            t["stationary"] = 2
        else:
            t["stationary"] = 3
            globe = t["globe"]
            set_contact(t, 0.0, 0.0, 1.0, globe[0, 3] - globe[0, 2], ZERO, t["check_id"])
            if t["state"] & CONTACT == 0:
                set_collision_normal(t, 0.0, 0.0, 1.0)
                t["hit_environment"] = 1
    t["last_valid"] = t["contact_valid"]
    if t["contact_valid"] != 0:
        copy(t["last"], t["contact"], 4)
        t["last_water"] = t["contact_water"]
        t["last_cell_id"] = t["contact_cell_id"]
        t["state"] |= CONTACT
        if t["contact"][2] >= FLOOR_Z:
            t["state"] |= ON_WALKABLE
        else:
            t["state"] &= ~ON_WALKABLE
    else:
        t["state"] &= ~(CONTACT | ON_WALKABLE)
    return OK


@kernel(inner=True)
def find_transitional_position(paths: Any, tables: Any) -> Flag:
    """From begin to end in steps no longer than the body (0x50BDF0)."""
    t = paths[0]
    w = tables[0]
    cache_curr_center(t)
    if t["begin_cell"] < 0:
        return False
    begin = t["begin"]
    end = t["end"]
    ox = end[0] - begin[0] + block_dx(t["begin_id"], t["end_id"])
    oy = end[1] - begin[1] + block_dy(t["begin_id"], t["end_id"])
    oz = end[2] - begin[2]
    length = math.sqrt(ox * ox + oy * oy + oz * oz)
    viewer = t["state"] & IS_VIEWER != 0
    free = t["state"] & FREE_ROTATE != 0
    r = t["local"][0, 3]
    many = length / r
    steps = 0
    share = 1.0
    if viewer:
        if length > EPSILON:
            steps = int(math.floor(many)) + 1
            share = 1.0 / many
    elif many > 1.0:
        steps = int(math.ceil(many))
        share = 1.0 / steps
    elif length != 0.0:
        steps = 1
    turning = turns(t)
    curr = t["curr"]
    if free or steps == 0:
        for k in range(3, 7):
            curr[k] = end[k]
        if free:
            cache_curr_center(t)
    set_check_pos(t, t["curr_cell"], t["curr_id"], curr)
    if steps == 0:
        build_cell_array(t, w)
        return True
    result = OK
    o = t["vector"]
    for i in range(steps):
        part = share
        if viewer and i == steps - 1:
            part = (length - r * i) / length
        o[0] = ox * part
        o[1] = oy * part
        o[2] = oz * part
        adjust_offset(t)
        gx = o[0]
        gy = o[1]
        gz = o[2]
        if not viewer and gx * gx + gy * gy + gz * gz < EPSILON * EPSILON:
            return i > 0 and result == OK
        if not free and turning:
            interpolate_check(t, (i + 1) / steps)
        t["sliding_valid"] = 0
        no_contact(t)
        if t["insert_type"] != TRANSITION:
            result = validate_placement_transition(t, transitional_insert(t, w))
            if result == OK:
                return True
            if t["placement_allows_sliding"] == 0:
                return False
            add_offset(t, gx, gy, gz)
        else:
            add_offset(t, gx, gy, gz)
            result = validate_transition(t, w, transitional_insert(t, w))
            if t["stationary"] > 0:
                break
        if t["normal_valid"] != 0 and t["state"] & PATH_CLIPPED != 0:
            break
    return result == OK


@kernel(inner=True)
def validate_placement_transition(t: Any, result: Int) -> Int:
    """Take over a place that was found; a failed try leaves no trace of what it met."""
    if t["check_cell"] < 0:
        return COLLIDED
    if result == OK:
        take_check(t)
    elif t["placement_allows_sliding"] != 0:
        t["last_valid"] = 0
        t["contact_valid"] = 0
        t["sliding_valid"] = 0
        t["normal_valid"] = 0
        t["touched_count"] = 0
        t["hit_environment"] = 0
        t["contact_cell_id"] = 0
        t["stationary"] = 0
    return result


@kernel(inner=True)
def find_placement_position(paths: Any, tables: Any) -> Flag:
    """A place to stand at or near `curr`: in place, or in rings around it (0x50C170, 0x50BA50)."""
    t = paths[0]
    w = tables[0]
    cache_curr_center(t)
    set_check_pos(t, t["curr_cell"], t["curr_id"], t["curr"])
    t["insert_type"] = INITIAL_PLACEMENT
    result = COLLIDED
    for _ in range(2):  # what was pushed is tried once more where it now is
        if t["check_cell"] < 0:
            return False
        result = insert_plain(t, w, ONE, THREE)
        if result <= COLLIDED:
            break
    if result != OK or t["check_cell"] < 0:
        return False
    take_check(t)
    t["insert_type"] = PLACEMENT
    r = t["local"][0, 3]
    reach = REACH
    if r < SMALL_RADIUS:
        reach = 0.5 * REACH
    elif r < USUAL_RADIUS:
        r = USUAL_RADIUS
    rings = REACH / r if r > 0.0 else 0.0
    if t["local"][0, 3] < SMALL_RADIUS:
        rings *= 0.5
    count = 0
    if rings > 1.0 and t["placement_allows_sliding"] != 0:
        count = int(math.ceil(rings))
    budget = 0.0
    found = False
    o = t["vector"]
    for i in range(count + 1):
        distance = 0.0
        headings = 1
        if i > 0:
            distance = reach / count * i
            budget += PI * (reach / count) / r
            headings = 2 * int(math.ceil(budget))
        for j in range(headings):
            set_check_pos(t, t["curr_cell"], t["curr_id"], t["curr"])
            if i > 0:
                angle = 2.0 * PI * j / headings
                o[0] = sin(angle) * distance
                o[1] = cos(angle) * distance
                o[2] = 0.0
                adjust_offset(t)
                add_offset(t, o[0], o[1], o[2])
            t["sliding_valid"] = 0
            no_contact(t)
            if validate_placement_transition(t, transitional_insert(t, w)) == OK:
                found = True
                break
        if found:
            break
    if not found:
        return False
    if t["may_step_down"] != 0:
        t["walkable_allowance"] = Z_FOR_LANDING
        save_check_pos(t)
        t["insert_type"] = TRANSITION
        if not settle_down(t, w, t["step_down_height"], Z_FOR_LANDING):
            restore_check_pos(t)
            no_contact(t)
        t["insert_type"] = PLACEMENT
        t["walkable"] = -1
    if t["check_cell"] < 0:
        return False
    take_check(t)
    return True

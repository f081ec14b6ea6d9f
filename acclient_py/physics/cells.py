"""Cell identity (C1 to C10): the one module that writes `cell` and `objcell_id`.

Every change of an object's cell goes through `write_cells` or `leave_cell`; every change of the id
alone through `refresh_ids`, `set_cell_id` or `set_cell_id_recursive`. Nobody else holds such a
write (C18; a test reads the sources for it). A tree that leaves is written down in the order of its
walk, and enters as that list: depth costs nothing, and nothing is allocated, since cell lists are
linked through the objects and `stack` is longer than they are many.

When events are recorded, the leave and the enter of one change are one event (E19): the leave keeps
the old cell in `cell_next` as -2 - slot, which the enter reads, and `_settle` reports what left
without entering.
"""

from __future__ import annotations

import numpy as np

from acclient_py.core import I32, U8, U32
from acclient_py.kernels import kernel
from acclient_py.physics.events import put
from acclient_py.physics.layout import (
    CAUSE_PROPAGATE,
    CAUSE_STATIC,
    EVENT_CELL_WRITE,
    RECORDING,
    Arrays,
)  # fmt: skip
from acclient_py.physics.state import PARTICLE_EMITTER


@kernel(inner=True)
def _list_tree(g: Arrays, root: int, all_of_it: bool) -> int:
    """Write the members of a tree into the front of `stack`, each before its children; how many.

    Without `all_of_it` who has no part array is left out with all below (C2). Siblings that wait
    stand at the end of `stack`: in a forest the two never meet, since nobody is in both.
    """
    objects = g.objects
    stack = g.stack
    most = objects.shape[0]
    count = 0
    waiting = most
    o = root
    for _ in range(most):  # C17: a contrived cycle ends too
        me = objects[np.uint32(o)]
        across = me["next_sibling"] if o != root else -1
        down = -1
        if all_of_it or me["has_part_array"] != 0:
            stack[np.uint32(count)] = o
            count += 1
            down = me["first_child"]
        if down >= 0:
            o = down
            if across >= 0:
                waiting -= 1
                stack[np.uint32(waiting)] = across
        elif across >= 0:
            o = across
        elif waiting == most:
            break
        else:
            o = stack[np.uint32(waiting)]
            waiting += 1
    return count


@kernel(inner=True)
def _unlink(g: Arrays, o: int, mark: bool) -> None:
    """Take an object out of its cell and the cell's list, whose last member moves into the hole.

    mark : leave the old cell in `cell_next`, for the report
    """
    objects = g.objects
    me = objects[np.uint32(o)]
    c = me["cell"]
    here = g.cells[np.uint32(c)]
    last = here["objects_last"]
    p = me["cell_prev"]
    here["objects_count"] -= 1
    if last == o:
        here["objects_last"] = p
        if p >= 0:
            objects[np.uint32(p)]["cell_next"] = -1
        else:
            here["objects_first"] = -1
    else:
        end = objects[np.uint32(last)]
        n = me["cell_next"]
        if n != last:
            q = end["cell_prev"]
            objects[np.uint32(q)]["cell_next"] = -1
            here["objects_last"] = q
            end["cell_next"] = n
            objects[np.uint32(n)]["cell_prev"] = last
        end["cell_prev"] = p
        if p >= 0:
            objects[np.uint32(p)]["cell_next"] = last
        else:
            here["objects_first"] = last
    me["cell_next"] = -2 - c if mark else -1
    me["cell"] = -1


@kernel(inner=True)
def _take_apart(g: Arrays, count: int, mark: bool) -> int:
    """See that the first `count` of `stack` are in no cell and there once; how many are left.

    A child may have been placed apart from a cell-less parent; a contrived circle (C17) is listed
    over and over.
    """
    objects = g.objects
    kept = 0
    for k in range(count):
        o = g.stack[np.uint32(k)]
        me = objects[np.uint32(o)]
        if me["cell"] >= 0:
            _unlink(g, o, mark)
        if me["cell"] == -1:
            me["cell"] = -2  # listed; `_enter` writes the cell
            g.stack[np.uint32(kept)] = o
            kept += 1
    return kept


@kernel(inner=True)
def _leave_tree(g: Arrays, root: int, mark: bool) -> tuple[int, bool, bool]:
    """Take a tree out of its cells; each level is guarded by its own cell (C3).

    Who left stands in the front of `stack`, in that order. Returns how many did, whether the same
    would enter now, and whether one of them has a light. It walks as `_list_tree` does, and the
    work is in the walk: a second pass would cost as much again.
    """
    objects = g.objects
    stack = g.stack
    most = objects.shape[0]
    count = 0
    with_parts = 0
    passed_over = 0
    lights = np.uint16(0)
    waiting = most
    o = root
    for _ in range(most):  # C17: a contrived cycle ends too
        me = objects[np.uint32(o)]
        across = me["next_sibling"] if o != root else -1
        down = -1
        if me["cell"] >= 0:
            stack[np.uint32(count)] = o
            count += 1
            _unlink(g, o, mark)
            with_parts += 1 if me["has_part_array"] != 0 else 0
            lights |= me["light_count"]
            down = me["first_child"]
        else:
            passed_over += 1
        if down >= 0:
            o = down
            if across >= 0:
                waiting -= 1
                stack[np.uint32(waiting)] = across
        elif across >= 0:
            o = across
        elif waiting == most:
            break
        else:
            o = stack[np.uint32(waiting)]
            waiting += 1
    return count, passed_over == 0 and with_parts == count, bool(lights != 0)


@kernel(inner=True)
def _enter(g: Arrays, count: int, c: int) -> bool:
    """Append the first `count` of `stack`, who are in no cell, to one; whether one has a light."""
    if count == 0:
        return False
    objects = g.objects
    here = g.cells[np.uint32(c)]
    new_id = here["id"]
    lights = np.uint16(0)
    last = here["objects_last"]
    o = g.stack[0]
    g.stack[np.uint32(count)] = -1
    if last >= 0:
        objects[np.uint32(last)]["cell_next"] = o
    else:
        here["objects_first"] = o
    for k in range(1, count + 1):
        me = objects[np.uint32(o)]
        following = g.stack[np.uint32(k)]
        me["cell_prev"] = last
        me["cell_next"] = following
        me["objcell_id"] = new_id
        if me["state"] & PARTICLE_EMITTER == 0:
            me["part_cell_id"] = new_id
        me["cell"] = c
        lights |= me["light_count"]
        last = o
        o = following
    here["objects_last"] = last
    here["objects_count"] += count
    return bool(lights != 0)


@kernel(inner=True)
def _report(g: Arrays, count: int, root: int, cause: int, new_id: int) -> None:
    """Write down the writes of the first `count` of `stack`: from the cell that each has left.

    new_id : of the cell they go to; 0: none, and who left no cell is not named
    """
    objects = g.objects
    for k in range(count):
        o = g.stack[k]
        me = objects[o]
        left = me["cell_next"] if me["cell"] < 0 else -1
        if left > -2 and new_id == 0:
            continue
        old_id = g.cells["id"][-2 - left] if left <= -2 else 0
        me["cell_next"] = -1
        why = CAUSE_PROPAGATE if o != root and cause <= CAUSE_STATIC else cause
        put(g, EVENT_CELL_WRITE, why, 0, o, me["parent"], old_id, new_id, -1, -1)


@kernel(inner=True)
def _light_out(g: Arrays, light: int) -> None:
    """Take a light out of its cell's list; the list's last member moves into the hole."""
    c = g.lights["cell"][light]
    after = g.lights["next"]
    before = g.lights["prev"]
    last = g.cells["lights_last"][c]
    p = before[light]
    n = after[light]
    g.cells["lights_count"][c] -= 1
    g.lights["cell"][light] = -1
    if last == light:
        g.cells["lights_last"][c] = p
        if p >= 0:
            after[p] = -1
        else:
            g.cells["lights_first"][c] = -1
        return
    if n != last:
        q = before[last]
        after[q] = -1
        g.cells["lights_last"][c] = q
        after[last] = n
        before[n] = last
    before[last] = p
    if p >= 0:
        after[p] = last
    else:
        g.cells["lights_first"][c] = last


@kernel(inner=True)
def _light_in(g: Arrays, light: int, c: int) -> None:
    """Append a light to a cell's list."""
    last = g.cells["lights_last"][c]
    g.lights["cell"][light] = c
    g.lights["prev"][light] = last
    g.lights["next"][light] = -1
    if last >= 0:
        g.lights["next"][last] = light
    else:
        g.cells["lights_first"][c] = light
    g.cells["lights_last"][c] = light
    g.cells["lights_count"][c] += 1


@kernel
def sync_lights(g: Arrays, root: int) -> None:
    """Bring the lights of a subtree to where their objects are, children before their parent.

    What retail does at the end of `leave_cell` and `enter_cell`, whose recursion comes first.
    """
    objects = g.objects
    o = root
    below = True  # whether the children of `o` are still to come
    for _ in range(2 * objects.shape[0]):  # C17: a contrived cycle ends too
        down = objects["first_child"][o] if below else -1
        if down >= 0 and down != root:
            o = down
            continue
        first = objects["light_first"][o]
        for light in range(first, first + objects["light_count"][o]):
            was = g.lights["cell"][light]
            now = objects["cell"][o]
            if was != now:
                if was >= 0:
                    _light_out(g, light)
                if now >= 0:
                    _light_in(g, light, now)
        if o == root:
            return
        below = objects["next_sibling"][o] >= 0
        o = objects["next_sibling"][o] if below else objects["parent"][o]


@kernel(inner=True)
def _settle(g: Arrays, root: int, cause: int) -> None:
    """Report those of a subtree that left a cell and entered none (recording only)."""
    count = _list_tree(g, root, True)
    _report(g, count, root, cause, 0)


@kernel
def leave_cell(g: Arrays, root: int, cause: int, pending: bool) -> None:
    """C3 `leave_cell`: out of the cell's list, the children too; ids stay stale.

    pending : the caller goes on to an enter, which reports both as one write

    Each level is guarded by its own cell: a cell-less object is skipped with its subtree.
    Retail: CPhysicsObj::leave_cell @0x00510F50.
    """
    # contract: C3
    if g.objects["cell"][root] < 0:
        return
    recording = g.control[RECORDING] != 0
    _, _, lit = _leave_tree(g, root, recording)
    if lit:
        sync_lights(g, root)
    if recording and not pending:
        _settle(g, root, cause)


@kernel
def settle(g: Arrays, root: int, cause: int) -> None:
    """End a pending leave that no enter followed."""
    if g.control[RECORDING] != 0:
        _settle(g, root, cause)


@kernel
def write_cells(g: Arrays, roots: I32, targets: I32, ids: U32, causes: U8) -> None:
    """Change the cells of many roots and all that hangs on them, one after the other.

    roots   : (n,) object slots
    targets : (n,) cell slots; -1 removes
    ids     : (n,) 0: `change_cell` (C1), whatever the object's cell is. Else the position commit
              (C5): within the same cell only the ids follow, of the root and its direct children
    causes  : (n,) CAUSE_* of the root's write

    Retail: CPhysicsObj::change_cell @0x00513390, enter_cell @0x00510ED0, leave_cell @0x00510F50,
    SetPositionInternal @0x00515330.
    """
    # contract: C1, C2, C3, C5
    objects = g.objects
    recording = g.control[RECORDING] != 0
    for i in range(roots.shape[0]):
        root = roots[i]
        target = targets[i]
        me = objects[np.uint32(root)]
        if ids[i] != 0 and target >= 0 and me["cell"] == target:
            me["objcell_id"] = ids[i]
            if me["state"] & PARTICLE_EMITTER == 0:
                me["part_cell_id"] = ids[i]
            o = me["first_child"]
            while o >= 0:
                me = objects[np.uint32(o)]
                me["objcell_id"] = ids[i]
                if me["state"] & PARTICLE_EMITTER == 0:
                    me["part_cell_id"] = ids[i]
                o = me["next_sibling"]
            continue
        listed = False
        count = 0
        if me["cell"] >= 0:
            count, listed, lit = _leave_tree(g, root, recording)
            if lit:
                sync_lights(g, root)
        if target >= 0:
            if not listed:
                count = _take_apart(g, _list_tree(g, root, False), recording)
            if recording:
                _report(g, count, root, causes[i], g.cells["id"][target])
            if _enter(g, count, target):
                sync_lights(g, root)
        else:
            me["objcell_id"] = 0
            if me["has_part_array"] != 0 and me["state"] & PARTICLE_EMITTER == 0:
                me["part_cell_id"] = 0
        if recording:
            _settle(g, root, causes[i])


@kernel
def set_cell_id(g: Arrays, o: int, cell_id: int) -> None:
    """Write the id of one object and its parts, and nothing else.

    Retail: CPhysicsObj::set_cell_id @0x0050F4F0.
    """
    # contract: C10
    g.objects["objcell_id"][o] = cell_id
    if g.objects["has_part_array"][o] != 0 and g.objects["state"][o] & PARTICLE_EMITTER == 0:
        g.objects["part_cell_id"][o] = cell_id


@kernel
def set_cell_id_recursive(g: Arrays, root: int, cell_id: int) -> None:
    """Write the id of a whole subtree, never a cell. Retail uses it for the sky only.

    Retail: CPhysicsObj::set_cell_id_recursive @0x00510DA0.
    """
    # contract: C10
    count = _list_tree(g, root, True)
    for k in range(count):
        set_cell_id(g, g.stack[k], cell_id)


@kernel
def withdraw_id(g: Arrays, o: int) -> None:
    """The end of `leave_world`: the id of this object and its parts becomes 0, of no other.

    Retail: CPhysicsObj::leave_world @0x005155F4 and @0x00515606 (no test for an emitter here).
    """
    # contract: C4
    g.objects["objcell_id"][o] = 0
    if g.objects["has_part_array"][o] != 0:
        g.objects["part_cell_id"][o] = 0


@kernel
def own_shell(g: Arrays, o: int, c: int) -> None:
    """Give a building's shell its land cell, or none: it is no member of any list (C9)."""
    # contract: C9
    g.objects["cell"][o] = c
    g.objects["objcell_id"][o] = g.cells["id"][c] if c >= 0 else 0
    if g.objects["has_part_array"][o] != 0:
        g.objects["part_cell_id"][o] = g.objects["objcell_id"][o]


@kernel
def darken(g: Arrays, light: int) -> None:
    """Take one light out of its cell's list, if it is in one."""
    if g.lights["cell"][light] >= 0:
        _light_out(g, light)


@kernel
def light_up(g: Arrays, o: int) -> None:
    """Bring the lights of one object to its cell."""
    first = g.objects["light_first"][o]
    for light in range(first, first + g.objects["light_count"][o]):
        if g.objects["cell"][o] >= 0 and g.lights["cell"][light] < 0:
            _light_in(g, light, g.objects["cell"][o])

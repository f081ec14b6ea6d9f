"""Cell identity (C1 to C10): the one module that writes `cell` and `objcell_id`.

Every change of an object's cell goes through `write_cells` or `leave_cell`; every change of the id
alone through `refresh_ids`, `set_cell_id` or `set_cell_id_recursive`. Nobody else holds such a
write (C18; a test reads the sources for it). The kernels walk trees of children with a stack, so
depth costs nothing, and they allocate nothing: cell lists are linked through the objects.

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
def _cause_of(cause: int, is_root: bool) -> int:
    """The cause of a descendant's write: a move of the root propagates, other events name it."""
    return CAUSE_PROPAGATE if not is_root and cause <= CAUSE_STATIC else cause


@kernel(inner=True)
def _unlink(g: Arrays, o: int) -> None:
    """Take an object out of its cell's list; the list's last member moves into the hole."""
    c = g.objects["cell"][o]
    after = g.objects["cell_next"]
    before = g.objects["cell_prev"]
    last = g.cells["objects_last"][c]
    p = before[o]
    n = after[o]
    g.cells["objects_count"][c] -= 1
    if last == o:
        g.cells["objects_last"][c] = p
        if p >= 0:
            after[p] = -1
        else:
            g.cells["objects_first"][c] = -1
        return
    if n != last:
        q = before[last]
        after[q] = -1
        g.cells["objects_last"][c] = q
        after[last] = n
        before[n] = last
    before[last] = p
    if p >= 0:
        after[p] = last
    else:
        g.cells["objects_first"][c] = last


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
    while True:
        while objects["first_child"][o] >= 0:
            o = objects["first_child"][o]
        while True:
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
            if objects["next_sibling"][o] >= 0:
                o = objects["next_sibling"][o]
                break
            o = objects["parent"][o]


@kernel(inner=True)
def _settle(g: Arrays, root: int, cause: int) -> None:
    """Report those of a subtree that left a cell and entered none (recording only)."""
    objects = g.objects
    sp = 0
    o = root
    while True:
        if objects["cell"][o] < 0 and objects["cell_next"][o] <= -2:
            old = g.cells["id"][-2 - objects["cell_next"][o]]
            objects["cell_next"][o] = -1
            why = _cause_of(cause, o == root)
            put(g, EVENT_CELL_WRITE, why, 0, o, objects["parent"][o], old, 0, -1, -1)
        child = objects["first_child"][o]
        if child >= 0:
            if o != root and objects["next_sibling"][o] >= 0:
                g.stack[sp] = objects["next_sibling"][o]
                sp += 1
            o = child
        elif o != root and objects["next_sibling"][o] >= 0:
            o = objects["next_sibling"][o]
        elif sp == 0:
            return
        else:
            sp -= 1
            o = g.stack[sp]


@kernel
def leave_cell(g: Arrays, root: int, cause: int, pending: bool) -> None:
    """C3 `leave_cell`: out of the cell's list, the children too; ids stay stale.

    pending : the caller goes on to an enter, which reports both as one write

    Each level is guarded by its own cell: a cell-less object is skipped with its subtree.
    Retail: CPhysicsObj::leave_cell @0x00510F50.
    """
    # contract: C3
    objects = g.objects
    cell = objects["cell"]
    if cell[root] < 0:
        return
    recording = g.control[RECORDING] != 0
    lit = False
    sp = 0
    o = root
    steps = cell.shape[0]  # C17: a contrived cycle ends too
    while steps > 0:
        steps -= 1
        down = -1
        c = cell[o]
        if c >= 0:
            _unlink(g, o)
            objects["cell_next"][o] = -2 - c if recording else -1
            cell[o] = -1
            lit = lit or objects["light_count"][o] > 0
            down = objects["first_child"][o]
        across = objects["next_sibling"][o] if o != root else -1
        if down >= 0:
            if across >= 0:
                g.stack[sp] = across
                sp += 1
            o = down
        elif across >= 0:
            o = across
        elif sp == 0:
            break
        else:
            sp -= 1
            o = g.stack[sp]
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
    cells = g.cells
    stack = g.stack
    most = objects.shape[0]
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
        lit = False
        if me["cell"] >= 0:
            sp = 0
            o = root
            steps = most  # C17: a contrived cycle ends too
            while steps > 0:
                steps -= 1
                down = -1
                me = objects[np.uint32(o)]
                c = me["cell"]
                if c >= 0:
                    here = cells[np.uint32(c)]
                    last = here["objects_last"]
                    p = me["cell_prev"]
                    n = me["cell_next"]
                    here["objects_count"] -= 1
                    if last == o:
                        here["objects_last"] = p
                        if p >= 0:
                            objects[np.uint32(p)]["cell_next"] = -1
                        else:
                            here["objects_first"] = -1
                    else:
                        end = objects[np.uint32(last)]
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
                    me["cell_next"] = -2 - c if recording else -1
                    me["cell"] = -1
                    lit = lit or me["light_count"] > 0
                    down = me["first_child"]
                across = me["next_sibling"] if o != root else -1
                if down >= 0:
                    if across >= 0:
                        stack[np.uint32(sp)] = across
                        sp += 1
                    o = down
                elif across >= 0:
                    o = across
                elif sp == 0:
                    break
                else:
                    sp -= 1
                    o = stack[np.uint32(sp)]
            if lit:
                sync_lights(g, root)
        if target < 0:
            me = objects[np.uint32(root)]
            me["objcell_id"] = 0
            if me["has_part_array"] != 0 and me["state"] & PARTICLE_EMITTER == 0:
                me["part_cell_id"] = 0
            if recording:
                _settle(g, root, causes[i])
            continue
        here = cells[np.uint32(target)]
        new_id = here["id"]
        sp = 0
        o = root
        steps = most
        while steps > 0:
            steps -= 1
            down = -1
            me = objects[np.uint32(o)]
            if me["has_part_array"] != 0:
                if me["cell"] >= 0:  # a child that was placed apart from a cell-less parent
                    old = me["cell"]
                    _unlink(g, o)
                    me["cell_next"] = -2 - old if recording else -1
                if recording:
                    left = me["cell_next"]
                    old_id = cells["id"][-2 - left] if left <= -2 else 0
                    why = _cause_of(causes[i], o == root)
                    put(g, EVENT_CELL_WRITE, why, 0, o, me["parent"], old_id, new_id, -1, -1)
                last = here["objects_last"]
                me["cell_prev"] = last
                me["cell_next"] = -1
                if last >= 0:
                    objects[np.uint32(last)]["cell_next"] = o
                else:
                    here["objects_first"] = o
                here["objects_last"] = o
                here["objects_count"] += 1
                me["objcell_id"] = new_id
                if me["state"] & PARTICLE_EMITTER == 0:
                    me["part_cell_id"] = new_id
                me["cell"] = target
                lit = lit or me["light_count"] > 0
                down = me["first_child"]
            across = me["next_sibling"] if o != root else -1
            if down >= 0:
                if across >= 0:
                    stack[np.uint32(sp)] = across
                    sp += 1
                o = down
            elif across >= 0:
                o = across
            elif sp == 0:
                break
            else:
                sp -= 1
                o = stack[np.uint32(sp)]
        if lit:
            sync_lights(g, root)
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
    objects = g.objects
    sp = 0
    o = root
    while True:
        objects["objcell_id"][o] = cell_id
        if objects["has_part_array"][o] != 0 and objects["state"][o] & PARTICLE_EMITTER == 0:
            objects["part_cell_id"][o] = cell_id
        child = objects["first_child"][o]
        if child >= 0:
            if o != root and objects["next_sibling"][o] >= 0:
                g.stack[sp] = objects["next_sibling"][o]
                sp += 1
            o = child
        elif o != root and objects["next_sibling"][o] >= 0:
            o = objects["next_sibling"][o]
        elif sp == 0:
            return
        else:
            sp -= 1
            o = g.stack[sp]


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

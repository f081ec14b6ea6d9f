"""The kernels of the graph's check: one pass that finds the first fault (C14, C15, C17, S9, E15).

Lists are read forwards and backwards, every link has to come back, and every count has to be the
number of things. `physics/check.py` has the words. Indices that point nowhere are faults like
others: nothing here reads outside an array.
"""

from __future__ import annotations

from typing import Final

from acclient_py.core import I32, I64, U8
from acclient_py.kernels import kernel
from acclient_py.physics.layout import (
    BUILDING,
    ENTRY_TOTAL,
    ENV,
    EVENTS_LOST,
    FREE,
    OBJECT,
    SHADOW_TOTAL,
    Arrays,
)  # fmt: skip
from acclient_py.physics.state import PARTICLE_EMITTER

(
    NONE, LONGER, BACK, END, UNLISTED, ON_FREE, CIRCLE, WRONG_CHILD, WRONG_LAST, TWO_LISTS,
    SHELL_LISTED, NOT_LISTED, WRONG_ID, PARTS_ID, ZERO_ID, NOT_WITH_PARENT, RESIDENT_ALONE,
    SHADOW_TWICE, NO_ORDER, PART_TWICE, PART_BACK, GHOST, LAND_PLANES, SHELL_SHADOWS,
    ALIEN_SHADOW, SAME_ID, SHADOW_LIST, SHADOW_CELL, EMITTER, PLACE, NOT_DRAWN, LEFT, SHADOW_SUM,
    ENTRY_SUM, LOST, ALIEN_LIGHT, LIGHT_LIST, LIGHT_CELL, LIGHTS_LEFT,
) = range(39)  # fmt: skip

ORDERED: Final = 1  # of an entry: the painter's order names it
OWNED: Final = 2  # a shadow's places name it


@kernel(inner=True)
def _tell(found: I64, fault: int, a: int, b: int, c: int) -> bool:
    """Note the first fault; True, for the caller to end."""
    found[0] = fault
    found[1] = a
    found[2] = b
    found[3] = c
    return True


@kernel(inner=True)
def _read_list(
    which: int, cell: int, first: int, last: int, count: int, after: I32, before: I32, member: I32,
    found: I64,
) -> bool:  # fmt: skip
    """Read a list of a cell both ways and note whose member each is; whether it is broken."""
    n = 0
    behind = -1
    at = first
    while at >= 0:
        if n > count:
            return _tell(found, LONGER, cell, 0, which)
        if at >= after.shape[0] or before[at] != behind:
            return _tell(found, BACK, cell, at, which)
        n += 1
        behind = at
        at = after[at]
    if behind != last or n != count:
        return _tell(found, END, cell, 0, which)
    at = first
    while at >= 0:
        if member[at] >= 0 and which < 2:
            return _tell(found, TWO_LISTS if which == 0 else SHADOW_TWICE, at, 0, 0)
        member[at] = cell
        at = after[at]
    return False


@kernel(inner=True)
def _forest(g: Arrays, used: int, listed: U8, root: I32, with_parts: U8, found: I64) -> bool:
    """C17: parent links form a forest and agree with the child lists.

    root, with_parts : filled: each object's root, and whether all its ancestors have a part array
    """
    objects = g.objects
    for o in range(used):
        child = objects["first_child"][o] if objects["kind"][o] != FREE else -1
        for _ in range(used):
            if child < 0 or child >= used:
                break
            if objects["parent"][child] == o:
                listed[child] = 1
            child = objects["next_sibling"][child]
    for o in range(used):
        if objects["kind"][o] == FREE:
            continue
        if objects["parent"][o] >= 0 and listed[o] == 0:
            return _tell(found, UNLISTED, o, 0, 0)
        up = o
        deep = 0
        while root[up] < 0 and objects["parent"][up] >= 0:
            parent = objects["parent"][up]
            if parent >= used or objects["kind"][parent] == FREE:
                return _tell(found, ON_FREE, o, 0, 0)
            if deep >= used:
                return _tell(found, CIRCLE, o, 0, 0)
            g.stack[deep] = up
            deep += 1
            up = parent
        if root[up] < 0:
            root[up] = up
            with_parts[up] = 1
        while deep > 0:
            deep -= 1
            below = g.stack[deep]
            root[below] = root[up]
            with_parts[below] = with_parts[up] if objects["has_part_array"][up] != 0 else 0
            up = below
        before = -1
        child = objects["first_child"][o]
        for _ in range(used):
            if child < 0:
                break
            if (
                child >= used
                or objects["parent"][child] != o
                or objects["prev_sibling"][child] != before
                or objects["kind"][child] == FREE
            ):
                return _tell(found, WRONG_CHILD, child, o, 0)
            before = child
            child = objects["next_sibling"][child]
        if objects["last_child"][o] != before:
            return _tell(found, WRONG_LAST, o, 0, 0)
    return False


@kernel(inner=True)
def _identity(
    g: Arrays, used: int, cells_used: int, turned: U8, root: I32, with_parts: U8, member: I32,
    found: I64,
) -> bool:  # fmt: skip
    """C14, C15: who is in which cell, and whether lists and ids agree."""
    objects = g.objects
    cells = g.cells
    for c in range(cells_used):
        if cells["kind"][c] != FREE and _read_list(
            0, c, cells["objects_first"][c], cells["objects_last"][c], cells["objects_count"][c],
            objects["cell_next"], objects["cell_prev"], member, found,
        ):  # fmt: skip
            return True
    for o in range(used):
        if objects["kind"][o] == FREE:
            continue
        cell = objects["cell"][o]
        if objects["kind"][o] == BUILDING:
            if member[o] >= 0:
                return _tell(found, SHELL_LISTED, o, 0, 0)
            continue
        if member[o] != cell:
            return _tell(found, NOT_LISTED, o, cell, member[o])
        if cell < 0:
            continue
        if objects["objcell_id"][o] != cells["id"][cell]:
            return _tell(found, WRONG_ID, o, objects["objcell_id"][o], 0)
        emitter = objects["state"][o] & PARTICLE_EMITTER != 0 or turned[o] != 0
        if objects["has_part_array"][o] != 0 and not emitter:
            if objects["part_cell_id"][o] != cells["id"][cell]:
                return _tell(found, PARTS_ID, o, 0, 0)
    for o in range(used):
        if objects["kind"][o] == FREE or objects["parent"][o] < 0:
            continue
        if objects["has_part_array"][o] == 0 or with_parts[o] == 0:
            continue
        theirs = objects["cell"][root[o]]
        if theirs >= 0 and objects["cell"][o] != theirs:
            if objects["objcell_id"][o] == 0:
                return _tell(found, ZERO_ID, o, 0, 0)
            return _tell(found, NOT_WITH_PARENT, o, 0, 0)
        if theirs < 0 and objects["cell"][o] >= 0:
            return _tell(found, RESIDENT_ALONE, o, 0, 0)
    return False


@kernel(inner=True)
def _entries(g: Arrays, c: int, used: int, listed: I32, seen: I32, marks: U8, found: I64) -> bool:
    """One cell's part list: its order, its back links, and whose the entries are.

    listed : by row of `parts`: in how many entries ; seen : in which cell the last was
    """
    objects = g.objects
    entries = g.entries
    first = g.cells["parts_first"][c]
    count = g.cells["parts_count"][c]
    if count > 0 and (first < 0 or first + count > entries.shape[0]):
        return _tell(found, NO_ORDER, c, 0, 0)
    for i in range(count):
        place = g.order[first + i]
        if place < 0 or place >= count or marks[first + place] & ORDERED != 0:
            return _tell(found, NO_ORDER, c, 0, 0)
        marks[first + place] |= ORDERED
    for place in range(count):
        at = first + place
        o = entries["object"][at]
        index = int(entries["part_index"][at])
        if o < 0 or o >= used or objects["kind"][o] == FREE:
            return _tell(found, GHOST, c, 0, 0)
        part = objects["part_first"][o] + index
        if part < 0 or part >= seen.shape[0] or entries["part"][at] != part:
            return _tell(found, GHOST, c, 0, 0)
        if seen[part] == c:
            return _tell(found, PART_TWICE, o, index, 0)
        seen[part] = c
        listed[part] += 1
        back = entries["back"][at]
        rank = g.ranks[at]
        if (
            back < 0
            or back >= g.places.shape[0]
            or g.places[back] != place
            or rank < 0
            or rank >= count
            or g.order[first + rank] != place
        ):
            return _tell(found, PART_BACK, o, index, 0)
        if entries["planes"][at] != 0 and g.cells["kind"][c] != ENV:
            return _tell(found, LAND_PLANES, o, 0, 0)
    return False


@kernel(inner=True)
def _shadows_of(
    g: Arrays, o: int, turned: bool, listed: I32, member: I32, marks: U8, found: I64
) -> bool:
    """One object's shadows, each with the places of its parts."""
    objects = g.objects
    cells = g.cells
    shadows = g.shadows
    first = objects["shadow_first"][o]
    count = objects["shadow_count"][o]
    parts = int(objects["part_count"][o])
    part_first = objects["part_first"][o]
    emitter = objects["state"][o] & PARTICLE_EMITTER != 0 and not turned
    if count != 0 and objects["kind"][o] != OBJECT:
        return _tell(found, SHELL_SHADOWS, o, 0, 0)
    at = objects["place_first"][o]
    if count > 0 and (first < 0 or first + count > shadows.shape[0]):
        return _tell(found, ALIEN_SHADOW, o, 0, 0)
    if count * parts > 0 and (
        at < 0
        or at + count * parts > g.places.shape[0]
        or part_first < 0
        or part_first + parts > listed.shape[0]
    ):
        return _tell(found, PLACE, o, 0, 0)
    for k in range(count):
        s = first + k
        cell = shadows["cell"][s]
        if shadows["object"][s] != o:
            return _tell(found, ALIEN_SHADOW, o, 0, 0)
        for before in range(k):
            if shadows["cell_id"][first + before] == shadows["cell_id"][s]:
                return _tell(found, SAME_ID, o, 0, 0)
        if member[s] != cell:
            return _tell(found, SHADOW_LIST, o, k, 0)
        member[s] = -1
        if cell >= 0 and cells["id"][cell] != shadows["cell_id"][s]:
            return _tell(found, SHADOW_CELL, o, k, 0)
        if emitter and cell >= 0 and cell != objects["cell"][o]:
            return _tell(found, EMITTER, o, 0, 0)
        at = objects["place_first"][o] + k * parts
        for index in range(parts):
            place = g.places[at + index]
            if place != -1:
                entry = cells["parts_first"][cell] + place if cell >= 0 else -1
                if (
                    entry < 0
                    or place < 0
                    or place >= cells["parts_count"][cell]
                    or g.entries["object"][entry] != o
                    or g.entries["part_index"][entry] != index
                ):
                    return _tell(found, PLACE, o, index, 0)
                marks[entry] |= OWNED
                listed[part_first + index] -= 1
            if cell >= 0 and (g.parts["gfx"][part_first + index] >= 0) != (place >= 0):
                return _tell(found, NOT_DRAWN, o, index, 0)
    for index in range(parts if count > 0 else 0):
        if listed[part_first + index] == 0:
            continue
        for k in range(count):  # an entry too many: in a cell where the object has a shadow?
            cell = shadows["cell"][first + k]
            if cell < 0:
                continue
            begin = cells["parts_first"][cell]
            for entry in range(begin, begin + cells["parts_count"][cell]):
                if (
                    marks[entry] & OWNED == 0
                    and g.entries["object"][entry] == o
                    and g.entries["part_index"][entry] == index
                ):
                    return _tell(found, PLACE, o, index, 0)
    return False


@kernel(inner=True)
def _shadows(
    g: Arrays, used: int, cells_used: int, turned: U8, listed: I32, seen: I32, member: I32,
    marks: U8, found: I64,
) -> bool:  # fmt: skip
    """S5, S7, S9: the two products of a publication agree, entry by entry."""
    objects = g.objects
    cells = g.cells
    entries = 0
    for c in range(cells_used):
        if cells["kind"][c] == FREE:
            continue
        entries += cells["parts_count"][c]
        if _read_list(
            1, c, cells["shadows_first"][c], cells["shadows_last"][c], cells["shadows_count"][c],
            g.shadows["next"], g.shadows["prev"], member, found,
        ):  # fmt: skip
            return True
    for c in range(cells_used):
        if cells["kind"][c] != FREE and _entries(g, c, used, listed, seen, marks, found):
            return True
    shadows = 0
    for o in range(used):
        if objects["kind"][o] != FREE:
            shadows += objects["shadow_count"][o]
            if _shadows_of(g, o, turned[o] != 0, listed, member, marks, found):
                return True
    for s in range(member.shape[0]):
        if member[s] >= 0:
            return _tell(found, LEFT, 0, 0, 0)
    for part in range(listed.shape[0]):
        if listed[part] != 0:
            return _tell(found, LEFT, 0, 0, 0)
    if shadows != g.control[SHADOW_TOTAL]:
        return _tell(found, SHADOW_SUM, shadows, g.control[SHADOW_TOTAL], 0)
    if entries != g.control[ENTRY_TOTAL]:
        return _tell(found, ENTRY_SUM, entries, g.control[ENTRY_TOTAL], 0)
    if g.control[EVENTS_LOST] != 0:
        return _tell(found, LOST, g.control[EVENTS_LOST], 0, 0)
    return False


@kernel(inner=True)
def _lights(g: Arrays, used: int, cells_used: int, member: I32, found: I64) -> bool:
    """C15: an object's lights are where it is."""
    objects = g.objects
    cells = g.cells
    lights = g.lights
    for c in range(cells_used):
        if cells["kind"][c] != FREE and _read_list(
            2, c, cells["lights_first"][c], cells["lights_last"][c], cells["lights_count"][c],
            lights["next"], lights["prev"], member, found,
        ):  # fmt: skip
            return True
    for o in range(used):
        if objects["kind"][o] == FREE:
            continue
        first = objects["light_first"][o]
        for light in range(first, first + int(objects["light_count"][o])):
            if light < 0 or light >= lights.shape[0]:
                return _tell(found, ALIEN_LIGHT, o, 0, 0)
            if lights["object"][light] != o:
                return _tell(found, ALIEN_LIGHT, o, 0, 0)
            if member[light] != lights["cell"][light]:
                return _tell(found, LIGHT_LIST, light, 0, 0)
            member[light] = -1
            if objects["kind"][o] == OBJECT and lights["cell"][light] != objects["cell"][o]:
                return _tell(found, LIGHT_CELL, o, 0, 0)
    for light in range(member.shape[0]):
        if member[light] >= 0:
            return _tell(found, LIGHTS_LEFT, 0, 0, 0)
    return False


@kernel
def find_fault(
    g: Arrays, used: int, cells_used: int, turned: U8, flags: U8, links: I32, shadow_in: I32,
    light_in: I32, of_parts: I32, marks: U8, found: I64,
) -> None:  # fmt: skip
    """The first fault of a graph: found[0] is its number, 0 none, and then its findings.

    used, cells_used : rows of objects and of cells that count
    turned           : (objects,) 1 where the object became an emitter or ceased to be
    flags            : (2, objects) scratch of zeros
    links            : (2, objects), shadow_in: (shadows,), light_in: (lights,) scratch of -1
    of_parts         : (2, parts) scratch: zeros, and -1
    marks            : (entries,) scratch of zeros: ORDERED, OWNED
    """
    # contract: C14, C15, C17, S9, E15
    root = links[0]
    if _forest(g, used, flags[0], root, flags[1], found):
        return
    if _identity(g, used, cells_used, turned, root, flags[1], links[1], found):
        return
    if _shadows(g, used, cells_used, turned, of_parts[0], of_parts[1], shadow_in, marks, found):
        return
    _lights(g, used, cells_used, light_in, found)

"""Publication and removal of shadows (S5 to S9): one transaction, two products.

`republish` is the transaction: for each root, every shadow of its subtree out of its cell, and then
the root's ordered cell array in again, for the root and all below it. A cell's shadow list
(collision) and its part list (drawing) are written by the same step, so they cannot disagree (S9).

Room is counted before the first write of a root. A root for which there is not enough is left
untouched, and the kernel returns its index: the caller grows the pools and goes on from there (E3).
Slabs stay with their owner when they empty, so a warmed crossing takes none (C19).
"""

from __future__ import annotations

from acclient_py.core import I32, I64, U8, U32
from acclient_py.kernels import kernel
from acclient_py.physics.events import put
from acclient_py.physics.layout import (
    ENTRY_TOTAL,
    ENV,
    EVENT_ADD_PART,
    EVENT_ADD_SHADOW,
    EVENT_ARRAY_CELL,
    EVENT_CELL_ARRAY,
    EVENT_REMOVE_PART,
    EVENT_REMOVE_SHADOW,
    FLAG_MISSED,
    FREE_LISTS,
    MARK_LATE,
    RECORDING,
    SHADOW_TOTAL,
    SIZE,
    USED,
    Arrays,
)
from acclient_py.physics.state import PARTICLE_EMITTER


@kernel(inner=True)
def slab_class(count: int) -> int:
    """The smallest k with 2**k >= count."""
    k = 0
    while (1 << k) < count:
        k += 1
    return k


@kernel(inner=True)
def _take(meta: I64, links: I32, k: int) -> int:
    """The first row of a free slab of 2**k rows; the caller has counted the room."""
    first = meta[FREE_LISTS + k]
    if first >= 0:
        meta[FREE_LISTS + k] = links[first]
        return int(first)
    first = meta[USED]
    meta[USED] = first + (1 << k)
    return int(first)


@kernel(inner=True)
def _give(meta: I64, links: I32, first: int, k: int) -> None:
    """Take back a slab of 2**k rows; `links` chains the free ones through their first rows."""
    links[first] = meta[FREE_LISTS + k]
    meta[FREE_LISTS + k] = first


@kernel(inner=True)
def _make_room(g: Arrays, o: int, count: int) -> None:
    """Give an object slabs for `count` shadows; it holds none now."""
    objects = g.objects
    if count > objects["shadow_room"][o]:
        if objects["shadow_room"][o] > 0:
            k = slab_class(objects["shadow_room"][o])
            _give(g.shadow_meta, g.shadows["object"], objects["shadow_first"][o], k)
        k = slab_class(count)
        objects["shadow_first"][o] = _take(g.shadow_meta, g.shadows["object"], k)
        objects["shadow_room"][o] = 1 << k
    places = count * objects["part_count"][o]
    if places > objects["place_room"][o]:
        if objects["place_room"][o] > 0:
            k = slab_class(objects["place_room"][o])
            _give(g.place_meta, g.places, objects["place_first"][o], k)
        k = slab_class(places)
        objects["place_first"][o] = _take(g.place_meta, g.places, k)
        objects["place_room"][o] = 1 << k


@kernel(inner=True)
def _widen(g: Arrays, c: int) -> None:
    """Move a cell's part list into a slab of twice the room."""
    cells = g.cells
    count = cells["parts_count"][c]
    room = cells["parts_room"][c]
    k = slab_class(room) + 1 if room > 0 else 1
    old = cells["parts_first"][c]
    new = _take(g.entry_meta, g.entries["object"], k)
    for i in range(count):
        g.entries[new + i] = g.entries[old + i]
        g.order[new + i] = g.order[old + i]
        g.ranks[new + i] = g.ranks[old + i]
    if room > 0:
        _give(g.entry_meta, g.entries["object"], old, k - 1)
    cells["parts_first"][c] = new
    cells["parts_room"][c] = 1 << k


@kernel(inner=True)
def _shadow_out(g: Arrays, s: int) -> None:
    """`remove_shadow_object`: out of its cell's list; the list's last moves into the hole."""
    shadows = g.shadows
    c = shadows["cell"][s]
    last = g.cells["shadows_last"][c]
    p = shadows["prev"][s]
    n = shadows["next"][s]
    g.cells["shadows_count"][c] -= 1
    shadows["cell"][s] = -1
    if last == s:
        g.cells["shadows_last"][c] = p
        if p >= 0:
            shadows["next"][p] = -1
        else:
            g.cells["shadows_first"][c] = -1
        return
    if n != last:
        q = shadows["prev"][last]
        shadows["next"][q] = -1
        g.cells["shadows_last"][c] = q
        shadows["next"][last] = n
        shadows["prev"][n] = last
    shadows["prev"][last] = p
    if p >= 0:
        shadows["next"][p] = last
    else:
        g.cells["shadows_first"][c] = last


@kernel(inner=True)
def part_out(g: Arrays, c: int, place: int) -> None:
    """`remove_part` by place: the list's last entry moves into the hole, in `order` likewise."""
    cells = g.cells
    entries = g.entries
    first = cells["parts_first"][c]
    tail = cells["parts_count"][c] - 1
    cells["parts_count"][c] = tail
    g.control[ENTRY_TOTAL] -= 1
    hole = g.ranks[first + place]
    moved = g.order[first + tail]
    g.order[first + hole] = moved
    g.ranks[first + moved] = hole
    if place != tail:
        entries[first + place] = entries[first + tail]
        g.ranks[first + place] = g.ranks[first + tail]
        g.places[entries["back"][first + place]] = place
        g.order[first + g.ranks[first + place]] = place


@kernel(inner=True)
def part_in(g: Arrays, c: int, o: int, index: int, back: int, planes: int) -> None:
    """`add_part`: append one part of an object to a cell's list."""
    cells = g.cells
    entries = g.entries
    count = cells["parts_count"][c]
    if count == cells["parts_room"][c]:
        _widen(g, c)
    at = cells["parts_first"][c] + count
    entries["object"][at] = o
    entries["part"][at] = g.objects["part_first"][o] + index
    entries["back"][at] = back
    g.ranks[at] = count
    entries["part_index"][at] = index
    entries["planes"][at] = planes
    g.order[at] = count
    g.places[back] = count
    cells["parts_count"][c] = count + 1
    g.control[ENTRY_TOTAL] += 1


@kernel(inner=True)
def _missing(
    g: Arrays, root: int, count: int, ids: U32, slots: I32, first: int, need: I64
) -> bool:  # fmt: skip
    """Whether a root's publication lacks room; `need` then holds the free rows that it wants."""
    objects = g.objects
    parts = 0
    shadows = 0
    places = 0
    entries = 0
    sp = 0
    o = root
    steps = objects.shape[0]
    while steps > 0:
        steps -= 1
        here = count
        if objects["state"][o] & PARTICLE_EMITTER != 0:
            c = objects["cell"][o]
            here = 1 if c >= 0 else 0
            if c >= 0:
                own = g.cells["parts_count"][c] + objects["part_count"][o]
                if own + parts > g.cells["parts_room"][c]:
                    entries += 2 << slab_class(own + parts)
        parts += objects["part_count"][o]
        if here > objects["shadow_room"][o]:
            shadows += 1 << slab_class(here)
        if here * objects["part_count"][o] > objects["place_room"][o]:
            places += 1 << slab_class(here * objects["part_count"][o])
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
    for i in range(first, first + count):
        c = slots[i]
        if c >= 0 and g.cells["parts_count"][c] + parts > g.cells["parts_room"][c]:
            entries += 2 << slab_class(g.cells["parts_count"][c] + parts)
    need[0] = shadows
    need[1] = places
    need[2] = entries
    return bool(
        g.shadow_meta[USED] + shadows > g.shadow_meta[SIZE]
        or g.place_meta[USED] + places > g.place_meta[SIZE]
        or g.entry_meta[USED] + entries > g.entry_meta[SIZE]
    )


@kernel
def republish(
    g: Arrays, roots: I32, firsts: I32, counts: I32, ids: U32, slots: I32, flags: U8,
    start: int, need: I64,
) -> int:  # fmt: skip
    """Take every shadow of each root's subtree out and publish its cell array anew.

    roots  : (n,) object slots, done one after the other from `start` on
    firsts : (n,) where a root's array begins in `ids` and `slots`
    counts : (n,) how long it is; -1: only take out; -2: leave this root as it is
    ids    : cell ids of the arrays; slots: their slots, -1 for a cell that is not resident
    flags  : (n,) FLAG_*, for the events and for the mark of who missed a late cell
    need   : (3,) filled with rows of shadows, places, entries that are wanted when one has to stop

    Returns the number of roots done; fewer than n when room is lacking: grow, and go on from there.
    Retail: CPhysicsObj::remove_shadows_from_cells @0x00511230, add_shadows_to_cells @0x00514AE0.
    """
    # contract: S5, S6, S7, S8, S9
    objects = g.objects
    shadows = g.shadows
    cells = g.cells
    entries = g.entries
    order = g.order
    ranks = g.ranks
    places = g.places
    parts = g.parts
    stack = g.stack
    most = objects.shape[0]
    recording = g.control[RECORDING] != 0
    total_shadows = g.control[SHADOW_TOTAL]
    total_entries = g.control[ENTRY_TOTAL]
    done = start
    while done < roots.shape[0]:
        root = roots[done]
        count = counts[done]
        array = firsts[done]
        if count < -1:
            done += 1
            continue
        if count >= 0:
            # room enough is the usual case; whoever may lack some is counted apart, exactly
            narrow = False
            wider = False
            total = 0
            nodes = 0
            sp = 0
            o = root
            steps = most
            while steps > 0:
                steps -= 1
                me = objects[o]
                n_parts = int(me["part_count"])
                total += n_parts
                nodes += 1
                wider = wider or count > me["shadow_room"] or count * n_parts > me["place_room"]
                narrow = narrow or me["state"] & PARTICLE_EMITTER != 0
                down = me["first_child"]
                across = me["next_sibling"] if o != root else -1
                if down >= 0:
                    if across >= 0:
                        stack[sp] = across
                        sp += 1
                    o = down
                elif across >= 0:
                    o = across
                elif sp == 0:
                    break
                else:
                    sp -= 1
                    o = stack[sp]
            for k in range(count):
                c = slots[array + k]
                if c >= 0:
                    here = cells[c]
                    narrow = narrow or here["parts_count"] + total > here["parts_room"]
            if wider and not narrow:  # a slab is less than twice what it has to hold
                narrow = (
                    g.shadow_meta[USED] + 2 * count * nodes > g.shadow_meta[SIZE]
                    or g.place_meta[USED] + 2 * count * total > g.place_meta[SIZE]
                )
            if narrow and _missing(g, root, count, ids, slots, array, need):
                break
        # contract: S8  every shadow out, in order, the children after their parent
        sp = 0
        o = root
        steps = most
        while steps > 0:
            steps -= 1
            me = objects[o]
            s_first = me["shadow_first"]
            n_parts = int(me["part_count"])
            n_shadows = me["shadow_count"]
            for k in range(n_shadows):
                s = s_first + k
                mine = shadows[s]
                c = mine["cell"]
                if c < 0:
                    continue
                here = cells[c]
                last = here["shadows_last"]
                p = mine["prev"]
                n = mine["next"]
                here["shadows_count"] -= 1
                if last == s:
                    here["shadows_last"] = p
                    if p >= 0:
                        shadows[p]["next"] = -1
                    else:
                        here["shadows_first"] = -1
                else:
                    end = shadows[last]
                    if n != last:
                        q = end["prev"]
                        shadows[q]["next"] = -1
                        here["shadows_last"] = q
                        end["next"] = n
                        shadows[n]["prev"] = last
                    end["prev"] = p
                    if p >= 0:
                        shadows[p]["next"] = last
                    else:
                        here["shadows_first"] = last
                mine["cell"] = -1
                if recording:
                    put(g, EVENT_REMOVE_SHADOW, 0, 0, o, root, 0, mine["cell_id"], -1, -1)
                base = me["place_first"] + k * n_parts
                first = here["parts_first"]
                for index in range(n_parts):
                    place = places[base + index]
                    if place < 0:
                        continue
                    places[base + index] = -1
                    tail = here["parts_count"] - 1
                    here["parts_count"] = tail
                    entry = entries[first + place]
                    hole = ranks[first + place]
                    moved = order[first + tail]
                    order[first + hole] = moved
                    ranks[first + moved] = hole
                    if place != tail:
                        entries[first + place] = entries[first + tail]
                        rank = ranks[first + tail]
                        ranks[first + place] = rank
                        places[entry["back"]] = place
                        order[first + rank] = place
                    total_entries -= 1
                    if recording:
                        put(g, EVENT_REMOVE_PART, 0, 0, o, root, 0, mine["cell_id"], index, place)
            total_shadows -= n_shadows
            me["shadow_count"] = 0
            down = me["first_child"]
            across = me["next_sibling"] if o != root else -1
            if down >= 0:
                if across >= 0:
                    stack[sp] = across
                    sp += 1
                o = down
            elif across >= 0:
                o = across
            elif sp == 0:
                break
            else:
                sp -= 1
                o = stack[sp]
        if count < 0:
            done += 1
            continue
        # contract: S5, S6  the array in again, in order, the children after their parent
        sp = 0
        o = root
        steps = most
        while steps > 0:
            steps -= 1
            me = objects[o]
            own = -1  # contract: S7  an emitter takes its own cell and nothing else
            n_shadows = count
            if me["state"] & PARTICLE_EMITTER != 0:
                own = me["cell"]
                n_shadows = 1 if own >= 0 else 0
            n_parts = int(me["part_count"])
            if n_shadows > me["shadow_room"] or n_shadows * n_parts > me["place_room"]:
                _make_room(g, o, n_shadows)
            s_first = me["shadow_first"]
            me["shadow_count"] = n_shadows
            # divergence: D12  the mark is of the array that is published; a child has its root's
            late = MARK_LATE if o == root and flags[done] & FLAG_MISSED != 0 else 0
            me["marks"] = (me["marks"] & (0xFF ^ MARK_LATE)) | late
            total_shadows += n_shadows
            if recording:
                put(g, EVENT_CELL_ARRAY, 0, flags[done], o, root, n_shadows, 0, -1, -1)
                for k in range(n_shadows):
                    slot = own if own >= 0 else slots[array + k]
                    new_id = cells["id"][own] if own >= 0 else ids[array + k]
                    put(g, EVENT_ARRAY_CELL, 0, 1 if slot >= 0 else 0, o, root, 0, new_id, -1, k)
            has_parts = me["has_part_array"] != 0
            part = me["part_first"]
            for k in range(n_shadows):
                s = s_first + k
                mine = shadows[s]
                c = own if own >= 0 else slots[array + k]
                mine["object"] = o
                mine["cell"] = c
                mine["cell_id"] = cells[own]["id"] if own >= 0 else ids[array + k]
                base = me["place_first"] + k * n_parts
                if c < 0:
                    mine["next"] = -1
                    mine["prev"] = -1
                    for index in range(n_parts):
                        places[base + index] = -1
                    continue
                here = cells[c]
                last = here["shadows_last"]
                mine["prev"] = last
                mine["next"] = -1
                if last >= 0:
                    shadows[last]["next"] = s
                else:
                    here["shadows_first"] = s
                here["shadows_last"] = s
                here["shadows_count"] += 1
                if recording:
                    place = here["shadows_count"] - 1
                    put(g, EVENT_ADD_SHADOW, 0, 0, o, root, n_shadows, mine["cell_id"], -1, place)
                if not has_parts:
                    continue
                planes = 1 if n_shadows > 1 and here["kind"] == ENV else 0
                for index in range(n_parts):
                    if parts[part + index]["gfx"] < 0:
                        places[base + index] = -1
                        continue
                    place = here["parts_count"]
                    if place == here["parts_room"]:
                        _widen(g, c)
                    at = here["parts_first"] + place
                    entry = entries[at]
                    entry["object"] = o
                    entry["part"] = part + index
                    entry["back"] = base + index
                    ranks[at] = place
                    entry["part_index"] = index
                    entry["planes"] = planes
                    order[at] = place
                    places[base + index] = place
                    here["parts_count"] = place + 1
                    total_entries += 1
                    if recording:
                        cell_id = mine["cell_id"]
                        put(g, EVENT_ADD_PART, 0, planes, o, root, 0, cell_id, index, place)
            down = me["first_child"]
            across = me["next_sibling"] if o != root else -1
            if down >= 0:
                if across >= 0:
                    stack[sp] = across
                    sp += 1
                o = down
            elif across >= 0:
                o = across
            elif sp == 0:
                break
            else:
                sp -= 1
                o = stack[sp]
        done += 1
    g.control[SHADOW_TOTAL] = total_shadows
    g.control[ENTRY_TOTAL] = total_entries
    return done


@kernel
def release_cell(g: Arrays, c: int) -> None:
    """Take every shadow and its parts out of a cell that goes away; the objects keep the ids.

    What is left on each object is a shadow without a cell: it is not completely visible any more.
    Retail: CObjCell::release_objects @0x0052B490.
    """
    # contract: S11
    recording = g.control[RECORDING] != 0
    while g.cells["shadows_first"][c] >= 0:
        s = g.cells["shadows_first"][c]
        o = g.shadows["object"][s]
        cell_id = g.shadows["cell_id"][s]
        _shadow_out(g, s)
        if recording:
            put(g, EVENT_REMOVE_SHADOW, 0, 0, o, -1, 0, cell_id, -1, -1)
        n_parts = g.objects["part_count"][o]
        base = g.objects["place_first"][o] + (s - g.objects["shadow_first"][o]) * n_parts
        for index in range(n_parts):
            place = g.places[base + index]
            if place >= 0:
                g.places[base + index] = -1
                part_out(g, c, place)
                if recording:
                    put(g, EVENT_REMOVE_PART, 0, 0, o, -1, 0, cell_id, index, place)


@kernel
def part_room(g: Arrays, o: int, need: I64) -> None:
    """The free rows that `add_part_to_shadow_cells` wants, into need[2]."""
    need[0] = 0
    need[1] = 0
    need[2] = 0
    first = g.objects["shadow_first"][o]
    for s in range(first, first + g.objects["shadow_count"][o]):
        c = g.shadows["cell"][s]
        if c >= 0 and g.cells["parts_count"][c] == g.cells["parts_room"][c]:
            need[2] += 2 << slab_class(g.cells["parts_count"][c] + 1)


@kernel
def add_part_to_shadow_cells(g: Arrays, o: int, index: int) -> None:
    """A single part changed: into every live shadow cell of its object, without planes.

    Retail: CPhysicsObj::AddPartToShadowCells @0x00510E00.
    """
    first = g.objects["shadow_first"][o]
    n_parts = g.objects["part_count"][o]
    if g.parts["gfx"][g.objects["part_first"][o] + index] < 0:
        return
    for k in range(g.objects["shadow_count"][o]):
        c = g.shadows["cell"][first + k]
        back = g.objects["place_first"][o] + k * n_parts + index
        if c >= 0 and g.places[back] < 0:
            part_in(g, c, o, index, back, 0)
            if g.control[RECORDING] != 0:
                cell_id = g.shadows["cell_id"][first + k]
                put(g, EVENT_ADD_PART, 0, 0, o, o, 0, cell_id, index, g.places[back])


@kernel
def remove_part_from_shadow_cells(g: Arrays, o: int, index: int) -> None:
    """A single part changes: out of every live shadow cell of its object.

    Retail: CPhysicsObj::RemovePartFromShadowCells @0x00510E70.
    """
    first = g.objects["shadow_first"][o]
    n_parts = g.objects["part_count"][o]
    for k in range(g.objects["shadow_count"][o]):
        c = g.shadows["cell"][first + k]
        back = g.objects["place_first"][o] + k * n_parts + index
        if c >= 0 and g.places[back] >= 0:
            place = g.places[back]
            g.places[back] = -1
            part_out(g, c, place)
            if g.control[RECORDING] != 0:
                cell_id = g.shadows["cell_id"][first + k]
                put(g, EVENT_REMOVE_PART, 0, 0, o, o, 0, cell_id, index, place)


@kernel
def free_slabs(g: Arrays, o: int) -> None:
    """Give back the slabs of an object that is going to be freed; it holds no shadow."""
    objects = g.objects
    if objects["shadow_room"][o] > 0:
        k = slab_class(objects["shadow_room"][o])
        _give(g.shadow_meta, g.shadows["object"], objects["shadow_first"][o], k)
        objects["shadow_room"][o] = 0
    if objects["place_room"][o] > 0:
        k = slab_class(objects["place_room"][o])
        _give(g.place_meta, g.places, objects["place_first"][o], k)
        objects["place_room"][o] = 0


@kernel
def free_cell_slab(g: Arrays, c: int) -> None:
    """Give back the part slab of a cell that is going to be freed; its list is empty."""
    room = g.cells["parts_room"][c]
    if room > 0:
        _give(g.entry_meta, g.entries["object"], g.cells["parts_first"][c], slab_class(room))
        g.cells["parts_room"][c] = 0

"""How one part stands and is drawn: distance, level of detail, facing, lamps, views, surface slots.

These write the stream, the matrices of what is drawn, the painter's memory of distances and stamps,
and the graph's `order` slices (L6); the membership is only read. They are called per occupied cell
or rarer; the loops over parts are flat.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, I32, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.draw import (
    ASTRAY,
    BLOCK_SIZE,
    CAMERA_X,
    CAMERA_Y,
    DEGRADE_ALLOWANCE,
    DROPPED,
    EPS,
    FAR_CELL,
    GONE,
    INDOOR,
    LAMP_SET,
    LAMPS,
    MARKS,
    N_ALPHA,
    N_CLIP,
    N_INSTANCES,
    N_RECORDS,
    NEVER,
    NO_DETAIL,
    NO_TABLE_DISTANCE,
    OBJECT_LIMIT_SQ,
    ONE,
    PART_DIFFUSE,
    PART_LUMINOSITY,
    PART_NODRAW,
    PARTICLE_EMITTER,
    PARTICLE_LIMIT_SQ,
    PARTS_DRAWN,
    PARTS_TESTED,
    PLAIN,
    PLAYER,
    REGIMES,
    STAMP,
    TWO,
    ZERO,
    Membership,
    Memory,
    Meshes,
    has_room,
    mark,
)
from acclient_py.kernels.lamps import choose_set
from acclient_py.kernels.ops import (
    ALPHA,
    CLIP,
    F_CLIP_LIST,
    F_DEFERRED_ALPHA,
    F_DEFERRED_CLIP,
    F_DETAIL,
    LIST_SLOTS,
    NO_OWNER,
    OBJ_CELL,
    PART,
    PART_TURN,
    S_BLEND,
    S_DETAIL,
    S_SKY,
    SKY,
    SKY_PASS,
    SORT,
    SORTED,
)
from acclient_py.kernels.sort import sort_parts

STEP: Final = np.uint64(1)  # of unsigned places: a signed index might count from the end


@kernel(inner=True)
def rotation(qw: Real, qx: Real, qy: Real, qz: Real) -> tuple[Real, ...]:
    """The nine numbers of a rotation's matrix, row by row."""
    return (
        ONE - TWO * (qy * qy + qz * qz),
        TWO * (qx * qy - qw * qz),
        TWO * (qx * qz + qw * qy),
        TWO * (qx * qy + qw * qz),
        ONE - TWO * (qx * qx + qz * qz),
        TWO * (qy * qz - qw * qx),
        TWO * (qx * qz - qw * qy),
        TWO * (qy * qz + qw * qx),
        ONE - TWO * (qx * qx + qy * qy),
    )


@kernel(inner=True)
def degrade_level(first: int, count: int, levels: Struct, distance: Real) -> int:
    """The level of detail at a distance, at a quality bias of 0 (register D9).

    Retail: GfxObjDegradeInfo::get_degrade @0x0051E4B0.
    """
    d = max(ZERO, np.float32(abs(np.float32(distance)) - DEGRADE_ALLOWANCE))
    for i in range(count):
        if d < levels[first + i].ideal:
            return i
    return count - 1


@kernel(inner=True)
def max_degrade_distance(first: Whole, count: Whole, levels: Struct) -> Real:
    """Farther than this an emitter does not show its particles; their levels stand at `first`.

    Retail: GfxObjDegradeInfo::get_max_degrade_distance.
    """
    if count <= 0:
        return NO_TABLE_DISTANCE
    last: Any = levels[first + max(count - 2, 0)]
    found: Real = last.high
    return found


@kernel(inner=True)
def length_of(x: Real, y: Real, z: Real) -> Real:
    """The length of a vector."""
    result: Real = np.sqrt(np.float32(x * x + y * y + z * z))
    return result


@kernel(inner=True)
def choose_level(
    memory: Memory,
    meshes: Meshes,
    parts: Struct,
    p: Whole,
    g: Whole,
    x: Real,
    y: Real,
    z: Real,
    distance: Real,
) -> None:
    """Choose a part's level of detail and its mode; it faces along (x, y, z) if it must.

    distance : CYpt, the length of the vector from the eye
    """
    shape = meshes.gfx[np.uint64(g)]
    z_scale = parts[np.uint64(p)].scale[2]
    at = distance if z_scale == ZERO else np.float32(distance / z_scale)
    level = degrade_level(shape.level_first, shape.level_count, meshes.levels, at)
    mode = meshes.levels[shape.level_first + level].mode
    known = memory.parts[np.uint64(p)]
    known.level = level
    known.mode = mode
    if mode == PLAIN:
        return
    heading = known.heading
    if distance > EPS:
        heading[0] = x / distance
        heading[1] = y / distance
        heading[2] = z / distance
    else:
        heading[0] = ZERO
        heading[1] = ZERO
        heading[2] = ONE


@kernel(inner=True)
def part_rotation(memory: Memory, parts: Struct, p: Whole) -> tuple[Real, ...]:
    """The nine numbers of a part's rotation as it is drawn, row by row.

    A level of detail may have it face the eye (mode 2: its +y looks away from the eye), or turn
    about its own x, y or z axis towards it (3, 4, 5).

    Retail: CPhysicsPart::calc_draw_frame @0x0050DFA0, Frame::set_vector_heading @0x00535DB0,
    Frame::rotate_around_axis_to_vector.
    """
    at = parts[np.uint64(p)].frame
    m = rotation(at[3], at[4], at[5], at[6])
    known = memory.parts[np.uint64(p)]
    mode = known.mode
    if mode <= PLAIN or mode > 5:
        return m
    h = known.heading
    hx = h[0]
    hy = h[1]
    hz = h[2]
    if mode == 2:
        across = np.sqrt(np.float32(hx * hx + hy * hy))
        # straight up or down there is no compass heading: atan2(0, 0) makes it east
        east = np.float32(hx / across) if across > ZERO else ONE
        north = np.float32(hy / across) if across > ZERO else ZERO
        return (
            north, hx, np.float32(-east * hz),
            -east, hy, np.float32(-north * hz),
            ZERO, hz, across,
        )  # fmt: skip
    # the axis stays; the one before it takes the heading's part across it, the third follows
    axis = mode - 3
    ax: Real = m[0] if axis == 0 else (m[1] if axis == 1 else m[2])
    ay: Real = m[3] if axis == 0 else (m[4] if axis == 1 else m[5])
    az: Real = m[6] if axis == 0 else (m[7] if axis == 1 else m[8])
    along = np.float32(ax * hx + ay * hy + az * hz)
    nx = np.float32(hx - ax * along)
    ny = np.float32(hy - ay * along)
    nz = np.float32(hz - az * along)
    length = length_of(nx, ny, nz)
    if length < EPS:
        return m
    nx = np.float32(nx / length)
    ny = np.float32(ny / length)
    nz = np.float32(nz / length)
    cx = np.float32(ny * az - nz * ay)
    cy = np.float32(nz * ax - nx * az)
    cz = np.float32(nx * ay - ny * ax)
    if axis == 0:
        return ax, cx, nx, ay, cy, ny, az, cz, nz
    if axis == 1:
        return nx, ax, cx, ny, ay, cy, nz, az, cz
    return cx, nx, ax, cy, ny, ay, cz, nz, az


@kernel(inner=True)
def part_offset(
    parts: Struct,
    p: Whole,
    gfx: Struct,
    g: Whole,
    ox: Real,
    oy: Real,
    ex: Real,
    ey: Real,
    ez: Real,
) -> tuple[Real, ...]:
    """From the eye to a part's own sort centre, always that of level 0: its length is CYpt.

    Retail: CPhysicsPart::UpdateViewerDistance @0x0050E030.
    """
    part = parts[np.uint64(p)]
    at = part.frame
    centre = gfx[np.uint64(g)].sort_center
    m = rotation(at[3], at[4], at[5], at[6])
    sx = part.scale[0] * centre[0]
    sy = part.scale[1] * centre[1]
    sz = part.scale[2] * centre[2]
    rx = m[0] * sx + m[1] * sy + m[2] * sz
    ry = m[3] * sx + m[4] * sy + m[5] * sz
    rz = m[6] * sx + m[7] * sy + m[8] * sz
    # as Position::get_offset sums it: the block's offset, the place in the block, the eye
    return (
        np.float32(ox + (rx + at[0]) - ex),
        np.float32(oy + (ry + at[1]) - ey),
        np.float32(rz + at[2] - ez),
    )


@kernel(inner=True)
def update_obj_cell(
    g: Membership,
    cell: Whole,
    meshes: Meshes,
    memory: Memory,
    ex: Real,
    ey: Real,
    ez: Real,
) -> None:
    """Refresh the distances and levels of detail of a cell's objects.

    ex, ey, ez : the eye, relative to the camera's block. A land cell beyond 50 m gives all its
    objects its own distance; an object beyond 25 m gives all its parts its own.

    Retail: RenderDeviceD3D::UpdateObjCell @0x005A0690, CPhysicsObj::UpdateViewerDistance
    @0x00510B30, CPhysicsPart::UpdateViewerDistance @0x0050E030.
    """
    # contract: L4
    c = memory.counters
    camera_x = c[CAMERA_X]
    camera_y = c[CAMERA_Y]
    player = c[PLAYER]
    far = False
    cell_distance = ZERO
    x: Real = ZERO
    y: Real = ZERO
    objects = g.objects
    parts = g.parts
    shadows = g.shadows
    gfx = g.gfx
    here = g.cells[np.uint64(cell)]
    if here.kind == 1:
        cell_id = np.int64(here.id)
        low = (cell_id & 0xFFFF) - 1
        x = np.float32(
            np.float32((cell_id >> 24) - camera_x) * BLOCK_SIZE
            + np.float32((2 * (low >> 3) + 1) * 12)
            - ex
        )
        y = np.float32(
            np.float32(((cell_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE
            + np.float32((2 * (low & 7) + 1) * 12)
            - ey
        )
        cell_distance = np.sqrt(np.float32(x * x + y * y))
        far = cell_distance > FAR_CELL
    memories = memory.parts
    shapes = meshes.gfx
    s = here.shadows_first
    while s >= 0:
        shadow = shadows[np.uint64(s)]
        s = shadow.next
        o = np.int64(shadow.object)
        body = objects[np.uint64(o)]
        first = np.uint64(body.part_first)
        end = first + np.uint64(body.part_count)
        position_id = np.int64(body.objcell_id)
        bx = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        by = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        vx: Real = np.float32(bx + body.frame[0] - ex)
        vy: Real = np.float32(by + body.frame[1] - ey)
        vz: Real = np.float32(body.frame[2] - ez)
        position_id = np.int64(body.part_cell_id)
        bx = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        by = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        whole = cell_distance
        shared = far
        emitter = body.state & PARTICLE_EMITTER
        if not far:
            flat = np.float32(vx * vx + vy * vy)
            whole = np.sqrt(np.float32(flat + vz * vz))
            limit = PARTICLE_LIMIT_SQ if emitter else OBJECT_LIMIT_SQ
            shared = bool(flat >= limit)
        key = np.uint32((o + 1) * 8191 + np.int64(body.generation))
        if far:
            vx = x
            vy = y
            vz = ZERO
        for row in range(first, end):
            p = np.int64(row)
            shown = np.int64(parts[row].gfx)
            known = memories[row]
            d: Real = whole
            if not shared:
                if shown < 0:  # no sort centre to measure: it keeps what it had
                    continue
                vx, vy, vz = part_offset(parts, p, gfx, shown, bx, by, ex, ey, ez)
                d = length_of(vx, vy, vz)
            known.cypt = d
            known.owner = key
            known.level = 0
            known.mode = PLAIN
            if shown < 0:
                continue
            shape = shapes[np.uint64(shown)]
            if emitter:
                most = max_degrade_distance(shape.level_first, shape.level_count, meshes.levels)
                if whole > most:
                    known.level = GONE
                    continue
            if o != player and shape.level_count > 0:
                choose_level(memory, meshes, parts, p, shown, vx, vy, vz, d)


@kernel(inner=True)
def sort_cell(g: Membership, cell: Whole, memory: Memory) -> None:
    """Repair the order of one cell's parts, and each entry's rank in it."""
    # contract: L6
    here = g.cells[np.uint64(cell)]
    entries = g.entries
    order = g.order
    first = here.parts_first
    count = here.parts_count
    keys = memory.keys
    known = memory.parts
    at = np.uint64(first)  # a signed index might count from the end, which is asked each time
    moved = False
    before = np.float32(np.inf)
    for k in range(np.uint64(count)):
        entry = entries[at + np.uint64(np.uint32(order[at + k]))]
        key = known[np.uint64(np.uint32(entry.part))].cypt
        keys[k] = key
        moved |= key > before
        before = key
    if moved:
        sort_parts(keys, order, first, count, memory.scratch)
        ranks = g.ranks
        for k in range(count):
            ranks[first + order[first + k]] = k
    if memory.counters[MARKS]:
        mark(memory, SORT, 0, here.id, cell, count, ZERO)
        for k in range(count):
            e = first + order[first + k]
            mark(
                memory,
                SORTED,
                0,
                entries[e].object,
                entries[e].part_index,
                k,
                keys[k],
            )


@kernel(inner=True)
def place_part(
    memory: Memory,
    m: tuple[Real, ...],
    parts: Struct,
    p: Whole,
    ox: Real,
    oy: Real,
    regime: Real,
) -> Whole:
    """Write the matrix of a part for this frame, `m` its rotation; the row it got."""
    c = memory.counters
    row: Whole = c[N_INSTANCES]
    c[N_INSTANCES] = row + 1
    out = memory.instances[np.uint64(row)]
    part = parts[np.uint64(p)]
    at = part.frame
    sx = part.scale[0]
    sy = part.scale[1]
    sz = part.scale[2]
    out[0] = m[0] * sx
    out[1] = m[1] * sy
    out[2] = m[2] * sz
    out[3] = at[0] + ox
    out[4] = m[3] * sx
    out[5] = m[4] * sy
    out[6] = m[5] * sz
    out[7] = at[1] + oy
    out[8] = m[6] * sx
    out[9] = m[7] * sy
    out[10] = m[8] * sz
    out[11] = at[2]
    out[12] = ONE - part.translucency
    out[13] = part.luminosity if part.flags & PART_LUMINOSITY else -ONE
    out[14] = part.diffuse if part.flags & PART_DIFFUSE else -ONE
    out[15] = regime
    return row


@kernel(inner=True)
def lamps_of_part(
    memory: Memory,
    m: tuple[Real, ...],
    parts: Struct,
    p: Whole,
    gfx: Struct,
    g: Whole,
    ox: Real,
    oy: Real,
) -> Real:
    """The regime of a part indoors with its set of lamps; equal neighbours share a set.

    m : the part's rotation
    """
    c = memory.counters
    instances = memory.instances
    part = parts[p]
    at = part.frame
    sphere = gfx[g].drawing_sphere
    x = sphere[0] * part.scale[0]
    y = sphere[1] * part.scale[1]
    z = sphere[2] * part.scale[2]
    scale = max(abs(part.scale[0]), max(abs(part.scale[1]), abs(part.scale[2])))
    row = c[N_INSTANCES]
    found = choose_set(
        instances,
        row,
        c[LAMPS],
        np.float32(m[0] * x + m[1] * y + m[2] * z + at[0] + ox),
        np.float32(m[3] * x + m[4] * y + m[5] * z + at[1] + oy),
        np.float32(m[6] * x + m[7] * y + m[8] * z + at[2]),
        np.float32(sphere[3] * scale),
    )
    if found == 0:
        return INDOOR
    last = c[LAMP_SET]
    same = last >= 0 and instances[last, 8] == instances[row, 8]
    if same:
        for k in range(found):
            same = same and instances[last, k] - np.float32(last) == instances[row, k] - np.float32(
                row
            )
    if not same:
        c[LAMP_SET] = row
        c[N_INSTANCES] = row + 1
    return np.float32(INDOOR + np.float32(REGIMES * (c[N_INSTANCES] - c[LAMP_SET])))


@kernel(inner=True)
def admitted(
    memory: Memory,
    m: tuple[Real, ...],
    parts: Struct,
    p: Whole,
    gfx: Struct,
    g: Whole,
    ox: Real,
    oy: Real,
    views: Struct,
    view_first: Whole,
    view_count: Whole,
) -> Whole:
    """How many of the views let a part's drawing sphere in; what is nowhere is let in, and noted.

    m : the part's rotation

    Retail: Render::viewconeCheck @0x0054C250, over the active views.
    """
    part = parts[np.uint64(p)]
    at = part.frame
    sphere = gfx[np.uint64(g)].drawing_sphere
    sx = part.scale[0]
    sy = part.scale[1]
    sz = part.scale[2]
    cx = sphere[0] * sx
    cy = sphere[1] * sy
    cz = sphere[2] * sz
    radius = sphere[3] * max(abs(sx), max(abs(sy), abs(sz)))
    x = np.float32(m[0] * cx + m[1] * cy + m[2] * cz + at[0] + ox)
    y = np.float32(m[3] * cx + m[4] * cy + m[5] * cz + at[1] + oy)
    z = np.float32(m[6] * cx + m[7] * cy + m[8] * cz + at[2])
    if not abs(x + y + z) < NEVER:
        memory.counters[ASTRAY] = p + 1
    found = 0
    for v in range(np.uint64(view_first), np.uint64(view_first + view_count)):
        least = NEVER
        planes = views[v].planes
        for k in range(np.uint64(views[v].plane_count)):
            d = planes[k, 0] * x + planes[k, 1] * y + planes[k, 2] * z + planes[k, 3]
            least = min(least, np.float32(d))
        if not (least < -radius):
            found += 1
    return found


@kernel(inner=True)
def draw_mesh(
    memory: Memory,
    meshes: Meshes,
    mesh: Whole,
    op: Whole,
    row: Whole,
    owner: Whole,
    part_index: Whole,
    cypt: Real,
    view: Whole,
    skip_untextured: bool,
    defer: bool,
    faded: bool,
    detail: bool,
) -> None:
    """Append the surface slots of one mesh, or put them off into the alpha lists.

    faded  : the part's own material is translucent
    detail : a detail surface is current: nothing is put off, each slot is drawn over once more

    Retail: D3DPolyRender::DrawMesh @0x0059D4A0.
    """
    c = memory.counters
    n = np.uint64(c[N_RECORDS])
    shape = meshes.meshes[np.uint64(mesh)]
    slots = meshes.slots
    stream = memory.stream
    slot_first = np.uint64(shape.slot_first)
    for i in range(np.uint64(shape.slot_count)):
        slot = slots[slot_first + i]
        if slot.count == 0 or (skip_untextured and slot.textured == 0):
            continue
        flags = 0
        kind = op
        listed = 0
        state = slot.state
        if faded and state != S_BLEND:
            state = S_BLEND
        if defer and not detail and (faded or slot.mask & 14):
            if slot.mask & 8:
                if c[N_CLIP] >= LIST_SLOTS:
                    c[DROPPED] += 1
                    continue
                listed = 1
                kind = CLIP
                flags = F_CLIP_LIST
            else:
                if c[N_ALPHA] >= LIST_SLOTS:
                    c[DROPPED] += 1
                    continue
                listed = 2
                kind = ALPHA
        if listed == 1:
            r = memory.clip[np.uint64(c[N_CLIP])]
            c[N_CLIP] += 1
        elif listed == 2:
            r = memory.alpha[np.uint64(c[N_ALPHA])]
            c[N_ALPHA] += 1
        else:
            r = stream[n]
            n += STEP
        r.op = kind
        r.state = state
        r.layout = 0
        r.flags = flags
        r.first = slot.first
        r.count = slot.count
        r.base = slot.base
        r.instance = row
        r.owner = owner
        r.part_index = part_index
        r.surface_slot = i
        r.cypt = cypt
        r.view = view
        r.light_set = 0
        r.material = slot.material
        if detail and slot.detail != NO_DETAIL:
            stream[n] = stream[n - STEP]
            over = stream[n]
            over.state = S_DETAIL
            over.flags = F_DETAIL
            over.material = slot.detail
            n += STEP
    c[N_RECORDS] = np.int64(n)


@kernel(inner=True)
def draw_obj_cell(
    g: Membership,
    cell: Whole,
    meshes: Meshes,
    memory: Memory,
    views: Struct,
    view_first: Whole,
    view_count: Whole,
    regime: Real,
) -> None:
    """Draw a cell's shadow parts in list order, each once a frame stamp, at its first turn.

    The player's own parts are drawn once for each view that lets them in.

    Retail: RenderDeviceD3D::DrawObjCell @0x005A1A40, CPhysicsPart::Draw @0x0050D7A0.
    """
    # contract: L5
    c = memory.counters
    camera_x = c[CAMERA_X]
    camera_y = c[CAMERA_Y]
    player = c[PLAYER]
    stamp = np.uint32(c[STAMP])
    entries = g.entries
    order = g.order
    objects = g.objects
    parts = g.parts
    gfx = g.gfx
    here = g.cells[np.uint64(cell)]
    first = np.uint64(here.parts_first)
    count = np.uint64(here.parts_count)
    marks = c[MARKS]
    memories = memory.parts
    shapes = meshes.gfx
    if marks:
        mark(memory, OBJ_CELL, 0, here.id, cell, np.int64(count), ZERO)
    for turn in range(count):
        k = np.int64(turn)
        entry = entries[first + np.uint64(order[first + turn])]
        p = np.int64(entry.part)
        o = np.int64(entry.object)
        part = parts[np.uint64(p)]
        known = memories[np.uint64(p)]
        shown = np.int64(part.gfx)
        if shown < 0 or part.flags & PART_NODRAW:
            continue
        if known.stamp == stamp:
            continue
        body = objects[np.uint64(o)]
        key = np.uint32((o + 1) * 8191 + np.int64(body.generation))
        if known.owner != key:  # never updated yet: retail's first values
            known.owner = key
            known.cypt = NEVER
            known.level = 0
            known.mode = PLAIN
        level = np.int64(known.level)
        if level == GONE:
            continue
        shape = shapes[np.uint64(shown)]
        if level >= shape.level_count:  # another mesh since its cell was updated last (D30)
            level = np.int64(max(shape.level_count - 1, 0))
        if shape.level_count > 0:
            shown = np.int64(meshes.levels[np.uint64(shape.level_first + level)].gfx)
        if shown < 0:
            continue
        mesh = np.int64(shapes[np.uint64(shown)].mesh)
        look = part.look
        if 0 < look < len(meshes.looks) and meshes.looks[look] >= 0:
            mesh = np.int64(meshes.look_meshes[meshes.looks[look] + level])
        if mesh < 0:
            continue
        c[PARTS_TESTED] += 1
        position_id = np.int64(body.part_cell_id)
        ox = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        if known.mode == PLAIN:
            at = part.frame
            m = rotation(at[3], at[4], at[5], at[6])
        else:
            m = part_rotation(memory, parts, p)
        seen_by = admitted(memory, m, parts, p, gfx, shown, ox, oy, views, view_first, view_count)
        if seen_by == 0:
            continue
        times = seen_by if o == player else 1
        known.stamp = stamp
        slots_here = meshes.meshes[np.uint64(mesh)].slot_count
        if not has_room(memory, times * slots_here):
            return
        lit = regime
        if regime == INDOOR and c[LAMPS] > 0:
            lit = lamps_of_part(memory, m, parts, p, gfx, shown, ox, oy)
        row = place_part(memory, m, parts, p, ox, oy, lit)
        faded = part.translucency > ZERO
        c[PARTS_DRAWN] += 1
        deferred = 0
        if marks:
            for i in range(slots_here):
                mask = meshes.slots[meshes.meshes[mesh].slot_first + i].mask
                if mask & 8:
                    deferred |= F_DEFERRED_CLIP
                elif faded or mask & 14:
                    deferred |= F_DEFERRED_ALPHA
        for _ in range(times):
            if marks:
                mark(memory, PART_TURN, deferred, o, shown, k, known.cypt)
                memory.stream[c[N_RECORDS] - 1].part_index = entry.part_index
            draw_mesh(
                memory,
                meshes,
                mesh,
                PART,
                row,
                o,
                np.int64(entry.part_index),
                known.cypt,
                view_first,
                False,
                True,
                faded,
                False,
            )


@kernel(inner=True)
def draw_sky(
    memory: Memory,
    meshes: Meshes,
    gfx: I32,
    rows: F32,
    count: Whole,
    op: Whole,
) -> None:
    """One pass of the sky: depth test ALWAYS, no depth write, nothing put off.

    gfx  : (n,) int32 rows of meshes ; rows : (n, 16) float32 matrices and material
    op   : SKY before the blocks, WEATHER after them

    Retail: GameSky::Draw @0x00506FF0.
    """
    # contract: L8
    c = memory.counters
    if c[MARKS]:
        mark(memory, SKY_PASS, 0, NO_OWNER, 0 if op == SKY else 1, count, ZERO)
    for i in range(count):
        g = gfx[i]
        mesh = meshes.gfx[g].mesh if g >= 0 else -1
        if mesh < 0:
            continue
        if not has_room(memory, meshes.meshes[mesh].slot_count):
            return
        row = c[N_INSTANCES]
        c[N_INSTANCES] = row + 1
        for k in range(16):
            memory.instances[row, k] = rows[i, k]
        before = c[N_RECORDS]
        draw_mesh(
            memory,
            meshes,
            mesh,
            op,
            row,
            i,
            0,
            ZERO,
            0,
            False,
            False,
            False,
            False,
        )
        for n in range(before, c[N_RECORDS]):
            memory.stream[n].state = S_SKY

"""The walk: one pass over the graph's arrays that appends draw records in the painter's order.

Everything that orders a frame is here: blocks far to near, a block's cells far to near, in each
cell the ground, the building, the parts; the two alpha lists and where they drain. The walk reads
the membership as it stands and keeps nothing of it. It writes the stream, the matrices of what it
draws, its own memory of distances and stamps, and the graph's `order` slices (L6).

Helpers are called per occupied cell or rarer; the loops over parts are flat.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, I32, I64, U8, U32, Struct
from acclient_py.kernels import kernel
from acclient_py.kernels.ops import (
    ALPHA,
    BLOCK,
    BUILDING,
    CLIP,
    F_CLIP_LIST,
    F_DRAINED,
    FLUSH,
    LAND_CELL,
    LIST_SLOTS,
    NO_OWNER,
    OBJ_CELL,
    PART,
    S_OPAQUE,
    SHELL,
    SITE_BUILDING,
    SITE_CELL,
    SORT,
    SORTED,
    TERRAIN,
)
from acclient_py.kernels.sort import sort_parts

SLOT_DTYPE: Final = np.dtype(
    [
        ("first", "<u4"),
        ("count", "<u4"),
        ("base", "<i4"),
        ("material", "<u4"),
        ("state", "u1"),  # pipeline state
        ("mask", "u1"),  # 1 stippled, 2 alpha, 4 translucent, 8 clip: what is deferred
        ("textured", "u1"),
        ("spare", "u1"),
    ],
    align=True,
)

LEVEL_DTYPE: Final = np.dtype(
    [("gfx", "<i4"), ("mode", "<u4"), ("low", "<f4"), ("ideal", "<f4"), ("high", "<f4")]
)

# `counters` of a walk
N_RECORDS: Final = 0
N_INSTANCES: Final = 1
N_CLIP: Final = 2
N_ALPHA: Final = 3
FULL: Final = 4  # 1 when the stream or the instances did not fit
STAMP: Final = 5  # the frame stamp, raised by each frame
MARKS: Final = 6  # 1 when the marks of the transcript are written
PLAYER: Final = 7  # row of the player's object, -1 none
CAMERA_X: Final = 8  # the camera's block
CAMERA_Y: Final = 9
SEALS: Final = 10  # retail's portalsDrawnCount, carried from frame to frame
PARTS_DRAWN: Final = 11
LEAVES_DRAWN: Final = 12
PARTS_TESTED: Final = 13
DROPPED: Final = 14  # entries beyond the lists' 3000 slots
COUNTERS: Final = 16

# regimes of light, as in world.vert
SUN: Final = np.float32(0.0)
INDOOR: Final = np.float32(1.0)
BAKED: Final = np.float32(2.0)

ZERO: Final = np.float32(0.0)
ONE: Final = np.float32(1.0)
TWO: Final = np.float32(2.0)
NEVER: Final = np.float32(3.4028234663852886e38)  # retail's first CYpt
FAR_CELL: Final = np.float32(50.0)
OBJECT_LIMIT_SQ: Final = np.float32(625.0)
PARTICLE_LIMIT_SQ: Final = np.float32(256.0)
DEGRADE_ALLOWANCE: Final = np.float32(50.0)
BLOCK_SIZE: Final = np.float32(192.0)
PARTICLE_EMITTER: Final = 0x1000
PART_NODRAW: Final = 1
ROOM: Final = 512  # records that one part or one mark may need at most
DRAIN_SHARE: Final = 2250  # 0.75 of 3000 (L9)


class Meshes(NamedTuple):
    """What can be drawn: index ranges by mesh and surface slot. Owned by `render/assets.py`."""

    mesh_of: I32  # (gfx rows,) mesh row, -1 nothing to draw
    slot_first: I32  # (meshes,)
    slot_count: I32
    slots: Struct  # SLOT_DTYPE
    level_first: I32  # (gfx rows,) levels of detail; count 0: none
    level_count: I32
    levels: Struct  # LEVEL_DTYPE
    cell_mesh: I32  # (cell slots,) mesh row of an env cell, -1 none
    terrain_first: I32  # (block slots,) first index of the block's leaves, -1 not there
    terrain_base: I32  # (block slots,) number of its first vertex


class Memory(NamedTuple):
    """What the painter remembers from frame to frame, and the rings that it fills."""

    counters: I64  # COUNTERS
    stream: Struct  # order.stream.DRAW_DTYPE
    instances: F32  # (n, 16): three rows of the matrix, then alpha, luminosity, diffuse, regime
    clip: Struct  # DRAW_DTYPE, 3000
    alpha: Struct
    cypt: F32  # by row of `parts`
    level: U8
    stamp: U32
    seen: U32  # whose part it was when cypt was written
    object_cypt: F32  # by row of `objects`
    cell_stamp: U32  # by cell slot
    keys: F32  # scratch of one cell's sort
    scratch: I32


class Window(NamedTuple):
    """The blocks around the load point as the camera sees them this frame."""

    blocks: I32  # (w * w,) block slot at ix * w + iy, -1 none
    draw_list: I32  # (w * w,) places, nearest first
    order_rows: I32  # (w * w,) row of `cell_orders`
    cell_orders: U8  # (85, 64)
    block_in_view: U8  # (w * w,)
    cell_in_view: U8  # (w * w, 64)
    planes: F32  # (views, 32, 4)
    plane_counts: I32  # (views,)


@kernel
def mark(
    memory: Memory, op: int, flags: int, owner: int, first: int, count: int, cypt: float
) -> None:
    """Append a record that draws nothing, when the transcript wants marks."""
    c = memory.counters
    if c[MARKS] == 0:
        return
    n = c[N_RECORDS]
    if n >= len(memory.stream):
        c[FULL] = 1
        return
    r = memory.stream[n]
    r.op = op
    r.state = 0
    r.layout = 0
    r.flags = flags
    r.first = first
    r.count = count
    r.base = 0
    r.instance = 0
    r.owner = owner
    r.part_index = 0
    r.surface_slot = 0
    r.cypt = cypt
    r.view = 0
    r.light_set = 0
    r.material = 0
    c[N_RECORDS] = n + 1


@kernel
def flush_alpha_list(memory: Memory, site: int, threshold: int) -> None:
    """Drain the two lists into the stream if one of them holds `threshold` entries.

    Clip entries first, each list in the order in which it was filled; nothing sorts them.
    Retail: D3DPolyRender::FlushAlphaList @0x0059D2E0.
    """
    # contract: L9
    c = memory.counters
    clips = c[N_CLIP]
    alphas = c[N_ALPHA]
    drains = clips >= threshold or alphas >= threshold
    if c[MARKS]:
        share = np.float32(0.75) if site == SITE_CELL else ZERO
        mark(memory, FLUSH, F_DRAINED if drains else 0, site, clips, alphas, share)
    if not drains:
        return
    n = c[N_RECORDS]
    if n + clips + alphas > len(memory.stream):
        c[FULL] = 1
        return
    for i in range(clips):
        memory.stream[n] = memory.clip[i]
        n += 1
    for i in range(alphas):
        memory.stream[n] = memory.alpha[i]
        n += 1
    c[N_RECORDS] = n
    c[N_CLIP] = 0
    c[N_ALPHA] = 0


@kernel
def degrade_level(first: int, count: int, levels: Struct, distance: float) -> int:
    """The level of detail at a distance, at a quality bias of 0 (register D9).

    Retail: GfxObjDegradeInfo::get_degrade @0x0051E4B0.
    """
    d = np.float32(abs(distance) - DEGRADE_ALLOWANCE)
    d = max(ZERO, d)
    for i in range(count):
        if d < levels[first + i].ideal:
            return i
    return count - 1


@kernel
def part_distance(
    parts: Struct,
    p: int,
    gfx: Struct,
    g: int,
    ox: float,
    oy: float,
    ex: float,
    ey: float,
    ez: float,
) -> np.float32:
    """CYpt of one part by its own sort centre, always that of level 0.

    Retail: CPhysicsPart::UpdateViewerDistance @0x0050E030.
    """
    qw = parts[p].frame[3]
    qx = parts[p].frame[4]
    qy = parts[p].frame[5]
    qz = parts[p].frame[6]
    sx = parts[p].scale[0] * gfx[g].sort_center[0]
    sy = parts[p].scale[1] * gfx[g].sort_center[1]
    sz = parts[p].scale[2] * gfx[g].sort_center[2]
    rx = (
        (ONE - TWO * (qy * qy + qz * qz)) * sx
        + TWO * (qx * qy - qw * qz) * sy
        + TWO * (qx * qz + qw * qy) * sz
    )
    ry = (
        TWO * (qx * qy + qw * qz) * sx
        + (ONE - TWO * (qx * qx + qz * qz)) * sy
        + TWO * (qy * qz - qw * qx) * sz
    )
    rz = (
        TWO * (qx * qz - qw * qy) * sx
        + TWO * (qy * qz + qw * qx) * sy
        + (ONE - TWO * (qx * qx + qy * qy)) * sz
    )
    x = np.float32(parts[p].frame[0] + (ox - ex) + rx)
    y = np.float32(parts[p].frame[1] + (oy - ey) + ry)
    z = np.float32(parts[p].frame[2] - ez + rz)
    return np.sqrt(np.float32(x * x + y * y + z * z))


@kernel
def update_obj_cell(
    cell: int,
    objects: Struct,
    parts: Struct,
    shadows: Struct,
    cells: Struct,
    gfx: Struct,
    level_first: I32,
    level_count: I32,
    levels: Struct,
    memory: Memory,
    ex: float,
    ey: float,
    ez: float,
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
    if cells[cell].kind == 1:
        cell_id = np.int64(cells[cell].id)
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
    s = cells[cell].shadows_first
    while s >= 0:
        o = shadows[s].object
        s = shadows[s].next
        first = objects[o].part_first
        count = np.int64(objects[o].part_count)
        position_id = np.int64(objects[o].part_cell_id)
        bx = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        by = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        vx = np.float32(objects[o].frame[0] + (bx - ex))
        vy = np.float32(objects[o].frame[1] + (by - ey))
        vz = np.float32(objects[o].frame[2] - ez)
        whole = cell_distance
        shared = far
        if not far:
            flat = np.float32(vx * vx + vy * vy)
            whole = np.sqrt(np.float32(flat + vz * vz))
            emitter = objects[o].state & PARTICLE_EMITTER
            limit = PARTICLE_LIMIT_SQ if emitter else OBJECT_LIMIT_SQ
            shared = not (flat < limit)
        memory.object_cypt[o] = whole
        key = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
        for p in range(first, first + count):
            g = parts[p].gfx
            d = whole
            if not shared and g >= 0:
                d = part_distance(parts, p, gfx, g, bx, by, ex, ey, ez)
            memory.cypt[p] = d
            memory.seen[p] = key
            memory.level[p] = 0
            if g >= 0 and o != player and level_count[g] > 0:
                z_scale = parts[p].scale[2]
                at = d if z_scale == ZERO else np.float32(d / z_scale)
                memory.level[p] = degrade_level(level_first[g], level_count[g], levels, at)


@kernel
def sort_cell(
    cell: int, cells: Struct, entries: Struct, order: I32, objects: Struct, memory: Memory
) -> None:
    """Repair the order of one cell's parts and tell the entries their new rank."""
    # contract: L6
    first = cells[cell].parts_first
    count = cells[cell].parts_count
    for k in range(count):
        memory.keys[k] = memory.cypt[entries[first + k].part]
    sort_parts(memory.keys, order, first, count, memory.scratch)
    for k in range(count):
        entries[first + order[first + k]].rank = k
    if memory.counters[MARKS]:
        mark(memory, SORT, 0, cells[cell].id, cell, count, ZERO)
        for k in range(count):
            e = first + order[first + k]
            mark(
                memory,
                SORTED,
                0,
                entries[e].object,
                entries[e].part_index,
                k,
                memory.keys[order[first + k]],
            )


@kernel
def place_part(
    memory: Memory,
    parts: Struct,
    p: int,
    ox: float,
    oy: float,
    regime: float,
) -> int:
    """Write the matrix of a part for this frame; the row it got."""
    c = memory.counters
    row = c[N_INSTANCES]
    c[N_INSTANCES] = row + 1
    out = memory.instances
    qw = parts[p].frame[3]
    qx = parts[p].frame[4]
    qy = parts[p].frame[5]
    qz = parts[p].frame[6]
    sx = parts[p].scale[0]
    sy = parts[p].scale[1]
    sz = parts[p].scale[2]
    out[row, 0] = (ONE - TWO * (qy * qy + qz * qz)) * sx
    out[row, 1] = TWO * (qx * qy - qw * qz) * sy
    out[row, 2] = TWO * (qx * qz + qw * qy) * sz
    out[row, 3] = parts[p].frame[0] + ox
    out[row, 4] = TWO * (qx * qy + qw * qz) * sx
    out[row, 5] = (ONE - TWO * (qx * qx + qz * qz)) * sy
    out[row, 6] = TWO * (qy * qz - qw * qx) * sz
    out[row, 7] = parts[p].frame[1] + oy
    out[row, 8] = TWO * (qx * qz - qw * qy) * sx
    out[row, 9] = TWO * (qy * qz + qw * qx) * sy
    out[row, 10] = (ONE - TWO * (qx * qx + qy * qy)) * sz
    out[row, 11] = parts[p].frame[2]
    out[row, 12] = ONE
    out[row, 13] = -ONE
    out[row, 14] = -ONE
    out[row, 15] = regime
    return row


@kernel
def admitted(
    parts: Struct,
    p: int,
    gfx: Struct,
    g: int,
    ox: float,
    oy: float,
    planes: F32,
    plane_counts: I32,
    view_first: int,
    view_count: int,
) -> int:
    """How many of the views let a part's drawing sphere in.

    Retail: Render::viewconeCheck @0x0054C250, over the active views.
    """
    sx = parts[p].scale[0]
    sy = parts[p].scale[1]
    sz = parts[p].scale[2]
    cx = gfx[g].drawing_sphere[0] * sx
    cy = gfx[g].drawing_sphere[1] * sy
    cz = gfx[g].drawing_sphere[2] * sz
    radius = gfx[g].drawing_sphere[3] * max(abs(sx), max(abs(sy), abs(sz)))
    qw = parts[p].frame[3]
    qx = parts[p].frame[4]
    qy = parts[p].frame[5]
    qz = parts[p].frame[6]
    x = np.float32(
        (ONE - TWO * (qy * qy + qz * qz)) * cx
        + TWO * (qx * qy - qw * qz) * cy
        + TWO * (qx * qz + qw * qy) * cz
        + parts[p].frame[0]
        + ox
    )
    y = np.float32(
        TWO * (qx * qy + qw * qz) * cx
        + (ONE - TWO * (qx * qx + qz * qz)) * cy
        + TWO * (qy * qz - qw * qx) * cz
        + parts[p].frame[1]
        + oy
    )
    z = np.float32(
        TWO * (qx * qz - qw * qy) * cx
        + TWO * (qy * qz + qw * qx) * cy
        + (ONE - TWO * (qx * qx + qy * qy)) * cz
        + parts[p].frame[2]
    )
    found = 0
    for v in range(view_first, view_first + view_count):
        least = NEVER
        for k in range(plane_counts[v]):
            least = min(
                least,
                np.float32(
                    planes[v, k, 0] * x
                    + planes[v, k, 1] * y
                    + planes[v, k, 2] * z
                    + planes[v, k, 3]
                ),
            )
        if not (least < -radius):
            found += 1
    return found


@kernel
def draw_mesh(
    memory: Memory,
    slots: Struct,
    slot_first: int,
    slot_count: int,
    op: int,
    row: int,
    owner: int,
    part_index: int,
    cypt: float,
    view: int,
    skip_untextured: bool,
    defer: bool,
) -> None:
    """Append the surface slots of one mesh, or put them off into the alpha lists.

    Retail: D3DPolyRender::DrawMesh @0x0059D4A0.
    """
    c = memory.counters
    n = c[N_RECORDS]
    for i in range(slot_count):
        slot = slots[slot_first + i]
        if slot.count == 0 or (skip_untextured and slot.textured == 0):
            continue
        flags = 0
        kind = op
        listed = 0
        if defer and slot.mask & 14:
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
            r = memory.clip[c[N_CLIP]]
            c[N_CLIP] += 1
        elif listed == 2:
            r = memory.alpha[c[N_ALPHA]]
            c[N_ALPHA] += 1
        else:
            r = memory.stream[n]
            n += 1
        r.op = kind
        r.state = slot.state
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
    c[N_RECORDS] = n


@kernel
def draw_obj_cell(
    cell: int,
    cells: Struct,
    entries: Struct,
    order: I32,
    objects: Struct,
    parts: Struct,
    gfx: Struct,
    mesh_of: I32,
    slot_first: I32,
    slot_count: I32,
    slots: Struct,
    level_first: I32,
    levels: Struct,
    memory: Memory,
    planes: F32,
    plane_counts: I32,
    view_first: int,
    view_count: int,
    regime: float,
) -> None:
    """Draw a cell's shadow parts in list order, each once a frame stamp, at its first turn.

    Retail: RenderDeviceD3D::DrawObjCell @0x005A1A40, CPhysicsPart::Draw @0x0050D7A0.
    """
    # contract: L5
    c = memory.counters
    camera_x = c[CAMERA_X]
    camera_y = c[CAMERA_Y]
    player = c[PLAYER]
    stamp = np.uint32(c[STAMP])
    first = cells[cell].parts_first
    count = cells[cell].parts_count
    marks = c[MARKS]
    if marks:
        mark(memory, OBJ_CELL, 0, cells[cell].id, cell, count, ZERO)
    for k in range(count):
        e = first + order[first + k]
        p = entries[e].part
        o = entries[e].object
        g = parts[p].gfx
        if g < 0 or parts[p].flags & PART_NODRAW:
            continue
        if memory.stamp[p] == stamp and o != player:
            continue
        key = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
        if memory.seen[p] != key:  # never updated yet: retail's first values
            memory.seen[p] = key
            memory.cypt[p] = NEVER
            memory.level[p] = 0
        shown = g
        if memory.level[p] > 0:
            shown = levels[level_first[g] + np.int64(memory.level[p])].gfx
        elif level_first[g] >= 0:
            shown = levels[level_first[g]].gfx
        if shown < 0:
            continue
        mesh = mesh_of[shown]
        if mesh < 0:
            continue
        c[PARTS_TESTED] += 1
        position_id = np.int64(objects[o].part_cell_id)
        ox = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        views = admitted(parts, p, gfx, shown, ox, oy, planes, plane_counts, view_first, view_count)
        if views == 0:
            continue
        times = views if o == player else 1
        memory.stamp[p] = stamp
        slots_here = slot_count[mesh]
        if c[N_RECORDS] + times * slots_here + ROOM > len(memory.stream) or c[
            N_INSTANCES
        ] + 1 > len(memory.instances):
            c[FULL] = 1
            return
        row = place_part(memory, parts, p, ox, oy, regime)
        c[PARTS_DRAWN] += 1
        for _ in range(times):
            draw_mesh(
                memory,
                slots,
                slot_first[mesh],
                slots_here,
                PART,
                row,
                o,
                np.int64(entries[e].part_index),
                memory.cypt[p],
                view_first,
                False,
                True,
            )


@kernel
def draw_building(
    b: int,
    buildings: Struct,
    objects: Struct,
    parts: Struct,
    gfx: Struct,
    meshes: Meshes,
    memory: Memory,
    planes: F32,
    plane_counts: I32,
    view_first: int,
    view_count: int,
    ex: float,
    ey: float,
    ez: float,
) -> None:
    """One building: drain, portals, shell; nothing at all when its level of detail is null.

    Retail: RenderDeviceD3D::DrawBuilding @0x0059F2A0.
    """
    # contract: L7
    c = memory.counters
    o = buildings[b].object
    p = objects[o].part_first
    if objects[o].part_count == 0 or parts[p].gfx < 0:
        return
    g = parts[p].gfx
    position_id = np.int64(objects[o].part_cell_id)
    ox = np.float32(np.float32((position_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    d = part_distance(parts, p, gfx, g, ox, oy, ex, ey, ez)
    memory.cypt[p] = d
    memory.seen[p] = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
    memory.level[p] = 0
    shown = g
    if meshes.level_count[g] > 0:
        z_scale = parts[p].scale[2]
        at = d if z_scale == ZERO else np.float32(d / z_scale)
        level = degrade_level(meshes.level_first[g], meshes.level_count[g], meshes.levels, at)
        memory.level[p] = level
        shown = meshes.levels[meshes.level_first[g] + level].gfx
    if shown < 0:
        return
    if c[MARKS]:
        mark(memory, BUILDING, 0, o, b, memory.level[p], d)
    flush_alpha_list(memory, SITE_BUILDING, 0)
    mesh = meshes.mesh_of[shown]
    if mesh < 0 or parts[p].flags & PART_NODRAW:
        return
    stamp = np.uint32(c[STAMP])
    if memory.stamp[p] == stamp:
        return
    c[PARTS_TESTED] += 1
    if admitted(parts, p, gfx, shown, ox, oy, planes, plane_counts, view_first, view_count) == 0:
        return
    memory.stamp[p] = stamp
    slots = meshes.slot_count[mesh]
    if c[N_RECORDS] + slots + ROOM > len(memory.stream) or c[N_INSTANCES] + 1 > len(
        memory.instances
    ):
        c[FULL] = 1
        return
    row = place_part(memory, parts, p, ox, oy, SUN)
    c[PARTS_DRAWN] += 1
    draw_mesh(
        memory,
        meshes.slots,
        meshes.slot_first[mesh],
        slots,
        SHELL,
        row,
        o,
        0,
        d,
        view_first,
        True,
        True,
    )


@kernel
def walk_landscape(
    blocks: Struct,
    objects: Struct,
    parts: Struct,
    shadows: Struct,
    entries: Struct,
    order: I32,
    cells: Struct,
    buildings: Struct,
    gfx: Struct,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    view_first: int,
    view_count: int,
    eye: F32,
) -> None:
    """The landscape stage between the sky's two passes: blocks far to near, cells far to near.

    eye : (3,) float32, relative to the camera's block
    Retail: LScape::draw @0x00506330, RenderDeviceD3D::DrawBlock @0x005A17C0.
    """
    # contract: L1, L4, L5, L8
    c = memory.counters
    ex = eye[0]
    ey = eye[1]
    ez = eye[2]
    marks = c[MARKS]
    for index in range(len(window.draw_list) - 1, -1, -1):
        q = window.draw_list[index]
        b = window.blocks[q]
        if b < 0 or window.block_in_view[q] == 0:
            continue
        side = blocks[b].side
        base = blocks[b].cell_first
        orders = window.order_rows[q]
        if marks:
            mark(memory, BLOCK, window.block_in_view[q], blocks[b].id, index, side, ZERO)
        if base >= 0:
            for i in range(64):
                at = np.int64(window.cell_orders[orders, i])
                cell = base + at
                if window.cell_in_view[q, at] == 0 or cells[cell].shadows_count == 0:
                    continue
                update_obj_cell(
                    cell,
                    objects,
                    parts,
                    shadows,
                    cells,
                    gfx,
                    meshes.level_first,
                    meshes.level_count,
                    meshes.levels,
                    memory,
                    ex,
                    ey,
                    ez,
                )
                if cells[cell].parts_count > 1:
                    sort_cell(cell, cells, entries, order, objects, memory)
        leaf_first = meshes.terrain_first[b]
        leaf_base = meshes.terrain_base[b]
        block_id = np.uint32(blocks[b].id & 0xFFFF0000)
        for i in range(side * side):
            at = np.int64(window.cell_orders[orders, i])
            n = c[N_RECORDS]
            if n + ROOM > len(memory.stream):
                c[FULL] = 1
                return
            if window.cell_in_view[q, at]:
                if leaf_first >= 0:
                    c[LEAVES_DRAWN] += 1
                    r = memory.stream[n]
                    r.op = TERRAIN
                    r.state = S_OPAQUE
                    r.layout = 0
                    r.flags = window.cell_in_view[q, at]
                    r.first = leaf_first + at * 6
                    r.count = 6
                    r.base = leaf_base
                    r.instance = b
                    r.owner = block_id + np.uint32(at + 1)
                    r.part_index = i
                    r.surface_slot = 0
                    r.cypt = ZERO
                    r.view = index
                    r.light_set = 0
                    r.material = NO_OWNER
                    c[N_RECORDS] = n + 1
            elif marks:
                mark(memory, LAND_CELL, 0, block_id + np.uint32(at + 1), index, i, ZERO)
            if base < 0:
                continue
            cell = base + at
            if cells[cell].building >= 0:
                draw_building(
                    cells[cell].building,
                    buildings,
                    objects,
                    parts,
                    gfx,
                    meshes,
                    memory,
                    window.planes,
                    window.plane_counts,
                    view_first,
                    view_count,
                    ex,
                    ey,
                    ez,
                )
            if cells[cell].parts_count > 0:
                draw_obj_cell(
                    cell,
                    cells,
                    entries,
                    order,
                    objects,
                    parts,
                    gfx,
                    meshes.mesh_of,
                    meshes.slot_first,
                    meshes.slot_count,
                    meshes.slots,
                    meshes.level_first,
                    meshes.levels,
                    memory,
                    window.planes,
                    window.plane_counts,
                    view_first,
                    view_count,
                    SUN,
                )
            if c[FULL]:
                return
            if marks or c[N_CLIP] >= DRAIN_SHARE or c[N_ALPHA] >= DRAIN_SHARE:
                flush_alpha_list(memory, SITE_CELL, DRAIN_SHARE)

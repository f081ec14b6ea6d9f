"""The steps of the walk below a cell: distances, the sort, parts, meshes, the two alpha lists.

They write the stream, the matrices of what is drawn, the painter's memory of distances and stamps,
and the graph's `order` slices (L6); the membership is only read. They are called per occupied cell
or rarer; the loops over parts are flat.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, F64, I32, I64, U32, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.bundles import bundle
from acclient_py.kernels.lamps import choose_set
from acclient_py.kernels.ops import (
    ALPHA,
    CLIP,
    F_CLIP_LIST,
    F_DEFERRED_ALPHA,
    F_DEFERRED_CLIP,
    F_DRAINED,
    FLUSH,
    LIST_SLOTS,
    NO_OWNER,
    OBJ_CELL,
    PART,
    PART_TURN,
    S_SKY,
    SITE_CELL,
    SKY,
    SKY_PASS,
    SORT,
    SORTED,
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
N_PORTAL_VERTICES: Final = 15
ROOT: Final = 16  # slot of the eye's env cell, -1 outdoors
VIEWS: Final = 17  # views of the outside that the frame found
ON_WINDOW: Final = 18  # 1 when the camera's block is a place of the window
SKY_BEFORE: Final = 19  # parts of the sky's passes; -1: no sky
SKY_AFTER: Final = 20
LAMPS: Final = 21  # lamps of this frame, in the first rows of `instances`
MOVING_LAMPS: Final = 22  # of them, those of movers
LAMP_SET: Final = 23  # row of the last set of lamps, -1 none
WALL_SET: Final = 24  # row of the set of all movers' lamps, -1 none
COUNTERS: Final = 25

# regimes of light, as in world.vert
SUN: Final = np.float32(0.0)
INDOOR: Final = np.float32(1.0)
BAKED: Final = np.float32(2.0)
REGIMES: Final = 4  # a regime plus this times the rows back to a set of lamps

ZERO: Final = np.float32(0.0)
ONE: Final = np.float32(1.0)
TWO: Final = np.float32(2.0)
NEVER: Final = np.float32(3.4028234663852886e38)  # retail's first CYpt
FAR_CELL: Final = np.float32(50.0)
OBJECT_LIMIT_SQ: Final = np.float32(625.0)
PARTICLE_LIMIT_SQ: Final = np.float32(256.0)
DEGRADE_ALLOWANCE: Final = np.float32(50.0)
NO_TABLE_DISTANCE: Final = np.float32(100.0)  # how far an emitter's particles without levels show
GONE: Final = 0xFFFF  # the level of a particle that is farther than its emitter shows any
BLOCK_SIZE: Final = np.float32(192.0)
PARTICLE_EMITTER: Final = 0x1000
PART_NODRAW: Final = 1
ROOM: Final = 512  # records that one part or one mark may need at most
DRAIN_SHARE: Final = 2250  # 0.75 of 3000 (L9)


GFX_MESH_DTYPE: Final = np.dtype(
    [
        ("mesh", "<i4"),  # row of `meshes`, -1 nothing to draw
        ("level_first", "<i4"),  # run of `levels`
        ("level_count", "<i4"),  # 0: no levels of detail
        ("node_root", "<i4"),  # root of a shell's portal nodes, -1 none
    ]
)
MESH_DTYPE: Final = np.dtype([("slot_first", "<i4"), ("slot_count", "<i4")])
LEAF_DTYPE: Final = np.dtype(
    [
        ("first", "<i4"),  # first index of the block's leaves, -1 not there
        ("base", "<i4"),  # number of its first vertex
    ]
)


@bundle
class Meshes(NamedTuple):
    """What can be drawn: index ranges by mesh and surface slot. Owned by `render/assets.py`."""

    gfx: Struct  # (gfx rows,) GFX_MESH_DTYPE
    meshes: Struct  # MESH_DTYPE
    slots: Struct  # SLOT_DTYPE
    levels: Struct  # LEVEL_DTYPE
    cell_mesh: I32  # (cell slots,) mesh row of an env cell, -1 none
    leaves: Struct  # (block slots,) LEAF_DTYPE


PART_MEMORY_DTYPE: Final = np.dtype(
    [
        ("cypt", "<f4"),
        ("stamp", "<u4"),  # of the frame that drew it last
        ("owner", "<u4"),  # whose part it was when cypt was written
        ("level", "<u4"),  # of detail
    ]
)


@bundle
class Memory(NamedTuple):
    """What the painter remembers from frame to frame, and the rings that it fills."""

    counters: I64  # COUNTERS
    stream: Struct  # order.stream.DRAW_DTYPE
    instances: F32  # (n, 16): three rows of the matrix, then alpha, luminosity, diffuse, regime
    clip: Struct  # DRAW_DTYPE, 3000
    alpha: Struct
    parts: Struct  # PART_MEMORY_DTYPE by row of `parts`
    cell_stamp: U32  # by cell slot
    keys: F32  # scratch of one cell's sort
    scratch: I32
    blank: Struct  # one record of zeros
    vertices: F32  # (n, 3) corners of openings
    lamps: F32  # (47, 16), as `kernels/lamps.py` says


@bundle
class Eye(NamedTuple):
    """The eye of a frame, relative to the camera's block."""

    world_to_clip: F32  # (4, 4), row vectors
    at: F32  # (3,)
    basis: F64  # (3, 3): ahead, right at the picture's edge, up at its edge
    size: F64  # (2,) pixels
    near_plane: F32  # (4,)


VIEW_DTYPE: Final = np.dtype(
    [
        ("plane_count", "<i4"),
        ("point_count", "<i4"),
        ("next", "<i4"),  # of the same cell, -1 the last
        ("spare", "<i4"),
        ("planes", "<f4", (32, 4)),  # near plane, then one an edge, all through the eye
        ("points", "<f4", (32, 2)),  # pixels, counter-clockwise with y up
    ]
)


@kernel(inner=True)
def mark(
    memory: Memory, op: Whole, flags: Whole, owner: Whole, first: Whole, count: Whole, cypt: Real
) -> None:
    """Append a record that draws nothing, when the transcript wants marks."""
    c = memory.counters
    if c[MARKS] == 0:
        return
    n = c[N_RECORDS]
    if n >= len(memory.stream):
        c[FULL] = 1
        return
    stream = memory.stream
    stream[n] = memory.blank[0]
    r = stream[n]
    r.op = op
    r.flags = flags
    r.first = first
    r.count = count
    r.owner = owner
    r.cypt = cypt
    c[N_RECORDS] = n + 1


@kernel(inner=True)
def flush_alpha_list(memory: Memory, site: Whole, threshold: Whole) -> None:
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
    stream = memory.stream
    clip = memory.clip
    alpha = memory.alpha
    for i in range(clips):
        stream[n] = clip[i]
        n += 1
    for i in range(alphas):
        stream[n] = alpha[i]
        n += 1
    c[N_RECORDS] = n
    c[N_CLIP] = 0
    c[N_ALPHA] = 0


@kernel(inner=True)
def has_room(memory: Memory, records: Whole) -> bool:
    """Whether that many records and one matrix fit; if not, the frame is marked as full."""
    c = memory.counters
    if (
        c[N_RECORDS] + records + ROOM > len(memory.stream)
        or c[N_INSTANCES] + 2 > len(memory.instances)
    ):  # fmt: skip
        c[FULL] = 1
        return False
    return True


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
    found: Real = levels[first + max(count - 2, 0)].high
    return found


@kernel(inner=True)
def part_distance(
    parts: Struct,
    p: Whole,
    gfx: Struct,
    g: Whole,
    ox: Real,
    oy: Real,
    ex: Real,
    ey: Real,
    ez: Real,
) -> Real:
    """CYpt of one part by its own sort centre, always that of level 0.

    Retail: CPhysicsPart::UpdateViewerDistance @0x0050E030.
    """
    part = parts[p]
    at = part.frame
    centre = gfx[g].sort_center
    m = rotation(at[3], at[4], at[5], at[6])
    sx = part.scale[0] * centre[0]
    sy = part.scale[1] * centre[1]
    sz = part.scale[2] * centre[2]
    rx = m[0] * sx + m[1] * sy + m[2] * sz
    ry = m[3] * sx + m[4] * sy + m[5] * sz
    rz = m[6] * sx + m[7] * sy + m[8] * sz
    x = np.float32(at[0] + (ox - ex) + rx)
    y = np.float32(at[1] + (oy - ey) + ry)
    z = np.float32(at[2] - ez + rz)
    result: Real = np.sqrt(np.float32(x * x + y * y + z * z))
    return result


@kernel(inner=True)
def update_obj_cell(
    cell: Whole,
    objects: Struct,
    parts: Struct,
    shadows: Struct,
    cells: Struct,
    gfx: Struct,
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
        emitter = objects[o].state & PARTICLE_EMITTER
        if not far:
            flat = np.float32(vx * vx + vy * vy)
            whole = np.sqrt(np.float32(flat + vz * vz))
            limit = PARTICLE_LIMIT_SQ if emitter else OBJECT_LIMIT_SQ
            shared = not (flat < limit)
        key = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
        for p in range(first, first + count):
            g = parts[p].gfx
            d: Real = whole
            if not shared and g >= 0:
                d = part_distance(parts, p, gfx, g, bx, by, ex, ey, ez)
            memory.parts[p].cypt = d
            memory.parts[p].owner = key
            memory.parts[p].level = 0
            if emitter and g >= 0:
                most = max_degrade_distance(
                    meshes.gfx[g].level_first, meshes.gfx[g].level_count, meshes.levels
                )
                if whole > most:
                    memory.parts[p].level = GONE
                    continue
            if g >= 0 and o != player and meshes.gfx[g].level_count > 0:
                z_scale = parts[p].scale[2]
                at = d if z_scale == ZERO else np.float32(d / z_scale)
                memory.parts[p].level = degrade_level(
                    meshes.gfx[g].level_first, meshes.gfx[g].level_count, meshes.levels, at
                )


@kernel(inner=True)
def sort_cell(
    cell: Whole, cells: Struct, entries: Struct, order: I32, objects: Struct, memory: Memory
) -> None:
    """Repair the order of one cell's parts and tell the entries their new rank."""
    # contract: L6
    first = cells[cell].parts_first
    count = cells[cell].parts_count
    for k in range(count):
        memory.keys[k] = memory.parts[entries[first + k].part].cypt
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


@kernel(inner=True)
def place_part(
    memory: Memory,
    parts: Struct,
    p: Whole,
    ox: Real,
    oy: Real,
    regime: Real,
) -> Whole:
    """Write the matrix of a part for this frame; the row it got."""
    c = memory.counters
    row: Whole = c[N_INSTANCES]
    c[N_INSTANCES] = row + 1
    out = memory.instances
    part = parts[p]
    at = part.frame
    m = rotation(at[3], at[4], at[5], at[6])
    sx = part.scale[0]
    sy = part.scale[1]
    sz = part.scale[2]
    out[row, 0] = m[0] * sx
    out[row, 1] = m[1] * sy
    out[row, 2] = m[2] * sz
    out[row, 3] = at[0] + ox
    out[row, 4] = m[3] * sx
    out[row, 5] = m[4] * sy
    out[row, 6] = m[5] * sz
    out[row, 7] = at[1] + oy
    out[row, 8] = m[6] * sx
    out[row, 9] = m[7] * sy
    out[row, 10] = m[8] * sz
    out[row, 11] = at[2]
    out[row, 12] = ONE
    out[row, 13] = -ONE
    out[row, 14] = -ONE
    out[row, 15] = regime
    return row


@kernel(inner=True)
def lamps_of_part(
    memory: Memory, parts: Struct, p: Whole, gfx: Struct, g: Whole, ox: Real, oy: Real
) -> Real:
    """The regime of a part indoors with its set of lamps; equal neighbours share a set."""
    c = memory.counters
    instances = memory.instances
    part = parts[p]
    at = part.frame
    sphere = gfx[g].drawing_sphere
    m = rotation(at[3], at[4], at[5], at[6])
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
    """How many of the views let a part's drawing sphere in.

    Retail: Render::viewconeCheck @0x0054C250, over the active views.
    """
    part = parts[p]
    at = part.frame
    sphere = gfx[g].drawing_sphere
    sx = part.scale[0]
    sy = part.scale[1]
    sz = part.scale[2]
    cx = sphere[0] * sx
    cy = sphere[1] * sy
    cz = sphere[2] * sz
    radius = sphere[3] * max(abs(sx), max(abs(sy), abs(sz)))
    m = rotation(at[3], at[4], at[5], at[6])
    x = np.float32(m[0] * cx + m[1] * cy + m[2] * cz + at[0] + ox)
    y = np.float32(m[3] * cx + m[4] * cy + m[5] * cz + at[1] + oy)
    z = np.float32(m[6] * cx + m[7] * cy + m[8] * cz + at[2])
    found = 0
    for v in range(view_first, view_first + view_count):
        least = NEVER
        planes = views[v].planes
        for k in range(views[v].plane_count):
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
) -> None:
    """Append the surface slots of one mesh, or put them off into the alpha lists.

    Retail: D3DPolyRender::DrawMesh @0x0059D4A0.
    """
    c = memory.counters
    n = c[N_RECORDS]
    shape = meshes.meshes[mesh]
    slots = meshes.slots
    stream = memory.stream
    slot_first = shape.slot_first
    for i in range(shape.slot_count):
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
            r = stream[n]
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


@kernel(inner=True)
def draw_obj_cell(
    cell: Whole,
    cells: Struct,
    entries: Struct,
    order: I32,
    objects: Struct,
    parts: Struct,
    gfx: Struct,
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
        if memory.parts[p].stamp == stamp:
            continue
        key = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
        if memory.parts[p].owner != key:  # never updated yet: retail's first values
            memory.parts[p].owner = key
            memory.parts[p].cypt = NEVER
            memory.parts[p].level = 0
        if memory.parts[p].level == GONE:
            continue
        shown = g
        if memory.parts[p].level > 0:
            shown = meshes.levels[meshes.gfx[g].level_first + np.int64(memory.parts[p].level)].gfx
        elif meshes.gfx[g].level_count > 0:
            shown = meshes.levels[meshes.gfx[g].level_first].gfx
        if shown < 0:
            continue
        mesh = meshes.gfx[shown].mesh
        if mesh < 0:
            continue
        c[PARTS_TESTED] += 1
        position_id = np.int64(objects[o].part_cell_id)
        ox = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        seen_by = admitted(parts, p, gfx, shown, ox, oy, views, view_first, view_count)
        if seen_by == 0:
            continue
        times = seen_by if o == player else 1
        memory.parts[p].stamp = stamp
        slots_here = meshes.meshes[mesh].slot_count
        if not has_room(memory, times * slots_here):
            return
        lit = regime
        if regime == INDOOR and c[LAMPS] > 0:
            lit = lamps_of_part(memory, parts, p, gfx, shown, ox, oy)
        row = place_part(memory, parts, p, ox, oy, lit)
        c[PARTS_DRAWN] += 1
        if marks:
            deferred = 0
            for i in range(slots_here):
                mask = meshes.slots[meshes.meshes[mesh].slot_first + i].mask
                if mask & 8:
                    deferred |= F_DEFERRED_CLIP
                elif mask & 14:
                    deferred |= F_DEFERRED_ALPHA
            mark(memory, PART_TURN, deferred, o, shown, k, memory.parts[p].cypt)
            memory.stream[c[N_RECORDS] - 1].part_index = entries[e].part_index
        for _ in range(times):
            draw_mesh(
                memory,
                meshes,
                mesh,
                PART,
                row,
                o,
                np.int64(entries[e].part_index),
                memory.parts[p].cypt,
                view_first,
                False,
                True,
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
        )
        for n in range(before, c[N_RECORDS]):
            memory.stream[n].state = S_SKY

"""The walk: one pass over the graph's arrays that appends draw records in the painter's order.

Everything that orders a frame is here: blocks far to near, a block's cells far to near, in each
cell the ground, the building with what is seen through its openings, the parts; and for an eye in a
cell the outside first, then the seals of the exits, then all shells, then all objects. The walk
reads the membership as it stands and keeps nothing of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, I32, U8, U32, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.draw import (
    BAKED,
    BLOCK_SIZE,
    CAMERA_X,
    CAMERA_Y,
    DRAIN_SHARE,
    FULL,
    INDOOR,
    LEAVES_DRAWN,
    MARKS,
    N_ALPHA,
    N_CLIP,
    N_INSTANCES,
    N_PORTAL_VERTICES,
    N_RECORDS,
    ONE,
    PART_NODRAW,
    PARTS_DRAWN,
    PARTS_TESTED,
    RESUME_BUILDING,
    RESUME_CELL,
    RESUME_INDEX,
    ROOM,
    SEALS,
    SHOWN,
    STAMP,
    SUN,
    TWO,
    ZERO,
    Eye,
    Memory,
    Meshes,
    admitted,
    degrade_level,
    draw_mesh,
    draw_obj_cell,
    flush_alpha_list,
    mark,
    part_distance,
    place_part,
    sort_cell,
    update_obj_cell,
)
from acclient_py.kernels.flood import (
    EPS,
    N_LIST,
    OUTSIDE_FIRST,
    OUTSIDE_ID,
    Flood,
    Portals,
    allow_around,
    begin_walk,
    clip_to_view,
    construct_view,
    eye_in_frame,
    give_view,
    load_polygon,
    slot_of,
    store_view,
)
from acclient_py.kernels.ops import (
    BLOCK,
    BUILDING,
    CELL,
    CLEAR_DEPTH,
    ENV_CELL,
    LAND_CELL,
    LAYOUT_PORTAL,
    LOOK_IN,
    NO_OWNER,
    PUNCH,
    S_CLEAR,
    S_MASK,
    S_OPAQUE,
    SEAL,
    SHELL,
    SITE_BUILDING,
    SITE_CELL,
    SITE_LANDSCAPE,
    TERRAIN,
)

PUNCH_DEPTH: Final = 2.0 * 0.99999899 - 1.0  # as clip-space z, w 1
FLANK: Final = np.float32(12.0)  # a polygon on these planes of a land cell is no opening


class Membership(NamedTuple):
    """The graph's arrays that the walk reads (`physics/layout.py` says what is in them)."""

    objects: Struct
    parts: Struct
    shadows: Struct
    entries: Struct
    order: I32  # the only one that is written, with entries' rank (L6)
    cells: Struct
    blocks: Struct
    block_of: I32
    env_table: I32
    portals: Struct
    stabs: U32
    buildings: Struct
    building_portals: Struct
    gfx: Struct


class Window(NamedTuple):
    """The blocks around the load point as the camera sees them this frame."""

    blocks: I32  # (w * w,) block slot at ix * w + iy, -1 none
    draw_list: I32  # (w * w,) places, nearest first
    order_rows: I32  # (w * w,) row of `cell_orders`
    cell_orders: U8  # (85, 64)
    block_in_view: U8  # (w * w,)
    cell_in_view: U8  # (w * w, 64)
    views: Struct  # VIEW_DTYPE, those that this landscape is drawn for


@kernel(inner=True)
def emit_portal(
    memory: Memory,
    flood: Flood,
    vertices: F32,
    count: Whole,
    op: Whole,
    owner: Whole,
    portal: Whole,
    view: Whole,
) -> None:
    """Append the polygon in `flood.a` as a depth mask: a punch at the far end, or a seal as it is.

    Retail: D3DPolyRender::DrawPortalPolyInternal @0x0059BC90.
    """
    c = memory.counters
    n = c[N_RECORDS]
    at = c[N_PORTAL_VERTICES]
    triangles = count - 2
    if n + ROOM > len(memory.stream) or at + 3 * triangles > len(vertices):
        c[FULL] = 1
        return
    a = flood.a
    for t in range(triangles):
        for k in range(3):
            i = 0 if k == 0 else t + k
            vertices[at, 0] = a[i, 0]
            vertices[at, 1] = a[i, 1]
            vertices[at, 2] = PUNCH_DEPTH if op == PUNCH else a[i, 2]
            at += 1
    r = memory.stream[n]
    r.op = op
    r.state = S_MASK
    r.layout = LAYOUT_PORTAL
    r.flags = 0
    r.first = c[N_PORTAL_VERTICES]
    r.count = 3 * triangles
    r.base = 0
    r.instance = 0
    r.owner = owner
    r.part_index = portal
    r.surface_slot = 0
    r.cypt = ZERO
    r.view = view
    r.light_set = 0
    r.material = 0
    c[N_RECORDS] = n + 1
    c[N_PORTAL_VERTICES] = at


@kernel(inner=True)
def is_flank(vertices: F32, first: Whole, count: Whole) -> bool:
    """Whether all corners lie on local x = +-12, or all on y = +-12: the side of a land cell."""
    on_x = True
    on_y = True
    for v in range(first, first + count):
        on_x = on_x and abs(vertices[v, 0]) == FLANK
        on_y = on_y and abs(vertices[v, 1]) == FLANK
    return on_x or on_y


@kernel(inner=True)
def place_cell(memory: Memory, frame: F32, ox: Real, oy: Real) -> Whole:
    """Write the matrix of an env cell for this frame; the row it got."""
    c = memory.counters
    row: Whole = c[N_INSTANCES]
    c[N_INSTANCES] = row + 1
    out = memory.instances
    qw = frame[3]
    qx = frame[4]
    qy = frame[5]
    qz = frame[6]
    out[row, 0] = ONE - TWO * (qy * qy + qz * qz)
    out[row, 1] = TWO * (qx * qy - qw * qz)
    out[row, 2] = TWO * (qx * qz + qw * qy)
    out[row, 3] = frame[0] + ox
    out[row, 4] = TWO * (qx * qy + qw * qz)
    out[row, 5] = ONE - TWO * (qx * qx + qz * qz)
    out[row, 6] = TWO * (qy * qz - qw * qx)
    out[row, 7] = frame[1] + oy
    out[row, 8] = TWO * (qx * qz - qw * qy)
    out[row, 9] = TWO * (qy * qz + qw * qx)
    out[row, 10] = ONE - TWO * (qx * qx + qy * qy)
    out[row, 11] = frame[2]
    out[row, 12] = ONE
    out[row, 13] = -ONE
    out[row, 14] = -ONE
    out[row, 15] = BAKED
    return row


@kernel
def draw_cells(
    g: Membership, meshes: Meshes, memory: Memory, flood: Flood, eye: Eye, landscape: bool
) -> None:
    """What a flood found, far to near: all shells first, then all objects.

    landscape : the flood is that of an eye in a cell, no look-in

    Retail: PView::DrawCells @0x005A4840, without the step for the outside.
    """
    # contract: L8, L11
    c = memory.counters
    count = flood.counters[N_LIST]
    stamp = np.uint32(c[STAMP])
    for i in range(count - 1, -1, -1):
        cell = flood.list[i].cell
        mesh = meshes.cell_mesh[cell]
        if mesh < 0 or memory.cell_stamp[cell] == stamp:
            continue
        memory.cell_stamp[cell] = stamp
        slots = meshes.meshes[mesh].slot_count
        if c[N_RECORDS] + slots + ROOM > len(memory.stream) or c[N_INSTANCES] + 1 > len(
            memory.instances
        ):
            c[FULL] = 1
            return
        cell_id = np.int64(g.cells[cell].id)
        ox = np.float32(np.float32((cell_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
        oy = np.float32(np.float32(((cell_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
        row = place_cell(memory, g.cells[cell].frame, ox, oy)
        if c[MARKS]:
            kind = ENV_CELL if landscape else LOOK_IN
            mark(memory, kind, 0, g.cells[cell].id, cell, flood.list[i].count, ZERO)
        draw_mesh(
            memory,
            meshes,
            mesh,
            CELL,
            row,
            g.cells[cell].id,
            0,
            ZERO,
            0,
            True,
            True,
        )
    for i in range(count - 1, -1, -1):
        cell = flood.list[i].cell
        if g.cells[cell].shadows_count == 0 and g.cells[cell].parts_count == 0:
            continue
        update_obj_cell(
            cell,
            g.objects,
            g.parts,
            g.shadows,
            g.cells,
            g.gfx,
            meshes,
            memory,
            eye.at[0],
            eye.at[1],
            eye.at[2],
        )
        if g.cells[cell].parts_count > 1:
            sort_cell(cell, g.cells, g.entries, g.order, g.objects, memory)
        draw_obj_cell(
            cell,
            g.cells,
            g.entries,
            g.order,
            g.objects,
            g.parts,
            g.gfx,
            meshes,
            memory,
            flood.runs,
            flood.list[i].first,
            flood.list[i].count,
            INDOOR,
        )
        if c[FULL]:
            return


@kernel(inner=True)
def draw_portal(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    one: F32,
    vertices: F32,
    b: Whole,
    polygon: Whole,
    view: Whole,
    contents: bool,
    p: Whole,
    ox: Real,
    oy: Real,
) -> None:
    """One opening of a building: its punch, or what is seen through it.

    p : the shell's part. Retail: PView::DrawPortal @0x005A5AB0, ConstructView @0x005A59A0.
    """
    # contract: L7
    c = memory.counters
    number = shapes.polygons[polygon].portal
    if not 0 <= number < g.buildings[b].portal_count:
        return
    portal = g.buildings[b].portal_first + number
    local = flood.b[len(flood.b) - 1]
    eye_in_frame(g.parts[p].frame, ox, oy, eye.at, local)
    plane = shapes.polygons[polygon].plane
    scale = g.parts[p].scale
    d = np.float32(plane[3])
    for k in range(3):
        at = local[k] / np.float64(scale[k]) if scale[k] != ZERO else local[k]
        d = np.float32(d + np.float32(np.float64(plane[k]) * at))
    positive = d > EPS
    negative = d < -EPS
    if g.building_portals[portal].side:
        if not negative:
            return
    elif not positive:
        return
    n = load_polygon(
        eye,
        flood,
        g.parts[p].frame,
        scale,
        ox,
        oy,
        shapes.vertices,
        shapes.polygons[polygon].first,
        shapes.polygons[polygon].count,
        bool(negative),
    )
    n = clip_to_view(eye, flood, n, window.views, view)
    if n < 3:
        return
    root = slot_of(
        np.int64(g.building_portals[portal].other_cell_id), g.block_of, g.blocks, g.env_table
    )
    if root < 0:
        return
    begin_walk(flood)
    allow_around(flood, root, g.cells, g.stabs, g.block_of, g.blocks, g.env_table)
    if not contents:
        made = store_view(eye, flood, n)
        if made >= 0 and not is_flank(
            shapes.vertices, shapes.polygons[polygon].first, shapes.polygons[polygon].count
        ):
            emit_portal(memory, flood, vertices, n, PUNCH, b, number, view)
        return
    made = store_view(eye, flood, n)
    if made < 0:
        return
    give_view(flood, root, made)
    cell_id = np.int64(g.cells[root].id)
    rx = np.float32(np.float32((cell_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    ry = np.float32(np.float32(((cell_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    construct_view(
        eye,
        flood,
        root,
        np.int64(g.building_portals[portal].other_portal),
        False,
        g.cells,
        g.portals,
        shapes,
        g.block_of,
        g.blocks,
        g.env_table,
        one,
        rx,
        ry,
    )
    draw_cells(g, meshes, memory, flood, eye, False)


@kernel(inner=True)
def draw_openings(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    one: F32,
    vertices: F32,
    b: Whole,
    root: Whole,
    view: Whole,
    contents: bool,
    p: Whole,
    ox: Real,
    oy: Real,
) -> None:
    """All openings of a shell seen through one view, far side of each portal node first.

    Retail: BSPTREE::build_draw_portals_only.
    """
    # contract: L7
    # `node_work` holds nodes to enter (n) and nodes whose portals are due (-1 - n)
    work = flood.node_work
    local = flood.b[len(flood.b) - 2]
    work[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        at = work[depth]
        if at < 0:
            node = shapes.nodes[-1 - at]
            for k in range(node.first, node.first + node.count):
                draw_portal(
                    g,
                    meshes,
                    memory,
                    window,
                    flood,
                    shapes,
                    eye,
                    one,
                    vertices,
                    b,
                    k,
                    view,
                    contents,
                    p,
                    ox,
                    oy,
                )
                if memory.counters[FULL]:
                    return
            continue
        node = shapes.nodes[at]
        eye_in_frame(g.parts[p].frame, ox, oy, eye.at, local)
        s = np.float32(node.plane[3])
        for k in range(3):
            scale = np.float64(g.parts[p].scale[k])
            x = local[k] / scale if scale != 0.0 else local[k]
            s = np.float32(s + np.float32(np.float64(node.plane[k]) * x))
        if depth + 3 > len(work):
            return
        # what is pushed last comes first
        if s > EPS:
            if node.positive >= 0:
                work[depth] = node.positive
                depth += 1
            work[depth] = -1 - at
            depth += 1
            if node.negative >= 0:
                work[depth] = node.negative
                depth += 1
        elif s < -EPS:
            if node.negative >= 0:
                work[depth] = node.negative
                depth += 1
            work[depth] = -1 - at
            depth += 1
            if node.positive >= 0:
                work[depth] = node.positive
                depth += 1
        else:
            if node.negative >= 0:
                work[depth] = node.negative
                depth += 1
            if node.positive >= 0:
                work[depth] = node.positive
                depth += 1


@kernel
def draw_building_portals(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    one: F32,
    vertices: F32,
    view_count: Whole,
) -> None:
    """The portal pass of the building that the landscape stopped at: view by view all punches,
    then all contents.
    """
    # contract: L7
    c = memory.counters
    b = c[RESUME_BUILDING]
    p = g.objects[g.buildings[b].object].part_first
    position_id = np.int64(g.objects[g.buildings[b].object].part_cell_id)
    ox = np.float32(np.float32((position_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    root = meshes.gfx[c[SHOWN]].node_root
    for v in range(view_count):
        for contents in range(2):
            draw_openings(
                g,
                meshes,
                memory,
                window,
                flood,
                shapes,
                eye,
                one,
                vertices,
                b,
                root,
                v,
                contents == 1,
                p,
                ox,
                oy,
            )
            if c[FULL]:
                return


@kernel(inner=True)
def begin_building(
    buildings: Struct,
    objects: Struct,
    parts: Struct,
    gfx: Struct,
    meshes: Meshes,
    memory: Memory,
    b: Whole,
    ex: Real,
    ey: Real,
    ez: Real,
) -> Whole:
    """Choose the shell's level of detail and drain; the mesh row to show, -1 for nothing at all.

    Retail: RenderDeviceD3D::DrawBuilding @0x0059F2A0.
    """
    # contract: L7
    c = memory.counters
    o = buildings[b].object
    p = objects[o].part_first
    if objects[o].part_count == 0 or parts[p].gfx < 0:
        return -1
    first = parts[p].gfx
    position_id = np.int64(objects[o].part_cell_id)
    ox = np.float32(np.float32((position_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    d = part_distance(parts, p, gfx, first, ox, oy, ex, ey, ez)
    memory.parts[p].cypt = d
    memory.parts[p].owner = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
    memory.parts[p].level = 0
    shown = np.int64(first)
    if meshes.gfx[first].level_count > 0:
        z_scale = parts[p].scale[2]
        at = d if z_scale == ZERO else np.float32(d / z_scale)
        level = degrade_level(
            meshes.gfx[first].level_first, meshes.gfx[first].level_count, meshes.levels, at
        )
        memory.parts[p].level = level
        shown = np.int64(meshes.levels[meshes.gfx[first].level_first + level].gfx)
    if shown < 0:
        return -1
    if c[MARKS]:
        mark(memory, BUILDING, 0, o, b, np.int64(memory.parts[p].level), d)
    flush_alpha_list(memory, SITE_BUILDING, 0)
    return shown


@kernel(inner=True)
def draw_shell(
    buildings: Struct,
    objects: Struct,
    parts: Struct,
    gfx: Struct,
    meshes: Meshes,
    memory: Memory,
    views: Struct,
    b: Whole,
    shown: Whole,
    view_count: Whole,
) -> None:
    """The shell itself, untextured surfaces skipped. Retail: the end of DrawBuilding."""
    # contract: L7
    c = memory.counters
    o = buildings[b].object
    p = objects[o].part_first
    mesh = meshes.gfx[shown].mesh
    stamp = np.uint32(c[STAMP])
    if mesh < 0 or parts[p].flags & PART_NODRAW or memory.parts[p].stamp == stamp:
        return
    c[PARTS_TESTED] += 1
    position_id = np.int64(objects[o].part_cell_id)
    ox = np.float32(np.float32((position_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    if admitted(parts, p, gfx, shown, ox, oy, views, 0, view_count) == 0:
        return
    memory.parts[p].stamp = stamp
    slots = meshes.meshes[mesh].slot_count
    if c[N_RECORDS] + slots + ROOM > len(memory.stream) or c[N_INSTANCES] + 1 > len(
        memory.instances
    ):
        c[FULL] = 1
        return
    row = place_part(memory, parts, p, ox, oy, SUN)
    c[PARTS_DRAWN] += 1
    draw_mesh(memory, meshes, mesh, SHELL, row, o, 0, memory.parts[p].cypt, 0, True, True)


@kernel
def walk_landscape(
    g: Membership, meshes: Meshes, memory: Memory, window: Window, eye: Eye, view_count: Whole
) -> bool:
    """The landscape stage between the sky's two passes: blocks far to near, cells far to near.

    g          : the graph's arrays
    view_count : views of `window` that are active

    Stops at a building that has openings, with True: the caller draws the openings
    (`draw_building_portals`) and calls again, and the walk goes on with the shell.

    Retail: LScape::draw @0x00506330, RenderDeviceD3D::DrawBlock @0x005A17C0.
    """
    # contract: L1, L4, L5, L8
    c = memory.counters
    ex = eye.at[0]
    ey = eye.at[1]
    ez = eye.at[2]
    marks = c[MARKS]
    cells = g.cells
    resumes = c[RESUME_BUILDING] >= 0
    top = c[RESUME_INDEX] if resumes else len(window.draw_list) - 1
    for index in range(top, -1, -1):
        q = window.draw_list[index]
        b = window.blocks[q]
        if b < 0 or window.block_in_view[q] == 0:
            continue
        side = g.blocks[b].side
        base = g.blocks[b].cell_first
        orders = window.order_rows[q]
        if marks and not resumes:
            mark(memory, BLOCK, window.block_in_view[q], g.blocks[b].id, index, side, ZERO)
        if base >= 0 and not resumes:
            for i in range(64):
                at = np.int64(window.cell_orders[orders, i])
                cell = base + at
                if window.cell_in_view[q, at] == 0 or cells[cell].shadows_count == 0:
                    continue
                update_obj_cell(
                    cell,
                    g.objects,
                    g.parts,
                    g.shadows,
                    cells,
                    g.gfx,
                    meshes,
                    memory,
                    ex,
                    ey,
                    ez,
                )
                if cells[cell].parts_count > 1:
                    sort_cell(cell, cells, g.entries, g.order, g.objects, memory)
        leaf_first = meshes.leaves[b].first
        leaf_base = meshes.leaves[b].base
        block_id = np.uint32(g.blocks[b].id & 0xFFFF0000)
        for i in range(c[RESUME_CELL] if resumes else 0, side * side):
            at = np.int64(window.cell_orders[orders, i])
            n = c[N_RECORDS]
            if n + ROOM > len(memory.stream):
                c[FULL] = 1
                return False
            if resumes:
                pass
            elif window.cell_in_view[q, at]:
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
            building = cells[cell].building
            if building >= 0:
                if resumes:
                    shown = c[SHOWN]
                    c[RESUME_BUILDING] = -1
                else:
                    shown = begin_building(
                        g.buildings, g.objects, g.parts, g.gfx, meshes, memory, building, ex, ey, ez
                    )
                    if (
                        shown >= 0
                        and meshes.gfx[shown].node_root >= 0
                        and g.buildings[building].portal_count > 0
                    ):
                        c[RESUME_INDEX] = index
                        c[RESUME_CELL] = i
                        c[RESUME_BUILDING] = building
                        c[SHOWN] = shown
                        return True
                if shown >= 0:
                    draw_shell(
                        g.buildings,
                        g.objects,
                        g.parts,
                        g.gfx,
                        meshes,
                        memory,
                        window.views,
                        building,
                        shown,
                        view_count,
                    )
            resumes = False
            if cells[cell].parts_count > 0:
                draw_obj_cell(
                    cell,
                    cells,
                    g.entries,
                    g.order,
                    g.objects,
                    g.parts,
                    g.gfx,
                    meshes,
                    memory,
                    window.views,
                    0,
                    view_count,
                    SUN,
                )
            if c[FULL]:
                return False
            if marks or c[N_CLIP] >= DRAIN_SHARE or c[N_ALPHA] >= DRAIN_SHARE:
                flush_alpha_list(memory, SITE_CELL, DRAIN_SHARE)
    return False


@kernel
def look_from_cell(
    g: Membership,
    memory: Memory,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    one: F32,
    root: Whole,
    views: Struct,
) -> Whole:
    """Flood from the eye's cell with the whole picture; how many views of the outside it found.

    views : VIEW_DTYPE, out: the views of the outside
    Retail: RenderDevice::DrawInside, PView::DrawInside @0x005A5860.
    """
    # contract: L11
    c = memory.counters
    begin_walk(flood)
    allow_around(flood, root, g.cells, g.stabs, g.block_of, g.blocks, g.env_table)
    whole = flood.a
    for i in range(4):
        whole[i, 0] = eye.size[0] if i in (1, 2) else 0.0
        whole[i, 1] = eye.size[1] if i >= 2 else 0.0
    made = store_view(eye, flood, 4)
    if made < 0:
        return 0
    give_view(flood, root, made)
    cell_id = np.int64(g.cells[root].id)
    ox = np.float32(np.float32((cell_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
    oy = np.float32(np.float32(((cell_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
    construct_view(
        eye,
        flood,
        root,
        0xFFFF,
        True,
        g.cells,
        g.portals,
        shapes,
        g.block_of,
        g.blocks,
        g.env_table,
        one,
        ox,
        oy,
    )
    n = 0
    view = flood.counters[OUTSIDE_FIRST]
    while view >= 0 and n < len(views):
        views[n] = flood.views[view]
        n += 1
        view = flood.views[view].next
    return n


@kernel
def seal_exits(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    one: F32,
    vertices: F32,
) -> None:
    """Between outside and inside: drain, new stamp, depth clear if the last frame had seals, seals.

    Retail: PView::DrawCells @0x005A4840, its first step.
    """
    # contract: L8, L9
    c = memory.counters
    flush_alpha_list(memory, SITE_LANDSCAPE, 0)
    c[STAMP] += 1
    before = c[SEALS]
    c[SEALS] = 0
    n = c[N_RECORDS]
    if n + ROOM > len(memory.stream):
        c[FULL] = 1
        return
    if before:
        r = memory.stream[n]
        r.op = CLEAR_DEPTH
        r.state = S_CLEAR
        r.layout = 0
        r.flags = 0
        r.first = before
        r.count = 0
        r.base = 0
        r.instance = 0
        r.owner = NO_OWNER
        r.part_index = 0
        r.surface_slot = 0
        r.cypt = ZERO
        r.view = 0
        r.light_set = 0
        r.material = 0
        c[N_RECORDS] = n + 1
    for i in range(flood.counters[N_LIST] - 1, -1, -1):
        cell = flood.list[i].cell
        if meshes.cell_mesh[cell] < 0:
            continue
        cell_id = np.int64(g.cells[cell].id)
        ox = np.float32(np.float32((cell_id >> 24) - c[CAMERA_X]) * BLOCK_SIZE)
        oy = np.float32(np.float32(((cell_id >> 16) & 0xFF) - c[CAMERA_Y]) * BLOCK_SIZE)
        first = g.cells[cell].portal_first
        for v in range(flood.list[i].first, flood.list[i].first + flood.list[i].count):
            for k in range(g.cells[cell].portal_count):
                row = first + k
                if np.int64(g.portals[row].other_cell_id) != OUTSIDE_ID or shapes.runs[row, 1] < 3:
                    continue
                c[SEALS] = (c[SEALS] + 1) & 0xFFFF
                # the corners run in order for an eye on the interior's side
                n = load_polygon(
                    eye,
                    flood,
                    g.cells[cell].frame,
                    one,
                    ox,
                    oy,
                    shapes.vertices,
                    shapes.runs[row, 0],
                    shapes.runs[row, 1],
                    g.portals[row].side != 0,
                )
                n = clip_to_view(eye, flood, n, flood.runs, v)
                if n >= 3 and not is_flank(
                    shapes.vertices, shapes.runs[row, 0], shapes.runs[row, 1]
                ):
                    emit_portal(memory, flood, vertices, n, SEAL, cell_id, k, v)
                if c[FULL]:
                    return

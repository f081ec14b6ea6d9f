"""The walk: one pass over the graph's arrays that appends draw records in the painter's order.

Everything that orders a frame is here: blocks far to near, a block's cells far to near, in each
cell the ground, the building with what is seen through its openings, the parts; and for an eye in a
cell the outside first, then the seals of the exits, then all shells, then all objects. The walk
reads the membership as it stands and keeps nothing of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.core import F32, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.cull import check_blocks
from acclient_py.kernels.draw import (
    DRAIN_SHARE,
    FULL,
    LAMP_SET,
    LAMPS,
    LEAVES_DRAWN,
    MARKS,
    MOVING_LAMPS,
    N_ALPHA,
    N_CLIP,
    N_INSTANCES,
    N_RECORDS,
    ON_WINDOW,
    ROOM,
    ROOT,
    SEALS,
    SKY_AFTER,
    SKY_BEFORE,
    STAMP,
    SUN,
    VIEWS,
    WALL_SET,
    ZERO,
    Eye,
    Membership,
    Memory,
    Meshes,
    flush_alpha_list,
    mark,
)
from acclient_py.kernels.flood import (
    N_LIST,
    OUTSIDE_FIRST,
    OUTSIDE_ID,
    Flood,
    Portals,
    allow_around,
    begin_walk,
    clip_portal,
    construct_view,
    give_view,
    store_view,
)
from acclient_py.kernels.openings import (
    Window,
    begin_building,
    block_place,
    draw_building_portals,
    draw_cells,
    draw_shell,
    emit_portal,
    eye_of,
    inside_of,
    is_flank,
    look_in_of,
    membership_of,
    memory_of,
    meshes_of,
    shapes_of,
    sky_of,
    window_of,
)
from acclient_py.kernels.ops import (
    BLOCK,
    CLEAR_DEPTH,
    LAND_CELL,
    NO_OWNER,
    S_CLEAR,
    S_OPAQUE,
    SEAL,
    SITE_CELL,
    SITE_END,
    SITE_LANDSCAPE,
    SKY,
    TERRAIN,
    WEATHER,
)
from acclient_py.kernels.parts import (
    draw_obj_cell,
    draw_sky,
    sort_cell,
    update_obj_cell,
)


@kernel(inner=True)
def draw_leaf(
    memory: Memory,
    leaf: Any,
    flags: Whole,
    b: Whole,
    owner: Whole,
    at: Whole,
    i: Whole,
    index: Whole,
) -> None:
    """Append the ground of land cell `at`, which has turn `i` in block `index` of the order."""
    # contract: L4
    c = memory.counters
    c[LEAVES_DRAWN] += 1
    n = c[N_RECORDS]
    r = memory.stream[np.uint64(n)]
    r.op = TERRAIN
    r.state = S_OPAQUE
    r.layout = 0
    r.flags = flags
    r.first = leaf.first + at * 6
    r.count = 6
    r.base = leaf.base
    r.instance = b
    r.owner = owner
    r.part_index = i
    r.surface_slot = 0
    r.cypt = ZERO
    r.view = index
    r.light_set = 0
    r.material = NO_OWNER
    c[N_RECORDS] = n + 1


@kernel(inner=True)
def walk_landscape(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    vertices: F32,
) -> None:
    """The landscape stage between the sky's two passes: blocks far to near, cells far to near.

    g     : the graph's arrays
    flood : memory for looking into buildings

    Retail: LScape::draw @0x00506330, RenderDeviceD3D::DrawBlock @0x005A17C0.
    """
    # contract: L1, L4, L5, L8
    c = memory.counters
    view_count = c[VIEWS]
    ex = eye.at[0]
    ey = eye.at[1]
    ez = eye.at[2]
    marks = c[MARKS]
    cells = g.cells
    objects = g.objects
    parts = g.parts
    cell_in_view = window.cell_in_view
    cell_orders = window.cell_orders
    draw_list = window.draw_list
    # places are unsigned: a signed index might count from the end, which is asked at every access
    room = len(memory.stream) - ROOM
    for index in range(len(draw_list) - 1, -1, -1):
        q = np.uint64(draw_list[index])
        b = window.blocks[q]
        rated = window.block_in_view[q]
        if b < 0 or rated == 0:
            continue
        side = g.blocks[b].side
        base = g.blocks[b].cell_first
        first = np.uint64(max(base, 0))
        orders = np.uint64(window.order_rows[q])
        if marks:
            mark(memory, BLOCK, rated, g.blocks[b].id, index, side, ZERO)
        if base >= 0:
            for i in range(np.uint64(64)):
                at = np.uint64(cell_orders[orders, i])
                cell = first + at
                if cell_in_view[q, at] == 0 or cells[cell].shadows_count == 0:
                    continue
                update_obj_cell(g, cell, meshes, memory, ex, ey, ez)
                if cells[cell].parts_count > 1:
                    sort_cell(g, cell, memory)
        leaf = meshes.leaves[b]
        block_id = np.int64(g.blocks[b].id & 0xFFFF0000)
        for i in range(np.uint64(side * side)):
            at = np.uint64(cell_orders[orders, i])
            if c[N_RECORDS] > room:
                c[FULL] = 1
                return
            seen = cell_in_view[q, at]
            if seen:
                if leaf.first >= 0:
                    owner = block_id + np.int64(at) + 1
                    draw_leaf(memory, leaf, seen, b, owner, np.int64(at), np.int64(i), index)
            elif marks:
                owner = block_id + np.int64(at) + 1
                mark(memory, LAND_CELL, 0, owner, index, np.int64(i), ZERO)
            cell = first + at  # a coarse block's cells own nothing, but have their turn
            building = cells[cell].building if base >= 0 else np.int32(-1)
            if building >= 0:
                shown = begin_building(
                    g.buildings, objects, parts, g.gfx, meshes, memory, building, ex, ey, ez
                )
                if shown >= 0:
                    root = meshes.gfx[shown].node_root
                    if root >= 0 and g.buildings[building].portal_count > 0:
                        draw_building_portals(
                            g, meshes, memory, window, flood, shapes, eye, vertices, building, root
                        )
                        if c[FULL]:
                            return
                    draw_shell(
                        g.buildings,
                        objects,
                        parts,
                        g.gfx,
                        meshes,
                        memory,
                        window.views,
                        building,
                        shown,
                        view_count,
                    )
            if base >= 0 and cells[cell].parts_count > 0:
                draw_obj_cell(g, cell, meshes, memory, window.views, 0, view_count, SUN)
            if c[FULL]:
                return
            if marks or c[N_CLIP] >= DRAIN_SHARE or c[N_ALPHA] >= DRAIN_SHARE:
                flush_alpha_list(memory, SITE_CELL, DRAIN_SHARE)


@kernel(inner=True)
def look_from_cell(
    g: Membership,
    memory: Memory,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
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
    allow_around(
        flood,
        root,
        g.cells[root].stab_first,
        g.cells[root].stab_count,
        g.stabs,
        g.block_of,
        g.blocks,
        g.env_table,
    )
    whole = flood.a
    size = eye.size
    for i in range(4):
        whole[i, 0] = size[0] if i in (1, 2) else 0.0
        whole[i, 1] = size[1] if i >= 2 else 0.0
    made = store_view(eye, flood, 4)
    if made < 0:
        return 0
    give_view(flood, root, made)
    cell_id = np.int64(g.cells[root].id)
    ox, oy = block_place(c, cell_id)
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
        ox,
        oy,
    )
    n = 0
    found = flood.views
    view = flood.counters[OUTSIDE_FIRST]
    while view >= 0 and n < len(views):
        views[n] = found[view]
        n += 1
        view = found[view].next
    return n


@kernel(inner=True)
def seal_exits(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
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
        stream = memory.stream
        stream[n] = memory.blank[0]
        r = stream[n]
        r.op = CLEAR_DEPTH
        r.state = S_CLEAR
        r.first = before
        r.owner = NO_OWNER
        c[N_RECORDS] = n + 1
    found = flood.list
    cells = g.cells
    portals = g.portals
    runs = shapes.runs
    for i in range(flood.counters[N_LIST] - 1, -1, -1):
        cell = found[i].cell
        if meshes.cell_mesh[cell] < 0:
            continue
        cell_id = np.int64(cells[cell].id)
        ox, oy = block_place(c, cell_id)
        first = cells[cell].portal_first
        for v in range(found[i].first, found[i].first + found[i].count):
            for k in range(cells[cell].portal_count):
                row = first + k
                if np.int64(portals[row].other_cell_id) != OUTSIDE_ID:
                    continue
                c[SEALS] = (c[SEALS] + 1) & 0xFFFF  # counted before anything is cut
                if runs[row, 1] < 3:
                    continue
                n = clip_portal(
                    eye, flood, cells, portals, shapes, cell, row, 0, ox, oy, flood.runs, v
                )
                if n >= 3 and not is_flank(shapes.vertices, runs[row, 0], runs[row, 1]):
                    view = v - found[i].first
                    emit_portal(memory, flood, vertices, n, SEAL, cell_id, k, view)
                if c[FULL]:
                    return


@kernel(inner=True)
def hang_lamps(memory: Memory) -> None:
    """Put this frame's lamps into its first rows, and the set of those that light the walls.

    Retail: minimize_envcell_lighting @0x0054C170.
    """
    c = memory.counters
    instances = memory.instances
    lamps = memory.lamps
    count = c[LAMPS]
    for k in range(count):
        for i in range(16):
            instances[k, i] = lamps[k, i]
    c[N_INSTANCES] = count
    c[LAMP_SET] = -1
    c[WALL_SET] = -1
    moving = c[MOVING_LAMPS]
    if moving > 0:
        for k in range(moving):
            instances[count, k] = np.float32(count - k)
        instances[count, 8] = np.float32(moving)
        c[WALL_SET] = count
        c[N_INSTANCES] = count + 1


@kernel
def paint(rows: Struct) -> None:
    """One frame: outdoors the landscape; in a cell the outside through its exits, then the inside.

    rows : (1,) FRAME_ROW_DTYPE, where all that it reads and writes lies
    """
    # contract: L1, L8, L11
    row = rows[0]
    g = membership_of(row)
    meshes = meshes_of(row)
    memory = memory_of(row)
    window = window_of(row)
    inside = inside_of(row)  # memory of the flood from the eye's cell
    look_in = look_in_of(row)  # and of those into buildings
    shapes = shapes_of(row)
    eye = eye_of(row)
    sky = sky_of(row)
    vertices = memory.vertices
    c = memory.counters
    root = c[ROOT]
    c[VIEWS] = 1
    hang_lamps(memory)
    if root >= 0:
        c[VIEWS] = look_from_cell(g, memory, inside, shapes, eye, root, window.views)
    if c[VIEWS] > 0:
        if c[SKY_BEFORE] >= 0:
            draw_sky(memory, meshes, sky.before, sky.before_rows, c[SKY_BEFORE], SKY)
        if c[ON_WINDOW]:
            origin = window.origin
            check_blocks(
                window.views,
                c[VIEWS],
                np.int64(np.sqrt(np.float64(len(window.blocks))) + 0.5),
                origin[0],
                origin[1],
                window.blocks,
                window.side,
                window.low,
                window.high,
                window.grid,
                window.rated,
                window.cell_grid,
                window.cell_rated,
                window.block_in_view,
                window.cell_in_view,
            )
            walk_landscape(g, meshes, memory, window, look_in, shapes, eye, vertices)
            if c[SKY_AFTER] >= 0 and not c[FULL]:
                draw_sky(memory, meshes, sky.after, sky.after_rows, c[SKY_AFTER], WEATHER)
        if root >= 0 and not c[FULL]:
            seal_exits(g, meshes, memory, inside, shapes, eye, vertices)
    if root >= 0 and not c[FULL]:
        draw_cells(g, meshes, memory, inside, eye, True, 0)
    flush_alpha_list(memory, SITE_END, 0)

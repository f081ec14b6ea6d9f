"""What is seen through openings: look-ins of a building, punches, and what a flood found.

The parts of the walk that a building's turn needs, and the bundles of arrays that the walk takes.
Everything here appends records where the walk stands; the walk itself is in `walk.py`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, I32, I64, U8, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.bundles import accessor_of_bundle, bundle
from acclient_py.kernels.draw import (
    BAKED,
    BLOCK_SIZE,
    CAMERA_X,
    CAMERA_Y,
    DETAIL,
    DETAIL_BUILDINGS,
    DETAIL_CELLS,
    FULL,
    INDOOR,
    MARKS,
    N_INSTANCES,
    N_PORTAL_VERTICES,
    N_RECORDS,
    ONE,
    PART_NODRAW,
    PARTS_DRAWN,
    PARTS_TESTED,
    PLAIN,
    REGIMES,
    ROOM,
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
    has_room,
    mark,
)
from acclient_py.kernels.flood import (
    EPS,
    N_LIST,
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
    BUILDING,
    CELL,
    ENV_CELL,
    LAYOUT_PORTAL,
    LOOK_IN,
    PUNCH,
    S_MASK,
    SHELL,
    SITE_BUILDING,
)
from acclient_py.kernels.parts import (
    admitted,
    choose_level,
    draw_mesh,
    draw_obj_cell,
    length_of,
    part_offset,
    part_rotation,
    place_part,
    rotation,
    sort_cell,
    update_obj_cell,
)

PUNCH_DEPTH: Final = 2.0 * 0.99999899 - 1.0  # as clip-space z, w 1
FLANK: Final = np.float32(12.0)  # a polygon on these planes of a land cell is no opening


@bundle
class Window(NamedTuple):
    """The blocks around the load point as the camera sees them this frame."""

    blocks: I32  # (w * w,) block slot at ix * w + iy, -1 none
    side: I32  # (w * w,) land cells a side
    low: F32  # (w * w,) heights of the blocks' prisms
    high: F32
    draw_list: I32  # (w * w,) places, nearest first
    order_rows: I32  # (w * w,) row of `cell_orders`
    cell_orders: U8  # (85, 64)
    block_in_view: U8  # (w * w,)
    cell_in_view: U8  # (w * w, 64)
    views: Struct  # VIEW_DTYPE, those that this landscape is drawn for
    origin: F32  # (2,) south-west corner, from the camera's block
    grid: F32  # scratch of check_blocks
    rated: U8
    cell_grid: F32
    cell_rated: F32


@bundle
class Sky(NamedTuple):
    """Parts of the sky's two passes: rows of meshes, and matrices as in `Memory.instances`."""

    before: I32
    before_rows: F32
    after: I32
    after_rows: F32


# addresses of what a frame is walked with, by the bundles' names
FRAME_BUNDLES: Final = (
    "membership", "meshes", "memory", "window", "inside", "look_in", "shapes", "eye", "sky",
)  # fmt: skip
FRAME_ROW_DTYPE: Final = np.dtype([(name, "<i8") for name in FRAME_BUNDLES])
membership_of = accessor_of_bundle(Membership, "membership")
meshes_of = accessor_of_bundle(Meshes, "meshes")
memory_of = accessor_of_bundle(Memory, "memory")
window_of = accessor_of_bundle(Window, "window")
inside_of = accessor_of_bundle(Flood, "inside")
look_in_of = accessor_of_bundle(Flood, "look_in")
shapes_of = accessor_of_bundle(Portals, "shapes")
eye_of = accessor_of_bundle(Eye, "eye")
sky_of = accessor_of_bundle(Sky, "sky")


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
    stream = memory.stream
    stream[n] = memory.blank[0]
    r = stream[n]
    r.op = op
    r.state = S_MASK
    r.layout = LAYOUT_PORTAL
    r.first = c[N_PORTAL_VERTICES]
    r.count = 3 * triangles
    r.owner = owner
    r.part_index = portal
    r.view = view
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
def block_place(counters: I64, cell_id: Whole) -> tuple[Real, Real]:
    """Where the block of an id stands from the camera's."""
    return (
        np.float32(np.float32((cell_id >> 24) - counters[CAMERA_X]) * BLOCK_SIZE),
        np.float32(np.float32(((cell_id >> 16) & 0xFF) - counters[CAMERA_Y]) * BLOCK_SIZE),
    )


@kernel(inner=True)
def place_cell(memory: Memory, frame: F32, ox: Real, oy: Real) -> Whole:
    """Write the matrix of an env cell for this frame; the row it got."""
    c = memory.counters
    row: Whole = c[N_INSTANCES]
    c[N_INSTANCES] = row + 1
    out = memory.instances
    m = rotation(frame[3], frame[4], frame[5], frame[6])
    for i in range(3):
        out[row, 4 * i + 3] = frame[i]
    for i in range(9):
        out[row, i + i // 3] = m[i]
    out[row, 3] += ox
    out[row, 7] += oy
    out[row, 12] = ONE
    out[row, 13] = -ONE
    out[row, 14] = -ONE
    out[row, 15] = BAKED
    if c[WALL_SET] >= 0:
        out[row, 15] += np.float32(REGIMES * (row - c[WALL_SET]))
    return row


@kernel(inner=True)
def draw_cells(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    flood: Flood,
    eye: Eye,
    landscape: bool,
    view: Whole,
) -> None:
    """What a flood found, far to near: all shells first, then all objects.

    landscape : the flood is that of an eye in a cell, no look-in
    view      : number of the landscape's view that it looks in through, else 0

    Retail: PView::DrawCells @0x005A4840, without the step for the outside.
    """
    # contract: L8, L11
    c = memory.counters
    found = flood.list
    cells = g.cells
    count = flood.counters[N_LIST]
    stamp = np.uint32(c[STAMP])
    detail = c[DETAIL] & DETAIL_CELLS != 0
    cell_stamp = memory.cell_stamp
    for i in range(count - 1, -1, -1):
        cell = found[i].cell
        mesh = meshes.cell_mesh[cell]
        if mesh < 0 or cell_stamp[cell] == stamp:
            continue
        cell_stamp[cell] = stamp
        if not has_room(memory, 2 * meshes.meshes[mesh].slot_count):
            return
        cell_id = np.int64(cells[cell].id)
        ox, oy = block_place(c, cell_id)
        row = place_cell(memory, cells[cell].frame, ox, oy)
        if c[MARKS]:
            kind = ENV_CELL if landscape else LOOK_IN
            mark(memory, kind, 0, cell_id, cell, found[i].count, ZERO)
            memory.stream[c[N_RECORDS] - 1].view = view
        draw_mesh(memory, meshes, mesh, CELL, row, cell_id, 0, ZERO, 0, True, True, False, detail)
    at = eye.at
    for i in range(count - 1, -1, -1):
        cell = found[i].cell
        if cells[cell].shadows_count == 0:
            continue
        update_obj_cell(g, cell, meshes, memory, at[0], at[1], at[2])
        if cells[cell].parts_count > 1:
            sort_cell(g, cell, memory)
        if cells[cell].parts_count == 0:
            continue
        draw_obj_cell(
            g,
            cell,
            meshes,
            memory,
            flood.runs,
            found[i].first,
            found[i].count,
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
    opening = shapes.polygons[polygon]
    plane = opening.plane
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
        np.float64(scale[0]),
        np.float64(scale[1]),
        np.float64(scale[2]),
        ox,
        oy,
        shapes.vertices,
        opening.first,
        opening.count,
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
    allow_around(
        flood,
        root,
        g.building_portals[portal].stab_first,
        g.building_portals[portal].stab_count,
        g.stabs,
        g.block_of,
        g.blocks,
        g.env_table,
    )
    made = store_view(eye, flood, n)
    if made < 0:
        return
    if not contents:
        if not is_flank(shapes.vertices, opening.first, opening.count):
            emit_portal(memory, flood, vertices, n, PUNCH, b, number, view)
        return
    give_view(flood, root, made)
    cell_id = np.int64(g.cells[root].id)
    rx, ry = block_place(c, cell_id)
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
        rx,
        ry,
    )
    draw_cells(g, meshes, memory, flood, eye, False, view)


@kernel(inner=True)
def draw_openings(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
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
    nodes = shapes.nodes
    local = flood.b[len(flood.b) - 2]
    work[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        at = work[depth]
        if at < 0:
            node = nodes[-1 - at]
            for k in range(node.first, node.first + node.count):
                draw_portal(
                    g,
                    meshes,
                    memory,
                    window,
                    flood,
                    shapes,
                    eye,
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
        node = nodes[at]
        eye_in_frame(g.parts[p].frame, ox, oy, eye.at, local)
        s = np.float32(node.plane[3])
        for k in range(3):
            scale = np.float64(g.parts[p].scale[k])
            x = local[k] / scale if scale != 0.0 else local[k]
            s = np.float32(s + np.float32(np.float64(node.plane[k]) * x))
        if depth + 3 > len(work):
            return
        # what is pushed last comes first
        later = node.positive if s > EPS else node.negative
        sooner = node.negative if s > EPS else node.positive
        if later >= 0:
            work[depth] = later
            depth += 1
        if abs(s) > EPS:
            work[depth] = -1 - at
            depth += 1
        if sooner >= 0:
            work[depth] = sooner
            depth += 1


@kernel(inner=True)
def draw_building_portals(
    g: Membership,
    meshes: Meshes,
    memory: Memory,
    window: Window,
    flood: Flood,
    shapes: Portals,
    eye: Eye,
    vertices: F32,
    b: Whole,
    root: Whole,
) -> None:
    """The portal pass of a building: view by view all punches, then all contents.

    root : of the shell's portal nodes
    """
    # contract: L7
    c = memory.counters
    p = g.objects[g.buildings[b].object].part_first
    position_id = np.int64(g.objects[g.buildings[b].object].part_cell_id)
    ox, oy = block_place(c, position_id)
    for turn in range(2 * c[VIEWS]):
        draw_openings(
            g,
            meshes,
            memory,
            window,
            flood,
            shapes,
            eye,
            vertices,
            b,
            root,
            turn >> 1,
            (turn & 1) == 1,
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
    ox, oy = block_place(c, position_id)
    x, y, z = part_offset(parts, p, gfx, first, ox, oy, ex, ey, ez)
    d = length_of(x, y, z)
    memory.parts[p].cypt = d
    memory.parts[p].owner = np.uint32((o + 1) * 8191 + np.int64(objects[o].generation))
    memory.parts[p].level = 0
    memory.parts[p].mode = PLAIN
    shown = np.int64(first)
    if meshes.gfx[first].level_count > 0:
        choose_level(memory, meshes, parts, p, first, x, y, z, d)
        level = np.int64(memory.parts[p].level)
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
    ox, oy = block_place(c, position_id)
    m = part_rotation(memory, parts, p)
    if admitted(memory, m, parts, p, gfx, shown, ox, oy, views, 0, view_count) == 0:
        return
    memory.parts[p].stamp = stamp
    if not has_room(memory, 2 * meshes.meshes[mesh].slot_count):
        return
    row = place_part(memory, m, parts, p, ox, oy, SUN)
    c[PARTS_DRAWN] += 1
    draw_mesh(
        memory,
        meshes,
        mesh,
        SHELL,
        row,
        o,
        0,
        memory.parts[p].cypt,
        0,
        True,
        True,
        parts[p].translucency > ZERO,
        c[DETAIL] & DETAIL_BUILDINGS != 0,
    )

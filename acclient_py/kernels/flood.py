"""Views and their flood through portals: polygons on the eye, planes through the eye.

A view is a convex polygon in pixels, counter-clockwise with y up, and one plane an edge (and the
near plane) through the eye. A portal seen through a view makes a smaller view of what lies behind
it. The flood goes nearest cell first; its list of cells is drawn in reverse, so far to near.

Two memories of this kind exist: one for the eye in a cell, one for looking into buildings, since
the second runs while the first is still needed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, F64, I32, I64, U32, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.bundles import bundle
from acclient_py.kernels.draw import Eye
from acclient_py.kernels.parts import rotation

MAX_VIEWS: Final = 1024
MAX_POINTS: Final = 32  # a view keeps at most 31
CELL_VIEWS: Final = 48  # views of one cell in one walk; more are counted as lost
SCRATCH: Final = 96
EPS: Final = np.float32(0.0002)
# Where polygons on the eye are cut. Not the near plane of the picture, 0.1 m: an eye that stands
# nearer than that to an opening would see nothing through it (register D25).
NEAR: Final = 0.0002
OUTSIDE_ID: Final = 0xFFFFFFFF

# `counters` of a flood
N_VIEWS: Final = 0
WALK: Final = 1  # number of the walk, raised by each
N_LIST: Final = 2
N_TODO: Final = 3
OUTSIDE_FIRST: Final = 4  # views of the outside, linked
OUTSIDE_LAST: Final = 5
OUTSIDE_COUNT: Final = 6
LOST_VIEWS: Final = 7  # views that found no room
MOVES: Final = 8  # number of the repair of the list, raised by each
FLOOD_COUNTERS: Final = 9


@bundle
class Portals(NamedTuple):
    """Portal polygons, by the graph's portal rows and by meshes. Owned by `render/assets.py`."""

    runs: I32  # (graph portal rows, 2) first and count of `vertices`, in the cell's frame
    vertices: F32  # (n, 3)
    nodes: Struct  # NODE_DTYPE
    polygons: Struct  # POLYGON_DTYPE


NODE_DTYPE: Final = np.dtype(
    [
        ("plane", "<f4", 4),
        ("positive", "<i4"),
        ("negative", "<i4"),
        ("first", "<i4"),  # run of `polygons`
        ("count", "<i4"),
    ]
)
POLYGON_DTYPE: Final = np.dtype(
    [
        ("plane", "<f4", 4),
        ("first", "<i4"),  # run of `vertices`
        ("count", "<i4"),
        ("portal", "<i4"),  # which of the building's portals
    ]
)


FLOOD_CELL_DTYPE: Final = np.dtype(
    [
        ("allowed", "<u4"),  # number of the walk that may enter it
        ("first", "<i4"),  # views, linked
        ("last", "<i4"),
        ("count", "<i4"),
        ("updated", "<i4"),  # retail's update_count; 0: not reached yet
        ("sent", "<i4"),  # views that were sent on through the portals
        ("distance", "<f4"),
        ("done", "<u4"),
        ("moved", "<u4"),  # number of the repair that moved it last
    ]
)
FLOOD_PORTAL_DTYPE: Final = np.dtype([("seen", "u1"), ("inward", "u1")])
FLOOD_LIST_DTYPE: Final = np.dtype(
    [
        ("cell", "<i4"),
        ("first", "<i4"),  # views of the cell as a run of `runs`
        ("count", "<i4"),
        ("todo", "<i4"),  # of the list of cells to do
    ]
)


@bundle
class Flood(NamedTuple):
    """Memory of one kind of flood."""

    counters: I64
    views: Struct  # VIEW_DTYPE, linked by `next`
    runs: Struct  # VIEW_DTYPE, gathered cell by cell
    cells: Struct  # FLOOD_CELL_DTYPE by cell slot
    portals: Struct  # FLOOD_PORTAL_DTYPE by portal row
    list: Struct  # FLOOD_LIST_DTYPE by place
    a: F64  # (SCRATCH, 4)
    b: F64
    work: I32  # twice as many as views
    place_work: I32  # twice as many as cells
    node_work: I32


@kernel(inner=True)
def clip_to_view(
    eye: Eye,
    flood: Flood,
    count: Whole,
    views: Struct,
    view: Whole,
) -> Whole:
    """Clip the polygon in `flood.a` to NEAR and a view; how many corners are left.

    On entry `a` holds x, y, z, w in clip space, corners counter-clockwise as seen. On return it
    holds pixel x, pixel y, depth -1..1 and 1.
    """
    a = flood.a
    b = flood.b
    n = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        da = a[i, 3] - NEAR
        db = a[j, 3] - NEAR
        if da >= 0.0:
            for k in range(4):
                b[n, k] = a[i, k]
            n += 1
        if (da >= 0.0) != (db >= 0.0):
            t = da / (da - db)
            for k in range(4):
                b[n, k] = a[i, k] + t * (a[j, k] - a[i, k])
            n += 1
    if n < 3:
        return 0
    size = eye.size
    for i in range(n):
        w = b[i, 3]
        a[i, 0] = (b[i, 0] / w * 0.5 + 0.5) * size[0]
        a[i, 1] = (b[i, 1] / w * 0.5 + 0.5) * size[1]
        a[i, 2] = b[i, 2] / w
        a[i, 3] = 1.0
    points = views[view].points
    corners = views[view].point_count
    for e in range(corners):
        f = e + 1 if e + 1 < corners else 0
        x0 = np.float64(points[e, 0])
        y0 = np.float64(points[e, 1])
        dx = np.float64(points[f, 0]) - x0
        dy = np.float64(points[f, 1]) - y0
        m = 0
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            da = dx * (a[i, 1] - y0) - dy * (a[i, 0] - x0)
            db = dx * (a[j, 1] - y0) - dy * (a[j, 0] - x0)
            if da >= 0.0:
                for k in range(4):
                    b[m, k] = a[i, k]
                m += 1
            if (da >= 0.0) != (db >= 0.0):
                t = da / (da - db)
                for k in range(4):
                    b[m, k] = a[i, k] + t * (a[j, k] - a[i, k])
                m += 1
            if m >= SCRATCH - 2:
                break
        n = m
        for i in range(n):
            for k in range(4):
                a[i, k] = b[i, k]
        if n < 3:
            return 0
    return n


@kernel(inner=True)
def store_view(eye: Eye, flood: Flood, count: Whole) -> Whole:
    """Make a view of the polygon in `flood.a`; its number, -1 when too thin or without room.

    Corners within a pixel of the last one kept are dropped, nearly collinear ones too.
    Retail: Render::copy_view @0x0054DFC0.
    """
    a = flood.a
    b = flood.b
    n = 0
    for i in range(count):
        if n > 0 and abs(a[i, 0] - b[n - 1, 0]) < 1.0 and abs(a[i, 1] - b[n - 1, 1]) < 1.0:
            continue
        b[n, 0] = a[i, 0]
        b[n, 1] = a[i, 1]
        n += 1
    while n > 1 and abs(b[n - 1, 0] - b[0, 0]) < 1.0 and abs(b[n - 1, 1] - b[0, 1]) < 1.0:
        n -= 1
    i = 0
    while n >= 3 and i < n:
        p = i - 1 if i > 0 else n - 1
        q = i + 1 if i + 1 < n else 0
        wide = b[q, 0] - b[p, 0]
        tall = b[q, 1] - b[p, 1]
        twice = abs((b[i, 0] - b[p, 0]) * tall - (b[i, 1] - b[p, 1]) * wide)
        if twice < max(abs(wide), abs(tall)):
            for k in range(i, n - 1):
                b[k, 0] = b[k + 1, 0]
                b[k, 1] = b[k + 1, 1]
            n -= 1
        else:
            i += 1
    if n < 3:
        return -1
    n = min(n, MAX_POINTS - 1)
    c = flood.counters
    v: Whole = c[N_VIEWS]
    views = flood.views
    if v >= len(views):
        c[LOST_VIEWS] += 1
        return -1
    c[N_VIEWS] = v + 1
    made = views[v]
    points = made.points
    planes = made.planes
    for i in range(n):
        points[i, 0] = b[i, 0]
        points[i, 1] = b[i, 1]
    made.point_count = n
    for k in range(4):
        planes[0, k] = eye.near_plane[k]
    count = 1
    m = n + 1
    size = eye.size
    basis = eye.basis
    at = eye.at
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ix = b[i, 0] / size[0] * 2.0 - 1.0
        iy = b[i, 1] / size[1] * 2.0 - 1.0
        jx = b[j, 0] / size[0] * 2.0 - 1.0
        jy = b[j, 1] / size[1] * 2.0 - 1.0
        for k in range(3):  # rays through both corners
            b[n, k] = basis[0, k] + basis[1, k] * ix + basis[2, k] * iy
            b[m, k] = basis[0, k] + basis[1, k] * jx + basis[2, k] * jy
        nx = b[m, 1] * b[n, 2] - b[m, 2] * b[n, 1]
        ny = b[m, 2] * b[n, 0] - b[m, 0] * b[n, 2]
        nz = b[m, 0] * b[n, 1] - b[m, 1] * b[n, 0]
        if abs(nx) < EPS and abs(ny) < EPS and abs(nz) < EPS:
            continue
        length = np.sqrt(nx * nx + ny * ny + nz * nz)
        nx /= length
        ny /= length
        nz /= length
        planes[count, 0] = nx
        planes[count, 1] = ny
        planes[count, 2] = nz
        planes[count, 3] = -(
            nx * np.float64(at[0]) + ny * np.float64(at[1]) + nz * np.float64(at[2])
        )
        count += 1
    made.plane_count = count
    return v


@kernel(inner=True)
def load_polygon(
    eye: Eye,
    flood: Flood,
    frame: F32,
    sx: Real,
    sy: Real,
    sz: Real,
    ox: Real,
    oy: Real,
    vertices: F32,
    first: Whole,
    count: Whole,
    reverse: bool,
) -> Whole:
    """Put a polygon into `flood.a` in clip space; how many corners.

    frame : (7,) of what the polygon belongs to ; sx, sy, sz : float64 scale
    ox, oy : that block's place from the camera's
    """
    w = eye.world_to_clip
    out = flood.a
    m = rotation(
        np.float64(frame[3]), np.float64(frame[4]), np.float64(frame[5]), np.float64(frame[6])
    )
    count = min(count, SCRATCH // 2)
    for i in range(count):
        at = first + (count - 1 - i if reverse else i)
        x = np.float64(vertices[at, 0]) * sx
        y = np.float64(vertices[at, 1]) * sy
        z = np.float64(vertices[at, 2]) * sz
        wx = m[0] * x + m[1] * y + m[2] * z + np.float64(frame[0]) + ox
        wy = m[3] * x + m[4] * y + m[5] * z + np.float64(frame[1]) + oy
        wz = m[6] * x + m[7] * y + m[8] * z + np.float64(frame[2])
        for k in range(4):
            out[i, k] = wx * w[0, k] + wy * w[1, k] + wz * w[2, k] + w[3, k]
    return count


@kernel(inner=True)
def eye_in_frame(frame: F32, ox: Real, oy: Real, eye: F32, out: F64) -> None:
    """The eye as seen from a frame: out[0:3]."""
    m = rotation(
        np.float64(frame[3]), np.float64(frame[4]), np.float64(frame[5]), np.float64(frame[6])
    )
    x = np.float64(eye[0]) - np.float64(frame[0]) - ox
    y = np.float64(eye[1]) - np.float64(frame[1]) - oy
    z = np.float64(eye[2]) - np.float64(frame[2])
    out[0] = m[0] * x + m[3] * y + m[6] * z
    out[1] = m[1] * x + m[4] * y + m[7] * z
    out[2] = m[2] * x + m[5] * y + m[8] * z


@kernel(inner=True)
def begin_walk(flood: Flood) -> None:
    """Forget the last walk's views and cells."""
    c = flood.counters
    c[WALK] += 1
    c[N_VIEWS] = 0
    c[N_LIST] = 0
    c[N_TODO] = 0
    c[OUTSIDE_FIRST] = -1
    c[OUTSIDE_LAST] = -1
    c[OUTSIDE_COUNT] = 0


@kernel(inner=True)
def allow_cell(flood: Flood, cell: Whole) -> None:
    """Push an empty view on a cell: only such cells take part in the walk."""
    mine = flood.cells[cell]
    mine.allowed = np.uint32(flood.counters[WALK])
    mine.first = -1
    mine.last = -1
    mine.count = 0
    mine.updated = 0
    mine.sent = 0
    mine.done = 0
    mine.distance = 0.0


@kernel(inner=True)
def slot_of(cell_id: Whole, block_of: I32, blocks: Struct, env_table: I32) -> Whole:
    """The slot of a resident env cell, -1 when it is not there. Retail: CEnvCell::GetVisible."""
    b = block_of[(cell_id >> 16) & 0xFFFF]
    low = cell_id & 0xFFFF
    if b < 0 or low < 0x100:
        return -1
    index = low - 0x100
    if index >= blocks[b].env_count:
        return -1
    return np.int64(env_table[blocks[b].env_first + index])


@kernel(inner=True)
def allow_around(
    flood: Flood,
    root: Whole,
    first: Whole,
    count: Whole,
    stabs: U32,
    block_of: I32,
    blocks: Struct,
    env_table: I32,
) -> None:
    """Allow a cell and the loaded cells of a stab list: its own, or that of a building's portal.

    first, count : the list, a run of `stabs`. The cell behind an opening takes part even where a
    damaged list leaves it out.
    Retail: PView::add_views.
    """
    allow_cell(flood, root)
    for i in range(first, first + count):
        slot = slot_of(np.int64(stabs[i]), block_of, blocks, env_table)
        if slot >= 0 and slot != root:
            allow_cell(flood, slot)


@kernel(inner=True)
def give_view(flood: Flood, cell: Whole, view: Whole) -> None:
    """Append a view to a cell's list."""
    mine = flood.cells[cell]
    views = flood.views
    views[view].next = -1
    if mine.count == 0:
        mine.first = view
    else:
        views[mine.last].next = view
    mine.last = view
    mine.count += 1


@kernel(inner=True)
def init_cell(
    eye: Eye,
    flood: Flood,
    cell: Whole,
    in_portal: Whole,
    cells: Struct,
    portals: Struct,
    shapes: Portals,
    ox: Real,
    oy: Real,
) -> None:
    """Find which portals lead on and which led here, and how far the farthest of these reaches.

    Retail: PView::InitCell @0x005A4B70.
    """
    # contract: L11
    local = flood.b[SCRATCH - 1]
    eye_in_frame(cells[cell].frame, ox, oy, eye.at, local)
    first = cells[cell].portal_first
    mine = flood.cells[cell]
    runs = shapes.runs
    vertices = shapes.vertices
    farthest = np.float32(0.0)
    for i in range(cells[cell].portal_count):
        row = first + i
        plane = portals[row].plane
        d = np.float32(
            np.float64(plane[0]) * local[0]
            + np.float64(plane[1]) * local[1]
            + np.float64(plane[2]) * local[2]
            + np.float64(plane[3])
        )
        side = np.int64(portals[row].side)
        here = flood.portals[row]
        if i == in_portal:
            here.inward = 1
            here.seen = 1
        else:
            here.seen = 0
            here.inward = 0
            if (d > EPS and side != 0) or (d < -EPS and side == 0):
                here.inward = 1
        if here.inward:
            for v in range(runs[row, 0], runs[row, 0] + runs[row, 1]):
                x = vertices[v, 0] - local[0]
                y = vertices[v, 1] - local[1]
                z = vertices[v, 2] - local[2]
                farthest = max(farthest, np.float32(x * x + y * y + z * z))
        elif mine.count > 0:
            here.seen = 1
    mine.distance = farthest
    mine.updated = mine.count


@kernel(inner=True)
def insert_todo(flood: Flood, cell: Whole) -> None:
    """Keep the list in descending distance, so that its last is the nearest, first come first."""
    c = flood.counters
    n = c[N_TODO]
    at = n
    found = flood.list
    known = flood.cells
    distance = known[cell].distance
    while at > 0 and known[found[at - 1].todo].distance <= distance:
        found[at].todo = found[at - 1].todo
        at -= 1
    found[at].todo = cell
    c[N_TODO] = n + 1


@kernel(inner=True)
def clip_portal(
    eye: Eye,
    flood: Flood,
    cells: Struct,
    portals: Struct,
    shapes: Portals,
    cell: Whole,
    row: Whole,
    beyond: Whole,
    ox: Real,
    oy: Real,
    views: Struct,
    view: Whole,
) -> Whole:
    """Clip a cell's portal polygon to a view, into `flood.a`; how many corners are left.

    beyond : 1 when the eye is on the other side of it than the cell's interior
    """
    # the interior lies on `side`; from there a positive side sees the corners in order
    reverse = (portals[row].side != 0) != (beyond != 0)
    n = load_polygon(
        eye,
        flood,
        cells[cell].frame,
        1.0,
        1.0,
        1.0,
        ox,
        oy,
        shapes.vertices,
        shapes.runs[row, 0],
        shapes.runs[row, 1],
        reverse,
    )
    return clip_to_view(eye, flood, n, views, view)


@kernel(inner=True)
def clip_portals(
    eye: Eye,
    flood: Flood,
    cell: Whole,
    skip: Whole,
    landscape: bool,
    cells: Struct,
    portals: Struct,
    shapes: Portals,
    block_of: I32,
    blocks: Struct,
    env_table: I32,
    ox: Real,
    oy: Real,
) -> None:
    """Send each of a cell's views from number `skip` on through each of its portals.

    Retail: PView::ClipPortals @0x005A5520.
    """
    c = flood.counters
    first = cells[cell].portal_first
    views = flood.views
    runs = shapes.runs
    view = flood.cells[cell].first
    for _ in range(skip):
        view = views[view].next
    while view >= 0:
        following = views[view].next
        for i in range(cells[cell].portal_count):
            row = first + i
            through = flood.portals[row]
            if through.seen == 0 or through.inward or runs[row, 1] < 3:
                continue
            n = clip_portal(eye, flood, cells, portals, shapes, cell, row, 0, ox, oy, views, view)
            if n < 3:
                continue
            other_id = np.int64(portals[row].other_cell_id)
            if other_id == OUTSIDE_ID:
                if landscape:
                    made = store_view(eye, flood, n)
                    if made >= 0:
                        views[made].next = -1
                        if c[OUTSIDE_COUNT] == 0:
                            c[OUTSIDE_FIRST] = made
                        else:
                            views[c[OUTSIDE_LAST]].next = made
                        c[OUTSIDE_LAST] = made
                        c[OUTSIDE_COUNT] += 1
                continue
            neighbour = slot_of(other_id, block_of, blocks, env_table)
            if neighbour < 0 or neighbour == cell:
                continue
            behind = flood.cells[neighbour]
            if behind.allowed != np.uint32(c[WALK]):
                continue
            if behind.count >= CELL_VIEWS:
                c[LOST_VIEWS] += 1
                continue
            made = store_view(eye, flood, n)
            if made < 0:
                continue
            other = np.int64(portals[row].other_portal)
            if portals[row].exact == 0 and 0 <= other < cells[neighbour].portal_count:
                twin = cells[neighbour].portal_first + other
                if runs[twin, 1] >= 3:
                    n = clip_portal(
                        eye, flood, cells, portals, shapes, neighbour, twin, 1, ox, oy, views, made
                    )
                    c[N_VIEWS] = made
                    if n < 3:
                        continue
                    made = store_view(eye, flood, n)
                    if made < 0:
                        continue
            give_view(flood, neighbour, made)
        view = following


@kernel(inner=True)
def construct_view(
    eye: Eye,
    flood: Flood,
    root: Whole,
    in_portal: Whole,
    landscape: bool,
    cells: Struct,
    portals: Struct,
    shapes: Portals,
    block_of: I32,
    blocks: Struct,
    env_table: I32,
    ox: Real,
    oy: Real,
) -> None:
    """Flood from a cell that has its first views, nearest first; fills `list`.

    Retail: PView::ConstructView @0x005A57B0, AddViewToPortals @0x005A52D0, FixCellList.
    """
    # contract: L11
    c = flood.counters
    walk = np.uint32(c[WALK])
    found = flood.list
    known = flood.cells
    work = flood.work
    init_cell(eye, flood, root, in_portal, cells, portals, shapes, ox, oy)
    insert_todo(flood, root)
    while c[N_TODO] > 0:
        c[N_TODO] -= 1
        cell = found[c[N_TODO]].todo
        found[c[N_LIST]].cell = cell
        c[N_LIST] += 1
        known[cell].done = 1
        # `work` is the stack of FixCellList: a cell, and the portal that it goes on with; a
        # neighbour that was finished before and got more views sends them on at once
        work[0] = cell
        work[1] = -1
        depth = 1
        while depth > 0:
            at = work[2 * depth - 2]
            i = work[2 * depth - 1]
            if i < 0:
                i = 0
                skip = known[at].sent
                known[at].sent = known[at].count
                clip_portals(
                    eye,
                    flood,
                    at,
                    skip,
                    landscape,
                    cells,
                    portals,
                    shapes,
                    block_of,
                    blocks,
                    env_table,
                    ox,
                    oy,
                )
            depth -= 1
            first = cells[at].portal_first
            if i > 0:  # back from a neighbour
                set_other_seen(cells, portals, flood, first + i - 1, block_of, blocks, env_table)
            while i < cells[at].portal_count:
                row = first + i
                i += 1
                if flood.portals[row].seen == 0 or flood.portals[row].inward:
                    continue
                other_id = np.int64(portals[row].other_cell_id)
                if other_id == OUTSIDE_ID:
                    continue
                n = slot_of(other_id, block_of, blocks, env_table)
                if n < 0:
                    continue
                next_cell = known[n]
                if next_cell.allowed != walk or next_cell.count == 0:
                    continue
                other = np.int64(portals[row].other_portal)
                if next_cell.updated == 0:
                    init_cell(eye, flood, n, other, cells, portals, shapes, ox, oy)
                    insert_todo(flood, n)
                elif next_cell.done and next_cell.count > next_cell.sent:
                    adjust_cell_place(flood, at, n, cells, portals, block_of, blocks, env_table)
                    work[2 * depth] = at
                    work[2 * depth + 1] = i
                    work[2 * depth + 2] = n
                    work[2 * depth + 3] = -1
                    depth += 2
                    break
                set_other_seen(cells, portals, flood, row, block_of, blocks, env_table)
    gather_views(flood)


@kernel(inner=True)
def set_other_seen(
    cells: Struct,
    portals: Struct,
    flood: Flood,
    row: Whole,
    block_of: I32,
    blocks: Struct,
    env_table: I32,
) -> None:
    """Mark the neighbour's side of a portal as one that views came through.

    Retail: PView::SetOtherSeen.
    """
    other = np.int64(portals[row].other_portal)
    n = slot_of(np.int64(portals[row].other_cell_id), block_of, blocks, env_table)
    if n >= 0 and 0 <= other < cells[n].portal_count:
        flood.portals[cells[n].portal_first + other].seen = 1


@kernel(inner=True)
def adjust_cell_place(
    flood: Flood,
    cell: Whole,
    other: Whole,
    cells: Struct,
    portals: Struct,
    block_of: I32,
    blocks: Struct,
    env_table: I32,
) -> None:
    """Put a cell before one that it sends views to, and what it is seen through before it.

    Depth first, in portal order; a cell moves once, so doors that lead round end.
    Retail: PView::AdjustCellPlace.
    """
    c = flood.counters
    walk = np.uint32(c[WALK])
    c[MOVES] += 1
    repair = np.uint32(c[MOVES])
    known = flood.cells
    # the stack holds a cell and the portal that it goes on with
    stack = flood.place_work
    if not move_before(flood, cell, other):
        return
    known[cell].moved = repair
    stack[0] = cell
    stack[1] = 0
    depth = 1
    while depth > 0:
        at = stack[2 * depth - 2]
        i = stack[2 * depth - 1]
        if i >= cells[at].portal_count:
            depth -= 1
            continue
        stack[2 * depth - 1] = i + 1
        row = cells[at].portal_first + i
        if flood.portals[row].seen == 0 or flood.portals[row].inward == 0:
            continue
        n = slot_of(np.int64(portals[row].other_cell_id), block_of, blocks, env_table)
        if n < 0 or known[n].allowed != walk or known[n].done == 0 or known[n].moved == repair:
            continue
        if move_before(flood, n, at):
            known[n].moved = repair
            stack[2 * depth] = n
            stack[2 * depth + 1] = 0
            depth += 1


@kernel(inner=True)
def move_before(flood: Flood, cell: Whole, other: Whole) -> bool:
    """Put a cell before another in the list, so that it is drawn after it; whether it moved."""
    c = flood.counters
    found = flood.list
    here = -1
    there = -1
    for i in range(c[N_LIST]):
        if found[i].cell == cell:
            here = i
        if found[i].cell == other:
            there = i
    if here < 0 or there < 0 or here <= there:
        return False
    for i in range(here, there, -1):
        found[i].cell = found[i - 1].cell
    found[there].cell = cell
    return True


@kernel(inner=True)
def gather_views(flood: Flood) -> None:
    """Copy each listed cell's views into one run, as the cone tests want them."""
    c = flood.counters
    found = flood.list
    views = flood.views
    runs = flood.runs
    n = 0
    for i in range(c[N_LIST]):
        found[i].first = n
        view = flood.cells[found[i].cell].first
        while view >= 0:
            runs[n] = views[view]
            n += 1
            view = views[view].next
        found[i].count = n - found[i].first

"""The cell array of a body: which cells its spheres or its parts reach (S2 to S4, S10).

A cell array is filled into three arrays of the caller: `ids` (uint32), `slots` (int32, -1 for a
cell that is not resident) and `head` (int64, HEAD_SIZE): see the names below. Insertion order is
kept by all consumers; a duplicate is told by its id alone. When the arrays are too short,
`head[OVERFLOW]` is set, nothing else was written, and the caller repeats with longer ones.

Look-ups never load (spec 1.3): a cell that is not resident goes in with a null slot where retail
records it, and `head[MISSED]` says that a later arrival could change the answer without leaving a
null entry (register D12).

The kernels are flat: one loop over the growing array, with the outside cells added at one point.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from acclient_py.core import F32, I32, I64, U32
from acclient_py.core.frame import rotate_by
from acclient_py.core.geom import box_intersects_planes, intersect_box
from acclient_py.core.ids import adjust_to_outside
from acclient_py.kernels import kernel
from acclient_py.physics.layout import ENV, Arrays
from acclient_py.physics.state import HAS_PHYSICS_BSP
from acclient_py.world.pools import ALWAYS_2D, HAS_DRAWING, HAS_PHYSICS
from acclient_py.world.terrain import find_terrain_poly

COUNT: Final = 0
ADDED_OUTSIDE: Final = 1
DO_NOT_LOAD: Final = 2  # set by the caller; prunes at the end of the sphere route
HITS_INTERIOR: Final = 3
OVERFLOW: Final = 4
MISSED: Final = 5
CURR_CELL: Final = 6  # the slot of the cell that holds the first sphere's centre
HEAD_SIZE: Final = 8

MAX_CYLINDERS: Final = 10

_EPS: Final = np.float32(0.0002)
_SLACK: Final = np.float32(0.01)
_CELL: Final = np.float32(24.0)
_ZERO: Final = np.float32(0.0)
_FAR: Final = np.float32(1.0e7)
_REACH: Final = 100
"""Land cells to each side of the anchor: further than the widest window of blocks goes."""
_OUTSIDE_ID: Final = 0xFFFFFFFF


@kernel(inner=True)
def slot_of(g: Arrays, cell_id: int) -> int:
    """The slot of a resident cell, -1 for any other. Retail: CObjCell::GetVisible @0x0052AD40."""
    value = int(cell_id)
    low = value & 0xFFFF
    block = g.block_of[(value >> 16) & 0xFFFF]
    if block < 0:
        return -1
    if low < 0x100:
        first = g.blocks["cell_first"][block]
        if first < 0 or low < 1 or low > 64:
            return -1
        return int(first + low - 1)
    if low - 0x100 >= g.blocks["env_count"][block]:
        return -1
    return int(g.env_table[g.blocks["env_first"][block] + low - 0x100])


@kernel(inner=True)
def _add(ids: U32, slots: I32, head: I64, cell_id: int, slot: int) -> None:
    """`add_cell`: append, unless the id is there. Retail: CELLARRAY::add_cell @0x006B4FF0."""
    n = head[COUNT]
    for i in range(n):
        if ids[i] == cell_id:
            return
    if n >= ids.shape[0]:
        head[OVERFLOW] = 1
        return
    ids[n] = cell_id
    slots[n] = slot
    head[COUNT] = n + 1


@kernel(inner=True)
def _add_outside(g: Arrays, ids: U32, slots: I32, head: I64, x: int, y: int) -> None:
    """`add_outside_cell` by global coordinate. Retail: CLandCell::add_outside_cell @0x00532EC0."""
    if x < 0 or y < 0 or x >= 2040 or y >= 2040:
        return
    cell_id = (((y >> 3) | ((x >> 3) << 8)) << 16) | ((x & 7) * 8 + (y & 7) + 1)
    _add(ids, slots, head, cell_id, slot_of(g, cell_id))


@kernel(inner=True)
def point_in_cell(g: Arrays, slot: int, x: np.float32, y: np.float32, z: np.float32) -> bool:
    """Whether a point of the cell's block lies in the cell.

    An env cell without portals holds nothing; a land cell has no height.
    Retail: CEnvCell::point_in_cell @0x0052C300, CLandCell::point_in_cell @0x00532D40.
    """
    cells = g.cells
    if cells["kind"][slot] != ENV:
        index = (int(cells["id"][slot]) & 0xFFFF) - 1
        return bool(find_terrain_poly(g.swne[cells["block"][slot], index] != 0, index, x, y) >= 0)
    if cells["portal_count"][slot] == 0:
        return False
    f = cells["frame"][slot]
    lx, ly, lz = rotate_by(f[3], -f[4], -f[5], -f[6], x - f[0], y - f[1], z - f[2])
    first = cells["plane_first"][slot]
    planes = g.planes
    for i in range(first, first + cells["plane_count"][slot]):
        d = planes[i, 0] * lx + planes[i, 1] * ly + planes[i, 2] * lz + planes[i, 3]
        if d < -_EPS:
            return False
    return True


@kernel(inner=True)
def find_cell_list(
    g: Arrays, pos_id: int, ox: np.float32, oy: np.float32, spheres: F32, count: int,
    ids: U32, slots: I32, head: I64, want_curr: bool,
) -> None:  # fmt: skip
    """The cells that spheres reach from a position, and the one that holds the first centre.

    pos_id, ox, oy : the owning position's id and origin
    spheres        : (count or more, 4) float32 centre and radius, in the coordinates of pos_id's
                     block (so of an env cell's as they stand)
    want_curr      : look for head[CURR_CELL]; it is left alone without a resident seed

    Retail: CObjCell::find_cell_list @0x0052B4E0; the path form is the same with the path's spheres.
    """
    # contract: S10
    cells = g.cells
    planes = g.planes
    portals = g.portals
    pos_value = int(pos_id)
    pos_bx = (pos_value >> 24) & 0xFF
    pos_by = (pos_value >> 16) & 0xFF
    head[COUNT] = 0
    head[ADDED_OUTSIDE] = 0
    head[HITS_INTERIOR] = 0
    head[OVERFLOW] = 0
    head[MISSED] = 0
    seed = slot_of(g, pos_value)
    indoors = (pos_value & 0xFFFF) >= 0x100
    i = 0
    if indoors:
        head[HITS_INTERIOR] = 1
        _add(ids, slots, head, pos_value, seed)
        if seed < 0 or count == 0:
            return
    else:
        i = -1  # the outside cells first, then the walk
    while i < head[COUNT]:
        slot = slots[i] if i >= 0 else -1
        outside = i < 0
        building = -1
        if slot >= 0 and cells["kind"][slot] == ENV:
            f = cells["frame"][slot]
            fx = f[0]
            fy = f[1]
            fz = f[2]
            qw = f[3]
            qx = -f[4]
            qy = -f[5]
            qz = -f[6]
            first = cells["portal_first"][slot]
            for at in range(first, first + cells["portal_count"][slot]):
                other_id = int(portals["other_cell_id"][at])
                other = -1
                if other_id != _OUTSIDE_ID:
                    other = slot_of(g, other_id)
                if other >= 0:
                    # a resident neighbour: its volume alone decides
                    of = cells["frame"][other]
                    p_first = cells["plane_first"][other]
                    p_end = p_first + cells["plane_count"][other]
                    for k in range(count):
                        lx, ly, lz = rotate_by(
                            of[3], -of[4], -of[5], -of[6],
                            spheres[k, 0] - of[0], spheres[k, 1] - of[1], spheres[k, 2] - of[2],
                        )  # fmt: skip
                        r = spheres[k, 3] + _SLACK
                        hit = True
                        for p in range(p_first, p_end):
                            d = (
                                planes[p, 0] * lx + planes[p, 1] * ly + planes[p, 2] * lz
                                + planes[p, 3]
                            )  # fmt: skip
                            if d <= -r:
                                hit = False
                                break
                        if hit:
                            _add(ids, slots, head, other_id, other)
                            break
                    continue
                plane = portals["plane"][at]
                side = portals["side"][at]
                reached = False
                for k in range(count):
                    lx, ly, lz = rotate_by(
                        qw, qx, qy, qz, spheres[k, 0] - fx, spheres[k, 1] - fy, spheres[k, 2] - fz
                    )
                    d = plane[0] * lx + plane[1] * ly + plane[2] * lz + plane[3]
                    r = spheres[k, 3] + _EPS
                    if other_id == _OUTSIDE_ID:
                        reached = abs(d) < r
                    else:
                        reached = (side == 1 and d > -r) or (side == 0 and d < r)
                    if reached:
                        break
                if other_id == _OUTSIDE_ID:
                    outside = outside or reached
                elif reached:
                    _add(ids, slots, head, other_id, -1)
                else:
                    head[MISSED] = 1
        elif slot >= 0:
            outside = True
            building = cells["building"][slot]
        if outside and head[ADDED_OUTSIDE] == 0:
            head[ADDED_OUTSIDE] = 1
            if count == 0:
                ok, cell_id, px, py = adjust_to_outside(pos_value, ox, oy)
                if ok:
                    _add(ids, slots, head, cell_id, slot_of(g, cell_id))
            for k in range(count):
                ok, cell_id, px, py = adjust_to_outside(pos_value, spheres[k, 0], spheres[k, 1])
                if not ok:
                    break
                fx = px - np.float32(math.floor(px / _CELL)) * _CELL
                fy = py - np.float32(math.floor(py / _CELL)) * _CELL
                lo = spheres[k, 3]
                hi = _CELL - lo
                x = ((cell_id >> 24) & 0xFF) * 8 + (((cell_id & 0xFFFF) - 1) >> 3)
                y = ((cell_id >> 16) & 0xFF) * 8 + (((cell_id & 0xFFFF) - 1) & 7)
                _add(ids, slots, head, cell_id, slot_of(g, cell_id))
                if fx > hi:
                    _add_outside(g, ids, slots, head, x + 1, y)
                    if fy > hi:
                        _add_outside(g, ids, slots, head, x + 1, y + 1)
                    if fy < lo:
                        _add_outside(g, ids, slots, head, x + 1, y - 1)
                if fx < lo:
                    _add_outside(g, ids, slots, head, x - 1, y)
                    if fy > hi:
                        _add_outside(g, ids, slots, head, x - 1, y + 1)
                    if fy < lo:
                        _add_outside(g, ids, slots, head, x - 1, y - 1)
                if fy > hi:
                    _add_outside(g, ids, slots, head, x, y + 1)
                if fy < lo:
                    _add_outside(g, ids, slots, head, x, y - 1)
        if i < 0 and (seed < 0 or count == 0):
            return
        if building >= 0:
            # check_building_transit @0x0052C5D0
            first = g.buildings["portal_first"][building]
            for at in range(first, first + g.buildings["portal_count"][building]):
                other_id = int(g.building_portals["other_cell_id"][at])
                other = slot_of(g, other_id)
                if other < 0:
                    head[MISSED] = 1
                    continue
                if g.building_portals["other_portal"][at] < 0:
                    continue
                of = cells["frame"][other]
                p_first = cells["plane_first"][other]
                p_end = p_first + cells["plane_count"][other]
                for k in range(count):
                    lx, ly, lz = rotate_by(
                        of[3], -of[4], -of[5], -of[6],
                        spheres[k, 0] - of[0], spheres[k, 1] - of[1], spheres[k, 2] - of[2],
                    )  # fmt: skip
                    r = spheres[k, 3] + _SLACK
                    hit = True
                    for p in range(p_first, p_end):
                        d = (
                            planes[p, 0] * lx + planes[p, 1] * ly + planes[p, 2] * lz
                            + planes[p, 3]
                        )  # fmt: skip
                        if d <= -r:
                            hit = False
                            break
                    if hit:
                        head[HITS_INTERIOR] = 1
                        _add(ids, slots, head, other_id, other)
                        break
        i += 1
    if want_curr:
        head[CURR_CELL] = -1
        for i in range(head[COUNT]):
            slot = slots[i]
            if slot < 0:
                continue
            cell_id = int(cells["id"][slot])
            dx = np.float32((((cell_id >> 24) & 0xFF) - pos_bx) * 192)
            dy = np.float32((((cell_id >> 16) & 0xFF) - pos_by) * 192)
            if point_in_cell(g, slot, spheres[0, 0] - dx, spheres[0, 1] - dy, spheres[0, 2]):
                head[CURR_CELL] = slot
                if cells["kind"][slot] == ENV:
                    head[HITS_INTERIOR] = 1
                    break
    if head[DO_NOT_LOAD] != 0 and indoors:
        i = 0
        s_first = cells["stab_first"][seed]
        s_end = s_first + cells["stab_count"][seed]
        while i < head[COUNT]:
            keep = ids[i] == cells["id"][seed]
            for s in range(s_first, s_end):
                keep = keep or g.stabs[s] == ids[i]
            if keep:
                i += 1
            else:
                last = head[COUNT] - 1
                ids[i] = ids[last]
                slots[i] = slots[last]
                head[COUNT] = last


@kernel(inner=True)
def _box_in(
    f: F32, dx: np.float32, dy: np.float32, low: F32, high: F32
) -> tuple[np.float32, np.float32, np.float32, np.float32, np.float32, np.float32]:
    """Bounds of a box taken out of a frame and moved by (dx, dy): all eight corners."""
    x0, y0, z0 = rotate_by(f[3], f[4], f[5], f[6], low[0], low[1], low[2])
    x1 = x0
    y1 = y0
    z1 = z0
    for corner in range(1, 8):
        x, y, z = rotate_by(
            f[3], f[4], f[5], f[6],
            high[0] if corner & 1 else low[0],
            high[1] if corner & 2 else low[1],
            high[2] if corner & 4 else low[2],
        )  # fmt: skip
        x0 = min(x0, x)
        x1 = max(x1, x)
        y0 = min(y0, y)
        y1 = max(y1, y)
        z0 = min(z0, z)
        z1 = max(z1, z)
    ax = f[0] + dx
    ay = f[1] + dy
    return x0 + ax, y0 + ay, z0 + f[2], x1 + ax, y1 + ay, z1 + f[2]


@kernel(inner=True)
def _box_to_cell(
    f: F32, dx: np.float32, dy: np.float32, low: F32, high: F32, t: F32
) -> tuple[np.float32, np.float32, np.float32, np.float32, np.float32, np.float32]:
    """Bounds in frame t of a box of frame f moved by (dx, dy): all eight corners.

    Retail: BBox::LocalToLocal @0x005B1E60.
    """
    x0 = _ZERO
    y0 = _ZERO
    z0 = _ZERO
    x1 = _ZERO
    y1 = _ZERO
    z1 = _ZERO
    for corner in range(8):
        x, y, z = rotate_by(
            f[3], f[4], f[5], f[6],
            high[0] if corner & 1 else low[0],
            high[1] if corner & 2 else low[1],
            high[2] if corner & 4 else low[2],
        )  # fmt: skip
        x, y, z = rotate_by(
            t[3], -t[4], -t[5], -t[6], x + f[0] + dx - t[0], y + f[1] + dy - t[1], z + f[2] - t[2]
        )
        if corner == 0:
            x0 = x
            y0 = y
            z0 = z
            x1 = x
            y1 = y
            z1 = z
        else:
            x0 = min(x0, x)
            x1 = max(x1, x)
            y0 = min(y0, y)
            y1 = max(y1, y)
            z0 = min(z0, z)
            z1 = max(z1, z)
    return x0, y0, z0, x1, y1, z1


@kernel(inner=True)
def _sphere_in_cell(
    g: Arrays, part: int, f: F32, dx: np.float32, dy: np.float32
) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """Centre in frame f of a part's sphere, its own frame moved by (dx, dy); radius and epsilon.

    The physics sphere, else the drawing sphere; of a mesh that has neither it means nothing.
    """
    gfx = g.parts["gfx"][part]
    p = g.parts["frame"][part]
    if g.gfx["flags"][gfx] & HAS_PHYSICS != 0:
        s = g.gfx["physics_sphere"][gfx]
    else:
        s = g.gfx["drawing_sphere"][gfx]
    x, y, z = rotate_by(p[3], p[4], p[5], p[6], s[0], s[1], s[2])
    x, y, z = rotate_by(
        f[3], -f[4], -f[5], -f[6], x + p[0] + dx - f[0], y + p[1] + dy - f[1], z + p[2] - f[2]
    )
    return x, y, z, s[3] + _EPS


@kernel(inner=True)
def outside_parts(g: Arrays, o: int, ids: U32, slots: I32, head: I64) -> None:
    """The land cells under the parts of an object, once an array.

    Retail: CLandCell::add_all_outside_cells for parts @0x00533360.
    """
    if head[ADDED_OUTSIDE] != 0:
        return
    head[ADDED_OUTSIDE] = 1
    part_id = int(g.objects["part_cell_id"][o])
    first = g.objects["part_first"][o]
    end = first + g.objects["part_count"][o]
    anchor = first
    while anchor < end and g.parts["gfx"][anchor] < 0:
        anchor += 1
    if anchor == end:
        return
    origin = g.parts["frame"][anchor]
    _ok, cell_id, _px, _py = adjust_to_outside(part_id, origin[0], origin[1])
    if slot_of(g, cell_id) < 0:
        head[MISSED] = 1
        return
    cx = ((cell_id & 0xFFFF) - 1) >> 3
    cy = ((cell_id & 0xFFFF) - 1) & 7
    dx = np.float32((((part_id >> 24) & 0xFF) - ((cell_id >> 24) & 0xFF)) * 192)
    dy = np.float32((((part_id >> 16) & 0xFF) - ((cell_id >> 16) & 0xFF)) * 192)
    min_x = 0
    min_y = 0
    max_x = 0
    max_y = 0
    for part in range(anchor, end):
        gfx = g.parts["gfx"][part]
        if gfx < 0:
            continue
        f = g.parts["frame"][part]
        if g.gfx["flags"][gfx] & ALWAYS_2D != 0:
            r = _ZERO
            if g.gfx["flags"][gfx] & HAS_PHYSICS != 0:
                r = g.gfx["physics_sphere"][gfx, 3]
            elif g.gfx["flags"][gfx] & HAS_DRAWING != 0:
                r = g.gfx["drawing_sphere"][gfx, 3]
            x0 = f[0] - r
            y0 = f[1] - r
            x1 = f[0] + r
            y1 = f[1] + r
        else:
            x0, y0, _z0, x1, y1, _z1 = _box_in(
                f, dx, dy, g.gfx["box_min"][gfx], g.gfx["box_max"][gfx]
            )
        if not (x0 > -_FAR and y0 > -_FAR and x1 < _FAR and y1 < _FAR):
            continue  # tolerated: a box that is no number or wider than any world covers nothing
        min_x = min(min_x, int(math.floor(x0 / _CELL)) - cx)
        min_y = min(min_y, int(math.floor(y0 / _CELL)) - cy)
        max_x = max(max_x, int(math.floor(x1 / _CELL)) - cx)
        max_y = max(max_y, int(math.floor(y1 / _CELL)) - cy)
    x = ((cell_id >> 24) & 0xFF) * 8 + cx
    y = ((cell_id >> 16) & 0xFF) * 8 + cy
    known = head[COUNT]
    # divergence: D39
    for i in range(max(x + max(min_x, -_REACH), 0), min(x + min(max_x, _REACH), 2039) + 1):
        for j in range(max(y + max(min_y, -_REACH), 0), min(y + min(max_y, _REACH), 2039) + 1):
            at = (((j >> 3) | ((i >> 3) << 8)) << 16) | ((i & 7) * 8 + (j & 7) + 1)
            there = False
            for k in range(known):  # the new ones differ from each other
                there = there or ids[k] == at
            n = head[COUNT]
            if there:
                continue
            if n >= ids.shape[0]:
                head[OVERFLOW] = 1
                return
            ids[n] = at
            slots[n] = slot_of(g, at)
            head[COUNT] = n + 1


@kernel(inner=True)
def find_bbox_cell_list(
    g: Arrays, o: int, ids: U32, slots: I32, head: I64, near: F32
) -> None:  # fmt: skip
    """The cells that the parts of an object reach, from its current cell on, part by part.

    near : (n, 4) float32, scratch: the spheres of the first n parts in the cell that is looked at

    A cell-less object reaches none. Retail: CPhysicsObj::find_bbox_cell_list @0x00510FC0,
    CEnvCell::find_transit_cells for parts @0x0052CAE0, check_building_transit @0x0052C680.
    """
    # contract: S3, S4
    cells = g.cells
    parts = g.parts
    gfx_rows = g.gfx
    portals = g.portals
    head[COUNT] = 0
    head[ADDED_OUTSIDE] = 0
    head[OVERFLOW] = 0
    head[MISSED] = 0
    start = g.objects["cell"][o]
    if start < 0:
        return
    _add(ids, slots, head, int(cells["id"][start]), start)
    if g.objects["has_part_array"][o] == 0:
        return
    part_id = int(g.objects["part_cell_id"][o])
    part_first = g.objects["part_first"][o]
    part_end = part_first + g.objects["part_count"][o]
    i = 0
    door = -1  # the building's portals are at hand, `door` the next one
    door_end = -1
    while True:
        scan = -1  # the env cell whose portals come next
        if door >= 0:
            if door == door_end:
                door = -1
                i += 1
                continue
            at = door
            door += 1
            other_id = int(g.building_portals["other_cell_id"][at])
            other = slot_of(g, other_id)
            if other < 0:
                head[MISSED] = 1
                continue
            index = g.building_portals["other_portal"][at]
            if index < 0 or index >= cells["portal_count"][other]:
                continue  # tolerated: a building portal that points at no portal of the cell
            row = cells["portal_first"][other] + index
            plane = portals["plane"][row]
            side = portals["side"][row]
            f = cells["frame"][other]
            dx = np.float32((((part_id >> 24) & 0xFF) - ((other_id >> 24) & 0xFF)) * 192)
            dy = np.float32((((part_id >> 16) & 0xFF) - ((other_id >> 16) & 0xFF)) * 192)
            for part in range(part_first, part_end):
                gfx = parts["gfx"][part]
                if gfx < 0:
                    continue
                flags = gfx_rows["flags"][gfx]
                if flags & (HAS_PHYSICS | HAS_DRAWING) == 0:
                    continue
                x, y, z, r = _sphere_in_cell(g, part, f, dx, dy)
                p = parts["frame"][part]
                d = plane[0] * x + plane[1] * y + plane[2] * z + plane[3]
                if (side == 1 and d > r) or (side == 0 and d < -r):
                    continue
                x0, y0, z0, x1, y1, z1 = _box_to_cell(
                    p, dx, dy, gfx_rows["box_min"][gfx], gfx_rows["box_max"][gfx], f
                )
                k = intersect_box(plane[0], plane[1], plane[2], plane[3], x0, y0, z0, x1, y1, z1)
                if k != 3 and k != side:
                    continue
                if box_intersects_planes(
                    g.planes, cells["plane_first"][other], cells["plane_count"][other],
                    x0, y0, z0, x1, y1, z1,
                ):  # fmt: skip
                    _add(ids, slots, head, other_id, other)
                    scan = other
                    break
            if scan < 0:
                continue
        else:
            if i >= head[COUNT]:
                break
            slot = slots[i]
            if slot < 0:
                i += 1
                continue
            if cells["kind"][slot] != ENV:
                outside_parts(g, o, ids, slots, head)
                building = cells["building"][slot]
                if building < 0:
                    i += 1
                    continue
                door = g.buildings["portal_first"][building]
                door_end = door + g.buildings["portal_count"][building]
                continue
            scan = slot
        outside = False
        f = cells["frame"][scan]
        scan_id = int(cells["id"][scan])
        dx = np.float32((((part_id >> 24) & 0xFF) - ((scan_id >> 24) & 0xFF)) * 192)
        dy = np.float32((((part_id >> 16) & 0xFF) - ((scan_id >> 16) & 0xFF)) * 192)
        for n in range(min(part_end - part_first, near.shape[0])):
            if parts["gfx"][part_first + n] >= 0:
                x, y, z, r = _sphere_in_cell(g, part_first + n, f, dx, dy)
                near[n, 0] = x
                near[n, 1] = y
                near[n, 2] = z
                near[n, 3] = r
        first = cells["portal_first"][scan]
        for row in range(first, first + cells["portal_count"][scan]):
            plane = portals["plane"][row]
            side = portals["side"][row]
            other_id = int(portals["other_cell_id"][row])
            for part in range(part_first, part_end):
                gfx = parts["gfx"][part]
                if gfx < 0:
                    continue
                flags = gfx_rows["flags"][gfx]
                if flags & (HAS_PHYSICS | HAS_DRAWING) == 0:
                    continue
                p = parts["frame"][part]
                n = part - part_first
                if n < near.shape[0]:
                    x = near[n, 0]
                    y = near[n, 1]
                    z = near[n, 2]
                    r = near[n, 3]
                else:
                    x, y, z, r = _sphere_in_cell(g, part, f, dx, dy)
                d = plane[0] * x + plane[1] * y + plane[2] * z + plane[3]
                if (side == 0 and d > r) or (side == 1 and d < -r):
                    continue
                x0, y0, z0, x1, y1, z1 = _box_to_cell(
                    p, dx, dy, gfx_rows["box_min"][gfx], gfx_rows["box_max"][gfx], f
                )
                if side == intersect_box(
                    plane[0], plane[1], plane[2], plane[3], x0, y0, z0, x1, y1, z1
                ):
                    continue
                if other_id == _OUTSIDE_ID:
                    outside = True
                    break
                other = slot_of(g, other_id)
                if other < 0:
                    _add(ids, slots, head, other_id, -1)
                    break
                odx = np.float32((((part_id >> 24) & 0xFF) - ((other_id >> 24) & 0xFF)) * 192)
                ody = np.float32((((part_id >> 16) & 0xFF) - ((other_id >> 16) & 0xFF)) * 192)
                x0, y0, z0, x1, y1, z1 = _box_to_cell(
                    p, odx, ody, gfx_rows["box_min"][gfx], gfx_rows["box_max"][gfx],
                    cells["frame"][other],
                )  # fmt: skip
                if box_intersects_planes(
                    g.planes, cells["plane_first"][other], cells["plane_count"][other],
                    x0, y0, z0, x1, y1, z1,
                ):  # fmt: skip
                    _add(ids, slots, head, other_id, other)
                    break
        if outside:
            outside_parts(g, o, ids, slots, head)
        if door < 0:
            i += 1


@kernel
def calc_cell_array(
    g: Arrays, o: int, is_static: bool, ids: U32, slots: I32, head: I64, spheres: F32
) -> None:
    """The cell array of an object by the route that its kind takes.

    spheres : (10, 4) float32, scratch

    Retail: CPhysicsObj::calc_cross_cells_static @0x00515160, calc_cross_cells @0x00515230.
    """
    # contract: S2
    objects = g.objects
    head[DO_NOT_LOAD] = 1 if is_static else 0
    shape = objects["shape"][o]
    has_parts = objects["has_part_array"][o] != 0
    bsp = objects["state"][o] & HAS_PHYSICS_BSP != 0
    cylinders = g.shapes["cylinder_count"][shape] if has_parts and shape >= 0 else 0
    if bsp or (is_static and cylinders == 0):
        find_bbox_cell_list(g, o, ids, slots, head, spheres)
        return
    f = objects["frame"][o]
    count = 1
    if cylinders > 0:
        count = min(cylinders, MAX_CYLINDERS)
        first = g.shapes["cylinder_first"][shape]
        for i in range(count):
            c = g.cylinders[first + i]
            spheres[i, 0] = c[0]
            spheres[i, 1] = c[1]
            spheres[i, 2] = c[2]
            spheres[i, 3] = c[3]
    elif has_parts and shape >= 0:
        for k in range(4):
            spheres[0, k] = g.shapes["sorting"][shape, k]
    else:
        spheres[0, 0] = _ZERO
        spheres[0, 1] = _ZERO
        spheres[0, 2] = np.float32(0.1)
        spheres[0, 3] = np.float32(0.1)
    for i in range(count):
        x, y, z = rotate_by(f[3], f[4], f[5], f[6], spheres[i, 0], spheres[i, 1], spheres[i, 2])
        spheres[i, 0] = x + f[0]
        spheres[i, 1] = y + f[1]
        spheres[i, 2] = z + f[2]
    cell_id = int(objects["objcell_id"][o])
    find_cell_list(g, cell_id, f[0], f[1], spheres, count, ids, slots, head, False)


@kernel
def find_visible_child_cell(
    g: Arrays, slot: int, x: np.float32, y: np.float32, z: np.float32, search: bool
) -> int:
    """The cell itself if it holds a point, else a neighbour that does; -1 for none.

    search : look through the visible cells of its stab list instead of its portals
    Retail: CEnvCell::find_visible_child_cell @0x0052DC50.
    """
    if point_in_cell(g, slot, x, y, z):
        return slot
    cells = g.cells
    if search:
        first = cells["stab_first"][slot]
        for i in range(first, first + cells["stab_count"][slot]):
            other = slot_of(g, g.stabs[i])
            if other >= 0 and point_in_cell(g, other, x, y, z):
                return other
    else:
        first = cells["portal_first"][slot]
        for i in range(first, first + cells["portal_count"][slot]):
            if g.portals["other_cell_id"][i] != _OUTSIDE_ID:
                other = slot_of(g, g.portals["other_cell_id"][i])
                if other >= 0 and point_in_cell(g, other, x, y, z):
                    return other
    return -1

"""Where a following camera's eye may stand: it goes out from the head and stops at what is solid.

The eye keeps a cell as a body does: from cell to cell through portals, out through an exit, in
through a door. It never ends in the ground nor beyond a room's walls, so the walk always starts in
the cell that the eye is really in.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F64, Whole
from acclient_py.core.ids import adjust_to_outside
from acclient_py.kernels import kernel
from acclient_py.physics.layout import ENV, Arrays
from acclient_py.physics.transit import point_in_cell
from acclient_py.world.terrain import find_terrain_poly

STEP: Final = 0.1  # metres between two looks
CLEARANCE: Final = 0.3  # kept from walls and from the ground
OUTSIDE: Final = 0xFFFFFFFF
LAND: Final = -1
BLOCKED: Final = -2

_triangle = kernel(find_terrain_poly)


@kernel(inner=True)
def ground_under(g: Any, block: int, x: float, y: float) -> float:
    """Height of the ground of a block in full detail, -1e9 off it."""
    if block < 0 or x < 0.0 or y < 0.0 or x >= 192.0 or y >= 192.0:
        return -1.0e9
    cell = int(x / 24.0) * 8 + int(y / 24.0)
    t = max(_triangle(g.swne[block, cell] != 0, cell, np.float32(x), np.float32(y)), 0)
    nz = np.float64(g.terrain_planes[block, cell, t, 2])
    if nz == 0.0:
        return -1.0e9
    return (
        -(
            np.float64(g.terrain_planes[block, cell, t, 0]) * x
            + np.float64(g.terrain_planes[block, cell, t, 1]) * y
            + np.float64(g.terrain_planes[block, cell, t, 3])
        )
        / nz
    )


@kernel(inner=True)
def next_cell(g: Any, here: Whole, block: Whole, x: float, y: float, z: float) -> Whole:
    """The env cell slot that holds a point one step on from `here`; LAND, or BLOCKED by a wall.

    here : an env cell slot, or LAND ; block : slot of the block that x, y, z are local to
    """
    fx = np.float32(x)
    fy = np.float32(y)
    fz = np.float32(z)
    if here >= 0:
        if point_in_cell(g, int(here), fx, fy, fz):
            return here
        first = g.cells[here].portal_first
        leads_out = False
        for i in range(first, first + g.cells[here].portal_count):
            other_id = np.int64(g.portals[i].other_cell_id)
            if other_id == OUTSIDE:
                leads_out = True
                continue
            b = g.block_of[(other_id >> 16) & 0xFFFF]
            if b < 0:
                continue
            index = (other_id & 0xFFFF) - 0x100
            if index < 0 or index >= g.blocks[b].env_count:
                continue
            slot = g.env_table[g.blocks[b].env_first + index]
            if slot >= 0 and point_in_cell(g, slot, fx, fy, fz):
                return np.int64(slot)
        return LAND if leads_out else BLOCKED
    if block < 0:
        return LAND
    for i in range(g.blocks[block].env_count):
        slot = g.env_table[g.blocks[block].env_first + i]
        if slot >= 0 and g.cells[slot].seen_outside and point_in_cell(g, slot, fx, fy, fz):
            return np.int64(slot)
    if z < ground_under(g, int(block), x, y) + CLEARANCE:
        return BLOCKED
    return LAND


@kernel
def sweep_eye(g: Any, start: int, block_id: int, head: F64, eye: F64, out: F64) -> Whole:
    """Move an eye from a head as far as it may go; the env cell slot it ends in, or LAND.

    start    : env cell slot of the head, or LAND ; block_id : id >> 16 of the space of both points
    head, eye : (3,) ; out : (3,) where the eye ends
    """
    dx = eye[0] - head[0]
    dy = eye[1] - head[1]
    dz = eye[2] - head[2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    steps = np.int64(length / STEP) + 1
    here: Whole = start
    reached = 0.0
    for k in range(1, steps + 1):
        t = min(k * STEP / length if length > 0.0 else 1.0, 1.0)
        x = head[0] + dx * t
        y = head[1] + dy * t
        z = head[2] + dz * t
        bx = np.int64(np.floor(x / 192.0))
        by = np.int64(np.floor(y / 192.0))
        at: Whole = block_id
        if here < 0:
            at = block_id + (bx << 8) + by
            x -= bx * 192.0
            y -= by * 192.0
        block: Whole = -1
        if 0 <= at < 65536:
            block = np.int64(g.block_of[at])
        following = next_cell(g, here, block, x, y, z)
        if following == BLOCKED:
            reached = max(0.0, t - CLEARANCE / length) if length > 0.0 else 0.0
            reached = min(reached, 1.0)
            break
        here = following
        reached = t
    out[0] = head[0] + dx * reached
    out[1] = head[1] + dy * reached
    out[2] = head[2] + dz * reached
    return here


_head: F64 = np.zeros(3)
_eye: F64 = np.zeros(3)
_out: F64 = np.zeros(3)


def place_eye(
    arrays: Arrays,
    cell_id: int,
    head: tuple[float, float, float],
    eye: tuple[float, float, float],
) -> tuple[int, tuple[float, float, float]]:
    """(cell id, block-local origin) of an eye that goes from `head` towards `eye`.

    cell_id : the body's cell; its block is the space of both points
    """
    slot = _slot(arrays, cell_id)
    _head[:], _eye[:] = head, eye
    end = sweep_eye(arrays, slot, cell_id >> 16, _head, _eye, _out)
    x, y, z = (float(v) for v in _out)
    if end >= 0:
        return int(arrays.cells["id"][end]), (x, y, z)
    return outside_cell(cell_id, (x, y, z))


def outside_cell(
    cell_id: int, at: tuple[float, float, float]
) -> tuple[int, tuple[float, float, float]]:
    """The land cell under a point of a block, and the point in that cell's block."""
    found, land, x, y = adjust_to_outside((cell_id & 0xFFFF0000) | 1, at[0], at[1])
    if not found:
        return cell_id, at
    return int(land), (float(x), float(y), at[2])


def _slot(arrays: Arrays, cell_id: int) -> int:
    low = cell_id & 0xFFFF
    block = int(arrays.block_of[cell_id >> 16 & 0xFFFF])
    if block < 0 or low < 0x100 or low - 0x100 >= int(arrays.blocks["env_count"][block]):
        return LAND
    slot = int(arrays.env_table[int(arrays.blocks["env_first"][block]) + low - 0x100])
    return slot if slot >= 0 and int(arrays.cells["kind"][slot]) == ENV else LAND

"""Where a following camera's eye may stand: a sphere is swept from the head to where it should be.

It is the path that a body takes, run by the very transitions that move bodies, as a *viewer*: it
stops at the first thing that is solid (ground, walls, doors, trees; creatures let it through), and
it goes from cell to cell through portals. The cell that the sphere's middle ends in is the viewer
cell, the root of what is drawn; there is no other guess at it. Nothing of the world is written.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from acclient_py.core import F32, F64
from acclient_py.core.frame import Frame, global_to_local, local_to_global
from acclient_py.core.ids import adjust_to_outside, get_block_offset, is_env_cell
from acclient_py.physics.transition import Result, Transitions
from acclient_py.physics.world import PhysicsWorld

RADIUS: Final = 0.3
"""Of the viewer's sphere, metres: wider than the near plane's corners are away from the eye."""

IN_PLANE: Final = 0.0003
"""Metres from a portal's plane within which an eye is neither within nor without."""

INSIDE: Final = 0.0005
"""Metres from the plane at which it then stands."""

CLOSEST: Final = 1e-6  # metres: a shorter way is none

Vec = tuple[float, float, float]


class SweptEye:
    """Sweeps the viewer's sphere through one world. Owns the scratch of its paths.

    Retail: SmartBox::update_viewer @0x00453CE0, with the object info 0x5C.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._paths = Transitions(physics.graph, physics.models, physics.bodies)
        self._begin: F64 = np.array((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
        self._end: F64 = self._begin.copy()
        self._low: F32 = np.zeros(3, np.float32)

    def place(self, cell_id: int, head: Vec, eye: Vec, *, body: int = -1) -> tuple[int, Vec]:
        """(viewer cell, block-local origin) of an eye that goes from `head` towards `eye`.

        cell_id : a cell; its block is the space of both points, and it, or in a house the room of
                  it that holds the head, is where the way begins
        body    : the object whose head it is, which is in nobody's way
        """
        slot, found = self._start(cell_id, head)
        if slot < 0:
            return self._unswept(cell_id, head, eye)
        dx, dy = get_block_offset(found, cell_id)
        start = (head[0] + float(dx), head[1] + float(dy), head[2])
        wanted = (eye[0] + float(dx), eye[1] + float(dy), eye[2])
        result = self._sweep(slot, found, start, wanted, body)
        cell, at = _end(result)
        return cell, self.off_portals(cell, at)

    def slide(self, cell_id: int, start: Vec, wanted: Vec, *, body: int = -1) -> tuple[int, Vec]:
        """As `place`, but what is left of the way goes along the thing that stopped it."""
        slot, found = self._start(cell_id, start)
        if slot < 0:
            return self._unswept(cell_id, start, wanted)
        for _ in range(2):
            result = self._sweep(slot, found, start, wanted, body)
            before = found
            slot = result.curr_cell
            found, start = _end(result)
            dx, dy = get_block_offset(found, before)
            left = (wanted[0] + float(dx), wanted[1] + float(dy))
            normal = result.collision_normal
            if normal is None or slot < 0:
                break
            way = (left[0] - start[0], left[1] - start[1], wanted[2] - start[2])
            into = sum(a * float(n) for a, n in zip(way, normal, strict=True))
            along = [a - into * float(n) for a, n in zip(way, normal, strict=True)]
            wanted = (start[0] + along[0], start[1] + along[1], start[2] + along[2])
            if math.dist(start, wanted) < CLOSEST:
                break
        return found, self.off_portals(found, start)

    def room(self, cell_id: int, eye: Vec) -> int:
        """The room that holds a fixed eye: as with a body, its cell may be named a room off."""
        return self._start(cell_id, eye)[1]

    def _start(self, cell_id: int, head: Vec) -> tuple[int, int]:
        """(slot, id) of the cell that a head is in; the body's own where no room holds it."""
        slot = self._physics.cell_slot(cell_id)
        if not is_env_cell(cell_id):
            return slot, cell_id
        frame = Frame(head, (1.0, 0.0, 0.0, 0.0)).array()
        found, found_id = self._physics.adjust_position(cell_id, frame, self._low)
        # a head above the rooms of its house stays in the body's room: the way begins there
        return (found, found_id) if found >= 0 and is_env_cell(found_id) else (slot, cell_id)

    def _sweep(self, slot: int, cell_id: int, start: Vec, wanted: Vec, body: int) -> Result:
        self._begin[:3], self._end[:3] = start, wanted
        return self._paths.view(
            body,
            slot,
            begin_id=cell_id,
            begin=self._begin,
            end_id=cell_id,
            end=self._end,
            radius=RADIUS,
        )

    def off_portals(self, cell_id: int, eye: Vec) -> Vec:
        """An eye in the very plane of a portal of its cell, on the inner side of it.

        A cell holds what is 0.2 mm beyond its planes, while its portals are looked through from
        within only: in between an eye would see through nothing (register D25). Retail's own eye is
        the middle of a sphere that no wall lets come so near; a fixed camera may be put there.
        """
        slot = self._physics.cell_slot(cell_id) if is_env_cell(cell_id) else -1
        if slot < 0:
            return eye
        arrays = self._physics.graph.views()
        cell = arrays.cells[slot]
        first, count = int(cell["portal_first"]), int(cell["portal_count"])
        portals = arrays.portals[first : first + count]
        frame = cell["frame"]
        x, y, z = (float(v) for v in global_to_local(frame, *eye))
        for plane, side in zip(portals["plane"], portals["side"], strict=True):
            nx, ny, nz, w = (float(v) for v in plane)
            d = x * nx + y * ny + z * nz + w
            if abs(d) < IN_PLANE:
                by = (-INSIDE if side else INSIDE) - d
                x, y, z = x + by * nx, y + by * ny, z + by * nz
                at = local_to_global(frame, np.float32(x), np.float32(y), np.float32(z))
                eye = (float(at[0]), float(at[1]), float(at[2]))
        return eye

    def _unswept(self, cell_id: int, head: Vec, eye: Vec) -> tuple[int, Vec]:
        """The cell is not there: indoors the eye stays at the head, outdoors nothing is solid."""
        return (cell_id, head) if is_env_cell(cell_id) else outside_cell(cell_id, eye)


def outside_cell(cell_id: int, at: Vec) -> tuple[int, Vec]:
    """The land cell under a point of a block, and the point in that cell's block."""
    found, land, x, y = adjust_to_outside((cell_id & 0xFFFF0000) | 1, at[0], at[1])
    if not found:
        return cell_id, at
    return int(land), (float(x), float(y), at[2])


def _end(result: Result) -> tuple[int, Vec]:
    """Where a path ended; beyond the loaded cells the land cell is that of the lattice."""
    x, y, z = (float(v) for v in result.curr[:3])
    cell_id = int(result.curr_id)
    if result.curr_cell < 0 and not is_env_cell(cell_id):
        return outside_cell(cell_id, (x, y, z))
    return cell_id, (x, y, z)

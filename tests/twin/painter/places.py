"""Random ground and rooms: blocks with hills, houses over block borders, dungeons with loops.

Rooms stand in a grid of boxes with doors in shared walls. Some doors lead one way, some the wrong
way, some have a polygon that is no polygon, some a neighbour that cuts differently.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np
from builders.graphs import block, box_planes
from msgspec.structs import replace
from twin.painter.looks import Corner, Looks, f32
from twin.painter.reading import Node, Opening

from acclient_py.core import F32
from acclient_py.world.building import BuildingPortalModel
from acclient_py.world.cell import EnvCellModel, PortalModel
from acclient_py.world.landblock import Landblock
from acclient_py.world.pools import polygon_planes
from acclient_py.world.shapes import StructureModel

OUTSIDE = 0xFFFFFFFF
SIZE = 4.0
"""Half the width of a room."""
TALL = 3.5


def ground(rng: random.Random, x: int, y: int) -> Landblock:
    """A block of random heights: flat, rolling or steep."""
    steep = rng.choice((0.0, 0.0, 4.0, 40.0))
    base = rng.choice((0.0, 10.0, 30.0))
    heights = [[f32(base + rng.uniform(0, steep)) for _ in range(9)] for _ in range(9)]
    return replace(block(x, y), heights=np.array(heights, np.float32))


def yaw_frame(x: float, y: float, z: float, angle: float) -> tuple[float, ...]:
    w, q = math.cos(angle / 2), math.sin(angle / 2)
    return f32(x), f32(y), f32(z), f32(w), 0.0, 0.0, f32(q)


def wall(axis: int, at: float, low: float, high: float, top: float, bottom: float) -> list[Corner]:
    """An upright rectangle whose positive side looks along the axis."""
    if axis == 0:
        return [(at, low, bottom), (at, high, bottom), (at, high, top), (at, low, top)]
    return [(high, at, bottom), (low, at, bottom), (low, at, top), (high, at, top)]


@dataclass
class Door:
    """A portal of a room before it is a model."""

    corners: list[Corner]
    other: int
    other_portal: int
    side: int
    exact: bool


@dataclass
class Rooms:
    """A group of rooms with one turn; `frame` is the group's, block-local."""

    block_id: int
    frame: tuple[float, ...]
    doors: dict[int, list[Door]] = field(default_factory=dict)
    """By cell id."""
    centres: dict[int, Corner] = field(default_factory=dict)
    """In the group's frame."""
    exits: list[tuple[int, int, list[Corner]]] = field(default_factory=list)
    """(cell id, index of the portal, corners in the group's frame)."""

    def placed(self, corner: Corner) -> Corner:
        """A point of the group in the block."""
        x, y, z, w, _, _, q = self.frame
        angle = 2 * math.atan2(q, w)
        c, s = math.cos(angle), math.sin(angle)
        return (
            x + c * corner[0] - s * corner[1],
            y + s * corner[0] + c * corner[1],
            z + corner[2],
        )


def make_rooms(rng: random.Random, block_id: int, first: int, *, at: Corner, exits: int) -> Rooms:
    """Boxes on a grid, two floors at times, doors between neighbours, exits in outer walls."""
    angle = rng.choice((0.0, 0.0, math.pi / 2, rng.uniform(0, 6.28)))
    group = Rooms(block_id, yaw_frame(*at, angle))
    across, deep = rng.choice(((1, 1), (2, 1), (2, 2), (2, 2), (3, 2), (3, 3), (4, 2), (5, 1)))
    grid = {}
    for i in range(across):
        for j in range(deep):
            if len(grid) < 2 or rng.random() < 0.9:
                cell_id = block_id & 0xFFFF0000 | first + len(grid)
                grid[i, j] = cell_id
                group.centres[cell_id] = (
                    (2 * i - across + 1) * SIZE, (2 * j - deep + 1) * SIZE, 0.0,
                )  # fmt: skip
                group.doors[cell_id] = []
    for (i, j), here in grid.items():
        for axis, beside in ((0, (i + 1, j)), (1, (i, j + 1))):
            if beside in grid and rng.random() < 0.85:
                _door(rng, group, here, grid[beside], axis)
    ids = list(grid.values())
    if len(ids) > 2 and rng.random() < 0.5:  # doors between rooms that do not touch
        for _ in range(rng.randint(1, 4)):
            here, there = rng.sample(ids, 2)
            _door(rng, group, here, there, rng.randrange(2))
    outer = [
        (here, axis, way)
        for (i, j), here in grid.items()
        for axis, way in ((0, 1), (0, -1), (1, 1), (1, -1))
        if (i + way * (axis == 0), j + way * (axis == 1)) not in grid
    ]
    for here, axis, way in rng.sample(outer, min(exits, len(outer))):
        corners = _opening(rng, axis, way * SIZE)
        door = Door(corners, OUTSIDE, -1, 0 if way < 0 else 1, True)
        group.doors[here].append(door)
        moved = [_shift(c, group.centres[here], 1) for c in corners]
        group.exits.append((here, len(group.doors[here]) - 1, moved))
    return group


def _shift(corner: Corner, by: Corner, sign: int) -> Corner:
    x, y, z = (f32(c + sign * b) for c, b in zip(corner, by, strict=True))
    return x, y, z


def _opening(rng: random.Random, axis: int, at: float) -> list[Corner]:
    """A door, a window, a whole wall, at times with an arch."""
    kind = rng.random()
    if kind < 0.35:
        low, high, bottom, top = -SIZE, SIZE, 0.0, TALL
    else:
        low = rng.choice((-1.0, rng.uniform(-3, 0)))
        high = low + rng.choice((2.0, rng.uniform(0.3, 3)))
        bottom = 0.0 if kind < 0.8 else 1.0
        top = bottom + rng.uniform(0.5, 2.3)
    corners = [
        (f32(x), f32(y), f32(z)) for x, y, z in wall(axis, at, low, high, top, bottom)
    ]  # fmt: skip
    if rng.random() < 0.2:
        middle = [(a + b) / 2 for a, b in zip(corners[2], corners[3], strict=True)]
        corners.insert(3, (f32(middle[0]), f32(middle[1]), f32(middle[2] + 0.4)))
    return corners


def _door(rng: random.Random, group: Rooms, a: int, b: int, axis: int) -> None:
    """A door in the wall between a room and the one beyond it along an axis."""
    corners = _opening(rng, axis, SIZE)
    step: Corner = (2 * SIZE, 0.0, 0.0) if axis == 0 else (0.0, 2 * SIZE, 0.0)
    theirs = [_shift(c, step, -1) for c in corners]
    exact = rng.random() < 0.7
    if not exact and rng.random() < 0.8:
        theirs = [_shift(c, step, -1) for c in _opening(rng, axis, SIZE)]
    kind = rng.random()
    if kind < 0.04:
        corners = rng.choice((corners[:2], [corners[0]] * 3, [*corners[:2], corners[0]], []))
    sides = (1, 0) if kind < 0.95 else rng.choice(((0, 0), (1, 1), (0, 1)))
    here, there = group.doors[a], group.doors[b]
    both = kind < 0.9 or kind > 0.95
    other = len(there) if both else rng.choice((-1, 7))
    here.append(Door(corners, b, other, sides[0], exact))
    if both:
        there.append(Door(theirs, a, len(here) - 1, sides[1], exact))
    if rng.random() < 0.02:
        here.append(Door(_opening(rng, axis, SIZE), a, 0, 1, True))


def models_of(rng: random.Random, group: Rooms, looks: Looks) -> list[EnvCellModel]:
    """The rooms as the program's cells; their portals' corners and meshes go into the looks."""
    made = []
    for cell_id, doors in group.doors.items():
        x, y, z = group.placed(group.centres[cell_id])
        frame = np.array((x, y, z, *group.frame[3:]), np.float32)
        portals = []
        for index, door in enumerate(doors):
            corners: F32 = np.array(door.corners, np.float32).reshape(-1, 3)
            plane = plane_of(door.corners)
            portals.append(
                PortalModel(
                    door.other, door.side, door.other_portal, door.exact, plane, corners
                )
            )  # fmt: skip
            looks.corners_of[cell_id, index] = tuple(door.corners)
        stabs = [other for other in group.doors if other != cell_id and rng.random() < 0.95]
        low, high = (-SIZE, -SIZE, 0.0), (SIZE, SIZE, TALL)
        structure = StructureModel(
            0, 0, None, box_planes(low, high), 0, {}, -1,  # type: ignore[arg-type]
            np.array(low, np.float32), np.array(high, np.float32),
        )  # fmt: skip
        made.append(
            EnvCellModel(
                cell_id, frame, structure, (), tuple(portals), tuple(stabs),
                rng.random() < 0.7, (), 0,
            )
        )  # fmt: skip
        if rng.random() < 0.93:
            looks.cell_meshes[cell_id] = looks.mesh(rng, rng.randint(1, 3))
    return made


def plane_of(corners: list[Corner]) -> F32:
    """The plane of a polygon; of what is none: upright, through the first corner."""
    if len(corners) >= 3:
        found: F32 = polygon_planes(np.array([corners], np.float32))[0]
        if found[:3].any():
            return found
    return np.array((1, 0, 0, -corners[0][0] if corners else 0), np.float32)


def shell_tree(rng: random.Random, group: Rooms) -> tuple[Node | None, list[BuildingPortalModel]]:
    """The portal nodes of a house round its rooms, and its portals, one for each exit."""
    portals = []
    nodes: list[Node] = []
    ids = list(group.doors)
    for number, (cell_id, index, corners) in enumerate(group.exits):
        stabs = tuple(i for i in ids if rng.random() < (0.98 if i == cell_id else 0.9))
        kind = rng.random()
        other = cell_id if kind < 0.96 else group.block_id & 0xFFFF0000 | 0x01FF
        # the shell's opening looks outwards as the wall does; `side` is where the house lies
        side = group.doors[cell_id][index].side
        if kind > 0.98:
            side = 1 - side
        portals.append(BuildingPortalModel(other, index, 1 - side, True, stabs))
        plane = tuple(plane_of(corners))
        opening = Opening(plane, tuple(corners), number if rng.random() < 0.98 else 40)
        nodes.append(Node(plane, None, None, (opening,)))
    while len(nodes) > 1:
        a, b = (nodes.pop(rng.randrange(len(nodes))) for _ in range(2))
        if a.positive is None and a.negative is None and rng.random() < 0.5:
            below = (b, None) if rng.random() < 0.5 else (None, b)
            nodes.append(Node(a.plane, *below, a.openings))
        else:
            nodes.append(Node(a.plane, *rng.sample((a, b), 2), ()))
    return (nodes[0] if nodes else None), portals

"""The way through houses: from one room, or the open, to another, opening by opening.

Nothing is authored for it: what leads where are the portals of the env cells that are there. A
portal is a way for who can walk through it: it stands upright, is wide enough, and its sill is no
higher over the floor than a step; so a window is none. One in a floor, as on a stair, is a way too,
but nobody is sent to its middle. Who has the openings straight before him goes straight.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from acclient_py.core.frame import local_to_global, local_to_global_vec
from acclient_py.core.ids import OUTSIDE
from acclient_py.host.footprints import Footprints
from acclient_py.physics.distance import Place, distance, offset
from acclient_py.physics.path import FLOOR_Z

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld
    from acclient_py.world.cell import EnvCellModel

STEP: Final = 0.65
"""Metres that a sill may stand over the floor."""
SHARPEST: Final = 0.5
"""Of the upward part of a portal's normal: beyond it the portal lies in a floor."""
CLEAR: Final = 0.15
"""Metres from the middle of an opening at which everybody gets through that it is wide enough for,
and the least that is left on either side of a body that goes through it as it comes."""
BEFORE: Final = 0.8
"""Metres before and behind an opening from and to which one goes through it."""
MOST_ROOMS: Final = 512
"""Rooms that are looked into for a way."""
SILL: Final = 0.05
"""Metres over its lowest corner up to which an opening's corners are its sill."""
MIDDLE: Final = 0.5
"""Metres over a place's floor at which it is asked which room it lies in."""
INSIDE: Final = 0.05
"""Metres inside an opening, where its floor is looked for."""

Point = tuple[float, float, float]


class Opening(NamedTuple):
    """A portal that can be walked through, as it is met from one side.

    room     : what lies behind it, an env cell's id, or 0 for the open
    middle   : of its sill ; east, north : the way through it, of length 1; both 0 in a floor
    half     : metres from the middle to either side
    """

    room: int
    middle: Place
    east: float
    north: float
    half: float

    def back(self, room: int) -> Opening:
        """The same from the other side, behind which `room` lies."""
        return Opening(room, self.middle, -self.east, -self.north, self.half)

    def at(self, metres: float) -> Place:
        """The place so far behind its middle; a negative number is before it."""
        cell, x, y, z = self.middle
        return Place(cell, x + metres * self.east, y + metres * self.north, z)

    @property
    def in_floor(self) -> bool:
        """It is gone through upwards or downwards, wherever the stair leads."""
        return self.east == 0.0 and self.north == 0.0

    def passes(self, here: Place, there: Place, radius: float) -> bool:
        """Whether a body that goes straight from here to there comes well through it."""
        if self.in_floor:
            return True
        ax, ay, _ = offset(self.middle, here)
        bx, by, _ = offset(self.middle, there)
        a, b = ax * self.east + ay * self.north, bx * self.east + by * self.north
        if not a < b or b <= 0.0:
            return False
        share = max(0.0, -a / (b - a))
        x, y = ax + (bx - ax) * share, ay + (by - ay) * share
        aside = abs(y * self.east - x * self.north)
        return aside <= max(CLEAR, self.half - radius - CLEAR)


class Routes:
    """Ways through the houses of one world; what a cell opens to is worked out once."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.footprints = Footprints(world)
        self._known: dict[int, tuple[EnvCellModel, tuple[Opening, ...]]] = {}

    def room_at(self, place: Place) -> int:
        """The room that a place really lies in: its cell may be named a room off."""
        x, y, z = place[1:]
        frame = np.array((x, y, z + MIDDLE, 1.0, 0.0, 0.0, 0.0), np.float32)
        _, found = self.world.adjust_position(place.cell_id, frame, np.zeros(3, np.float32))
        return room_of(found or place.cell_id)

    def between(self, here: Place, there: Place) -> tuple[Opening, ...]:
        """The openings to go through, in order; none within one room, or where there is no way."""
        start, goal = room_of(here.cell_id), self.room_at(there)
        if start == goal:
            return ()
        if start and goal:
            found = self._search(start, goal, here, there)
            if found is not None:
                return found
            out, home = self._search(start, 0, here, there), self._search(goal, 0, there, here)
            return () if out is None or home is None else (*out, *_turned(goal, home))
        found = self._search(start or goal, 0, *((here, there) if start else (there, here)))
        if found is None:
            return ()
        return found if start else _turned(goal, found)

    def _search(
        self, start: int, goal: int, here: Place, there: Place
    ) -> tuple[Opening, ...] | None:
        """The shortest way from an env cell to another room, through no open air."""
        ways: list[tuple[Opening, int]] = []  # with the one before it
        waiting: list[tuple[float, int, int]] = [(0.0, -1, start)]
        seen: set[int] = set()
        while waiting and len(seen) < MOST_ROOMS:
            length, last, room = heapq.heappop(waiting)
            if room == goal:
                found = []
                while last >= 0:
                    found.append(ways[last][0])
                    last = ways[last][1]
                return tuple(reversed(found))
            if room in seen:
                continue
            seen.add(room)
            at = here if last < 0 else ways[last][0].middle
            for opening in self.openings(room):
                if opening.room in seen:
                    continue
                ways.append((opening, last))
                so_far = length + distance(at, opening.middle)
                if opening.room == goal:
                    so_far += distance(opening.middle, there)
                heapq.heappush(waiting, (so_far, len(ways) - 1, opening.room))
        return None

    def openings(self, room: int) -> tuple[Opening, ...]:
        """What an env cell opens to; nothing where it is not resident."""
        model = self.world.blocks.env_models.get(self.world.cell_slot(room))
        if model is None:
            return ()
        known = self._known.get(room)
        if known is None or known[0] is not model:
            known = self._known[room] = (model, tuple(_openings(model)))
        return known[1]


def room_of(cell_id: int) -> int:
    """An env cell's id; 0 for all that is under the sky."""
    return cell_id if cell_id & 0xFFFF >= 0x100 else 0


def _turned(goal: int, way: tuple[Opening, ...]) -> tuple[Opening, ...]:
    """The way back of one that begins in the room `goal`."""
    rooms = (goal, *(opening.room for opening in way))
    return tuple(
        opening.back(room) for opening, room in zip(reversed(way), rooms[-2::-1], strict=True)
    )


def _openings(model: EnvCellModel) -> list[Opening]:
    found = []
    for portal in model.portals:
        ring = _placed(model, portal.vertices)
        room = 0 if portal.other_cell_id == OUTSIDE else portal.other_cell_id
        normal = local_to_global_vec(model.frame, *portal.plane[:3])
        x, y, up = (float(v) for v in normal)
        level = math.sqrt(x * x + y * y)
        if abs(up) > SHARPEST or level == 0.0:
            middle = Place(model.id, *_mean(ring))
            found.append(Opening(room, middle, 0.0, 0.0, 0.0))
            continue
        outward = level if portal.portal_side else -level  # the interior may lie before the plane
        x, y = x / outward, y / outward
        low = min(corner[2] for corner in ring)
        sill = [corner for corner in ring if corner[2] <= low + SILL]
        along = [cy * x - cx * y for cx, cy, _ in sill]
        half = (max(along) - min(along)) / 2.0
        east, north, _ = _mean(sill)
        floor = _floor_under(model, east - INSIDE * x, north - INSIDE * y, low)
        if half >= CLEAR and floor is not None and low - floor <= STEP:
            found.append(Opening(room, Place(model.id, east, north, low), x, y, half))
    return found


def _placed(model: EnvCellModel, corners: Iterable[Any]) -> list[Point]:
    """Corners of a cell, in its block."""
    placed = (local_to_global(model.frame, *corner) for corner in corners)
    return [(float(x), float(y), float(z)) for x, y, z in placed]


def _mean(points: list[Point]) -> Point:
    x = y = z = 0.0
    for px, py, pz in points:
        x, y, z = x + px, y + py, z + pz
    return x / len(points), y / len(points), z / len(points)


def _floor_under(model: EnvCellModel, x: float, y: float, sill: float) -> float | None:
    """The height of what one stands on in a cell at a place, nearest below a sill or a step up."""
    best: float | None = None
    record = model.structure.record
    positions = record.vertices.positions
    for polygon in record.physics_polygons:
        ring = _placed(model, (positions[i] for i in polygon.vertex_indices))
        plane = _plane(ring)
        if plane is None:
            continue
        nx, ny, nz = plane
        left = right = False
        for (ax, ay, _), (bx, by, _) in zip(ring, (*ring[1:], ring[0]), strict=True):
            side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            left, right = left or side > 0.0, right or side < 0.0
        if left and right:
            continue
        ax, ay, az = ring[0]
        height = az - (nx * (x - ax) + ny * (y - ay)) / nz
        if height <= sill + STEP and (best is None or height > best):
            best = height
    return best


def _plane(ring: list[Point]) -> Point | None:
    """The normal of a polygon that one can stand on, of any length; None of another."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ring[:3]
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    return (nx, ny, nz) if abs(nz) >= FLOOR_Z * size and size > 0.0 else None

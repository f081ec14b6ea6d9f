"""Round houses: what a shell covers of the ground, and the corner by which one gets past it.

A footprint is the rectangle, along the shell's own axes, about what of its physics polygons stands
low enough to be walked into. A straight way that leads through one is bent round its corners, the
shorter way about.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from acclient_py.core import F32
from acclient_py.core.frame import local_to_global_vec
from acclient_py.physics.distance import Place, offset

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

LOW: Final = 2.0
"""Metres over a shell's origin up to which it is in the way."""
ROUND: Final = 0.5
"""Metres that are left between a body and a corner that it goes round, more than it must."""
AT: Final = 0.4
"""Metres from a corner at which a body has come to it, and goes on to the next one."""
NEAR: Final = 96.0
"""Metres from a body to houses that it minds."""

Flat = tuple[float, float]


class Footprint(NamedTuple):
    """A rectangle on the ground.

    middle : of it ; ux, uy : along its first side, of length 1 ; hx, hy : half of its sides
    """

    middle: Place
    ux: float
    uy: float
    hx: float
    hy: float

    def local(self, place: Place) -> Flat:
        """A place seen from its middle, along its sides."""
        x, y, _ = offset(self.middle, place)
        return x * self.ux + y * self.uy, y * self.ux - x * self.uy

    def out(self, at: Flat) -> Place:
        """The other way: a place on the ground."""
        cell, x, y, z = self.middle
        return Place(
            cell, x + at[0] * self.ux - at[1] * self.uy, y + at[0] * self.uy + at[1] * self.ux, z
        )

    def corner(self, here: Place, there: Place, radius: float) -> Place | None:
        """The corner that a body goes to first; None: nothing is in its way."""
        hx, hy = self.hx + radius, self.hy + radius
        a, b = self.local(here), self.local(there)
        if not _crosses(a, b, hx, hy):
            return None
        x, y = hx + ROUND, hy + ROUND
        corners = ((x, y), (-x, y), (-x, -y), (x, -y))
        sides = (2.0 * x, 2.0 * y)  # from one corner to the next, beginning with the first
        best, first = math.inf, None
        for i, begin in enumerate(corners):
            if _crosses(a, begin, hx, hy) or _apart(a, begin) < AT:
                continue
            for turn in (1, -1):
                at, length = i, _apart(a, begin)
                for _ in corners:
                    if not _crosses(corners[at], b, hx, hy):
                        break
                    after = (at + turn) % 4
                    length += sides[(at if turn > 0 else after) % 2]
                    at = after
                length += _apart(corners[at], b)
                if length < best:
                    best, first = length, begin
        return None if first is None else self.out(first)


class Footprints:
    """Those of the shells of one world."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self._known: dict[tuple[int, int], Footprint | None] = {}

    def corner(self, here: Place, there: Place, radius: float) -> Place | None:
        """The corner to go to first, on the way from one place under the sky to another."""
        for block_id, rows in self.world.buildings.items():
            x, y, _ = offset(here, Place(block_id, 96.0, 96.0, 0.0))
            if abs(x) > NEAR + 96.0 or abs(y) > NEAR + 96.0:
                continue
            for row in rows:
                house = self._footprint(row)
                corner = None if house is None else house.corner(here, there, radius)
                if corner is not None:
                    return corner
        return None

    def _footprint(self, row: int) -> Footprint | None:
        arrays = self.world.graph.arrays
        shell = arrays.objects[int(arrays.buildings["object"][row])]
        key = (int(arrays.buildings["object"][row]), int(shell["generation"]))
        if key not in self._known:
            gfx = int(arrays.parts["gfx"][shell["part_first"]]) if shell["part_count"] else -1
            cell_id = int(arrays.cells["id"][arrays.buildings["cell"][row]])
            self._known[key] = None if gfx < 0 else self._measured(gfx, shell["frame"], cell_id)
        return self._known[key]

    def _measured(self, gfx: int, frame: F32, cell_id: int) -> Footprint | None:
        record = self.world.models.gfx_record(gfx)
        if record is None:
            return None
        positions = record.vertices.positions
        used = {i for polygon in record.physics_polygons for i in polygon.vertex_indices}
        low = [positions[i] for i in sorted(used) if positions[i][2] <= LOW]
        if not low:
            return None
        west, east = (float(f(p[0] for p in low)) for f in (min, max))
        south, north = (float(f(p[1] for p in low)) for f in (min, max))
        ux, uy = (float(v) for v in local_to_global_vec(frame, 1.0, 0.0, 0.0)[:2])
        long = math.sqrt(ux * ux + uy * uy)
        if long == 0.0:
            return None  # it stands on its side
        ux, uy = ux / long, uy / long
        x, y = (west + east) / 2.0, (south + north) / 2.0
        middle = Place(
            cell_id,
            float(frame[0]) + x * ux - y * uy,
            float(frame[1]) + x * uy + y * ux,
            float(frame[2]),
        )
        return Footprint(middle, ux, uy, (east - west) / 2.0, (north - south) / 2.0)


def _apart(a: Flat, b: Flat) -> float:
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def _crosses(a: Flat, b: Flat, hx: float, hy: float) -> bool:
    """Whether the straight way leads through the rectangle.

    Who stands within its rim, before a door, comes out over the side that is nearest to him, and
    in over the side that is nearest to where he goes.
    """
    inside_a = abs(a[0]) < hx and abs(a[1]) < hy
    inside_b = abs(b[0]) < hx and abs(b[1]) < hy
    if inside_a and inside_b:
        return _side(a, hx, hy) != _side(b, hx, hy)
    if inside_a or inside_b:
        rim, other = (a, b) if inside_a else (b, a)
        axis, sign = _side(rim, hx, hy)
        return other[axis] * sign < (hx, hy)[axis]
    enters, leaves = 0.0, 1.0
    for k, half in ((0, hx), (1, hy)):
        way = b[k] - a[k]
        if way == 0.0:
            if abs(a[k]) >= half:
                return False
            continue
        first, last = sorted(((-half - a[k]) / way, (half - a[k]) / way))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters < leaves


def _side(at: Flat, hx: float, hy: float) -> tuple[int, float]:
    """(axis, direction) of the side that is nearest to a place within."""
    axis = 0 if hx - abs(at[0]) < hy - abs(at[1]) else 1
    return axis, 1.0 if at[axis] >= 0.0 else -1.0

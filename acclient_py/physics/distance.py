"""How far and which way: places of bodies against each other, over block borders (spec 5.11).

A place is (cell id, x, y, z), metres in the cell's block. Plain Python for the few bodies that are
on their way somewhere; + - * / and square roots, and the trigonometry of `core/trig.py`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from acclient_py.core.ids import get_block_offset
from acclient_py.core.trig import PI, atan2

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

DEGREES: Final = 180.0 / PI


class Place(NamedTuple):
    """A point of the world."""

    cell_id: int
    x: float
    y: float
    z: float


class Shape(NamedTuple):
    """The upright cylinder that stands for a body when distances are asked."""

    radius: float
    height: float


POINT: Final = Shape(0.0, 0.0)


def place_of(world: PhysicsWorld, obj: int) -> Place:
    """Where an object's origin is."""
    row = world.graph.arrays.objects[obj]
    x, y, z = (float(v) for v in row["frame"][:3])
    return Place(int(row["objcell_id"]), x, y, z)


def shape_of(world: PhysicsWorld, obj: int) -> Shape:
    """Its Setup's radius and height, times its scale."""
    setup = world.setup_of(obj)
    if setup is None:
        return POINT
    scale = float(world.graph.arrays.objects["scale"][obj])
    return Shape(float(setup.radius) * scale, float(setup.height) * scale)


def offset(a: Place, b: Place) -> tuple[float, float, float]:
    """Metres from a to b, world axes."""
    dx, dy = get_block_offset(a.cell_id, b.cell_id)
    return b.x - a.x + float(dx), b.y - a.y + float(dy), b.z - a.z


def distance(a: Place, b: Place) -> float:
    """Between the points."""
    x, y, z = offset(a, b)
    return math.sqrt(x * x + y * y + z * z)


def cylinder_distance(a: Place, of_a: Shape, b: Place, of_b: Shape) -> float:
    """Between two upright cylinders, less than 0 when they meet (0x5A97F0)."""
    reach = distance(a, b) - (of_a.radius + of_b.radius)
    low, high, height = (a, b, of_a.height) if a.z <= b.z else (b, a, of_b.height)
    gap = high.z - (low.z + height)
    if gap > 0.0:
        return math.sqrt(gap * gap + reach * reach) if reach > 0.0 else gap
    return reach if reach > 0.0 else -math.sqrt(gap * gap + reach * reach)


def flat_distance(a: Place, of_a: Shape, b: Place, of_b: Shape) -> float:
    """Between two cylinders seen from above."""
    x, y, _ = offset(a, b)
    return math.sqrt(x * x + y * y) - (of_a.radius + of_b.radius)


def heading(a: Place, b: Place) -> float:
    """Compass degrees from a to b, 0 to 360."""
    x, y, _ = offset(a, b)
    found = float(atan2(x, y)) * DEGREES
    return found + 360.0 if found < 0.0 else found

"""Frames, planes, spheres and boxes in Python floats, with a note of how close a decision was.

A frame is `(x, y, z, w, i, j, k)`. Decisions near a threshold cannot be held against arithmetic in
float32 (the specification says so in section 11): each comparison tells `DOUBT` its distance, and
a difference between two programs counts only where no decision was a close one.
"""

from __future__ import annotations

import math

from acclient_py.core.ids import get_block_offset

EPS = 0.00019999999
Vector = tuple[float, float, float]
Frame = tuple[float, float, float, float, float, float, float]
Plane = tuple[float, float, float, float]
Box = tuple[Vector, Vector]
Sphere = tuple[Vector, float]

HERE: Frame = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
POSITIVE, NEGATIVE, IN_PLANE, CROSSING = 0, 1, 2, 3


class Doubt:
    """The smallest distance of any decision from its threshold."""

    def __init__(self) -> None:
        self.least = math.inf

    def near(self, distance: float) -> float:
        """Take note of a signed distance from a threshold, and give it back."""
        self.least = min(self.least, abs(distance))
        return distance


DOUBT = Doubt()


def less(a: float, b: float) -> bool:
    return DOUBT.near(a - b) < 0.0


def at_most(a: float, b: float) -> bool:
    return DOUBT.near(a - b) <= 0.0


def floor_of(value: float, step: float) -> int:
    """floor(value / step)."""
    quotient = value / step
    DOUBT.near((quotient - round(quotient)) * step)
    return math.floor(quotient)


def rows_of(f: Frame) -> tuple[Vector, Vector, Vector]:
    """The rotation matrix of a frame, row by row."""
    w, x, y, z = f[3:]
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def to_global(f: Frame, p: Vector) -> Vector:
    a, b, c = rows_of(f)
    return (
        a[0] * p[0] + a[1] * p[1] + a[2] * p[2] + f[0],
        b[0] * p[0] + b[1] * p[1] + b[2] * p[2] + f[1],
        c[0] * p[0] + c[1] * p[1] + c[2] * p[2] + f[2],
    )


def to_local(f: Frame, p: Vector) -> Vector:
    a, b, c = rows_of(f)
    x, y, z = p[0] - f[0], p[1] - f[1], p[2] - f[2]
    return (
        a[0] * x + b[0] * y + c[0] * z,
        a[1] * x + b[1] * y + c[1] * z,
        a[2] * x + b[2] * y + c[2] * z,
    )


def combine(a: Frame, b: Frame, scale: float = 1.0) -> Frame:
    """b seen from outside a; the origin of b is scaled (6.2)."""
    origin = to_global(a, (b[0] * scale, b[1] * scale, b[2] * scale))
    aw, ax, ay, az = a[3:]
    bw, bx, by, bz = b[3:]
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    size = math.sqrt(w * w + x * x + y * y + z * z)
    size = size or 1.0
    return (*origin, w / size, x / size, y / size, z / size)


def distance(plane: Plane, p: Vector) -> float:
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def which_side(plane: Plane, p: Vector) -> int:
    d = distance(plane, p)
    if less(EPS, d):
        return POSITIVE
    return NEGATIVE if less(d, -EPS) else IN_PLANE


def corners(box: Box) -> list[Vector]:
    """All eight, the minimum first."""
    low, high = box
    return [
        (x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])
    ]


def bounds(points: list[Vector]) -> Box:
    xs, ys, zs = zip(*points, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def intersect_box(plane: Plane, box: Box) -> int:
    """Retail: 0x005AA170."""
    points = corners(box)
    first = which_side(plane, points[0])
    if first == IN_PLANE:
        return CROSSING
    for point in points[1:]:
        if which_side(plane, point) != first:
            return CROSSING
    return first


def shifted(p: Vector, to_id: int, from_id: int) -> Vector:
    """A point of one id's block in the coordinates of another's."""
    x, y = get_block_offset(to_id, from_id)
    return p[0] + float(x), p[1] + float(y), p[2]

"""Vectors, frames and planes of the plain walk, and how near its decisions came to the edge.

What sorts (distances) and what rates spheres and prisms is float32, every step rounded, in the
spec's order of operations. Polygons that are cut and projected are Python floats. A decision that
two right programs may take either way is told to `doubt`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

F = np.float32
EPS = 0.0002

Point = tuple[float, float, float]
Pixel = tuple[float, float]
Frame = tuple[Any, ...]
"""x y z qw qx qy qz, float32."""
Plane = tuple[Any, Any, Any, Any]
"""A normal and d, float32: inside where N . p + d is not below 0."""

POSITIVE, NEGATIVE, ON_PLANE = 0, 1, 2


class Doubt:
    """The smallest distance to a threshold since the last reset; a tie to the bit is no doubt."""

    def __init__(self) -> None:
        self.nearest = math.inf
        self.what = ""

    def reset(self) -> None:
        self.nearest = math.inf
        self.what = ""

    def below(self, value: float, limit: float, what: str) -> bool:
        """Whether value < limit."""
        gap = abs(float(value) - float(limit))
        if 0.0 < gap < self.nearest:
            self.nearest, self.what = gap, what
        return bool(value < limit)

    def above(self, value: float, limit: float, what: str) -> bool:
        """Whether value > limit."""
        return self.below(limit, value, what)


doubt = Doubt()


def turned(frame: Frame, v: Any) -> tuple[Any, Any, Any]:
    """A vector out of a frame's rotation: the matrix of the quaternion, rounded at every step."""
    _, _, _, w, x, y, z = frame
    one, two = F(1), F(2)
    rows = (
        (one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)),
        (two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)),
        (two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)),
    )
    a, b, c = F(v[0]), F(v[1]), F(v[2])
    return tuple(row[0] * a + row[1] * b + row[2] * c for row in rows)  # type: ignore[return-value]


def placed(frame: Frame, v: Any) -> tuple[Any, Any, Any]:
    """A point out of a frame, in the space of the frame's block."""
    x, y, z = turned(frame, v)
    return x + frame[0], y + frame[1], z + frame[2]


def inverse(frame: Frame) -> Frame:
    """The frame's rotation backwards, at the origin."""
    zero = F(0)
    return (zero, zero, zero, frame[3], -frame[4], -frame[5], -frame[6])


def into(frame: Frame, v: Any) -> tuple[Any, Any, Any]:
    """A point into a frame, both in the space of one block."""
    return turned(inverse(frame), (F(v[0]) - frame[0], F(v[1]) - frame[1], F(v[2]) - frame[2]))


def block_of(cell_id: int) -> tuple[int, int]:
    return cell_id >> 24 & 0xFF, cell_id >> 16 & 0xFF


def offset_between(from_id: int, to_id: int) -> tuple[Any, Any, Any]:
    """Metres from one id's block to another's; never a height."""
    ax, ay = block_of(from_id)
    bx, by = block_of(to_id)
    return F((bx - ax) * 192), F((by - ay) * 192), F(0)


def length(v: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def side_of(plane: Plane, v: Any, what: str) -> int:
    """On which side of a plane a point lies; within 0.0002 it is on the plane."""
    s = plane[0] * F(v[0]) + plane[1] * F(v[1]) + plane[2] * F(v[2]) + plane[3]
    if doubt.above(s, F(EPS), what):
        return POSITIVE
    if doubt.below(s, F(-EPS), what):
        return NEGATIVE
    return ON_PLANE


def cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Any, b: Any) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def minus(a: Any, b: Any) -> Point:
    return float(a[0]) - float(b[0]), float(a[1]) - float(b[1]), float(a[2]) - float(b[2])


def between(a: Any, b: Any, t: float) -> Any:
    """The point that lies t of the way from a to b."""
    return tuple(p + (q - p) * t for p, q in zip(a, b, strict=True))

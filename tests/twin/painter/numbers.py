"""Vectors, frames and planes of the plain walk, and how near its decisions came to the edge.

What sorts (distances) and what rates spheres and prisms is float32, every step rounded, in the
spec's order of operations. Polygons that are cut and projected are doubles, and so is the eye as a
portal sees it; a view keeps its corners and planes as float32 (docs/order.md). How near a decision
came to its threshold is told to `doubt`.
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
        self.met: list[str] = []
        """Rare paths that were taken, by name."""

    def reset(self) -> None:
        self.__init__()  # type: ignore[misc]

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


def matrix(frame: Frame) -> tuple[Point, Point, Point]:
    """A frame's rotation in doubles, for polygons."""
    w, x, y, z = (float(v) for v in frame[3:])
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def corner_of(frame: Frame, v: Any, offset: Any) -> Point:
    """A corner out of a frame whose block lies `offset` from the eye's."""
    m = matrix(frame)
    a, b, c = (float(x) for x in v)
    at = [row[0] * a + row[1] * b + row[2] * c + float(o) for row, o in zip(m, frame, strict=False)]
    return at[0] + float(offset[0]), at[1] + float(offset[1]), at[2]


def into(frame: Frame, v: Any, offset: Any) -> Point:
    """The eye as seen from a frame whose block lies `offset` from the eye's."""
    m = matrix(frame)
    x = float(v[0]) - float(frame[0]) - float(offset[0])
    y = float(v[1]) - float(frame[1]) - float(offset[1])
    z = float(v[2]) - float(frame[2])
    return (
        m[0][0] * x + m[1][0] * y + m[2][0] * z,
        m[0][1] * x + m[1][1] * y + m[2][1] * z,
        m[0][2] * x + m[1][2] * y + m[2][2] * z,
    )


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
    s = F(sum(float(n) * x for n, x in zip(plane, (*v, 1.0), strict=True)))
    if doubt.above(s, F(EPS), what):
        return POSITIVE
    if doubt.below(s, F(-EPS), what):
        return NEGATIVE
    doubt.met.append(f"eye on a plane: {what}")
    return ON_PLANE


def cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Any, b: Any) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])

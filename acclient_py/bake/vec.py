"""Vectors, rotations and transforms of the bake: plain tuples of Python floats.

float64 throughout, + - * / and square roots only (core.trig for angles), so that two machines
agree to the bit. Numbers become float32 once, when a record is made.
"""

# contract: T8

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from acclient_py.core.trig import RAD_PER_DEG, cos, sin

V2 = tuple[float, float]
V3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Plane = tuple[float, float, float, float]
Rows = tuple[V3, V3, V3]

IDENTITY_Q: Final[Quat] = (1.0, 0.0, 0.0, 0.0)


def add(a: V3, b: V3) -> V3:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: V3, b: V3) -> V3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: V3, s: float) -> V3:
    return a[0] * s, a[1] * s, a[2] * s


def times(a: V3, b: V3) -> V3:
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


def dot(a: V3, b: V3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: V3, b: V3) -> V3:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def length(a: V3) -> float:
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def unit(a: V3) -> V3:
    """a with length 1; a vector without length stays as it is."""
    n = length(a)
    return a if n < 1e-12 else (a[0] / n, a[1] / n, a[2] / n)


def lerp(a: V3, b: V3, t: float) -> V3:
    return (
        a[0] + (b[0] - a[0]) * t,
        a[1] + (b[1] - a[1]) * t,
        a[2] + (b[2] - a[2]) * t,
    )


def newell(points: Iterable[V3]) -> V3:
    """Twice the area of a polygon times its normal, whichever corner comes first."""
    ring = list(points)
    x = y = z = 0.0
    for i, p in enumerate(ring):
        q = ring[(i + 1) % len(ring)]
        x += (p[1] - q[1]) * (p[2] + q[2])
        y += (p[2] - q[2]) * (p[0] + q[0])
        z += (p[0] - q[0]) * (p[1] + q[1])
    return x, y, z


def plane_of(points: Iterable[V3]) -> Plane:
    """The plane of a polygon: unit normal towards its front, and d."""
    ring = list(points)
    n = unit(newell(ring))
    d = 0.0
    for p in ring:
        d -= dot(n, p)
    return n[0], n[1], n[2], d / len(ring)


def side(plane: Plane, p: V3) -> float:
    """Signed distance of a point from a plane."""
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def f32(x: float) -> float:
    """The float32 nearest to x, as a Python float; never a negative zero."""
    value: float = struct.unpack("<f", struct.pack("<f", x))[0]
    return value + 0.0


def f32_point(p: V3) -> V3:
    return f32(p[0]), f32(p[1]), f32(p[2])


# Rotations.


def quat_times(a: Quat, b: Quat) -> Quat:
    """b first, then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def quat_unit(q: Quat) -> Quat:
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] / n, q[1] / n, q[2] / n, q[3] / n


def quat_conjugate(q: Quat) -> Quat:
    return q[0], -q[1], -q[2], -q[3]


def quat_about(axis: V3, degrees: float) -> Quat:
    """A turn about an axis, right-handed; exact for multiples of 90 degrees."""
    turns = degrees / 90.0
    if turns == math.floor(turns):
        s, c = _QUARTERS[int(turns) % 8]
    else:
        half = degrees * RAD_PER_DEG * 0.5
        s, c = sin(half), cos(half)
    n = unit(axis)
    return c, n[0] * s, n[1] * s, n[2] * s


_R2: Final = 0.7071067811865476
_QUARTERS: Final = (
    (0.0, 1.0),
    (_R2, _R2),
    (1.0, 0.0),
    (_R2, -_R2),
    (0.0, -1.0),
    (-_R2, -_R2),
    (-1.0, 0.0),
    (-_R2, _R2),
)


def quat_euler(degrees: V3) -> Quat:
    """Turn about x, then about the fixed y, then about the fixed z."""
    q = quat_about((1.0, 0.0, 0.0), degrees[0])
    q = quat_times(quat_about((0.0, 1.0, 0.0), degrees[1]), q)
    return quat_unit(quat_times(quat_about((0.0, 0.0, 1.0), degrees[2]), q))


def quat_heading(degrees: float) -> Quat:
    """Facing a compass heading (0 north, 90 east): local +y is forward."""
    return quat_about((0.0, 0.0, 1.0), -degrees)


def quat_slerp(a: Quat, b: Quat, t: float) -> Quat:
    """From a to b on the shorter arc, by halving: no arc functions are needed."""
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
        b = (-b[0], -b[1], -b[2], -b[3])
    low, high = a, b
    t0, t1 = 0.0, 1.0
    for _ in range(12):
        middle = quat_unit((low[0] + high[0], low[1] + high[1], low[2] + high[2], low[3] + high[3]))
        half = (t0 + t1) * 0.5
        if t < half:
            high, t1 = middle, half
        else:
            low, t0 = middle, half
    f = (t - t0) / (t1 - t0)
    return quat_unit(
        (
            low[0] + (high[0] - low[0]) * f,
            low[1] + (high[1] - low[1]) * f,
            low[2] + (high[2] - low[2]) * f,
            low[3] + (high[3] - low[3]) * f,
        )
    )


def quat_rows(q: Quat) -> Rows:
    """The rotation's matrix; its rows dot a vector."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def rotated(q: Quat, p: V3) -> V3:
    r = quat_rows(q)
    return dot(r[0], p), dot(r[1], p), dot(r[2], p)


class Pose(Struct, frozen=True):
    """An origin and a unit quaternion: where something stands in the space that holds it."""

    at: V3 = (0.0, 0.0, 0.0)
    q: Quat = IDENTITY_Q

    def point(self, p: V3) -> V3:
        """A point of the inner space, seen from outside."""
        return add(rotated(self.q, p), self.at)

    def inverse_point(self, p: V3) -> V3:
        """A point of the outer space, seen from inside."""
        return rotated(quat_conjugate(self.q), sub(p, self.at))

    def then(self, inner: Pose) -> Pose:
        """`inner`, which is given in this pose's space, seen from outside."""
        return Pose(self.point(inner.at), quat_unit(quat_times(self.q, inner.q)))

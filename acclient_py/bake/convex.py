"""Convex polygons and convex bodies cut by planes: what a BSP builder and its checks need."""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from acclient_py.bake.vec import V3, Plane, add, cross, dot, lerp, scaled, side, sub, unit

ON_PLANE: Final = 1e-4
"""A corner nearer to a plane than this lies on it."""

Ring = tuple[V3, ...]


def classify(ring: Sequence[V3], plane: Plane) -> tuple[float, float]:
    """The least and the greatest signed distance of a polygon's corners."""
    distances = [side(plane, p) for p in ring]
    return min(distances), max(distances)


def split_ring(ring: Ring, plane: Plane) -> tuple[Ring | None, Ring | None]:
    """The parts of a convex polygon in front of a plane and behind it (None: nothing there)."""
    front: list[V3] = []
    back: list[V3] = []
    distances = [side(plane, p) for p in ring]
    for i, p in enumerate(ring):
        d, q, e = distances[i], ring[(i + 1) % len(ring)], distances[(i + 1) % len(ring)]
        if d >= -ON_PLANE:
            front.append(p)
        if d <= ON_PLANE:
            back.append(p)
        if (d > ON_PLANE and e < -ON_PLANE) or (d < -ON_PLANE and e > ON_PLANE):
            cut = lerp(p, q, d / (d - e))
            front.append(cut)
            back.append(cut)
    has_front = any(d > ON_PLANE for d in distances) and len(front) >= 3
    has_back = any(d < -ON_PLANE for d in distances) and len(back) >= 3
    return tuple(front) if has_front else None, tuple(back) if has_back else None


def box_body(low: V3, high: V3) -> list[Ring]:
    """The six faces of a box, outward."""
    x0, y0, z0 = low
    x1, y1, z1 = high
    p = [(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)]
    order = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return [tuple(p[i] for i in ring) for ring in order]


def cut_body(body: Sequence[Ring], plane: Plane) -> tuple[list[Ring], list[Ring]]:
    """A convex body cut by a plane: the part in front, the part behind (empty: nothing)."""
    front: list[Ring] = []
    back: list[Ring] = []
    rim: list[V3] = []
    for ring in body:
        f, b = split_ring(ring, plane)
        if f is not None:
            front.append(f)
        if b is not None:
            back.append(b)
        if f is None and b is None:
            rim.extend(ring)
            continue
        part = f if f is not None else b
        assert part is not None, "one side of the cut has a part"
        rim.extend(p for p in part if abs(side(plane, p)) <= 2.0 * ON_PLANE)
    if not front or not back:
        return list(front), list(back)
    lid = _around(rim, plane)
    if len(lid) >= 3:
        front.append(lid[::-1])
        back.append(lid)
    return front, back


def _around(points: Sequence[V3], plane: Plane) -> Ring:
    """Points of a plane in order about their middle, counter-clockwise about its normal."""
    keep: list[V3] = []
    for p in points:
        if all(abs(p[0] - k[0]) + abs(p[1] - k[1]) + abs(p[2] - k[2]) > 1e-6 for k in keep):
            keep.append(p)
    if len(keep) < 3:
        return ()
    n = plane[:3]
    middle = middle_of(keep)
    axis = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
    u = unit(cross(n, axis))
    v = cross(n, u)

    def turn(p: V3) -> float:
        d = sub(p, middle)
        x, y = dot(d, u), dot(d, v)
        reach = abs(x) + abs(y)
        if reach == 0.0:
            return 0.0
        # A number that grows with the angle, without an arc function.
        return y / reach if x >= 0.0 else (2.0 - y / reach)

    return tuple(sorted(keep, key=turn))


def middle_of(points: Sequence[V3]) -> V3:
    """The mean of the points."""
    total = (0.0, 0.0, 0.0)
    for p in points:
        total = add(total, p)
    return scaled(total, 1.0 / len(points))


def body_middle(body: Sequence[Ring]) -> V3:
    """A point inside a convex body."""
    return middle_of([p for ring in body for p in ring])


def bounds(points: Sequence[V3]) -> tuple[V3, V3]:
    """The least and greatest coordinates."""
    xs, ys, zs = zip(*points, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def bounding_sphere(points: Sequence[V3]) -> tuple[float, float, float, float]:
    """A sphere about the middle of the box of the points that holds them all, a hair wider."""
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    low, high = bounds(points)
    c = scaled(add(low, high), 0.5)
    r = 0.0
    for p in points:
        d = sub(p, c)
        r = max(r, dot(d, d))
    return c[0], c[1], c[2], math.sqrt(r) * 1.00001 + 1e-5

"""Views: polygons on the picture with a plane an edge through the eye; cutting to a portal.

A polygon is cut to the near plane, then to the view's edges in turn, and projected to pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twin.painter.numbers import EPS, F, Pixel, Point, cross, dot, doubt, minus

NEAR = 0.1
MOST_POINTS = 31
OUT, PARTLY, INSIDE = 0, 1, 2


@dataclass(frozen=True)
class Eye:
    """Where the eye is, in the space of its block, and what it looks along.

    right, up : to the edges of the picture at a depth of 1 m ; near : the near plane, float32
    """

    cell_id: int
    at: tuple[Any, Any, Any]
    ahead: Point
    right: Point
    up: Point
    size: tuple[int, int]
    near: tuple[Any, Any, Any, Any]

    def ray(self, pixel: Pixel) -> Point:
        """The direction through a pixel, of unit depth."""
        x = 2 * pixel[0] / self.size[0] - 1
        y = 1 - 2 * pixel[1] / self.size[1]
        a, r, u = self.ahead, self.right, self.up
        return (a[0] + r[0] * x + u[0] * y, a[1] + r[1] * x + u[1] * y, a[2] + r[2] * x + u[2] * y)

    def pixel(self, point: Point) -> Pixel:
        """Where a point before the eye falls on the picture."""
        d = minus(point, self.at)
        depth = dot(d, self.ahead)
        x = dot(d, self.right) / dot(self.right, self.right) / depth
        y = dot(d, self.up) / dot(self.up, self.up) / depth
        return (x + 1) / 2 * self.size[0], (1 - y) / 2 * self.size[1]


@dataclass(frozen=True)
class View:
    """points : pixels, y down, from the lower left counter-clockwise ; planes : near, then edges."""

    points: tuple[Pixel, ...]
    planes: tuple[tuple[Any, Any, Any, Any], ...]

    def rates(self, centre: Any, radius: Any) -> int:
        """Retail: Render::viewconeCheck @0x0054C250."""
        result = INSIDE
        for n in self.planes:
            s = n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2] + n[3]
            if doubt.below(s, -radius, "sphere"):
                return OUT
            if not doubt.above(s, radius, "sphere inside"):
                result = PARTLY
        return result


def cleaned(points: Sequence[Pixel]) -> list[Pixel]:
    """Without points that lie on the one before, or on the line of their neighbours."""
    kept: list[Pixel] = []
    for p in points:
        if kept and near_to(kept[-1], p):
            continue
        if len(kept) >= 2 and in_line(kept[-2], kept[-1], p):
            kept.pop()
        kept.append(p)
    return kept[:MOST_POINTS]


def near_to(a: Pixel, b: Pixel) -> bool:
    return doubt.below(abs(a[0] - b[0]), 1.0, "pixel") and doubt.below(
        abs(a[1] - b[1]), 1.0, "pixel"
    )


def in_line(a: Pixel, b: Pixel, c: Pixel) -> bool:
    """Whether b lies on the line from a to c, by less than a pixel."""
    dx, dy = c[0] - a[0], c[1] - a[1]
    twice = abs(dx * (b[1] - a[1]) - dy * (b[0] - a[0]))
    return doubt.below(twice, max(abs(dx), abs(dy)), "line")


def copy_view(eye: Eye, points: Sequence[Pixel] | None) -> View | None:
    """A view of its own, or None when too little is left. No points: the whole picture.

    Retail: Render::copy_view @0x0054DFC0.
    """
    width, height = eye.size
    if points is None:
        points = [(0.0, float(height)), (float(width), float(height)), (float(width), 0.0), (0.0, 0.0)]
    kept = cleaned(points)
    if len(kept) < 3:
        return None
    planes = [eye.near]
    rays = [eye.ray(p) for p in kept]
    for i, ray in enumerate(rays):
        n = cross(rays[(i + 1) % len(rays)], ray)
        if all(abs(v) < EPS for v in n):
            continue
        size = math.sqrt(dot(n, n))
        n = (n[0] / size, n[1] / size, n[2] / size)
        planes.append((F(n[0]), F(n[1]), F(n[2]), F(-dot(n, eye.at))))
    return View(tuple(kept), tuple(planes))


def inside_of(eye: Eye, view: View, polygon: Sequence[Point]) -> list[Point]:
    """What of a polygon lies beyond the near plane and within the edges of a view."""
    tests = [(eye.ahead, NEAR)]
    for i, p in enumerate(view.points):
        a, b = eye.ray(p), eye.ray(view.points[(i + 1) % len(view.points)])
        tests.append((cross(b, a), 0.0))
    points = list(polygon)
    for normal, least in tests:
        kept: list[Point] = []
        for i, here in enumerate(points):
            there = points[(i + 1) % len(points)]
            s = dot(minus(here, eye.at), normal) - least
            t = dot(minus(there, eye.at), normal) - least
            if s >= 0:
                kept.append(here)
            if (s >= 0) != (t >= 0):
                f = s / (s - t)
                kept.append(
                    (
                        here[0] + (there[0] - here[0]) * f,
                        here[1] + (there[1] - here[1]) * f,
                        here[2] + (there[2] - here[2]) * f,
                    )
                )
        points = kept
    return points


def get_clip(
    eye: Eye, polygon: Sequence[Point], view: View, *, backwards: bool
) -> list[Pixel] | None:
    """The screen polygon of what a view shows of a portal; None with fewer than 3 points.

    backwards : the portal is seen from its negative side
    """
    order = list(reversed(polygon)) if backwards else list(polygon)
    points = inside_of(eye, view, order)
    if len(points) < 3:
        return None
    return [eye.pixel(p) for p in points]

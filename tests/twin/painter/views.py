"""Views: polygons on the picture with a plane an edge through the eye; cutting to a portal.

A polygon is cut just before the eye, projected to pixels, and cut to the edges of a view in turn.
Pixels count from the lower left, y up; a view's corners run counter-clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twin.painter.numbers import EPS, F, Pixel, Point, cross, dot, doubt

NEAR = 0.0002  # register D25: not the picture's near plane
MOST_POINTS = 31
OUT, PARTLY, INSIDE = 0, 1, 2


@dataclass(frozen=True)
class Eye:
    """Where the eye is, in the space of its block, and what it looks along.

    right, up : to the edges of the picture at a depth of 1 m ; near : the near plane, float32
    to_clip   : the matrix to clip space, for row vectors
    """

    cell_id: int
    at: tuple[Any, Any, Any]
    ahead: Point
    right: Point
    up: Point
    size: tuple[int, int]
    near: tuple[Any, Any, Any, Any]
    to_clip: list[list[float]]

    def ray(self, pixel: Pixel) -> Point:
        """The direction through a pixel, of unit depth."""
        x = pixel[0] / self.size[0] * 2 - 1
        y = pixel[1] / self.size[1] * 2 - 1
        a, r, u = self.ahead, self.right, self.up
        return (a[0] + r[0] * x + u[0] * y, a[1] + r[1] * x + u[1] * y, a[2] + r[2] * x + u[2] * y)

    def clip_space(self, p: Point) -> tuple[float, float, float]:
        """x, y and w of a point."""
        m = self.to_clip
        found = [p[0] * m[0][k] + p[1] * m[1][k] + p[2] * m[2][k] + m[3][k] for k in (0, 1, 3)]
        return found[0], found[1], found[2]

    def pixel(self, clip: tuple[float, float, float]) -> Pixel:
        x, y, w = clip
        return (x / w * 0.5 + 0.5) * self.size[0], (y / w * 0.5 + 0.5) * self.size[1]


@dataclass(frozen=True)
class View:
    """points : corners ; planes : near, then one an edge, float32."""

    points: tuple[Pixel, ...]
    planes: tuple[tuple[Any, Any, Any, Any], ...]

    def rates(self, centre: Any, radius: Any) -> int:
        """Retail: Render::viewconeCheck @0x0054C250."""
        result = INSIDE
        for n in self.planes:
            s = n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2] + n[3]
            if doubt.below(s, -radius, "sphere"):
                return OUT
            if not s > radius:
                result = PARTLY
        return result


def cleaned(points: Sequence[Pixel]) -> list[Pixel]:
    """First without points that lie on the one kept before, then without those in line."""
    kept: list[Pixel] = []
    for p in points:
        if not kept or not near_to(kept[-1], p):
            kept.append(p)
    while len(kept) > 1 and near_to(kept[0], kept[-1]):
        kept.pop()
    at = 0
    while len(kept) >= 3 and at < len(kept):
        if in_line(kept[at - 1], kept[at], kept[(at + 1) % len(kept)]):
            del kept[at]
        else:
            at += 1
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
    width, height = float(eye.size[0]), float(eye.size[1])
    if points is None:
        points = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
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
        at = (float(eye.at[0]), float(eye.at[1]), float(eye.at[2]))
        planes.append((F(n[0]), F(n[1]), F(n[2]), F(-dot(n, at))))
    stored = tuple((float(F(x)), float(F(y))) for x, y in kept)
    return View(stored, tuple(planes))


def cut(points: Sequence[Any], distances: Sequence[float]) -> list[Any]:
    """The part of a polygon whose corners have no negative distance."""
    kept = []
    for i, here in enumerate(points):
        there = points[(i + 1) % len(points)]
        s, t = distances[i], distances[(i + 1) % len(points)]
        if s >= 0:
            kept.append(here)
        if (s >= 0) != (t >= 0):
            f = s / (s - t)
            kept.append(tuple(a + f * (b - a) for a, b in zip(here, there, strict=True)))
    return kept


def get_clip(
    eye: Eye, polygon: Sequence[Point], view: View, *, backwards: bool
) -> list[Pixel] | None:
    """What a view shows of a portal, in pixels; None with fewer than 3 points.

    backwards : the portal is seen from its negative side
    """
    order = list(reversed(polygon)) if backwards else list(polygon)
    points: list[Any] = [eye.clip_space(p) for p in order]
    points = cut(points, [w - NEAR for _, _, w in points])
    points = [eye.pixel(p) for p in points] if len(points) >= 3 else []
    for i, a in enumerate(view.points):
        b = view.points[(i + 1) % len(view.points)]
        dx, dy = b[0] - a[0], b[1] - a[1]
        points = cut(points, [dx * (y - a[1]) - dy * (x - a[0]) for x, y in points])
        if len(points) < 3:
            return None
    return points

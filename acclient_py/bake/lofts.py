"""Lofts: a skin over level ovals of any width, depth and place: limbs, trunks, hulls.

Where a lathe has one proportion for its whole height, a loft gives every ring its own, so that a
chest is broad and flat, a calf bulges backwards and a boot's toe runs forward.
"""

# contract: T8

from __future__ import annotations

import itertools
import math

from acclient_py.bake.faces import Face, face
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.shapes import circle
from acclient_py.bake.vec import V2, V3
from acclient_py.errors import DataError

_TWO_PI = 6.283185307179586


def loft(piece: m.Loft) -> list[Face]:
    """The faces between neighbouring rings, from bottom to top for outward faces.

    u runs around from the right (+x) over the front, v down along the front line; with `fit` both
    are fractions of the picture.
    """
    if len(piece.rings) < 2:
        raise DataError("a loft needs two rings or more")
    outline = _outline(piece.segments, piece.square)
    rings = [_ring(row, outline) for row in piece.rings]
    girth = _TWO_PI * max((row[1] + row[2]) * 0.5 for row in piece.rings)
    reach = [0.0]
    for low, high in itertools.pairwise(piece.rings):
        reach.append(reach[-1] + _front_step(low, high))
    total = reach[-1] or 1.0
    wide, tall = (1.0, 1.0 / total) if piece.fit else (girth, 1.0)
    faces = []
    for k, (low_ring, high_ring) in enumerate(itertools.pairwise(rings)):
        v0, v1 = (total - reach[k]) * tall, (total - reach[k + 1]) * tall
        for i in range(piece.segments):
            j = (i + 1) % piece.segments
            u0, u1 = i / piece.segments * wide, (i + 1) / piece.segments * wide
            corners = [low_ring[i], low_ring[j], high_ring[j], high_ring[i]]
            uvs = [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
            faces.append(face(corners, piece.surface, uvs=uvs))
    return faces


def _outline(segments: int, square: float) -> list[V2]:
    """A unit circle, drawn towards a square by `square` (0 round, 1 square)."""
    points = []
    for x, y in circle(segments):
        widest = max(abs(x), abs(y))
        grow = 1.0 + square * (1.0 / widest - 1.0)
        points.append((x * grow, y * grow))
    return points


def _ring(row: list[float], outline: list[V2]) -> list[V3]:
    z, rx, ry = row[:3]
    y = row[3] if len(row) > 3 else 0.0
    x = row[4] if len(row) > 4 else 0.0
    return [(x + px * rx, y + py * ry, z) for px, py in outline]


def _front_step(low: list[float], high: list[float]) -> float:
    """How far the front line goes from one ring to the next."""
    y0 = low[2] + (low[3] if len(low) > 3 else 0.0)
    y1 = high[2] + (high[3] if len(high) > 3 else 0.0)
    return math.sqrt((y1 - y0) * (y1 - y0) + (high[0] - low[0]) * (high[0] - low[0]))

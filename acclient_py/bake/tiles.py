"""Tiles: the drawn faces of rooms, cut so that the light of lamps can fall off over them.

Light in env cells is worked out at vertices. A wall with corners only would be as bright in its
middle as at its ends. The cuts lie on planes of the room's own axes, so that faces that meet at a
corner are cut at the same places.
"""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from acclient_py.bake.faces import Face
from acclient_py.bake.vec import V2, V3, lerp

TILE: Final = 2.5
"""No drawn face of a room is longer than this along an axis by more than half (metres)."""
_SLIVER: Final = 0.25


def tiled(faces: Sequence[Face], size: float = TILE) -> list[Face]:
    """The faces, large drawn ones cut along x, y and z; portals stay whole."""
    result = list(faces)
    for axis in range(3):
        cut: list[Face] = []
        for f in result:
            cut += [f] if f.portal >= 0 or f.normals is not None else _strips(f, axis, size)
        result = cut
    return result


def _strips(f: Face, axis: int, size: float) -> list[Face]:
    low = min(p[axis] for p in f.points)
    high = max(p[axis] for p in f.points)
    if high - low <= size * 1.5:
        return [f]
    strips: list[Face] = []
    for k in range(math.floor(low / size) + 1, math.ceil(high / size)):
        at = k * size
        if at - low < _SLIVER or high - at < _SLIVER:
            continue
        below, above = _cut(f, axis, at)
        if len(below.points) >= 3 and len(above.points) >= 3:
            strips.append(below)
            f = above
    return [*strips, f]


def _cut(f: Face, axis: int, at: float) -> tuple[Face, Face]:
    """The parts of a convex face below and above a plane across an axis."""
    sides: tuple[list[tuple[V3, V2]], list[tuple[V3, V2]]] = ([], [])
    n = len(f.points)
    for i, p in enumerate(f.points):
        j = (i + 1) % n
        q = f.points[j]
        if p[axis] <= at:
            sides[0].append((p, f.uvs[i]))
        if p[axis] >= at:
            sides[1].append((p, f.uvs[i]))
        if (p[axis] - at) * (q[axis] - at) < 0.0:
            t = (at - p[axis]) / (q[axis] - p[axis])
            a, b = f.uvs[i], f.uvs[j]
            point = lerp(p, q, t)
            exact = (*point[:axis], at, *point[axis + 1 :])
            corner = ((exact[0], exact[1], exact[2]), _between(a, b, t))
            sides[0].append(corner)
            sides[1].append(corner)
    below, above = (
        replace(f, points=tuple(p for p, _ in s), uvs=tuple(uv for _, uv in s)) for s in sides
    )
    return below, above


def _between(a: V2, b: V2, t: float) -> V2:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t

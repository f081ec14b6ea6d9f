"""Seams: corners of one face that lie on the edge of another are put into that edge.

Without it a rasteriser may leave single pixels open where a long edge meets two short ones.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from acclient_py.bake.faces import Face
from acclient_py.bake.vec import V2, V3, cross, dot, lerp, newell, sub

NEAR: Final = 1e-4


def mended(faces: Sequence[Face]) -> list[Face]:
    """The faces with all corners of the others that lie on their edges inserted."""
    every: list[V3] = []
    seen: set[V3] = set()
    for f in faces:
        for p in f.points:
            if p not in seen:
                seen.add(p)
                every.append(p)
    points = np.array(every, dtype=np.float64).reshape(-1, 3)
    return [part for f in faces for part in _mended(f, every, points)]


def _mended(f: Face, every: Sequence[V3], points: np.ndarray) -> list[Face]:
    if f.portal >= 0:  # never drawn, and clipped to: the fewer corners the better
        return [f]
    ring: list[V3] = []
    uvs: list[V2] = []
    normals: list[V3] = []
    for i, p in enumerate(f.points):
        j = (i + 1) % len(f.points)
        q = f.points[j]
        ring.append(p)
        uvs.append(f.uvs[i])
        if f.normals is not None:
            normals.append(f.normals[i])
        for t, number in _between(p, q, points):
            ring.append(every[number])
            a, b = f.uvs[i], f.uvs[j]
            uvs.append((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))
            if f.normals is not None:
                normals.append(lerp(f.normals[i], f.normals[j], t))
    if len(ring) == len(f.points):
        return [f]
    return [
        replace(
            f,
            points=tuple(ring[i] for i in part),
            uvs=tuple(uvs[i] for i in part),
            normals=tuple(normals[i] for i in part) if f.normals is not None else None,
        )
        for part in _fans(ring, list(range(len(ring))))
    ]


def _between(p: V3, q: V3, points: np.ndarray) -> list[tuple[float, int]]:
    d = sub(q, p)
    size = dot(d, d)
    if size < NEAR * NEAR:
        return []
    x, y, z = points[:, 0] - p[0], points[:, 1] - p[1], points[:, 2] - p[2]
    t = (x * d[0] + y * d[1] + z * d[2]) / size
    ex, ey, ez = x - t * d[0], y - t * d[1], z - t * d[2]
    off = ex * ex + ey * ey + ez * ez
    margin = NEAR / size**0.5
    hits = np.nonzero((off < NEAR * NEAR) & (t > margin) & (t < 1.0 - margin))[0]
    return sorted((float(t[k]), int(k)) for k in hits)


def _fans(ring: Sequence[V3], part: list[int]) -> list[list[int]]:
    """The polygon of corners `part`, turned or cut so that fans have no empty triangles.

    A fan starts well at a corner whose two edges have no further corners on them. Where there is
    none the polygon is cut in two between corners of different edges.
    """
    n = len(part)
    for i in range(n):
        if _is_wide(ring, part[i - n], part[i - n + 1], part[i - n + 2]) and _is_wide(
            ring, part[i - 1], part[i - 2], part[i]
        ):
            return [part[i:] + part[:i]]
    for i in range(n):
        for j in range(i + 2, n - (i == 0)):
            halves = [part[i : j + 1], part[j:] + part[: i + 1]]
            if all(_has_area(ring, half) for half in halves):
                return [fan for half in halves for fan in _fans(ring, half)]
    return [part]


def _is_wide(ring: Sequence[V3], a: int, b: int, c: int) -> bool:
    n = cross(sub(ring[b], ring[a]), sub(ring[c], ring[a]))
    return dot(n, n) > 1e-12


def _has_area(ring: Sequence[V3], part: Sequence[int]) -> bool:
    n = newell([ring[i] for i in part])
    return len(part) >= 3 and dot(n, n) > 1e-12

"""Seams: corners of one face that lie on the edge of another are put into that edge.

Without it a rasteriser may leave single pixels open where a long edge meets two short ones.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from acclient_py.bake.faces import Face
from acclient_py.bake.vec import V2, V3, cross, dot, lerp, sub

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
    return [_mended(f, every, points) for f in faces]


def _mended(f: Face, every: Sequence[V3], points: np.ndarray) -> Face:
    if f.portal >= 0:  # never drawn, and clipped to: the fewer corners the better
        return f
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
        return f
    start = _fan_start(ring)
    return replace(
        f,
        points=tuple(ring[start:] + ring[:start]),
        uvs=tuple(uvs[start:] + uvs[:start]),
        normals=tuple(normals[start:] + normals[:start]) if f.normals is not None else None,
    )


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


def _fan_start(ring: Sequence[V3]) -> int:
    """A corner from which a fan has no empty triangle at its ends; 0 when there is none."""
    n = len(ring)
    for i in range(n):
        a, b, c = ring[i], ring[(i + 1) % n], ring[(i + 2) % n]
        y, z = ring[i - 1], ring[i - 2]
        first = cross(sub(b, a), sub(c, a))
        last = cross(sub(y, a), sub(z, a))
        if dot(first, first) > 1e-12 and dot(last, last) > 1e-12:
            return i
    return 0

"""Faces: the polygons that shapes are made of, before they become a record.

A face is convex and planar, its corners run counter-clockwise seen from its front. It knows its
surface by name and its texture coordinates in metres (or as fractions of the picture). A mesh
is a list of faces and nothing else; welding, seams and trees come when the record is made.
"""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from acclient_py.bake.vec import (
    IDENTITY_Q,
    V2,
    V3,
    Quat,
    add,
    cross,
    dot,
    newell,
    plane_of,
    quat_rows,
    side,
    sub,
    times,
    unit,
)
from acclient_py.errors import DataError

FLAT_TOLERANCE: Final = 1e-4
"""A corner further than this from the face's plane splits the face into triangles."""
LEVEL: Final = 0.98
"""Normals steeper than this count as floors and ceilings for texture coordinates."""


class Face(Struct, frozen=True):
    """One polygon.

    points   : three corners or more, counter-clockwise from the front
    uvs      : one pair a corner, metres over the surface (v downwards), or fractions with `fit`
    normals  : one a corner, None for the face's own
    sides    : 0 seen from the front, 1 from both
    solid    : it is a physics polygon too
    drawn    : it is a drawing polygon
    portal   : number of the opening that this polygon stands for, -1 none
    """

    points: tuple[V3, ...]
    uvs: tuple[V2, ...]
    surface: str
    normals: tuple[V3, ...] | None = None
    fit: bool = False
    sides: int = 0
    solid: bool = True
    drawn: bool = True
    portal: int = -1

    @property
    def normal(self) -> V3:
        """The unit normal towards the front."""
        return unit(newell(self.points))

    def reversed(self) -> Face:
        """The same face seen from behind."""
        normals = self.normals
        if normals is not None:
            normals = tuple((-n[0], -n[1], -n[2]) for n in reversed(normals))
        return replace(self, points=self.points[::-1], uvs=self.uvs[::-1], normals=normals)


def planar_uv(points: Sequence[V3], normal: V3) -> tuple[V2, ...]:
    """Texture coordinates in metres, measured in the polygon's own plane.

    Level ones run u east and v south; all others u level to the right and v downwards.
    """
    if abs(normal[2]) > LEVEL:
        flip = 1.0 if normal[2] >= 0.0 else -1.0
        return tuple((p[0] * flip, -p[1]) for p in points)
    across = unit((-normal[1], normal[0], 0.0))
    down = cross(normal, across)
    if down[2] > 0.0:
        down = (-down[0], -down[1], -down[2])
    return tuple((dot(across, p), dot(down, p)) for p in points)


def face(
    points: Iterable[V3],
    surface: str,
    *,
    uvs: Sequence[V2] | None = None,
    normals: Sequence[V3] | None = None,
    fit: bool = False,
    sides: int = 0,
    solid: bool = True,
) -> Face:
    """A face with planar texture coordinates unless others are given."""
    ring = tuple(points)
    pairs = planar_uv(ring, unit(newell(ring))) if uvs is None else tuple(uvs)
    return Face(
        ring,
        pairs,
        surface,
        None if normals is None else tuple(normals),
        fit=fit,
        sides=sides,
        solid=solid,
    )


def transformed(
    faces: Iterable[Face],
    *,
    scale: V3 = (1.0, 1.0, 1.0),
    q: Quat = IDENTITY_Q,
    at: V3 = (0.0, 0.0, 0.0),
) -> list[Face]:
    """Scale, then turn, then move. A mirroring scale turns the faces the right way round."""
    rows = quat_rows(q)
    mirror = scale[0] * scale[1] * scale[2] < 0.0
    result = []
    for f in faces:
        points = []
        for p in f.points:
            s = times(p, scale)
            points.append(add((dot(rows[0], s), dot(rows[1], s), dot(rows[2], s)), at))
        normals = None
        if f.normals is not None:
            turned = []
            for n in f.normals:
                m = unit((n[0] / scale[0], n[1] / scale[1], n[2] / scale[2]))
                m = (-m[0], -m[1], -m[2]) if mirror else m
                turned.append((dot(rows[0], m), dot(rows[1], m), dot(rows[2], m)))
            normals = tuple(turned)
        new = replace(f, points=tuple(points), normals=normals)
        result.append(_turned_round(new) if mirror else new)
    return result


def _turned_round(f: Face) -> Face:
    normals = f.normals
    if normals is not None:
        normals = tuple((-n[0], -n[1], -n[2]) for n in normals[::-1])
    return replace(f, points=f.points[::-1], uvs=f.uvs[::-1], normals=normals)


def smoothed(faces: Sequence[Face], crease_cos: float) -> list[Face]:
    """Corner normals averaged by area over the faces that meet there, up to a crease."""
    flat = [f.normal for f in faces]
    areas = [newell(f.points) for f in faces]
    at: dict[tuple[int, int, int], list[int]] = {}
    for number, f in enumerate(faces):
        for p in f.points:
            users = at.setdefault(_key(p), [])
            if not users or users[-1] != number:
                users.append(number)
    result = []
    for number, f in enumerate(faces):
        normals = []
        for p in f.points:
            total = (0.0, 0.0, 0.0)
            for other in at[_key(p)]:
                if dot(flat[number], flat[other]) >= crease_cos:
                    total = add(total, areas[other])
            normals.append(unit(total))
        result.append(replace(f, normals=tuple(normals)))
    return result


def _key(p: V3) -> tuple[int, int, int]:
    return (
        math.floor(p[0] * 8192.0 + 0.5),
        math.floor(p[1] * 8192.0 + 0.5),
        math.floor(p[2] * 8192.0 + 0.5),
    )


def flattened(faces: Iterable[Face]) -> list[Face]:
    """Faces without repeated corners; crooked ones are split into triangles, empty ones go."""
    result: list[Face] = []
    for f in faces:
        keep = [i for i, p in enumerate(f.points) if _key(p) != _key(f.points[i - 1])]
        if len(keep) < 3:
            continue
        f = _corners(f, keep)
        plane = plane_of(f.points)
        if plane[:3] == (0.0, 0.0, 0.0):
            continue
        if len(keep) == 3 or all(abs(side(plane, p)) <= FLAT_TOLERANCE for p in f.points):
            result.append(f)
            continue
        result.extend(_corners(f, [0, i, i + 1]) for i in range(1, len(f.points) - 1))
    return [f for f in result if dot(newell(f.points), newell(f.points)) > 1e-14]


def _corners(f: Face, keep: Sequence[int]) -> Face:
    normals = None if f.normals is None else tuple(f.normals[i] for i in keep)
    return replace(
        f,
        points=tuple(f.points[i] for i in keep),
        uvs=tuple(f.uvs[i] for i in keep),
        normals=normals,
    )


def triangulated(ring: Sequence[V2]) -> list[tuple[int, int, int]]:
    """A simple polygon (counter-clockwise) cut into triangles by clipping ears."""
    left = list(range(len(ring)))
    result: list[tuple[int, int, int]] = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _area2(ring[a], ring[b], ring[c]) <= 1e-12:
                continue
            others = [i for i in left if i not in (a, b, c)]
            if any(_within(ring[i], ring[a], ring[b], ring[c]) for i in others):
                continue
            result.append((a, b, c))
            left.pop(k)
            break
        else:
            raise DataError("outline crosses itself or has no area")
    result.append((left[0], left[1], left[2]))
    return result


def is_simple(ring: Sequence[V2]) -> bool:
    """Whether no edge of an outline crosses another (edges that touch do not count)."""
    n = len(ring)
    for i in range(n):
        a, b = ring[i], ring[(i + 1) % n]
        for j in range(i + 1, n):
            c, d = ring[j], ring[(j + 1) % n]
            if _area2(a, b, c) * _area2(a, b, d) < 0.0 and _area2(c, d, a) * _area2(c, d, b) < 0.0:
                return False
    return True


def convex_parts(f: Face) -> list[Face]:
    """A face as it is if it is convex, else cut into triangles.

    Raises DataError when its outline crosses itself. It is judged as seen from its front.
    """
    normal = f.normal
    if len(f.points) < 4 or normal == (0.0, 0.0, 0.0):
        return [f]
    # along the two axes that the normal leans away from most
    axis = max(range(3), key=lambda k: abs(normal[k]))
    u, v = (axis + 1) % 3, (axis + 2) % 3
    turn = 1.0 if normal[axis] > 0.0 else -1.0
    ring = [(p[u] * turn, p[v]) for p in f.points]
    if not is_simple(ring):
        raise DataError("its outline crosses itself")
    if is_convex(ring):
        return [f]
    return [_corners(f, triangle) for triangle in triangulated(ring)]


def is_convex(ring: Sequence[V2]) -> bool:
    """Whether a counter-clockwise outline turns left at every corner (or goes straight on)."""
    n = len(ring)
    return all(_area2(ring[i], ring[(i + 1) % n], ring[(i + 2) % n]) >= -1e-9 for i in range(n))


def ring_area(ring: Sequence[V2]) -> float:
    """Signed area of an outline, positive when counter-clockwise."""
    total = 0.0
    for i, p in enumerate(ring):
        q = ring[(i + 1) % len(ring)]
        total += p[0] * q[1] - q[0] * p[1]
    return total * 0.5


def _area2(a: V2, b: V2, c: V2) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])


def _within(p: V2, a: V2, b: V2, c: V2) -> bool:
    return _area2(a, b, p) >= 0.0 and _area2(b, c, p) >= 0.0 and _area2(c, a, p) >= 0.0


def translated(points: Iterable[V3], by: V3) -> tuple[V3, ...]:
    """Points moved by a vector."""
    return tuple(add(p, by) for p in points)


def edge_vectors(points: Sequence[V3]) -> list[V3]:
    """From each corner to the next."""
    return [sub(points[(i + 1) % len(points)], p) for i, p in enumerate(points)]

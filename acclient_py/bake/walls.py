"""Walls with holes in them, and roofs: the pieces that houses are made of.

A wall is cut into upright strips at the holes' sides, and a strip into what is below, between and
above its holes, so every piece is a rectangle. Holes have reveals: faces of the wall's thickness.
"""

# contract: T8

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from acclient_py.bake.faces import Face, face
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.vec import V3
from acclient_py.errors import DataError

Rect = tuple[float, float, float, float]
"""left, bottom, right, top in metres on a wall."""

NEAR: Final = 1e-6
"""Metres: openings that meet within this do not overlap."""


class Hole(Struct, frozen=True):
    """A rectangular hole: from `left` to `right` along the wall, `low` to `high` above its foot."""

    left: float
    low: float
    right: float
    high: float


def hole_of(opening: m.Opening, length: float) -> Hole:
    """An opening as a hole of a wall of this length."""
    middle = length * 0.5 if opening.at is None else opening.at
    half = opening.width * 0.5
    return Hole(middle - half, opening.sill, middle + half, opening.sill + opening.height)


def pierced(length: float, height: float, holes: Sequence[Hole]) -> list[Rect]:
    """What is left of a wall's face: rectangles without overlap.

    DataError when a hole leaves the wall or overlaps another.
    """
    _check(length, height, holes)
    ends = {end for hole in holes for end in (hole.left, hole.right)}
    cuts = [0.0]
    for end in sorted(ends):
        if end > cuts[-1] + NEAR and end < length - NEAR:
            cuts.append(end)
    rects: list[Rect] = []
    for left, right in itertools.pairwise((*cuts, length)):
        middle, foot = (left + right) * 0.5, 0.0
        for hole in sorted(holes, key=lambda h: h.low):
            if hole.left < middle < hole.right:
                if hole.low > foot + NEAR:
                    rects.append((left, foot, right, hole.low))
                foot = hole.high
        if foot < height - NEAR:
            rects.append((left, foot, right, height))
    return rects


def _check(length: float, height: float, holes: Sequence[Hole]) -> None:
    for number, hole in enumerate(holes):
        beyond = max(-hole.left, -hole.low, hole.right - length, hole.high - height)
        if beyond > NEAR:
            raise DataError(f"{_named(hole)} leaves the wall, which is {length:g} x {height:g} m")
        for other in holes[:number]:
            wide = min(hole.right, other.right) - max(hole.left, other.left)
            if wide > NEAR and min(hole.high, other.high) - max(hole.low, other.low) > NEAR:
                raise DataError(f"{_named(hole)} overlaps the one {_extent(other)}")


def _named(hole: Hole) -> str:
    return f"the opening {_extent(hole)}"


def _extent(hole: Hole) -> str:
    return (
        f"{hole.left:g} to {hole.right:g} m along the wall and {hole.low:g} to {hole.high:g} m up"
    )


def reveals(
    hole: Hole, x0: float, front: float, back: float, surface: str, sill: str | None
) -> list[Face]:
    """The faces inside a hole of a wall along x: jambs, lintel, and sill or threshold.

    x0: the wall's left end; front, back: y of its faces, front < back.
    """
    left, right, low, high = x0 + hole.left, x0 + hole.right, hole.low, hole.high
    jamb_left = [(left, front, low), (left, back, low), (left, back, high), (left, front, high)]
    jamb_right = [(right, back, low), (right, front, low), (right, front, high)]
    jamb_right.append((right, back, high))
    lintel = [(left, back, high), (right, back, high), (right, front, high), (left, front, high)]
    foot = [(left, front, low), (right, front, low), (right, back, low), (left, back, low)]
    result = [face(ring, surface) for ring in (jamb_left, jamb_right, lintel)]
    result.append(face(foot, sill or surface))
    return result


def wall(piece: m.Wall) -> list[Face]:
    """A free wall along x."""
    half, t = piece.length * 0.5, piece.thickness * 0.5
    holes = [hole_of(opening, piece.length) for opening in piece.openings]
    faces = []
    for a, z0, b, z1 in pierced(piece.length, piece.height, holes):
        x0, x1 = a - half, b - half
        south = [(x0, -t, z0), (x1, -t, z0), (x1, -t, z1), (x0, -t, z1)]
        faces.append(face(south, piece.surface))
        faces.append(face([(p[0], t, p[2]) for p in south[::-1]], piece.surface))
    for hole in holes:
        faces += reveals(hole, -half, -t, t, piece.surface, None)
    top = [(-half, -t, piece.height), (half, -t, piece.height)]
    top += [(half, t, piece.height), (-half, t, piece.height)]
    faces.append(face(top, piece.surface))
    faces.append(face([(p[0], p[1], 0.0) for p in top[::-1]], piece.surface))
    for x, ring in ((half, 1.0), (-half, -1.0)):
        end = [(x, -t, 0.0), (x, t, 0.0), (x, t, piece.height), (x, -t, piece.height)]
        faces.append(face(end if ring > 0 else end[::-1], piece.surface))
    return faces


def gable(piece: m.Gable) -> list[Face]:
    """Two slabs over a rectangle whose underside touches its long edges, and the gable walls."""
    x_ridge = piece.ridge == "x"
    long, wide = piece.size if x_ridge else (piece.size[1], piece.size[0])
    half_long, half = long * 0.5, wide * 0.5
    slope = piece.rise / half
    stretch = (1.0 + slope * slope) ** 0.5
    thick = piece.thickness * stretch
    eave, end = half + piece.overhang, half_long + piece.verge
    drop = -piece.overhang * slope
    under = piece.under or piece.surface

    def out(ring: Sequence[V3], surface: str) -> Face:
        # Faces are made for a ridge along x; a quarter turn serves the other.
        points = list(ring) if x_ridge else [(-p[1], p[0], p[2]) for p in ring]
        return face(points, surface)

    faces = []
    for s in (-1.0, 1.0):
        low0, low1 = (-end, s * eave, drop), (end, s * eave, drop)
        ridge0, ridge1 = (-end, 0.0, piece.rise), (end, 0.0, piece.rise)
        up = [(p[0], p[1], p[2] + thick) for p in (low0, low1, ridge1, ridge0)]
        down = [low0, low1, ridge1, ridge0]
        eaves = [down[0], down[1], up[1], up[0]]
        barge0 = [down[3], down[0], up[0], up[3]]
        barge1 = [down[1], down[2], up[2], up[1]]
        rings = [(up, piece.surface), (down[::-1], under), (eaves, under)]
        rings += [(barge0, under), (barge1, under)]
        faces += [out(ring if s < 0 else ring[::-1], surface) for ring, surface in rings]
        wall_ring = [(s * half_long, -half, 0.0), (s * half_long, half, 0.0)]
        wall_ring.append((s * half_long, 0.0, piece.rise))
        faces.append(out(wall_ring if s > 0 else wall_ring[::-1], piece.gable or under))
    return faces


def pyramid(piece: m.Pyramid) -> list[Face]:
    """Four slopes that meet in a point, with eaves all round."""
    x, y = piece.size[0] * 0.5, piece.size[1] * 0.5
    grow_x, grow_y = piece.overhang, piece.overhang * y / x
    drop = -piece.rise * piece.overhang / x
    base = [(-x - grow_x, -y - grow_y), (x + grow_x, -y - grow_y)]
    base += [(x + grow_x, y + grow_y), (-x - grow_x, y + grow_y)]
    top, inner = (0.0, 0.0, piece.rise + piece.thickness), (0.0, 0.0, piece.rise)
    under = piece.under or piece.surface
    faces = []
    for i, p in enumerate(base):
        q = base[(i + 1) % 4]
        low0, low1 = (p[0], p[1], drop), (q[0], q[1], drop)
        up0 = (p[0], p[1], drop + piece.thickness)
        up1 = (q[0], q[1], drop + piece.thickness)
        faces.append(face([up0, up1, top], piece.surface))
        faces.append(face([low1, low0, inner], under))
        faces.append(face([low0, low1, up1, up0], under))
    return faces

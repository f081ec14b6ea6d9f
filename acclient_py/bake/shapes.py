"""Solids: boxes, prisms, lathes, balls, tubes, sheets, stairs, as lists of faces.

Every shape is made in its own space (standing on z = 0 unless said otherwise) with outward
faces and texture coordinates in metres. Placing it is somebody else's work (meshes.py).
"""

# contract: T8

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from acclient_py.bake.faces import (
    Face,
    convex_parts,
    face,
    is_convex,
    is_simple,
    ring_area,
    triangulated,
)
from acclient_py.bake.noise import gradient_noise
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.vec import (
    V2,
    V3,
    add,
    cross,
    length,
    quat_about,
    rotated,
    scaled,
    sub,
    unit,
)
from acclient_py.core.trig import RAD_PER_DEG, cos, sin
from acclient_py.errors import DataError

VERTICES_MOST: Final = 32767
"""Corners of polygons are numbered in 16 bits with a sign."""


def circle(count: int, around: float = 360.0) -> list[V2]:
    """Points on the unit circle, counter-clockwise from +x; `around` degrees in all."""
    whole = around == 360.0
    step = around / count
    points = []
    for i in range(count if whole else count + 1):
        quarter = step * i / 90.0
        if quarter == math.floor(quarter):
            points.append(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4])
        else:
            a = step * i * RAD_PER_DEG
            points.append((cos(a), sin(a)))
    return points


def distance2(x: float, y: float) -> float:
    """The length of a plane vector."""
    return math.sqrt(x * x + y * y)


def box(piece: m.Box) -> list[Face]:
    """A box; taper shrinks its top, bevel cuts its upright and top edges."""
    x, y, z = (s * 0.5 for s in piece.size)
    tx, ty = x * piece.taper[0], y * piece.taper[1]
    low = -z if piece.centred else 0.0
    b = piece.bevel
    if not 0.0 <= b < min(x, y, piece.size[2]):
        raise DataError(f"a bevel of {b:g} m is too much for this box")
    if b > 0.0:
        outline = [(-x + b, -y), (x - b, -y), (x, -y + b), (x, y - b)]
        outline += [(x - b, y), (-x + b, y), (-x, y - b), (-x, -y + b)]
        faces = _drawn_up(outline, piece.size[2], piece.surface, None, piece.taper[0], b)
        return _lifted(faces, low)
    base = [(-x, -y, low), (x, -y, low), (x, y, low), (-x, y, low)]
    top_z = low + piece.size[2]
    top = [(-tx, -ty, top_z), (tx, -ty, top_z), (tx, ty, top_z), (-tx, ty, top_z)]
    rings = {
        "south": [base[0], base[1], top[1], top[0]],
        "east": [base[1], base[2], top[2], top[1]],
        "north": [base[2], base[3], top[3], top[2]],
        "west": [base[3], base[0], top[0], top[3]],
        "top": top,
        "bottom": base[::-1],
    }
    fit = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)] if piece.fit else None
    sides = dict(piece.sides)
    return [
        face(ring, sides.get(name, piece.surface), uvs=fit)  # type: ignore[call-overload]
        for name, ring in rings.items()
    ]


def prism(piece: m.Prism) -> list[Face]:
    """An outline drawn up."""
    return _drawn_up(
        piece.outline, piece.height, piece.surface, piece.caps, piece.taper, piece.bevel
    )


def _drawn_up(
    outline: Sequence[V2],
    height: float,
    surface: str,
    caps: str | None,
    taper: float,
    bevel: float,
) -> list[Face]:
    ring = list(outline)
    if ring_area(ring) < 0.0:
        ring.reverse()
    if not is_simple(ring):
        raise DataError("an outline crosses itself")
    if not 0.0 <= bevel < height:
        raise DataError(f"a bevel of {bevel:g} m is too much for {height:g} m of height")
    levels: list[tuple[float, float]] = [(0.0, 1.0), (height, taper)]
    if bevel > 0.0:
        reach = max(max(abs(p[0]), abs(p[1])) for p in ring)
        levels = [(0.0, 1.0), (height - bevel, taper), (height, taper * (1.0 - bevel / reach))]
    faces = []
    along = [0.0]
    for i, p in enumerate(ring):
        q = ring[(i + 1) % len(ring)]
        along.append(along[-1] + distance2(q[0] - p[0], q[1] - p[1]))
    for (z0, s0), (z1, s1) in itertools.pairwise(levels):
        for i, p in enumerate(ring):
            q = ring[(i + 1) % len(ring)]
            corners = [
                (p[0] * s0, p[1] * s0, z0),
                (q[0] * s0, q[1] * s0, z0),
                (q[0] * s1, q[1] * s1, z1),
                (p[0] * s1, p[1] * s1, z1),
            ]
            uvs = [(along[i], -z0), (along[i + 1], -z0), (along[i + 1], -z1), (along[i], -z1)]
            faces.append(face(corners, surface, uvs=uvs))
    cap = caps or surface
    top_z, top_s = levels[-1]
    bottom: list[V3] = [(p[0], p[1], 0.0) for p in ring]
    top: list[V3] = [(p[0] * top_s, p[1] * top_s, top_z) for p in ring]
    if is_convex(ring):
        return [*faces, face(top, cap), face(bottom[::-1], cap)]
    for a, b, c in triangulated(ring):
        faces.append(face((top[a], top[b], top[c]), cap))
        faces.append(face((bottom[c], bottom[b], bottom[a]), cap))
    return faces


def lathe(piece: m.Lathe) -> list[Face]:
    """A profile turned about z; radius 0 closes an end. u runs around, v down the profile."""
    return turned(
        piece.profile, piece.segments, piece.squash, piece.surface, piece.fit, piece.around
    )


def turned(
    profile: Sequence[V2],
    segments: int,
    squash: float,
    surface: str,
    fit: bool,
    around: float | None = None,
) -> list[Face]:
    """The faces of a turned profile, (radius, z) from bottom to top for outward faces."""
    if len(profile) < 2:
        raise DataError("a profile needs two points or more")
    if any(r < 0.0 for r, _ in profile):
        raise DataError("a profile has no radius below 0")
    unit_circle = circle(segments)
    widest = max(r for r, _ in profile)
    girth = around if around is not None else 6.283185307179586 * widest
    reach = [0.0]
    for (r0, z0), (r1, z1) in itertools.pairwise(profile):
        reach.append(reach[-1] + distance2(r1 - r0, z1 - z0))
    total = reach[-1] or 1.0
    faces = []
    for k, ((r0, z0), (r1, z1)) in enumerate(itertools.pairwise(profile)):
        v0, v1 = total - reach[k], total - reach[k + 1]
        if fit:
            v0, v1 = v0 / total, v1 / total
        for i in range(segments):
            a, b = unit_circle[i], unit_circle[(i + 1) % segments]
            u0, u1 = i / segments, (i + 1) / segments
            if not fit:
                u0, u1 = u0 * girth, u1 * girth
            corners = [
                (a[0] * r0, a[1] * r0 * squash, z0),
                (b[0] * r0, b[1] * r0 * squash, z0),
                (b[0] * r1, b[1] * r1 * squash, z1),
                (a[0] * r1, a[1] * r1 * squash, z1),
            ]
            uvs = [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
            faces.append(face(corners, surface, uvs=uvs))
    return faces


def sphere(piece: m.Sphere) -> list[Face]:
    """A ball about its place; a rough one is pushed in and out by noise and faceted."""
    half_circle = circle(piece.rings * 2)
    ring = piece.rings
    profile = []
    for k in range(ring + 1):
        # From the south pole up: angle -90 degrees + 180 k / rings.
        c = half_circle[(k - ring // 2) % (2 * ring)] if ring % 2 == 0 else None
        if c is None:
            a = (-90.0 + 180.0 * k / ring) * RAD_PER_DEG
            c = (cos(a), sin(a))
        profile.append((max(c[0], 0.0) * piece.radius, c[1] * piece.radius))
    profile[0], profile[-1] = (0.0, -piece.radius), (0.0, piece.radius)
    faces = turned(profile, piece.segments, 1.0, piece.surface, piece.fit)
    if piece.rough > 0.0:
        faces = [
            face([_roughened(p, piece) for p in f.points], f.surface, uvs=f.uvs) for f in faces
        ]
    return [f.reversed() for f in faces] if piece.inside else faces


def _roughened(p: V3, piece: m.Sphere) -> V3:
    n = scaled(p, 1.0 / piece.radius)
    value = 0.0
    for k, (a, b) in enumerate(((n[0], n[1]), (n[1], n[2]), (n[2], n[0]))):
        x = np.array([a * 1.7 + 9.3 * k + 0.17])
        y = np.array([b * 1.7 + 0.31])
        value += float(gradient_noise(x, y, piece.seed * 7 + k)[0])
    return scaled(p, 1.0 + piece.rough * value * 0.6)


def sweep(piece: m.Sweep) -> list[Face]:
    """A tube along a path, its cross-section carried along without needless twist."""
    path, count = piece.path, piece.segments
    if len(path) < 2 or len(piece.radii) < 1:
        raise DataError("a sweep needs two path points and a radius")
    ends = len(path) if piece.closed else len(path) - 1
    tangents = []
    for i in range(len(path)):
        before = path[i - 1] if (i > 0 or piece.closed) else path[i]
        after = path[(i + 1) % len(path)] if (i < len(path) - 1 or piece.closed) else path[i]
        tangents.append(unit(sub(after, before)))
    side_axis = (1.0, 0.0, 0.0) if abs(tangents[0][0]) < 0.9 else (0.0, 1.0, 0.0)
    across = unit(cross(side_axis, tangents[0]))
    rings: list[list[V3]] = []
    reach = [0.0]
    for i, p in enumerate(path):
        t = tangents[i]
        along = across[0] * t[0] + across[1] * t[1] + across[2] * t[2]
        across = unit(sub(across, scaled(t, along)))
        up = cross(t, across)
        place = i / max(len(path) - 1, 1) * (len(piece.radii) - 1)
        low = min(int(place), len(piece.radii) - 1)
        high = min(low + 1, len(piece.radii) - 1)
        r = piece.radii[low] + (piece.radii[high] - piece.radii[low]) * (place - low)
        rings.append(
            [add(p, add(scaled(across, c * r), scaled(up, s * r))) for c, s in circle(count)]
        )
        if i:
            reach.append(reach[-1] + length(sub(p, path[i - 1])))
    girth = 6.283185307179586 * max(piece.radii)
    faces = []
    for k in range(ends):
        a, b = rings[k], rings[(k + 1) % len(rings)]
        v0 = reach[k]
        v1 = reach[k + 1] if k + 1 < len(reach) else v0 + length(sub(path[0], path[k]))
        for i in range(count):
            j = (i + 1) % count
            u0, u1 = i / count * girth, (i + 1) / count * girth
            uvs = [(u0, -v0), (u1, -v0), (u1, -v1), (u0, -v1)]
            faces.append(face([a[i], a[j], b[j], b[i]], piece.surface, uvs=uvs))
    if piece.caps and not piece.closed:
        faces.append(face(rings[0][::-1], piece.surface))
        faces.append(face(rings[-1], piece.surface))
    return faces


def grid(piece: m.Grid) -> list[Face]:
    """A sheet of cells facing up."""
    nx, ny = piece.cells
    if (nx + 1) * (ny + 1) > VERTICES_MOST:
        raise DataError(f"a grid of {nx} x {ny} cells: a mesh has at most {VERTICES_MOST} vertices")
    w, d = piece.size

    def point(i: int, j: int) -> V3:
        x, y = w * (i / nx - 0.5), d * (j / ny - 0.5)
        z = 0.0
        if piece.bump:
            noise = gradient_noise(np.array([x * 0.7]), np.array([y * 0.7]), piece.seed)
            z = float(noise[0]) * piece.bump
        return x, y, z

    faces = []
    for i in range(nx):
        for j in range(ny):
            ring = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)]
            uvs = [(p[0], -p[1]) for p in ring]
            if piece.fit:
                uvs = [(p[0] / w + 0.5, 0.5 - p[1] / d) for p in ring]
            faces.append(face(ring, piece.surface, uvs=uvs))
    return faces


def cards(piece: m.Cards) -> list[Face]:
    """Upright crossed sheets with the whole picture on each, seen from both sides."""
    w, h = piece.size[0] * 0.5, piece.size[1]
    faces = []
    for k in range(piece.count):
        q = quat_about((0.0, 0.0, 1.0), 180.0 * k / piece.count)
        ring = [(-w, 0.0, 0.0), (w, 0.0, 0.0), (w, piece.bend, h), (-w, piece.bend, h)]
        faces.append(
            face(
                [rotated(q, p) for p in ring],
                piece.surface,
                uvs=[(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)],
                fit=True,
                sides=1,
                solid=False,
            )
        )
    return faces


def stairs(piece: m.Stairs) -> list[Face]:
    """Solid steps that rise towards +y, each a riser and a tread; the first foot at -y."""
    w, d, h = piece.size[0] * 0.5, piece.size[1], piece.size[2]
    outline: list[V2] = [(d * 0.5, 0.0)]
    for k in range(piece.steps, 0, -1):
        y, z = -d * 0.5 + d * (k - 1) / piece.steps, h * k / piece.steps
        outline += [(y + d / piece.steps, z), (y, z)]
    outline.append((-d * 0.5, 0.0))
    faces = []
    for i, p in enumerate(outline):
        q = outline[(i + 1) % len(outline)]
        ring = [(w, p[0], p[1]), (w, q[0], q[1]), (-w, q[0], q[1]), (-w, p[0], p[1])]
        faces.append(face(ring[::-1], piece.surface))
    for k in range(piece.steps):
        y0, y1 = -d * 0.5 + d * k / piece.steps, -d * 0.5 + d * (k + 1) / piece.steps
        z = h * (k + 1) / piece.steps
        east = [(w, y0, 0.0), (w, y1, 0.0), (w, y1, z), (w, y0, z)]
        faces.append(face(east, piece.surface))
        faces.append(face([(-p[0], p[1], p[2]) for p in east[::-1]], piece.surface))
    return faces


def soup(piece: m.Soup) -> list[Face]:
    """Polygons as written; one that turns inwards somewhere is cut into triangles."""
    faces = []
    for number, polygon in enumerate(piece.polygons):
        entry = polygon if isinstance(polygon, m.Corner) else m.Corner(corners=polygon)
        for corner in entry.corners:
            if not 0 <= corner < len(piece.points):
                raise DataError(f"polygon {number}: corner {corner} of {len(piece.points)} points")
        if entry.uvs is not None and len(entry.uvs) != len(entry.corners):
            raise DataError(f"polygon {number}: {len(entry.uvs)} uvs, {len(entry.corners)} corners")
        f = face(
            [piece.points[c] for c in entry.corners],
            entry.surface or piece.surface,
            uvs=entry.uvs,
            fit=entry.uvs is not None,
            sides=1 if entry.double else 0,
        )
        try:
            faces += convex_parts(f)
        except DataError as error:
            raise DataError(f"polygon {number}: {error.what}") from None
    return faces


def _lifted(faces: list[Face], z: float) -> list[Face]:
    if z == 0.0:
        return faces
    return [Face(tuple((p[0], p[1], p[2] + z) for p in f.points), f.uvs, f.surface) for f in faces]

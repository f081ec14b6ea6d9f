"""Meshes: pieces placed and joined, and faces made into the geometry of a record.

`mesh_faces` makes the faces of a mesh of the recipe, `Geometry` welds faces into a vertex array
with drawing and physics polygons; GfxObjs and cell structures are made of it alike.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from acclient_py.bake import lofts, shapes, walls
from acclient_py.bake.convex import Ring, bounds
from acclient_py.bake.faces import Face, flattened, smoothed, transformed
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.vec import (
    V2,
    V3,
    add,
    f32,
    f32_point,
    quat_about,
    quat_euler,
    quat_times,
    rotated,
    scaled,
)
from acclient_py.core.trig import RAD_PER_DEG, cos
from acclient_py.dat.records.geometry import VertexArray
from acclient_py.dat.records.polygons import Polygon, Sides, Stippling
from acclient_py.errors import DataError

CREASE_DEG: Final = 50.0
WRAP_SLACK: Final = 1e-4
MAX_UVS: Final = 255
CORNERS_MOST: Final = 255

MeshFinder = Callable[[str], m.Mesh]


def mesh_faces(mesh: m.Mesh, find: MeshFinder, depth: int = 0) -> list[Face]:
    """All faces of a mesh in its own space."""
    if depth > 8:
        raise DataError("meshes that contain each other (or nest more than eight deep)")
    faces: list[Face] = []
    for piece in mesh.pieces:
        faces += _piece_faces(piece, mesh, find, depth)
    return faces


def _piece_faces(piece: m.AnyPiece, mesh: m.Mesh, find: MeshFinder, depth: int) -> list[Face]:
    faces = flattened(_shape_faces(piece, find, depth))
    su, sv = _pair(piece.uv_scale)
    if piece.uv_scale != 1.0 or piece.uv_shift != (0.0, 0.0):
        shift = piece.uv_shift
        faces = [
            replace(f, uvs=tuple((u * su + shift[0], v * sv + shift[1]) for u, v in f.uvs))
            for f in faces
        ]
    keep = isinstance(piece, m.Use)
    faces = [
        replace(
            f,
            fit=f.fit or piece.fit,
            sides=1 if piece.double else f.sides,
            solid=f.solid and piece.solid,
            drawn=f.drawn and piece.drawn,
            surface=piece.surface if keep and piece.surface else f.surface,
        )
        for f in faces
    ]
    smooth = mesh.smooth if piece.smooth is None else piece.smooth
    if smooth is not False and not keep:
        angle = CREASE_DEG if smooth is True else float(smooth)
        faces = smoothed(faces, cos(angle * RAD_PER_DEG))
    sx, sy, sz = (piece.scale,) * 3 if isinstance(piece.scale, int | float) else piece.scale
    if piece.mirror is not None:
        sx, sy, sz = (
            -s if axis == piece.mirror else s for axis, s in zip("xyz", (sx, sy, sz), strict=True)
        )
    q = quat_euler(piece.rotate)
    result: list[Face] = []
    for k in range(piece.repeat):
        turn = quat_times(quat_about((0.0, 0.0, 1.0), piece.turn * k), q)
        at = add(piece.at, scaled(piece.step, float(k)))
        if piece.turn and k:
            around = quat_about((0.0, 0.0, 1.0), piece.turn * k)
            at = add(rotated(around, piece.at), scaled(piece.step, float(k)))
        result += transformed(faces, scale=(sx, sy, sz), q=turn, at=at)
    return result


def _shape_faces(piece: m.AnyPiece, find: MeshFinder, depth: int) -> list[Face]:
    match piece:
        case m.Box():
            return shapes.box(piece)
        case m.Prism():
            return shapes.prism(piece)
        case m.Lathe():
            return shapes.lathe(piece)
        case m.Loft():
            return lofts.loft(piece)
        case m.Sphere():
            return shapes.sphere(piece)
        case m.Sweep():
            return shapes.sweep(piece)
        case m.Grid():
            return shapes.grid(piece)
        case m.Cards():
            return shapes.cards(piece)
        case m.Gable():
            return walls.gable(piece)
        case m.Pyramid():
            return walls.pyramid(piece)
        case m.Wall():
            return walls.wall(piece)
        case m.Stairs():
            return shapes.stairs(piece)
        case m.Soup():
            return shapes.soup(piece)
        case m.Use():
            return mesh_faces(find(piece.mesh), find, depth + 1)


def _pair(value: float | V2) -> V2:
    return (float(value), float(value)) if isinstance(value, int | float) else value


class Skin(Struct, frozen=True):
    """What geometry has to know of a surface: metres a picture covers, and if it is a picture."""

    metres: V2 = (1.0, 1.0)
    textured: bool = True


class Geometry(Struct):
    """Faces welded into one vertex array.

    A vertex is a position and a normal, rounded to float32; it carries every texture coordinate
    that a corner needs there. Surfaces are numbered in the order of their first use unless
    `surfaces` already names some.
    """

    skins: Callable[[str], Skin]
    surfaces: list[str] = field(default_factory=list)
    polygons: list[Polygon] = field(default_factory=list)
    physics: list[Polygon] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)
    physics_rings: list[Ring] = field(default_factory=list)
    portals: list[tuple[int, int]] = field(default_factory=list)
    _rows: dict[tuple[V3, V3], int] = field(default_factory=dict)
    _uvs: list[dict[V2, int]] = field(default_factory=list)
    _by_point: dict[V3, int] = field(default_factory=dict)

    def add_drawn(self, faces: Iterable[Face]) -> None:
        """Add faces to the drawing list."""
        for f in faces:
            self._draw(f, tuple(f32_point(p) for p in f.points))

    def add_solid(self, faces: Iterable[Face]) -> None:
        """Add faces to the physics list."""
        for f in faces:
            self._collide(tuple(f32_point(p) for p in f.points), f)

    def _draw(self, f: Face, points: Ring) -> None:
        _countable(points)
        skin = self.skins(f.surface)
        flat = f.normal
        normals = f.normals or (flat,) * len(points)
        corners, pairs = [], []
        scale = (1.0, 1.0) if f.fit else (1.0 / skin.metres[0], 1.0 / skin.metres[1])
        uvs = [(f32(u * scale[0]), f32(v * scale[1])) for u, v in _near_origin(f.uvs, scale)]
        wraps = any(not -WRAP_SLACK <= c <= 1.0 + WRAP_SLACK for uv in uvs for c in uv)
        for p, n, uv in zip(points, normals, uvs, strict=True):
            row = self._row(p, f32_point(n))
            corners.append(row)
            if skin.textured:
                table = self._uvs[row]
                pairs.append(table.setdefault(uv, len(table)))
                if len(table) > MAX_UVS:
                    raise DataError(f"more than {MAX_UVS} texture coordinates at one corner")
        stippling = 0
        if skin.textured and wraps:
            stippling = Stippling.POSITIVE | (Stippling.NEGATIVE if f.sides else 0)
        if not skin.textured:
            stippling = Stippling.NO_POS_UVS
        if f.portal >= 0:
            self.portals.append((len(self.polygons), f.portal))
        self.polygons.append(
            Polygon(
                len(self.polygons),
                int(stippling),
                f.sides,
                self.surface_index(f.surface),
                -1,
                tuple(corners),
                tuple(pairs),
            )
        )
        self.rings.append(points)

    def _collide(self, points: Ring, f: Face) -> None:
        self._physics_polygon(points)
        if f.sides == Sides.DOUBLE:
            self._physics_polygon(points[::-1])

    def _physics_polygon(self, points: Ring) -> None:
        _countable(points)
        corners = []
        for p in points:
            row = self._by_point.get(p)
            corners.append(self._row(p, (0.0, 0.0, 1.0)) if row is None else row)
        number = len(self.physics)
        self.physics.append(
            Polygon(number, int(Stippling.NO_POS_UVS), Sides.SINGLE, -1, -1, tuple(corners))
        )
        self.physics_rings.append(points)

    def _row(self, p: V3, n: V3) -> int:
        row = self._rows.get((p, n))
        if row is None:
            row = len(self._rows)
            if row >= shapes.VERTICES_MOST:
                raise DataError(f"more than {shapes.VERTICES_MOST} vertices in one mesh")
            self._rows[(p, n)] = row
            self._uvs.append({})
            self._by_point.setdefault(p, row)
        return row

    def surface_index(self, name: str) -> int:
        """The slot of a surface, made on first use."""
        if name not in self.surfaces:
            self.surfaces.append(name)
        return self.surfaces.index(name)

    def vertices(self) -> VertexArray:
        """The vertex array."""
        return VertexArray.make(
            [p for p, _ in self._rows], [n for _, n in self._rows], [list(t) for t in self._uvs]
        )

    def center(self) -> V3:
        """The middle of the box about all vertices."""
        points = [p for p, _ in self._rows]
        if not points:
            return 0.0, 0.0, 0.0
        low, high = bounds(points)
        return f32_point(scaled(add(low, high), 0.5))


def _countable(points: Ring) -> None:
    """A polygon's corners are counted in one byte."""
    if len(points) > CORNERS_MOST:
        raise DataError(f"a polygon of {len(points)} corners: at most {CORNERS_MOST}")


def _near_origin(uvs: Sequence[V2], scale: V2) -> list[V2]:
    """The pairs moved by whole pictures so that the least lie in 0..1: keeps float32 exact."""
    result = [list(uv) for uv in uvs]
    for axis in (0, 1):
        least = min(uv[axis] * scale[axis] for uv in uvs)
        whole = least // 1.0
        if least - whole - 1.0 > -1e-9:
            whole += 1.0
        for row in result:
            row[axis] -= whole / scale[axis]
    return [(row[0], row[1]) for row in result]

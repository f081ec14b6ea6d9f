"""Meshes built from polygons: fans, sides and windings in retail's order. Free of any GPU.

One mesh a GfxObj or cell structure, with one index range a surface slot. Order: slot ascending;
inside a slot polygons in list order; inside a polygon fan order, positive side before negative.
Front faces run counter-clockwise. A vertex is shared per (vertex, uv index, side).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from acclient_py.core import F32, I64, U32, Struct
from acclient_py.dat.records.environment import CellStructure
from acclient_py.dat.records.geometry import Polygon, Sides, VertexArray
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.surface import SurfaceType

MESH_VERTEX_DTYPE: Final = np.dtype(
    [("position", "<f4", 3), ("normal", "<f4", 3), ("uv", "<f4", 2)]
)
SLOT_DTYPE: Final = np.dtype(
    [
        ("surface_index", "<i4"),  # into the owner's surface list
        ("stippled", "<i4"),  # some polygon whose front it is has a stippling byte
        ("first", "<u4"),  # run of indices
        ("count", "<u4"),
    ]
)

MASK_STIPPLED: Final = 1
MASK_BLENDED: Final = 2
MASK_TRANSLUCENT: Final = 4
MASK_CLIPMAP: Final = 8
ALPHA_DELAY_MASK: Final = 14
"""A slot whose mask has one of these is put off."""

# divergence: D11
REVERSE_SECOND_SURFACE: Final = True
"""The back of a polygon with two surfaces has the reversed winding, as public viewers draw it.

Retail's code, read literally, keeps the front's winding there.
"""

_BLENDED: Final = SurfaceType.ADDITIVE | SurfaceType.INV_ALPHA | SurfaceType.ALPHA


class Mesh(msgspec.Struct, frozen=True, eq=False):
    """vertices : MESH_VERTEX_DTYPE ; indices : uint32 triangles ; slots : SLOT_DTYPE, not empty."""

    vertices: Struct
    indices: U32
    slots: Struct


def deferral_mask(surface_type: int, stippled: bool) -> int:
    """The byte of a surface slot that says whether its draw is put off (rendering 1.4).

    Retail: isStippledOrAlphaedMask.
    """
    if surface_type & _BLENDED:
        mask = MASK_BLENDED
    elif surface_type & SurfaceType.BASE1_CLIP_MAP:
        mask = MASK_CLIPMAP
    elif surface_type & SurfaceType.TRANSLUCENT:
        mask = MASK_TRANSLUCENT
    else:
        mask = 0
    return mask | MASK_STIPPLED if stippled else mask


class _Faces:
    """The faces of a polygon list, in the order in which they are drawn, as arrays.

    A polygon has up to three: its front; the same from behind (DOUBLE); its own back (BOTH).
    Corners of all faces lie end to end.
    """

    FRONT: Final = 0
    FRONT_FROM_BEHIND: Final = 1
    BACK: Final = 2

    def __init__(self, polygons: Sequence[Polygon]) -> None:
        front = _column([polygon.pos_surface for polygon in polygons])
        behind = _column([polygon.neg_surface for polygon in polygons])
        sides = _column([polygon.sides for polygon in polygons])
        stippled = _column([polygon.stippling for polygon in polygons]) != 0
        corners = [polygon.vertex_indices for polygon in polygons]
        lengths = list(map(len, corners))
        sizes = _column(lengths)
        self.stippled_surfaces: set[int] = set(front[stippled & (front >= 0)].tolist())
        shown = np.empty((len(sizes), 3), bool)
        shown[:, self.FRONT] = front >= 0
        shown[:, self.FRONT_FROM_BEHIND] = (front >= 0) & (sides == Sides.DOUBLE)
        shown[:, self.BACK] = (behind >= 0) & (sides == Sides.BOTH)
        polygon, kind = np.divmod(np.flatnonzero(shown), 3)
        self.surface: I64 = np.where(kind == self.BACK, behind[polygon], front[polygon])
        self.is_turned = (kind == self.FRONT_FROM_BEHIND) | (
            (kind == self.BACK) & REVERSE_SECOND_SURFACE
        )
        self.sizes: I64 = sizes[polygon]
        self.first: I64 = np.cumsum(self.sizes) - self.sizes
        # of each corner: where it stands among the polygons' corners
        place = _runs((np.cumsum(sizes) - sizes)[polygon], self.sizes)
        self.corner_vertex: I64 = _flat(corners)[place]
        self.corner_uv: I64 = _uvs([polygon.pos_uv for polygon in polygons], lengths)[place]
        corner_kind = kind.repeat(self.sizes)
        if shown[:, self.BACK].any():
            own = _uvs([polygon.neg_uv for polygon in polygons], lengths)[place]
            self.corner_uv = np.where(corner_kind == self.BACK, own, self.corner_uv)
        self.corner_back = corner_kind != self.FRONT


def _column(values: list[int]) -> I64:
    return np.array(values, np.int64)


def _flat(rows: Sequence[Sequence[int]]) -> I64:
    return _column(list(itertools.chain.from_iterable(rows)))


def _uvs(tables: list[tuple[int, ...]], lengths: list[int]) -> I64:
    """The uv index of each corner: 0 beyond the end of a short table."""
    if list(map(len, tables)) != lengths:
        pairs = zip(tables, lengths, strict=True)
        tables = [(table + (0,) * wanted)[:wanted] for table, wanted in pairs]
    return _flat(tables)


def _runs(first: I64, counts: I64) -> I64:
    """first[0], first[0] + 1, ... of counts[0] numbers, and so on for each run."""
    before = np.cumsum(counts) - counts
    runs: I64 = (first - before).repeat(counts) + np.arange(int(counts.sum()))
    return runs


def _shared(faces: _Faces) -> tuple[I64, I64]:
    """One vertex per (vertex, uv index, side), in the order in which they come first.

    Corners that stand for them, and of each corner the number of its vertex.
    """
    key = (faces.corner_vertex << 9) | (faces.corner_uv << 1) | faces.corner_back
    _, first, same = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return first[order], number[same.reshape(-1)]


def _vertices(faces: _Faces, corners: I64, source: VertexArray) -> Struct:
    made = np.zeros(len(corners), MESH_VERTEX_DTYPE)
    index, uv = faces.corner_vertex[corners], faces.corner_uv[corners]
    made["position"] = source.positions[index]
    normals: F32 = source.normals[index]
    made["normal"] = np.where(faces.corner_back[corners][:, None], -normals, normals)
    has_uv = uv < source.vertices["uv_count"][index]
    if len(source.uvs):
        row = np.where(has_uv, source.uv_first[index] + uv, 0)
        made["uv"] = np.where(has_uv[:, None], source.uvs[row], np.float32(0))
    return made


def build_mesh_of(polygons: Sequence[Polygon], vertices: VertexArray) -> Mesh:
    """The mesh of a polygon list whose corners are in range."""
    faces = _Faces(polygons)
    corners, number = _shared(faces)
    # triangles (0, k + 1, k + 2) of each face, or (0, k + 2, k + 1) where it is turned
    counts = np.maximum(faces.sizes - 2, 0)
    face = np.arange(len(counts)).repeat(counts)
    first, turned = faces.first[face], faces.is_turned[face]
    ahead = _runs(faces.first + 1, counts)
    triangles = number[np.stack((first, ahead + turned, ahead + ~turned), axis=1)]
    surface = faces.surface[face]
    triangles = triangles[np.argsort(surface, kind="stable")]
    filled, triangle_counts = np.unique(surface, return_counts=True)
    slots = np.zeros(len(filled), SLOT_DTYPE)
    slots["surface_index"] = filled
    slots["stippled"] = [slot in faces.stippled_surfaces for slot in filled.tolist()]
    slots["count"] = 3 * triangle_counts
    slots["first"] = np.cumsum(slots["count"]) - slots["count"]
    indices = triangles.reshape(-1).astype(np.uint32)
    return Mesh(_vertices(faces, corners, vertices), indices, slots)


def build_mesh(source: GfxObj | CellStructure) -> Mesh:
    """The mesh of a GfxObj or a cell structure. Retail: ConstructMesh @0x0059DFA0."""
    return build_mesh_of(source.polygons, source.vertices)

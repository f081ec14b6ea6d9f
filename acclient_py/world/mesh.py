"""Meshes built from polygons: fans, sides and windings in retail's order. Free of any GPU.

One mesh a GfxObj or cell structure, with one index range a surface slot. Order: slot ascending;
inside a slot polygons in list order; inside a polygon fan order, positive side before negative.
Front faces run counter-clockwise. A vertex is shared per (vertex, uv index, side).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np

from acclient_py.core import F32, I16, I64, U8, U32, Bool, Struct
from acclient_py.dat.gather import runs
from acclient_py.dat.records.environment import CellStructure
from acclient_py.dat.records.geometry import VertexArray
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.polygons import Polygon, Polygons, Sides
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

# plain numbers: the bits of each slot are asked
_BLENDED: Final = int(SurfaceType.ADDITIVE | SurfaceType.INV_ALPHA | SurfaceType.ALPHA)
_CLIP_MAP: Final = int(SurfaceType.BASE1_CLIP_MAP)
_TRANSLUCENT: Final = int(SurfaceType.TRANSLUCENT)


_SURFACE_BITS: Final = 16
_SURFACE_MASK: Final = 0xFFFF


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
    elif surface_type & _CLIP_MAP:
        mask = MASK_CLIPMAP
    elif surface_type & _TRANSLUCENT:
        mask = MASK_TRANSLUCENT
    else:
        mask = 0
    return mask | MASK_STIPPLED if stippled else mask


class _Joined:
    """Polygon lists and their vertices end to end, with vertices and surfaces numbered through.

    A world's start makes some hundred meshes of some hundred polygons each: one by one they would
    cost ten times as much.
    """

    def __init__(self, sources: Sequence[tuple[Polygons, VertexArray]]) -> None:
        lists, arrays = [source[0] for source in sources], [source[1] for source in sources]
        self.heads: Struct = _concatenated([polygons.heads for polygons in lists])
        self.sizes: I64 = _concatenated([polygons.sizes for polygons in lists])
        self.first: I64 = self.sizes.cumsum() - self.sizes
        self.pos_uv: U8 = _concatenated([polygons.pos_uv for polygons in lists])
        self.neg_uv: U8 = _concatenated([polygons.neg_uv for polygons in lists])
        self.mesh: I64 = np.arange(len(lists)).repeat([len(polygons) for polygons in lists])
        corners: I16 = _concatenated([polygons.corners for polygons in lists])
        self.corners: I64 = corners + _before([len(array) for array in arrays]).repeat(
            [len(polygons.corners) for polygons in lists]
        )
        self.vertices: Struct = _concatenated([array.vertices for array in arrays])
        self.uvs: F32 = _concatenated([array.uvs for array in arrays])
        counts = self.vertices["uv_count"].astype(np.int64)
        self.uv_first: I64 = counts.cumsum() - counts


def _concatenated(arrays: list[Any]) -> Any:
    kind = arrays[0].dtype
    if len(arrays) == 1 or kind.names is None:
        return np.concatenate(arrays)
    plain = f"V{kind.itemsize}"  # numpy joins records field by field, bytes at once
    return np.concatenate([array.view(plain) for array in arrays]).view(kind)


def _before(counts: Sequence[int] | I64) -> I64:
    """How many come before each."""
    numbers = np.asarray(counts, np.int64)
    return numbers.cumsum() - numbers


class _Faces:
    """The faces of polygon lists, in the order in which they are drawn, as arrays.

    A polygon has up to three: its front; the same from behind (DOUBLE); its own back (BOTH).
    Corners of all faces lie end to end. A surface is its index behind the number of its mesh.
    """

    FRONT: Final = 0
    FRONT_FROM_BEHIND: Final = 1
    BACK: Final = 2

    def __init__(self, joined: _Joined) -> None:
        heads, mesh = joined.heads, joined.mesh << _SURFACE_BITS
        front, behind, sides = heads["pos_surface"], heads["neg_surface"], heads["sides"]
        has_front = front >= 0
        self.stippled: I64 = (mesh | front)[has_front & (heads["stippling"] != 0)]
        shown = np.empty((len(heads), 3), bool)
        shown[:, self.FRONT] = has_front
        shown[:, self.FRONT_FROM_BEHIND] = has_front & (sides == Sides.DOUBLE)
        shown[:, self.BACK] = (behind >= 0) & (sides == Sides.BOTH)
        polygon, kind = np.divmod(np.flatnonzero(shown), 3)
        is_back = kind == self.BACK
        self.surface: I64 = mesh[polygon] | np.where(is_back, behind[polygon], front[polygon])
        self.is_turned = (kind == self.FRONT_FROM_BEHIND) | (is_back & REVERSE_SECOND_SURFACE)
        self.sizes: I64 = joined.sizes[polygon]
        self.first: I64 = self.sizes.cumsum() - self.sizes
        # of each corner: where it stands among the polygons' corners
        place = runs(joined.first[polygon], self.sizes)
        self.corner_vertex: I64 = joined.corners[place]
        self.corner_uv: U8 = joined.pos_uv[place]
        if is_back.any():
            own = joined.neg_uv[place]
            self.corner_uv = np.where(is_back.repeat(self.sizes), own, self.corner_uv)
        self.corner_back = (kind != self.FRONT).repeat(self.sizes)
        self.corner_mesh: I64 = joined.mesh[polygon].repeat(self.sizes)


def _shared(faces: _Faces, vertex_count: int) -> tuple[I64, I64]:
    """One vertex per (vertex, uv index, side), in the order in which they come first.

    Corners that stand for them, and of each corner the number of its vertex.
    """
    every = np.arange(len(faces.corner_vertex))
    uvs = np.zeros(vertex_count, np.int64)
    np.maximum.at(uvs, faces.corner_vertex, faces.corner_uv + np.int64(1))
    key = (_before(uvs)[faces.corner_vertex] + faces.corner_uv) * 2 + faces.corner_back
    # of corners that are alike the last that is written stays: the first
    firsts = np.empty(2 * int(uvs.sum()), np.int64)
    firsts[key[::-1]] = every[::-1]
    first = firsts[key]
    corners = np.flatnonzero(first == every)
    number = np.empty(len(every), np.int64)
    number[corners] = np.arange(len(corners))
    return corners, number[first]


def _vertices(faces: _Faces, corners: I64, joined: _Joined) -> Struct:
    made = np.zeros(len(corners), MESH_VERTEX_DTYPE)
    index, uv = faces.corner_vertex[corners], faces.corner_uv[corners]
    source = joined.vertices.take(index)  # whole rows: many times as fast as an index
    # both as plain rows of floats; a source's first word is no float
    rows, stored = made.view("<f4").reshape(-1, 8), source.view("<f4").reshape(-1, 7)
    rows[:, :6] = stored[:, 1:]
    normals = rows[:, 3:6]
    np.negative(normals, out=normals, where=faces.corner_back[corners][:, None])
    if len(joined.uvs):
        has_none = uv >= source["uv_count"]
        row = joined.uv_first[index] + uv
        row[has_none] = 0
        rows[:, 6:] = joined.uvs.take(row, axis=0)
        rows[has_none, 6:] = 0
    return made


def _among(values: I64, others: I64) -> Bool:
    """`np.isin`, which would bring in all that numpy has for masked arrays."""
    if not len(others):
        return np.zeros(len(values), bool)
    others = np.sort(others)
    found: Bool = others.take(np.searchsorted(others, values), mode="clip") == values
    return found


def build_meshes(sources: Sequence[tuple[Sequence[Polygon], VertexArray]]) -> list[Mesh]:
    """The meshes of polygon lists whose corners are in range."""
    if not sources:
        return []
    joined = _Joined([(Polygons.of(polygons), vertices) for polygons, vertices in sources])
    faces = _Faces(joined)
    corners, number = _shared(faces, len(joined.vertices))
    made = _vertices(faces, corners, joined)
    # triangles (0, k + 1, k + 2) of each face, or (0, k + 2, k + 1) where it is turned
    order = np.argsort(faces.surface, kind="stable")
    first = faces.first[order]
    counts = np.maximum(faces.sizes[order] - 2, 0)
    turned = faces.is_turned[order].repeat(counts)
    ahead = runs(first + 1, counts)
    triangles = number[np.stack((first.repeat(counts), ahead + turned, ahead + ~turned), axis=1)]
    surface = faces.surface[order].repeat(counts)
    # slots begin where the surface is another one
    begin = np.flatnonzero(np.diff(surface, prepend=-1))
    slots = np.zeros(len(begin), SLOT_DTYPE)
    slots["surface_index"] = surface[begin] & _SURFACE_MASK
    slots["stippled"] = _among(surface[begin], faces.stippled)
    slots["count"] = 3 * np.diff(begin, append=len(surface))
    # each mesh has a run of all three, and counts from its beginning
    bounds = np.arange(len(sources) + 1)
    of_triangle, of_slot = surface >> _SURFACE_BITS, surface[begin] >> _SURFACE_BITS
    vertex_bounds = np.searchsorted(faces.corner_mesh[corners], bounds)
    triangle_bounds = np.searchsorted(of_triangle, bounds)
    slots["first"] = 3 * (begin - triangle_bounds[of_slot])
    triangles -= vertex_bounds[of_triangle][:, None]
    indices = triangles.reshape(-1).astype(np.uint32)
    cuts = zip(
        _slices(vertex_bounds),
        _slices(3 * triangle_bounds),
        _slices(np.searchsorted(of_slot, bounds)),
        strict=True,
    )
    return [Mesh(made[v], indices[i], slots[s]) for v, i, s in cuts]


def _slices(bounds: I64) -> list[slice]:
    return [slice(*pair) for pair in itertools.pairwise(bounds.tolist())]


def build_mesh_of(polygons: Sequence[Polygon], vertices: VertexArray) -> Mesh:
    """The mesh of a polygon list whose corners are in range."""
    return build_meshes([(polygons, vertices)])[0]


def build_mesh(source: GfxObj | CellStructure) -> Mesh:
    """The mesh of a GfxObj or a cell structure. Retail: ConstructMesh @0x0059DFA0."""
    return build_mesh_of(source.polygons, source.vertices)

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

from acclient_py.core import F32, U32, Struct
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


class _Builder:
    """Collects shared vertices and the triangles of each slot."""

    def __init__(self, source: VertexArray) -> None:
        self.source = source
        self.rows: dict[tuple[int, int, bool], int] = {}
        self.slots: dict[int, list[int]] = {}

    def fan(self, polygon: Polygon, surface: int, *, back: bool, back_uv: bool, turn: bool) -> None:
        """Triangles (0, k+1, k+2), or (0, k+2, k+1) where the winding is turned."""
        rows = self.rows
        uvs = (polygon.neg_uv if back_uv else polygon.pos_uv)[: len(polygon.vertex_indices)]
        corners = [
            rows.setdefault((vertex, uv, back), len(rows))
            for vertex, uv in itertools.zip_longest(polygon.vertex_indices, uvs, fillvalue=0)
        ]
        indices = self.slots.setdefault(surface, [])
        for k in range(len(corners) - 2):
            a, b = (k + 2, k + 1) if turn else (k + 1, k + 2)
            indices += (corners[0], corners[a], corners[b])

    def vertices(self) -> Struct:
        keys = np.array(list(self.rows), np.int64).reshape(-1, 3)
        made = np.zeros(len(keys), MESH_VERTEX_DTYPE)
        index, uv, back = keys[:, 0], keys[:, 1], keys[:, 2].astype(bool)
        made["position"] = self.source.positions[index]
        normals: F32 = self.source.normals[index]
        made["normal"] = np.where(back[:, None], -normals, normals)
        has_uv = uv < self.source.vertices["uv_count"][index]
        if len(self.source.uvs):
            row = np.where(has_uv, self.source.uv_first[index] + uv, 0)
            made["uv"] = np.where(has_uv[:, None], self.source.uvs[row], np.float32(0))
        return made


def build_mesh_of(polygons: Sequence[Polygon], vertices: VertexArray) -> Mesh:
    """The mesh of a polygon list whose corners are in range."""
    builder = _Builder(vertices)
    stippled: set[int] = set()
    for polygon in polygons:
        front, behind = polygon.pos_surface, polygon.neg_surface
        if front >= 0:
            if polygon.stippling:
                stippled.add(front)
            builder.fan(polygon, front, back=False, back_uv=False, turn=False)
            if polygon.sides == Sides.DOUBLE:
                builder.fan(polygon, front, back=True, back_uv=False, turn=True)
        if polygon.sides == Sides.BOTH and behind >= 0:
            builder.fan(polygon, behind, back=True, back_uv=True, turn=REVERSE_SECOND_SURFACE)
    filled = sorted(slot for slot, indices in builder.slots.items() if indices)
    slots = np.zeros(len(filled), SLOT_DTYPE)
    indices: list[int] = []
    for row, surface in enumerate(filled):
        run = builder.slots[surface]
        slots[row] = (surface, surface in stippled, len(indices), len(run))
        indices += run
    return Mesh(builder.vertices(), np.array(indices, np.uint32), slots)


def build_mesh(source: GfxObj | CellStructure) -> Mesh:
    """The mesh of a GfxObj or a cell structure. Retail: ConstructMesh @0x0059DFA0."""
    return build_mesh_of(source.polygons, source.vertices)

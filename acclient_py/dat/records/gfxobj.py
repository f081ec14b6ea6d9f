"""GfxObj, 0x01: a rigid mesh with its surfaces and its trees."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from typing import Self

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.bsp import BspKind, BspTree
from acclient_py.dat.records.common import Vec3
from acclient_py.dat.records.geometry import VertexArray
from acclient_py.dat.records.polygons import MIN_POLYGON_SIZE, Polygon, Polygons


class GfxObjFlags(IntFlag):
    """Bits of GfxObj.flags; 4 is kept and means nothing known."""

    HAS_PHYSICS = 1
    HAS_DRAWING = 2
    HAS_DEGRADE = 8


class GfxObj(Record, frozen=True):
    """One mesh. What `flags` does not announce is empty or None."""

    id: int
    flags: int  # GfxObjFlags; unknown bits are kept
    surfaces: tuple[int, ...]  # Surface ids
    vertices: VertexArray
    physics_polygons: Sequence[Polygon]
    physics_bsp: BspTree | None
    sort_center: Vec3
    polygons: Sequence[Polygon]
    drawing_bsp: BspTree | None
    degrade_id: int = 0  # GfxObjDegradeInfo

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, flags = cursor.u32(), cursor.u32()
        surfaces = cursor.u32s(cursor.count(cursor.cuint(), 4))
        vertices = VertexArray.unpack(cursor)
        physics_polygons: Sequence[Polygon] = ()
        polygons: Sequence[Polygon] = ()
        physics_bsp = drawing_bsp = None
        if flags & GfxObjFlags.HAS_PHYSICS:
            physics_polygons = _unpack_list(cursor)
            physics_bsp = BspTree.unpack(cursor, BspKind.PHYSICS)
        sort_center = cursor.vec3()
        if flags & GfxObjFlags.HAS_DRAWING:
            polygons = _unpack_list(cursor)
            drawing_bsp = BspTree.unpack(cursor, BspKind.DRAWING)
        degrade_id = cursor.u32() if flags & GfxObjFlags.HAS_DEGRADE else 0
        return cls(
            record_id,
            flags,
            surfaces,
            vertices,
            physics_polygons,
            physics_bsp,
            sort_center,
            polygons,
            drawing_bsp,
            degrade_id,
        )

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.flags)
        out.cuint(len(self.surfaces))
        out.u32s(self.surfaces)
        self.vertices.pack(out)
        if self.flags & GfxObjFlags.HAS_PHYSICS:
            assert self.physics_bsp is not None, "HAS_PHYSICS needs a physics tree"
            _pack_list(self.physics_polygons, out)
            self.physics_bsp.pack(out)
        out.f32s(self.sort_center)
        if self.flags & GfxObjFlags.HAS_DRAWING:
            assert self.drawing_bsp is not None, "HAS_DRAWING needs a drawing tree"
            _pack_list(self.polygons, out)
            self.drawing_bsp.pack(out)
        if self.flags & GfxObjFlags.HAS_DEGRADE:
            out.u32(self.degrade_id)


def _unpack_list(cursor: Cursor) -> Polygons:
    return Polygons.unpack(cursor, cursor.count(cursor.cuint(), MIN_POLYGON_SIZE))


def _pack_list(polygons: Sequence[Polygon], out: Packer) -> None:
    out.cuint(len(polygons))
    for polygon in polygons:
        polygon.pack(out)

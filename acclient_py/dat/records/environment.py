"""Environment, 0x0D: the cell structures that env cells are instances of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.bsp import BspKind, BspTree
from acclient_py.dat.records.geometry import VertexArray
from acclient_py.dat.records.polygons import MIN_POLYGON_SIZE, Polygon, Polygons


class CellStructure(Struct, frozen=True):
    """The shape of an env cell: mesh, portals, and its trees.

    Polygon numbers in `portals` and in the trees are places in the polygon lists.
    """

    key: int  # its position in the environment's list, in sound records
    vertices: VertexArray
    polygons: Sequence[Polygon]
    portals: tuple[int, ...]
    cell_bsp: BspTree
    physics_polygons: Sequence[Polygon]
    physics_bsp: BspTree
    drawing_bsp: BspTree | None = None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        key, polygon_count, physics_count, portal_count = cursor.u32s(4)
        cursor.count(polygon_count + physics_count, MIN_POLYGON_SIZE)
        vertices = VertexArray.unpack(cursor)
        polygons = Polygons.unpack(cursor, polygon_count)
        portals = cursor.u16s(cursor.count(portal_count, 2))
        cursor.align4()
        cell_bsp = BspTree.unpack(cursor, BspKind.CELL)
        physics_polygons = Polygons.unpack(cursor, physics_count)
        physics_bsp = BspTree.unpack(cursor, BspKind.PHYSICS)
        has_drawing, at = cursor.u32(), cursor.at - 4
        if has_drawing > 1:
            raise cursor.fail(f"has-drawing mark of {has_drawing}, wanted 0 or 1", at)
        drawing_bsp = BspTree.unpack(cursor, BspKind.DRAWING) if has_drawing else None
        cursor.align4()
        return cls(
            key,
            vertices,
            polygons,
            portals,
            cell_bsp,
            physics_polygons,
            physics_bsp,
            drawing_bsp,
        )

    def pack(self, out: Packer) -> None:
        out.u32s((self.key, len(self.polygons), len(self.physics_polygons), len(self.portals)))
        self.vertices.pack(out)
        for polygon in self.polygons:
            polygon.pack(out)
        out.u16s(self.portals)
        out.align4()
        self.cell_bsp.pack(out)
        for polygon in self.physics_polygons:
            polygon.pack(out)
        self.physics_bsp.pack(out)
        out.u32(int(self.drawing_bsp is not None))
        if self.drawing_bsp is not None:
            self.drawing_bsp.pack(out)
        out.align4()


class Environment(Record, frozen=True):
    """A list of cell structures. An EnvCell names one by its position here."""

    id: int
    structures: tuple[CellStructure, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(CellStructure.unpack, 80))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.many(self.structures, CellStructure.pack)

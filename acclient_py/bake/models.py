"""Records of models: GfxObj with its trees, and degrade tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from acclient_py.bake.book import Book
from acclient_py.bake.bsp import Portal, drawing_tree, physics_tree
from acclient_py.bake.faces import Face, flattened
from acclient_py.bake.meshes import Geometry, mesh_faces
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.seams import mended
from acclient_py.bake.textures import skin
from acclient_py.bake.vec import V3, f32, f32_point
from acclient_py.dat.records.degrade import DegradeLevel, GfxObjDegradeInfo
from acclient_py.dat.records.gfxobj import GfxObj, GfxObjFlags
from acclient_py.errors import DataError

FACING: Final = {None: 1, "eye": 2, "x": 3, "y": 4, "z": 5}
"""Modes of a level of detail by what it turns about."""
FAR: Final = 10000.0
COARSE: Final = 0.6
FINE: Final = 1.6
"""How far the limits of a level move with the user's choice of detail."""


def find_mesh(book: Book, name: str) -> m.Mesh:
    """A mesh of the recipe, for pieces that use it."""
    mesh: m.Mesh = book.tables.need("mesh", name, "a piece")
    return mesh


def faces_of(book: Book, name: str) -> list[Face]:
    """All faces of a mesh of the recipe."""
    return mesh_faces(find_mesh(book, name), partial(find_mesh, book))


def make_mesh(book: Book, name: str) -> None:
    """The GfxObj of a mesh of the recipe."""
    mesh = find_mesh(book, name)
    number = book.ids[("mesh", name)]
    degrade_id = _degrade(book, name, mesh) if mesh.levels or mesh.facing else 0
    put_gfxobj(
        book,
        number,
        faces_of(book, name),
        label=f"mesh '{name}'",
        physics=mesh.physics,
        sort_center=mesh.sort_center,
        degrade_id=degrade_id,
    )


def put_gfxobj(
    book: Book,
    number: int,
    faces: Sequence[Face],
    *,
    label: str,
    physics: bool,
    sort_center: V3 | None = None,
    degrade_id: int = 0,
    seams: bool = False,
) -> int:
    """Make a GfxObj of faces; returns the number of leaves of its drawing tree."""
    flat = flattened(faces)
    drawn = [f for f in flat if f.drawn]
    if not drawn:
        raise DataError("a model needs a face that is drawn", where=label)
    geometry = Geometry(partial(skin, book, label))
    if seams:
        solid = [f for f in flat if f.solid and f.portal < 0]
        geometry.add_drawn(mended(drawn))
        geometry.add_solid(solid if physics else [])
    else:
        geometry.add_drawn(drawn)
        geometry.add_solid([f for f in flat if f.solid and f.portal < 0] if physics else [])
    flags = GfxObjFlags.HAS_DRAWING
    tree = None
    if geometry.physics:
        flags |= GfxObjFlags.HAS_PHYSICS
        tree = physics_tree(geometry.physics_rings)
    if degrade_id:
        flags |= GfxObjFlags.HAS_DEGRADE
    portals = [Portal(p, n, geometry.rings[p]) for p, n in geometry.portals]
    drawing, leaves = drawing_tree(geometry.rings, portals)
    surfaces = tuple(book.surface_id(surface, label) for surface in geometry.surfaces)
    record = GfxObj(
        number,
        int(flags),
        surfaces,
        geometry.vertices(),
        tuple(geometry.physics),
        tree,
        geometry.center() if sort_center is None else f32_point(sort_center),
        tuple(geometry.polygons),
        drawing,
        degrade_id,
    )
    book.put(number, record.write())
    return leaves


def _degrade(book: Book, name: str, mesh: m.Mesh) -> int:
    """The degrade table: the mesh itself first, each level up to where the next begins."""
    number = book.fresh("degrade")
    models = [(book.ids[("mesh", name)], FACING[mesh.facing])]
    for level in mesh.levels:
        other = book.id_of("mesh", level.mesh, f"mesh '{name}'") if level.mesh else 0
        models.append((other, level.mode))
    limits = [level.beyond for level in mesh.levels]
    if limits != sorted(limits):
        raise DataError("levels go from near to far")
    limits.append(FAR)
    levels = []
    for (model, mode), limit in zip(models, limits, strict=True):
        least, most = (limit * COARSE, limit * FINE) if limit < FAR else (FAR, FAR)
        levels.append(DegradeLevel(model, mode, f32(least), f32(limit), f32(most)))
    book.put(number, GfxObjDegradeInfo(number, tuple(levels)).write())
    return number

"""Materials: surfaces of meshes as rows on the GPU, with the looks and the detail passes of them.

A material is a surface, its addressing and what an object's look changes of it. Rows are made when
first asked for and shared by all meshes. What is missing shows a checker and is reported once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.surface import Surface, SurfaceType
from acclient_py.errors import DataError
from acclient_py.kernels.draw import DETAIL_BUILDINGS, DETAIL_CELLS, NO_DETAIL
from acclient_py.log import warn_once
from acclient_py.render.pictures import Pictures
from acclient_py.render.surfaces import Ladder, SurfaceTable, surface_ladder
from acclient_py.world.looks import PLAIN, Look
from acclient_py.world.region import RegionModel

# how often the picture repeats over the base's, besides the region's own number
BUILDING_FACTOR: Final = 1.0
CELL_FACTOR: Final = 3.0


class Material(NamedTuple):
    """row : of the surface table ; state : pipeline state ; kind : the surface's type bits"""

    row: int
    state: int
    kind: int


class _Made(NamedTuple):
    """What a detail pass takes over from the surface that it lies on."""

    material: Material
    ladder: Ladder
    luminosity: float
    diffuse: float


class _Detail(NamedTuple):
    picture: tuple[int, int]
    repeats: float


class Materials:
    """All materials of one world. Writes rows; owns none of the arrays."""

    def __init__(
        self, dats: DatSet, surfaces: SurfaceTable, pictures: Pictures, region: RegionModel
    ) -> None:
        self._dats = dats
        self.surfaces = surfaces
        self._pictures = pictures
        self._made: dict[tuple[int, bool, Look], _Made] = {}
        self._over: dict[tuple[int, bool, int], int] = {}
        self._details: dict[int, _Detail] = {}
        for which, place, factor in (
            (DETAIL_BUILDINGS, "building", BUILDING_FACTOR),
            (DETAIL_CELLS, "environment", CELL_FACTOR),
        ):
            texture, tiling = region.detail(place)
            if not texture or tiling <= 0:
                continue
            picture, _ = pictures.picture(texture, 0, clip_map=False)
            if picture != pictures.stand_in:
                self._details[which] = _Detail(picture, factor * tiling)

    @property
    def details(self) -> int:
        """Which detail surfaces the region supplies, DETAIL_*."""
        return sum(self._details)

    def material(self, surface_id: int, wrap: bool, look: Look = PLAIN) -> Material:
        """The material of a Surface id."""
        return self._get(surface_id, wrap, look).material

    def detail(self, surface_id: int, wrap: bool, which: int) -> int:
        """The row of the detail pass over a material, NO_DETAIL without one.

        which : DETAIL_BUILDINGS or DETAIL_CELLS
        Retail: ACRender::SetDetailSurfaceInternal @0x006B6280; the alpha test stays the surface's.
        """
        detail = self._details.get(which)
        if detail is None:
            return NO_DETAIL
        key = (surface_id, wrap, which)
        row = self._over.get(key)
        if row is None:
            below = self._get(surface_id, wrap, PLAIN)
            row = self._over[key] = self.surfaces.add_mesh(
                below.ladder,
                picture=detail.picture,
                wrap=True,
                luminosity=below.luminosity,
                diffuse=below.diffuse,
                detail=detail.repeats,
            )
        return row

    def stand_in(self, luminosity: float = 0.0) -> Material:
        """The checker."""
        ladder = surface_ladder(SurfaceType.BASE1_IMAGE, 0.0, palettised=False)
        row = self.surfaces.add_mesh(
            ladder, picture=self._pictures.stand_in, wrap=True, luminosity=luminosity, diffuse=1.0
        )
        return Material(row, ladder.state, int(SurfaceType.BASE1_IMAGE))

    def _get(self, surface_id: int, wrap: bool, look: Look) -> _Made:
        key = (surface_id, wrap, look)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._make(surface_id, wrap, look)
        return found

    def _make(self, surface_id: int, wrap: bool, look: Look) -> _Made:
        try:
            surface = self._dats.record(surface_id)
            if not isinstance(surface, Surface):
                raise DataError("no Surface", where=hex8(surface_id))
        except DataError as error:
            warn_once(
                ("surface", surface_id), "checker drawn for surface %s: %s", hex8(surface_id), error
            )
            ladder = surface_ladder(SurfaceType.BASE1_IMAGE, 0.0, palettised=False)
            return _Made(self.stand_in(), ladder, 0.0, 1.0)
        palettised = False
        if surface.has_texture:
            clip = bool(surface.type & SurfaceType.BASE1_CLIP_MAP)
            picture, palettised = self._pictures.picture(
                look.texture(surface.texture_id),
                surface.palette_id,
                clip_map=clip,
                colours=look.colours,
            )
        else:
            picture = self._pictures.solid(surface.color, 1.0 - surface.translucency)
        ladder = surface_ladder(surface.type, surface.translucency, palettised=palettised)
        row = self.surfaces.add_mesh(
            ladder,
            picture=picture,
            wrap=wrap,
            luminosity=surface.luminosity,
            diffuse=surface.diffuse,
        )
        material = Material(row, ladder.state, surface.type)
        return _Made(material, ladder, surface.luminosity, surface.diffuse)

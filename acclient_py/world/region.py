"""The region: height table, terrain and scene types, texture merge, game time, sky."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import F32
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.region import Region
from acclient_py.dat.records.region_terrain import TerrainTexture
from acclient_py.errors import DataError
from acclient_py.log import warn_once

log = logging.getLogger(__name__)

REGION_TYPE: Final = 0x13
DETAIL_PLACES: Final = {"landscape": 0, "building": 1, "environment": 2, "object": 3}
"""In the list of terrain textures: whose detail texture serves what."""

HIGHEST: Final = np.float32(800.0)
"""1000 of sky height less 200 of the highest object."""


def set_height_table(entries: F32, before: F32 | None = None) -> F32:
    """(256,) float32 heights: entries in order up to the first outside 0..800, the rest as before.

    Retail: LandDefs::set_height_table @0x005A99E0.
    """
    table = np.zeros(256, np.float32) if before is None else before.copy()
    good = (entries >= 0) & (entries <= HIGHEST)
    count = len(entries) if bool(good.all()) else int(np.argmin(good))
    table[:count] = entries[:count]
    return table


class RegionModel(Struct, frozen=True, eq=False):
    """A region made usable. heights : (256,) float32, LandHeightTable."""

    id: int
    heights: F32
    record: Region

    def scenes(self, terrain_type: int, slot: int) -> tuple[int, ...]:
        """The scenes of a terrain type's slot, among which a vertex' scene hash chooses."""
        kinds = self.record.terrain_types
        if terrain_type >= len(kinds) or slot >= len(kinds[terrain_type].scene_types):
            return ()
        kind = kinds[terrain_type].scene_types[slot]
        if kind >= len(self.record.scene_types):
            return ()
        return self.record.scene_types[kind].scenes

    def terrain_texture(self, terrain_type: int) -> TerrainTexture | None:
        """The texture of a terrain type (32: the road), else the first listed; None without any."""
        textures = self.record.texture_merge.textures
        for entry in textures:
            if entry.terrain_type == terrain_type:
                return entry
        return textures[0] if textures else None

    def detail(self, place: str) -> tuple[int, int]:
        """(texture, tiling) of the detail surface of a DETAIL_PLACES; (0, 0) where none is named.

        Retail: LScape::SetDetailTexturing, TexMerge::GetDetailTex, GetDetailTiling.
        """
        textures = self.record.texture_merge.textures
        index = DETAIL_PLACES[place]
        if index >= len(textures):
            return 0, 0
        return textures[index].detail_texture_id, textures[index].detail_tiling

    def mask_codes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Codes of the corner, side and road masks, for `texmerge.cell_texture`."""
        merge = self.record.texture_merge
        corner, side, road = (
            tuple([code for code, _ in masks])
            for masks in (merge.corner_masks, merge.side_masks, merge.road_masks)
        )
        return corner, side, road


def load_region(dats: DatSet) -> RegionModel:
    """The first region of a DAT set that can be read. DataError when there is none."""
    first_error: DataError | None = None
    for did in sorted(dats.ids(REGION_TYPE)):
        try:
            record = dats.record(did)
            assert isinstance(record, Region), "ids of type 0x13 are regions"
            return RegionModel(did, set_height_table(record.land.heights), record)
        except DataError as error:
            warn_once(("record", did), "region %s left out: %s", hex8(did), error, logger=log)
            first_error = first_error or error
    raise first_error or DataError(
        "no region record (0x13......)", do="name a folder with a whole client_portal.dat"
    )

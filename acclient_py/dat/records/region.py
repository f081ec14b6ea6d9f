"""Region, 0x13: heights, time, sky, sounds, scenery and terrain of the whole map."""

from __future__ import annotations

from enum import IntFlag
from typing import Final, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.region_sky import GameTime, SkyDesc
from acclient_py.dat.records.region_terrain import (
    AmbientSounds,
    SceneType,
    TerrainType,
    TextureMerge,
)

REGION_VERSION: Final = 3


class RegionParts(IntFlag):
    """Bits of Region.parts that decide what is stored; terrain is stored in any case."""

    SOUND = 0x001
    SCENES = 0x002
    TERRAIN = 0x004
    ENCOUNTERS = 0x008
    SKY = 0x010
    MISC = 0x200


class LandDefs(Struct, frozen=True, eq=False):
    """The numbers of the land. The client uses its own constants for all but the heights.

    heights : (256,) float32, world z for each height byte
    """

    blocks_long: int
    blocks_wide: int
    square_length: float
    squares_per_block: int
    vertices_per_cell: int
    max_object_height: float
    sky_height: float
    road_width: float
    heights: npt.NDArray[np.float32]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.i32(),
            cursor.i32(),
            cursor.f32(),
            cursor.i32(),
            cursor.i32(),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.array("<f4", 256),
        )

    def pack(self, out: Packer) -> None:
        assert self.heights.shape == (256,), "the height table has 256 entries"
        out.i32(self.blocks_long)
        out.i32(self.blocks_wide)
        out.f32(self.square_length)
        out.i32(self.squares_per_block)
        out.i32(self.vertices_per_cell)
        out.f32s((self.max_object_height, self.sky_height, self.road_width))
        out.array(self.heights, "<f4")


class RegionMisc(Struct, frozen=True):
    """Odds and ends of the region."""

    version: int
    game_map_id: int  # RenderSurface
    autotest_map_id: int
    autotest_map_size: int
    clear_cell_id: int  # GfxObj
    clear_monster_id: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(*cursor.u32s(6))

    def pack(self, out: Packer) -> None:
        out.u32s(
            (
                self.version,
                self.game_map_id,
                self.autotest_map_id,
                self.autotest_map_size,
                self.clear_cell_id,
                self.clear_monster_id,
            )
        )


class Region(Record, frozen=True):
    """The whole of it. What `parts` does not announce is empty or None."""

    id: int
    number: int
    name: str
    land: LandDefs
    time: GameTime
    parts: int  # RegionParts; unknown bits are kept
    sky: SkyDesc | None
    sounds: tuple[AmbientSounds, ...]
    scene_types: tuple[SceneType, ...]
    terrain_types: tuple[TerrainType, ...]
    texture_merge: TextureMerge
    misc: RegionMisc | None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, number, version = cursor.u32s(3)
        if version != REGION_VERSION:
            raise cursor.fail(f"region version {version}, wanted {REGION_VERSION}", cursor.at - 4)
        name = cursor.str_()
        land, time = LandDefs.unpack(cursor), GameTime.unpack(cursor)
        parts = cursor.u32()
        has_sounds, has_scenes = parts & RegionParts.SOUND, parts & RegionParts.SCENES
        return cls(
            record_id,
            number,
            name,
            land,
            time,
            parts,
            SkyDesc.unpack(cursor) if parts & RegionParts.SKY else None,
            cursor.many(AmbientSounds.unpack, 8) if has_sounds else (),
            cursor.many(SceneType.unpack, 8) if has_scenes else (),
            cursor.many(TerrainType.unpack, 12),
            TextureMerge.unpack(cursor),
            RegionMisc.unpack(cursor) if parts & RegionParts.MISC else None,
        )

    def pack(self, out: Packer) -> None:
        out.u32s((self.id, self.number, REGION_VERSION))
        out.str_(self.name)
        self.land.pack(out)
        self.time.pack(out)
        out.u32(self.parts)
        if self.parts & RegionParts.SKY:
            assert self.sky is not None, "RegionParts.SKY needs a sky"
            self.sky.pack(out)
        if self.parts & RegionParts.SOUND:
            out.many(self.sounds, AmbientSounds.pack)
        if self.parts & RegionParts.SCENES:
            out.many(self.scene_types, SceneType.pack)
        out.many(self.terrain_types, TerrainType.pack)
        self.texture_merge.pack(out)
        if self.parts & RegionParts.MISC:
            assert self.misc is not None, "RegionParts.MISC needs its part"
            self.misc.pack(out)

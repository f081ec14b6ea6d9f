"""The Region's sounds, scene types, terrain types and texture merge tables."""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.common import Pair, pack_pair, unpack_pair

NO_SOUND: Final = 0xFFFFFFFF
ROAD_TERRAIN: Final = 32
"""Terrain type number of the road texture in the texture merge list."""


class AmbientSound(Struct, frozen=True):
    """One sound of a place; chance 0 is continuous."""

    sound_type: int
    volume: float
    base_chance: float
    min_rate: float
    max_rate: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), *cursor.f32s(4))

    def pack(self, out: Packer) -> None:
        out.u32(self.sound_type)
        out.f32s((self.volume, self.base_chance, self.min_rate, self.max_rate))


class AmbientSounds(Struct, frozen=True):
    """The sounds of a kind of place."""

    sound_table_id: int
    sounds: tuple[AmbientSound, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(AmbientSound.unpack, 20))

    def pack(self, out: Packer) -> None:
        out.u32(self.sound_table_id)
        out.many(self.sounds, AmbientSound.pack)


class SceneType(Struct, frozen=True):
    """A choice of scenes, and the sounds that go with it."""

    sound_index: int  # NO_SOUND none
    scenes: tuple[int, ...]  # Scene ids

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32s(cursor.count32(4)))

    def pack(self, out: Packer) -> None:
        out.u32(self.sound_index)
        out.u32(len(self.scenes))
        out.u32s(self.scenes)


class TerrainType(Struct, frozen=True):
    """One of the kinds of ground."""

    name: str
    color: int  # 0xAARRGGBB, on the map
    scene_types: tuple[int, ...]  # indices into Region.scene_types

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.str_(), cursor.u32(), cursor.u32s(cursor.count32(4)))

    def pack(self, out: Packer) -> None:
        out.str_(self.name)
        out.u32(self.color)
        out.u32(len(self.scene_types))
        out.u32s(self.scene_types)


class TerrainTexture(Struct, frozen=True):
    """The texture of one terrain type (ROAD_TERRAIN: of roads)."""

    terrain_type: int
    texture_id: int  # SurfaceTexture
    tiling: int
    max_bright: int
    min_bright: int
    max_saturation: int
    min_saturation: int
    max_hue: int
    min_hue: int
    detail_tiling: int
    detail_texture_id: int  # SurfaceTexture

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(*cursor.u32s(11))

    def pack(self, out: Packer) -> None:
        out.u32s(
            (
                self.terrain_type,
                self.texture_id,
                self.tiling,
                self.max_bright,
                self.min_bright,
                self.max_saturation,
                self.min_saturation,
                self.max_hue,
                self.min_hue,
                self.detail_tiling,
                self.detail_texture_id,
            )
        )


class TextureMerge(Struct, frozen=True):
    """Terrain textures and the masks that blend them: pairs of (code, SurfaceTexture id)."""

    base_texture_size: int
    corner_masks: tuple[Pair, ...]
    side_masks: tuple[Pair, ...]
    road_masks: tuple[Pair, ...]
    textures: tuple[TerrainTexture, ...]

    def texture_of(self, terrain_type: int) -> TerrainTexture | None:
        """The type's entry, else the first of the list; None from an empty one."""
        for entry in self.textures:
            if entry.terrain_type == terrain_type:
                return entry
        return self.textures[0] if self.textures else None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        kind = cursor.u32()
        if kind:
            raise cursor.fail(f"land surface type {kind}, only 0 is read", cursor.at - 4)
        return cls(
            cursor.u32(),
            cursor.many(unpack_pair, 8),
            cursor.many(unpack_pair, 8),
            cursor.many(unpack_pair, 8),
            cursor.many(TerrainTexture.unpack, 44),
        )

    def pack(self, out: Packer) -> None:
        out.u32(0)
        out.u32(self.base_texture_size)
        out.many(self.corner_masks, pack_pair)
        out.many(self.side_masks, pack_pair)
        out.many(self.road_masks, pack_pair)
        out.many(self.textures, TerrainTexture.pack)

"""ClothingTable, 0x10: how a garment changes the parts, textures and colours of a body.

Both tables are kept as lists of pairs in the order of the file, with the bucket counts of
their heads; the order says how the table was last saved and is not sorted by key.
"""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import Pair, pack_pair, unpack_pair


class ClothingObjectEffect(Struct, frozen=True):
    """What becomes of one part: another model, and textures put in place of others."""

    part: int
    model_id: int  # GfxObj
    textures: tuple[Pair, ...]  # (old, new) SurfaceTexture ids

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32(), cursor.many(unpack_pair, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.part)
        out.u32(self.model_id)
        out.many(self.textures, pack_pair)


class ClothingSubPalette(Struct, frozen=True):
    """Ranges of colours that a palette set fills: (first colour, number of colours)."""

    ranges: tuple[Pair, ...]
    palette_set_id: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.many(unpack_pair, 8), cursor.u32())

    def pack(self, out: Packer) -> None:
        out.many(self.ranges, pack_pair)
        out.u32(self.palette_set_id)


class ClothingPaletteEffect(Struct, frozen=True):
    """The colours of one palette template."""

    icon_id: int  # RenderSurface, 0 none
    sub_palettes: tuple[ClothingSubPalette, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(ClothingSubPalette.unpack, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.icon_id)
        out.many(self.sub_palettes, ClothingSubPalette.pack)


ClothingBase = tuple[int, tuple[ClothingObjectEffect, ...]]
ClothingTemplate = tuple[int, ClothingPaletteEffect]


class ClothingTable(Record, frozen=True):
    """A garment."""

    id: int
    base_buckets: int
    base_effects: tuple[ClothingBase, ...]  # (Setup id, effects)
    palette_buckets: int
    palette_effects: tuple[ClothingTemplate, ...]  # (palette template, colours)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id = cursor.u32()
        base_count, base_buckets = cursor.u16(), cursor.u16()
        cursor.count(base_count, 8)
        base_effects = tuple(
            [
                (cursor.u32(), cursor.many(ClothingObjectEffect.unpack, 12))
                for _ in range(base_count)
            ]
        )
        palette_count, palette_buckets = cursor.u16(), cursor.u16()
        cursor.count(palette_count, 12)
        palette_effects = tuple(
            [(cursor.u32(), ClothingPaletteEffect.unpack(cursor)) for _ in range(palette_count)]
        )
        return cls(record_id, base_buckets, base_effects, palette_buckets, palette_effects)

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u16(len(self.base_effects))
        out.u16(self.base_buckets)
        for setup_id, effects in self.base_effects:
            out.u32(setup_id)
            out.many(effects, ClothingObjectEffect.pack)
        out.u16(len(self.palette_effects))
        out.u16(self.palette_buckets)
        for template, effect in self.palette_effects:
            out.u32(template)
            effect.pack(out)

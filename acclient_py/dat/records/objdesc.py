"""ObjDesc: the look of one object, as messages and character creation carry it.

It is no record of its own. It starts and ends on a multiple of 4 of what it stands in.
"""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer

MARK: Final = 0x11
PALETTE_BASE: Final = 0x04000000
TEXTURE_BASE: Final = 0x05000000
GFXOBJ_BASE: Final = 0x01000000


class SubPalette(Struct, frozen=True):
    """A range of colours taken from another palette; stored in eighths."""

    palette_id: int
    offset: int  # colours, a multiple of 8
    count: int  # colours, a multiple of 8; 2048 is all


class TextureChange(Struct, frozen=True):
    """On one part, a texture in place of another."""

    part: int
    old_id: int
    new_id: int


class PartChange(Struct, frozen=True):
    """Another model for one part."""

    part: int
    model_id: int


class ObjDesc(Struct, frozen=True):
    """Palettes, textures and parts that an object has in place of its Setup's."""

    base_palette_id: int = 0  # stored only with sub palettes
    sub_palettes: tuple[SubPalette, ...] = ()
    textures: tuple[TextureChange, ...] = ()
    parts: tuple[PartChange, ...] = ()

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        cursor.align4()
        at = cursor.at
        mark = cursor.u8()
        if mark != MARK:
            raise cursor.fail(f"object description starts with 0x{mark:02X}, wanted 0x11", at)
        palette_count, texture_count, part_count = cursor.u8(), cursor.u8(), cursor.u8()
        base_palette_id = cursor.pid(PALETTE_BASE) if palette_count else 0
        cursor.count(palette_count, 4)
        sub_palettes = tuple(
            [
                SubPalette(cursor.pid(PALETTE_BASE), cursor.u8() * 8, (cursor.u8() or 256) * 8)
                for _ in range(palette_count)
            ]
        )
        cursor.count(texture_count, 5)
        textures = tuple(
            [
                TextureChange(cursor.u8(), cursor.pid(TEXTURE_BASE), cursor.pid(TEXTURE_BASE))
                for _ in range(texture_count)
            ]
        )
        cursor.count(part_count, 3)
        parts = tuple([PartChange(cursor.u8(), cursor.pid(GFXOBJ_BASE)) for _ in range(part_count)])
        cursor.align4()
        return cls(base_palette_id, sub_palettes, textures, parts)

    def pack(self, out: Packer) -> None:
        out.align4()
        out.u8(MARK)
        out.u8(len(self.sub_palettes))
        out.u8(len(self.textures))
        out.u8(len(self.parts))
        if self.sub_palettes:
            out.pid(PALETTE_BASE, self.base_palette_id)
        for palette in self.sub_palettes:
            out.pid(PALETTE_BASE, palette.palette_id)
            out.u8(palette.offset // 8)
            out.u8(palette.count // 8 & 0xFF)
        for texture in self.textures:
            out.u8(texture.part)
            out.pid(TEXTURE_BASE, texture.old_id)
            out.pid(TEXTURE_BASE, texture.new_id)
        for part in self.parts:
            out.u8(part.part)
            out.pid(GFXOBJ_BASE, part.model_id)
        out.align4()

"""Surface, 0x08: a texture or colour and how it is drawn."""

from __future__ import annotations

from enum import IntFlag
from typing import Final, Self

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class SurfaceType(IntFlag):
    """Bits of Surface.type."""

    BASE1_SOLID = 0x00000001
    BASE1_IMAGE = 0x00000002
    BASE1_CLIP_MAP = 0x00000004
    TRANSLUCENT = 0x00000010
    DIFFUSE = 0x00000020
    LUMINOUS = 0x00000040
    ALPHA = 0x00000100
    INV_ALPHA = 0x00000200
    ADDITIVE = 0x00010000
    DETAIL = 0x00020000
    GOURAUD = 0x10000000
    STIPPLED = 0x40000000
    PERSPECTIVE = 0x80000000


_HAS_TEXTURE: Final = SurfaceType.BASE1_IMAGE | SurfaceType.BASE1_CLIP_MAP


class Surface(Record, frozen=True):
    """A surface. The record holds no id: its own is that of its directory entry.

    Image and clip map surfaces have a texture and a palette, all others a colour.
    """

    type: int  # SurfaceType; unknown bits are kept
    texture_id: int  # SurfaceTexture
    palette_id: int  # 0: the texture's own
    color: int  # 0xAARRGGBB
    translucency: float  # 0 opaque .. 1 invisible
    luminosity: float
    diffuse: float

    @property
    def has_texture(self) -> bool:
        """A texture is stored, not a colour."""
        return bool(self.type & _HAS_TEXTURE)

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        kind = cursor.u32()
        texture_id = palette_id = color = 0
        if kind & _HAS_TEXTURE:
            texture_id, palette_id = cursor.u32s(2)
        else:
            color = cursor.u32()
        return cls(kind, texture_id, palette_id, color, *cursor.f32s(3))

    def pack(self, out: Packer) -> None:
        out.u32(self.type)
        if self.has_texture:
            out.u32(self.texture_id)
            out.u32(self.palette_id)
        else:
            out.u32(self.color)
        out.f32s((self.translucency, self.luminosity, self.diffuse))

"""SurfaceTexture, 0x05, RenderSurface, 0x06 and 0x07, and RenderTexture, 0x15: pictures."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class PixelFormat(IntEnum):
    """Formats that the client's table knows; any other stays a plain number."""

    R8G8B8 = 0x14
    A8R8G8B8 = 0x15
    X8R8G8B8 = 0x16
    R5G6B5 = 0x17
    X1R5G5B5 = 0x18
    A1R5G5B5 = 0x19
    A4R4G4B4 = 0x1A
    A8 = 0x1C
    X4R4G4B4 = 0x1E
    A2B10G10R10 = 0x1F
    A8B8G8R8 = 0x20
    X8B8G8R8 = 0x21
    A2R10G10B10 = 0x23
    P8 = 0x29
    V8U8 = 0x3C
    INDEX16 = 0x65
    CUSTOM_R8G8B8A8 = 0xF0
    CUSTOM_A8B8G8R8 = 0xF1
    CUSTOM_B8G8R8 = 0xF2
    CUSTOM_LSCAPE_R8G8B8 = 0xF3
    CUSTOM_LSCAPE_ALPHA = 0xF4
    CUSTOM_RAW_JPEG = 0x1F4
    DXT1 = 0x31545844
    DXT2 = 0x32545844
    DXT3 = 0x33545844
    DXT4 = 0x34545844
    DXT5 = 0x35545844


PALETTE_FORMATS: Final = frozenset((PixelFormat.P8, PixelFormat.INDEX16))
TEXTURE_2D: Final = 2


class SurfaceTexture(Record, frozen=True):
    """The pictures of one texture: with two, the first is the high-detail one."""

    id: int
    category: int
    type: int  # 2, 2D
    textures: tuple[int, ...]  # RenderSurface ids, unaligned in the file

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32(), cursor.u8(), cursor.u32s(cursor.count32(4)))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.category)
        out.u8(self.type)
        out.u32(len(self.textures))
        out.u32s(self.textures)


class RenderTexture(SurfaceTexture, frozen=True):
    """A texture for the screen's own use; laid out as a SurfaceTexture, cube maps included."""


HEAD_SIZE: Final = 16
"""Bytes of a RenderSurface up to its sides."""


class RenderSurface(Record, frozen=True):
    """One picture: rows top to bottom without padding. `pixels.decode` makes colours of it."""

    id: int
    category: int
    width: int
    height: int
    format: int  # PixelFormat
    data: bytes
    palette_id: int = 0  # stored only in PALETTE_FORMATS

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, category = cursor.u32(), cursor.u32()
        width, height = cursor.i32(), cursor.i32()
        pixel_format, length = cursor.u32(), cursor.i32()
        data = cursor.bytes(cursor.count(length, 1))
        palette_id = cursor.u32() if pixel_format in PALETTE_FORMATS else 0
        return cls(record_id, category, width, height, pixel_format, data, palette_id)

    @staticmethod
    def sides(head: bytes) -> tuple[int, int]:
        """(height, width) from the first HEAD_SIZE bytes of a record."""
        cursor = Cursor(head)
        cursor.need(8)
        width, height = cursor.i32(), cursor.i32()
        return height, width

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.category)
        out.i32(self.width)
        out.i32(self.height)
        out.u32(self.format)
        out.i32(len(self.data))
        out.bytes(self.data)
        if self.format in PALETTE_FORMATS:
            out.u32(self.palette_id)

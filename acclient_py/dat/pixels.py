"""Pictures: the stored bytes of a RenderSurface to RGBA, and the plain formats back.

`decode` knows every format that the client knows. Whatever it cannot decode is a RecordError
that names the format; who wants a picture all the same draws a stand-in.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Final

import numpy as np

from acclient_py.core import U8, U16, U32
from acclient_py.dat import dxt
from acclient_py.dat.records.palette import Palette
from acclient_py.dat.records.textures import PixelFormat, RenderSurface
from acclient_py.errors import RecordError
from acclient_py.kernels import kernel

CLIP_MAP_INDICES: Final = 8
"""Palette indices below this are holes in a clip map."""

MAX_JPEG_SIDE: Final = 4096
_8, _16, _24 = np.uint32(8), np.uint32(16), np.uint32(24)

# red, green, blue, alpha masks of one little-endian pixel; 0: the channel is full
_MASKS: Final[dict[int, tuple[int, tuple[int, int, int, int]]]] = {
    PixelFormat.R5G6B5: (2, (0xF800, 0x07E0, 0x001F, 0)),
    PixelFormat.X1R5G5B5: (2, (0x7C00, 0x03E0, 0x001F, 0)),
    PixelFormat.A1R5G5B5: (2, (0x7C00, 0x03E0, 0x001F, 0x8000)),
    PixelFormat.A4R4G4B4: (2, (0x0F00, 0x00F0, 0x000F, 0xF000)),
    PixelFormat.X4R4G4B4: (2, (0x0F00, 0x00F0, 0x000F, 0)),
    PixelFormat.A2B10G10R10: (4, (0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000)),
    PixelFormat.A2R10G10B10: (4, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000)),
    PixelFormat.A8B8G8R8: (4, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)),
    PixelFormat.X8B8G8R8: (4, (0xFF, 0xFF00, 0xFF0000, 0)),
    PixelFormat.CUSTOM_R8G8B8A8: (4, (0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
    PixelFormat.CUSTOM_A8B8G8R8: (4, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)),
}
# blue comes first, then green, red and what is alpha or nothing: bytes of a pixel, bits always set
_BLUE_FIRST: Final[dict[int, tuple[int, int]]] = {
    PixelFormat.R8G8B8: (3, 0xFF000000),
    PixelFormat.CUSTOM_LSCAPE_R8G8B8: (3, 0xFF000000),
    PixelFormat.A8R8G8B8: (4, 0),
    PixelFormat.X8R8G8B8: (4, 0xFF000000),
}
_ALPHA: Final = frozenset((PixelFormat.A8, PixelFormat.CUSTOM_LSCAPE_ALPHA))
_PLAIN_BYTES: Final[dict[int, int]] = {
    PixelFormat.CUSTOM_B8G8R8: 3,
    **dict.fromkeys(_ALPHA, 1),
    PixelFormat.V8U8: 2,
}
_INDEX_BYTES: Final = {PixelFormat.P8: 1, PixelFormat.INDEX16: 2}
_DXT: Final[dict[int, tuple[int, Callable[[bytes, int, int], U8], bool]]] = {
    # bytes of a block, decoder, colour is premultiplied
    PixelFormat.DXT1: (8, dxt.decode_dxt1, False),
    PixelFormat.DXT2: (16, dxt.decode_dxt3, True),
    PixelFormat.DXT3: (16, dxt.decode_dxt3, False),
    PixelFormat.DXT4: (16, dxt.decode_dxt5, True),
    PixelFormat.DXT5: (16, dxt.decode_dxt5, False),
}


def format_name(pixel_format: int) -> str:
    """A format in words: its name where the client has one, else its number."""
    try:
        return PixelFormat(pixel_format).name
    except ValueError:
        return f"0x{pixel_format:X}"


def has_palette(surface: RenderSurface) -> bool:
    """The picture's pixels are palette indices."""
    return surface.format in _INDEX_BYTES


def decode(surface: RenderSurface, palette: Palette | None = None, *, clip_map: bool = False) -> U8:
    """(height, width, 4) uint8 RGBA, straight alpha, rows top to bottom.

    palette  : wanted by P8 and INDEX16, else ignored
    clip_map : the picture belongs to a clip map surface: palette indices below 8, and black in
               DXT pictures, become transparent 0

    Without `clip_map` a palettised picture is opaque. Pure alpha formats come out black with
    that alpha; V8U8 as u, v around 128 in red and green. RecordError for an unknown format and
    for a length that does not fit the sides.
    """
    pixel_format, width, height = surface.format, surface.width, surface.height
    if width <= 0 or height <= 0:
        raise _error(surface, f"picture of {width} x {height}")
    if pixel_format == PixelFormat.CUSTOM_RAW_JPEG:
        return _decode_jpeg(surface)
    if pixel_format in _DXT:
        size, decoder, is_premultiplied = _DXT[pixel_format]
        _check_length(surface, size * dxt.block_count(width, height))
        pixels = decoder(surface.data, width, height)
        if is_premultiplied:
            pixels = dxt.unpremultiply(pixels)
        if clip_map:
            pixels[(pixels[:, :, :3] == 0).all(axis=2)] = 0
        return pixels
    if pixel_format in _BLUE_FIRST:
        return _decode_blue_first(surface)
    if pixel_format in _INDEX_BYTES:
        return _decode_indexed(surface, palette, clip_map=clip_map)
    if pixel_format in _MASKS:
        return _decode_masked(surface)
    if pixel_format in _PLAIN_BYTES:
        return _decode_plain(surface)
    raise _error(surface, f"pixel format {format_name(pixel_format)} is not known")


@kernel
def red_first(raw: U8, size: int, always: int, out: U32) -> None:
    """RGBA words, red in the lowest byte, of pixels that begin with blue.

    raw : (size * n,), size 3 or 4 ; always : bits that are set in all ; out : (n,)
    """
    more = np.uint32(always)
    if size == 3:
        for i in range(len(out)):
            b, g, r = raw[3 * i], raw[3 * i + 1], raw[3 * i + 2]
            out[i] = np.uint32(r) | np.uint32(g) << _8 | np.uint32(b) << _16 | more
        return
    for i in range(len(out)):
        b, g, r, a = raw[4 * i], raw[4 * i + 1], raw[4 * i + 2], np.uint32(raw[4 * i + 3])
        out[i] = np.uint32(r) | np.uint32(g) << _8 | np.uint32(b) << _16 | a << _24 | more


def _decode_blue_first(surface: RenderSurface) -> U8:
    size, always = _BLUE_FIRST[surface.format]
    _check_length(surface, size * surface.width * surface.height)
    words = np.empty(surface.width * surface.height, "<u4")
    red_first(np.frombuffer(surface.data, np.uint8), size, always, words)
    return words.view(np.uint8).reshape(surface.height, surface.width, 4)


def _decode_plain(surface: RenderSurface) -> U8:
    pixel_format, size = surface.format, _PLAIN_BYTES[surface.format]
    _check_length(surface, size * surface.width * surface.height)
    raw = np.frombuffer(surface.data, np.uint8).reshape(surface.height, surface.width, size)
    pixels = np.full((surface.height, surface.width, 4), 255, np.uint8)
    if pixel_format == PixelFormat.CUSTOM_B8G8R8:
        pixels[:, :, :3] = raw
    elif pixel_format in _ALPHA:
        pixels[:, :, :3] = 0
        pixels[:, :, 3] = raw[:, :, 0]
    else:
        pixels[:, :, :2] = raw ^ np.uint8(0x80)
    return pixels


def _decode_indexed(surface: RenderSurface, palette: Palette | None, *, clip_map: bool) -> U8:
    size = _INDEX_BYTES[PixelFormat(surface.format)]
    _check_length(surface, size * surface.width * surface.height)
    if palette is None:
        raise _error(surface, f"a {format_name(surface.format)} picture needs a palette")
    indices = np.frombuffer(surface.data, "u1" if size == 1 else "<u2")
    table = np.zeros((max(len(palette.colors), 1 << 8 * size), 4), np.uint8)
    table[:, 3] = 255  # tolerated: indices beyond the palette are black
    for channel, shift in enumerate((16, 8, 0)):
        table[: len(palette.colors), channel] = palette.colors >> np.uint32(shift) & 0xFF
    if clip_map:
        table[:CLIP_MAP_INDICES] = 0
    pixels: U8 = table[indices].reshape(surface.height, surface.width, 4)
    return pixels


def _decode_masked(surface: RenderSurface) -> U8:
    size, masks = _MASKS[surface.format]
    _check_length(surface, size * surface.width * surface.height)
    words = np.frombuffer(surface.data, f"<u{size}").astype(np.uint32)
    pixels = np.full((len(words), 4), 255, np.uint8)
    for channel, mask in enumerate(masks):
        if mask:
            shift = (mask & -mask).bit_length() - 1
            pixels[:, channel] = _to_8_bits(
                (words & np.uint32(mask)) >> np.uint32(shift), mask.bit_count()
            )
    return pixels.reshape(surface.height, surface.width, 4)


def _to_8_bits(values: U32, bits: int) -> U32:
    """Widen by repeating the bits (so 4 bits are multiplied by 17), or drop the low ones."""
    if bits >= 8:
        return values >> np.uint32(bits - 8)
    wide, have = values, bits
    while have < 8:
        wide, have = wide << np.uint32(bits) | values, have + bits
    return wide >> np.uint32(have - 8)


def _decode_jpeg(surface: RenderSurface) -> U8:
    from PIL import Image, UnidentifiedImageError  # few pictures are JPEG: most starts do without

    try:
        with Image.open(io.BytesIO(surface.data), formats=("JPEG",)) as image:
            if max(image.size) > MAX_JPEG_SIDE:
                raise _error(surface, f"JPEG of {image.width} x {image.height}")
            return np.array(image.convert("RGBA"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise _error(surface, f"JPEG data cannot be read ({error})") from None


def _check_length(surface: RenderSurface, length: int) -> None:
    if len(surface.data) != length:
        raise _error(
            surface,
            f"{len(surface.data)} bytes for {surface.width} x {surface.height} "
            f"{format_name(surface.format)}, wanted {length}",
        )


def _error(surface: RenderSurface, what: str) -> RecordError:
    return RecordError(what, record=surface.id)


def encode_r8g8b8(pixels: U8) -> bytes:
    """Bytes of format R8G8B8 (and CUSTOM_LSCAPE_R8G8B8) from (h, w, 3 or 4) RGB(A)."""
    return pixels[:, :, 2::-1].tobytes()


def encode_a8r8g8b8(pixels: U8) -> bytes:
    """Bytes of format A8R8G8B8 from (h, w, 4) RGBA."""
    return pixels[:, :, (2, 1, 0, 3)].tobytes()


def encode_a8(alpha: U8) -> bytes:
    """Bytes of format A8 (and CUSTOM_LSCAPE_ALPHA) from (h, w) alpha."""
    assert alpha.ndim == 2, "one number a pixel"
    return alpha.astype(np.uint8).tobytes()


def encode_p8(indices: U8) -> bytes:
    """Bytes of format P8 from (h, w) palette indices."""
    assert indices.ndim == 2, "one number a pixel"
    return indices.astype(np.uint8).tobytes()


def encode_index16(indices: U16) -> bytes:
    """Bytes of format INDEX16 from (h, w) palette indices."""
    assert indices.ndim == 2, "one number a pixel"
    return indices.astype("<u2").tobytes()

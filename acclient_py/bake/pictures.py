"""Textures from their recipe: layers painted, reduced, and stored in a pixel format.

A picture comes out as float colours first (`paint_texture`), then as the bytes of one of the
formats of a RenderSurface (`encode`). Palettised formats store the picture's brightness as an
index, so that another palette recolours it.
"""

# contract: T8

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.bake.canvas import Canvas, ramp
from acclient_py.bake.layers import paint
from acclient_py.bake.noise import F64, fractal_noise, smoothstep
from acclient_py.bake.schema.textures import Palette, Texture
from acclient_py.errors import DataError

U8 = npt.NDArray[np.uint8]

FORMATS: Final = {
    "R8G8B8": 0x14,
    "A8R8G8B8": 0x15,
    "R5G6B5": 0x17,
    "A4R4G4B4": 0x1A,
    "A8": 0x1C,
    "P8": 0x29,
    "INDEX16": 0x65,
    "LSCAPE": 0xF3,
    "LSCAPE_ALPHA": 0xF4,
}
CLEAR_INDICES: Final = 8
"""Palette indices 0..7 are transparent on a clip map; opaque texels stay above them."""


class Picture(Struct, frozen=True):
    """A finished picture, 8 bits a channel, rows top to bottom: rgba is (h, w, 4)."""

    rgba: U8
    format: str

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in texels."""
        return self.rgba.shape[1], self.rgba.shape[0]


def texture_size(texture: Texture) -> tuple[int, int]:
    """Width and height; DataError unless both are powers of two from 1 to 2048."""
    w, h = (texture.size, texture.size) if isinstance(texture.size, int) else texture.size
    for side in (w, h):
        if not 1 <= side <= 2048 or side & (side - 1):
            raise DataError(f"size {w}x{h}: sides are powers of two from 1 to 2048")
    return w, h


def paint_texture(texture: Texture) -> Picture:
    """Paint all layers of a texture."""
    w, h = texture_size(texture)
    factor = texture.supersample if min(w, h) > 1 else 1
    canvas = Canvas.make(w * factor, h * factor, texture.background)
    for layer in texture.layers:
        paint(canvas, layer)
    canvas = canvas.reduced(factor)
    rgba = np.concatenate([canvas.rgb, canvas.alpha[..., None]], axis=2)
    return Picture(to_bytes(rgba), texture.format)


def to_bytes(values: F64) -> U8:
    """0..1 to 0..255, rounded half up."""
    return np.floor(np.clip(values, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def palette_colors(palette: Palette) -> list[int]:
    """The palette's colours as 0xAARRGGBB, `clear` first ones transparent."""
    place = np.arange(palette.size, dtype=np.float64) / max(palette.size - 1, 1)
    rgba = to_bytes(ramp(palette.colors, place)).astype(np.int64)
    rgba[: palette.clear, 3] = 0
    words = rgba[:, 3] << 24 | rgba[:, 0] << 16 | rgba[:, 1] << 8 | rgba[:, 2]
    return [int(word) for word in words]


def brightness(rgba: U8) -> F64:
    """0..1, the usual weights in whole numbers."""
    c = rgba.astype(np.int64)
    return (c[..., 0] * 77 + c[..., 1] * 150 + c[..., 2] * 29) / 65280.0


def encode(picture: Picture, palette_size: int = 0) -> bytes:
    """The bytes of the picture in its format, rows top to bottom without padding."""
    rgba = picture.rgba
    if picture.format in ("R8G8B8", "LSCAPE"):
        return np.ascontiguousarray(rgba[..., 2::-1]).tobytes()
    if picture.format == "A8R8G8B8":
        return np.ascontiguousarray(rgba[..., (2, 1, 0, 3)]).tobytes()
    if picture.format in ("A8", "LSCAPE_ALPHA"):
        return np.ascontiguousarray(rgba[..., 3]).tobytes()
    c = rgba.astype(np.uint16)
    if picture.format == "R5G6B5":
        word = (c[..., 0] >> 3) << 11 | (c[..., 1] >> 2) << 5 | c[..., 2] >> 3
        return word.astype("<u2").tobytes()
    if picture.format == "A4R4G4B4":
        word = (c[..., 3] >> 4) << 12 | (c[..., 0] >> 4) << 8 | (c[..., 1] >> 4) << 4
        return (word | c[..., 2] >> 4).astype("<u2").tobytes()
    index = np.floor(brightness(rgba) * (palette_size - CLEAR_INDICES - 1) + 0.5)
    index = np.where(rgba[..., 3] >= 128, index + CLEAR_INDICES, 0.0)
    if picture.format == "P8":
        return index.astype(np.uint8).tobytes()
    return index.astype("<u2").tobytes()


def corner_mask(size: int, code: int, seed: int = 0) -> Picture:
    """A terrain mask for the corners in `code` (SW 1, SE 2, NE 4, NW 8), as stored: A8 weights.

    The weight is that of what is already there: 0 where the new terrain shows wholly. The border
    wanders by noise that vanishes at the cell's edge, so that neighbouring cells meet.
    """
    place = np.arange(size, dtype=np.float64) / (size - 1)
    x = np.broadcast_to(place[None, :], (size, size))
    y = np.broadcast_to(1.0 - place[:, None], (size, size))  # rows run southwards
    corners = [((1 - x) * (1 - y), 1), (x * (1 - y), 2), (x * y, 4), ((1 - x) * y, 8)]
    share = np.zeros((size, size))
    for weight, bit in corners:
        if code & bit:
            share = share + weight
    calm = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    calm = np.minimum(calm * 6.0, 1.0)
    wander = fractal_noise(x * 5.0 + 0.31, y * 5.0 + 0.77, code + seed * 31, octaves=4, gain=0.6)
    here = smoothstep(0.34, 0.66, share + 0.22 * wander * calm)
    rgba = np.zeros((size, size, 4))
    rgba[..., 3] = 1.0 - here
    return Picture(to_bytes(rgba), "LSCAPE_ALPHA")


def road_mask(size: int, code: int) -> Picture:
    """A road mask: a strip along the edge or over the corner of the corners in `code`.

    Follows `on_road`: 5 m of the 24 m cell from the edge between two road corners.
    """
    place = np.arange(size, dtype=np.float64) / (size - 1) * 24.0
    x = np.broadcast_to(place[None, :], (size, size))
    y = np.broadcast_to(24.0 - place[:, None], (size, size))
    west, east, south, north = x, 24.0 - x, y, 24.0 - y
    diagonal = {5: np.abs(x - y), 10: np.abs(x + y - 24.0)}
    corner = {1: x + y, 2: east + y, 4: east + north, 8: x + north}
    edge = {3: south, 6: east, 12: north, 9: west}
    distance = {**diagonal, **corner, **edge}[code]
    rim = np.minimum(np.minimum(west, east), np.minimum(south, north))
    wander = fractal_noise(x * 0.35, y * 0.35, 77 + code, octaves=3)
    wobble = wander * np.minimum(rim * 0.5, 1.0) * 0.9
    here = 1.0 - smoothstep(4.0, 5.6, distance + wobble)
    rgba = np.zeros((size, size, 4))
    rgba[..., 3] = 1.0 - here
    return Picture(to_bytes(rgba), "LSCAPE_ALPHA")

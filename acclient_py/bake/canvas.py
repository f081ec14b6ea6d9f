"""A picture in the making: colour, alpha and relief, and how layers mix into it.

All values are float64 in 0..1, rows top to bottom. Canvases are rendered at the supersampled
size and averaged down at the end. Only + - * / and floor touch the values.
"""

# contract: T8

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.bake.noise import F64, fractal_noise, smoothstep
from acclient_py.bake.schema.textures import Lattice, Layer, Mask
from acclient_py.errors import DataError

CELLS_MOST: Final = 4096
"""Cells of a lattice over a picture; a texel is smaller."""


def parse_color(text: str) -> tuple[float, float, float, float]:
    """#RRGGBB or #RRGGBBAA as four numbers in 0..1."""
    digits = text[1:]
    parts = [int(digits[i : i + 2], 16) / 255.0 for i in range(0, len(digits), 2)]
    return parts[0], parts[1], parts[2], parts[3] if len(parts) == 4 else 1.0


def ramp(colors: list[str], t: F64) -> F64:
    """Colours spread evenly over 0..1, looked up at t: (..., 4)."""
    table = np.array([parse_color(color) for color in colors], dtype=np.float64)
    if len(table) == 1:
        return np.broadcast_to(table[0], (*t.shape, 4)).copy()
    place = np.clip(t, 0.0, 1.0) * (len(table) - 1)
    low = np.minimum(np.floor(place).astype(np.intp), len(table) - 2)
    f = (place - low)[..., None]
    result: F64 = table[low] + (table[low + 1] - table[low]) * f
    return result


def choose(colors: list[str], t: F64) -> F64:
    """One colour of the list for each t in 0..1, a little varied towards its neighbour."""
    table = np.array([parse_color(color) for color in colors], dtype=np.float64)
    place = np.clip(t, 0.0, 0.999999) * len(table)
    index = np.floor(place).astype(np.intp)
    other = (index + 1) % len(table)
    f = ((place - index) * 0.5)[..., None]
    result: F64 = table[index] + (table[other] - table[index]) * f
    return result


def lattice(scale: Lattice) -> tuple[int, int]:
    """A scale as cells over u and v."""
    if isinstance(scale, int):
        if not 1 <= scale <= CELLS_MOST:
            raise DataError(f"a scale of {scale}: 1 to {CELLS_MOST} cells")
        return scale, scale
    return scale[0], scale[1]


class Canvas(Struct):
    """rgb (h, w, 3), alpha (h, w), relief (h, w) and the texel coordinates u, v (h, w)."""

    rgb: F64
    alpha: F64
    relief: F64
    u: F64
    v: F64

    @classmethod
    def make(cls, width: int, height: int, background: str) -> Canvas:
        """A canvas filled with the background colour."""
        r, g, b, a = parse_color(background)
        rgb = np.empty((height, width, 3))
        rgb[...] = (r, g, b)
        across = (np.arange(width) + 0.5) / width
        down = (np.arange(height) + 0.5) / height
        u = np.broadcast_to(across[None, :], (height, width)).copy()
        v = np.broadcast_to(down[:, None], (height, width)).copy()
        return cls(rgb, np.full((height, width), a), np.zeros((height, width)), u, v)

    def mix(self, layer: Layer, color: F64, relief: F64 | None = None) -> None:
        """Lay (h, w, 4) colours over the canvas as the layer says."""
        weight = color[..., 3] * layer.amount
        if layer.mask is not None:
            weight = weight * mask_weight(layer.mask, self.u, self.v)
        below, top = self.rgb, color[..., :3]
        if layer.blend == "multiply":
            top = below * top
        elif layer.blend == "add":
            top = below + top
        elif layer.blend == "screen":
            top = 1.0 - (1.0 - below) * (1.0 - top)
        elif layer.blend == "overlay":
            dark = 2.0 * below * top
            light = 1.0 - 2.0 * (1.0 - below) * (1.0 - top)
            top = np.where(below < 0.5, dark, light)
        w = weight[..., None]
        self.rgb = np.clip(below + (top - below) * w, 0.0, 1.0)
        if layer.blend == "normal":
            self.alpha = self.alpha + (1.0 - self.alpha) * weight
        if relief is not None:
            self.relief = self.relief + (relief * layer.height - self.relief) * weight

    def reduced(self, factor: int) -> Canvas:
        """The average of factor x factor texels; colours weighted by alpha so that none bleeds."""
        if factor == 1:
            return self
        w = self.alpha + 1e-6
        total = _fold(w)
        rgb = _fold(self.rgb * w[..., None]) / total[..., None]
        alpha, relief = _fold(self.alpha) * 0.25, _fold(self.relief) * 0.25
        return Canvas(rgb, alpha, relief, self.u[::2, ::2], self.v[::2, ::2])


def mask_weight(mask: Mask, u: F64, v: F64) -> F64:
    """0..1: where the mask lets a layer show."""
    nx, ny = lattice(mask.scale)
    value = fractal_noise(u * nx, v * ny, mask.seed + 7001, octaves=mask.octaves, period=(nx, ny))
    weight = smoothstep(mask.above - mask.soft, mask.above + mask.soft, value)
    return 1.0 - weight if mask.invert else weight


def _fold(a: F64) -> F64:
    result: F64 = (a[0::2, 0::2] + a[0::2, 1::2]) + (a[1::2, 0::2] + a[1::2, 1::2])
    return result

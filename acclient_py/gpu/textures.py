"""Texture arrays: many pictures of one size in one object, so that another picture is no new state.

Layers are filled in any number, then the mip levels of all that came are written. A layer is never
taken back while the array lives; an array that is full is replaced by one of twice the layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np

from acclient_py.core import U8
from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import RGBA, RGBA8, TEXTURE_2D_ARRAY, UNSIGNED_BYTE


class TextureArray:
    """Square RGBA8 pictures, `size` texels a side, with mip levels.

    levels_of : makes levels 1 and on of a picture, down to one texel
    """

    def __init__(
        self, device: Device, size: int, *, levels_of: Callable[[U8], list[U8]], layers: int = 8
    ) -> None:
        self._device = device
        self.size = size
        self.layers = layers
        self.count = 0
        self._levels_of = levels_of
        self._new: list[int] = []  # layers whose levels wait for `finish`
        self._levels: list[list[U8]] = []  # of each layer, for a larger array
        self.texture = self._make(layers)

    def _make(self, layers: int) -> Any:
        most = self._device.ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
        assert layers <= most, f"{layers} layers of {most}"
        texture = self._device.ctx.texture_array((self.size, self.size, layers), 4)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = True
        self._allocate(texture, layers)
        return texture

    def _allocate(self, texture: Any, layers: int) -> None:
        """Room for all levels: the library makes the first, and the driver the rest when asked."""
        raw = self._device.raw
        self._device.bind_texture(0, TEXTURE_2D_ARRAY, texture.glo, active=True)
        level, side = 0, self.size
        while side > 1:
            level, side = level + 1, side // 2
            raw.tex_image_3d(
                TEXTURE_2D_ARRAY, level, RGBA8, side, side, layers, 0, RGBA, UNSIGNED_BYTE, None
            )

    def add(self, pixels: U8, levels: list[U8] | None = None) -> int:
        """Store a picture, (size, size, 4) bytes, row 0 at v = 0; its layer.

        levels : its mip levels from 1 on, in place of those that `levels_of` makes
        """
        assert pixels.shape == (self.size, self.size, 4), pixels.shape
        if self.count == self.layers:
            self._grow()
        layer = self.count
        self.count += 1
        self.texture.write(
            np.ascontiguousarray(pixels), viewport=(0, 0, layer, self.size, self.size, 1)
        )
        self._levels.append(self._levels_of(pixels) if levels is None else levels)
        self._new.append(layer)
        return layer

    def finish(self) -> None:
        """Write the mip levels of what came since the last call."""
        if not self._new:
            return
        raw = self._device.raw
        self._device.bind_texture(0, TEXTURE_2D_ARRAY, self.texture.glo, active=True)
        for layer in self._new:
            for number, level in enumerate(self._levels[layer], 1):
                side = len(level)
                raw.tex_sub_image_3d(
                    TEXTURE_2D_ARRAY, number, 0, 0, layer, side, side, 1, RGBA, UNSIGNED_BYTE,
                    np.ascontiguousarray(level).ctypes.data,
                )  # fmt: skip

        self._new = []

    def _grow(self) -> None:
        old = self.texture
        data = old.read()
        self.layers = min(
            self.layers * 2, int(self._device.ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"])
        )
        self.texture = self._make(self.layers)
        self.texture.write(data, viewport=(0, 0, 0, self.size, self.size, self.count))
        self._new = list(range(len(self._levels)))
        self._device.known.drop(old.glo)
        old.release()

    def use(self, unit: int) -> None:
        self._device.bind_texture(unit, TEXTURE_2D_ARRAY, self.texture.glo)

    def release(self) -> None:
        self._device.known.drop(self.texture.glo)
        self.texture.release()

"""Texture arrays: many pictures of one size in one object, so that another picture is no new state.

Pictures are collected, then written together with their mip levels. Room is made for what there is:
memory that nothing lies in is paid for at every start all the same. A layer is never taken back
while the array lives; an array that is full is replaced by one of twice the layers.
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
    repeat    : whether the pictures repeat beyond their edges
    """

    def __init__(
        self,
        device: Device,
        size: int,
        *,
        levels_of: Callable[[U8], list[U8]],
        repeat: bool = True,
    ) -> None:
        self._device = device
        self.size = size
        self.count = 0
        self.layers = 0
        """Room of `texture`, which the first `finish` makes."""
        self.texture: Any = None
        self._levels_of = levels_of
        self._repeat = repeat
        self._new: list[U8] = []  # pictures that wait for `finish`
        self._levels: list[list[U8]] = []  # of each layer, for a larger array

    def add(self, pixels: U8, levels: list[U8] | None = None) -> int:
        """Take a picture, (size, size, 4) bytes, row 0 at v = 0; its layer. `finish` writes it.

        levels : its mip levels from 1 on, in place of those that `levels_of` makes
        """
        assert pixels.shape == (self.size, self.size, 4), pixels.shape
        self._new.append(np.ascontiguousarray(pixels))
        self._levels.append(self._levels_of(pixels) if levels is None else levels)
        self.count += 1
        return self.count - 1

    def finish(self) -> None:
        """Write what came since the last call."""
        if not self._new and self.texture is not None:
            return
        first = changed = self.count - len(self._new)
        if self.texture is None or self.count > self.layers:
            self._make_room(first)
            changed = 0
        size = self.size
        for layer, pixels in enumerate(self._new, first):
            self.texture.write(pixels, viewport=(0, 0, layer, size, size, 1))
        self._new = []
        raw = self._device.raw
        self._device.bind_texture(0, TEXTURE_2D_ARRAY, self.texture.glo, active=True)
        for layer, levels in enumerate(self._levels[changed:], changed):
            for number, level in enumerate(levels, 1):
                side = len(level)
                raw.tex_sub_image_3d(
                    TEXTURE_2D_ARRAY, number, 0, 0, layer, side, side, 1, RGBA, UNSIGNED_BYTE,
                    np.ascontiguousarray(level).ctypes.data,
                )  # fmt: skip

    def _make_room(self, kept: int) -> None:
        """A texture for all pictures, with the first levels of those that one holds by now.

        kept : how many there are of these
        """
        most = int(self._device.ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"])
        assert self.count <= most, f"{self.count} layers of {most}"
        old = self.texture
        if self.count == 0:  # a unit wants some texture, and this costs nothing
            self.texture = self._make(1, 1)
            return
        self.layers = min(1 << (self.count - 1).bit_length(), most)
        self.texture = self._make(self.size, self.layers)
        if old is None:
            return
        if kept:
            data = memoryview(old.read())[: kept * self.size * self.size * 4]
            self.texture.write(data, viewport=(0, 0, 0, self.size, self.size, kept))
        self._device.known.drop(old.glo)
        old.release()

    def _make(self, size: int, layers: int) -> Any:
        texture = self._device.ctx.texture_array((size, size, layers), 4)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = self._repeat
        raw = self._device.raw
        self._device.bind_texture(0, TEXTURE_2D_ARRAY, texture.glo, active=True)
        level, side = 0, size
        while side > 1:  # the library makes the first, and the driver the rest when asked
            level, side = level + 1, side // 2
            raw.tex_image_3d(
                TEXTURE_2D_ARRAY, level, RGBA8, side, side, layers, 0, RGBA, UNSIGNED_BYTE, None
            )
        return texture

    def use(self, unit: int) -> None:
        self._device.bind_texture(unit, TEXTURE_2D_ARRAY, self.texture.glo)

    def release(self) -> None:
        if self.texture is not None:
            self._device.known.drop(self.texture.glo)
            self.texture.release()

"""Texture arrays: many pictures of one size in one object, so that another picture is no new state.

Pictures are collected, then written together with their mip levels. Room is made for what there is:
memory that nothing lies in is paid for at every start all the same. A layer is never taken back
while the array lives; an array that is full is replaced by one of twice the layers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from acclient_py.core import U8
from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import (
    CLAMP_TO_EDGE,
    LINEAR,
    LINEAR_MIPMAP_LINEAR,
    REPEAT,
    RGBA,
    RGBA8,
    TEXTURE_2D_ARRAY,
    TEXTURE_MAG_FILTER,
    TEXTURE_MIN_FILTER,
    TEXTURE_WRAP_S,
    TEXTURE_WRAP_T,
    UNSIGNED_BYTE,
)


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
        """Room on the GPU, which the first `finish` makes."""
        self._glo = 0
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
        if not self._new and self._glo:
            return
        first = changed = self.count - len(self._new)
        if not self._glo or self.count > self.layers:
            self._make_room(first)
            changed = 0
        self._bind()
        for layer, pixels in enumerate(self._new, first):
            self._write(0, layer, pixels)
        self._new = []
        for layer, levels in enumerate(self._levels[changed:], changed):
            for number, level in enumerate(levels, 1):
                self._write(number, layer, np.ascontiguousarray(level))

    def _write(self, number: int, layer: int, pixels: U8) -> None:
        """Level `number` of the layers from one on. pixels : (n, side, side, 4), or of one layer"""
        side = pixels.shape[-2]
        self._device.raw.tex_sub_image_3d(
            TEXTURE_2D_ARRAY, number, 0, 0, layer, side, side, pixels.size // (side * side * 4),
            RGBA, UNSIGNED_BYTE, pixels.ctypes.data,
        )  # fmt: skip

    def read(self, number: int = 0) -> U8:
        """(layers, side, side, 4): a level of all layers, as the GPU has it."""
        side = max(self.size >> number, 1)
        pixels: U8 = np.empty((self.layers, side, side, 4), np.uint8)
        self._bind()
        self._device.raw.get_tex_image(
            TEXTURE_2D_ARRAY, number, RGBA, UNSIGNED_BYTE, pixels.ctypes.data
        )
        return pixels

    def _make_room(self, kept: int) -> None:
        """A texture for all pictures, with the first levels of those that one holds by now.

        kept : how many there are of these
        """
        most = int(self._device.ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"])
        assert self.count <= most, f"{self.count} layers of {most}"
        if self.count == 0:  # a unit wants some texture, and this costs nothing
            self._make(1, 1)
            return
        before = self.read()[:kept] if kept else None
        self.release()
        self.layers = min(1 << (self.count - 1).bit_length(), most)
        self._make(self.size, self.layers)
        if before is not None:
            self._write(0, 0, before)

    def _make(self, size: int, layers: int) -> None:
        raw, name = self._device.raw, ctypes.c_uint()
        raw.gen_textures(1, ctypes.byref(name))
        self._glo = name.value
        self._bind()
        # first of all: a driver that knows that levels follow makes room for them with the picture
        raw.tex_parameter_i(TEXTURE_2D_ARRAY, TEXTURE_MIN_FILTER, LINEAR_MIPMAP_LINEAR)
        raw.tex_parameter_i(TEXTURE_2D_ARRAY, TEXTURE_MAG_FILTER, LINEAR)
        for wrap in (TEXTURE_WRAP_S, TEXTURE_WRAP_T):
            raw.tex_parameter_i(TEXTURE_2D_ARRAY, wrap, REPEAT if self._repeat else CLAMP_TO_EDGE)
        for level in range(size.bit_length()):
            side = size >> level
            raw.tex_image_3d(
                TEXTURE_2D_ARRAY, level, RGBA8, side, side, layers, 0, RGBA, UNSIGNED_BYTE, None
            )

    def _bind(self) -> None:
        self._device.bind_texture(0, TEXTURE_2D_ARRAY, self._glo, active=True)

    def use(self, unit: int) -> None:
        self._device.bind_texture(unit, TEXTURE_2D_ARRAY, self._glo)

    def release(self) -> None:
        if self._glo:
            self._device.known.drop(self._glo)
            self._device.raw.delete_textures(1, ctypes.byref(ctypes.c_uint(self._glo)))
            self._glo = 0

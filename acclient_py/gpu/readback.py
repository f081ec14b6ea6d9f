"""A framebuffer of our own: drawn into, shown by a blit, read into an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.core import F32, U8
from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import (
    COLOR_BUFFER_BIT,
    DEPTH_BUFFER_BIT,
    DRAW_FRAMEBUFFER,
    NEAREST,
    READ_FRAMEBUFFER,
)


class Target:
    """Colour (RGB8) and depth (24 or 32 bits) of one size."""

    def __init__(self, device: Device, size: tuple[int, int]) -> None:
        self._device = device
        self.size = size
        ctx = device.ctx
        self.colour: Any = ctx.texture(size, 4)
        self.depth: Any = ctx.depth_renderbuffer(size)
        self.framebuffer: Any = ctx.framebuffer([self.colour], self.depth)

    def begin(self, red: float, green: float, blue: float) -> None:
        """Draw into it from now on: one colour (0 to 1) all over, depth 1, all of it writable.

        By pointer: moderngl's clear binds the framebuffer once more, and what was bound again.
        """
        raw = self._device.raw
        if not self.framebuffer.depth_mask:
            self.framebuffer.depth_mask = True
        self.framebuffer.use()
        raw.clear_colour(red, green, blue, 1.0)
        raw.clear_depth(1.0)
        raw.clear(COLOR_BUFFER_BIT | DEPTH_BUFFER_BIT)

    def read(self) -> U8:
        """The picture, (height, width, 3) bytes, first row on top."""
        width, height = self.size
        data = self.framebuffer.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1].copy()

    def read_depth(self) -> F32:
        """Window depth, (height, width) float32, first row on top."""
        width, height = self.size
        data = self.framebuffer.read(attachment=-1, components=1, alignment=1, dtype="f4")
        return np.frombuffer(data, np.float32).reshape(height, width)[::-1].copy()

    def show(self) -> None:
        """Copy the picture to the window, whose framebuffer has this size.

        By pointer: moderngl's screen keeps the size that the window had when it was made.
        """
        raw = self._device.raw
        width, height = self.size
        self._device.ctx.screen.use()  # no scissor of an earlier draw cuts the copy
        raw.bind_framebuffer(READ_FRAMEBUFFER, self.framebuffer.glo)
        raw.bind_framebuffer(DRAW_FRAMEBUFFER, 0)
        raw.blit_framebuffer(0, 0, width, height, 0, 0, width, height, COLOR_BUFFER_BIT, NEAREST)

    def release(self) -> None:
        """Let go; the window's framebuffer is bound, since moderngl binds again what was bound."""
        self._device.ctx.screen.use()
        self.framebuffer.release()
        self.colour.release()
        self.depth.release()

"""A framebuffer of our own: drawn into, shown by a blit, read into an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.core import F32, U8
from acclient_py.gpu.device import Device


class Target:
    """Colour (RGB8) and depth (24 or 32 bits) of one size."""

    def __init__(self, device: Device, size: tuple[int, int]) -> None:
        self._device = device
        self.size = size
        ctx = device.ctx
        self.colour: Any = ctx.texture(size, 4)
        self.depth: Any = ctx.depth_renderbuffer(size)
        self.framebuffer: Any = ctx.framebuffer([self.colour], self.depth)

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

    def release(self) -> None:
        self.framebuffer.release()
        self.colour.release()
        self.depth.release()

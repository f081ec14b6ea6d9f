"""Buffers: an arena for what stays, a ring for each frame's data, a buffer read as a texture."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import TEXTURE_BUFFER


def bytes_of(array: NDArray[Any]) -> memoryview:
    """The bytes of a C-contiguous array, nothing copied."""
    buffer: Any = array
    return memoryview(buffer).cast("B")


class Arena:
    """One growing buffer that hands out ranges in items of fixed size; freed ranges are used again.

    `generation` rises when the buffer object is replaced, so that vertex arrays over it are made
    anew. Item numbers stay valid.
    """

    def __init__(self, device: Device, item_size: int, capacity: int, *, head: int = 0) -> None:
        """head : items at the start that are never handed out, for their owner's own use"""
        self._device = device
        self.item_size = item_size
        self.capacity = capacity + head
        self.generation = 0
        self.buffer: Any = device.ctx.buffer(reserve=self.capacity * item_size)
        self._free: list[tuple[int, int]] = [(head, capacity)]  # (first, count), by first
        self.used = 0

    def put(self, data: NDArray[Any]) -> int:
        """Store `data` and return the number of its first item."""
        raw = np.ascontiguousarray(data)
        count = raw.nbytes // self.item_size
        assert count * self.item_size == raw.nbytes, "whole items"
        first = self._take(count)
        if raw.nbytes:
            self.buffer.write(bytes_of(raw), offset=first * self.item_size)
        return first

    def rewrite(self, first: int, data: NDArray[Any]) -> None:
        """Overwrite a range that was put before."""
        self.buffer.write(bytes_of(np.ascontiguousarray(data)), offset=first * self.item_size)

    def drop(self, first: int, count: int) -> None:
        """Give a range back."""
        if not count:
            return
        self.used -= count
        spans = sorted([*self._free, (first, count)])
        merged: list[tuple[int, int]] = []
        for start, size in spans:
            if merged and merged[-1][0] + merged[-1][1] == start:
                merged[-1] = (merged[-1][0], merged[-1][1] + size)
            else:
                merged.append((start, size))
        self._free = merged

    def _take(self, count: int) -> int:
        for at, (first, size) in enumerate(self._free):
            if size >= count:
                if size == count:
                    del self._free[at]
                else:
                    self._free[at] = (first + count, size - count)
                self.used += count
                return first
        self._grow(count)
        return self._take(count)

    def _grow(self, count: int) -> None:
        more = max(self.capacity, count)
        bigger = self._device.ctx.buffer(reserve=(self.capacity + more) * self.item_size)
        self._device.ctx.copy_buffer(bigger, self.buffer, self.capacity * self.item_size)
        self.buffer.release()
        self.buffer = bigger
        self.generation += 1
        self.used += more
        self.drop(self.capacity, more)
        self.capacity += more

    def release(self) -> None:
        self.buffer.release()


RING_FRAMES: Final = 3


class Ring:
    """A buffer of three frames' room, written one frame at a time by one plain write.

    The draws of a frame in flight never see the next frame's bytes.
    """

    def __init__(self, device: Device, item_size: int, capacity: int, *, head: int = 0) -> None:
        """head : items before the three rooms, for what stays from frame to frame"""
        self._device = device
        self.item_size = item_size
        self.head = head
        self.capacity = 0
        self.generation = 0
        self.buffer: Any = None
        self._turn = 0
        self.reserve(capacity)

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` items a frame; keeps what is larger."""
        if capacity <= self.capacity:
            return
        capacity = max(capacity, self.capacity * 2)
        if self.buffer is not None:
            self.buffer.release()
            self.generation += 1
        self.capacity = capacity
        self.buffer = self._device.ctx.buffer(
            reserve=(self.head + RING_FRAMES * capacity) * self.item_size, dynamic=True
        )

    @property
    def first(self) -> int:
        """Number of the first item of this frame's room."""
        return self.head + self._turn * self.capacity

    def begin(self) -> int:
        """Go to the next frame's room; the number of its first item."""
        self._turn = (self._turn + 1) % RING_FRAMES
        return self.first

    def write(self, data: memoryview, count: int) -> None:
        """Put the first `count` items of `data` (bytes) into this frame's room."""
        if count:
            self.buffer.write(data[: count * self.item_size], offset=self.first * self.item_size)

    def release(self) -> None:
        self.buffer.release()


class BufferTexture:
    """A buffer that shaders read with texelFetch, 16 bytes a texel; core since GL 3.1."""

    def __init__(self, device: Device, internal_format: int) -> None:
        self._device = device
        self._format = internal_format
        name = ctypes.c_uint(0)
        device.raw.gen_textures(1, ctypes.byref(name))
        self.glo = int(name.value)

    def attach(self, buffer: Any, unit: int) -> None:
        """Read `buffer` from now on, through texture unit `unit`."""
        self._device.bind_texture(unit, TEXTURE_BUFFER, self.glo, active=True)
        self._device.raw.tex_buffer(TEXTURE_BUFFER, self._format, buffer.glo)

    def use(self, unit: int) -> None:
        self._device.bind_texture(unit, TEXTURE_BUFFER, self.glo)

    def release(self) -> None:
        self._device.known.drop(self.glo)
        name = ctypes.c_uint(self.glo)
        self._device.raw.delete_textures(1, ctypes.byref(name))

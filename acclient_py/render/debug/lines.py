"""Lines over a finished frame: in front of geometry in full, behind it dimmed, never hidden."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, Struct
from acclient_py.gpu import programs
from acclient_py.gpu.buffers import Ring, bytes_of
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.gpu.state import BLEND_OVER, State

LINE_DTYPE: Final = np.dtype([("position", "<f4", 3), ("colour", "u1", 4)])
IN_FRONT: Final = State("<=", False, BLEND_OVER, cull=False)
BEHIND: Final = State(">", False, BLEND_OVER, cull=False)
DIM: Final = 0.3
LINES: Final = 1  # GL_LINES

Colour = tuple[int, int, int, int]


class LineSet:
    """Segments to draw, collected on the CPU."""

    def __init__(self) -> None:
        self._parts: list[Struct] = []

    def add(self, points: F32, colour: Colour) -> None:
        """Separate segments: (2 n, 3) float32, in the space of the camera's block."""
        rows = np.zeros(len(points), LINE_DTYPE)
        rows["position"] = points
        r, g, b, a = colour
        rows["colour"] = (r * a // 255, g * a // 255, b * a // 255, a)
        self._parts.append(rows)

    def loop(self, corners: F32, colour: Colour) -> None:
        """A closed outline of (n, 3) corners."""
        pairs = np.stack((corners, np.roll(corners, -1, axis=0)), axis=1).reshape(-1, 3)
        self.add(pairs, colour)

    def cross(self, at: F32, size: float, colour: Colour) -> None:
        """Three short lines through a point."""
        arms = np.zeros((6, 3), np.float32)
        for axis in range(3):
            arms[2 * axis, axis] = -size
            arms[2 * axis + 1, axis] = size
        self.add(arms + at, colour)

    def rows(self) -> Struct:
        if not self._parts:
            return np.zeros(0, LINE_DTYPE)
        return np.concatenate(self._parts)


class LineDrawer:
    """Owner of the lines' program and buffer; made when a view is first shown."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._program: Any = programs.build(device, "lines.vert", "lines.frag")
        self._ring = Ring(device, LINE_DTYPE.itemsize, 4096)
        self._vao: Any = None
        self._generation = -1

    def draw(self, lines: LineSet, target: Target, world_to_clip: F32) -> None:
        """Draw into a target whose depth is that of the frame."""
        rows = lines.rows()
        if not len(rows):
            return
        self._ring.reserve(len(rows))
        first = self._ring.begin()
        self._ring.write(bytes_of(rows), len(rows))
        if self._vao is None or self._generation != self._ring.generation:
            if self._vao is not None:
                self._vao.release()
            self._generation = self._ring.generation
            self._vao = self._device.ctx.vertex_array(
                self._program, [(self._ring.buffer, "3f 4f1", "a_position", "a_colour")]
            )
        self._program["u_to_clip"].write(np.ascontiguousarray(world_to_clip, np.float32))
        for state, dim in ((BEHIND, DIM), (IN_FRONT, 1.0)):
            state.apply(self._device, target.framebuffer)
            self._program["u_dim"].value = dim
            self._vao.render(LINES, vertices=len(rows), first=first)

    def release(self) -> None:
        if self._vao is not None:
            self._vao.release()
        self._ring.release()
        self._program.release()

"""The place that a following camera is set by: it comes after the body (retail's CameraManager).

Each tick it goes stiffness x 10 x seconds of the way that is left, place and heading alike. What
the hands do to the camera, its turn, tilt and distance, is added afterwards and is not late. Ticks
alone move it, so a picture is that of its tick whatever the rate of the pictures. A body that has
jumped, or another one, is come after at once.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from acclient_py.core import F32, F64
from acclient_py.core.ids import get_block_offset
from acclient_py.view.camera import heading
from acclient_py.viewer.clock import QUANTUM
from acclient_py.viewer.stiffness import STIFF

JUMP: Final = 2.0
"""Metres of one tick: more is no way. The fastest body goes 50 m a second."""


class Lag:
    """Comes after one body. Owned by the camera's rig.

    stiffness : of `viewer/stiffness.py`
    """

    def __init__(self, stiffness: float) -> None:
        self.share = 1.0 if stiffness >= STIFF else min(1.0, stiffness * 10.0 * QUANTUM)
        self._body: tuple[int, int] | None = None
        self._cell_id = 0
        self._before: F64 = np.zeros(4)  # x, y, z of the block of `_cell_id`; heading, radians
        self._now: F64 = np.zeros(4)
        self._there: F64 = np.zeros(4)  # the body's own, at the last tick
        self._frame: F32 = np.zeros(7, np.float32)

    def note(self, body: tuple[int, int], cell_id: int, frame: F32) -> None:
        """A tick was made.

        body    : row and generation of whom it comes after
        cell_id : its cell ; frame : (7,) float32, in that cell's block
        """
        dx, dy = get_block_offset(cell_id, self._cell_id)
        for place in (self._now, self._there):
            place[0] += float(dx)
            place[1] += float(dy)
        self._before[:] = self._now
        way = frame[:3] - self._there[:3]
        other = body != self._body or float(way @ way) > JUMP * JUMP
        self._body, self._cell_id = body, cell_id
        self._there[:3], self._there[3] = frame[:3], heading(frame)
        if other or self.share >= 1.0:
            self._now[:] = self._there
            if other:
                self._before[:] = self._there
            return
        self._now[:3] += (self._there[:3] - self._now[:3]) * self.share
        self._now[3] += math.remainder(self._there[3] - self._now[3], math.tau) * self.share

    def forget(self) -> None:
        """The picture is cut: the next body is come after at once."""
        self._body = None

    def frame(self, share: float) -> tuple[int, F32] | None:
        """(cell id, frame in its block) at a share of the last tick's way; None before a tick."""
        if self._body is None:
            return None
        x, y, z, turn = self._now
        bx, by, bz, before = self._before
        left = 1.0 - share
        half = (turn + math.remainder(before - turn, math.tau) * left) / 2.0
        self._frame[:] = (
            x + (bx - x) * left,
            y + (by - y) * left,
            z + (bz - z) * left,
            math.cos(half),
            0.0,
            0.0,
            -math.sin(half),
        )
        return self._cell_id, self._frame

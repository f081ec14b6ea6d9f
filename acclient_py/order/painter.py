"""The painter: one walk over the graph makes one stream, which everything else reads.

There is no second order. The painter owns the stream, the alpha lists, the frame stamp and its
memory of distances; membership is the graph's, and each cell's `order` slice is the only thing of
the graph that is written here (L6). All arrays are made once and grow between frames only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from acclient_py.core import F32, I32, Struct
from acclient_py.kernels import walk
from acclient_py.kernels.ops import LIST_SLOTS, SITE_END
from acclient_py.kernels.walk import (
    CAMERA_X,
    CAMERA_Y,
    COUNTERS,
    DROPPED,
    FULL,
    LEAVES_DRAWN,
    MARKS,
    N_ALPHA,
    N_CLIP,
    N_INSTANCES,
    N_RECORDS,
    PARTS_DRAWN,
    PARTS_TESTED,
    PLAYER,
    STAMP,
    Meshes,
    Window,
)
from acclient_py.order import sequence
from acclient_py.order.stream import DRAW_DTYPE
from acclient_py.physics.layout import Arrays
from acclient_py.view.camera import Lens
from acclient_py.view.visibility import Visibility
from acclient_py.world.residency import get_dir

FIRST_RECORDS: Final = 16_384
FIRST_INSTANCES: Final = 8_192
MAX_VIEWS: Final = 64


@dataclass(frozen=True, slots=True)
class Landscape:
    """Where the load window stands: its middle block and how many blocks it reaches."""

    block_x: int
    block_y: int
    radius: int


@dataclass(slots=True)
class FrameCounters:
    """What the last frame held; always on."""

    records: int = 0
    instances: int = 0
    leaves: int = 0
    parts: int = 0
    parts_tested: int = 0
    dropped: int = 0


class Painter:
    """Walks a frame. The result stands in `stream[:count]` and `instances[:instance_count]`."""

    def __init__(self) -> None:
        self.counters = np.zeros(COUNTERS, np.int64)
        self.stream: Struct = np.zeros(FIRST_RECORDS, DRAW_DTYPE)
        self.instances: F32 = np.zeros((FIRST_INSTANCES, 16), np.float32)
        self._clip: Struct = np.zeros(LIST_SLOTS, DRAW_DTYPE)
        self._alpha: Struct = np.zeros(LIST_SLOTS, DRAW_DTYPE)
        self._cypt: F32 = np.zeros(0, np.float32)
        self._level = np.zeros(0, np.uint8)
        self._stamp = np.zeros(0, np.uint32)
        self._seen = np.zeros(0, np.uint32)
        self._object_cypt: F32 = np.zeros(0, np.float32)
        self._cell_stamp = np.zeros(0, np.uint32)
        self._keys: F32 = np.zeros(64, np.float32)
        self._scratch: I32 = np.zeros(64, np.int32)
        self.visibility = Visibility()
        self._planes: F32 = np.zeros((MAX_VIEWS, 32, 4), np.float32)
        self._plane_counts: I32 = np.zeros(MAX_VIEWS, np.int32)
        self._order_key: tuple[int, ...] = ()
        self._draw_list: I32 = np.zeros(0, np.int32)
        self._order_rows: I32 = np.zeros(0, np.int32)
        self._side_key: I32 = np.zeros(0, np.int32)
        self._cell_orders = sequence.cell_orders().copy()
        self.frame = FrameCounters()

    @property
    def count(self) -> int:
        """Records of the last frame."""
        return int(self.counters[N_RECORDS])

    @property
    def instance_count(self) -> int:
        return int(self.counters[N_INSTANCES])

    @property
    def records(self) -> Struct:
        """The last frame's stream."""
        return self.stream[: self.count]

    def paint(
        self,
        arrays: Arrays,
        meshes: Meshes,
        lens: Lens,
        landscape: Landscape,
        *,
        player: int = -1,
        marks: bool = False,
    ) -> Struct:
        """Walk one frame; the stream of it, valid until the next.

        player : row of the player's object, whose parts have no stamp and no detail levels
        marks  : write the transcript's marks too
        """
        self._reserve(arrays)
        c = self.counters
        c[STAMP] += 1
        while True:
            self._begin(lens, player, marks)
            self._outdoors(arrays, meshes, lens, landscape)
            walk.flush_alpha_list(self._memory(), SITE_END, 0)
            if not c[FULL]:
                break
            self.stream = np.zeros(len(self.stream) * 2, DRAW_DTYPE)
            self.instances = np.zeros((len(self.instances) * 2, 16), np.float32)
            c[STAMP] += 1  # the parts that were stamped are drawn anew
        assert c[N_CLIP] == 0, "the clip list is drained at the end of a frame"
        assert c[N_ALPHA] == 0, "the alpha list is drained at the end of a frame"
        frame = self.frame
        frame.records = int(c[N_RECORDS])
        frame.instances = int(c[N_INSTANCES])
        frame.leaves = int(c[LEAVES_DRAWN])
        frame.parts = int(c[PARTS_DRAWN])
        frame.parts_tested = int(c[PARTS_TESTED])
        frame.dropped = int(c[DROPPED])
        return self.records

    def _begin(self, lens: Lens, player: int, marks: bool) -> None:
        c = self.counters
        c[N_RECORDS] = c[N_INSTANCES] = c[N_CLIP] = c[N_ALPHA] = 0
        c[FULL] = c[PARTS_DRAWN] = c[PARTS_TESTED] = c[LEAVES_DRAWN] = c[DROPPED] = 0
        c[MARKS] = int(marks)
        c[PLAYER] = player
        c[CAMERA_X] = lens.pose.block_x
        c[CAMERA_Y] = lens.pose.block_y
        self._planes[0] = lens.planes
        self._plane_counts[0] = lens.plane_count

    def _outdoors(self, arrays: Arrays, meshes: Meshes, lens: Lens, landscape: Landscape) -> None:
        """The landscape through the first view."""
        window = self._window(arrays, lens, landscape)
        if window is None:
            return
        walk.walk_landscape(
            arrays.blocks,
            arrays.objects,
            arrays.parts,
            arrays.shadows,
            arrays.entries,
            arrays.order,
            arrays.cells,
            arrays.buildings,
            arrays.gfx,
            meshes,
            self._memory(),
            window,
            0,
            1,
            lens.eye,
        )

    def _window(self, arrays: Arrays, lens: Lens, landscape: Landscape) -> Window | None:
        """Blocks, orders and what is in view; None when the camera is off the window."""
        radius = landscape.radius
        width = 2 * radius + 1
        seen = self.visibility
        seen.resize(width)
        first_x, first_y = landscape.block_x - radius, landscape.block_y - radius
        off_x, off_y = lens.pose.block_x - first_x, lens.pose.block_y - first_y
        if not (0 <= off_x < width and 0 <= off_y < width):
            return None
        seen.look_up(arrays.block_of, arrays.blocks, arrays.heights, first_x, first_y)
        self._orders(lens, width, off_x, off_y)
        seen.check(self._planes, self._plane_counts, 1, off_x, off_y)
        return Window(
            seen.blocks,
            self._draw_list,
            self._order_rows,
            self._cell_orders,
            seen.block_in_view,
            seen.cell_in_view,
            self._planes,
            self._plane_counts,
        )

    def _orders(self, lens: Lens, width: int, off_x: int, off_y: int) -> None:
        """Block and cell orders, made again when the camera's cell or a block's side changes."""
        cell_x = min(max(int(lens.pose.eye[0] // 24.0), 0), 7)
        cell_y = min(max(int(lens.pose.eye[1] // 24.0), 0), 7)
        key = (width, off_x, off_y, cell_x, cell_y)
        side = self.visibility.side
        if key == self._order_key and np.array_equal(side, self._side_key):
            return
        self._draw_list = sequence.block_order(width, off_x, off_y)
        rows = np.zeros(width * width, np.int32)
        for ix in range(width):
            for iy in range(width):
                at = ix * width + iy
                if side[at]:
                    where = get_dir(ix - off_x, iy - off_y)
                    rows[at] = sequence.order_row(int(side[at]), where, cell_x, cell_y)
        self._order_rows = rows
        self._order_key = key
        self._side_key = side.copy()

    def _memory(self) -> walk.Memory:
        return walk.Memory(
            self.counters,
            self.stream,
            self.instances,
            self._clip,
            self._alpha,
            self._cypt,
            self._level,
            self._stamp,
            self._seen,
            self._object_cypt,
            self._cell_stamp,
            self._keys,
            self._scratch,
        )

    def _reserve(self, arrays: Arrays) -> None:
        """Follow the graph's arrays when they have grown."""
        parts = len(arrays.parts)
        if len(self._cypt) < parts:
            self._cypt = _grown(self._cypt, parts)
            self._level = _grown(self._level, parts)
            self._stamp = _grown(self._stamp, parts)
            self._seen = _grown(self._seen, parts)
        if len(self._object_cypt) < len(arrays.objects):
            self._object_cypt = _grown(self._object_cypt, len(arrays.objects))
        if len(self._cell_stamp) < len(arrays.cells):
            self._cell_stamp = _grown(self._cell_stamp, len(arrays.cells))
        if len(self._keys) < len(arrays.entries):
            self._keys = np.zeros(len(arrays.entries), np.float32)
            self._scratch = np.zeros(len(arrays.entries), np.int32)


def _grown(array: np.ndarray, size: int) -> np.ndarray:
    new = np.zeros(size, array.dtype)
    new[: len(array)] = array
    return new

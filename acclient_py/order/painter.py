"""The painter: one walk over the graph makes one stream, which everything else reads.

There is no second order. The painter owns the stream, the alpha lists, the frame stamp and its
memory of distances; membership is the graph's, and each cell's slice of `order` and `ranks` is the
only thing of the graph that is written here (L6). All arrays are made once and grow between frames
only.
"""

from __future__ import annotations

from operator import is_not
from typing import Any, Final

import msgspec
import numpy as np

from acclient_py.core import F32, I32, Struct
from acclient_py.core.ids import hex8
from acclient_py.kernels import walk
from acclient_py.kernels.bundles import address_of_bundle
from acclient_py.kernels.draw import (
    ASTRAY,
    BLOCK_SIZE,
    CAMERA_X,
    CAMERA_Y,
    COUNTERS,
    DETAIL,
    FULL,
    LAMPS,
    MARKS,
    MOVING_LAMPS,
    N_ALPHA,
    N_CLIP,
    N_INSTANCES,
    N_PORTAL_VERTICES,
    N_RECORDS,
    ON_WINDOW,
    PART_MEMORY_DTYPE,
    PARTS_DRAWN,
    PLAYER,
    ROOT,
    SEALS,
    SKY_AFTER,
    SKY_BEFORE,
    STAMP,
    VIEW_DTYPE,
    VIEWS,
    Eye,
    Membership,
    Memory,
    Meshes,
)
from acclient_py.kernels.flood import Portals
from acclient_py.kernels.lamps import MAX_LAMPS
from acclient_py.kernels.openings import FRAME_BUNDLES, FRAME_ROW_DTYPE, Sky, Window
from acclient_py.kernels.ops import LIST_SLOTS
from acclient_py.kernels.sort import SCRATCH_PER_ENTRY
from acclient_py.log import warn_once
from acclient_py.order import sequence
from acclient_py.order.memory import flood_memory, grown
from acclient_py.order.stream import DRAW_DTYPE
from acclient_py.physics.layout import Arrays
from acclient_py.view.camera import Lens
from acclient_py.view.visibility import Visibility
from acclient_py.world.residency import get_dir

FIRST_RECORDS: Final = 16_384
FIRST_INSTANCES: Final = 8_192
PORTAL_VERTICES: Final = 16_384
MAX_VIEWS: Final = 64


class Landscape(msgspec.Struct, frozen=True):
    """Where the load window stands: its middle block and how many blocks it reaches."""

    block_x: int
    block_y: int
    radius: int


class SkyObjects(msgspec.Struct, eq=False):
    """Parts of the sky in drawing order.

    gfx : (n,) int32 mesh rows of `models` ; rows : (n, 16) float32 as in `Memory.instances`
    offsets : (n, 3) float32, where each stands from the eye
    """

    gfx: I32
    rows: F32
    offsets: F32
    count: int


class SkyPasses(msgspec.Struct, eq=False):
    """What is drawn before the blocks, and after them."""

    before: SkyObjects
    after: SkyObjects


class FrameCounters(msgspec.Struct):
    """What the last frame held; always on."""

    records: int = 0
    instances: int = 0
    leaves: int = 0
    parts: int = 0
    parts_tested: int = 0
    portal_vertices: int = 0
    dropped: int = 0


class Painter:
    """Walks a frame. The result stands in `stream[:count]` and `instances[:instance_count]`."""

    def __init__(self) -> None:
        self.counters = np.zeros(COUNTERS, np.int64)
        self.stream: Struct = np.zeros(FIRST_RECORDS, DRAW_DTYPE)
        self.instances: F32 = np.zeros((FIRST_INSTANCES, 16), np.float32)
        self._clip: Struct = np.zeros(LIST_SLOTS, DRAW_DTYPE)
        self._alpha: Struct = np.zeros(LIST_SLOTS, DRAW_DTYPE)
        self._blank: Struct = np.zeros(1, DRAW_DTYPE)
        self.lamps: F32 = np.zeros((MAX_LAMPS, 16), np.float32)
        self._parts: Struct = np.zeros(0, PART_MEMORY_DTYPE)
        self._cell_stamp = np.zeros(0, np.uint32)
        self._keys: F32 = np.zeros(64, np.float32)
        self._scratch: I32 = np.zeros(64 * SCRATCH_PER_ENTRY, np.int32)
        self.visibility = Visibility()
        self._views: Struct = np.zeros(MAX_VIEWS, VIEW_DTYPE)
        self.portal_vertices: F32 = np.zeros((PORTAL_VERTICES, 3), np.float32)
        self._inside = flood_memory(0, 0)
        self._look_in = flood_memory(0, 0)
        self._order_key: tuple[int, ...] = ()
        self._draw_list: I32 = np.zeros(0, np.int32)
        self._order_rows: I32 = np.zeros(0, np.int32)
        self._side_key: I32 = np.zeros(0, np.int32)
        self._window: Window | None = None
        self._origin: F32 = np.zeros(2, np.float32)
        self._sky_of: SkyPasses | None = None
        self._sky = _sky_rows(None)
        self._row: Struct = np.zeros(1, FRAME_ROW_DTYPE)
        self._told: tuple[Any, ...] = ()
        self._cell_orders = sequence.cell_orders().copy()
        self._memory = self._make_memory()
        self._followed: Arrays | None = None
        self._gfx_count = 0
        self._membership: Membership | None = None
        self._eye = Eye(
            np.zeros((4, 4), np.float32),
            np.zeros(3, np.float32),
            np.zeros((3, 3), np.float64),
            np.zeros(2, np.float64),
            np.zeros(4, np.float32),
        )
        self.frame = FrameCounters()
        self.view_source = "default"
        self.view_count = 1

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

    def view_polygons(self) -> list[F32]:
        """The landscape's views of the last frame, (n, 2) pixels each."""
        return [
            self._views[v]["points"][: int(self._views[v]["point_count"])]
            for v in range(self.view_count)
        ]

    def paint(
        self,
        arrays: Arrays,
        meshes: Meshes,
        shapes: Portals,
        lens: Lens,
        landscape: Landscape,
        *,
        gfx: Struct | None = None,
        sky: SkyPasses | None = None,
        player: int = -1,
        lamps: tuple[F32, int, int] | None = None,
        detail: int = 0,
        marks: bool = False,
    ) -> Struct:
        """Walk one frame; the stream of it, valid until the next.

        gfx    : all rows of the models' pool, which may have more than the graph knows (levels)
        sky    : what the two passes around the blocks draw
        player : row of the player's object, whose parts are drawn once for each view that admits
                 them, at their first turn (register D24), and have no detail levels
        lamps  : rows as in `kernels/lamps.py`, how many of movers (first), how many of statics
        detail : which detail surfaces there are, DETAIL_BUILDINGS, DETAIL_CELLS
        marks  : write the transcript's marks too
        """
        self._reserve(arrays, arrays.gfx if gfx is None else gfx)
        assert self._membership is not None, "arrays are followed before a walk"
        window = self._look(arrays, lens, landscape)
        self._begin(arrays, lens, player, sky, marks)
        c = self.counters
        c[LAMPS] = c[MOVING_LAMPS] = 0
        c[DETAIL] = detail
        c[ASTRAY] = 0
        if lamps is not None:
            rows, moving, standing = lamps
            self.lamps[: moving + standing] = rows[: moving + standing]
            c[MOVING_LAMPS] = moving
            c[LAMPS] = moving + standing
        seals = int(c[SEALS])
        while True:
            c[STAMP] += 1
            c[SEALS] = seals
            c[:STAMP] = 0
            c[PARTS_DRAWN : N_PORTAL_VERTICES + 1] = 0
            self._tell(
                self._membership,
                meshes,
                self._memory,
                window,
                self._inside,
                self._look_in,
                shapes,
                self._eye,
                self._sky,
            )
            walk.paint(self._row)
            if not c[FULL]:
                break
            self.stream = np.zeros(len(self.stream) * 2, DRAW_DTYPE)
            self.instances = np.zeros((len(self.instances) * 2, 16), np.float32)
            self.portal_vertices = np.zeros((len(self.portal_vertices) * 2, 3), np.float32)
            self._memory = self._make_memory()
        self.view_count = int(c[VIEWS])
        if c[ASTRAY]:
            _report_astray(arrays, int(c[ASTRAY]) - 1)
        assert c[N_CLIP] == 0, "the clip list is drained at the end of a frame"
        assert c[N_ALPHA] == 0, "the alpha list is drained at the end of a frame"
        frame = self.frame
        (frame.records, frame.instances) = c[N_RECORDS : N_INSTANCES + 1].tolist()
        (
            frame.parts,
            frame.leaves,
            frame.parts_tested,
            frame.dropped,
            frame.portal_vertices,
        ) = c[PARTS_DRAWN : N_PORTAL_VERTICES + 1].tolist()
        return self.records

    def _tell(self, *bundles: Any) -> None:
        """Write where the walk finds its arrays, in FRAME_BUNDLES order; keeps them alive."""
        if len(self._told) != len(bundles) or any(map(is_not, bundles, self._told)):
            self._told = bundles
            for name, arrays in zip(FRAME_BUNDLES, bundles, strict=True):
                self._row[name] = address_of_bundle(arrays)

    def _begin(
        self, arrays: Arrays, lens: Lens, player: int, sky: SkyPasses | None, marks: bool
    ) -> None:
        """Write what the walk is told of this frame: counters, the eye, the whole picture."""
        c = self.counters
        root = cell_slot(arrays, lens.pose.cell_id)
        self.view_source = "default" if root < 0 else "exits"
        c[ROOT] = root
        c[MARKS] = marks
        c[PLAYER] = player
        c[CAMERA_X] = lens.pose.block_x
        c[CAMERA_Y] = lens.pose.block_y
        if sky is None:
            c[SKY_BEFORE] = c[SKY_AFTER] = -1
        else:
            if sky is not self._sky_of:
                self._sky_of = sky
                self._sky = _sky_rows(sky)
            c[SKY_BEFORE] = sky.before.count
            c[SKY_AFTER] = sky.after.count
        eye = self._eye
        eye.world_to_clip[:] = lens.world_to_clip
        eye.at[:] = lens.eye
        eye.basis[:] = lens.basis
        eye.size[:] = lens.size
        eye.near_plane[:] = lens.planes[0]
        width, height = lens.size
        view = self._views[0]
        view["planes"] = lens.planes
        view["plane_count"] = lens.plane_count
        view["points"][:4] = ((0, 0), (width, 0), (width, height), (0, height))
        view["point_count"] = 4

    def _look(self, arrays: Arrays, lens: Lens, landscape: Landscape) -> Window:
        """The blocks around the load point and their orders."""
        radius = landscape.radius
        width = 2 * radius + 1
        seen = self.visibility
        seen.resize(width)
        first_x, first_y = landscape.block_x - radius, landscape.block_y - radius
        off_x, off_y = lens.pose.block_x - first_x, lens.pose.block_y - first_y
        inside = 0 <= off_x < width and 0 <= off_y < width
        self.counters[ON_WINDOW] = inside
        if inside:
            seen.look_up(arrays.block_of, arrays.blocks, arrays.heights, first_x, first_y)
            self._orders(lens, width, off_x, off_y)
            self._origin[0] = -off_x * BLOCK_SIZE
            self._origin[1] = -off_y * BLOCK_SIZE
        window = self._window
        if (
            window is None
            or window.blocks is not seen.blocks
            or window.draw_list is not self._draw_list
        ):
            window = self._window = seen.window(
                self._draw_list, self._order_rows, self._cell_orders, self._views, self._origin
            )
        return window

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

    def _make_memory(self) -> Memory:
        return Memory(
            self.counters,
            self.stream,
            self.instances,
            self._clip,
            self._alpha,
            self._parts,
            self._cell_stamp,
            self._keys,
            self._scratch,
            self._blank,
            self.portal_vertices,
            self.lamps,
        )

    def _reserve(self, arrays: Arrays, gfx: Struct) -> None:
        """Follow the graph's arrays when they have grown: they are another tuple then."""
        if arrays is self._followed and len(gfx) == self._gfx_count:
            return
        self._followed = arrays
        self._gfx_count = len(gfx)
        self._membership = membership(arrays, gfx)
        self._parts = grown(self._parts, len(arrays.parts))
        cells, portals = len(arrays.cells), len(arrays.portals)
        if len(self._cell_stamp) < cells or len(self._inside.portals) < portals:
            self._cell_stamp = grown(self._cell_stamp, cells)
            self._inside = flood_memory(cells, portals)
            self._look_in = flood_memory(cells, portals)
        if len(self._keys) < len(arrays.entries):
            self._keys = np.zeros(len(arrays.entries), np.float32)
            self._scratch = np.zeros(SCRATCH_PER_ENTRY * len(arrays.entries), np.int32)
        self._memory = self._make_memory()


def _report_astray(arrays: Arrays, part: int) -> None:
    """Say once of which object a part stands nowhere."""
    first = arrays.objects["part_first"].astype(np.int64)
    count = arrays.objects["part_count"]
    holders = np.flatnonzero((first <= part) & (part < first + count))
    for obj in holders[:1].tolist():
        row = arrays.objects[obj]
        name = hex8(int(row["guid"]))
        if int(row["home_id"]):
            name = f"{hex8(int(row['home_id']))}:{int(row['home_index'])}"
        warn_once(
            ("frame", name, part - int(first[obj])),
            "part %d of %s is not seen: its frame is not finite",
            part - int(first[obj]),
            name,
        )


def _sky_rows(sky: SkyPasses | None) -> Sky:
    """What the walk takes of the sky."""
    if sky is None:
        none: I32 = np.full(1, -1, np.int32)
        rows: F32 = np.zeros((1, 16), np.float32)
        return Sky(none, rows, none, rows)
    return Sky(sky.before.gfx, sky.before.rows, sky.after.gfx, sky.after.rows)


def membership(arrays: Arrays, gfx: Struct) -> Membership:
    """What the walk takes of the graph."""
    return Membership(
        arrays.objects,
        arrays.parts,
        arrays.shadows,
        arrays.entries,
        arrays.order,
        arrays.ranks,
        arrays.cells,
        arrays.blocks,
        arrays.block_of,
        arrays.env_table,
        arrays.portals,
        arrays.stabs,
        arrays.buildings,
        arrays.building_portals,
        gfx,
    )


def cell_slot(arrays: Arrays, cell_id: int) -> int:
    """The slot of a resident env cell; -1 for a land cell, or where there is none."""
    low = cell_id & 0xFFFF
    block = int(arrays.block_of[cell_id >> 16 & 0xFFFF])
    if block < 0 or low < 0x100:
        return -1
    row = arrays.blocks[block]
    if low - 0x100 >= int(row["env_count"]):
        return -1
    return int(arrays.env_table[int(row["env_first"]) + low - 0x100])

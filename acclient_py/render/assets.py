"""Assets: what the graph's ids look like on the GPU, brought up to date with the graph each frame.

Owner of the vertex and index arenas, the pictures, the surface rows and the tables that the walk
reads (`Meshes`). The graph is only read: rows of meshes, blocks and env cells that it gained since
the last frame are uploaded, those it lost are dropped. A mesh that cannot be built is reported once
and a checkered box stands in its place.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

import numpy as np

from acclient_py.core import I32, U32, Struct
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.gpu.buffers import Arena
from acclient_py.gpu.device import Device
from acclient_py.kernels import kernel
from acclient_py.kernels.draw import (
    DETAIL_BUILDINGS,
    DETAIL_CELLS,
    GFX_MESH_DTYPE,
    LEAF_DTYPE,
    LEVEL_DTYPE,
    Meshes,
)
from acclient_py.kernels.flood import Portals
from acclient_py.order.memory import grown
from acclient_py.physics.layout import ENV, Arrays
from acclient_py.render.geometry import VERTEX_DTYPE, pack_mesh
from acclient_py.render.ground import BLOCK_ROWS, Ground
from acclient_py.render.lamplight import Lamplight
from acclient_py.render.materials import Materials
from acclient_py.render.meshes import MeshStore
from acclient_py.render.openings import Openings
from acclient_py.render.pictures import Pictures
from acclient_py.render.surfaces import SurfaceTable
from acclient_py.world.cell import EnvCellModel, load_env_cell
from acclient_py.world.mesh import Mesh, build_mesh, build_meshes
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel
from acclient_py.world.residency import get_block_orient

log = logging.getLogger(__name__)

FIRST_VERTICES: Final = 65_536
FIRST_INDICES: Final = 131_072


@kernel
def changed_cells(blocks: Struct, cells: Struct, env_table: I32, known: U32, out: I32) -> int:
    """Slots of env cells whose id is not the known one; how many (at most len(out))."""
    n = 0
    for b in range(len(blocks)):
        if blocks[b].id == 0:
            continue
        first = blocks[b].env_first
        for i in range(blocks[b].env_count):
            slot = env_table[first + i]
            if slot >= 0 and known[slot] != cells[slot].id and n < len(out):
                out[n] = slot
                n += 1
    return n


class Assets:
    """Everything of one world that lies on the GPU."""

    def __init__(
        self, device: Device, models: Models, region: RegionModel, *, index_head: int
    ) -> None:
        """index_head : indices at the front of the index buffer that the frame streams into"""
        self._device = device
        self._models = models
        self._dats = models.dats
        self.vertices = Arena(device, VERTEX_DTYPE.itemsize, FIRST_VERTICES)
        self.indices = Arena(device, 4, FIRST_INDICES, head=index_head)
        self.surfaces = SurfaceTable(device)
        self.pictures = Pictures(device, self._dats)
        self.ground = Ground(device, self._dats, region, self.surfaces)
        self.materials = Materials(self._dats, self.surfaces, self.pictures, region)
        self._gfx: Struct = np.zeros(256, GFX_MESH_DTYPE)
        self._cell_mesh: I32 = np.full(1024, -1, np.int32)
        self._leaves: Struct = np.zeros(64, LEAF_DTYPE)
        self._leaves["first"] = -1
        self.meshes = MeshStore(self.vertices, self.indices, self.materials)
        self._levels: list[tuple[float, ...]] = []
        self._looks: list[int] = [-1]  # by row of Models.looks
        self._look_meshes: list[int] = []
        self._gfx_done = 0
        self._block_key: dict[int, tuple[int, int, int]] = {}
        self._block_range: dict[int, tuple[int, int, int, int]] = {}
        self._blocks_seen: tuple[object, ...] = ()
        self._cells_known: U32 = np.zeros(1024, np.uint32)
        self._changed: I32 = np.zeros(256, np.int32)
        self.terrain_index: U32 = np.zeros((64, 384), np.uint32)  # absolute vertex numbers
        self.openings = Openings()
        self.lamplight = Lamplight(self.vertices)
        self._tables: Meshes | None = None
        self._shapes: Portals | None = None

    @property
    def tables(self) -> Meshes:
        """The tables of the last `sync`."""
        assert self._tables is not None, "sync comes first"
        return self._tables

    @property
    def gfx_rows(self) -> Struct:
        """The models' pool, as far as it is on the GPU."""
        return self._models.gfx_rows[: self._gfx_done]

    @property
    def shapes(self) -> Portals:
        """The portal polygons of the last `sync`."""
        assert self._shapes is not None, "sync comes first"
        return self._shapes

    # ------------------------------------------------------------------ following the graph

    def sync(
        self,
        arrays: Arrays,
        centre: tuple[int, int],
        detail_radius: int = 1,
        moving: Iterable[tuple[int, float, float]] = (),
    ) -> Meshes:
        """Upload what is new, drop what is gone; the tables for this frame's walk.

        centre : block indices of the load point, from which seams are fitted
        moving : (row of the models' pool, u, v): pictures that are shifted, in their repeats
        """
        self._sync_gfx()
        self._sync_looks()
        for gfx, u, v in moving:
            self._move_picture(gfx, u, v)
        self._sync_blocks(arrays, centre, detail_radius)
        self._sync_cells(arrays)
        if self._tables is None:
            self.pictures.finish()
            self.ground.finish()
            self.surfaces.upload()
            self._tables = self._make_tables(arrays)
            self._shapes = self.openings.tables(len(arrays.portals))
        return self._tables

    def _sync_gfx(self) -> None:
        while self._gfx_done < len(self._models.gfx_rows):
            rows = range(self._gfx_done, len(self._models.gfx_rows))
            records = [self._models.gfx_record(row) for row in rows]
            drawn = [record for record in records if record is not None and record.polygons]
            meshes = iter(build_meshes([(record.polygons, record.vertices) for record in drawn]))
            for row, record in zip(rows, records, strict=True):
                has_mesh = record is not None and record.polygons
                self._gfx_done += 1
                self._add_gfx(row, record, next(meshes) if has_mesh else None)
            self._tables = None

    def _add_gfx(self, row: int, record: GfxObj | None, made: Mesh | None) -> None:
        self._gfx = grown(self._gfx, row + 1)
        root = -1
        mesh = -1
        if record is None:
            mesh = self.meshes.stand_in(
                float(self._models.gfx_rows["drawing_sphere"][row][3]) or 0.5
            )
        elif made is not None:
            mesh = self.meshes.put(made, record.surfaces, DETAIL_BUILDINGS, record.id)
        if record is not None:
            root = self.openings.add_tree(record)
        self._gfx[row] = (mesh, -1, 0, root)
        table = int(self._models.gfx_rows["degrade"][row])
        if table < 0:
            return
        levels = self._models.degrades[table].levels
        if not levels:
            return
        self._gfx[row]["level_first"] = len(self._levels)
        self._gfx[row]["level_count"] = len(levels)
        for level in levels:
            gfx = self._models.gfx(level.model_id)
            self._levels.append(
                (gfx, level.mode, level.min_distance, level.ideal_distance, level.max_distance)
            )

    def _sync_looks(self) -> None:
        rows = self._models.looks.rows
        while len(self._looks) < len(rows):
            gfx, look = rows[len(self._looks)]
            self._sync_gfx()
            first, count = self._gfx[gfx]["level_first"], self._gfx[gfx]["level_count"]
            shown = [gfx] if count == 0 else [row[0] for row in self._levels[first : first + count]]
            self._looks.append(len(self._look_meshes))
            for row in shown:
                mesh = int(self._gfx[int(row)]["mesh"]) if row >= 0 else -1
                self._look_meshes.append(self.meshes.dressed(mesh, look) if mesh >= 0 else -1)
            self._tables = None

    def _move_picture(self, gfx: int, u: float, v: float) -> None:
        """Shift the pictures of all parts that show a model.

        Retail: CPhysics::UpdateTexVelocity @0x00509820, CGfxObj::TexVelocity.
        """
        mesh = int(self._gfx[gfx]["mesh"]) if 0 <= gfx < self._gfx_done else -1
        if mesh >= 0 and self.meshes.move(mesh, u, v):
            self._tables = None

    def _sync_blocks(self, arrays: Arrays, centre: tuple[int, int], detail_radius: int) -> None:
        blocks = arrays.blocks
        if len(self._leaves) < len(blocks):
            before = len(self._leaves)
            self._leaves = grown(self._leaves, len(blocks))
            self._leaves["first"][before:] = -1
            self._tables = None
        columns = blocks["id"], blocks["side"], blocks["generation"]
        seen = (centre, detail_radius, *(column.tobytes() for column in columns))
        if seen == self._blocks_seen:
            return
        self._blocks_seen = seen
        ids, sides, generations = (column.tolist() for column in columns)
        new: list[tuple[int, int]] = []
        for slot, (block_id, side, generation) in enumerate(
            zip(ids, sides, generations, strict=True)
        ):
            key = (block_id, side, generation) if block_id and side else (0, 0, 0)
            seam = 0
            if key[0] and side in (4, 2):
                dx, dy = (block_id >> 24) - centre[0], (block_id >> 16 & 255) - centre[1]
                seam = get_block_orient(dx, dy, detail_radius=detail_radius).direction
            key = (key[0], key[1] | seam << 8, key[2])
            if self._block_key.get(slot, (0, 0, 0)) == key:
                continue
            self._drop_block(slot)
            self._block_key[slot] = key
            if key[0]:
                new.append((slot, seam))
            self._tables = None
        if new:
            self._add_blocks(arrays, new)

    def _add_blocks(self, arrays: Arrays, new: list[tuple[int, int]]) -> None:
        """new : block slots, and the seam directions of their meshes"""
        slots, seams = np.array(new, np.int32).T.copy()
        most = int(slots.max())
        assert most < BLOCK_ROWS, "a vertex has 12 bits for its block"
        vertices, indices = self.ground.block_meshes(arrays, slots, seams)
        base, first = self.vertices.put(vertices), self.indices.put(indices)
        if most >= len(self.terrain_index):
            more = np.zeros((max(most + 1, 2 * len(self.terrain_index)), 384), np.uint32)
            more[: len(self.terrain_index)] = self.terrain_index
            self.terrain_index = more
        at = 0
        for slot, side in zip(slots.tolist(), arrays.blocks["side"][slots].tolist(), strict=True):
            own, count = indices[6 * at : 6 * (at + side * side)], 4 * side * side
            self._block_range[slot] = (base, count, first, len(own))
            self._leaves[slot] = (first, base)
            self.terrain_index[slot, : len(own)] = own + np.uint32(base)
            base, first, at = base + count, first + len(own), at + side * side

    def _drop_block(self, slot: int) -> None:
        found = self._block_range.pop(slot, None)
        if found is not None:
            self.vertices.drop(found[0], found[1])
            self.indices.drop(found[2], found[3])
            self._leaves[slot]["first"] = -1

    def _sync_cells(self, arrays: Arrays) -> None:
        if len(self._cells_known) < len(arrays.cells):
            more = np.zeros(len(arrays.cells), np.uint32)
            more[: len(self._cells_known)] = self._cells_known
            self._cells_known = more
            self._cell_mesh = _minus_ones(self._cell_mesh, len(more))
        while True:
            found = changed_cells(
                arrays.blocks, arrays.cells, arrays.env_table, self._cells_known, self._changed
            )
            for slot in self._changed[:found].tolist():
                self._set_cell(arrays, slot)
                self._tables = None
            if found < len(self._changed):
                return

    def _set_cell(self, arrays: Arrays, slot: int) -> None:
        old = int(self._cell_mesh[slot])
        if old >= 0:
            self.meshes.drop(old)
        self._cell_mesh[slot] = -1
        self.lamplight.drop(slot)
        row = arrays.cells[slot]
        cell_id = int(row["id"])
        self._cells_known[slot] = cell_id
        if int(row["kind"]) != ENV:
            return
        model = load_env_cell(self._models, cell_id)
        if model is None:
            return
        self._cell_mesh[slot] = self._upload_cell(slot, model)
        self.openings.set_cell(model, int(row["portal_first"]))

    def _upload_cell(self, slot: int, model: EnvCellModel) -> int:
        if model.structure.record.drawing_bsp is None:
            return -1
        mesh = build_mesh(model.structure.record)
        row = self.meshes.put(mesh, model.surfaces, DETAIL_CELLS, model.id)
        self.lamplight.take(slot, self.meshes.base(row), mesh.vertices, pack_mesh(mesh.vertices))
        return row

    def _make_tables(self, arrays: Arrays) -> Meshes:
        self._gfx = grown(self._gfx, max(len(arrays.gfx), self._gfx_done))
        self._cell_mesh = _minus_ones(self._cell_mesh, len(arrays.cells))
        return Meshes(
            self._gfx,
            *self.meshes.tables(),
            np.array(self._levels or [(-1, 0, 0, 0, 0)], LEVEL_DTYPE),
            np.array(self._looks, np.int32),
            np.array(self._look_meshes or [-1], np.int32),
            self._cell_mesh,
            self._leaves,
        )

    def release(self) -> None:
        self.ground.release()
        self.pictures.release()
        self.surfaces.release()
        self.indices.release()
        self.vertices.release()


def _minus_ones(array: I32, size: int) -> I32:
    """A copy with at least `size` rows, new ones -1."""
    if len(array) >= size:
        return array
    new = np.full(size, -1, np.int32)
    new[: len(array)] = array
    return new

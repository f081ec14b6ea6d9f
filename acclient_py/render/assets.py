"""Assets: what the graph's ids look like on the GPU, brought up to date with the graph each frame.

Owner of the vertex and index arenas, the pictures, the surface rows and the tables that the walk
reads (`Meshes`). The graph is only read: rows of meshes, blocks and env cells that it gained since
the last frame are uploaded, those it lost are dropped. A mesh that cannot be built is reported once
and a checkered box stands in its place.
"""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from acclient_py.core import F32, I32, U32, Struct
from acclient_py.core.ids import hex8
from acclient_py.dat.records.surface import Surface, SurfaceType
from acclient_py.errors import DataError
from acclient_py.gpu.buffers import Arena
from acclient_py.gpu.device import Device
from acclient_py.kernels import kernel
from acclient_py.kernels.draw import (
    GFX_MESH_DTYPE,
    LEAF_DTYPE,
    LEVEL_DTYPE,
    MESH_DTYPE,
    SLOT_DTYPE,
    Meshes,
)
from acclient_py.kernels.flood import Portals
from acclient_py.log import warn_once
from acclient_py.order.memory import grown
from acclient_py.physics.layout import ENV, Arrays
from acclient_py.render.geometry import VERTEX_DTYPE, pack_mesh
from acclient_py.render.ground import BLOCK_ROWS, Ground
from acclient_py.render.lamplight import Lamplight
from acclient_py.render.openings import Openings
from acclient_py.render.pictures import Pictures
from acclient_py.render.surfaces import SurfaceTable, surface_ladder
from acclient_py.world import mesh as meshes_of
from acclient_py.world.cell import EnvCellModel, load_env_cell
from acclient_py.world.mesh import Mesh
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
        self._gfx: Struct = np.zeros(256, GFX_MESH_DTYPE)
        self._cell_mesh: I32 = np.full(1024, -1, np.int32)
        self._leaves: Struct = np.zeros(64, LEAF_DTYPE)
        self._leaves["first"] = -1
        self._meshes: list[tuple[int, int]] = []
        self._slots: list[tuple[int, ...]] = []
        self._levels: list[tuple[float, ...]] = []
        self._mesh_ranges: list[tuple[int, int, int, int]] = []
        self._free_meshes: list[int] = []
        self._materials: dict[tuple[int, bool], tuple[int, int, int]] = {}
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

    def sync(self, arrays: Arrays, centre: tuple[int, int], detail_radius: int = 1) -> Meshes:
        """Upload what is new, drop what is gone; the tables for this frame's walk.

        centre : block indices of the load point, from which seams are fitted
        """
        self._sync_gfx()
        self._sync_blocks(arrays, centre, detail_radius)
        self._sync_cells(arrays)
        if self._tables is None:
            self.pictures.finish()
            self.surfaces.upload()
            self._tables = self._make_tables(arrays)
            self._shapes = self.openings.tables(len(arrays.portals))
        return self._tables

    def _sync_gfx(self) -> None:
        while self._gfx_done < len(self._models.gfx_rows):
            row = self._gfx_done
            self._gfx_done += 1
            self._add_gfx(row)
            self._tables = None

    def _add_gfx(self, row: int) -> None:
        record = self._models.gfx_record(row)
        self._gfx = grown(self._gfx, row + 1)
        root = -1
        mesh = -1
        if record is None:
            mesh = self._stand_in(float(self._models.gfx_rows["drawing_sphere"][row][3]) or 0.5)
        elif record.polygons:
            mesh = self._upload(meshes_of.build_mesh(record), record.surfaces)
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
        for slot, (block_id, side, generation) in enumerate(
            zip(ids, sides, generations, strict=True)
        ):
            key = (block_id, side, generation) if block_id and side else (0, 0, 0)
            where = 0
            if key[0] and side in (4, 2):
                dx, dy = (block_id >> 24) - centre[0], (block_id >> 16 & 255) - centre[1]
                where = get_block_orient(dx, dy, detail_radius=detail_radius).direction
            key = (key[0], key[1] | where << 8, key[2])
            if self._block_key.get(slot, (0, 0, 0)) == key:
                continue
            self._drop_block(slot)
            self._block_key[slot] = key
            if key[0]:
                self._add_block(arrays, slot, block_id, side, where)
            self._tables = None

    def _add_block(self, arrays: Arrays, slot: int, block_id: int, side: int, where: int) -> None:
        assert slot < BLOCK_ROWS, "a vertex has 12 bits for its block"
        vertices, indices = self.ground.block_mesh(
            slot,
            block_id >> 24 & 0xFF,
            block_id >> 16 & 0xFF,
            arrays.heights[slot],
            arrays.terrain[slot],
            side,
            where,
        )
        base = self.vertices.put(vertices)
        first = self.indices.put(indices)
        self._block_range[slot] = (base, len(vertices), first, len(indices))
        self._leaves[slot] = (first, base)
        if slot >= len(self.terrain_index):
            more = np.zeros((max(slot + 1, 2 * len(self.terrain_index)), 384), np.uint32)
            more[: len(self.terrain_index)] = self.terrain_index
            self.terrain_index = more
        self.terrain_index[slot, : len(indices)] = indices + np.uint32(base)

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
            self._drop_mesh(old)
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
        mesh = meshes_of.build_mesh(model.structure.record)
        row = self._upload(mesh, model.surfaces)
        base = self._mesh_ranges[row][0]
        self.lamplight.take(slot, base, mesh.vertices, pack_mesh(mesh.vertices))
        return row

    # ------------------------------------------------------------------ meshes and materials

    def _upload(self, mesh: Mesh, surfaces: tuple[int, ...]) -> int:
        base = self.vertices.put(pack_mesh(mesh.vertices))
        first = self.indices.put(mesh.indices)
        slots: list[tuple[int, ...]] = []
        for slot in mesh.slots:
            index = int(slot["surface_index"])
            stippled = bool(slot["stippled"])
            if index < len(surfaces):
                material, state, kind = self._material(surfaces[index], stippled)
            else:
                warn_once(("surface index", surfaces, index), "no surface %d in a mesh", index)
                material, state, kind = self._material(0, stippled)
            slots.append(
                (
                    first + int(slot["first"]),
                    int(slot["count"]),
                    base,
                    material,
                    state,
                    meshes_of.deferral_mask(kind, stippled),
                    int(bool(kind & 6)),
                    0,
                )
            )
        return self._add_mesh(slots, (base, len(mesh.vertices), first, len(mesh.indices)))

    def _add_mesh(self, slots: list[tuple[int, ...]], ranges: tuple[int, int, int, int]) -> int:
        self._meshes.append((len(self._slots), len(slots)))
        self._slots.extend(slots)
        self._mesh_ranges.append(ranges)
        return len(self._meshes) - 1

    def _drop_mesh(self, mesh: int) -> None:
        base, vertices, first, indices = self._mesh_ranges[mesh]
        self.vertices.drop(base, vertices)
        self.indices.drop(first, indices)
        self._meshes[mesh] = (0, 0)
        self._mesh_ranges[mesh] = (0, 0, 0, 0)

    def _material(self, surface_id: int, wrap: bool) -> tuple[int, int, int]:
        """(surface row, pipeline state, type) of a Surface id."""
        key = (surface_id, wrap)
        found = self._materials.get(key)
        if found is None:
            found = self._materials[key] = self._make_material(surface_id, wrap)
        return found

    def _make_material(self, surface_id: int, wrap: bool) -> tuple[int, int, int]:
        try:
            surface = self._dats.record(surface_id)
            if not isinstance(surface, Surface):
                raise DataError("no Surface", where=hex8(surface_id))
        except DataError as error:
            warn_once(
                ("surface", surface_id), "checker drawn for surface %s: %s", hex8(surface_id), error
            )
            ladder = surface_ladder(SurfaceType.BASE1_IMAGE, 0.0, palettised=False)
            row = self.surfaces.add_mesh(
                ladder, picture=self.pictures.stand_in, wrap=True, luminosity=0.0, diffuse=1.0
            )
            return row, ladder.state, int(SurfaceType.BASE1_IMAGE)
        palettised = False
        if surface.has_texture:
            clip = bool(surface.type & SurfaceType.BASE1_CLIP_MAP)
            picture, palettised = self.pictures.picture(
                surface.texture_id, surface.palette_id, clip_map=clip
            )
        else:
            picture = self.pictures.solid(surface.color, 1.0 - surface.translucency)
        ladder = surface_ladder(surface.type, surface.translucency, palettised=palettised)
        row = self.surfaces.add_mesh(
            ladder,
            picture=picture,
            wrap=wrap,
            luminosity=surface.luminosity,
            diffuse=surface.diffuse,
        )
        return row, ladder.state, surface.type

    def _stand_in(self, radius: float) -> int:
        """A checkered box of a missing mesh."""
        vertices, indices = _box(radius)
        base = self.vertices.put(vertices)
        first = self.indices.put(indices)
        ladder = surface_ladder(SurfaceType.BASE1_IMAGE, 0.0, palettised=False)
        material = self.surfaces.add_mesh(
            ladder, picture=self.pictures.stand_in, wrap=True, luminosity=0.5, diffuse=1.0
        )
        slot = (first, len(indices), base, material, ladder.state, 0, 1, 0)
        return self._add_mesh([slot], (base, len(vertices), first, len(indices)))

    def _make_tables(self, arrays: Arrays) -> Meshes:
        self._gfx = grown(self._gfx, max(len(arrays.gfx), self._gfx_done))
        self._cell_mesh = _minus_ones(self._cell_mesh, len(arrays.cells))
        return Meshes(
            self._gfx,
            np.array(self._meshes or [(0, 0)], MESH_DTYPE),
            np.array(self._slots or [(0,) * 8], SLOT_DTYPE),
            np.array(self._levels or [(-1, 0, 0, 0, 0)], LEVEL_DTYPE),
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


def _box(radius: float) -> tuple[Struct, U32]:
    """A box that stands on the ground, a square picture a side."""
    sides = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            u = np.roll(normal, 1)
            v = np.cross(normal, u)
            corners = [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            sides.append((normal, corners))
    vertices = np.zeros(24, [("position", "<f4", 3), ("normal", "<f4", 3), ("uv", "<f4", 2)])
    indices: list[int] = []
    for i, (normal, corners) in enumerate(sides):
        for k, corner in enumerate(corners):
            at: F32 = np.asarray(corner, np.float32) * np.float32(radius)
            at[2] += radius
            vertices[4 * i + k] = (at, normal, ((0, 1), (1, 1), (1, 0), (0, 0))[k])
        indices += (4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3)
    return pack_mesh(vertices), np.array(indices, np.uint32)

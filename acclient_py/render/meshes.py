"""Meshes in the arenas: each a run of surface slots, as the walk's tables name them.

A mesh may be worn again with other materials (a look) or have its pictures moved; vertices and
indices stay one copy. The rows of dropped meshes are given out again.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, U32, Struct
from acclient_py.gpu.buffers import Arena
from acclient_py.kernels.draw import DETAIL_BUILDINGS, MESH_DTYPE, NO_DETAIL, SLOT_DTYPE
from acclient_py.log import warn_once
from acclient_py.render.geometry import pack_mesh
from acclient_py.render.materials import Materials
from acclient_py.world.looks import Look
from acclient_py.world.mesh import Mesh, deferral_mask

Slot = tuple[int, ...]  # the fields of SLOT_DTYPE
NO_RANGE: Final = (0, 0, 0, 0)


class MeshStore:
    """Meshes by row. Fills the arenas; owns neither them nor the materials."""

    def __init__(self, vertices: Arena, indices: Arena, materials: Materials) -> None:
        self._vertices = vertices
        self._indices = indices
        self._materials = materials
        self._slots: list[list[Slot]] = []  # by mesh
        self._ranges: list[tuple[int, int, int, int]] = []
        self._free: list[int] = []
        self._sources: dict[int, tuple[Struct, tuple[int, ...]]] = {}
        self._worn: dict[int, list[int]] = {}  # meshes that are another's with a look
        self._moving: dict[int, tuple[int, int]] = {}  # run of surface rows that move, by mesh

    def put(self, mesh: Mesh, surfaces: tuple[int, ...], detail: int, of: int) -> int:
        """Store a mesh; its row.

        detail : which detail surface may lie over it, DETAIL_*
        of     : id of the model or cell whose it is, for what is said of it
        """
        base = self._vertices.put(pack_mesh(mesh.vertices))
        first = self._indices.put(mesh.indices)
        slots: list[Slot] = []
        for index, is_stippled, first_index, count in mesh.slots.tolist():
            stippled = bool(is_stippled)
            over = NO_DETAIL
            if index < len(surfaces):
                material, state, kind = self._materials.material(surfaces[index], stippled)
                over = self._materials.detail(surfaces[index], stippled, detail)
            else:
                warn_once(
                    ("surface index", of),
                    "checker drawn on 0x%08X: surface %d of %d",
                    of,
                    index,
                    len(surfaces),
                )
                material, state, kind = self._materials.stand_in()
            slots.append(
                (
                    first + first_index,
                    count,
                    base,
                    material,
                    state,
                    deferral_mask(kind, stippled),
                    int(bool(kind & 6)),
                    0,
                    over,
                )
            )
        row = self._add(slots, (base, len(mesh.vertices), first, len(mesh.indices)))
        if detail == DETAIL_BUILDINGS:
            self._sources[row] = (mesh.slots, surfaces)
        return row

    def stand_in(self, radius: float) -> int:
        """A checkered box of a missing mesh."""
        vertices, indices = _box(radius)
        base = self._vertices.put(vertices)
        first = self._indices.put(indices)
        material = self._materials.stand_in(luminosity=0.5)
        slot = (first, len(indices), base, material.row, material.state, 0, 1, 0, NO_DETAIL)
        return self._add([slot], (base, len(vertices), first, len(indices)))

    def dressed(self, mesh: int, look: Look) -> int:
        """The row of a model's mesh with the materials of a look."""
        source = self._sources.get(mesh)
        if source is None:
            return mesh
        slots = []
        for made, slot in zip(self._slots[mesh], source[0], strict=True):
            index, stippled = int(slot["surface_index"]), bool(slot["stippled"])
            if index < len(source[1]):
                material = self._materials.material(source[1][index], stippled, look)
                made = (*made[:3], material.row, material.state, *made[5:])
            slots.append(made)
        row = self._add(slots, NO_RANGE)
        self._worn.setdefault(mesh, []).append(row)
        self._moving.pop(mesh, None)
        return row

    def move(self, mesh: int, u: float, v: float) -> bool:
        """Shift the pictures of a mesh, with whatever look; whether its slots are others now."""
        surfaces = self._materials.surfaces
        run = self._moving.get(mesh)
        made = run is None
        if run is None:
            rows = []
            for worn in (mesh, *self._worn.get(mesh, ())):
                for i, slot in enumerate(self._slots[worn]):
                    rows.append(surfaces.copy_to_move(slot[3]))
                    self._slots[worn][i] = (*slot[:3], rows[-1], *slot[4:])
            run = self._moving[mesh] = (rows[0] if rows else 0, len(rows))
        surfaces.shift(*run, u, v)
        return made

    def base(self, mesh: int) -> int:
        """Number of a mesh's first vertex."""
        return self._ranges[mesh][0]

    def drop(self, mesh: int) -> None:
        """Give a mesh's room back."""
        base, vertices, first, indices = self._ranges[mesh]
        self._vertices.drop(base, vertices)
        self._indices.drop(first, indices)
        self._slots[mesh] = []
        self._ranges[mesh] = NO_RANGE
        self._free.append(mesh)

    def tables(self) -> tuple[Struct, Struct]:
        """(meshes, slots) for the walk: MESH_DTYPE, SLOT_DTYPE."""
        counts = np.array([len(slots) for slots in self._slots] or [0], np.int32)
        meshes = np.zeros(len(counts), MESH_DTYPE)
        meshes["slot_count"] = counts
        meshes["slot_first"] = np.cumsum(counts) - counts
        rows = [slot for slots in self._slots for slot in slots]
        return meshes, np.array(rows or [(0,) * len(SLOT_DTYPE.names or ())], SLOT_DTYPE)

    def _add(self, slots: list[Slot], ranges: tuple[int, int, int, int]) -> int:
        if self._free:
            row = self._free.pop()
            self._slots[row], self._ranges[row] = slots, ranges
            return row
        self._slots.append(slots)
        self._ranges.append(ranges)
        return len(self._slots) - 1


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

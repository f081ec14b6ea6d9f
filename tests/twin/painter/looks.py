"""Meshes without files: random bodies and their looks, as the program's tables and as plain."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from builders.graphs import BuiltModels
from twin.painter import ladder
from twin.painter.reading import Gfx, Level, Node, Slot

from acclient_py.kernels import draw, flood
from acclient_py.physics.layout import Arrays
from acclient_py.render.surfaces import surface_ladder
from acclient_py.world.mesh import deferral_mask

KINDS = (
    0x1, 0x2, 0x2, 0x2, 0x4, 0x4, 0x6, 0x11, 0x12, 0x14, 0x102, 0x104, 0x202, 0x10002, 0x10102,
    0x10202, 0x10012, 0x10112, 0x10114,
)  # fmt: skip
"""Type words of surfaces: solid, images, clip maps, and each row of the ladder's table."""

Corner = tuple[float, float, float]


def f32(value: float) -> float:
    return float(np.float32(value))


@dataclass
class Looks:
    """What is drawn of everything in one world."""

    models: BuiltModels = field(default_factory=BuiltModels)
    kinds: list[list[tuple[int, bool, bool]]] = field(default_factory=list)
    """By mesh: the type word of each slot, whether it is stippled, whether it has a detail."""
    levels: dict[int, list[tuple[int, int, float, float]]] = field(default_factory=dict)
    """By gfx row: (gfx row or -1, mode, ideal distance, greatest distance)."""
    dressed: dict[int, tuple[int, list[int]]] = field(default_factory=dict)
    """By look: the gfx row that it is for, and a mesh for each of its levels."""
    trees: dict[int, Node] = field(default_factory=dict)
    cell_meshes: dict[int, int] = field(default_factory=dict)
    """By env cell id: its mesh; none: a cell without a drawing tree."""
    corners_of: dict[tuple[int, int], tuple[Corner, ...]] = field(default_factory=dict)
    _plain: dict[int, Gfx] = field(default_factory=dict)

    def mesh(self, rng: random.Random, count: int) -> int:
        """A mesh of so many slots."""
        self.kinds.append(
            [(rng.choice(KINDS), rng.random() < 0.3, rng.random() < 0.5) for _ in range(count)]
        )
        return len(self.kinds) - 1

    def gfx_row(self, rng: random.Random, *, size: float, slots: int) -> int:
        """A body's part: bounds about its middle, a sort centre of its own. Row = mesh number."""
        middle = [f32(rng.uniform(-0.3, 0.3) * size) for _ in range(3)]
        half = [f32(rng.uniform(0.2, 1.0) * size) for _ in range(3)]
        low = [m - h for m, h in zip(middle, half, strict=True)]
        high = [m + h for m, h in zip(middle, half, strict=True)]
        row = self.models.box(
            0x01000001 + len(self.models.gfx_rows), low, high, bsp=rng.random() < 0.3
        )
        rows: Any = self.models.gfx_rows
        if rng.random() < 0.8:
            rows["sort_center"][row] = middle
        while len(self.kinds) <= row:
            self.mesh(rng, slots)
        return row

    # what the plain walk reads ------------------------------------------------------------

    def slots(self, mesh: int) -> tuple[Slot, ...]:
        return tuple(
            replace(ladder.slot_of(kind, stippled=s), detail=d) for kind, s, d in self.kinds[mesh]
        )

    def gfx(self, row: int) -> Gfx:
        if row not in self._plain:
            r = self.models.gfx_rows[row]
            levels = tuple(Level(*level) for level in self.levels.get(row, ()))
            self._plain[row] = Gfx(
                row, self.slots(row), levels, tuple(r["sort_center"]), tuple(r["drawing_sphere"]),
                self.trees.get(row),
            )  # fmt: skip
        return self._plain[row]

    def look_slots(self, look: int, level: int) -> tuple[Slot, ...] | None:
        return self.slots(self.dressed[look][1][level]) if look in self.dressed else None

    def cell_slots(self, cell_id: int) -> tuple[Slot, ...] | None:
        mesh = self.cell_meshes.get(cell_id)
        return None if mesh is None else self.slots(mesh)

    def corners(self, cell_id: int, portal: int) -> tuple[Corner, ...]:
        return self.corners_of[cell_id, portal]


def tables(looks: Looks, arrays: Arrays) -> tuple[draw.Meshes, flood.Portals]:
    """The same looks as the walk's tables."""
    count = len(looks.models.gfx_rows)
    gfx = np.zeros(count, draw.GFX_MESH_DTYPE)
    gfx["mesh"] = np.arange(count)
    gfx["level_first"] = gfx["node_root"] = -1
    levels: list[tuple[float, ...]] = []
    for row, wanted in looks.levels.items():
        gfx[row]["level_first"], gfx[row]["level_count"] = len(levels), len(wanted)
        levels += [(g, mode, 0.0, ideal, most) for g, mode, ideal, most in wanted]
    meshes, slots = [], []
    for kinds in looks.kinds:
        meshes.append((len(slots), len(kinds)))
        for kind, stippled, detail in kinds:
            state = surface_ladder(kind, 0.5, palettised=False).state
            mask = deferral_mask(kind, stippled)
            over = 7 if detail else draw.NO_DETAIL
            slots.append((0, 3, 0, 0, state, mask, int(bool(kind & 6)), 0, over))
    dressed: Any = np.full(max(looks.dressed, default=0) + 1, -1, np.int32)
    dresses: list[int] = []
    for look, (_, of_level) in looks.dressed.items():
        dressed[look] = len(dresses)
        dresses += of_level
    cells: Any = np.full(len(arrays.cells), -1, np.int32)
    slots_of = {}
    for slot, cell_id in enumerate(arrays.cells["id"].tolist()):
        if arrays.cells["kind"][slot]:
            cells[slot] = looks.cell_meshes.get(cell_id, -1)
            slots_of[cell_id] = slot
    shapes = _Shapes()
    runs: Any = np.zeros((len(arrays.portals), 2), np.int32)
    for (cell_id, index), corners in looks.corners_of.items():
        slot = slots_of.get(cell_id)
        if slot is not None:
            runs[int(arrays.cells["portal_first"][slot]) + index] = shapes.store(corners)
    for row, tree in looks.trees.items():
        gfx[row]["node_root"] = shapes.tree(tree)
    return (
        draw.Meshes(
            gfx,
            np.array(meshes, draw.MESH_DTYPE),
            np.array(slots, draw.SLOT_DTYPE),
            np.array(levels or [(-1, 0, 0, 0, 0)], draw.LEVEL_DTYPE),
            dressed,
            np.array(dresses or [0], np.int32),
            cells,
            np.zeros(len(arrays.blocks), draw.LEAF_DTYPE),
        ),
        shapes.portals(runs),
    )


class _Shapes:
    """Collects corners, nodes and openings."""

    def __init__(self) -> None:
        self.vertices: list[Corner] = []
        self.nodes: list[tuple[Any, ...]] = []
        self.polygons: list[tuple[Any, ...]] = []

    def store(self, corners: tuple[Corner, ...]) -> tuple[int, int]:
        self.vertices += corners
        return len(self.vertices) - len(corners), len(corners)

    def tree(self, node: Node | None) -> int:
        if node is None:
            return -1
        positive, negative = self.tree(node.positive), self.tree(node.negative)
        first = len(self.polygons)
        for opening in node.openings:
            self.polygons.append((opening.plane, *self.store(opening.corners), opening.portal))
        count = len(self.polygons) - first
        self.nodes.append((node.plane, positive, negative, first, count))
        return len(self.nodes) - 1

    def portals(self, runs: Any) -> flood.Portals:
        vertices: Any = np.array(self.vertices or [(0, 0, 0)], np.float32)
        return flood.Portals(
            runs,
            vertices,
            np.array(self.nodes or [((0,) * 4, -1, -1, 0, 0)], flood.NODE_DTYPE),
            np.array(self.polygons or [((0,) * 4, 0, 0, 0)], flood.POLYGON_DTYPE),
        )

"""Contract L on whole frames: the fixtures LF1, LF3 and LF4, told by the stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py import paths
from acclient_py.core import frame as frames
from acclient_py.dat.dataset import DatSet
from acclient_py.kernels.draw import (
    GFX_MESH_DTYPE,
    LEAF_DTYPE,
    LEVEL_DTYPE,
    MESH_DTYPE,
    SLOT_DTYPE,
    Meshes,
)
from acclient_py.kernels.flood import NODE_DTYPE, POLYGON_DTYPE, Portals
from acclient_py.kernels.ops import S_OPAQUE
from acclient_py.order.painter import Landscape, Painter
from acclient_py.order.stream import Op
from acclient_py.physics.world import PhysicsWorld
from acclient_py.view.camera import Pose, lens
from acclient_py.world.landblock import load_landblock
from acclient_py.world.models import Models
from acclient_py.world.region import load_region

BLOCK = 0x7F7F0000


@pytest.fixture(scope="module")
def dats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatSet]:
    from acclient_py.bake.bake import bake_recipe

    out: Path = tmp_path_factory.mktemp("two_huts")
    bake_recipe(paths.recipes() / "tiny" / "two_huts.toml", out)
    with DatSet.open(out) as opened:
        yield opened


class Stage:
    """One block of the world and a painter, without any GPU: every mesh is one opaque slot."""

    def __init__(self, dats: DatSet) -> None:
        self.models = Models(dats)
        self.region = load_region(dats)
        self.physics = PhysicsWorld(self.models)
        block = load_landblock(dats, BLOCK | 0xFFFF, self.region.heights)
        assert block is not None
        self.physics.add_landblock(block, 8)
        self.painter = Painter()
        self.null: set[int] = set()

    def tables(self) -> tuple[Meshes, Portals]:
        arrays = self.physics.graph.arrays
        count = len(self.models.gfx_rows)
        gfx = np.zeros(count, GFX_MESH_DTYPE)
        gfx["mesh"] = 0
        gfx["level_first"] = gfx["node_root"] = -1
        levels = np.zeros(1, LEVEL_DTYPE)
        levels["gfx"] = -1
        for row in self.null:  # one level of detail, and it is null
            gfx[row]["level_first"], gfx[row]["level_count"] = 0, 1
        meshes = np.zeros(1, MESH_DTYPE)
        meshes["slot_count"] = 1
        slots = np.zeros(1, SLOT_DTYPE)
        slots["count"], slots["state"], slots["textured"] = 3, S_OPAQUE, 1
        leaves = np.zeros(len(arrays.blocks), LEAF_DTYPE)
        cells = np.full(len(arrays.cells), -1, np.int32)
        portals = Portals(
            np.zeros((len(arrays.portals), 2), np.int32),
            np.zeros((1, 3), np.float32),
            np.zeros(1, NODE_DTYPE),
            np.zeros(1, POLYGON_DTYPE),
        )
        none = np.full(1, -1, np.int32)
        return Meshes(gfx, meshes, slots, levels, none, none, cells, leaves), portals

    def paint(self, eye: tuple[float, float, float], target: tuple[float, float, float]) -> Any:
        pose = Pose.looking_at(BLOCK | 1, eye, target)
        meshes, portals = self.tables()
        return self.painter.paint(
            self.physics.graph.views(),
            meshes,
            portals,
            lens(pose, (320, 180)),
            Landscape(0x7F, 0x7F, 1),
            gfx=self.models.gfx_rows,
            marks=True,
        )

    def put(self, x: float, y: float) -> int:
        obj = self.physics.make_object(self.shell_id(), dynamic=True)
        slot = self.physics.cell_slot(BLOCK | int(x // 24) * 8 + int(y // 24) + 1)
        self.physics.add_obj_to_cell(obj, slot, frames.make(x, y, 20))
        return obj

    def shell_id(self) -> int:
        arrays = self.physics.graph.arrays
        part = arrays.objects["part_first"][arrays.buildings["object"][0]]
        return int(self.models.gfx_rows["id"][arrays.parts["gfx"][part]])


@pytest.fixture
def stage(dats: DatSet) -> Stage:
    return Stage(dats)


def steps(records: Any, kinds: tuple[Op, ...]) -> list[tuple[int, int]]:
    return [(int(r["op"]), int(r["owner"])) for r in records if int(r["op"]) in kinds]


@pytest.mark.contract("L4", "L5", "L8", "LF1")
def test_lf1_terrain_building_objects_cell_by_cell(stage: Stage) -> None:
    """Sabotage: emit all leaves of a block before its cells; the first assertion fails."""
    arrays = stage.physics.graph.arrays
    house = int(arrays.cells["id"][arrays.buildings["cell"][0]])
    x, y = (house - 1 & 0x3F) >> 3, (house - 1) & 7
    at = stage.put(24 * x + 12, 24 * y + 12)
    arrays = stage.physics.graph.arrays
    records = stage.paint((96, 2, 40), (96, 96, 18))
    wanted = steps(records, (Op.TERRAIN, Op.SHELL, Op.OBJ_CELL))
    here = [i for i, step in enumerate(wanted) if step == (Op.TERRAIN, house)]
    assert len(here) == 1
    shell = int(arrays.buildings["object"][0])
    assert wanted[here[0] + 1] == (Op.SHELL, shell)
    assert wanted[here[0] + 2] == (Op.OBJ_CELL, house)
    leaves = [i for i, (op, _) in enumerate(wanted) if op == Op.TERRAIN]
    assert leaves[-1] > here[0] + 2, "leaves of nearer cells come after this cell's objects"
    assert any(int(r["op"]) == Op.PART and int(r["owner"]) == at for r in records)


@pytest.mark.contract("L6", "LF3")
def test_lf3_equal_distances_keep_insertion_order_then_last_frames(stage: Stage) -> None:
    first = stage.put(84, 150)
    second = stage.put(90, 150)
    cell = stage.physics.cell_slot(int(stage.physics.full_cell_id(first)))

    def order() -> list[int]:
        arrays = stage.physics.graph.arrays
        row = arrays.cells[cell]
        start, count = int(row["parts_first"]), int(row["parts_count"])
        return [
            int(arrays.entries["object"][start + arrays.order[start + k]])
            for k in range(count)
            if int(arrays.entries["object"][start + arrays.order[start + k]]) in (first, second)
        ]

    stage.paint((86, 2, 40), (86, 150, 20))  # beyond 50 m: the cell's distance for both
    assert order() == [first, second]
    stage.paint((66, 140, 25), (90, 150, 20))  # near: `second` is farther
    assert order() == [second, first]
    stage.paint((86, 2, 40), (86, 150, 20))  # a tie again: as the frame before left it
    assert order() == [second, first]


@pytest.mark.contract("L7", "L9", "LF4")
def test_lf4_a_null_mesh_draws_nothing_and_drains_nothing(stage: Stage) -> None:
    """Sabotage: drain before the level is chosen; the count of building flushes fails."""
    eye, target = (96, 2, 40), (96, 96, 18)
    records = stage.paint(eye, target)
    buildings = sum(int(r["op"]) == Op.BUILDING for r in records)
    assert buildings == 2
    arrays = stage.physics.graph.arrays
    parts = arrays.objects["part_first"][arrays.buildings["object"]]
    stage.null = {int(g) for g in arrays.parts["gfx"][parts]}
    records = stage.paint(eye, target)
    kinds = {int(r["op"]) for r in records}
    assert Op.BUILDING not in kinds
    assert Op.SHELL not in kinds
    sites = [int(r["owner"]) for r in records if int(r["op"]) == Op.FLUSH]
    assert 1 not in sites, "no flush of the building site"

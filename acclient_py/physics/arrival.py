"""What comes into the world and what leaves it, block by block and cell by cell (S1, S11).

An arrival happens in retail's order: the ground and the buildings of all new blocks and the env
cells, then the statics of the blocks, then those of the env cells, then whoever waited or reached
into what was not there. A departure takes out exactly what came with the block or the cell; what
moves and stood in it is lost until the cell comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from acclient_py.core import Struct
from acclient_py.core.ids import adjust_to_outside, hex8, landblock_of
from acclient_py.log import warn_once
from acclient_py.physics import cells, position, shadow
from acclient_py.physics.layout import (
    BUILDING,
    CAUSE_DELETE,
    CAUSE_LOST,
    ENV,
    FREE,
    MARK_LATE,
    OBJECT,
)  # fmt: skip
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.statics import Manifest
from acclient_py.world.building import BuildingModel, make_buildings
from acclient_py.world.cell import EnvCellModel, load_env_cell
from acclient_py.world.landblock import Landblock
from acclient_py.world.scenery import GROWN_DTYPE

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

Scenery = Callable[[Landblock], Struct]
"""What scenery rules put on a block: (n,) GROWN_DTYPE."""


class Arrivals:
    """Carries arrivals and departures out on a world."""

    def __init__(self, world: PhysicsWorld, *, scenery: Scenery | None = None) -> None:
        self.world = world
        self.scenery = scenery
        self.stab_lists: dict[int, tuple[int, ...]] = {}
        """By landblock id: the union of its buildings' stab lists."""
        self.manifest = Manifest(world)

    # coming ----------------------------------------------------------------------------

    def arrive(
        self,
        landblocks: Sequence[tuple[Landblock, int]] = (),
        env_cells: Sequence[EnvCellModel | int] = (),
    ) -> list[int]:
        """Bring blocks (with their cells a side) and env cells in, with all that stands in them.

        env_cells : models, or ids that are loaded from the models' DAT set; the cells in the stab
                    lists of the new buildings come anyway
        Returns the slots of the new cells. What is there already stays as it is.
        Retail: CLandscape::grab_visible_cells @0x00504EC0, CEnvCell::flush_cells @0x0052DEF0.
        """
        new: list[int] = []
        blocks = []
        for landblock, side in landblocks:
            slot = self.world.blocks.block_slot(landblock.id)
            if slot >= 0 and self.world.graph.arrays.blocks["side"][slot]:
                continue
            new += self.world.blocks.add_land(landblock, side)
            if side == 8:
                blocks.append(landblock)
        wanted: list[EnvCellModel | int] = []
        for landblock in blocks:
            self._init_buildings(landblock)
            wanted += self.stab_lists[landblock.id]
        for cell in (*wanted, *env_cells):
            new += self._add_visible(cell)
        for landblock in blocks:
            self._init_static_objs(landblock)
        self._init_static_objects(new)
        self.manifest.place()
        self._init_objects(new)
        return new

    def _add_visible(self, cell: EnvCellModel | int) -> list[int]:
        cell_id = cell if isinstance(cell, int) else cell.id
        if self.world.cell_slot(cell_id) >= 0:
            return []
        model = load_env_cell(self.world.models, cell) if isinstance(cell, int) else cell
        return [] if model is None else [self.world.blocks.add_env(model)]

    def _init_buildings(self, landblock: Landblock) -> None:
        """Retail: CLandBlock::init_buildings @0x0052FD80."""
        world = self.world
        made: tuple[BuildingModel, ...] = ()
        stabs: tuple[int, ...] = ()
        if landblock.info is not None:
            made, stabs = make_buildings(landblock.info, landblock.id, world.models)
        self.stab_lists[landblock.id] = stabs
        world.buildings[landblock.id] = []
        for index, model in enumerate(made):
            obj = world.make_object(model.model_id, dynamic=False)
            row = world.graph.arrays.objects[obj]
            row["kind"] = BUILDING
            row["home_id"], row["home_index"] = landblock.id, index
            cell = world.cell_slot(model.cell_id)
            world.buildings[landblock.id].append(world.blocks.add_building(model, obj, cell))
            cells.own_shell(world.graph.arrays, obj, cell)
            world.set_frame(obj, model.frame)

    def _init_static_objs(self, landblock: Landblock) -> None:
        """The objects of the info record, then the scenery. Retail: @0x00530A40."""
        world = self.world
        stabs = landblock.info.objects if landblock.info is not None else ()
        first = world.cell_slot(landblock.id & 0xFFFF0000 | 1)
        rows: Struct = np.zeros(len(stabs), GROWN_DTYPE)
        where = np.full(len(stabs), -1, np.int32)
        for index, stab in enumerate(stabs):
            frame = stab.frame.array()
            rows["frame"][index] = frame
            if not np.isfinite(frame).all():
                warn_once(
                    ("static", landblock.id, index),
                    "static %d of %s (%s): its frame is not finite",
                    index,
                    hex8(landblock.id),
                    hex8(stab.id),
                )
            ok, cell_id, _, _ = adjust_to_outside(landblock.id, frame[0], frame[1])
            if ok and landblock_of(cell_id) == landblock.id:
                rows["did"][index] = stab.id
                where[index] = world.cell_slot(cell_id)
        rows["scale"] = 1.0
        if self.scenery is not None:
            grown = self.scenery(landblock)
            rows = np.concatenate((rows, grown))
            where = np.concatenate((where, first + grown["land_cell"].astype(np.int32)))
        self.manifest.add(landblock.id, rows["did"], where, rows["frame"], rows["scale"])

    def _init_static_objects(self, new: Sequence[int]) -> None:
        """S1: the manifests of new env cells, one slot an entry. Retail: @0x0052C350."""
        # contract: S1
        slots = np.array(new, np.int32)
        self.manifest.add_cells(slots[self.world.graph.arrays.cells["kind"][slots] == ENV])

    def _init_objects(self, new: Sequence[int]) -> None:
        """Those who waited for the new cells come back; those who missed them are repaired.

        Retail: CObjCell::init_objects @0x0052B420 for each visible cell.
        """
        # contract: S11
        world = self.world
        arrays = world.graph.arrays
        for cell in new:
            for obj in world.lost.take(int(arrays.cells["id"][cell])):
                world.reenter_visibility(obj)
        self.repair()

    def repair(self) -> int:
        """Recompute every object that is not completely visible or is marked; how many roots.

        A child is not computed from its own shape here: its root publishes for it (D12), and a root
        that needs no repair of its own publishes the array that it has.
        """
        # contract: S11
        # divergence: D12
        world = self.world
        graph = world.graph
        roots: dict[int, bool] = {}
        for obj in self._incomplete():
            root = obj
            while graph.arrays.objects["parent"][root] >= 0:
                root = int(graph.arrays.objects["parent"][root])
            if graph.arrays.objects["cell"][root] >= 0:
                roots[root] = roots.get(root, False) or root == obj
        for root, own in roots.items():
            state = int(graph.arrays.objects["state"][root])
            if own or state & PhysicsState.PARTICLE_EMITTER:
                route = position.STATIC if state & PhysicsState.STATIC else position.DYNAMIC
                world.batch.add(root, -1, graph.arrays.objects["frame"][root], route=route)
                world.batch.cross(graph)
            else:
                mine = graph.shadows_on(root)
                world.add_shadows_to_cells(root, mine["cell_id"].copy(), mine["cell"].copy())
        return len(roots)

    def _incomplete(self) -> list[int]:
        """Objects in a cell that a late cell may concern, by row."""
        graph = self.world.graph
        objects = graph.arrays.objects[: graph.used("objects")]
        resident = (objects["kind"] == OBJECT) & (objects["cell"] >= 0)
        late = resident & ((objects["marks"] & MARK_LATE != 0) | (objects["shadow_count"] == 0))
        shadows = graph.arrays.shadows
        null = np.flatnonzero(shadows["cell"] < 0)
        owner = shadows["object"][null]
        known = (owner >= 0) & (owner < len(objects))
        null, owner = null[known], owner[known]
        first = objects["shadow_first"][owner]
        mine = (first <= null) & (null < first + objects["shadow_count"][owner])
        holed = np.zeros(len(objects), bool)
        holed[owner[mine]] = True
        return [int(o) for o in np.flatnonzero(late | (holed & resident))]

    # going -----------------------------------------------------------------------------

    def remove_landblock(self, block_id: int) -> None:
        """Take a block's ground, buildings and statics out; its env cells too.

        contract: S11
        """
        world = self.world
        block = world.blocks.block_slot(block_id)
        if block < 0:
            return
        row = world.graph.arrays.blocks[block]
        first, count = int(row["env_first"]), int(row["env_count"])
        table = world.graph.arrays.env_table[first : first + count]
        env = [int(slot) for slot in table if slot >= 0]
        had_land = bool(row["side"])
        land = int(row["cell_first"])
        land_cells = list(range(land, land + 64)) if land >= 0 else []
        self._release([*land_cells, *env], [landblock_of(block_id)])
        for slot in env:
            world.blocks.remove_env(slot)
        if had_land:
            for building in world.buildings.pop(landblock_of(block_id), []):
                self._remove_building(building)
            self.stab_lists.pop(landblock_of(block_id), None)
            world.blocks.remove_land(block_id)

    def remove_env_cells(self, cell_ids: Iterable[int]) -> None:
        """Take env cells out, with their statics."""
        slots = [slot for cell_id in cell_ids if (slot := self.world.cell_slot(cell_id)) >= 0]
        self._release(slots, [])
        for slot in slots:
            self.world.blocks.remove_env(slot)

    def remove_land(self, block_id: int) -> None:
        """Take a block's ground, buildings and statics out; env cells stay."""
        world = self.world
        block = world.blocks.block_slot(block_id)
        if block < 0 or not world.graph.arrays.blocks["side"][block]:
            return
        land = int(world.graph.arrays.blocks["cell_first"][block])
        self._release(list(range(land, land + 64)) if land >= 0 else [], [landblock_of(block_id)])
        for building in world.buildings.pop(landblock_of(block_id), []):
            self._remove_building(building)
        self.stab_lists.pop(landblock_of(block_id), None)
        world.blocks.remove_land(block_id)

    def _release(self, slots: Sequence[int], homes: Sequence[int]) -> None:
        """Empty cells that go: statics deleted, movers lost, shadows of others cut (3.7)."""
        world = self.world
        graph = world.graph
        ids = [int(graph.arrays.cells["id"][slot]) for slot in slots]
        for home in (*homes, *(i for i in ids if i in world.statics)):
            for obj in world.statics.pop(home):
                if obj >= 0:
                    world.effects.forget(obj)
                    # contract: E8  as for every deletion: the children are off last
                    world.leave_world(obj, cause=CAUSE_DELETE)
                    world.unset_parent(obj)
                    world.unparent_children(obj)
                    shadow.free_slabs(graph.arrays, obj)
                    world.objects.free(obj)
        for slot in slots:
            objs = graph.objects_of(slot)
            state = graph.arrays.objects["state"]
            for obj in objs:
                loose = graph.arrays.objects["parent"][obj] < 0
                if loose and not int(state[obj]) & PhysicsState.STATIC:
                    world.leave_visibility(obj)
            for obj in graph.objects_of(slot):  # held apart from its parent, or static and alien
                world.remove_shadows_from_cells(obj)
                cells.leave_cell(graph.arrays, obj, CAUSE_LOST, False)
            if graph.recording:
                graph.reserve_events(self._cell_events(slot))
            shadow.release_cell(graph.arrays, slot)

    def _cell_events(self, slot: int) -> int:
        row = self.world.graph.arrays.cells[slot]
        return int(row["shadows_count"]) + int(row["parts_count"])

    def _remove_building(self, building: int) -> None:
        world = self.world
        obj = int(world.graph.arrays.buildings["object"][building])
        world.blocks.remove_building(building)
        cells.own_shell(world.graph.arrays, obj, -1)
        assert world.graph.arrays.objects["kind"][obj] != FREE, "a building has its shell"
        world.objects.free(obj)

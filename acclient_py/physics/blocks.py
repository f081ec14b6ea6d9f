"""Which cells exist: rows of landblocks, land cells, env cells and buildings (spec 1.1, 1.3, 1.6).

A block's row is there while any cell of it is. Land cells are 64 rows in a run, and exist only
where a block has 8 cells a side; env cells are found through the block's table. Nothing here
touches an object: the world above sees to what stands in a cell before the cell goes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import U32, Struct
from acclient_py.core.ids import landblock_of
from acclient_py.physics import shadow
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import ENV, FREE, LAND
from acclient_py.world.building import BuildingModel
from acclient_py.world.cell import EnvCellModel, land_cell_centre
from acclient_py.world.landblock import Landblock

_NO_LIST = (
    "objects_first", "objects_last", "shadows_first", "shadows_last", "lights_first",
    "lights_last", "building", "structure",
)  # fmt: skip

_LAND_FRAMES: Final = np.array([land_cell_centre(number) for number in range(1, 65)])


class Blocks:
    """Rows of blocks and cells. `models` of env cells are kept for those who draw and collide."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.env_models: dict[int, EnvCellModel] = {}
        """By slot."""
        self.landblocks: dict[int, Landblock] = {}
        """By block slot."""
        self._loads = 0

    def block_slot(self, any_id: int) -> int:
        """The row of the block that an id lies in, or -1."""
        return int(self.graph.arrays.block_of[(any_id >> 16) & 0xFFFF])

    def _block(self, any_id: int) -> int:
        slot = self.block_slot(any_id)
        if slot < 0:
            graph = self.graph
            slot = graph.take("blocks")
            self._loads += 1
            row = graph.arrays.blocks[slot]
            row["id"] = landblock_of(any_id)
            row["cell_first"] = -1
            row["generation"] = self._loads
            graph.arrays.block_of[(any_id >> 16) & 0xFFFF] = slot
        return slot

    def _drop_if_empty(self, slot: int) -> None:
        graph = self.graph
        row = graph.arrays.blocks[slot]
        first, count = int(row["env_first"]), int(row["env_count"])
        if row["side"] or np.any(graph.arrays.env_table[first : first + count] >= 0):
            return
        graph.give("env_table", first, count)
        graph.arrays.block_of[int(row["id"]) >> 16] = -1
        graph.give("blocks", slot)

    def _new_cells(self, first: int, ids: U32, kind: int, block: int) -> Struct:
        """Fill rows that were taken side by side: cells in no list. ids : (n,)"""
        rows: Struct = self.graph.arrays.cells[first : first + len(ids)]
        for name in _NO_LIST:
            rows[name] = -1
        rows["id"] = ids
        rows["kind"], rows["block"], rows["resident"] = kind, block, 1
        return rows

    def add_land(self, landblock: Landblock, side: int) -> list[int]:
        """Ground of a block; the slots of its 64 land cells when it has 8 a side, else none."""
        graph = self.graph
        slot = self._block(landblock.id)
        row = graph.arrays.blocks[slot]
        assert row["side"] == 0, "the block's land is there already"
        row["side"] = side
        row["water"] = landblock.block_water
        a = graph.arrays
        a.swne[slot] = landblock.swne
        a.heights[slot] = landblock.heights
        a.terrain_planes[slot] = landblock.planes
        a.water[slot] = landblock.water
        a.terrain[slot] = landblock.terrain
        self.landblocks[slot] = landblock
        if side != 8:
            return []
        first = graph.take("cells", 64)
        graph.arrays.blocks[slot]["cell_first"] = first
        ids = np.uint32(landblock.id & 0xFFFF0000) + np.arange(1, 65, dtype=np.uint32)
        self._new_cells(first, ids, LAND, slot)["frame"] = _LAND_FRAMES
        return list(range(first, first + 64))

    def remove_land(self, block_id: int) -> None:
        """Take the ground away; its cells are empty."""
        graph = self.graph
        slot = self.block_slot(block_id)
        row = graph.arrays.blocks[slot]
        first = int(row["cell_first"])
        if first >= 0:
            for cell in range(first, first + 64):
                shadow.free_cell_slab(graph.arrays, cell)
                graph.arrays.cells[cell]["kind"] = FREE
                graph.arrays.cells[cell]["resident"] = 0
            graph.give("cells", first, 64)
        row["cell_first"] = -1
        row["side"] = 0
        del self.landblocks[slot]
        self._drop_if_empty(slot)

    def add_env(self, model: EnvCellModel) -> int:
        """A row for an env cell: `add_visible`."""
        graph = self.graph
        block = self._block(model.id)
        index = (model.id & 0xFFFF) - 0x100
        row = graph.arrays.blocks[block]
        if index >= row["env_count"]:
            count = 1 << max(index, 3).bit_length()
            first = graph.take("env_table", count)
            row = graph.arrays.blocks[block]
            table = graph.arrays.env_table
            old, size = int(row["env_first"]), int(row["env_count"])
            table[first : first + count] = -1
            table[first : first + size] = table[old : old + size]
            graph.give("env_table", old, size)
            row["env_first"], row["env_count"] = first, count
        slot = graph.take("cells")
        cell = self._new_cells(slot, np.array([model.id], np.uint32), ENV, block)[0]
        planes = graph.take("planes", len(model.planes))
        graph.arrays.planes[planes : planes + len(model.planes)] = model.planes
        portals = graph.take("portals", len(model.portals))
        for at, portal in enumerate(model.portals, portals):
            made = graph.arrays.portals[at]
            made["plane"] = portal.plane
            made["other_cell_id"] = portal.other_cell_id
            made["other_portal"] = portal.other_portal_id
            made["side"] = portal.portal_side
            made["exact"] = portal.exact_match
        stabs = graph.take("stabs", len(model.stabs))
        graph.arrays.stabs[stabs : stabs + len(model.stabs)] = model.stabs
        cell["frame"] = model.frame
        cell["seen_outside"] = model.seen_outside
        cell["structure"] = model.structure.physics_root
        cell["plane_first"], cell["plane_count"] = planes, len(model.planes)
        cell["portal_first"], cell["portal_count"] = portals, len(model.portals)
        cell["stab_first"], cell["stab_count"] = stabs, len(model.stabs)
        graph.arrays.env_table[int(graph.arrays.blocks[block]["env_first"]) + index] = slot
        self.env_models[slot] = model
        return slot

    def remove_env(self, slot: int) -> None:
        """Take an env cell's row away; its lists are empty."""
        graph = self.graph
        row = graph.arrays.cells[slot]
        block = int(row["block"])
        index = (int(row["id"]) & 0xFFFF) - 0x100
        graph.arrays.env_table[int(graph.arrays.blocks[block]["env_first"]) + index] = -1
        for pool, name in (("planes", "plane"), ("portals", "portal"), ("stabs", "stab")):
            graph.give(pool, int(row[f"{name}_first"]), int(row[f"{name}_count"]))
        shadow.free_cell_slab(graph.arrays, slot)
        row["kind"] = FREE
        row["resident"] = 0
        graph.give("cells", slot)
        del self.env_models[slot]
        self._drop_if_empty(block)

    def add_building(self, model: BuildingModel, obj: int, cell: int) -> int:
        """A row for a building; the first of a land cell is the cell's, silently (1.6)."""
        graph = self.graph
        slot = graph.take("buildings")
        first = graph.take("building_portals", len(model.portals))
        for at, portal in enumerate(model.portals, first):
            stabs = graph.take("stabs", len(portal.stabs))
            graph.arrays.stabs[stabs : stabs + len(portal.stabs)] = portal.stabs
            made = graph.arrays.building_portals[at]
            made["other_cell_id"] = portal.other_cell_id
            made["other_portal"] = portal.other_portal_id
            made["stab_first"], made["stab_count"] = stabs, len(portal.stabs)
            made["side"] = portal.portal_side
            made["exact"] = portal.exact_match
        row = graph.arrays.buildings[slot]
        row["object"], row["cell"] = obj, cell
        row["block"] = graph.arrays.cells[cell]["block"]
        row["portal_first"], row["portal_count"] = first, len(model.portals)
        if graph.arrays.cells[cell]["building"] < 0:
            graph.arrays.cells[cell]["building"] = slot
        return slot

    def remove_building(self, slot: int) -> None:
        """Take a building's row away. Retail clears the cell's building whichever it is."""
        graph = self.graph
        row = graph.arrays.buildings[slot]
        graph.arrays.cells[int(row["cell"])]["building"] = -1
        first, count = int(row["portal_first"]), int(row["portal_count"])
        for portal in graph.arrays.building_portals[first : first + count]:
            graph.give("stabs", int(portal["stab_first"]), int(portal["stab_count"]))
        graph.give("building_portals", first, count)
        graph.give("buildings", slot)

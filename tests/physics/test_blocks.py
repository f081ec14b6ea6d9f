"""Rows of new cells: what a block's 64 and an env cell start with."""

from __future__ import annotations

import numpy as np
import pytest
from builders.dat_sets import BLOCK, block

from acclient_py.physics.blocks import Blocks
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import LAND
from acclient_py.world.cell import land_cell_centre
from acclient_py.world.landblock import make_landblock
from acclient_py.world.pools import GFX_DTYPE

LISTS = ("objects", "shadows", "lights")


@pytest.mark.contract("S1")
def test_a_blocks_land_cells_are_empty_and_stand_in_their_squares() -> None:
    """Sabotage: leave the frames, a list or the number of a cell out."""
    graph = Graph(np.zeros(1, GFX_DTYPE), cells=16)  # the rows have to grow
    table = np.arange(256, dtype=np.float32)
    blocks = Blocks(graph)
    slots = blocks.add_land(make_landblock(block(20), table), 8)
    blocks.remove_land(BLOCK)
    graph.arrays.cells["building"] = 7  # what was in a row does not stay
    assert blocks.add_land(make_landblock(block(20), table), 8) == slots
    rows = graph.arrays.cells[slots]
    ids = [BLOCK & 0xFFFF0000 | number for number in range(1, 65)]
    assert rows["id"].tolist() == ids
    assert rows["frame"].tolist() == [land_cell_centre(cell_id).tolist() for cell_id in ids]
    assert (rows["kind"] == LAND).all()
    assert (rows["resident"] == 1).all()
    assert (rows["block"] == blocks.block_slot(BLOCK)).all()
    for name in (*(f"{name}_{end}" for name in LISTS for end in ("first", "last")), "building"):
        assert (rows[name] == -1).all(), name
    for name in (*(f"{name}_count" for name in LISTS), "seen_outside", "portal_count"):
        assert (rows[name] == 0).all(), name

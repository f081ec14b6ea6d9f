"""Block and cell order against the tabulated answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py.order import sequence

DATA = Path(__file__).resolve().parents[1] / "data" / "landscape_vectors.json"
ORDER: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["order"]


@pytest.mark.contract("L1")
def test_block_list_of_every_window() -> None:
    for row in ORDER["block_draw_list"]:
        got = sequence.block_order(row["width"], *row["viewer"])
        assert got.tolist() == row["list_nearest_first_index_x_times_w_plus_y"]


def test_a_viewer_off_the_window_has_no_list() -> None:
    assert sequence.block_order(5, -1, 2).size == 0
    assert sequence.block_order(5, 2, 5).size == 0


def test_closest_cell_of_every_direction() -> None:
    for row in ORDER["closest_cell"]:
        got = sequence.closest_cell(row["side"], row["dir"], *row["viewer_cell"])
        assert list(got) == row["closest"], row


@pytest.mark.contract("L4")
def test_draw_arrays_are_far_to_near_as_tabulated() -> None:
    table = sequence.cell_orders()
    for row in ORDER["draw_array"]:
        side = row["side"]
        at = sequence.order_row(side, row["dir"], *row["viewer_cell"])
        assert table[at, : side * side].tolist() == row["far_to_near_index_x_times_side_plus_y"]


def test_the_table_holds_85_permutations() -> None:
    table = sequence.cell_orders()
    at = 0
    for side in sequence.SIDES:
        for _ in range(side * side):
            assert np.array_equal(np.sort(table[at, : side * side]), np.arange(side * side))
            at += 1
    assert at == 85

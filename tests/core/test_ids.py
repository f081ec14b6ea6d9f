"""LandDefs: ids, global coordinates, block edges, stamps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py.core import ids, location
from acclient_py.kernels import kernel
from acclient_py.world.residency import get_dir

DATA = Path(__file__).parents[1] / "data"
LAND: dict[str, Any] = json.loads((DATA / "landscape_vectors.json").read_text())
COORDINATES = LAND["coordinates"]
PHYSICS: dict[str, Any] = json.loads((DATA / "physics_vectors.json").read_text())


def pair(ok: bool, x: int, y: int) -> list[int] | None:
    return [x, y] if ok else None


def test_blockid_to_lcoord() -> None:
    for row in COORDINATES["blockid_to_lcoord"]:
        assert pair(*ids.blockid_to_lcoord(int(row["id"], 16))) == row["lcoord"], row


@pytest.mark.parametrize(
    "rows", [COORDINATES["gid_to_lcoord"], PHYSICS["landdefs"]["gid_to_lcoord"]]
)
def test_gid_to_lcoord(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        cell_id = int(row.get("id") or row["cell"], 16)
        assert pair(*ids.gid_to_lcoord(cell_id)) == row["lcoord"], row


def test_inbound_valid_cellid() -> None:
    for row in COORDINATES["inbound_valid_cellid"]:
        assert ids.inbound_valid_cellid(int(row["id"], 16)) is row["valid"], row


def test_lcoord_to_gid() -> None:
    for row in COORDINATES["lcoord_to_gid"]:
        assert ids.lcoord_to_gid(*row["lcoord"]) == int(row["id"], 16), row
    for row in PHYSICS["landdefs"]["lcoord_to_gid"]:
        assert ids.lcoord_to_gid(row["x"], row["y"]) == int(row["cell"], 16), row


def test_every_land_cell_comes_back_from_its_coordinate() -> None:
    for x in range(0, 2040, 37):
        for y in range(0, 2040, 41):
            assert ids.gid_to_lcoord(ids.lcoord_to_gid(x, y)) == (True, x, y)


def test_the_cell_of_a_point_counts_north_first() -> None:
    for row in COORDINATES["cell_index_from_xy"]:
        cell_id = ids.get_outside_cell_id(0xA9B40001, row["x"], row["y"])
        assert cell_id & 0xFFFF == row["index"], row


def test_adjust_to_outside() -> None:
    for row in COORDINATES["adjust_to_outside"]:
        ok, cell_id, x, y = ids.adjust_to_outside(int(row["id"], 16), row["x"], row["y"])
        assert (ok, cell_id) == (row["ok"], int(row["out_id"], 16)), row
        assert [x, y] == pytest.approx([row["out_x"], row["out_y"]], abs=2e-5), row
    for row in PHYSICS["landdefs"]["adjust_to_outside"]:
        _, cell_id, x, y = ids.adjust_to_outside(int(row["cell"], 16), *row["loc"][:2])
        assert cell_id == int(row["expect_cell"], 16), row
        assert [x, y] == pytest.approx(row["expect_loc"][:2], abs=2e-5), row


def test_get_outside_lcoord() -> None:
    for row in COORDINATES["get_outside_lcoord"]:
        found = pair(*ids.get_outside_lcoord(int(row["id"], 16), row["x"], row["y"]))
        assert found == row["lcoord"], row


def test_block_offsets() -> None:
    for row in COORDINATES["get_block_offset"]:
        found = ids.get_block_offset(int(row["from"], 16), int(row["to"], 16))
        assert [*found, 0.0] == row["offset"], row
    for row in PHYSICS["landdefs"]["block_offset"]:
        found = ids.get_block_offset(int(row["from"], 16), int(row["to"], 16))
        assert [*found, 0.0] == row["expect"], row


def test_within_block() -> None:
    for row in COORDINATES["within_block"]:
        assert ids.within_block(row["x"], row["y"], row["r"]) is row["inside"], row


def test_map_coordinates() -> None:
    for row in COORDINATES["map_coordinates"]:
        cell_id = int(row["id"], 16)
        assert location.map_text(cell_id) == row["text"], row
        _, x, y = ids.gid_to_lcoord(cell_id)
        assert location.lcoord_to_map(x, y) == pytest.approx((row["north"], row["east"]), abs=1e-9)


def test_get_dir() -> None:
    for row in COORDINATES["get_dir"]:
        assert get_dir(row["dx"], row["dy"]) == row["dir"], row


def test_sequence_is_newer() -> None:
    for row in PHYSICS["sequence_is_newer"]["cases"]:
        assert ids.is_newer(row["stored"], row["incoming"]) is row["newer"], row


def test_hostile_coordinates_fail_instead_of_raising() -> None:
    for bad in (float("nan"), float("inf"), -float("inf"), 3e38):
        assert ids.get_outside_lcoord(0xA9B40001, bad, 1.0)[0] is False
        assert ids.adjust_to_outside(0xA9B40001, 1.0, bad)[:2] == (False, 0)


def test_a_snap_at_zero_and_none_at_the_far_edge() -> None:
    """-0.0001 stays in the block, 191.99999 too, 192 does not."""
    assert ids.adjust_to_outside(0xA9B40001, -0.0001, 5.0)[1] == 0xA9B40001
    assert ids.adjust_to_outside(0xA9B40001, -0.0003, 5.0)[1] == 0xA8B40039
    assert ids.adjust_to_outside(0xA9B40001, 191.9999, 5.0)[1] == 0xA9B40039
    assert ids.adjust_to_outside(0xA9B40001, 192.0, 5.0)[1] == 0xAAB40001


def test_kernels_and_python_agree_on_ids() -> None:
    rng = np.random.default_rng(3)
    words = rng.integers(0, 2**32, 300, dtype=np.uint32)
    words[:50] = words[:50] & np.uint32(0xFFFF0000) | rng.integers(1, 65, 50, dtype=np.uint32)
    points = rng.uniform(-500, 500, (300, 2)).astype(np.float32)
    names = ("inbound_valid_cellid", "blockid_to_lcoord", "gid_to_lcoord")
    for name in names:
        function = getattr(ids, name)
        compiled = kernel(function)
        for word in words:
            assert function(int(word)) == function(word) == compiled(word), (name, hex(word))
    adjust = kernel(ids.adjust_to_outside)
    for word, (x, y) in zip(words, points, strict=True):
        assert ids.adjust_to_outside(int(word), x, y) == adjust(word, x, y)
        assert ids.adjust_to_outside(word, x, y) == adjust(word, x, y)


def test_recorded_positions_of_a_server_lie_in_their_cells(shared: Path) -> None:
    """All sound outdoor rows agree, and exactly the listed ones do not."""
    file = shared / "spec" / "vectors" / "ace_world_positions.csv"
    if not file.exists():
        pytest.skip("no position data")
    lines = file.read_text().splitlines()
    known = {row["csv_line"] for row in LAND["ace_world_positions"]["known_mismatches"]}
    right, wrong = 0, set()
    for number, line in enumerate(lines, start=1):
        words = line.split(",")
        if not words[0].startswith("0x"):
            continue
        cell_id = int(words[0], 16)
        if not ids.is_land_cell(cell_id):
            continue
        x, y = np.float32(words[1]), np.float32(words[2])
        ok, lx, ly = ids.get_outside_lcoord(cell_id, x, y)
        if ok and ids.lcoord_to_gid(lx, ly) == cell_id:
            right += 1
        else:
            wrong.add(number)
    assert (right, len(wrong)) == (1955, 45)
    assert wrong == known

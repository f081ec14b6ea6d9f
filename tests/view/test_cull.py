"""Clip-height intervals, blocks and cells against the tabulated answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py.kernels import cull
from acclient_py.kernels.draw import VIEW_DTYPE

DATA = Path(__file__).resolve().parents[1] / "data" / "landscape_vectors.json"
VISIBILITY: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["visibility"]


def planes_of(rows: list[Any]) -> np.ndarray:
    planes = np.zeros((cull.PLANES, 4), np.float32)
    for k, row in enumerate(rows):
        planes[k, :3] = row["n"]
        planes[k, 3] = row["d"]
    return planes


@pytest.mark.contract("L2")
@pytest.mark.parametrize("row", VISIBILITY["pt_limit"] + VISIBILITY["public"]["pt_limit"])
def test_interval_at_a_point(row: dict[str, Any]) -> None:
    out = np.zeros((cull.PLANES, 1), np.float32)
    cull.point_limits(
        planes_of([row]), 1, np.float32(row["x"]), np.float32(row["y"]), cull.CELL, 1, out
    )
    assert out[0, 0] == pytest.approx(row["bound"], abs=1e-4)


@pytest.mark.parametrize("row", VISIBILITY["corner_check"] + VISIBILITY["public"]["corner_check"])
def test_a_line_in_an_interval(row: dict[str, Any]) -> None:
    args = (np.float32(row["bound"]), np.float32(row["min"]), np.float32(row["max"]))
    assert cull.corner_plane_check(*args) == row["result"]


def check(camera: dict[str, Any], views: list[Any], width: int = 5) -> tuple[Any, Any]:
    n = len(views)
    stack = np.zeros(n, VIEW_DTYPE)
    for v, rows in enumerate(views):
        stack[v]["planes"] = planes_of(rows)
        stack[v]["plane_count"] = len(rows)
    square = width * width
    low = np.full(square, camera["block_min_z"], np.float32)
    high = np.full(square, camera["block_max_z"], np.float32)
    vx, vy = camera["viewer_offset"]
    blocks = np.zeros(square, np.uint8)
    cells = np.zeros((square, 64), np.uint8)
    cull.check_blocks(
        stack,
        n,
        width,
        np.float32(-vx * 192),
        np.float32(-vy * 192),
        np.arange(square, dtype=np.int32),
        np.full(square, 8, np.int32),
        low,
        high,
        np.zeros((32, (width + 1) ** 2), np.float32),
        np.zeros(square, np.uint8),
        np.zeros((32, 81), np.float32),
        np.zeros(64, np.float32),
        blocks,
        cells,
    )
    return blocks.reshape(width, width), cells.reshape(width, width, 8, 8)


@pytest.mark.contract("L2", "L3")
@pytest.mark.parametrize("camera", VISIBILITY["cameras"])
def test_blocks_and_cells_of_a_camera(camera: dict[str, Any]) -> None:
    blocks, cells = check(camera, [camera["planes"]], camera["width"])
    assert blocks.tolist() == camera["in_view_ix_iy"]
    vx, vy = camera["viewer_offset"]
    assert cells[vx, vy].tolist() == camera["centre_block_cells_x_y"]


@pytest.mark.contract("L3")
def test_cells_are_rated_as_squares_are() -> None:
    """Sabotage: rate a corner that both bounds leave outside as partly seen; grids differ."""
    rng = np.random.default_rng(3)
    planes = np.zeros((cull.PLANES, 4), np.float32)
    grid = np.zeros((cull.PLANES, 81), np.float32)
    squares, cells = np.zeros(64, np.uint8), np.zeros(64, np.float32)
    seen = set()
    for turn in range(400):
        planes[:5, :3] = rng.normal(0, 1, (5, 3))
        planes[:5, 3] = rng.uniform(-50, 200, 5)
        planes[turn % 5, 2] = (0.0, 1e-5, -1.0)[turn % 3]
        low = np.float32(rng.uniform(0, 60))
        high = np.float32(low + rng.uniform(0, 60))
        at = np.float32(-24.0 * rng.integers(0, 9))
        cull.point_limits(planes, 5, at, at, cull.CELL, 9, grid)
        heights = np.full(64, low, np.float32), np.full(64, high, np.float32)
        cull.check_squares(grid, 5, 8, *heights, squares)
        cull.check_cells(grid, 5, low, high, cells)
        assert cells.tolist() == squares.tolist()
        seen.update(squares.tolist())
    assert seen == {0, 1, 2}


@pytest.mark.contract("L2", "L3")
def test_views_are_a_union_whatever_their_order() -> None:
    """Sabotage: drop the test for an untouched cell in check_blocks; ENTIRELY is lowered."""
    one, two = VISIBILITY["cameras"][0], VISIBILITY["cameras"][1]
    first, first_cells = check(one, [one["planes"]])
    second, second_cells = check(one, [two["planes"]])
    for order in ([one, two], [two, one]):
        blocks, cells = check(one, [c["planes"] for c in order])
        assert ((blocks > 0) == ((first > 0) | (second > 0))).all()
        assert ((cells > 0) == ((first_cells > 0) | (second_cells > 0))).all()
        assert (cells >= np.maximum(first_cells > 0, second_cells > 0)).all()


@pytest.mark.parametrize("row", VISIBILITY["public"]["viewcone"])
def test_a_sphere_in_a_view(row: dict[str, Any]) -> None:
    rows = [row["near"], *row["edges"]]
    planes = np.zeros((cull.PLANES, 4), np.float32)
    planes[: len(rows)] = rows
    x, y, z = (np.float32(v) for v in row["centre"])
    got = cull.viewcone_check(planes, len(rows), x, y, z, np.float32(row["radius"]))
    assert got == row["result"]

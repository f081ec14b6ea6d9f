"""The ground: hash, diagonals, vertices with seams, planes, heights, water (TER-01, TER-05)."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.dat_sets import block
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.core import geom
from acclient_py.kernels import kernel
from acclient_py.world import light, terrain
from acclient_py.world.landblock import make_landblock
from acclient_py.world.residency import get_block_orient

DATA = Path(__file__).parents[1] / "data"
LAND: dict[str, Any] = json.loads((DATA / "landscape_vectors.json").read_text())
PHYSICS: dict[str, Any] = json.loads((DATA / "physics_vectors.json").read_text())
DATS: dict[str, Any] = json.loads((DATA / "dat_vectors.json").read_text())
TABLE = np.arange(256, dtype=np.float32) * np.float32(2)
SLOTS = {"SW": 0, "SE": 1, "NE": 2, "NW": 3}


def dat_vectors(kind: str) -> list[dict[str, Any]]:
    return [row for item in DATS["vectors"] if item["kind"] == kind for row in item["value"]]


def moved_off_the_diagonal(swne: bool, dx: float, dy: float) -> bool:
    """Whether a point given on a diagonal in 64-bit floats is beyond it once it is rounded to 32.

    The files' answers take the first; the client only ever has the second.
    """
    exact = dx - dy if swne else dx + dy - 24
    a, b = Fraction(float(np.float32(dx))), Fraction(float(np.float32(dy)))
    return abs(exact) < 1e-9 and (a - b if swne else a + b - 24) != 0


def ramp() -> Any:
    """A block of one slope that holds both kinds of diagonals."""
    return make_landblock(block(lambda x, y: 10 + 7 * x + 3 * y + (x * y) % 5), TABLE)


def test_split_hash_and_diagonals() -> None:
    split = LAND["split"]
    rows = split["cases"] + split["public"]["cases"]
    rows += split["public_coordinates_without_values"]["cases"]
    for row in rows:
        assert int(terrain.split_hash(row["gx"], row["gy"])) == int(row["raw"], 16), row
        assert terrain.is_swne(row["gx"], row["gy"]) is row["swne"], row
    for row in PHYSICS["terrain_cut"]["cases"]:
        assert terrain.is_swne(row["x"], row["y"]) == bool(row["sw_to_ne"]), row
    for row in dat_vectors("landscape_hash"):
        assert int(terrain.split_hash(row["x"], row["y"])) == row["split"], row


def test_diagonals_of_whole_blocks_and_coarse_ones() -> None:
    for row in LAND["split"]["block_masks"]:
        bits = terrain.diagonals(*row["block"])
        assert sum(1 << int(i) for i in np.flatnonzero(bits)) == int(row["mask"], 16), row
    for row in LAND["split"]["lod_cells"]:
        found = terrain.diagonals(*row["block"], row["side"]).reshape(row["side"], row["side"])
        assert found.tolist() == row["swne"], row


def test_2081396_diagonals_of_the_world_run_south_west_to_north_east() -> None:
    """Sabotage: any change of a constant; a linear hash is wrong in half of the cells."""
    axis = np.arange(2040, dtype=np.uint32)
    words = terrain.split_hash(axis[:, None], axis[None, :])
    assert int(np.count_nonzero(words >= 0x80000000)) == 2_081_396


def test_lod_vertices_with_seams() -> None:
    lod = LAND["lod_vertices"]
    heights = np.array(lod["H"], np.uint8).reshape(81)
    for row in lod["cases"]:
        z = terrain.vertex_heights(heights, TABLE, row["side"], row["dir"])
        assert z.tolist() == row["z"], (row["side"], row["dir"])


def test_planes_triangles_and_heights_of_the_vectors() -> None:
    for row in LAND["height"]["cells"]:
        x, y = row["cell"]
        z = np.zeros((9, 9), np.float32)
        sw, se, ne, nw = row["heights_SW_SE_NE_NW"]
        z[x, y], z[x + 1, y], z[x + 1, y + 1], z[x, y + 1] = sw, se, ne, nw
        swne = np.full(64, row["swne"])
        index = x * 8 + y
        planes = terrain.triangle_planes(z, swne)
        for t, expected in enumerate(row["planes"]):
            assert planes[index, t, :3] == pytest.approx(expected["normal"], abs=1e-6)
            assert planes[index, t, 3] == pytest.approx(expected["d"], abs=1e-4)
            assert terrain.walkable(planes[index, t, 2]) is expected["walkable"]
        for point in row["points"]:
            t = terrain.find_terrain_poly(row["swne"], index, point["x"], point["y"])
            if not moved_off_the_diagonal(row["swne"], point["x"] - 24 * x, point["y"] - 24 * y):
                assert t == point["triangle"], (row, point)
            p = planes[index, t]
            height = geom.height_on_plane(p[0], p[1], p[2], p[3], point["x"], point["y"], 0)
            assert height == pytest.approx(point["z"], abs=2e-4), (row, point)


@given(st.booleans(), st.integers(0, 63), st.floats(-2, 194), st.floats(-2, 194))
def test_the_triangle_is_the_first_whose_polygon_holds_the_point(
    swne: bool, cell: int, x: float, y: float
) -> None:
    """find_terrain_poly against point_in_poly_2d over the very corners that are drawn."""
    corners = terrain.triangle_vertices(np.zeros((9, 9), np.float32), np.full(64, swne))[cell]
    expected = next((t for t in (0, 1) if geom.point_in_poly_2d(corners[t], 3, x, y)), -1)
    assert terrain.find_terrain_poly(swne, cell, x, y) == expected


def test_the_edge_is_as_wide_as_32_bit_floats_make_it() -> None:
    """(23.9999, 0.0001) counts as on the diagonal SE-NW of the first cell; exact sums differ."""
    assert terrain.find_terrain_poly(False, 0, 23.9999, 0.0001) == 0
    assert terrain.find_terrain_poly(False, 0, 23.9, 0.2) == 1


def test_mesh_physics_and_scenery_stand_on_the_same_ground() -> None:
    """TER-01. Sabotage: swap the two rows of terrain.CORNERS; heights part by metres."""
    land = ramp()
    assert 0 < np.count_nonzero(land.swne) < 64
    rng = np.random.default_rng(11)
    points = rng.uniform(0, 191.99, (1500, 2)).astype(np.float32)
    points[:64, 0] = np.repeat(np.arange(8), 8) * 24 + 12  # on both diagonals
    points[:64, 1] = np.tile(np.arange(8), 8) * 24 + 12
    points[64:80] = [(24 * k + 0, 7.5) for k in range(8)] + [(7.5, 24 * k + 0) for k in range(8)]
    corners = land.grid().vertices()
    find = kernel(terrain.find_terrain_poly)
    many = terrain.heights_under(land.heights, land.swne, points[:, 0], points[:, 1])
    for (x, y), vectorised in zip(points, many, strict=True):
        cell = terrain.cell_under(x, y)
        t = find(bool(land.swne[cell]), cell, x, y)
        physics = geom.height_on_plane(*(land.planes[cell, t, k] for k in range(4)), x, y, 0)
        scenery = terrain.height_under(land.swne, land.planes, x, y)
        triangle = corners[cell, t].astype(np.float64)
        u, v = triangle[1] - triangle[0], triangle[2] - triangle[0]
        a, b = np.linalg.solve(np.array((u[:2], v[:2])).T, (float(x), float(y)) - triangle[0, :2])
        mesh = triangle[0, 2] + a * u[2] + b * v[2]
        assert abs(physics - mesh) < 1e-3
        assert abs(scenery - mesh) < 1e-3
        assert abs(vectorised - mesh) < 1e-3


def test_points_on_a_block_edge_have_one_height_in_both_blocks() -> None:
    """TER-01, block edges: both blocks' samplers, at x 192 and 0."""
    left = make_landblock(block(lambda x, y: 10 + 3 * x + y), TABLE)
    right = make_landblock(block(lambda x, y: 34 + 3 * x + y, block_id=0xAAB4FFFF), TABLE)
    for y in np.linspace(0.5, 191.0, 40, dtype=np.float32):
        a = terrain.heights_under(left.heights, left.swne, np.float32([192]), np.float32([y]))
        b = terrain.height_under(right.swne, right.planes, 0.0, y)
        assert abs(a[0] - b) < 1e-3


@pytest.mark.parametrize("rings", [(0, 1), (1, 0)])
def test_shared_edge_vertices_are_bit_equal(rings: tuple[int, int]) -> None:
    """TER-05, full detail: a step that crosses the shared edge."""
    del rings
    west = make_landblock(block(lambda _x, y: 10 if y < 4 else 90), TABLE)
    east = make_landblock(block(lambda _x, y: 10 if y < 4 else 90, block_id=0xAAB4FFFF), TABLE)
    assert west.heights[8].tobytes() == east.heights[0].tobytes()


@pytest.mark.parametrize("dx", [1, 2, 3, 4, 5])
def test_no_crack_between_a_ring_and_the_next(dx: int) -> None:
    """TER-05, mixed detail: the outer ring never shows above or below the inner one's edge.

    The shared edge lies east of the block at dx. Where resolutions differ, the finer edge is
    made of the coarser edge's points, or (ring 1 to 2) the coarse edge stays at or below it.
    """
    rng = np.random.default_rng(dx)
    edge = rng.integers(0, 100, 9)
    inner = make_landblock(block(lambda x, y: int(edge[y]) if x == 8 else 50), TABLE)
    outer = make_landblock(
        block(lambda x, y: int(edge[y]) if x == 0 else 50, block_id=0xAAB4FFFF), TABLE
    )
    a, b = get_block_orient(dx, 0), get_block_orient(dx + 1, 0)
    fine, coarse = inner.grid(a.side, a.direction).z[-1], outer.grid(b.side, b.direction).z[0]
    full = np.linspace(0, 192, 97)
    fine_at = np.interp(full, np.linspace(0, 192, len(fine)), fine)
    coarse_at = np.interp(full, np.linspace(0, 192, len(coarse)), coarse)
    if dx == 1:
        assert (coarse_at <= fine_at + 1e-3).all()
    else:
        assert np.abs(fine_at - coarse_at).max() < 1e-3


def test_normals_of_a_straight_slope_are_equal_over_the_border() -> None:
    """TER-05: equal ground gives equal normals on both sides."""
    left = make_landblock(block(lambda x, y: 10 + 3 * x + 2 * y), TABLE)
    right = make_landblock(block(lambda x, y: 34 + 3 * x + 2 * y, block_id=0xAAB4FFFF), TABLE)
    normals = np.empty((2, 81, 3), np.float32)
    for land, out in zip((left, right), normals, strict=True):
        light.vertex_normals(land.planes, land.swne, 8, out)
    a, b = normals[0, 72:], normals[1, :9]
    assert np.abs(a - b).max() < 1e-4


def test_vectorised_planes_have_the_bits_of_the_scalar_function() -> None:
    land = ramp()
    corners = land.grid().vertices()
    out = np.zeros(4, np.float32)
    for cell in range(64):
        for t in range(2):
            geom.plane_of_triangle(corners[cell, t], out)
            assert out.tobytes() == land.planes[cell, t].tobytes()


def test_normals_point_up_and_corners_run_counter_clockwise() -> None:
    for side in (1, 2, 4, 8):
        assert (ramp().grid(side).planes[..., 2] > 0).all()


def test_water() -> None:
    water = LAND["water"]
    depth = water["depth"]
    assert [t for t in range(32) if terrain.is_water_type(t << 2)] == water["terrain_types"]
    words = np.zeros(81, np.uint16)
    assert terrain.water_depth(terrain.NOT_WATER, words, 0, 1, 1) == depth["not"]
    found = terrain.water_depth(terrain.ENTIRELY_WATER, words, 0, 1, 1)
    assert found == pytest.approx(depth["entirely"], abs=1e-6)
    corner_index = {"SW": 0, "NW": 1, "SE": 9, "NE": 10}
    for row in water["nearest_corner"]:
        wet = np.zeros(81, np.uint16)
        wet[corner_index[row["corner"]]] = 16 << 2
        found = terrain.water_depth(terrain.PARTIALLY_WATER, wet, 0, row["x"], row["y"])
        assert found == pytest.approx(depth["partial_water_corner"], abs=1e-6), row
        dry = np.full(81, 16 << 2, np.uint16)
        dry[corner_index[row["corner"]]] = 0
        found = terrain.water_depth(terrain.PARTIALLY_WATER, dry, 0, row["x"], row["y"])
        assert found == pytest.approx(depth["partial_dry_corner"], abs=1e-6), row


def test_water_classes_of_cells_and_block() -> None:
    words = np.zeros((9, 9), np.uint16)
    assert terrain.water_classes(words.reshape(81))[1] == terrain.NOT_WATER
    words[3, 4] = 20 << 2
    cells, whole = terrain.water_classes(words.reshape(81))
    assert np.flatnonzero(cells).tolist() == [2 * 8 + 3, 2 * 8 + 4, 3 * 8 + 3, 3 * 8 + 4]
    assert whole == terrain.PARTIALLY_WATER
    for kind in range(32):
        whole = terrain.water_classes(np.full(81, kind << 2, np.uint16))[1]
        assert (whole == terrain.ENTIRELY_WATER) is (kind in LAND["water"]["terrain_types"])
    cells, whole = terrain.water_classes(np.full(81, 17 << 2, np.uint16))
    assert whole == terrain.ENTIRELY_WATER
    assert (cells == terrain.ENTIRELY_WATER).all()


def test_kernels_agree_with_python() -> None:
    land = ramp()
    rng = np.random.default_rng(12)
    names = ("height_under", "find_terrain_poly", "water_depth", "cell_under")
    compiled = {name: kernel(getattr(terrain, name)) for name in names}
    for x, y in rng.uniform(-5, 197, (300, 2)).astype(np.float32):
        a = terrain.height_under(land.swne, land.planes, x, y)
        b = compiled["height_under"](land.swne, land.planes, x, y)
        assert a.tobytes() == np.float32(b).tobytes()
        assert terrain.cell_under(x, y) == compiled["cell_under"](x, y)
        assert terrain.find_terrain_poly(True, 9, x, y) == compiled["find_terrain_poly"](
            True, 9, x, y
        )
        assert terrain.water_depth(1, land.terrain, 9, x, y) == compiled["water_depth"](
            1, land.terrain, 9, x, y
        )

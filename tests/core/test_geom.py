"""Planes, boxes, triangles and cylinders; Python and kernels agree to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py.core import geom
from acclient_py.kernels import kernel

PHYSICS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "physics_vectors.json").read_text()
)
ROOM = np.array(
    [(1, 0, 0, 5), (-1, 0, 0, 5), (0, 1, 0, 5), (0, -1, 0, 5), (0, 0, 1, 0), (0, 0, -1, 6)],
    np.float32,
)
WITH_LEAF = np.vstack((ROOM, np.zeros((1, 4), np.float32)))
UP = tuple(np.float32(v) for v in (0, 0, 1, -2))


def test_a_point_is_inside_up_to_epsilon() -> None:
    assert geom.point_in_planes(ROOM, 0, 6, 5.0001, 0, 3)
    assert not geom.point_in_planes(ROOM, 0, 6, 5.0005, 0, 3)
    assert geom.point_in_planes(ROOM, 1, 5, -50, 0, 3)  # only the planes of the run count
    assert geom.point_in_planes(WITH_LEAF, 0, 7, 0, 0, 3)


def test_spheres_have_a_slack_of_a_centimetre() -> None:
    """Sabotage: drop the slack; the second and third assertions fail."""
    assert geom.sphere_intersects_planes(ROOM, 0, 6, 0, 0, 3, 1.0) == geom.ENTIRELY_INSIDE
    assert geom.sphere_intersects_planes(ROOM, 0, 6, 6.005, 0, 3, 1.0) == geom.PARTIALLY_INSIDE
    assert geom.sphere_intersects_planes(ROOM, 0, 6, 3.995, 0, 3, 1.0) == geom.PARTIALLY_INSIDE
    assert geom.sphere_intersects_planes(ROOM, 0, 6, 6.02, 0, 3, 1.0) == geom.OUTSIDE


def test_a_chain_that_ends_in_a_leaf_never_says_entirely() -> None:
    assert geom.sphere_intersects_planes(WITH_LEAF, 0, 7, 0, 0, 3, 1.0) == geom.PARTIALLY_INSIDE


def test_boxes_against_rooms_and_planes() -> None:
    assert geom.box_intersects_planes(WITH_LEAF, 0, 7, 4, 4, 1, 8, 8, 2)
    assert not geom.box_intersects_planes(WITH_LEAF, 0, 7, 5.01, 4, 1, 8, 8, 2)
    assert geom.intersect_box(*UP, 0, 0, 3, 1, 1, 4) == geom.POSITIVE
    assert geom.intersect_box(*UP, 0, 0, 0, 1, 1, 1) == geom.NEGATIVE
    assert geom.intersect_box(*UP, 0, 0, 1, 1, 1, 3) == geom.CROSSING
    assert geom.intersect_box(*UP, 0, 0, 2, 1, 1, 2) == geom.CROSSING  # in the plane


def box_planes(low: list[float], high: list[float]) -> Any:
    planes = []
    for axis in range(3):
        normal = [0.0, 0.0, 0.0]
        normal[axis] = 1.0
        planes.append((*normal, -low[axis]))
        planes.append((*(-v for v in normal), high[axis]))
    return np.array(planes, np.float32)


def test_room_predicates_of_the_vectors() -> None:
    cells = {
        cell["id"]: box_planes(cell["box_min"], cell["box_max"])
        for cell in PHYSICS["envcells"]["cells"]
    }
    for row in PHYSICS["envcells"]["point_in_cell"]:
        found = geom.point_in_planes(cells[row["cell"]], 0, 6, *row["point"])
        assert found is row["expect"], row
    for row in PHYSICS["envcells"]["sphere_intersects_cell"]:
        kind = geom.sphere_intersects_planes(
            cells[row["cell"]], 0, 6, *row["center"], row["radius"]
        )
        assert bool(kind) is row["expect"], row
    for row in PHYSICS["envcells"]["box_intersects_cell"]:
        found = geom.box_intersects_planes(cells[row["cell"]], 0, 6, *row["min"], *row["max"])
        assert found is row["expect"], row


def test_planes_of_polygons() -> None:
    square = np.array([(0, 0, 1), (4, 0, 1), (4, 4, 1), (0, 4, 1)], np.float32)
    out = np.zeros(4, np.float32)
    geom.plane_of_polygon(square, 4, out)
    assert out.tolist() == [0, 0, 1, -1]
    geom.plane_of_polygon(square[::-1].copy(), 4, out)
    assert out.tolist() == [0, 0, -1, 1]
    geom.plane_of_polygon(np.zeros((3, 3), np.float32), 3, out)
    assert out.tolist() == [0, 0, 0, 0]


def test_point_in_poly_2d_takes_points_on_edges() -> None:
    triangle = np.array([(0, 0), (24, 0), (24, 24)], np.float32)
    assert geom.point_in_poly_2d(triangle, 3, 12.0, 12.0)
    assert geom.point_in_poly_2d(triangle, 3, 24.0, 3.0)
    assert not geom.point_in_poly_2d(triangle, 3, 12.0, 12.1)


def test_cylinders_apart_above_and_inside() -> None:
    distance = geom.cylinder_distance
    assert distance(0.5, 1.8, 0.0, 0.5, 1.8, 0.0, 3.0, 0.0) == 2.0
    assert distance(0.5, 1.8, 0.0, 0.5, 1.8, 0.0, 0.5, 0.0) < 0
    above = distance(0.5, 1.0, 0.0, 0.5, 1.0, 3.0, 0.0, 0.0)
    assert above == pytest.approx(np.hypot(2.0, 2.0), abs=1e-6)  # the reach is of three dimensions


def test_floor_z_is_the_cosine_of_the_record() -> None:
    assert float(geom.FLOOR_Z) == pytest.approx(0.66417414618662751, abs=3e-8)


def test_kernels_give_the_bits_of_python() -> None:
    rng = np.random.default_rng(9)
    for _ in range(100):
        planes = rng.normal(size=(5, 4)).astype(np.float32)
        x, y, z, r = rng.normal(size=4).tolist()
        for name, words in (
            ("point_in_planes", (x, y, z)),
            ("sphere_intersects_planes", (x, y, z, abs(r))),
            ("box_intersects_planes", (x, y, z, x + 1, y + 1, z + 2)),
        ):
            function = getattr(geom, name)
            assert function(planes, 1, 3, *words) == kernel(function)(planes, 1, 3, *words), name
        corners = rng.uniform(0, 24, (5, 3)).astype(np.float32)
        a, b = np.zeros(4, np.float32), np.zeros(4, np.float32)
        for name, words in (("plane_of_triangle", ()), ("plane_of_polygon", (5,))):
            function = getattr(geom, name)
            function(corners, *words, a)
            kernel(function)(corners, *words, b)
            assert a.tobytes() == b.tobytes(), name

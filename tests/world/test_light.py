"""Vertex light of the terrain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.dat_sets import block

from acclient_py.world import light
from acclient_py.world.landblock import make_landblock

LIGHT: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "landscape_vectors.json").read_text()
)["lighting"]
TABLE = np.arange(256, dtype=np.float32) * np.float32(2)


def normals_of(planes: Any, swne: Any) -> Any:
    """(side + 1, side + 1, 3) normals of a block's vertices."""
    side = round(len(swne) ** 0.5)
    out = np.empty(((side + 1) ** 2, 3), np.float32)
    light.vertex_normals(planes, swne, side, out)
    return out.reshape(side + 1, side + 1, 3)


def test_colours_and_bytes() -> None:
    for row in LIGHT["vertex"]:
        colours = light.vertex_colours(
            np.array([row["normal"]], np.float32),
            np.array(row["sun"], np.float32),
            np.array(row["sun_rgb"], np.float32),
            np.array(row["ambient_rgb"], np.float32),
            row["ambient_level"],
        )
        assert colours[0] == pytest.approx(row["rgb"], abs=1e-5)
        assert light.colour_bytes(colours)[0].tolist() == row["bytes"], row
        found = light.object_ambient(np.array(row["sun"], np.float32), row["ambient_level"])
        assert found == pytest.approx(row["object_ambient_level"], abs=1e-5)


def test_flat_ground_under_the_first_sun() -> None:
    land = make_landblock(block(20), TABLE)
    normals = normals_of(land.planes, land.swne)
    assert (normals == (0, 0, 1)).all()
    sun = np.array((1.2, 0, 0.5), np.float32)
    white = np.full(3, 255, np.float32)
    found = light.colour_bytes(light.vertex_colours(normals, sun, white, white, 0.4))
    assert (found == LIGHT["public"]["flat_default_byte"]).all()
    assert found.shape == (9, 9, 3)


def test_normals_are_unit_sums_of_the_triangles_round_a_vertex() -> None:
    land = make_landblock(block(lambda x, y: 10 + (x * 7 + y * 5) % 23), TABLE)
    for side in (8, 4, 2, 1):
        grid = land.grid(side)
        normals = normals_of(grid.planes, grid.swne)
        corners = grid.vertices().reshape(-1, 3, 3)
        planes = grid.planes.reshape(-1, 4)
        step = 192 / side
        for x in range(side + 1):
            for y in range(side + 1):
                touching = [
                    plane[:3].astype(np.float64)
                    for plane, triangle in zip(planes, corners, strict=True)
                    if any(abs(c[0] - x * step) < 1 and abs(c[1] - y * step) < 1 for c in triangle)
                ]
                total = np.sum(touching, axis=0)
                assert normals[x, y] == pytest.approx(total / np.linalg.norm(total), abs=1e-5)

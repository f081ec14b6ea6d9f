"""Polygons packed for kernels: planes and corners of lists of any sizes; what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from builders.dat_sets import GFX

from acclient_py.core import geom
from acclient_py.dat import records as rec
from acclient_py.errors import RecordError
from acclient_py.world import shapes
from acclient_py.world.pools import POLYGON_DTYPE, Pool


def test_polygons_of_any_sizes_are_packed_as_one_by_one() -> None:
    """Sabotage: give the planes out in the order of the sizes."""
    rng = np.random.default_rng(11)
    rows, vertices = Pool(POLYGON_DTYPE), Pool(np.float32, (3,))
    out = np.zeros(4, np.float32)
    for _ in range(300):
        positions = rng.normal(size=(9, 3)).astype(np.float32)
        rings = [rng.integers(0, 9, rng.integers(0, 7)).tolist() for _ in range(rng.integers(0, 9))]
        polygons = [
            rec.Polygon(i, 4, int(rng.integers(0, 3)), -1, -1, tuple(ring))
            for i, ring in enumerate(rings)
        ]
        columns = rec.Polygons.of(polygons)
        first = shapes.append_polygons(columns, positions, rows, vertices)
        assert rows.count == first + len(polygons)
        shown = shapes.polygon_shapes(columns, positions)
        for polygon, row, shape in zip(polygons, rows.rows[first:], shown, strict=True):
            corners = positions[list(polygon.vertex_indices)]
            run = vertices.rows[row["vertex_first"] :][: row["vertex_count"]]
            assert run.tobytes() == corners.tobytes() == shape.vertices.tobytes()
            assert row["sides"] == polygon.sides
            out[:] = 0
            if len(corners):
                geom.plane_of_polygon(corners, len(corners), out)
            assert out.tobytes() == row["plane"].tobytes() == shape.plane.tobytes()
    assert rows.count > 800


@pytest.mark.parametrize("corner", [-1, -32768, 3, 99])
def test_the_first_corner_that_names_no_vertex_is_refused(corner: int) -> None:
    """Sabotage: compare corners as they are stored, with their sign."""
    rings = [(0, 1, 2), (), (0, 1, corner, 2), (77, 0, 1)]
    polygons = [rec.Polygon(5 + i, 4, 0, -1, -1, ring) for i, ring in enumerate(rings)]
    shapes.check_corners(rec.Polygons.of(polygons[:2]), 3, GFX)
    with pytest.raises(RecordError, match=f"polygon 7 has corner {corner} of 3 vertices"):
        shapes.check_corners(rec.Polygons.of(polygons), 3, GFX)
    if corner < 0:
        with pytest.raises(RecordError, match=f"polygon 7 has corner {corner} of 65535 vertices"):
            shapes.check_corners(rec.Polygons.of(polygons), 65535, GFX)
    shapes.check_corners(rec.Polygons.of(()), 0, GFX)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_bounds_refuse_what_is_no_number(bad: float) -> None:
    """Sabotage: ask only the lower corner."""
    positions = np.random.default_rng(12).normal(size=(40, 3)).astype(np.float32)
    low, high = shapes.bounds(positions, GFX)
    assert np.array_equal(low, positions.min(axis=0))
    assert np.array_equal(high, positions.max(axis=0))
    positions[17, 1] = bad
    with pytest.raises(RecordError, match="vertex 17 is not finite"):
        shapes.bounds(positions, GFX)

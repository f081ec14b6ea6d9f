"""Lofts close and face outward; tiles cover what they were cut from and meet at corners."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from acclient_py.bake.faces import face, flattened
from acclient_py.bake.lofts import loft
from acclient_py.bake.schema.meshes import Loft
from acclient_py.bake.tiles import TILE, tiled
from acclient_py.bake.vec import V3, cross, dot, newell, sub
from acclient_py.errors import DataError


def volume(rings: list[tuple[V3, ...]]) -> float:
    """The volume inside a closed surface whose faces look outward."""
    total = 0.0
    for ring in rings:
        for b, c in itertools.pairwise(ring):
            total += dot(ring[0], cross(b, c))
    return total / 6.0


def area(points: tuple[V3, ...]) -> float:
    n = newell(points)
    return float(dot(n, n)) ** 0.5


def test_a_loft_of_one_size_is_a_closed_cylinder_with_faces_outward() -> None:
    piece = Loft(rings=[[0, 0, 0], [0, 1, 0.5], [2, 1, 0.5], [2, 0, 0]], segments=64)
    rings = [f.points for f in flattened(loft(piece))]
    assert volume(rings) == pytest.approx(2 * 3.14159 * 0.5, rel=0.01)


def test_a_square_loft_fills_its_box() -> None:
    piece = Loft(rings=[[0, 0, 0], [0, 1, 1], [1, 1, 1], [1, 0, 0]], segments=8, square=1.0)
    assert volume([f.points for f in flattened(loft(piece))]) == pytest.approx(4.0)


def test_rings_may_be_moved_ahead_and_aside() -> None:
    piece = Loft(rings=[[0, 1, 1], [1, 1, 1, 0.5, 0.25]], segments=4)
    top = [p for f in loft(piece) for p in f.points if p[2] == 1]
    assert max(p[0] for p in top) == pytest.approx(1.25)
    assert max(p[1] for p in top) == pytest.approx(1.5)


def test_a_loft_needs_two_rings() -> None:
    with pytest.raises(DataError, match="two rings"):
        loft(Loft(rings=[[0, 1, 1]]))


def test_tiles_cover_the_face_and_keep_its_picture() -> None:
    wall = face([(0, 0, 0), (9, 0, 0), (9, 0, 4), (0, 0, 4)], "stone")
    parts = tiled([wall])
    assert len(parts) > 4
    assert sum(area(f.points) for f in parts) == pytest.approx(area(wall.points))
    for f in parts:
        low = [min(p[k] for p in f.points) for k in range(3)]
        high = [max(p[k] for p in f.points) for k in range(3)]
        assert max(sub((high[0], high[1], high[2]), (low[0], low[1], low[2]))) <= TILE * 1.5
        for p, uv in zip(f.points, f.uvs, strict=True):
            assert uv == pytest.approx((p[0], -p[2]))
        assert dot(newell(f.points), newell(wall.points)) > 0


def test_faces_that_meet_are_cut_at_the_same_places() -> None:
    floor = face([(0, 0, 0), (9, 0, 0), (9, 6, 0), (0, 6, 0)], "stone")
    wall = face([(9, 0, 0), (0, 0, 0), (0, 0, 4), (9, 0, 4)], "stone")
    edges = [
        {p for f in tiled([whole]) for p in f.points if p[1] == 0 and p[2] == 0}
        for whole in (floor, wall)
    ]
    assert edges[0] == edges[1]
    assert len(edges[0]) > 2


def test_portals_stay_whole() -> None:
    mouth = replace(face([(0, 0, 0), (9, 0, 0), (9, 0, 4), (0, 0, 4)], "portal"), portal=0)
    assert tiled([mouth]) == [mouth]

"""Shapes and models: closed, outward, welded, mapped in metres; and the documented language."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from builders.worlds import baked, opened

from acclient_py.bake.faces import flattened, smoothed
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.recipe import _decoded
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.seams import mended
from acclient_py.bake.vec import cross, dot, newell, sub
from acclient_py.dat.records import GfxObj, GfxObjDegradeInfo

CLOSED: dict[str, tuple[m.AnyPiece, float]] = {
    "box": (m.Box(size=(1.0, 2.0, 3.0)), 6.0),
    "tapered": (m.Box(size=(2.0, 2.0, 3.0), taper=(0.0, 0.0)), 4.0),
    "bevelled": (m.Prism(outline=[(-1, -1), (1, -1), (1, 1), (-1, 1)], height=2.0), 8.0),
    "notched": (m.Prism(outline=[(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], height=1.0), 3.0),
    "lathe": (m.Lathe(profile=[(0, 0), (1, 0), (1, 2), (0, 2)], segments=4), 4.0),
    "stairs": (m.Stairs(size=(1.0, 4.0, 2.0), steps=4), 5.0),
    "wall": (
        m.Wall(length=5.0, height=3.0, thickness=0.4, openings=[m.Opening(width=1.0, height=2.0)]),
        (15.0 - 2.0) * 0.4,
    ),
    "wall of two storeys": (
        m.Wall(
            length=5.0,
            height=6.0,
            thickness=0.4,
            openings=[
                m.Opening(at=2.0, width=1.0, height=2.0),
                m.Opening(at=2.3, width=1.0, height=1.0, sill=3.0),
                m.Opening(at=2.8, width=0.5, height=1.5, sill=4.5),
                m.Opening(at=2.8, width=0.6, height=1.0, sill=0.5),
            ],
        ),
        (30.0 - 2.0 - 1.0 - 0.75 - 0.6) * 0.4,
    ),
    "mirrored": (m.Box(size=(1.0, 2.0, 3.0), mirror="x", scale=(2.0, 1.0, 1.0)), 12.0),
    "turned": (m.Box(size=(1.0, 1.0, 1.0), rotate=(10.0, 20.0, 30.0), at=(3.0, 4.0, 5.0)), 1.0),
}


def faces_of(*pieces: m.AnyPiece) -> list:
    return flattened(mesh_faces(m.Mesh(pieces=list(pieces)), lambda name: pytest.fail(name)))


def volume(faces: list) -> float:
    """Signed volume: that of a closed surface with outward faces is positive."""
    total = 0.0
    for f in faces:
        a = f.points[0]
        for i in range(1, len(f.points) - 1):
            total += dot(a, cross(f.points[i], f.points[i + 1])) / 6.0
    return total


@pytest.mark.parametrize("name", sorted(CLOSED))
def test_a_shape_is_closed_and_faces_outwards(name: str) -> None:
    """Sabotage: reverse one ring of box(); volume and area sum go wrong."""
    piece, expected = CLOSED[name]
    faces = faces_of(piece)
    assert volume(faces) == pytest.approx(expected, rel=1e-9)
    total = np.sum([newell(f.points) for f in faces], axis=0)
    assert np.allclose(total, 0.0, atol=1e-9)  # the areas of a closed surface cancel


def test_a_roof_leaves_no_gap_to_the_walls_under_it() -> None:
    """The underside passes through the walls' upper edges, and the gables reach the ridge."""
    faces = faces_of(m.Gable(size=(8.0, 6.0), rise=3.0, overhang=0.5, verge=0.4))
    for x, y, z in ((0.0, -3.0, 0.0), (2.0, 3.0, 0.0), (0.0, 0.0, 3.0)):
        assert any(
            abs(dot(f.normal, sub((x, y, z), f.points[0]))) < 1e-9 and f.normal[2] < -0.1
            for f in faces
        )
    tips = [p for f in faces for p in f.points if abs(f.normal[0]) > 0.99 and len(f.points) == 3]
    assert (4.0, 0.0, 3.0) in tips
    assert (-4.0, 0.0, 3.0) in tips


def test_walls_are_mapped_in_metres_and_stand_upright() -> None:
    (south,) = [f for f in faces_of(m.Box(size=(4.0, 2.0, 3.0))) if f.normal[1] < -0.9]
    uv = dict(zip(south.points, south.uvs, strict=True))
    left, right = uv[(-2.0, -1.0, 0.0)], uv[(2.0, -1.0, 0.0)]
    top = uv[(-2.0, -1.0, 3.0)]
    assert right[0] - left[0] == 4.0  # u to the right of who faces it
    assert top[1] - left[1] == -3.0  # v downwards


def test_smooth_normals_point_away_and_stop_at_a_crease() -> None:
    faces = smoothed(faces_of(m.Sphere(radius=2.0, segments=12, rings=8)), 0.5)
    for f in faces:
        assert f.normals is not None
        for p, n in zip(f.points, f.normals, strict=True):
            assert dot(p, n) / 2.0 > 0.97
    box = smoothed(faces_of(m.Box(size=(1.0, 1.0, 1.0))), 0.5)
    assert all(n == pytest.approx(f.normal) for f in box for n in f.normals or ())


def test_seams_are_mended_so_that_no_corner_lies_inside_an_edge() -> None:
    """Sabotage: return the faces as they are; the corners of the doorway split long edges."""
    wall = m.Wall(length=5.0, height=3.0, openings=[m.Opening(sill=0.9, height=1.0)])
    faces = mended(faces_of(wall))
    corners = {p for f in faces for p in f.points}
    for f in faces:
        for i, p in enumerate(f.points):
            q = f.points[(i + 1) % len(f.points)]
            d = sub(q, p)
            for c in corners - {p, q}:
                t = dot(sub(c, p), d) / dot(d, d)
                off = cross(sub(c, p), d)
                assert not (1e-6 < t < 1 - 1e-6 and dot(off, off) < 1e-12)
        # The fan from the first corner has no empty triangle at its ends.
        a = f.points[0]
        for b, c in ((f.points[1], f.points[2]), (f.points[-2], f.points[-1])):
            n = cross(sub(b, a), sub(c, a))
            assert dot(n, n) > 1e-12


def test_levels_of_detail_begin_with_the_mesh_itself() -> None:
    recipe = """
[mesh.near]
pieces = [{ shape = "box", size = [1, 1, 1] }]
levels = [{ beyond = 60, mesh = "far" }, { beyond = 150 }]
[mesh.far]
pieces = [{ shape = "cards", size = [1, 1] }]
"""
    ids = baked(recipe).ids
    with opened(recipe) as dats:
        near: GfxObj = dats.record(ids["mesh near"])
        table: GfxObjDegradeInfo = dats.record(near.degrade_id)
    assert [(e.model_id, e.ideal_distance) for e in table.levels] == [
        (ids["mesh near"], 60.0),
        (ids["mesh far"], 150.0),
        (0, 10000.0),
    ]


def test_every_table_in_the_documentation_is_taken_by_the_language(repo: Path) -> None:
    """Sabotage: rename a key of the language; the page still has the old one."""
    text = (repo / "docs" / "recipes.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 9
    for block in blocks:
        _decoded(tomllib.loads(block), "docs/recipes.md")

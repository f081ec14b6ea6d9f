"""Meshes: fans, sides, windings, order, shared vertices, the byte of a surface slot."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from builders.dat_sets import box_gfx

from acclient_py.dat import records as rec
from acclient_py.world import mesh


def square(*polygons: rec.Polygon) -> mesh.Mesh:
    vertices = rec.VertexArray.make(
        [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],
        [(0, 0, 1)] * 4,
        [[(0.1 * i, 0.0), (0.9, 0.1 * i)] for i in range(4)],
    )
    return mesh.build_mesh_of(polygons, vertices)


def polygon(sides: int = 0, **changes: Any) -> rec.Polygon:
    fields: dict[str, Any] = {
        "polygon_id": 0, "stippling": 0, "sides": sides, "pos_surface": 0, "neg_surface": -1,
        "vertex_indices": (0, 1, 2, 3), "pos_uv": (0, 0, 0, 0), "neg_uv": (),
    }  # fmt: skip
    return rec.Polygon(**{**fields, **changes})


def triangles(made: mesh.Mesh, slot: int = 0) -> list[list[list[float]]]:
    row = made.slots[slot]
    run = made.indices[row["first"] : row["first"] + row["count"]]
    points: list[list[list[float]]] = (
        made.vertices["position"][run].reshape(-1, 3, 3).round(3).tolist()
    )
    return points


def areas(made: mesh.Mesh, slot: int = 0) -> list[float]:
    """Signed areas seen from above: positive runs counter-clockwise."""
    out = []
    for a, b, c in triangles(made, slot):
        out.append((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    return out


def test_a_polygon_is_a_fan_from_its_first_corner() -> None:
    made = square(polygon())
    assert made.indices.tolist() == [0, 1, 2, 0, 2, 3]
    assert areas(made) == [1.0, 1.0]
    assert made.indices.dtype == np.uint32


def test_both_sides_with_one_surface_add_a_turned_fan_with_negated_normals() -> None:
    made = square(polygon(1))
    assert len(made.slots) == 1
    assert areas(made) == [1.0, 1.0, -1.0, -1.0]
    back = made.vertices[made.indices[6:]]
    assert (back["normal"] == (0, 0, -1)).all()
    assert np.array_equal(np.sort(back["uv"], axis=0)[0], np.sort(made.vertices["uv"], axis=0)[0])


def test_two_surfaces_give_two_slots_the_back_turned() -> None:
    """Row D11. Sabotage: keep the front's winding; the areas of slot 1 are positive."""
    made = square(polygon(2, neg_surface=3, neg_uv=(1, 1, 1, 1)))
    assert made.slots["surface_index"].tolist() == [0, 3]
    assert areas(made, 0) == [1.0, 1.0]
    assert areas(made, 1) == [-1.0, -1.0]
    row = made.slots[1]
    back = made.vertices[made.indices[row["first"] : row["first"] + row["count"]]]
    assert (back["normal"] == (0, 0, -1)).all()
    assert (back["uv"][:, 0] == np.float32(0.9)).all()


def test_the_winding_of_second_surfaces_is_one_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh, "REVERSE_SECOND_SURFACE", False)
    made = square(polygon(2, neg_surface=3, neg_uv=(1, 1, 1, 1)))
    assert areas(made, 1) == [1.0, 1.0]


def test_slots_ascend_and_polygons_keep_their_order_inside() -> None:
    made = square(
        polygon(vertex_indices=(0, 1, 2), pos_uv=(0, 0, 0), pos_surface=1),
        polygon(vertex_indices=(0, 2, 3), pos_uv=(0, 0, 0), pos_surface=0),
        polygon(vertex_indices=(1, 2, 3), pos_uv=(0, 0, 0), pos_surface=1, stippling=1),
    )
    assert made.slots["surface_index"].tolist() == [0, 1]
    assert made.slots["stippled"].tolist() == [0, 1]
    assert made.slots["first"].tolist() == [0, 3]
    assert triangles(made, 1) == [
        [[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[1, 0, 0], [1, 1, 0], [0, 1, 0]],
    ]  # fmt: skip


def test_vertices_are_shared_per_uv_index_and_side() -> None:
    same = square(polygon(), polygon(vertex_indices=(3, 2, 1, 0)))
    assert len(same.vertices) == 4
    other_uv = square(polygon(), polygon(pos_uv=(1, 1, 1, 1)))
    assert len(other_uv.vertices) == 8
    assert len(square(polygon(1)).vertices) == 8


def test_a_uv_index_that_is_not_there_gives_zero() -> None:
    made = square(polygon(pos_uv=(9, 9, 9, 9)))
    assert (made.vertices["uv"] == 0).all()
    bare = rec.VertexArray.make([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 0, 1)] * 3, [[], [], []])
    made = mesh.build_mesh_of([polygon(vertex_indices=(0, 1, 2), pos_uv=(), stippling=4)], bare)
    assert (made.vertices["uv"] == 0).all()
    assert made.slots["stippled"].tolist() == [1]


def test_polygons_without_surface_or_area_draw_nothing() -> None:
    assert len(square(polygon(pos_surface=-1)).slots) == 0
    assert len(square(polygon(vertex_indices=(0, 1), pos_uv=(0, 0))).slots) == 0
    empty = square()
    assert len(empty.vertices) == len(empty.indices) == len(empty.slots) == 0


def test_a_box_faces_outwards() -> None:
    made = mesh.build_mesh(box_gfx(size=(2.0, 2.0, 2.0)))
    assert made.slots["count"].tolist() == [36]
    points = made.vertices["position"][made.indices].reshape(-1, 3, 3).astype(np.float64)
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    outwards = points.mean(axis=1) - (0, 0, 1)
    assert (np.einsum("ij,ij->i", normals, outwards) > 0).all()


def test_the_byte_of_a_surface_slot() -> None:
    kind = rec.SurfaceType
    cases = (
        (kind.BASE1_IMAGE, 0),
        (kind.TRANSLUCENT, 4),
        (kind.BASE1_CLIP_MAP | kind.TRANSLUCENT, 8),
        (kind.ALPHA | kind.BASE1_CLIP_MAP, 2),
        (kind.ADDITIVE, 2),
        (kind.INV_ALPHA, 2),
    )
    for surface_type, mask in cases:
        assert mesh.deferral_mask(surface_type, False) == mask
        assert mesh.deferral_mask(surface_type, True) == mask | 1
    assert not mesh.deferral_mask(kind.BASE1_IMAGE, True) & mesh.ALPHA_DELAY_MASK


def plain(polygons: list[rec.Polygon], source: rec.VertexArray) -> Any:
    """(slots, triangles, vertices), corner by corner, as the rules of a mesh are worded."""
    rows: dict[tuple[int, int, bool], int] = {}
    slots: dict[int, list[tuple[int, ...]]] = {}
    stippled = {p.pos_surface for p in polygons if p.stippling}
    for p in polygons:
        faces = []
        if p.pos_surface >= 0:
            faces.append((p.pos_surface, False, False))
            if p.sides == rec.Sides.DOUBLE:
                faces.append((p.pos_surface, True, False))
        if p.sides == rec.Sides.BOTH and p.neg_surface >= 0:
            faces.append((p.neg_surface, True, True))
        for surface, is_back, takes_own_uvs in faces:
            corners = []
            for i, vertex in enumerate(p.vertex_indices):
                uv = p.uv_index(i, back=takes_own_uvs)
                corners.append(rows.setdefault((vertex, uv, is_back), len(rows)))
            fan = [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
            slots.setdefault(surface, []).extend(
                (a, c, b) if is_back else (a, b, c) for a, b, c in fan
            )
    vertices = []
    for vertex, uv, is_back in rows:
        first = int(source.uv_first[vertex])
        pairs = source.uvs[first : first + int(source.vertices["uv_count"][vertex])].tolist()
        normal = source.normals[vertex]
        vertices.append((
            source.positions[vertex].tolist(),
            (-normal if is_back else normal).tolist(),
            pairs[uv] if uv < len(pairs) else [0.0, 0.0],
        ))  # fmt: skip
    filled = {surface: fans for surface, fans in sorted(slots.items()) if fans}
    return (
        [(surface, surface in stippled, 3 * len(fans)) for surface, fans in filled.items()],
        [triangle for fans in filled.values() for triangle in fans],
        vertices,
    )


def random_source(rng: np.random.Generator) -> tuple[list[rec.Polygon], rec.VertexArray]:
    """Corners, tables too short and too long, empty polygons, sides and surfaces at random."""

    def numbers(high: int, count: int) -> tuple[int, ...]:
        return tuple(rng.integers(0, high, count).tolist())

    size = int(rng.integers(1, 9))
    uvs = [rng.random((int(rng.integers(0, 4)), 2)).tolist() for _ in range(size)]
    source = rec.VertexArray.make(rng.random((size, 3)), rng.normal(size=(size, 3)), uvs)
    polygons = []
    for i in range(int(rng.integers(0, 12))):
        corners = numbers(size, int(rng.integers(0, 7)))
        lengths = rng.choice((0, len(corners), len(corners) + 2, len(corners) // 2), 2)
        polygons.append(
            polygon(
                int(rng.integers(0, 4)), polygon_id=i, stippling=int(rng.choice((0, 0, 1, 2))),
                pos_surface=int(rng.integers(-1, 4)), neg_surface=int(rng.integers(-1, 4)),
                vertex_indices=corners, pos_uv=numbers(4, lengths[0]),
                neg_uv=numbers(256, lengths[1]),
            )
        )  # fmt: skip
    return polygons, source


def check(made: mesh.Mesh, polygons: list[rec.Polygon], source: rec.VertexArray) -> None:
    slots, triangles, vertices = plain(polygons, source)
    rows = [(r["surface_index"], bool(r["stippled"]), r["count"]) for r in made.slots]
    assert rows == slots
    assert made.slots["first"].tolist() == [0, *np.cumsum(made.slots["count"]).tolist()][:-1]
    assert made.indices.reshape(-1, 3).tolist() == [list(t) for t in triangles]
    assert [(r["position"].tolist(), r["normal"].tolist(), r["uv"].tolist())
            for r in made.vertices] == vertices  # fmt: skip


def test_meshes_of_random_polygons_are_those_of_the_plain_rules() -> None:
    """Sabotage: take the front's uv table for a back of its own; or turn a slot's triangles round;
    or let the last of the corners that are alike stand for them."""
    rng = np.random.default_rng(9)
    for _ in range(2000):
        polygons, source = random_source(rng)
        check(mesh.build_mesh_of(polygons, source), polygons, source)


def test_meshes_made_together_are_those_made_one_by_one() -> None:
    """Sabotage: leave the number of the mesh out of a surface; or count a mesh's vertices, its
    indices or its triangles from the beginning of all."""
    rng = np.random.default_rng(10)
    for _ in range(200):
        sources = [random_source(rng) for _ in range(int(rng.integers(0, 12)))]
        meshes = mesh.build_meshes(sources)
        assert len(meshes) == len(sources)
        for made, (polygons, source) in zip(meshes, sources, strict=True):
            check(made, polygons, source)

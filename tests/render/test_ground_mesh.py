"""Meshes of blocks: the triangles that are stood on, their normals, and each cell's surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.core.geom import plane_of_triangle
from acclient_py.physics.layout import BLOCK_DTYPE
from acclient_py.render.geometry import VERTEX_DTYPE, octahedral
from acclient_py.render.ground_mesh import block_meshes
from acclient_py.world import terrain, texmerge

SIDES = (8, 4, 2, 1)
NONE = np.zeros(0, np.uint32)


def blocks(count: int) -> tuple[Any, Any, Any]:
    """Rows of blocks on all parts of the map, heights from flat to steep, any terrain words."""
    random = np.random.default_rng(count)
    rows = np.zeros(count, BLOCK_DTYPE)
    rows["id"] = random.integers(0, 255, count) << 24 | random.integers(0, 255, count) << 16
    rows["side"] = random.choice(SIDES, count)
    heights = random.random((count, 9, 9)) * random.choice([0, 3, 40, 300], (count, 1, 1))
    return rows, heights.astype(np.float32), random.integers(0, 65536, (count, 81), np.uint16)


def plain_normals(corners: Any, planes: Any, side: int) -> Any:
    """Sums over the corners in the order triangle, corner, cell; then to unit length."""
    total = np.zeros((side + 1, side + 1, 3), np.float32)
    at = np.rint(corners[..., :2] / (192.0 / side)).astype(int)
    for t in range(2):
        for c in range(3):
            np.add.at(total, tuple(at[:, t, c].T), planes[:, t, :3])
    length = np.sqrt(total[..., 0] ** 2 + total[..., 1] ** 2 + total[..., 2] ** 2)
    return total / length[..., None]


def test_a_mesh_is_the_ground_that_is_stood_on() -> None:
    """Sabotage: the diagonal, a corner, a seam, a normal's sum, the row of a cell; one differs."""
    rows, heights, words = blocks(400)
    random = np.random.default_rng(7)
    slots = random.permutation(len(rows)).astype(np.int32)
    seams = random.integers(0, 9, len(rows)).astype(np.int32)
    cells = int((rows["side"].astype(int) ** 2).sum())
    vertices = np.zeros(4 * cells, VERTEX_DTYPE)
    indices = np.zeros(6 * cells, np.uint32)
    unknown = np.zeros(cells, np.uint32)
    graph = rows, heights, words, slots, seams
    out = unknown, vertices, indices
    assert block_meshes(*graph, NONE, NONE, *out) == cells, "no code has a row"
    codes, times = np.unique(unknown, return_counts=True)
    surfaces = random.permutation(len(codes)).astype(np.uint32)
    assert block_meshes(*graph, codes[1:], surfaces[1:], *out) == times[0]
    assert (unknown[: times[0]] == codes[0]).all()
    assert block_meshes(*graph, codes, surfaces, *out) == 0
    row_of = dict(zip(codes.tolist(), surfaces.tolist(), strict=True))
    first = 0
    for slot, seam in zip(slots.tolist(), seams.tolist(), strict=True):
        side = int(rows["side"][slot])
        step, count = 8 // side, side * side
        z = heights[slot, ::step, ::step].copy()
        if seam and side in (4, 2):
            terrain.trans_adjust(z, heights[slot], side, seam)
        block_x, block_y = int(rows["id"][slot]) >> 24, int(rows["id"][slot]) >> 16 & 0xFF
        swne = terrain.diagonals(block_x, block_y, side)
        corners = terrain.triangle_vertices(z, swne)
        own = vertices[4 * first : 4 * (first + count)]
        drawn = own[indices[6 * first : 6 * (first + count)]].reshape(count, 2, 3)
        assert drawn["position"].tobytes() == corners.tobytes()
        x, y = np.divmod(np.arange(count), side)
        edge = 192.0 / side
        u = corners[..., 0] / edge - x[:, None, None]
        v = 1 - (corners[..., 1] / edge - y[:, None, None])
        assert np.allclose(drawn["uv"], np.stack((u, v), axis=-1), atol=1e-6)
        assert set(drawn["uv"].reshape(-1).tolist()) == {0.0, 1.0}
        normals = plain_normals(corners, terrain.triangle_planes(z, swne), side)
        at = np.rint(corners[..., :2] / edge).astype(int)
        assert (drawn["normal"] == octahedral(normals)[at[..., 0], at[..., 1]]).all()
        codes_here = [texmerge.cell_code(words[slot], side, *at) for at in zip(x, y, strict=True)]
        wanted = np.array([slot << 20 | row_of[int(code)] for code in codes_here])
        assert (own["extra"].reshape(count, 4) == wanted[:, None]).all()
        first += count


def test_planes_are_those_of_the_corners() -> None:
    """Sabotage: leave out a corner of the mean; take the other diagonal."""
    rows, heights, _ = blocks(200)
    for row, full in zip(rows, heights, strict=True):
        side = int(row["side"])
        z = full[:: 8 // side, :: 8 // side].copy()
        swne = terrain.diagonals(int(row["id"]) >> 24, int(row["id"]) >> 16 & 0xFF, side)
        corners = terrain.triangle_vertices(z, swne).reshape(-1, 3, 3)
        expected = np.zeros((len(corners), 4), np.float32)
        for triangle, out in zip(corners, expected, strict=True):
            plane_of_triangle(triangle, out)
        assert terrain.triangle_planes(z, swne).tobytes() == expected.tobytes()

"""All that is solid in a world, gathered without the program's trees and cell lists.

Every physics polygon of rooms, shells and objects, turned into world metres, and every cylinder and
sphere of objects that have no physics tree. A grid of 2 m squares says which of them may lie near a
place. The survey of `survey.py` measures bodies against these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from acclient_py.physics.layout import BUILDING, ENV, OBJECT
from acclient_py.physics.state import HAS_PHYSICS_BSP, STATIC, PhysicsState
from acclient_py.physics.world import PhysicsWorld

SQUARE: Final = 2.0
REACH: Final = 1.2
"""Metres round a shape in which it is listed: more than a body's radius and a tick's way."""

ETHEREAL: Final = int(PhysicsState.ETHEREAL)


@dataclass(frozen=True)
class Solids:
    """The shapes; polygons and round ones on one grid each.

    planes   : (n, 4) float64, unit normal and distance, world metres
    firsts   : (n + 1,) int64 runs of `vertices`, (m, 3) float64
    owners   : (n,) int64 the object, or -1 - cell slot for a room
    rounds   : (k, 5) float64 x y z radius height, world metres; a height of 0 is a sphere
    corner   : (2,) float64 south-west corner of the grid ; shape : its squares
    starts   : (squares + 1,) int64 runs of `listed` ; round_starts, round_listed : likewise
    """

    planes: Any
    firsts: Any
    vertices: Any
    owners: Any
    rounds: Any
    round_owners: Any
    corner: Any
    shape: tuple[int, int]
    starts: Any
    listed: Any
    round_starts: Any
    round_listed: Any


def block_corner(cell_id: int) -> tuple[float, float]:
    """World metres of a block's south-west corner."""
    return (cell_id >> 24 & 0xFF) * 192.0, (cell_id >> 16 & 0xFF) * 192.0


def out_of(frame: Any, points: Any, scale: Any = 1.0) -> Any:
    """Points of a frame (7,) in its block."""
    q = np.asarray(frame[3:7], np.float64)
    v = np.asarray(points, np.float64) * scale
    w, u = q[0], q[1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t) + np.asarray(frame[:3], np.float64)


def polygons_below(world: PhysicsWorld, root: int) -> Iterator[int]:
    """The polygons of a physics tree, each once."""
    nodes, index = world.models.bsp_nodes, world.models.bsp_poly_index
    seen: dict[int, None] = {}
    todo = [root]
    while todo:
        at = todo.pop()
        if at < 0:
            continue
        node = nodes[at]
        first, count = int(node["poly_first"]), int(node["poly_count"])
        for polygon in index[first : first + count]:
            seen[int(polygon)] = None
        if node["kind"] == 0:
            todo += [int(node["pos"]), int(node["neg"])]
    return iter(seen)


class _Gatherer:
    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.shapes: list[Any] = []
        self.owners: list[int] = []
        self.rounds: list[tuple[float, ...]] = []
        self.round_owners: list[int] = []

    def tree(self, root: int, frame: Any, cell_id: int, owner: int, scale: Any = 1.0) -> None:
        models = self.world.models
        for polygon in polygons_below(self.world, root):
            row = models.polygons[polygon]
            first, count = int(row["vertex_first"]), int(row["vertex_count"])
            points = out_of(frame, models.poly_vertices[first : first + count], scale)
            points[:, :2] += block_corner(cell_id)
            self.shapes.append(points)
            self.owners.append(owner)

    def parts(self, obj: int, cell_id: int, count: int | None = None) -> None:
        a = self.world.graph.arrays
        row = a.objects[obj]
        total = int(row["part_count"]) if count is None else min(count, int(row["part_count"]))
        for part in a.parts[row["part_first"] : row["part_first"] + total]:
            if part["gfx"] >= 0 and a.gfx[part["gfx"]]["bsp_root"] >= 0:
                root = int(a.gfx[part["gfx"]]["bsp_root"])
                self.tree(root, part["frame"], cell_id, obj, float(part["scale"][2]))

    def round_shapes(self, obj: int) -> None:
        a = self.world.graph.arrays
        row = a.objects[obj]
        if row["shape"] < 0:
            return
        shape, scale = a.shapes[row["shape"]], float(row["scale"])
        dx, dy = block_corner(int(row["objcell_id"]))
        first, count = int(shape["cylinder_first"]), int(shape["cylinder_count"])
        for c in a.cylinders[first : first + count]:
            x, y, z = out_of(row["frame"], c[:3] * scale)
            self.rounds.append((x + dx, y + dy, z, c[3] * scale, c[4] * scale))
            self.round_owners.append(obj)
        if count:
            return
        first, count = int(shape["sphere_first"]), int(shape["sphere_count"])
        for s in a.spheres[first : first + count]:
            x, y, z = out_of(row["frame"], s[:3] * scale)
            self.rounds.append((x + dx, y + dy, z, s[3] * scale, 0.0))
            self.round_owners.append(obj)


def gather(world: PhysicsWorld) -> Solids:
    """What is resident now and never moves."""
    a = world.graph.arrays
    found = _Gatherer(world)
    for slot in np.flatnonzero(a.cells["kind"] == ENV):
        cell = a.cells[slot]
        if cell["structure"] >= 0:
            found.tree(int(cell["structure"]), cell["frame"], int(cell["id"]), -1 - int(slot))
    for obj in np.flatnonzero(a.objects["kind"] == BUILDING):
        cell = a.objects["cell"][obj]
        if cell >= 0:  # the first part alone collides
            found.parts(int(obj), int(a.cells["id"][cell]), 1)
    state = a.objects["state"].astype(np.int64)
    static = (a.objects["kind"] == OBJECT) & (state & STATIC != 0) & (a.objects["cell"] >= 0)
    for obj in np.flatnonzero(static):
        if state[obj] & ETHEREAL:
            continue
        if state[obj] & HAS_PHYSICS_BSP:
            found.parts(int(obj), int(a.objects["part_cell_id"][obj]))
        else:
            found.round_shapes(int(obj))
    return _on_a_grid(found)


def gather_one(world: PhysicsWorld, obj: int) -> Solids:
    """One object's parts as they are now."""
    found = _Gatherer(world)
    found.parts(obj, int(world.graph.arrays.objects["part_cell_id"][obj]))
    return _on_a_grid(found)


def _on_a_grid(found: _Gatherer) -> Solids:
    shapes, rounds = found.shapes, np.array(found.rounds, np.float64).reshape(-1, 5)
    boxes = [(p[:, :2].min(axis=0), p[:, :2].max(axis=0)) for p in shapes]
    round_boxes = [(r[:2] - r[3], r[:2] + r[3]) for r in rounds]
    corners = np.array([low for low, _ in boxes + round_boxes] or [(0.0, 0.0)])
    ends = np.array([high for _, high in boxes + round_boxes] or [(0.0, 0.0)])
    corner = np.floor(corners.min(axis=0) - 2 * REACH)
    size = np.ceil((ends.max(axis=0) + 2 * REACH - corner) / SQUARE).astype(int)
    shape = (int(size[0]), int(size[1]))
    starts, listed = _listed(boxes, corner, shape)
    round_starts, round_listed = _listed(round_boxes, corner, shape)
    firsts = np.concatenate(([0], np.cumsum([len(p) for p in shapes]))).astype(np.int64)
    vertices = np.concatenate(shapes) if shapes else np.zeros((0, 3))
    planes = np.array([_plane(p) for p in shapes], np.float64).reshape(-1, 4)
    return Solids(
        planes, firsts, np.ascontiguousarray(vertices), np.array(found.owners, np.int64), rounds,
        np.array(found.round_owners, np.int64), corner, shape, starts, listed, round_starts,
        round_listed,
    )  # fmt: skip


def _plane(points: Any) -> tuple[float, float, float, float]:
    """The plane of a convex polygon: Newell's normal."""
    after = np.roll(points, -1, axis=0)
    n = np.cross(points, after).sum(axis=0)
    n /= max(float(np.sqrt((n * n).sum())), 1e-12)
    return float(n[0]), float(n[1]), float(n[2]), -float((points * n).sum(axis=1).mean())


def _listed(boxes: Any, corner: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    squares: dict[int, list[int]] = defaultdict(list)
    for number, (low, high) in enumerate(boxes):
        x0, y0 = np.floor((low - REACH - corner) / SQUARE).astype(int)
        x1, y1 = np.floor((high + REACH - corner) / SQUARE).astype(int)
        for x in range(max(x0, 0), min(x1, shape[0] - 1) + 1):
            for y in range(max(y0, 0), min(y1, shape[1] - 1) + 1):
                squares[x * shape[1] + y].append(number)
    counts = np.zeros(shape[0] * shape[1] + 1, np.int64)
    for square, numbers in squares.items():
        counts[square + 1] = len(numbers)
    starts = np.cumsum(counts)
    listed = np.zeros(max(int(starts[-1]), 1), np.int64)
    for square, numbers in squares.items():
        listed[starts[square] : starts[square] + len(numbers)] = numbers
    return starts, listed

"""BSP trees from polygons: physics, drawing and cell (dat format 4.5.3, 4.5.4).

The physics tree splits space by the polygons' own planes until every convex leaf is free of
them. A leaf lists each polygon that touches it; it is solid when it lies in matter: when rays
from it leave more bodies than they enter. Openings (portal polygons) split space too, but are
listed nowhere, and a leaf that touches one is never solid.
"""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct, field

from acclient_py.bake.convex import (
    ON_PLANE,
    Ring,
    body_middle,
    bounding_sphere,
    bounds,
    box_body,
    classify,
    cut_body,
    split_ring,
)
from acclient_py.bake.noise import F64
from acclient_py.bake.vec import V3, Plane, cross, dot, plane_of, sub
from acclient_py.dat.records.bsp import BspKind, BspNode, BspTree
from acclient_py.errors import DataError

RAYS: Final = ((0.8714, 0.4327, 0.2311), (-0.3719, 0.2218, 0.9014), (-0.2903, -0.8817, -0.3719))
CANDIDATES: Final = 24
POLYGONS_MOST: Final = 800
"""Of one physics tree: a tree over a ball is as deep as that, and takes time by its square."""
ROOM: Final = 10.0
"""Space about the polygons that the outermost leaves are taken to reach to, metres."""


class Item(Struct, frozen=True):
    """A polygon, or the piece of it that lies in the part of space at hand."""

    polygon: int  # number in the list, -1 for an opening
    ring: Ring
    plane: Plane
    used: bool = False  # its plane already bounds the part of space


class Winding(Struct):
    """How often rays from a point leave closed surfaces: 1 in matter, 0 outside, -1 in a hollow."""

    corners: F64 = field(default_factory=lambda: np.zeros((0, 3, 3)))

    @classmethod
    def of(cls, rings: Sequence[Ring]) -> Winding:
        """The surfaces as triangles."""
        triangles = []
        for ring in rings:
            triangles += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
        return cls(np.array(triangles, dtype=np.float64).reshape(-1, 3, 3))

    def least(self, p: V3) -> int:
        """The least of three rays' counts; they agree where the surface is closed."""
        return min(self.count(p, ray) for ray in RAYS)

    def count(self, p: V3, ray: V3) -> int:
        """Triangles left through their back minus those entered by their front."""
        a, b, c = self.corners[:, 0], self.corners[:, 1], self.corners[:, 2]
        total = np.zeros(len(a), dtype=np.int64)
        volumes = []
        ax, bx, cx = a - p, b - p, c - p
        d = np.array(ray)
        for u, v in ((ax, bx), (bx, cx), (cx, ax)):
            volumes.append(
                d[0] * (u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1])
                + d[1] * (u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2])
                + d[2] * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
            )
        leaves = (volumes[0] > 0) & (volumes[1] > 0) & (volumes[2] > 0)
        enters = (volumes[0] < 0) & (volumes[1] < 0) & (volumes[2] < 0)
        e1, e2 = b - a, c - a
        nx = e1[:, 1] * e2[:, 2] - e1[:, 2] * e2[:, 1]
        ny = e1[:, 2] * e2[:, 0] - e1[:, 0] * e2[:, 2]
        nz = e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0]
        height = nx * ax[:, 0] + ny * ax[:, 1] + nz * ax[:, 2]  # > 0: p lies behind
        total += np.where(leaves & (height > 0), 1, 0)
        total -= np.where(enters & (height < 0), 1, 0)
        return int(total.sum())


def physics_tree(
    rings: Sequence[Ring], openings: Sequence[Ring] = (), *, hollow: bool = False
) -> BspTree:
    """The physics tree of convex polygons.

    rings    : corners of each physics polygon, in the order of the record
    openings : portal polygons that close the surface but do not collide
    hollow   : the polygons enclose a room (faces inward): what is outside is matter
    """
    if len(rings) > POLYGONS_MOST:
        raise DataError(
            f"{len(rings)} polygons that collide, at most {POLYGONS_MOST}",
            do="use a simpler mesh, solid = false, or a setup's spheres and cylinders",
        )
    if not rings:
        return BspTree.from_node(BspKind.PHYSICS, _Physics(rings, openings, hollow).leaf([], None))
    return BspTree.from_node(BspKind.PHYSICS, _Physics(rings, openings, hollow).root())


class _Physics:
    def __init__(self, rings: Sequence[Ring], openings: Sequence[Ring], hollow: bool) -> None:
        self.rings = rings
        self.openings = openings
        self.winding = Winding.of([*rings, *openings])
        self.threshold = 0 if hollow else 1
        self.leaves = 0

    def root(self) -> BspNode:
        items = [Item(i, ring, plane_of(ring)) for i, ring in enumerate(self.rings)]
        items += [Item(-1, ring, plane_of(ring)) for ring in self.openings]
        low, high = bounds([p for item in items for p in item.ring])
        body = box_body(
            (low[0] - ROOM, low[1] - ROOM, low[2] - ROOM),
            (high[0] + ROOM, high[1] + ROOM, high[2] + ROOM),
        )
        node = self.node(items, body)
        if node.tag != "LEAF":
            return node
        raise AssertionError("a polygon always splits space")

    def node(self, items: list[Item], body: list[Ring]) -> BspNode:
        plane = _choose(items)
        if plane is None:
            return self.leaf(items, body)
        front_body, back_body = cut_body(body, plane)
        front: list[Item] = []
        back: list[Item] = []
        on_plane = False
        for item in items:
            low, high = classify(item.ring, plane)
            if low >= -ON_PLANE and high <= ON_PLANE:
                on_plane = on_plane or item.polygon >= 0
                done = Item(item.polygon, item.ring, item.plane, used=True)
                front.append(done)
                back.append(done)
                continue
            f, b = split_ring(item.ring, plane)
            if f is not None:
                front.append(Item(item.polygon, f, item.plane, item.used))
            if b is not None:
                back.append(Item(item.polygon, b, item.plane, item.used))
        if not front_body or not back_body:  # a sliver of space: one side is empty
            return self.leaf(items, body)
        positive = self.node(front, front_body)
        negative = self.node(back, back_body)
        below = sorted({item.polygon for item in items if item.polygon >= 0})
        sphere = bounding_sphere([p for i in below for p in self.rings[i]])
        tag = "BPIN" if on_plane else "BPnN"
        return BspNode(tag, plane, positive, negative, sphere)

    def leaf(self, items: list[Item], body: list[Ring] | None) -> BspNode:
        polygons = tuple(sorted({item.polygon for item in items if item.polygon >= 0}))
        number, self.leaves = self.leaves, self.leaves + 1
        solid = 0
        if body and not any(item.polygon < 0 for item in items):
            solid = int(self.winding.least(body_middle(body)) >= self.threshold)
        sphere = bounding_sphere([p for i in polygons for p in self.rings[i]])
        return BspNode("LEAF", sphere=sphere, polygons=polygons, leaf=number, solid=solid)


def _choose(items: Sequence[Item]) -> Plane | None:
    """The plane of a polygon that cuts few others and leaves both sides alike."""
    open_items = [item for item in items if not item.used]
    if not open_items:
        return None
    stride = max(1, len(open_items) // CANDIDATES)
    best, best_cost = open_items[0].plane, math.inf
    for candidate in open_items[::stride]:
        cuts = front = back = 0
        for item in open_items:
            low, high = classify(item.ring, candidate.plane)
            if high > ON_PLANE and low < -ON_PLANE:
                cuts += 1
            elif high > ON_PLANE:
                front += 1
            elif low < -ON_PLANE:
                back += 1
        cost = cuts * 4.0 + abs(front - back)
        if cost < best_cost:
            best, best_cost = candidate.plane, cost
    return best


def cell_tree(planes: Sequence[Plane]) -> BspTree:
    """The chain of inward planes of a convex cell, ended by a LEAF."""
    node = BspNode("LEAF")
    for plane in reversed(planes):
        node = BspNode("BPnn", plane, positive=node)
    return BspTree.from_node(BspKind.CELL, node)


class Portal(Struct, frozen=True):
    """A portal polygon of a shell: its place in the drawing list, the opening's number, corners."""

    polygon: int
    number: int
    ring: Ring


def drawing_tree(rings: Sequence[Ring], portals: Sequence[Portal] = ()) -> tuple[BspTree, int]:
    """The drawing tree of a mesh, and its number of leaves.

    Without openings it is one BPOL node that lists every polygon. With openings a PORT node
    stands for each plane that has some; the others' polygons are listed in the node at the end
    of the branch that they lie on.
    """
    everything = list(range(len(rings)))
    if not portals:
        plane = plane_of(rings[0]) if rings else (0.0, 0.0, 1.0, 0.0)
        sphere = bounding_sphere([p for ring in rings for p in ring])
        node = BspNode("BPOL", plane, sphere=sphere, polygons=tuple(everything))
        return BspTree.from_node(BspKind.DRAWING, node), 0
    walls = [i for i in everything if i not in {portal.polygon for portal in portals}]
    builder = _Ports(rings)
    node = builder.node(list(portals), walls)
    return BspTree.from_node(BspKind.DRAWING, node), builder.leaves


class _Ports:
    def __init__(self, rings: Sequence[Ring]) -> None:
        self.rings = rings
        self.leaves = 0

    def node(self, portals: list[Portal], walls: list[int]) -> BspNode:
        if not portals:
            number, self.leaves = self.leaves, self.leaves + 1
            return BspNode("LEAF", leaf=number)
        plane = self.choose(portals)
        here, front, back = [], [], []
        for portal in portals:
            low, high = classify(portal.ring, plane)
            if low >= -ON_PLANE and high <= ON_PLANE:
                here.append(portal)
            elif low + high >= 0.0:
                front.append(portal)
            else:
                back.append(portal)
        wall_front, wall_back, wall_here = [], [], []
        for wall in walls:
            low, high = classify(self.rings[wall], plane)
            if low >= -ON_PLANE and high <= ON_PLANE:
                wall_here.append(wall)
            elif low + high >= 0.0:
                wall_front.append(wall)
            else:
                wall_back.append(wall)
        # A leaf of a drawing tree lists nothing: where a branch ends, its polygons stay here.
        if not front:
            wall_here += wall_front
        if not back:
            wall_here += wall_back
        positive = self.node(front, wall_front if front else [])
        negative = self.node(back, wall_back if back else [])
        below = [portal.polygon for portal in portals] + walls
        sphere = bounding_sphere([p for i in below for p in self.rings[i]])
        pairs = tuple((portal.polygon, portal.number) for portal in here)
        polygons = tuple(sorted([*wall_here, *(portal.polygon for portal in here)]))
        return BspNode("PORT", plane, positive, negative, sphere, polygons=polygons, portals=pairs)

    def choose(self, portals: Sequence[Portal]) -> Plane:
        """The opening's plane that cuts the fewest other openings."""
        best, best_cost = plane_of(portals[0].ring), len(portals) + 1
        for candidate in portals:
            plane = plane_of(candidate.ring)
            cuts = 0
            for portal in portals:
                low, high = classify(portal.ring, plane)
                cuts += int(high > ON_PLANE and low < -ON_PLANE)
            if cuts < best_cost:
                best, best_cost = plane, cuts
        return best


def area(ring: Ring) -> float:
    """The area of a polygon."""
    total = (0.0, 0.0, 0.0)
    for i in range(1, len(ring) - 1):
        n = cross(sub(ring[i], ring[0]), sub(ring[i + 1], ring[0]))
        total = (total[0] + n[0], total[1] + n[1], total[2] + n[2])
    return math.sqrt(dot(total, total)) * 0.5

"""BSP trees against the polygons they are made of, by thousands of points and spheres."""

from __future__ import annotations

import numpy as np
import pytest

from acclient_py.bake.bsp import Portal, Winding, cell_tree, drawing_tree, physics_tree
from acclient_py.bake.convex import ON_PLANE, Ring, box_body, cut_body
from acclient_py.bake.faces import Face, flattened
from acclient_py.bake.houses import make_house
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.schema.places import House, Partition
from acclient_py.bake.vec import V3, Plane, Pose, f32_point, plane_of, side
from acclient_py.dat.records.bsp import LEAF, PORT, BspTree

STONE = {"surface": "stone"}


def rings_of(faces: list[Face]) -> list[Ring]:
    return [tuple(f32_point(p) for p in f.points) for f in flattened(faces) if f.solid]


def shape(*pieces: m.AnyPiece) -> list[Ring]:
    return rings_of(mesh_faces(m.Mesh(pieces=list(pieces)), lambda name: pytest.fail(name)))


SOLIDS = {
    "box": shape(m.Box(size=(2, 3, 1))),
    "ball": shape(m.Sphere(radius=1.5, segments=8, rings=6)),
    "notched": shape(
        m.Prism(outline=[(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], height=2.0)
    ),
    "overlapping": shape(m.Box(size=(2, 2, 2)), m.Box(size=(1, 4, 1), at=(0.3, 0.2, 0.5))),
    "stairs": shape(m.Stairs(size=(2, 3, 1.5), steps=4)),
    "wall": shape(
        m.Wall(length=5, height=3, openings=[m.Opening(width=1.2), m.Opening(at=4.2, width=0.8,
               height=1.0, sill=1.0)])
    ),
}  # fmt: skip


def walk(tree: BspTree, p: V3) -> int:
    """The leaf that holds a point."""
    index = 0
    while int(tree.nodes[index]["tag"]) != LEAF:
        node = tree.nodes[index]
        n = node["plane"].astype(np.float64)
        distance = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3]
        index = int(node["positive"] if distance >= 0.0 else node["negative"])
    return index


def parity_inside(rings: list[Ring], p: V3, ray: V3) -> bool:
    """Ray parity by single polygons: odd crossings are inside (closed, simple surfaces)."""
    crossings = 0
    for ring in rings:
        plane = plane_of(ring)
        slope = sum(plane[i] * ray[i] for i in range(3))
        if abs(slope) < 1e-12:
            continue
        t = -side(plane, p) / slope
        if t <= 0.0:
            continue
        hit = tuple(p[i] + ray[i] * t for i in range(3))
        signs = []
        for i, a in enumerate(ring):
            b = ring[(i + 1) % len(ring)]
            e = tuple(b[k] - a[k] for k in range(3))
            w = tuple(hit[k] - a[k] for k in range(3))
            c = (
                e[1] * w[2] - e[2] * w[1],
                e[2] * w[0] - e[0] * w[2],
                e[0] * w[1] - e[1] * w[0],
            )
            signs.append(sum(plane[k] * c[k] for k in range(3)) > 0.0)
        crossings += all(signs)
    return crossings % 2 == 1


def points_about(rings: list[Ring], count: int, seed: int, margin: float = 0.7) -> np.ndarray:
    corners = np.array([p for ring in rings for p in ring])
    low, high = corners.min(0) - margin, corners.max(0) + margin
    return np.random.default_rng(seed).uniform(low, high, (count, 3))


def distance_to_planes(rings: list[Ring], p: V3) -> float:
    return min(abs(side(plane_of(ring), p)) for ring in rings)


def leaf_bodies(tree: BspTree, reach: float = 60.0) -> dict[int, list[Ring]]:
    """The convex part of space of each leaf, cut out of a large box."""
    result: dict[int, list[Ring]] = {}
    box = box_body((-reach, -reach, -reach), (reach, reach, reach))
    stack: list[tuple[int, list[Ring]]] = [(0, box)]
    while stack:
        index, body = stack.pop()
        node = tree.nodes[index]
        if int(node["tag"]) == LEAF:
            result[index] = body
            continue
        n = node["plane"].astype(np.float64)
        plane: Plane = (float(n[0]), float(n[1]), float(n[2]), float(n[3]))
        front, back = cut_body(body, plane)
        stack.append((int(node["positive"]), front))
        stack.append((int(node["negative"]), back))
    return result


@pytest.mark.parametrize("name", sorted(SOLIDS))
def test_a_point_is_in_a_solid_leaf_just_when_rays_say_it_is_inside(name: str) -> None:
    """Sabotage: make every leaf behind a polygon solid (or none); the counts differ at once."""
    rings = SOLIDS[name]
    tree = physics_tree(rings)
    inside = 0
    for p in points_about(rings, 2000, 7).tolist():
        point: V3 = (p[0], p[1], p[2])
        if distance_to_planes(rings, point) < 1e-3:
            continue
        if name in ("overlapping", "stairs"):  # surfaces that pass through each other
            expected = Winding.of(rings).count(point, (0.13, 0.971, 0.2)) > 0
        else:
            expected = parity_inside(rings, point, (0.321, 0.517, 0.793))
        assert bool(tree.nodes[walk(tree, point)]["solid"]) is expected, point
        inside += expected
    assert inside > 50


@pytest.mark.parametrize("name", sorted(SOLIDS))
def test_every_polygon_is_in_exactly_the_leaves_it_touches(name: str) -> None:
    """Sabotage: list in-plane polygons on the front only; the leaf behind them lacks them."""
    rings = SOLIDS[name]
    tree = physics_tree(rings)
    bodies = leaf_bodies(tree)
    for index, body in bodies.items():
        listed = set(tree.polygons_of(index).tolist())
        planes = []
        middle = np.mean([p for ring in body for p in ring], axis=0)
        for ring in body:
            plane = plane_of(ring)
            if side(plane, (middle[0], middle[1], middle[2])) > 0:
                plane = (-plane[0], -plane[1], -plane[2], -plane[3])
            planes.append(plane)
        touching = {number for number, ring in enumerate(rings) if touches(ring, planes)}
        assert listed == touching


def touches(ring: Ring, planes: list[Plane]) -> bool:
    """Whether a polygon has an area in common with a closed convex body (planes outwards)."""
    left = list(ring)
    for plane in planes:
        kept: list[V3] = []
        for i, p in enumerate(left):
            q = left[(i + 1) % len(left)]
            d, e = side(plane, p), side(plane, q)
            if d <= ON_PLANE:
                kept.append(p)
            if (d < -ON_PLANE and e > ON_PLANE) or (d > ON_PLANE and e < -ON_PLANE):
                t = d / (d - e)
                kept.append(tuple(p[k] + (q[k] - p[k]) * t for k in range(3)))  # type: ignore[arg-type]
        left = kept
        if len(left) < 3:
            return False
    return area(left) > 1e-5


def area(ring: list[V3]) -> float:
    points = np.array(ring)
    total = np.zeros(3)
    for i in range(1, len(points) - 1):
        total += np.cross(points[i] - points[0], points[i + 1] - points[0])
    return float(np.linalg.norm(total)) / 2.0


@pytest.mark.parametrize("name", sorted(SOLIDS))
def test_a_sphere_finds_every_polygon_it_touches(name: str) -> None:
    """Sabotage: halve a node's sphere, or swap two children; polygons go missing."""
    rings = SOLIDS[name]
    tree = physics_tree(rings)
    rng = np.random.default_rng(3)
    found_any = 0
    for p in points_about(rings, 120, 11, 0.3).tolist():
        point: V3 = (p[0], p[1], p[2])
        radius = float(rng.uniform(0.05, 0.6))
        near = {k for k, ring in enumerate(rings) if polygon_distance(ring, point) < radius}
        assert near <= sphere_candidates(tree, point, radius)
        found_any += bool(near)
    assert found_any > 30


def polygon_distance(ring: Ring, p: V3) -> float:
    best = np.inf
    points = np.array(ring)
    for i in range(1, len(points) - 1):
        best = min(best, triangle_distance(points[0], points[i], points[i + 1], np.array(p)))
    return float(best)


def triangle_distance(a: np.ndarray, b: np.ndarray, c: np.ndarray, p: np.ndarray) -> float:
    n = np.cross(b - a, c - a)
    size = np.linalg.norm(n)
    if size < 1e-12:
        return float("inf")
    n = n / size
    q = p - n * np.dot(p - a, n)
    inside = all(np.dot(np.cross(v - u, q - u), n) >= 0 for u, v in ((a, b), (b, c), (c, a)))
    if inside:
        return float(abs(np.dot(p - a, n)))
    best = float("inf")
    for u, v in ((a, b), (b, c), (c, a)):
        t = np.clip(np.dot(p - u, v - u) / max(np.dot(v - u, v - u), 1e-12), 0, 1)
        best = min(best, float(np.linalg.norm(p - u - (v - u) * t)))
    return best


def sphere_candidates(tree: BspTree, p: V3, radius: float) -> set[int]:
    """The polygons of all leaves that a sphere comes to, pruned by planes and spheres."""
    found: set[int] = set()
    stack = [0]
    while stack:
        index = stack.pop()
        node = tree.nodes[index]
        x, y, z, r = node["sphere"].tolist()
        if (p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2 > (r + radius) ** 2:
            continue
        if int(node["tag"]) == LEAF:
            found.update(tree.polygons_of(index).tolist())
            continue
        n = node["plane"].astype(np.float64)
        distance = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3]
        if distance > -radius:
            stack.append(int(node["positive"]))
        if distance < radius:
            stack.append(int(node["negative"]))
    return found


def test_a_floor_alone_is_nowhere_solid() -> None:
    """An open surface encloses nothing. Sabotage: take the most instead of the least ray."""
    tree = physics_tree([((-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0))])
    leaves = tree.nodes[tree.nodes["tag"] == LEAF]
    assert len(leaves) == 2
    assert not leaves["solid"].any()


def test_behind_a_doorway_a_room_is_not_solid_and_behind_its_walls_it_is() -> None:
    """Sabotage: leave the openings out of physics_tree; the point behind the door is solid."""
    low, high = (-4.0, -4.0, 0.0), (4.0, 4.0, 3.0)
    inward = [ring[::-1] for ring in box_body(low, high)]
    # The south wall (y = -4) with a doorway from x -1 to 1, 2 m high.
    walls = [ring for ring in inward if not all(abs(p[1] + 4.0) < 1e-9 for p in ring)]
    for x0, z0, x1, z1 in ((-4, 0, -1, 3), (1, 0, 4, 3), (-1, 2, 1, 3)):
        walls.append(
            ((x1, -4.0, z0), (x0, -4.0, z0), (x0, -4.0, z1), (x1, -4.0, z1))  # type: ignore[arg-type]
        )
    door: Ring = ((1.0, -4.0, 0.0), (-1.0, -4.0, 0.0), (-1.0, -4.0, 2.0), (1.0, -4.0, 2.0))
    tree = physics_tree(walls, [door], hollow=True)
    assert not tree.nodes[walk(tree, (0.0, 0.0, 1.0))]["solid"]
    assert not tree.nodes[walk(tree, (0.0, -4.3, 1.0))]["solid"]
    assert tree.nodes[walk(tree, (0.0, 4.3, 1.0))]["solid"]
    assert tree.nodes[walk(tree, (0.0, 0.0, -0.3))]["solid"]


def test_the_cell_chain_holds_just_the_points_of_a_convex_room() -> None:
    """Sabotage: turn one plane outwards."""
    planes = [plane_of(ring[::-1]) for ring in box_body((-2, -3, 0), (2, 3, 2.5))]
    tree = cell_tree(planes)
    assert int(tree.nodes["tag"][-1]) == LEAF
    for p in np.random.default_rng(5).uniform(-4, 4, (3000, 3)).tolist():
        index, inside = 0, True
        while int(tree.nodes[index]["tag"]) != LEAF:
            n = tree.nodes[index]["plane"]
            inside &= bool(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3] >= -0.0002)
            index = int(tree.nodes[index]["positive"])
        expected = abs(p[0]) <= 2 and abs(p[1]) <= 3 and 0 <= p[2] <= 2.5
        assert inside is bool(expected)


def test_a_shells_tree_has_a_port_for_each_plane_with_openings() -> None:
    """Two doors in one wall share a PORT; numbers and polygons pair as given."""
    ring: Ring = ((0, 0, 0), (1, 0, 0), (1, 0, 2), (0, 0, 2))
    beside: Ring = tuple((x + 3, y, z) for x, y, z in ring)
    across: Ring = tuple((x, 5.0, z) for x, _, z in ring[::-1])
    floor: Ring = ((0, 0, 0), (4, 0, 0), (4, 5, 0), (0, 5, 0))
    tree, leaves = drawing_tree(
        [floor, ring, beside, across],
        [Portal(1, 0, ring), Portal(2, 1, beside), Portal(3, 2, across)],
    )
    ports = np.nonzero(tree.nodes["tag"] == PORT)[0].tolist()
    assert [tree.portals_of(k).tolist() for k in ports] == [[[1, 0], [2, 1]], [[3, 2]]]
    assert sorted(tree.polygons.tolist()) == [0, 1, 2, 3]
    assert leaves == 3
    for k in ports:
        x, y, z, r = tree.nodes[k]["sphere"].tolist()
        for number in tree.polygons_of(k).tolist():
            corners = [floor, ring, beside, across][number]
            assert all((a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2 <= r * r for a, b, c in corners)


def test_a_house_is_solid_in_its_walls_and_hollow_in_its_rooms_and_doorways() -> None:
    """Sabotage: leave out the inner faces of the walls; the rooms become matter."""
    house = House(
        at=[0.0, 0.0],
        size=(8.0, 6.0),
        door="south",
        window=["east"],
        partitions=[Partition(at=2.0)],
    )
    faces = make_house(None, house, Pose(), "house").faces  # type: ignore[arg-type]
    rings = [
        tuple(f32_point(p) for p in f.points) for f in flattened(faces) if f.solid and f.portal < 0
    ]
    tree = physics_tree(rings)

    def solid(x: float, y: float, z: float) -> bool:
        return bool(tree.nodes[walk(tree, (x, y, z))]["solid"])

    assert solid(-2.0, -2.85, 1.5)  # in the south wall
    assert not solid(0.0, -2.85, 1.5)  # in its doorway
    assert solid(3.85, 0.0, 0.5)  # under the east window
    assert not solid(3.85, 0.0, 1.6)  # in it
    assert not solid(1.0, 1.0, 1.5)  # in a room
    assert not solid(-3.0, 1.0, 1.5)
    assert solid(1.0, 1.0, 0.1)  # under the floor
    assert solid(1.0, 1.0, 3.1)  # over the ceiling
    assert not solid(1.0, -5.0, 1.0)  # outside

"""The golden values of the specification, through the kernels that the client runs on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.graphs import OUTSIDE, BuiltModels, block, box_planes, door, raise_house, room

from acclient_py.physics import children, transit
from acclient_py.physics.layout import OBJECT_DTYPE
from acclient_py.physics.world import PhysicsWorld

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "physics_vectors.json").read_text(encoding="utf-8")
)


def frame_of(made: dict[str, Any]) -> list[float]:
    return [*made["origin"], *made["q_wxyz"]]


def array_of(world: PhysicsWorld, head: Any) -> Any:
    return np.zeros(256, np.uint32), np.zeros(256, np.int32), head


def look(
    world: PhysicsWorld, cell: int, spheres: list[dict[str, Any]], *, prune: int = 0
) -> tuple[list[int], list[bool], Any]:
    """(ids, loaded, head) of the sphere route."""
    head = np.zeros(transit.HEAD_SIZE, np.int64)
    head[transit.DO_NOT_LOAD] = prune
    head[transit.CURR_CELL] = -1
    ids, slots = np.zeros(256, np.uint32), np.zeros(256, np.int32)
    rows = np.zeros((max(len(spheres), 1), 4), np.float32)
    for i, sphere in enumerate(spheres):
        rows[i] = (*sphere["center"], sphere["radius"])
    x, y = rows[0, 0], rows[0, 1]
    transit.find_cell_list(
        world.graph.arrays, cell, x, y, rows, len(spheres), ids, slots, head, True
    )
    count = int(head[transit.COUNT])
    return [int(i) for i in ids[:count]], [bool(s >= 0) for s in slots[:count]], head


def land(world: PhysicsWorld, ids: list[int]) -> None:
    """Flat blocks under and round these cells."""
    wanted: dict[tuple[int, int], None] = {}
    for cell in ids:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                wanted[(cell >> 24) + dx, (cell >> 16 & 0xFF) + dy] = None
    world.arrivals.arrive([(block(*at), 8) for at in wanted if min(at) >= 0 and max(at) < 255])


def rooms(world: PhysicsWorld, visible: list[int]) -> None:
    """The four rooms of the vectors, as far as they are visible."""
    made = []
    for cell in VECTORS["envcells"]["cells"]:
        portals = [
            door(
                (*p["plane_n"], p["plane_d"]), p["portal_side"], int(p["other_cell"], 16),
                p["other_portal_id"],
            )
            for p in cell["portals"]
        ]  # fmt: skip
        stabs = [int(s, 16) for s in cell["stab_list"]]
        if int(cell["id"], 16) in visible:
            made.append(
                room(int(cell["id"], 16), cell["box_min"], cell["box_max"], portals, stabs=stabs)
            )
    world.arrivals.arrive((), made)


@pytest.mark.contract("S10")
@pytest.mark.parametrize("case", VECTORS["outside_cells_spheres"]["cases"])
def test_land_cells_under_spheres(case: dict[str, Any]) -> None:
    """Sabotage: swap the order of the eight neighbours; the ids differ."""
    world = PhysicsWorld(BuiltModels())
    cell = int(case["cell"], 16)
    land(world, [cell])
    if cell & 0xFFFF >= 0x100:  # through an exit that the sphere touches
        exit_plane = (1, 0, 0, -case["spheres"][0]["center"][0])
        world.arrivals.arrive(
            (), [room(cell, (0, 0, 0), (192, 192, 9), [door(exit_plane, 0, OUTSIDE)])]
        )
    ids, _, head = look(world, cell, case["spheres"])
    ids = [i for i in ids if i != cell or cell & 0xFFFF < 0x100]
    assert ids == [int(i, 16) for i in case["expect_ordered"]]
    assert head[transit.ADDED_OUTSIDE] == case["expect_added_outside"]


@pytest.mark.contract("S10")
@pytest.mark.parametrize("case", VECTORS["outside_cells_parts"]["cases"], ids=lambda c: c["name"])
def test_land_cells_under_parts(case: dict[str, Any]) -> None:
    """Sabotage: anchor at the last part; the ids differ."""
    models = BuiltModels()
    parts = []
    cell = 0
    for i, part in enumerate(case["parts"]):
        if part is None:
            parts.append((-1, (0, 0, 0, 1, 0, 0, 0)))
            continue
        cell = int(part["cell"], 16)
        flat = part.get("always2d", False)
        gfx = models.box(
            0x01000100 + i, part.get("box_min", (0, 0, 0)), part.get("box_max", (0, 0, 0)),
            sphere=part.get("sphere_radius"), flat=flat,
        )  # fmt: skip
        parts.append((gfx, frame_of(part["frame"])))
    models.body(0x02000100, parts)
    world = PhysicsWorld(models)
    land(world, [cell])
    obj = world.make_object(0x02000100)
    world.change_cell(obj, world.cell_slot(cell))
    head = np.zeros(transit.HEAD_SIZE, np.int64)
    ids, slots = np.zeros(256, np.uint32), np.zeros(256, np.int32)
    transit.outside_parts(world.graph.arrays, obj, ids, slots, head)
    expected = [int(i, 16) for i in case["expect_ordered"]]
    assert [int(i) for i in ids[: head[0]]] == expected
    near = np.zeros((transit.MAX_CYLINDERS, 4), np.float32)
    transit.find_bbox_cell_list(world.graph.arrays, obj, ids, slots, head, near)
    assert [int(i) for i in ids[: head[0]]] == [cell, *(i for i in expected if i != cell)]


@pytest.mark.contract("S10")
def test_cell_predicates() -> None:
    """Sabotage: drop the slack of 0.01, or the test for portals; a case differs."""
    vectors = VECTORS["envcells"]
    world = PhysicsWorld(BuiltModels())
    ids = [int(c["id"], 16) for c in vectors["cells"]]
    rooms(world, ids)
    for case in vectors["point_in_cell"]:
        found = world.point_in_cell(world.cell_slot(int(case["cell"], 16)), *case["point"])
        assert found == case["expect"], case
    from acclient_py.core.geom import box_intersects_planes, sphere_intersects_planes

    for case in vectors["sphere_intersects_cell"]:
        box = next(c for c in vectors["cells"] if c["id"] == case["cell"])
        planes = box_planes(box["box_min"], box["box_max"])
        hit = sphere_intersects_planes(planes, 0, 6, *case["center"], case["radius"])
        assert bool(hit) == case["expect"], case
    for case in vectors["box_intersects_cell"]:
        box = next(c for c in vectors["cells"] if c["id"] == case["cell"])
        planes = box_planes(box["box_min"], box["box_max"])
        assert box_intersects_planes(planes, 0, 6, *case["min"], *case["max"]) == case["expect"]


@pytest.mark.contract("S10")
@pytest.mark.parametrize("case", VECTORS["envcells"]["find_cell_list"])
def test_cell_lists_of_spheres(case: dict[str, Any]) -> None:
    """Sabotage: prune an outdoor seed too, or not at all; a case differs."""
    world = PhysicsWorld(BuiltModels())
    rooms(world, [int(i, 16) for i in case["visible_cells"]])
    land(world, [0x12340001])
    cell = int(case["position_cell"], 16)
    ids, loaded, head = look(world, cell, case["spheres"], prune=case["do_not_load_cells"])
    assert ids == [int(e["cell"], 16) for e in case["expect_ordered"]]
    assert loaded == [e["loaded"] for e in case["expect_ordered"]]
    curr = int(head[transit.CURR_CELL])
    curr_id = f"0x{int(world.graph.arrays.cells['id'][curr]):08X}" if curr >= 0 else None
    assert curr_id == case["expect_curr_cell"]
    assert head[transit.HITS_INTERIOR] == case["expect_hits_interior"]
    assert head[transit.ADDED_OUTSIDE] == case["expect_added_outside"]


@pytest.mark.contract("S3", "S4")
@pytest.mark.parametrize("case", VECTORS["bbox_route"]["cases"], ids=lambda c: c["name"])
def test_cell_lists_of_parts(case: dict[str, Any]) -> None:
    """Sabotage: one aggregate box for all parts; case 3 opens a portal."""
    models = BuiltModels()
    parts = []
    for i, part in enumerate(case["parts"]):
        sphere = part["sphere"]
        gfx = models.box(
            0x01000100 + i, part["box_min"], part["box_max"],
            sphere=sphere[1] if sphere else None, centre=sphere[0] if sphere else None,
            nothing=sphere is None,
        )  # fmt: skip
        parts.append((gfx, frame_of(part["frame"])))
    models.body(0x02000100, parts)
    world = PhysicsWorld(models)
    land(world, [0x12340001])
    rooms(world, [int(i, 16) for i in case["visible_cells"]])
    obj = world.make_object(0x02000100, dynamic=False)
    cell = int(case["start_cell"], 16)
    world.add_obj_to_cell(obj, world.cell_slot(cell), (0, 0, 0, 1, 0, 0, 0))
    found = world.graph.shadows_on(obj)
    assert [int(i) for i in found["cell_id"]] == [
        int(e["cell"], 16) for e in case["expect_ordered"]
    ]
    assert [bool(c >= 0) for c in found["cell"]] == [e["loaded"] for e in case["expect_ordered"]]
    world.check()


@pytest.mark.contract("S10")
@pytest.mark.parametrize("case", VECTORS["building_transit_spheres"], ids=lambda c: c["name"])
def test_a_body_enters_a_house_through_its_building(case: dict[str, Any]) -> None:
    """Sabotage: take portal ids below 0; the last assertion fails."""
    for portal, expected in ((case["portal_id"], case["expect_add"]), (-1, False)):
        models = BuiltModels()
        models.body(
            0x02000100, [(models.box(0x01000001, (0, 0, 0), (1, 1, 1)), frame_of_nothing())]
        )
        world = PhysicsWorld(models)
        land(world, [0x12340001])
        rooms(world, [int(c["id"], 16) for c in VECTORS["envcells"]["cells"]])
        cell = int(case["envcell"], 16)
        raise_house(world, 0x02000100, 0x12340001, [(cell, portal)])
        ids, _, _ = look(world, 0x12340001, [case["sphere"]])
        assert (cell in ids) == expected


def frame_of_nothing() -> tuple[float, ...]:
    return (0, 0, 0, 1, 0, 0, 0)


@pytest.mark.contract("S8", "C15")
@pytest.mark.parametrize("case", VECTORS["swap_remove"]["cases"])
def test_cell_lists_move_the_last_entry_into_the_hole(case: dict[str, Any]) -> None:
    """Sabotage: keep the order on removal; the lists differ."""
    models = BuiltModels()
    models.body(0x02000100, [(models.box(0x01000001, (0, 0, 0), (1, 1, 1)), frame_of_nothing())])
    world = PhysicsWorld(models)
    rooms(world, [0x12340100, 0x12340101])
    cell, other = world.cell_slot(0x12340100), world.cell_slot(0x12340101)
    named = {}
    for name in case["list"]:
        named[name] = world.make_object(0x02000100)
        world.add_object_to_single_cell(named[name], cell)
    if case["remove"] in named:
        world.change_cell(named[case["remove"]], other)
        world.remove_shadows_from_cells(named[case["remove"]])
    expected = [named[name] for name in case["expect"]]
    graph = world.graph
    assert graph.objects_of(cell) == expected
    assert [int(graph.arrays.shadows["object"][s]) for s in graph.shadows_of(cell)] == expected
    assert [int(e["object"]) for e in graph.parts_of(cell)] == expected


@pytest.mark.contract("C12")
@pytest.mark.parametrize("case", VECTORS["child_remove"]["cases"])
def test_a_child_list_keeps_its_order(case: dict[str, Any]) -> None:
    """Sabotage: move the last child into the hole; the lists differ.

    The case of an absent child is not reached: an object is removed from its own parent's list.
    """
    if case["remove"] not in case["list"]:
        return
    world = PhysicsWorld(BuiltModels())
    parent = world.make_object(0)
    named = {name: world.make_object(0) for name in case["list"]}
    for child in named.values():
        children.append_child(world.graph.arrays, parent, child)
    world.unset_parent(named[case["remove"]])
    assert list(world.children_of(parent)) == [named[name] for name in case["expect"]]


@pytest.mark.contract("C13")
@pytest.mark.parametrize("case", VECTORS["frame_composition"]["cases"], ids=lambda c: c["name"])
def test_frames_compose_from_object_to_part_to_child_to_its_part(case: dict[str, Any]) -> None:
    """Sabotage: scale the holding frame; the child's frame differs."""
    models = BuiltModels()
    gfx = models.box(0x01000001, (0, 0, 0), (1, 1, 1))
    nothing = {"origin": (0, 0, 0), "q_wxyz": (1, 0, 0, 0)}
    models.body(0x02000001, [(gfx, frame_of(case.get("anim_part_frame", nothing)))])
    models.body(0x02000002, [(gfx, frame_of(case.get("child_placement_part_frame", nothing)))])
    world = PhysicsWorld(models)
    rooms(world, [0x12340100, 0x12340101])
    parent = world.make_object(0x02000001, scale=case.get("parent_scale", 1.0))
    child = world.make_object(0x02000002, scale=case.get("child_scale", 1.0))
    world.change_cell(parent, world.cell_slot(0x12340100))
    world.set_frame(parent, frame_of(case["parent_frame"]))
    at = case.get("part_index", 0)
    assert world.set_parent_frame(child, parent, at, frame_of(case["holding_frame"])) is None
    objects, parts = world.graph.arrays.objects, world.graph.arrays.parts
    part, child_part = (int(objects["part_first"][o]) for o in (parent, child))
    for found, name in (
        (parts["frame"][part], "expect_parent_part_frame"),
        (objects["frame"][child], "expect_child_frame"),
        (parts["frame"][child_part], "expect_child_part_frame"),
    ):
        if name not in case:
            continue
        want = np.array(frame_of(case[name]))
        np.testing.assert_allclose(found[:3], want[:3], atol=1e-5)
        same = np.allclose(found[3:], want[3:], atol=1e-5)
        assert same or np.allclose(found[3:], -want[3:], atol=1e-5)


def test_an_object_row_is_what_the_c_yardstick_reads() -> None:
    """The layout has no holes that another compiler would fill otherwise."""
    assert OBJECT_DTYPE.itemsize == 192

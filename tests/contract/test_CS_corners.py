"""Corners of C and S that the plain twin found, or that only a sharper world tells apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from builders.graphs import (
    CRATE,
    GHOST,
    IDENTITY,
    MAN,
    OUTSIDE,
    PILLAR,
    SWORD,
    BuiltModels,
    block,
    cells_of,
    door,
    holders_of,
    models,
    put,
    raise_house,
    room,
    two_rooms,
)

from acclient_py.physics.layout import CAUSE_MOVE, MARK_LATE
from acclient_py.physics.position import Batch
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.transition import Result
from acclient_py.physics.world import PhysicsWorld

A, B, C, D = 0x12340100, 0x12340101, 0x12340102, 0x12340103
LAND, SOUTH = 0x12340001, 0x12330008
EAST = door((1, 0, 0, -10), 1, B)
NORTH = door((0, 1, 0, -10), 1, D)
EXIT = door((0, 1, 0, 0), 0, OUTSIDE)


def built(*, land: bool = False) -> tuple[PhysicsWorld, BuiltModels]:
    made = models()
    world = PhysicsWorld(made)
    if land:
        world.arrivals.arrive([(block(0x12, 0x34), 8), (block(0x12, 0x33), 8)])
    return world, made


def stand(world: PhysicsWorld, did: int, cell: int, *at: float) -> int:
    """A static at a place."""
    return put(world, did, cell, *at, dynamic=False)


def arrive(world: PhysicsWorld, *rooms: object) -> None:
    world.arrivals.arrive((), list(rooms))  # type: ignore[arg-type]


def cube(made: BuiltModels, did: int, half: float, places: Sequence[Sequence[float]], *,
         sphere: float = 0.0) -> int:  # fmt: skip
    """A body of cubes, one a place."""
    mesh = made.box(did - 0x01000000, (-half,) * 3, (half,) * 3, sphere=sphere or half * 1.8)
    return made.body(did, [(mesh, (*place, 1, 0, 0, 0)) for place in places])


@pytest.mark.contract("S3", "SF1")
def test_no_box_is_drawn_around_all_parts() -> None:
    """Sabotage: one aggregate box; it meets B through the door that no part reaches."""
    world, made = built()
    body = cube(made, 0x02000030, 0.5, [(9.8, 2, 1), (12.0, 9.0, 1)], sphere=0.9)
    arrive(
        world,
        room(A, (0, 0, 0), (10, 10, 5), [EAST]),
        room(B, (10, 4, 0), (20, 7, 5), [door((1, 0, 0, -10), 0, A)]),
    )
    assert cells_of(world, stand(world, body, A, 0, 0, 0)) == [A]


@pytest.mark.contract("S3")
def test_the_walk_goes_on_from_the_cells_that_it_finds() -> None:
    """Sabotage: walk the start cell only; the third room is not reached."""
    world, made = built()
    body = cube(made, 0x02000030, 0.4, [(9, 5, 1), (11, 5, 1), (10, 5, 1)])
    arrive(
        world,
        room(A, (0, 0, 0), (10, 10, 5), [EAST]),
        room(B, (10, 0, 0), (10.8, 10, 5), [door((1, 0, 0, -10.8), 1, C)]),
        room(C, (10.8, 0, 0), (20, 10, 5), [door((1, 0, 0, -10.8), 0, B)]),
    )
    assert cells_of(world, stand(world, body, A, 0, 0, 0)) == [A, B, C]


@pytest.mark.contract("S4", "SF6")
def test_a_sphere_does_not_open_an_exit_for_a_box_that_stays_inside() -> None:
    """Sabotage: drop the box test at the portal; the land cells are in the array."""
    world, made = built(land=True)
    body = cube(made, 0x02000030, 0.5, [(0, 0, 0)], sphere=1.5)
    arrive(world, room(A, (0, 0, 0), (10, 10, 5), [EXIT]))
    assert cells_of(world, stand(world, body, A, 5, 1, 1)) == [A]
    assert cells_of(world, stand(world, body, A, 5, 0.2, 1)) == [A, SOUTH, LAND]


@pytest.mark.contract("S4")
def test_a_box_through_a_door_has_to_meet_the_room_behind() -> None:
    """Sabotage: drop the box test in the neighbour; the low room behind the high door is in."""
    world, made = built()
    body = cube(made, 0x02000030, 0.5, [(0, 0, 0)])
    arrive(world, room(A, (0, 0, 0), (10, 10, 5), [EAST]), room(B, (10, 0, 0), (20, 10, 2)))
    assert cells_of(world, stand(world, body, A, 9.8, 5, 4)) == [A]
    assert cells_of(world, stand(world, body, A, 9.8, 5, 1)) == [A, B]


@pytest.mark.contract("S4")
def test_the_outside_comes_after_all_portals() -> None:
    """Sabotage: add the outside cells at their portal; B comes last."""
    world, made = built(land=True)
    body = cube(made, 0x02000030, 0.5, [(0, 0, 0)])
    arrive(world, room(A, (0, 0, 0), (10, 10, 5), [EXIT, EAST]), room(B, (10, 0, 0), (20, 10, 5)))
    assert cells_of(world, stand(world, body, A, 9.8, 0.2, 1)) == [A, B, SOUTH, LAND]


@pytest.mark.contract("S4")
def test_a_part_without_a_sphere_opens_no_portal() -> None:
    """Sabotage: take a part without trees as one with an empty sphere; B is in the array."""
    world, made = built()
    mesh = made.box(0x01000030, (-0.5,) * 3, (0.5,) * 3, nothing=True)
    made.body(0x02000030, [(mesh, IDENTITY)])
    arrive(world, room(A, (0, 0, 0), (10, 10, 5), [EAST]), room(B, (10, 0, 0), (20, 10, 5)))
    assert cells_of(world, stand(world, 0x02000030, A, 9.8, 5, 1)) == [A]


@pytest.mark.contract("S8")
def test_the_last_of_a_list_takes_the_place_of_what_leaves() -> None:
    """Sabotage: close the list up in order; the shadows read otherwise."""
    world = two_rooms()
    objs = [put(world, GHOST, A, 2 + i, 5, 0) for i in range(4)]
    world.remove_shadows_from_cells(objs[0])
    assert holders_of(world, A) == [objs[3], objs[1], objs[2]]


@pytest.mark.contract("S10")
def test_a_sphere_needs_no_door_to_a_room_that_is_there() -> None:
    """Sabotage: ask the portal's plane of a resident neighbour; B is left out."""
    world, made = built()
    body = made.body(
        0x02000030, [(0, IDENTITY)], cylspheres=[(0, 0, 0, 1.0, 2.0)], sorting=(0, 0, 0, 1.0)
    )
    arrive(
        world,
        room(A, (0, 0, 0), (10, 10, 5), [door((1, 0, 0, -30), 0, B)], stabs=[B]),
        room(B, (10, 0, 0), (20, 10, 5)),
    )
    assert cells_of(world, stand(world, body, A, 9.5, 5, 1)) == [A, B]
    assert cells_of(world, stand(world, body, A, 5, 5, 1)) == [A]


@pytest.mark.contract("S10")
def test_a_circle_reaches_the_neighbours_of_its_land_cell() -> None:
    """Sabotage: forget the corner; the diagonal neighbour is missing."""
    world, _ = built(land=True)
    pillar = world.make_object(PILLAR)
    world.add_obj_to_cell(pillar, world.cell_slot(LAND), (23.5, 23.5, 0, 1, 0, 0, 0))
    world.calc_cross_cells(pillar)
    assert cells_of(world, pillar) == [LAND, 0x12340009, 0x1234000A, 0x12340002]


@pytest.mark.contract("S10")
def test_only_the_land_cell_under_a_houses_origin_knows_the_house() -> None:
    """Sabotage: ask any land cell for the building; the first assertion fails."""
    world, made = built(land=True)
    body = cube(made, 0x02000030, 0.5, [(0, 0, 0)])
    inner = [door((0, 1, 0, -20), 0, OUTSIDE)]
    arrive(world, room(A, (0, 20, 0), (10, 30, 5), inner))
    raise_house(world, GHOST, LAND, [(A, 0)])
    assert cells_of(world, stand(world, body, 0x12340002, 5, 28, 1)) == [0x12340002]
    both = cells_of(world, stand(world, body, 0x12340002, 5, 24.2, 1))
    assert both == [0x12340002, LAND, A]


@pytest.mark.contract("C11")
def test_a_holding_location_without_a_part_hangs_on_the_object() -> None:
    """Sabotage: store the part number as it stands; 0xFFFFFFFF does not fit and the attach dies."""
    world, made = built()
    arrive(world, room(A, (0, 0, 0), (10, 10, 5)))
    made.body(0x02000030, [(0, (0, 0, 3, 1, 0, 0, 0))],
              holdings={1: (0xFFFFFFFF, (1, 0, 0, 1, 0, 0, 0))})  # fmt: skip
    bearer, sword = put(world, 0x02000030, A, 5, 5, 0), world.make_object(SWORD)
    assert world.set_parent(sword, bearer, 1) is None
    assert tuple(world.row(sword)["frame"][:3]) == (6, 5, 0)


def _late(world: PhysicsWorld, obj: int) -> bool:
    return bool(world.row(obj)["marks"] & MARK_LATE)


@pytest.mark.contract("S11")
def test_a_move_past_a_missing_room_is_marked_as_a_computation_is() -> None:
    """Sabotage: commit without the path's note; the mark is lost."""
    world, _ = built()
    arrive(world, room(A, (0, 0, 0), (10, 10, 5), [EAST]))
    man = put(world, MAN, A, 5, 5, 0)
    values: dict[str, object] = dict.fromkeys(Result.__annotations__)
    values |= {
        "ok": True, "curr_cell": world.cell_slot(A), "curr_id": A, "missed": True, "touched": (),
        "curr": np.array((4, 5, 0, 1, 0, 0, 0), np.float64),
        "cell_ids": np.array([A], np.uint32),
        "cell_slots": np.array([world.cell_slot(A)], np.int32),
    }  # fmt: skip
    world.commit(man, Result(**values), cause=CAUSE_MOVE)  # type: ignore[arg-type]
    assert _late(world, man)


@pytest.mark.contract("S11")
def test_a_complete_root_publishes_what_it_has_when_its_child_is_repaired() -> None:
    """Sabotage: compute the root anew for its child's sake; its array of two cells is gone."""
    world, _ = built()
    arrive(
        world,
        room(A, (0, 0, 0), (10, 10, 5), [door((0, 1, 0, 0), 0, C), EAST]),
        room(C, (0, -10, 0), (10, 0, 5)),
    )
    man = put(world, MAN, A, 5, 5, 0)
    batch = Batch()
    ids = np.array([A, C], np.uint32)
    slots = np.array([world.cell_slot(A), world.cell_slot(C)], np.int32)
    frame = np.array((9.0, 5, 0, 1, 0, 0, 0), np.float32)
    batch.add(man, int(slots[0]), frame, cell_id=A, cause=CAUSE_MOVE, ids=ids, slots=slots)
    batch.commit(world.graph)
    crate = world.make_object(CRATE)
    assert world.set_parent(crate, man, 1) is None
    assert cells_of(world, crate) == [A, B]
    arrive(world, room(B, (10, 0, 0), (20, 10, 5)))
    assert cells_of(world, man) == [A, C]
    assert cells_of(world, crate) == [A, C]
    world.check()


@pytest.mark.contract("S11", "S6")
def test_a_childs_mark_ends_when_its_root_publishes() -> None:
    """Sabotage: leave the child's mark; the next arrival repairs a tree that lacks nothing."""
    world, _ = built()
    arrive(world, room(A, (0, 0, 0), (30, 10, 5), [door((1, 0, 0, -30), 1, B)]))
    man, sword = put(world, MAN, A, 5, 5, 0), world.make_object(SWORD)
    assert world.set_parent(sword, man, 1) is None
    assert _late(world, sword)
    ids, slots = np.array([A], np.uint32), np.array([world.cell_slot(A)], np.int32)
    world.add_shadows_to_cells(man, ids, slots)
    assert not _late(world, sword)


@pytest.mark.contract("E10", "C13")
def test_switching_lights_moves_nothing() -> None:
    """Sabotage: set the frame again for the new lights; the stale child is moved."""
    world, _ = built()
    arrive(world, room(A, (0, 0, 0), (10, 10, 5)))
    from builders.graphs import LAMP

    lamp, sword = world.make_object(LAMP), put(world, SWORD, A, 3, 3, 0)
    assert world.set_parent(sword, lamp, 1) is None  # the lamp has no cell: no frame is composed
    before = world.row(sword)["frame"].tobytes()
    world.set_state(lamp, int(world.state_of(lamp)) & ~int(PhysicsState.LIGHTING_ON))
    world.set_state(lamp, int(world.state_of(lamp)) | int(PhysicsState.LIGHTING_ON))
    assert world.row(sword)["frame"].tobytes() == before

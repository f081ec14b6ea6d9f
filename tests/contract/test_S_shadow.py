"""Contract S: one transaction, two products."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from builders.graphs import (
    CRATE,
    CREATURE,
    EMITTER_STATE,
    GHOST,
    HOLLOW,
    IDENTITY,
    MAN,
    OUTSIDE,
    PILLAR,
    PLAYER,
    SWORD,
    armed,
    block,
    cells_of,
    door,
    holders_of,
    models,
    objects_in,
    open_land,
    parts_in,
    put,
    raise_house,
    room,
    two_rooms,
)

from acclient_py.physics.check import InvariantError
from acclient_py.physics.layout import (
    EVENT_ADD_PART,
    EVENT_ADD_SHADOW,
    EVENT_ARRAY_CELL,
    EVENT_CELL_ARRAY,
    EVENT_REMOVE_PART,
    EVENT_REMOVE_SHADOW,
)
from acclient_py.physics.world import PhysicsWorld

A, B, C, D = 0x12340100, 0x12340101, 0x12340102, 0x12340103
LAND = 0x12340001
parents = pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])


@pytest.fixture
def world() -> PhysicsWorld:
    return two_rooms()


def hall(world: PhysicsWorld, *, only: tuple[int, ...] = (A, B, D), sees: bool = True) -> None:
    """A with B to the east, D to the north, and (with `sees`) the outside to the south."""
    portals = [door((1, 0, 0, -10), 1, B), door((0, 1, 0, -10), 1, D)]
    if sees:
        portals.append(door((0, 1, 0, 0), 0, OUTSIDE))
    made = {
        A: room(A, (0, 0, 0), (10, 10, 5), portals, stabs=[B], seen_outside=True),
        B: room(B, (10, 0, 0), (20, 10, 5), [door((1, 0, 0, -10), 0, A)], stabs=[A]),
        D: room(D, (0, 10, 0), (10, 20, 5), [door((0, 1, 0, -10), 0, A)], stabs=[A]),
    }
    world.arrivals.arrive((), [made[i] for i in only])


@pytest.mark.contract("S1", "C9")
def test_statics_are_made_in_source_order_and_an_empty_slot_stays(world: PhysicsWorld) -> None:
    """Sabotage: leave empty slots out; the list of statics has two entries."""
    statics = [(CRATE, (3, 3, 0, 1, 0, 0, 0)), (0, IDENTITY), (GHOST, (6, 6, 0, 1, 0, 0, 0))]
    world.arrivals.arrive((), [room(C, (20, 0, 0), (30, 10, 5), statics=statics)])
    made = world.statics[C].tolist()
    assert len(made) == 3
    assert made[1] == -1
    assert objects_in(world, C) == [made[0], made[2]]
    assert [tuple(world.row(o)["frame"][:3]) for o in (made[0], made[2])] == [(3, 3, 0), (6, 6, 0)]
    assert world.row(made[2])["home_id"] == C
    assert world.row(made[2])["home_index"] == 2
    world.check()


@pytest.mark.contract("S11", "E15")
def test_a_deleted_static_is_not_freed_again_with_its_cell(world: PhysicsWorld) -> None:
    """Sabotage: leave the slot filled; another object's row is freed with the cell."""
    world.arrivals.arrive((), [room(C, (20, 0, 0), (30, 10, 5), statics=[(GHOST, IDENTITY)])])
    world.delete_object(int(world.statics[C][0]))
    heir = put(world, GHOST, A, 5, 5, 0)
    world.remove_env_cell(C)
    assert objects_in(world, A) == [heir]
    assert world.counts()["objects"] == 1
    world.check()


@pytest.mark.contract("S2")
def test_routes_of_static_computation() -> None:
    """Sabotage: send cylinders through the boxes; the pillar reaches the outside too."""
    world = PhysicsWorld(models())
    world.arrivals.arrive([(block(0x12, 0x34), 8), (block(0x12, 0x33), 8)])
    hall(world)
    for did, expected in (
        (PILLAR, [A]),  # cylinders are pruned to the seed's stab list: no land cells
        (GHOST, [A, 0x12330008, LAND]),
        (CRATE, [A, 0x12330008, LAND]),
    ):
        obj = put(world, did, A, 5, 0.5, 0, dynamic=False)
        assert cells_of(world, obj) == expected
    world.check()


@pytest.mark.contract("S2", "S10")
def test_the_dynamic_route_does_not_prune() -> None:
    """Sabotage: prune always; the pillar loses its land cells."""
    world = PhysicsWorld(models())
    world.arrivals.arrive([(block(0x12, 0x34), 8), (block(0x12, 0x33), 8)])
    hall(world)
    pillar = put(world, PILLAR, A, 5, 0.5, 0)
    assert cells_of(world, pillar) == [A]
    world.calc_cross_cells(pillar)
    assert cells_of(world, pillar) == [A, LAND, 0x12330008]


@pytest.mark.contract("S3", "SF1")
def test_two_parts_through_two_portals_give_the_exact_array_and_lists() -> None:
    """Sabotage: one aggregate box; a portal that no single part reaches opens."""
    world = PhysicsWorld(models())
    made = world.models
    stub = made.box(0x01000010, (-1, -1, -1), (1, 1, 1), sphere=1.0)  # type: ignore[attr-defined]
    made.body(  # type: ignore[attr-defined]
        0x02000020, [(stub, (9.8, 5, 1, 1, 0, 0, 0)), (stub, (5, 9.8, 1, 1, 0, 0, 0))]
    )
    hall(world, sees=False)
    obj = world.make_object(0x02000020, dynamic=False)
    world.add_obj_to_cell(obj, world.cell_slot(A), IDENTITY)
    assert cells_of(world, obj) == [A, B, D]
    for cell in (A, B, D):
        assert parts_in(world, cell) == [(obj, 0), (obj, 1)]


@pytest.mark.contract("S4", "SF6")
def test_a_sphere_alone_opens_no_portal() -> None:
    """Sabotage: drop the box test at the portal; B is in the array."""
    world = PhysicsWorld(models())
    made = world.models
    ball = made.box(0x01000010, (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), sphere=1.5)  # type: ignore[attr-defined]
    made.body(0x02000020, [(ball, IDENTITY)])  # type: ignore[attr-defined]
    hall(world, sees=False)
    obj = put(world, 0x02000020, A, 9.2, 5, 1, dynamic=False)
    assert cells_of(world, obj) == [A]


@pytest.mark.contract("S4", "SF5")
def test_a_static_across_an_exit_keeps_its_outside_cells() -> None:
    """Sabotage: prune the boxes' route; only A is left."""
    world = PhysicsWorld(models())
    world.arrivals.arrive([(block(0x12, 0x34), 8), (block(0x12, 0x33), 8)])
    hall(world)
    obj = put(world, GHOST, A, 5, 0.2, 1, dynamic=False)
    assert cells_of(world, obj) == [A, 0x12330008, LAND]


@pytest.mark.contract("S5")
def test_clip_planes_belong_to_env_cells_of_objects_with_several_shadows(
    world: PhysicsWorld,
) -> None:
    """Sabotage: planes for one shadow too; the first assertion fails."""
    one = put(world, GHOST, A, 5, 5, 0)
    assert [int(e["planes"]) for e in world.graph.parts_of(world.cell_slot(A))] == [0]
    two = put(world, GHOST, A, 9.5, 5, 0)
    planes = {int(e["object"]): int(e["planes"]) for e in world.graph.parts_of(world.cell_slot(A))}
    assert planes == {one: 0, two: 1}


@pytest.mark.contract("S5")
def test_null_cells_count_and_null_parts_are_skipped() -> None:
    """Sabotage: skip null cells when counting; the entry has no planes."""
    world = PhysicsWorld(models())
    hall(world, only=(A,), sees=False)
    obj = put(world, HOLLOW, A, 9.5, 5, 0)
    assert cells_of(world, obj) == [A, B]
    assert [int(c) >= 0 for c in world.graph.shadows_on(obj)["cell"]] == [True, False]
    assert parts_in(world, A) == [(obj, 1)]
    assert [int(e["planes"]) for e in world.graph.parts_of(world.cell_slot(A))] == [1]
    world.check()


@pytest.mark.contract("S6", "SF2")
@parents
def test_a_shapeless_child_takes_the_roots_array(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: compute the child's array from its own shape; the orders differ."""
    family = armed(world, who, A, 5, 5, 0)
    ids = np.array([B, A], np.uint32)
    slots = np.array([world.cell_slot(B), world.cell_slot(A)], np.int32)
    world.add_shadows_to_cells(family[0], ids, slots)
    assert [cells_of(world, o) for o in family] == [[B, A]] * 4
    man, sword, shield, charm = family
    assert parts_in(world, B) == [(man, 0), (man, 1), (sword, 0), (charm, 0), (shield, 0)]
    assert parts_in(world, A) == parts_in(world, B)


@pytest.mark.contract("S7", "SF3")
def test_an_emitter_is_in_its_own_cell_only(world: PhysicsWorld) -> None:
    """Sabotage: drop the emitter's branch; it is in two cells."""
    man, sword, *_ = armed(world, PLAYER, A, 9.5, 5, 0)
    world.set_state(sword, EMITTER_STATE)
    ids = np.array([A, B], np.uint32)
    slots = np.array([world.cell_slot(A), world.cell_slot(B)], np.int32)
    world.add_shadows_to_cells(man, ids, slots)
    assert cells_of(world, sword) == [A]
    assert sword not in holders_of(world, B)
    world.check()


@pytest.mark.contract("S8", "SF4")
@parents
def test_removal_leaves_nothing_at_any_depth(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: stop the recursion of the removal; the charm's entries survive."""
    family = armed(world, who, A, 9.5, 5, 0)
    other = put(world, GHOST, A, 5, 5, 0)
    world.remove_shadows_from_cells(family[0])
    assert [cells_of(world, o) for o in family] == [[]] * 4
    assert holders_of(world, A) == [other]
    assert parts_in(world, A) == [(other, 0)]
    assert parts_in(world, B) == []
    world.check()


@pytest.mark.contract("S9")
@parents
def test_collision_and_drawing_agree(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: take an entry out of a part list only; the check says S9."""
    family = armed(world, who, A, 9.5, 5, 0)
    world.check()
    for cell in (A, B):
        assert set(holders_of(world, cell)) == {obj for obj, _ in parts_in(world, cell)}
    graph = world.graph
    graph.arrays.cells["parts_count"][world.cell_slot(A)] -= 1
    with pytest.raises(InvariantError, match=r"S9|L6"):
        world.check()
    assert len(family) == 4


@pytest.mark.contract("S10")
def test_a_house_lets_an_outdoor_body_in_through_its_own_land_cell_only() -> None:
    """Sabotage: ask every land cell for the building; the second assertion fails."""
    world = PhysicsWorld(models())
    world.arrivals.arrive([(block(0x12, 0x34), 8)])
    hall(world)
    raise_house(world, GHOST, LAND, [(A, 2)])
    inside = put(world, CRATE, LAND, 5, 5, 0)
    assert A in cells_of(world, inside)
    apart = put(world, CRATE, 0x12340002, 5, 26, 0)
    assert A not in cells_of(world, apart)
    raise_house(world, GHOST, LAND, [(B, 0)])  # the first one wins, silently
    again = put(world, CRATE, LAND, 5, 5, 0)
    assert cells_of(world, again) == cells_of(world, inside)


@pytest.mark.contract("S11")
@parents
def test_unloading_takes_its_cells_and_loses_the_movers(who: tuple[int, int]) -> None:
    """Sabotage: leave release_cell out; shadows point at freed cells and the check fails."""
    world = open_land()
    before = world.counts()
    family = armed(world, who, 0x11210001, 0.2, 0.2, 0)
    stayer = put(world, GHOST, 0x10210039, 191, 5, 0)
    assert 0x11210001 in cells_of(world, stayer)
    world.remove_landblock(0x1121FFFF)
    assert world.full_cell_id(family[0]) == 0
    assert world.lost.waiting(0x11210001) == [family[0]]
    assert not world.is_completely_visible(stayer)
    world.check()
    world.arrivals.arrive([(block(0x11, 0x21), 8)])
    assert [world.full_cell_id(o) for o in family] == [0x11210001] * 4
    assert world.is_completely_visible(stayer)
    assert world.lost.deadline_count() == 0
    world.check()
    for obj in (*family, stayer):
        world.delete_object(obj)
    assert world.counts() == before


@pytest.mark.contract("S11")
def test_a_repair_never_leaves_a_child_with_an_array_of_its_own() -> None:
    """Sabotage: recalc_cross_cells as repair; the sword's array differs from the man's."""
    world = PhysicsWorld(models())
    hall(world, only=(A,), sees=False)
    family = armed(world, PLAYER, A, 9.9, 5, 0)
    assert not world.is_completely_visible(family[0])
    hall(world, only=(B, D), sees=False)
    assert cells_of(world, family[0]) == [A, B]
    assert [cells_of(world, o) for o in family] == [[A, B]] * 4
    world.check()


@pytest.mark.contract("SF7", "S11")
def test_any_order_of_arrival_gives_the_same_arrays_and_sets() -> None:
    """Sabotage: do not mark a body that met a missing outside anchor (D12); orders differ."""
    seen = set()
    arrivals = ("land", "south", "A", "B", "D")
    for order in list(permutations(arrivals))[::7]:
        if order.index("A") == len(order):
            continue
        world = PhysicsWorld(models())
        objs: list[int] = []
        for name in order:
            if name == "land":
                world.arrivals.arrive([(block(0x12, 0x34), 8)])
                raise_house(world, GHOST, LAND, [(A, 2)])
                objs.append(put(world, CRATE, LAND, 5, 1, 0, guid=4))
            elif name == "south":
                world.arrivals.arrive([(block(0x12, 0x33), 8)])
            else:
                hall(world, only=({"A": A, "B": B, "D": D}[name],))
                if name == "A":
                    objs.append(put(world, GHOST, A, 9.5, 0.5, 0, dynamic=False, guid=1))
                    objs.append(put(world, PILLAR, A, 9.5, 9.5, 0, dynamic=False, guid=2))
                    objs += armed(world, (3, 1), A, 9.9, 9.9, 0)
        world.arrivals.repair()
        world.check()
        guids = world.graph.arrays.objects["guid"]
        arrays = sorted((int(guids[o]), tuple(cells_of(world, o))) for o in objs)
        sets = [
            (cell, tuple(sorted((int(guids[o]), i) for o, i in parts_in(world, cell))))
            for cell in (A, B, D, LAND, 0x12330008)
        ]
        seen.add((tuple(arrays), tuple(sets)))
    assert len(seen) == 1


@pytest.mark.contract("S8", "T2", "T3")
def test_a_publication_is_told_entry_by_entry_in_order(world: PhysicsWorld) -> None:
    """Sabotage: record the adding before the removal; the kinds are in another order."""
    man = put(world, MAN, A, 5, 5, 0)
    sword = world.make_object(SWORD)
    assert world.set_parent(sword, man, 1) is None
    world.graph.record(True)
    world.calc_cross_cells(man)
    kinds = [int(e["kind"]) for e in world.graph.drain_events()]
    assert kinds == [
        EVENT_REMOVE_SHADOW, EVENT_REMOVE_PART, EVENT_REMOVE_PART,
        EVENT_REMOVE_SHADOW, EVENT_REMOVE_PART,
        EVENT_CELL_ARRAY, EVENT_ARRAY_CELL, EVENT_ADD_SHADOW, EVENT_ADD_PART, EVENT_ADD_PART,
        EVENT_CELL_ARRAY, EVENT_ARRAY_CELL, EVENT_ADD_SHADOW, EVENT_ADD_PART,
    ]  # fmt: skip


@pytest.mark.contract("L6")
def test_the_painters_order_takes_additions_at_its_end(world: PhysicsWorld) -> None:
    """Sabotage: fill the hole in `order` with the entry that moves in `entries`."""
    objs = [put(world, GHOST, A, 2 + i, 5, 0) for i in range(4)]
    arrays, cell = world.graph.arrays, world.cell_slot(A)
    first = int(arrays.cells["parts_first"][cell])
    for rank, place in enumerate((3, 1, 0, 2)):  # as a sort would leave it
        arrays.order[first + rank] = place
        arrays.ranks[first + place] = rank
    world.remove_shadows_from_cells(objs[1])
    arrays = world.graph.arrays
    first = int(arrays.cells["parts_first"][cell])
    drawn = [int(arrays.entries["object"][first + p]) for p in arrays.order[first : first + 3]]
    assert drawn == [objs[3], objs[2], objs[0]]
    world.check()

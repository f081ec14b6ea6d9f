"""An object's own translucency: on all parts or one, never on a cloaked object, 1 is not drawn."""

from __future__ import annotations

import numpy as np
from builders.graphs import MAN, open_land, put

from acclient_py.physics.layout import PART_NODRAW
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.world import PhysicsWorld

LAND = 0x10200019


def parts(world: PhysicsWorld, obj: int) -> tuple[list[float], list[bool]]:
    row = world.graph.arrays.objects[obj]
    rows = world.graph.arrays.parts[int(row["part_first"]) :][: int(row["part_count"])]
    shown = rows["flags"] & np.uint32(PART_NODRAW) == 0
    return rows["translucency"].tolist(), shown.tolist()


def test_all_parts_take_it_and_one_part_alone() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    world.set_translucency(man, 0.5)
    assert parts(world, man) == ([0.5, 0.5], [True, True])
    world.set_translucency(man, 0.25, part=1)
    assert parts(world, man) == ([0.5, 0.25], [True, True])
    world.set_translucency(man, 0.75, part=2)
    assert parts(world, man) == ([0.5, 0.25], [True, True]), "there is no part 2"


def test_a_part_that_is_wholly_translucent_is_not_drawn_until_it_is_less() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    world.set_translucency(man, 1.0, part=0)
    assert parts(world, man)[1] == [False, True]
    world.set_translucency(man, 0.0)
    assert parts(world, man)[1] == [True, True]


def test_an_object_that_is_not_drawn_stays_so() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    world.set_nodraw(man, True)
    world.set_translucency(man, 0.0)
    assert parts(world, man)[1] == [False, False]


def test_a_cloaked_object_ignores_it() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    world.set_state(man, int(world.state_of(man) | PhysicsState.CLOAKED))
    world.set_translucency(man, 0.5)
    assert parts(world, man)[0] == [0.0, 0.0]

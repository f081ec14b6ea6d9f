"""Statics that are placed together are what they would be one by one."""

from __future__ import annotations

import numpy as np
import pytest
from builders.graphs import (
    CRATE,
    GHOST,
    HOLLOW,
    LAMP,
    MAN,
    PILLAR,
    door,
    models,
    room,
)

from acclient_py.physics.static_rows import APART, NONE
from acclient_py.physics.statics import MadeStatics
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.cell import EnvCellModel

A, B = 0x12340100, 0x12340101


def rooms() -> list[EnvCellModel]:
    """Two rooms full of things of every kind, some in the door, one empty slot in each."""
    kinds = (MAN, 0, CRATE, PILLAR, LAMP, 0x01000004, HOLLOW, CRATE, LAMP, MAN, GHOST)
    made = []
    for cell, low, other, side in ((A, 0.0, B, 1), (B, 10.0, A, 0)):
        things = [
            (did, (low + 0.93 * n, 2.0 + n % 5, 0.1 * n, np.cos(n), 0, 0, np.sin(n)))
            for n, did in enumerate(kinds)
        ]
        made.append(
            room(
                cell, (low, 0, 0), (low + 10, 10, 5), [door((1, 0, 0, -10), side, other)],
                stabs=[other], statics=things,
            )
        )  # fmt: skip
    return made


def arrays_of(world: PhysicsWorld) -> dict[str, bytes]:
    a = world.graph.arrays
    names = [name for name in a._fields if name not in ("events", "control", "stack")]
    return {name: getattr(a, name).tobytes() for name in names}


def named(world: PhysicsWorld) -> dict[int, list[int]]:
    """The statics of each home."""
    return {home: world.statics[home].tolist() for home in world.statics.homes()}


def built(*, one_by_one: bool) -> PhysicsWorld:
    """Recording is what makes the world place them one by one."""
    world = PhysicsWorld(models())
    world.graph.record(one_by_one)
    for _ in range(3):  # rows that were given back are taken again
        world.arrivals.arrive((), rooms())
        assert len(world.statics[A]) == len(world.statics[B]) == 11
        world.check()
        world.remove_env_cell(A)
        world.remove_env_cell(B)
        assert world.counts()["objects"] == 0
    world.arrivals.arrive((), rooms())
    world.check()
    world.graph.drain_events()
    return world


@pytest.mark.contract("S1", "S2", "S5")
def test_many_statics_are_placed_as_one_after_the_other() -> None:
    """Sabotage: forget the scale, the home or the route in `statics.py`; an array is listed."""
    many, singly = built(one_by_one=False), built(one_by_one=True)
    assert named(many) == named(singly)
    of_many, of_one = arrays_of(many), arrays_of(singly)
    assert [name for name in of_many if of_many[name] != of_one[name]] == []
    assert many.counts() == singly.counts()
    for made in named(many).values():
        assert [obj >= 0 for obj in made] == [True, False, *[True] * 9]
    shadows = [many.graph.shadows_on(obj) for obj in named(many)[A] if obj >= 0]
    touched = {int(cell_id) for mine in shadows for cell_id in mine["cell_id"]}
    assert touched == {A, B}, "something stands in the door"


def told(world: PhysicsWorld, obj: int) -> list[object]:
    """All that an object is, but for the rows that it lies in."""
    a = world.graph.arrays
    row = a.objects[obj]
    first, count = int(row["part_first"]), int(row["part_count"])
    pose = int(row["pose_first"])
    links = {"cell_next", "cell_prev", "part_first", "light_first", "shadow_first", "place_first",
             "pose_first", "shape", "home_id", "home_index", "generation"}  # fmt: skip
    parts = a.parts[first : first + count]
    body = world.bodies.rows[obj]
    setup = world.setup_of(obj)
    return [
        [(n, np.asarray(row[n]).tolist()) for n in row.dtype.names or () if n not in links],
        [(n, parts[n].tolist()) for n in parts.dtype.names or () if n != "object"],
        a.shapes[row["shape"]].tobytes(),
        a.poses[pose : pose + int(row["pose_count"])].tolist(),
        [(n, np.asarray(body[n]).tolist()) for n in body.dtype.names or () if n != "generation"],
        world.graph.shadows_on(obj)["cell_id"].tolist(),
        setup.id if setup is not None else 0,
    ]


@pytest.mark.contract("S1", "S2")
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_static_of_the_pattern_is_one_that_was_made(scale: float) -> None:
    """Sabotage: leave `scale`, the bodies or the frames of parts out; a fact differs."""
    world = PhysicsWorld(models())
    world.arrivals.arrive((), rooms())
    manifest = world.arrivals.manifest
    expected = []
    cell = world.cell_slot(A)
    statics = rooms()[0].statics
    manifest.add(
        0x12340105,
        np.array([static.did for static in statics], np.uint32),
        np.full(len(statics), cell, np.int32),
        np.array([static.frame for static in statics], np.float32),
        np.full(len(statics), scale, np.float32),
    )
    for static in statics:
        if static.did:
            obj = world.make_object(static.did, dynamic=False, scale=scale)
            world.add_obj_to_cell(obj, cell, static.frame)
            expected.append(told(world, obj))
    manifest.place()
    made = world.statics[0x12340105]
    assert [told(world, obj) for obj in made.tolist() if obj >= 0] == expected
    world.check()


@pytest.mark.contract("S1")
def test_a_data_id_keeps_its_pattern_among_many_others() -> None:
    """Sabotage: forget an entry when the table grows; the second list differs."""
    patterns = PhysicsWorld(models()).arrivals.manifest.patterns
    nothing = range(0x03000001, 0x03000001 + 40)  # no object can be made of these
    asked = np.array([PILLAR, 0, *nothing, CRATE, LAMP, PILLAR, *nothing], np.uint32)
    first = patterns.of_all(asked).tolist()
    assert first == [0, NONE, *[NONE] * 40, 1, APART, 0, *[NONE] * 40]
    assert patterns.uses.tolist() == [2, 1]
    assert patterns.of_all(asked[::-1].copy()).tolist() == first[::-1]
    assert patterns.uses.tolist() == [2, 1], "counted anew each time"
    assert len(patterns.rows) == 2, "a pattern is made once"


@pytest.mark.contract("S1")
def test_a_home_whose_statics_came_twice_has_those_that_came_last() -> None:
    """Sabotage: take the first home of that id; the rows differ."""
    made = MadeStatics()
    made.add(np.array([A, B, A], np.uint32), np.array([1, 0, 2]), np.array([7, 8, -1], np.int32))
    assert (made[A].tolist(), made.pop(B), made.homes()) == ([8, -1], [], [A])
    assert (made.pop(A), A in made, made.pop(A)) == ([8, -1], False, [])

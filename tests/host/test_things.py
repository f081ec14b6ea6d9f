"""The world's own things: put where they belong, taken away with their block, portals that lead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders.hosts import Story, story
from builders.worlds import baked

from acclient_py.core.ids import hex8
from acclient_py.host import scenario as sc
from acclient_py.host.things import read_things

ROOMS = """
[mesh.slab]
physics = true
pieces = [{ shape = "box", size = [1.2, 0.1, 2.2], at = [0.6, 0, 0], surface = "planks" }]
[mesh.man]
pieces = [{ shape = "box", size = [0.4, 0.3, 1.7], surface = "planks" }]
[setup.slab]
mesh = "slab"
[setup.man]
mesh = "man"
spheres = [{ radius = 0.4, at = [0, 0, 0.4] }, { radius = 0.4, at = [0, 0, 1.3] }]
[setup.man.holding]
RightHand = { part = "0", at = [0.3, 0, 1.0] }
[[room]]
name = "west"
block = "0101"
at = [20, 20, 0]
[[room]]
name = "east"
block = "0101"
at = [26, 20, 0]
[[door]]
rooms = ["west", "east"]
[[room]]
name = "far"
block = "0303"
at = [20, 20, 0]
[[room]]
name = "beyond"
block = "0303"
at = [26, 20, 0]
[[door]]
rooms = ["far", "beyond"]
[place.far]
room = "far"
at = [1.5, 1.5, 0]
[place.west]
room = "west"
at = [2, 2, 0]
[[thing]]
name = "gate"
kind = "portal"
setup = "slab"
room = "west"
at = [-2, -2, 0]
to = "far"
[[thing]]
name = "guard"
kind = "creature"
setup = "man"
room = "east"
at = [0, 0, 0]
carry = [{ setup = "slab", placement = "Default" }]
[[thing]]
name = "back"
kind = "portal"
setup = "slab"
room = "far"
at = [1.5, 1.5, 0]
to = "west"
"""
PLAYER = "0x50000001"


@pytest.fixture
def told() -> Iterator[Story]:
    """The player in the western room."""
    world = baked(ROOMS)
    with story(ROOMS) as begun:
        at = {"cell": hex8(world.cells["west"]), "origin": [20.0, 21.0, 0.0]}
        begun.do("create", guid=PLAYER, setup=hex8(world.ids["setup man"]), player=True, at=at)
        yield begun


def guids(told: Story) -> set[str]:
    return set(told.look()) - {PLAYER}


def test_a_baked_world_lists_its_things_and_what_they_carry() -> None:
    things = read_things(baked(ROOMS).folder)
    assert [thing.name for thing in things] == ["gate", "guard", "back"]
    assert [thing.kind for thing in things] == ["portal", "creature", "portal"]
    assert [len(thing.carry) for thing in things] == [0, 1, 0]
    assert things[0].to is not None
    assert int(things[0].to.cell) == baked(ROOMS).cells["far"]


def test_nothing_is_there_before_the_step_and_after_its_end(told: Story) -> None:
    """Sabotage: leave the deletes out of `switch`; the last assertion fails."""
    assert guids(told) == set()
    told.do("things")
    here = guids(told)
    assert here == {"0x70000001", "0x70000002", "0x70000003"}, "gate, guard and what he carries"
    assert told.look()["0x70000003"]["parent"] == "0x70000002"
    told.do("things", on=False)
    assert guids(told) == set()


def test_things_come_and_go_with_their_place(told: Story) -> None:
    """Sabotage: leave `_remove` out of `keep`; the guard of the old place stays listed."""
    told.do("things")
    cell = hex8(baked(ROOMS).cells["beyond"])
    told.do("teleport", guid=PLAYER, at={"cell": cell, "origin": [26.0, 20.0, 0.0]})
    told.do("tick", seconds=0.1)
    assert guids(told) == {"0x70000004"}
    cell = hex8(baked(ROOMS).cells["west"])
    told.do("teleport", guid=PLAYER, at={"cell": cell, "origin": [20.0, 21.0, 0.0]})
    told.do("tick", seconds=0.1)
    assert guids(told) == {"0x70000001", "0x70000002", "0x70000003"}
    assert told.look()["0x70000002"]["instance"] == 2


def test_a_portal_takes_whoever_steps_in_and_not_who_comes_out(told: Story) -> None:
    """The other end leads back: one goes there once, and stays.

    Sabotage: forget who is inside; the last assertion fails, he swings to and fro.
    """
    told.do("things")
    told.do("tick", seconds=0.5)
    west = baked(ROOMS).cells["west"]
    assert told.look()[PLAYER]["cell"] == hex8(west), "nobody is taken from afar"
    told.do("place", guid=PLAYER, at={"cell": hex8(west), "origin": [18.2, 18.0, 0.0]})
    told.do("tick", seconds=0.1)
    far = hex8(baked(ROOMS).cells["far"])
    assert told.look()[PLAYER]["cell"] == far
    told.do("tick", seconds=1.0)
    assert told.look()[PLAYER]["cell"] == far, "he stands in the other portal, and has come out"


def test_the_step_is_read_and_written() -> None:
    step = sc.parse_step('{"do": "things", "on": false}')
    assert step == sc.Things(on=False)
    scenario = sc.Scenario(steps=[sc.Things()])
    assert sc.parse(sc.write(scenario)) == scenario

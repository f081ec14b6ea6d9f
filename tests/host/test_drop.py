"""What lies on the ground: a corpse in place of a creature, an item out of a hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders.hosts import BODY, CREATURE, PLAYER, SWORD, SWORD_SETUP, Story, story
from builders.walkers import recipe
from builders.worlds import opened

from acclient_py.physics.state import PhysicsState, TransientState

CELL = "0x7F7F003C"
CORPSE = "0x80000050"
HERE_BELOW = {"cell": "0x7F7F001C", "origin": [84.0, 60.0, 14.0]}
LYING = f"0x{PhysicsState.ETHEREAL | PhysicsState.IGNORE_COLLISIONS | PhysicsState.GRAVITY:08X}"
DEAD = 0x40000011


@pytest.fixture
def told() -> Iterator[Story]:
    story = Story()
    at = {"cell": CELL, "origin": [180.0, 90.0, 20.0]}
    story.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=at)
    yield story
    story.dats.close()


@pytest.mark.contract("E16")
def test_a_corpse_falls_where_the_creature_was_and_is_in_nobodys_way(told: Story) -> None:
    """The creature's own delete takes its sword along; the corpse is another object.

    Sabotage: let `object_collisions` meet what is ethereal and ignores collisions; he is stopped.
    """
    at = {"cell": CELL, "origin": [180.0, 93.0, 22.0]}
    told.do("create", guid=CREATURE, setup=BODY, at=at)
    told.do("create", guid=SWORD, setup=SWORD_SETUP, parent=CREATURE, location=1)
    told.do("delete", guid=CREATURE)
    assert told.look()[SWORD]["cell"] is None
    told.do("create", guid=CORPSE, setup=BODY, state=LYING, at=at)
    body = told.host.known(int(CORPSE, 16)).obj
    told.do("tick", seconds=2.0)
    seen = told.look()[CORPSE]
    assert seen["origin"] == pytest.approx([180.0, 93.0, 20.0], abs=0.01)
    assert told.host.physics.row(body)["transient"] & TransientState.ON_WALKABLE
    told.do("walk", guid=PLAYER, heading=0.0, seconds=2.0)
    assert told.look()[PLAYER]["origin"][1] > 95.0
    told.do("delete", guid=CORPSE)
    assert CORPSE not in told.look()


@pytest.mark.contract("E9", "E16")
def test_an_item_is_dropped_on_the_ground_and_taken_up_again(told: Story) -> None:
    """Out of the hand, into the pack, onto the ground, into the pack: each leaves no trace."""
    told.do("create", guid=SWORD, setup=SWORD_SETUP, parent=PLAYER, location=1)
    counts = told.counts()
    for _ in range(2):
        told.do("pickup", guid=SWORD)
        told.do("position", guid=SWORD, at={"cell": CELL, "origin": [180.0, 91.5, 20.0]})
        seen = told.look()[SWORD]
        assert (seen["parent"], seen["cell"]) == (None, CELL)
        assert seen["origin"][2] == pytest.approx(20.0, abs=0.12)
        told.do("tick", seconds=0.5)
        assert told.look()[SWORD]["origin"] == seen["origin"], "it lies still"
        told.do("pickup", guid=SWORD)
        assert told.look()[SWORD]["shadow_cells"] == []
        told.do("attach", child=SWORD, parent=PLAYER, location=1)
    assert told.counts() == counts


SLOPE = """
[terrain]
blocks = ["7F7F", "7F7F"]
base = 20
shapes = [{{ kind = "slope", rise = [{rise:.4f}, 0.0], at = [96, 96] }}]
"""


@pytest.mark.parametrize(("metres", "lies"), [(12, True), (26, True), (28, False)])
def test_on_a_slope_a_corpse_lies_or_slides_to_its_foot_and_an_item_lies(
    metres: int, lies: bool
) -> None:
    """Heights are multiples of 2 m, here a cell: 26 m can be walked, 28 m can not.

    What has no spheres never collides, and lies where it was put.
    """
    rise = metres / 24.0
    at = {"cell": "0x7F7F0024", "origin": [110.0, 84.0, 20.5 + 14.0 * rise]}
    there = {"cell": "0x7F7F0024", "origin": [112.0, 84.0, 20.0 + 16.0 * rise]}
    with story(opened(recipe(SLOPE.format(rise=rise)))) as told:
        told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=HERE_BELOW)
        told.do("create", guid=CORPSE, setup=BODY, state=LYING, at=at)
        told.do("create", guid=SWORD, setup=SWORD_SETUP, parent=PLAYER, location=1)
        told.do("pickup", guid=SWORD)
        told.do("position", guid=SWORD, at=there)
        told.do("tick", seconds=5.0)
        seen = told.look()
        assert seen[SWORD]["origin"] == pytest.approx(there["origin"], abs=0.12)
        x, y, z = seen[CORPSE]["origin"]
        assert y == pytest.approx(84.0, abs=0.05)
        if lies:
            assert x == pytest.approx(110.0, abs=0.02)
            assert z == pytest.approx(20.0 + rise * 14.0, abs=0.02)
        else:
            assert x < 96.0, "at the foot"
        told.do("tick", seconds=1.0)
        assert told.look()[CORPSE]["origin"] == seen[CORPSE]["origin"], "it has come to rest"
        assert told.refused() == []

"""Corners of contract E that the story tests leave open: no search, no clock."""

from __future__ import annotations

from typing import Any

import pytest
from builders.graphs import CHARM as CHARM_BODY
from builders.graphs import LAMP, models, room
from builders.graphs import SWORD as SWORD_BODY
from builders.hosts import CHARM, CREATURE, HERE, PLAYER, SHIELD, SWORD, THERE, parents, story

from acclient_py.physics.layout import CAUSES, EVENT_CELL_WRITE
from acclient_py.physics.state import TransientState
from acclient_py.physics.world import PhysicsWorld


@pytest.mark.contract("E11")
@parents
def test_attach_pickup_and_delete_ask_for_no_place(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: place a child that is attached; the first assertion fails."""
    with story() as told:
        told.arm(who)
        physics = told.host.physics
        searched: list[int] = []
        search = physics.transitions.place

        def place(obj: int, *args: Any, **more: Any) -> Any:
            searched.append(obj)
            return search(obj, *args, **more)

        monkeypatch.setattr(physics.transitions, "place", place)
        told.do("attach", child=SHIELD, parent=who, location=2)
        told.do("attach", child=CHARM, parent=who, location=3)
        told.do("pickup", guid=CHARM)
        told.do("delete", guid=SHIELD)
        assert searched == []
        told.do("place", guid=who, at=THERE)
        assert searched == [told.host.known(int(who, 16)).obj]


@pytest.mark.contract("E12")
@parents
def test_a_childs_clock_stands_still(who: str) -> None:
    """Sabotage: let a child be active at attach; the first assertion fails."""
    with story() as told:
        told.arm(who)
        physics = told.host.physics
        sword, body = (told.host.known(int(g, 16)).obj for g in (SWORD, who))
        assert not int(physics.row(sword)["transient"]) & TransientState.ACTIVE
        assert not physics.is_ticking(sword)
        assert physics.is_ticking(body)
        began = float(physics.row(sword)["update_time"])
        told.do("tick", seconds=0.5)
        told.do("place", guid=who, at=HERE)
        assert float(physics.row(sword)["update_time"]) == began


@pytest.mark.contract("E8", "S11")
def test_what_hangs_on_a_static_leaves_the_world_with_it() -> None:
    """Sabotage: unparent the children before the static leaves; the sword goes to the lost cell."""
    home = 0x12340100
    world = PhysicsWorld(models())
    lamp = (LAMP, (3, 3, 0, 1, 0, 0, 0))
    world.arrivals.arrive((), [room(home, (0, 0, 0), (10, 10, 5), statics=[lamp])])
    static = int(world.statics[home][0])
    sword, charm = world.make_object(SWORD_BODY, guid=7), world.make_object(CHARM_BODY, guid=8)
    assert world.set_parent(sword, static, 1) is None
    assert world.set_parent(charm, sword, 1) is None
    world.graph.record(True)
    world.remove_env_cell(home)
    written = [
        (int(event["object"]), CAUSES[int(event["cause"])])
        for event in world.graph.drain_events()
        if event["kind"] == EVENT_CELL_WRITE
    ]
    assert written == [(static, "delete"), (sword, "delete"), (charm, "delete")]
    assert world.lost.waiting(home) == []
    assert [world.parent_of(o) for o in (sword, charm)] == [-1, sword]
    world.check()


@pytest.mark.contract("E8", "E15", "C5")
@pytest.mark.parametrize("who", [PLAYER, CREATURE])
def test_who_is_lost_for_too_long_leaves_no_record_behind(who: str) -> None:
    """The rows of the dead are given out again: no guid may still lead to them.

    Sabotage: delete the object alone in `use_time`; the first assertion fails.
    """
    nowhere = {**HERE, "cell": "0x7F7F9999"}
    with story() as told:
        told.arm(who)
        told.do("place", guid=who, at=nowhere)
        told.do("tick", seconds=24.0)
        assert sorted(told.look()) == sorted([who, SWORD, SHIELD, CHARM])
        assert told.counts()["lost"] == 1
        told.do("tick", seconds=1.5)
        assert list(told.look()) == [CHARM], "two direct children have their own deadlines"
        assert told.look()[CHARM]["cell"] is None
        assert told.host.player is None
        for guid in ("0x80000401", "0x80000402", "0x80000403"):
            told.do("create", guid=guid, setup="0x02000001", at=HERE)
        told.do("delete", guid=CHARM)
        told.do("delete", guid=who)
        assert [r for r in told.refused() if "0x" in r] == []
        told.do("position", guid="0x80000402", at=THERE)
        assert len(told.look()) == 3
        assert told.counts()["objects"] == 3


def test_a_walk_that_outlives_the_walker_is_told() -> None:
    """Sabotage: stop whoever walked without a look at the directory; a freed row is written."""
    with story() as told:
        told.do("create", guid=PLAYER, instance=3, setup="0x02000001", player=True, at=HERE)
        told.do("place", guid=PLAYER, at={**HERE, "cell": "0x7F7F9999"})
        told.do("walk", guid=PLAYER, heading=0.0, seconds=26.0)
        assert told.refused() == [f"{PLAYER} was lost on the way, for longer than it lives"]
        assert told.counts()["objects"] == 0

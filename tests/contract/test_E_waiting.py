"""Contract E: what comes before what it speaks of, and which words a position is told by."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders.hosts import (
    BODY,
    CREATURE,
    HERE,
    PLAYER,
    SHIELD,
    SWORD,
    SWORD_SETUP,
    THERE,
    Story,
    parents,
    standing,
)

from acclient_py.host import scenario as sc
from acclient_py.session.messages import Stamp


@pytest.mark.contract("E1", "E2", "I5")
@parents
@pytest.mark.parametrize("child_first", [True, False])
def test_an_attach_before_either_is_there_binds_to_whoever_comes(
    told: Story, who: str, child_first: bool
) -> None:
    """Sabotage: fill the instance in before the parent is known; the sword hangs nowhere."""
    told.do("attach", child=SWORD, parent=who, location=1)
    assert told.counts()["staged"] == 1
    creates = [{"guid": SWORD, "setup": SWORD_SETUP, "at": THERE}, standing(who)]
    for fields in creates if child_first else reversed(creates):
        told.do("create", **fields)
    seen = told.look()[SWORD]
    assert (seen["parent"], seen["cell"]) == (who, HERE["cell"])
    assert told.counts()["staged"] == 0
    assert told.refused() == []


@pytest.mark.contract("E2", "I5")
def test_an_instance_that_is_given_is_checked_when_the_parent_is_there(told: Story) -> None:
    """Sabotage: bind to whoever comes even so; the sword hangs on the wrong life."""
    told.do("create", guid=SWORD, setup=SWORD_SETUP, at=HERE)
    told.do("attach", child=SWORD, parent=PLAYER, location=1, parent_instance=2)
    told.stand(PLAYER)
    (reason,) = told.refused()
    assert told.look()[SWORD]["parent"] is None
    assert reason == f"stale: incarnation 2 of {PLAYER}, now 3"


@pytest.mark.contract("I5")
def test_what_is_refused_after_its_wait_is_told_with_its_step(told: Story) -> None:
    """Sabotage: handle what waited without a look at the answer; nothing is told."""
    steps = [
        ("attach", {"child": SWORD, "parent": CREATURE, "location": 77}),
        ("create", {"guid": SWORD, "setup": SWORD_SETUP, "at": HERE}),
        ("create", standing(CREATURE)),
    ]
    for number, (verb, fields) in enumerate(steps):
        told.host.step(sc.parse_step(json.dumps({"do": verb, **fields})), number=number)
    assert told.host.checkpoint("x")["refused"] == [
        {"step": 0, "do": "attach", "reason": "the parent has no holding location 77"}
    ]


@pytest.mark.contract("I5", "E2")
def test_stamps_of_those_who_wait_are_the_next_in_order_too(told: Story) -> None:
    """Sabotage: give everybody who waits stamp 1; the second attach is stale."""
    told.do("attach", child=SWORD, parent=CREATURE, location=1)
    told.do("attach", child=SWORD, parent=CREATURE, location=3)
    told.stand(CREATURE)
    told.do("create", guid=SWORD, setup=SWORD_SETUP)
    assert told.look()[SWORD]["location"] == 3
    assert told.refused() == []


@pytest.mark.contract("E5", "I5")
def test_an_attach_without_a_placement_takes_the_locations_own(told: Story) -> None:
    """Sabotage: placement 1 for every location; the shield lies as a sword does."""
    told.stand(CREATURE)
    told.hold(SHIELD, CREATURE, 3)
    world = told.host.physics
    obj = told.host.known(int(SHIELD, 16)).obj

    def pose() -> Any:
        row = world.graph.arrays.objects[obj]
        first = int(row["pose_first"])
        return world.graph.arrays.poses[first : first + int(row["pose_count"])].tolist()

    created = pose()
    told.do("attach", child=SHIELD, parent=CREATURE, location=3, placement=1)
    assert pose() != created
    told.do("attach", child=SHIELD, parent=CREATURE, location=3)
    assert pose() == created


@pytest.mark.contract("E9", "E19")
def test_a_newer_teleport_stamp_is_a_teleport_for_anybody(told: Story) -> None:
    """Sabotage: call every position `place`; the first comparison fails."""
    told.stand(CREATURE)
    told.take_probes()
    told.do("position", guid=CREATURE, at=THERE, teleport_stamp=1)
    told.do("position", guid=CREATURE, at=HERE, contact=True)
    assert [line.rsplit("cause=", 1)[1] for line in told.take_probes()] == ["teleport", "place"]
    assert [c["cause"] for c in told.host.checkpoint("x")["crossings"]] == ["teleport", "place"]


@pytest.mark.contract("E9")
def test_a_forced_position_of_an_old_teleport_is_spent(told: Story) -> None:
    """The force stamp is stored before the teleport stamp is looked at (spec 6.9).

    Sabotage: look at the teleport stamp first; the second position is forced.
    """
    told.stand(PLAYER)
    known = told.host.known(int(PLAYER, 16))
    known.stamps[Stamp.TELEPORT] = 5
    told.take_probes()
    told.do("position", guid=PLAYER, at=THERE, force_stamp=1, teleport_stamp=4)
    told.do("position", guid=PLAYER, at=THERE, force_stamp=1, teleport_stamp=5)
    assert told.take_probes() == []
    assert told.refused() == ["stale teleport stamp"]
    assert known.stamps[Stamp.FORCE_POSITION] == 1


@pytest.mark.contract("E20")
def test_a_teleport_lets_go_before_what_is_far_leaves(
    told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: move the window first; the order differs."""
    told.stand(PLAYER)
    done: list[str] = []
    world, loader = told.host.physics, told.host.session.loader
    hook, moved = world.movement.teleport_hook, loader.change_position

    def let_go(obj: int) -> None:
        done.append("hook")
        hook(obj)

    def move(cell_id: int, *, blocking: bool) -> None:
        done.append("window")
        moved(cell_id, blocking=blocking)

    place = world.set_position

    def put(*args: Any, **more: Any) -> Any:
        done.append("place")
        return place(*args, **more)

    monkeypatch.setattr(world.movement, "teleport_hook", let_go)
    monkeypatch.setattr(loader, "change_position", move)
    monkeypatch.setattr(world, "set_position", put)
    told.do("teleport", guid=PLAYER, at=THERE)
    assert done[:3] == ["place", "hook", "window"]


WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "pickup": ("pickup", {"guid": SWORD}),
    "position": ("position", {"guid": SWORD, "at": THERE, "teleport_stamp": 1}),
    "place": ("place", {"guid": SWORD, "at": THERE}),
    "teleport": ("teleport", {"guid": SWORD, "at": THERE}),
    "delete of the parent": ("delete", {"guid": CREATURE}),
    "both hands are needed": (
        "create",
        {"guid": SHIELD, "setup": SWORD_SETUP, "parent": CREATURE, "two_handed": True},
    ),
}


@pytest.mark.contract("E3")
@pytest.mark.parametrize("way", WAYS)
def test_whichever_way_a_relation_ends_the_next_refusal_is_told_again(
    told: Story, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Sabotage: let go in `place` without clearing the latch; the last count is 1."""

    def told_lines() -> int:
        told.do("attach", child=SWORD, parent=SWORD, location=1)
        return sum("cannot be attached" in r.message for r in caplog.records)

    told.stand(CREATURE)
    told.hold(SWORD, CREATURE, 1)
    assert [told_lines(), told_lines()] == [1, 1]
    verb, fields = WAYS[way]
    told.do(verb, **fields)
    assert told.look()[SWORD]["parent"] is None
    assert told_lines() == 2


@pytest.mark.contract("E3")
def test_a_forced_player_who_was_held_is_told_of_again(
    told: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """Sabotage: let go in `_blip` without clearing the latch; the second count is 1."""
    told.do("create", guid=CREATURE, setup=BODY, at=HERE)
    told.stand(PLAYER)
    told.do("attach", child=PLAYER, parent=CREATURE, location=1)
    counts = []
    for force in (1, 2):
        told.do("attach", child=PLAYER, parent=PLAYER, location=1)
        counts.append(sum("cannot be attached" in r.message for r in caplog.records))
        told.do("position", guid=PLAYER, at=THERE, force_stamp=force)
    assert told.look()[PLAYER]["parent"] is None
    assert counts == [1, 2]

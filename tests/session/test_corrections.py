"""What a server's positions and movement blocks do to bodies: walked off, followed, held (E9)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from builders.hosts import BODY, CREATURE, PLAYER, SWORD, SWORD_SETUP, Story

from acclient_py.core.ids import hex8
from acclient_py.session import messages as wire
from acclient_py.session.messages import Stamp
from acclient_py.session.messages.movement import (
    INTERPRETED,
    MOVE_TO_OBJECT,
    MOVE_TO_POSITION,
    STICKY,
    TURN_TO_HEADING,
    TURN_TO_OBJECT,
    InterpretedState,
    MovementBlock,
    MoveParameters,
)

CELL = "0x7F7F003C"
USUAL = MoveParameters(0x1EE0F, 1.0, 0.0, 0.6, 0.0, 1e9, 15.0)


def at(x: float, y: float, rotation: Any = (1, 0, 0, 0)) -> dict[str, Any]:
    return {"cell": CELL, "origin": [x, y, 20.0], "rotation": list(rotation)}


@pytest.fixture
def told() -> Iterator[Story]:
    story = Story()
    story.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=at(180.0, 90.0))
    story.do("create", guid=CREATURE, setup=BODY, at=at(184.0, 92.0))
    story.do("tick", seconds=0.2)
    yield story
    story.dats.close()


def move(story: Story, block: MovementBlock, guid: str = CREATURE) -> None:
    known = story.host.known(int(guid, 16))
    answer = story.host.session.handle(
        wire.MovementEvent(
            known.guid,
            known.instance,
            known.next_stamp(Stamp.MOVEMENT),
            known.stamps[Stamp.SERVER_CONTROLLED_MOVE],
            0,
            block,
        )
    )
    assert answer.done, answer.reason


def place_of(story: Story, guid: str = CREATURE) -> list[float]:
    origin: list[float] = story.look()[guid]["origin"]
    return origin


@pytest.mark.contract("E9")
def test_a_near_body_walks_a_correction_off(told: Story) -> None:
    """Sabotage: place it at once, as before; the first assertion fails."""
    told.do("position", guid=CREATURE, at=at(186.0, 92.0))
    assert place_of(told)[0] == pytest.approx(184.0)
    told.do("tick", seconds=0.1)
    assert 184.3 < place_of(told)[0] < 185.0
    told.do("tick", seconds=1.0)
    assert place_of(told)[0] == pytest.approx(186.0, abs=0.05)


@pytest.mark.contract("E9")
def test_a_teleport_stamp_jumps_and_without_contact_nothing_happens(told: Story) -> None:
    told.do("position", guid=CREATURE, at=at(186.0, 92.0), contact=False)
    told.do("tick", seconds=0.5)
    assert place_of(told)[0] == pytest.approx(184.0)
    told.do("position", guid=CREATURE, at=at(186.0, 92.0), teleport_stamp=1)
    assert place_of(told)[0] == pytest.approx(186.0)


@pytest.mark.contract("E9")
def test_far_from_the_player_it_is_put_there(told: Story) -> None:
    told.do("place", guid=PLAYER, at=at(60.0, 20.0))
    told.do("position", guid=CREATURE, at=at(186.0, 92.0))
    assert place_of(told)[0] == pytest.approx(186.0)


@pytest.mark.contract("E9")
def test_a_thing_out_of_a_hand_is_put_where_it_is_dropped(told: Story) -> None:
    """It has no feet to walk with; with retail's rule alone it would hang where the hand was."""
    told.do("create", guid=SWORD, setup=SWORD_SETUP, parent=CREATURE, location=1)
    told.do("position", guid=SWORD, at=at(182.0, 91.0))
    seen = told.look()[SWORD]
    assert (seen["parent"], seen["cell"]) == (None, CELL)
    assert seen["origin"] == pytest.approx([182.0, 91.0, 20.0], abs=0.12)


def test_a_creature_that_is_told_to_follows_the_player(told: Story) -> None:
    """Type 6. Sabotage: stop completely instead, as before; it stays."""
    sought = told.host.known(int(PLAYER, 16)).guid
    block = MovementBlock(
        MOVE_TO_OBJECT, 0, 0x3D, target=sought, cell_id=int(CELL, 16), to=(180.0, 90.0, 20.0),
        parameters=USUAL, run_rate=1.5,
    )  # fmt: skip
    told.do("walk", guid=PLAYER, heading=270.0, seconds=1.0)
    move(told, block)
    told.do("tick", seconds=4.0)
    away = math.dist(place_of(told)[:2], place_of(told, PLAYER)[:2])
    assert 0.9 < away < 1.8
    assert told.host.physics.movement.commands[told.host.known(int(CREATURE, 16)).obj].rate == 1.5


@pytest.mark.parametrize("guid", [None, 0x80000099])
def test_to_a_place_and_to_somebody_unknown(told: Story, guid: int | None) -> None:
    """Types 7 and 6: who is sent to somebody unknown goes to the place where he was."""
    kind = MOVE_TO_POSITION if guid is None else MOVE_TO_OBJECT
    block = MovementBlock(
        kind, 0, 0x3D, target=guid, cell_id=int(CELL, 16), to=(184.0, 88.0, 20.0),
        parameters=USUAL, run_rate=1.0,
    )  # fmt: skip
    move(told, block)
    told.do("tick", seconds=4.0)
    assert place_of(told)[:2] == pytest.approx([184.0, 88.6], abs=0.2)


@pytest.mark.parametrize(
    ("kind", "target", "heading", "answer"),
    [
        (TURN_TO_OBJECT, int(PLAYER, 16), 0.0, 243.4),
        (TURN_TO_OBJECT, 0x80000099, 75.0, 75.0),
        (TURN_TO_HEADING, None, None, 200.0),
    ],
)
def test_turns(told: Story, kind: int, target: int | None, heading: Any, answer: float) -> None:
    """Types 8 and 9; whoever is unknown is looked for where the message says."""
    desired = 200.0 if kind == TURN_TO_HEADING else 0.0
    asked = MoveParameters(0x1EE0F, 1.0, desired)
    move(told, MovementBlock(kind, 0, 0x3D, target=target, heading=heading, parameters=asked))
    told.do("tick", seconds=3.0)
    obj = told.host.known(int(CREATURE, 16)).obj
    assert told.host.physics.movement.heading(obj) == pytest.approx(answer, abs=0.2)


def test_another_block_ends_the_way_and_may_stick(told: Story) -> None:
    """Any block cancels (6.8). Sabotage: leave the cancel out; it goes on to the old place."""
    creature = told.host.known(int(CREATURE, 16)).obj
    block = MovementBlock(
        MOVE_TO_POSITION, 0, 0x3D, cell_id=int(CELL, 16), to=(184.0, 80.0, 20.0),
        parameters=USUAL, run_rate=1.0,
    )  # fmt: skip
    move(told, block)
    told.do("tick", seconds=1.5)
    state = InterpretedState(0, None, None, None, None, None, None, None, ())
    move(
        told,
        MovementBlock(INTERPRETED, STICKY, 0x3D, state=state, sticky_guid=int(PLAYER, 16)),
    )
    movement = told.host.physics.movement
    assert creature not in movement.ways.ways
    assert creature in movement.steering.sticks
    told.do("tick", seconds=1.2)
    assert math.dist(place_of(told)[:2], place_of(told, PLAYER)[:2]) < 1.4


def test_keys_take_a_player_off_the_servers_way(told: Story) -> None:
    block = MovementBlock(
        MOVE_TO_POSITION, 0, 0x3D, cell_id=int(CELL, 16), to=(180.0, 80.0, 20.0),
        parameters=USUAL, run_rate=1.0,
    )  # fmt: skip
    move(told, block, PLAYER)
    told.do("tick", seconds=0.5)
    assert told.host.physics.movement.ways.ways
    told.do("input", keys=["d"], seconds=0.2)
    assert not told.host.physics.movement.ways.ways


@pytest.mark.contract("E20")
@pytest.mark.parametrize("who", [PLAYER, CREATURE])
def test_a_teleport_ends_ways_and_corrections(told: Story, who: str) -> None:
    """The hook of a teleport. Sabotage: leave it out; he walks on to where he was sent before."""
    block = MovementBlock(
        MOVE_TO_POSITION, 0, 0x3D, cell_id=int(CELL, 16), to=(184.0, 80.0, 20.0),
        parameters=USUAL, run_rate=1.0,
    )  # fmt: skip
    move(told, block, who)
    obj = told.host.known(int(who, 16)).obj
    told.host.physics.movement.steering.constrain(obj)
    told.do("tick", seconds=0.5)
    told.do("position", guid=who, at=at(172.0, 94.0), teleport_stamp=1)
    movement = told.host.physics.movement
    assert movement.ways.ways == {}
    assert movement.steering.leashes == {}
    told.do("tick", seconds=1.0)
    assert place_of(told, who)[:2] == pytest.approx([172.0, 94.0], abs=0.01)


@pytest.mark.contract("E20")
def test_a_leash_is_armed_only_where_a_server_follows_up(told: Story) -> None:
    """D14. Sabotage: arm it always; a player at play stands still after 50 metres."""
    steering = told.host.physics.movement.steering
    told.do("position", guid=PLAYER, at=at(180.0, 90.0))
    told.do("teleport", guid=PLAYER, at=at(170.0, 90.0))
    told.do("position", guid=CREATURE, at=at(184.5, 92.0))
    assert steering.leashes == {}
    told.host.session.positions.leash = True
    told.do("position", guid=PLAYER, at=at(166.0, 90.0))
    player = told.host.known(int(PLAYER, 16)).obj
    assert told.host.physics.bodies.rows["travelled"][player] == pytest.approx(4.0, abs=0.01)
    told.do("teleport", guid=PLAYER, at=at(160.0, 90.0))
    assert told.host.physics.bodies.rows["travelled"][player] == pytest.approx(0.0, abs=0.01)
    told.do("position", guid=CREATURE, at=at(184.0, 92.0))
    assert len(steering.leashes) == 2
    assert hex8(told.host.known(int(PLAYER, 16)).guid) == PLAYER

"""The keys for the things in hand: what they do to the hands, whatever was there before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from builders.hosts import (
    BELT,
    PLAYER,
    RIGHT,
    SHIELD,
    SHIELD_PLACE,
    SWORD,
    SWORD_SETUP,
    Story,
    story,
)

from acclient_py.anim import motion
from acclient_py.core.ids import hex8
from acclient_py.host import scenario as sc
from acclient_py.viewer.wielding import Wielder

GREAT = "0x80000021"


@pytest.fixture
def told() -> Iterator[Story]:
    """Sword and shield in hand, a weapon for both hands in the pack."""
    with story() as begun:
        begun.stand(PLAYER)
        begun.hold(SWORD, PLAYER, RIGHT)
        begun.hold(SHIELD, PLAYER, SHIELD_PLACE)
        begun.do("create", guid=GREAT, setup=SWORD_SETUP, two_handed=True)
        yield begun


def press(told: Story, action: str) -> list[str]:
    """What was done, in order: the kind of each event and whom it is about."""
    wielder = Wielder(told.host, [int(g, 16) for g in (SWORD, SHIELD, GREAT)])
    done = []
    for step in wielder.steps(action):
        told.host.step(step)
        what = step.child if isinstance(step, sc.Attach) else step.guid  # type: ignore[union-attr]
        done.append(f"{type(step).__name__} {hex8(int(what))}")
    told.host.tick()
    return done


def hands(told: Story) -> dict[int, str]:
    return {
        line["location"]: guid for guid, line in told.look().items() if line["parent"] == PLAYER
    }


def stance(told: Story) -> int:
    found = told.host.physics.movement.motion_of(told.host.known(int(PLAYER, 16)).obj)
    assert found is not None
    return found[0]


def test_sheathing_and_drawing_comes_back_to_where_it_began(told: Story) -> None:
    press(told, "sheathe")
    assert hands(told) == {BELT: SWORD, SHIELD_PLACE: SHIELD}
    assert stance(told) == motion.NON_COMBAT
    press(told, "sheathe")
    assert hands(told) == {RIGHT: SWORD, SHIELD_PLACE: SHIELD}
    assert stance(told) == motion.SWORD_SHIELD_COMBAT
    press(told, "sheathe")
    assert stance(told) == motion.NON_COMBAT
    assert told.refused() == []


def test_the_sword_for_both_hands_and_back(told: Story) -> None:
    """EQP-09: what goes is hidden before what comes is shown.

    The session frees the hands of whatever is shown in them, too (test_equipment.py); so what is
    said here is the order of the events, which a recording keeps.
    """
    for _ in range(3):
        done = press(told, "swap")
        assert done == [
            f"Pickup {SWORD}", f"Pickup {SHIELD}", f"Attach {GREAT}", f"Stance {PLAYER}",
        ]  # fmt: skip
        assert hands(told) == {RIGHT: GREAT}
        done = press(told, "swap")
        assert done == [
            f"Pickup {GREAT}", f"Attach {SWORD}", f"Attach {SHIELD}", f"Stance {PLAYER}",
        ]  # fmt: skip
        assert hands(told) == {RIGHT: SWORD, SHIELD_PLACE: SHIELD}
    drawn = {guid for guid, line in told.look().items() if line["parts"]}
    assert drawn == {PLAYER, SWORD, SHIELD}


def test_drawing_with_the_other_weapon_in_hand_leaves_one(told: Story) -> None:
    press(told, "sheathe")
    press(told, "swap")
    assert hands(told) == {RIGHT: GREAT, BELT: SWORD}
    press(told, "swap")
    assert hands(told) == {RIGHT: SWORD, SHIELD_PLACE: SHIELD}


def test_without_a_torch_its_key_does_nothing(told: Story) -> None:
    before = hands(told)
    press(told, "torch")
    assert hands(told) == before

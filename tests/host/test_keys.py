"""A player's keys in `input` steps: what they come to, by numbers of section 5.10."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from builders.hosts import BODY, PLAYER, Story, story

QUANTUM = 1.0 / 30.0
SKILL = 383  # register D41


@pytest.fixture
def told() -> Iterator[Story]:
    with story("doll") as told:
        at = {"cell": "0x7F7F0022", "origin": [100.0, 36.0, 20.0], "rotation": [1, 0, 0, 0]}
        told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=at)
        told.do("tick", seconds=0.2)
        yield told


def keys(told: Story, *held: str, ticks: int) -> list[float]:
    """Where the player is after some ticks of held keys."""
    told.do("input", keys=list(held), seconds=ticks * QUANTUM)
    origin: list[float] = told.look()[PLAYER]["origin"]
    return origin


@pytest.mark.parametrize(
    ("held", "east", "north"),
    [(("w",), 0.0, 4.0), (("w", "shift"), 0.0, 3.12), (("c",), 1.25 * 1.248, 0.0)],
    ids=["run", "walk", "side-step"],
)
def test_jump_held_while_standing_and_then_a_way_is_the_long_jump(
    told: Story, held: tuple[str, ...], east: float, north: float
) -> None:
    """Nine ticks of jump alone, fifteen with the way: 0.8 of a charge, and nobody moves till then.

    Sabotage: let `keep` charge without telling `charge_jump`; he runs off while he charges.
    """
    begin = keys(told, "space", ticks=9)
    assert keys(told, "space", *held, ticks=15) == begin
    height = 0.8 * (SKILL / (SKILL + 1300) * 22.2 + 0.05)
    up = math.sqrt(19.6 * height)
    flown = 10 * QUANTUM
    seen = keys(told, *held, ticks=10)
    assert seen[0] - begin[0] == pytest.approx(east * flown, abs=2e-3)
    assert seen[1] - begin[1] == pytest.approx(north * flown, abs=2e-3)
    assert seen[2] - begin[2] == pytest.approx(up * flown - 4.9 * flown * flown, abs=2e-3)
    landed = keys(told, ticks=60)
    assert landed[2] == pytest.approx(begin[2], abs=1e-3)
    # flown, flown again after the bounce (elasticity 0.05), slid (friction 0.95 a second)
    speed, keep = math.hypot(east, north), 0.05**QUANTUM
    way = speed * (2.1 * up / 9.8 + QUANTUM * keep / (1.0 - keep))
    assert math.dist(landed[:2], begin[:2]) == pytest.approx(way, abs=0.2)


def test_jump_held_on_the_run_stops_nobody(told: Story) -> None:
    """Sabotage: let `charge_jump` take the run for standing; he stops at once."""
    begin = keys(told, "w", ticks=10)
    ran = keys(told, "w", "space", ticks=15)
    assert ran[1] - begin[1] == pytest.approx(2.0, abs=0.15)
    walked = keys(told, "w", "space", "shift", ticks=15)
    assert walked[1] - ran[1] == pytest.approx(1.56, abs=0.15), "nor when he is told something new"


@pytest.mark.parametrize("ticks", [1, 15, 30, 90])
def test_the_longer_it_is_held_the_higher_up_to_a_second(told: Story, ticks: int) -> None:
    """A thirtieth of the charge a tick, but never lower than 0.35 m.

    Sabotage: count the charge in sixtieths; all but the least jump is lower.
    """
    begin = keys(told, "space", ticks=ticks)[2]
    charge = min(1.0, ticks / 30)
    height = max(0.35, charge * (SKILL / (SKILL + 1300) * 22.2 + 0.05))
    up = math.sqrt(19.6 * height)
    top = max(keys(told, ticks=1)[2] - begin for _ in range(int(up / 9.8 / QUANTUM) + 2))
    assert top == pytest.approx(height, abs=0.01)

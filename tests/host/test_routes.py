"""Ways through houses and round them: who is sent to a room, and who follows somebody into one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from builders.hosts import BODY, Story, story
from builders.walkers import recipe
from builders.worlds import opened

from acclient_py.dat.dataset import DatSet
from acclient_py.host.footprints import Footprint
from acclient_py.host.routes import Opening, room_of
from acclient_py.physics.distance import Place

WHO, PUP = "0x80000100", "0x80000130"
UPPER = {"cell": "0x7F7F0104", "origin": [187.5, 84.0, 23.2]}
CELLAR = {"cell": "0x7F7F0107", "origin": [192.1, 84.1, 17.2]}
TAPROOM = {"cell": "0x7F7F0100", "origin": [186.5, 83.4, 20.2]}
BEHIND = {"cell": "0x7F7F003C", "origin": [187.5, 93.0, 20.0]}
FRONT = {"cell": "0x7F7F003C", "origin": [187.5, 74.0, 20.0]}


def the_inn() -> DatSet:
    return opened(recipe("inn"))


def inn(told: Story, at: dict[str, Any], who: str = WHO) -> None:
    told.do("create", guid=who, setup=BODY, at={**at, "rotation": [1, 0, 0, 0]})


def cell(told: Story, who: str = WHO) -> str:
    return str(told.look()[who]["cell"])


@pytest.mark.parametrize(
    ("goal", "start", "run"),
    [(TAPROOM, BEHIND, True), (UPPER, BEHIND, False), (CELLAR, FRONT, True)],
    ids=["taproom", "upper", "cellar"],
)
def test_who_is_sent_to_a_room_goes_there_through_the_house(
    goal: dict[str, Any], start: dict[str, Any], run: bool
) -> None:
    """Round the house to its door, through the rooms and up or down the stairs; and out again.

    Sabotage: let every opening be passed (`passes` is true); the wall stops him.
    """
    with story(the_inn()) as told:
        inn(told, start)
        told.do("walk", guid=WHO, to=goal, run=run)
        assert told.refused() == []
        assert cell(told) == goal["cell"]
        told.do("walk", guid=WHO, to=start, run=run)
        assert told.refused() == []
        x, y, _ = told.look()[WHO]["origin"]
        assert math.dist((x, y), start["origin"][:2]) < 0.5


def test_a_place_is_in_the_room_that_holds_it_whatever_cell_is_named() -> None:
    """Sabotage: take the room of the cell that is named; he goes to and fro and gives up."""
    with story(the_inn()) as told:
        inn(told, FRONT)
        told.do("walk", guid=WHO, to={**TAPROOM, "cell": CELLAR["cell"]}, run=True)
        assert told.refused() == []
        assert cell(told) == TAPROOM["cell"]


def test_a_follower_comes_into_the_room_where_its_leader_is() -> None:
    """Round the house and in at the door, and out again after him.

    Sabotage: send it straight to its leader; it stands behind the house.
    """
    with story(the_inn()) as told:
        inn(told, TAPROOM)
        inn(told, BEHIND, PUP)
        told.do("errand", guid=PUP, follow=WHO, distance=1.5)
        for _ in range(16):
            told.do("tick", seconds=1.0)
            if cell(told, PUP) == TAPROOM["cell"]:
                break
        assert cell(told, PUP) == TAPROOM["cell"]
        told.do("tick", seconds=3.0)
        assert math.dist(*(told.look()[who]["origin"] for who in (WHO, PUP))) < 2.3
        told.do("walk", guid=WHO, to=BEHIND)
        told.do("tick", seconds=6.0)
        assert cell(told, PUP) == BEHIND["cell"]
        assert math.dist(*(told.look()[who]["origin"] for who in (WHO, PUP))) < 2.3


def test_a_window_is_no_way() -> None:
    """The hut has a door to the south and a window to the east; the sill of the one is its floor.

    Sabotage: leave the floor out of account; there are two ways out.
    """
    with story(opened(recipe("hut"))) as told:
        inn(told, {"cell": "0x7F7F001C", "origin": [84.0, 76.0, 20.0]})
        (found,) = told.host.routes.openings(0x7F7F0100)
        assert found.room == 0
        assert (found.east, found.north) == pytest.approx((0.0, -1.0), abs=1e-6)
        assert found.middle[1:3] == pytest.approx((84.0, 81.3), abs=0.05)
        assert told.host.routes.openings(0x7F7F0133) == ()


def test_through_the_middle_or_not_at_all() -> None:
    """A door of 1.2 m to the north, met straight, aslant, from behind, and beside it."""
    door = Opening(0, Place(0x7F7F0100, 10.0, 10.0, 0.0), 0.0, 1.0, 0.6)
    south, north = Place(0x7F7F0100, 10.0, 8.0, 0.0), Place(0x7F7F0100, 10.0, 12.0, 0.0)
    assert door.passes(south, north, 0.3)
    assert not door.passes(north, south, 0.3)
    assert door.back(5).passes(north, south, 0.3)
    assert door.passes(south._replace(x=10.25), north, 0.3)
    assert not door.passes(south._replace(x=10.6), north, 0.3)
    assert not door.passes(south, south._replace(y=9.0), 0.3)
    assert door._replace(north=0.0).passes(north, south, 0.3), "one in a floor"
    assert door.at(-0.5)[1:3] == (10.0, 9.5)


def test_round_a_house_by_the_shorter_way() -> None:
    """A house of 8 by 4 m: past a corner, past two, from before its door; and past it."""
    house = Footprint(Place(0x7F7F0001, 100.0, 100.0, 0.0), 1.0, 0.0, 4.0, 2.0)

    def corner(ax: float, ay: float, bx: float, by: float) -> tuple[float, float] | None:
        found = house.corner(
            Place(0x7F7F0001, 100 + ax, 100 + ay, 0.0),
            Place(0x7F7F0001, 100 + bx, 100 + by, 0.0),
            0.5,
        )
        return None if found is None else (found.x - 100.0, found.y - 100.0)

    assert corner(-9.0, 4.0, 9.0, 4.0) is None
    assert corner(-9.0, 1.0, 9.0, 0.5) == (-5.0, 3.0)
    assert corner(-9.0, -1.0, 9.0, -0.5) == (-5.0, -3.0)
    assert corner(3.0, 9.0, 3.0, -9.0) == (5.0, 3.0)
    assert corner(5.0, 3.0, 3.0, -9.0) == (5.0, -3.0), "on, from a corner"
    assert corner(0.0, -2.2, 1.0, 9.0) == (5.0, -3.0), "from before the door in the south"
    assert corner(1.0, 9.0, 0.0, -2.2) == (5.0, 3.0), "and home"
    assert corner(0.0, -2.2, 3.0, -9.0) is None
    assert corner(0.0, math.nan, 3.0, 9.0) in (
        None,
        (5.0, 3.0),
        (-5.0, 3.0),
        (-5.0, -3.0),
        (5.0, -3.0),
    )


def test_all_under_the_sky_is_one_room() -> None:
    assert (room_of(0x7F7F0040), room_of(0x7F7F0100)) == (0, 0x7F7F0100)

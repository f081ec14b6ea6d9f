"""Objects that go by themselves: along places, in and out of houses, after somebody."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from builders.hosts import BODY, PLAYER, SHIELD, SHIELD_SETUP, Story, story

from acclient_py.cli.worlds import open_world
from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.transcript.writer import encode

WALKER, PUP = "0x80000100", "0x80000130"


def place(x: float, y: float, cell: str | None = None) -> dict[str, Any]:
    low = int(x // 24) * 8 + int(y // 24) + 1
    return {"cell": cell or f"0x7F7F{low:04X}", "origin": [x, y, 20.0], "rotation": [1, 0, 0, 0]}


def stop(x: float, y: float, **fields: Any) -> dict[str, Any]:
    at = place(x, y)
    del at["rotation"]
    return {"to": at, **fields}


def where(told: Story, who: str = WALKER) -> tuple[float, float]:
    x, y, _ = told.look()[who]["origin"]
    return x, y


def walker(told: Story, x: float = 170.0, y: float = 90.0, who: str = WALKER) -> None:
    told.do("create", guid=who, instance=0, setup=BODY, at=place(x, y))


def test_who_is_not_there_or_cannot_walk_is_refused() -> None:
    with story("doll") as told:
        told.do("errand", guid=WALKER, stops=[stop(1, 1)])
        told.do("create", guid=SHIELD, setup=SHIELD_SETUP, at=place(170, 90))
        told.do("errand", guid=SHIELD, stops=[stop(1, 1)])
        reasons = told.refused()
    assert reasons[0] == "nobody has this guid"
    assert "no motion table" in reasons[1]
    with pytest.raises(UsageError, match="stops, or follow"):
        sc.parse_step(json.dumps({"do": "errand", "guid": WALKER, "stops": [stop(1, 1)],
                                  "follow": PUP}))  # fmt: skip


def test_it_goes_round_its_places_and_waits_at_them() -> None:
    """Sabotage: drop the wait; it is on its way again at once."""
    with story("doll") as told:
        walker(told)
        told.do("errand", guid=WALKER, stops=[stop(170, 94, wait=2.0), stop(174, 94)])
        told.do("tick", seconds=2.0)
        assert where(told) == pytest.approx((170.0, 94.0), abs=0.5)
        told.do("tick", seconds=1.0)
        assert where(told) == pytest.approx((170.0, 94.0), abs=0.5), "it waits"
        told.do("tick", seconds=2.3)
        assert where(told)[0] > 172.0, "it turned and went on"
        told.do("tick", seconds=3.0)
        assert where(told)[0] < 173.0, "it is on its way back"
        told.do("errand", guid=WALKER)
        told.do("tick", seconds=0.5)
        stands = where(told)
        told.do("tick", seconds=1.0)
        assert where(told) == stands, "the errand has ended"
        assert len(told.host.errands) == 0


def test_once_is_once() -> None:
    with story("doll") as told:
        walker(told)
        told.do("errand", guid=WALKER, stops=[stop(170, 93)], loop=False)
        told.do("tick", seconds=4.0)
        assert where(told) == pytest.approx((170.0, 93.0), abs=0.5)
        assert len(told.host.errands) == 0


@pytest.mark.contract("C14")
@pytest.mark.contract("E17")
def test_what_it_carries_goes_over_borders_with_it_and_is_put_away_on_arriving() -> None:
    """Sabotage: do the steps on leaving a place; the shield is still up at the first one."""
    with story("doll") as told:
        walker(told, 186.0, 90.0)
        told.do("create", guid=SHIELD, setup=SHIELD_SETUP, parent=WALKER, location=3)
        over = {"to": {"cell": "0x807F0004", "origin": [6.0, 90.0, 20.0]}, "wait": 1.0}
        back = stop(186, 90, wait=1.0, then=[{"do": "pickup", "guid": SHIELD}])
        told.do("errand", guid=WALKER, stops=[over, back], loop=False)
        seen = set()
        for _ in range(150):
            told.do("tick", seconds=0.1)
            look = told.look()
            assert look[SHIELD]["cell"] in (look[WALKER]["cell"], None)
            seen.add((look[WALKER]["cell"][:6], look[SHIELD]["cell"] is None))
        assert seen == {("0x7F7F", False), ("0x807F", False), ("0x7F7F", True)}


def test_a_follower_comes_after_its_leader_and_stops_short() -> None:
    """Sabotage: let it set out only when it is on no way; it walks after who runs."""
    with story("doll") as told:
        walker(told)
        walker(told, 168.0, 90.0, PUP)
        way = [stop(170, 102), stop(130, 102, run=True)]
        told.do("errand", guid=WALKER, stops=way, loop=False)
        told.do("errand", guid=PUP, follow=WALKER, distance=2.0)
        speeds, apart = set(), 0.0
        for _ in range(240):
            told.do("tick", seconds=0.1)
            apart = max(apart, math.dist(where(told), where(told, PUP)))
            obj = told.host.known(int(PUP, 16)).obj
            east, north, _ = told.host.physics.movement.velocity(obj)
            speeds.add(round(math.hypot(east, north), 1))
        assert {0.0, 3.1, 4.0} <= speeds, "it stood, walked and ran"
        assert apart < 8.0
        assert 1.0 < math.dist(where(told), where(told, PUP)) < 2.6


def test_a_follower_gives_way() -> None:
    """Sabotage: leave MOVE_AWAY out; it stays where it is."""
    with story("doll") as told:
        walker(told)
        walker(told, 170.0, 91.0, PUP)
        told.do("errand", guid=PUP, follow=WALKER, distance=3.0)
        told.do("tick", seconds=3.0)
        assert math.dist(where(told), where(told, PUP)) > 1.7


@pytest.mark.contract("C8")
def test_who_does_not_tick_waits() -> None:
    """Too far from the player. Sabotage: let errands go on that do not tick; the first stop is
    given up, and the walker goes to the second when the player has come.
    """
    with story("doll") as told:
        told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=place(10, 90))
        walker(told, 107.0, 90.0)
        told.do("errand", guid=WALKER, stops=[stop(107, 96), stop(107, 80)])
        told.do("tick", seconds=3.0)
        assert where(told) == (107.0, 90.0)
        told.do("teleport", guid=PLAYER, at=place(60, 90))
        told.do("tick", seconds=1.5)
        assert where(told)[1] > 91.0


def test_who_is_gone_has_no_errand_and_who_is_blocked_goes_on() -> None:
    with story("doll") as told:
        walker(told)
        told.do("create", guid="0x80000200", setup="0x02000014", at=place(170.0, 93.0))
        told.do("errand", guid=WALKER, stops=[stop(170, 93), stop(170, 86, wait=9.0)])
        told.do("tick", seconds=9.0)
        assert where(told) == pytest.approx((170.0, 86.0), abs=0.5), "the first place is taken"
        told.do("delete", guid=WALKER)
        told.do("tick", seconds=0.1)
        assert len(told.host.errands) == 0


@pytest.mark.contract("T8")
def test_twice_the_same() -> None:
    """Sabotage: order the errands by a set; two runs part."""
    with open_world("demo") as dats:
        lines = [_life(Host(dats), 30.0) for _ in range(2)]
    assert lines[0] == lines[1]


@pytest.mark.slow
@pytest.mark.contract("C14")
def test_alderwick_lives() -> None:
    """The stored cast: everybody goes in and out, nobody is stuck, what they carry is with them."""
    with open_world("demo") as dats:
        host = Host(dats)
        for step in sc.read("life").steps:
            host.step(step)
        assert host.refused == []
        inside: dict[str, set[bool]] = {}
        lit: set[bool] = set()
        for _ in range(160):
            host.step(sc.Tick(seconds=0.5))
            line = host.checkpoint("now")
            look = {o["guid"]: o for o in line["objects"]}
            for who, o in look.items():
                if o["parent"] is not None:
                    assert o["cell"] == look[o["parent"]]["cell"]
                elif o["cell"] is not None and o["children"]:
                    inside.setdefault(who, set()).add(int(o["cell"], 16) & 0xFFFF >= 0x100)
            lit.add(host.doors.is_open(host.known(0x70000001)))
        assert inside["0x70000003"] == inside["0x70000006"] == {True, False}
        assert lit == {True, False}, "the hall's door is opened and shut"
        assert host.refused == []


def test_a_thing_that_comes_again_goes_on_from_the_beginning() -> None:
    """Its landblock goes and comes. Sabotage: end the errand with the thing; it stands."""
    with open_world("demo") as dats:
        host = Host(dats)
        for step in sc.read("life").steps:
            host.step(step)
        guid = 0x70000003
        before = len(host.errands)
        host.step(sc.Tick(seconds=1.0))
        for away in ({"cell": "0x01020100", "origin": [60.0, 41.0, 0.0]}, None):
            at = sc.At(**_at(away)) if away else sc.read("start").steps[0].at  # type: ignore[union-attr]
            host.step(sc.Teleport(guid=sc.HexId(0x50000001), at=at))
            host.step(sc.Tick(seconds=2.0))
            assert (host.session.directory.get(guid) is None) == (away is not None)
        assert len(host.errands) == before
        here = host.physics.row(host.known(guid).obj)["frame"][:2].tolist()
        host.step(sc.Tick(seconds=5.0))
        there = host.physics.row(host.known(guid).obj)["frame"][:2].tolist()
        assert math.dist(here, there) > 1.0


def _at(raw: dict[str, Any]) -> dict[str, Any]:
    return {"cell": sc.HexId(int(raw["cell"], 16)), "origin": tuple(raw["origin"])}


def _life(host: Host, seconds: float) -> bytes:
    for step in sc.read("life").steps:
        host.step(step)
    host.step(sc.Tick(seconds=seconds))
    return encode(host.checkpoint("after"))


def test_the_player_may_have_an_errand_too() -> None:
    with story("doll") as told:
        told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=place(170, 90))
        told.do("errand", guid=PLAYER, stops=[stop(170, 95)], loop=False)
        told.do("tick", seconds=5.0)
        assert where(told, PLAYER) == pytest.approx((170.0, 95.0), abs=0.5)

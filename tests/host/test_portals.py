"""Teleports and portals: the body is held until its place is there, and stays when it never is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from builders.hosts import BODY, PLAYER, SHIELD, SHIELD_SETUP, Story
from builders.walkers import recipe
from builders.worlds import opened

from acclient_py.physics.state import PhysicsState
from acclient_py.session.positions import PATIENCE

PORTAL = "0x80000040"
ROOMS = """
[[room]]
name = "vault"
block = "7F7F"
at = [40, 40, -20]
size = [8, 8, 3]
[[room]]
name = "crypt"
block = "7F7F"
at = [40, 48.4, -20]
size = [8, 8, 3]
[[door]]
rooms = ["vault", "crypt"]
width = 1.4
[mesh.ring]
pieces = [{ shape = "lathe", surface = "leather", profile = [[0.7, 0.0], [0.7, 0.1]] }]
[setup.portal]
id = "0x02000040"
mesh = "ring"
"""
HERE = {"cell": "0x7F7F0022", "origin": [100.0, 36.0, 20.0]}
VAULT = {"cell": "0x7F7F0101", "origin": [40.0, 38.0, -20.0]}
NOWHERE = {"cell": "0x7F7F0177", "origin": [40.0, 38.0, -20.0]}


class Late:
    """A loader whose places come after some ticks; None: never."""

    def __init__(self, loader: Any, delay: int | None) -> None:
        self.loader = loader
        self.delay = delay

    def load_for(self, cell_id: int) -> bool:
        if self.delay is None:
            return False
        if self.delay > 0:
            self.delay -= 1
            return False
        return bool(self.loader.load_for(cell_id))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


@pytest.fixture
def told() -> Iterator[Story]:
    story = Story(opened(recipe("hut", ROOMS)))
    story.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=HERE)
    story.do("create", guid=SHIELD, setup=SHIELD_SETUP, parent=PLAYER, location=3)
    story.do("tick", seconds=0.2)
    yield story
    story.dats.close()


def delay(story: Story, frames: int | None) -> None:
    positions = story.host.session.positions
    positions.loader = Late(positions.loader, frames)


def state_of(story: Story, guid: str = PLAYER) -> int:
    return int(story.look()[guid]["state"], 16)


@pytest.mark.contract("E20")
@pytest.mark.parametrize("frames", [0, 1, 50])
def test_the_body_is_held_until_its_place_is_there_and_stands_on_its_floor(
    told: Story, frames: int
) -> None:
    """MEM-04. Sabotage: leave `_hold` out; it falls or is drawn while it waits."""
    before = told.look()
    delay(told, frames)
    told.do("teleport", guid=PLAYER, at=VAULT)
    for _ in range(max(frames - 1, 0)):
        told.host.tick()
        seen = told.look()
        assert seen[PLAYER]["origin"] == before[PLAYER]["origin"], "no fall, no step"
        assert seen[PLAYER]["cell"] == seen[SHIELD]["cell"] == HERE["cell"]
        for guid in (PLAYER, SHIELD):
            assert int(seen[guid]["state"], 16) & PhysicsState.NODRAW, "not drawn"
    told.host.tick(2)
    seen = told.look()
    assert seen[PLAYER]["cell"] == seen[SHIELD]["cell"] == VAULT["cell"]
    assert seen[PLAYER]["origin"][2] == pytest.approx(-20.0, abs=0.01), "on the room's floor"
    for guid in (PLAYER, SHIELD):
        assert seen[guid]["state"] == before[guid]["state"], "and as it was before"
    told.do("walk", guid=PLAYER, heading=0.0, seconds=0.5)
    assert told.look()[PLAYER]["origin"][1] > 38.5, "it goes on"


@pytest.mark.contract("E20", "E3")
def test_a_place_that_never_comes_is_told_and_the_body_stays(told: Story) -> None:
    """MEM-04. Sabotage: wait for ever; the body is still frozen at the end."""
    before = told.look()
    delay(told, None)
    told.do("teleport", guid=PLAYER, at=VAULT)
    told.host.tick(PATIENCE - 1)
    assert state_of(told) & PhysicsState.FROZEN
    told.host.tick(2)
    assert told.refused() == [f"{PLAYER} stays: {VAULT['cell']} did not come for {PATIENCE} ticks"]
    assert told.look()[PLAYER] == before[PLAYER]
    told.do("walk", guid=PLAYER, heading=90.0, seconds=0.5)
    assert told.look()[PLAYER]["origin"][0] > 101.0


@pytest.mark.contract("E20", "E3")
def test_there_is_no_teleport_into_the_void(told: Story) -> None:
    """Sabotage: place it all the same; nothing is said."""
    told.do("teleport", guid=PLAYER, at=NOWHERE)
    assert told.refused() == [f"{PLAYER} stays: there is no cell {NOWHERE['cell']}"]
    assert told.look()[PLAYER]["cell"] == HERE["cell"]


@pytest.mark.parametrize(
    "at",
    [
        {"cell": "0x7F7F0022", "origin": [1e9, 36.0, 20.0]},
        {"cell": "0x7F7F0022", "origin": [100.0, -90000.0, 20.0]},
        {"cell": "0x7F7F0022", "origin": [5000.0, 36.0, 20.0]},
        {"cell": "0x7F7F0100", "origin": [1e9, 84.0, 20.0]},
        {"cell": "0x7F7F0101", "origin": [40.0, 38.0, -5000.0]},
        {"cell": "0x7F7F0100", "origin": [5000.0, 84.0, 20.0]},
    ],
    ids=lambda at: f"{at['cell']} {at['origin']}",
)
def test_an_origin_far_from_its_cell_leads_nowhere_and_he_stays(told: Story, at: Any) -> None:
    """Sabotage: ask only for the cell that is named; he is in no cell."""
    told.do("teleport", guid=PLAYER, at=at)
    where = ", ".join(f"{v:g}" for v in at["origin"])
    assert told.refused() == [f"{PLAYER} stays: there is no cell {at['cell']} at {where}"]
    told.do("tick", seconds=1.0)
    seen = told.look()
    assert seen[PLAYER]["cell"] == seen[SHIELD]["cell"] == HERE["cell"]
    assert seen[PLAYER]["origin"][:2] == HERE["origin"][:2]


def test_who_was_sent_into_the_void_is_not_lost_later(told: Story) -> None:
    """Sabotage: place it all the same; it is gone after 25 seconds."""
    told.do("teleport", guid=PLAYER, at=NOWHERE)
    told.do("tick", seconds=26.0)
    assert told.look()[PLAYER]["cell"] == HERE["cell"]


ORDERS = {
    "key up in the hold": ["down", "go", "up", "arrive"],
    "key down in the hold": ["go", "down", "arrive"],
    "key held through": ["down", "go", "arrive"],
    "focus lost in the hold": ["down", "go", "focus", "arrive"],
    "key up and down in the hold": ["down", "go", "up", "down", "arrive"],
    "key up after": ["down", "go", "arrive", "up"],
}


@pytest.mark.contract("E20")
@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_after_an_arrival_the_motion_is_that_of_the_keys(told: Story, order: list[str]) -> None:
    """MEM-09. Sabotage: pass over `hold` while somebody is held; he runs on after the arrival."""
    held: list[str] = []
    driver, host = told.host.driver, told.host

    def ticks(count: int) -> None:
        for _ in range(count):
            driver.keep(held)
            host.tick()

    for event in order:
        if event == "down":
            held = ["forward"]
        elif event == "up":
            held = []
        elif event == "focus":
            held = []
            driver.release_all()
        elif event == "go":
            delay(told, 20)
            told.do("teleport", guid=PLAYER, at=VAULT)
        else:
            ticks(25)
        if event != "arrive":
            ticks(5)
    ticks(3)
    before = told.look()[PLAYER]
    assert before["cell"] in (VAULT["cell"], "0x7F7F0102", "0x7F7F0103")
    ticks(10)
    moved = told.look()[PLAYER]["origin"] != before["origin"]
    assert moved == (held == ["forward"])


def test_a_step_is_taken_only_with_a_key(told: Story) -> None:
    """MEM-09: let go in the hold, not one step is taken at the place of arrival."""
    driver = told.host.driver
    for held in (["forward"], []):
        driver.keep(held)
        told.host.tick()
        if held:
            delay(told, 10)
            told.do("teleport", guid=PLAYER, at=VAULT)
    for _ in range(20):
        driver.keep([])
        told.host.tick()
    assert told.look()[PLAYER]["origin"][:2] == pytest.approx(VAULT["origin"][:2], abs=1e-4)


@pytest.mark.contract("E20")
def test_who_walks_into_a_portal_goes_where_it_leads(told: Story) -> None:
    """With what he carries, once: he arrives beside it and has to leave it before it works again.

    Sabotage: leave `inside` out; he is sent on at every tick.
    """
    beside = {"cell": "0x7F7F0022", "origin": [100.4, 40.0, 20.0]}
    told.do(
        "create", guid=PORTAL, setup="0x02000040", state="0x0000000C", leads=VAULT,
        at={"cell": "0x7F7F0022", "origin": [100.0, 40.0, 20.0]},
    )  # fmt: skip
    told.do("walk", guid=PLAYER, heading=0.0, seconds=2.0)
    assert told.refused() == []
    seen = told.look()
    assert seen[PLAYER]["cell"] == seen[SHIELD]["cell"] == VAULT["cell"]
    stamps = list(told.host.known(int(PLAYER, 16)).stamps)
    told.do("teleport", guid=PLAYER, at=beside)
    told.do("tick", seconds=0.5)
    assert told.look()[PLAYER]["cell"] == VAULT["cell"], "into it again"
    assert told.host.known(int(PLAYER, 16)).stamps != stamps


def test_a_portal_that_leads_to_itself_sends_once(told: Story) -> None:
    at = {"cell": "0x7F7F0022", "origin": [100.0, 40.0, 20.0]}
    told.do("create", guid=PORTAL, setup="0x02000040", state="0x0000000C", leads=at, at=at)
    told.do("walk", guid=PLAYER, heading=0.0, seconds=1.2)
    stamps = list(told.host.known(int(PLAYER, 16)).stamps)
    told.do("tick", seconds=1.0)
    assert told.host.known(int(PLAYER, 16)).stamps == stamps

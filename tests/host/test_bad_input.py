"""Bad input: circles, depth, crowds, broken setups and cells, places that are nowhere.

Each is refused or handled by a rule of retail's; nothing hangs, nothing is torn. The graph is
checked after every step (`Story` runs with `check`).
"""

from __future__ import annotations

import json
import logging
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import dat_sets as made
from builders.damage import damaged
from builders.hosts import (
    BODY,
    CHARM_SETUP,
    CREATURE,
    HERE,
    PLAYER,
    SHIELD,
    SWORD,
    SWORD_SETUP,
    THERE,
    Story,
    parents,
    story,
)
from msgspec.structs import replace

from acclient_py.dat import records as rec
from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc
from acclient_py.host import steps
from acclient_py.physics.state import SetPositionError
from acclient_py.session import messages as wire
from acclient_py.session.answer import Outcome

CHAIN = [f"0x8000010{k}" for k in range(8)]


def instance(who: str) -> int:
    return 3 if who == PLAYER else 0


def hang(told: Story, who: str, setup: str = SWORD_SETUP) -> None:
    """Eight swords, each on the one before."""
    above = who
    for guid in CHAIN:
        told.do("create", guid=guid, setup=setup, parent=above, location=1)
        above = guid


def cells(told: Story) -> dict[str, str | None]:
    return {guid: seen["cell"] for guid, seen in told.look().items()}


# circles


@pytest.mark.contract("E3")
@pytest.mark.contract("C17")
@parents
@pytest.mark.parametrize("depth", range(8))
def test_no_circle_closes_however_long(told: Story, who: str, depth: int) -> None:
    """Sabotage: test only the direct parent for a circle; depth 1 hangs or is torn."""
    told.stand(who)
    hang(told, who)
    before = told.look()
    told.do("attach", child=who, parent=CHAIN[depth], location=1)
    told.do("attach", child=CHAIN[0], parent=CHAIN[depth], location=1)
    reasons = told.refused()
    assert len(reasons) == 2
    assert reasons[0] == "the parent hangs on the child"
    expected = "an object cannot hold itself" if depth == 0 else "the parent hangs on the child"
    assert reasons[1] == expected
    assert told.look() == before


def create(guid: str, children: list[tuple[int, int]], **fields: Any) -> wire.CreateObject:
    """A create that lists children, as only the wire can."""
    body: dict[str, Any] = {"guid": guid, "setup": fields.pop("setup", SWORD_SETUP), **fields}
    step = sc.parse_step(json.dumps({"do": "create", **body}))
    assert isinstance(step, sc.Create)
    with story() as it:
        message = steps.create(step, None, it.host.models.setup(step.setup))
    flags = message.physics.flags | 0x40
    return replace(message, physics=replace(message.physics, flags=flags, children=tuple(children)))


@pytest.mark.contract("C17")
def test_a_create_that_lists_itself_or_its_parent_as_a_child(told: Story) -> None:
    """Sabotage: attach named children without a test for circles; the check fails."""
    told.stand(PLAYER)
    me, sword = int(PLAYER, 16), int(SWORD, 16)
    message = create(SWORD, [(sword, 1), (me, 1)], parent=PLAYER, location=1)
    assert told.message(wire.encode(message)).outcome is Outcome.DONE
    seen = told.look()
    assert (seen[SWORD]["parent"], seen[PLAYER]["parent"]) in ((PLAYER, None), (None, SWORD))
    assert sum(o["parent"] is not None for o in seen.values()) == 1


def test_an_object_that_names_itself_as_parent_waits_for_ever(told: Story) -> None:
    told.hold(SWORD, SWORD, 1)
    assert told.look() == {}
    assert told.counts()["staged"] == 1
    told.stand(SWORD)
    assert told.counts()["staged"] == 0
    assert told.look()[SWORD]["parent"] is None


# depth and crowds


@pytest.mark.contract("C5")
@pytest.mark.contract("E6")
@pytest.mark.contract("E15")
@parents
def test_children_eight_deep_follow_over_borders_and_leave_nothing(told: Story, who: str) -> None:
    """Sabotage: stop the recursion at the grandchildren; the second comparison fails."""
    told.stand(who)
    hang(told, who)
    assert cells(told) == dict.fromkeys([who, *CHAIN], HERE["cell"])
    for at in (THERE, HERE, THERE):
        told.do("place", guid=who, at=at)
        assert cells(told) == dict.fromkeys([who, *CHAIN], at["cell"])
    told.do("pickup", guid=CHAIN[3])
    told.do("place", guid=who, at=HERE)
    seen = cells(told)
    assert {seen[guid] for guid in (who, *CHAIN[:3])} == {HERE["cell"]}
    assert {seen[guid] for guid in CHAIN[3:]} == {None}
    told.host.close()
    counts = told.counts()
    names = ("objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged", "lost")
    assert {name: counts[name] for name in names} == dict.fromkeys(names, 0)


@pytest.mark.contract("C19")
@pytest.mark.contract("E15")
@parents
def test_a_thousand_children_on_one_parent(who: str) -> None:
    """Sabotage: bound the walk over a child list by 256; the first comparison fails."""
    guids = [f"0x8001{k:04X}" for k in range(1000)]
    with story("doll") as told:
        told.stand(who)
        told.host._check = False
        for guid in guids:
            told.do("create", guid=guid, setup=CHARM_SETUP, parent=who, location=1)
        told.host.physics.check()
        assert cells(told) == dict.fromkeys([*guids, who], HERE["cell"])
        told.do("place", guid=who, at=THERE)
        told.host.physics.check()
        assert cells(told) == dict.fromkeys([*guids, who], THERE["cell"])
        assert told.look()[who]["children"] == guids
        for guid in guids[::2]:
            told.do("pickup", guid=guid)
        told.host.physics.check()
        assert told.look()[who]["children"] == guids[1::2]
        told.host.close()
        told.host.physics.check()
        assert told.counts()["shadow_parts"] == 0


# setups


def without(**changes: Any) -> Callable[[Any], Any]:
    return lambda record: replace(record, **changes)


@parents
def test_a_setup_without_holding_locations_carries_nothing(tmp_path: Path, who: str) -> None:
    body = int(BODY, 16)
    dats = damaged("doll", tmp_path, portal={body: without(holding_locations=())})
    with story(dats) as told:
        told.stand(who)
        told.do("create", guid=SWORD, setup=SWORD_SETUP, at=HERE)
        before = told.look()
        told.do("attach", child=SWORD, parent=who, location=1)
        assert told.refused() == ["the parent has no holding location 1"]
        assert told.look() == before
        assert before[SWORD]["cell"] == HERE["cell"]


def test_a_holding_location_on_a_part_that_is_not_there_is_the_object(tmp_path: Path) -> None:
    def far_hand(record: Any) -> Any:
        moved = tuple(replace(hold, part=77) for hold in record.holding_locations)
        return replace(record, holding_locations=moved)

    dats = damaged("doll", tmp_path, portal={int(BODY, 16): far_hand})
    with story(dats) as told:
        told.arm(PLAYER)
        told.do("place", guid=PLAYER, at=THERE)
        assert set(cells(told).values()) == {THERE["cell"]}


def test_parts_without_meshes_are_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The part is a stand-in or null; the object has a cell, and the others follow."""
    caplog.set_level(logging.WARNING)
    sword = int(SWORD_SETUP, 16)
    dats = damaged("doll", tmp_path, portal={sword: without(parts=(0x0100FFFF,))})
    with story(dats) as told:
        told.arm(PLAYER)
        told.do("place", guid=PLAYER, at=THERE)
        seen = told.look()
        assert {o["cell"] for o in seen.values()} == {THERE["cell"]}
        assert seen[SWORD]["shadow_cells"] == [THERE["cell"]]
    assert sum("0100FFFF" in r.getMessage() for r in caplog.records) <= 1


@pytest.mark.parametrize(
    "data", [b"\x10\0\0\x02", bytes(64), b"\xff" * 400], ids=["id", "zero", "ones"]
)
def test_a_damaged_setup_is_a_stand_in_or_a_refusal(tmp_path: Path, data: bytes) -> None:
    dats = damaged("doll", tmp_path, portal={int(SWORD_SETUP, 16): data})
    with story(dats) as told:
        told.stand(PLAYER)
        told.hold(SWORD, PLAYER, 1)
        told.hold(SHIELD, PLAYER, 3)
        told.do("place", guid=PLAYER, at=THERE)
        seen = told.look()
        assert seen[SHIELD]["cell"] == seen[PLAYER]["cell"] == THERE["cell"]


def test_a_setup_that_is_no_setup_is_refused_in_one_line(told: Story) -> None:
    told.stand(PLAYER)
    told.do("create", guid=SWORD, setup="0x0F000010", parent=PLAYER, location=1)
    (reason,) = told.refused()
    assert "0x0F000010" in reason
    assert "\n" not in reason
    assert SWORD not in told.look()


# cells

SOUTH, SOUTH_EAST, STAIR, CELLAR = 0x02020100, 0x02020104, 0x02020108, 0x02020109
DOOR = {"cell": "0x02020108", "origin": [50.0, 35.9, 0.0]}
MIDDLE = {"cell": "0x02020100", "origin": [50.0, 40.0, 0.0]}
BELOW = {"cell": "0x02020109", "origin": [50.0, 21.0, -3.0]}
PILLAR = "0x02000001"


def portals(**changes: Any) -> Callable[[Any], Any]:
    """Every portal of an env cell with these fields."""

    def change(cell: Any) -> Any:
        return replace(cell, portals=tuple(replace(p, **changes) for p in cell.portals))

    return change


CELL_FAULTS: dict[str, Callable[[Any], Any]] = {
    "no such cell": portals(other_cell_id=0x0177),
    "itself": portals(other_cell_id=0x0100),
    "back to another portal": portals(other_portal_id=77),
    "back pointing elsewhere": portals(other_cell_id=0x0109, other_portal_id=0),
    "no such polygon": portals(polygon_id=999),
    "all flags": portals(flags=0xFFFF),
    "a land cell": portals(other_cell_id=0x0001),
    "no portals": without(portals=()),
    "stabs nowhere": without(visible_cells=(0x0177, 0x0100, 0x0100, 0x0001, 0xFFFF)),
    "no stabs": without(visible_cells=()),
    "no environment": without(environment_id=0x0D00FFFF),
    "no structure": without(structure_index=999),
    "statics of nothing": lambda cell: replace(
        cell,
        flags=cell.flags | 2,
        statics=(rec.Stab(0x02009999, made.at(50.0, 40.0, 0.0)),) * 3,
    ),
}


def roam(told: Story) -> None:
    """Through every damaged room and its neighbours, with time between."""
    told.do("create", guid=PLAYER, setup=PILLAR, instance=3, player=True, at=MIDDLE)
    told.do("create", guid=SWORD, setup=PILLAR, at=DOOR)
    for at in (DOOR, BELOW, MIDDLE, DOOR):
        told.do("teleport", guid=PLAYER, at=at)
        told.do("place", guid=SWORD, at=at)
        told.do("tick", seconds=0.1)
    told.do("unload", landblock="0x0202FFFF")
    told.do("load", landblock="0x0202FFFF")
    told.do("tick", seconds=0.1)
    told.host.close()
    counts = told.counts()
    assert (counts["objects"], counts["shadow_parts"], counts["relations"]) == (0, 0, 0)


@pytest.mark.contract("S11")
@pytest.mark.parametrize("fault", sorted(CELL_FAULTS))
def test_a_world_with_a_faulty_cell_goes_on(tmp_path: Path, fault: str) -> None:
    """A damaged cell may keep objects out; it tears nothing and leaves nothing behind."""
    change = CELL_FAULTS[fault]
    with story(damaged("ring", tmp_path, cell={SOUTH: change, STAIR: change})) as told:
        roam(told)


def chain_of(*planes: tuple[float, ...]) -> Any:
    node = rec.BspNode("LEAF", leaf=0)
    for plane in reversed(planes):
        node = rec.BspNode("BPnn", plane, node)
    return rec.BspTree.from_node(rec.BspKind.CELL, node)


NAN, INF = math.nan, math.inf
BSP_FAULTS: dict[str, tuple[tuple[float, ...], ...]] = {
    "everywhere": (),
    "no normal": ((0.0, 0.0, 0.0, 0.0),),
    "outside of itself": ((0.0, 0.0, 0.0, -1.0),),
    "two planes against each other": ((1, 0, 0, -100), (-1, 0, 0, -100)),
    "no number": ((NAN, NAN, NAN, NAN),),
    "infinite": ((INF, 0.0, 0.0, -INF), (0, 0, 1, 0)),
}


@pytest.mark.parametrize("fault", sorted(BSP_FAULTS))
def test_a_degenerate_cell_tree_hangs_nothing(tmp_path: Path, fault: str) -> None:
    """Every structure of the dungeon gets the same degenerate tree."""
    tree = chain_of(*BSP_FAULTS[fault])

    def change(environment: Any) -> Any:
        every = tuple(replace(one, cell_bsp=tree) for one in environment.structures)
        return replace(environment, structures=every)

    with story("ring") as it:
        environment = it.dats.record(SOUTH).environment_id
    with story(damaged("ring", tmp_path, portal={environment: change})) as told:
        roam(told)


# places


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_a_step_to_no_number_is_refused_before_it_runs(bad: float) -> None:
    step = sc.Place(guid=sc.HexId(1), at=sc.At(sc.HexId(0x7F7F0001), (bad, 0.0, 0.0)))
    with pytest.raises(UsageError, match="not finite"):
        sc.check_step(step, where="step")


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
@pytest.mark.parametrize("field", range(7))
def test_a_message_to_no_number_is_refused_and_changes_nothing(
    told: Story, bad: float, field: int
) -> None:
    told.arm(PLAYER)
    before = told.look()
    numbers = [180.0, 90.0, 20.0, 1.0, 0.0, 0.0, 0.0]
    numbers[field] = bad
    data = struct.pack(
        "<4I7f4H", 0xF748, int(SHIELD, 16), 0x04, 0x7F7F003C, *numbers, 0, 1, 0, 0
    )  # fmt: skip
    answer = told.message(data)
    assert answer.outcome is Outcome.REFUSED
    assert told.look() == before


NUMBERS = (NAN, INF, -INF, 1e30, -1e30, 3e38, 1e-40, 0.0)


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("cell", ["0x7F7F003C", "0xFFFFFFFF", "0x7F7F0000", "0x00000000"])
def test_the_physics_place_nothing_at_nan(told: Story, value: float, cell: str) -> None:
    """Whatever calls it: an object is placed, lost or refused; the graph stays whole."""
    told.arm(CREATURE)
    world = told.host.physics
    obj = told.host.known(int(CREATURE, 16)).obj
    for place in range(7):
        frame = np.array([180.0, 90.0, 20.0, 1.0, 0.0, 0.0, 0.0], np.float32)
        with np.errstate(over="ignore"):
            frame[place] = value
        error = world.set_position(obj, int(cell, 16), frame)
        assert isinstance(error, SetPositionError)
        world.check()
        told.do("tick", seconds=0.07)
    told.do("place", guid=CREATURE, at=HERE)
    assert set(cells(told).values()) == {HERE["cell"]}


def test_a_rotation_of_nothing_does_no_harm(told: Story) -> None:
    """The wire may carry four zeros; retail's own item messages do."""
    told.arm(PLAYER)
    zeros = struct.pack(
        "<4I7f4H", 0xF748, int(SHIELD, 16), 0x04, 0x7F7F003C, 180.0, 90.0, 20.0, 0, 0, 0, 0,
        0, 5, 1, 0,
    )  # fmt: skip
    told.message(zeros)
    told.do("tick", seconds=0.1)
    told.do("place", guid=SHIELD, at=HERE)
    assert told.look()[SHIELD]["cell"] == HERE["cell"]

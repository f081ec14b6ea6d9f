"""Equipment cases: swaps, hands, part numbers, clothing, two-handers (EQP-01, 02, 04, 05, 09)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
import pytest
from builders.effects import along, bearer, emitter, shown, start, ticks, world_of
from builders.graphs import parts_in
from builders.hosts import (
    BELT,
    LEFT,
    PLAYER,
    RIGHT,
    SHIELD,
    SHIELD_PLACE,
    SHIELD_SETUP,
    SWORD,
    SWORD_SETUP,
    Story,
    story,
)

from acclient_py.core.frame import combine
from acclient_py.dat.records.objdesc import ObjDesc, PartChange
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session import looks

OTHER, GREAT = "0x80000020", "0x80000021"


@pytest.fixture
def told() -> Iterator[Story]:
    """A player with a sword in the right hand and another in the left."""
    with story() as begun:
        begun.stand(PLAYER)
        begun.hold(SWORD, PLAYER, RIGHT)
        begun.hold(OTHER, PLAYER, LEFT)
        yield begun


def hands(told: Story) -> dict[int, list[str]]:
    """Who hangs at each of the player's holding locations."""
    found: dict[int, list[str]] = {}
    for guid, line in told.look().items():
        if line["parent"] == PLAYER:
            found.setdefault(line["location"], []).append(guid)
    return found


ANSWERS = ((SWORD, LEFT), (OTHER, RIGHT))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_eqp_01_a_swap_is_done_whole_in_either_order(told: Story, order: tuple[int, int]) -> None:
    """Sabotage: attach each answer as it comes; the assertion after the first half fails."""
    told.do("swap", guid=SWORD, other=OTHER)
    before = {RIGHT: [SWORD], LEFT: [OTHER]}
    assert hands(told) == before
    first, second = (ANSWERS[k] for k in order)
    told.do("attach", child=first[0], parent=PLAYER, location=first[1])
    assert hands(told) == before, "half a swap shows nothing"
    told.do("tick", seconds=0.1)
    told.do("attach", child=second[0], parent=PLAYER, location=second[1])
    assert hands(told) == {RIGHT: [OTHER], LEFT: [SWORD]}
    assert told.refused() == []


def test_eqp_01_a_missing_half_rolls_back_and_later_messages_work(told: Story) -> None:
    """Sabotage: never give a swap up in `use_time`; the second assertion fails."""
    told.do("swap", guid=SWORD, other=OTHER)
    told.do("attach", child=SWORD, parent=PLAYER, location=LEFT)
    told.do("tick", seconds=4.0)
    assert hands(told) == {RIGHT: [SWORD], LEFT: [OTHER]}
    assert told.host.session.relations.wielding.swaps == [], "nothing is busy"
    told.do("pickup", guid=OTHER)
    told.do("attach", child=SWORD, parent=PLAYER, location=LEFT)
    assert hands(told) == {LEFT: [SWORD]}
    told.do("attach", child=OTHER, parent=PLAYER, location=RIGHT)
    assert hands(told) == {RIGHT: [OTHER], LEFT: [SWORD]}


def test_eqp_01_an_answer_that_says_something_else_ends_the_swap(told: Story) -> None:
    told.do("swap", guid=SWORD, other=OTHER)
    told.do("attach", child=OTHER, parent=PLAYER, location=RIGHT)
    told.do("attach", child=SWORD, parent=PLAYER, location=BELT)
    assert hands(told) == {BELT: [SWORD], LEFT: [OTHER]}
    told.do("pickup", guid=OTHER)
    assert hands(told) == {BELT: [SWORD]}


def test_eqp_01_what_cannot_swap_is_refused(told: Story) -> None:
    told.do("create", guid=SHIELD, setup=SHIELD_SETUP)
    told.do("swap", guid=SWORD, other=SHIELD)
    told.do("swap", guid=SWORD, other=SWORD)
    assert told.refused() == [
        "the two are not held by one bearer",
        "a thing cannot change places with itself",
    ]
    assert hands(told) == {RIGHT: [SWORD], LEFT: [OTHER]}


def test_eqp_02_place_and_grip_come_from_the_message(told: Story) -> None:
    """The same weapon at right, left and shield: three parts, three grips, as the Setup says.

    Sabotage: take the location from the kind of item; the parts are one and the same.
    """
    world = told.host.physics
    obj = told.host.known(int(SWORD, 16)).obj
    man = told.host.known(int(PLAYER, 16)).obj
    told.do("pickup", guid=OTHER)
    found = []
    for location, placement in ((RIGHT, 1), (LEFT, 3), (SHIELD_PLACE, 0)):
        told.do("attach", child=SWORD, parent=PLAYER, location=location, placement=placement)
        row = world.row(obj)
        setup = world.setup_of(man)
        assert setup is not None
        assert int(row["hold_part"]) == setup.holdings[location].part_index
        assert np.array_equal(row["hold_frame"], setup.holdings[location].frame)
        own = world.setup_of(obj)
        assert own is not None
        pose = world.graph.arrays.poses[int(row["pose_first"])]
        assert np.array_equal(pose, own.placements[placement][0])
        found.append((int(row["hold_part"]), tuple(pose.tolist())))
    assert len({part for part, _ in found}) == 3
    assert len({pose for _, pose in found}) == 3


@pytest.mark.parametrize("part", [0xFFFFFFFF, 0, 1, 2, 255])
def test_eqp_04_a_child_at_part_minus_one_or_beyond_hangs_on_the_object(part: int) -> None:
    """The man has parts 0 and 1. Sabotage: index the part array with -1; the base is part 1."""
    world = world_of()
    man = bearer(world, 84.0, 12.0, 0.0, turn=(0.8, 0.0, 0.0, 0.6))
    item = world.make_object(0x02000002)
    hold = np.array((0.1, 0.2, 0.3, 1, 0, 0, 0), np.float32)
    reason = world.set_parent_frame(item, man, part, hold)
    if part not in (0xFFFFFFFF, 0, 1):
        assert reason == f"the parent has no part {part}"
        assert world.parent_of(item) == -1
        return
    assert reason is None
    world.check()
    row = world.row(man)
    base = row["frame"] if part == 0xFFFFFFFF else _part(world, man, part)
    expected = np.zeros(7, np.float32)
    combine(base, hold, 1.0, 1.0, 1.0, expected)
    assert np.array_equal(world.row(item)["frame"], expected)


@pytest.mark.parametrize("part", [0xFFFFFFFF, 0, 1, 2, 255])
def test_eqp_04_an_effect_at_part_minus_one_or_beyond_hangs_on_the_object(
    part: int, caplog: pytest.LogCaptureFixture
) -> None:
    """One log line for a part that is not there; never the last part.

    Sabotage: leave the check out of `create`; parts 2 and 255 start nothing.
    """
    record = emitter(
        0x32000100 + (part & 0xFF), particle_type=1, initial_particles=1, a=along(0, 0, 0)
    )
    world = world_of(record)
    man = bearer(world, 84.0, 12.0, 0.0)
    with caplog.at_level(logging.WARNING):
        number = start(world, man, record.id, part=part, at=(0.0, 0.0, 0.25))
        start(world, man, record.id, part=part)
    ticks(world, 1)
    beyond = part in (2, 255)
    assert sum("hangs on the object" in line for line in caplog.messages) == int(beyond)
    height = 1.25 if part == 1 else 0.25  # part 1 sits a metre up
    assert shown(world, man, number) == [pytest.approx((84.0, 12.0, height))]


def _part(world: PhysicsWorld, obj: int, index: int) -> np.ndarray:
    first = int(world.row(obj)["part_first"])
    frame: np.ndarray = world.graph.arrays.parts["frame"][first + index].copy()
    return frame


def test_eqp_05_clothing_changes_parts_and_its_end_restores_the_base(told: Story) -> None:
    """Sabotage: keep what an empty description does not name; the last assertion fails."""
    world = told.host.physics
    obj = told.host.known(int(PLAYER, 16)).obj
    first, count = int(world.row(obj)["part_first"]), int(world.row(obj)["part_count"])

    def parts() -> list[int]:
        rows = world.graph.arrays.parts["gfx"][first : first + count]
        return [int(world.graph.arrays.gfx["id"][row]) for row in rows]

    def listed() -> set[tuple[int, int]]:
        cell = world.full_cell_id(obj)
        return {entry for entry in parts_in(world, cell) if entry[0] == obj}

    base = parts()
    everywhere = listed()
    boots = base[0]
    dressed = ObjDesc(parts=(PartChange(3, boots), PartChange(5, boots)))
    looks.apply(world, obj, dressed)
    world.check()
    assert parts()[3] == parts()[5] == boots
    assert [part for k, part in enumerate(parts()) if k not in (3, 5)] == [
        part for k, part in enumerate(base) if k not in (3, 5)
    ]
    assert listed() == everywhere, "the parts stay in the cells' lists"
    looks.apply(world, obj, ObjDesc())
    world.check()
    assert parts() == base


def armed_for_both(told: Story) -> None:
    told.do("pickup", guid=OTHER)
    told.hold(SHIELD, PLAYER, SHIELD_PLACE)
    told.do("create", guid=GREAT, setup=SWORD_SETUP, two_handed=True)


def in_cells(told: Story) -> set[str]:
    """Which things are drawn somewhere."""
    return {guid for guid, line in told.look().items() if line["parts"] and guid != PLAYER}


@pytest.mark.parametrize("early", [True, False], ids=["attach first", "pickups first"])
def test_eqp_09_no_frame_shows_a_two_hander_and_a_shield(told: Story, early: bool) -> None:
    """Whatever the order of the messages and however late they come.

    Sabotage: leave `free_hands` out of `attach`: with the attach first all three are drawn.
    """
    armed_for_both(told)
    assert in_cells(told) == {SWORD, SHIELD}
    seen = [in_cells(told)]

    def tick() -> None:
        told.do("tick", seconds=1 / 30)
        seen.append(in_cells(told))

    attach = {"child": GREAT, "parent": PLAYER, "location": RIGHT}
    if early:
        told.do("attach", **attach)
    for guid in (SHIELD, SWORD):
        tick()
        told.do("pickup", guid=guid)
    tick()
    if not early:
        told.do("attach", **attach)
    tick()
    assert not any(GREAT in drawn and drawn - {GREAT} for drawn in seen)
    assert seen[-1] == {GREAT}
    assert hands(told) == {RIGHT: [GREAT]}
    told.do("attach", child=SHIELD, parent=PLAYER, location=SHIELD_PLACE)
    assert in_cells(told) == {SHIELD}, "a shield leaves no hands for it either"


@pytest.mark.contract("T3")
def test_eqp_09_the_transcript_hides_before_it_shows() -> None:
    """Sabotage: free the hands after the attach; the order of the lines turns round."""
    lines: list[tuple[str, str]] = []

    class Taker:
        def emit(self, event: str, **fields: object) -> None:
            if event in ("AddPart", "RemovePart"):
                lines.append((event, str(fields["object"])))

    with story(sink=Taker()) as told:
        told.stand(PLAYER)
        told.hold(SWORD, PLAYER, RIGHT)
        told.hold(OTHER, PLAYER, LEFT)
        armed_for_both(told)
        lines.clear()
        told.do("attach", child=GREAT, parent=PLAYER, location=RIGHT)
    mine = [line for line in lines if line[1] in (SWORD, SHIELD, GREAT)]
    assert ("RemovePart", SWORD) in mine
    assert ("RemovePart", SHIELD) in mine
    assert ("AddPart", GREAT) in mine
    first_shown = mine.index(("AddPart", GREAT))
    assert {guid for event, guid in mine[:first_shown] if event == "RemovePart"} >= {SWORD, SHIELD}
    assert all(guid == GREAT for _, guid in mine[first_shown:])

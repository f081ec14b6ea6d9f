"""Contract E: what each event of a life does to the graph, for both classes of parent (E17)."""

from __future__ import annotations

import pytest
from builders.hosts import (
    BODY,
    CHARM,
    CREATURE,
    HERE,
    PLAYER,
    SHIELD,
    SWORD,
    SWORD_SETUP,
    THERE,
    Story,
    parents,
)
from msgspec.structs import replace

from acclient_py.host import steps
from acclient_py.host.scenario import HexId
from acclient_py.session import messages as wire
from acclient_py.session.answer import Outcome
from acclient_py.session.directory import MAX_WAITING
from acclient_py.session.messages import Stamp

HIDDEN, NODRAW = 0x4000, 0x20


def number(guid: str) -> int:
    return int(guid, 16)


def instance_of(who: str) -> int:
    return 3 if who == PLAYER else 0


@pytest.mark.contract("E1")
@parents
def test_an_attach_finds_whoever_holds_the_guid_now(told: Story, who: str) -> None:
    """Sabotage: keep the parent's record of the first attach; the last assertion fails."""
    told.arm(who)
    told.do("create", guid=who, instance=instance_of(who) + 1, setup=BODY, at=THERE)
    told.do("attach", child=SWORD, parent=who, location=1)
    seen = told.look()
    assert seen[who]["instance"] == instance_of(who) + 1
    assert seen[SWORD]["parent"] == who
    assert seen[SWORD]["cell"] == seen[who]["cell"] == THERE["cell"]


@pytest.mark.contract("E2")
@parents
def test_an_older_incarnation_is_dropped_and_a_newer_one_waits(told: Story, who: str) -> None:
    """Sabotage: let an older incarnation pass the gate; the first assertion fails."""
    told.arm(who)
    now = instance_of(who)
    old = wire.ParentEvent(number(who), number(CHARM), 2, 1, (now - 1) & 0xFFFF, 9)
    assert told.host.session.handle(old).outcome is Outcome.STALE
    new = wire.ParentEvent(number(who), number(CHARM), 2, 1, now + 1, 9)
    assert told.host.session.handle(new).outcome is Outcome.WAITS
    assert told.counts()["staged"] == 1
    assert told.look()[CHARM]["parent"] == SWORD
    told.do("create", guid=who, instance=now + 1, setup=BODY, at=HERE)
    assert told.look()[CHARM]["parent"] == who
    assert told.counts()["staged"] == 0


@pytest.mark.contract("E2")
@pytest.mark.parametrize(
    ("first", "second", "passes"),
    [(5, 5, False), (5, 4, False), (5, 6, True), (0xFFFF, 0, True), (0, 0x8000, False)],
)
def test_stamps_are_compared_wrap_aware(told: Story, first: int, second: int, passes: bool) -> None:
    """Sabotage: compare stamps as plain numbers; the row (0xFFFF, 0) fails."""
    told.arm(PLAYER)
    known = told.host.session.directory.get(number(SHIELD))
    assert known is not None
    known.stamps[Stamp.POSITION] = first
    told.do("pickup", guid=SHIELD, stamp=second)
    assert (told.look()[SHIELD]["parent"] is None) is passes


@pytest.mark.contract("E3")
@parents
@pytest.mark.parametrize("fault", ["cycle", "self", "location"])
def test_a_refused_attach_changes_nothing_but_its_stamp(told: Story, who: str, fault: str) -> None:
    """Sabotage: detach the child before the check; the second assertion fails."""
    told.arm(who)
    child, parent, location = {
        "cycle": (who, CHARM, 1),
        "self": (SWORD, SWORD, 1),
        "location": (CHARM, who, 77),
    }[fault]
    before = told.look()
    known = told.host.session.directory.get(number(child))
    assert known is not None
    stamp = known.next_stamp(Stamp.POSITION)
    told.take_probes()
    told.do("attach", child=child, parent=parent, location=location, placement=2)
    assert len(told.refused()) == 1
    assert told.look() == before
    assert told.take_probes() == []
    assert known.stamps[Stamp.POSITION] == stamp


@pytest.mark.contract("E3")
def test_a_refusal_is_told_once_until_the_relation_is_removed(
    told: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """Sabotage: never clear the latch; the last assertion fails."""
    told.arm(PLAYER)
    lines = []
    for _ in range(3):
        told.do("attach", child=CHARM, parent=PLAYER, location=77)
    lines.append(sum("cannot be attached" in r.message for r in caplog.records))
    told.do("pickup", guid=CHARM)
    told.do("attach", child=CHARM, parent=PLAYER, location=77)
    lines.append(sum("cannot be attached" in r.message for r in caplog.records))
    assert lines == [1, 2]


@pytest.mark.contract("E4")
@parents
def test_a_create_that_names_an_unknown_parent_waits_whole(told: Story, who: str) -> None:
    """Sabotage: enter the record before its parent is known; the second assertion fails."""
    told.hold(SWORD, who, 1)
    told.hold(CHARM, SWORD, 1)
    assert told.look() == {}
    assert told.counts()["staged"] == 2
    player = who == PLAYER
    told.do("create", guid=who, instance=instance_of(who), setup=BODY, player=player, at=HERE)
    seen = told.look()
    assert (seen[SWORD]["parent"], seen[CHARM]["parent"]) == (who, SWORD)
    assert {o["cell"] for o in seen.values()} == {HERE["cell"]}
    assert told.counts()["staged"] == 0


@pytest.mark.contract("E4")
def test_a_parent_wins_over_a_position(told: Story) -> None:
    """Sabotage: place a created child as well; the assertion on its cell fails."""
    told.arm(CREATURE)
    told.do("delete", guid=SHIELD)
    told.hold(SHIELD, CREATURE, 3, at=THERE)
    assert told.look()[SHIELD]["cell"] == HERE["cell"]


@pytest.mark.contract("E4")
@parents
def test_a_refresh_acts_as_parent_position_or_pickup(told: Story, who: str) -> None:
    """Sabotage: make a refresh place its object anew; the first assertion fails."""
    told.arm(who)
    told.hold(SHIELD, SWORD, 1)
    assert told.look()[SHIELD]["parent"] == SWORD
    told.do("create", guid=SHIELD, setup="0x02000011", at=THERE)
    seen = told.look()[SHIELD]
    assert (seen["parent"], seen["instance"]) == (None, 0)
    told.do("create", guid=SHIELD, setup="0x02000011")
    assert told.look()[SHIELD]["cell"] is None
    assert told.counts()["objects"] == 4


@pytest.mark.contract("E4")
@parents
def test_a_newer_incarnation_ends_the_old_one_first(told: Story, who: str) -> None:
    """Sabotage: skip E8 for the old incarnation; the counts have one object too many."""
    told.arm(who)
    told.do("create", guid=who, instance=instance_of(who) + 1, setup=BODY, at=THERE)
    seen = told.look()
    assert told.counts()["objects"] == 4
    assert seen[who]["children"] == []
    assert (seen[SWORD]["parent"], seen[SWORD]["cell"]) == (None, None)
    assert seen[CHARM]["parent"] == SWORD


@pytest.mark.contract("E5")
@parents
def test_no_observer_sees_the_child_between_leave_and_enter(told: Story, who: str) -> None:
    """Sabotage: write the leave and the enter apart; the assertion on the probe fails."""
    told.arm(who)
    told.take_probes()
    told.do("attach", child=SHIELD, parent=who, location=2)
    assert told.take_probes() == [
        f"probe parent={who} child={SHIELD} old={HERE['cell']} new={HERE['cell']} cause=attach"
    ]


@pytest.mark.contract("E5")
@parents
def test_the_parented_state_is_set_for_a_creatures_items_only(told: Story, who: str) -> None:
    """Sabotage: set it for the player's too; the assertion fails for the player."""
    told.arm(who)
    told.do("pickup", guid=SHIELD)
    told.do("attach", child=SHIELD, parent=who, location=3)
    known = told.host.session.directory.get(number(SHIELD))
    assert known is not None
    assert known.parented is (who == CREATURE)


@pytest.mark.contract("E6")
@pytest.mark.contract("E13")
@pytest.mark.contract("E17")
@parents
def test_every_write_of_the_parents_cell_moves_the_subtree(told: Story, who: str) -> None:
    """Sabotage: re-cell the root alone; the first assertion of the loop fails."""
    told.arm(who)
    blocks = set()
    for turn in range(2):
        for verb, at in (("place", THERE), ("place", HERE), ("teleport", THERE), ("place", HERE)):
            told.do(verb, guid=who, at=at)
            seen = told.look()
            for item in (SWORD, SHIELD, CHARM):
                assert seen[item]["cell"] == seen[who]["cell"] == at["cell"], (verb, turn)
                assert seen[item]["objcell_id"] == at["cell"]
                assert seen[item]["full_cell_id"] == at["cell"]
            blocks.add(str(at["cell"])[:6])
    assert len(blocks) == 2


@pytest.mark.contract("E7")
@pytest.mark.contract("E16")
@parents
def test_a_pickup_takes_the_item_and_its_children_out(told: Story, who: str) -> None:
    """Sabotage: leave the shadows behind; the assertion on the cell's lists fails."""
    told.arm(who)
    told.do("pickup", guid=SWORD)
    seen = told.look()
    assert seen[SWORD]["parent"] is None
    assert [seen[g]["cell"] for g in (SWORD, CHARM)] == [None, None]
    assert seen[CHARM]["parent"] == SWORD
    for guid in (SWORD, CHARM):
        assert seen[guid]["shadow_cells"] == []
        assert seen[guid]["parts"] == []
        assert not in_any_list(told, guid)


def in_any_list(told: Story, guid: str) -> bool:
    """Whether any cell still lists the object, for drawing, for collision or as its own."""
    graph = told.host.physics.graph
    obj = told.host.known(number(guid)).obj
    for slot in range(graph.used("cells")):
        if obj in graph.objects_of(slot):
            return True
        if any(graph.arrays.shadows["object"][s] == obj for s in graph.shadows_of(slot)):
            return True
        if any(entry["object"] == obj for entry in graph.parts_of(slot)):
            return True
    return False


@pytest.mark.contract("E8")
def test_a_delete_takes_the_childrens_cells_but_not_their_records(told: Story) -> None:
    """Sabotage: unparent before the leave; the items keep a cell and the second assertion fails."""
    told.arm(CREATURE)
    told.do("delete", guid=CREATURE)
    seen = told.look()
    assert set(seen) == {SWORD, SHIELD, CHARM}
    assert [seen[g]["cell"] for g in (SWORD, SHIELD, CHARM)] == [None, None, None]
    assert (seen[SWORD]["parent"], seen[CHARM]["parent"]) == (None, SWORD)
    assert told.counts()["shadow_objects"] == 0
    for guid in (SWORD, SHIELD, CHARM):
        told.do("delete", guid=guid)
    assert told.look() == {}


@pytest.mark.contract("E8")
def test_the_players_own_object_is_not_deleted_by_message(told: Story) -> None:
    told.arm(PLAYER)
    told.do("delete", guid=PLAYER)
    assert told.refused() == ["the player's own object is not deleted by message"]
    assert PLAYER in told.look()


@pytest.mark.contract("E9")
@parents
def test_a_position_takes_a_carried_item_into_the_world(told: Story, who: str) -> None:
    """Sabotage: keep the parent; the first assertion fails."""
    told.arm(who)
    told.do("position", guid=SHIELD, at=THERE, placement=0)
    seen = told.look()[SHIELD]
    assert (seen["parent"], seen["cell"]) == (None, THERE["cell"])
    assert SHIELD not in told.look()[who]["children"]
    known = told.host.session.directory.get(number(SHIELD))
    assert known is not None
    assert known.parented is False


@pytest.mark.contract("E9")
def test_an_old_teleport_stamp_leaves_the_position_stamp_as_it_was(told: Story) -> None:
    """Sabotage: consume the position stamp first; the last assertion fails."""
    told.arm(CREATURE)
    known = told.host.session.directory.get(number(CREATURE))
    assert known is not None
    known.stamps[Stamp.TELEPORT] = 7
    before = known.stamps[Stamp.POSITION]
    told.do("position", guid=CREATURE, at=THERE, stamp=before + 3, teleport_stamp=6)
    assert told.refused() == ["stale teleport stamp"]
    assert told.look()[CREATURE]["cell"] == HERE["cell"]
    assert known.stamps[Stamp.POSITION] == before


@pytest.mark.contract("E10")
@parents
def test_hidden_reaches_the_children_as_nodraw_and_is_undone(told: Story, who: str) -> None:
    """Sabotage: drop the NODRAW step of the attach; the third assertion fails."""
    told.arm(who)
    told.do("state", guid=who, state=f"0x{0x00400C08 | HIDDEN:08X}")
    seen = told.look()
    assert int(seen[SWORD]["state"], 16) & NODRAW
    assert not int(seen[CHARM]["state"], 16) & NODRAW
    told.do("attach", child=CHARM, parent=who, location=2)
    assert int(told.look()[CHARM]["state"], 16) & NODRAW
    told.do("pickup", guid=CHARM)
    assert not int(told.look()[CHARM]["state"], 16) & NODRAW
    told.do("state", guid=who, state="0x00400C08")
    seen = told.look()
    assert not int(seen[SWORD]["state"], 16) & NODRAW
    assert seen[who]["cell"] == HERE["cell"]


@pytest.mark.contract("E11")
@pytest.mark.contract("E12")
@parents
def test_an_attach_searches_no_place_and_starts_no_clock(told: Story, who: str) -> None:
    """Sabotage: run the placement search for a child; its frame is not the hand's any more."""
    told.arm(who)
    told.do("tick", seconds=1.0)
    seen = told.look()
    assert not seen[SWORD]["ticking"]
    physics = told.host.physics
    sword, body = (told.host.known(number(g)).obj for g in (SWORD, who))
    before = physics.frame_of(sword)
    physics.update_children(body)
    assert physics.frame_of(sword) == before


@pytest.mark.contract("E14")
def test_a_missing_mesh_keeps_no_cell_from_being_right(told: Story) -> None:
    """Sabotage: refuse an attach whose child has no mesh; the assertion on the cell fails."""
    told.arm(CREATURE)
    session = told.host.session
    create = steps.create(_create("0x80000020", "0x02000010"), None, told.host.models.setup(1))
    bare = replace(create, physics=replace(create.physics, parent=number(CREATURE), location=2))
    assert session.handle(bare).done
    physics = told.host.physics
    obj = told.host.known(0x80000020).obj
    physics.set_part(obj, 0, -1)
    told.do("place", guid=CREATURE, at=THERE)
    seen = told.look()["0x80000020"]
    assert seen["cell"] == THERE["cell"]
    assert seen["parts"] == []


def _create(guid: str, setup: str) -> steps.steps.Create:
    return steps.steps.Create(guid=HexId(int(guid, 16)), setup=HexId(int(setup, 16)))


@pytest.mark.contract("E15")
@parents
def test_nothing_is_left_after_the_end(told: Story, who: str) -> None:
    """Sabotage: forget the half known; the assertion on the objects fails."""
    told.arm(who)
    told.do("create", guid="0x80000099", setup=SWORD_SETUP, parent="0x80000098")
    half = wire.CreateObject(0x80000050, _empty(told), _with_child(told), _weenie(told))
    assert told.host.session.handle(half).done
    assert told.counts()["staged"] == 1
    told.host.close()
    counts = told.counts()
    for name in ("objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged"):
        assert counts[name] == 0, name
    told.host.physics.check()


def _template(told: Story) -> wire.CreateObject:
    create = _create("0x80000050", BODY)
    return steps.create(create, None, told.host.models.setup(0x02000001))


def _empty(told: Story) -> object:
    return _template(told).obj_desc


def _weenie(told: Story) -> wire.WeenieDesc:
    return _template(told).weenie


def _with_child(told: Story) -> wire.PhysicsDesc:
    physics = _template(told).physics
    return replace(physics, flags=physics.flags | 0x40, children=((0x80000060, 1),))


@pytest.mark.contract("E13")
def test_a_half_known_child_is_celled_only_once_it_is_created(told: Story) -> None:
    """Sabotage: cell an object without a part array; the first assertion fails."""
    physics = replace(_with_child(told), flags=_with_child(told).flags | 0x8000)
    where = wire.Position(int(str(HERE["cell"]), 16), steps.frame_of(_at()))
    create = replace(_template(told), physics=replace(physics, position=where))
    assert told.host.session.handle(create).done
    assert told.look()["0x80000060"]["cell"] is None
    assert told.look()["0x80000060"]["half_known"] is True
    told.do("create", guid="0x80000060", setup=SWORD_SETUP, parent="0x80000050", location=1)
    seen = told.look()["0x80000060"]
    assert (seen["cell"], seen["parent"]) == (HERE["cell"], "0x80000050")


def _at() -> steps.steps.At:
    return steps.steps.At(HexId(int(str(HERE["cell"]), 16)), (180.0, 90.0, 20.0))


@pytest.mark.contract("E19")
@parents
def test_the_probe_prints_each_write_once_with_its_cause(told: Story, who: str) -> None:
    """Sabotage: name every write `move`; the first comparison fails."""
    told.arm(who)
    told.take_probes()
    here, there = HERE["cell"], THERE["cell"]
    told.do("place", guid=who, at=THERE)
    assert told.take_probes() == [
        f"probe parent=- child={who} old={here} new={there} cause=place",
        f"probe parent={who} child={SWORD} old={here} new={there} cause=propagate",
        f"probe parent={SWORD} child={CHARM} old={here} new={there} cause=propagate",
        f"probe parent={who} child={SHIELD} old={here} new={there} cause=propagate",
    ]
    told.do("pickup", guid=SWORD)
    assert told.take_probes() == [
        f"probe parent=- child={SWORD} old={there} new=- cause=withdraw",
        f"probe parent={SWORD} child={CHARM} old={there} new=- cause=withdraw",
    ]


@pytest.mark.contract("E20")
def test_a_teleport_takes_the_equipment_along_and_stops_the_body(told: Story) -> None:
    """Sabotage: leave the velocity as it was; the last assertion fails."""
    told.arm(PLAYER)
    body = told.host.known(number(PLAYER)).obj
    told.host.physics.bodies.rows["velocity"][body] = (3.0, 0.0, 0.0)
    told.take_probes()
    told.do("teleport", guid=PLAYER, at=THERE)
    causes = [line.rsplit("cause=", 1)[1] for line in told.take_probes()]
    assert causes == ["teleport", "propagate", "propagate", "propagate"]
    seen = told.look()
    assert {seen[g]["cell"] for g in (PLAYER, SWORD, SHIELD, CHARM)} == {THERE["cell"]}
    assert not told.host.physics.bodies.rows["velocity"][body].any()


@pytest.mark.contract("E4")
def test_what_waits_is_bounded(told: Story) -> None:
    event = wire.PickupEvent(0x80000077, 0, 1)
    for _ in range(MAX_WAITING):
        assert told.host.session.handle(event).outcome is Outcome.WAITS
    assert told.host.session.handle(event).outcome is Outcome.REFUSED


@pytest.mark.contract("E6")
@pytest.mark.contract("C14")
def test_a_forced_player_hangs_on_nobody(told: Story) -> None:
    """Found by random messages. Sabotage: leave the parent link in `_blip`; the check fails."""
    told.do("create", guid=CREATURE, setup=BODY, at=HERE)
    told.stand(PLAYER)
    told.do("attach", child=PLAYER, parent=CREATURE, location=1)
    assert told.look()[PLAYER]["parent"] == CREATURE
    told.do("position", guid=PLAYER, at=THERE, force_stamp=1)
    seen = told.look()
    assert (seen[PLAYER]["parent"], seen[PLAYER]["cell"]) == (None, THERE["cell"])
    assert seen[CREATURE]["children"] == []

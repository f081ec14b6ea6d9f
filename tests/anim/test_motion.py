"""Motion tables: styles, cycles, links, modifiers, actions (spec 7.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builders.animations import animation, out_frame, world

from acclient_py.anim import motion as m
from acclient_py.anim.manager import MotionTableManager
from acclient_py.anim.motion import MotionData, MotionTable, key
from acclient_py.anim.sequence import Sequences

READY_ANIM, WALK_ANIM, TO_WALK, SWING, DRAW = 1, 2, 3, 4, 5


def data(*anims: int, v: Any = (0, 0, 0), w: Any = (0, 0, 0), bits: int = 0) -> MotionData:
    return MotionData(
        tuple((a, 0, -1, 30.0) for a in anims), bits, np.array(v, float), np.array(w, float)
    )


def table() -> MotionTable:
    n, sword = m.NON_COMBAT, m.SWORD_COMBAT
    return MotionTable(
        0x09000001,
        n,
        style_defaults={n: m.READY, sword: m.READY},
        cycles={
            key(n, m.READY): data(READY_ANIM),
            key(n, m.WALK_FORWARD): data(WALK_ANIM, v=(0, 3.12, 0)),
            key(n, m.RUN_FORWARD): data(WALK_ANIM, v=(0, 4.0, 0)),
            key(n, m.TURN_RIGHT): data(READY_ANIM, w=(0, 0, -1.5)),
            key(n, m.SITTING): data(READY_ANIM, bits=2),
            key(sword, m.READY): data(READY_ANIM),
        },
        modifiers={key(n, m.TURN_RIGHT): data(w=(0, 0, -1.5))},
        links={
            key(n, m.READY): {
                m.WALK_FORWARD: data(TO_WALK),
                0x10000051: data(SWING),
                sword: data(DRAW),
            },
        },
    )


@pytest.fixture
def manager() -> MotionTableManager:
    sequences = world(**{f"a{i}": animation(4 + i) for i in range(1, 6)})
    return MotionTableManager(table(), sequences, sequences.make(0))


def anims(manager: MotionTableManager) -> list[int]:
    """Number of frames of each animation in the chain (4 + number)."""
    sequences: Sequences = manager.sequences
    store = sequences.store.anims
    return [
        int(store["frame_count"][sequences.nodes["anim"][at]]) - 4
        for at in sequences.chain(manager.s)
    ]


def test_keys_are_those_of_the_file_format() -> None:
    assert key(m.NON_COMBAT, m.READY) == 0x003D0003
    assert key(m.NON_COMBAT, m.WALK_FORWARD) == 0x003D0005


def test_a_new_object_stands_in_the_default_cycle(manager: MotionTableManager) -> None:
    assert (manager.state.style, manager.state.substate) == (m.NON_COMBAT, m.READY)
    assert anims(manager) == [READY_ANIM]


def test_walking_plays_the_link_first_and_has_the_cycles_speed_at_once(
    manager: MotionTableManager,
) -> None:
    assert manager.do_motion(m.WALK_FORWARD, 0.5)
    assert anims(manager) == [TO_WALK, WALK_ANIM]
    assert manager.sequences.rows["velocity"][manager.s].tolist() == [0.0, 1.56, 0.0]
    assert manager.sequences.nodes["rate"][manager.sequences.chain(manager.s)].tolist() == [15, 15]


def test_the_same_cycle_again_changes_speed_without_a_restart(manager: MotionTableManager) -> None:
    manager.do_motion(m.WALK_FORWARD, 1.0)
    nodes = manager.sequences.chain(manager.s)
    manager.do_motion(m.WALK_FORWARD, 2.0)
    assert manager.sequences.chain(manager.s) == nodes
    assert manager.sequences.rows["velocity"][manager.s][1] == pytest.approx(6.24)
    assert manager.sequences.nodes["rate"][nodes[-1]] == 60.0


def test_stop_goes_back_to_the_default_and_clears_the_velocity(manager: MotionTableManager) -> None:
    manager.do_motion(m.WALK_FORWARD)
    assert manager.stop_motion(m.WALK_FORWARD)
    assert manager.state.substate == m.READY
    assert not manager.sequences.rows["velocity"][manager.s].any()
    assert not manager.stop_motion(m.WALK_FORWARD)


def test_a_modifier_outlives_the_change_of_cycle(manager: MotionTableManager) -> None:
    manager.do_motion(m.WALK_FORWARD)
    # TurnRight is a cycle and a modifier: the cycle is taken first, as the table has one
    manager.table.cycles.pop(key(m.NON_COMBAT, m.TURN_RIGHT))
    manager.do_motion(m.TURN_RIGHT, 1.5)
    assert manager.sequences.rows["omega"][manager.s][2] == pytest.approx(-2.25)
    manager.do_motion(m.RUN_FORWARD)
    assert manager.sequences.rows["omega"][manager.s][2] == pytest.approx(-2.25)
    assert manager.sequences.rows["velocity"][manager.s][1] == 4.0
    assert manager.stop_motion(m.TURN_RIGHT)
    assert manager.sequences.rows["omega"][manager.s][2] == 0.0


def test_a_modifier_done_again_replaces_itself(manager: MotionTableManager) -> None:
    manager.table.cycles.pop(key(m.NON_COMBAT, m.TURN_RIGHT))
    manager.do_motion(m.TURN_RIGHT, 1.0)
    manager.do_motion(m.TURN_RIGHT, -1.0)
    assert manager.sequences.rows["omega"][manager.s][2] == pytest.approx(1.5)
    assert len(manager.state.modifiers) == 1


def test_cycles_that_become_modifiers_of_each_other_come_to_an_end(
    manager: MotionTableManager,
) -> None:
    """Sabotage: drop `modifying`; the third motion never returns."""
    cycles = manager.table.cycles
    cycles[key(m.NON_COMBAT, m.SIDESTEP_RIGHT)] = cycles[key(m.NON_COMBAT, m.TURN_RIGHT)]
    for motion in (m.SIDESTEP_RIGHT, m.TURN_RIGHT, m.WALK_FORWARD, m.TURN_RIGHT, m.READY):
        assert manager.do_motion(motion)
    assert len(manager.state.modifiers) <= 2


def test_an_action_plays_once_and_then_the_cycle(manager: MotionTableManager) -> None:
    assert manager.do_motion(0x10000051)
    assert anims(manager) == [SWING, READY_ANIM]
    assert manager.state.actions == [(0x10000051, 1.0)]
    for _ in range(40):
        manager.sequences.update(manager.s, 1 / 30, out_frame())
    done = int(manager.sequences.rows["anim_done"][manager.s])
    assert done == 1
    assert manager.animation_done(done) == [0x10000051]
    assert manager.state.actions == []
    assert manager.state.pending == []


def test_leaving_the_world_ends_what_was_to_be_done(manager: MotionTableManager) -> None:
    """Sabotage: an empty `handle_exit_world`; the action is still in the list."""
    manager.do_motion(0x10000051)
    playing = anims(manager)
    assert manager.state.pending
    assert manager.state.actions
    assert 0x10000051 in manager.handle_exit_world()
    assert manager.state.pending == []
    assert manager.state.actions == []
    assert anims(manager) == playing, "no animation is dropped"


def test_a_style_is_reached_through_its_link(manager: MotionTableManager) -> None:
    assert manager.do_motion(m.SWORD_COMBAT)
    assert anims(manager) == [DRAW, READY_ANIM]
    assert (manager.state.style, manager.state.substate) == (m.SWORD_COMBAT, m.READY)


def test_a_motion_of_bit_two_needs_the_default(manager: MotionTableManager) -> None:
    manager.do_motion(m.WALK_FORWARD)
    assert not manager.do_motion(m.SITTING)
    manager.stop_completely()
    assert manager.do_motion(m.SITTING)


def test_an_unknown_motion_changes_nothing(manager: MotionTableManager) -> None:
    before = anims(manager), manager.state.substate
    assert not manager.do_motion(0x41000099)
    assert (anims(manager), manager.state.substate) == before

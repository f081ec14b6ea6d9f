"""Physics scripts in time, what plays them, and the hooks that they fire."""

from __future__ import annotations

import pytest
from builders.effects import bearer, emitter, ticks, world_of
from builders.graphs import LAMP, put

from acclient_py.core.frame import Frame
from acclient_py.dat.records.hooks import WHOLE_OBJECT, Hook, HookType
from acclient_py.dat.records.physics_script import (
    PhysicsScript,
    PhysicsScriptTable,
    ScriptChoice,
    ScriptGroup,
    ScriptStep,
)
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.world import PhysicsWorld

LAND = 0x10200019
FIRST, SECOND, TABLE = 0x33000001, 0x33000002, 0x34000001


def script(did: int, *steps: tuple[float, Hook]) -> PhysicsScript:
    return PhysicsScript(did, tuple(ScriptStep(time, hook) for time, hook in steps))


def fade(to: float) -> Hook:
    return Hook.make(HookType.TRANSPARENT, 1, (to, to, 0.0))


def clear(world: PhysicsWorld, obj: int) -> float:
    return float(world.graph.arrays.parts["translucency"][int(world.row(obj)["part_first"])])


def test_hooks_come_at_their_time_and_one_script_after_the_other() -> None:
    """The second script begins with the last hook of the first, 0.4 s after the start.

    Sabotage: begin each script when it is asked for; the second value is there at once.
    """
    world = world_of(
        script(FIRST, (0.2, fade(0.25)), (0.4, fade(0.5))), script(SECOND, (0.2, fade(0.75)))
    )
    man = bearer(world, 84, 12, 0)
    assert world.effects.play_script(man, FIRST)
    assert world.effects.play_script(man, SECOND)
    found = []
    for _ in range(20):
        ticks(world, 1)
        found.append(clear(world, man))
    assert [found.index(v) + 1 for v in (0.25, 0.5, 0.75)] == [6, 12, 18]
    assert not world.effects.scripts.lines, "nothing waits any more"


def test_a_missing_script_is_left_out() -> None:
    world = world_of()
    man = bearer(world, 84, 12, 0)
    assert not world.effects.play_script(man, FIRST)
    ticks(world, 2)
    assert clear(world, man) == 0.0


def test_scripts_of_what_is_in_no_cell_wait() -> None:
    world = world_of(script(FIRST, (0.0, fade(0.5))))
    man = bearer(world, 84, 12, 0)
    world.leave_world(man)
    world.effects.play_script(man, FIRST)
    ticks(world, 3)
    assert clear(world, man) == 0.0
    world.add_obj_to_cell(man, world.cell_slot(LAND), (80.0, 12.0, 0.0, 1, 0, 0, 0))
    ticks(world, 1)
    assert clear(world, man) == 0.5


def test_a_table_chooses_by_type_and_intensity() -> None:
    """The first entry whose mod is not below the intensity. Sabotage: take the last one."""
    groups = (
        ScriptGroup(0x58, (ScriptChoice(0.5, FIRST), ScriptChoice(1.0, SECOND))),
        ScriptGroup(0x59, (ScriptChoice(1.0, SECOND),)),
    )
    world = world_of(
        script(FIRST, (0.0, fade(0.25))), script(SECOND, (0.0, fade(0.5))),
        PhysicsScriptTable(TABLE, groups),
    )  # fmt: skip
    man = bearer(world, 84, 12, 0)
    world.effects.set_table(man, TABLE)
    for kind, intensity, expected in ((0x58, 0.3, 0.25), (0x58, 0.6, 0.5), (0x59, 0.3, 0.5)):
        world.set_translucency(man, 0.0)
        assert world.effects.play_type(man, kind, intensity)
        ticks(world, 1)
        assert clear(world, man) == expected
    assert not world.effects.play_type(man, 0x58, 2.0), "nothing is that intense"
    assert not world.effects.play_type(man, 0x77, 1.0)


def test_hidden_and_back_are_played() -> None:
    groups = (
        ScriptGroup(0x75, (ScriptChoice(1.0, FIRST),)),
        ScriptGroup(0x76, (ScriptChoice(1.0, SECOND),)),
    )
    world = world_of(
        script(FIRST, (0.0, fade(0.25))), script(SECOND, (0.0, fade(0.5))),
        PhysicsScriptTable(TABLE, groups),
    )  # fmt: skip
    man = bearer(world, 84, 12, 0)
    world.effects.set_table(man, TABLE)
    for on, expected in ((True, 0.5), (False, 0.25)):
        world.set_hidden(man, on)
        ticks(world, 1)
        assert clear(world, man) == expected


def test_a_ramp_goes_evenly_and_stops_at_its_end() -> None:
    """Sabotage: leave the last value out; the part stays where the last tick but one put it."""
    world = world_of()
    man = bearer(world, 84, 12, 0)
    ticks(world, 1)
    world.effects.fire(man, Hook.make(HookType.TRANSPARENT, 1, (0.0, 1.0, 1.0)))
    ticks(world, 15)
    assert clear(world, man) == pytest.approx(0.5, abs=1e-6)
    ticks(world, 16)
    assert clear(world, man) == 1.0
    assert world.effects.ramps == []


def test_lights_go_out_and_on_with_their_cell() -> None:
    """Sabotage: write the state word alone; `check` finds lights that should be gone."""
    world = world_of()
    lamp = put(world, LAMP, LAND, 84, 12, 0)
    assert world.counts()["lights"] == 2
    world.effects.fire(lamp, Hook.make(HookType.SET_LIGHT, 1, (0,)))
    world.check()
    assert world.counts()["lights"] == 0
    assert not world.state_of(lamp) & PhysicsState.LIGHTING_ON
    world.effects.fire(lamp, Hook.make(HookType.SET_LIGHT, 1, (1,)))
    world.check()
    assert world.counts()["lights"] == 2


def test_a_script_that_calls_itself_goes_on_after_its_pause() -> None:
    """A fire that puffs: every pause is drawn, in the mean as long as it says."""
    again = Hook.make(HookType.CALL_PES, 1, (FIRST, 0.5))
    puff = Hook.make(HookType.CREATE_PARTICLE, 1, (0x32000001, WHOLE_OBJECT, Frame(), 0))
    world = world_of(
        script(FIRST, (0.0, puff), (0.0, again)),
        emitter(total_particles=1, initial_particles=1, lifespan=0.1),
    )
    man = bearer(world, 84, 12, 0)
    world.effects.play_script(man, FIRST)
    made = world.effects.emitters
    ticks(world, 300)
    assert 12 < made.made < 40, "about twenty in ten seconds"
    world.delete_object(man)
    world.check()
    assert len(made) == 0
    assert world.effects.calls == []


@pytest.mark.contract("E16")
def test_nothing_of_a_deleted_thing_goes_on() -> None:
    world = world_of(script(FIRST, (0.5, fade(0.5))))
    man = bearer(world, 84, 12, 0)
    world.effects.play_script(man, FIRST)
    world.effects.fire(man, Hook.make(HookType.TRANSPARENT, 1, (0.0, 1.0, 1.0)))
    world.delete_object(man)
    ticks(world, 20)
    effects = world.effects
    assert (effects.scripts.lines, effects.ramps, effects.calls) == ({}, [], [])

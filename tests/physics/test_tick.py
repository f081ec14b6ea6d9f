"""One quantum for everything: walking, turning, jumping, being carried (spec 5.2, 5.9, 5.10)."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.walkers import DOLL, DOLL_MOTION, Walker

from acclient_py.anim import motion as m
from acclient_py.kernels import kernel
from acclient_py.physics import gait as mv
from acclient_py.physics import settle
from acclient_py.physics import tick as ticking
from acclient_py.physics.bodies import BODY_DTYPE
from acclient_py.physics.state import PhysicsState, TransientState

FIELD = 0x7F7F003D
HERE = (180.0, 96.0, 20.0)
VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "physics_vectors.json").read_text("utf-8")
)
WALKABLE = int(TransientState.CONTACT | TransientState.ON_WALKABLE)
GRAVITY = int(PhysicsState.GRAVITY)


@pytest.fixture
def walker() -> Walker:
    return Walker("doll", FIELD, HERE)


# the numbers of the vectors


def test_run_rates_and_jump_heights_are_those_of_the_vectors() -> None:
    rates = VECTORS["rates"]
    for row in rates["run_rate"]:
        assert mv.run_rate(row["load"], row["skill"]) == pytest.approx(row["rate"], abs=1e-5)
    for row in rates["jump"]:
        height = mv.jump_height(row["load"], row["skill"], row["extent"])
        assert height == pytest.approx(row["height"], abs=1e-5)
        assert mv.jump_speed(height) == pytest.approx(row["v_z"], abs=1e-5)
    assert pytest.approx(rates["sidestep"]["factor"]) == mv.SIDESTEP
    assert rates["backwards"]["factor"] == -mv.BACKWARDS


def test_raw_commands_become_those_of_motion_tables() -> None:
    def adjust(command: int, run: bool = False) -> tuple[int, float]:
        return mv.adjust_motion(command, 1.0, run=run, rate=2.0)

    assert adjust(m.TURN_LEFT) == (m.TURN_RIGHT, -1.0)
    assert adjust(m.WALK_BACKWARDS) == (m.WALK_FORWARD, -0.65)
    assert adjust(m.WALK_BACKWARDS, True) == (m.WALK_FORWARD, -1.3)
    assert adjust(m.WALK_FORWARD, True) == (m.RUN_FORWARD, 2.0)
    assert adjust(m.TURN_LEFT, True) == (m.TURN_RIGHT, -1.5)
    assert adjust(m.SIDESTEP_LEFT) == (m.SIDESTEP_RIGHT, pytest.approx(-1.248))
    assert mv.adjust_motion(m.SIDESTEP_LEFT, 1.0, run=True, rate=4.0)[1] == -3.0


def body(**fields: Any) -> Any:
    rows = np.zeros(1, BODY_DTYPE)
    rows["friction"] = 0.95
    rows["elasticity"] = 0.05
    rows["contact"][0, 2] = 1.0
    for name, value in fields.items():
        rows[name] = value
    return rows


@kernel
def flight(bodies: Any, state: int, transient: int, quantum: float, f: Any) -> None:
    settle.calc_acceleration(bodies[0], state, transient)
    ticking.update_physics(bodies[0], state, transient, quantum, f)


@kernel
def impact(bodies: Any, normal: Any, state: int) -> None:
    settle.bounce(bodies[0], normal, state)


def test_flight_is_that_of_the_vectors() -> None:
    vector = VECTORS["integration"]
    rows, f = body(), np.array([0, 0, 10, 1, 0, 0, 0], np.float64)
    for step in vector["free_fall_from_rest_dt_1_30"]:
        flight(rows, GRAVITY, 0, 1 / 30, f)
        assert f[:3] == pytest.approx(step["pos"], abs=1e-5)
        assert rows["velocity"][0] == pytest.approx(step["vel"], abs=1e-5)
    rows, f = body(velocity=(4, 0, 0)), np.array([0, 0, 0, 1, 0, 0, 0], np.float64)
    for step in vector["friction_ground"]:
        flight(rows, GRAVITY, WALKABLE, 1 / 30, f)
        assert f[:3] == pytest.approx(step["pos"], abs=1e-5)
        assert rows["velocity"][0] == pytest.approx(step["vel"], abs=1e-5)
    small = vector["small_velocity_stop"]
    rows, f = body(velocity=small["start_vel"]), np.array([0, 0, 0, 1, 0, 0, 0], np.float64)
    flight(rows, GRAVITY, WALKABLE, 1 / 30, f)
    assert rows["velocity"][0] == pytest.approx(small["vel"])
    cap = vector["speed_cap"]
    rows, f = body(velocity=cap["start_vel"]), np.array([0, 0, 0, 1, 0, 0, 0], np.float64)
    flight(rows, GRAVITY, 0, 1 / 30, f)
    assert f[:3] == pytest.approx(cap["pos"], abs=1e-5)
    assert rows["velocity"][0] == pytest.approx(cap["vel"], abs=1e-5)


def test_bounces_are_those_of_the_vectors() -> None:
    for row in VECTORS["bounce"]:
        rows = body(velocity=row["vel"], elasticity=row["elasticity"])
        impact(rows, np.array(row["normal"], np.float64), 0)
        assert rows["velocity"][0] == pytest.approx(row["expect"], abs=1e-6)
    rows = body(velocity=(1, 0, -3))
    impact(rows, np.array([0, 0, 1.0]), int(PhysicsState.INELASTIC))
    assert not rows["velocity"].any()


@pytest.mark.parametrize("row", VECTORS["quantum_split"], ids=lambda r: str(r["elapsed"]))
def test_time_is_split_as_in_the_vectors(row: dict[str, Any]) -> None:
    steps, run = ticking.quantum_steps(row["elapsed"])
    assert run == (row["result"] == "run")
    # ten steps of 0.2 make 2.0 but for the last bits, which retail had too
    assert steps == pytest.approx(row["steps"], abs=1e-5) or (
        row["elapsed"] >= 1.0 and sum(steps) == pytest.approx(row["elapsed"], abs=0.04)
    )


# a walking doll


@pytest.mark.contract("C7")
def test_a_walk_goes_at_the_motion_tables_speed(walker: Walker) -> None:
    """Sabotage: drop the root motion of `advance`; the doll stays where it is."""
    walker.walk(270.0, 90)
    assert 180.0 - walker.at[0] == pytest.approx(3.12 * 3.0, abs=0.12)
    assert walker.at[1:] == pytest.approx([96.0, 20.005], abs=2e-3)
    assert walker.movement.motion_of(walker.obj)[1] == m.READY


@pytest.mark.contract("C7")
def test_a_border_is_crossed_once(walker: Walker) -> None:
    cells = walker.walk(90.0, 150)
    blocks = [cell >> 16 for cell in cells]
    assert sum(a != b for a, b in itertools.pairwise(blocks)) == 1
    assert blocks[-1] == 0x807F
    assert 0.0 < walker.at[0] < 24.0


def test_standing_still_changes_nothing(walker: Walker) -> None:
    walker.tick(3)
    before = walker.row["frame"].tobytes(), walker.cell_id
    walker.tick(300)
    assert (walker.row["frame"].tobytes(), walker.cell_id) == before


def test_the_same_commands_give_the_same_bytes() -> None:
    """At every tick: what the end alone shows, a landing evens out."""
    ways = []
    for _ in range(2):
        walker = Walker("doll", FIELD, HERE, heading=31.0)
        way = []
        for heading, run, count in ((31.0, False, 40), (200.0, True, 55)):
            walker.movement.set_heading(walker.obj, heading)
            walker.movement.do_motion(walker.obj, m.WALK_FORWARD, hold_run=run)
            for tick in range(count):
                if run and tick == 5:
                    assert walker.movement.jump(walker.obj, 0.4)
                walker.tick()
                body = walker.world.bodies.rows[walker.obj]
                way.append((walker.row.tobytes(), body["velocity"].tobytes()))
        ways.append(way)
    assert ways[0] == ways[1]


def test_a_jump_rises_and_lands(walker: Walker) -> None:
    walker.movement.set_skills(walker.obj, jump=100, load=0.5)
    assert walker.movement.jump(walker.obj, 1.0)
    assert not walker.movement.jump(walker.obj, 1.0), "not from the air"
    heights = []
    for _ in range(90):
        walker.tick()
        heights.append(walker.at[2])
    assert max(heights) - 20.005 == pytest.approx(1.6357, abs=0.1)
    assert walker.grounded
    assert heights[-1] == pytest.approx(20.005, abs=1e-3)


def test_half_a_charge_jumps_lower(walker: Walker) -> None:
    """As high as the vectors say for the charge, within what one tick's step leaves out."""
    tops = []
    for extent in (0.1, 0.5, 2.0):
        walker.place(FIELD, HERE)
        walker.movement.set_skills(walker.obj, jump=300, load=0.5)
        assert walker.movement.jump(walker.obj, extent)
        heights = []
        for _ in range(90):
            walker.tick()
            heights.append(walker.at[2])
        tops.append(max(heights) - 20.005)
        assert walker.grounded
    assert tops == pytest.approx([mv.jump_height(0.5, 300, e) for e in (0.1, 0.5, 1.0)], abs=0.15)
    assert tops[1] + 1.0 < tops[2], "and a whole one higher by more than a metre"


@pytest.mark.parametrize("extent", [0.0, -1.0, 1e-5, math.nan])
def test_a_jump_without_a_charge_is_none(walker: Walker, extent: float) -> None:
    """Sabotage: let it leave the ground; it has no speed to, and hangs in its fall for ever."""
    assert not walker.movement.jump(walker.obj, extent)
    walker.tick(5)
    assert walker.grounded
    assert walker.movement.motion_of(walker.obj)[1] == m.READY
    walker.walk(270.0, 30)
    assert walker.at[0] < 178.0


def test_a_jump_keeps_the_speed_of_the_run(walker: Walker) -> None:
    """In the air the legs give nothing: what the run had at the start goes on, no more (5.9)."""
    walker.place(FIELD, (180.0, 40.0, 20.0))
    walker.movement.set_heading(walker.obj, 0.0)
    walker.movement.set_run_rate(walker.obj, 2.0)
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD, hold_run=True)
    walker.tick(30)
    assert walker.movement.jump(walker.obj, 1.0)
    walker.tick(2)
    begin = walker.at
    walker.tick(30)
    assert not walker.grounded
    assert walker.at[1] - begin[1] == pytest.approx(4.0 * 2.0, abs=0.05)
    walker.movement.stop_motion(walker.obj, m.WALK_FORWARD)
    begin = walker.at
    walker.tick(5)
    assert walker.at[1] - begin[1] == pytest.approx(4.0 * 2.0 * 5 / 30, abs=0.05), "nor less"


def test_falling_is_a_motion_and_ends_on_the_ground(walker: Walker) -> None:
    walker.movement.jump(walker.obj, 1.0)
    walker.tick(5)
    assert walker.movement.motion_of(walker.obj)[1] == m.FALLING
    walker.tick(120)
    assert walker.movement.motion_of(walker.obj)[1] == m.READY


def test_a_turn_turns_and_stays_in_place(walker: Walker) -> None:
    before = walker.movement.heading(walker.obj)
    walker.movement.do_motion(walker.obj, m.TURN_RIGHT)
    walker.tick(15)
    walker.movement.stop_motion(walker.obj, m.TURN_RIGHT)
    turned = (walker.movement.heading(walker.obj) - before) % 360.0
    assert 20.0 < turned < 80.0
    assert walker.at == pytest.approx([180.0, 96.0, 20.005], abs=1e-4)


def test_a_walk_with_a_turn_is_a_circle_and_goes_on_when_the_turn_ends(walker: Walker) -> None:
    """Both are held at once: the turn comes on top of the walk, whichever began first."""
    movement = walker.movement
    for first, second in ((m.WALK_FORWARD, m.TURN_RIGHT), (m.TURN_RIGHT, m.WALK_FORWARD)):
        walker.place(FIELD, (100.0, 36.0, 20.0))
        movement.do_motion(walker.obj, first)
        movement.do_motion(walker.obj, second)
        walker.tick(2)
        begin, heading = walker.at, movement.heading(walker.obj)
        walker.tick(30)
        turned = (movement.heading(walker.obj) - heading) % 360.0
        assert turned == pytest.approx(90.0, abs=1.0), "the turn's own rate, a second long"
        chord = 3.12 * math.sqrt(2.0) / (math.pi / 2.0)
        assert math.dist(begin[:2], walker.at[:2]) == pytest.approx(chord, abs=0.15)
        movement.stop_motion(walker.obj, m.TURN_RIGHT)
        begin = walker.at
        walker.tick(30)
        assert math.dist(begin[:2], walker.at[:2]) == pytest.approx(3.12, abs=0.05)
        movement.stop_motion(walker.obj, m.WALK_FORWARD)


def test_a_walk_a_side_step_and_a_turn_at_once(walker: Walker) -> None:
    for command in (m.SIDESTEP_RIGHT, m.TURN_LEFT, m.WALK_FORWARD, m.READY):
        assert walker.movement.do_motion(walker.obj, command)
        walker.tick(5)
    for command in (m.SIDESTEP_RIGHT, m.TURN_LEFT):
        walker.movement.stop_motion(walker.obj, command)
    walker.tick(2)
    at = walker.at
    walker.tick(10)
    assert walker.at.tolist() == at.tolist()


def test_running_is_faster_by_the_rate(walker: Walker) -> None:
    walker.movement.set_skills(walker.obj, run=200, load=0.5)
    walker.walk(180.0, 60, run=True)
    assert 96.0 - walker.at[1] == pytest.approx(4.0 * 2.375 * 2.0, rel=0.05)


@pytest.mark.contract("C8")
def test_a_child_never_ticks_by_itself(walker: Walker) -> None:
    """Sabotage: leave out the parent test of `tick_bodies`; the sword would fall."""
    sword = walker.world.make_object(0x02000010)
    assert walker.world.set_parent(sword, walker.obj, 1) is None
    walker.walk(270.0, 60)
    row = walker.world.row(sword)
    assert row["cell"] == walker.row["cell"]
    assert not walker.world.is_ticking(sword)
    assert not row["transient"] & TransientState.ACTIVE
    hand = row["frame"][:3].astype(float)
    assert math.dist(hand, walker.at) < 2.0


@pytest.mark.contract("C8")
def test_the_frozen_and_the_far_do_not_move(walker: Walker) -> None:
    frozen = walker.world.make_object(DOLL)
    walker.movement.set_motion_table(frozen, DOLL_MOTION)
    near = np.array((170, 96, 26, 1, 0, 0, 0), np.float32)
    assert walker.world.set_position(frozen, FIELD, near, 0x1012) == 0
    state = walker.world.state_of(frozen) | PhysicsState.FROZEN
    walker.world.set_state(frozen, int(state))
    far = walker.world.make_object(DOLL)
    walker.movement.set_motion_table(far, DOLL_MOTION)
    away = np.array((20, 20, 20, 1, 0, 0, 0), np.float32)
    assert walker.world.set_position(far, 0x7F7F0001, away, 0x1012) == 0
    walker.movement.do_motion(far, m.WALK_FORWARD)
    before = [walker.world.row(o)["frame"].tobytes() for o in (frozen, far)]
    walker.tick(10)
    assert [walker.world.row(o)["frame"].tobytes() for o in (frozen, far)] == before


@pytest.mark.contract("C7")
def test_a_blocked_body_takes_its_new_rotation_at_its_old_origin() -> None:
    """In the tick itself: pressed straight at a wall it turns, and nothing else is written.

    Sabotage: let the blocked branch keep the new origin, or leave out its `set_frames`.
    """
    walker = Walker("hut", 0x7F7F001C, (79.5, 84.0, 20.0))
    walker.movement.set_heading(walker.obj, 90.0)
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD)
    walker.tick(30)
    graph = walker.world.graph
    before, heading = walker.row["frame"].tobytes(), walker.movement.heading(walker.obj)
    walker.tick()
    assert walker.row["frame"].tobytes() == before, "it is pressed and stands"
    shadows = graph.shadows_on(walker.obj).tobytes()
    written = walker.row["shadow_first"], walker.row["cell"], walker.row["objcell_id"]
    walker.movement.do_motion(walker.obj, m.TURN_RIGHT)
    walker.tick()
    assert walker.movement.heading(walker.obj) == pytest.approx(heading + 3.0, abs=0.01)
    assert walker.row["frame"][:3].tobytes() == before[:12], "at its old origin"
    assert (walker.row["shadow_first"], walker.row["cell"], walker.row["objcell_id"]) == written
    assert graph.shadows_on(walker.obj).tobytes() == shadows, "nothing is published"
    assert walker.movement.velocity(walker.obj) == (0.0, 0.0, 0.0)


@pytest.mark.contract("C8")
@pytest.mark.parametrize("why", ["parent", "cell", "frozen"])
def test_whoever_does_not_tick_loses_the_active_bit_and_nothing_else(
    walker: Walker, why: str
) -> None:
    """However it came by the bit. Sabotage: drop that case's word of the condition."""
    world = walker.world
    thing = world.make_object(DOLL)
    walker.movement.set_motion_table(thing, DOLL_MOTION)
    near = np.array((170, 96, 26, 1, 0, 0, 0), np.float32)
    assert world.set_position(thing, FIELD, near, 0x1012) == 0
    if why == "parent":
        holder = world.make_object(DOLL)
        away = np.array((175, 96, 20.01, 1, 0, 0, 0), np.float32)
        assert world.set_position(holder, FIELD, away, 0x1012) == 0
        world.set_state(holder, int(world.state_of(holder)) | PhysicsState.FROZEN)
        assert world.set_parent(thing, holder, 1) is None
    elif why == "cell":
        world.leave_world(thing)
    else:
        world.set_state(thing, int(world.state_of(thing)) | PhysicsState.FROZEN)
    walker.movement.do_motion(thing, m.WALK_FORWARD)
    rows = world.bodies.rows
    rows["velocity"][thing] = (1.0, 0.0, 0.0)
    objects = world.graph.arrays.objects
    objects["transient"][thing] = int(objects["transient"][thing]) | TransientState.ACTIVE
    before = objects[thing]["frame"].tobytes(), int(objects["objcell_id"][thing])
    world.player = -1
    world.tick()
    assert (objects[thing]["frame"].tobytes(), int(objects["objcell_id"][thing])) == before
    assert rows["velocity"][thing].tolist() == [1.0, 0.0, 0.0]
    assert not objects["transient"][thing] & TransientState.ACTIVE


def test_poses_follow_the_sequence(walker: Walker) -> None:
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD)
    seen = set()
    for _ in range(20):
        walker.tick()
        seen.add(int(walker.row["pose_first"]))
    assert len(seen) > 10
    walker.world.delete_object(walker.obj)
    assert walker.obj not in walker.movement.managers


def test_without_skills_a_jump_has_ten_metres_a_second_whatever_its_charge(walker: Walker) -> None:
    """Retail's `get_jump_v_z` without a weenie; a player has skills (register D41)."""
    for extent in (0.1, 0.5, 1.0):
        walker.place(FIELD, HERE)
        assert walker.movement.jump(walker.obj, extent)
        walker.tick()
        assert walker.at[2] - 20.005 == pytest.approx((10.0 - 9.8 / 60) / 30, abs=1e-4)


def test_what_gravity_does_not_pull_does_not_rise(walker: Walker) -> None:
    """`LeaveGround` asks for gravity. Sabotage: leave the question out; it rises for ever."""
    walker.world.set_state(walker.obj, int(walker.row["state"]) & ~PhysicsState.GRAVITY)
    walker.movement.jump(walker.obj, 1.0)
    walker.tick(30)
    assert walker.at[2] == pytest.approx(20.005, abs=1e-4)


def test_a_jump_that_is_charged_standing_goes_where_the_keys_point(walker: Walker) -> None:
    """The standing long jump: nothing moves but a turn till it jumps, then it has the run's speed.

    Sabotage: let `apply` forget that it is charged standing; it runs off at once.
    """
    movement = walker.movement
    movement.charge_jump(walker.obj)
    movement.do_motion(walker.obj, m.WALK_FORWARD, hold_run=True)
    movement.do_motion(walker.obj, m.SIDESTEP_RIGHT, hold_run=True)
    before = walker.at
    walker.tick(15)
    assert walker.at == pytest.approx(before, abs=1e-6)
    movement.stop_motion(walker.obj, m.SIDESTEP_RIGHT)
    assert movement.jump(walker.obj, 0.5)
    walker.tick(10)
    assert walker.at[1] - before[1] == pytest.approx(4.0 / 3, abs=1e-3)
    walker.tick(90)
    assert walker.grounded
    assert movement.motion_of(walker.obj)[1] == m.RUN_FORWARD, "the key is still down"


@pytest.mark.parametrize("first", [m.WALK_FORWARD, m.SIDESTEP_LEFT, m.TURN_LEFT])
def test_a_jump_that_is_charged_on_the_way_stops_nobody(walker: Walker, first: int) -> None:
    movement = walker.movement
    movement.do_motion(walker.obj, first)
    movement.charge_jump(walker.obj)
    movement.do_motion(walker.obj, m.WALK_FORWARD)
    before = walker.at
    walker.tick(10)
    assert math.dist(walker.at, before) > 0.5
    movement.stop_completely(walker.obj)
    movement.charge_jump(walker.obj)
    movement.do_motion(walker.obj, m.WALK_FORWARD)
    movement.end_charge(walker.obj)
    before = walker.at
    walker.tick(10)
    assert math.dist(walker.at, before) > 0.5, "a charge that is given up lets go"


def test_who_leaves_the_world_on_the_run_leaves_its_ground(walker: Walker) -> None:
    """The tail of `leave_world` (3.7): contact goes, and `LeaveGround` gives the run's velocity.

    Sabotage: clear the bits alone; it has no velocity.
    """
    movement, rows = walker.movement, walker.world.bodies.rows
    movement.set_heading(walker.obj, 90.0)
    movement.do_motion(walker.obj, m.WALK_FORWARD, hold_run=True)
    walker.tick(10)
    walker.world.leave_world(walker.obj)
    assert rows["velocity"][walker.obj] == pytest.approx((4.0, 0.0, 0.0), abs=1e-5)
    assert rows["acceleration"][walker.obj].tolist() == [0.0, 0.0, -9.8]
    assert int(walker.row["transient"]) & 0x1FF == 0


def test_a_sledge_looks_along_its_way_and_stays_level(walker: Walker) -> None:
    """The heading of the velocity (5.2), not its steepness. Sabotage: look along the velocity."""
    walker.world.set_state(walker.obj, int(walker.row["state"]) | PhysicsState.SLEDDING)
    walker.place(FIELD, (180.0, 96.0, 40.0))
    walker.movement.set_velocity(walker.obj, 3.0, 3.0, -4.0)
    walker.tick()
    assert walker.movement.heading(walker.obj) == pytest.approx(45.0, abs=1e-3)
    assert walker.row["frame"][3:].tolist()[1:3] == pytest.approx([0.0, 0.0], abs=1e-6)

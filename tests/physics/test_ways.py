"""Bodies that go somewhere by themselves: movement blocks of types 6 to 9 (register D15)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from builders.walkers import DOLL, DOLL_MOTION, ENTER, Walker

from acclient_py.core.frame import make
from acclient_py.physics.distance import (
    POINT,
    Place,
    Shape,
    cylinder_distance,
    distance,
    flat_distance,
    heading,
    offset,
    place_of,
    shape_of,
)
from acclient_py.physics.ways import USUAL, Manner, WayFlags

FIELD, HERE = 0x7F7F0022, (100.0, 36.0, 20.0)
HEADLONG = USUAL & ~WayFlags.USE_SPHERES


@pytest.fixture
def walker() -> Walker:
    return Walker("hut", FIELD, HERE)


def other(walker: Walker, at: Any) -> int:
    obj = walker.world.make_object(DOLL)
    assert walker.movement.set_motion_table(obj, DOLL_MOTION)
    assert not walker.world.set_position(obj, FIELD, make(*at, 0.0), ENTER)
    return int(obj)


def arrive(walker: Walker, most: int = 600) -> int:
    for count in range(most):
        if walker.obj not in walker.movement.ways.ways:
            return count
        walker.tick()
    raise AssertionError(f"it is still on its way, at {walker.at}")


# places against each other ---------------------------------------------------------------------


def test_an_offset_reaches_over_the_border() -> None:
    a, b = Place(0x7F7F0040, 190.0, 190.0, 5.0), Place(0x80800001, 2.0, 3.0, 1.0)
    assert offset(a, b) == (4.0, 5.0, -4.0)
    assert distance(a, b) == pytest.approx(math.sqrt(57.0))
    assert heading(a, b) == pytest.approx(math.degrees(math.atan2(4.0, 5.0)))
    assert heading(b, a) == pytest.approx(heading(a, b) + 180.0)


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ((0, 0, 0), (5, 0, 0), 5.0 - 1.5),
        ((0, 0, 0), (1, 0, 0), -math.sqrt(4.0 + 0.25)),  # within each other: gap -2, reach -0.5
        ((0, 0, 0), (3, 0, 4), math.sqrt(2.0**2 + 3.5**2)),  # 5 - 1.5 across, 2 above
        ((0, 0, 4), (3, 0, 0), math.sqrt(1.0**2 + 3.5**2)),  # the lower one's own height counts
        ((0, 0, 0), (0, 0, 3.4), math.sqrt(1.4**2 + 1.9**2)),
    ],
)
def test_cylinders_stand_apart_as_the_specification_says(a: Any, b: Any, answer: float) -> None:
    """5.11: p1 is the lower one on a tie; the length is that of three dimensions."""
    shapes = Shape(1.0, 2.0), Shape(0.5, 3.0)
    found = cylinder_distance(Place(FIELD, *a), shapes[0], Place(FIELD, *b), shapes[1])
    assert found == pytest.approx(answer)


def test_from_above_heights_do_not_count() -> None:
    found = flat_distance(Place(FIELD, 0, 0, 0), Shape(1, 2), Place(FIELD, 3, 4, 9), POINT)
    assert found == pytest.approx(4.0)


# ways ------------------------------------------------------------------------------------------


def test_it_turns_goes_and_stops_at_the_distance_asked_for(walker: Walker) -> None:
    goal = Place(FIELD, 104.0, 32.0, 20.0)
    assert walker.movement.ways.to_place(walker.obj, goal, Manner(HEADLONG, distance=1.0))
    walker.tick(3)
    assert math.dist(walker.at, HERE) < 0.02, "it turns before it goes"
    arrive(walker)
    left = distance(place_of(walker.world, walker.obj), goal)
    assert left == pytest.approx(1.0, abs=0.12)
    assert walker.movement.heading(walker.obj) == pytest.approx(135.0, abs=0.1)
    at = walker.at
    walker.tick(10)
    assert walker.at.tolist() == at.tolist(), "and then it stands"


def test_over_a_border_and_far_it_runs(walker: Walker) -> None:
    """It walks the last 15 metres of nothing: running is decided where it sets out."""
    goal = Place(0x7F80001A, 78.0, 2.0, 20.0)
    walker.place(FIELD, (90.0, 150.0, 20.0))
    walker.movement.set_run_rate(walker.obj, 2.0)
    assert walker.movement.ways.to_place(walker.obj, goal, Manner(HEADLONG))
    walker.tick(60)
    assert walker.movement.velocity(walker.obj)[1] > 6.0
    arrive(walker)
    assert walker.cell_id >> 16 == 0x7F80
    assert distance(place_of(walker.world, walker.obj), goal) < 0.6 + 0.3


def test_near_it_walks_unless_it_can_only_run(walker: Walker) -> None:
    walker.movement.set_run_rate(walker.obj, 2.0)
    for flags, speed in ((HEADLONG, 3.12), (HEADLONG & ~WayFlags.CAN_WALK, 8.0)):
        walker.place(FIELD, HERE)
        goal = Place(FIELD, 100.0, 46.0, 20.0)
        walker.movement.ways.to_place(walker.obj, goal, Manner(flags))
        walker.tick(25)
        assert walker.movement.velocity(walker.obj)[1] == pytest.approx(speed, rel=0.05)


def test_it_follows_who_goes_away_and_keeps_the_bodies_apart(walker: Walker) -> None:
    """The distance is that between the cylinders (USE_SPHERES), to where the target is now."""
    target = other(walker, (100.0, 41.0, 20.0))
    assert walker.movement.ways.to_object(walker.obj, target, Manner(distance=0.3))
    walker.tick(30)
    frame = walker.world.row(target)["frame"].copy()
    frame[:2] += (6.0, -2.0)
    walker.world.set_frame(target, frame)
    arrive(walker)
    shapes = shape_of(walker.world, walker.obj), shape_of(walker.world, target)
    places = place_of(walker.world, walker.obj), place_of(walker.world, target)
    assert cylinder_distance(places[0], shapes[0], places[1], shapes[1]) <= 0.3
    assert distance(*places) > shapes[0].radius + shapes[1].radius
    off = (walker.movement.heading(walker.obj) - heading(*places) + 180.0) % 360.0 - 180.0
    assert abs(off) < 25.0, "turning on its way"


def test_a_target_that_goes_ends_the_way(walker: Walker) -> None:
    """At once, and before its row is somebody else's."""
    target = other(walker, (100.0, 45.0, 20.0))
    walker.movement.ways.to_object(walker.obj, target, Manner())
    walker.tick(30)
    walker.world.delete_object(target)
    assert not walker.movement.ways.ways
    walker.tick(2)
    at = walker.at
    walker.tick(10)
    assert math.dist(at, walker.at) < 1e-6


def test_it_goes_away_from_what_is_too_near(walker: Walker) -> None:
    flags = (HEADLONG | WayFlags.MOVE_AWAY) & ~WayFlags.MOVE_TOWARDS
    goal = Place(FIELD, 100.0, 37.0, 20.0)
    walker.movement.ways.to_place(walker.obj, goal, Manner(flags, least=4.0))
    arrive(walker)
    assert distance(place_of(walker.world, walker.obj), goal) == pytest.approx(4.0, abs=0.15)


def test_towards_and_away_it_steps_back_when_it_is_too_near(walker: Walker) -> None:
    walker.movement.set_heading(walker.obj, 0.0)
    goal = Place(FIELD, 100.0, 37.0, 20.0)
    manner = Manner(HEADLONG | WayFlags.MOVE_AWAY, distance=5.0, least=2.0)
    walker.movement.ways.to_place(walker.obj, goal, manner)
    arrive(walker)
    assert walker.at[1] == pytest.approx(35.0, abs=0.1)
    assert walker.movement.heading(walker.obj) == pytest.approx(0.0, abs=0.1), "its face to it"


def test_too_far_from_where_it_began_it_gives_up(walker: Walker) -> None:
    goal = Place(FIELD, 100.0, 60.0, 20.0)
    walker.movement.ways.to_place(walker.obj, goal, Manner(HEADLONG, fail=5.0))
    arrive(walker)
    assert walker.at[1] == pytest.approx(41.0, abs=0.2)


@pytest.mark.contract("C8")
def test_too_far_from_the_player_it_begins_nothing(walker: Walker) -> None:
    """Sabotage: ask for contact alone; the turn is begun, and its motion waits to be played."""
    walker.world.player = other(walker, (150.0, 130.0, 20.0))
    walker.tick()
    walker.movement.ways.to_place(walker.obj, Place(FIELD, 104.0, 32.0, 20.0), Manner(HEADLONG))
    walker.tick(30)
    assert walker.movement.commands[walker.obj].turn == (0, 1.0)
    frame = walker.world.row(walker.world.player)["frame"].copy()
    frame[:2] = 110.0, 30.0
    walker.world.set_frame(walker.world.player, frame)
    arrive(walker)
    assert math.dist(walker.at, (104.0, 32.0, 20.0)) < 0.7


@pytest.mark.parametrize("to", [10.0, 90.0, 181.0, 350.0])
def test_a_turn_ends_at_its_heading_exactly(walker: Walker, to: float) -> None:
    walker.movement.ways.turn_to_heading(walker.obj, Manner(heading=to))
    ticks = arrive(walker)
    assert walker.movement.heading(walker.obj) == pytest.approx(to, abs=1e-3)
    angle = min(to, 360.0 - to)
    assert ticks == pytest.approx(angle / 3.0, abs=4), "90 degrees a second, the shorter way"


def test_it_looks_at_somebody_and_last_where_it_is_told(walker: Walker) -> None:
    target = other(walker, (105.0, 36.0, 20.0))
    walker.movement.ways.turn_to_object(walker.obj, target, Manner(heading=0.0))
    arrive(walker)
    assert walker.movement.heading(walker.obj) == pytest.approx(90.0, abs=0.01)
    goal = Place(FIELD, 103.0, 36.0, 20.0)
    manner = Manner(HEADLONG | WayFlags.USE_FINAL_HEADING, heading=200.0)
    walker.movement.ways.to_place(walker.obj, goal, manner)
    arrive(walker)
    assert walker.movement.heading(walker.obj) == pytest.approx(200.0, abs=0.01)


def test_at_the_end_it_sticks_to_its_target_for_a_second(walker: Walker) -> None:
    target = other(walker, (100.0, 39.0, 20.0))
    walker.movement.ways.to_object(walker.obj, target, Manner(USUAL | WayFlags.STICKY))
    arrive(walker)
    frame = walker.world.row(target)["frame"].copy()
    frame[0] += 2.0
    walker.world.set_frame(target, frame)
    walker.tick(20)
    places = place_of(walker.world, walker.obj), place_of(walker.world, target)
    shapes = shape_of(walker.world, walker.obj), shape_of(walker.world, target)
    gap = flat_distance(places[0], shapes[0], places[1], shapes[1])
    assert gap == pytest.approx(0.3, abs=0.05)
    assert walker.movement.heading(walker.obj) == pytest.approx(heading(*places), abs=1.0)
    walker.tick(15)
    assert not walker.movement.steering.sticks


def test_who_is_sent_to_himself_stays(walker: Walker) -> None:
    assert not walker.movement.ways.to_object(walker.obj, walker.obj, Manner())
    assert not walker.movement.ways.turn_to_object(walker.obj, walker.obj, Manner())
    assert np.isfinite(walker.at).all()

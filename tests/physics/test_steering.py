"""Corrections that are walked off: interpolation, the leash (registers D13, D14)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from builders.walkers import Walker

from acclient_py.anim import motion as m
from acclient_py.core.frame import make
from acclient_py.physics.distance import Place
from acclient_py.physics.steering import ARRIVED, OUTDOORS, SPEED

FIELD, HERE = 0x7F7F0022, (100.0, 36.0, 20.0)


@pytest.fixture
def walker() -> Walker:
    return Walker("hut", FIELD, HERE)


def to(walker: Walker, *at: Any, heading: float = 0.0, **options: Any) -> None:
    frame = make(*at, heading)
    walker.movement.steering.interpolate_to(walker.obj, FIELD, frame, **options)


def test_a_correction_is_glided_to_at_no_more_than_its_speed(walker: Walker) -> None:
    """Sabotage: leave STEERED_OFFSET out of `adjust_offset`; it stays where it is."""
    to(walker, 103.0, 36.0, 20.005, heading=90.0)
    steps, at = [], walker.at
    while walker.movement.steering.is_interpolating(walker.obj):
        walker.tick()
        steps.append(math.dist(at[:2], walker.at[:2]))
        at = walker.at
        assert len(steps) < 60
    assert max(steps) == pytest.approx(SPEED / 30.0, rel=1e-3)
    assert len(steps) == pytest.approx(3.0 / (SPEED / 30.0), abs=3)
    assert walker.at[0] == pytest.approx(103.0, abs=ARRIVED)
    assert walker.movement.heading(walker.obj) == pytest.approx(90.0, abs=0.01)
    assert walker.grounded


def test_its_own_motion_does_not_add_to_it_and_a_heading_can_be_kept(walker: Walker) -> None:
    walker.movement.set_heading(walker.obj, 180.0)
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD)
    to(walker, 100.0, 39.0, 20.005, heading=90.0, keep_heading=True)
    walker.tick(8)
    assert walker.at[1] == pytest.approx(36.0 + 8 * SPEED / 30.0, abs=0.01)
    assert walker.movement.heading(walker.obj) == pytest.approx(180.0, abs=0.01)


def test_places_are_taken_in_order_and_the_last_word_counts(walker: Walker) -> None:
    to(walker, 102.0, 36.0, 20.005)
    to(walker, 102.0, 38.0, 20.005)
    to(walker, 102.0, 38.02, 20.005)  # hardly another place: it replaces the last one
    glide = walker.movement.steering.glides[walker.obj]
    assert [round(place.y, 2) for place, _ in glide.places] == [36.0, 38.02]
    walker.tick(5)
    assert walker.at[1] == pytest.approx(36.0, abs=0.01), "first east"
    walker.tick(20)
    assert walker.at[:2] == pytest.approx([102.0, 38.02], abs=ARRIVED)


def test_a_place_that_is_here_only_turns(walker: Walker) -> None:
    to(walker, 100.01, 36.0, 20.005, heading=45.0)
    assert not walker.movement.steering.is_interpolating(walker.obj)
    assert walker.movement.heading(walker.obj) == pytest.approx(45.0, abs=0.01)
    assert walker.at[0] == pytest.approx(100.0, abs=1e-4)


def test_at_a_wall_it_is_put_where_it_should_be(walker: Walker) -> None:
    """Four looks, five ticks each, without a third of the way: then the correction jumps.

    Sabotage: never count a failure; it stands at the wall for ever.
    """
    walker.place(FIELD, (84.0, 79.0, 20.0))
    walker.movement.steering.interpolate_to(walker.obj, 0x7F7F0100, make(82.0, 84.0, 20.21, 0.0))
    cells = walker.tick(60)
    assert walker.cell_id == 0x7F7F0100
    assert walker.at[:2] == pytest.approx([82.0, 84.0], abs=0.05)
    outside = [cell for cell in cells if cell & 0xFFFF < 0x100]
    assert 15 <= len(outside) <= 40


def test_in_the_air_nothing_corrects(walker: Walker) -> None:
    walker.movement.jump(walker.obj, 1.0)
    walker.tick(2)
    to(walker, 104.0, 36.0, 20.005)
    walker.tick(5)
    assert walker.at[0] == pytest.approx(100.0, abs=1e-3)
    walker.tick(90)
    assert walker.at[0] == pytest.approx(104.0, abs=ARRIVED), "once it has landed"


def test_the_leash_lets_go_slower_and_then_no_farther(walker: Walker) -> None:
    """All until its start, nothing at its end, in between what is left (5.11).

    Sabotage: scale by `travelled / most`; the second assertion fails.
    """
    walker.movement.set_run_rate(walker.obj, 2.0)
    walker.movement.steering.constrain(walker.obj)
    walker.movement.set_heading(walker.obj, 0.0)
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD, hold_run=True)
    full, shares = 8.0 / 30.0, []  # two frames of the animation a tick
    at = walker.at
    for _ in range(700):
        walker.tick()
        way = float(np.hypot(*(walker.at[:2] - at[:2])))
        travelled = float(walker.world.bodies.rows["travelled"][walker.obj])
        if way < 5.0:  # not over the block's border
            shares.append((travelled, way / full))
        at = walker.at
    start, most = OUTDOORS
    for travelled, share in shares[2:]:
        before = travelled - share * full
        wanted = 1.0 if before <= start else max(0.0, (most - before) / (most - start))
        assert share == pytest.approx(wanted, abs=0.02)
    assert shares[-1][0] == pytest.approx(most, abs=0.5)
    assert shares[-1][1] < 0.02


def test_a_leash_counts_from_the_servers_word(walker: Walker) -> None:
    walker.movement.steering.constrain(walker.obj, Place(FIELD, 100.0, 43.0, 20.0))
    assert walker.world.bodies.rows["travelled"][walker.obj] == pytest.approx(7.0, abs=0.01)
    walker.movement.steering.unconstrain(walker.obj)
    walker.movement.do_motion(walker.obj, m.WALK_FORWARD)
    walker.tick(300)
    assert walker.at[1] > 60.0


def test_who_leaves_takes_nothing_along(walker: Walker) -> None:
    to(walker, 104.0, 36.0, 20.005)
    walker.movement.steering.constrain(walker.obj)
    walker.tick(2)
    walker.world.delete_object(walker.obj)
    steering = walker.movement.steering
    assert {**steering.glides, **steering.sticks, **steering.leashes} == {}
    assert not walker.world.bodies.rows["steered"].any()

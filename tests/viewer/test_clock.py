"""Ticks out of wall time."""

from __future__ import annotations

import pytest

from acclient_py.viewer.clock import MOST, TickClock


@pytest.mark.parametrize("rate", [20, 60, 144])
def test_as_many_ticks_at_any_frame_rate(rate: int) -> None:
    clock = TickClock()
    ticks = sum(clock.due(frame / rate) for frame in range(10 * rate + 1))
    assert ticks == 300, "30 a second, the first one after a thirtieth"


def test_the_first_look_makes_no_tick() -> None:
    """Sabotage: give one; the first picture waits for it."""
    clock = TickClock()
    assert clock.due(7.0) == 0
    assert clock.blend == 0.0
    assert clock.due(7.0 + 1 / 30) == 1


def test_a_pause_is_not_caught_up() -> None:
    """WIN-04. Sabotage: keep what is beyond MOST; the next turn makes ticks again at once."""
    clock = TickClock()
    clock.due(0.0)
    assert clock.due(100.0) == MOST
    assert clock.due(100.001) == 0


def test_a_clock_that_stands_or_runs_back_makes_no_tick() -> None:
    clock = TickClock()
    clock.due(5.0)
    assert clock.due(5.0) == 0
    assert clock.due(4.0) == 0
    assert clock.due(4.0 + 1 / 30) == 1


def test_until_next_is_when_the_next_tick_comes() -> None:
    clock = TickClock()
    clock.due(0.0)
    assert clock.due(0.01) == 0
    wait = clock.until_next(0.01)
    assert wait == pytest.approx(1 / 30 - 0.01)
    assert clock.due(0.01 + wait) == 1

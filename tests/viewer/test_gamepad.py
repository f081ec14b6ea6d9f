"""Sticks, triggers and buttons made into keys; streams of axes stand in for the gamepad."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from viewer.stand_ins import FakeStage, Library

from acclient_py.errors import UsageError
from acclient_py.viewer import gamepad, keys
from acclient_py.viewer.gamepad import DEAD_ZONE, Gamepad, PadState, stick, trigger
from acclient_py.viewer.input import FOCUS, Event, Input
from acclient_py.viewer.loop import Loop
from acclient_py.viewer.window import Window

REST = (0.0, 0.0, 0.0, 0.0, -1.0, -1.0)
NONE = (0,) * 15


def pad(*axes: float, buttons: tuple[int, ...] = NONE) -> PadState:
    return PadState((*axes, *REST[len(axes) :]), buttons)


def held(*axes: float, buttons: tuple[int, ...] = NONE) -> list[str]:
    taken = Input(keys.load())
    taken.feed(Gamepad().events(pad(*axes, buttons=buttons)))
    return taken.take_held()


@pytest.mark.parametrize("value", [0.0, 0.0000153, -0.0312, 0.12, -0.13, math.nan])
def test_a_stick_at_rest_moves_nobody(value: float) -> None:
    """INP-04. Sabotage: no dead zone; 0.0000153 walks."""
    assert stick(value, value / 2, DEAD_ZONE) == (0.0, 0.0)
    assert held(value, value / 2, value, value / 2) == []


def test_beyond_the_dead_zone_it_counts_from_nought_to_one() -> None:
    """INP-04. Sabotage: pass the raw value on; just beyond the zone the camera jumps."""
    assert stick(1.0, 0.0, DEAD_ZONE) == (1.0, 0.0)
    assert stick(0.0, -1.0, DEAD_ZONE) == (0.0, -1.0)
    assert stick(DEAD_ZONE + 0.01, 0.0, DEAD_ZONE)[0] == pytest.approx(0.01 / (1 - DEAD_ZONE))
    x, y = stick(0.9, 0.9, DEAD_ZONE)
    assert math.hypot(x, y) == pytest.approx(1.0), "the corner of a square gate is no faster"


def test_a_trigger_at_rest_is_nought() -> None:
    """INP-04. Sabotage: read it as 0..1; at rest it zooms."""
    assert trigger(-1.0) == 0.0
    assert trigger(-0.97) == 0.0
    assert trigger(1.0) == 1.0
    assert 0.4 < trigger(0.0) < 0.5
    assert held() == []


def test_the_left_stick_walks_and_runs_and_steps_aside() -> None:
    assert held(0.0, -1.0) == ["forward"]
    assert held(0.0, -0.4) == ["forward", "walk"]
    assert held(0.2, -1.0) == ["forward"], "not quite straight is straight"
    assert set(held(0.8, -0.8)) == {"forward", "sidestep-right"}
    assert held(-1.0, 0.0) == ["sidestep-left"]
    assert held(buttons=(1, *NONE[1:])) == ["jump"]


def test_the_right_stick_and_the_triggers_say_how_far() -> None:
    taken, made = Input(keys.load()), Gamepad()
    taken.feed(made.events(pad(0, 0, 0.575, 0.0, -1.0, 1.0)))
    assert taken.strength("camera-turn-right") == pytest.approx(0.5)
    assert taken.strength("camera-closer") == 1.0
    taken.feed(made.events(pad(0, 0, 1.0, 0.0)))
    assert taken.strength("camera-turn-right") == 1.0
    assert taken.strength("camera-closer") == 0.0
    taken.feed(made.events(None))
    assert taken.strength("camera-turn-right") == 0.0, "it was pulled out"


def test_only_changes_are_events() -> None:
    made = Gamepad()
    assert made.events(pad(0.0, -1.0)) != []
    assert made.events(pad(0.0, -1.0)) == []


def test_a_gamepad_counts_while_the_window_has_the_keys() -> None:
    """INP-01. Sabotage: leave `focused` out of `events`; a stick moves the body from behind."""
    taken, made = Input(keys.load()), Gamepad()
    taken.feed(made.events(pad(0.0, -1.0), focused=True))
    assert taken.held("forward")
    taken.feed([Event(FOCUS, 0)])
    for y in (-1.0, 0.0, -1.0):
        taken.feed(made.events(pad(0.0, y), focused=taken.focused))
        assert not taken.held("forward")
    taken.feed([Event(FOCUS, 1)])
    taken.feed(made.events(pad(0.0, -1.0), focused=taken.focused))
    assert taken.held("forward"), "the stick is still out"


def test_the_dead_zone_and_the_keys_are_the_keymaps(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('dead-zone = 0.3\n[keys]\njump = ["pad-right-trigger"]\n', encoding="utf-8")
    keymap = keys.load(str(file))
    assert keymap.dead_zone == 0.3
    assert keymap.action_of(keys.CODES["pad-right-trigger"], 0) == "jump"
    assert gamepad.strengths(pad(0.0, -0.25), 0.3) == {}
    assert keys.load("wasd").dead_zone is None
    for wrong in ("1.5", '"wide"', "true"):
        file.write_text(f"dead-zone = {wrong}\n", encoding="utf-8")
        with pytest.raises(UsageError, match="dead-zone"):
            keys.load(str(file))


def test_gamepads_come_and_go_while_the_loop_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the library's gamepads: one comes, walks, and is pulled out while it walks."""
    library: Any = Library()
    window = Window(library, (640, 360))
    stage: Any = FakeStage()
    loop = Loop(
        window,
        None,
        stage,
        Input(keys.load()),
        smooth=False,
        stiffness=1.0,
        now=iter(range(1000)).__next__,
    )  # type: ignore[arg-type]
    loop.turn()
    loop.turn()
    assert stage.kept[-1] == []
    library.pads[3] = SimpleNamespace(axes=[0.0, -1.0, 0.0, 0.0, -1.0, -1.0], buttons=[0] * 15)
    library.callbacks["joystick"](3, library.CONNECTED)
    assert window.has_gamepad
    loop.turn()
    assert stage.kept[-1] == ["forward"]
    del library.pads[3]
    library.callbacks["joystick"](3, "DISCONNECTED")
    loop.turn()
    loop.turn()
    assert stage.kept[-1] == []
    assert not window.has_gamepad

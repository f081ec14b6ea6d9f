"""The turns of the loop, over stand-ins for window and stage."""

from __future__ import annotations

from typing import Any

import pytest
from viewer.stand_ins import FakeStage, Library

from acclient_py.view.camera import Pose
from acclient_py.viewer import keys
from acclient_py.viewer.input import Input
from acclient_py.viewer.loop import Loop
from acclient_py.viewer.window import Window

W = 87


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def set_up() -> Any:
    library, stage, clock = Library(), FakeStage(), Clock()
    window = Window(library, (1280, 720))
    stage_any: Any = stage
    device: Any = None
    loop = Loop(
        window,
        device,
        stage_any,
        Input(keys.load("retail")),
        smooth=False,
        stiffness=0.45,
        now=clock,
    )
    return library, stage, loop, clock


def test_nothing_is_drawn_at_size_nought_and_all_goes_on_after(set_up: Any) -> None:
    """WIN-01. Sabotage: draw without asking `drawable`; the renderer is asked for a size of 0."""
    library, stage, loop, clock = set_up
    sizes = ((0, 0), (0, 600), (1, 1), (16384, 1), (1280, 720))
    for size in sizes:
        library.queue.append(lambda size=size: library.resize(*size))
        clock.seconds += 0.05
        loop.turn()
    assert stage.made.sizes[-3:] == [(1, 1), (16384, 1), (1280, 720)]
    assert len(stage.made.poses) == 3


def test_a_minimised_window_turns_thirty_times_a_second_and_the_world_goes_on(
    set_up: Any,
) -> None:
    """WIN-04. Sabotage: poll without waiting; the waits stay empty."""
    library, stage, loop, clock = set_up
    loop.turn()
    library.callbacks["window_iconify"]("window", True)
    library.on_wait = lambda seconds: setattr(clock, "seconds", clock.seconds + seconds)
    before, turns = len(stage.kept), 0
    while clock.seconds < 10.0 and turns <= 10 * 32:
        loop.turn()
        turns += 1
    assert turns <= 10 * 32
    assert 298 <= len(stage.kept) - before <= 301
    assert library.swaps == 1
    assert len(library.waits) == turns
    ticks = len(stage.kept)
    library.callbacks["window_iconify"]("window", False)
    loop.turn()
    assert len(stage.kept) - ticks <= 1, "nothing is caught up"


def test_a_long_pause_moves_the_camera_by_a_tenth_of_a_second_at_most(set_up: Any) -> None:
    library, _stage, loop, clock = set_up
    loop.turn()
    library.key(keys.CODES["kp4"], 1)
    loop.turn()
    yaw = loop.rig.follow.yaw
    clock.seconds += 50.0
    loop.turn()
    assert 0.0 < loop.rig.follow.yaw - yaw <= 0.17


def test_one_pose_a_picture_whatever_the_mouse_does_meanwhile(set_up: Any) -> None:
    """ORD-04. Sabotage: let callbacks turn the camera at once; the poses differ."""
    library, stage, loop, _clock = set_up

    def mouse(x: float) -> None:
        library.callbacks["cursor_pos"]("window", x, 0.0)

    mouse(0.0)
    library.callbacks["mouse_button"]("window", 1, 1, 0)
    loop.turn()
    mouse(0.0)
    loop.turn()
    stage.made.while_drawing = lambda: mouse(100.0)
    before = loop.rig.pose()
    loop.turn()
    assert stage.made.poses[-1][0] == before
    assert loop.rig.pose() == before, "the move waits for the next turn"
    stage.made.while_drawing = None
    loop.turn()
    assert stage.made.poses[-1][0] != before


def test_a_held_key_is_held_in_every_tick_until_focus_is_lost(set_up: Any) -> None:
    """INP-01 through the loop."""
    library, stage, loop, clock = set_up
    loop.turn()
    library.key(W, 1)
    for _ in range(5):
        clock.seconds += 1 / 30
        loop.turn()
    assert stage.kept[-5:] == [["forward"]] * 5
    library.callbacks["window_focus"]("window", False)
    for _ in range(3):
        clock.seconds += 1 / 30
        loop.turn()
    assert stage.kept[-4:] == [["let go"], [], [], []], "a jump that is charged is no jump"
    library.callbacks["window_focus"]("window", True)
    clock.seconds += 1 / 30
    loop.turn()
    assert stage.kept[-1] == []


def test_who_has_no_body_flies_and_the_blocks_come_along(set_up: Any) -> None:
    """Sabotage: let the key end the flight; there is nobody to come back to."""
    library, stage, loop, clock = set_up
    stage.scenes.pose = lambda _follow, _late: Pose(0x7F7F0001, (5.0, 5.0, 25.0))
    stage.scenes.fly = lambda before, eye: (before.cell_id + 1, eye)
    loop.fly_alone()
    for key in ("p", "kp0"):
        library.key(keys.CODES[key], 1)
        library.key(keys.CODES[key], 0)
        loop.turn()
        assert loop.rig.flying is not None
    library.key(W, 1)
    for _ in range(4):
        clock.seconds += 0.05
        loop.turn()
    assert stage.cells[-1] > 0x7F7F0001
    assert loop.rig.flying.pose.eye[1] > 6.0
    assert stage.kept[-1] == [], "no body is told to walk"
    loop.rig.fly_to(0x80800001, (1.0, 2.0, 30.0))
    assert loop.rig.pose().eye == (1.0, 2.0, 32.0)


def test_keys_that_were_hit_while_the_world_was_loaded_do_nothing(set_up: Any) -> None:
    """Found at a slow start: all of them came at once. The focus that went meanwhile is gone."""
    library, stage, before, clock = set_up
    for key in ("g", "q", "f3", "enter", "w"):
        library.key(keys.CODES[key], 1)
    library.callbacks["scroll"]("window", 0.0, 5.0)
    library.callbacks["window_focus"]("window", False)
    hands = Input(keys.load("retail"))
    loop = Loop(before.window, before.device, stage, hands, smooth=False, stiffness=1.0, now=clock)
    done: list[str] = []
    loop.on_action = done.append
    loop.turn()
    assert (done, loop.overlays, stage.control.autorun) == ([], (), False)
    clock.seconds += 1 / 30
    loop.turn()
    assert stage.kept[-1] == []
    assert not hands.focused
    library.key(W, 2)
    clock.seconds += 1 / 30
    loop.turn()
    assert stage.kept[-1] == [], "who holds it since then has to press it again"


def test_after_a_slow_picture_keys_mean_what_they_meant_when_they_were_hit(set_up: Any) -> None:
    """All of them come in one turn: a line is opened, typed, entered, and then W is held.

    Sabotage: feed all events before any is acted on; Q runs, F12 is done, and W is no letter.
    """
    library, stage, loop, clock = set_up
    loop.turn()
    done: list[str] = []
    lines: list[list[str]] = []

    def act(action: str) -> None:
        done.append(action)
        if action == "go-to":
            loop.hands.begin_line()

    def typed(keys: list[str]) -> None:
        lines.append(keys)
        loop.hands.typing = "enter" not in keys

    loop.on_action, loop.on_typed = act, typed
    for key, letter in (("enter", ""), ("q", "q"), ("f12", ""), ("w", "w"), ("enter", "")):
        library.key(keys.CODES[key], 1)
        if letter:
            library.callbacks["char"]("window", ord(letter))
        library.key(keys.CODES[key], 0)
    library.key(W, 1)
    clock.seconds += 1 / 30
    loop.turn()
    assert (done, lines) == (["go-to"], [["q"], ["w"], ["enter"]])
    assert not stage.control.autorun
    assert stage.kept[-1] == ["forward"]


def test_autorun_runs_until_stop(set_up: Any) -> None:
    library, stage, loop, clock = set_up
    loop.turn()
    for key in (keys.CODES["q"],):
        library.key(key, 1)
        library.key(key, 0)
    for _ in range(3):
        clock.seconds += 1 / 30
        loop.turn()
    assert stage.kept[-1] == ["forward"]
    for ends in ("s", "w", "x"):
        library.key(keys.CODES[ends], 1)
        library.key(keys.CODES[ends], 0)
        for _ in range(2):  # a tap is held for one tick
            clock.seconds += 1 / 30
            loop.turn()
        assert stage.kept[-1] == []
        library.key(keys.CODES["q"], 1)
        library.key(keys.CODES["q"], 0)
        clock.seconds += 1 / 30
        loop.turn()
        assert stage.kept[-1] == ["forward"]


def test_overlays_are_switched_by_key(set_up: Any) -> None:
    library, stage, loop, _clock = set_up
    library.key(keys.CODES["f3"], 1)
    loop.turn()
    assert stage.made.poses[-1][1] == ("cells",)
    library.key(keys.CODES["f3"], 1)
    loop.turn()
    assert stage.made.poses[-1][1] == ()


def test_the_wheel_and_the_views_move_the_camera(set_up: Any) -> None:
    library, _stage, loop, _clock = set_up
    loop.turn()
    far = loop.rig.follow.distance
    library.callbacks["scroll"]("window", 0.0, 2.0)
    loop.turn()
    assert loop.rig.follow.distance < far
    for _ in range(40):
        library.callbacks["scroll"]("window", 0.0, 2.0)
    loop.turn()
    assert loop.rig.follow.distance == 0.0, "the eyes"
    library.callbacks["scroll"]("window", 0.0, -1.0)
    loop.turn()
    assert loop.rig.follow.distance > 0.0
    library.key(keys.CODES["kp0"], 1)
    loop.turn()
    assert loop.rig.follow.distance == far

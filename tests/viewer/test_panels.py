"""Text and help drawn offscreen, over a target."""

# EGL only: a window's context and this one never meet in one process
from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from acclient_py.errors import GpuError
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.viewer import keys
from acclient_py.viewer.columns import LEAST, SPACES, in_columns
from acclient_py.viewer.input import Input
from acclient_py.viewer.panels import HOW_TO_GET, NOTE_SECONDS, Panels

SIZE = (640, 360)


@pytest.fixture
def device() -> Iterator[Device]:
    try:
        made = Device.offscreen()
    except GpuError as why:
        pytest.skip(str(why))
    made.leaks()
    yield made
    error, leaked = made.ctx.error, made.leaks()
    made.release()
    assert error == "GL_NO_ERROR"
    assert leaked == 0


@pytest.fixture
def target(device: Device) -> Iterator[Target]:
    made = Target(device, SIZE)
    made.framebuffer.use()
    made.framebuffer.clear(0.2, 0.4, 0.6, 1.0)
    yield made
    made.release()


def build(panels: Panels, target: Target, lines: list[str], scale: float = 1.0) -> bool:
    """Twice: a panel is measured in the first frame that it is in, and shown from the second on."""
    shown = False
    for _ in range(2):
        target.framebuffer.clear(0.2, 0.4, 0.6, 1.0)
        shown = once(panels, target, lines, scale)
    return shown


def once(panels: Panels, target: Target, lines: list[str], scale: float) -> bool:
    hands = Input(keys.load("retail"))
    return panels.begin(target, hands, 1 / 60, scale=scale, cursor_scale=(1.0, 1.0), lines=lines)


def changed(target: Target) -> Any:
    return (target.read() != (51, 102, 153)).any(axis=2)


def test_nothing_switched_on_draws_nothing(device: Device, target: Target) -> None:
    panels = Panels(device, hud=False)
    assert not build(panels, target, [])
    panels.finish(target, 0.0, scale=1.0)
    assert not changed(target).any()
    panels.release()


def test_a_banner_is_there_though_all_other_text_is_off(device: Device, target: Target) -> None:
    """Sabotage: draw it with the other text only; nothing is shown."""
    pytest.importorskip("imgui_bundle")
    panels = Panels(device, hud=False)
    panels.banner = "WRONG ON PURPOSE: order depth-sorted"
    assert build(panels, target, [])
    rows, columns = np.nonzero(changed(target))
    assert rows.min() == 0
    assert abs((columns.min() + columns.max()) / 2 - SIZE[0] / 2) < 4, "in the middle"
    red, green, blue = (int(c) for c in target.read()[2, columns.min() + 2])
    assert red > 2 * max(green, blue), "in a colour that means alarm"
    panels.banner = ""
    assert not build(panels, target, [])
    panels.release()


def test_text_stands_in_its_corner_and_grows_with_the_scale(device: Device, target: Target) -> None:
    pytest.importorskip("imgui_bundle")
    panels = Panels(device, hud=True)
    assert build(panels, target, ["0x7F7F003D", "second"])
    small = changed(target)
    rows, columns = np.nonzero(small)
    assert rows.min() >= 8
    assert columns.min() >= 8
    assert rows.max() < SIZE[1] // 3
    assert columns.max() < SIZE[0] // 2
    bright = (target.read().min(axis=2) > 200).sum()
    assert bright > 20, "letters"
    build(panels, target, ["0x7F7F003D", "second"], scale=2.0)
    assert changed(target).sum() > 2 * small.sum()
    target.framebuffer.clear(0.0, 0.0, 0.0, 1.0)
    assert not target.read().any(), "no scissor is left over"
    panels.release()


def test_notes_go_after_a_while_and_are_in_no_screenshot(device: Device, target: Target) -> None:
    """WIN-07. Sabotage: draw the notes in `begin`; the picture before `finish` has them."""
    pytest.importorskip("imgui_bundle")
    panels = Panels(device, hud=False)
    panels.note("saved", 0.0)
    build(panels, target, [])
    assert not changed(target).any(), "what a screenshot takes"
    for now in (0.1, 0.2):
        panels.finish(target, now, scale=1.0)
    assert changed(target).any()
    target.framebuffer.clear(0.2, 0.4, 0.6, 1.0)
    panels.finish(target, NOTE_SECONDS + 0.1, scale=1.0)
    assert not changed(target).any()
    panels.release()


def test_help_shows_every_action(device: Device, target: Target) -> None:
    pytest.importorskip("imgui_bundle")
    panels = Panels(device, hud=False)
    panels.help = list(keys.load("retail").rows(lambda _: None))
    assert len(panels.help) == len(keys.ACTIONS)
    panels.about = "Keys"
    assert build(panels, target, [])
    assert changed(target).mean() > 0.3
    panels.release()


def test_without_the_ui_packages_it_is_said_once(
    device: Device, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: ask again at each frame; the warning comes twice."""
    monkeypatch.setitem(sys.modules, "imgui_bundle", None)
    for name in ("drawer", "panels"):
        monkeypatch.delitem(sys.modules, f"acclient_py.viewer.overlay.{name}", raising=False)
    said: list[str] = []
    monkeypatch.setattr(
        "acclient_py.viewer.panels.log",
        SimpleNamespace(
            warning=lambda text, *args: said.append(text % args),
            debug=lambda *_: None,
            info=lambda *_: None,
        ),
    )
    panels = Panels(device, hud=True)
    for _ in range(3):
        assert not build(panels, target, ["x"])
        panels.finish(target, 0.0, scale=1.0)
    assert said == [HOW_TO_GET]
    assert panels.missing
    panels.release()


@pytest.mark.parametrize(
    "size", [(480, 270), (560, 315), (640, 360), (700, 394), (800, 450), (1280, 720)]
)
def test_no_text_is_cut_at_the_edges(device: Device, size: tuple[int, int]) -> None:
    """Help, the longest location, a long note and a long banner leave a margin on both sides.

    Sabotage: leave letters and lines as they are; they run out of the picture on the right.
    """
    pytest.importorskip("imgui_bundle")
    made = Target(device, size)
    place = (
        "0x7F7F001D [-175.500000 -102.099998 -130.004999] -0.707107 -0.000000 -0.000000 -0.707107"
    )

    def margins(what: str) -> None:
        panels = Panels(device, hud=what == "hud")
        if what == "help":
            panels.help = list(keys.load("retail").rows(lambda _: None))
            panels.about = "Keys: the original client's keys"
        if what == "banner":
            panels.banner = "WRONG ON PURPOSE: " + place
        if what == "note":
            panels.note(f"saved /home/somebody/{'pictures/' * 12}screenshot-0001.png", 0.0)
        for _ in range(3):
            made.framebuffer.use()
            made.framebuffer.clear(0.2, 0.4, 0.6, 1.0)
            once(panels, made, [place, "second"], 1.0)
            panels.finish(made, 0.1, scale=1.0)
        _, columns = np.nonzero(changed(made))
        assert columns.min() >= 5, what
        assert columns.max() < size[0] - 5, what
        panels.release()

    for what in ("help", "hud", "banner", "note"):
        margins(what)
    made.release()


def test_help_is_set_as_large_as_fits() -> None:
    """Sabotage: break no line; letters get smaller than they must, or the columns too wide."""
    rows = list(keys.load("retail").rows(lambda _: None))
    share, left, right = in_columns(rows, (5000.0, 1000.0), lambda s: (10 * s, 10 * s))
    assert (share, left + right) == (1.0, rows)
    share, left, right = in_columns(rows, (700.0, 250.0), lambda s: (10 * s, 10 * s))
    assert share == LEAST
    broken = left + right
    assert [(k, w.replace("\n", " ")) for k, w in broken] == rows
    wide = sum(
        max(len(k) for k, _ in part) + max(len(line) for _, w in part for line in w.split("\n"))
        for part in (left, right)
    )
    assert wide + SPACES <= 70.0 / LEAST
    assert in_columns([], (1000.0, 100.0), lambda s: (10 * s, 10 * s)) == (1.0, [], [])

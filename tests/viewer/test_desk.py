"""The window under a window manager, with real key events: it ends where the recording says.

What is done by hand is not the same twice, so each test saves what it did (F8) and plays that
without a window: the recording's own checkpoint expects the place of the window's host, to the bit.
Monitors that come and go, and gamepads, are stand-ins (test_window.py, test_gamepad.py): neither
can be had under Xvfb.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builders.desk import SIZE, Desk, view
from builders.worlds import opened

from acclient_py.host import scenario as sc
from acclient_py.host.host import Host, Line

pytestmark = pytest.mark.slow
WHO = "0x50000001"
OTHER = """
import glfw
glfw.init()
w = glfw.create_window(120, 90, "other", None, None)
while not glfw.window_should_close(w):
    glfw.wait_events_timeout(0.1)
"""


def replayed(file: Path, world: str = "doll") -> Line:
    """The recording without a window: it comes to the same place."""
    scenario = sc.read(file)
    with opened(world) as dats:
        host = Host(dats)
        lines = list(host.play(scenario))
    assert host.faults == []
    end = scenario.steps[-1]
    assert isinstance(end, sc.Checkpoint)
    assert f"objects.{WHO}.origin" in [e.path for e in end.expect]
    return lines[-1]


def body(line: Line) -> dict[str, Any]:
    found: dict[str, Any] = next(o for o in line["objects"] if o["guid"] == WHO)
    return found


def steps_of(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_bytes())["steps"]
    return found


@pytest.mark.contract("T8")
def test_keys_walk_and_the_headless_run_comes_to_the_same_place(desk: Desk) -> None:
    """Forward over a border, a turn on the way, a jump, the shield away.

    Sabotage: leave the held key out of one tick of the recorder; the replay is short of the place.
    """
    with desk.running(view(at="0x7F7F003D [188 100 20] 0.70710678 0 0 -0.70710678")) as viewer:
        viewer.hold("w", seconds=2.0)
        viewer.hold("w", "a", seconds=0.7)
        viewer.hold("w", "space", seconds=0.5)
        viewer.press("2")
        viewer.press("F12")
        viewer.wait_for("a picture", lambda: viewer.files("screenshot-0001.png"))
        file = viewer.save_recording(1)
        viewer.quit()
    steps = steps_of(file)
    assert {"do": "pickup", "guid": "0x80000011"} in steps
    keys = [set(s["keys"]) for s in steps if s["do"] == "input"]
    for held in ({"w"}, {"w", "a"}, {"w", "space"}):
        assert held in keys
    line = replayed(file)
    assert body(line)["cell"].startswith("0x807F"), "it went east over the border"
    look = {o["guid"]: o for o in line["objects"]}
    assert look["0x80000011"]["cell"] is None, "the shield is away"
    from PIL import Image

    with Image.open(viewer.files("screenshot-0001.png")[0]) as picture:
        assert picture.size == SIZE
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 50


def test_a_key_goes_through_the_wrong_orders_and_each_says_so(desk: Desk) -> None:
    """The title, and a plain screenshot, name the order; after the last comes retail's again.

    Sabotage: forget the name in a screenshot without text; the bands are not the orders' names.
    """
    from PIL import Image

    from acclient_py.order.study import WRONG
    from acclient_py.render.sheets import BAND

    def titled() -> str:
        return desk.hands("getwindowname", viewer.window)

    def shoot(number: int) -> tuple[int, ...]:
        viewer.press("ctrl+F12")
        name = f"screenshot-{number:04d}.png"
        viewer.wait_for("a picture", lambda: viewer.files(name))
        time.sleep(0.3)
        with Image.open(viewer.files(name)[0]) as picture:
            return tuple(picture.convert("RGB").getpixel((SIZE[0] - 1, 0)))  # type: ignore[arg-type]

    with desk.running(view("--alpha", "sorted", "--no-hud"), title="^acclient") as viewer:
        viewer.wait_for("the order asked for", lambda: "alpha sorted" in titled())
        assert shoot(1) == BAND
        viewer.press("F6")  # the last of them, so retail's comes next
        viewer.wait_for("retail's order", lambda: "WRONG" not in titled())
        assert shoot(2) != BAND
        for number, study in enumerate(WRONG, 3):
            viewer.press("F6")
            viewer.wait_for(study.title, lambda study=study: study.title in titled())
            assert shoot(number) == BAND
        viewer.quit()


def test_a_place_is_typed_and_gone_to_and_no_letter_walks(desk: Desk) -> None:
    """INP-02 with real keys: the line has letters that are keys of motion elsewhere.

    Sabotage: let keys through while a line is typed; the W and the Q walk.
    """
    with desk.running(view()) as viewer:
        viewer.press("Return")
        time.sleep(0.2)
        desk.hands("type", "--delay", "40", "qw")
        viewer.press("F12")  # no key but a letter while a line is typed
        viewer.press("BackSpace")
        viewer.press("BackSpace")
        desk.hands("type", "--delay", "40", "0.2S, 0.1E")
        viewer.press("Return")
        time.sleep(0.5)
        viewer.hold("w", seconds=0.5)
        file = viewer.save_recording(1)
        viewer.quit()
    assert viewer.files("screenshot*.png") == []
    steps = steps_of(file)
    (went,) = [n for n, s in enumerate(steps) if s["do"] == "teleport"]
    assert steps[went]["at"]["cell"] == "0x7F7F0022"
    assert [s["do"] for s in steps[:went] if s["do"] not in ("create", "tick")] == []
    assert [s["keys"] for s in steps[went:] if s["do"] == "input"] == [["w"]]
    assert body(replayed(file))["cell"] == "0x7F7F0022"


def test_a_window_that_loses_the_keys_lets_go_of_them(desk: Desk) -> None:
    """INP-01: the key goes up while another window has the focus, so its end never arrives.

    The window library lets go of keys by itself here; that we do too is in test_input.py.
    """
    with desk.running(view()) as viewer:
        desk.hands("keydown", "w")
        time.sleep(1.0)
        with desk.running([sys.executable, "-c", OTHER], title="^other$"):
            time.sleep(0.5)
            desk.hands("keyup", "w")
        viewer.focus()
        time.sleep(0.3)
        first = viewer.save_recording(1)
        time.sleep(1.0)
        second = viewer.save_recording(2)
        viewer.quit()
    here, there = (body(replayed(file)) for file in (first, second))
    assert here["origin"][1] > 102.0, "it ran while the key was ours"
    assert here["origin"] == there["origin"], "it stands after"
    assert "input" not in [s["do"] for s in steps_of(second)[len(steps_of(first)) :]]


def test_minimised_the_world_goes_on_and_nothing_is_caught_up(desk: Desk) -> None:
    """WIN-04. Sabotage: wait without an end while minimised; no tick is made."""
    with desk.running(view()) as viewer:
        before = steps_of(viewer.save_recording(1))
        desk.hands("windowminimize", viewer.window)
        began = time.monotonic()
        time.sleep(4.0)
        viewer.focus()
        slept = time.monotonic() - began
        file = viewer.save_recording(2)
        viewer.quit()
    ticks = sum(s["seconds"] for s in steps_of(file)[len(before) :] if s["do"] == "tick") * 30
    assert slept * 30 * 0.5 < ticks < slept * 30 + 90
    replayed(file)


def test_full_screen_and_back_is_exactly_where_it_was(desk: Desk) -> None:
    """WIN-06 with a real window manager. Sabotage: take the box after the switch."""
    with desk.running(view()) as viewer:
        desk.hands("windowmove", "--sync", viewer.window, "60", "40")
        viewer.wait_for("its place", lambda: viewer.box()[0] >= 60)
        time.sleep(1.5)  # the window looks where it stands once a second
        before = viewer.box()
        for _ in range(2):
            viewer.press("F11")
            viewer.wait_for("the whole screen", lambda: viewer.box()[2:] == (800, 600))
            viewer.press("F11")
            viewer.wait_for("its old place", lambda: viewer.box() == before)
        assert before[2:] == SIZE
        viewer.quit()

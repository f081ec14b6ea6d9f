"""The window, over a stand-in for its library."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
from builders.compiled import run
from viewer.stand_ins import Library

from acclient_py.errors import UsageError
from acclient_py.viewer.loading import bar_box
from acclient_py.viewer.placement import Box, centre_on, on_a_screen
from acclient_py.viewer.window import Window


@pytest.mark.parametrize(("gl", "version"), [("3.3", (3, 3)), ("4.1", (4, 1)), ("max", (3, 3))])
def test_hints_ask_for_a_core_context_before_the_window_is_made(
    gl: str, version: tuple[int, int]
) -> None:
    """GLP-05. Sabotage: drop the forward-compatible hint."""
    library = Library()
    Window(library, (800, 600), gl=gl)
    hints = library.hints_at_creation
    assert (hints["CONTEXT_VERSION_MAJOR"], hints["CONTEXT_VERSION_MINOR"]) == version
    assert hints["OPENGL_PROFILE"] == "OPENGL_CORE_PROFILE"
    assert hints["OPENGL_FORWARD_COMPAT"] is True
    with pytest.raises(UsageError, match="no GL level"):
        Window(library, (800, 600), gl="2.1")


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
def test_pixels_follow_the_framebuffer_and_the_mouse_the_window(scale: float) -> None:
    """HDP-01."""
    library = Library(scale=scale)
    window = Window(library, (1280, 720))
    assert window.framebuffer_size == (round(1280 * scale), round(720 * scale))
    assert window.size == (1280, 720)
    assert window.cursor_scale == (scale, scale)
    assert window.content_scale == scale
    library.resize(1000, 500)
    assert window.framebuffer_size == (round(1000 * scale), round(500 * scale))
    assert window.cursor_scale == pytest.approx((scale, scale))


def test_sizes_of_nothing_are_not_drawn_on() -> None:
    """WIN-01."""
    library = Library()
    window = Window(library, (1280, 720))
    for width, height, drawable in (
        (0, 0, False), (0, 600, False), (1, 1, True), (16384, 1, True), (1280, 720, True),
    ):  # fmt: skip
        library.resize(width, height)
        assert window.drawable is drawable, (width, height)
        assert all(v > 0 for v in window.cursor_scale) or not drawable
        _, _, wide, tall, filled = bar_box((max(width, 1), max(height, 1)), 0.5, 0.0)
        assert wide > 0
        assert tall > 0
        assert 0 <= filled <= wide
    library.callbacks["window_iconify"]("window", True)
    assert not window.drawable
    library.callbacks["window_iconify"]("window", False)
    assert window.drawable


def test_what_a_platform_lacks_is_one_debug_line(caplog: pytest.LogCaptureFixture) -> None:
    """GLP-08. Sabotage: call the library without `attempt`; the start ends with its error."""
    refuses = ("set_window_icon", "get_window_pos", "raw_mouse_motion_supported")
    library = Library(refuses=refuses)
    with caplog.at_level(logging.DEBUG, logger="acclient_py"):
        window = Window(library, (800, 600))
        window.set_icon(1, 1, [[(0, 0, 0, 0)]])
        window.look_around(True)
        window.toggle_fullscreen()
        window.toggle_fullscreen()
    said = [record for record in caplog.records if "not to be had" in record.message]
    assert {"icon", "position", "raw motion"} <= {record.message.split(" is")[0] for record in said}
    assert all(record.levelno == logging.DEBUG for record in said)
    assert library.icon is None
    assert library.size == (800, 600)


def test_full_screen_and_back_is_exactly_where_it_was() -> None:
    """WIN-06. Sabotage: take the box after the switch; the window comes back 1920 wide."""
    library = Library()
    window = Window(library, (800, 600))
    library.pos = (2000, 120)
    window.toggle_fullscreen()
    assert library.monitor == "right", "the screen that holds the window"
    assert window.framebuffer_size == (1920, 1080)
    window.toggle_fullscreen()
    assert library.monitor is None
    assert (library.pos, window.size) == ((2000, 120), (800, 600))
    window.remember_place()
    library.maximize_window("window")
    window.toggle_fullscreen()
    assert window.framebuffer_size == (1920, 1080)
    library.maximised = False
    window.toggle_fullscreen()
    assert library.maximised, "it was maximised before"
    assert library.pos == (2000, 120)


@pytest.mark.parametrize("left", [["left"], []])
def test_a_window_whose_screen_is_gone_comes_back_on_one_that_there_is(left: list[str]) -> None:
    """WIN-06, a cable that is pulled. Sabotage: come back to the old box; it is on no screen."""
    library = Library()
    window = Window(library, (800, 600))
    library.pos = (2000, 120)
    window.toggle_fullscreen()
    library.monitors = left
    window.toggle_fullscreen()
    assert window.size == (800, 600)
    assert library.pos == ((560, 240) if left else (2000, 120)), "nowhere is as good as anywhere"
    library.monitors = []
    window.toggle_fullscreen()
    assert window.size == (800, 600), "there is nothing to fill"
    assert not window.placement.fullscreen


def test_a_window_is_no_larger_than_the_screen_that_it_comes_back_on() -> None:
    small = [Box(0, 0, 640, 400)]
    assert on_a_screen(small, Box(2000, 120, 800, 600)) == small[0], "no larger than the screen"
    assert on_a_screen(small, Box(639, 399, 800, 600)) == Box(639, 399, 800, 600)


def test_sizes_change_while_the_whole_screen_is_taken_and_the_way_back_is_the_same() -> None:
    """WIN-06: 0 x 0 and a scale that changes, as a screen that sleeps or a window moved sends."""
    library = Library()
    window = Window(library, (800, 600))
    window.toggle_fullscreen()
    for scale, size in ((1.0, (0, 0)), (2.0, (1920, 1080)), (1.0, (1, 1)), (1.5, (1280, 720))):
        library.scale = scale
        library.resize(*size)
        window.remember_place()
        assert window.drawable == (size[0] > 0)
        if window.drawable:
            assert window.cursor_scale == pytest.approx((scale, scale), rel=0.5)
    library.scale = 1.0
    window.toggle_fullscreen()
    assert (library.pos, window.size) == ((100, 50), (800, 600))
    assert window.cursor_scale == (1.0, 1.0)


def test_the_screen_under_most_of_the_window() -> None:
    screens = [Box(0, 0, 1920, 1080), Box(1920, 0, 1280, 720)]
    assert centre_on(screens, Box(1800, 10, 800, 600)) == 1
    assert centre_on(screens, Box(-50, 10, 800, 600)) == 0
    assert centre_on(screens, Box(9000, 9000, 10, 10)) == 0


def test_the_platform_is_named() -> None:
    """GLP-04."""
    assert Window(Library(), (800, 600)).platform == "Wayland"


def test_callbacks_write_down_and_nothing_else() -> None:
    library = Library()
    window = Window(library, (800, 600))
    library.key(87, 1)
    library.callbacks["scroll"]("window", 0.0, 1.0)
    library.callbacks["window_focus"]("window", False)
    kinds = [event.kind for event in window.take()]
    assert kinds == ["key", "scroll", "focus"]
    assert window.take() == []


LOOK = """
import os, subprocess
def refuse(*args, **kws):
    raise AssertionError("another Python is started")
init = subprocess.Popen.__init__
subprocess.Popen.__init__ = refuse
from acclient_py.viewer import window
%s
glfw = window._bindings()
folder = os.path.dirname(glfw.__file__)
print(os.path.relpath(glfw._glfw._name, folder), "PYGLFW_LIBRARY" in os.environ)
"""

UNNAMED = {"PYGLFW_LIBRARY": None, "PYGLFW_LIBRARY_VARIANT": None}

DAMAGED = """
import importlib.machinery, pathlib
pathlib.Path("x11").mkdir()
pathlib.Path("x11/libglfw.so").write_text("no library")
spec = importlib.machinery.ModuleSpec("glfw", None, origin=os.path.abspath("__init__.py"))
window.importlib.util.find_spec = lambda name: spec
subprocess.Popen.__init__ = init
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the wheel has one library")
@pytest.mark.parametrize("session", ["x11", "wayland"])
def test_the_packages_own_library_is_taken_without_looking_for_others(
    tmp_path: Path, session: str
) -> None:
    """Sabotage: import the package by its name alone; it starts another Python."""
    done = run(tmp_path, LOOK % "", XDG_SESSION_TYPE=session, **UNNAMED)
    assert done.stdout == f"{session}/libglfw.so False\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the wheel has one library")
def test_where_that_library_cannot_be_loaded_others_are_looked_for(tmp_path: Path) -> None:
    """Sabotage: leave the half-made package among the modules; the import fails again."""
    done = run(tmp_path, LOOK % DAMAGED, XDG_SESSION_TYPE="x11", **UNNAMED)
    assert "libglfw.so" in done.stdout.partition(" ")[0], done.stderr
    assert done.stdout.endswith(" False\n")

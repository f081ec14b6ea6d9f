"""The window: made, shown, asked. The only importer of the window library.

Callbacks write events down and do nothing else. What a platform cannot do (an icon, a position on
Wayland) is left out with one debug line. Sizes: `size` in screen coordinates, which the mouse uses;
`framebuffer_size` in pixels, which everything drawn uses.
"""

# contract cases: GLP-04 GLP-05 GLP-08 HDP-01 WIN-01 WIN-06
from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import logging
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from acclient_py.errors import GpuError, UsageError
from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import Loader
from acclient_py.viewer.gamepad import PadState
from acclient_py.viewer.input import BUTTON, CURSOR, FOCUS, KEY, SCROLL, TEXT, Event
from acclient_py.viewer.placement import Box, Placement, centre_on, on_a_screen

log = logging.getLogger(__name__)

TITLE: Final = "acclient"
GL_HINTS: Final = {"3.3": (3, 3), "4.1": (4, 1), "max": (3, 3)}  # the least that will do
PLATFORMS: Final = ("auto", "x11", "wayland")
SMALLEST: Final = 16
JOYSTICKS: Final = 16  # that the library tells apart
_NAMED: Final = "PYGLFW_LIBRARY"  # the variable that names a library to the Python package
_CODE: Final = re.compile(r"^\(\d+\) b?")


class NoDisplay(GpuError):
    """There is no display to open a window on."""


def library(platform: str = "auto") -> Any:
    """The window library, started. platform : one of PLATFORMS"""
    if platform not in PLATFORMS:
        raise UsageError(f"no platform {platform!r}", where="--platform", do="x11 or wayland")
    if platform != "auto":
        os.environ["PYGLFW_LIBRARY_VARIANT"] = platform
    glfw = _bindings()
    glfw.ERROR_REPORTING = "raise"
    try:
        if platform != "auto":
            wanted = glfw.PLATFORM_X11 if platform == "x11" else glfw.PLATFORM_WAYLAND
            glfw.init_hint(glfw.PLATFORM, wanted)
        started = glfw.init()
    except glfw.GLFWError as error:
        raise NoDisplay(f"no window can be opened ({_words(error)})", where="display") from error
    if not started:
        raise NoDisplay("no window can be opened", where="display")
    return glfw


def _bindings() -> Any:
    """The Python package, told where its own library lies.

    By itself it looks through the system's folders too, and has another Python load each find.
    """
    found = importlib.util.find_spec("glfw")
    if found is not None and found.origin is not None and _NAMED not in os.environ:
        wayland = os.environ.get("XDG_SESSION_TYPE") == "wayland"
        variant = os.environ.get("PYGLFW_LIBRARY_VARIANT", "").lower()
        if variant not in PLATFORMS[1:]:
            variant = "wayland" if wayland else "x11"
        own = Path(found.origin).parent / variant / "libglfw.so"
        if own.exists():  # as in the wheels for Linux
            os.environ[_NAMED] = str(own)
            try:
                return importlib.import_module("glfw")
            except ImportError:  # not for this machine
                for name in ("glfw", "glfw.library"):
                    sys.modules.pop(name, None)
            finally:
                del os.environ[_NAMED]
    return importlib.import_module("glfw")


def _words(error: Exception) -> str:
    text = error.args[0] if error.args else error
    words = text.decode() if isinstance(text, bytes) else str(text)
    return _CODE.sub("", words).strip("'\" ")


class Window:
    """One window with a context that is current on this thread.

    events : what happened since `take`; framebuffer_size : pixels, (0, 0) while minimised
    """

    def __init__(
        self,
        glfw: Any,
        size: tuple[int, int],
        *,
        gl: str = "max",
        fullscreen: bool = False,
        vsync: bool = True,
        hidden: bool = False,
        title: str = TITLE,
    ) -> None:
        if gl not in GL_HINTS:
            raise UsageError(f"no GL level {gl!r}", where="--gl", do="use 3.3, 4.1 or max")
        self.glfw = glfw
        self._events: list[Event] = []
        self._looking = False
        major, minor = GL_HINTS[gl]
        glfw.default_window_hints()
        glfw.window_hint(glfw.CLIENT_API, glfw.OPENGL_API)
        glfw.window_hint(glfw.CONTEXT_VERSION_MAJOR, major)
        glfw.window_hint(glfw.CONTEXT_VERSION_MINOR, minor)
        glfw.window_hint(glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE)
        glfw.window_hint(glfw.OPENGL_FORWARD_COMPAT, True)
        glfw.window_hint(glfw.DEPTH_BITS, 0)  # everything is drawn into a target of our own
        glfw.window_hint(glfw.STENCIL_BITS, 0)
        glfw.window_hint(glfw.VISIBLE, not hidden)
        glfw.window_hint(glfw.COCOA_RETINA_FRAMEBUFFER, True)
        try:
            self.handle = glfw.create_window(*size, title, None, None)
        except glfw.GLFWError as error:
            raise GpuError(
                f"no window with OpenGL {major}.{minor} core ({_words(error)})",
                where="window",
                do="see acclient doctor",
            ) from error
        if not self.handle:
            raise GpuError("no window was made", where="window", do="see acclient doctor")
        glfw.make_context_current(self.handle)
        self.attempt("swap interval", glfw.swap_interval, int(vsync))
        self.framebuffer_size: tuple[int, int] = tuple(glfw.get_framebuffer_size(self.handle))
        self.size: tuple[int, int] = tuple(glfw.get_window_size(self.handle))
        self.iconified = False
        self.placement = Placement(self._box())
        self._restored = self.placement.box
        self._pads: list[int] = []
        """Joysticks that it knows as gamepads, in the order in which they came."""
        self._listen()
        for number in range(JOYSTICKS):
            self._joystick(number, glfw.CONNECTED)
        if fullscreen:
            self.toggle_fullscreen()

    # what is asked of it

    def address_of(self, name: str) -> int | None:
        """A GL entry point of this context."""
        return ctypes.cast(self.glfw.get_proc_address(name), ctypes.c_void_p).value

    @property
    def platform(self) -> str:
        """The window system in words."""
        glfw = self.glfw
        try:
            found = glfw.get_platform()
        except (AttributeError, glfw.GLFWError):
            return "unknown"
        names = ("WIN32", "COCOA", "WAYLAND", "X11", "NULL")
        words = {getattr(glfw, f"PLATFORM_{n}", None): n for n in names}
        return {"WIN32": "Windows", "COCOA": "macOS", "WAYLAND": "Wayland", "X11": "X11"}.get(
            words.get(found, ""), "no display"
        )

    @property
    def content_scale(self) -> float:
        """How large text should be; 1 is a plain screen."""
        found = self.attempt("content scale", self.glfw.get_window_content_scale, self.handle)
        return max(0.5, float(found[0])) if found else 1.0

    @property
    def drawable(self) -> bool:
        """Whether there is anything to draw on."""
        width, height = self.framebuffer_size
        return width > 0 and height > 0 and not self.iconified

    @property
    def cursor_scale(self) -> tuple[float, float]:
        """Pixels for one unit of the mouse, on each axis."""
        (width, height), (fw, fh) = self.size, self.framebuffer_size
        return (fw / width if width else 1.0, fh / height if height else 1.0)

    @property
    def closing(self) -> bool:
        return bool(self.glfw.window_should_close(self.handle))

    def key_letter(self, key: int) -> str | None:
        """What the user's layout prints on a key's place, None when the key prints nothing."""
        found = self.attempt("key name", self.glfw.get_key_name, key, 0)
        return found.decode() if isinstance(found, bytes) else found

    @property
    def has_gamepad(self) -> bool:
        return bool(self._pads)

    def gamepad(self) -> PadState | None:
        """What the first gamepad says, None without one."""
        for number in self._pads:
            found = self.attempt("gamepad", self.glfw.get_gamepad_state, number)
            if found:
                return PadState(list(found.axes), list(found.buttons))
        return None

    def take(self) -> list[Event]:
        """The events since the last call."""
        taken, self._events = self._events, []
        return taken

    def poll(self, wait: float = 0.0) -> None:
        """Let events come in; sleeps up to `wait` seconds for the first one."""
        if wait > 0.0:
            self.glfw.wait_events_timeout(wait)
        else:
            self.glfw.poll_events()

    def swap(self) -> None:
        """Show what was drawn."""
        self.glfw.swap_buffers(self.handle)

    def set_title(self, title: str) -> None:
        self.glfw.set_window_title(self.handle, title)

    def set_icon(self, width: int, height: int, pixels: Any) -> None:
        """pixels : (height, width, 4) bytes, as nested lists"""
        self.attempt("icon", self.glfw.set_window_icon, self.handle, 1, [(width, height, pixels)])

    def copy_text(self, text: str) -> None:
        self.attempt("clipboard", self.glfw.set_clipboard_string, self.handle, text)

    def pasted_text(self) -> str:
        """What the clipboard holds, when that is text."""
        found = self.attempt("clipboard", self.glfw.get_clipboard_string, self.handle)
        return found.decode("utf-8", "replace") if isinstance(found, bytes) else found or ""

    def look_around(self, on: bool) -> bool:
        """Hide the cursor and let it move without end, or give it back; whether that changed."""
        if on == self._looking:
            return False
        glfw = self.glfw
        self._looking = on
        mode = glfw.CURSOR_DISABLED if on else glfw.CURSOR_NORMAL
        self.attempt("cursor", glfw.set_input_mode, self.handle, glfw.CURSOR, mode)
        if self.attempt("raw motion", glfw.raw_mouse_motion_supported):
            self.attempt(
                "raw motion", glfw.set_input_mode, self.handle, glfw.RAW_MOUSE_MOTION, int(on)
            )
        return True

    def attempt(self, what: str, call: Callable[..., Any], *args: Any) -> Any:
        """Ask for what a platform may refuse; None when it does."""
        try:
            return call(*args)
        except self.glfw.GLFWError as error:
            log.debug("%s is not to be had here: %s", what, _words(error))
            return None

    # full screen

    def _box(self) -> Box:
        place = self.attempt("position", self.glfw.get_window_pos, self.handle) or (0, 0)
        return Box(int(place[0]), int(place[1]), *self.size)

    def _areas(self, monitors: list[Any]) -> list[Box]:
        """The screens that there are now, in the library's order."""
        areas = []
        for monitor in monitors:
            x, y = self.attempt("monitor", self.glfw.get_monitor_pos, monitor) or (0, 0)
            size = self.glfw.get_video_mode(monitor).size
            areas.append(Box(int(x), int(y), int(size.width), int(size.height)))
        return areas

    def toggle_fullscreen(self) -> None:
        """To the whole screen, or back to exactly where the window was.

        Where its screen has gone meanwhile it comes back on one that there is.
        """
        glfw = self.glfw
        if not self.placement.fullscreen:
            maximised = bool(
                self.attempt("maximised", glfw.get_window_attrib, self.handle, glfw.MAXIMIZED)
            )
            box = self._box()
            monitors = glfw.get_monitors() or []
            if not monitors:
                log.debug("no monitor to fill")
                return
            areas = self._areas(monitors)
            index = centre_on(areas, box)
            mode = glfw.get_video_mode(monitors[index])
            self.placement.enter(box, maximised=maximised, restored=self._restored)
            area = areas[index]
            glfw.set_window_monitor(
                self.handle, monitors[index], 0, 0, area.width, area.height, mode.refresh_rate
            )
            return
        box = on_a_screen(self._areas(glfw.get_monitors() or []), self.placement.leave())
        glfw.set_window_monitor(
            self.handle, None, box.x, box.y, box.width, box.height, glfw.DONT_CARE
        )
        if self.placement.maximised:
            self.attempt("maximise", glfw.maximize_window, self.handle)

    # events

    def _listen(self) -> None:
        glfw, note = self.glfw, self._note
        glfw.set_key_callback(
            self.handle, lambda _w, key, _scan, action, mods: note(Event(KEY, key, action, mods))
        )
        glfw.set_char_callback(self.handle, lambda _w, code: note(Event(TEXT, code)))
        glfw.set_mouse_button_callback(
            self.handle, lambda _w, button, action, mods: note(Event(BUTTON, button, action, mods))
        )
        glfw.set_cursor_pos_callback(
            self.handle, lambda _w, x, y: note(Event(CURSOR, 0, 0, 0, x, y))
        )
        glfw.set_scroll_callback(self.handle, lambda _w, x, y: note(Event(SCROLL, 0, 0, 0, x, y)))
        glfw.set_window_focus_callback(self.handle, lambda _w, on: note(Event(FOCUS, int(on))))
        glfw.set_window_iconify_callback(self.handle, lambda _w, on: self._iconify(bool(on)))
        glfw.set_framebuffer_size_callback(self.handle, lambda _w, w, h: self._resized(w, h))
        glfw.set_window_size_callback(self.handle, lambda _w, w, h: self._sized(w, h))
        glfw.set_window_maximize_callback(self.handle, lambda _w, on: self._maximised(bool(on)))

        self.attempt("gamepads", glfw.set_joystick_callback, self._joystick)

    def _joystick(self, number: int, event: int) -> None:
        """A joystick came or went."""
        if number in self._pads:
            self._pads.remove(number)
        if event == self.glfw.CONNECTED and self.attempt(
            "gamepad", self.glfw.joystick_is_gamepad, number
        ):
            self._pads.append(number)

    def _note(self, event: Event) -> None:
        self._events.append(event)

    def _iconify(self, on: bool) -> None:
        self.iconified = on

    def _resized(self, width: int, height: int) -> None:
        self.framebuffer_size = (max(0, width), max(0, height))

    def _sized(self, width: int, height: int) -> None:
        if width > 0 and height > 0:
            self.size = (width, height)

    def _maximised(self, on: bool) -> None:
        """The box before: sizes of a maximised window never count as its own."""
        if not on and not self.placement.fullscreen:
            self._restored = self._box()

    def remember_place(self) -> None:
        """Between frames: note where the plain window stands, for the way back from full screen."""
        glfw = self.glfw
        if self.placement.fullscreen or self.iconified:
            return
        if not self.attempt("maximised", glfw.get_window_attrib, self.handle, glfw.MAXIMIZED):
            self._restored = self._box()

    def close(self) -> None:
        """Destroy the window and the library's state."""
        with contextlib.suppress(self.glfw.GLFWError):
            self.glfw.destroy_window(self.handle)
        self.glfw.terminate()


class Hidden:
    """A context without a picture on the screen, for machines that have no EGL."""

    def __init__(self, gl: str) -> None:
        self.window = Window(library(), (SMALLEST, SMALLEST), gl=gl, hidden=True)

    def release(self) -> None:
        self.window.close()


def hidden_device(gl: str = "max") -> Device:
    """A device on a hidden window: what `acclient frame` draws on where there is no EGL."""
    hidden = Hidden(gl)
    return Device(Loader(hidden.window.address_of, keep=hidden), gl=gl, where="hidden window")

"""Stand-ins for the window library and for what a loop shows; they say what they were asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class LibraryError(Exception):
    """What the window library raises."""


class Library:
    """As much of the window library as `Window` asks of it.

    scale : framebuffer pixels for one unit of the window ; refuses : names that are unavailable
    """

    def __init__(self, *, scale: float = 1.0, refuses: tuple[str, ...] = ()) -> None:
        self.GLFWError = LibraryError
        self.scale = scale
        self.refuses = refuses
        self.hints: dict[str, Any] = {}
        self.size = (1280, 720)
        self.pos = (100, 50)
        self.maximised = False
        self.monitor: Any = None
        self.callbacks: dict[str, Any] = {}
        self.modes: list[tuple[Any, Any]] = []
        self.swaps = 0
        self.waits: list[float] = []
        self.on_wait: Any = lambda seconds: None
        self.close = False
        self.icon: Any = None
        self.title = ""
        self.pads: dict[int, Any] = {}
        self.clipboard = ""
        self.monitors = ["left", "right"]
        self.queue: list[Any] = []  # what a poll delivers: functions

    def __getattr__(self, name: str) -> Any:
        if name.isupper():
            return name
        if name.startswith("set_") and name.endswith("_callback"):
            return lambda _w, call: self.callbacks.__setitem__(name[4:-9], call)
        raise AttributeError(name)

    def _may(self, name: str) -> None:
        if name in self.refuses:
            raise LibraryError((65548, b"The platform does not provide it"))

    def default_window_hints(self) -> None:
        self.hints = {}

    def window_hint(self, hint: str, value: Any) -> None:
        self.hints[hint] = value

    def create_window(self, width: int, height: int, title: str, *_: Any) -> str:
        self.hints_at_creation = dict(self.hints)
        self.size = (width, height)
        self.title = title
        return "window"

    def make_context_current(self, _w: Any) -> None: ...

    def swap_interval(self, _n: int) -> None: ...

    def get_framebuffer_size(self, _w: Any) -> tuple[int, int]:
        return (round(self.size[0] * self.scale), round(self.size[1] * self.scale))

    def get_window_size(self, _w: Any) -> tuple[int, int]:
        return self.size

    def get_window_pos(self, _w: Any) -> tuple[int, int]:
        self._may("get_window_pos")
        return self.pos

    def get_window_content_scale(self, _w: Any) -> tuple[float, float]:
        return (self.scale, self.scale)

    def get_window_attrib(self, _w: Any, _what: str) -> int:
        return int(self.maximised)

    def get_monitors(self) -> list[str]:
        return self.monitors

    def get_monitor_pos(self, monitor: str) -> tuple[int, int]:
        return (0, 0) if monitor == "left" else (1920, 0)

    def get_video_mode(self, _monitor: str) -> Any:
        return SimpleNamespace(size=SimpleNamespace(width=1920, height=1080), refresh_rate=60)

    def set_window_monitor(
        self, _w: Any, monitor: Any, x: int, y: int, width: int, height: int, _rate: Any
    ) -> None:
        self.monitor = monitor
        if monitor is None:
            self.pos = (x, y)
        self.resize(width, height)

    def maximize_window(self, _w: Any) -> None:
        self.maximised = True
        self.resize(1920, 1040)

    def set_window_icon(self, _w: Any, _n: int, images: Any) -> None:
        self._may("set_window_icon")
        self.icon = images

    def set_window_title(self, _w: Any, title: str) -> None:
        self.title = title

    def set_input_mode(self, _w: Any, mode: Any, value: Any) -> None:
        self.modes.append((mode, value))

    def raw_mouse_motion_supported(self) -> bool:
        self._may("raw_mouse_motion_supported")
        return True

    def joystick_is_gamepad(self, number: int) -> bool:
        self._may("joystick_is_gamepad")
        return number in self.pads

    def set_joystick_callback(self, call: Any) -> None:
        self.callbacks["joystick"] = call

    def get_gamepad_state(self, number: int) -> Any:
        return self.pads.get(number)

    def set_clipboard_string(self, _w: Any, text: str) -> None:
        self.clipboard = text

    def get_clipboard_string(self, _w: Any) -> bytes:
        self._may("get_clipboard_string")
        return self.clipboard.encode()

    def get_key_name(self, key: int, _scan: int) -> str | None:
        return {87: "z", 65: "q"}.get(key)

    def get_platform(self) -> str:
        return "PLATFORM_WAYLAND"

    def window_should_close(self, _w: Any) -> bool:
        return self.close

    def poll_events(self) -> None:
        queue, self.queue = self.queue, []
        for call in queue:
            call()

    def wait_events_timeout(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.on_wait(seconds)
        self.poll_events()

    def swap_buffers(self, _w: Any) -> None:
        self.swaps += 1

    def destroy_window(self, _w: Any) -> None: ...

    def terminate(self) -> None: ...

    # what a person does

    def resize(self, width: int, height: int) -> None:
        self.size = (width, height)
        self.callbacks["window_size"]("window", width, height)
        self.callbacks["framebuffer_size"]("window", *self.get_framebuffer_size("window"))

    def key(self, key: int, action: int, mods: int = 0) -> None:
        self.callbacks["key"]("window", key, 0, action, mods)


class Renderer:
    """Takes sizes and draws nothing."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.sizes = [size]
        self.poses: list[Any] = []
        self.target = SimpleNamespace(size=size, show=lambda: None)
        self.while_drawing: Any = None

    def resize(self, size: tuple[int, int]) -> None:
        assert size[0] > 0, "no target of size 0"
        assert size[1] > 0, "no target of size 0"
        self.sizes.append(size)
        self.target.size = size

    def draw(self, _scene: Any, pose: Any, *, overlays: tuple[str, ...] = ()) -> None:
        self.poses.append((pose, overlays))
        if self.while_drawing is not None:
            self.while_drawing()

    def release(self) -> None: ...


class FakeStage:
    """Counts ticks and remembers what was held in each."""

    def __init__(self) -> None:
        self.kept: list[list[str]] = []
        arrays = SimpleNamespace()
        graph = SimpleNamespace(arrays=arrays)
        self.host: Any = SimpleNamespace(
            physics=SimpleNamespace(graph=graph),
            player=None,
            driver=SimpleNamespace(
                keep=lambda actions: self.kept.append(list(actions)),
                release_all=lambda: self.kept.append(["let go"]),
            ),
            tick=lambda: None,
            residency=SimpleNamespace(
                change_position=lambda cell_id, *, blocking: self.cells.append(cell_id)
            ),
        )
        self.cells: list[int] = []
        self.blend: Any = None
        self.made: Renderer | None = None
        self.scenes: Any = SimpleNamespace(
            pose=lambda follow, late: (follow.yaw, follow.pitch, follow.distance),
            scene=lambda: None,
            wish=None,
            followed=None,
            reach=5.0,
        )
        self.recorder: Any = SimpleNamespace(tick=lambda actions: None, let_go=lambda: None)
        self.head = 1.6
        from acclient_py.viewer.control import Control

        self.control = Control(self.host, [])

    def renderer(self, _device: Any, size: tuple[int, int]) -> Renderer:
        self.made = Renderer(size)
        return self.made

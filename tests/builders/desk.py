"""A desk to try the window at: an X server of its own, a window manager, hands on the keys.

The program runs in a child process; an EGL context and a window's never meet in one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders.worlds import baked

from acclient_py import paths

PATIENCE = 240.0  # seconds: a cold cache compiles
SIZE = (640, 360)
SCREEN = (800, 600)
HOW = "python3 tools/test.py --setup-only installs it"


def program(name: str) -> str:
    """A program of the test set-up, or a skip that says how to get it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: {HOW}")
    return found


@contextmanager
def x_server() -> Iterator[str]:
    """A display of our own, whatever else there is: key events must not go astray."""
    xvfb = program("Xvfb")
    read, write = os.pipe()
    screen = f"{SCREEN[0]}x{SCREEN[1]}x24"
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            pytest.skip("Xvfb does not start here")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def environment(display: str | None, folder: Path) -> dict[str, str]:
    """What a child sees: this display or none, and folders of its own."""
    of_its_own = ("DISPLAY", "WAYLAND_DISPLAY", paths.ROOT_VARIABLE)
    env = {k: v for k, v in os.environ.items() if k not in of_its_own}
    env |= {
        "NUMBA_CACHE_DIR": str(paths.kernels_dir()),  # but nothing is compiled twice
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_PICTURES_DIR": str(folder / "pictures"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    return env if display is None else {**env, "DISPLAY": display}


def view(*arguments: str, world: str = "doll", at: str = "0x7F7F003D [180 100 20]") -> list[str]:
    """The command line of a viewer on a tiny world."""
    return [
        sys.executable, "-m", "acclient_py", "view", "--no-warm",
        "--world", str(baked(world).folder), "--at", at,
        "--size", f"{SIZE[0]}x{SIZE[1]}", *arguments,
    ]  # fmt: skip


class Desk:
    """One display with a window manager; `hands` are real key events."""

    def __init__(self, display: str, folder: Path) -> None:
        self.folder = folder
        self.env = environment(display, folder)
        self._hands = program("xdotool")

    def hands(self, *words: str) -> str:
        """One xdotool command; what it prints."""
        done = subprocess.run(
            [self._hands, *words], env=self.env, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    @contextmanager
    def running(self, command: list[str], *, title: str = "^acclient$") -> Iterator[Running]:
        """A program whose window is up and has the keys."""
        child = subprocess.Popen(command, env=self.env, stderr=subprocess.PIPE, text=True)
        try:
            running = Running(self, child, title)
            running.wait_for("a window", running.find)
            running.focus()
            yield running
        finally:
            child.kill()
            child.wait()


class Running:
    """A program at the desk."""

    def __init__(self, desk: Desk, child: subprocess.Popen[str], title: str) -> None:
        self.desk = desk
        self.child = child
        self.title = title
        self.window = ""

    def wait_for(self, what: str, ready: Callable[[], object]) -> None:
        until = time.monotonic() + PATIENCE
        while not ready():
            if self.child.poll() is not None:
                raise AssertionError(self.child.stderr.read() if self.child.stderr else what)
            assert time.monotonic() < until, what
            time.sleep(0.1)

    def focus(self) -> None:
        """The window manager gives the window the keys."""
        self.wait_for("the keys", self._has_keys)

    def find(self) -> bool:
        """Whether there is a window of that title; the newest one is ours."""
        found = self.desk.hands("search", "--name", self.title).split()
        self.window = found[-1] if found else ""
        return bool(found)

    def _has_keys(self) -> bool:
        found = self.desk.hands("search", "--name", self.title).split()
        if not found:  # between two titles, or taken from one frame into another
            return False
        active = self.desk.hands("getactivewindow")
        if active in found:  # whichever of them the manager has as the program's
            self.window = active
            return True
        self.desk.hands("windowactivate", found[-1])
        return False

    def hold(self, *keys: str, seconds: float) -> None:
        """Keys held together for some time, and let go in the same order."""
        for key in keys:
            self.desk.hands("keydown", key)
        time.sleep(seconds)
        for key in keys:
            self.desk.hands("keyup", key)

    def press(self, key: str) -> None:
        self.desk.hands("key", key)

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.desk.folder.rglob(pattern))

    def box(self) -> tuple[int, ...]:
        """x, y, width, height of the window."""
        text = self.desk.hands("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in text.splitlines())
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def save_recording(self, number: int) -> Path:
        """What was done so far, as a scenario."""
        self.press("F8")
        name = f"recording-{number:04d}.json"
        self.wait_for("a recording", lambda: [f for f in self.files(name) if f.stat().st_size])
        return self.files(name)[0]

    def quit(self) -> None:
        self.press("ctrl+q")
        assert self.child.wait(timeout=60) == 0


@contextmanager
def window_manager(display: str, folder: Path) -> Iterator[None]:
    """openbox, with nothing configured."""
    openbox = program("openbox")
    env = {**environment(display, folder), "HOME": str(folder)}
    manager = subprocess.Popen(
        [openbox, "--sm-disable"],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        manager.terminate()
        manager.wait()

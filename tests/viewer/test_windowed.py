"""The real window, in a child process under an X server of its own, with real key events.

An EGL context and a window's never meet in one process, so nothing here opens either itself.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders.worlds import baked, opened

from acclient_py import paths
from acclient_py.cli.worlds import open_world
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.transcript.writer import encode

PATIENCE = 240.0  # seconds: a cold cache compiles
SIZE = (640, 360)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A display of our own, whatever else there is: key events must not go astray."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("no Xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    server.terminate()
    server.wait()


def environment(display: str | None, folder: Path) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env |= {
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_PICTURES_DIR": str(folder / "pictures"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    return env if display is None else {**env, "DISPLAY": display}


def view(*arguments: str) -> list[str]:
    return [
        sys.executable, "-m", "acclient_py", "view", "--no-warm",
        "--world", str(baked("doll").folder), "--at", "0x7F7F003D [180 100 20]",
        "--size", f"{SIZE[0]}x{SIZE[1]}", *arguments,
    ]  # fmt: skip


def test_so_many_frames_then_the_times(display: str, tmp_path: Path) -> None:
    done = subprocess.run(
        view("--frames", "40", "--overlay", "cells"),
        env=environment(display, tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert any(line.endswith("first frame") for line in lines)
    assert any(line.startswith("frames 40") for line in lines)


def test_nothing_grows_with_the_frames(display: str, tmp_path: Path) -> None:
    """G13: a frame that kept one object would show as 1 or more. Drawn by Mesa's null driver.

    Sabotage: keep each frame's time in a list; the growth is 1 a frame.
    """
    done = subprocess.run(
        view("--frames", "1200", "--no-hud"),
        env={**environment(display, tmp_path), "GALLIUM_NOOP": "1", "GALLIUM_THREAD": "0"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = re.search(r"growth of Python blocks: -?\d+ \((-?[\d.]+) a frame\)", done.stdout)
    assert found is not None, done.stdout
    assert float(found.group(1)) < 1.0
    assert ", 0 after" in done.stdout, "no kernel is compiled after the first frame"


def test_keys_walk_and_what_was_done_is_saved(display: str, tmp_path: Path) -> None:
    """The recorded scenario, replayed without a window, ends north of where it began."""
    xdotool = shutil.which("xdotool")
    if xdotool is None:
        pytest.skip("no xdotool")
    env = environment(display, tmp_path)
    child = subprocess.Popen(view(), env=env, stderr=subprocess.PIPE, text=True)

    def tool(*words: str) -> str:
        found = subprocess.run(
            [xdotool, *words], env=env, capture_output=True, text=True, check=False
        )
        return found.stdout.strip()

    def wait_for(what: str, ready: object) -> None:
        assert callable(ready)
        until = time.monotonic() + PATIENCE
        while not ready():
            assert child.poll() is None, child.stderr.read() if child.stderr else ""
            assert time.monotonic() < until, what
            time.sleep(0.1)

    try:
        wait_for("a window", lambda: tool("search", "--name", "^acclient$"))
        tool("keydown", "w")
        time.sleep(3.0)
        tool("keyup", "w")
        tool("key", "2")
        tool("key", "F12")
        pictures = tmp_path / "pictures"
        wait_for("a screenshot", lambda: list(pictures.rglob("screenshot-0001.png")))
        tool("key", "F8")
        saved = tmp_path / "state"
        wait_for("a recording", lambda: list(saved.rglob("recording-0001.json")))
        tool("key", "ctrl+q")
        assert child.wait(timeout=60) == 0
    finally:
        child.kill()
        child.wait()
    (file,) = saved.rglob("recording-0001.json")
    raw = json.loads(file.read_bytes())
    assert {"do": "pickup", "guid": "0x80000011"} in raw["steps"]
    scenario = sc.read(file)
    assert any(isinstance(s, sc.Input) and s.keys == ["w"] for s in scenario.steps)
    with opened("doll") as dats:
        (line,) = Host(dats).play(scenario)
    look = {o["guid"]: o for o in line["objects"]}
    assert look["0x50000001"]["origin"][1] > 101.0, "it walked north"
    assert look["0x80000011"]["cell"] is None, "the shield is away"
    from PIL import Image

    (shot,) = pictures.rglob("screenshot-0001.png")
    with Image.open(shot) as picture:
        assert picture.size == SIZE
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 50


@pytest.mark.contract("I3")
def test_without_a_display_the_walk_goes_into_pictures(tmp_path: Path) -> None:
    """Sabotage: fail where there is no display; the exit code is not 0."""
    done = subprocess.run(
        view("--frames", "3", "-o", str(tmp_path / "out")),
        env=environment(None, tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if "no OpenGL context" in done.stderr:
        pytest.skip("no EGL here")
    assert done.returncode == 0, done.stderr
    first = done.stderr.splitlines()[0]
    assert first.startswith("acclient: no window can be opened")
    assert first.endswith("drawing the demo walk into pictures")
    place, _, rest = done.stdout.strip().partition(" (")
    assert rest.startswith("3 pictures")
    assert Path(place).exists()


def test_overlays_are_listed_without_a_window(tmp_path: Path) -> None:
    done = subprocess.run(
        view("--list-overlays"), env=environment(None, tmp_path), capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()][:2] == ["cells", "portals"]
    done = subprocess.run(
        view("--overlay", "nothing"), env=environment(None, tmp_path), capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no overlay 'nothing'" in done.stderr


PROOFS = sorted(path.stem for path in paths.scenarios().glob("proof_*.json"))


@pytest.mark.contract("E17")
@pytest.mark.contract("I7")
@pytest.mark.contract("T8")
@pytest.mark.parametrize("name", PROOFS)
def test_a_windowed_host_comes_to_the_same_checkpoints(
    display: str, tmp_path: Path, name: str
) -> None:
    """Sabotage: let the window's host load coarse blocks too; the counts of landblocks differ."""
    out = tmp_path / "windowed.jsonl"
    with open_world("demo") as dats:
        words = ["--world", str(dats.folder), "--size", "320x180", "--no-warm"]
        words += ["--scenario", name, "--checkpoints", str(out)]
        done = subprocess.run(
            [sys.executable, "-m", "acclient_py", "view", *words],
            env=environment(display, tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        read = sc.read(name)
        host = Host(dats, detail_radius=read.detail_radius, seed=read.seed)
        headless = b"".join(encode(line) for line in host.play(read))
    assert headless.count(b"\n") >= 4
    assert out.read_bytes() == headless


def test_a_failed_expectation_in_the_window_exits_1(display: str, tmp_path: Path) -> None:
    story = tmp_path / "s.json"
    steps = [{"do": "checkpoint", "name": "x", "expect": [{"path": "tick", "equals": 7}]}]
    story.write_text(json.dumps({"schema": sc.SCHEMA, "steps": steps}), encoding="utf-8")
    done = subprocess.run(
        view("--scenario", str(story), "--checkpoints", str(tmp_path / "out.jsonl")),
        env=environment(display, tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "checkpoint 'x': tick: expected 7, found 0" in done.stderr

"""The real window, in a child process under an X server of its own, with real key events.

An EGL context and a window's never meet in one process, so nothing here opens either itself.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders.desk import PATIENCE, environment, view

from acclient_py import paths
from acclient_py.cli.worlds import open_world
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.transcript.writer import encode

pytestmark = pytest.mark.slow


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


def test_a_start_brings_in_nothing_that_it_does_not_use(display: str, tmp_path: Path) -> None:
    """What was found there once, 20 to 100 ms each, for a single call of a single function.

    Sabotage: np.isin for `_among` in world/mesh.py; numpy.ma is there.
    """
    unused = ("numpy.ma", "PIL", "imgui_bundle", "hypothesis")
    code = (
        "import sys\n"
        "from acclient_py.cli.main import run\n"
        "code = run(['view', '--frames', '1'])\n"
        f"print(code, [name for name in {unused!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(display, tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.splitlines()[-1:] == ["0 []"], done.stderr


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


def test_an_order_that_is_none_is_refused_before_a_window_opens(tmp_path: Path) -> None:
    """Sabotage: look at --order when the loop begins; without a display the walk is drawn."""
    for option in ("--order", "--alpha"):
        done = subprocess.run(
            view(option, "nothing"), env=environment(None, tmp_path), capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert f"{option}: no order 'nothing'" in done.stderr


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

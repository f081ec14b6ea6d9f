"""The walk against the plain one: random scenes, every record in order (LF6)."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from twin.painter.telling import Told, tell
from twin.walk_soak import soak
from twin.wrong_walk import WRONG

WORLDS = 40
"""Worlds of the suite, eight eyes each; the lane `soak` looks at others by the thousand."""

MET = (
    "sky part", "weather part", "block", "sort", "terrain", "land cell", "building", "punch",
    "look in", "shell", "part slot", "clip", "alpha", "env cell", "cell slot", "seal",
    "clear depth", "cut again", "fixed cell", "moved cell",
)  # fmt: skip
"""What these worlds must have held, or the comparison says little."""


@cache
def told(number: int) -> Told:
    return tell(number)


@pytest.mark.contract("LF6", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L11", "T8")
@pytest.mark.parametrize("first", range(0, WORLDS, 10))
def test_every_record_is_the_plain_walks(first: int) -> None:
    """Sabotage: each walk that tests/twin/wrong_walk.py breaks; the first assertion fails."""
    some = [told(number) for number in range(first, first + 10)]
    assert [t.difference for t in some if t.difference] == []
    assert sum(t.undecided for t in some) == 0, "none of these comes to a close decision"
    assert sum(t.scenes for t in some) >= 70, "the eyes see the same again and again"


@pytest.mark.contract("LF6")
def test_the_worlds_hold_what_a_walk_can_meet() -> None:
    """Sabotage: make no houses; punches are listed."""
    kinds = {kind for number in range(WORLDS) for kind in told(number).kinds}
    assert [kind for kind in MET if kind not in kinds] == []


@pytest.mark.contract("LF6")
@pytest.mark.lane("soak")
@pytest.mark.timeout(0)
def test_scenes_by_the_thousand(pytestconfig: pytest.Config) -> None:
    """`--seed` and `--count` say which; a second run goes on where the first one ended."""
    seed, count = pytestconfig.getoption("--seed"), pytestconfig.getoption("--count")
    reporter = pytestconfig.pluginmanager.getplugin("terminalreporter")
    progress = soak(seed, count, reporter.write_line)
    assert progress.wrong == []
    assert progress.scenes >= count
    assert len(progress.undecided) * 1000 <= progress.scenes
    assert {"view without room", *MET} <= set(progress.kinds)


@pytest.mark.in_children
@pytest.mark.contract("LF6", "L3", "L6", "L7", "L9", "L11")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_walk_is_caught(name: str, repo: Path) -> None:
    """The child process breaks one function and must find the plain walk at odds with it."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(repo / "tests")}
    done = subprocess.run(
        [sys.executable, "-m", "twin.wrong_walk", name],
        cwd=repo, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"caught: {name}: " in done.stdout

"""The walk against the plain one: random scenes, every record in order (LF6)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from twin.painter.telling import tell
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


@pytest.mark.contract("LF6", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L11", "T8")
def test_every_record_is_the_plain_walks() -> None:
    """Sabotage: each walk that tests/twin/wrong_walk.py breaks; the first assertion fails."""
    told = [tell(number) for number in range(WORLDS)]
    assert [t.difference for t in told if t.difference] == []
    assert sum(t.undecided for t in told) <= 1, "close decisions are the exception"
    assert sum(t.scenes for t in told) > 7 * WORLDS, "the eyes see the same again and again"
    kinds = {kind for t in told for kind in t.kinds}
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

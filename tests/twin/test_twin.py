"""The program's graph against the plain one: random worlds, random stories, every list in order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from twin.soak import case, soak

CASES = 200
"""Stories of the suite; the lane `soak` tells more of them, and others."""

CLAUSES = (
    *(f"C{n}" for n in (1, 2, 3, 4, 5, 6, 9, 11, 12, 13, 14, 15)),
    *(f"S{n}" for n in range(1, 12)),
    *("E6", "E7", "E8", "E10"),
)


@pytest.mark.contract(*CLAUSES)
@pytest.mark.parametrize("first", range(0, CASES, 50))
def test_every_list_is_the_plain_twins_after_every_event(first: int) -> None:
    """Sabotage: each kernel that tests/twin/wrong.py breaks; the assertion on `different` fails."""
    told = [case(number) for number in range(first, first + 50)]
    different = [f"story {o.seed}: {o.story[-1]}" for o in told if o.difference and not o.undecided]
    assert different == []
    assert sum(o.events for o in told) > 800, "the stories have become empty"
    assert sum(o.undecided for o in told) <= 2, "close decisions are the exception"


@pytest.mark.contract("S11", "C14")
@pytest.mark.lane("soak")
@pytest.mark.timeout(0)
def test_stories_by_the_thousand(pytestconfig: pytest.Config) -> None:
    """`--seed` and `--count` say which; a second run goes on where the first one ended."""
    seed, count = pytestconfig.getoption("--seed"), pytestconfig.getoption("--count")
    reporter = pytestconfig.pluginmanager.getplugin("terminalreporter")
    progress = soak(seed, count, reporter.write_line)
    assert progress.wrong == []
    assert progress.done >= count
    assert len(progress.undecided) * 100 <= progress.done


WRONG = ("aggregate_box", "ordered_removal", "children_left_out")
"""S3, 3.1, S6: see wrong.py."""


@pytest.mark.in_children
@pytest.mark.contract("S3", "S6", "S8")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_kernel_is_caught(name: str, repo: Path) -> None:
    """The child process breaks one function and must find the twin at odds with it."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(repo / "tests")}
    done = subprocess.run(
        [sys.executable, "-m", "twin.wrong", name],
        cwd=repo, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"caught: {name}: " in done.stdout

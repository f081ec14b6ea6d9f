"""How the tests are run: the suite and the long lanes, and a display for them.

A lane is one or more runs of pytest, each with its own environment. Tests marked `lane(NAME)` run
in that lane only; the lanes `kernels` and `gl` also run parts of the suite again on other terms.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from console import REPO, Refused, environment, say

SUITE = ("-n", "2", "--dist", "loadfile")
NO_TESTS = 5  # pytest's exit code for it


@dataclass(frozen=True)
class Run:
    """One run of pytest: what is told about it, its arguments, its environment."""

    what: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    may_be_empty: bool = False


@dataclass(frozen=True)
class Lane:
    what: str
    runs: tuple[Run, ...]


def marked(name: str, *more: str, may_be_empty: bool = False) -> Run:
    """The tests that are marked with this lane."""
    # one word: pytest takes a word of its own that names a folder (docs) for tests to collect
    return Run(f"lane {name}", (f"--lane={name}", *more), may_be_empty=may_be_empty)


def folders(*names: str) -> tuple[str, ...]:
    """Those of the test folders that are there."""
    return tuple(f"tests/{name}" for name in names if (REPO / "tests" / name).is_dir())


WITH_KERNELS = ("kernels", "core", "physics", "anim", "order", "view", "contract", "twin")
WITH_GL = ("gpu", "render")


def gl_version(version: str, glsl: str) -> Run:
    """The tests of drawing on a context that says it is `version`."""
    return Run(
        f"drawing with OpenGL {version}",
        (*folders(*WITH_GL), *SUITE),
        {"MESA_GL_VERSION_OVERRIDE": version, "MESA_GLSL_VERSION_OVERRIDE": glsl},
    )


LANES = {
    "kernels": Lane(
        "the kernels' tests with bounds checked, and again without the compiler",
        (
            Run(
                "kernels with bounds checked",
                (*folders(*WITH_KERNELS), *SUITE, "-m", "not once and not in_children"),
                {"NUMBA_BOUNDSCHECK": "1"},
            ),
            Run(
                "kernels without the compiler",  # the twins are held against compiled kernels
                (
                    *folders(*(n for n in WITH_KERNELS if n != "twin")),
                    *SUITE,
                    "-m",
                    "not once and not in_children and not compiled",
                ),
                {"NUMBA_DISABLE_JIT": "1"},
            ),
            marked("kernels", may_be_empty=True),
        ),
    ),
    "gl": Lane(
        "drawing on OpenGL 3.3, 4.1 and the newest",
        (
            gl_version("3.3", "330"),
            gl_version("4.1", "410"),
            Run("drawing with the newest OpenGL", (*folders(*WITH_GL), *SUITE)),
            marked("gl", may_be_empty=True),
        ),
    ),
    "docs": Lane("every command in the documentation is run", (marked("docs"),)),
    "sabotage": Lane(
        "each clause broken by name; the right assertion fails", (marked("sabotage"),)
    ),
    "fuzz": Lane("damaged files and messages, by the million", (marked("fuzz", *SUITE),)),
    "soak": Lane(
        "half-hour walks; stories and scenes held against the plain twins (-- --seed --count)",
        (marked("soak"),),
    ),
    "robots": Lane(
        "bodies that walk at random are never where no body can be (-- --seed --count --minutes)",
        (marked("robots", "--count", "1000"),),
    ),
}


def parse(arguments: list[str]) -> tuple[str | None, bool, list[str]]:
    """The lane (None for the suite), whether to stop after the set-up, pytest's arguments."""
    own, rest = list(arguments), []
    if "--" in own:
        at = own.index("--")
        own, rest = own[:at], own[at + 1 :]
    lane = None
    setup_only = False
    while own:
        word = own.pop(0)
        if word == "--setup-only":
            setup_only = True
        elif word == "--lane" or word.startswith("--lane="):
            lane = word.partition("=")[2] or (own.pop(0) if own else "")
            if lane not in LANES:
                raise Refused(f"no lane {lane!r}; there are: {', '.join(sorted(LANES))}")
        else:
            raise Refused(f"unknown argument {word}; pytest's arguments stand after --")
    return lane, setup_only, rest


@contextlib.contextmanager
def display() -> Iterator[dict[str, str]]:
    """What to add to the environment for a display: nothing where there is one, else an Xvfb."""
    wanted = sys.platform.startswith("linux")
    if not wanted or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield {}
        return
    program = shutil.which("Xvfb")
    if program is None:
        say("no display and no Xvfb: tests that open a window are skipped")
        yield {}
        return
    read, write = os.pipe()
    command = [
        program,
        "-displayfd",
        str(write),
        "-screen",
        "0",
        "1280x960x24",
        "-nolisten",
        "tcp",
        "-noreset",
    ]
    server = subprocess.Popen(
        command, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:  # Xvfb writes the number when it is ready
            number = pipe.readline().strip()
        if not number:
            raise Refused("Xvfb did not start; run it by hand to see why: Xvfb :99")
        yield {"DISPLAY": f":{number}"}
    finally:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(10)
        if server.poll() is None:
            server.kill()


def commands(python: Path, lane: str | None, rest: list[str]) -> list[tuple[Run, list[str]]]:
    """The pytest command lines of a lane, or of the suite."""
    runs = LANES[lane].runs if lane else (Run("the suite", SUITE),)
    fixed = ["-m", "pytest", "-q", *(["-p", "no:cacheprovider"] if os.environ.get("CI") else [])]
    return [(run, [str(python), *fixed, *run.arguments, *rest]) for run in runs]


def run(python: Path, lane: str | None, rest: list[str]) -> int:
    """Run the suite or a lane; the exit code of the first run that failed, at the end."""
    worst = 0
    ran = False
    with display() as shown:
        for step, command in commands(python, lane, rest):
            say(step.what)
            env = {**environment(), **shown, **step.environment}
            code = subprocess.call(command, cwd=REPO, env=env)
            if code == NO_TESTS and step.may_be_empty:
                continue
            ran = ran or code != NO_TESTS
            worst = worst or code
    if worst == NO_TESTS and not ran:
        say("no test was run")
        return 1
    return worst

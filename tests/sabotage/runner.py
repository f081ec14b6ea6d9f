"""Break one clause after the other and see whether the right assertion fails (E18).

    python tests/sabotage/runner.py [--clause C3] [--name TEXT]

A mutation is caught when its test fails, every failure is at the statement that the table names,
and (where the table says so) with that message. Anything else is a survivor, a wrong assertion, or
a mutation that no longer applies.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from sabotage.plugin import MARK
from sabotage.table import REPO, Mutation, mutations

AT_ONCE = 2
LIMIT = 120
"""Seconds for one child."""
STUCK = 30
"""Seconds for one test: a walk that never ends is caught by this."""

CAUGHT, SURVIVED, WRONG, STALE = "caught", "SURVIVED", "WRONG ASSERTION", "DOES NOT APPLY"


@dataclass(frozen=True)
class Verdict:
    """What became of one mutation; `told` is the statement that failed."""

    mutation: Mutation
    result: str
    told: str = ""

    def line(self) -> str:
        mutation = self.mutation
        test = mutation.test.rpartition("::")[2]
        said = f"  [{self.told}]" if self.result != CAUGHT else ""
        return f"{self.result:16}{mutation.clause:7}{mutation.name:58} {test}{said}"


def child(tests: Sequence[str], number: int) -> tuple[int, list[dict[str, str]], str]:
    """Exit code, failures and output of the tests with one mutation (-1: none)."""
    environment = {
        **os.environ, "NUMBA_DISABLE_JIT": "1", "SABOTAGE": str(number),
        "PYTHONPATH": str(REPO / "tests"), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "sabotage.plugin", "-p", "no:cacheprovider",
        "-p", "no:xdist", "--tb=no", f"--timeout={STUCK}", *tests,
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=REPO, env=environment, capture_output=True, text=True, check=False,
        timeout=LIMIT * max(1, len(tests) // 4),
    )  # fmt: skip
    told = [
        json.loads(line.partition(MARK)[2]) for line in done.stdout.splitlines() if MARK in line
    ]
    return done.returncode, told, done.stdout + done.stderr


def squeezed(text: str) -> str:
    return "".join(text.split())


def judge(number: int, mutation: Mutation) -> Verdict:
    """Break it and see."""
    reason = mutation.stale()
    if reason is not None:
        return Verdict(mutation, STALE, reason)
    try:
        code, failures, output = child([mutation.test], number)
    except subprocess.TimeoutExpired:
        return Verdict(mutation, WRONG, f"no end after {LIMIT} s")
    if code == 0:
        return Verdict(mutation, SURVIVED)
    if not failures:
        return Verdict(mutation, WRONG, " ".join(output.split())[-300:])
    for failure in failures:
        right = squeezed(mutation.fails) in squeezed(failure["statement"])
        if not right or mutation.says not in failure["message"]:
            message = " ".join(failure["message"].split())[:160]
            return Verdict(
                mutation, WRONG, f"{failure['statement']} -> {failure['kind']}: {message}"
            )
    return Verdict(mutation, CAUGHT, failures[0]["statement"])


def unbroken(asked: Sequence[Mutation]) -> str | None:
    """None when all tests of these mutations pass with nothing broken, else what was said."""
    tests = sorted({mutation.test for mutation in asked})
    code, failures, output = child(tests, -1)
    if code == 0:
        return None
    return json.dumps(failures, indent=1) if failures else output[-2000:]


def run(
    say: Callable[[str], object], wanted: Callable[[Mutation], bool] = lambda _: True
) -> list[Verdict]:
    """All mutations that are wanted, their table said line by line."""
    asked = [(n, mutation) for n, mutation in enumerate(mutations()) if wanted(mutation)]
    verdicts = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for verdict in pool.map(lambda row: judge(*row), asked):
            say(verdict.line())
            verdicts.append(verdict)
    bad = [verdict for verdict in verdicts if verdict.result != CAUGHT]
    say(f"{len(verdicts) - len(bad)} of {len(verdicts)} mutations caught by their assertion")
    return verdicts


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--clause", help="of this clause only")
    words.add_argument("--name", default="", help="whose name holds this text")
    asked = words.parse_args()

    def wanted(mutation: Mutation) -> bool:
        return asked.name in mutation.name and asked.clause in (None, mutation.clause)

    verdicts = run(lambda text: print(text, flush=True), wanted)
    return int(any(verdict.result != CAUGHT for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())

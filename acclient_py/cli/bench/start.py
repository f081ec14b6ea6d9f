"""A warm start of the window to its first frame, beside a bare program's (G17)."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

from acclient_py.cli.bench import Needs, Row

SIZE: Final = (1280, 720)
SIGN: Final = "first frame"
"""The end of the line that each program prints when its picture is there."""


def run(quick: bool) -> list[Row]:
    """Each program in turn, from the start of its process; the best of each counts."""
    width, height = map(str, SIZE)
    programs = {  # the bare one first: without a window nothing else is begun
        "bare": ("-m", "acclient_py.cli.bench._bare", width, height),
        "view": ("-m", "acclient_py", "view", "--frames", "1", "--size", f"{width}x{height}"),
    }
    best = dict.fromkeys(programs, float("inf"))
    for turn in range((2 if quick else 6) + 1):
        for name, arguments in programs.items():
            took = seconds(arguments)
            if turn:  # the first one fills caches
                best[name] = min(best[name], took)
    note = f"{width}x{height}, kernels and world cached"
    return [
        Row("viewer, process to first frame", best["view"], "s", note, 1.5),
        Row("  to a bare program's", best["view"] / best["bare"], "x", f"{best['bare']:.3g} s"),
    ]


def seconds(arguments: tuple[str, ...]) -> float:
    """From the start of a Python process to the line that says that its picture is there."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        took = None
        for line in process.stdout:
            if took is None and line.rstrip().endswith(SIGN):
                took = time.perf_counter() - began
        said = process.stderr.read().strip().splitlines()
    if took is None or process.returncode:
        raise Needs(f"a window ({' '.join(said[-1:]) or f'exit code {process.returncode}'})")
    return took

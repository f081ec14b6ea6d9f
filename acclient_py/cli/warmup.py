"""The exercise of the kernels: run the program for a moment, so that all it uses is compiled.

`python -m acclient_py.cli.warmup` walks the stored scenario and draws its last frame; where nothing
can be drawn, it only walks. What gets compiled on the way is kept in the cache, and the next start
loads it. Standard output has the name of each kernel that was compiled.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import tempfile
from pathlib import Path
from typing import Final

from acclient_py import kernels
from acclient_py.cli import main as command_line
from acclient_py.errors import EXIT_DONE

SCENARIO: Final = "warmup"

# What `kernels.warm(exercise=...)` runs.
COMMAND: Final = (sys.executable, "-m", "acclient_py.cli.warmup")


def _say(name: str) -> None:
    assert sys.__stdout__ is not None
    sys.__stdout__.write(f"{name}\n")
    sys.__stdout__.flush()


def main() -> int:
    """Exercise unless it was done for the kernels as they are now."""
    kernels.load_all()
    if kernels.exercised():
        return EXIT_DONE
    kernels.say_each_compilation(_say)
    gc.disable()  # compiling makes millions of objects, and this process is short
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        picture = str(Path(folder) / "frame.png")
        code = command_line.run(["frame", SCENARIO, "-o", picture, "--size", "320x180"])
        if code != EXIT_DONE:
            lines = str(Path(folder) / "checkpoints.jsonl")
            code = command_line.run(["run", SCENARIO, "-o", lines])
    if code == EXIT_DONE:
        kernels.mark_exercised()
    return code


if __name__ == "__main__":
    raise SystemExit(main())

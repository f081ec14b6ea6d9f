"""The exercise of the kernels: run the program for a moment, so that all it uses is compiled.

`python -m acclient_py.cli.warmup` walks stored scenarios and draws their frames; where nothing can
be drawn, it only walks. What gets compiled on the way is kept in the cache, and the next start
loads it. Standard output has the name of each kernel that was compiled.

Two processes share the work, since compiling is mostly Python and holds the interpreter: this one
plays, and a second one compiles movement, by itself as much as all the rest. They play in a small
world that is baked in a moment, so that the demo world can be baked at the same time; a short walk
in that one ends it, and shows that nothing was left out.
"""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from acclient_py import kernels, paths
from acclient_py.cli import main as command_line
from acclient_py.errors import EXIT_DONE, AcclientError

AHEAD: Final = "warmup_ahead"
SCENARIO: Final = "warmup"
MOVEMENT: Final = "--movement"

# What `kernels.warm(exercise=...)` runs.
COMMAND: Final = (sys.executable, "-m", "acclient_py.cli.warmup")


def _say(name: str) -> None:
    assert sys.__stdout__ is not None
    sys.__stdout__.write(f"{name}\n")
    sys.__stdout__.flush()


def main(arguments: list[str]) -> int:
    """Exercise unless it was done for the kernels as they are now."""
    kernels.load_all()
    if kernels.exercised():
        return EXIT_DONE
    kernels.say_each_compilation(_say)
    kernels.share_compiling()
    gc.disable()  # compiling makes millions of objects, and this process is short
    if arguments == [MOVEMENT]:
        return _compile_movement()
    with contextlib.redirect_stdout(sys.stderr):
        with _second_process():
            _play(AHEAD)
        code = _play(SCENARIO)
    if code == EXIT_DONE:
        kernels.mark_exercised()
    return code


def _play(scenario: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        picture = str(Path(folder) / "frame.png")
        code = command_line.run(["frame", scenario, "-o", picture, "--size", "320x180"])
        if code != EXIT_DONE:
            lines = str(Path(folder) / "checkpoints.jsonl")
            code = command_line.run(["run", scenario, "-o", lines])
    return code


@contextlib.contextmanager
def _second_process() -> Iterator[None]:
    """Movement is compiled beside the body; what that process could not, this one will."""
    with subprocess.Popen([*COMMAND, MOVEMENT], stdout=subprocess.PIPE, text=True) as process:
        stream = process.stdout
        assert stream is not None

        def relay() -> None:
            for line in stream:
                _say(line.strip())

        relaying = threading.Thread(target=relay, daemon=True)
        relaying.start()
        try:
            yield
            relaying.join()
        except BaseException:
            process.kill()
            raise


def _compile_movement() -> int:
    from acclient_py.cli.worlds import open_world
    from acclient_py.physics.world import PhysicsWorld
    from acclient_py.viewer.blend import Blend
    from acclient_py.world.models import Models

    try:
        with open_world(paths.recipes() / "tiny" / "warmup.toml") as dats:
            world = PhysicsWorld(Models(dats))
            world.movement.ticker.compile()
        blend = Blend(world.graph)  # of the window alone
        blend.note()
        with blend.shown(0.5):
            pass
    except AcclientError as error:
        sys.stderr.write(f"acclient: error: {error}\n")
        return 1
    return EXIT_DONE


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Warming kernels: loading what was called before, and the exercise that fills an empty cache."""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

from acclient_py.kernels._making import DISABLED, IMAGE, PACKAGE, REGISTRY, Kernel, cache_folder
from acclient_py.log import warn_once

Progress = Callable[[int, int, str], None]

_KEEP_DAYS: Final = 30  # machine code that nobody loaded for so long is deleted
_DAY: Final = 86400.0
_LOOKED: Final = "looked-through"  # its time says when that was last seen to
_UNREADABLE: Final = (
    OSError, EOFError, UnpicklingError, AttributeError, ImportError, LookupError, TypeError,
    ValueError,
)  # fmt: skip
"""What reading a damaged file of numba's cache raises."""
_EXERCISED: Final = "exercised.json"  # name and key of every kernel of the last exercise


def compiled_count() -> int:
    """Compilations in this process so far. After the first frame it must not rise (G18)."""
    return sum(made.compiled for made in list(REGISTRY.values()))


def compiled_names() -> list[str]:
    """The kernels that this process had to compile, for the message when `compiled_count` rose."""
    return sorted(made.name for made in list(REGISTRY.values()) if made.compiled)


def warm(progress: Progress | None = None, *, exercise: Sequence[str] | None = None) -> int:
    """Make the registered kernels ready; returns how many were compiled in this process.

    progress : called with (done, total, name), from the calling thread
    exercise : the command that runs the program for a moment and ends with `mark_exercised()`; it
               is run first when there are kernels that were not exercised yet. It is a process of
               its own since compiling holds the interpreter: a window beside it would stand still

    Call it when the modules that hold the kernels are imported. What had to be loaded one by one, a
    few milliseconds each, is kept in an image for the next start.
    """
    before = compiled_count()
    if DISABLED:
        return 0
    if exercise is not None and not exercised():
        _run(exercise, progress)
    kernels = list(REGISTRY.values())
    at_once = _load_image([made for made in kernels if made.marked])
    todo = [made for made in kernels if made.warm is not None or made.marked]
    for done, made in enumerate(todo):
        if progress:
            progress(done, len(todo), made.name)
        if not at_once:
            _load(made)
        if made.warm is not None:
            made.warm()
    if not at_once:
        _save_image([made for made in kernels if made.marked])
    if progress:
        progress(len(todo), len(todo), "")
    _forget_old()
    return compiled_count() - before


def _load_image(wanted: list[Kernel]) -> bool:
    from acclient_py.kernels import _image

    return _image.load(wanted)


def _save_image(wanted: list[Kernel]) -> None:
    from acclient_py.kernels import _image

    with contextlib.suppress(*_UNREADABLE):  # another process is writing, or a file is gone
        _image.save(wanted)


def _load(made: Kernel) -> None:
    """Load all that the cache holds for one kernel; what cannot be read is compiled anew."""
    from acclient_py.kernels._loading import load_all_forms

    try:
        load_all_forms(made.outer)
    except _UNREADABLE:
        if made.folder is not None:
            for index in made.folder.rglob("*.nbi"):
                with contextlib.suppress(OSError):
                    index.unlink()


def _run(exercise: Sequence[str], progress: Progress | None) -> None:
    """Run the exercise; each of its lines is one kernel that it compiled."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        list(exercise), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for done, line in enumerate(process.stdout, 1):
            if progress:
                progress(min(done, len(REGISTRY)), len(REGISTRY), line.strip())
    if process.returncode:
        warn_once("exercise", "compiling apart failed (exit %d)", process.returncode)


def say_each_compilation(say: Callable[[str], object]) -> None:
    """Have the name of each kernel told when it was compiled, helpers included."""
    if DISABLED:
        return
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc,unused-ignore]
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            say(f"{function.__module__}.{function.__qualname__}")

    register: Any = event.register
    register("numba:compile", Listener())


def mark_exercised() -> None:
    """Remember that all kernels registered now have done what the program does with them."""
    base = cache_folder()
    if base is not None and not DISABLED:
        keys = {made.name: made.key for made in list(REGISTRY.values())}
        beside = base / f"{_EXERCISED}.{os.getpid()}"
        beside.write_text(json.dumps(keys), encoding="utf-8")
        beside.replace(base / _EXERCISED)


def exercised() -> bool:
    """Whether every registered kernel, as it is now, was registered at the last exercise."""
    base = cache_folder()
    if DISABLED or base is None:
        return True
    try:
        keys = json.loads((base / _EXERCISED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return all(keys.get(made.name) == made.key for made in list(REGISTRY.values()))


def _forget_old() -> None:
    """Once a day: mark the machine code in use, and delete what nobody used for a month."""
    base = cache_folder()
    if base is None or _age(base / _LOOKED) < _DAY:
        return
    with contextlib.suppress(OSError):
        (base / _LOOKED).touch()
    for made in list(REGISTRY.values()):
        if made.folder is not None:
            with contextlib.suppress(OSError):
                os.utime(made.folder)
    for kept in base.iterdir():
        if _age(kept) > _KEEP_DAYS * _DAY:
            if kept.is_dir():
                shutil.rmtree(kept, ignore_errors=True)
            elif IMAGE in kept.suffixes:  # whole, or of a process that ended while it wrote
                kept.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file or folder was used or marked; infinite for none."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return math.inf


def modules_with_kernels() -> list[str]:
    """Every module of the package whose source makes a kernel, by name."""
    package = Path(__file__).resolve().parents[1]
    found = []
    for file in sorted(package.rglob("*.py")):
        if file.name == "__main__.py" or (file.parent.name == "kernels" and file.name[0] == "_"):
            continue
        text = file.read_text(encoding="utf-8")
        if f"from {PACKAGE}.kernels import" in text and "kernel" in text:
            parts = file.relative_to(package.parent).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def load_all() -> None:
    """Import every module that holds kernels, so that `warm` knows them."""
    for name in modules_with_kernels():
        importlib.import_module(name)

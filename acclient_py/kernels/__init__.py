"""Compiled functions: `kernel` makes one, `warm` loads them all. numba is named here only.

A kernel takes and fills arrays and knows nothing of objects. Those that work on no owner's data
stand in this package; one that writes a graph's fields stands in the module that owns the fields.
Arithmetic that Python and kernels share is a plain function in `core/`, compiled for kernels by
`kernel(function)`; what such a function calls of this package is compiled along with it.

numba's own cache does not notice a change in another file. Here the folder of each kernel's machine
code is named after all that went into it: its own file, the keys of the kernels it names, the
values of the constants it names, and the versions. So an edit costs only those kernels that it
touches. A helper stands above its caller, or the caller's key does not know it.

With NUMBA_DISABLE_JIT=1 kernels are the plain functions, and numba is not imported.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import importlib
import inspect
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar, overload

from acclient_py import paths
from acclient_py.log import warn_once

F = TypeVar("F", bound=Callable[..., Any])
Progress = Callable[[int, int, str], None]

DISABLED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

_PACKAGE: Final = "acclient_py"
_KEEP_DAYS: Final = 30  # machine code that nobody loaded for so long is deleted


@dataclass(slots=True)
class Kernel:
    """One compiled function. `call` is what the rest of the program calls."""

    name: str  # module and function
    call: Any
    plain: Callable[..., Any]
    key: str  # of the machine code; empty without a compiler
    folder: Path | None  # where the machine code is kept; None when it is not
    warm: Callable[[], object] | None  # calls the kernel once on tiny arrays

    @property
    def compiled(self) -> int:
        """How often this process compiled it (loading from the cache does not count)."""
        return 0 if DISABLED else sum(self.call.stats.cache_misses.values())

    @property
    def stored(self) -> bool:
        """Whether machine code for it lies in the cache."""
        return self.folder is not None and any(self.folder.rglob("*.nbi"))


REGISTRY: dict[str, Kernel] = {}
_by_function: dict[Callable[..., Any], Kernel] = {}  # keyed by the plain and by the compiled form
_lock = threading.RLock()


@overload
def kernel(function: F, /, *, warm: Callable[[], object] | None = None) -> F: ...
@overload
def kernel(*, warm: Callable[[], object] | None = None) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, /, *, warm: Callable[[], object] | None = None
) -> F | Callable[[F], F]:
    """Compile `function`: as a decorator, or on a plain function of `core/` for use in kernels.

    warm : calls the kernel once with the very dtypes that the program uses, on tiny arrays;
           `warm()` calls it so that no frame has to compile

    The same function twice gives the same kernel.
    """
    if function is None:
        return lambda f: kernel(f, warm=warm)
    with _lock:
        made = _by_function.get(function)
        if made is None:
            made = _make(function, warm)
            _by_function[function] = _by_function[made.call] = made
            REGISTRY[made.name] = made
        elif warm is not None:
            made.warm = warm
        compiled: F = made.call
        return compiled


def _make(function: Callable[..., Any], warm: Callable[[], object] | None) -> Kernel:
    assert isinstance(function, FunctionType), f"{function!r} is no function that can be compiled"
    name = f"{function.__module__}.{function.__qualname__}"
    if DISABLED:
        return Kernel(name, function, function, "", None, warm)
    import numba

    whole = _with_compiled_globals(function)
    key = _key(whole)
    base = cache_folder()
    folder = None if base is None else base / key[:20]
    config: Any = numba.config
    config.CACHE_DIR = "" if folder is None else str(folder)
    call = numba.njit(cache=folder is not None, nogil=True)(whole)
    return Kernel(name, call, function, key, folder, warm)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _with_compiled_globals(function: FunctionType) -> FunctionType:
    """The same function, seeing compiled forms of the plain functions of this package it names."""
    plain = {
        name: value
        for name in _names(function.__code__)
        if isinstance(value := function.__globals__.get(name), FunctionType)
        and value is not function
        and value.__module__.partition(".")[0] in (_PACKAGE, function.__module__.partition(".")[0])
    }
    if not plain:
        return function
    seen = dict(function.__globals__)
    seen.update((name, kernel(value)) for name, value in plain.items())
    twin = FunctionType(
        function.__code__, seen, function.__name__, function.__defaults__, function.__closure__
    )
    functools.update_wrapper(twin, function)
    del twin.__wrapped__  # type: ignore[attr-defined]
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin


@functools.cache
def _versions() -> str:
    import numba
    import numpy

    config: Any = numba.config
    return repr(
        (
            sys.version_info[:3],
            numba.__version__,
            numpy.__version__,
            config.BOUNDSCHECK,
            config.OPT,
            config.DEBUGINFO_DEFAULT,
        )
    )


@functools.cache
def _file_hash(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return f"unreadable {file}"


def _key(function: FunctionType) -> str:
    """A hash of everything that `function`'s machine code is made from."""
    import numpy as np

    parts = [_versions(), function.__qualname__, _file_hash(function.__code__.co_filename)]
    for name in sorted(set(_names(function.__code__))):
        value = function.__globals__.get(name)
        if isinstance(value, type) and issubclass(value, enum.Enum):
            parts.append(f"{name}={[(m.name, m.value) for m in value]}")
        elif isinstance(value, bool | int | float | str | tuple | np.generic | np.dtype):
            parts.append(f"{name}={value!r}")
        elif isinstance(value, np.ndarray):
            parts.append(f"{name}={value.dtype}{value.shape}")
            parts.append(hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest())
        elif isinstance(value, ModuleType) and value.__name__.startswith(_PACKAGE):
            parts.append(f"{name}={_file_hash(inspect.getfile(value))}")
        elif value is not None and not isinstance(value, ModuleType | type) and callable(value):
            known = _by_function.get(value)
            if known is not None:
                parts.append(f"{name}={known.key}")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


_cache: list[Path | None] = []


def cache_folder() -> Path | None:
    """The folder that holds all machine code, asked for once; None when no place can be written."""
    if not _cache:
        named = os.environ.get("NUMBA_CACHE_DIR")
        folder = Path(named) if named else paths.kernels_dir()
        if paths.can_write(folder):
            _cache.append(folder)
            os.environ["NUMBA_CACHE_DIR"] = str(folder)  # numba reads it when it is imported
        else:
            _cache.append(None)
            warn_once(
                "kernel cache",
                "%s cannot be written: kernels are compiled anew at each start (set %s)",
                folder,
                paths.ROOT_VARIABLE,
            )
    return _cache[0]


def compiled_count() -> int:
    """Compilations in this process so far. After the first frame it must not rise (G18)."""
    return sum(made.compiled for made in list(REGISTRY.values()))


def compiled_names() -> list[str]:
    """The kernels that this process had to compile, for the message when `compiled_count` rose."""
    return sorted(made.name for made in list(REGISTRY.values()) if made.compiled)


def warm(progress: Progress | None = None, *, child: bool = True) -> int:
    """Make every registered kernel ready; returns how many were compiled in this process.

    progress : called with (done, total, name), from the calling thread
    child    : let a child process compile what the cache lacks; compiling holds the interpreter,
               so a window beside it would stand still

    Call it when the modules that hold the kernels are imported. Loading takes about 2 ms each.
    """
    before = compiled_count()
    todo = [made for made in list(REGISTRY.values()) if made.warm is not None]
    if DISABLED or not todo:
        return 0
    missing = [made for made in todo if not made.stored]
    if child and missing and cache_folder() is not None and len(missing) > 1:
        _compile_in_child(missing, progress)
    for done, made in enumerate(todo):
        if progress:
            progress(done, len(todo), made.name)
        assert made.warm is not None
        made.warm()
    if progress:
        progress(len(todo), len(todo), "")
    _forget_old()
    return compiled_count() - before


def _compile_in_child(missing: list[Kernel], progress: Progress | None) -> None:
    """Run `python -m acclient_py.kernels` over the modules that hold `missing`."""
    modules = sorted({made.name.rpartition(".")[0] for made in missing})
    command = [sys.executable, "-m", f"{_PACKAGE}.kernels", *modules]
    places = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)])
    env = {**os.environ, "PYTHONPATH": places}
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            words = line.split()
            if progress and len(words) == 3 and words[0].isdigit() and words[1].isdigit():
                progress(int(words[0]), int(words[1]), words[2])
    if process.returncode:
        warn_once("kernel child", "compiling apart failed (exit %d)", process.returncode)


def _forget_old() -> None:
    """Mark the machine code in use, and delete what nobody used for a month."""
    base = cache_folder()
    if base is None:
        return
    for made in list(REGISTRY.values()):
        if made.folder is not None:
            try:
                os.utime(made.folder)
            except OSError:
                continue
    oldest = time.time() - _KEEP_DAYS * 86400
    try:
        old = [f for f in base.iterdir() if f.is_dir() and f.stat().st_mtime < oldest]
    except OSError:
        return
    for folder in old:
        shutil.rmtree(folder, ignore_errors=True)


def modules_with_kernels() -> list[str]:
    """Every module of the package whose source makes a kernel, by name."""
    package = Path(__file__).resolve().parents[1]
    found = []
    for file in sorted(package.rglob("*.py")):
        if file == Path(__file__).resolve() or file.name == "__main__.py":
            continue
        text = file.read_text(encoding="utf-8")
        if f"from {_PACKAGE}.kernels import" in text and "kernel" in text:
            parts = file.relative_to(package.parent).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def load_all() -> None:
    """Import every module that holds kernels, so that `warm` knows them."""
    for name in modules_with_kernels():
        importlib.import_module(name)

"""Making kernels: the decorator, the registry, the key of the machine code, the cache folder."""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import importlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar, overload

import numpy as np
from msgspec import Struct

from acclient_py import paths
from acclient_py.locks import one_at_a_time
from acclient_py.log import warn_once

F = TypeVar("F", bound=Callable[..., Any])

DISABLED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

PACKAGE: Final = "acclient_py"
_MARK: Final = "called"  # the mark's file name
IMAGE: Final = ".image"  # the suffix of files with the machine code of many kernels
_CLAIM: Final = "compiling"  # the name of a lock file


def _import_compiler() -> None:
    """Import numba, which would bring in the coverage tool where there is one, for its own use."""
    hidden: dict[str, Any] = {} if "coverage" in sys.modules else {"coverage": None}
    sys.modules.update(hidden)
    try:
        importlib.import_module("numba")
    finally:
        for name in hidden:
            del sys.modules[name]


if not DISABLED:
    _import_compiler()


class Kernel(Struct):
    """One compiled function. `call` is what the rest of the program calls."""

    name: str  # module and function
    call: Any
    plain: Callable[..., Any]
    key: str  # of the machine code; empty without a compiler
    folder: Path | None  # where the machine code is kept; None when it is not
    warm: Callable[[], object] | None  # calls the kernel once on tiny arrays
    make_outer: Callable[[], Any] | None = None  # the form that Python calls
    _outer: Any = None

    @property
    def outer(self) -> Any:
        """What Python calls: made when wanted, since few inner kernels are ever called so."""
        if self._outer is None and self.make_outer is not None:
            self._outer = self.make_outer()
        return self._outer

    @property
    def compiled(self) -> int:
        """How often this process compiled it (loading from the cache does not count)."""
        return 0 if self._outer is None else sum(self._outer.stats.cache_misses.values())

    @property
    def marked(self) -> bool:
        """Whether it was ever called from Python (and its machine code is kept)."""
        return self.changed_ns > 0

    @property
    def changed_ns(self) -> int:
        """When Python last called it with new types, nanoseconds; 0 for never."""
        try:
            return 0 if self.folder is None else (self.folder / _MARK).stat().st_mtime_ns
        except OSError:
            return 0


REGISTRY: dict[str, Kernel] = {}
_by_function: dict[Callable[..., Any], Kernel] = {}  # keyed by the plain and by the compiled form
_lock = threading.RLock()


@overload
def kernel(
    function: F, /, *, warm: Callable[[], object] | None = None, inner: bool = False
) -> F: ...
@overload
def kernel(
    *, warm: Callable[[], object] | None = None, inner: bool = False
) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, /, *, warm: Callable[[], object] | None = None, inner: bool = False
) -> F | Callable[[F], F]:
    """Compile `function`: as a decorator, or on a plain function of `core/` for use in kernels.

    warm : calls the kernel once with the very dtypes that the program uses, on tiny arrays;
           for what neither the exercise nor any earlier run would call, so that no frame compiles
    inner : other kernels call it, and it makes and returns no array: no counting of references,
            no machine code of its own, not optimised by itself, since its callers' code holds it.
            It divides as numpy does, without an exception. Python may call it all the same; then
            it is compiled once more

    The same function twice gives the same kernel.
    """
    if function is None:
        return lambda f: kernel(f, warm=warm, inner=inner)
    with _lock:
        made = _by_function.get(function)
        if made is None:
            made = _make(function, warm, inner)
            _by_function[function] = _by_function[made.call] = made
            REGISTRY[made.name] = made
        elif warm is not None:
            made.warm = warm
        compiled: F = made.call
        return compiled


def _make(function: Callable[..., Any], warm: Callable[[], object] | None, inner: bool) -> Kernel:
    assert isinstance(function, FunctionType), f"{function!r} is no function that can be compiled"
    name = f"{function.__module__}.{function.__qualname__}"
    if DISABLED:
        return Kernel(name, _with_fields_as_attributes(function), function, "", None, warm)
    names = sorted(_names(function.__code__))
    whole = _with_compiled_globals(function, names)
    key = _key(whole, names)
    base = cache_folder()
    folder = None if base is None else base / key[:20]
    make_outer = functools.partial(_make_outer, whole, folder, inner)
    if not inner:
        call = make_outer()
        return Kernel(name, call, function, key, folder, warm, make_outer, call)
    made = Kernel(name, None, function, key, folder, warm, make_outer)
    made.call = _Inner(whole, made)
    return made


class _Inner:
    """An inner kernel as other kernels and Python see it.

    What it takes to compile it is made when a kernel that calls it is compiled; a start that finds
    all machine code in the cache never asks.
    """

    def __init__(self, whole: FunctionType, made: Kernel) -> None:
        self._whole = whole
        self._made = made
        self.__doc__ = whole.__doc__

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Called by Python, a test or a question: the form that has machine code of its own."""
        return self._made.outer(*args, **kws)

    @functools.cached_property
    def compiled_form(self) -> Any:
        """What numba takes for the kernel."""
        import numba

        from acclient_py.kernels._compiling import InnerCompiler

        options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
        call: Any = numba.njit(
            nogil=True, error_model="numpy", pipeline_class=InnerCompiler, **options
        )(self._whole)  # fmt: skip
        _take_whole_numbers(call)
        return call

    @property
    def _numba_type_(self) -> Any:
        return self.compiled_form._numba_type_

    def __getattr__(self, name: str) -> Any:
        return getattr(self.compiled_form, name)


def _make_outer(whole: FunctionType, folder: Path | None, inner: bool) -> Any:
    """The compiled form that Python can call, its machine code kept in `folder`."""
    import numba

    from acclient_py.kernels._compiling import OuterCompiler
    from acclient_py.kernels._loading import LateCache

    whole.__signature__ = inspect.signature(whole)  # type: ignore[attr-defined]  # asked thrice
    options: Any = {"no_cfunc_wrapper": True}
    call: Any = numba.njit(
        nogil=True,
        error_model="numpy" if inner else "python",
        pipeline_class=OuterCompiler,
        **options,
    )(whole)
    _take_whole_numbers(call)
    if folder is not None:
        call._cache = LateCache(whole, folder)
        call._compile_for_args = _marking(call._compile_for_args, folder)
    return call


def _take_whole_numbers(call: Any) -> None:
    """Called by a kernel, have what is annotated `int` be int64: one machine code, not one each.

    A literal, a bool and a column of uint16 are types of their own to numba; so is a literal of
    what is annotated `bool`.
    """
    from numba import types

    names = call.py_func.__code__.co_varnames[: call.py_func.__code__.co_argcount]
    wide = {"int": types.int64, "Int": types.int64, "Whole": types.int64, "bool": types.boolean}
    whole = [wide.get(str(call.py_func.__annotations__.get(name))) for name in names]
    if not any(whole):
        return
    template = call.get_call_template

    def widened(args: Any, kws: Any) -> Any:
        _, folded = call._compiler.fold_argument_types(args, kws)
        made = [
            wanted if wanted and isinstance(given, types.Integer | types.Boolean) else given
            for given, wanted in zip(folded, whole, strict=True)
        ]
        return template(tuple(made), {})

    call.get_call_template = widened


def rows_with_fields(array: Any) -> Any:
    """A view of a structured array as numba sees it, `nodes[i].plane`; any other as it is."""
    if array.dtype.names and array.dtype.type is np.void:
        return array.view(np.dtype((_Row, array.dtype)))
    return array


class _Row(np.void):  # type: ignore[misc,unused-ignore]
    """A row whose fields go before what numpy calls by the same names, as `base` and `flags`."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        return self[name] if name in fields else np.void.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class _Memory:
    """The bytes of one row of a structured array, so that writing to it writes to the array."""

    def __init__(self, row: Any) -> None:
        self.row = row  # keeps the array alive
        address = row.__array_interface__["data"][0]
        size = row.dtype.itemsize
        bytes_of = {"version": 3, "shape": (1,), "typestr": f"|V{size}", "data": (address, False)}
        self.__array_interface__ = bytes_of


def _with_fields_as_attributes(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain function, given its structured arrays as numba sees them: `nodes[i].plane`."""

    def seen(value: Any) -> Any:
        if type(value) is np.ndarray:
            return rows_with_fields(value)
        if type(value) is np.void and value.dtype.names:
            return rows_with_fields(np.asarray(_Memory(value)).view(value.dtype))[0]
        return value

    @functools.wraps(function)
    def plain(*args: Any, **kws: Any) -> Any:
        return function(*map(seen, args), **{name: seen(value) for name, value in kws.items()})

    return plain


def _marking(compile_for_args: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """numba asks for machine code this way when Python calls with new types: leave the mark."""

    def marking(*args: Any, **kws: Any) -> Any:
        with _claim(folder):
            result = compile_for_args(*args, **kws)
        with contextlib.suppress(OSError):
            (folder / _MARK).touch()
        return result

    return marking


_sharing: list[bool] = []


def share_compiling() -> None:
    """From here on a kernel that another such process is compiling is waited for, then loaded."""
    _sharing.append(True)


@contextlib.contextmanager
def _claim(folder: Path) -> Iterator[None]:
    """Be the only one of the processes that share the compiling to compile one kernel."""
    if not _sharing:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(folder / _CLAIM):
        yield


def compile_for(function: Callable[..., Any], *args: Any) -> None:
    """Have the machine code that a call with these arguments would take, without the call."""
    if DISABLED:
        return
    made = _by_function[function]
    call = made.outer
    signature = tuple(call.typeof_pyval(arg) for arg in args)
    if made.folder is None:
        call.compile(signature)
        return
    with _claim(made.folder):
        call.compile(signature)
    with contextlib.suppress(OSError):
        (made.folder / _MARK).touch()


def _names(code: CodeType) -> set[str]:
    """All names that a function looks up."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _with_compiled_globals(function: FunctionType, names: list[str]) -> FunctionType:
    """The same function, seeing compiled forms of the plain functions of this package it names."""
    known = function.__globals__
    own = (PACKAGE, function.__module__.partition(".")[0])
    plain = {
        name: value
        for name in names
        if type(value := known.get(name)) is FunctionType
        and value is not function
        and value.__module__.partition(".")[0] in own
    }
    if not plain:
        return function
    seen = dict(known)
    seen.update((name, kernel(value, inner=True)) for name, value in plain.items())
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

    config: Any = numba.config
    return repr(
        (
            sys.version_info[:3],
            numba.__version__,
            np.__version__,
            config.BOUNDSCHECK,
            config.OPT,
            config.DEBUGINFO_DEFAULT,
            file_hash(str(Path(__file__).with_name("_compiling.py"))),
        )
    )


@functools.cache
def file_hash(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return f"unreadable {file}"


_VALUES: Final = (bool, int, float, str, tuple, np.generic, np.dtype)


def _key(function: FunctionType, names: list[str]) -> str:
    """A hash of everything that `function`'s machine code is made from. names : in order"""
    known = function.__globals__
    parts = [_versions(), function.__qualname__, file_hash(function.__code__.co_filename)]
    for name in names:
        value = known.get(name)
        if value is None:
            continue
        if isinstance(value, _VALUES):
            parts.append(f"{name}={value!r}")
        elif isinstance(value, type):
            if issubclass(value, enum.Enum):
                parts.append(f"{name}={[(m.name, m.value) for m in value]}")
        elif isinstance(value, ModuleType):
            if value.__name__.startswith(PACKAGE):
                parts.append(f"{name}={file_hash(inspect.getfile(value))}")
        elif isinstance(value, np.ndarray):
            parts.append(f"{name}={value.dtype}{value.shape}")
            parts.append(hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest())
        elif callable(value):
            made = _by_function.get(value)
            if made is not None:
                parts.append(f"{name}={made.key}")
            else:  # an accessor says what it is made from: the rows that it reads
                parts.append(f"{name}={getattr(value, 'made_from', '')}")
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

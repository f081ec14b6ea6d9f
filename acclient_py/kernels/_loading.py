"""What numba would do to load a kernel's machine code, without what only compiling needs."""

# mypy: allow-untyped-calls
# (numba has no types)

from __future__ import annotations

import functools
from collections.abc import Set
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite.binding import (  # type: ignore[import-untyped,unused-ignore]
    add_symbol,
    parse_bitcode,
)
from numba.core import config, types
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import _nrt_python, rtsys  # type: ignore[attr-defined,unused-ignore]
from numba.core.typing.typeof import _typeof_ndarray, typeof_impl
from numba.np.numpy_support import from_dtype, map_layout


@functools.cache
def item_type(dtype: Any) -> Any:
    """numba's type of an array's items, which takes a structured dtype apart anew each time."""
    return from_dtype(dtype)


def _type_of_array(array: Any, context: Any) -> Any:
    """The type of a call's argument. numba asks first whether it is a masked array, and so brings
    in all that numpy has for those."""
    if type(array) is not np.ndarray:
        return _typeof_ndarray(array, context)
    layout = map_layout(array)
    return types.Array(item_type(array.dtype), array.ndim, layout, not array.flags.writeable)


typeof_impl.register(np.ndarray)(_type_of_array)


class LateCache:
    """numba's cache of one kernel, which looks for its folder as soon as it is made: made when
    asked."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self._function = function
        self._folder = folder

    @functools.cached_property
    def _made(self) -> Any:
        settings: Any = config
        settings.CACHE_DIR = str(self._folder)
        return FunctionCache(self._function)

    def __getattr__(self, name: str) -> Any:
        # the folder is named by a setting that all threads have. Before the lock that the property
        # has in Python 3.11, as in a thread that compiles: in two orders they would wait for ever
        with global_compiler_lock:
            return getattr(self._made, name)


def load_all_forms(call: Any) -> None:
    """Load every machine code that the cache holds of one kernel.

    As numba does at a call, but nothing of the compiler is made ready.
    """
    rtsys.initialize(call.targetctx)
    cache = call._cache
    for key in cache._cache_file._load_index():
        signature = key[0]
        result = cache._load_overload(signature, call.targetctx)
        if result is not None and signature not in call.overloads:
            call._cache_hits[signature] += 1
            call.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            call.add_overload(result)


def read_linkable(call: Any, signature: Any) -> Any:
    """What is linked into others that call a kernel, of one form that the cache holds."""
    cache = call._cache
    kept = cache._cache_file.load(cache._index_key(signature.args, call.targetctx.codegen()))
    return parse_bitcode(kept[0][2][1])


def make_runtime_known(context: Any, wanted: Set[str]) -> None:
    """Have LLVM know what machine code calls of numba's runtime.

    numba compiles a part of that at each start; a kernel's code has what it needs of it inside.
    """
    helpers = {name if name[0] == "_" else f"NRT_{name}": name for name in _nrt_python.c_helpers}
    if any(name.lower().startswith("nrt_") and name not in helpers for name in wanted):
        rtsys.initialize(context)
        return
    for name, helper in helpers.items():
        add_symbol(name, _nrt_python.c_helpers[helper])

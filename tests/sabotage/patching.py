"""Break a function on purpose: a fragment of its source is replaced and the rest runs as it stands.

Kernels have to be plain Python for that (NUMBA_DISABLE_JIT=1). The changed function takes the
place of the old one in every module that had imported it.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from types import FunctionType
from typing import Any


class Stale(Exception):
    """The fragment is not in the function any more: the mutation has to be written anew."""


def find(target: str) -> tuple[Any, str, Any]:
    """(owner, name, function) of `package.module:function` or `package.module:Class.method`."""
    module, _, path = target.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    held = inspect.getattr_static(owner, name)
    return owner, name, held


def source_of(held: Any) -> str:
    function = held.__func__ if isinstance(held, staticmethod | classmethod) else held
    if isinstance(function, property):
        function = function.fget
    return textwrap.dedent(inspect.getsource(function))


def changed(source: str, old: str, new: str, count: int, target: str) -> str:
    """The source with the fragment replaced; indentation of several lines follows the first."""
    found = source.count(old)
    if found != count:
        raise Stale(f"{target}: the fragment is there {found} times, not {count}:\n{old}")
    return source.replace(old, new)


def apply(target: str, old: str, new: str, *, count: int = 1) -> None:
    """Replace a fragment of a function's source; afterwards everybody calls the changed one."""
    owner, name, held = find(target)
    source = changed(source_of(held), old, new, count, target)
    module = sys.modules[target.partition(":")[0]]
    place: dict[str, Any] = {}
    code = compile(source, f"<{target} broken>", "exec", dont_inherit=False)
    exec(code, module.__dict__, place)
    made = place[name]
    setattr(owner, name, made)
    if isinstance(held, FunctionType):
        replace_everywhere(held, made)


def replace_everywhere(held: Any, made: Any) -> None:
    """Modules that imported the function by name get the other one too."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or not str(names.get("__name__", "")).startswith(OURS):
            continue
        for name, value in list(names.items()):
            if value is held:
                names[name] = made


OURS = ("acclient_py", "builders", "twin", "test_")

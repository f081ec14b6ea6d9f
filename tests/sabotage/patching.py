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


def replaced(text: str, old: str, new: str, nth: int, where: str) -> str:
    """The text with its only occurrence replaced, or the nth (from 1) of several."""
    pieces = text.split(old)
    if (nth == 0 and len(pieces) != 2) or len(pieces) <= nth:
        raise Stale(f"{where}: {len(pieces) - 1} times {old!r}")
    at = max(nth, 1)
    return old.join(pieces[:at]) + new + old.join(pieces[at:])


def apply(target: str, old: str, new: str, *, nth: int = 0) -> None:
    """Replace a fragment of a function's source; afterwards everybody calls the changed one."""
    owner, name, held = find(target)
    source = replaced(source_of(held), old, new, nth, target)
    if isinstance(held, property):
        raise Stale(f"{target} is a property")
    module = sys.modules[target.partition(":")[0]]
    place: dict[str, Any] = {}
    code = compile(source, f"<{target} broken>", "exec", dont_inherit=False)
    exec(code, module.__dict__, place)
    made = place[name]
    setattr(owner, name, made)
    if isinstance(held, FunctionType):
        replace_everywhere(held, made)


def replace_everywhere(held: Any, made: Any) -> None:
    """Modules that imported the function by name, and classes that have it as a method, follow."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or not str(names.get("__name__", "")).startswith(OURS):
            continue
        for name, value in list(names.items()):
            if value is held:
                names[name] = made
            elif isinstance(value, type) and value.__module__.startswith(OURS):
                for method, function in list(vars(value).items()):
                    if function is held:
                        setattr(value, method, made)


OURS = ("acclient_py", "builders", "twin", "test_")

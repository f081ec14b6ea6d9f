"""acclient_py: a client for the world of Asheron's Call, as a program and as a library.

The library's face (I9) is what stands in `__all__`; each name is loaded on first use.

    world = acclient_py.open_world("demo")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acclient_py.cli.worlds import open_world as open_world

__version__ = "0.1.0"

_FACE = {
    "open_world": "acclient_py.cli.worlds",
}

__all__ = ["__version__", "open_world"]


def __getattr__(name: str) -> Any:
    # contract: I9
    if name in _FACE:
        return getattr(import_module(_FACE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

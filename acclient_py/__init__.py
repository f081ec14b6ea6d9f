"""acclient_py: a client for the world of Asheron's Call, as a program and as a library.

The library's face (I9) is what stands in `__all__`; each name is loaded on first use.

    with acclient_py.open_world("demo") as dats:
        host = acclient_py.Host(dats)
        host.step(acclient_py.parse_step('{"do": "create", ...}'))
        host.tick(30)
        print(host.checkpoint("after a second"))
        cells = host.physics.graph.views().cells
        picture = acclient_py.draw_frame(host)  # (360, 640, 3) uint8
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acclient_py.cli.worlds import open_world as open_world
    from acclient_py.host.host import Host as Host
    from acclient_py.host.scenario import Scenario as Scenario
    from acclient_py.host.scenario import parse_step as parse_step
    from acclient_py.host.scenario import read as read_scenario
    from acclient_py.render.still import draw_frame as draw_frame

__version__ = "0.1.0"

_FACE = {
    "Host": ("acclient_py.host.host", "Host"),
    "Scenario": ("acclient_py.host.scenario", "Scenario"),
    "draw_frame": ("acclient_py.render.still", "draw_frame"),
    "open_world": ("acclient_py.cli.worlds", "open_world"),
    "parse_step": ("acclient_py.host.scenario", "parse_step"),
    "read_scenario": ("acclient_py.host.scenario", "read"),
}

__all__ = [
    "Host",
    "Scenario",
    "__version__",
    "draw_frame",
    "open_world",
    "parse_step",
    "read_scenario",
]


def __getattr__(name: str) -> Any:
    # contract: I9
    if name in _FACE:
        module, inside = _FACE[name]
        return getattr(import_module(module), inside)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

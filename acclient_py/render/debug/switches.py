"""The debug views: each a switch with a name, a key and a function. Off costs nothing.

A view reads what was drawn and adds lines; it changes no pixel while it is off and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from acclient_py.core import F32, I32, Struct
from acclient_py.core.frame import to_matrix
from acclient_py.errors import UsageError
from acclient_py.kernels.flood import Portals
from acclient_py.render.scene import Scene

if TYPE_CHECKING:
    from acclient_py.render.debug.lines import LineSet


class View(msgspec.Struct, frozen=True, eq=False):
    """What a debug view may look at: the scene and stream of the frame that was drawn.

    camera : the camera's block ; records : the stream
    """

    scene: Scene
    camera: tuple[int, int]
    records: Struct
    shapes: Portals

    def portal_polygons(self, cell: int) -> Iterator[F32]:
        """The portal polygons of an env cell, in its block's space."""
        row = self.scene.arrays.cells[cell]
        matrix = np.zeros((4, 4), np.float32)
        to_matrix(row["frame"].copy(), matrix)
        runs: I32 = self.shapes.runs
        first = int(row["portal_first"])
        for i in range(first, first + int(row["portal_count"])):
            at, count = int(runs[i, 0]), int(runs[i, 1])
            corners = self.shapes.vertices[at : at + count]
            x, y, z = corners[:, :1], corners[:, 1:2], corners[:, 2:3]
            yield x * matrix[0, :3] + y * matrix[1, :3] + z * matrix[2, :3] + matrix[3, :3]


class Switch(msgspec.Struct, frozen=True):
    """One debug view. key : as the viewer's keymap names it, by place"""

    name: str
    key: str
    title: str
    draw: Callable[[View, LineSet], None]


def _cells(view: View, lines: LineSet) -> None:
    from acclient_py.render.debug.cells import draw_cells

    draw_cells(view, lines)


def _portals(view: View, lines: LineSet) -> None:
    from acclient_py.render.debug.portals import draw_portals

    draw_portals(view, lines)


SWITCHES: Final = {
    switch.name: switch
    for switch in (
        Switch("cells", "F3", "cell membership: the grid, the current cell, children", _cells),
        Switch("portals", "F4", "portal polygons of the cells that are resident", _portals),
    )
}


def find(name: str) -> Switch:
    """The switch of a name, or a UsageError that lists them."""
    found = SWITCHES.get(name)
    if found is None:
        raise UsageError(
            f"no overlay {name!r}", where="--overlay", do=f"use {', '.join(sorted(SWITCHES))}"
        )
    return found

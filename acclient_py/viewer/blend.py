"""Pictures between two ticks: what moved is shown on its way from the tick before to the last one.

The graph holds the state of the last tick and nothing else: the frames of what moved are changed
for the time of one picture and put back before anybody else looks, so membership, collision and
recordings know of no other state. What jumped (a teleport, a particle that begins anew, a row that
somebody else has now) is shown where it is. divergence: D8
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from acclient_py.kernels import between
from acclient_py.physics.graph import Graph


class Blend:
    """Remembers two ticks of one graph, in rows that are made when it grows."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._objects = np.zeros(0, between.LAST)
        self._parts = np.zeros(0, between.LAST)
        self._ways = np.zeros(0, between.WAY)
        self._count = 0

    def note(self) -> None:
        """A tick was made."""
        graph, arrays = self._graph, self._graph.arrays
        self._objects = _as_long(self._objects, len(arrays.objects))
        self._parts = _as_long(self._parts, len(arrays.parts))
        room = len(self._objects) + len(self._parts)
        if len(self._ways) < room:
            self._ways = np.zeros(room, between.WAY)
        self._count = int(between.note_tick(
            arrays.objects, arrays.parts, graph.used("objects"), graph.used("parts"),
            self._objects, self._parts, self._ways,
        ))  # fmt: skip

    @contextmanager
    def shown(self, share: float) -> Iterator[None]:
        """The graph as it looks at a share of the way, for as long as a picture takes.

        share : 0 the tick before, 1 the last one
        """
        if share >= 1.0:
            yield
            return
        a = self._graph.arrays
        between.show_between(a.objects, a.parts, self._ways, self._count, share)
        try:
            yield
        finally:
            between.put_back(a.objects, a.parts, self._ways, self._count)


def _as_long(rows: Any, length: int) -> Any:
    """At least so many rows; new ones remember nothing."""
    if len(rows) >= length:
        return rows
    grown = np.zeros(length, rows.dtype)
    grown["life"] = between.NOBODY
    grown[: len(rows)] = rows
    return grown

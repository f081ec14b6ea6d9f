"""A body that the eye is in: it is not drawn, nor is what it carries, while the picture is taken.

Seen from within, a body is a hollow of back sides. The draw flags are changed for the time of one
picture and put back before anybody else looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from acclient_py.core import U32
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import PART_NODRAW

WITHIN: Final = 0.45
"""Metres from the head to the eye: nearer, and the eye is in the body. divergence: D28"""


@contextmanager
def unseen(graph: Graph, body: int) -> Iterator[None]:
    """A body and all that hangs on it are not drawn for as long as a picture takes."""
    flags: U32 = graph.arrays.parts["flags"]
    kept = []
    for obj in graph.subtree_of(body):
        row = graph.arrays.objects[obj]
        first, count = int(row["part_first"]), int(row["part_count"])
        kept.append((first, flags[first : first + count].copy()))
        flags[first : first + count] |= np.uint32(PART_NODRAW)
    try:
        yield
    finally:
        for first, before in kept:
            flags[first : first + len(before)] = before

"""Becoming solid again: not while somebody stands there (spec 4.2, CHECK_ETHEREAL).

A thing that others walk through, an open door or a ghost, is told to be solid. If somebody's body
overlaps its shape at that moment, it stays ethereal and tries again at each of its updates. A state
word of the wire does not ask: it is taken verbatim (4.1). `PhysicsWorld` has both as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from acclient_py.physics.layout import OBJECT
from acclient_py.physics.state import STATIC, PhysicsState, TransientState

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


def set_ethereal(world: PhysicsWorld, obj: int, on: bool) -> bool:
    """Let others through, or no longer; whether it is now as was asked (`set_ethereal`).

    The shadows are not touched: what nobody meets is still in its cells.
    """
    row = world.graph.arrays.objects[obj]
    checks = int(row["transient"]) & ~TransientState.CHECK_ETHEREAL
    if not on:
        row["state"] = int(row["state"]) & ~PhysicsState.ETHEREAL & 0xFFFFFFFF
        on = is_overlapped(world, obj)
        done = not on
        if on:
            checks |= TransientState.CHECK_ETHEREAL
    else:
        done = True
    if on:
        row["state"] = int(row["state"]) | PhysicsState.ETHEREAL
    row["transient"] = checks & 0xFFFFFFFF
    return done


def is_overlapped(world: PhysicsWorld, obj: int) -> bool:
    """Whether a body that can move stands in an object's shape (`ethereal_check_for_collisions`).

    Each body in a cell of the object's shadows is tried where it stands; nothing is moved.
    """
    graph = world.graph
    objects = graph.arrays.objects
    if objects["parent"][obj] >= 0 or objects["cell"][obj] < 0:
        return False
    asked: dict[int, None] = {}
    for cell in graph.shadows_on(obj)["cell"]:
        if cell >= 0:
            for shadow in graph.shadows_of(int(cell)):
                asked[int(graph.arrays.shadows["object"][shadow])] = None
    for other in asked:
        row = objects[other]
        if other == obj or row["parent"] >= 0 or row["cell"] < 0 or row["state"] & STATIC:
            continue
        frame = row["frame"].copy()
        result = world.transitions.place(
            other, int(row["cell"]), cell_id=int(row["objcell_id"]), frame=frame, slide=False
        )
        if obj in result.touched:
            return True
    return False


def retry(world: PhysicsWorld) -> None:
    """Those that could not become solid try again, before anything moves in this tick."""
    objects = world.graph.arrays.objects
    waiting = objects["transient"] & TransientState.CHECK_ETHEREAL != 0
    for obj in np.flatnonzero(waiting & (objects["kind"] == OBJECT)):
        active = objects["transient"][obj] & TransientState.ACTIVE
        if active and objects["cell"][obj] >= 0:
            set_ethereal(world, int(obj), False)


__all__ = ["is_overlapped", "retry", "set_ethereal"]

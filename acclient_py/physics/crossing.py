"""Cells and shadows of a subtree: the funnel that every event of the world goes through.

A cell is written by `cells.py` alone, a shadow by `shadow.py`; these functions see to the room and
call them. `PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from acclient_py.core import I32, U32
from acclient_py.physics import cells, position, shadow
from acclient_py.physics.layout import (
    CAUSE_PLACE,
    CAUSE_WITHDRAW,
)  # fmt: skip
from acclient_py.physics.transit import calc_cell_array

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

_NONE: Final = np.zeros(1, np.int32)


def write_cell(world: PhysicsWorld, obj: int, cell: int, cause: int, cell_id: int = 0) -> None:
    roots, targets, ids, causes = world._one
    roots[0], targets[0], ids[0], causes[0] = obj, cell, cell_id, cause
    world.room_for_events(obj)
    cells.write_cells(world.graph.arrays, roots, targets, ids, causes)


def leave_cell(world: PhysicsWorld, obj: int, cause: int, *, pending: bool = False) -> None:
    world.room_for_events(obj)
    cells.leave_cell(world.graph.arrays, obj, cause, pending)


def room_for_events(world: PhysicsWorld, obj: int) -> None:
    if world.graph.recording:
        position.reserve_events(world.graph, [obj], 1)


def change_cell(world: PhysicsWorld, obj: int, cell: int, *, cause: int = CAUSE_PLACE) -> None:
    """C1: to a cell slot, or with -1 out of the world; the subtree follows."""
    # contract: C1
    world.write_cell(obj, cell, cause if cell >= 0 else CAUSE_WITHDRAW)


def remove_shadows_from_cells(world: PhysicsWorld, obj: int) -> None:
    """S8: every shadow and part of the subtree out of its cell."""
    # contract: S8
    roots = world._one[0]
    roots[0] = obj
    world.room_for_events(obj)
    counts = np.full(1, -1, np.int32)
    shadow.republish(
        world.graph.arrays, roots, _NONE, counts, world.batch.ids, world.batch.slots,
        np.zeros(1, np.uint8), 0, world.batch.need,
    )  # fmt: skip


def add_shadows_to_cells(
    world: PhysicsWorld, obj: int, ids: U32, slots: I32, *, flags: int = 0
) -> None:
    """S5, S6: take the subtree's shadows out and publish this ordered array for all of it."""
    world.batch.add(obj, -1, world.own_frame(obj), ids=ids, slots=slots, flags=flags)
    world.batch.cross(world.graph)


def _cross(world: PhysicsWorld, objs: Iterable[int], route: int) -> None:
    for obj in objs:
        world.batch.add(obj, -1, world.own_frame(obj), route=route)
    world.batch.cross(world.graph)


def calc_cross_cells(world: PhysicsWorld, obj: int) -> None:
    """The dynamic route, published. Retail: @0x00515230."""
    _cross(world, [obj], position.DYNAMIC)


def calc_cross_cells_static(world: PhysicsWorld, obj: int) -> None:
    """S2: the static route, published. Retail: @0x00515160."""
    # contract: S2
    _cross(world, [obj], position.STATIC)


def recalc_cross_cells(world: PhysicsWorld, obj: int) -> None:
    """Each of the subtree by its own shape, parents first. Retail: @0x00515A30.

    The guard reads the position's id, not the cell; without a part array the children are not
    visited either.
    """
    found, waiting = [], [obj]
    objects = world.graph.arrays.objects
    while waiting:
        at = waiting.pop()
        if not objects["has_part_array"][at] or objects["objcell_id"][at] == 0:
            continue
        found.append(at)
        waiting.extend(reversed(list(world.graph.children_of(at))))
    _cross(world, found, position.DYNAMIC)


def cell_array(world: PhysicsWorld, obj: int, *, is_static: bool = False) -> tuple[U32, I32]:
    """The ordered array that the object's own shape gives now: ids and slots. Pure."""
    batch = world.batch
    while True:
        calc_cell_array(
            world.graph.arrays, obj, is_static, batch.ids, batch.slots, batch.head, batch.spheres
        )
        if batch.head[4] == 0:
            count = int(batch.head[0])
            return batch.ids[:count].copy(), batch.slots[:count].copy()
        batch.reserve(0, 2 * len(batch.ids))

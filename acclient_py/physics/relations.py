"""Parents and children of a world: what can be refused, and what an attach does (C11, C12).

What can be refused is before the first write. `PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt

from acclient_py.core import F32
from acclient_py.core.frame import Frame
from acclient_py.physics import cells, children
from acclient_py.physics.layout import (
    CAUSE_ATTACH,
    MARK_EXAMINATION,
)  # fmt: skip
from acclient_py.physics.posing import as_frame
from acclient_py.physics.state import (
    PhysicsState,
)  # fmt: skip

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


def refuse_parent(world: PhysicsWorld, child: int, parent: int, location: int) -> str | None:
    """Why an attach cannot be, or None; nothing is written (E3)."""
    # contract: E3, C17
    if child == parent:
        return "an object cannot hold itself"
    if children.closes_cycle(world.graph.arrays, child, parent):
        return "the parent hangs on the child"
    setup = world.setup_of(parent)
    if setup is None or location not in setup.holdings:
        return f"the parent has no holding location {location}"
    return None


def set_parent(world: PhysicsWorld, child: int, parent: int, location: int) -> str | None:
    """C11: hang a child on a holding location; why not, or None. Retail: @0x00515A90."""
    # contract: C11, E3
    reason = world.refuse_parent(child, parent, location)
    if reason is not None:
        return reason
    setup = world.setup_of(parent)
    assert setup is not None, "a parent without a setup was refused"
    holding = setup.holdings[location]
    _attach(world, child, parent, location, holding.part_index, holding.frame)
    if world.state_of(parent) & PhysicsState.HIDDEN:
        children.set_nodraw(world.graph.arrays, child, True)
    return None


def set_parent_frame(
    world: PhysicsWorld, child: int, parent: int, part_index: int, frame: Frame | npt.ArrayLike
) -> str | None:
    """The overload that takes part and frame; no HIDDEN step. Retail: @0x00515B50."""
    # contract: C11
    if child == parent:
        return "an object cannot hold itself"
    if children.closes_cycle(world.graph.arrays, child, parent):
        return "the parent hangs on the child"
    row = world.graph.arrays.objects[parent]
    if part_index != 0xFFFFFFFF and not 0 <= part_index < row["part_count"]:
        return f"the parent has no part {part_index}"
    part = -1 if part_index == 0xFFFFFFFF else part_index
    _attach(world, child, parent, 0, part, as_frame(frame))
    marks = world.graph.arrays.objects["marks"]
    kept = int(marks[child]) & ~MARK_EXAMINATION
    marks[child] = kept | (int(marks[parent]) & MARK_EXAMINATION)
    return None


def _attach(
    world: PhysicsWorld, child: int, parent: int, location: int, part: int, frame: F32
) -> None:
    """The writes of C11; everything that can be refused has been."""
    graph = world.graph
    world.unset_parent(child)
    world.withdraw(child, CAUSE_ATTACH, pending=True)
    children.append_child(graph.arrays, parent, child)
    row = graph.arrays.objects[child]
    row["location"] = location
    row["hold_part"] = part if 0 <= part <= 0x7FFFFFFF else -1  # no part: the parent itself
    row["hold_frame"] = frame
    cell = int(graph.arrays.objects["cell"][parent])
    if cell >= 0:
        world.write_cell(child, cell, CAUSE_ATTACH)
        world.update_child(child)
        world.recalc_cross_cells(child)
    else:
        cells.settle(graph.arrays, child, CAUSE_ATTACH)


def unset_parent(world: PhysicsWorld, child: int) -> None:
    """C12: out of the child list, without any cell work. Retail: @0x00513470."""
    # contract: C12
    parent = world.parent_of(child)
    if parent < 0:
        return
    children.remove_child(world.graph.arrays, child)
    if world.state_of(parent) & PhysicsState.HIDDEN:
        children.set_nodraw(world.graph.arrays, child, False)
    row = world.graph.arrays.objects[child]
    row["location"] = 0
    row["update_time"] = world.clock
    world.clear_transient_states(child)


def unparent_children(world: PhysicsWorld, obj: int) -> None:
    """Every child off, first to last, without cell work. Retail: @0x005134E0."""
    for child in list(world.children_of(obj)):
        world.unset_parent(child)

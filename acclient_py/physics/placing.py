"""Placing objects in a world: by force, by a search, or nowhere (spec 3.6, 3.7, contract C5, C9).

A position whose cell is not resident is no error: the object is lost until the cell comes, or for
25 seconds. `PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from acclient_py.core import F32
from acclient_py.core.frame import Frame, local_to_global
from acclient_py.core.ids import adjust_to_outside, inbound_valid_cellid
from acclient_py.physics import cells, position
from acclient_py.physics.layout import (
    CAUSE_FORCE,
    CAUSE_LOST,
    CAUSE_PLACE,
    CAUSE_STATIC,
    CAUSES,
)  # fmt: skip
from acclient_py.physics.posing import as_frame
from acclient_py.physics.state import (
    SetPositionError,
    SetPositionFlags,
)  # fmt: skip
from acclient_py.physics.transit import find_visible_child_cell
from acclient_py.physics.transition import Result

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


def add_obj_to_cell(
    world: PhysicsWorld,
    obj: int,
    cell: int,
    frame: Frame | npt.ArrayLike,
    *,
    cause: int = CAUSE_STATIC,
) -> None:
    """S1: into a cell at an authored frame, with static membership. Retail: @0x005159E0."""
    # contract: S1, C9
    world.write_cell(obj, cell, cause)
    world.set_frame(obj, frame)
    world.calc_cross_cells_static(obj)


def add_object_to_single_cell(
    world: PhysicsWorld, obj: int, cell: int, *, cause: int = CAUSE_PLACE
) -> None:  # fmt: skip
    """Into one cell and no other. Retail: @0x005149E0."""
    # contract: C9
    world.write_cell(obj, cell, cause)
    ids = world.graph.arrays.cells["id"][cell : cell + 1].astype(np.uint32)
    world.add_shadows_to_cells(obj, ids, np.array([cell], np.int32))


def force_into_cell(
    world: PhysicsWorld,
    obj: int,
    cell: int,
    frame: Frame | npt.ArrayLike,
    *,
    cause: int = CAUSE_FORCE,
) -> SetPositionError:
    """Into a cell without a test: the frame, the cell if it differs, the cross cells.

    Retail: CPhysicsObj::ForceIntoCell @0x00515660.
    """
    # contract: C9
    if cell < 0:
        return SetPositionError.NO_CELL
    world.set_frame(obj, frame)
    if world.graph.arrays.objects["cell"][obj] != cell:
        world.write_cell(obj, cell, cause)
    world.calc_cross_cells(obj)
    return SetPositionError.OK


def adjust_position(
    world: PhysicsWorld, cell_id: int, frame: F32, low: F32, *, search: bool = True
) -> tuple[int, int]:
    """(cell slot, id) that a position really has; id 0: there is none. frame is normalised.

    low : (3,) the first path sphere's centre, in the object's frame
    Retail: CPhysicsObj::AdjustPosition @0x00511D80.
    """
    if not inbound_valid_cellid(cell_id):
        return -1, 0
    if cell_id & 0xFFFF >= 0x100:
        slot = world.cell_slot(cell_id)
        if slot < 0:
            return -1, cell_id
        x, y, z = local_to_global(frame, low[0], low[1], low[2])
        found = find_visible_child_cell(world.graph.arrays, slot, x, y, z, search)
        if found >= 0:
            return found, int(world.graph.arrays.cells["id"][found])
        if not world.graph.arrays.cells["seen_outside"][slot]:
            return -1, cell_id
    ok, cell_id, frame[0], frame[1] = adjust_to_outside(cell_id, frame[0], frame[1])
    return (world.cell_slot(cell_id), cell_id) if ok else (-1, 0)


def real_cell(world: PhysicsWorld, obj: int, cell_id: int, frame: F32) -> tuple[int, int]:
    """`adjust_position` of an object by its own lowest sphere; what has none stands 0.1 m up."""
    setup = world.setup_of(obj)
    centre = np.zeros(3, np.float32)
    if setup is not None and len(setup.spheres):
        centre = setup.spheres[0, :3] * world.graph.arrays.objects["scale"][obj]
    else:
        centre[2] = 0.1
    return world.adjust_position(cell_id, frame, centre)


def enter_world(
    world: PhysicsWorld, obj: int, cell_id: int, frame: Frame | npt.ArrayLike, *, slide: bool = True
) -> SetPositionError:
    """Store the position and take a place near it (3.6). A child does not enter by itself."""
    world.store_position(obj, cell_id, frame)
    row = world.graph.arrays.objects[obj]
    if row["parent"] >= 0:
        return SetPositionError.GENERAL_FAILURE
    row["update_time"] = world.clock
    flags = SetPositionFlags.PLACEMENT | (SetPositionFlags.SLIDE if slide else SetPositionFlags(0))
    at = int(row["objcell_id"]) or cell_id
    error = world.set_position(obj, at, row["frame"], flags)
    if error == SetPositionError.OK and obj not in world.lost:
        world.set_active(obj, True)
    return error


def set_position(
    world: PhysicsWorld, obj: int, cell_id: int, frame: Frame | npt.ArrayLike,
    flags: int = SetPositionFlags.PLACEMENT, *, cause: str = "place",
) -> SetPositionError:  # fmt: skip
    """Place an object where it fits, as `SetPosition` does (3.6); what came of it.

    A position whose cell is not resident is no error: the object is lost until the cell comes.
    Retail: CPhysicsObj::SetPositionInternal @0x00515BD0.
    """
    made = as_frame(frame)
    if world.graph.arrays.objects["cell"][obj] < 0:
        world.prepare_to_enter_world(obj)
    slot, found_id = real_cell(world, obj, cell_id, made)
    if found_id == 0 or slot < 0:
        world.lose(obj, found_id or cell_id, made)
        return SetPositionError.OK
    slide = bool(flags & SetPositionFlags.SLIDE)
    result = world.transitions.place(
        obj, slot, cell_id=found_id, frame=made, slide=slide,
        do_not_load=bool(flags & SetPositionFlags.DONOTCREATECELLS),
    )  # fmt: skip
    if not result.ok or (not slide and not _is_exact(result, slot, made)):
        if result.touched:
            return SetPositionError.COLLIDED
        return SetPositionError.NO_VALID_POSITION
    if result.curr_cell < 0:
        return SetPositionError.NO_CELL
    world.commit(obj, result, cause=CAUSES.index(cause))
    return SetPositionError.OK


def _is_exact(result: Result, slot: int, asked: F32) -> bool:
    """Retail compares signed differences, without an absolute value."""
    dx = result.curr[0] - asked[0]
    dy = result.curr[1] - asked[1]
    return bool(dx < 0.05 and dy < 0.05 and result.curr_cell == slot)


def commit(world: PhysicsWorld, obj: int, result: Result, *, cause: int) -> None:
    """C5, C6 for one object: what a transition found."""
    # contract: C5
    if result.curr_cell < 0:
        world.lose(obj, result.curr_id, result.curr.astype(np.float32))
        return
    world.batch.add(
        obj, result.curr_cell, result.curr.astype(np.float32), cell_id=result.curr_id,
        cause=cause, ids=result.cell_ids, slots=result.cell_slots,
        flags=(position.FLAG_MISSED if result.missed else 0)
        | (position.FLAG_OUTSIDE if result.added_outside else 0)
        | (position.FLAG_DO_NOT_LOAD if result.do_not_load_cells else 0),
    )  # fmt: skip
    world.batch.commit(world.graph)
    world.transitions.settle(obj)


def lose(world: PhysicsWorld, obj: int, cell_id: int, frame: F32) -> None:
    """C5 without a cell: out of the lists, the position stored, into the lost cell."""
    # contract: C5
    world.prepare_to_leave_visibility(obj)
    world.store_position(obj, cell_id, frame)
    _go_to_lost_cell(world, obj)
    world.set_active(obj, False)


def _go_to_lost_cell(world: PhysicsWorld, obj: int) -> None:
    row = world.graph.arrays.objects[obj]
    if row["parent"] < 0:
        cells.set_cell_id(world.graph.arrays, obj, int(row["objcell_id"]))
        world.lost.add(obj, int(row["objcell_id"]))


def prepare_to_enter_world(world: PhysicsWorld, obj: int) -> None:
    """Out of the lost cell, no deadline for it and its children, active. 0x00511FA0."""
    world.graph.arrays.objects["update_time"][obj] = world.clock
    _remove_from_lost_cell(world, obj)
    world.lost.reprieve(obj)
    for child in world.children_of(obj):
        world.lost.reprieve(child)
    world.set_active(obj, True)


def _remove_from_lost_cell(world: PhysicsWorld, obj: int) -> None:
    row = world.graph.arrays.objects[obj]
    if row["cell"] < 0 and row["parent"] < 0:
        world.lost.remove(obj)


def prepare_to_leave_visibility(world: PhysicsWorld, obj: int, *, cause: int = CAUSE_LOST) -> None:
    """Shadows out, cells left, 25 s for the object and each direct child. 0x00511F40."""
    # contract: C5
    world.remove_shadows_from_cells(obj)
    _remove_from_lost_cell(world, obj)
    world.leave_cell(obj, cause)
    world.lost.condemn(obj, world.clock)
    for child in world.children_of(obj):
        world.lost.condemn(child, world.clock)


def leave_visibility(world: PhysicsWorld, obj: int) -> None:
    """What happens to an object whose cell goes away (3.7)."""
    row = world.graph.arrays.objects[obj]
    world.lose(obj, int(row["objcell_id"]), row["frame"].copy())


def reenter_visibility(world: PhysicsWorld, obj: int) -> SetPositionError:
    """What happens to a lost object whose cell has come (3.6)."""
    row = world.graph.arrays.objects[obj]
    return world.set_position(
        obj, int(row["objcell_id"]), row["frame"].copy(),
        SetPositionFlags.PLACEMENT | SetPositionFlags.SLIDE,
    )  # fmt: skip

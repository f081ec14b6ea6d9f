"""The physics world: every event of the graph, as a call (contract C, S, E).

It holds the graph, who waits for a lost cell, and which rows belong to which landblock. Calls
check what can be refused before the first write and say why (E3); what they then do, they do whole.
A cell is written by `cells.py` alone, a shadow by `shadow.py`; this module says in which order.

`acclient_py.physics.arrival` brings landblocks and env cells in and out on the same graph.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from acclient_py.core import F32, I32, U8, U32, Struct
from acclient_py.core.frame import Frame, local_to_global
from acclient_py.core.ids import adjust_to_outside, get_block_offset, hex8, inbound_valid_cellid
from acclient_py.physics import cells, children, position, shadow
from acclient_py.physics.arrival import Arrivals, Scenery
from acclient_py.physics.blocks import Blocks
from acclient_py.physics.bodies import Bodies
from acclient_py.physics.check import InvariantError, check_graph
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    BUILDING,
    CAUSE_ATTACH,
    CAUSE_DELETE,
    CAUSE_FORCE,
    CAUSE_LOST,
    CAUSE_PLACE,
    CAUSE_STATIC,
    CAUSE_WITHDRAW,
    CAUSES,
    EVENT_CELL_WRITE,
    FREE,
    MARK_EXAMINATION,
    MARK_LATE,
    OBJECT,
)  # fmt: skip
from acclient_py.physics.lost import LostCells
from acclient_py.physics.movement import Movement
from acclient_py.physics.objects import Objects
from acclient_py.physics.state import (
    PhysicsState,
    SetPositionError,
    SetPositionFlags,
    TransientState,
)  # fmt: skip
from acclient_py.physics.transit import calc_cell_array, find_visible_child_cell, point_in_cell
from acclient_py.physics.transition import Result, Transitions
from acclient_py.world.cell import EnvCellModel
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models, SetupModel

log = logging.getLogger(__name__)

QUANTUM: Final = 1.0 / 30.0

_LEFT: Final = 0x1F4 | 0xB  # every transient bit that leaving the world clears
_NONE: Final = np.zeros(1, np.int32)


class PhysicsWorld:
    """All objects and cells of one session."""

    def __init__(self, models: Models, *, scenery: Scenery | None = None) -> None:
        """scenery : what the region's rules put on a block; None: nothing."""
        self.models = models
        self.graph = Graph(models.gfx_rows)
        self.objects = Objects(self.graph, models)
        self.blocks = Blocks(self.graph)
        self.lost = LostCells()
        self.bodies = Bodies()
        self.transitions = Transitions(self.graph, models, self.bodies)
        self.movement = Movement(self)
        self.batch = position.Batch()
        self.clock = 0.0
        """Seconds of simulated time."""
        self.player = -1
        self.turned: set[int] = set()
        """Objects that became emitters or ceased to be, for `check`."""
        self.statics: dict[int, list[int]] = {}
        """By landblock or env cell id: its statics in source order, -1 for an empty slot."""
        self.buildings: dict[int, list[int]] = {}
        """By landblock id: rows of `buildings`, in source order."""
        self.arrivals = Arrivals(self, scenery=scenery)
        self._one: tuple[I32, I32, U32, U8] = (
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.zeros(1, np.uint32),
            np.zeros(1, np.uint8),
        )

    # making and reading ----------------------------------------------------------------

    def refuse_object(self, did: int) -> str | None:
        """Why no object can be made of a data id, or None."""
        if did >> 24 not in (0x00, 0x01, 0x02):
            return f"{hex8(did)} is neither a Setup nor a GfxObj"
        if did and self.models.setup(did).part_count == 0:
            return f"{hex8(did)} has no parts"
        return None

    def make_object(
        self, did: int, *, guid: int = 0, instance: int = 0, dynamic: bool = True,
        state: int | None = None, scale: float = 1.0,
    ) -> int:  # fmt: skip
        """A new object, in no cell; its index. An id of 0 gives one without a part array.

        state : taken verbatim when given (4.1), else what the Setup and `dynamic` make it
        Retail: CPhysicsObj::makeObject.
        """
        obj = self.objects.make(did, is_static=not dynamic, scale=scale)
        row = self.graph.arrays.objects[obj]
        row["guid"], row["instance"] = guid, instance
        row["update_time"] = self.clock
        self.bodies.reset(obj, int(row["generation"]))
        setup = self.setup_of(obj)
        if setup is not None and setup.default_animation:
            self.movement.start_animation(obj, setup.default_animation)
        if state is not None:
            self.set_state(obj, state)
        self._push_frame(obj)
        return obj

    def row(self, obj: int) -> Struct:
        """The object's row, a view that cannot be written."""
        view = self.graph.arrays.objects[obj : obj + 1]
        view.flags.writeable = False
        found: Struct = view[0]
        return found

    def setup_of(self, obj: int) -> SetupModel | None:
        """The setup of an object's part array."""
        return self.objects.setups.get(obj)

    def cell_slot(self, cell_id: int) -> int:
        """The slot of a resident cell, or -1."""
        return self.graph.cell_slot(cell_id)

    def full_cell_id(self, obj: int) -> int:
        """The cell's id while resident, else 0 (D1)."""
        return self.graph.full_cell_id(obj)

    def parent_of(self, obj: int) -> int:
        """The parent, or -1."""
        return int(self.graph.arrays.objects["parent"][obj])

    def location_of(self, obj: int) -> int:
        """The holding location that a child hangs at."""
        return int(self.graph.arrays.objects["location"][obj])

    def children_of(self, obj: int) -> Iterator[int]:
        """The children in child-list order."""
        return self.graph.children_of(obj)

    def frame_of(self, obj: int) -> Frame:
        """The object's frame, local to the block of its id."""
        return Frame.of(self.graph.arrays.objects["frame"][obj])

    def state_of(self, obj: int) -> PhysicsState:
        """The state word."""
        return PhysicsState(int(self.graph.arrays.objects["state"][obj]))

    def is_resident(self, obj: int) -> bool:
        """Whether the object is in a cell."""
        return bool(self.graph.arrays.objects["cell"][obj] >= 0)

    def lost_count(self) -> int:
        """How many objects wait for a cell."""
        return len(self.lost)

    def player_distance(self, obj: int) -> float:
        """Metres from the player's origin to the object's; infinite without a player."""
        if self.player < 0:
            return float("inf")
        a, b = self.graph.arrays.objects[self.player], self.graph.arrays.objects[obj]
        dx, dy = get_block_offset(int(a["objcell_id"]), int(b["objcell_id"]))
        x, y, z = (np.float32(b["frame"][i]) - np.float32(a["frame"][i]) for i in range(3))
        return float(np.sqrt((x + dx) * (x + dx) + (y + dy) * (y + dy) + z * z))

    # the funnel ------------------------------------------------------------------------

    def _write_cell(self, obj: int, cell: int, cause: int, cell_id: int = 0) -> None:
        roots, targets, ids, causes = self._one
        roots[0], targets[0], ids[0], causes[0] = obj, cell, cell_id, cause
        self._room_for_events(obj)
        cells.write_cells(self.graph.arrays, roots, targets, ids, causes)

    def _leave_cell(self, obj: int, cause: int, *, pending: bool = False) -> None:
        self._room_for_events(obj)
        cells.leave_cell(self.graph.arrays, obj, cause, pending)

    def _room_for_events(self, obj: int) -> None:
        if self.graph.recording:
            position.reserve_events(self.graph, [obj], 1)

    def change_cell(self, obj: int, cell: int, *, cause: int = CAUSE_PLACE) -> None:
        """C1: to a cell slot, or with -1 out of the world; the subtree follows."""
        # contract: C1
        self._write_cell(obj, cell, cause if cell >= 0 else CAUSE_WITHDRAW)

    def remove_shadows_from_cells(self, obj: int) -> None:
        """S8: every shadow and part of the subtree out of its cell."""
        # contract: S8
        roots = self._one[0]
        roots[0] = obj
        self._room_for_events(obj)
        counts = np.full(1, -1, np.int32)
        shadow.republish(
            self.graph.arrays, roots, _NONE, counts, self.batch.ids, self.batch.slots,
            np.zeros(1, np.uint8), 0, self.batch.need,
        )  # fmt: skip

    def add_shadows_to_cells(self, obj: int, ids: U32, slots: I32, *, flags: int = 0) -> None:
        """S5, S6: take the subtree's shadows out and publish this ordered array for all of it."""
        self.batch.add(obj, -1, self._frame(obj), ids=ids, slots=slots, flags=flags)
        self.batch.cross(self.graph)

    def _cross(self, objs: Iterable[int], route: int) -> None:
        for obj in objs:
            self.batch.add(obj, -1, self._frame(obj), route=route)
        self.batch.cross(self.graph)

    def calc_cross_cells(self, obj: int) -> None:
        """The dynamic route, published. Retail: @0x00515230."""
        self._cross([obj], position.DYNAMIC)

    def calc_cross_cells_static(self, obj: int) -> None:
        """S2: the static route, published. Retail: @0x00515160."""
        # contract: S2
        self._cross([obj], position.STATIC)

    def recalc_cross_cells(self, obj: int) -> None:
        """Each of the subtree by its own shape, parents first. Retail: @0x00515A30.

        The guard reads the position's id, not the cell; without a part array the children are not
        visited either.
        """
        found, waiting = [], [obj]
        objects = self.graph.arrays.objects
        while waiting:
            at = waiting.pop()
            if not objects["has_part_array"][at] or objects["objcell_id"][at] == 0:
                continue
            found.append(at)
            waiting.extend(reversed(list(self.graph.children_of(at))))
        self._cross(found, position.DYNAMIC)

    def cell_array(self, obj: int, *, is_static: bool = False) -> tuple[U32, I32]:
        """The ordered array that the object's own shape gives now: ids and slots. Pure."""
        batch = self.batch
        while True:
            calc_cell_array(
                self.graph.arrays, obj, is_static, batch.ids, batch.slots, batch.head, batch.spheres
            )
            if batch.head[4] == 0:
                count = int(batch.head[0])
                return batch.ids[:count].copy(), batch.slots[:count].copy()
            batch.reserve(0, 2 * len(batch.ids))

    # frames ----------------------------------------------------------------------------

    def _frame(self, obj: int) -> F32:
        frame: F32 = self.graph.arrays.objects["frame"][obj].copy()
        return frame

    def _push_frame(self, obj: int) -> None:
        self.set_frame(obj, self._frame(obj))

    def set_frame(self, obj: int, frame: Frame | npt.ArrayLike) -> None:
        """Write the frame; parts, lights and descendants follow. No cell work."""
        roots = self._one[0]
        roots[0] = obj
        children.set_frames(self.graph.arrays, roots, as_frame(frame).reshape(1, 7))

    def update_child(self, child: int) -> None:
        """C13: put a child where its holding place is now."""
        # contract: C13
        out = np.zeros(7, np.float32)
        children.held_frame(self.graph.arrays, child, out)
        self.set_frame(child, out)

    def update_children(self, obj: int) -> None:
        """`UpdateChildrenInternal`: every child in order; needs a part array."""
        if self.graph.arrays.objects["has_part_array"][obj]:
            for child in list(self.children_of(obj)):
                self.update_child(child)

    def has_anims(self, obj: int) -> bool:
        """Whether an animation gives the pose, so that placements do not matter."""
        return self.objects.has_anims(obj)

    def set_placement_frame(self, obj: int, key: int) -> bool:
        """The Setup's placement, and the frame pushed into the parts; False without one (6.2)."""
        found = self.objects.set_placement(obj, key)
        if not self.state_of(obj) & PhysicsState.PARTICLE_EMITTER:
            self._push_frame(obj)
        return found

    def pose_rows(self, obj: int) -> slice:
        """The object's own rows of `graph.arrays.poses`, to be written before a `set_frame`."""
        first, count = self.objects.own_pose(obj)
        return slice(first, first + count)

    def set_pose(self, obj: int, frames: F32) -> None:
        """Pose all parts, (n, 7) relative to the object, and recompose; missing ones stay."""
        rows = self.pose_rows(obj)
        count = min(len(frames), rows.stop - rows.start)
        self.graph.arrays.poses[rows.start : rows.start + count] = frames[:count]
        self._push_frame(obj)

    def set_scale(self, obj: int, scale: float) -> None:
        """The object's scale; parts are recomposed."""
        self.objects.set_scale(obj, scale)
        self._push_frame(obj)

    def store_position(self, obj: int, cell_id: int, frame: Frame | npt.ArrayLike) -> None:
        """Id and frame, no cell and no list; outdoors the id follows the point. 0x005141A0."""
        made = as_frame(frame)
        if cell_id & 0xFFFF < 0x100:
            _, cell_id, made[0], made[1] = adjust_to_outside(cell_id, made[0], made[1])
        cells.set_cell_id(self.graph.arrays, obj, cell_id)
        self.set_frame(obj, made)

    # placing ---------------------------------------------------------------------------

    def add_obj_to_cell(
        self, obj: int, cell: int, frame: Frame | npt.ArrayLike, *, cause: int = CAUSE_STATIC
    ) -> None:
        """S1: into a cell at an authored frame, with static membership. Retail: @0x005159E0."""
        # contract: S1, C9
        self._write_cell(obj, cell, cause)
        self.set_frame(obj, frame)
        self.calc_cross_cells_static(obj)

    def add_object_to_single_cell(
        self, obj: int, cell: int, *, cause: int = CAUSE_PLACE
    ) -> None:  # fmt: skip
        """Into one cell and no other. Retail: @0x005149E0."""
        # contract: C9
        self._write_cell(obj, cell, cause)
        ids = self.graph.arrays.cells["id"][cell : cell + 1].astype(np.uint32)
        self.add_shadows_to_cells(obj, ids, np.array([cell], np.int32))

    def force_into_cell(
        self, obj: int, cell: int, frame: Frame | npt.ArrayLike, *, cause: int = CAUSE_FORCE
    ) -> SetPositionError:
        """Into a cell without a test: the frame, the cell if it differs, the cross cells.

        Retail: CPhysicsObj::ForceIntoCell @0x00515660.
        """
        # contract: C9
        if cell < 0:
            return SetPositionError.NO_CELL
        self.set_frame(obj, frame)
        if self.graph.arrays.objects["cell"][obj] != cell:
            self._write_cell(obj, cell, cause)
        self.calc_cross_cells(obj)
        return SetPositionError.OK

    def adjust_position(
        self, cell_id: int, frame: F32, low: F32, *, search: bool = True
    ) -> tuple[int, int]:
        """(cell slot, id) that a position really has; id 0: there is none. frame is normalised.

        low : (3,) the first path sphere's centre, in the object's frame
        Retail: CPhysicsObj::AdjustPosition @0x00511D80.
        """
        if not inbound_valid_cellid(cell_id):
            return -1, 0
        if cell_id & 0xFFFF >= 0x100:
            slot = self.cell_slot(cell_id)
            if slot < 0:
                return -1, cell_id
            x, y, z = local_to_global(frame, low[0], low[1], low[2])
            found = find_visible_child_cell(self.graph.arrays, slot, x, y, z, search)
            if found >= 0:
                return found, int(self.graph.arrays.cells["id"][found])
            if not self.graph.arrays.cells["seen_outside"][slot]:
                return -1, cell_id
        ok, cell_id, frame[0], frame[1] = adjust_to_outside(cell_id, frame[0], frame[1])
        return (self.cell_slot(cell_id), cell_id) if ok else (-1, 0)

    def enter_world(
        self, obj: int, cell_id: int, frame: Frame | npt.ArrayLike, *, slide: bool = True
    ) -> SetPositionError:
        """Store the position and take a place near it (3.6). A child does not enter by itself."""
        self.store_position(obj, cell_id, frame)
        row = self.graph.arrays.objects[obj]
        if row["parent"] >= 0:
            return SetPositionError.GENERAL_FAILURE
        row["update_time"] = self.clock
        flags = SetPositionFlags.PLACEMENT | (
            SetPositionFlags.SLIDE if slide else SetPositionFlags(0)
        )
        at = int(row["objcell_id"]) or cell_id
        error = self.set_position(obj, at, row["frame"], flags)
        if error == SetPositionError.OK and obj not in self.lost:
            self.set_active(obj, True)
        return error

    def set_position(
        self, obj: int, cell_id: int, frame: Frame | npt.ArrayLike,
        flags: int = SetPositionFlags.PLACEMENT, *, cause: str = "place",
    ) -> SetPositionError:  # fmt: skip
        """Place an object where it fits, as `SetPosition` does (3.6); what came of it.

        A position whose cell is not resident is no error: the object is lost until the cell comes.
        Retail: CPhysicsObj::SetPositionInternal @0x00515BD0.
        """
        made = as_frame(frame)
        if self.graph.arrays.objects["cell"][obj] < 0:
            self.prepare_to_enter_world(obj)
        setup = self.setup_of(obj)
        centre = np.zeros(3, np.float32)
        if setup is not None and len(setup.spheres):
            centre = setup.spheres[0, :3] * self.graph.arrays.objects["scale"][obj]
        else:
            centre[2] = 0.1
        slot, found_id = self.adjust_position(cell_id, made, centre)
        if found_id == 0 or slot < 0:
            self.lose(obj, found_id or cell_id, made)
            return SetPositionError.OK
        slide = bool(flags & SetPositionFlags.SLIDE)
        result = self.transitions.place(
            obj, slot, cell_id=found_id, frame=made, slide=slide,
            do_not_load=bool(flags & SetPositionFlags.DONOTCREATECELLS),
        )  # fmt: skip
        if not result.ok or (not slide and not self._is_exact(result, slot, made)):
            if result.touched:
                return SetPositionError.COLLIDED
            return SetPositionError.NO_VALID_POSITION
        if result.curr_cell < 0:
            return SetPositionError.NO_CELL
        self.commit(obj, result, cause=CAUSES.index(cause))
        return SetPositionError.OK

    @staticmethod
    def _is_exact(result: Result, slot: int, asked: F32) -> bool:
        """Retail compares signed differences, without an absolute value."""
        dx = result.curr[0] - asked[0]
        dy = result.curr[1] - asked[1]
        return bool(dx < 0.05 and dy < 0.05 and result.curr_cell == slot)

    def commit(self, obj: int, result: Result, *, cause: int) -> None:
        """C5, C6 for one object: what a transition found."""
        # contract: C5
        if result.curr_cell < 0:
            self.lose(obj, result.curr_id, result.curr.astype(np.float32))
            return
        self.batch.add(
            obj, result.curr_cell, result.curr.astype(np.float32), cell_id=result.curr_id,
            cause=cause, ids=result.cell_ids, slots=result.cell_slots,
            flags=(position.FLAG_MISSED if result.missed else 0)
            | (position.FLAG_OUTSIDE if result.added_outside else 0)
            | (position.FLAG_DO_NOT_LOAD if result.do_not_load_cells else 0),
        )  # fmt: skip
        self.batch.commit(self.graph)
        self.transitions.settle(obj)

    def lose(self, obj: int, cell_id: int, frame: F32) -> None:
        """C5 without a cell: out of the lists, the position stored, into the lost cell."""
        # contract: C5
        self.prepare_to_leave_visibility(obj)
        self.store_position(obj, cell_id, frame)
        self._go_to_lost_cell(obj)
        self.set_active(obj, False)

    def _go_to_lost_cell(self, obj: int) -> None:
        row = self.graph.arrays.objects[obj]
        if row["parent"] < 0:
            cells.set_cell_id(self.graph.arrays, obj, int(row["objcell_id"]))
            self.lost.add(obj, int(row["objcell_id"]))

    def prepare_to_enter_world(self, obj: int) -> None:
        """Out of the lost cell, no deadline for it and its children, active. 0x00511FA0."""
        self.graph.arrays.objects["update_time"][obj] = self.clock
        self._remove_from_lost_cell(obj)
        self.lost.reprieve(obj)
        for child in self.children_of(obj):
            self.lost.reprieve(child)
        self.set_active(obj, True)

    def _remove_from_lost_cell(self, obj: int) -> None:
        row = self.graph.arrays.objects[obj]
        if row["cell"] < 0 and row["parent"] < 0:
            self.lost.remove(obj)

    def prepare_to_leave_visibility(self, obj: int, *, cause: int = CAUSE_LOST) -> None:
        """Shadows out, cells left, 25 s for the object and each direct child. 0x00511F40."""
        # contract: C5
        self.remove_shadows_from_cells(obj)
        self._remove_from_lost_cell(obj)
        self._leave_cell(obj, cause)
        self.lost.condemn(obj, self.clock)
        for child in self.children_of(obj):
            self.lost.condemn(child, self.clock)

    def leave_visibility(self, obj: int) -> None:
        """What happens to an object whose cell goes away (3.7)."""
        row = self.graph.arrays.objects[obj]
        self.lose(obj, int(row["objcell_id"]), row["frame"].copy())

    def reenter_visibility(self, obj: int) -> SetPositionError:
        """What happens to a lost object whose cell has come (3.6)."""
        row = self.graph.arrays.objects[obj]
        return self.set_position(
            obj, int(row["objcell_id"]), row["frame"].copy(),
            SetPositionFlags.PLACEMENT | SetPositionFlags.SLIDE,
        )  # fmt: skip

    # leaving ---------------------------------------------------------------------------

    def exit_world(self, obj: int) -> None:
        """The handlers of an exit; no cell work (3.7)."""

    def leave_world(self, obj: int, *, cause: int = CAUSE_WITHDRAW) -> None:
        """C4: out of every list with the subtree; its own id becomes 0. Retail: @0x005155A0."""
        # contract: C4
        self._leave_world(obj, cause, pending=False)

    def _leave_world(self, obj: int, cause: int, *, pending: bool) -> None:
        self.lost.remove(obj)
        self.lost.reprieve(obj)
        self.set_active(obj, False)
        self.remove_shadows_from_cells(obj)
        self._leave_cell(obj, cause, pending=pending)
        cells.withdraw_id(self.graph.arrays, obj)
        self.clear_transient_states(obj)

    def clear_transient_states(self, obj: int) -> None:
        """Contact and all that rests on it (4.2). Retail: @0x00511BF0."""
        row = self.graph.arrays.objects[obj]
        row["transient"] = int(row["transient"]) & ~_LEFT & 0xFFFFFFFF

    def delete_object(self, obj: int) -> None:
        """E8: leave with the children attached, then unmake the relations; the row is freed.

        Retail: CObjectMaint::DeleteObject @0x00508460.
        """
        # contract: E8
        self.exit_world(obj)
        self.leave_world(obj, cause=CAUSE_DELETE)
        self.unset_parent(obj)
        self.unparent_children(obj)
        if self.player == obj:
            self.player = -1
        row = self.graph.arrays.objects[obj]
        made = self.statics.get(int(row["home_id"]), [])
        if row["home_index"] < len(made) and made[row["home_index"]] == obj:
            made[row["home_index"]] = -1  # its block must not free it again
        self.movement.forget(obj)
        self.turned.discard(obj)
        shadow.free_slabs(self.graph.arrays, obj)
        self.objects.free(obj)

    # relations -------------------------------------------------------------------------

    def refuse_parent(self, child: int, parent: int, location: int) -> str | None:
        """Why an attach cannot be, or None; nothing is written (E3)."""
        # contract: E3, C17
        if child == parent:
            return "an object cannot hold itself"
        if children.closes_cycle(self.graph.arrays, child, parent):
            return "the parent hangs on the child"
        setup = self.setup_of(parent)
        if setup is None or location not in setup.holdings:
            return f"the parent has no holding location {location}"
        return None

    def set_parent(self, child: int, parent: int, location: int) -> str | None:
        """C11: hang a child on a holding location; why not, or None. Retail: @0x00515A90."""
        # contract: C11, E3
        reason = self.refuse_parent(child, parent, location)
        if reason is not None:
            return reason
        setup = self.setup_of(parent)
        assert setup is not None, "a parent without a setup was refused"
        holding = setup.holdings[location]
        self._attach(child, parent, location, holding.part_index, holding.frame)
        if self.state_of(parent) & PhysicsState.HIDDEN:
            children.set_nodraw(self.graph.arrays, child, True)
        return None

    def set_parent_frame(
        self, child: int, parent: int, part_index: int, frame: Frame | npt.ArrayLike
    ) -> str | None:
        """The overload that takes part and frame; no HIDDEN step. Retail: @0x00515B50."""
        # contract: C11
        if child == parent:
            return "an object cannot hold itself"
        if children.closes_cycle(self.graph.arrays, child, parent):
            return "the parent hangs on the child"
        row = self.graph.arrays.objects[parent]
        if part_index != 0xFFFFFFFF and not 0 <= part_index < row["part_count"]:
            return f"the parent has no part {part_index}"
        part = -1 if part_index == 0xFFFFFFFF else part_index
        self._attach(child, parent, 0, part, as_frame(frame))
        marks = self.graph.arrays.objects["marks"]
        kept = int(marks[child]) & ~MARK_EXAMINATION
        marks[child] = kept | (int(marks[parent]) & MARK_EXAMINATION)
        return None

    def _attach(self, child: int, parent: int, location: int, part: int, frame: F32) -> None:
        """The writes of C11; everything that can be refused has been."""
        graph = self.graph
        self.unset_parent(child)
        self._leave_world(child, CAUSE_ATTACH, pending=True)
        children.append_child(graph.arrays, parent, child)
        row = graph.arrays.objects[child]
        row["location"] = location
        row["hold_part"] = part if 0 <= part <= 0x7FFFFFFF else -1  # no part: the parent itself
        row["hold_frame"] = frame
        cell = int(graph.arrays.objects["cell"][parent])
        if cell >= 0:
            self._write_cell(child, cell, CAUSE_ATTACH)
            self.update_child(child)
            self.recalc_cross_cells(child)
        else:
            cells.settle(graph.arrays, child, CAUSE_ATTACH)

    def unset_parent(self, child: int) -> None:
        """C12: out of the child list, without any cell work. Retail: @0x00513470."""
        # contract: C12
        parent = self.parent_of(child)
        if parent < 0:
            return
        children.remove_child(self.graph.arrays, child)
        if self.state_of(parent) & PhysicsState.HIDDEN:
            children.set_nodraw(self.graph.arrays, child, False)
        row = self.graph.arrays.objects[child]
        row["location"] = 0
        row["update_time"] = self.clock
        self.clear_transient_states(child)

    def unparent_children(self, obj: int) -> None:
        """Every child off, first to last, without cell work. Retail: @0x005134E0."""
        for child in list(self.children_of(obj)):
            self.unset_parent(child)

    # state -----------------------------------------------------------------------------

    def set_active(self, obj: int, on: bool) -> None:
        """The active bit; a static object is never active (4.2)."""
        row = self.graph.arrays.objects[obj]
        if not on:
            row["transient"] = int(row["transient"]) & ~TransientState.ACTIVE & 0xFFFFFFFF
        elif not row["state"] & PhysicsState.STATIC:
            if not row["transient"] & TransientState.ACTIVE:
                row["update_time"] = self.clock
            row["transient"] = int(row["transient"]) | TransientState.ACTIVE

    def set_state(self, obj: int, state: int) -> None:
        """The new word, verbatim, and what changes with it. Retail: @0x00514DD0."""
        # contract: E10
        row = self.graph.arrays.objects[obj]
        changed = int(row["state"]) ^ state
        row["state"] = state
        if changed & PhysicsState.PARTICLE_EMITTER and row["cell"] >= 0:
            self.turned.add(obj)
        if changed & PhysicsState.LIGHTING_ON:
            self._relight(obj)
        if changed & PhysicsState.NODRAW:
            children.set_nodraw(self.graph.arrays, obj, bool(state & PhysicsState.NODRAW))
        if changed & PhysicsState.HIDDEN:
            self.set_hidden(obj, bool(state & PhysicsState.HIDDEN))

    def _relight(self, obj: int) -> None:
        graph = self.graph
        row = graph.arrays.objects[obj]
        first, count = int(row["light_first"]), int(row["light_count"])
        for light in range(first, first + count):
            cells.darken(graph.arrays, light)
        self.objects.sync_lights(obj)
        cells.light_up(graph.arrays, obj)
        if graph.arrays.objects["light_count"][obj]:
            self._push_frame(obj)

    def set_nodraw(self, obj: int, on: bool) -> None:
        """NODRAW and the parts' draw flag."""
        children.set_nodraw(self.graph.arrays, obj, on)

    def set_hidden(self, obj: int, on: bool) -> None:
        """HIDDEN, and NODRAW on each direct child; no list is touched. Retail: @0x00514C60."""
        # contract: E10
        row = self.graph.arrays.objects[obj]
        state = int(row["state"])
        report, ignore = PhysicsState.REPORT_COLLISIONS, PhysicsState.IGNORE_COLLISIONS
        if on:
            state = (state | PhysicsState.HIDDEN | ignore) & ~report
        else:
            state = (state | report) & ~(PhysicsState.HIDDEN | ignore)
        row["state"] = state & 0xFFFFFFFF
        for child in self.children_of(obj):
            children.set_nodraw(self.graph.arrays, child, on)

    def set_part(self, obj: int, index: int, gfx: int) -> None:
        """Another mesh for one part, in the cells where the object's shadows are (3.3)."""
        self.remove_part_from_shadow_cells(obj, index)
        self.objects.set_part(obj, index, gfx)
        self.add_part_to_shadow_cells(obj, index)

    def remove_part_from_shadow_cells(self, obj: int, index: int) -> None:
        """A single part out of every live shadow cell. Retail: @0x00510E70."""
        self._room_for_events(obj)
        shadow.remove_part_from_shadow_cells(self.graph.arrays, obj, index)

    def add_part_to_shadow_cells(self, obj: int, index: int) -> None:
        """A single part into every live shadow cell, without planes. Retail: @0x00510E00."""
        graph = self.graph
        self._room_for_events(obj)
        shadow.part_room(graph.arrays, obj, self.batch.need)
        graph.reserve(entries=int(self.batch.need[2]))
        shadow.add_part_to_shadow_cells(graph.arrays, obj, index)

    # blocks and cells ------------------------------------------------------------------

    def add_landblock(self, landblock: Landblock, side: int = 8) -> list[int]:
        """Bring one block in with buildings, statics and all of its env cells; new cell slots.

        `arrivals.arrive` brings many at once, and those env cells alone that retail would see.
        """
        count = landblock.info.cell_count if landblock.info is not None else 0
        first = (landblock.id & 0xFFFF0000) + 0x100
        return self.arrivals.arrive([(landblock, side)], range(first, first + count))

    def remove_landblock(self, block_id: int) -> None:
        """S11: take out exactly what came with a block, its env cells too."""
        # contract: S11
        self.arrivals.remove_landblock(block_id)

    def add_env_cell(self, cell: EnvCellModel | int) -> int:
        """Bring one env cell in with its statics; its slot, or -1 when there is none."""
        self.arrivals.arrive((), [cell])
        return self.cell_slot(cell if isinstance(cell, int) else cell.id)

    def remove_env_cell(self, cell_id: int) -> None:
        """Take one env cell out."""
        self.arrivals.remove_env_cells([cell_id])

    # time and truth --------------------------------------------------------------------

    def tick(self) -> None:
        """One quantum of 1/30 s: everything moves, then deadlines fall (register D8)."""
        # divergence: D8
        self.movement.tick(QUANTUM)
        self.use_time(self.clock + QUANTUM)

    def is_ticking(self, obj: int) -> bool:
        """Whether the next tick updates an object by itself (C8)."""
        return self.movement.is_ticking(obj)

    def use_time(self, now: float) -> list[int]:
        """Set the clock; delete those whose deadline has passed, and say which (3.8)."""
        self.clock = now
        due = self.lost.due(now)
        alive = [obj for obj in due if self.graph.arrays.objects["kind"][obj] == OBJECT]
        for obj in alive:
            self.delete_object(obj)
        return alive

    def is_completely_visible(self, obj: int) -> bool:
        """Has a cell, has shadows, and none without a cell. Retail: @0x005112C0."""
        # contract: S11
        if self.graph.arrays.objects["cell"][obj] < 0:
            return False
        mine = self.graph.shadows_on(obj)
        return len(mine) > 0 and bool(np.all(mine["cell"] >= 0))

    def needs_repair(self, obj: int) -> bool:
        """Not completely visible, or marked because a late cell may matter (register D12)."""
        late = bool(self.graph.arrays.objects["marks"][obj] & MARK_LATE)
        return late or not self.is_completely_visible(obj)

    def check(self) -> None:
        """Raise InvariantError, naming the clause, if the graph is not what it must be."""
        check_graph(self.graph, self.turned)
        for cell_id, waiting in self.lost.by_cell():
            for obj in waiting:
                row = self.graph.arrays.objects[obj]
                if row["cell"] >= 0 or row["objcell_id"] != cell_id:
                    raise InvariantError("C5", f"object {obj} waits for {hex8(cell_id)} and is not")

    def point_in_cell(self, cell: int, x: float, y: float, z: float) -> bool:
        """Whether a point of the cell's block lies in a cell slot."""
        return bool(
            point_in_cell(self.graph.arrays, cell, np.float32(x), np.float32(y), np.float32(z))
        )

    def counts(self) -> dict[str, int]:
        """The sizes that a checkpoint names (E15)."""
        a = self.graph.arrays
        alive = a.objects["kind"] != FREE
        return {
            "objects": int(np.count_nonzero(a.objects["kind"] == OBJECT)),
            "relations": int(np.count_nonzero(alive & (a.objects["parent"] >= 0))),
            "shadow_objects": int(a.objects["shadow_count"][alive].sum()),
            "shadow_parts": int(a.cells["parts_count"][a.cells["kind"] != FREE].sum()),
            "lights": int(a.cells["lights_count"][a.cells["kind"] != FREE].sum()),
            "lost": len(self.lost),
            "cells": int(np.count_nonzero(a.cells["kind"] != FREE)),
            "landblocks": int(np.count_nonzero(a.blocks["side"][: self.graph.used("blocks")] > 0)),
            "buildings": int(np.count_nonzero(a.objects["kind"] == BUILDING)),
        }


def as_frame(frame: Frame | npt.ArrayLike) -> F32:
    """Seven float32 numbers of one's own."""
    if isinstance(frame, Frame):
        return frame.array()
    made: F32 = np.array(frame, np.float32)
    assert made.shape == (7,), "a frame has seven numbers"
    return made


__all__ = ["EVENT_CELL_WRITE", "QUANTUM", "PhysicsWorld", "as_frame"]

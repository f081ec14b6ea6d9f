"""The physics world: every event of the graph, as a call (contract C, S, E).

It holds the graph, who waits for a lost cell, and which rows belong to which landblock. Calls
check what can be refused before the first write and say why (E3); what they then do, they do whole.
A cell is written by `cells.py` alone, a shadow by `shadow.py`; this module says in which order.

`acclient_py.physics.arrival` brings landblocks and env cells in and out on the same graph.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from acclient_py.core import I32, U8, U32, Struct
from acclient_py.core.frame import Frame
from acclient_py.core.ids import get_block_offset, hex8
from acclient_py.physics import (
    crossing,
    ethereal,
    leaving,
    materials,
    placing,
    posing,
    position,
    relations,
    states,
)
from acclient_py.physics.arrival import Arrivals, Scenery
from acclient_py.physics.blocks import Blocks
from acclient_py.physics.bodies import Bodies
from acclient_py.physics.check import InvariantError, check_graph
from acclient_py.physics.effects import Effects
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    BUILDING,
    EVENT_CELL_WRITE,
    FREE,
    MARK_LATE,
    OBJECT,
)  # fmt: skip
from acclient_py.physics.lost import LostCells
from acclient_py.physics.movement import Movement
from acclient_py.physics.objects import Objects
from acclient_py.physics.posing import as_frame
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.statics import MadeStatics
from acclient_py.physics.transit import point_in_cell
from acclient_py.physics.transition import Transitions
from acclient_py.world.cell import EnvCellModel
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models, SetupModel

log = logging.getLogger(__name__)

QUANTUM: Final = 1.0 / 30.0

MAX_SCALE: Final = 1e6
"""Of an object that the session makes: a frame times more may leave 32-bit floats."""


class PhysicsWorld:
    """All objects and cells of one session."""

    def __init__(self, models: Models, *, scenery: Scenery | None = None, seed: int = 1) -> None:
        """scenery : what the region's rules put on a block; None: nothing
        seed    : of what is left to chance
        """
        self.models = models
        self.graph = Graph(models.gfx_rows)
        self.objects = Objects(self.graph, models)
        self.blocks = Blocks(self.graph)
        self.lost = LostCells()
        self.bodies = Bodies()
        self.transitions = Transitions(self.graph, models, self.bodies)
        self.movement = Movement(self)
        self.effects = Effects(self, seed=seed)
        self.batch = position.Batch()
        self.clock = 0.0
        self.moving_pictures: dict[int, tuple[float, float, float]] = {}
        """Row of a model to the velocity of its pictures (u, v) and the clock when it began."""
        """Seconds of simulated time."""
        self.player = -1
        self.turned: set[int] = set()
        """Objects that became emitters or ceased to be, for `check`."""
        self.statics = MadeStatics()
        self.buildings: dict[int, list[int]] = {}
        """By landblock id: rows of `buildings`, in source order."""
        self.arrivals = Arrivals(self, scenery=scenery)
        self.end_life: Callable[[int], None] = self.delete_object
        """How an object ends whose deadline has passed: a session's own way, where there is one."""
        self._one: tuple[I32, I32, U32, U8] = (
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.zeros(1, np.uint32),
            np.zeros(1, np.uint8),
        )

    # making and reading ----------------------------------------------------------------

    def refuse_object(self, did: int, *, scale: float = 1.0) -> str | None:
        """Why no object can be made of a data id, or None."""
        if abs(scale) > MAX_SCALE:  # divergence: D38
            return f"a scale of {scale:g} is beyond {MAX_SCALE:g}"
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
        self.push_frame(obj)
        self.effects.begin(obj)
        return obj

    def row(self, obj: int) -> Struct:
        """The object's row, a view that cannot be written."""
        view = self.graph.arrays.objects[obj : obj + 1]
        view.flags.writeable = False
        found: Struct = view[0]
        return found

    def setup_of(self, obj: int) -> SetupModel | None:
        """The setup of an object's part array."""
        return self.objects.setup_of(obj)

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
        with np.errstate(over="ignore"):  # whoever is too far away for 32 bits is infinitely far
            x, y, z = (np.float32(b["frame"][i]) - np.float32(a["frame"][i]) for i in range(3))
            return float(np.sqrt((x + dx) * (x + dx) + (y + dy) * (y + dy) + z * z))

    # what the modules of the parts do, as methods ---------------------------------------

    write_cell = crossing.write_cell
    leave_cell = crossing.leave_cell
    room_for_events = crossing.room_for_events
    change_cell = crossing.change_cell
    remove_shadows_from_cells = crossing.remove_shadows_from_cells
    add_shadows_to_cells = crossing.add_shadows_to_cells
    calc_cross_cells = crossing.calc_cross_cells
    calc_cross_cells_static = crossing.calc_cross_cells_static
    recalc_cross_cells = crossing.recalc_cross_cells
    cell_array = crossing.cell_array

    own_frame = posing.own_frame
    push_frame = posing.push_frame
    set_frame = posing.set_frame
    update_child = posing.update_child
    update_children = posing.update_children
    has_anims = posing.has_anims
    set_placement_frame = posing.set_placement_frame
    pose_rows = posing.pose_rows
    set_pose = posing.set_pose
    set_scale = posing.set_scale
    store_position = posing.store_position

    add_obj_to_cell = placing.add_obj_to_cell
    add_object_to_single_cell = placing.add_object_to_single_cell
    force_into_cell = placing.force_into_cell
    adjust_position = placing.adjust_position
    real_cell = placing.real_cell
    enter_world = placing.enter_world
    set_position = placing.set_position
    commit = placing.commit
    lose = placing.lose
    prepare_to_enter_world = placing.prepare_to_enter_world
    prepare_to_leave_visibility = placing.prepare_to_leave_visibility
    leave_visibility = placing.leave_visibility
    reenter_visibility = placing.reenter_visibility

    exit_world = leaving.exit_world
    leave_world = leaving.leave_world
    withdraw = leaving.withdraw
    clear_transient_states = leaving.clear_transient_states
    delete_object = leaving.delete_object

    refuse_parent = relations.refuse_parent
    set_parent = relations.set_parent
    set_parent_frame = relations.set_parent_frame
    unset_parent = relations.unset_parent
    unparent_children = relations.unparent_children

    set_active = states.set_active
    set_ethereal = ethereal.set_ethereal
    is_overlapped = ethereal.is_overlapped
    set_state = states.set_state
    set_nodraw = states.set_nodraw
    set_hidden = states.set_hidden
    set_translucency = states.set_translucency
    set_luminosity = materials.set_luminosity
    set_diffusion = materials.set_diffusion
    set_texture_velocity = materials.set_texture_velocity
    set_part = states.set_part
    remove_part_from_shadow_cells = states.remove_part_from_shadow_cells
    add_part_to_shadow_cells = states.add_part_to_shadow_cells

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
        """One quantum of 1/30 s: everything moves, effects show, deadlines fall (register D8)."""
        # divergence: D8
        self.movement.tick(QUANTUM)
        self.effects.tick(self.clock + QUANTUM)
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
            self.end_life(obj)
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


__all__ = ["EVENT_CELL_WRITE", "QUANTUM", "PhysicsWorld", "as_frame"]

"""Transitions: what makes a move or a placement valid (spec physics-membership 5).

`Transitions` owns the scratch of one path at a time: the row of `path.py` and the cell array. A
caller sets the mover and the positions, runs, and reads `result`; nothing of the world is written.
The commit is `position.py`'s (C5, C6).
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import numpy as np

from acclient_py.core import F32, F64, I32, U32, Struct
from acclient_py.kernels import kernel
from acclient_py.physics.bodies import IMPENETRABLE, PK, PKLITE, PLAYER, Bodies
from acclient_py.physics.graph import Graph
from acclient_py.physics.path import (
    CONTACT,
    EDGE_SLIDE,
    ETHEREAL,
    FREE_ROTATE,
    IS_IMPENETRABLE,
    IS_PK,
    IS_PKLITE,
    IS_PLAYER,
    IS_VIEWER,
    MISSILE,
    ON_WALKABLE,
    PATH_CLIPPED,
    PATH_DTYPE,
    PERFECT_CLIP,
    PLACEMENT,
    TRANSITION,
    Flag,
    Int,
    copy,
    init_spheres,
    set_sliding_normal,
)
from acclient_py.physics.settle import run_settle
from acclient_py.physics.state import PhysicsState, TransientState
from acclient_py.physics.tables import (
    MAX_SPHERES,
    Tables,
    bodies_of,
    objects_of,
    shapes_of,
    spheres_of,
)
from acclient_py.physics.transit import ADDED_OUTSIDE, COUNT, DO_NOT_LOAD, MISSED
from acclient_py.physics.valid import find_placement_position, find_transitional_position
from acclient_py.world.models import Models

DUMMY_SPHERE: Final = (0.0, 0.0, 0.1, 0.1)  # of an object without spheres
DEFAULT_STEP: Final = 0.01  # step heights of an object without a Setup
VIEWER_STATE: Final = IS_VIEWER | PATH_CLIPPED | FREE_ROTATE | PERFECT_CLIP

_STATIC_EDGE_SLIDE: Final = int(PhysicsState.EDGE_SLIDE)
_TRANSIENT_CONTACT: Final = int(TransientState.CONTACT)
_TRANSIENT_ON_WALKABLE: Final = int(TransientState.ON_WALKABLE)
_TRANSIENT_SLIDING: Final = int(TransientState.SLIDING)
_FALL: Final = int(TransientState.STATIONARY_FALL)
_STOP: Final = int(TransientState.STATIONARY_STOP)
_STUCK: Final = int(TransientState.STATIONARY_STUCK)
_ALLOW_FREE_HEADING: Final = 4  # Setup flag


@kernel(inner=True)
def clear_path(t: Any) -> None:
    """A path without a mover, as `CTransition::init` leaves it."""
    t["object"] = -1
    t["state"] = 0
    t["physics_state"] = 0
    t["target"] = -1
    t["ethereal"] = 0
    t["may_step_down"] = 1
    t["step_up_height"] = DEFAULT_STEP
    t["step_down_height"] = DEFAULT_STEP
    t["num_sphere"] = 0
    t["insert_type"] = TRANSITION
    t["step_down"] = 0
    t["step_up"] = 0
    t["collide"] = 0
    t["check_walkable"] = 0
    t["bldg_check"] = 0
    t["obstruction_ethereal"] = 0
    t["hits_interior_cell"] = 0
    t["placement_allows_sliding"] = 1
    t["walkable_allowance"] = 0.0
    t["walk_interp"] = 1.0
    t["walkable"] = -1
    t["neg_poly_hit"] = 0
    t["neg_step_up"] = 0
    t["contact_valid"] = 0
    t["contact_water"] = 0
    t["contact_cell_id"] = 0
    t["last_valid"] = 0
    t["last_water"] = 0
    t["last_cell_id"] = 0
    last = t["last"]
    for k in range(4):
        last[k] = 0.0
    t["sliding_valid"] = 0
    t["normal_valid"] = 0
    t["hit_environment"] = 0
    t["stationary"] = 0
    t["killed_velocity"] = 0
    t["touched_count"] = 0


@kernel(inner=True)
def init_object(t: Any, w: Any, obj: Int, admin_move: Flag) -> None:
    """The mover, its shape and what it stands on: `get_object_info` (0x511CC0) and `init`.

    admin_move : contact and sliding are not looked at (a placement)
    """
    row = objects_of(w)[obj]
    body = bodies_of(w)[obj]
    clear_path(t)
    physics_state = np.int64(row["state"])
    transient = np.int64(row["transient"])
    state = 0
    if physics_state & _STATIC_EDGE_SLIDE != 0:
        state |= EDGE_SLIDE
    if not admin_move:
        if transient & _TRANSIENT_CONTACT != 0:
            v = body["velocity"]
            p = body["contact"]
            copy(t["last"], p, 4)
            t["last_valid"] = 1
            t["last_water"] = body["contact_water"]
            t["last_cell_id"] = np.int64(body["contact_cell_id"])
            if v[0] * p[0] + v[1] * p[1] + v[2] * p[2] <= 0.0002:
                copy(t["contact"], p, 4)
                t["contact_valid"] = 1
                t["contact_water"] = body["contact_water"]
                t["contact_cell_id"] = np.int64(body["contact_cell_id"])
                state |= CONTACT
                if transient & _TRANSIENT_ON_WALKABLE != 0:
                    state |= ON_WALKABLE
        if transient & _TRANSIENT_SLIDING != 0:
            s = body["sliding"]
            set_sliding_normal(t, s[0], s[1])
    if physics_state & MISSILE != 0:
        state |= PATH_CLIPPED
        t["may_step_down"] = 0
    weenie = body["weenie"]
    if weenie & IMPENETRABLE != 0:
        state |= IS_IMPENETRABLE
    if weenie & PLAYER != 0:
        state |= IS_PLAYER
    if weenie & PK != 0:
        state |= IS_PK
    if weenie & PKLITE != 0:
        state |= IS_PKLITE
    t["object"] = obj
    t["physics_state"] = physics_state
    t["ethereal"] = physics_state & ETHEREAL
    if transient & _STUCK != 0:
        t["stationary"] = 3
    elif transient & _STOP != 0:
        t["stationary"] = 2
    elif transient & _FALL != 0:
        t["stationary"] = 1
    local = t["local"]
    count = 0
    scale = np.float64(row["scale"])
    if row["has_part_array"] != 0 and row["shape"] >= 0:
        shape = shapes_of(w)[row["shape"]]
        if shape["flags"] & _ALLOW_FREE_HEADING != 0:
            state |= FREE_ROTATE
        t["step_up_height"] = np.float64(shape["step_up"]) * scale
        t["step_down_height"] = np.float64(shape["step_down"]) * scale
        count = min(int(shape["sphere_count"]), MAX_SPHERES)
        for i in range(count):
            for k in range(4):
                local[i, k] = spheres_of(w)[shape["sphere_first"] + i, k]
    if count == 0:
        count = 1
        scale = np.float64(1.0)
        for k in range(4):
            local[0, k] = DUMMY_SPHERE[k]
    t["num_sphere"] = count
    t["state"] = state
    init_spheres(t, scale)


@kernel(inner=True)
def init_path(
    t: Any, cell: Int, from_id: Int, begin: Any, to_id: Int, end: Any, is_transition: Flag
) -> None:
    """Where from and where to; a placement has only an end (`init_path`)."""
    t["begin_cell"] = cell
    t["curr_cell"] = cell
    t["has_begin"] = 1 if is_transition else 0
    t["begin_id"] = from_id
    copy(t["begin"], begin, 7)
    t["end_id"] = to_id
    copy(t["end"], end, 7)
    if is_transition:
        t["curr_id"] = from_id
        copy(t["curr"], begin, 7)
        t["insert_type"] = TRANSITION
    else:
        t["curr_id"] = to_id
        copy(t["curr"], end, 7)
        t["insert_type"] = PLACEMENT


@kernel
def begin_clear(paths: Any) -> None:
    """`clear_path` of the first row."""
    clear_path(paths[0])


@kernel
def begin_spheres(paths: Any, scale: float) -> None:
    """`init_spheres` of the first row."""
    init_spheres(paths[0], scale)


@kernel
def begin_path(
    paths: Any, cell: Int, from_id: Int, begin: Any, to_id: Int, end: Any, is_transition: Flag
) -> None:
    """`init_path` of the first row."""
    init_path(paths[0], cell, from_id, begin, to_id, end, is_transition)


@kernel
def begin_object(paths: Any, tables: Any, obj: Int, admin_move: Flag) -> None:
    """`init_object` of the first row."""
    init_object(paths[0], tables[0], obj, admin_move)


@kernel
def run_path(paths: Any, tables: Any, is_transition: Flag) -> Flag:
    """The first row's path: one kernel for both kinds, which share nearly all of their code."""
    if is_transition:
        return find_transitional_position(paths, tables)
    return find_placement_position(paths, tables)


class Result(msgspec.Struct, frozen=True):
    """What came of a path. Arrays are copies."""

    ok: bool
    curr_cell: int  # slot, -1: out of the loaded world
    curr_id: int
    curr: F64  # (7,)
    cell_ids: U32  # the cell array of the last look-up
    cell_slots: I32
    contact: F64 | None  # plane, in the block of contact_cell_id
    contact_cell_id: int
    contact_water: bool
    on_walkable: bool
    sliding: F64 | None
    collision_normal: F64 | None
    hit_environment: bool
    stationary: int  # frames_stationary_fall
    touched: tuple[int, ...]
    killed_velocity: bool
    missed: bool = False  # a late cell could change the cell array without a null entry (D12)
    added_outside: bool = False  # of the cell array, as its do_not_load_cells
    do_not_load_cells: bool = False


class Transitions:
    """Runs one path at a time over a graph and the models' physics trees."""

    def __init__(self, graph: Graph, models: Models, bodies: Bodies) -> None:
        self.graph = graph
        self.bodies = bodies
        self.tables = Tables(graph, models, bodies)
        self.paths: Struct = np.zeros(1, PATH_DTYPE)

    @property
    def path(self) -> Any:
        """The row of the path at hand."""
        return self.paths[0]

    # setting up ------------------------------------------------------------------------

    def clear(self) -> Any:
        """A path without a mover, for callers with spheres of their own."""
        begin_clear(self.paths)
        self.tables.cell_head[:] = 0
        return self.path

    def set_spheres(self, spheres: F32, scale: float = 1.0) -> None:
        """At most two (x, y, z, r) in the mover's space."""
        path = self.path
        count = min(len(spheres), MAX_SPHERES)
        path["num_sphere"] = count
        path["local"][:count] = spheres[:count]
        begin_spheres(self.paths, scale)

    def set_contact(self, plane: Any, cell_id: int, *, water: bool = False) -> None:
        """What the mover stands on (`init_contact_plane`)."""
        path = self.path
        for name in ("contact", "last"):
            path[name][:] = plane
            path[f"{name}_valid"] = 1
            path[f"{name}_water"] = int(water)
            path[f"{name}_cell_id"] = cell_id

    # running ---------------------------------------------------------------------------

    def run(
        self,
        cell: int,
        *,
        end_id: int,
        end: Any,
        begin_id: int = 0,
        begin: Any = None,
        do_not_load: bool = False,
    ) -> Result:
        """From `begin` to `end`, or without a begin a placement at `end`.

        cell : the slot of the cell that the mover begins in
        """
        self.tables.cell_head[:] = 0
        self.tables.cell_head[DO_NOT_LOAD] = int(do_not_load)
        is_transition = begin is not None
        start = np.asarray(begin if is_transition else end, np.float64)
        stop = np.asarray(end, np.float64)
        begin_path(self.paths, cell, begin_id, start, end_id, stop, is_transition)
        ok = run_path(self.paths, self.tables.refresh(), is_transition)
        return self.result(bool(ok))

    def transition(self, obj: int, end_id: int, end: Any, *, admin_move: bool = False) -> Result:
        """A move of an object from where it is (0x512DC0)."""
        # contract: C7
        begin_object(self.paths, self.tables.refresh(), obj, admin_move)
        row = self.graph.arrays.objects[obj]
        return self.run(
            int(row["cell"]),
            begin_id=int(row["objcell_id"]),
            begin=row["frame"],
            end_id=end_id,
            end=end,
        )

    def place(
        self,
        obj: int,
        cell: int,
        *,
        cell_id: int,
        frame: Any,
        slide: bool = True,
        do_not_load: bool = False,
    ) -> Result:
        """Find a place for an object at or, with `slide`, near a position (spec 3.6)."""
        begin_object(self.paths, self.tables.refresh(), obj, True)
        self.path["placement_allows_sliding"] = int(slide)
        return self.run(cell, end_id=cell_id, end=frame, do_not_load=do_not_load)

    def view(
        self,
        obj: int,
        cell: int,
        *,
        begin_id: int,
        begin: Any,
        end_id: int,
        end: Any,
        radius: float,
    ) -> Result:
        """The way of a viewer's sphere from an object's head; the object is not in its way.

        Retail: `init_object(player, 0x5C)`, `init_sphere` and `init_path` of
        SmartBox::update_viewer @0x00453CE0.
        """
        if obj >= 0:
            begin_object(self.paths, self.tables.refresh(), obj, True)
        else:
            self.clear()
        path = self.path
        path["state"], path["num_sphere"] = VIEWER_STATE, 1
        path["local"][0] = (0.0, 0.0, 0.0, radius)
        path["local_low"][:] = (0.0, 0.0, -radius)
        return self.run(cell, begin_id=begin_id, begin=begin, end_id=end_id, end=end)

    def settle(self, obj: int) -> None:
        """Contact, sliding and impact of the path at hand, after its commit."""
        run_settle(self.paths, self.graph.arrays.objects, self.bodies.rows, obj)

    def result(self, ok: bool) -> Result:
        """The path's row in Python's terms."""
        path = self.path
        count = int(self.tables.cell_head[COUNT])
        contact = path["contact"].copy() if path["contact_valid"] else None
        return Result(
            ok=ok,
            curr_cell=int(path["curr_cell"]),
            curr_id=int(path["curr_id"]),
            curr=path["curr"].copy(),
            cell_ids=self.tables.cell_ids[:count].copy(),
            cell_slots=self.tables.cell_slots[:count].copy(),
            contact=contact,
            contact_cell_id=int(path["contact_cell_id"]),
            contact_water=bool(path["contact_water"]),
            on_walkable=bool(path["state"] & ON_WALKABLE),
            sliding=path["sliding"].copy() if path["sliding_valid"] else None,
            collision_normal=path["normal"].copy() if path["normal_valid"] else None,
            hit_environment=bool(path["hit_environment"]),
            stationary=int(path["stationary"]),
            touched=tuple(int(o) for o in path["touched"][: path["touched_count"]]),
            killed_velocity=bool(path["killed_velocity"]),
            missed=bool(self.tables.cell_head[MISSED]),
            added_outside=bool(self.tables.cell_head[ADDED_OUTSIDE]),
            do_not_load_cells=bool(self.tables.cell_head[DO_NOT_LOAD]),
        )

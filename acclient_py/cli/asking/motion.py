"""Questions about moving: enter, trans, walk."""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.cli.asking import (
    Answer,
    AskError,
    AskWorld,
    need,
    numbers,
    read_frame,
    read_id,
    read_int,
    read_numbers,
    verb,
)
from acclient_py.core import F32
from acclient_py.core.ids import hex8, is_env_cell
from acclient_py.physics.path import CONTACT, ON_WALKABLE
from acclient_py.physics.state import DEFAULT_STATE, SetPositionFlags
from acclient_py.physics.transition import Result
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.terrain import cell_under, find_terrain_poly

_ENTER = int(
    SetPositionFlags.SEND_POSITION_EVENT | SetPositionFlags.SLIDE | SetPositionFlags.TELEPORT
)


def _position(cell_id: Any, frame: Any) -> Answer:
    return {"cell": int(cell_id), "frame": numbers(frame)}


@verb("enter")
def enter(world: AskWorld, words: list[str]) -> Answer:
    """`enter did cell frame`: SetPosition with flags 0x1012; where the object then is."""
    need(words, 9, "enter DID CELL x y z qw qx qy qz")
    did, cell_id = read_id(words[0]), read_id(words[1])
    physics = world.near(cell_id)
    reason = physics.refuse_object(did)
    if reason is not None:
        raise AskError(reason)
    obj = physics.make_object(did)
    error = physics.set_position(obj, cell_id, read_frame(words[2:]), _ENTER)
    row = physics.row(obj)
    answer = {
        "err": int(error),
        "pos": _position(row["objcell_id"], row["frame"]),
        "cell": int(physics.graph.full_cell_id(obj)),
        "shadow_cells": [int(i) for i in physics.graph.shadows_on(obj)["cell_id"]],
    }
    physics.delete_object(obj)
    return answer


def _prepare(physics: PhysicsWorld, state: int, spheres: F32) -> None:
    """A path with a mover of the usual state and a body of its own spheres."""
    transitions = physics.transitions
    path = transitions.clear()
    path["state"] = state
    path["physics_state"] = int(DEFAULT_STATE)
    path["step_up_height"], path["step_down_height"] = _STEPS
    transitions.set_spheres(spheres)


def _ground(physics: PhysicsWorld, cell: int, cell_id: int, frame: F32) -> Any:
    """The contact plane of a body at a place: the terrain's under it, indoors a level one."""
    if is_env_cell(cell_id):
        return (0.0, 0.0, 1.0, -float(frame[2]))
    arrays = physics.graph.arrays
    block = int(arrays.cells["block"][cell])
    under = cell_under(frame[0], frame[1])
    if under < 0:
        raise AskError(f"the place is not in the block of {hex8(cell_id)}")
    swne = bool(arrays.swne[block, under])
    triangle = max(find_terrain_poly(swne, under, frame[0], frame[1]), 0)
    return arrays.terrain_planes[block, under, triangle]


def _slot(physics: PhysicsWorld, cell_id: int) -> int:
    cell = physics.cell_slot(cell_id)
    if cell < 0:
        raise AskError(f"no cell {hex8(cell_id)} in this world")
    return cell


def _report(physics: PhysicsWorld, result: Result) -> Answer:
    cells = physics.graph.arrays.cells
    answer: Answer = {
        "ok": int(result.ok),
        "pos": _position(result.curr_id, result.curr),
        "curr_cell": int(cells["id"][result.curr_cell]) if result.curr_cell >= 0 else 0,
        "contact": int(result.contact is not None),
    }
    if result.contact is not None:
        answer["plane"] = numbers(result.contact)
        answer["plane_cell"] = result.contact_cell_id
    answer["coll_normal"] = int(result.collision_normal is not None)
    if result.collision_normal is not None:
        answer["normal"] = numbers(result.collision_normal)
    answer["env"] = int(result.hit_environment)
    answer["collide_objects"] = len(result.touched)
    answer["sliding"] = int(result.sliding is not None)
    answer["cells"] = [int(i) for i in result.cell_ids]
    answer["loaded"] = [int(slot >= 0) for slot in result.cell_slots]
    return answer


@verb("trans")
def trans(world: AskWorld, words: list[str]) -> Answer:
    """`trans state cellA frameA cellB frameB n (x y z r)*n`: one transition of bare spheres."""
    if len(words) < 18:
        raise AskError("too few words", do="write: trans STATE CELL frame CELL frame N spheres")
    count = read_int(words[17])
    need(words, 18 + 4 * count, "trans STATE CELL frame CELL frame N (x y z r)*N")
    state, from_id, to_id = read_id(words[0]), read_id(words[1]), read_id(words[9])
    begin = read_frame(words[2:9])
    physics = world.near(from_id, to_id)
    cell = _slot(physics, from_id)
    _prepare(physics, state, read_numbers(words[18:]).reshape(-1, 4))
    if state & CONTACT:
        physics.transitions.set_contact(_ground(physics, cell, from_id, begin), from_id)
    result = physics.transitions.run(
        cell, begin_id=from_id, begin=begin, end_id=to_id, end=read_frame(words[10:17])
    )
    return _report(physics, result)


@verb("walk")
def walk(world: AskWorld, words: list[str]) -> Answer:
    """`walk state cell frame dx dy dz steps`: a man's transitions, each from where he then is.

    The contact of one is the next one's.
    """
    need(words, 13, "walk STATE CELL x y z qw qx qy qz DX DY DZ STEPS")
    state, cell_id, frame = read_id(words[0]), read_id(words[1]), read_frame(words[2:9])
    delta = read_numbers(words[9:12])
    physics = world.near(cell_id)
    contact: tuple[Any, int] | None = None
    if state & CONTACT:
        contact = _ground(physics, _slot(physics, cell_id), cell_id, frame), cell_id
    steps = []
    for _ in range(read_int(words[12])):
        cell = _slot(physics, cell_id)
        _prepare(physics, state, _MAN)
        if contact is not None:
            physics.transitions.set_contact(*contact)
        end = frame.copy()
        end[:3] += delta
        result = physics.transitions.run(
            cell, begin_id=cell_id, begin=frame, end_id=cell_id, end=end
        )
        if result.ok:
            cell_id, frame = result.curr_id, result.curr.astype(np.float32)
            state &= ~(CONTACT | ON_WALKABLE)
            contact = None
            if result.contact is not None:
                contact = result.contact, result.contact_cell_id
                state |= CONTACT | (ON_WALKABLE if result.on_walkable else 0)
        physics = world.near(cell_id)
        found = physics.cell_slot(cell_id)
        steps.append(
            {
                "ok": int(result.ok),
                "pos": _position(cell_id, frame),
                "cell": cell_id if found >= 0 else 0,
                "contact": int(result.contact is not None),
            }
        )
    return {"steps": steps}


_MAN = np.array([[0, 0, 0.475, 0.48], [0, 0, 1.35, 0.48]], np.float32)
_STEPS = (0.6, 1.5)

"""Little stories (o_mk, o_enter, o_addcell, o_move, o_parent ...) and looks (d_obj, d_cell)."""

from __future__ import annotations

from acclient_py.cli.asking import (
    Answer,
    AskError,
    AskWorld,
    need,
    numbers,
    read_frame,
    read_id,
    read_int,
    verb,
)
from acclient_py.core.ids import hex8
from acclient_py.physics.layout import CAUSE_MOVE
from acclient_py.physics.state import SetPositionFlags
from acclient_py.physics.world import PhysicsWorld

_KEPT = "scenario"
_ENTER = int(
    SetPositionFlags.SEND_POSITION_EVENT | SetPositionFlags.SLIDE | SetPositionFlags.TELEPORT
)


def _names(world: AskWorld) -> dict[str, int]:
    names: dict[str, int] = world.state.setdefault(_KEPT, {})
    return names


def _obj(world: AskWorld, name: str) -> int:
    found = _names(world).get(name)
    if found is None:
        raise AskError(f"no object {name!r}", do="make it with o_mk")
    return found


def _name_of(world: AskWorld, physics: PhysicsWorld, obj: int) -> str:
    for name, known in _names(world).items():
        if known == obj:
            return name
    setup = physics.setup_of(obj)
    return f"did_{setup.id:08X}" if setup is not None else f"row_{obj}"


def _look(world: AskWorld, obj: int) -> Answer:
    """What an object shows: reference, id, frame, relations, shadows in order, parts."""
    physics = world.physics
    row = physics.row(obj)
    parts = physics.graph.arrays.parts
    first = int(row["part_first"])
    cell = int(row["cell"])
    return {
        "cell": 0 if cell < 0 else int(physics.graph.arrays.cells["id"][cell]),
        "objcell_id": int(row["objcell_id"]),
        "frame": numbers(row["frame"]),
        "parent": _name_of(world, physics, int(row["parent"])) if row["parent"] >= 0 else "",
        "children": [_name_of(world, physics, child) for child in physics.children_of(obj)],
        "shadow_cells": [int(i) for i in physics.graph.shadows_on(obj)["cell_id"]],
        "parts": [
            {"cell": int(row["part_cell_id"]), "frame": numbers(parts["frame"][first + index])}
            for index in range(int(row["part_count"]))
        ],
    }


def _slot(world: AskWorld, cell_id: int) -> int:
    cell = world.near(cell_id).cell_slot(cell_id)
    if cell < 0:
        raise AskError(f"no cell {hex8(cell_id)} in this world")
    return cell


@verb("o_mk")
def o_mk(world: AskWorld, words: list[str]) -> Answer:
    """`o_mk name guid did dynamic`: a new object; did 0 makes one without a part array."""
    need(words, 4, "o_mk NAME GUID DID DYNAMIC")
    did = read_id(words[2])
    reason = world.physics.refuse_object(did)
    if reason is not None:
        raise AskError(reason)
    obj = world.physics.make_object(did, guid=read_id(words[1]), dynamic=bool(read_int(words[3])))
    _names(world)[words[0]] = obj
    return {"state": int(world.physics.state_of(obj))}


@verb("o_enter")
def o_enter(world: AskWorld, words: list[str]) -> Answer:
    """`o_enter name cell frame`: SetPosition with flags 0x1012."""
    need(words, 9, "o_enter NAME CELL x y z qw qx qy qz")
    obj, cell_id = _obj(world, words[0]), read_id(words[1])
    world.near(cell_id)
    error = world.physics.set_position(obj, cell_id, read_frame(words[2:]), _ENTER)
    return {"err": int(error), **_look(world, obj)}


@verb("o_addcell")
def o_addcell(world: AskWorld, words: list[str]) -> Answer:
    """`o_addcell name cell frame`: add_obj_to_cell."""
    need(words, 9, "o_addcell NAME CELL x y z qw qx qy qz")
    obj = _obj(world, words[0])
    world.physics.add_obj_to_cell(obj, _slot(world, read_id(words[1])), read_frame(words[2:]))
    return _look(world, obj)


@verb("o_move")
def o_move(world: AskWorld, words: list[str]) -> Answer:
    """`o_move name cell frame`: a transition to there, and its commit."""
    need(words, 9, "o_move NAME CELL x y z qw qx qy qz")
    obj, cell_id = _obj(world, words[0]), read_id(words[1])
    world.near(cell_id)
    result = world.physics.transitions.transition(obj, cell_id, read_frame(words[2:]))
    if result.ok:
        world.physics.commit(obj, result, cause=CAUSE_MOVE)
    return {"ok": int(result.ok), **_look(world, obj)}


@verb("o_state")
def o_state(world: AskWorld, words: list[str]) -> Answer:
    """`o_state name bits`: the physics state, verbatim."""
    need(words, 2, "o_state NAME BITS")
    obj = _obj(world, words[0])
    world.physics.set_state(obj, read_id(words[1]))
    return {"state": int(world.physics.state_of(obj)), **_look(world, obj)}


@verb("o_parent")
def o_parent(world: AskWorld, words: list[str]) -> Answer:
    """`o_parent child parent location`: set_parent at a holding location."""
    need(words, 3, "o_parent CHILD PARENT LOCATION")
    child, parent = _obj(world, words[0]), _obj(world, words[1])
    reason = world.physics.set_parent(child, parent, read_int(words[2]))
    return {"ok": int(reason is None), **_look(world, child)}


@verb("o_parentp")
def o_parentp(world: AskWorld, words: list[str]) -> Answer:
    """`o_parentp child parent part frame`: set_parent at a part."""
    need(words, 10, "o_parentp CHILD PARENT PART x y z qw qx qy qz")
    child, parent = _obj(world, words[0]), _obj(world, words[1])
    part = read_int(words[2]) & 0xFFFFFFFF
    reason = world.physics.set_parent_frame(child, parent, part, read_frame(words[3:]))
    return {"ok": int(reason is None), **_look(world, child)}


@verb("o_unparent")
def o_unparent(world: AskWorld, words: list[str]) -> Answer:
    """`o_unparent name`: unset_parent."""
    need(words, 1, "o_unparent NAME")
    obj = _obj(world, words[0])
    world.physics.unset_parent(obj)
    return _look(world, obj)


@verb("o_leave")
def o_leave(world: AskWorld, words: list[str]) -> Answer:
    """`o_leave name`: leave_world."""
    need(words, 1, "o_leave NAME")
    obj = _obj(world, words[0])
    world.physics.leave_world(obj)
    return _look(world, obj)


@verb("o_change")
def o_change(world: AskWorld, words: list[str]) -> Answer:
    """`o_change name cell`: change_cell; cell 0 removes."""
    need(words, 2, "o_change NAME CELL")
    obj, cell_id = _obj(world, words[0]), read_id(words[1])
    world.physics.change_cell(obj, _slot(world, cell_id) if cell_id else -1)
    return _look(world, obj)


@verb("o_calc")
def o_calc(world: AskWorld, words: list[str]) -> Answer:
    """`o_calc name`: calc_cross_cells."""
    need(words, 1, "o_calc NAME")
    obj = _obj(world, words[0])
    world.physics.calc_cross_cells(obj)
    return _look(world, obj)


@verb("o_calcstatic")
def o_calcstatic(world: AskWorld, words: list[str]) -> Answer:
    """`o_calcstatic name`: calc_cross_cells_static."""
    need(words, 1, "o_calcstatic NAME")
    obj = _obj(world, words[0])
    world.physics.calc_cross_cells_static(obj)
    return _look(world, obj)


@verb("d_obj")
def d_obj(world: AskWorld, words: list[str]) -> Answer:
    """`d_obj name`: what an object shows."""
    need(words, 1, "d_obj NAME")
    return _look(world, _obj(world, words[0]))


@verb("d_cell")
def d_cell(world: AskWorld, words: list[str]) -> Answer:
    """`d_cell cell`: objects, shadow objects and shadow parts, each in list order."""
    need(words, 1, "d_cell CELL")
    cell = _slot(world, read_id(words[0]))
    physics = world.physics
    graph = physics.graph
    owners = [int(graph.arrays.shadows["object"][s]) for s in graph.shadows_of(cell)]
    return {
        "objects": [_name_of(world, physics, obj) for obj in graph.objects_of(cell)],
        "shadows": [_name_of(world, physics, obj) for obj in owners],
        "parts": [
            [f"{_name_of(world, physics, int(e['object']))}:{e['part_index']}", int(e["planes"])]
            for e in graph.parts_of(cell)
        ],
    }

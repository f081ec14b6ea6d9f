"""Contract C: how an object and its children enter, leave and change cells."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from builders.graphs import (
    CHARM,
    CREATURE,
    EMITTER_STATE,
    GHOST,
    LAMP,
    MAN,
    PLAYER,
    SHIELD,
    SWORD,
    armed,
    cells_of,
    holders_of,
    objects_in,
    open_land,
    put,
    two_rooms,
)

from acclient_py.physics import cells
from acclient_py.physics.check import InvariantError
from acclient_py.physics.layout import CAUSE_MOVE, CAUSES, EVENT_CELL_WRITE
from acclient_py.physics.lost import DESTRUCTION_DELAY
from acclient_py.physics.position import Batch
from acclient_py.physics.state import PhysicsState, TransientState
from acclient_py.physics.world import PhysicsWorld

A, B = 0x12340100, 0x12340101
WEST, EAST, NORTH_EAST = 0x10200019, 0x11200001, 0x11210001
ABOVE = tuple(f"acclient_py.{p}" for p in ("render", "gpu", "view", "order"))
parents = pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])


@pytest.fixture
def world() -> PhysicsWorld:
    """3 x 3 flat blocks and two rooms."""
    return two_rooms(open_land())


def field(world: PhysicsWorld, name: str, obj: int) -> int:
    return int(world.graph.arrays.objects[name][obj])


def cell_id(world: PhysicsWorld, obj: int) -> int:
    return world.full_cell_id(obj)


def move(
    world: PhysicsWorld, obj: int, to: int, *at: float, array: list[int] | None = None
) -> None:
    """A commit as a transition would ask for it."""
    ids = np.array([to] if array is None else array, np.uint32)
    slots = np.array([world.cell_slot(int(i)) for i in ids], np.int32)
    batch = Batch()
    batch.add(
        obj, world.cell_slot(to), np.array((*at, 1, 0, 0, 0), np.float32), cell_id=to,
        cause=CAUSE_MOVE, ids=ids, slots=slots,
    )  # fmt: skip
    batch.commit(world.graph)


def writes(world: PhysicsWorld) -> list[tuple[int, int, int, str]]:
    """(object, old id, new id, cause) of the cell writes since the last call."""
    return [
        (int(e["object"]), int(e["old"]), int(e["new"]), CAUSES[e["cause"]])
        for e in world.graph.drain_events()
        if e["kind"] == EVENT_CELL_WRITE
    ]


@pytest.mark.contract("C1")
@parents
def test_change_cell_to_nothing_clears_the_root_alone(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: drop the removal branch of write_cells; the root keeps its id (first assertion)."""
    family = armed(world, who, A, 3, 5, 0)
    world.change_cell(family[0], -1)
    assert field(world, "objcell_id", family[0]) == 0
    assert field(world, "part_cell_id", family[0]) == 0
    assert [cell_id(world, o) for o in family] == [0, 0, 0, 0]
    assert [field(world, "objcell_id", o) for o in family[1:]] == [A, A, A]  # stale (C3)
    assert objects_in(world, A) == []


@pytest.mark.contract("C1", "C2")
@parents
def test_change_cell_takes_the_whole_subtree(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: do not go down in write_cells' enter; the charm, a grandchild, stays out."""
    family = armed(world, who, A, 3, 5, 0)
    world.change_cell(family[0], world.cell_slot(B))
    assert [cell_id(world, o) for o in family] == [B] * 4
    assert [field(world, "objcell_id", o) for o in family] == [B] * 4
    man, sword, shield, charm = family
    assert objects_in(world, B) == [man, sword, charm, shield]
    assert objects_in(world, A) == []


@pytest.mark.contract("C2")
def test_without_a_part_array_nothing_is_written_and_no_child_visited(world: PhysicsWorld) -> None:
    """Sabotage: drop the has_part_array guard; the hollow object enters the cell."""
    hollow = world.make_object(0)
    child = world.make_object(SWORD)
    world.graph.arrays.objects["has_part_array"][hollow] = 1
    assert world.set_parent_frame(child, hollow, 0xFFFFFFFF, (0, 0, 0, 1, 0, 0, 0)) is None
    world.graph.arrays.objects["has_part_array"][hollow] = 0
    world.change_cell(hollow, world.cell_slot(A))
    assert field(world, "cell", hollow) == -1
    assert field(world, "cell", child) == -1
    assert objects_in(world, A) == []


@pytest.mark.contract("C2", "C15")
def test_entering_brings_the_id_the_parts_and_the_lights(world: PhysicsWorld) -> None:
    """Sabotage: leave sync_lights out of the enter; the cell's light list is empty."""
    man = put(world, MAN, A, 3, 5, 0)
    lamp = world.make_object(LAMP)
    assert world.set_parent(lamp, man, 1) is None
    assert field(world, "part_cell_id", lamp) == A
    assert len(world.graph.lights_of(world.cell_slot(A))) == 2
    world.change_cell(man, world.cell_slot(B))
    assert world.graph.lights_of(world.cell_slot(A)) == []
    assert len(world.graph.lights_of(world.cell_slot(B))) == 2
    world.check()


@pytest.mark.contract("C2")
def test_an_emitter_keeps_its_parts_where_they_are(world: PhysicsWorld) -> None:
    """Sabotage: drop the emitter test; the parts' id follows."""
    ghost = put(world, GHOST, A, 3, 5, 0)
    world.set_state(ghost, EMITTER_STATE)
    world.change_cell(ghost, world.cell_slot(B))
    assert field(world, "objcell_id", ghost) == B
    assert field(world, "part_cell_id", ghost) == A


@pytest.mark.contract("C3")
@parents
def test_leaving_nulls_the_cell_and_keeps_every_id(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: write objcell_id = 0 in leave_cell; the second assertion fails."""
    family = armed(world, who, A, 3, 5, 0)
    cells.leave_cell(world.graph.arrays, family[0], 0, False)
    assert [field(world, "cell", o) for o in family] == [-1] * 4
    assert [field(world, "objcell_id", o) for o in family] == [A] * 4
    assert objects_in(world, A) == []


@pytest.mark.contract("C3")
def test_a_cell_less_child_is_skipped_with_its_subtree(world: PhysicsWorld) -> None:
    """Sabotage: go down past a cell-less child; the charm loses its cell."""
    man, sword, _, charm = armed(world, PLAYER, A, 3, 5, 0)
    cells.leave_cell(world.graph.arrays, sword, 0, False)
    world.add_obj_to_cell(charm, world.cell_slot(B), (15, 5, 0, 1, 0, 0, 0))
    cells.leave_cell(world.graph.arrays, man, 0, False)
    assert cell_id(world, charm) == B
    assert field(world, "cell", man) == -1


@pytest.mark.contract("C4")
@parents
def test_leave_world_clears_the_id_of_the_root_alone(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: withdraw_id for the whole subtree; the third assertion fails."""
    family = armed(world, who, A, 3, 5, 0)
    world.graph.arrays.objects["transient"][family[0]] = 0x1FF
    world.leave_world(family[0])
    assert [cell_id(world, o) for o in family] == [0] * 4
    assert field(world, "objcell_id", family[0]) == 0
    assert [field(world, "objcell_id", o) for o in family[1:]] == [A] * 3
    assert [cells_of(world, o) for o in family] == [[]] * 4
    assert field(world, "transient", family[0]) == 0


@pytest.mark.contract("C5")
@parents
def test_a_move_within_a_cell_refreshes_the_ids_of_direct_children_only(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: refresh the whole subtree; the charm's odd id is overwritten."""
    man, sword, shield, charm = armed(world, who, A, 3, 5, 0)
    for obj in (sword, shield, charm):
        cells.set_cell_id(world.graph.arrays, obj, 0x99990101)
    before = objects_in(world, A)
    move(world, man, A, 4, 5, 0)
    assert [field(world, "objcell_id", o) for o in (man, sword, shield)] == [A, A, A]
    assert field(world, "objcell_id", charm) == 0x99990101
    assert objects_in(world, A) == before


@pytest.mark.contract("C5", "C14")
@parents
def test_children_keep_their_parents_cell_over_borders_there_and_back(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: call set_frames before write_cells and drop write_cells; the cells stay behind."""
    family = armed(world, who, WEST, 84, 10, 0)
    world.graph.record(True)
    crossings = 0
    for to, at in (
        (EAST, (1, 1, 0)),
        (NORTH_EAST, (1, 1, 0)),
        (EAST, (1, 190, 0)),
        (WEST, (84, 1, 0)),
    ):
        move(world, family[0], to, *at)
        seen = writes(world)
        crossings += 1
        assert [cell_id(world, o) for o in family] == [to] * 4
        assert [field(world, "objcell_id", o) for o in family] == [to] * 4
        assert [cause for _, _, _, cause in seen] == ["move"] + ["propagate"] * 3
        assert all(new == to for _, _, new, _ in seen)
        world.check()
    assert crossings == 4


@pytest.mark.contract("C5")
def test_frames_come_after_cells_and_reach_the_children(world: PhysicsWorld) -> None:
    """Sabotage: leave set_frames out of the commit; the sword stays where it was."""
    man, sword, *_ = armed(world, PLAYER, A, 3, 5, 0)
    move(world, man, B, 15, 5, 0)
    frame = world.graph.arrays.objects["frame"]
    np.testing.assert_allclose(frame[sword, :3], (15.3, 5.2, 1.3), atol=1e-6)


@pytest.mark.contract("C5")
@parents
def test_without_a_cell_the_object_is_lost_and_no_child_id_is_written(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: set_cell_id_recursive in the lost branch; the fourth assertion fails."""
    family = armed(world, who, WEST, 84, 10, 0)
    world.lose(family[0], 0x40400001, np.array((1, 1, 0, 1, 0, 0, 0), np.float32))
    assert [cell_id(world, o) for o in family] == [0] * 4
    assert world.lost.waiting(0x40400001) == [family[0]]
    assert field(world, "objcell_id", family[0]) == 0x40400001
    assert [field(world, "objcell_id", o) for o in family[1:]] == [WEST] * 3
    assert [world.lost.deadline(o) for o in family] == [DESTRUCTION_DELAY] * 3 + [None]
    world.check()
    assert world.use_time(DESTRUCTION_DELAY + 0.1) == family[:3]
    assert world.counts()["lost"] == 0


@pytest.mark.contract("C6")
@parents
def test_a_commit_republishes_and_an_empty_array_keeps_the_old(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: publish an empty array too; the second assertion fails."""
    family = armed(world, who, A, 9, 5, 0)
    move(world, family[0], A, 9.5, 5, 0, array=[A, B])
    assert [cells_of(world, o) for o in family] == [[A, B]] * 4
    move(world, family[0], A, 5, 5, 0, array=[])
    assert [cells_of(world, o) for o in family] == [[A, B]] * 4
    world.check()


@pytest.mark.contract("C6")
def test_an_object_with_a_physics_bsp_uses_its_parts_not_the_path(world: PhysicsWorld) -> None:
    """Sabotage: ignore HAS_PHYSICS_BSP in begin_commit; the array is the path's, [B]."""
    from builders.graphs import CRATE

    crate = put(world, CRATE, A, 5, 5, 0)
    move(world, crate, A, 9.5, 5, 0, array=[B])
    assert cells_of(world, crate) == [A, B]


@pytest.mark.contract("C7")
def test_a_blocked_step_writes_no_cell(world: PhysicsWorld) -> None:
    """Sabotage: commit a failed transition; a cell write is recorded."""
    man = put(world, MAN, A, 5, 5, 0)
    world.graph.record(True)
    world.set_frame(man, (5, 5, 0, 0, 0, 0, 1))
    assert writes(world) == []
    assert cell_id(world, man) == A


@pytest.mark.contract("C8")
@parents
def test_a_child_is_not_active_after_its_parent_moves(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: set_active in _attach; the child ticks."""
    family = armed(world, who, A, 3, 5, 0)
    move(world, family[0], B, 15, 5, 0)
    for child in family[1:]:
        assert field(world, "transient", child) & TransientState.ACTIVE == 0
        assert field(world, "parent", child) >= 0


@pytest.mark.contract("C9")
def test_force_into_cell_writes_only_when_the_cell_differs(world: PhysicsWorld) -> None:
    """Sabotage: always change the cell; a write from A to A is recorded."""
    man = put(world, MAN, A, 3, 5, 0)
    world.graph.record(True)
    world.force_into_cell(man, world.cell_slot(A), (4, 5, 0, 1, 0, 0, 0))
    assert writes(world) == []
    world.force_into_cell(man, world.cell_slot(B), (15, 5, 0, 1, 0, 0, 0))
    assert writes(world) == [(man, A, B, "force")]
    world.add_object_to_single_cell(man, world.cell_slot(A))
    assert cells_of(world, man) == [A]


@pytest.mark.contract("C10")
def test_set_cell_id_never_writes_a_cell(world: PhysicsWorld) -> None:
    """Sabotage: write `cell` in set_cell_id_recursive; the second assertion fails."""
    family = armed(world, PLAYER, A, 3, 5, 0)
    cells.set_cell_id_recursive(world.graph.arrays, family[0], 7)
    assert [field(world, "objcell_id", o) for o in family] == [7] * 4
    assert [cell_id(world, o) for o in family] == [A] * 4


@pytest.mark.contract("C11", "E3")
@parents
def test_attach_is_one_write_from_the_old_cell_to_the_parents(
    world: PhysicsWorld, who: tuple[int, int]
) -> None:
    """Sabotage: report the leave apart (pending false); two writes are seen."""
    man = put(world, MAN, A, 3, 5, 0, guid=who[0], instance=who[1])
    sword = put(world, SWORD, B, 15, 5, 0)
    world.graph.record(True)
    assert world.set_parent(sword, man, 1) is None
    assert writes(world) == [(sword, B, A, "attach")]
    assert cell_id(world, sword) == cell_id(world, man) == A
    assert objects_in(world, B) == []
    np.testing.assert_allclose(
        world.graph.arrays.objects["frame"][sword, :3], (3.3, 5.2, 1.3), atol=1e-6
    )
    world.check()


@pytest.mark.contract("C11")
def test_a_child_of_a_cell_less_parent_waits_for_its_first_commit(world: PhysicsWorld) -> None:
    """Sabotage: enter at attach whatever the parent's cell; the first assertion fails."""
    man, sword = world.make_object(MAN), put(world, SWORD, A, 3, 5, 0)
    assert world.set_parent(sword, man, 1) is None
    assert cell_id(world, sword) == 0
    world.add_obj_to_cell(man, world.cell_slot(B), (15, 5, 0, 1, 0, 0, 0))
    assert cell_id(world, sword) == B


@pytest.mark.contract("C11", "E10")
def test_a_hidden_parents_child_is_not_drawn(world: PhysicsWorld) -> None:
    """Sabotage: drop the HIDDEN step of set_parent; the first assertion fails."""
    man, sword = put(world, MAN, A, 3, 5, 0), world.make_object(SWORD)
    world.set_hidden(man, True)
    assert world.set_parent(sword, man, 1) is None
    assert world.state_of(sword) & PhysicsState.NODRAW
    world.unset_parent(sword)
    assert not world.state_of(sword) & PhysicsState.NODRAW
    assert world.set_parent_frame(sword, man, 0, (0, 0, 0, 1, 0, 0, 0)) is None
    assert not world.state_of(sword) & PhysicsState.NODRAW


@pytest.mark.contract("C11", "C17", "E3")
@parents
def test_refusals_change_nothing(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: check after unset_parent; the arrays differ (last assertion)."""
    man, sword, shield, charm = armed(world, who, A, 3, 5, 0)
    before = [array.tobytes() for array in world.graph.arrays]
    assert world.set_parent(man, charm, 1) is not None
    assert world.set_parent(sword, sword, 1) is not None
    assert world.set_parent(shield, man, 9) is not None
    assert world.set_parent_frame(charm, man, 5, (0, 0, 0, 1, 0, 0, 0)) is not None
    for name, old, new in zip(world.graph.arrays._fields, before, world.graph.arrays, strict=True):
        assert old == new.tobytes(), name


@pytest.mark.contract("C12")
@parents
def test_unset_parent_does_no_cell_work(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: leave_cell in unset_parent; the first assertion fails."""
    man, sword, shield, charm = armed(world, who, A, 3, 5, 0)
    world.clock = 5.0
    world.unset_parent(sword)
    assert cell_id(world, sword) == A
    assert list(world.children_of(man)) == [shield]
    assert list(world.children_of(sword)) == [charm]
    assert world.graph.arrays.objects["update_time"][sword] == 5.0
    world.clock = 9.0
    world.unset_parent(sword)  # no parent any more: nothing at all
    assert world.graph.arrays.objects["update_time"][sword] == 5.0


@pytest.mark.contract("C13")
def test_update_child_touches_no_id(world: PhysicsWorld) -> None:
    """Sabotage: call store_position in update_child; the id changes."""
    man, sword, *_ = armed(world, PLAYER, A, 3, 5, 0)
    cells.set_cell_id(world.graph.arrays, sword, 0x77770101)
    world.update_child(sword)
    assert field(world, "objcell_id", sword) == 0x77770101
    assert cell_id(world, sword) == A
    assert field(world, "parent", sword) == man


@pytest.mark.contract("C14", "C15")
@pytest.mark.parametrize(
    ("name", "value", "clause"),
    [
        ("objcell_id", 0, "C14"),
        ("cell", 0, "C15"),
        ("part_cell_id", 3, "C15"),
        ("parent", -1, "C17"),
    ],
)
def test_the_check_names_the_broken_clause(
    world: PhysicsWorld, name: str, value: int, clause: str
) -> None:
    """Sabotage: the sabotage is in the test; without the check's clause nothing is raised."""
    family = armed(world, PLAYER, A, 3, 5, 0)
    world.check()
    world.graph.arrays.objects[name][family[1]] = value
    with pytest.raises(InvariantError) as caught:
        world.check()
    assert caught.value.clause == clause


@pytest.mark.contract("C17")
def test_a_tree_ten_thousand_deep_moves_and_leaves() -> None:
    """Sabotage: recursion in write_cells; Python or the stack gives up."""
    world = two_rooms()
    depth = 10_000
    root = put(world, SWORD, A, 3, 5, 0)
    objects = [root]
    for _ in range(depth):
        child = world.make_object(CHARM)
        world.graph.arrays.objects["hold_frame"][child] = (0, 0, 0, 1, 0, 0, 0)
        objects.append(child)
    arrays = world.graph.arrays
    from acclient_py.physics import children

    for parent, child in pairwise(objects):
        children.append_child(arrays, parent, child)
    move(world, root, B, 15, 5, 0)
    assert all(arrays.objects["cell"][o] == world.cell_slot(B) for o in objects)
    assert all(cells_of(world, o) == [B] for o in objects[:: depth // 10])
    world.leave_world(root)
    assert all(arrays.objects["cell"][o] == -1 for o in objects)
    assert world.set_parent(root, objects[-1], 1) == "the parent hangs on the child"


@pytest.mark.contract("C17")
def test_a_contrived_circle_ends() -> None:
    """Sabotage: drop the step counter; the walk never ends (the test times out)."""
    world = two_rooms()
    a, b = put(world, LAMP, A, 3, 5, 0), world.make_object(CHARM)
    objects = world.graph.arrays.objects
    assert objects["light_count"][a] == 2
    objects["first_child"][a], objects["parent"][b] = b, a
    objects["first_child"][b], objects["parent"][a] = a, b
    there = world.cell_slot(B)
    world.change_cell(a, there)
    assert world.graph.objects_of(there) == [a, b]
    assert len(world.graph.lights_of(there)) == 2
    with pytest.raises(InvariantError, match="hangs in a circle"):
        world.check()
    world.change_cell(a, -1)
    assert world.graph.objects_of(there) == world.graph.lights_of(there) == []


# Writes of a `cell` that is no object's: each place says whose it is.
OTHER_CELLS = {
    ("physics/shadow.py", 'shadows["cell"][s]'): "a shadow's own cell (S5)",
    ("physics/shadow.py", 'mine["cell"]'): "a shadow's own cell, its row at hand (S5)",
    ("physics/blocks.py", 'row["cell"]'): "the land cell that a building's row names",
    ("physics/objects.py", 'made["cell"]'): "a light that is made, in no cell yet",
    ("kernels/flood.py", "found[c[N_LIST]].cell"): "a row of the list of cells in view",
    ("kernels/flood.py", "found[there].cell"): "the same list, when it is put in order",
    ("kernels/flood.py", "found[i].cell"): "the same list, when it is put in order",
}


@pytest.mark.contract("C18")
def test_cells_py_holds_every_write_of_cell_and_id(repo: Path) -> None:
    """Sabotage: `row["cell"] = -1` in `PhysicsWorld.delete_object`; its place is listed.

    Whatever the array is called: a row, a column, a cell of a column, a name that stands for a
    column, one target of many. A new row of another kind with such a field is named above.
    """
    found = {}
    for file in sorted((repo / "acclient_py").rglob("*.py")):
        place = file.relative_to(repo / "acclient_py").as_posix()
        if place != "physics/cells.py":
            for line, target in _cell_writes(file.read_text(encoding="utf-8")):
                found[place, target] = f"{place}:{line}"
    assert sorted(at for key, at in found.items() if key not in OTHER_CELLS) == []
    assert sorted(key for key in OTHER_CELLS if key not in found) == [], "no longer there"


@pytest.mark.contract("C18")
@pytest.mark.parametrize(
    "text",
    [
        'objects["cell"][o] = 1',
        'g.objects[o]["objcell_id"] = 1',
        'me = objects[o]\nme["cell"] = -1',
        'row["guid"], row["objcell_id"] = 1, 2',
        'me["cell"] += 1',
        'column = g.objects["cell"]\ncolumn[o] = 3',
        'column: I32 = rows["objcell_id"]\ncolumn[:] = 0',
        'setattr(me, "cell", 1)',
        "me.objcell_id = 1",
        'for me["cell"] in range(3): pass',
    ],
)
def test_a_write_of_a_cell_is_seen(text: str) -> None:
    assert _cell_writes(text)


@pytest.mark.contract("C18")
@pytest.mark.parametrize(
    "text", ['c = me["cell"]', 'cells[me["cell"]]["kind"] = 1', 'me["cell_next"] = 1', "cell = 3"]
)
def test_a_read_of_a_cell_is_none(text: str) -> None:
    assert _cell_writes(text) == []


_OWNED = ("cell", "objcell_id")


def _cell_writes(text: str) -> list[tuple[int, str]]:
    """Line and target of each write of a field `cell` or `objcell_id`."""
    nodes = list(ast.walk(ast.parse(text)))
    columns: set[str] = set()
    found = []
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and _is_field(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            columns |= {t.id for t in targets if isinstance(t, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr":
            if any(isinstance(a, ast.Constant) and a.value in _OWNED for a in node.args):
                found.append((node.lineno, ast.unparse(node)))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            base = node.value
            named = isinstance(base, ast.Name) and base.id in columns
            if _is_field(node) or _is_field(base) or named:
                found.append((node.lineno, ast.unparse(node).replace("'", '"')))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if node.attr in _OWNED and not own:
                found.append((node.lineno, ast.unparse(node)))
    return found


def _is_field(node: ast.expr) -> bool:
    """`anything["cell"]`."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value in _OWNED
    )


@pytest.mark.contract("C19")
@parents
def test_a_warmed_crossing_grows_nothing(world: PhysicsWorld, who: tuple[int, int]) -> None:
    """Sabotage: take a new slab at each publication; the pool's mark rises."""
    family = armed(world, who, A, 3, 5, 0)
    batch = Batch()

    def cross(to: int, *at: float) -> None:
        ids = np.array([A, B], np.uint32)
        slots = np.array([world.cell_slot(A), world.cell_slot(B)], np.int32)
        frame = np.array((*at, 1, 0, 0, 0), np.float32)
        batch.add(
            family[0],
            world.cell_slot(to),
            frame,
            cell_id=to,
            cause=CAUSE_MOVE,
            ids=ids,
            slots=slots,
        )
        batch.commit(world.graph)

    for _ in range(3):
        cross(B, 11, 5, 0)
        cross(A, 9, 5, 0)
    arrays = world.graph.arrays
    marks = [m.copy() for m in (arrays.shadow_meta, arrays.place_meta, arrays.entry_meta)]
    growths = world.graph.growths
    for _ in range(20):
        cross(B, 11, 5, 0)
        cross(A, 9, 5, 0)
    assert world.graph.growths == growths
    assert world.graph.arrays is arrays
    for old, new in zip(
        marks, (arrays.shadow_meta, arrays.place_meta, arrays.entry_meta), strict=True
    ):
        assert np.array_equal(old, new)
    assert holders_of(world, A) == holders_of(world, B)


@pytest.mark.contract("C16")
def test_no_module_of_physics_names_a_mesh_for_drawing(repo: Path) -> None:
    """Sabotage: import render, gpu or view in physics; the module is listed."""
    bad = []
    for file in sorted((repo / "acclient_py" / "physics").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if any(
                    name.startswith(f"acclient_py.{p}") for p in ("render", "gpu", "view", "order")
                ):
                    bad.append(f"{file.name}: {name}")
    assert bad == []
    world = two_rooms()
    shield = put(world, SHIELD, A, 3, 5, 0)
    assert cell_id(world, shield) == A

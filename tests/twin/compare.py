"""Every list, link, id and frame of the plain world against the program's, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from twin.plain.cells import Cell
from twin.plain.events import World
from twin.plain.numbers import Frame
from twin.plain.objects import LEFT, Obj

from acclient_py.core.ids import hex8
from acclient_py.physics.layout import FREE, MARK_LATE, OBJECT
from acclient_py.physics.world import PhysicsWorld


class Different(AssertionError):
    """The two worlds are not the same; `what` names the list or field."""

    def __init__(self, what: str, plain: object, program: object) -> None:
        super().__init__(f"{what}: plain {plain!r}, program {program!r}")
        self.what = what


def same(what: str, plain: object, program: object) -> None:
    if plain != program:
        raise Different(what, plain, program)


def same_frame(what: str, plain: Frame, program: Any) -> None:
    """Origins within 1 mm at 200 m and eight levels of holding, rotations up to their sign."""
    got = program.tolist()
    reach = 2e-4 + 4e-6 * max(abs(plain[0]), abs(plain[1]), abs(plain[2]))
    turn = plain[3] * got[3] + plain[4] * got[4] + plain[5] * got[5] + plain[6] * got[6]
    flip = -1.0 if turn < 0 else 1.0
    for i in range(3):
        if abs(plain[i] - got[i]) > reach:
            raise Different(what, plain, got)
    for i in range(3, 7):
        if abs(plain[i] - flip * got[i]) > 1e-4:
            raise Different(what, plain, got)


_ENTRY = ["object", "part_index", "planes"]


class Reader:
    """The program's world, in the words of the plain one."""

    def __init__(self, program: PhysicsWorld) -> None:
        self.program = program
        self.graph = program.graph

    def cell_id(self, slot: int) -> int:
        return int(self.graph.arrays.cells["id"][slot]) if slot >= 0 else 0

    def lists(self, slot: int) -> dict[str, list[Any]]:
        a = self.graph.arrays
        return {
            "objects": self.graph.objects_of(slot),
            "shadows": [int(a.shadows["object"][s]) for s in self.graph.shadows_of(slot)],
            "parts": [
                (owner, part, bool(planes))
                for owner, part, planes in self.graph.parts_of(slot)[_ENTRY].tolist()
            ],
            "lights": [self.light(s) for s in self.graph.lights_of(slot)],
        }

    def light(self, row: int) -> tuple[int, int]:
        owner = int(self.graph.arrays.lights["object"][row])
        return owner, row - int(self.graph.arrays.objects["light_first"][owner])

    def busy(self) -> Any:
        """By slot: whether one of the cell's lists has a member."""
        cells = self.graph.arrays.cells
        names = ("objects", "shadows", "parts", "lights")
        found = np.zeros(len(cells), bool)
        for name in names:
            found |= cells[f"{name}_count"] != 0
            if name != "parts":  # a linked list
                found |= cells[f"{name}_first"] >= 0
        return found

    def live(self) -> list[int]:
        kinds = self.graph.arrays.objects["kind"][: self.graph.used("objects")]
        return [int(i) for i in np.flatnonzero(kinds == OBJECT)]

    def cells(self) -> dict[int, int]:
        """id -> slot"""
        cells = self.graph.arrays.cells[: self.graph.used("cells")]
        return {int(cells["id"][s]): int(s) for s in np.flatnonzero(cells["kind"] != FREE)}


def plain_lists(cell: Cell) -> dict[str, list[Any]]:
    return {
        "objects": [obj.slot for obj in cell.objects],
        "shadows": [shadow.owner.slot for shadow in cell.shadows],
        "parts": [(entry.owner.slot, entry.part.index, entry.planes) for entry in cell.parts],
        "lights": [(light.owner.slot, light.index) for light in cell.lights],
    }


def compare(plain: World, program: PhysicsWorld, *, order: bool = True, marks: bool = True) -> None:
    """Raise Different at the first difference. Without `order` cell lists are compared as sets."""
    reader = Reader(program)
    slots = reader.cells()
    same("resident cells", sorted(plain.cells.by_id), sorted(slots))
    busy = reader.busy()
    for cell_id, cell in plain.cells.by_id.items():
        slot = slots[cell_id]
        if not (busy[slot] or cell.objects or cell.shadows or cell.parts or cell.lights):
            continue
        mine, other = plain_lists(cell), reader.lists(slot)
        for name in mine:
            where = f"{name} of {hex8(cell_id)}"
            if order:
                same(where, mine[name], other[name])
            else:
                same(where, sorted(mine[name]), sorted(other[name]))
    same("objects", sorted(obj.slot for obj in plain.objects), reader.live())
    for obj in plain.objects:
        compare_object(obj, program, marks)
    lost = {cell_id: [obj.slot for obj in waiting] for cell_id, waiting in plain.lost.items()}
    theirs = dict(program.lost.by_cell())
    if not order:
        lost = {cell_id: sorted(waiting) for cell_id, waiting in lost.items()}
        theirs = {cell_id: sorted(waiting) for cell_id, waiting in theirs.items()}
    same("lost cells", lost, theirs)


def compare_object(obj: Obj, program: PhysicsWorld, marks: bool) -> None:
    name = f"object {obj.slot}"
    graph = program.graph
    ids = graph.arrays.cells["id"]
    row = graph.arrays.objects[obj.slot]
    shadows = [
        (cell_id, int(ids[cell]) if cell >= 0 else 0)
        for cell_id, cell in graph.shadows_on(obj.slot)[["cell_id", "cell"]].tolist()
    ]
    mine = [(s.cell_id, s.cell.id if s.cell is not None else 0) for s in obj.shadows]
    if mine != shadows:
        raise Different(f"shadows of {name}", show(mine), show(shadows))
    same(f"cell of {name}", obj.cell.id if obj.cell else 0, program.full_cell_id(obj.slot))
    same(f"objcell_id of {name}", hex8(obj.objcell_id), hex8(int(row["objcell_id"])))
    same(f"parent of {name}", obj.parent.slot if obj.parent else -1, int(row["parent"]))
    children = list(program.children_of(obj.slot))
    same(f"children of {name}", [held.child.slot for held in obj.children], children)
    same(f"state of {name}", hex8(obj.state), hex8(int(row["state"])))
    same(f"transient of {name}", obj.transient & LEFT, int(row["transient"]) & LEFT)
    if (
        marks and obj.parent is None and obj.shadows
    ):  # what a child was marked for, its root's array replaced
        same(f"late mark of {name}", obj.missed, bool(row["marks"] & MARK_LATE))
    deadline = program.lost.deadline(obj.slot)
    same(f"deadline of {name}", obj.deadline, deadline)
    same_frame(f"frame of {name}", obj.frame, row["frame"])
    if obj.part_array is not None:
        same(f"part id of {name}", hex8(obj.part_array.cell_id), hex8(int(row["part_cell_id"])))
        first = int(row["part_first"])
        for part in obj.part_array.parts:
            there = graph.arrays.parts[first + part.index]
            same_frame(f"frame of part {part.index} of {name}", part.frame, there["frame"])
            same(f"drawing of part {part.index} of {name}", part.drawn, not there["flags"] & 1)
        for light in obj.part_array.lights:
            there = graph.arrays.lights[int(row["light_first"]) + light.index]
            same_frame(f"frame of light {light.index} of {name}", light.frame, there["frame"])


def show(pairs: Sequence[tuple[int, int]]) -> list[str]:
    return [hex8(a) if a == b else f"{hex8(a)}->{hex8(b)}" for a, b in pairs]


def take_order(plain: World, program: PhysicsWorld) -> None:
    """Put the plain cell lists into the program's order, once they are the same sets (S11)."""
    reader = Reader(program)
    slots = reader.cells()
    for cell_id, cell in plain.cells.by_id.items():
        theirs = reader.lists(slots[cell_id])
        mine = plain_lists(cell)
        for name in mine:
            if mine[name] != theirs[name]:
                items = getattr(cell, name)
                left = list(zip(mine[name], items, strict=True))
                items[:] = [left.pop([k for k, _ in left].index(key))[1] for key in theirs[name]]
    for cell_id, waiting in plain.lost.items():
        rank = {slot: n for n, slot in enumerate(program.lost.waiting(cell_id))}
        waiting.sort(key=lambda obj: rank[obj.slot])

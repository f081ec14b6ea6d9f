"""What must be true of the graph between two events, checked row by row in plain Python.

Written from the contract, not from the kernels: lists are read forwards and backwards, every link
has to come back, and every count has to be the number of things. It is the proof of the quick check
in `physics/check.py`, which has to say the same of every graph.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any, NoReturn

from acclient_py.core.ids import hex8
from acclient_py.physics.check import InvariantError
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    BUILDING,
    ENTRY_TOTAL,
    ENV,
    EVENTS_LOST,
    FREE,
    OBJECT,
    SHADOW_TOTAL,
)  # fmt: skip
from acclient_py.physics.state import PhysicsState


def _fail(clause: str, what: str) -> NoReturn:
    raise InvariantError(clause, what)


class _Check:
    """One pass over a graph. turned : see `check_graph`"""

    def __init__(self, graph: Graph, turned: Collection[int] = ()) -> None:
        a = graph.arrays
        self.turned = turned
        self.graph = graph
        self.objects = a.objects[: graph.used("objects")]
        self.cells = a.cells[: graph.used("cells")]
        self.alive = [o for o in range(len(self.objects)) if self.objects["kind"][o] != FREE]
        self.live_cells = [c for c in range(len(self.cells)) if self.cells["kind"][c] != FREE]

    def name(self, obj: int) -> str:
        """An object as a message names it."""
        return f"object {obj} {hex8(int(self.objects['guid'][obj]))}"

    def children(self, obj: int) -> list[int]:
        """The child list, as far as it can be read: it may be a circle."""
        return list(islice(self.graph.children_of(obj), len(self.objects)))

    def linked(self, cell: int, what: str, after: Any, before: Any) -> list[int]:
        """A linked list of a cell, its links tested both ways."""
        row = self.cells[cell]
        found: list[int] = []
        at, last = int(row[f"{what}_first"]), -1
        while at >= 0:
            if len(found) > row[f"{what}_count"]:
                _fail("S9", f"{what} of cell {hex8(int(row['id']))} is longer than its count")
            if before[at] != last:
                _fail("S9", f"{what} of cell {hex8(int(row['id']))}: {at} has a wrong back link")
            found.append(at)
            last, at = at, int(after[at])
        if last != row[f"{what}_last"] or len(found) != row[f"{what}_count"]:
            _fail("S9", f"{what} of cell {hex8(int(row['id']))} has a wrong end or count")
        return found

    def forest(self) -> None:
        """C17: parent links form a forest and agree with the child lists."""
        for obj in self.alive:
            parent, steps = int(self.objects["parent"][obj]), 0
            if parent >= 0 and obj not in self.children(parent):
                _fail("C17", f"{self.name(obj)} is not in its parent's list")
            while parent >= 0:
                if self.objects["kind"][parent] == FREE:
                    _fail("C17", f"{self.name(obj)} hangs on a free row")
                parent, steps = int(self.objects["parent"][parent]), steps + 1
                if steps > len(self.objects):
                    _fail("C17", f"{self.name(obj)} hangs in a circle")
            before = -1
            for child in self.children(obj):
                row = self.objects[child]
                if row["parent"] != obj or row["prev_sibling"] != before or row["kind"] == FREE:
                    _fail("C17", f"{self.name(child)} in the list of {self.name(obj)}")
                before = child
            if self.objects["last_child"][obj] != before:
                _fail("C17", f"{self.name(obj)} has a wrong last child")

    def identity(self) -> None:
        """C14, C15: who is in which cell, and whether lists and ids agree."""
        member: dict[int, int] = {}
        for cell in self.live_cells:
            for obj in self.linked(
                cell, "objects", self.objects["cell_next"], self.objects["cell_prev"]
            ):
                if obj in member:
                    _fail("C15", f"{self.name(obj)} is in two object lists")
                member[obj] = cell
        for obj in self.alive:
            row = self.objects[obj]
            cell = int(row["cell"])
            if row["kind"] == BUILDING:
                if obj in member:
                    _fail("C9", f"a building's shell {obj} is in an object list")
                continue
            if member.get(obj, -1) != cell:
                _fail("C15", f"{self.name(obj)} has cell {cell}, list says {member.get(obj, -1)}")
            if cell < 0:
                continue
            cell_id = int(self.cells["id"][cell])
            if row["objcell_id"] != cell_id:
                _fail("C14", f"{self.name(obj)} has a wrong id {hex8(int(row['objcell_id']))}")
            emitter = int(row["state"]) & PhysicsState.PARTICLE_EMITTER or obj in self.turned
            if row["has_part_array"] and not emitter and row["part_cell_id"] != cell_id:
                _fail("C15", f"{self.name(obj)}: its parts have another id")
        for obj in self.alive:
            row = self.objects[obj]
            parent = int(row["parent"])
            if parent >= 0 and row["has_part_array"] and self._has_parts_up(obj):
                root = self._root(obj)
                if self.objects["cell"][root] >= 0 and row["cell"] != self.objects["cell"][root]:
                    if self.objects["objcell_id"][obj] == 0:
                        _fail("C14", f"{self.name(obj)} has id 0 while its root is resident")
                    _fail("C14", f"{self.name(obj)} is not in its parent's cell")
                if self.objects["cell"][root] < 0 and row["cell"] >= 0:
                    _fail("C14", f"{self.name(obj)} is resident, its root is not")

    def _root(self, obj: int) -> int:
        while self.objects["parent"][obj] >= 0:
            obj = int(self.objects["parent"][obj])
        return obj

    def _has_parts_up(self, obj: int) -> bool:
        while self.objects["parent"][obj] >= 0:
            obj = int(self.objects["parent"][obj])
            if not self.objects["has_part_array"][obj]:
                return False
        return True

    def shadows(self) -> None:
        """S5, S7, S9: the two products of a publication agree, entry by entry."""
        a = self.graph.arrays
        member: dict[int, int] = {}
        for cell in self.live_cells:
            for s in self.linked(cell, "shadows", a.shadows["next"], a.shadows["prev"]):
                if s in member:
                    _fail("S9", f"shadow {s} is in two lists")
                member[s] = cell
        total = 0
        entries: dict[tuple[int, int, int], int] = {}
        for cell in self.live_cells:
            first, count = (
                int(self.cells["parts_first"][cell]),
                int(self.cells["parts_count"][cell]),
            )
            if sorted(a.order[first : first + count].tolist()) != list(range(count)):
                _fail("L6", f"the order of cell {hex8(int(self.cells['id'][cell]))} is none")
            for place in range(count):
                entry = a.entries[first + place]
                key = (cell, int(entry["object"]), int(entry["part_index"]))
                row = self.objects[key[1]]
                if row["kind"] == FREE or entry["part"] != row["part_first"] + key[2]:
                    _fail("S8", f"an entry of cell {hex8(int(self.cells['id'][cell]))} is a ghost")
                if key in entries:
                    _fail("S5", f"{self.name(key[1])} part {key[2]} is in a cell twice")
                entries[key] = place
                rank = a.ranks[first + place]
                ranked = rank < count and a.order[first + rank] == place
                if a.places[entry["back"]] != place or not ranked:
                    _fail("S9", f"{self.name(key[1])} part {key[2]} has a wrong back link")
                if entry["planes"] and self.cells["kind"][cell] != ENV:
                    _fail("S5", f"{self.name(key[1])} has clip planes in a land cell")
        for obj in self.alive:
            total += self._shadows_of(obj, member, entries)
        if member or entries:
            _fail("S8", f"entries that no object owns: {sorted(member)[:3]} {sorted(entries)[:3]}")
        if total != a.control[SHADOW_TOTAL]:
            _fail("E15", f"{total} shadows, counted {a.control[SHADOW_TOTAL]}")
        listed = sum(int(self.cells["parts_count"][c]) for c in self.live_cells)
        if listed != a.control[ENTRY_TOTAL]:
            _fail("E15", f"{listed} part entries, counted {a.control[ENTRY_TOTAL]}")
        if a.control[EVENTS_LOST]:
            _fail("T2", f"{a.control[EVENTS_LOST]} events were lost")

    def _shadows_of(
        self, obj: int, member: dict[int, int], entries: dict[tuple[int, int, int], int]
    ) -> int:
        a = self.graph.arrays
        row = self.objects[obj]
        first, count = int(row["shadow_first"]), int(row["shadow_count"])
        emitter = int(row["state"]) & PhysicsState.PARTICLE_EMITTER and obj not in self.turned
        if count and row["kind"] != OBJECT:
            _fail("C9", f"a building's shell {obj} has shadows")
        seen: set[int] = set()
        for k in range(count):
            s = first + k
            shadow = a.shadows[s]
            cell = int(shadow["cell"])
            if shadow["object"] != obj:
                _fail("S9", f"{self.name(obj)} holds a shadow of another")
            if int(shadow["cell_id"]) in seen:
                _fail("S5", f"{self.name(obj)} has two shadows for one cell id")
            seen.add(int(shadow["cell_id"]))
            if member.pop(s, -1) != cell:
                _fail("S9", f"{self.name(obj)}: shadow {k} and the cell's list differ")
            if cell >= 0 and self.cells["id"][cell] != shadow["cell_id"]:
                _fail("S11", f"{self.name(obj)}: shadow {k} points at another cell")
            if emitter and cell >= 0 and cell != row["cell"]:
                _fail("S7", f"{self.name(obj)} is an emitter outside its own cell")
            places = int(row["place_first"]) + k * int(row["part_count"])
            for index in range(int(row["part_count"])):
                place = int(a.places[places + index])
                drawn = a.parts["gfx"][row["part_first"] + index] >= 0
                if entries.pop((cell, obj, index), -1) != place:
                    _fail("S9", f"{self.name(obj)} part {index}: place and list differ")
                if cell >= 0 and drawn != (place >= 0):
                    _fail("S9", f"{self.name(obj)} part {index} is not where its shadow is")
        return count

    def lights(self) -> None:
        """C15: an object's lights are where it is."""
        a = self.graph.arrays
        member: dict[int, int] = {}
        for cell in self.live_cells:
            for light in self.linked(cell, "lights", a.lights["next"], a.lights["prev"]):
                member[light] = cell
        for obj in self.alive:
            row = self.objects[obj]
            first = int(row["light_first"])
            for light in range(first, first + int(row["light_count"])):
                if a.lights["object"][light] != obj:
                    _fail("C15", f"{self.name(obj)} has a light of another")
                if member.pop(light, -1) != a.lights["cell"][light]:
                    _fail("C15", f"light {light} and its cell's list differ")
                if row["kind"] == OBJECT and a.lights["cell"][light] != row["cell"]:
                    _fail("C15", f"{self.name(obj)} has a light in another cell")
        if member:
            _fail("E15", f"lights that no object owns: {sorted(member)[:3]}")


def plain_check(graph: Graph, turned: Collection[int] = ()) -> None:
    """Raise InvariantError if the graph is broken; the message names the clause.

    turned : objects that became emitters or ceased to be: what an earlier enter or publication did
             by the other rule stays as it was, as in retail (C15 speaks of an enter)
    """
    one = _Check(graph, turned)
    one.forest()
    one.identity()
    one.shadows()
    one.lights()

"""What must be true of the graph between two events (`world.check()`, `--check`).

One compiled pass (`physics/invariants.py`) finds the first fault; the words are made here. The same
rules row by row in plain Python are the proof in the tests, and have to say the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np

from acclient_py.core import I64, U8
from acclient_py.core.ids import hex8
from acclient_py.physics import invariants as inv
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import FREE


class InvariantError(AssertionError):
    """The graph is broken; `clause` is the one that says so."""

    def __init__(self, clause: str, what: str) -> None:
        super().__init__(f"{clause}: {what}")
        self.clause = clause


FAULTS: Final = {
    inv.LONGER: ("S9", "{list} of cell {cell_a} is longer than its count"),
    inv.BACK: ("S9", "{list} of cell {cell_a}: {b} has a wrong back link"),
    inv.END: ("S9", "{list} of cell {cell_a} has a wrong end or count"),
    inv.UNLISTED: ("C17", "{object_a} is not in its parent's list"),
    inv.ON_FREE: ("C17", "{object_a} hangs on a free row"),
    inv.CIRCLE: ("C17", "{object_a} hangs in a circle"),
    inv.WRONG_CHILD: ("C17", "{object_a} in the list of {object_b}"),
    inv.WRONG_LAST: ("C17", "{object_a} has a wrong last child"),
    inv.TWO_LISTS: ("C15", "{object_a} is in two object lists"),
    inv.SHELL_LISTED: ("C9", "a building's shell {a} is in an object list"),
    inv.NOT_LISTED: ("C15", "{object_a} has cell {b}, list says {c}"),
    inv.WRONG_ID: ("C14", "{object_a} has a wrong id {id_b}"),
    inv.PARTS_ID: ("C15", "{object_a}: its parts have another id"),
    inv.ZERO_ID: ("C14", "{object_a} has id 0 while its root is resident"),
    inv.NOT_WITH_PARENT: ("C14", "{object_a} is not in its parent's cell"),
    inv.RESIDENT_ALONE: ("C14", "{object_a} is resident, its root is not"),
    inv.SHADOW_TWICE: ("S9", "shadow {a} is in two lists"),
    inv.NO_ORDER: ("L6", "the order of cell {cell_a} is none"),
    inv.PART_TWICE: ("S5", "{object_a} part {b} is in a cell twice"),
    inv.PART_BACK: ("S9", "{object_a} part {b} has a wrong back link"),
    inv.GHOST: ("S8", "an entry of cell {cell_a} is a ghost"),
    inv.LAND_PLANES: ("S5", "{object_a} has clip planes in a land cell"),
    inv.SHELL_SHADOWS: ("C9", "a building's shell {a} has shadows"),
    inv.ALIEN_SHADOW: ("S9", "{object_a} holds a shadow of another"),
    inv.SAME_ID: ("S5", "{object_a} has two shadows for one cell id"),
    inv.SHADOW_LIST: ("S9", "{object_a}: shadow {b} and the cell's list differ"),
    inv.SHADOW_CELL: ("S11", "{object_a}: shadow {b} points at another cell"),
    inv.EMITTER: ("S7", "{object_a} is an emitter outside its own cell"),
    inv.PLACE: ("S9", "{object_a} part {b}: place and list differ"),
    inv.NOT_DRAWN: ("S9", "{object_a} part {b} is not where its shadow is"),
    inv.LEFT: ("S8", "entries that no object owns: {left_shadows} {left_entries}"),
    inv.SHADOW_SUM: ("E15", "{a} shadows, counted {b}"),
    inv.ENTRY_SUM: ("E15", "{a} part entries, counted {b}"),
    inv.LOST: ("T2", "{a} events were lost"),
    inv.ALIEN_LIGHT: ("C15", "{object_a} has a light of another"),
    inv.LIGHT_LIST: ("C15", "light {a} and its cell's list differ"),
    inv.LIGHT_CELL: ("C15", "{object_a} has a light in another cell"),
    inv.LIGHTS_LEFT: ("E15", "lights that no object owns: {left_lights}"),
}
"""Clause and words of each fault. a, b, c are the numbers that were found."""

_LISTS: Final = ("objects", "shadows", "lights")


def check_graph(graph: Graph, turned: Collection[int] = ()) -> None:
    """Raise InvariantError if the graph is broken; the message names the clause.

    turned : objects that became emitters or ceased to be: what an earlier enter or publication did
             by the other rule stays as it was, as in retail (C15 speaks of an enter)
    """
    a = graph.arrays
    used, cells_used = graph.used("objects"), graph.used("cells")
    other = np.zeros(used, np.uint8)
    other[[obj for obj in turned if obj < used]] = 1
    shadow_in = np.full(len(a.shadows), -1, np.int32)
    light_in = np.full(len(a.lights), -1, np.int32)
    of_parts = np.zeros((2, len(a.parts)), np.int32)
    of_parts[1] = -1
    marks = np.zeros(len(a.entries), np.uint8)
    found = np.zeros(4, np.int64)
    inv.find_fault(
        a, used, cells_used, other, np.zeros((2, used), np.uint8),
        np.full((2, used), -1, np.int32), shadow_in, light_in, of_parts, marks, found,
    )  # fmt: skip
    if found[0]:
        clause, words = FAULTS[int(found[0])]
        left = {
            "left_shadows": np.flatnonzero(shadow_in >= 0)[:3].tolist(),
            "left_lights": np.flatnonzero(light_in >= 0)[:3].tolist(),
            "left_entries": _unowned(graph, marks) if found[0] == inv.LEFT else [],
        }
        raise InvariantError(clause, words.format(**_names(graph, found), **left))


def _names(graph: Graph, found: I64) -> dict[str, Any]:
    """What the words of a fault can name."""
    a, b, c = (int(number) for number in found[1:])
    objects, cells = graph.arrays.objects, graph.arrays.cells
    names: dict[str, Any] = {"a": a, "b": b, "c": c, "id_b": hex8(b & 0xFFFFFFFF)}
    for letter, number in (("a", a), ("b", b)):
        if number < len(objects):
            guid = int(objects["guid"][number])
            names[f"object_{letter}"] = f"object {number} {hex8(guid)}"
    names["cell_a"] = hex8(int(cells["id"][a])) if a < len(cells) else "none"
    names["list"] = _LISTS[c] if 0 <= c < len(_LISTS) else ""
    return names


def _unowned(graph: Graph, marks: U8) -> list[tuple[int, int, int]]:
    """The first entries without an owner: cell, object, part."""
    a = graph.arrays
    left = []
    for cell in range(graph.used("cells")):
        row = a.cells[cell]
        first = int(row["parts_first"])
        for at in range(first, first + int(row["parts_count"]) * (row["kind"] != FREE)):
            if not marks[at] & inv.OWNED:
                entry = a.entries[at]
                left.append((cell, int(entry["object"]), int(entry["part_index"])))
    return sorted(left)[:3]

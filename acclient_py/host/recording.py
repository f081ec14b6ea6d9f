"""What the graph's event ring is turned into: probe lines, transcript events, crossings.

The ring is drained after every message and every tick, so that a row still means what it meant when
the event was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acclient_py.core.ids import hex8
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    CAUSES,
    EVENT_ADD_PART,
    EVENT_ADD_SHADOW,
    EVENT_ARRAY_CELL,
    EVENT_CELL_ARRAY,
    EVENT_CELL_WRITE,
    EVENT_REMOVE_PART,
    EVENT_REMOVE_SHADOW,
)
from acclient_py.transcript.events import Sink, static_name

Line = dict[str, Any]

ADDED_OUTSIDE = 1
DO_NOT_LOAD_CELLS = 2


def _cell(cell_id: int) -> str | None:
    return hex8(cell_id) if cell_id else None


class Recording:
    """Drains the ring of one graph.

    probe : takes one line of text a cell write (E19), or None
    sink  : takes transcript events (T2, T3, T5), or None
    """

    def __init__(
        self, graph: Graph, *, probe: Callable[[str], None] | None = None, sink: Sink | None = None
    ) -> None:
        self.graph = graph
        self.probe = probe
        self.sink = sink
        self.crossings: list[Line] = []
        graph.record(True)

    def drain(self, tick: int) -> None:
        """Hand on what has happened since the last call, in order."""
        rows = self.graph.drain_events()
        if not len(rows):
            return
        at = 0
        while at < len(rows):
            row = rows[at]
            kind = int(row["kind"])
            if kind == EVENT_CELL_WRITE:
                self._cell_write(row, tick)
            elif kind == EVENT_CELL_ARRAY:
                count = int(row["old"])
                self._cell_array(row, rows[at + 1 : at + 1 + count])
                at += count
            elif self.sink is not None:
                self._list_event(row, kind)
            at += 1

    def take_crossings(self) -> list[Line]:
        """The crossings since the last checkpoint."""
        taken, self.crossings = self.crossings, []
        return taken

    @staticmethod
    def name(row: Any) -> str:
        """Whose event it is: a guid, or the record that a static is authored in and its place."""
        if row["guid"]:
            return hex8(int(row["guid"]))
        return static_name(int(row["home_id"]), int(row["home_index"]))

    def _other(self, row: Any) -> str | None:
        """The parent, or the root of an array: a static is its own root, and its emitters'."""
        if row["other"] < 0:
            return None
        if row["other_guid"]:
            return hex8(int(row["other_guid"]))
        return static_name(int(row["home_id"]), int(row["home_index"]))

    def _cell_write(self, row: Any, tick: int) -> None:
        """contract: T5 E19"""
        old, new = int(row["old"]), int(row["new"])
        cause = CAUSES[int(row["cause"])]
        name = self.name(row)
        parent = self._other(row)
        if self.sink is not None:
            self.sink.emit(
                "CellWrite",
                object=name,
                parent=parent,
                old=_cell(old),
                new=_cell(new),
                cause=cause,
            )
        if self.probe is not None and int(row["guid"]):
            self.probe(
                f"probe parent={parent or '-'} child={name} "
                f"old={_cell(old) or '-'} new={_cell(new) or '-'} cause={cause}"
            )
        outside = [cell & 0xFFFF < 0x100 for cell in (old, new)]
        crossed = old >> 16 != new >> 16 or outside[0] != outside[1]
        if parent is None and int(row["guid"]) and old and new and crossed:
            self.crossings.append(
                {"guid": name, "from": hex8(old), "to": hex8(new), "tick": tick, "cause": cause}
            )

    def _cell_array(self, row: Any, members: Any) -> None:
        """contract: T2"""
        if self.sink is None:
            return
        flags = int(row["flags"])
        self.sink.emit(
            "CellArray",
            object=self.name(row),
            **{"from": self._other(row)},
            cells=[_cell(int(m["new"])) if m["flags"] else None for m in members],
            ids=[hex8(int(m["new"])) for m in members],
            added_outside=bool(flags & ADDED_OUTSIDE),
            do_not_load_cells=bool(flags & DO_NOT_LOAD_CELLS),
        )

    def _list_event(self, row: Any, kind: int) -> None:
        """contract: T2 T3"""
        assert self.sink is not None, "without a sink lists are passed over"
        name = self.name(row)
        cell = _cell(int(row["new"]))
        if kind == EVENT_ADD_SHADOW:
            self.sink.emit("AddShadow", object=name, cell=cell, count=int(row["old"]))
        elif kind == EVENT_ADD_PART:
            self.sink.emit(
                "AddPart",
                object=name,
                part=int(row["part"]),
                gfxobj=hex8(int(row["old"])),
                cell=cell,
                planes=bool(row["flags"]),
                place=int(row["place"]),
            )
        elif kind == EVENT_REMOVE_SHADOW:
            self.sink.emit("RemoveShadow", object=name, cell=cell)
        elif kind == EVENT_REMOVE_PART:
            self.sink.emit("RemovePart", object=name, part=int(row["part"]), cell=cell)
        else:
            assert kind != EVENT_ARRAY_CELL, "array members follow their array"

"""A frame's records told as events, from the very stream that the GPU is fed (T1, T4)."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import Struct
from acclient_py.core.ids import hex8
from acclient_py.order.painter import Painter
from acclient_py.order.stream import FlushSite, Op, RecordFlag
from acclient_py.physics.world import PhysicsWorld
from acclient_py.transcript.events import Sink, static_name

IN_VIEW: Final = ("outside", "partial", "inside")
_ONCE: Final = (Op.SHELL, Op.CELL)


def write_frame(
    sink: Sink,
    painter: Painter,
    physics: PhysicsWorld,
    size: tuple[int, int],
    *,
    at: list[int] | None = None,
) -> None:
    """Write the painter's last frame, which was walked with marks.

    at : takes, of each event, the index of the record that it was told from; 0 of a view
    """
    # contract: T1, T4
    width, height = size
    for index, polygon in enumerate(painter.view_polygons()):
        corners = [[2 * float(x) / width - 1, 2 * float(y) / height - 1] for x, y in polygon]
        sink.emit("View", view=index, source=painter.view_source, polygon=corners)
        if at is not None:
            at.append(0)
    _Teller(sink, physics).tell(painter.records, at)


class _Teller:
    """Turns records into events one after the other."""

    def __init__(self, sink: Sink, physics: PhysicsWorld) -> None:
        self._sink = sink
        self._physics = physics
        self._arrays = physics.graph.views()
        self._gfx = physics.models.gfx_rows
        self._last: tuple[int, int, int] = (-1, -1, -1)
        self._block = 0
        self._cell = 0  # the land cell whose turn it is

    def tell(self, records: Struct, told_at: list[int] | None = None) -> None:
        at = 0
        while at < len(records):
            record = records[at]
            op = Op(int(record["op"]))
            if op is Op.SORT:
                count = int(record["count"])
                self._sort(record, records[at + 1 : at + 1 + count])
                if told_at is not None:
                    told_at.append(at)
                at += 1 + count
                continue
            same = (int(op), int(record["owner"]), int(record["instance"]))
            if (op not in _ONCE or same != self._last) and self._one(op, record):
                if told_at is not None:
                    told_at.append(at)
            self._last = same
            at += 1

    def _one(self, op: Op, r: Struct) -> bool:
        """Tell one record; whether it is an event at all."""
        emit = self._sink.emit
        owner, first, count = int(r["owner"]), int(r["first"]), int(r["count"])
        if op is Op.SKY_PASS:
            if first == 0:
                emit("Sky", **{"pass": "pre"})
            else:
                emit("Weather")
        elif op is Op.BLOCK:
            self._block = owner
            emit(
                "Block",
                block=hex8(owner),
                block_index=first,
                in_view=IN_VIEW[int(r["flags"])],
                side=count,
            )
        elif op is Op.TERRAIN:
            self._cell = owner
            emit(
                "DrawLandCell",
                cell=hex8(owner),
                block_index=int(r["view"]),
                cell_index=int(r["part_index"]),
                in_view=IN_VIEW[int(r["flags"])],
            )
        elif op is Op.BUILDING:
            emit(
                "DrawBuilding",
                cell=hex8(self._building_cell(first)),
                building=self._building(first),
                gfxobj=hex8(self._shell_gfx(first)),
                level=count,
            )
        elif op is Op.FLUSH:
            site = FlushSite(owner)
            emit(
                "Flush",
                site=site.name.lower(),
                threshold=float(r["cypt"]),
                clip=first,
                alpha=count,
                drained=bool(int(r["flags"]) & RecordFlag.DRAINED),
                **({"cell": hex8(self._cell)} if site is FlushSite.CELL else {}),
            )
        elif op is Op.PUNCH:
            emit(
                "Portal",
                building=self._building(owner),
                portal=int(r["part_index"]),
                mode="punch",
                view=int(r["view"]),
            )
        elif op is Op.SEAL:
            emit("Seal", cell=hex8(owner), portal=int(r["part_index"]), view=int(r["view"]))
        elif op is Op.LOOK_IN:
            emit("LookIn", cell=hex8(owner), view=int(r["view"]), views=count)
        elif op is Op.ENV_CELL:
            emit("DrawEnvCell", cell=hex8(owner), view=0, views=count)
        elif op is Op.SHELL:
            emit("DrawShell", building=self._shell_of(owner), gfxobj=hex8(self._object_gfx(owner)))
        elif op is Op.OBJ_CELL:
            emit("DrawObjCell", cell=hex8(owner), parts=count)
        elif op is Op.PART_TURN:
            emit(
                "Part",
                object=self._name(owner),
                part=int(r["part_index"]),
                gfxobj=hex8(int(self._gfx["id"][first])),
                cypt=float(r["cypt"]),
                place=count,
                deferred=_deferred(int(r["flags"])),
            )
        elif op in (Op.CLIP, Op.ALPHA):
            emit(
                "DrawDeferred",
                list="clip" if op is Op.CLIP else "alpha",
                object=self._deferred_owner(owner),
                part=int(r["part_index"]),
                slot=int(r["surface_slot"]),
            )
        elif op is Op.CLEAR_DEPTH:
            emit("ClearDepth", seals_last_frame=first)
        else:
            if op is Op.LAND_CELL:  # out of view: its flush alone says that it had its turn
                self._cell = owner
            return False
        return True

    def _sort(self, record: Struct, parts: Struct) -> None:
        rows = [[self._name(int(p["owner"])), int(p["first"]), float(p["cypt"])] for p in parts]
        self._sink.emit("Sort", cell=hex8(int(record["owner"])), parts=rows)

    def _name(self, obj: int) -> str:
        row = self._arrays.objects[obj]
        if int(row["home_id"]):
            return static_name(int(row["home_id"]), int(row["home_index"]))
        return hex8(int(row["guid"]))

    def _deferred_owner(self, owner: int) -> str:
        """An object's name; an env cell's own blended surfaces are owned by the cell's id."""
        if owner < len(self._arrays.objects):
            if int(self._arrays.objects["kind"][owner]) == 2:
                return self._shell_of(owner)
            return self._name(owner)
        return hex8(owner)

    def _building(self, building: int) -> str:
        row = self._arrays.buildings[building]
        block = int(self._arrays.blocks["id"][int(row["block"])])
        rows = self._physics.buildings.get(block, [])
        return static_name(block, rows.index(building) if building in rows else 0)

    def _shell_of(self, obj: int) -> str:
        found = np.flatnonzero(self._arrays.buildings["object"] == obj)
        return self._building(int(found[0])) if len(found) else hex8(obj)

    def _building_cell(self, building: int) -> int:
        cell = int(self._arrays.buildings["cell"][building])
        return int(self._arrays.cells["id"][cell])

    def _shell_gfx(self, building: int) -> int:
        return self._object_gfx(int(self._arrays.buildings["object"][building]))

    def _object_gfx(self, obj: int) -> int:
        part = int(self._arrays.objects["part_first"][obj])
        gfx = int(self._arrays.parts["gfx"][part])
        return int(self._gfx["id"][gfx]) if gfx >= 0 else 0


def _deferred(flags: int) -> str | None:
    if flags & RecordFlag.DEFERRED_CLIP and flags & RecordFlag.DEFERRED_ALPHA:
        return "both"
    if flags & RecordFlag.DEFERRED_CLIP:
        return "clip"
    return "alpha" if flags & RecordFlag.DEFERRED_ALPHA else None

"""A plain picture of the graph: blocks, cells, objects and parts as objects with lists.

Built anew whenever the graph has changed. What the drawing tables say (meshes, detail levels,
portal polygons) comes from the scene, which made them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from twin.painter.numbers import F, Frame, Plane

from acclient_py.physics.layout import PART_NODRAW
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.world import PhysicsWorld


@dataclass(frozen=True)
class Slot:
    """One surface slot of a mesh: the byte that says whether it waits, its state, its picture."""

    mask: int
    state: int
    textured: bool
    detail: bool = False
    """There is a detail picture to draw over it."""


@dataclass(frozen=True)
class Level:
    gfx: int
    mode: int
    ideal: float
    most: float


@dataclass(frozen=True)
class Gfx:
    """A mesh as the walk sees it. `portals` is the root of its portal nodes."""

    row: int
    slots: tuple[Slot, ...]
    levels: tuple[Level, ...]
    sort_center: tuple[Any, Any, Any]
    sphere: tuple[Any, Any, Any, Any]
    portals: Node | None


@dataclass(frozen=True)
class Opening:
    """A portal polygon of a shell: its corners in the shell's frame, and whose portal it is."""

    plane: Plane
    corners: tuple[tuple[float, float, float], ...]
    portal: int


@dataclass(frozen=True)
class Node:
    """A portal node, or (without openings) a node that only orders two."""

    plane: Plane
    positive: Node | None
    negative: Node | None
    openings: tuple[Opening, ...]


@dataclass(eq=False)
class Part:
    row: int
    index: int
    gfx: int
    frame: Frame
    scale: tuple[Any, Any, Any]
    nodraw: bool
    faded: bool
    """Its own material is translucent."""
    look: int
    owner: Obj = field(repr=False)


@dataclass(eq=False)
class Obj:
    row: int
    generation: int
    emitter: bool
    cell_id: int
    part_cell_id: int
    frame: Frame
    parts: list[Part] = field(default_factory=list)


@dataclass(eq=False)
class Portal:
    plane: Plane
    other: int
    other_portal: int
    side: int
    exact: bool
    corners: tuple[tuple[float, float, float], ...]


@dataclass(eq=False)
class BuildingPortal:
    other: int
    other_portal: int
    side: int
    stabs: tuple[int, ...]


@dataclass(eq=False)
class Building:
    row: int
    shell: Obj
    portals: list[BuildingPortal]


@dataclass(eq=False)
class Cell:
    """A land cell or an env cell. `entries` is the part list in publication order."""

    id: int
    frame: Frame
    shadows: list[Obj]
    entries: list[Part]
    building: Building | None = None
    portals: list[Portal] = field(default_factory=list)
    stabs: tuple[int, ...] = ()
    slots: tuple[Slot, ...] | None = None
    """Of an env cell with a drawing tree."""


@dataclass(eq=False)
class Block:
    id: int
    side: int
    low: Any
    high: Any


class Tables(Protocol):
    """What the scene knows of looks."""

    def gfx(self, row: int) -> Gfx: ...

    def look_slots(self, look: int, level: int) -> tuple[Slot, ...] | None: ...

    def cell_slots(self, cell_id: int) -> tuple[Slot, ...] | None: ...

    def corners(self, cell_id: int, portal: int) -> tuple[tuple[float, float, float], ...]: ...


class Picture:
    """All of one world."""

    def __init__(self, world: PhysicsWorld, tables: Tables) -> None:
        self._world = world
        self._a = world.graph.views()
        self._tables = tables
        self._objects: dict[int, Obj] = {}
        self.blocks = {block.id: block for block in self._blocks()}
        self.cells: dict[int, Cell] = {}
        used = world.graph.used("cells")
        rows = self._a.cells[:used]
        for slot in range(used):
            if rows["kind"][slot]:
                cell = self._cell(slot)
                self.cells[cell.id] = cell

    def _blocks(self) -> list[Block]:
        found = []
        for at in sorted(self._world.blocks.landblocks):
            row, heights = self._a.blocks[at], self._a.heights[at]
            low, high = heights.min() - F(1), heights.max() + F(200)
            found.append(Block(int(row["id"]), int(row["side"]), low, high))
        return found

    def _object(self, row: int) -> Obj:
        if row in self._objects:
            return self._objects[row]
        o = self._a.objects[row]
        emitter = bool(int(o["state"]) & PhysicsState.PARTICLE_EMITTER)
        made = Obj(
            row, int(o["generation"]), emitter, int(o["objcell_id"]), int(o["part_cell_id"]),
            tuple(o["frame"]),
        )  # fmt: skip
        self._objects[row] = made
        first = int(o["part_first"])
        for index in range(int(o["part_count"])):
            p = self._a.parts[first + index]
            nodraw = bool(int(p["flags"]) & PART_NODRAW)
            part = Part(
                first + index, index, int(p["gfx"]), tuple(p["frame"]), tuple(p["scale"]), nodraw,
                float(p["translucency"]) > 0, int(p["look"]), made,
            )  # fmt: skip
            made.parts.append(part)
        return made

    def _cell(self, slot: int) -> Cell:
        row = self._a.cells[slot]
        graph = self._world.graph
        shadows = [self._object(int(self._a.shadows["object"][s])) for s in graph.shadows_of(slot)]
        entries = [
            self._object(int(e["object"])).parts[int(e["part_index"])] for e in graph.parts_of(slot)
        ]
        made = Cell(int(row["id"]), tuple(row["frame"]), shadows, entries)
        if made.id & 0xFFFF >= 0x100:
            made.slots = self._tables.cell_slots(made.id)
            first, count = int(row["stab_first"]), int(row["stab_count"])
            made.stabs = tuple(self._a.stabs[first : first + count].tolist())
            first, count = int(row["portal_first"]), int(row["portal_count"])
            for index, p in enumerate(self._a.portals[first : first + count]):
                corners = self._tables.corners(made.id, index)
                portal = Portal(
                    tuple(p["plane"]), int(p["other_cell_id"]), int(p["other_portal"]),
                    int(p["side"]), bool(p["exact"]), corners,
                )  # fmt: skip
                made.portals.append(portal)
        elif int(row["building"]) >= 0:
            made.building = self._building(int(row["building"]))
        return made

    def _building(self, at: int) -> Building:
        row = self._a.buildings[at]
        made = Building(at, self._object(int(row["object"])), [])
        first, count = int(row["portal_first"]), int(row["portal_count"])
        for p in self._a.building_portals[first : first + count]:
            run, length = int(p["stab_first"]), int(p["stab_count"])
            stabs = tuple(self._a.stabs[run : run + length].tolist())
            portal = BuildingPortal(
                int(p["other_cell_id"]), int(p["other_portal"]), int(p["side"]), stabs
            )
            made.portals.append(portal)
        return made

    def gfx(self, row: int) -> Gfx:
        return self._tables.gfx(row)

    def slots_of(self, part: Part, level: int, row: int) -> tuple[Slot, ...]:
        """The surfaces of a part at its level: its own look's, else those of the mesh."""
        found = self._tables.look_slots(part.look, level)
        return self._tables.gfx(row).slots if found is None else found

"""What all of a frame shares, and a cell's turn: distances, the sort, its parts, its shell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twin.painter.distance import Distances, insertion_sort
from twin.painter.flood import Walk
from twin.painter.memory import Memory
from twin.painter.numbers import F, doubt, offset_between, placed
from twin.painter.reading import Cell, Part, Picture
from twin.painter.surfaces import Canvas, fresh, lists_of
from twin.painter.views import OUT, Eye, View

SUN, INDOORS, BURNT = 0, 1, 2
MOST_LAMPS = 8


@dataclass(frozen=True)
class Sky:
    """Meshes of the two passes, by row."""

    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Window:
    """The load window: its middle block, how far it reaches."""

    x: int
    y: int
    radius: int


@dataclass(frozen=True)
class Detail:
    """Which detail surfaces there are: of building shells, of env cells."""

    buildings: bool
    cells: bool


@dataclass(frozen=True)
class Lamp:
    """A lamp: its place from the eye's block, and how far it reaches."""

    at: tuple[float, float, float]
    falloff: float


@dataclass(frozen=True)
class Lamps:
    """The two pools of a frame: of movers, of statics."""

    moving: tuple[Lamp, ...] = ()
    standing: tuple[Lamp, ...] = ()


class Turns:
    """A frame's state, and the turns of its cells."""

    def __init__(
        self, picture: Picture, memory: Memory, eye: Eye, default: View, window: Window, *,
        sky: Sky | None, player: int, detail: Detail, lamps: Lamps,
    ) -> None:  # fmt: skip
        self.picture, self.memory, self.eye, self.window = picture, memory, eye, window
        self.default, self.sky, self.player, self.detail = default, sky, player, detail
        self.canvas = Canvas()
        self.distances = Distances(picture, memory, eye, player)
        self.views: Sequence[View] = ()
        """The list of active views: retail's PortalList."""
        self.lamps = lamps
        self.sunlit = True
        """Retail's useSunlight: no lamp lights what is drawn meanwhile."""
        self.outer: list[View] = []
        """The views that the landscape was drawn for, of an eye in a cell."""

    def update_and_sort(self, cell: Cell) -> None:
        self.distances.update_cell(cell)
        if len(cell.entries) > 1:
            parts = self.memory.order_of(cell)
            insertion_sort(parts, self.memory)
            self.memory.keep_order(cell, parts)
            rows = [(p.owner.row, p.index, self.memory.of(p).distance) for p in parts]
            self.canvas.tell("sort", cell.id, tuple(rows))

    def draw_obj_cell(self, cell: Cell) -> None:
        """DrawObjCell @0x005A1A40: the part list as it stands."""
        parts = self.memory.order_of(cell)
        if parts:
            self.canvas.tell("obj cell", cell.id, len(parts))
        for place, part in enumerate(parts):
            self.draw_part(part, place)

    def admitting(self, part: Part, mesh: int) -> int:
        """How many of the active views admit a part's drawing sphere at its level."""
        centre, radius = self.sphere(part, mesh)
        return sum(view.rates(centre, radius) != OUT for view in self.views)

    def sphere(self, part: Part, mesh: int) -> tuple[tuple[Any, Any, Any], Any]:
        """A part's drawing sphere as it stands: its middle from the eye's block, its radius."""
        x, y, z, r = self.picture.gfx(mesh).sphere
        scaled = [s * c for s, c in zip(part.scale, (x, y, z), strict=True)]
        at = placed(self.distances.draw_frame(part), scaled)
        offset = offset_between(self.eye.cell_id, part.owner.part_cell_id)
        centre = at[0] + offset[0], at[1] + offset[1], at[2]
        return centre, r * max(abs(s) for s in part.scale)

    def light_of(self, part: Part, mesh: int) -> tuple[int, ...]:
        """minimize_object_lighting @0x0054D480: at most eight lamps, movers' first."""
        if self.sunlit:
            return (SUN,)
        centre, radius = self.sphere(part, mesh)
        chosen: list[int] = []
        for number, lamp in enumerate((*self.lamps.moving, *self.lamps.standing)):
            dx, dy, dz = (F(a) - c for a, c in zip(lamp.at, centre, strict=True))
            reach = F(lamp.falloff) + radius
            far = dx * dx + dy * dy + dz * dz
            if len(chosen) < MOST_LAMPS and doubt.below(far, reach * reach, "lamp"):
                chosen.append(number)
        return (INDOORS, *chosen)

    def draw_part(self, part: Part, place: int) -> None:
        """CPhysicsPart::Draw @0x0050D7A0, RenderDeviceD3D::DrawMesh @0x005A0860."""
        if part.nodraw:
            return
        mesh = self.distances.shown(part)
        if mesh < 0 or not fresh(self.memory, part):
            return
        times = self.admitting(part, mesh)
        if part.owner.row != self.player:
            times = min(times, 1)
        known = self.memory.of(part)
        slots = self.picture.slots_of(part, self.distances.level_of(part), mesh)
        lists = lists_of(slots, faded=part.faded)
        light = self.light_of(part, mesh)
        for _ in range(times):
            known.stamp = self.memory.stamp
            self.canvas.tell("part", part.owner.row, part.index, mesh, known.distance, place, lists)
            self.canvas.mesh(
                "part slot", part.owner.row, part.index, slots, fills=True, faded=part.faded,
                light=light,
            )  # fmt: skip

    def draw_cells(self, walk: Walk, word: str, number: int = 0) -> None:
        """Steps 2 and 3 of PView::DrawCells: all shells, then all objects, far to near.

        number : of the landscape's view that a look-in is through
        """
        self.sunlit = False
        walls = (BURNT, *range(len(self.lamps.moving)))  # minimize_envcell_lighting: all movers'
        for c in reversed(walk.draw_list):
            cell = c.cell
            if cell.slots is None or self.memory.cell_stamps.get(cell.id) == self.memory.stamp:
                continue
            self.memory.cell_stamps[cell.id] = self.memory.stamp
            self.canvas.tell(word, cell.id, len(c.views), number)
            self.canvas.mesh(
                "cell slot", cell.id, 0, cell.slots, fills=False, detail=self.detail.cells,
                light=walls,
            )  # fmt: skip
        for c in reversed(walk.draw_list):
            self.views = c.views
            if c.cell.shadows:
                self.update_and_sort(c.cell)
            self.draw_obj_cell(c.cell)
        self.sunlit = True

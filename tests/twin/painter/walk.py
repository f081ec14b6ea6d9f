"""One frame, told from the contract (L1 to L11) and rendering 0 to 8, step by step.

`Frame(...).paint()` gives the rows of the frame in order. Nothing is fast here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twin.painter import order
from twin.painter.cull import OUTSIDE as OUT_OF_VIEW
from twin.painter.cull import Rated, draw_check_blocks
from twin.painter.distance import Distances, insertion_sort
from twin.painter.flood import MOST_OUTSIDE, NO_PORTAL, OUTSIDE, Seen, Walk
from twin.painter.memory import Memory
from twin.painter.numbers import (
    NEGATIVE,
    ON_PLANE,
    Point,
    block_of,
    corner_of,
    into,
    offset_between,
    placed,
    side_of,
)
from twin.painter.reading import Block, Building, Cell, Node, Opening, Part, Picture
from twin.painter.surfaces import Canvas, Row, fresh, lists_of
from twin.painter.views import OUT, Eye, View, get_clip

DRAIN, LEVEL = 0.0, 0.75
FLANK = 12.0


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


class Frame:
    """All of one frame."""

    def __init__(
        self, picture: Picture, memory: Memory, eye: Eye, default: View, window: Window, *,
        sky: Sky | None, player: int, detail: Detail,
    ) -> None:  # fmt: skip
        self.picture, self.memory, self.eye, self.window = picture, memory, eye, window
        self.default, self.sky, self.player, self.detail = default, sky, player, detail
        self.canvas = Canvas()
        self.distances = Distances(picture, memory, eye, player)
        self.views: Sequence[View] = ()
        """The list of active views: retail's PortalList."""
        self.outer: list[View] = []
        """The views that the landscape was drawn for, of an eye in a cell."""

    def paint(self) -> list[Row]:
        """SmartBox::RenderNormalMode @0x00453AA0."""
        self.memory.stamp += 1
        root = self.picture.cells.get(self.eye.cell_id)
        if root is None or root.id & 0xFFFF < 0x100:
            self.landscape([self.default])
        else:
            self.draw_inside(root)
        self.canvas.flush("end", DRAIN)
        return self.canvas.rows

    # the landscape ------------------------------------------------------------------------

    def landscape(self, views: list[View]) -> None:
        """LScape::draw @0x00506330."""
        if self.sky is not None:
            self.canvas.tell("sky")
            self.sky_pass("sky part", self.sky.before)
        w, (bx, by) = self.window, block_of(self.eye.cell_id)
        width = 2 * w.radius + 1
        viewer = bx - w.x + w.radius, by - w.y + w.radius
        squares = order.blocks_nearest_first(width, *viewer)
        if not squares:
            return
        blocks: dict[tuple[int, int], Block] = {}
        for ix, iy in sorted(squares):
            x, y = w.x - w.radius + ix, w.y - w.radius + iy
            block = self.picture.blocks.get(x << 24 | y << 16 | 0xFFFF) if min(x, y) >= 0 else None
            if block is not None and block.side:
                blocks[ix, iy] = block
        rated = draw_check_blocks(blocks, viewer, views)
        for index in range(len(squares) - 1, -1, -1):
            here = rated.get(squares[index])
            if here is None or here.in_view == OUT_OF_VIEW:
                continue
            self.canvas.tell("block", here.block.id, index, here.in_view, here.block.side)
            self.views = views
            self.draw_block(here, index, squares[index], viewer)
        if self.sky is not None:
            self.canvas.tell("weather")
            self.sky_pass("weather part", self.sky.after)

    def sky_pass(self, word: str, meshes: tuple[int, ...]) -> None:
        """In the sky nothing waits and every surface is drawn."""
        for number, mesh in enumerate(meshes):
            for index in range(len(self.picture.gfx(mesh).slots)):
                self.canvas.tell(word, number, index)

    def draw_block(
        self, here: Rated, block_index: int, square: tuple[int, int], viewer: tuple[int, int]
    ) -> None:
        """DrawBlock @0x005A17C0: all sorts, then cell by cell."""
        block = here.block
        eye_cell = (
            min(max(int(self.eye.at[0] // 24), 0), 7),
            min(max(int(self.eye.at[1] // 24), 0), 7),
        )
        dx, dy = square[0] - viewer[0], square[1] - viewer[1]
        close = order.nearest_cell(block.side, dx, dy, eye_cell)
        turns = order.cells_farthest_first(block.side, close)
        cells = []
        for x, y in turns:
            cell_id = block.id & 0xFFFF0000 | (x * block.side + y + 1)
            cell = self.picture.cells.get(cell_id) if block.side == 8 else None
            cells.append((cell_id, cell, here.cells[x, y]))
        for _, cell, in_view in cells:
            if in_view != OUT_OF_VIEW and cell is not None and cell.shadows:
                self.update_and_sort(cell)
        for index, (cell_id, cell, in_view) in enumerate(cells):
            if in_view != OUT_OF_VIEW:
                self.canvas.tell("terrain", cell_id, block_index, index, in_view)
            else:
                self.canvas.tell("land cell", cell_id, block_index, index)
            if cell is not None:
                if cell.building is not None:
                    self.draw_building(cell.building)
                self.draw_obj_cell(cell)
                self.canvas.flush("cell", LEVEL)

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
        x, y, z, r = self.picture.gfx(mesh).sphere
        scaled = [s * c for s, c in zip(part.scale, (x, y, z), strict=True)]
        at = placed(self.distances.draw_frame(part), scaled)
        offset = offset_between(self.eye.cell_id, part.owner.part_cell_id)
        centre = at[0] + offset[0], at[1] + offset[1], at[2]
        radius = r * max(abs(s) for s in part.scale)
        return sum(view.rates(centre, radius) != OUT for view in self.views)

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
        slots = self.picture.slots_of(part, known.level, mesh)
        lists = lists_of(slots, faded=part.faded)
        for _ in range(times):
            known.stamp = self.memory.stamp
            self.canvas.tell("part", part.owner.row, part.index, mesh, known.distance, place, lists)
            self.canvas.mesh(
                "part slot", part.owner.row, part.index, slots, fills=True, faded=part.faded
            )

    # buildings ----------------------------------------------------------------------------

    def draw_building(self, building: Building) -> None:
        """DrawBuilding @0x0059F2A0."""
        shell = building.shell.parts[0]
        self.distances.update_part(shell)
        mesh = self.distances.shown(shell)
        if mesh < 0:
            return
        self.canvas.tell("building", building.row, self.memory.of(shell).level)
        self.canvas.flush("building", DRAIN)
        root = self.picture.gfx(mesh).portals
        outer = self.views
        for number, view in enumerate(outer):
            for punching in (True, False):
                self.walk_portals(root, building, shell, view, number, punching=punching)
                self.views = outer
        if shell.nodraw or not fresh(self.memory, shell):
            return
        if self.admitting(shell, mesh):
            self.memory.of(shell).stamp = self.memory.stamp
            slots = self.picture.gfx(mesh).slots
            self.canvas.mesh(
                "shell", building.shell.row, 0, slots, fills=False, faded=shell.faded,
                detail=self.detail.buildings,
            )  # fmt: skip

    def local_eye(self, shell: Part) -> Point:
        offset = offset_between(self.eye.cell_id, shell.owner.part_cell_id)
        return into(shell.frame, self.eye.at, offset)

    def walk_portals(
        self, node: Node | None, building: Building, shell: Part, view: View, number: int, *,
        punching: bool,
    ) -> None:  # fmt: skip
        """build_draw_portals_only: the far side of a node first."""
        if node is None:
            return
        side = side_of(node.plane, self.local_eye(shell), "node")
        first, second = node.negative, node.positive
        if side in (NEGATIVE, ON_PLANE):
            first, second = second, first
        self.walk_portals(first, building, shell, view, number, punching=punching)
        if side != ON_PLANE:
            for opening in node.openings:
                self.draw_portal(opening, building, shell, view, number, punching=punching)
        self.walk_portals(second, building, shell, view, number, punching=punching)

    def draw_portal(
        self, opening: Opening, building: Building, shell: Part, view: View, number: int, *,
        punching: bool,
    ) -> None:  # fmt: skip
        """PView::DrawPortal @0x005A5AB0, ConstructView @0x005A59A0: side, clip, loaded cell."""
        if opening.portal >= len(building.portals):
            return
        portal = building.portals[opening.portal]
        side = side_of(opening.plane, self.local_eye(shell), "opening")
        if side != portal.side:
            return
        offset = offset_between(self.eye.cell_id, shell.owner.part_cell_id)
        corners = [corner_of(shell.frame, corner, offset) for corner in opening.corners]
        clip = get_clip(self.eye, corners, view, backwards=side == NEGATIVE)
        if clip is None:
            return
        walk = Walk(self.picture, self.eye, landscape=False)
        walk.add_views((portal.other, *portal.stabs))
        behind = walk.on_stack.get(portal.other)
        if behind is None or not walk.take(behind, clip):
            return
        if punching:
            if not flank(opening.corners):
                self.canvas.tell("punch", building.row, opening.portal, number)
            return
        walk.run(behind, portal.other_portal)
        self.draw_cells(walk, "look in")

    # cells --------------------------------------------------------------------------------

    def draw_inside(self, root: Cell) -> None:
        """DrawInside @0x005A5860."""
        walk = Walk(self.picture, self.eye, landscape=True)
        walk.add_views((root.id, *root.stabs))
        first = walk.on_stack[root.id]
        walk.take(first, None)
        walk.run(first, NO_PORTAL)
        if walk.outside:
            self.outside_first(walk)
        self.draw_cells(walk, "env cell")

    def outside_first(self, walk: Walk) -> None:
        """Step 1 of PView::DrawCells @0x005A4840."""
        self.outer = walk.outside[:MOST_OUTSIDE]
        self.landscape(self.outer)
        self.canvas.flush("landscape", DRAIN)
        self.memory.stamp += 1
        count, self.memory.seals = self.memory.seals, 0
        if count:
            self.canvas.tell("clear depth", count)
        for c in reversed(walk.draw_list):
            if c.cell.slots is None:
                continue
            for number, view in enumerate(c.views):
                for i, portal in enumerate(c.cell.portals):
                    if portal.other == OUTSIDE:
                        self.seal(walk, c, number, view, i)

    def seal(self, walk: Walk, c: Seen, number: int, view: View, index: int) -> None:
        portal = c.cell.portals[index]
        self.memory.seals += 1
        corners = walk.world_corners(c.cell, portal)
        clip = get_clip(self.eye, corners, view, backwards=portal.side == NEGATIVE)
        if clip is not None and not flank(portal.corners):
            self.canvas.tell("seal", c.cell.id, index, number)

    def draw_cells(self, walk: Walk, word: str) -> None:
        """Steps 2 and 3 of PView::DrawCells: all shells, then all objects, far to near."""
        for c in reversed(walk.draw_list):
            cell = c.cell
            if cell.slots is None or self.memory.cell_stamps.get(cell.id) == self.memory.stamp:
                continue
            self.memory.cell_stamps[cell.id] = self.memory.stamp
            self.canvas.tell(word, cell.id, len(c.views))
            self.canvas.mesh(
                "cell slot", cell.id, 0, cell.slots, fills=False, detail=self.detail.cells
            )
        for c in reversed(walk.draw_list):
            self.views = c.views
            if c.cell.shadows:
                self.update_and_sort(c.cell)
            self.draw_obj_cell(c.cell)


def flank(corners: Sequence[tuple[float, float, float]]) -> bool:
    """A polygon on the flank of a land cell is no mask (DrawPortalPolyInternal @0x0059BC90)."""
    return any(all(abs(corner[axis]) == FLANK for corner in corners) for axis in (0, 1))

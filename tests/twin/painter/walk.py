"""One frame, told from the contract (L1 to L11) and rendering 0 to 8, step by step.

`Frame(...).paint()` gives the rows of the frame in order. Nothing is fast here.
"""

from __future__ import annotations

from twin.painter import order
from twin.painter.buildings import DRAIN, Buildings, bounds, flank
from twin.painter.cull import OUTSIDE as OUT_OF_VIEW
from twin.painter.cull import Rated, draw_check_blocks
from twin.painter.flood import MOST_OUTSIDE, NO_PORTAL, OUTSIDE, Seen, Walk
from twin.painter.numbers import NEGATIVE, block_of, doubt
from twin.painter.reading import Block, Cell
from twin.painter.surfaces import Row
from twin.painter.views import View, get_clip

LEVEL = 0.75


class Frame(Buildings):
    """All of one frame: the landscape, and round it the frame of an eye in a cell."""

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
                before = len(self.canvas.rows)
                self.draw_obj_cell(cell)
                if here.cells[turns[index]] == OUT_OF_VIEW and len(self.canvas.rows) > before + 1:
                    doubt.met.append("part of a cell out of view")
            self.canvas.flush("cell", LEVEL)

    # an eye in a cell ---------------------------------------------------------------------

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
            self.canvas.tell("seal", c.cell.id, index, number, *bounds(clip))

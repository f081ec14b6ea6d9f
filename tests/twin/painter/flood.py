"""The view walk through env cells (rendering 4.5): nearest first, views appended, never merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from twin.painter.numbers import (
    NEGATIVE,
    ON_PLANE,
    POSITIVE,
    F,
    Pixel,
    Point,
    corner_of,
    doubt,
    into,
    offset_between,
    side_of,
)
from twin.painter.reading import Cell, Picture, Portal
from twin.painter.views import Eye, View, copy_view, get_clip

OUTSIDE = 0xFFFFFFFF
NO_PORTAL = 0xFFFF
MOST_VIEWS = 1024
MOST_OF_A_CELL = 48
MOST_OUTSIDE = 64
"""Views of one walk, of one of its cells, and of the landscape: doors that lead round and round
end there (docs/order.md)."""


@dataclass(eq=False)
class Seen:
    """A cell's entry on the view stack of one walk."""

    cell: Cell
    views: list[View] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)
    inflag: list[bool] = field(default_factory=list)
    distance: float = 0.0
    update_count: int = 0
    done: bool = False


class Walk:
    """One walk: `draw_list` nearest first, `outside` the views that leave through exits."""

    def __init__(self, picture: Picture, eye: Eye, *, landscape: bool) -> None:
        self.picture, self.eye, self.landscape = picture, eye, landscape
        self.on_stack: dict[int, Seen] = {}
        self.draw_list: list[Seen] = []
        self.todo: list[Seen] = []
        self.outside: list[View] = []

    # geometry ---------------------------------------------------------------------------

    def world_corners(self, cell: Cell, portal: Portal) -> list[Point]:
        """A portal's corners in the space of the eye's block."""
        offset = offset_between(self.eye.cell_id, cell.id)
        return [corner_of(cell.frame, corner, offset) for corner in portal.corners]

    def local_eye(self, cell: Cell) -> Point:
        return into(cell.frame, self.eye.at, offset_between(self.eye.cell_id, cell.id))

    # the walk ---------------------------------------------------------------------------

    def add_views(self, ids: Iterable[int]) -> None:
        """Push an empty view on each loaded cell of a list."""
        for cell_id in ids:
            cell = self.picture.cells.get(cell_id)
            inside = cell_id & 0xFFFF >= 0x100
            if cell is not None and inside and cell_id not in self.on_stack:
                self.on_stack[cell_id] = Seen(cell)

    def take(self, seen: Seen, points: list[Pixel] | None) -> bool:
        view = copy_view(self.eye, points)
        if view is None or self.views_used() >= MOST_VIEWS:
            return False
        seen.views.append(view)
        return True

    def run(self, first: Seen, in_portal: int) -> None:
        """ConstructView(cell, in_portal) @0x005A57B0."""
        self.init(first, in_portal)
        self.insert(first)
        while self.todo:
            c = self.todo.pop()
            self.draw_list.append(c)
            c.done = True
            c.update_count = len(c.views)
            self.clip_portals(c, 0)
            self.add_view_to_portals(c)

    def init(self, seen: Seen, in_portal: int) -> None:
        """InitCell @0x005A4B70."""
        cell = seen.cell
        seen.seen = [False] * len(cell.portals)
        seen.inflag = [False] * len(cell.portals)
        seen.distance = 0.0
        eye = self.local_eye(cell)
        for i, portal in enumerate(cell.portals):
            if i == in_portal:
                seen.inflag[i] = seen.seen[i] = True
            else:
                side = side_of(portal.plane, eye, "portal side")
                seen.inflag[i] = side != ON_PLANE and side != portal.side
            if seen.inflag[i]:
                for corner in portal.corners:
                    x, y, z = (float(p) - e for p, e in zip(corner, eye, strict=True))
                    seen.distance = max(seen.distance, float(F(x * x + y * y + z * z)))
            else:
                seen.seen[i] = bool(seen.views)
        seen.update_count = len(seen.views)

    def insert(self, seen: Seen) -> None:
        """InsCellTodoList: descending; of equal ones the earlier is taken first."""
        at = len(self.todo)
        while at > 0 and not doubt.above(self.todo[at - 1].distance, seen.distance, "todo"):
            at -= 1
        self.todo.insert(at, seen)

    def clip_portals(self, c: Seen, first_view: int) -> None:
        """ClipPortals @0x005A5520."""
        for view in c.views[first_view:]:
            for i, portal in enumerate(c.cell.portals):
                if not c.seen[i] or c.inflag[i]:
                    continue
                corners = self.world_corners(c.cell, portal)
                clip = get_clip(self.eye, corners, view, backwards=portal.side == NEGATIVE)
                if clip is None:
                    continue
                if portal.other == OUTSIDE:
                    if self.landscape:
                        made = copy_view(self.eye, clip)
                        if made is not None and self.views_used() < MOST_VIEWS:
                            self.outside.append(made)
                    continue
                other = self.on_stack.get(portal.other)
                if other is None or other is c:
                    continue
                if len(other.views) >= MOST_OF_A_CELL:
                    doubt.met.append("view without room")
                    continue
                if not portal.exact and portal.other_portal >= 0:
                    doubt.met.append("cut again")
                    again = self.clip_again(other.cell, portal.other_portal, clip)
                    if again is None:
                        continue
                    clip = again
                self.take(other, clip)

    def clip_again(self, cell: Cell, index: int, clip: list[Pixel]) -> list[Pixel] | None:
        """A clip cut once more, by the neighbour's own polygon, where there is one."""
        if index >= len(cell.portals) or len(cell.portals[index].corners) < 3:
            return clip
        view = copy_view(self.eye, clip)
        if view is None:
            return None
        theirs = cell.portals[index]
        corners = self.world_corners(cell, theirs)
        return get_clip(self.eye, corners, view, backwards=theirs.side == POSITIVE)

    def views_used(self) -> int:
        return sum(len(seen.views) for seen in self.on_stack.values()) + len(self.outside)

    def add_view_to_portals(self, c: Seen) -> None:
        """AddViewToPortals @0x005A52D0."""
        for i, portal in enumerate(c.cell.portals):
            if not c.seen[i] or c.inflag[i] or portal.other == OUTSIDE:
                continue
            n = self.on_stack.get(portal.other)
            if n is None or not n.views:
                continue
            if n.update_count == 0:
                self.init(n, portal.other_portal)
                self.insert(n)
            elif n.done and len(n.views) > n.update_count:
                self.fix(c, n)
            if 0 <= portal.other_portal < len(n.cell.portals):
                n.seen[portal.other_portal] = True  # SetOtherSeen

    def fix(self, c: Seen, n: Seen) -> None:
        """FixCellList: c is nearer than n, which was done before it; n's new views go on."""
        doubt.met.append("fixed cell")
        self.place_before(c, n, set())
        first = n.update_count
        n.update_count = len(n.views)
        self.clip_portals(n, first)
        self.add_view_to_portals(n)

    def place_before(self, c: Seen, n: Seen, moved: set[int]) -> None:
        """AdjustCellPlace: c moves to before n, if it is not, and what it is seen through follows.

        Once a cell: doors that lead round would never end.
        """
        at, before = self.draw_list.index(c), self.draw_list.index(n)
        if at <= before or c.cell.id in moved:
            return
        doubt.met.append("moved cell")
        moved.add(c.cell.id)
        self.draw_list.remove(c)
        self.draw_list.insert(before, c)
        for i, portal in enumerate(c.cell.portals):
            nearer = self.on_stack.get(portal.other)
            if c.inflag[i] and c.seen[i] and nearer is not None and nearer.done:
                self.place_before(nearer, c, moved)

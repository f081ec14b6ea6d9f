"""A building's turn (rendering 4): the drain, its openings view by view, its shell."""

from __future__ import annotations

from collections.abc import Sequence

from twin.painter.flood import Walk
from twin.painter.numbers import (
    NEGATIVE,
    ON_PLANE,
    Pixel,
    Point,
    corner_of,
    into,
    offset_between,
    side_of,
)
from twin.painter.reading import Building, Node, Opening, Part
from twin.painter.surfaces import fresh
from twin.painter.turns import SUN, Turns
from twin.painter.views import View, get_clip

DRAIN = 0.0
FLANK = 12.0


class Buildings(Turns):
    """What a land cell that owns a building does before its parts."""

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
                "shell", building.shell.row, 0, slots, fills=False, faded=shell.faded, light=(SUN,),
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
                self.canvas.tell("punch", building.row, opening.portal, number, *bounds(clip))
            return
        walk.run(behind, portal.other_portal)
        self.draw_cells(walk, "look in", number)


def bounds(clip: Sequence[Pixel]) -> tuple[float, float, float, float]:
    """Where a mask lies on the picture."""
    across, up = ([p[k] for p in clip] for k in (0, 1))
    return min(across), min(up), max(across), max(up)


def flank(corners: Sequence[tuple[float, float, float]]) -> bool:
    """A polygon on the flank of a land cell is no mask (DrawPortalPolyInternal @0x0059BC90)."""
    return any(all(abs(corner[axis]) == FLANK for corner in corners) for axis in (0, 1))

"""Cells and what can be asked of them (spec 1.1 to 1.6): the visible table and the predicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from twin.plain.numbers import (
    EPS,
    Box,
    Frame,
    Plane,
    Sphere,
    Vector,
    at_most,
    distance,
    less,
    to_local,
)

if TYPE_CHECKING:
    from twin.plain.objects import Light, Obj
    from twin.plain.shadows import PartEntry, Shadow

OUTSIDE = 0xFFFFFFFF


@dataclass(eq=False)
class Cell:
    """A place that objects are in; `frame` is local to its block."""

    id: int
    frame: Frame
    objects: list[Obj] = field(default_factory=list)
    shadows: list[Shadow] = field(default_factory=list)
    parts: list[PartEntry] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)

    def contains(self, p: Vector) -> bool:
        raise NotImplementedError


@dataclass(eq=False)
class BuildingPortal:
    other_cell_id: int
    other_portal_id: int
    side: int


@dataclass(eq=False)
class Building:
    """A shell; it is in no list of its cell (C9)."""

    portals: list[BuildingPortal]


@dataclass(eq=False)
class LandCell(Cell):
    building: Building | None = None

    def contains(self, p: Vector) -> bool:
        """Two triangles make the square; an edge belongs to both. Heights do not matter."""
        x, y = self.frame[0] - 12.0, self.frame[1] - 12.0
        return (
            at_most(x, p[0])
            and at_most(p[0], x + 24.0)
            and at_most(y, p[1])
            and at_most(p[1], y + 24.0)
        )


@dataclass(eq=False)
class Portal:
    plane: Plane
    other_cell_id: int
    other_portal_id: int
    side: int
    """On which side of the plane the interior of the owning cell lies."""


@dataclass(eq=False)
class EnvCell(Cell):
    planes: list[Plane] = field(default_factory=list)
    portals: list[Portal] = field(default_factory=list)
    stabs: list[int] = field(default_factory=list)
    seen_outside: bool = False
    statics: list[Obj | None] = field(default_factory=list)

    def contains(self, p: Vector) -> bool:
        """Retail: 0x0052C300; a cell without portals contains nothing."""
        if not self.portals:
            return False
        local = to_local(self.frame, p)
        return not any(less(distance(plane, local), -EPS) for plane in self.planes)

    def meets_sphere(self, sphere: Sphere) -> bool:
        """A sphere of the cell's block against the cell tree. Retail: 0x0053C260."""
        centre, radius = to_local(self.frame, sphere[0]), sphere[1] + 0.01
        return not any(at_most(distance(plane, centre), -radius) for plane in self.planes)

    def meets_box(self, box: Box) -> bool:
        """A box of the cell's own frame against the cell tree. Retail: 0x0053C880."""
        from twin.plain.numbers import corners

        for plane in self.planes:
            outside = [less(distance(plane, corner), -EPS) for corner in corners(box)]
            if all(outside):
                return False
        return True


class Cells:
    """What is resident: land cells of blocks in full detail, and the visible table."""

    def __init__(self) -> None:
        self.by_id: dict[int, Cell] = {}

    def visible(self, cell_id: int) -> Cell | None:
        """GetVisible: a probe that loads nothing (1.3)."""
        return self.by_id.get(cell_id)

    def env(self, cell_id: int) -> EnvCell | None:
        found = self.by_id.get(cell_id)
        return found if isinstance(found, EnvCell) else None

    def land(self, cell_id: int) -> LandCell | None:
        found = self.by_id.get(cell_id)
        return found if isinstance(found, LandCell) else None

    def visible_child(self, cell: EnvCell, p: Vector) -> Cell | None:
        """find_visible_child_cell with a search. Retail: 0x0052DC50."""
        if cell.contains(p):
            return cell
        for stab in cell.stabs:
            other = self.visible(stab)
            if other is not None and other.contains(p):
                return other
        return None

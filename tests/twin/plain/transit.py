"""Which cells a body touches (spec 2): the ordered array and the routes that fill it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from twin.plain.cells import OUTSIDE, Building, Cell, Cells, EnvCell, LandCell
from twin.plain.numbers import (
    CROSSING,
    EPS,
    Box,
    Frame,
    Sphere,
    Vector,
    bounds,
    corners,
    distance,
    floor_of,
    intersect_box,
    less,
    shifted,
    to_global,
    to_local,
)

from acclient_py.core.ids import adjust_to_outside, gid_to_lcoord, lcoord_to_gid

if TYPE_CHECKING:
    from twin.plain.objects import Part

MAX_CYLINDERS = 10


@dataclass
class CellArray:
    """CELLARRAY (2.1). `missed` is the project's own mark of register row D12.

    A late cell may matter without a null entry: behind a building's portal, as the anchor of the
    outside cells of parts, and (for the promise at the end of S11) behind a portal of the sphere
    route whose plane was too far: of a cell that is there, the volume is asked and not the plane.
    """

    do_not_load: bool = False
    added_outside: bool = False
    missed: bool = False
    interior: bool = False
    cells: list[tuple[int, Cell | None]] = field(default_factory=list)

    def add(self, cell_id: int, cell: Cell | None) -> None:
        if all(known != cell_id for known, _ in self.cells):
            self.cells.append((cell_id, cell))

    def remove(self, at: int) -> None:
        """The last entry moves into the hole."""
        last = self.cells.pop()
        if at < len(self.cells):
            self.cells[at] = last

    @property
    def ids(self) -> list[int]:
        return [cell_id for cell_id, _ in self.cells]


class Transit:
    """The routes, over the cells that are resident now."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    # spheres (2.2 to 2.4) --------------------------------------------------------------

    def find_cell_list(
        self, pos_id: int, origin: Vector, spheres: Sequence[Sphere], array: CellArray
    ) -> Cell | None:
        """Fill the array; the cell that contains the first sphere's centre."""
        array.cells, array.added_outside = [], False
        seed = self.cells.visible(pos_id)
        indoors = pos_id & 0xFFFF >= 0x100
        if indoors:
            array.interior = True
            array.add(pos_id, seed)
        else:
            self.outside_of_spheres(pos_id, origin, spheres, array)
        if seed is None or not spheres:
            return None
        i = 0
        while i < len(array.cells):
            cell = array.cells[i][1]
            if cell is not None:
                self._transit_spheres(cell, pos_id, origin, spheres, array)
            i += 1
        current = self._current(pos_id, spheres[0][0], array)
        if array.do_not_load and indoors:
            assert isinstance(seed, EnvCell)
            i = 0
            while i < len(array.cells):
                cell_id = array.cells[i][0]
                if cell_id == seed.id or cell_id in seed.stabs:
                    i += 1
                else:
                    array.remove(i)
        return current

    def _current(self, pos_id: int, centre: Vector, array: CellArray) -> Cell | None:
        current: Cell | None = None
        for _, cell in array.cells:
            if cell is not None and cell.contains(shifted(centre, cell.id, pos_id)):
                current = cell
                if cell.id & 0xFFFF >= 0x100:
                    array.interior = True
                    break
        return current

    def _transit_spheres(
        self, cell: Cell, pos_id: int, origin: Vector, spheres: Sequence[Sphere], array: CellArray
    ) -> None:
        if isinstance(cell, LandCell):
            self.outside_of_spheres(pos_id, origin, spheres, array)
            if cell.building is not None:
                self._building_spheres(cell.building, spheres, array)
            return
        assert isinstance(cell, EnvCell)
        outside = False
        for portal in cell.portals:
            local = [(to_local(cell.frame, centre), radius) for centre, radius in spheres]
            if portal.other_cell_id == OUTSIDE:
                for centre, radius in local:
                    if less(abs(distance(portal.plane, centre)), radius + EPS):
                        outside = True
                continue
            other = self.cells.env(portal.other_cell_id)
            if other is not None:
                if any(other.meets_sphere(sphere) for sphere in spheres):
                    array.add(other.id, other)
                continue
            for centre, radius in local:
                d, r = distance(portal.plane, centre), radius + EPS
                if (portal.side == 1 and less(-r, d)) or (portal.side == 0 and less(d, r)):
                    array.add(portal.other_cell_id, None)
                    break
            else:  # when it comes, its volume counts and not the portal's plane
                array.missed = True
        if outside:
            self.outside_of_spheres(pos_id, origin, spheres, array)

    def _building_spheres(
        self, building: Building, spheres: Sequence[Sphere], array: CellArray
    ) -> None:
        for portal in building.portals:
            inner = self.cells.env(portal.other_cell_id)
            if inner is None:
                array.missed = True
            elif portal.other_portal_id >= 0 and any(inner.meets_sphere(s) for s in spheres):
                array.interior = True
                array.add(inner.id, inner)

    def _add_outside(self, x: int, y: int, array: CellArray) -> None:
        gid = lcoord_to_gid(x, y)
        if gid:
            array.add(gid, self.cells.land(gid))

    def outside_of_spheres(
        self, pos_id: int, origin: Vector, spheres: Sequence[Sphere], array: CellArray
    ) -> None:
        if array.added_outside:
            return
        array.added_outside = True
        if not spheres:
            ok, gid, _, _ = adjust_to_outside(pos_id, origin[0], origin[1])
            if ok:
                self._add_outside(*gid_to_lcoord(gid)[1:], array)
            return
        for centre, radius in spheres:
            floor_of(centre[0], 24.0)
            floor_of(centre[1], 24.0)
            ok, gid, px, py = adjust_to_outside(pos_id, centre[0], centre[1])
            if not ok:
                break
            x, y = gid_to_lcoord(gid)[1:]
            fx = float(px) - floor_of(float(px), 24.0) * 24.0
            fy = float(py) - floor_of(float(py), 24.0) * 24.0
            east, north = less(24.0 - radius, fx), less(24.0 - radius, fy)
            west, south = less(fx, radius), less(fy, radius)
            self._add_outside(x, y, array)
            if east:
                self._add_outside(x + 1, y, array)
                if north:
                    self._add_outside(x + 1, y + 1, array)
                if south:
                    self._add_outside(x + 1, y - 1, array)
            if west:
                self._add_outside(x - 1, y, array)
                if north:
                    self._add_outside(x - 1, y + 1, array)
                if south:
                    self._add_outside(x - 1, y - 1, array)
            if north:
                self._add_outside(x, y + 1, array)
            if south:
                self._add_outside(x, y - 1, array)

    # parts (2.5, 2.6) ------------------------------------------------------------------

    def find_bbox_cell_list(
        self, start: Cell, parts: Sequence[Part], part_id: int, array: CellArray
    ) -> None:
        """S3: from the current cell over the growing array, all parts in each member."""
        array.cells, array.added_outside = [], False
        array.add(start.id, start)
        i = 0
        while i < len(array.cells):
            cell = array.cells[i][1]
            if cell is not None:
                self._transit_parts(cell, parts, part_id, array)
            i += 1

    def _transit_parts(
        self, cell: Cell, parts: Sequence[Part], part_id: int, array: CellArray
    ) -> None:
        if isinstance(cell, LandCell):
            self.outside_of_parts(parts, part_id, array)
            if cell.building is not None:
                for portal in cell.building.portals:
                    inner = self.cells.env(portal.other_cell_id)
                    if inner is None:
                        array.missed = True
                    else:
                        self._enter_building(inner, portal.other_portal_id, parts, part_id, array)
            return
        assert isinstance(cell, EnvCell)
        outside = False
        for portal in cell.portals:
            for part in parts:
                sphere = part.sphere()
                if sphere is None:
                    continue
                d = distance(portal.plane, part_point(part, part_id, sphere[0], cell))
                reach = sphere[1] + EPS
                if portal.side == 0 and less(reach, d):
                    continue
                if portal.side == 1 and less(d, -reach):
                    continue
                if intersect_box(portal.plane, part_box(part, part_id, cell)) == portal.side:
                    continue
                if portal.other_cell_id == OUTSIDE:
                    outside = True
                    break
                other = self.cells.env(portal.other_cell_id)
                if other is None:
                    array.add(portal.other_cell_id, None)
                    break
                if other.meets_box(part_box(part, part_id, other)):
                    array.add(other.id, other)
                    break
        if outside:
            self.outside_of_parts(parts, part_id, array)

    def _enter_building(
        self, cell: EnvCell, portal_id: int, parts: Sequence[Part], part_id: int, array: CellArray
    ) -> None:
        """check_building_transit for parts. Retail: 0x0052C680."""
        if not 0 <= portal_id < len(cell.portals):
            return
        portal = cell.portals[portal_id]
        for part in parts:
            sphere = part.sphere()
            if sphere is None:
                continue
            d = distance(portal.plane, part_point(part, part_id, sphere[0], cell))
            reach = sphere[1] + EPS
            if portal.side == 1 and less(reach, d):
                continue
            if portal.side == 0 and less(d, -reach):
                continue
            box = part_box(part, part_id, cell)
            if intersect_box(portal.plane, box) in (CROSSING, portal.side) and cell.meets_box(box):
                array.add(cell.id, cell)
                self._transit_parts(cell, parts, part_id, array)
                return

    def outside_of_parts(self, parts: Sequence[Part], part_id: int, array: CellArray) -> None:
        if array.added_outside:
            return
        array.added_outside = True
        real = [part for part in parts if part.mesh is not None]
        if not real:
            return
        x, y, z = real[0].frame[:3]
        floor_of(x, 24.0)
        floor_of(y, 24.0)
        gid = adjust_to_outside(part_id, x, y)[1]
        anchor = self.cells.land(gid)
        if anchor is None:
            array.missed = True
            return
        gx, gy = gid_to_lcoord(gid)[1:]
        lx, ly = ((gid & 0xFFFF) - 1) >> 3, ((gid & 0xFFFF) - 1) & 7
        low_x = low_y = high_x = high_y = 0
        for part in real:
            assert part.mesh is not None
            if part.mesh.always_2d:
                sphere = part.sphere()
                r = sphere[1] if sphere is not None else 0.0
                x, y, z = part.frame[:3]
                box: Box = (x - r, y - r, z), (x + r, y + r, z)
            else:
                points = [to_global(part.frame, corner) for corner in corners(part.mesh.box)]
                box = bounds([shifted(point, anchor.id, part_id) for point in points])
            low_x = min(low_x, floor_of(box[0][0], 24.0) - lx)
            low_y = min(low_y, floor_of(box[0][1], 24.0) - ly)
            high_x = max(high_x, floor_of(box[1][0], 24.0) - lx)
            high_y = max(high_y, floor_of(box[1][1], 24.0) - ly)
        for i in range(gx + low_x, gx + high_x + 1):
            for j in range(gy + low_y, gy + high_y + 1):
                self._add_outside(i, j, array)


def part_point(part: Part, part_id: int, p: Vector, cell: Cell) -> Vector:
    """A point of a part in a cell's frame, over the blocks (LocalToLocal)."""
    return to_local(cell.frame, shifted(to_global(part.frame, p), cell.id, part_id))


def part_box(part: Part, part_id: int, cell: Cell) -> Box:
    """A part's own bounding box in a cell's frame."""
    assert part.mesh is not None
    return bounds([part_point(part, part_id, corner, cell) for corner in corners(part.mesh.box)])


def globals_of(frame: Frame, spheres: Sequence[Sphere]) -> list[Sphere]:
    """Spheres of an object in its block."""
    return [(to_global(frame, centre), radius) for centre, radius in spheres]

"""What happens to objects: cells, commits, attachments, lost and late cells (C, S1, S11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from twin.plain import objects
from twin.plain.cells import Cell, Cells, EnvCell
from twin.plain.numbers import Frame, Sphere, floor_of, to_global
from twin.plain.objects import (
    ACTIVE,
    DUMMY,
    HAS_PHYSICS_BSP,
    HIDDEN,
    LEFT,
    LIGHTING_ON,
    NODRAW,
    STATIC,
    Body,
    Held,
    Mesh,
    Obj,
    set_frame,
)
from twin.plain.shadows import (
    add_part,
    add_shadows_to_cells,
    completely_visible,
    release_shadows,
    remove_part,
    remove_shadows_from_cells,
    swap_remove,
)
from twin.plain.transit import MAX_CYLINDERS, CellArray, Transit, globals_of

from acclient_py.core.ids import adjust_to_outside, inbound_valid_cellid

Manifest = Iterable[tuple[Cell, "Body | None", Frame]]


class World:
    """All cells and objects. `path` stands for the transition: the array that a placement left."""

    def __init__(self, path: Callable[[Obj, int, Frame], CellArray] | None = None) -> None:
        self.cells = Cells()
        self.transit = Transit(self.cells)
        self.objects: list[Obj] = []
        self.lost: dict[int, list[Obj]] = {}
        self.clock = 0.0
        self.path = path or self.path_array

    def make(self, slot: int, body: Body | None, *, dynamic: bool, scale: float = 1.0) -> Obj:
        obj = objects.make_obj(slot, body, dynamic=dynamic, scale=scale)
        self.objects.append(obj)
        objects.push_frame(obj)
        return obj

    # cell identity (C1 to C4) ----------------------------------------------------------

    def change_cell(self, obj: Obj, target: Cell | None) -> None:
        """C1."""
        if obj.cell is not None:
            self.leave_cell(obj)
        if target is not None:
            self.enter_cell(obj, target)
            return
        obj.objcell_id = 0
        self._part_id(obj, 0)
        obj.cell = None

    def enter_cell(self, obj: Obj, cell: Cell) -> None:
        """C2."""
        if obj.part_array is None:
            return
        cell.objects.append(obj)
        for held in obj.children:
            self.enter_cell(held.child, cell)
        obj.objcell_id = cell.id
        self._part_id(obj, cell.id)
        obj.cell = cell
        self._light_up(obj)

    def leave_cell(self, obj: Obj) -> None:
        """C3: no id is written."""
        if obj.cell is None:
            return
        swap_remove(obj.cell.objects, obj.cell.objects.index(obj))
        for held in obj.children:
            self.leave_cell(held.child)
        self._darken(obj)
        obj.cell = None

    def leave_world(self, obj: Obj) -> None:
        """C4."""
        self._remove_from_lost(obj)
        obj.deadline = None
        obj.transient &= ~ACTIVE
        remove_shadows_from_cells(obj)
        self.leave_cell(obj)
        obj.objcell_id = 0
        if obj.part_array is not None:
            obj.part_array.cell_id = 0
        obj.transient &= ~LEFT

    def _part_id(self, obj: Obj, cell_id: int) -> None:
        if obj.part_array is not None and not obj.emitter:
            obj.part_array.cell_id = cell_id

    def _light_up(self, obj: Obj) -> None:
        if obj.part_array is not None and obj.cell is not None:
            for light in obj.part_array.lights:
                light.cell = obj.cell
                obj.cell.lights.append(light)

    def _darken(self, obj: Obj) -> None:
        if obj.part_array is not None:
            for light in obj.part_array.lights:
                if light.cell is not None:
                    swap_remove(light.cell.lights, light.cell.lights.index(light))
                    light.cell = None

    # the commit (C5, C6) ---------------------------------------------------------------

    def commit(self, obj: Obj, cell: Cell | None, cell_id: int, frame: Frame,
               array: CellArray) -> None:  # fmt: skip
        """set_position_internal @0x00515330, with what a transition found."""
        self.begin_commit(obj, cell, cell_id, frame)
        self.finish_commit(obj, array)

    def begin_commit(self, obj: Obj, cell: Cell | None, cell_id: int, frame: Frame) -> None:
        """C5."""
        if cell is None:
            self.lose(obj, cell_id, frame)
            return
        if obj.cell is cell:
            obj.objcell_id = cell_id
            self._part_id(obj, cell_id)
            for held in obj.children:
                held.child.objcell_id = cell_id
                self._part_id(held.child, cell_id)
        else:
            self.change_cell(obj, cell)
        set_frame(obj, frame)

    def finish_commit(self, obj: Obj, array: CellArray) -> None:
        """C6."""
        if obj.cell is None:
            return
        if obj.state & HAS_PHYSICS_BSP:
            self.calc_cross_cells(obj)
        elif array.cells:
            self._publish(obj, array)

    def lose(self, obj: Obj, cell_id: int, frame: Frame) -> None:
        """C5 without a cell."""
        self._prepare_to_leave_visibility(obj)
        self.store_position(obj, cell_id, frame)
        if obj.parent is None:
            self._set_cell_id(obj, obj.objcell_id)
            self.lost.setdefault(obj.objcell_id, []).append(obj)
        obj.transient &= ~ACTIVE

    def _prepare_to_leave_visibility(self, obj: Obj) -> None:
        """Retail: 0x00511F40."""
        remove_shadows_from_cells(obj)
        self._remove_from_lost(obj)
        self.leave_cell(obj)
        for each in (obj, *[held.child for held in obj.children]):
            each.deadline = self.clock + 25.0

    def prepare_to_enter_world(self, obj: Obj) -> None:
        """Retail: 0x00511FA0."""
        self._remove_from_lost(obj)
        for each in (obj, *[held.child for held in obj.children]):
            each.deadline = None
        self.set_active(obj)

    def _remove_from_lost(self, obj: Obj) -> None:
        """Out of the list that it is in, even when its id was overwritten since (E15)."""
        if obj.cell is not None or obj.parent is not None:
            return
        for cell_id, waiting in list(self.lost.items()):
            if obj in waiting:
                swap_remove(waiting, waiting.index(obj))
                if not waiting:
                    del self.lost[cell_id]

    def set_active(self, obj: Obj) -> None:
        if not obj.state & STATIC:
            obj.transient |= ACTIVE

    def _set_cell_id(self, obj: Obj, cell_id: int) -> None:
        """Not the recursive one (C10)."""
        obj.objcell_id = cell_id
        self._part_id(obj, cell_id)

    def store_position(self, obj: Obj, cell_id: int, frame: Frame) -> None:
        """Retail: 0x005141A0."""
        if cell_id & 0xFFFF < 0x100:
            cell_id, frame = self._outside(cell_id, frame)
        self._set_cell_id(obj, cell_id)
        set_frame(obj, frame)

    def _outside(self, cell_id: int, frame: Frame) -> tuple[int, Frame]:
        floor_of(frame[0], 24.0)
        floor_of(frame[1], 24.0)
        _, cell_id, x, y = adjust_to_outside(cell_id, frame[0], frame[1])
        return cell_id, (float(x), float(y), *frame[2:])

    # routes (S2, spec 2.7, 3.4) --------------------------------------------------------

    def cell_array(self, obj: Obj, *, static: bool) -> CellArray:
        """The array of an object's own shape."""
        array = CellArray(do_not_load=static)
        cylinders = obj.body.cylinders if obj.body is not None else ()
        bsp = bool(obj.state & HAS_PHYSICS_BSP)
        if not bsp and cylinders:
            self._spheres(obj, cylinders[:MAX_CYLINDERS], array)
        elif bsp or static:
            if obj.cell is not None:
                parts = obj.part_array.parts if obj.part_array is not None else []
                part_id = obj.part_array.cell_id if obj.part_array is not None else 0
                self.transit.find_bbox_cell_list(obj.cell, parts, part_id, array)
        else:
            sphere = obj.body.sorting if obj.body is not None else DUMMY
            self._spheres(obj, [sphere], array)
        return array

    def _spheres(self, obj: Obj, spheres: Sequence[Sphere], array: CellArray) -> None:
        self.transit.find_cell_list(
            obj.objcell_id, obj.frame[:3], globals_of(obj.frame, spheres), array
        )

    def path_array(self, obj: Obj, cell_id: int, frame: Frame) -> CellArray:
        """The array of the path spheres at a place."""
        array = CellArray()
        spheres = globals_of(frame, obj.path_spheres())
        self.transit.find_cell_list(cell_id, frame[:3], spheres, array)
        return array

    def _publish(self, obj: Obj, array: CellArray) -> None:
        remove_shadows_from_cells(obj)
        add_shadows_to_cells(obj, array.cells)
        obj.missed = array.missed
        self._settled(obj)

    def _settled(self, obj: Obj) -> None:
        """What hangs on a root has the root's array: its own computation no longer counts (D12)."""
        for held in obj.children:
            held.child.missed = False
            self._settled(held.child)

    def calc_cross_cells(self, obj: Obj) -> None:
        self._publish(obj, self.cell_array(obj, static=False))

    def calc_cross_cells_static(self, obj: Obj) -> None:
        """S2."""
        self._publish(obj, self.cell_array(obj, static=True))

    def recalc_cross_cells(self, obj: Obj) -> None:
        """Retail: 0x00515A30; the guard reads the id."""
        if obj.part_array is None or obj.objcell_id == 0:
            return
        self.calc_cross_cells(obj)
        for held in obj.children:
            self.recalc_cross_cells(held.child)

    # other entries (C9, S1) ------------------------------------------------------------

    def add_obj_to_cell(self, obj: Obj, cell: Cell, frame: Frame) -> None:
        """S1."""
        self.change_cell(obj, cell)
        set_frame(obj, frame)
        self.calc_cross_cells_static(obj)

    def add_object_to_single_cell(self, obj: Obj, cell: Cell) -> None:
        self.change_cell(obj, cell)
        self._publish(obj, CellArray(cells=[(cell.id, cell)]))

    def force_into_cell(self, obj: Obj, cell: Cell, frame: Frame) -> None:
        set_frame(obj, frame)
        if obj.cell is not cell:
            self.change_cell(obj, cell)
        self.calc_cross_cells(obj)

    def adjust_position(self, obj: Obj, cell_id: int, frame: Frame
                        ) -> tuple[Cell | None, int, Frame]:  # fmt: skip
        """Retail: AdjustPosition @0x00511D80, with a search."""
        if not inbound_valid_cellid(cell_id):
            return None, cell_id, frame
        if cell_id & 0xFFFF >= 0x100:
            cell = self.cells.env(cell_id)
            if cell is None:
                return None, cell_id, frame
            found = self.cells.visible_child(cell, to_global(frame, obj.path_spheres()[0][0]))
            if found is not None:
                return found, found.id, frame
            if not cell.seen_outside:
                return None, cell_id, frame
        found_id, moved = self._outside(cell_id, frame)
        return (self.cells.visible(found_id), found_id, moved) if found_id else (
            None, cell_id, frame)  # fmt: skip

    def set_position(self, obj: Obj, cell_id: int, frame: Frame) -> None:
        """SetPositionInternal (3.6) where nothing is in the way."""
        if obj.cell is None:
            self.prepare_to_enter_world(obj)
        cell, found_id, frame = self.adjust_position(obj, cell_id, frame)
        if cell is None:
            self.lose(obj, found_id, frame)
        else:
            self.commit(obj, cell, found_id, frame, self.path(obj, found_id, frame))

    def enter_world(self, obj: Obj, cell_id: int, frame: Frame) -> None:
        self.store_position(obj, cell_id, frame)
        if obj.parent is None:
            self.set_position(obj, obj.objcell_id, obj.frame)
            if not any(obj in waiting for waiting in self.lost.values()):  # C5: inactive
                self.set_active(obj)

    # attachment (C11, C12) -------------------------------------------------------------

    def set_parent(self, child: Obj, parent: Obj, location: int) -> bool:
        """C11; False with nothing changed."""
        if parent.body is None or location not in parent.body.holdings:
            return False
        part, frame = parent.body.holdings[location]
        return self._attach(child, parent, Held(child, frame, part, location), True)

    def set_parent_frame(self, child: Obj, parent: Obj, part: int, frame: Frame) -> bool:
        """The frame-taking overload; it knows no HIDDEN."""
        count = len(parent.part_array.parts) if parent.part_array is not None else 0
        if part != objects.NO_PART and part >= count:
            return False
        return self._attach(child, parent, Held(child, frame, part, 0), False)

    def _attach(self, child: Obj, parent: Obj, held: Held, hide: bool) -> bool:
        above: Obj | None = parent
        while above is not None:  # C17
            if above is child:
                return False
            above = above.parent
        parent.children.append(held)
        self.unset_parent(child)
        self.leave_world(child)
        child.parent = parent
        if parent.cell is not None:
            self.change_cell(child, parent.cell)
            objects.update_child(parent, held)
            self.recalc_cross_cells(child)
        if hide and parent.state & HIDDEN:
            objects.set_nodraw(child, True)
        return True

    def unset_parent(self, child: Obj) -> None:
        """C12: no cell work."""
        parent = child.parent
        if parent is None:
            return
        first = next(held for held in parent.children if held.child is child)
        parent.children.remove(first)
        if parent.state & HIDDEN:
            objects.set_nodraw(child, False)
        child.parent = None
        child.transient &= ~LEFT

    def pick_up(self, obj: Obj) -> None:
        """E7."""
        self.unset_parent(obj)
        self.leave_world(obj)

    def drop(self, obj: Obj, cell_id: int, frame: Frame) -> None:
        """E9 without the placement."""
        self.unset_parent(obj)
        self.set_position(obj, cell_id, frame)

    def delete(self, obj: Obj) -> None:
        """E8."""
        self.leave_world(obj)
        self.unset_parent(obj)
        while obj.children:
            self.unset_parent(obj.children[0].child)
        self.objects.remove(obj)

    # state and parts -------------------------------------------------------------------

    def set_state(self, obj: Obj, state: int) -> None:
        changed = obj.state ^ state
        obj.state = state
        if changed & LIGHTING_ON:
            self._darken(obj)
            objects.make_lights(obj)
            objects.push_lights(obj)
            self._light_up(obj)
        if changed & NODRAW:
            objects.set_nodraw(obj, bool(state & NODRAW))
        if changed & HIDDEN:
            objects.set_hidden(obj, bool(state & HIDDEN))

    def set_placement(self, obj: Obj, key: int) -> None:
        if obj.part_array is not None:
            obj.part_array.place(key)
        if not obj.emitter:
            set_frame(obj, obj.frame)

    def set_part(self, obj: Obj, index: int, mesh: Mesh | None) -> None:
        """A part of another mesh, in the cells where the shadows are (3.3)."""
        assert obj.part_array is not None
        part = obj.part_array.parts[index]
        live = [shadow.cell for shadow in obj.shadows if shadow.cell is not None]
        for cell in live:
            remove_part(cell, part)
        part.mesh = mesh
        for cell in live:
            add_part(cell, obj, part, False)

    def use_time(self, now: float) -> None:
        """3.8: deadlines in order."""
        self.clock = now
        due = [obj for obj in self.objects if obj.deadline is not None and obj.deadline <= now]
        for obj in sorted(due, key=lambda obj: obj.deadline or 0.0):
            self.delete(obj)

    # what comes and goes (S1, S11) -----------------------------------------------------

    def arrive(
        self, cells: Sequence[Cell], manifest: Callable[[], Iterable[tuple[Obj, Cell, Frame]]]
    ) -> None:
        """New cells, then their statics, then those who waited, then those who missed them."""
        for cell in cells:
            self.cells.by_id[cell.id] = cell
        for obj, home, frame in manifest():
            self.add_obj_to_cell(obj, home, frame)
        for cell in cells:
            for obj in self.lost.pop(cell.id, []):
                self.set_position(obj, obj.objcell_id, obj.frame)
        self.repair()

    def repair(self) -> None:
        """Late cells: S11 with register row D12."""
        roots: list[Obj] = []
        needy = [
            obj
            for obj in self.objects
            if obj.cell is not None and (obj.missed or not completely_visible(obj))
        ]
        for obj in needy:
            if obj.state & STATIC:
                self.calc_cross_cells_static(obj)
            else:
                self.recalc_cross_cells(obj)
            root = obj.root()
            if (obj.parent is not None or obj.children) and root not in roots:
                roots.append(root)
        for root in roots:
            if root.emitter:  # its own registration says nothing of its array
                self._publish(root, self.cell_array(root, static=bool(root.state & STATIC)))
                continue
            array = [(shadow.cell_id, shadow.cell) for shadow in root.shadows]
            remove_shadows_from_cells(root)
            add_shadows_to_cells(root, array)
            self._settled(root)

    def depart(self, cells: Sequence[Cell], statics: Sequence[Obj]) -> None:
        """Exactly the cells, their statics and their entries; movers are lost (S11, 3.7)."""
        for obj in statics:
            self.delete(obj)
        for cell in cells:
            for obj in list(cell.objects):
                if obj.cell is cell and obj.parent is None and not obj.state & STATIC:
                    self.lose(obj, obj.objcell_id, obj.frame)
            for obj in list(cell.objects):  # a static of nobody's manifest has no cell to keep
                if obj.cell is cell:
                    remove_shadows_from_cells(obj)
                    self.leave_cell(obj)
            release_shadows(cell)
            del self.cells.by_id[cell.id]


__all__ = ["EnvCell", "World"]

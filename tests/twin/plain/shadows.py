"""Publication and removal: both lists of a cell, in one transaction (S5 to S8, spec 3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from twin.plain.cells import Cell, EnvCell
from twin.plain.objects import Obj, Part

Item = TypeVar("Item")


@dataclass(eq=False)
class Shadow:
    owner: Obj
    cell_id: int
    cell: Cell | None = None


@dataclass(eq=False)
class PartEntry:
    owner: Obj
    part: Part
    planes: bool


def swap_remove(items: list[Item], at: int) -> None:
    """The last one moves into the hole (3.1)."""
    last = items.pop()
    if at < len(items):
        items[at] = last


def add_part(cell: Cell, obj: Obj, part: Part, planes: bool) -> None:
    """Null parts are skipped; only env cells have clip planes."""
    if part.mesh is not None:
        cell.parts.append(PartEntry(obj, part, planes and isinstance(cell, EnvCell)))


def remove_part(cell: Cell, part: Part) -> None:
    for at, entry in enumerate(cell.parts):
        if entry.part is part:
            swap_remove(cell.parts, at)
            return


def remove_shadow(shadow: Shadow) -> None:
    """remove_shadow_object: out of the cell's list; the id stays."""
    assert shadow.cell is not None
    swap_remove(shadow.cell.shadows, shadow.cell.shadows.index(shadow))
    shadow.cell = None


def _publish(obj: Obj, shadow: Shadow, cell: Cell, planes: bool) -> None:
    cell.shadows.append(shadow)
    shadow.cell = cell
    if obj.part_array is not None:
        for part in obj.part_array.parts:
            add_part(cell, obj, part, planes)


def add_shadows_to_cells(obj: Obj, array: Sequence[tuple[int, Cell | None]]) -> None:
    """S5 to S7: the root, then every child with the same array, whatever it is."""
    if obj.emitter:
        obj.shadows = []
        if obj.cell is not None:
            obj.shadows = [Shadow(obj, obj.cell.id)]
            _publish(obj, obj.shadows[0], obj.cell, False)
    else:
        obj.shadows = [Shadow(obj, cell_id) for cell_id, _ in array]
        for shadow, (_, cell) in zip(obj.shadows, array, strict=True):
            if cell is not None:
                _publish(obj, shadow, cell, len(array) > 1)
    for held in list(obj.children):
        add_shadows_to_cells(held.child, array)


def remove_shadows_from_cells(obj: Obj) -> None:
    """S8: the exact inverse, at every depth."""
    for shadow in obj.shadows:
        cell = shadow.cell
        if cell is not None:
            remove_shadow(shadow)
            if obj.part_array is not None:
                for part in obj.part_array.parts:
                    remove_part(cell, part)
    obj.shadows = []
    for held in list(obj.children):
        remove_shadows_from_cells(held.child)


def release_shadows(cell: Cell) -> None:
    """release_objects: every shadow out of a cell that goes, with that object's parts (1.3)."""
    while cell.shadows:
        shadow = cell.shadows[0]
        owner = shadow.owner
        remove_shadow(shadow)
        if owner.part_array is not None:
            for part in owner.part_array.parts:
                remove_part(cell, part)


def completely_visible(obj: Obj) -> bool:
    """Retail: is_completely_visible @0x005112C0."""
    return (
        obj.cell is not None
        and bool(obj.shadows)
        and all(shadow.cell is not None for shadow in obj.shadows)
    )

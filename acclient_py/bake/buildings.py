"""Buildings in a block: shells with their rooms, as LandBlockInfo and EnvCells want them.

Houses and written-out buildings end in the same `Shell`; here it becomes a model, a group of
cells and a building entry whose portals are numbered like the shell's openings.
"""

# contract: T8

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from acclient_py.bake.book import Book
from acclient_py.bake.cells import PORTAL_SURFACE, CellGroup, Mouth, frame_of, make_group
from acclient_py.bake.faces import face
from acclient_py.bake.houses import Shell
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.models import find_mesh, put_gfxobj
from acclient_py.bake.rooms import join, plan_room
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.schema.places import Building, Exit
from acclient_py.bake.vec import V3, Pose, dot, sub, unit
from acclient_py.bake.walls import Hole
from acclient_py.dat.records.env_cell import PortalFlags
from acclient_py.dat.records.landblock_info import BuildingInfo, BuildingPortal
from acclient_py.errors import DataError

TOWARD: Final[dict[str, V3]] = {
    "south": (0.0, -1.0, 0.0),
    "east": (1.0, 0.0, 0.0),
    "north": (0.0, 1.0, 0.0),
    "west": (-1.0, 0.0, 0.0),
}


def put_building(
    book: Book, shell: Shell, pose: Pose, block: int, first_cell: int, label: str
) -> tuple[BuildingInfo, CellGroup]:
    """Make the shell's model and its cells; returns the building's entry and its cells."""
    number = book.fresh("mesh")
    book.ids[("mesh", label)] = number
    leaves = put_gfxobj(book, number, shell.faces, label=label, physics=True, seams=True)
    group = CellGroup(label, shell.rooms, block, first_cell)
    make_group(book, group)
    bits = int(PortalFlags.EXACT_MATCH | PortalFlags.PORTAL_SIDE)
    portals = []
    for room, mouth in shell.mouths:
        stabs = tuple(group.low(other) for other in group.connected(room))
        portals.append(BuildingPortal(bits, group.low(room), mouth, stabs))
    return BuildingInfo(number, frame_of(pose), leaves, tuple(portals)), group


def make_building(book: Book, building: Building, pose: Pose, label: str) -> Shell:
    """Shell and rooms of a building that is written out."""
    plans = [plan_room(book, room, pose, f"{label}, room '{room.name}'") for room in building.rooms]
    names = {plan.name: number for number, plan in enumerate(plans)}
    if len(names) != len(plans):
        raise DataError("two rooms of one building have the same name", where=label)

    def number_of(name: str) -> int:
        if name not in names:
            raise DataError(f"no room '{name}'; there are {', '.join(names)}", where=label)
        return names[name]

    faces = mesh_faces(m.Mesh(pieces=building.shell), partial(find_mesh, book))
    mouths: list[tuple[int, int]] = []
    for gap in building.exits:
        room = number_of(gap.room)
        plan = plans[room]
        mouth = _exit_mouth(plan.ring, gap, plan.threshold)
        local = building.rooms[room]
        plan.mouths.append(mouth)
        ring = [pose.inverse_point(plan.pose.point(p)) for p in plan.mouth_ring(mouth)[::-1]]
        portal = face(ring, PORTAL_SURFACE, solid=False)
        faces.append(replace(portal, portal=len(mouths)))
        mouths.append((room, len(plan.mouths) - 1))
        assert local.name == plan.name, "plans are in the order of the rooms"
    for door in building.doors:
        a, b = (number_of(name) for name in door.rooms)
        join(plans, a, b, door, f"{label}, door {door.rooms[0]}-{door.rooms[1]}")
    if not mouths:
        raise DataError("a building needs an exit", where=label)
    return Shell(faces, plans, mouths)


def _exit_mouth(ring: list[V3], gap: Exit, threshold: float) -> Mouth:
    """The mouth of an exit in the wall whose outside looks most towards the exit's side."""
    best, best_cos = 0, -2.0
    for wall, p in enumerate(ring):
        q = ring[(wall + 1) % len(ring)]
        along = unit(sub((q[0], q[1], 0.0), (p[0], p[1], 0.0)))
        cos = dot((along[1], -along[0], 0.0), TOWARD[gap.side])
        if cos > best_cos + 1e-9:
            best, best_cos = wall, cos
    p, q = ring[best], ring[(best + 1) % len(ring)]
    n = ((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5
    left = n * 0.5 + gap.at - gap.width * 0.5
    low = threshold + gap.sill
    return Mouth(best, Hole(left, low, left + gap.width, low + gap.height))

"""Env cells: convex rooms with doorways, made into cell structures, environments and records.

A room is a convex floor outline (its heights may climb evenly) and a ceiling in parallel. Walls
have rectangular mouths; each is a portal polygon that faces into its room. All rooms of one
house or dungeon share an environment, and rooms of the same shape share a structure.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from acclient_py.bake.book import Book
from acclient_py.bake.bsp import cell_tree, drawing_tree, physics_tree
from acclient_py.bake.convex import Ring
from acclient_py.bake.faces import Face, face, flattened
from acclient_py.bake.meshes import Geometry
from acclient_py.bake.seams import mended
from acclient_py.bake.textures import skin
from acclient_py.bake.tiles import tiled
from acclient_py.bake.vec import V3, Pose, f32, lerp, plane_of
from acclient_py.bake.walls import Hole, pierced
from acclient_py.core.frame import Frame
from acclient_py.dat.records.common import Stab
from acclient_py.dat.records.env_cell import CellPortal, EnvCell, EnvCellFlags, PortalFlags
from acclient_py.dat.records.environment import CellStructure, Environment
from acclient_py.errors import DataError

OUTSIDE: Final = -1
OUTSIDE_CELL: Final = 0xFFFF
FIRST_CELL: Final = 0x100
PORTAL_SURFACE: Final = "portal"


class Mouth(Struct):
    """A hole in wall `wall` of a room; what lies behind is filled in when rooms are joined.

    room, mouth : the other room's number and the number of the partner there; OUTSIDE
    """

    wall: int
    hole: Hole
    room: int = OUTSIDE
    mouth: int = OUTSIDE


class RoomPlan(Struct):
    """One env cell to be.

    ring   : the floor's corners, counter-clockwise from above, in the room's own space
    pose   : that space in the block
    inside : statics, block-local
    threshold : how far above the foot of its walls one walks (stairs)
    """

    name: str
    ring: list[V3]
    height: float
    pose: Pose
    floor: str
    wall: str
    ceiling: str
    mouths: list[Mouth] = field(default_factory=list)
    extra: list[Face] = field(default_factory=list)
    inside: list[Stab] = field(default_factory=list)
    draw_floor: bool = True
    threshold: float = 0.0

    def wall_ends(self, wall: int) -> tuple[V3, V3]:
        """The foot of a wall, from its corner to the next."""
        return self.ring[wall], self.ring[(wall + 1) % len(self.ring)]

    def wall_length(self, wall: int) -> float:
        """Its level length."""
        p, q = self.wall_ends(wall)
        return float(((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5)

    def on_wall(self, wall: int, along: float, up: float) -> V3:
        """A point of a wall, metres along its foot and up from it, in the room's space."""
        p, q = self.wall_ends(wall)
        foot = lerp(p, q, along / self.wall_length(wall))
        return foot[0], foot[1], foot[2] + up

    def mouth_ring(self, mouth: Mouth) -> Ring:
        """The portal polygon of a mouth, facing into the room."""
        h = mouth.hole
        corners = [(h.right, h.low), (h.left, h.low), (h.left, h.high), (h.right, h.high)]
        return tuple(self.on_wall(mouth.wall, s, z) for s, z in corners)


def room_faces(room: RoomPlan) -> list[Face]:
    """Floor, ceiling, walls around their mouths, what stands in the room, and the portals."""
    top = [(p[0], p[1], p[2] + room.height) for p in room.ring]
    faces = [replace(face(room.ring, room.floor), drawn=room.draw_floor, solid=room.draw_floor)]
    faces.append(face(top[::-1], room.ceiling))
    for wall in range(len(room.ring)):
        p, q = room.wall_ends(wall)
        holes = [mouth.hole for mouth in room.mouths if mouth.wall == wall]
        if holes and abs(p[2] - q[2]) > 1e-6:
            raise DataError("a doorway needs a wall with a level foot", where=f"room '{room.name}'")
        if not holes:
            faces.append(face([q, p, top[wall], top[(wall + 1) % len(top)]], room.wall))
            continue
        try:
            rects = pierced(room.wall_length(wall), room.height, holes)
        except DataError as error:
            error.where = f"room '{room.name}'"
            raise
        for a, z0, b, z1 in rects:
            ring = [(b, z0), (a, z0), (a, z1), (b, z1)]
            faces.append(face([room.on_wall(wall, s, z) for s, z in ring], room.wall))
    faces += room.extra
    for number, mouth in enumerate(room.mouths):
        portal = face(room.mouth_ring(mouth), PORTAL_SURFACE, solid=False)
        faces.append(replace(portal, portal=number))
    return flattened(faces)


def make_structure(book: Book, room: RoomPlan) -> tuple[CellStructure, list[str]]:
    """The cell structure of a room (key 0), and the names of its surfaces by slot."""
    faces = room_faces(room)
    geometry = Geometry(partial(skin, book, f"room '{room.name}'"))
    geometry.add_drawn(mended(tiled([f for f in faces if f.drawn])))
    geometry.add_solid([f for f in faces if f.solid and f.portal < 0])
    top = [(p[0], p[1], p[2] + room.height) for p in room.ring]
    planes = [plane_of(room.ring), plane_of(top[::-1])]
    for wall in range(len(room.ring)):
        p, q = room.wall_ends(wall)
        planes.append(plane_of([q, p, top[wall], top[(wall + 1) % len(top)]]))
    portals = [polygon for polygon, _ in geometry.portals]
    openings = [geometry.rings[polygon] for polygon in portals]
    if len(portals) != len(room.mouths):
        raise DataError("an opening without area", where=f"room '{room.name}'")
    structure = CellStructure(
        0,
        geometry.vertices(),
        tuple(geometry.polygons),
        tuple(portals),
        cell_tree(planes),
        tuple(geometry.physics),
        physics_tree(geometry.physics_rings, openings, hollow=True),
        drawing_tree(geometry.rings)[0],
    )
    return structure, geometry.surfaces


def frame_of(pose: Pose) -> Frame:
    """A pose as the frame of a record."""
    return Frame(
        (f32(pose.at[0]), f32(pose.at[1]), f32(pose.at[2])),
        (f32(pose.q[0]), f32(pose.q[1]), f32(pose.q[2]), f32(pose.q[3])),
    )


class CellGroup(Struct):
    """The rooms of one house or dungeon, numbered from `first` in their block."""

    label: str
    rooms: list[RoomPlan]
    block: int
    first: int

    def low(self, room: int) -> int:
        """Low word of a room's cell id."""
        return self.first + room

    def connected(self, start: int) -> list[int]:
        """All rooms that chains of mouths lead to from one, itself first, nearest first."""
        seen = [start]
        for room in seen:
            for mouth in self.rooms[room].mouths:
                if mouth.room != OUTSIDE and mouth.room not in seen:
                    seen.append(mouth.room)
        return seen

    def sees_outside(self, start: int) -> bool:
        """Whether such a chain leads outside."""
        return any(
            mouth.room == OUTSIDE
            for room in self.connected(start)
            for mouth in self.rooms[room].mouths
        )


def make_group(book: Book, group: CellGroup) -> None:
    """The environment and the EnvCell records of a group."""
    number = book.fresh("environment")
    structures: list[CellStructure] = []
    known: dict[bytes, int] = {}
    for index, room in enumerate(group.rooms):
        if not room.mouths:
            raise DataError(
                "a room without any opening holds nothing (its cell contains no point)",
                where=f"{group.label}, room '{room.name}'",
                do="give it a [[door]] or an exit",
            )
        structure, surfaces = make_structure(book, room)
        data = Environment(number, (structure,)).write()
        place = known.setdefault(data, len(structures))
        if place == len(structures):
            structures.append(replace(structure, key=place))
        _put_cell(book, group, index, number, place, surfaces, structure.portals)
    book.put(number, Environment(number, tuple(structures)).write())


def _put_cell(
    book: Book,
    group: CellGroup,
    index: int,
    environment: int,
    structure: int,
    surfaces: Sequence[str],
    polygons: Sequence[int],
) -> None:
    room = group.rooms[index]
    label = f"{group.label}, room '{room.name}'"
    cell_id = group.block << 16 | group.low(index)
    flags = EnvCellFlags(0)
    if group.sees_outside(index):
        flags |= EnvCellFlags.SEEN_OUTSIDE
    if room.inside:
        flags |= EnvCellFlags.HAS_STATICS
    portals = []
    for mouth, polygon in zip(room.mouths, polygons, strict=True):
        bits = PortalFlags.EXACT_MATCH | PortalFlags.PORTAL_SIDE
        if mouth.room == OUTSIDE:
            bits |= PortalFlags.OUTSIDE
            portals.append(CellPortal(int(bits), polygon, OUTSIDE_CELL, 0xFFFF))
        else:
            portals.append(CellPortal(int(bits), polygon, group.low(mouth.room), mouth.mouth))
    visible = tuple(group.low(other) for other in group.connected(index)[1:])
    record = EnvCell(
        cell_id,
        int(flags),
        tuple(book.surface_id(name, label) for name in surfaces),
        environment,
        structure,
        frame_of(room.pose),
        tuple(portals),
        visible,
        tuple(room.inside),
    )
    if cell_id in book.cell:
        raise DataError(f"cell 0x{cell_id:08X} made twice", where=label)
    book.cell[cell_id] = record.write()

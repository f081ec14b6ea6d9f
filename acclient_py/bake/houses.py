"""Houses: one table of the recipe made into a shell with real openings, and the rooms behind.

The shell's space has its origin in the middle of the house on the ground, x east. The outer
walls have a thickness; an opening's portal polygon stands in the inner face, where the room
begins, and the reveals lead there from outside. Matter is what lies between the outer hull and
the inner box: the inner faces collide but are not drawn, since the rooms draw their own.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from acclient_py.bake.book import Book
from acclient_py.bake.cells import OUTSIDE, PORTAL_SURFACE, Mouth, RoomPlan
from acclient_py.bake.faces import Face, face, transformed
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.models import find_mesh
from acclient_py.bake.rooms import join, place_inside
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.schema.places import Door, Gap, House, Side
from acclient_py.bake.shapes import box
from acclient_py.bake.vec import V3, Pose, quat_about
from acclient_py.bake.walls import Hole, Rect, gable, pierced, pyramid, reveals
from acclient_py.errors import DataError

SIDES: Final[tuple[Side, ...]] = ("south", "east", "north", "west")
SIZE_MOST: Final = 190.0
"""Metres: a block is 192."""
CEILING: Final = 0.15
"""From the rooms' ceiling to the top of the walls."""
HINGE: Final = 0.01
"""From a doorway's left edge to the hinge of its leaf."""
LEAF_BACK: Final = 0.03
"""From the wall's inner face to the middle of a leaf: it reaches just through the portal."""
DOOR: Final = Gap(side="south", width=1.3, height=2.2)
WINDOW: Final = Gap(side="south", width=1.0, height=1.1, sill=0.9)


class Shell(Struct):
    """A building's model and what is behind its openings, in opening order.

    mouths : (room, mouth number in that room) of each portal polygon
    """

    faces: list[Face]
    rooms: list[RoomPlan]
    mouths: list[tuple[int, int]]
    leaves: list[Leaf] = field(default_factory=list)


class Leaf(Struct, frozen=True):
    """A door hung in an opening: its setup, where its hinge is in the shell's space."""

    setup: str
    pose: Pose
    scale: float


class _Side(Struct, frozen=True):
    """One outer wall: its length, and how to get from wall space to the shell's.

    Wall space: x to the right seen from outside, y inwards from the outer face, z up.
    """

    name: Side
    length: float
    pose: Pose


def make_house(book: Book, house: House, pose: Pose, label: str) -> Shell:
    """Shell and rooms of a house that stands at `pose` in its block."""
    x, y = house.size[0] * 0.5, house.size[1] * 0.5
    t = house.wall
    if max(house.size) > SIZE_MOST:
        raise DataError(f"a house is at most {SIZE_MOST:g} m long", where=label)
    if min(x, y) <= t:
        raise DataError(f"size {house.size[0]:g} x {house.size[1]:g} m is all wall", where=label)
    rooms, centres, splits = _rooms(house, pose, label)
    for thing in house.inside:
        owner = _room_named(rooms, thing.room, label)
        place_inside(book, owner, [thing], pose.then(Pose((0.0, 0.0, house.floor))), label)
    gaps = [(gap, _is_window(gap)) for gap in _gaps(house)]
    if not gaps:
        raise DataError("a house needs a door or a window", where=label, do="add door = 'south'")
    faces: list[Face] = []
    mouths: list[tuple[int, int]] = []
    leaves: list[Leaf] = []
    for side in _sides(house):
        mine = [(gap, window) for gap, window in gaps if gap.side == side.name]
        try:
            faces += _wall_faces(house, side, [gap for gap, _ in mine])
        except DataError as error:
            error.where = f"{label}, {side.name} wall"
            raise
        for gap, window in mine:
            hole = _hole(house, side, gap)
            room, mouth = _mouth(rooms, centres, house, side, hole, label)
            ring = [(hole.left, t, hole.low), (hole.right, t, hole.low)]
            ring += [(hole.right, t, hole.high), (hole.left, t, hole.high)]
            portal = face([side.pose.point(p) for p in ring], PORTAL_SURFACE, solid=False)
            faces.append(replace(portal, portal=len(mouths)))
            mouths.append((room, mouth))
            if gap.leaf is not None:
                hinge = (hole.left + HINGE, t - LEAF_BACK, hole.low)
                leaves.append(Leaf(gap.leaf, side.pose.then(Pose(hinge)), gap.leaf_scale))
            faces += transformed(_trim(house, hole, window, gap), q=side.pose.q, at=side.pose.at)
    for a, b, door in splits:
        join(rooms, a, b, door, label)
    faces += _box_faces(house, x, y)
    faces += _roof(house, label)
    if house.timber:
        faces += _timber(house, x, y)
    if house.pieces:
        faces += mesh_faces(m.Mesh(pieces=house.pieces), partial(find_mesh, book))
    return Shell(faces, rooms, mouths, leaves)


def _gaps(house: House) -> list[Gap]:
    sides = [house.door] if isinstance(house.door, str) else (house.door or [])
    gaps = [replace_side(DOOR, side) for side in sides]
    gaps += house.doors
    gaps += [replace_side(WINDOW, side) for side in house.window]
    gaps += house.windows
    return gaps


def replace_side(gap: Gap, side: Side) -> Gap:
    """The gap on another side."""
    return Gap(side=side, at=gap.at, width=gap.width, height=gap.height, sill=gap.sill)


def _is_window(gap: Gap) -> bool:
    return gap.sill > 0.3 if gap.bars is None else gap.bars


def _sides(house: House) -> list[_Side]:
    x, y = house.size[0] * 0.5, house.size[1] * 0.5
    corners: list[V3] = [(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]
    lengths = (2 * x, 2 * y, 2 * x, 2 * y)
    return [
        _Side(name, length, Pose(corner, quat_about((0.0, 0.0, 1.0), 90.0 * k)))
        for k, (name, length, corner) in enumerate(zip(SIDES, lengths, corners, strict=True))
    ]


def _hole(house: House, side: _Side, gap: Gap) -> Hole:
    left = side.length * 0.5 + gap.at - gap.width * 0.5
    low = house.floor + gap.sill
    return Hole(left, low, left + gap.width, low + gap.height)


def _wall_faces(house: House, side: _Side, gaps: Sequence[Gap]) -> list[Face]:
    """The outer face with its holes, the reveals, and the inner face that only collides."""
    t, skins = house.wall, house.skins
    top = house.floor + house.height + CEILING
    holes = [_hole(house, side, gap) for gap in gaps]

    def upright(rect: Rect, y: float) -> list[V3]:
        a, z0, b, z1 = rect
        return [(a, y, z0), (b, y, z0), (b, y, z1), (a, y, z1)]

    inner = side.length - 2.0 * t
    within = [
        Hole(h.left - t, h.low - house.floor, h.right - t, h.high - house.floor) for h in holes
    ]
    # Before the outer face: a fault is told in heights above the floor, as the recipe writes them.
    behind = pierced(inner, house.height, within)
    lifted = [Hole(h.left, h.low + house.base, h.right, h.high + house.base) for h in holes]
    faces = []
    for a, z0, b, z1 in pierced(side.length, top + house.base, lifted):
        rect = (a, z0 - house.base, b, z1 - house.base)
        faces.append(face(upright(rect, 0.0), skins.walls))
    for a, z0, b, z1 in behind:
        ring = upright((a + t, z0 + house.floor, b + t, z1 + house.floor), t)
        faces.append(replace(face(ring[::-1], skins.walls), drawn=False))
    for hole, gap in zip(holes, gaps, strict=True):
        sill = skins.frame if gap.sill > 0.0 else skins.step
        faces += reveals(hole, 0.0, 0.0, t, skins.frame, sill)
    return transformed(faces, q=side.pose.q, at=side.pose.at)


def _box_faces(house: House, x: float, y: float) -> list[Face]:
    """What closes the walls' matter: inner floor and ceiling, underside, top; and the plinth."""
    t, skins = house.wall, house.skins
    low, high = house.floor, house.floor + house.height
    inner = [(-x + t, -y + t), (x - t, -y + t), (x - t, y - t), (-x + t, y - t)]
    outer = [(-x, -y), (x, -y), (x, y), (-x, y)]
    hidden = [
        face([(px, py, low) for px, py in inner], skins.floor),
        face([(px, py, high) for px, py in inner[::-1]], skins.ceiling),
        face([(px, py, -house.base) for px, py in outer[::-1]], skins.base),
    ]
    top = face([(px, py, high + CEILING) for px, py in outer], skins.roof)
    faces = [replace(f, drawn=False) for f in hidden]
    faces.append(top if house.roof.kind == "flat" else replace(top, drawn=False))
    if house.floor > 0.0:
        faces += _plinth(house, x, y)
    return faces


def _plinth(house: House, x: float, y: float) -> list[Face]:
    """A band of stone about the foot of the walls, up to the floor; steps before the doors."""
    out, skins = 0.07, house.skins
    faces = []
    for side in _sides(house):
        n = side.length
        z = house.floor - 0.005
        ring = [(-out, -out, -house.base), (n + out, -out, -house.base)]
        ring += [(n + out, -out, z), (-out, -out, z)]
        ledge = [(-out, -out, z), (n + out, -out, z), (n, 0.0, z), (0.0, 0.0, z)]
        band = [face(ring, skins.base, solid=False), face(ledge, skins.base, solid=False)]
        for gap in _gaps(house):
            if gap.side == side.name and gap.sill <= 0.3 and house.floor > 0.12:
                hole = _hole(house, side, gap)
                step = m.Box(
                    size=(gap.width + 0.5, 0.55, house.floor * 0.5 + 0.3), surface=skins.step
                )
                at = ((hole.left + hole.right) * 0.5, -0.275 - out + 0.02, -0.3)
                band += transformed(box(step), at=at)
        faces += transformed(band, q=side.pose.q, at=side.pose.at)
    return faces


def _trim(house: House, hole: Hole, window: bool, gap: Gap) -> list[Face]:
    """A frame about an opening, bars in a window: wall space, not solid."""
    w, out, skin = 0.13, 0.05, house.skins.frame
    mid, width = (hole.left + hole.right) * 0.5, hole.right - hole.left
    tall = hole.high - hole.low
    boxes = [
        ((w, out, tall), (hole.left - w * 0.5, -out * 0.5, hole.low)),
        ((w, out, tall), (hole.right + w * 0.5, -out * 0.5, hole.low)),
        ((width + 2.0 * w, out, w), (mid, -out * 0.5, hole.high)),
    ]
    if gap.sill > 0.0:
        boxes.append(((width + 2.6 * w, out * 2.4, w * 0.7), (mid, -out * 1.2, hole.low - w * 0.7)))
    if window:
        depth = house.wall * 0.5
        boxes.append(((0.06, 0.06, tall), (mid, depth, hole.low)))
        boxes.append(((width, 0.05, 0.06), (mid, depth, (hole.low + hole.high) * 0.5 - 0.03)))
    faces: list[Face] = []
    for size, at in boxes:
        piece = box(m.Box(size=size, surface=skin))
        faces += [replace(f, solid=False) for f in transformed(piece, at=at)]
    return faces


def _timber(house: House, x: float, y: float) -> list[Face]:
    """Corner posts and a beam under the eaves: not solid."""
    top = house.floor + house.height + CEILING
    p = 0.22
    faces: list[Face] = []
    for sx in (-1.0, 1.0):
        for sy in (-1.0, 1.0):
            post = box(m.Box(size=(p, p, top - house.floor), surface=house.skins.frame))
            faces += transformed(post, at=(sx * (x - 0.07), sy * (y - 0.07), house.floor))
    for side in _sides(house):
        beam = box(m.Box(size=(side.length - 0.2, 0.08, p), surface=house.skins.frame))
        at = (side.length * 0.5, -0.02, top - p)
        faces += transformed(transformed(beam, at=at), q=side.pose.q, at=side.pose.at)
    return [replace(f, solid=False) for f in faces]


def _roof(house: House, label: str) -> list[Face]:
    roof, skins = house.roof, house.skins
    if roof.kind == "flat":
        return []
    top = house.floor + house.height + CEILING
    ridge = roof.ridge or ("x" if house.size[0] >= house.size[1] else "y")
    across = house.size[1] if ridge == "x" else house.size[0]
    rise = across * 0.42 if roof.rise is None else roof.rise
    if roof.kind == "hip":
        piece = m.Pyramid(
            size=house.size,
            rise=rise,
            overhang=roof.overhang,
            thickness=roof.thickness,
            surface=skins.roof,
            under=skins.under,
        )
        return transformed(pyramid(piece), at=(0.0, 0.0, top))
    slabs = m.Gable(
        size=house.size,
        rise=rise,
        overhang=roof.overhang,
        verge=roof.verge,
        thickness=roof.thickness,
        ridge=ridge,
        surface=skins.roof,
        gable=skins.gable,
        under=skins.under,
    )
    return transformed(gable(slabs), at=(0.0, 0.0, top))


def _rooms(
    house: House, pose: Pose, label: str
) -> tuple[list[RoomPlan], list[V3], list[tuple[int, int, Door]]]:
    """The rooms between the partitions, their floors' middles, the doors that join neighbours."""
    x, y = house.size[0] * 0.5 - house.wall, house.size[1] * 0.5 - house.wall
    axes = {partition.axis for partition in house.partitions}
    if len(axes) > 1:
        raise DataError("partitions of one house run along one axis", where=label)
    along = axes.pop() if axes else "x"
    half = x if along == "x" else y
    low = -half
    spans: list[tuple[float, float]] = []
    parts = sorted(house.partitions, key=lambda p: p.at)
    for part in parts:
        at = -half + part.at
        spans.append((low, at - part.thickness * 0.5))
        low = at + part.thickness * 0.5
    spans.append((low, half))
    skins = house.skins
    rooms, centres = [], []
    for number, (a, b) in enumerate(spans):
        if b - a < 0.5:
            raise DataError(f"room {number} is {b - a:.2g} m wide", where=label)
        mid, w = (a + b) * 0.5, (b - a) * 0.5
        centre = (mid, 0.0, house.floor) if along == "x" else (0.0, mid, house.floor)
        centres.append(centre)
        hx, hy = (w, y) if along == "x" else (x, w)
        ring: list[V3] = [(-hx, -hy, 0.0), (hx, -hy, 0.0), (hx, hy, 0.0), (-hx, hy, 0.0)]
        rooms.append(
            RoomPlan(
                str(number),
                ring,
                house.height,
                pose.then(Pose(centre)),
                skins.floor,
                skins.inner,
                skins.ceiling,
            )
        )
    doors = []
    for number, part in enumerate(parts):
        shift = part.door or 0.0
        doors.append(
            (
                number,
                number + 1,
                Door(rooms=("", ""), width=part.width, height=part.height, shift=shift),
            )
        )
    return rooms, centres, doors


def _room_named(rooms: Sequence[RoomPlan], name: str | None, label: str) -> RoomPlan:
    if name is None:
        return rooms[0]
    for room in rooms:
        if room.name == name:
            return room
    names = ", ".join(room.name for room in rooms)
    raise DataError(f"no room '{name}'; there are {names}", where=label)


def _mouth(
    rooms: Sequence[RoomPlan],
    centres: Sequence[V3],
    house: House,
    side: _Side,
    hole: Hole,
    label: str,
) -> tuple[int, int]:
    """Open the wall of the room that lies behind a hole; returns the room and the mouth."""
    t = house.wall
    left = side.pose.point((hole.left, t, hole.low))
    right = side.pose.point((hole.right, t, hole.low))
    wall = SIDES.index(side.name)  # a room's walls run south, east, north, west too
    for number, (room, centre) in enumerate(zip(rooms, centres, strict=True)):
        p, q = room.wall_ends(wall)
        n = room.wall_length(wall)
        ux, uy = (q[0] - p[0]) / n, (q[1] - p[1]) / n
        px, py = centre[0] + p[0], centre[1] + p[1]
        a = (left[0] - px) * ux + (left[1] - py) * uy
        b = (right[0] - px) * ux + (right[1] - py) * uy
        away = abs((left[0] - px) * uy - (left[1] - py) * ux)
        if away > 1e-6 or min(a, b) < -1e-6 or max(a, b) > n + 1e-6:
            continue
        low = hole.low - house.floor
        inner = Hole(min(a, b), low, max(a, b), low + hole.high - hole.low)
        room.mouths.append(Mouth(wall, inner, OUTSIDE, OUTSIDE))
        return number, len(room.mouths) - 1
    raise DataError(
        f"opening at {hole.left:g} m of the {side.name} wall meets an inner wall", where=label
    )

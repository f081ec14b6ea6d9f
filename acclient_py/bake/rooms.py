"""Rooms of the recipe made into plans, and doors between them.

A door joins the two walls of its rooms that face each other. Walls in one plane share the
portal polygon; walls with a gap between them get a small passage cell.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from acclient_py.bake.book import Book
from acclient_py.bake.cells import Mouth, RoomPlan, frame_of
from acclient_py.bake.faces import Face, face, is_convex, ring_area
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.models import find_mesh
from acclient_py.bake.schema import meshes as m
from acclient_py.bake.schema.places import Door, Inside, Room
from acclient_py.bake.vec import V3, Pose, add, dot, lerp, quat_euler, quat_heading, sub, unit
from acclient_py.bake.walls import Hole
from acclient_py.dat.records.common import Stab
from acclient_py.errors import DataError

TOUCH: float = 1e-3
SIZE_MOST: Final = 1000.0
"""Metres. Drawn faces are cut into tiles of a few metres for the light."""


def plan_room(book: Book, room: Room, outer: Pose, label: str) -> RoomPlan:
    """The plan of a room of the recipe; `outer` is the space its place is given in."""
    w, d, height = room.size[0] * 0.5, room.size[1] * 0.5, room.size[2]
    if max(room.size) > SIZE_MOST:
        raise DataError(f"a room is at most {SIZE_MOST:g} m long", where=label)
    outline = room.outline or [(-w, -d), (w, -d), (w, d), (-w, d)]
    if ring_area(outline) < 0.0:
        outline = outline[::-1]
    if len(outline) < 3 or not is_convex(outline):
        raise DataError("a room's outline must be convex (join rooms by doors)", where=label)
    south = min(p[1] for p in outline)
    depth = max(p[1] for p in outline) - south
    # Steps stand on a slope one step lower, so that all of them lie inside the convex cell.
    step = room.rise / room.steps if room.steps else 0.0
    ring: list[V3] = [(p[0], p[1], room.rise * (p[1] - south) / depth - step) for p in outline]
    pose = outer.then(Pose(room.at, quat_heading(room.heading)))
    extra: list[Face] = []
    if room.steps:
        extra += _steps(room, w, d)
    if room.pieces:
        # The room's own things, from the floor's middle; they may not leave the room.
        mesh = m.Mesh(pieces=room.pieces)
        extra += mesh_faces(mesh, partial(find_mesh, book))
    plan = RoomPlan(
        room.name,
        ring,
        height + step,
        pose,
        room.floor,
        room.wall,
        room.ceiling,
        extra=extra,
        draw_floor=not room.steps,
        threshold=step,
    )
    place_inside(book, plan, room.inside, pose, label)
    return plan


def place_inside(
    book: Book, plan: RoomPlan, things: Sequence[Inside], space: Pose, label: str
) -> None:
    """Put statics into a room; their places are given in `space`, records are block-local."""
    for thing in things:
        q = quat_heading(thing.heading) if thing.rotate is None else quat_euler(thing.rotate)
        pose = space.then(Pose(thing.at, q))
        plan.inside.append(Stab(book.model_id(thing.model, label), frame_of(pose)))


def _steps(room: Room, w: float, d: float) -> list[Face]:
    """Treads and risers; the last riser is the wall under the door at the top."""
    faces = []
    for k in range(room.steps):
        y0, y1 = -d + 2 * d * k / room.steps, -d + 2 * d * (k + 1) / room.steps
        z0, z1 = room.rise * k / room.steps, room.rise * (k + 1) / room.steps
        faces.append(face([(-w, y0, z0), (w, y0, z0), (w, y1, z0), (-w, y1, z0)], room.floor))
        if k + 1 < room.steps:
            riser = [(-w, y1, z0), (w, y1, z0), (w, y1, z1), (-w, y1, z1)]
            faces.append(face(riser, room.floor))
    return faces


class Facing(Struct, frozen=True):
    """Two walls that face each other: their numbers, the gap, and the overlap along wall a."""

    a: int
    b: int
    gap: float
    start: float
    end: float


def facing_walls(a: RoomPlan, b: RoomPlan, width: float) -> Facing | None:
    """The nearest pair of walls of two rooms that a door of this width can join."""
    best: Facing | None = None
    for i in range(len(a.ring)):
        p, q = (a.pose.point(x) for x in a.wall_ends(i))
        along = unit(sub((q[0], q[1], 0.0), (p[0], p[1], 0.0)))
        out = (along[1], -along[0], 0.0)
        for j in range(len(b.ring)):
            r, s = (b.pose.point(x) for x in b.wall_ends(j))
            other = unit(sub((s[0], s[1], 0.0), (r[0], r[1], 0.0)))
            if dot(along, other) > -0.9999:
                continue
            gap = dot(out, sub(r, p))
            if gap < -TOUCH:
                continue
            ends = sorted((dot(along, sub(r, p)), dot(along, sub(s, p))))
            start, end = max(0.0, ends[0]), min(a.wall_length(i), ends[1])
            if end - start < width - TOUCH:
                continue
            if best is None or gap < best.gap - TOUCH:
                best = Facing(i, j, max(gap, 0.0), start, end)
    return best


def join(plans: list[RoomPlan], a: int, b: int, door: Door, label: str) -> None:
    """Open a door between two rooms; a gap between their walls becomes a passage cell."""
    first, second = plans[a], plans[b]
    walls = facing_walls(first, second, door.width)
    if walls is None:
        raise DataError(
            f"rooms '{first.name}' and '{second.name}' have no walls that face each other "
            f"over {door.width:g} m",
            where=label,
        )
    middle = (walls.start + walls.end) * 0.5 + door.shift
    half = door.width * 0.5
    sill = door.sill + first.threshold
    p = first.pose.point(first.on_wall(walls.a, middle - half, sill))
    q = first.pose.point(first.on_wall(walls.a, middle + half, sill))
    hole = Hole(middle - half, sill, middle + half, sill + door.height)
    other = _hole_on(second, walls.b, p, q, door.height)
    if walls.gap <= TOUCH:
        _link(plans, a, Mouth(walls.a, hole), b, Mouth(walls.b, other))
        return
    passage = _passage(first, second, walls, (p, q), door)
    plans.append(passage)
    number = len(plans) - 1
    length = passage.wall_length(0)
    opening = Hole(0.0, 0.0, length, door.height)
    _link(plans, a, Mouth(walls.a, hole), number, Mouth(0, opening))
    _link(plans, number, Mouth(2, opening), b, Mouth(walls.b, other))


def _hole_on(room: RoomPlan, wall: int, p: V3, q: V3, height: float) -> Hole:
    """The hole in a wall that lies across from the foot line p q."""
    r, s = (room.pose.point(x) for x in room.wall_ends(wall))
    along = unit(sub((s[0], s[1], 0.0), (r[0], r[1], 0.0)))
    ends = sorted((dot(along, sub(p, r)), dot(along, sub(q, r))))
    length = room.wall_length(wall)
    at = lerp(r, s, min(max((ends[0] + ends[1]) * 0.5 / length, 0.0), 1.0))
    low = p[2] - at[2]
    return Hole(_tidy(ends[0], length), _tidy(low, 1e9), _tidy(ends[1], length), low + height)


def _tidy(x: float, length: float) -> float:
    if abs(x) < 1e-6:
        return 0.0
    return length if abs(x - length) < 1e-6 else x


def _passage(
    first: RoomPlan, second: RoomPlan, walls: Facing, foot: tuple[V3, V3], door: Door
) -> RoomPlan:
    """The cell in the thickness of the wall: its south wall is the first room's mouth."""
    p, q = foot
    along = unit(sub(q, p))
    out = (along[1], -along[0], 0.0)
    half, depth = door.width * 0.5, walls.gap * 0.5
    centre = add(lerp(p, q, 0.5), (out[0] * depth, out[1] * depth, 0.0))
    # The passage's own space: x runs against `along`, y outwards, so wall 0 is at the first room.
    heading_q = _quat_facing(out)
    ring: list[V3] = [(-half, -depth, 0.0), (half, -depth, 0.0), (half, depth, 0.0)]
    ring.append((-half, depth, 0.0))
    return RoomPlan(
        f"{first.name}-{second.name}",
        ring,
        door.height,
        Pose(centre, heading_q),
        door.floor or first.floor,
        door.wall or first.wall,
        door.wall or first.ceiling,
    )


def _quat_facing(direction: V3) -> tuple[float, float, float, float]:
    """The turn about z that takes +y to a level direction, by half-angle roots."""
    c = direction[1]
    w = max(0.0, (1.0 + c) * 0.5) ** 0.5
    z = max(0.0, (1.0 - c) * 0.5) ** 0.5
    return (w, 0.0, 0.0, -z if direction[0] > 0.0 else z)


def _link(plans: list[RoomPlan], a: int, mouth_a: Mouth, b: int, mouth_b: Mouth) -> None:
    mouth_a.room, mouth_a.mouth = b, len(plans[b].mouths)
    mouth_b.room, mouth_b.mouth = a, len(plans[a].mouths)
    plans[a].mouths.append(mouth_a)
    plans[b].mouths.append(mouth_b)

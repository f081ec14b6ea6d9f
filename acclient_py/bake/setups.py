"""Setup records: parts on a skeleton, poses, what holds what, collision shapes, lights.

A skeleton is a list of joints: each part sits at a place in its parent's space and turns about
it. Poses are evaluated to frames relative to the object, as records want them.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.bake.book import Book
from acclient_py.bake.cells import frame_of
from acclient_py.bake.convex import bounding_sphere, bounds
from acclient_py.bake.effects import script_table
from acclient_py.bake.keys import key_of
from acclient_py.bake.meshes import mesh_faces
from acclient_py.bake.models import find_mesh
from acclient_py.bake.schema import bodies as b
from acclient_py.bake.textures import argb
from acclient_py.bake.vec import (
    V3,
    Pose,
    Quat,
    add,
    f32,
    f32_point,
    quat_euler,
    quat_times,
    quat_unit,
    times,
)
from acclient_py.dat.records.animation import AnimationFrame
from acclient_py.dat.records.common import CylSphere, Sphere
from acclient_py.dat.records.setup import (
    NO_PARENT,
    LightInfo,
    Location,
    PlacementFrame,
    Setup,
    SetupFlags,
)
from acclient_py.errors import DataError

PARENT_LOCATIONS: Final = {
    name: number
    for number, name in enumerate(
        ("None", "RightHand", "LeftHand", "Shield", "Belt", "Quiver", "Heraldry", "Mouth")
        + ("LeftWeapon", "LeftUnarmed")
    )
}
PLACEMENTS: Final = {
    "Default": 0,
    "RightHandCombat": 1,
    "RightHandNonCombat": 2,
    "LeftHand": 3,
    "Belt": 4,
    "Quiver": 5,
    "Shield": 6,
    "LeftWeapon": 7,
    "LeftUnarmed": 8,
    "SpecialCrossbowBolt": 0x33,
    "MissileFlight": 0x34,
    "Resting": 0x65,
    "Other": 0x66,
    "Hook": 0x67,
    **{f"Random{k}": 0x78 + k for k in range(1, 11)},
}
RESTING: Final = 0x65
ROOT: Final = Pose()


class Joint(Struct, frozen=True):
    """One part's joint: its name, its parent's number (-1 the object), rest place and turn."""

    name: str
    parent: int
    at: V3
    q: Quat


class Skeleton(Struct, frozen=True):
    """The joints of a setup, parents before children."""

    joints: tuple[Joint, ...]

    def index(self, name: str, where: str) -> int:
        """A joint's number by name."""
        for number, joint in enumerate(self.joints):
            if joint.name == name:
                return number
        names = ", ".join(joint.name for joint in self.joints)
        raise DataError(f"no part '{name}'; there are {names}", where=where)

    def pose(
        self,
        turns: Mapping[int, Quat] | None = None,
        root: Pose = ROOT,
        moves: Mapping[int, V3] | None = None,
    ) -> list[Pose]:
        """Every part relative to the object, joints turned about their own places.

        turns : joint number -> turn before the rest turn ; moves : shift in the parent's space
        """
        result: list[Pose] = []
        for number, joint in enumerate(self.joints):
            q, at = joint.q, joint.at
            if turns and number in turns:
                q = quat_product(turns[number], q)
            if moves and number in moves:
                at = add(at, moves[number])
            outer = root if joint.parent < 0 else result[joint.parent]
            result.append(outer.then(Pose(at, q)))
        return result


def quat_product(a: Quat, b_: Quat) -> Quat:
    """b first, then a, with length 1."""
    return quat_unit(quat_times(a, b_))


def setup_table(book: Book, name: str, needed_by: str) -> b.Setup:
    """A setup of the recipe."""
    found: b.Setup | None = book.tables.find("setup", name)
    if found is None:
        raise book.tables.unknown("setup", name, needed_by)
    return found


def parts_of(setup: b.Setup, where: str) -> list[b.Part]:
    """Its parts; a bare mesh is one."""
    if setup.mesh is not None and setup.parts:
        raise DataError("either `mesh` or `parts`", where=where)
    parts = [b.Part(mesh=setup.mesh)] if setup.mesh is not None else list(setup.parts)
    if not parts:
        raise DataError("a setup needs `mesh` or `parts`", where=where)
    return parts


def skeleton_of(setup: b.Setup, where: str) -> Skeleton:
    """The joints of a setup."""
    joints: list[Joint] = []
    for number, part in enumerate(parts_of(setup, where)):
        name = part.name or str(number)
        if any(joint.name == name for joint in joints):
            raise DataError(f"two parts have the name '{name}'", where=where)
        parent = -1
        if part.parent is not None:
            names = [joint.name for joint in joints]
            if part.parent not in names:
                raise DataError(
                    f"part '{name}': parent '{part.parent}' must stand before it", where=where
                )
            parent = names.index(part.parent)
        joints.append(Joint(name, parent, part.at, quat_euler(part.rotate)))
    return Skeleton(tuple(joints))


def animation_frame(poses: Sequence[Pose]) -> AnimationFrame:
    """Poses as the frames of a record."""
    rows = [(*f32_point(p.at), *(f32(c) for c in p.q)) for p in poses]
    return AnimationFrame(np.array(rows, dtype=np.float32).reshape(-1, 7))


def make_setup(book: Book, name: str) -> None:
    """The Setup record of a table `setup.NAME`."""
    where = f"setup '{name}'"
    number = book.ids[("setup", name)]
    setup = setup_table(book, name, where)
    parts = parts_of(setup, where)
    skeleton = skeleton_of(setup, where)
    rest = skeleton.pose()
    flags = SetupFlags(0)
    if any(joint.parent >= 0 for joint in skeleton.joints):
        flags |= SetupFlags.HAS_PARENT
    scales = _scales(parts)
    if scales is not None:
        flags |= SetupFlags.HAS_DEFAULT_SCALE
    if setup.free_heading:
        flags |= SetupFlags.ALLOW_FREE_HEADING
    if any(find_mesh(book, part.mesh).physics for part in parts):
        flags |= SetupFlags.HAS_PHYSICS_BSP
    points = _points(book, parts, rest)
    sphere = bounding_sphere(points)
    sorting = _ball(setup.sorting) or Sphere(f32_point(sphere[:3]), f32(sphere[3]))
    low, high = bounds(points)
    reach = max(abs(low[0]), abs(high[0]), abs(low[1]), abs(high[1]))
    record = Setup(
        number,
        int(flags),
        tuple(book.id_of("mesh", part.mesh, where) for part in parts),
        tuple(NO_PARENT if j.parent < 0 else j.parent for j in skeleton.joints)
        if flags & SetupFlags.HAS_PARENT
        else (),
        scales,
        _locations(setup.holding, skeleton, where),
        _locations(setup.connections, skeleton, where),
        _placements(setup, skeleton, where),
        tuple(CylSphere(f32_point(c.at), f32(c.radius), f32(c.height)) for c in setup.cylinders),
        tuple(Sphere(f32_point(s.at), f32(s.radius)) for s in setup.spheres),
        f32(high[2] if setup.height is None else setup.height),
        f32(reach if setup.radius is None else setup.radius),
        f32(setup.step_up),
        f32(setup.step_down),
        sorting,
        _ball(setup.selection) or sorting,
        tuple(_light(light, k) for k, light in enumerate(setup.lights)),
        book.id_of("animation", setup.animation, where) if setup.animation else 0,
        book.id_of("script", setup.script, where) if setup.script else 0,
        book.id_of("motion", setup.motion, where) if setup.motion else 0,
        0,
        script_table(book, setup.scripts, where),
    )
    book.put(number, record.write())


def _scales(parts: Sequence[b.Part]) -> npt.NDArray[np.float32] | None:
    if all(part.scale is None for part in parts):
        return None
    rows = []
    for part in parts:
        s = 1.0 if part.scale is None else part.scale
        rows.append((s, s, s) if isinstance(s, int | float) else s)
    return np.array(rows, dtype=np.float32)


def _points(book: Book, parts: Sequence[b.Part], rest: Sequence[Pose]) -> list[V3]:
    points = []
    for part, pose in zip(parts, rest, strict=True):
        s = 1.0 if part.scale is None else part.scale
        scale = (s, s, s) if isinstance(s, int | float) else s
        faces = mesh_faces(find_mesh(book, part.mesh), partial(find_mesh, book))
        points += [pose.point(times(p, scale)) for f in faces for p in f.points]
    return points


def _locations(holds: Mapping[str, b.Hold], skeleton: Skeleton, where: str) -> tuple[Location, ...]:
    result = []
    for name, hold in holds.items():
        part = NO_PARENT if hold.part is None else skeleton.index(hold.part, where)
        key = key_of(name, PARENT_LOCATIONS, "holding location", where)
        result.append(Location(key, part, frame_of(Pose(hold.at, quat_euler(hold.rotate)))))
    return tuple(result)


def _placements(setup: b.Setup, skeleton: Skeleton, where: str) -> tuple[PlacementFrame, ...]:
    """All placement frames; Default and Resting are the rest pose unless given."""
    frames: dict[int, AnimationFrame] = {}
    for name, placement in setup.placements.items():
        key = key_of(name, PLACEMENTS, "placement", where)
        turns = {
            skeleton.index(joint, where): quat_euler(turn) for joint, turn in placement.pose.items()
        }
        root = Pose(placement.at, quat_euler(placement.rotate))
        frames[key] = animation_frame(skeleton.pose(turns, root))
    rest = animation_frame(skeleton.pose())
    frames.setdefault(0, rest)
    frames.setdefault(RESTING, frames[0])
    return tuple(PlacementFrame(key, frames[key]) for key in sorted(frames))


def _ball(ball: b.Ball | None) -> Sphere | None:
    return None if ball is None else Sphere(f32_point(ball.at), f32(ball.radius))


def _light(light: b.Light, key: int) -> LightInfo:
    frame = frame_of(Pose(light.at, quat_euler(light.rotate)))
    color = argb(light.color)
    return LightInfo(key, frame, color, f32(light.intensity), f32(light.falloff), f32(light.cone))

"""Setup, 0x02: a body made of GfxObj parts."""

from __future__ import annotations

from enum import IntFlag
from typing import Final, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.animation import AnimationFrame
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import CylSphere, Sphere

NO_PARENT: Final = 0xFFFFFFFF


class SetupFlags(IntFlag):
    """Bits of Setup.flags."""

    HAS_PARENT = 1
    HAS_DEFAULT_SCALE = 2
    ALLOW_FREE_HEADING = 4
    HAS_PHYSICS_BSP = 8


class Location(Struct, frozen=True):
    """A holding location or a connection point. A part not below the part count: the object."""

    key: int  # ParentLocation; keys outside the enumeration are kept
    part: int
    frame: Frame

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.i32(), cursor.u32(), cursor.frame())

    def pack(self, out: Packer) -> None:
        out.i32(self.key)
        out.u32(self.part)
        out.frame(self.frame)


class PlacementFrame(Struct, frozen=True):
    """The pose for one placement; key 0 is the default."""

    key: int  # Placement; keys outside the enumeration are kept
    pose: AnimationFrame


class LightInfo(Struct, frozen=True):
    """A light that the object carries. Retail's cone angles may be uninitialised memory."""

    key: int
    frame: Frame
    color: int  # 0xAARRGGBB
    intensity: float
    falloff: float  # range in units
    cone_angle: float  # degrees

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.i32(), cursor.frame(), cursor.u32(), cursor.f32(), cursor.f32(), cursor.f32()
        )

    def pack(self, out: Packer) -> None:
        out.i32(self.key)
        out.frame(self.frame)
        out.u32(self.color)
        out.f32s((self.intensity, self.falloff, self.cone_angle))


class Setup(Record, frozen=True, eq=False):
    """A body: parts, where things are held, default poses, collision shape, lights, defaults."""

    id: int
    flags: int  # SetupFlags; unknown bits are kept
    parts: tuple[int, ...]  # GfxObj ids
    parents: tuple[int, ...]  # part indices, NO_PARENT; empty without HAS_PARENT
    scales: npt.NDArray[np.float32] | None  # (parts, 3); None without HAS_DEFAULT_SCALE
    holding_locations: tuple[Location, ...]
    connection_points: tuple[Location, ...]
    placement_frames: tuple[PlacementFrame, ...]
    cyl_spheres: tuple[CylSphere, ...]
    spheres: tuple[Sphere, ...]
    height: float
    radius: float
    step_up: float
    step_down: float
    sorting_sphere: Sphere
    selection_sphere: Sphere
    lights: tuple[LightInfo, ...] = ()
    default_animation: int = 0  # Animation
    default_script: int = 0  # PhysicsScript
    default_motion_table: int = 0  # MotionTable
    default_sound_table: int = 0  # SoundTable
    default_script_table: int = 0  # PhysicsScriptTable

    def placement(self, key: int) -> AnimationFrame | None:
        """The pose of the first entry with this placement key."""
        for entry in self.placement_frames:
            if entry.key == key:
                return entry.pose
        return None

    def holding_location(self, key: int) -> Location | None:
        """The first holding location with this key."""
        for entry in self.holding_locations:
            if entry.key == key:
                return entry
        return None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, flags, part_count = cursor.u32s(3)
        parts = cursor.u32s(cursor.count(part_count, 4))
        parents: tuple[int, ...] = ()
        scales = None
        if flags & SetupFlags.HAS_PARENT:
            parents = cursor.u32s(cursor.count(part_count, 4))
        if flags & SetupFlags.HAS_DEFAULT_SCALE:
            scales = cursor.array("<f4", 3 * part_count).reshape(part_count, 3)
        holding_locations = cursor.many(Location.unpack, 36)
        connection_points = cursor.many(Location.unpack, 36)

        def placement(at: Cursor) -> PlacementFrame:
            return PlacementFrame(at.i32(), AnimationFrame.unpack(at, part_count))

        setup = cls(
            record_id,
            flags,
            parts,
            parents,
            scales,
            holding_locations,
            connection_points,
            cursor.many(placement, 8 + 28 * part_count),
            cursor.many(CylSphere.unpack, 20),
            cursor.many(Sphere.unpack, 16),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            Sphere.unpack(cursor),
            Sphere.unpack(cursor),
            cursor.many(LightInfo.unpack, 48),
            *cursor.u32s(5),
        )
        cursor.align4()
        return setup

    def pack(self, out: Packer) -> None:
        out.u32s((self.id, self.flags, len(self.parts)))
        out.u32s(self.parts)
        if self.flags & SetupFlags.HAS_PARENT:
            assert len(self.parents) == len(self.parts), "one parent a part"
            out.u32s(self.parents)
        if self.flags & SetupFlags.HAS_DEFAULT_SCALE:
            assert self.scales is not None, "HAS_DEFAULT_SCALE needs scales"
            assert self.scales.shape == (len(self.parts), 3), "one scale a part"
            out.array(self.scales, "<f4")
        out.many(self.holding_locations, Location.pack)
        out.many(self.connection_points, Location.pack)
        out.u32(len(self.placement_frames))
        for entry in self.placement_frames:
            assert len(entry.pose.frames) == len(self.parts), "one frame a part"
            out.i32(entry.key)
            entry.pose.pack(out)
        out.many(self.cyl_spheres, CylSphere.pack)
        out.many(self.spheres, Sphere.pack)
        out.f32s((self.height, self.radius, self.step_up, self.step_down))
        self.sorting_sphere.pack(out)
        self.selection_sphere.pack(out)
        out.many(self.lights, LightInfo.pack)
        out.u32s(
            (
                self.default_animation,
                self.default_script,
                self.default_motion_table,
                self.default_sound_table,
                self.default_script_table,
            )
        )
        out.align4()

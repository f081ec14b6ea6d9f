"""Scene, 0x12: the objects that scenery rules scatter over one kind of terrain."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record


class SceneObject(Struct, frozen=True):
    """One rule, 76 bytes: what may stand there, how often, and how it is turned and scaled."""

    object_id: int  # GfxObj or Setup; 0 occurs together with a weenie object
    base_frame: Frame
    frequency: float
    displace_x: float
    displace_y: float
    min_scale: float
    max_scale: float
    max_rotation: float  # degrees
    min_slope: float
    max_slope: float
    align: int
    orient: int
    weenie_object: int  # nonzero: placed by the server, not by the client

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        object_id, frame = cursor.u32(), cursor.frame()
        frequency, displace_x, displace_y, min_scale, max_scale = cursor.f32s(5)
        max_rotation, min_slope, max_slope = cursor.f32s(3)
        return cls(
            object_id,
            frame,
            frequency,
            displace_x,
            displace_y,
            min_scale,
            max_scale,
            max_rotation,
            min_slope,
            max_slope,
            *cursor.u32s(3),
        )

    def pack(self, out: Packer) -> None:
        out.u32(self.object_id)
        out.frame(self.base_frame)
        out.f32s(
            (
                self.frequency,
                self.displace_x,
                self.displace_y,
                self.min_scale,
                self.max_scale,
                self.max_rotation,
                self.min_slope,
                self.max_slope,
            )
        )
        out.u32s((self.align, self.orient, self.weenie_object))


class Scene(Record, frozen=True):
    """Rules in the order in which their numbers enter the placing."""

    id: int
    objects: tuple[SceneObject, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(SceneObject.unpack, 76))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.many(self.objects, SceneObject.pack)

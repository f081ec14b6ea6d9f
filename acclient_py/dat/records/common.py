"""Small shapes that many records share: placed objects, spheres, cylinder spheres, pairs."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer

Vec3 = tuple[float, float, float]
Pair = tuple[int, int]


class Stab(Struct, frozen=True):
    """A placed static object: a GfxObj or Setup id and its block-local frame, 32 bytes."""

    id: int
    frame: Frame

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.frame())

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.frame(self.frame)


class Sphere(Struct, frozen=True):
    """A centre and a radius, 16 bytes."""

    center: Vec3
    radius: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.vec3(), cursor.f32())

    def pack(self, out: Packer) -> None:
        out.f32s(self.center)
        out.f32(self.radius)


class CylSphere(Struct, frozen=True):
    """An upright cylinder: low point, radius, height, 20 bytes."""

    low_point: Vec3
    radius: float
    height: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.vec3(), cursor.f32(), cursor.f32())

    def pack(self, out: Packer) -> None:
        out.f32s(self.low_point)
        out.f32(self.radius)
        out.f32(self.height)


def own_part(part: int, part_count: int) -> int | None:
    """The part that a stored part number means; None for the object itself.

    0xFFFFFFFF (or -1, as signed readers see it) and every number not below the part count mean
    the whole object. The result never counts from the end of a list.
    """
    return part if 0 <= part < part_count else None


def unpack_pair(cursor: Cursor) -> Pair:
    """Two words: a key and a value."""
    key, value = cursor.u32s(2)
    return key, value


def pack_pair(pair: Pair, out: Packer) -> None:
    """Append a key and a value."""
    out.u32s(pair)

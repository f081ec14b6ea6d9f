"""Pieces that several messages share: positions, time stamps, checked floats.

A message is parsed whole before anything acts on it, so a bad one changes nothing. All numbers are
little-endian; alignment counts from the start of the message (physics-membership 6.7).
"""

from __future__ import annotations

import math
from enum import IntFlag
from typing import Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.errors import RefusedEvent

Vector = tuple[float, float, float]

IDENTITY = (1.0, 0.0, 0.0, 0.0)
ZERO: Vector = (0.0, 0.0, 0.0)


def finite(cursor: Cursor, name: str) -> float:
    """One f32 that must be a number; NaN and infinity refuse the message."""
    value = cursor.f32()
    if not math.isfinite(value):
        raise RefusedEvent(f"{name} is {value}")
    return value


def vector(cursor: Cursor, name: str) -> Vector:
    """Three finite f32."""
    return finite(cursor, name), finite(cursor, name), finite(cursor, name)


def pack_vector(packer: Packer, values: Vector) -> None:
    """Three f32."""
    for value in values:
        packer.f32(value)


class Position(Struct, frozen=True):
    """A cell and a frame in the space of the cell's landblock. 32 bytes."""

    cell_id: int
    frame: Frame

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        cell_id = cursor.u32()
        origin = vector(cursor, "an origin")
        w, x, y, z = (finite(cursor, "a rotation") for _ in range(4))
        return cls(cell_id, Frame(origin, (w, x, y, z)))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.cell_id)
        pack_vector(packer, self.frame.origin)
        for value in self.frame.rotation:
            packer.f32(value)


class PackFlags(IntFlag):
    """What a PositionPack holds; the four quaternion bits say what it leaves out."""

    VELOCITY = 0x01
    PLACEMENT = 0x02
    CONTACT = 0x04
    NO_W = 0x08
    NO_X = 0x10
    NO_Y = 0x20
    NO_Z = 0x40


_NO_QUATERNION = (PackFlags.NO_W, PackFlags.NO_X, PackFlags.NO_Y, PackFlags.NO_Z)


class PositionPack(Struct, frozen=True):
    """Where an object is, with the stamps of the four clocks that a position may pass (6.8).

    velocity  : None when not sent; carried, never used by the client
    placement : None when not sent
    """

    cell_id: int
    frame: Frame
    contact: bool
    velocity: Vector | None
    placement: int | None
    instance: int
    position_stamp: int
    teleport_stamp: int
    force_position_stamp: int
    flags: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        flags = cursor.u32()
        cell_id = cursor.u32()
        origin = vector(cursor, "an origin")
        w, x, y, z = (
            0.0 if flags & bit else finite(cursor, "a rotation") for bit in _NO_QUATERNION
        )
        velocity = vector(cursor, "a velocity") if flags & PackFlags.VELOCITY else None
        placement = cursor.u32() if flags & PackFlags.PLACEMENT else None
        stamps = (cursor.u16(), cursor.u16(), cursor.u16(), cursor.u16())
        contact = bool(flags & PackFlags.CONTACT)
        return cls(
            cell_id, Frame(origin, (w, x, y, z)), contact, velocity, placement, *stamps, flags
        )

    @classmethod
    def make(
        cls,
        cell_id: int,
        frame: Frame,
        *,
        contact: bool,
        stamps: tuple[int, int, int, int],
        velocity: Vector | None = None,
        placement: int | None = None,
    ) -> Self:
        """A pack with the flags that its values ask for: quaternion words of 0 are left out."""
        flags = 0
        for value, bit in zip(frame.rotation, _NO_QUATERNION, strict=True):
            flags |= bit if value == 0.0 else 0
        flags |= PackFlags.CONTACT if contact else 0
        flags |= PackFlags.VELOCITY if velocity is not None else 0
        flags |= PackFlags.PLACEMENT if placement is not None else 0
        return cls(cell_id, frame, contact, velocity, placement, *stamps, int(flags))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.flags)
        packer.u32(self.cell_id)
        pack_vector(packer, self.frame.origin)
        for value, bit in zip(self.frame.rotation, _NO_QUATERNION, strict=True):
            if not self.flags & bit:
                packer.f32(value)
        if self.velocity is not None:
            pack_vector(packer, self.velocity)
        if self.placement is not None:
            packer.u32(self.placement)
        for stamp in (
            self.instance,
            self.position_stamp,
            self.teleport_stamp,
            self.force_position_stamp,
        ):
            packer.u16(stamp)


def read_class_id(cursor: Cursor) -> int:
    """A weenie class id: one u16, or two when bit 15 is set (15 high bits, base 0)."""
    first = cursor.u16()
    return (first & 0x7FFF) << 16 | cursor.u16() if first & 0x8000 else first


def write_class_id(packer: Packer, value: int) -> None:
    """The shorter form up to 0x7FFF."""
    if value > 0x7FFF:
        packer.u16(0x8000 | value >> 16)
    packer.u16(value & 0xFFFF)

"""MotionTable, 0x09: which animations play for which motion of which style."""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import Pair, Vec3, pack_pair, unpack_pair

HAS_VELOCITY: Final = 1
HAS_OMEGA: Final = 2


def motion_key(style: int, substate: int) -> int:
    """Key of the cycle and modifier tables, and outer key of the links."""
    return (style << 16 | substate & 0xFFFFFF) & 0xFFFFFFFF


class MotionAnim(Struct, frozen=True):
    """A run of frames of one animation; `low` and `high` inclusive, high -1 is the last frame."""

    animation_id: int
    low: int
    high: int
    framerate: float  # frames per second; negative plays backwards

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.i32(), cursor.i32(), cursor.f32())

    def pack(self, out: Packer) -> None:
        out.u32(self.animation_id)
        out.i32(self.low)
        out.i32(self.high)
        out.f32(self.framerate)


class MotionData(Struct, frozen=True):
    """What one motion does: its animations in a row, and a steady motion of the object."""

    anims: tuple[MotionAnim, ...]
    bitfield: int = 0  # 1 entering clears modifiers, 2 only from the default or from itself
    flags: int = 0  # 1 velocity, 2 omega; unknown bits are kept
    velocity: Vec3 = (0.0, 0.0, 0.0)  # units per second, object space
    omega: Vec3 = (0.0, 0.0, 0.0)  # radians per second

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        count, bitfield, flags = cursor.u8(), cursor.u8(), cursor.u8()
        cursor.align4()
        cursor.count(count, 16)
        anims = tuple([MotionAnim.unpack(cursor) for _ in range(count)])
        velocity = cursor.vec3() if flags & HAS_VELOCITY else (0.0, 0.0, 0.0)
        omega = cursor.vec3() if flags & HAS_OMEGA else (0.0, 0.0, 0.0)
        return cls(anims, bitfield, flags, velocity, omega)

    def pack(self, out: Packer) -> None:
        out.u8(len(self.anims))
        out.u8(self.bitfield)
        out.u8(self.flags)
        out.align4()
        for anim in self.anims:
            anim.pack(out)
        if self.flags & HAS_VELOCITY:
            out.f32s(self.velocity)
        if self.flags & HAS_OMEGA:
            out.f32s(self.omega)


KeyedMotion = tuple[int, MotionData]


def _unpack_keyed(cursor: Cursor) -> KeyedMotion:
    return cursor.u32(), MotionData.unpack(cursor)


def _pack_keyed(item: KeyedMotion, out: Packer) -> None:
    out.u32(item[0])
    item[1].pack(out)


class MotionLinks(Struct, frozen=True):
    """Transitions out of one state: (full command to go to, what to play on the way)."""

    key: int  # motion_key(style, from substate), or style << 16 as the fallback
    targets: tuple[KeyedMotion, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(_unpack_keyed, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.key)
        out.many(self.targets, _pack_keyed)


class MotionTable(Record, frozen=True):
    """All motions of a kind of body. The tables are lists of pairs in the file's order."""

    id: int
    default_style: int
    style_defaults: tuple[Pair, ...]  # (style, default substate)
    cycles: tuple[KeyedMotion, ...]  # by motion_key(style, substate)
    modifiers: tuple[KeyedMotion, ...]  # by motion_key(style, modifier) or modifier & 0xFFFFFF
    links: tuple[MotionLinks, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.u32(),
            cursor.u32(),
            cursor.many(unpack_pair, 8),
            cursor.many(_unpack_keyed, 8),
            cursor.many(_unpack_keyed, 8),
            cursor.many(MotionLinks.unpack, 8),
        )

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.default_style)
        out.many(self.style_defaults, pack_pair)
        out.many(self.cycles, _pack_keyed)
        out.many(self.modifiers, _pack_keyed)
        out.many(self.links, MotionLinks.pack)

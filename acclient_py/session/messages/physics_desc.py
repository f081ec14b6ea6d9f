"""The physics description of a CreateObject: state, place, attachments, nine stamps (6.8)."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.errors import RecordError, RefusedEvent
from acclient_py.session.messages.movement import MovementBlock
from acclient_py.session.messages.parts import Position, Vector, finite, pack_vector, vector

DEFAULT_STATE: Final = 0x00400C08
"""EDGE_SLIDE, LIGHTING_ON, GRAVITY, REPORT_COLLISIONS."""


class Stamp(IntEnum):
    """The order of `update_times`, everywhere (6.5)."""

    POSITION = 0
    MOVEMENT = 1
    STATE = 2
    VECTOR = 3
    TELEPORT = 4
    SERVER_CONTROLLED_MOVE = 5
    FORCE_POSITION = 6
    OBJDESC = 7
    INSTANCE = 8


class DescFlags(IntFlag):
    """Which items a physics description holds."""

    SETUP = 0x1
    MTABLE = 0x2
    VELOCITY = 0x4
    ACCELERATION = 0x8
    OMEGA = 0x10
    PARENT = 0x20
    CHILDREN = 0x40
    OBJSCALE = 0x80
    FRICTION = 0x100
    ELASTICITY = 0x200
    TIMESTAMPS = 0x400
    STABLE = 0x800
    PETABLE = 0x1000
    DEFAULT_SCRIPT = 0x2000
    DEFAULT_SCRIPT_INTENSITY = 0x4000
    POSITION = 0x8000
    MOVEMENT = 0x10000
    ANIMFRAME_ID = 0x20000
    TRANSLUCENCY = 0x40000


class PhysicsDesc(Struct, frozen=True):
    """Retail: PhysicsDesc::UnPack @0x0051DDD0. None: not sent.

    movement_bytes : the block as it came (kept, so that a write gives the same bytes);
                     `movement()` decodes it
    """

    flags: int
    state: int
    movement_bytes: bytes | None
    autonomous: int | None
    animframe: int | None
    position: Position | None
    motion_table: int | None
    sound_table: int | None
    script_table: int | None
    setup: int | None
    parent: int | None
    location: int | None
    children: tuple[tuple[int, int], ...]
    scale: float | None
    friction: float | None
    elasticity: float | None
    translucency: float | None
    velocity: Vector | None
    acceleration: Vector | None
    omega: Vector | None
    default_script: int | None
    script_intensity: float | None
    stamps: tuple[int, ...]

    def movement(self) -> MovementBlock | None:
        """The motion that the object starts with, if one was sent."""
        if not self.movement_bytes:
            return None
        return MovementBlock.unpack(Cursor(self.movement_bytes, 0))

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        flags, state = cursor.u32(), cursor.u32()
        movement_bytes = autonomous = animframe = None
        if flags & DescFlags.MOVEMENT:
            movement_bytes = _movement_bytes(cursor)
            autonomous = cursor.u32() if movement_bytes else None
        elif flags & DescFlags.ANIMFRAME_ID:
            animframe = cursor.u32()
        position = Position.unpack(cursor) if flags & DescFlags.POSITION else None
        motion_table = cursor.u32() if flags & DescFlags.MTABLE else None
        sound_table = cursor.u32() if flags & DescFlags.STABLE else None
        script_table = cursor.u32() if flags & DescFlags.PETABLE else None
        setup = cursor.u32() if flags & DescFlags.SETUP else None
        parent = location = None
        if flags & DescFlags.PARENT:
            parent, location = cursor.u32(), cursor.u32()
        children: tuple[tuple[int, int], ...] = ()
        if flags & DescFlags.CHILDREN:
            count = cursor.count(cursor.u32(), 8)
            children = tuple((cursor.u32(), cursor.u32()) for _ in range(count))
        scale = finite(cursor, "a scale") if flags & DescFlags.OBJSCALE else None
        friction = finite(cursor, "a friction") if flags & DescFlags.FRICTION else None
        elasticity = finite(cursor, "an elasticity") if flags & DescFlags.ELASTICITY else None
        translucency = finite(cursor, "a translucency") if flags & DescFlags.TRANSLUCENCY else None
        velocity = vector(cursor, "a velocity") if flags & DescFlags.VELOCITY else None
        acceleration = vector(cursor, "an acceleration") if flags & DescFlags.ACCELERATION else None
        omega = vector(cursor, "an omega") if flags & DescFlags.OMEGA else None
        script = cursor.u32() if flags & DescFlags.DEFAULT_SCRIPT else None
        intensity = (
            finite(cursor, "an intensity") if flags & DescFlags.DEFAULT_SCRIPT_INTENSITY else None
        )
        stamps = tuple(cursor.u16() for _ in range(len(Stamp)))
        cursor.align4()
        return cls(
            flags=flags,
            state=state,
            movement_bytes=movement_bytes,
            autonomous=autonomous,
            animframe=animframe,
            position=position,
            motion_table=motion_table,
            sound_table=sound_table,
            script_table=script_table,
            setup=setup,
            parent=parent,
            location=location,
            children=children,
            scale=scale,
            friction=friction,
            elasticity=elasticity,
            translucency=translucency,
            velocity=velocity,
            acceleration=acceleration,
            omega=omega,
            default_script=script,
            script_intensity=intensity,
            stamps=stamps,
        )

    def pack(self, packer: Packer) -> None:
        packer.u32(self.flags)
        packer.u32(self.state)
        if self.movement_bytes is not None:
            packer.u32(len(self.movement_bytes))
            packer.bytes(self.movement_bytes)
            if self.movement_bytes:
                packer.u32(self.autonomous or 0)
        elif self.animframe is not None:
            packer.u32(self.animframe)
        if self.position is not None:
            self.position.pack(packer)
        for value in (self.motion_table, self.sound_table, self.script_table, self.setup):
            if value is not None:
                packer.u32(value)
        if self.parent is not None:
            packer.u32(self.parent)
            packer.u32(self.location or 0)
        if self.flags & DescFlags.CHILDREN:
            packer.u32(len(self.children))
            for guid, location in self.children:
                packer.u32(guid)
                packer.u32(location)
        for number in (self.scale, self.friction, self.elasticity, self.translucency):
            if number is not None:
                packer.f32(number)
        for triple in (self.velocity, self.acceleration, self.omega):
            if triple is not None:
                pack_vector(packer, triple)
        if self.default_script is not None:
            packer.u32(self.default_script)
        if self.script_intensity is not None:
            packer.f32(self.script_intensity)
        for stamp in self.stamps:
            packer.u16(stamp)
        packer.align4()


def _movement_bytes(cursor: Cursor) -> bytes:
    """The bytes of a movement block that can be read; one that cannot refuses the message whole."""
    at = cursor.at
    data = bytes(cursor.bytes(cursor.count(cursor.u32(), 1)))
    if data:
        try:
            MovementBlock.unpack(Cursor(data, 0))
        except (RecordError, RefusedEvent) as error:
            raise cursor.fail(f"movement block: {error.what}", at) from None
    return data

"""The movement block of a MovementEvent and of a CreateObject (physics-membership 6.8).

Five types occur: 0 the interpreted motion state, 6 and 7 move to an object or a place, 8 and 9
turn to an object or a heading. Commands travel as the low 16 bits of the command id.
"""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.errors import RefusedEvent
from acclient_py.session.messages.parts import Vector, finite, pack_vector, vector

INTERPRETED: Final = 0
MOVE_TO_OBJECT: Final = 6
MOVE_TO_POSITION: Final = 7
TURN_TO_OBJECT: Final = 8
TURN_TO_HEADING: Final = 9

STICKY: Final = 0x01
STANDING_LONG_JUMP: Final = 0x02

_STYLE, _FORWARD, _FORWARD_SPEED, _SIDESTEP = 0x1, 0x2, 0x4, 0x8
_SIDESTEP_SPEED, _TURN, _TURN_SPEED = 0x10, 0x20, 0x40


class MotionAction(Struct, frozen=True):
    """One queued action: its command, a 15-bit stamp with the autonomous bit on top, its speed."""

    command: int
    stamp: int
    speed: float


class InterpretedState(Struct, frozen=True):
    """What an object's motion interpreter is told to do; None: not sent, the default holds.

    The defaults: style 0x3D (NonCombat), forward 0x03 (Ready), no side step, no turn, speeds 1.
    """

    flags: int
    style: int | None
    forward: int | None
    sidestep: int | None
    turn: int | None
    forward_speed: float | None
    sidestep_speed: float | None
    turn_speed: float | None
    actions: tuple[MotionAction, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        flags = cursor.u32()
        style = cursor.u16() if flags & _STYLE else None
        forward = cursor.u16() if flags & _FORWARD else None
        sidestep = cursor.u16() if flags & _SIDESTEP else None
        turn = cursor.u16() if flags & _TURN else None
        forward_speed = finite(cursor, "a speed") if flags & _FORWARD_SPEED else None
        sidestep_speed = finite(cursor, "a speed") if flags & _SIDESTEP_SPEED else None
        turn_speed = finite(cursor, "a speed") if flags & _TURN_SPEED else None
        actions = tuple(
            MotionAction(cursor.u16(), cursor.u16(), finite(cursor, "a speed"))
            for _ in range(flags >> 7 & 0x1F)
        )
        cursor.align4()
        return cls(
            flags,
            style,
            forward,
            sidestep,
            turn,
            forward_speed,
            sidestep_speed,
            turn_speed,
            actions,
        )

    def pack(self, packer: Packer) -> None:
        packer.u32(self.flags)
        for command in (self.style, self.forward, self.sidestep, self.turn):
            if command is not None:
                packer.u16(command)
        for speed in (self.forward_speed, self.sidestep_speed, self.turn_speed):
            if speed is not None:
                packer.f32(speed)
        for action in self.actions:
            packer.u16(action.command)
            packer.u16(action.stamp)
            packer.f32(action.speed)
        packer.align4()


class MoveParameters(Struct, frozen=True):
    """How to go there: seven words, or three of them when turning."""

    bitfield: int
    speed: float
    desired_heading: float
    distance: float = 0.0
    min_distance: float = 0.0
    fail_distance: float = 0.0
    walk_run_threshold: float = 0.0

    @classmethod
    def unpack_seven(cls, cursor: Cursor) -> Self:
        bitfield = cursor.u32()
        distance, least, fail, speed, threshold, heading = (
            finite(cursor, "a move parameter") for _ in range(6)
        )
        return cls(bitfield, speed, heading, distance, least, fail, threshold)

    @classmethod
    def unpack_three(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), finite(cursor, "a speed"), finite(cursor, "a heading"))

    def pack_seven(self, packer: Packer) -> None:
        packer.u32(self.bitfield)
        for value in (
            self.distance,
            self.min_distance,
            self.fail_distance,
            self.speed,
            self.walk_run_threshold,
            self.desired_heading,
        ):
            packer.f32(value)

    def pack_three(self, packer: Packer) -> None:
        packer.u32(self.bitfield)
        packer.f32(self.speed)
        packer.f32(self.desired_heading)


class MovementBlock(Struct, frozen=True):
    """One movement block. What a type does not use is None.

    target      : guid to go or turn to (types 6, 8)
    cell_id, to : the place to go to, or where the target was (types 6, 7)
    """

    type: int
    options: int
    stance: int
    state: InterpretedState | None = None
    sticky_guid: int | None = None
    target: int | None = None
    cell_id: int | None = None
    to: Vector | None = None
    heading: float | None = None
    parameters: MoveParameters | None = None
    run_rate: float | None = None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        kind, options, stance = cursor.u8(), cursor.u8(), cursor.u16()
        if kind == INTERPRETED:
            state = InterpretedState.unpack(cursor)
            sticky = cursor.u32() if options & STICKY else None
            return cls(kind, options, stance, state=state, sticky_guid=sticky)
        if kind in (MOVE_TO_OBJECT, MOVE_TO_POSITION):
            target = cursor.u32() if kind == MOVE_TO_OBJECT else None
            cell_id, to = cursor.u32(), vector(cursor, "a destination")
            parameters = MoveParameters.unpack_seven(cursor)
            rate = finite(cursor, "a run rate")
            return cls(
                kind,
                options,
                stance,
                target=target,
                cell_id=cell_id,
                to=to,
                parameters=parameters,
                run_rate=rate,
            )
        if kind == TURN_TO_OBJECT:
            target, heading = cursor.u32(), finite(cursor, "a heading")
            parameters = MoveParameters.unpack_three(cursor)
            return cls(kind, options, stance, target=target, heading=heading, parameters=parameters)
        if kind == TURN_TO_HEADING:
            return cls(kind, options, stance, parameters=MoveParameters.unpack_three(cursor))
        raise RefusedEvent(f"movement type {kind} is not known")

    def pack(self, packer: Packer) -> None:
        packer.u8(self.type)
        packer.u8(self.options)
        packer.u16(self.stance)
        if self.state is not None:
            self.state.pack(packer)
            if self.sticky_guid is not None:
                packer.u32(self.sticky_guid)
            return
        assert self.parameters is not None, "a move or a turn has parameters"
        if self.target is not None:
            packer.u32(self.target)
        if self.to is not None and self.cell_id is not None and self.run_rate is not None:
            packer.u32(self.cell_id)
            pack_vector(packer, self.to)
            self.parameters.pack_seven(packer)
            packer.f32(self.run_rate)
            return
        if self.heading is not None:
            packer.f32(self.heading)
        self.parameters.pack_three(packer)

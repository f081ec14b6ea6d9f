"""The messages that the session acts on, one frozen class each (physics-membership 6.8).

`unpack` gets the cursor behind the opcode; `pack` leaves the opcode to `encode`.
"""

from __future__ import annotations

from typing import ClassVar, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.objdesc import ObjDesc
from acclient_py.session.messages.movement import MovementBlock
from acclient_py.session.messages.parts import PositionPack, Vector, pack_vector, vector
from acclient_py.session.messages.physics_desc import PhysicsDesc
from acclient_py.session.messages.weenie_desc import WeenieDesc


class CreateObject(Struct, frozen=True):
    """A thing comes into being, or is refreshed."""

    opcode: ClassVar[int] = 0xF745
    guid: int
    obj_desc: ObjDesc
    physics: PhysicsDesc
    weenie: WeenieDesc

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.u32(),
            ObjDesc.unpack(cursor),
            PhysicsDesc.unpack(cursor),
            WeenieDesc.unpack(cursor),
        )

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        self.obj_desc.pack(packer)
        self.physics.pack(packer)
        self.weenie.pack(packer)


class UpdateObject(CreateObject, frozen=True):
    """As CreateObject, but the object is made anew whatever its incarnation."""

    opcode: ClassVar[int] = 0xF7DB


class CreatePlayer(Struct, frozen=True):
    """Which guid is the player's. Retail dispatches nothing before it; here all is acted on."""

    # divergence: D40

    opcode: ClassVar[int] = 0xF746
    guid: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32())

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)


class DeleteObject(Struct, frozen=True):
    """An incarnation ends."""

    opcode: ClassVar[int] = 0xF747
    guid: int
    instance: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        guid, instance = cursor.u32(), cursor.u16()
        cursor.align4()
        return cls(guid, instance)

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        packer.u16(self.instance)
        packer.align4()


class UpdatePosition(Struct, frozen=True):
    """Where an object is now."""

    opcode: ClassVar[int] = 0xF748
    guid: int
    where: PositionPack

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), PositionPack.unpack(cursor))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        self.where.pack(packer)


class PositionAndMovement(Struct, frozen=True):
    """Where an object is now and what it does there."""

    opcode: ClassVar[int] = 0xF619
    guid: int
    where: PositionPack
    movement_stamp: int
    server_control_stamp: int
    autonomous: int
    movement: MovementBlock

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        guid, where = cursor.u32(), PositionPack.unpack(cursor)
        stamp, control, autonomous = cursor.u16(), cursor.u16(), cursor.u8()
        cursor.align4()
        return cls(guid, where, stamp, control, autonomous, MovementBlock.unpack(cursor))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        self.where.pack(packer)
        packer.u16(self.movement_stamp)
        packer.u16(self.server_control_stamp)
        packer.u8(self.autonomous)
        packer.align4()
        self.movement.pack(packer)


class ParentEvent(Struct, frozen=True):
    """A child is attached. The instance is the parent's, the stamp the child's position stamp."""

    opcode: ClassVar[int] = 0xF749
    parent: int
    child: int
    location: int
    placement: int
    parent_instance: int
    position_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        parent, child, location, placement = cursor.u32s(4)
        return cls(parent, child, location, placement, cursor.u16(), cursor.u16())

    def pack(self, packer: Packer) -> None:
        packer.u32s((self.parent, self.child, self.location, self.placement))
        packer.u16s((self.parent_instance, self.position_stamp))


class PickupEvent(Struct, frozen=True):
    """An object leaves the world into somebody's pack."""

    opcode: ClassVar[int] = 0xF74A
    guid: int
    instance: int
    position_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u16(), cursor.u16())

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        packer.u16s((self.instance, self.position_stamp))


class SetState(Struct, frozen=True):
    """A new physics state word, taken verbatim."""

    opcode: ClassVar[int] = 0xF74B
    guid: int
    state: int
    instance: int
    state_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32(), cursor.u16(), cursor.u16())

    def pack(self, packer: Packer) -> None:
        packer.u32s((self.guid, self.state))
        packer.u16s((self.instance, self.state_stamp))


class VectorUpdate(Struct, frozen=True):
    """A new velocity (m/s) and omega (rad/s)."""

    opcode: ClassVar[int] = 0xF74E
    guid: int
    velocity: Vector
    omega: Vector
    instance: int
    vector_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        guid = cursor.u32()
        velocity, omega = vector(cursor, "a velocity"), vector(cursor, "an omega")
        return cls(guid, velocity, omega, cursor.u16(), cursor.u16())

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        pack_vector(packer, self.velocity)
        pack_vector(packer, self.omega)
        packer.u16s((self.instance, self.vector_stamp))


class MovementEvent(Struct, frozen=True):
    """What an object does."""

    opcode: ClassVar[int] = 0xF74C
    guid: int
    instance: int
    movement_stamp: int
    server_control_stamp: int
    autonomous: int
    movement: MovementBlock

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        guid, instance, stamp, control = cursor.u32(), cursor.u16(), cursor.u16(), cursor.u16()
        autonomous = cursor.u8()
        cursor.align4()
        return cls(guid, instance, stamp, control, autonomous, MovementBlock.unpack(cursor))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        packer.u16s((self.instance, self.movement_stamp, self.server_control_stamp))
        packer.u8(self.autonomous)
        packer.align4()
        self.movement.pack(packer)


class ObjDescEvent(Struct, frozen=True):
    """A new look: palettes, textures, parts."""

    opcode: ClassVar[int] = 0xF625
    guid: int
    obj_desc: ObjDesc
    instance: int
    objdesc_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), ObjDesc.unpack(cursor), cursor.u16(), cursor.u16())

    def pack(self, packer: Packer) -> None:
        packer.u32(self.guid)
        self.obj_desc.pack(packer)
        packer.u16s((self.instance, self.objdesc_stamp))


class PlayerTeleport(Struct, frozen=True):
    """The player is about to be somewhere else."""

    opcode: ClassVar[int] = 0xF751
    teleport_stamp: int

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        stamp = cursor.u16()
        cursor.align4()
        return cls(stamp)

    def pack(self, packer: Packer) -> None:
        packer.u16(self.teleport_stamp)
        packer.align4()

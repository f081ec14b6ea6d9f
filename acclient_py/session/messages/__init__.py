"""The wire form of the session's events: bytes to frozen messages, and back to the same bytes.

`parse` either gives a whole message or refuses it in one line; nothing is half read. Fragment
headers and checksums belong to the transport and are not here.
"""

from __future__ import annotations

from typing import Final

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.errors import RecordError, RefusedEvent
from acclient_py.session.messages.events import (
    CreateObject,
    CreatePlayer,
    DeleteObject,
    MovementEvent,
    ObjDescEvent,
    ParentEvent,
    PickupEvent,
    PlayerTeleport,
    PositionAndMovement,
    SetState,
    UpdateObject,
    UpdatePosition,
    VectorUpdate,
)
from acclient_py.session.messages.movement import InterpretedState, MovementBlock
from acclient_py.session.messages.parts import Position, PositionPack
from acclient_py.session.messages.physics_desc import PhysicsDesc, Stamp
from acclient_py.session.messages.weenie_desc import WeenieDesc

Message = (
    CreateObject
    | CreatePlayer
    | DeleteObject
    | MovementEvent
    | ObjDescEvent
    | ParentEvent
    | PickupEvent
    | PlayerTeleport
    | PositionAndMovement
    | SetState
    | UpdatePosition
    | VectorUpdate
)

MESSAGE_TYPES: Final[dict[int, type[Message]]] = {
    kind.opcode: kind
    for kind in (
        ObjDescEvent,
        PositionAndMovement,
        CreateObject,
        CreatePlayer,
        DeleteObject,
        UpdatePosition,
        ParentEvent,
        PickupEvent,
        SetState,
        MovementEvent,
        VectorUpdate,
        PlayerTeleport,
        UpdateObject,
    )
}
"""Opcode to message class."""


def opcode_of(data: bytes) -> int:
    """The opcode of a message. RefusedEvent when there is none."""
    if len(data) < 4:
        raise RefusedEvent(f"a message of {len(data)} bytes has no opcode")
    return int.from_bytes(data[:4], "little")


def parse(data: bytes) -> Message:
    """The message that `data` holds, opcode first.

    RefusedEvent, one line, when the opcode is not known, the bytes end early, something is left
    over, a count is absurd, or a float is NaN or infinite.
    """
    opcode = opcode_of(data)
    kind = MESSAGE_TYPES.get(opcode)
    if kind is None:
        raise RefusedEvent(f"opcode 0x{opcode:08X} is not known")
    cursor = Cursor(data, opcode)
    cursor.u32()
    try:
        message = kind.unpack(cursor)
        cursor.end()
    except RecordError as error:
        raise RefusedEvent(f"{kind.__name__} at byte {error.at}: {error.what}") from None
    except RefusedEvent as error:
        raise RefusedEvent(f"{kind.__name__} at byte {cursor.at}: {error.what}") from None
    return message


def encode(message: Message) -> bytes:
    """The bytes of `message`, opcode first; `parse` gives it back."""
    packer = Packer()
    packer.u32(message.opcode)
    message.pack(packer)
    return packer.finish()


__all__ = [
    "MESSAGE_TYPES",
    "CreateObject",
    "CreatePlayer",
    "DeleteObject",
    "InterpretedState",
    "Message",
    "MovementBlock",
    "MovementEvent",
    "ObjDescEvent",
    "ParentEvent",
    "PhysicsDesc",
    "PickupEvent",
    "PlayerTeleport",
    "Position",
    "PositionAndMovement",
    "PositionPack",
    "SetState",
    "Stamp",
    "UpdateObject",
    "UpdatePosition",
    "VectorUpdate",
    "WeenieDesc",
    "encode",
    "opcode_of",
    "parse",
]

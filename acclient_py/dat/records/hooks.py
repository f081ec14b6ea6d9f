"""Hooks: what an animation frame or a script step makes happen.

A hook has a type, a direction and a payload whose layout the type decides. The payload is kept
as bytes, which survive unchanged; `fields` and `make` translate by the table below. An unknown
type makes the rest of a record unreadable, since no length is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, Self

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer

HookValue = int | float | Frame | bytes


class HookType(IntEnum):
    """Hook types."""

    NO_OP = 0x00
    SOUND = 0x01
    SOUND_TABLE = 0x02
    ATTACK = 0x03
    ANIMATION_DONE = 0x04
    REPLACE_OBJECT = 0x05
    ETHEREAL = 0x06
    TRANSPARENT_PART = 0x07
    LUMINOUS = 0x08
    LUMINOUS_PART = 0x09
    DIFFUSE = 0x0A
    DIFFUSE_PART = 0x0B
    SCALE = 0x0C
    CREATE_PARTICLE = 0x0D
    DESTROY_PARTICLE = 0x0E
    STOP_PARTICLE = 0x0F
    NO_DRAW = 0x10
    DEFAULT_SCRIPT = 0x11
    DEFAULT_SCRIPT_PART = 0x12
    CALL_PES = 0x13
    TRANSPARENT = 0x14
    SOUND_TWEAKED = 0x15
    SET_OMEGA = 0x16
    TEXTURE_VELOCITY = 0x17
    TEXTURE_VELOCITY_PART = 0x18
    SET_LIGHT = 0x19
    CREATE_BLOCKING_PARTICLE = 0x1A


WHOLE_OBJECT: Final = 0xFFFFFFFF
"""Part number that means the object itself."""

_RAMP: Final = ("f:start", "f:end", "f:time")
_PART_RAMP: Final = ("u:part", *_RAMP)
_PARTICLE: Final = ("u:emitter_info", "u:part", "F:offset", "u:emitter_id")

# name of each payload field behind its type: u u32, i i32, f f32, F frame
_LAYOUTS: Final[dict[int, tuple[str, ...]]] = {
    HookType.NO_OP: (),
    HookType.SOUND: ("u:wave",),
    HookType.SOUND_TABLE: ("u:sound_type",),
    HookType.ATTACK: (
        "u:part",
        "f:left_x",
        "f:left_y",
        "f:right_x",
        "f:right_y",
        "f:radius",
        "f:height",
    ),
    HookType.ANIMATION_DONE: (),
    HookType.ETHEREAL: ("i:on",),
    HookType.TRANSPARENT_PART: _PART_RAMP,
    HookType.LUMINOUS: _RAMP,
    HookType.LUMINOUS_PART: _PART_RAMP,
    HookType.DIFFUSE: _RAMP,
    HookType.DIFFUSE_PART: _PART_RAMP,
    HookType.SCALE: ("f:end", "f:time"),
    HookType.CREATE_PARTICLE: _PARTICLE,
    HookType.DESTROY_PARTICLE: ("u:emitter_id",),
    HookType.STOP_PARTICLE: ("u:emitter_id",),
    HookType.NO_DRAW: ("u:on",),
    HookType.DEFAULT_SCRIPT: (),
    HookType.DEFAULT_SCRIPT_PART: ("u:part",),
    HookType.CALL_PES: ("u:script", "f:pause"),
    HookType.TRANSPARENT: _RAMP,
    HookType.SOUND_TWEAKED: ("u:wave", "f:priority", "f:probability", "f:volume"),
    HookType.SET_OMEGA: ("f:x", "f:y", "f:z"),
    HookType.TEXTURE_VELOCITY: ("f:u", "f:v"),
    HookType.TEXTURE_VELOCITY_PART: ("u:part", "f:u", "f:v"),
    HookType.SET_LIGHT: ("i:on",),
    HookType.CREATE_BLOCKING_PARTICLE: _PARTICLE,
}
_FIELD_SIZE: Final = {"u": 4, "i": 4, "f": 4, "F": 28}
_PAYLOAD_SIZE: Final = {
    hook: sum(_FIELD_SIZE[field[0]] for field in fields) for hook, fields in _LAYOUTS.items()
}

MIN_HOOK_SIZE: Final = 8


class Hook(Struct, frozen=True):
    """One hook. `payload` holds the stored bytes, the alignment's pad not among them."""

    type: int  # HookType
    direction: int  # 1 forward, -1 backward, 0 both, -2 unknown
    payload: bytes = b""

    @classmethod
    def make(cls, hook: HookType, direction: int, values: Sequence[HookValue] = ()) -> Self:
        """A hook from its payload's values in the order of the format."""
        fields, out = _LAYOUTS[hook], Packer()
        if len(values) != len(fields):
            raise ValueError(f"a {hook.name} hook takes {len(fields)} values, not {len(values)}")
        for field, value in zip(fields, values, strict=True):
            kind = field[0]
            if kind == "F" and isinstance(value, Frame):
                out.frame(value)
            elif kind == "f" and isinstance(value, int | float):
                out.f32(float(value))
            elif isinstance(value, int) and kind in "ui":
                out.u32(value & 0xFFFFFFFF)
            else:
                raise ValueError(f"field {field[2:]} of a {hook.name} hook cannot be {value!r}")
        return cls(hook, direction, out.finish())

    @property
    def fields(self) -> dict[str, HookValue]:
        """The payload's values by name. A disputed payload comes whole, as `raw`."""
        if self.type not in _LAYOUTS:
            return {"raw": self.payload}
        cursor = Cursor(self.payload)
        values: dict[str, HookValue] = {}
        for field in _LAYOUTS[self.type]:
            kind, name = field[0], field[2:]
            value: HookValue
            if kind == "F":
                value = cursor.frame()
            elif kind == "f":
                value = cursor.f32()
            else:
                value = cursor.u32() if kind == "u" else cursor.i32()
            values[name] = value
        return values

    @property
    def replacements(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two readings of a ReplaceObject hook: (part, GfxObj id), part as u8 and as u16.

        Readers differ and the bytes do not tell; prefer the one whose model exists.
        """
        if self.type != HookType.REPLACE_OBJECT:
            raise ValueError("only a ReplaceObject hook names a replacement")
        narrow, wide = Cursor(self.payload + bytes(4)), Cursor(self.payload + bytes(4))
        return (
            (narrow.u8(), narrow.pid(0x01000000)),
            (wide.u16(), wide.pid(0x01000000)),
        )

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        at = cursor.at
        hook, direction = cursor.u32(), cursor.i32()
        if hook == HookType.REPLACE_OBJECT:
            payload = cursor.bytes(_replace_object_size(cursor))
        elif hook in _LAYOUTS:
            start = cursor.at
            payload = cursor.bytes(_PAYLOAD_SIZE[hook])
            if _LAYOUTS[hook] is _PARTICLE:
                cursor.at = start + 8
                cursor.frame()
                cursor.need(4)
        else:
            raise cursor.fail(f"unknown hook type 0x{hook:X}", at)
        cursor.align4()
        return cls(hook, direction, payload)

    def pack(self, out: Packer) -> None:
        out.u32(self.type)
        out.i32(self.direction)
        out.bytes(self.payload)
        out.align4()


def _replace_object_size(cursor: Cursor) -> int:
    """Bytes of a ReplaceObject payload, pad included: 4, or 8 with a packed id of two words.

    The part number is u8 for the client and u16 for others; for ids below 0x01004000 both take
    4 bytes. An id from there on is stored as the word 0x8000 and its low word, whose high byte
    is 0x40 or more; the client's form ends in three pad bytes.
    """
    head = cursor.data[cursor.at : cursor.at + 8]
    if len(head) < 8:
        return 4
    is_narrow = head[1:3] == b"\x00\x80" and head[4] >= 0x40 and head[5:8] == bytes(3)
    is_wide = head[1:4] == b"\x00\x00\x80" and head[5] >= 0x40
    return 8 if is_narrow or is_wide else 4

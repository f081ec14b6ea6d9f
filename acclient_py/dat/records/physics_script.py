"""PhysicsScript, 0x33, and PhysicsScriptTable, 0x34: effects in time, and which one to play."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.hooks import Hook


class ScriptStep(Struct, frozen=True):
    """A hook and when it comes, in seconds from the start."""

    start_time: float
    hook: Hook

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.f64(), Hook.unpack(cursor))

    def pack(self, out: Packer) -> None:
        out.f64(self.start_time)
        self.hook.pack(out)


class PhysicsScript(Record, frozen=True):
    """A script: hooks in time."""

    id: int
    steps: tuple[ScriptStep, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        script = cls(cursor.u32(), cursor.many(ScriptStep.unpack, 16))
        cursor.align4()
        return script

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.many(self.steps, ScriptStep.pack)
        out.align4()


class ScriptChoice(Struct, frozen=True):
    """A script for intensities up to (not including) `mod`."""

    mod: float
    script_id: int  # PhysicsScript

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.f32(), cursor.u32())

    def pack(self, out: Packer) -> None:
        out.f32(self.mod)
        out.u32(self.script_id)


class ScriptGroup(Struct, frozen=True):
    """The scripts of one script type."""

    script_type: int  # PlayScript
    choices: tuple[ScriptChoice, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(ScriptChoice.unpack, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.script_type)
        out.many(self.choices, ScriptChoice.pack)


class PhysicsScriptTable(Record, frozen=True):
    """Scripts by type and intensity."""

    id: int
    groups: tuple[ScriptGroup, ...]

    def choose(self, script_type: int, intensity: float) -> int | None:
        """The script: of the type's first group, the first whose mod is not below intensity."""
        for group in self.groups:
            if group.script_type == script_type:
                for choice in group.choices:
                    if choice.mod >= intensity:
                        return choice.script_id
                return None
        return None

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.many(ScriptGroup.unpack, 8))

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.many(self.groups, ScriptGroup.pack)

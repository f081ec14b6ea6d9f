"""The public weenie description of a CreateObject: what a thing is, beside where and how (6.8).

The client's membership needs none of it; it is carried whole, so that a captured message can be
written again to the byte, and so that names can be shown.
"""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.session.messages.parts import read_class_id, write_class_id

ICON_BASE: Final = 0x06000000
INCLUDES_SECOND_HEADER: Final = 0x04000000
"""Bit of the object bitfield: a second flags word follows."""

_ICON = "icon"
_RESTRICTIONS = "restrictions"

# In wire order: (flags word 1 or 2, bit, name, kind)
_FIELDS: Final[tuple[tuple[int, int, str, str], ...]] = (
    (1, 0x00000001, "plural_name", "str"),
    (1, 0x00000002, "item_capacity", "u8"),
    (1, 0x00000004, "container_capacity", "u8"),
    (1, 0x00000100, "ammo_type", "u16"),
    (1, 0x00000008, "value", "u32"),
    (1, 0x00000010, "useability", "u32"),
    (1, 0x00000020, "use_radius", "f32"),
    (1, 0x00080000, "target_type", "u32"),
    (1, 0x00000080, "effects", "u32"),
    (1, 0x00000200, "combat_use", "u8"),
    (1, 0x00000400, "structure", "u16"),
    (1, 0x00000800, "max_structure", "u16"),
    (1, 0x00001000, "stack_size", "u16"),
    (1, 0x00002000, "max_stack_size", "u16"),
    (1, 0x00004000, "container", "u32"),
    (1, 0x00008000, "wielder", "u32"),
    (1, 0x00010000, "valid_locations", "u32"),
    (1, 0x00020000, "location", "u32"),
    (1, 0x00040000, "priority", "u32"),
    (1, 0x00100000, "blip_colour", "u8"),
    (1, 0x00800000, "radar", "u8"),
    (1, 0x08000000, "script", "u16"),
    (1, 0x01000000, "workmanship", "f32"),
    (1, 0x00200000, "burden", "u16"),
    (1, 0x00400000, "spell", "u16"),
    (1, 0x02000000, "house_owner", "u32"),
    (1, 0x04000000, "restrictions", _RESTRICTIONS),
    (1, 0x20000000, "hook_item_types", "u32"),
    (1, 0x00000040, "monarch", "u32"),
    (1, 0x10000000, "hook_type", "u16"),
    (1, 0x40000000, "icon_overlay", _ICON),
    (2, 0x00000001, "icon_underlay", _ICON),
    (1, 0x80000000, "material", "u32"),
    (2, 0x00000002, "cooldown_id", "u32"),
    (2, 0x00000004, "cooldown", "f64"),
    (2, 0x00000008, "pet_owner", "u32"),
)


class Restrictions(Struct, frozen=True):
    """Who may enter a house: three words and a table of guid -> storage permission, order kept."""

    version: int
    flags: int
    monarch: int
    bucket_count: int
    entries: tuple[tuple[int, int], ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        version, flags, monarch = cursor.u32s(3)
        count, buckets = cursor.u16(), cursor.u16()
        cursor.count(count, 8)
        entries = tuple((cursor.u32(), cursor.u32()) for _ in range(count))
        return cls(version, flags, monarch, buckets, entries)

    def pack(self, packer: Packer) -> None:
        packer.u32s((self.version, self.flags, self.monarch))
        packer.u16s((len(self.entries), self.bucket_count))
        for pair in self.entries:
            packer.u32s(pair)


Value = int | float | str | Restrictions


class WeenieDesc(Struct, frozen=True):
    """Retail: PublicWeenieDesc::UnPack @0x005AD470.

    values : the optional items that were sent, (name, value) in wire order
    """

    flags: int
    name: str
    class_id: int
    icon: int
    item_type: int
    bitfield: int
    second_flags: int
    values: tuple[tuple[str, Value], ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        flags = cursor.u32()
        name = cursor.str_()
        class_id = read_class_id(cursor)
        icon = cursor.pid(ICON_BASE)
        item_type, bitfield = cursor.u32(), cursor.u32()
        cursor.align4()
        second = cursor.u32() if bitfield & INCLUDES_SECOND_HEADER else 0
        values = [
            (field, _read_value(cursor, kind))
            for word, bit, field, kind in _FIELDS
            if (flags if word == 1 else second) & bit
        ]
        cursor.align4()
        return cls(flags, name, class_id, icon, item_type, bitfield, second, tuple(values))

    def pack(self, packer: Packer) -> None:
        packer.u32(self.flags)
        packer.str_(self.name)
        write_class_id(packer, self.class_id)
        packer.pid(ICON_BASE, self.icon)
        packer.u32(self.item_type)
        packer.u32(self.bitfield)
        packer.align4()
        if self.bitfield & INCLUDES_SECOND_HEADER:
            packer.u32(self.second_flags)
        values = dict(self.values)
        for word, bit, field, kind in _FIELDS:
            if (self.flags if word == 1 else self.second_flags) & bit:
                _write_value(packer, kind, values[field])
        packer.align4()

    def get(self, name: str) -> Value | None:
        """The value of an optional item, None when it was not sent."""
        return next((value for field, value in self.values if field == name), None)


def _read_value(cursor: Cursor, kind: str) -> Value:
    if kind == _ICON:
        return cursor.pid(ICON_BASE)
    if kind == _RESTRICTIONS:
        return Restrictions.unpack(cursor)
    if kind == "str":
        return cursor.str_()
    value: Value = getattr(cursor, kind)()
    return value


def _write_value(packer: Packer, kind: str, value: Value) -> None:
    if kind == _ICON:
        assert isinstance(value, int), "an icon is an id"
        packer.pid(ICON_BASE, value)
    elif isinstance(value, Restrictions):
        value.pack(packer)
    elif isinstance(value, str):
        packer.str_(value)
    else:
        getattr(packer, kind)(value)

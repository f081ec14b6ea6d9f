"""The book of a bake: which name has which id, and which records are still to be made.

Asking for a name gives its id at once and puts it on the list; `drain` makes the records until
nothing is left. Ids are given in the order of asking, so the same recipe gives the same ids;
an `id` in the recipe is kept free for its owner. Only what is asked for is made, so a tiny world
pays nothing for the base library.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct, field

from acclient_py.bake.recipe import NAMED, Tables
from acclient_py.core.ids import hex8
from acclient_py.errors import DataError

BASES: Final = {
    "mesh": 0x01000000,
    "setup": 0x02000000,
    "animation": 0x03000000,
    "palette": 0x04000000,
    "texture": 0x05000000,
    "picture": 0x06000000,
    "surface": 0x08000000,
    "motion": 0x09000000,
    "environment": 0x0D000000,
    "palette_set": 0x0F000000,
    "clothing": 0x10000000,
    "degrade": 0x11000000,
    "scene": 0x12000000,
    "emitter": 0x32000000,
    "script": 0x33000000,
    "script_table": 0x34000000,
}
LAST: Final = 0xFFFF


class Book(Struct):
    """Names, ids and finished records.

    portal, cell : id -> bytes of the two files
    ids          : (section, name) -> id
    """

    tables: Tables
    portal: dict[int, bytes] = field(default_factory=dict)
    cell: dict[int, bytes] = field(default_factory=dict)
    ids: dict[tuple[str, str], int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    _waiting: list[tuple[str, str]] = field(default_factory=list)
    _next: dict[str, int] = field(default_factory=dict)
    _taken: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for section in NAMED:
            for name in self.tables.names(section):
                text = getattr(self.tables.find(section, name), "id", None)
                if text is None:
                    continue
                number = int(text, 16)
                label = f"{section} '{name}'"
                base = BASES[section]
                if not base <= number <= base + LAST:
                    raise DataError(
                        f"id {text} is not one of {hex8(base)} to {hex8(base + LAST)}", where=label
                    )
                if self._taken.setdefault(number, label) != label:
                    raise DataError(f"id {text} is that of {self._taken[number]}", where=label)

    def id_of(self, section: str, name: str, needed_by: str) -> int:
        """The id of a named table; it will be made. DataError when there is none."""
        known = self.ids.get((section, name))
        if known is not None:
            return known
        table = self.tables.find(section, name)
        if table is None:
            raise self.tables.unknown(section, name, needed_by)
        text = getattr(table, "id", None)
        number = int(text, 16) if text is not None else self.fresh(section)
        self.ids[(section, name)] = number
        self._waiting.append((section, name))
        return number

    def fresh(self, section: str) -> int:
        """An id that nobody has."""
        number = self._next.get(section, BASES[section] + 1)
        while number in self._taken:
            number += 1
        if number > BASES[section] + LAST:
            raise DataError(f"more than {LAST} records of kind {section}")
        self._next[section] = number + 1
        return number

    def surface_id(self, name: str, needed_by: str) -> int:
        """The id of a surface; the name of a texture serves too and makes a plain one."""
        if self.tables.find("surface", name) is None:
            if self.tables.find("texture", name) is None:
                raise self.tables.unknown_surface(name, needed_by)
            key = ("surface", f"texture:{name}")
            if key not in self.ids:
                self.ids[key] = self.fresh("surface")
                self._waiting.append(key)
            return self.ids[key]
        return self.id_of("surface", name, needed_by)

    def model_id(self, name: str, needed_by: str) -> int:
        """The id of a thing that can stand somewhere: a setup, or else a mesh."""
        section = "setup" if self.tables.find("setup", name) is not None else "mesh"
        return self.id_of(section, name, needed_by)

    def put(self, number: int, data: bytes) -> None:
        """Add a finished record of the portal file."""
        if number in self.portal:
            raise DataError(f"record {hex8(number)} made twice")
        self.portal[number] = data

    def waiting(self) -> Iterator[tuple[str, str]]:
        """What is still to be made, in order; goes on while making asks for more."""
        while self._waiting:
            yield self._waiting.pop(0)

    def drain(
        self, makers: dict[str, Callable[[Book, str], None]], tick: Callable[[str], None]
    ) -> None:
        """Make every record that was asked for."""
        for section, name in self.waiting():
            tick(f"{section} {name}")
            try:
                makers[section](self, name)
            except DataError as error:
                place = error.where or ""
                if error.file is None and not place.startswith(section):
                    error.where = ", ".join(filter(None, (f"{section}.{name}", place)))
                raise
            except (struct.error, OverflowError) as error:
                raise DataError(
                    f"a number does not fit its record ({error})", where=f"{section} '{name}'"
                ) from error

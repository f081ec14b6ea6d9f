"""Recipes read from files: includes followed, tables checked, names merged.

Every file is checked by itself, so that a fault is reported with its file and key. The base
library (assets/recipes/base) stands behind every recipe: its names may be used without an
include and may be defined anew.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from acclient_py.bake.files import base_files, parsed, parsed_text, recipe_files_of
from acclient_py.bake.schema.recipe import Recipe
from acclient_py.errors import DataError

NAMED: Final = (
    *("day", "ground", "palette", "texture", "surface", "mesh", "setup", "animation"),
    *("motion", "emitter", "script", "clothing", "scene", "place"),
)
LISTS: Final = ("static", "house", "building", "room", "door", "thing")
SINGLE: Final = ("world", "region", "terrain")
_TABLE: Final = re.compile(r"(\w+)(?: '([^']*)'|\[(\d+)\]|\.([^\s:,]+))")
_UNKNOWN: Final = re.compile(r"unknown field `([^`]*)`")
_AT: Final = re.compile(r" - at `\$(.*)`$")
LARGEST: Final = 1e9
"""No number of a recipe is larger: far beyond the world's 49 km, and safe to square as float32."""


class Tables(Struct):
    """All tables of a world: the recipe's own, and the base library's names behind them.

    own   : names of each section that the recipe itself defines, in order
    where : (section, name or number) -> the file it stands in, for messages
    file  : the recipe itself
    """

    recipe: Recipe
    base: Recipe
    own: dict[str, list[str]]
    where: dict[tuple[str, str], str] = field(default_factory=dict)
    file: str = "recipe"

    def file_of(self, place: str) -> str:
        """The file that holds the first table named in a place such as `setup 'x'` or `static[3]`.

        The recipe itself when no table of its own is named.
        """
        for section, quoted, number, dotted in _TABLE.findall(place):
            found = self.where.get((section, quoted or number or dotted))
            found = found or self.where.get((section, ""))
            if found is None and section in LISTS:
                entries = enumerate(getattr(self.recipe, section))
                at = next((n for n, e in entries if getattr(e, "name", None) == quoted), -1)
                found = self.where.get((section, str(at)))
            if found:
                return found
        return self.file

    def find(self, section: str, name: str) -> Any | None:
        """A named table, from the recipe or else from the base library."""
        own = getattr(self.recipe, section).get(name)
        return getattr(self.base, section).get(name) if own is None else own

    def need(self, section: str, name: str, needed_by: str = "recipe") -> Any:
        """A named table that must be there."""
        found = self.find(section, name)
        if found is None:
            raise self.unknown(section, name, needed_by)
        return found

    def names(self, section: str) -> list[str]:
        """All names of a section."""
        return [*getattr(self.recipe, section), *getattr(self.base, section)]

    def single(self, section: str) -> Any | None:
        """A table that there is once."""
        own = getattr(self.recipe, section)
        return getattr(self.base, section) if own is None else own

    def unknown(self, section: str, name: str, needed_by: str) -> DataError:
        """The error for a name that no table has."""
        return self._unknown(section, name, self.names(section), needed_by)

    def unknown_surface(self, name: str, needed_by: str) -> DataError:
        """The same for a surface, which a texture's name may stand for."""
        names = [*self.names("surface"), *self.names("texture")]
        return self._unknown("surface", name, names, needed_by)

    def _unknown(self, section: str, name: str, names: list[str], needed_by: str) -> DataError:
        near = difflib.get_close_matches(name, names, 1)
        return DataError(
            f"there is no {section} '{name}'",
            where=needed_by,
            do=f"did you mean '{near[0]}'?" if near else None,
        )


def load(recipe: Path | str) -> Tables:
    """Read a recipe (a path, or the TOML text itself) with all that it includes."""
    base, _ = _merged(base_files())
    if isinstance(recipe, str) and "\n" not in recipe and "=" not in recipe:
        recipe = Path(recipe)
    if isinstance(recipe, Path):
        parts = [(file, _decoded(parsed(file), str(file))) for file in recipe_files_of(recipe)]
    else:
        decoded = _decoded(parsed_text(recipe, "recipe"), "recipe")
        if decoded.include:
            raise DataError("includes need a recipe that is a file", where="recipe: include")
        parts = [(Path("recipe"), decoded)]
    merged, where = _merged_parts(parts)
    own = {section: list(getattr(merged, section)) for section in NAMED}
    return Tables(merged, base, own, where, str(parts[-1][0]))


def _refuse_wild(recipe: Mapping[str, Any], file: str) -> None:
    """TOML knows inf, nan and any size of number; no place, count or seed of a world does."""
    todo: list[tuple[Any, str]] = [(recipe, "")]
    while todo:
        value, path = todo.pop()
        if isinstance(value, dict):
            todo += [(entry, f"{path}.{key}" if path else str(key)) for key, entry in value.items()]
        elif isinstance(value, list):
            todo += [(entry, f"{path}[{number}]") for number, entry in enumerate(value)]
        elif isinstance(value, float) and not math.isfinite(value):
            raise DataError(f"{value} is no number of a world", where=f"{file}: {path}")
        elif isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
            text = f"{value:g}" if isinstance(value, float) else f"{len(str(abs(value)))} digits"
            raise DataError(f"{text}: numbers go to {LARGEST:g}", where=f"{file}: {path}")


def _decoded(raw: Mapping[str, Any], file: str) -> Recipe:
    _refuse_wild(raw, file)
    fields = {f.name: f for f in msgspec.structs.fields(Recipe)}
    values: dict[str, Any] = {}
    for section, value in raw.items():
        if section not in fields:
            raise _fault(f"unknown field `{section}`", "", file)
        kind = fields[section].type
        if section in NAMED and isinstance(value, dict):
            item = kind.__args__[1]
            values[section] = {
                name: _convert(entry, item, file, f"{section}.{name}")
                for name, entry in value.items()
            }
        elif section in LISTS and isinstance(value, list):
            item = kind.__args__[0]
            values[section] = [
                _convert(entry, item, file, f"{section}[{number}]")
                for number, entry in enumerate(value)
            ]
        else:
            values[section] = _convert(value, kind, file, section)
    return Recipe(**values)


def _convert(value: Any, kind: Any, file: str, path: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except RecursionError:
        raise DataError("tables within tables without end", where=f"{file}: {path}") from None
    except msgspec.ValidationError as error:
        text = str(error)
        inner = _AT.search(text)
        where = path + (inner.group(1) if inner else "")
        raise _fault(_AT.sub("", text), where, file) from None


def _fault(text: str, where: str, file: str) -> DataError:
    unknown = _UNKNOWN.search(text)
    do = None
    if unknown:
        others = sorted(set(_field_names()) - {unknown.group(1)})  # it may be one of another table
        near = difflib.get_close_matches(unknown.group(1), others, 1)
        do = f"did you mean '{near[0]}'?" if near else None
        text = f"unknown key '{unknown.group(1)}'"
    return DataError(text, where=f"{file}: {where}" if where else file, do=do)


def _field_names() -> Iterator[str]:
    """Every key of the language, for suggestions."""
    from acclient_py.bake.schema import bodies, meshes, places, region, textures

    structs: list[type[msgspec.Struct]] = [Recipe]
    structs += _structs(bodies, meshes, places, region, textures)
    for struct in structs:
        yield from (f.encode_name for f in msgspec.structs.fields(struct))


def _structs(*modules: ModuleType) -> Iterator[type[msgspec.Struct]]:
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct):
                yield value


def _merged(files: list[Path]) -> tuple[Recipe, dict[tuple[str, str], str]]:
    return _merged_parts([(file, _decoded(parsed(file), str(file))) for file in files])


def _merged_parts(
    parts: list[tuple[Path, Recipe]],
) -> tuple[Recipe, dict[tuple[str, str], str]]:
    values: dict[str, Any] = {section: {} for section in NAMED}
    values |= {section: [] for section in LISTS}
    where: dict[tuple[str, str], str] = {}
    for file, part in parts:
        for section in NAMED:
            for name, entry in getattr(part, section).items():
                if name in values[section]:
                    first = where[(section, name)]
                    raise DataError(f"{section} '{name}' is already defined in {first}", file=file)
                values[section][name] = entry
                where[(section, name)] = str(file)
        for section in LISTS:
            for entry in getattr(part, section):
                where[(section, str(len(values[section])))] = str(file)
                values[section].append(entry)
        for section in SINGLE:
            entry = getattr(part, section)
            if entry is not None:
                if section in values:
                    first = where[(section, "")]
                    raise DataError(f"[{section}] is already in {first}", file=file)
                values[section] = entry
                where[(section, "")] = str(file)
    return Recipe(**values), where

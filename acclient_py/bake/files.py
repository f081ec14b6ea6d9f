"""Which files a recipe is made of, and what they say.

It knows nothing of baking: each start asks whether the files are those of the world in the cache.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from acclient_py import paths
from acclient_py.errors import DataError

_TABLE: Final = re.compile(r"^\[", re.MULTILINE)


def recipe_files(recipe: Path | str) -> list[Path]:
    """All files that a bake of this recipe reads, the base library included."""
    return [*base_files(), *recipe_files_of(Path(recipe))]


def base_files() -> list[Path]:
    """The files of the base library, in order."""
    return sorted((paths.recipes() / "base").glob("*.toml"))


def recipe_files_of(recipe: Path) -> list[Path]:
    """The recipe and the files it includes, included ones first, each once."""
    done: list[Path] = []
    _follow(recipe, [], done)
    return done


def _follow(file: Path, trail: list[Path], done: list[Path]) -> None:
    at = file.resolve()
    if at in trail:
        raise DataError("includes itself", file=file)
    if at in done:
        return
    includes = _beginning(file).get("include", [])
    if not isinstance(includes, list) or not all(isinstance(name, str) for name in includes):
        raise DataError("include is a list of file names", file=file)
    for name in includes:
        if not (file.parent / name).is_file():
            raise DataError(f"include: there is no file '{name}'", file=file)
        _follow(file.parent / name, [*trail, at], done)
    done.append(at)


def _beginning(file: Path) -> dict[str, Any]:
    """The keys before the first table: what is included stands there. The rest is parsed by a bake
    only, not by every start that asks whether there has to be one."""
    if file.suffix.lower() != ".json":
        with contextlib.suppress(OSError, ValueError, RecursionError):
            return tomllib.loads(_TABLE.split(file.read_text(encoding="utf-8-sig"), maxsplit=1)[0])
    return parsed(file)


def parsed(file: Path) -> dict[str, Any]:
    """What a recipe file says, unchecked. Raises DataError."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", file=file) from None
    if file.suffix.lower() == ".json":
        try:
            value = _json(text, str(file))
        except (ValueError, RecursionError) as error:
            raise DataError(f"not JSON: {error}", file=file) from None
        if not isinstance(value, dict):
            raise DataError("a recipe is a table at its top", file=file)
        return value
    return parsed_text(text, str(file))


def _json(text: str, where: str) -> Any:
    """What a text in JSON says; DataError where a table has a key twice, as TOML refuses it."""
    doubled: list[tuple[dict[str, Any], str]] = []

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in pairs:
            if key in made:
                doubled.append((made, key))
            made[key] = value
        return made

    value = json.loads(text, object_pairs_hook=table)
    for at, key in doubled:
        path = next((path for path, found in _within(value) if found is at), "")
        raise DataError(f"the key '{key}' is there twice", where=f"{where}: {path}".rstrip(": "))
    return value


def _within(value: Any) -> Iterator[tuple[str, Any]]:
    """All tables and lists of a value with their places."""
    todo: list[tuple[str, Any]] = [("", value)]
    while todo:
        path, entry = todo.pop()
        yield path, entry
        if isinstance(entry, dict):
            todo += [(f"{path}.{key}" if path else key, inner) for key, inner in entry.items()]
        elif isinstance(entry, list):
            todo += [(f"{path}[{number}]", inner) for number, inner in enumerate(entry)]


def parsed_text(text: str, where: str) -> dict[str, Any]:
    """What a text in TOML says. Raises DataError."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        raise DataError(f"not TOML: {error}", where=where) from None

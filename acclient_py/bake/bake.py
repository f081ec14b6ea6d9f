"""A recipe made into a DAT set: the order of the work, the files, and what is said about it."""

# contract: T8

from __future__ import annotations

import contextlib
import logging
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from acclient_py.bake.blocks import Country, make_country
from acclient_py.bake.book import Book
from acclient_py.bake.checks import check_world
from acclient_py.bake.effects import make_clothing, make_emitter, make_script
from acclient_py.bake.models import make_mesh
from acclient_py.bake.motions import make_animation, make_motion
from acclient_py.bake.recipe import Tables, load
from acclient_py.bake.region import make_region, make_scene
from acclient_py.bake.schema.recipe import World
from acclient_py.bake.setups import make_setup
from acclient_py.bake.textures import make_palette, make_surface, make_texture
from acclient_py.bake.things import carried, list_things, thing_setups
from acclient_py.core.ids import hex8
from acclient_py.dat.writer import CELL, PORTAL, build
from acclient_py.errors import DataError

log = logging.getLogger(__name__)

Progress = Callable[[int, int, str], None]

VERSION_MAJOR: Final = uuid.UUID("61636c69-656e-4220-7079-2077006f726c")
NAMES_FILE: Final = "names.json"

MAKERS: Final[dict[str, Callable[[Book, str], None]]] = {
    "mesh": make_mesh,
    "setup": make_setup,
    "animation": make_animation,
    "palette": make_palette,
    "texture": make_texture,
    "surface": make_surface,
    "motion": make_motion,
    "emitter": make_emitter,
    "script": make_script,
    "clothing": make_clothing,
    "scene": make_scene,
}


class BakedWorld(Struct, frozen=True):
    """A finished world: its folder, the ids of all names, the named places.

    ids    : "section name" -> id, for instance ids["setup human"]
    cells  : room name -> cell id
    places : name -> {"cell", "origin", "rotation"} as scenarios write them
    """

    folder: Path
    ids: dict[str, int] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    places: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path) -> BakedWorld:
        """Read what the bake wrote beside the DAT files."""
        raw = msgspec.json.decode((folder / NAMES_FILE).read_bytes())
        ids = {name: int(text, 16) for name, text in raw["ids"].items()}
        cells = {name: int(text, 16) for name, text in raw["cells"].items()}
        return cls(folder, ids, cells, raw["places"])


def bake_recipe(
    recipe: Path | str, out_dir: Path | str, progress: Progress | None = None
) -> BakedWorld:
    """Bake a recipe (a path, or TOML text) into `out_dir`; the same bytes on every machine.

    Writes client_portal.dat, client_cell_1.dat and names.json. progress : called with (done,
    total, what). Raises DataError with file and key for a fault in the recipe, or when the
    finished set breaks an invariant.
    """
    tables = load(recipe)
    try:
        return _bake(tables, Path(out_dir), progress)
    except DataError as error:
        if error.file is None:
            place = error.where or ""
            error.where = ": ".join(filter(None, (tables.file_of(place), place)))
        raise


def _bake(tables: Tables, out: Path, progress: Progress | None) -> BakedWorld:
    book = Book(tables)
    country = make_country(book)
    make_region(book)
    if tables.recipe.world is not None:
        _world_needs(book, tables.recipe.world)
    for setup in thing_setups(tables.recipe):
        book.id_of("setup", setup, "thing")
    for section, names in tables.own.items():
        if section in MAKERS:
            for name in names:
                book.id_of(section, name, "recipe")
    done = 0

    def tick(what: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, max(len(book.ids), done), what)

    book.drain(MAKERS, tick)
    text = _names(book, country)
    _write(out, book, text)
    world = BakedWorld.open(out)
    log.info("baked %s: %d portal records, %d cell records", out, len(book.portal), len(book.cell))
    return world


def _write(out: Path, book: Book, names: bytes) -> None:
    """Put the files into `out`, each whole, once all of them hold: else `out` is as it was."""
    new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".baking", dir=out) as beside:
            made = Path(beside)
            build(made / PORTAL.name, book.portal, PORTAL, guid=VERSION_MAJOR)
            build(made / CELL.name, book.cell, CELL, guid=VERSION_MAJOR)
            (made / NAMES_FILE).write_bytes(names)
            check_world(made)
            for file in (PORTAL.name, CELL.name, NAMES_FILE):
                (made / file).replace(out / file)
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                out.rmdir()
        raise


def _world_needs(book: Book, world: World) -> None:
    for setup in [world.player, *(item.setup for item in world.carry)]:
        if setup is not None:
            book.id_of("setup", setup, "world")


def _names(book: Book, country: Country) -> bytes:
    """The bytes of names.json."""
    ids = {f"{section} {name}": number for (section, name), number in sorted(book.ids.items())}
    cells = {name: block << 16 | low for name, (block, low, _) in sorted(country.rooms.items())}
    recipe = book.tables.recipe
    places = {name: country.place(name, place) for name, place in recipe.place.items()}
    world = recipe.world or World()
    if world.start is not None and world.start not in places:
        raise DataError(f"no place '{world.start}'", where="world.start")
    text = {
        "world": world.name,
        "start": world.start,
        "player": _player(book, world),
        "ids": {name: hex8(number) for name, number in ids.items()},
        "cells": {name: hex8(number) for name, number in cells.items()},
        "places": places,
        "things": list_things(book, country),
    }
    return msgspec.json.format(msgspec.json.encode(text), indent=1) + b"\n"


def _player(book: Book, world: World) -> dict[str, Any] | None:
    """The body one walks in and what it carries, for the programs that start there."""
    if world.player is None:
        return None
    setup = book.tables.need("setup", world.player)
    motion = book.ids[("motion", setup.motion)] if setup.motion else 0
    return {
        "setup": hex8(book.ids[("setup", world.player)]),
        "motion": hex8(motion),
        "carry": carried(book, world.player, world.carry, "world.carry"),
    }

"""Things that are no part of the land, as `names.json` lists them for whoever serves the world.

Doors hung in houses come first, then the recipe's own, each with what it carries. Guids count up
from the first, so the same recipe gives the same ones.
"""

# contract: T8

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from acclient_py.bake.blocks import Country
from acclient_py.bake.book import Book
from acclient_py.bake.keys import key_of
from acclient_py.bake.schema.recipe import Carried, Recipe
from acclient_py.bake.setups import PARENT_LOCATIONS, PLACEMENTS, setup_table
from acclient_py.core.ids import hex8
from acclient_py.errors import DataError

FIRST_GUID: Final = 0x70000001
STATES: Final = {
    "door": 0x00010808,  # reports collisions, has lights, collides by its own polygons
    "portal": 0x0000080C,  # the same, and is passed through
    "creature": 0x00400C08,
    "item": 0x00400C0C,
}


def thing_setups(recipe: Recipe) -> Iterator[str]:
    """The setups that things need; those of doors in houses stand in the houses' tables."""
    for house in recipe.house:
        yield from (gap.leaf for gap in (*house.doors, *house.windows) if gap.leaf is not None)
    for thing in recipe.thing:
        yield thing.setup
        yield from (item.setup for item in thing.carry)


def list_things(book: Book, country: Country) -> list[dict[str, Any]]:
    """All things in order."""
    found: list[dict[str, Any]] = []
    guid = FIRST_GUID
    for name, leaf, block, pose in country.leaves:
        found.append(
            _described(book, name, leaf.setup, "door", None, leaf.scale)
            | {"guid": hex8(guid), "at": country.hung(block, pose)}
        )
        guid += 1
    places = book.tables.recipe.place
    for number, thing in enumerate(book.tables.recipe.thing):
        name = thing.name or f"{thing.kind} {number}"
        where = f"thing '{name}'"
        if (thing.kind == "portal") != (thing.to is not None):
            raise DataError("a portal, and nothing else, leads `to` a place", where=where)
        if thing.to is not None and thing.to not in places:
            raise DataError(f"no place '{thing.to}'", where=where)
        described = _described(book, name, thing.setup, thing.kind, thing.state, thing.scale)
        described |= {"guid": hex8(guid), "at": country.place(name, thing)}
        if thing.to is not None:
            described["to"] = thing.to
        guid += 1
        if thing.carry:
            described["carry"] = []
            for item in carried(book, thing.setup, thing.carry, where):
                described["carry"].append({"guid": hex8(guid), **item})
                guid += 1
        found.append(described)
    names = [str(thing["name"]) for thing in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise DataError(f"two things have the name '{min(twice)}'", where="thing")
    return found


def _described(
    book: Book, name: str, setup: str, kind: str, state: str | None, scale: float
) -> dict[str, Any]:
    table = setup_table(book, setup, f"thing '{name}'")
    return {
        "name": name,
        "kind": kind,
        "setup": hex8(book.ids[("setup", setup)]),
        "motion": hex8(book.ids[("motion", table.motion)]) if table.motion else None,
        "state": state or hex8(STATES[kind]),
        "scale": scale,
    }


def carried(book: Book, bearer: str, items: Sequence[Carried], where: str) -> list[dict[str, Any]]:
    """What somebody carries: where each hangs, and on what other thing that is carried.

    bearer : the setup of who carries. What holds another thing stands before it.
    """
    found: list[dict[str, Any]] = []
    setups: dict[str, str] = {}
    for item in items:
        name = item.name or item.setup
        holder = bearer if item.on is None else setups.get(item.on)
        if holder is None:
            raise DataError(f"'{name}' hangs on '{item.on}', which is not before it", where=where)
        location = key_of(item.location, PARENT_LOCATIONS, "holding location", where)
        holding = setup_table(book, holder, where).holding
        if location not in (key_of(k, PARENT_LOCATIONS, "", where) for k in holding):
            raise DataError(f"'{holder}' has no holding location {item.location}", where=where)
        setups[name] = item.setup
        placement = key_of(item.placement, PLACEMENTS, "placement", where)
        setup = hex8(book.ids[("setup", item.setup)])
        found.append(
            {"name": name, "setup": setup, "location": location, "placement": placement}
            | {"on": item.on}
        )
    return found

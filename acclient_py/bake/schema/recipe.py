"""The whole recipe: every table at its place, all of them optional."""

# ruff: noqa: RUF012 -- msgspec copies empty defaults for every instance

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec

from acclient_py.bake.schema import bodies, meshes, places, textures
from acclient_py.bake.schema.base import Size, Table
from acclient_py.bake.schema.region import DayKind, Region, TerrainKind


class Carried(Table, kw_only=True):
    """A thing the player carries. on: the name of another carried thing that holds it."""

    setup: str
    name: str | None = None
    location: str = "RightHand"
    placement: str = "RightHandCombat"
    on: str | None = None


class Thing(places.Place, kw_only=True):
    """A thing that is no part of the land: who serves the world puts it there and moves it.

    kind: door, portal (to: the place where one comes out), creature, item
    """

    setup: str
    name: str | None = None
    kind: Literal["door", "portal", "creature", "item"] = "item"
    scale: Size = 1.0
    state: str | None = None
    to: str | None = None
    carry: list[Carried] = []


class World(Table, kw_only=True):
    """What the world is called and where one begins."""

    name: str = "world"
    start: str | None = None
    player: str | None = None
    carry: list[Carried] = []


class Recipe(Table, kw_only=True):
    """A recipe file. Included files are read first; names stay what they are."""

    include: list[str] = []
    world: World | None = None
    region: Region | None = None
    day: dict[str, DayKind] = {}
    ground: dict[str, TerrainKind] = {}
    palette: dict[str, textures.Palette] = {}
    texture: dict[str, textures.Texture] = {}
    surface: dict[str, textures.Surface] = {}
    mesh: dict[str, meshes.Mesh] = {}
    setup: dict[str, bodies.Setup] = {}
    animation: dict[str, bodies.Animation] = {}
    motion: dict[str, bodies.Motion] = {}
    emitter: dict[str, bodies.Emitter] = {}
    script: dict[str, bodies.Script] = {}
    clothing: dict[str, bodies.Clothing] = {}
    scene: dict[str, places.Scene] = {}
    terrain: places.Terrain | None = None
    static: list[places.Static] = []
    house: list[places.House] = []
    building: list[places.Building] = []
    room: list[places.Room] = []
    door: list[places.Door] = []
    thing: list[Thing] = []
    place: dict[str, places.Place] = {}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a recipe, as shipped for editors."""
    schema = msgspec.json.schema(Recipe)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "acclient world recipe"
    return schema


def schema_text() -> str:
    """The schema as the bytes of the shipped file."""
    return json.dumps(json_schema(), indent=1, sort_keys=True) + "\n"

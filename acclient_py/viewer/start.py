"""Who is there at the start: the stored cast, a body for a world that has none, or an eye alone."""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec

from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import DataError
from acclient_py.host import scenario as sc
from acclient_py.host.things import place_of
from acclient_py.viewer.places import find_place, first_walkable, names_of
from acclient_py.world.region import RegionModel

CAST: Final = "start"
"""The stored scenario whose steps make the player and what it carries."""

LIFE: Final = "life"
"""The stored scenario whose errands the world's own things are on."""

HUMAN: Final = 0x02000001
PLAYER: Final = 0x50000001
ITEMS: Final = 0x80000010

EYE_HEIGHT: Final = 2.0
"""Metres above the ground of an eye that flies because nobody can walk."""


def starting_steps(dats: DatSet, region: RegionModel, place: str | None) -> list[sc.Step]:
    """The steps before the first tick. place : of `--at`"""
    names = names_of(dats.folder)
    at = None if place is None else find_place(dats, region, place, names, where="--at")
    cast = sc.read(CAST)
    if names.get("world") == cast.world:
        steps = list(cast.steps)
    else:
        at = at or _named_start(names) or first_walkable(dats, region)
        steps = cast_of(dats, names, at)
    if names.get("things"):
        steps.append(sc.Things())
        steps += errands_of(names)
    return steps if at is None else [_moved(step, at) for step in steps]


def errands_of(names: dict[str, Any]) -> list[sc.Step]:
    """What a world's own things do by themselves, when that is stored."""
    life = sc.read(LIFE)
    if names.get("world") != life.world:
        return []
    mine = {thing["guid"] for thing in names["things"]}
    return [s for s in life.steps if isinstance(s, sc.Errand) and hex8(s.guid) in mine]


def _named_start(names: dict[str, Any]) -> sc.At | None:
    place = names.get("places", {}).get(names.get("start"))
    return None if place is None else place_of(place)


def cast_of(dats: DatSet, names: dict[str, Any], at: sc.At) -> list[sc.Step]:
    """The player of a baked world with what it carries; elsewhere a body with empty hands.

    Where no body can walk there is an eye at the place, and the blocks round it.
    """
    player = names.get("player")
    if not player:
        setup = some_body(dats)
        if setup is None:
            x, y, z = at.origin
            eye = msgspec.structs.replace(at, origin=(x, y, z + EYE_HEIGHT))
            ahead = msgspec.structs.replace(at, origin=(x, y + 10.0, z + EYE_HEIGHT - 1.0))
            return [sc.Camera(eye=eye, target=ahead), sc.FrameStep()]
        return [sc.Create(guid=sc.HexId(PLAYER), setup=sc.HexId(setup), player=True, at=at)]
    guid, motion = sc.HexId(PLAYER), player.get("motion")
    steps: list[sc.Step] = [
        sc.Create(
            guid=guid,
            setup=sc.HexId(int(player["setup"], 16)),
            motion=sc.HexId(int(motion, 16)) if motion else None,
            player=True,
            at=at,
        )
    ]
    carried: dict[str | None, sc.HexId] = {None: guid}
    for number, thing in enumerate(player.get("carry", ())):
        item = carried[thing["name"]] = sc.HexId(ITEMS + number)
        steps.append(
            sc.Create(
                guid=item,
                setup=sc.HexId(int(thing["setup"], 16)),
                parent=carried[thing["on"]],
                location=thing["location"],
                placement=thing["placement"],
            )
        )
    return steps


def _moved(step: sc.Step, at: sc.At) -> sc.Step:
    """The player somewhere else; others of the cast that stand in the world come beside it."""
    if isinstance(step, sc.Create) and step.at is not None:
        return msgspec.structs.replace(step, at=at)
    return step


def some_body(dats: DatSet) -> int | None:
    """A Setup that can walk: the human one, else the first that names a motion table, or None."""
    for setup_id in (HUMAN, *dats.ids("Setup")):
        if not dats.has(setup_id):
            continue
        try:
            record = dats.record(setup_id)
        except DataError:
            continue
        if record.default_motion_table and record.parts:
            return int(setup_id)
    return None


def heading(degrees: float) -> tuple[float, float, float, float]:
    """The rotation of a compass heading."""
    half = math.radians(-degrees) / 2
    return (math.cos(half), 0.0, 0.0, math.sin(half))


__all__ = ["CAST", "heading", "some_body", "starting_steps"]

"""Where robots walk: worlds, what is loaded of them, where one starts, what is worth walking to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from builders.doors import LEAF, THRESHOLD
from builders.walkers import recipe
from builders.worlds import TINY, opened

from acclient_py.cli.asking import AskWorld
from acclient_py.cli.worlds import open_world
from acclient_py.dat.dataset import DatSet
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.physics.layout import ENV
from robots.solids import block_corner, out_of

OUTSIDE: Final = 0xFFFFFFFF


@dataclass(frozen=True)
class Place:
    """A part of a world.

    world : a tiny recipe (with the doll in it), or "demo" ; near : cells whose surroundings load
    starts : (cell id, origin) where bodies are put ; named : places of the world, likewise
    leash : metres from the first start, 0 none
    peaceful : robots pass each other ; otherwise each stands in the way of all others
    doors : (cell id, origin) of leaves that somebody opens and shuts all the time
    most : robots at once, where more find no room
    lives : a stored scenario, whose people go about there and use the doors of the place; "" none
    """

    name: str
    world: str
    near: tuple[int, ...]
    starts: tuple[tuple[int, tuple[float, float, float]], ...] = ()
    named: tuple[str, ...] = ()
    leash: float = 0.0
    setup: int = 0x02000001
    table: int = 0x09000001
    peaceful: bool = True
    doors: tuple[tuple[int, tuple[float, float, float]], ...] = ()
    lives: str = ""
    most: int = 1000


def _moved_inn() -> str:
    """The inn with all of its walls over the land cell of its origin.

    A shell is met from that land cell alone (spec 1.6): where the inn of the recipe stands over a
    border, its walls beyond are open, as retail's would be.
    """
    text = (TINY / "inn.toml").read_text("utf-8")
    assert text.count("at = [189, 84]") == 1
    return text.replace("at = [189, 84]", "at = [180, 84]")


def _with_a_door(name: str) -> str:
    return (TINY / f"{name}.toml").read_text("utf-8") + LEAF


PLACES: Final = {
    place.name: place
    for place in (
        Place(
            "village", "demo", (0x7F7F001B,),
            named=("green", "hall", "chamber", "cottage"),
            leash=70.0,
        ),
        Place(
            "alderwick", "demo", (0x7F7F001B,),
            (
                (0x7F7F001D, (90.0, 101.0, 30.0)), (0x7F7F001D, (73.0, 102.1, 30.0)),
                (0x7F7F0100, (69.3, 100.0, 30.3)), (0x7F7F0025, (107.5, 99.7, 30.0)),
                (0x7F7F0103, (112.5, 101.5, 30.25)),
            ),
            leash=26.0, peaceful=False, lives="life", most=30,
        ),
        Place("dungeon", "demo", (0x01020100,), named=("dungeon",)),
        Place(
            "inn", _moved_inn(), (0x7F7F0008,),
            ((0x7F7F003C, (180.0, 76.0, 20.0)), (0x7F7F0100, (178.5, 82.9, 20.2))),
            leash=25.0,
        ),
        Place(
            "hut", "hut", (0x7F7F0022,),
            ((0x7F7F0022, (84.0, 75.0, 20.0)), (0x7F7F0100, (84.0, 84.0, 20.2))),
            leash=25.0,
        ),
        Place(
            "tower", "tower", (0x7F7F0022,),
            (
                (0x7F7F001C, (82.7, 76.0, 20.0)), (0x7F7F0100, (81.5, 81.5, 20.2)),
                (0x7F7F0108, (81.5, 81.5, 24.2)),
            ),
            leash=20.0,
        ),
        Place(
            "company", _with_a_door("hut"), (0x7F7F0022,),
            (
                (0x7F7F0022, (84.0, 75.0, 20.0)), (0x7F7F0100, (84.0, 84.0, 20.2)),
                (0x7F7F0022, (88.0, 76.0, 20.0)),
            ),
            leash=10.0, peaceful=False, most=12, doors=((0x7F7F0100, THRESHOLD),),
        ),
        Place("ring", "ring", (0x02020100,), ((0x02020100, (50.0, 40.0, 0.0)),)),
    )
}  # fmt: skip


@cache
def _dats(world: str) -> DatSet:
    return open_world("demo") if world == "demo" else opened(recipe(world))


def _living(dats: DatSet, place: Place) -> Host:
    """The blocks round a place with all that the world itself puts there, and its errands begun."""
    host = Host(dats, crossings=False)
    for cell_id in place.near:
        host.residency.start(cell_id)
        host.residency.load(cell_id | 0xFFFF)
    steps = sc.read(place.lives).steps
    for step in (s for s in steps if isinstance(s, (sc.Things, sc.Errand))):
        host.step(step)
    assert host.refused == []
    return host


class Ground:
    """One place, loaded; and points worth walking to: both sides of each opening, each room."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.asked = AskWorld(_dats(place.world))
        self.host = _living(self.asked.dats, place) if place.lives else None
        self.world: Any = self.asked.near(*place.near) if self.host is None else self.host.physics
        self.starts = [*place.starts, *map(self._named, place.named)]
        cell_id, origin = self.starts[0]
        corner = block_corner(cell_id)
        self.centre = (corner[0] + origin[0], corner[1] + origin[1])
        self.goals = np.array(list(self._goals()), np.float64).reshape(-1, 2)

    def _named(self, name: str) -> tuple[int, tuple[float, float, float]]:
        names = json.loads((self.asked.dats.folder / "names.json").read_text("utf-8"))
        at = names["places"][name]
        x, y, z = at["origin"]
        return int(at["cell"], 16), (x, y, z)

    def _goals(self) -> Any:
        cells = self.world.graph.arrays.cells
        for slot in np.flatnonzero(cells["kind"] == ENV):
            cell_id = int(cells["id"][slot])
            corner = np.array(block_corner(cell_id))
            model = self.asked.env_cell(cell_id)
            yield model.frame[:2] + corner
            for portal in model.portals:
                middle = portal.vertices.mean(axis=0)
                away = portal.plane[:3] * (0.9 if portal.portal_side else -0.9)
                for point in (middle, middle + away, middle - away):
                    yield out_of(model.frame, point)[:2] + corner

"""The world's own things: doors, portals, creatures that a baked world lists in `names.json`.

They are no part of the DAT files: somebody who serves the world puts them there. While the step
`things` is on, the host does: a thing is created when the place where it belongs has come into the
world and deleted when it has been lost with its landblock, and whoever steps into a portal is sent
where it leads. All of it goes through the session's messages, as a server's would.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from acclient_py.host import scenario as sc
from acclient_py.host import steps

if TYPE_CHECKING:
    from acclient_py.host.host import Host

NAMES: Final = "names.json"  # beside the DAT files of a baked world


log = logging.getLogger(__name__)


class Thing(Struct, frozen=True):
    """One thing and how it is created, what it carries, where it leads."""

    name: str
    kind: str
    create: sc.Create
    carry: tuple[sc.Create, ...]
    to: sc.At | None


def read_things(folder: Path) -> list[Thing]:
    """The things of the world in a folder of DAT files; none for a world that lists none."""
    try:
        names = json.loads((folder / NAMES).read_text(encoding="utf-8-sig"))
    except OSError:
        return []
    except (ValueError, RecursionError):
        names = None
    try:
        places = names.get("places", {})
        return [_thing(raw, places) for raw in names.get("things", ())]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        log.warning("%s: its things are left out: %r", folder / NAMES, error)
        return []


def place_of(raw: dict[str, Any]) -> sc.At:
    """A place as a baked world's names have it."""
    return sc.At(
        cell=_id(raw["cell"]),
        origin=tuple(raw["origin"]),
        rotation=tuple(raw.get("rotation", (1.0, 0.0, 0.0, 0.0))),
    )


def _id(text: str) -> sc.HexId:
    return sc.HexId(int(text, 16))


def _thing(raw: dict[str, Any], places: dict[str, Any]) -> Thing:
    guid = _id(raw["guid"])
    create = sc.Create(
        guid=guid,
        setup=_id(raw["setup"]),
        motion=None if raw["motion"] is None else _id(raw["motion"]),
        state=_id(raw["state"]),
        scale=raw["scale"],
        at=place_of(raw["at"]),
    )
    carried: dict[str | None, sc.HexId] = {None: guid}
    items = []
    for item in raw.get("carry", ()):
        carried[item["name"]] = _id(item["guid"])
        items.append(
            sc.Create(
                guid=_id(item["guid"]),
                setup=_id(item["setup"]),
                parent=carried[item["on"]],
                location=item["location"],
                placement=item["placement"],
            )
        )
    leads = raw.get("to")
    to = None if leads is None else place_of(places[leads])
    return Thing(raw["name"], raw["kind"], create, tuple(items), to)


class Keeper(Struct):
    """Keeps a host's things where they belong. Owned by the host, asked after every change."""

    host: Host
    things: list[Thing]
    on: bool = False
    _lives: dict[int, int] = field(default_factory=dict)

    def keeps(self, guid: int) -> bool:
        """Whether a guid is that of a thing, which comes again when it has gone."""
        return self.on and any(int(thing.create.guid) == guid for thing in self.things)

    def switch(self, on: bool) -> None:
        """The step `things`; off takes all of them out of the world."""
        self.on = on
        if on:
            self.keep()
            return
        for thing in self.things:
            self._remove(thing)

    def keep(self) -> None:
        """Create what has its place, delete what has lost it."""
        for thing in self.things if self.on else ():
            known = self.host.session.directory.get(thing.create.guid)
            if known is None:
                assert thing.create.at is not None, "a thing has a place"
                if self.host.physics.cell_slot(thing.create.at.cell) >= 0:
                    self._create(thing)
            elif not self.host.physics.is_resident(known.obj):
                self._remove(thing)

    def _create(self, thing: Thing) -> None:
        for step in (thing.create, *thing.carry):
            guid = int(step.guid)
            life = self._lives[guid] = (self._lives.get(guid, 0) + 1) & 0xFFFF
            self.host.session.handle(self.host.creation(with_life(step, life)))
        if thing.to is not None:
            self.host.portals.leads[int(thing.create.guid)] = thing.to

    def _remove(self, thing: Thing) -> None:
        self.host.portals.leads.pop(int(thing.create.guid), None)
        for step in (*reversed(thing.carry), thing.create):
            known = self.host.session.directory.get(step.guid)
            if known is not None:
                self.host.session.handle(steps.delete(sc.Delete(guid=step.guid), known))


def with_life(step: sc.Create, life: int) -> sc.Create:
    """The same create for another incarnation."""
    return sc.Create(
        guid=step.guid, setup=step.setup, instance=life, at=step.at, parent=step.parent,
        location=step.location, placement=step.placement, state=step.state, motion=step.motion,
        scale=step.scale,
    )  # fmt: skip

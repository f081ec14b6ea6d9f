"""Hosts on fixture worlds, and steps as plain keyword arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from builders.worlds import opened

from acclient_py.dat.dataset import DatSet
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.session.answer import Answer

PLAYER, CREATURE = "0x50000001", "0x80000001"
SWORD, SHIELD, CHARM = "0x80000010", "0x80000011", "0x80000012"
BODY, SWORD_SETUP, SHIELD_SETUP, CHARM_SETUP = (
    "0x02000001",
    "0x02000010",
    "0x02000011",
    "0x02000012",
)
SETUPS = {SWORD: SWORD_SETUP, SHIELD: SHIELD_SETUP, CHARM: CHARM_SETUP}
RIGHT, LEFT, SHIELD_PLACE, BELT = 1, 2, 3, 4
"""Holding locations."""
HERE = {"cell": "0x7F7F003C", "origin": [180.0, 90.0, 20.0], "rotation": [1, 0, 0, 0]}
THERE = {"cell": "0x807F0005", "origin": [10.0, 100.0, 20.0], "rotation": [1, 0, 0, 0]}


parents = pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])
"""Whoever bears the things: a player of instance 3, and a creature of instance 0 (E17)."""


def standing(who: str, **more: Any) -> dict[str, Any]:
    """The create of a body: a player has instance 3, a creature 0 (E17)."""
    player = who.startswith("0x5")
    fields = {"guid": who, "instance": 3 if player else 0, "setup": BODY, "at": HERE}
    return {**fields, "player": player, **more}


class Story:
    """A host with `check` on, told step by step. `probes`: the probe's lines so far."""

    def __init__(self, world: str | DatSet = "doll", **options: Any) -> None:
        self.dats = opened(world) if isinstance(world, str) else world
        self.probes: list[str] = []
        self.host = Host(self.dats, check=True, probe=self.probes.append, **options)

    def do(self, verb: str, **fields: Any) -> None:
        """One step, e.g. `do("pickup", guid=SWORD)`."""
        self.host.step(sc.parse_step(json.dumps({"do": verb, **fields})))

    def message(self, data: bytes) -> Answer:
        """One wire message."""
        answer = self.host.session.handle_bytes(data)
        self.host._after()
        return answer

    def refused(self) -> list[str]:
        """The reasons of the refusals since the last checkpoint."""
        return [str(line["reason"]) for line in self.host.checkpoint("refused")["refused"]]

    def look(self) -> dict[str, dict[str, Any]]:
        """The objects of a checkpoint, by guid."""
        return {o["guid"]: o for o in self.host.checkpoint("look")["objects"]}

    def counts(self) -> dict[str, int]:
        """The counts of a checkpoint."""
        counted: dict[str, int] = self.host.checkpoint("counts")["counts"]
        return counted

    def take_probes(self) -> list[str]:
        """The probe's lines since the last call."""
        lines = list(self.probes)
        self.probes.clear()
        return lines

    def stand(self, who: str, **more: Any) -> None:
        """Somebody with empty hands (`standing`)."""
        self.do("create", **standing(who, **more))

    def hold(self, guid: str, parent: str, location: int, **more: Any) -> None:
        """A thing that somebody or something holds from the start; a sword unless it is known."""
        fields = {"setup": SETUPS.get(guid, SWORD_SETUP), "location": location, **more}
        self.do("create", guid=guid, parent=parent, **fields)

    def arm(self, who: str) -> None:
        """Somebody with sword, shield and a charm on the sword."""
        self.stand(who)
        self.hold(SWORD, who, RIGHT)
        self.hold(SHIELD, who, SHIELD_PLACE)
        self.hold(CHARM, SWORD, RIGHT)


@contextmanager
def story(world: str | DatSet = "doll", **options: Any) -> Iterator[Story]:
    """A story whose world is closed at the end."""
    told = Story(world, **options)
    try:
        yield told
    finally:
        told.dats.close()

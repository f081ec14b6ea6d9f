"""Random steps of somebody who means no good: each is well formed, hardly one makes sense."""

from __future__ import annotations

import random
from typing import Any, Final

GUIDS: Final = (
    "0x50000001", "0x50000002", "0x80000001", "0x80000010", "0x80000011", "0x80000012",
    "0x80000013", "0x80000014", "0x00000000", "0xFFFFFFFF",
)  # fmt: skip
SETUPS: Final = (
    *("0x02000001", "0x02000010", "0x02000011", "0x02000012") * 3,
    "0x00000000", "0x01000001", "0x02009999", "0xFFFFFFFF", "0x09000001",
)  # fmt: skip
CELLS: Final = {
    "doll": (
        "0x7F7F003C", "0x807F0005", "0x7F7F0001", "0x7F7F0040", "0x80800001", "0x7F7FFFFF",
        "0x7F7F0100", "0x00000000", "0xFFFFFFFF", "0xFEFE0040", "0x12340001", "0x7F7F0041",
    ),
    "ring": (
        "0x02020100", "0x02020104", "0x02020108", "0x02020109", "0x02020177", "0x02020001",
        "0x0202FFFF", "0x00000000", "0xFFFFFFFF", "0x02020000", "0x02030001",
    ),
}  # fmt: skip
BLOCKS: Final = (
    "0x7F7FFFFF", "0x807FFFFF", "0x7F80FFFF", "0x00000000", "0xFFFFFFFF", "0x7F7F0000",
    "0x0202FFFF", "0x12340001",
)  # fmt: skip
NUMBERS: Final = (
    0.0, 1.0, -1.0, 20.0, 24.0, 95.0, 180.0, 191.99999, 192.0, -0.0001, 1e4, -1e4, 1e30, -1e30,
    3.4e38, -3.4e38, 1e-40,
)  # fmt: skip
KEYS: Final = (0, 1, 1, 1, 2, 3, 5, 8, 77, -1, -0x80000000, 0x7FFFFFFF)
STAMPS: Final = (0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF)
STATES: Final = (
    "0x00000000", "0xFFFFFFFF", "0x00400C08", "0x00004000", "0x00001000", "0x00010000",
    "0x01000000", "0x00000001", "0x00000020", "0x00000800",
)  # fmt: skip
SCALES: Final = (1e-44, 1e-30, 0.5, 2.0, 1e6, 1e30, 3e38)
ROTATIONS: Final = ([1, 0, 0, 0], [0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5], [1.004, 0, 0, 0])
VERBS: Final = (
    *("create",) * 5, *("attach",) * 4, *("pickup", "position", "place", "state", "tick") * 2,
    "delete", "teleport", "swap", "stance", "message", "walk", "input", "use", "errand", "load",
    "unload", "camera", "time", "things", "frame", "overlay",
)  # fmt: skip


class Hostile:
    """A stream of steps on one of the worlds of `CELLS`; the same seed gives the same steps."""

    def __init__(self, world: str, seed: int) -> None:
        self.world = world
        self.rng = random.Random(seed)

    def step(self) -> dict[str, Any]:
        """The next one."""
        verb = self.rng.choice(VERBS)
        fields: dict[str, Any] = getattr(self, f"_{verb}", self._nothing)()
        return {"do": verb, **fields}

    def _guid(self) -> str:
        return self.rng.choice(GUIDS if self.rng.random() < 0.07 else GUIDS[:8])

    def _at(self) -> dict[str, Any]:
        rng = self.rng
        wild = rng.random() < 0.4
        middle = (30, 60, 20, 50) if self.world == "ring" else (0, 192, 0, 192)
        x, y = rng.uniform(*middle[:2]), rng.uniform(*middle[2:])
        z = rng.choice((0.0, 1.0, -3.0, 5.0, 20.0))
        origin = [rng.choice((v, rng.choice(NUMBERS))) if wild else v for v in (x, y, z)]
        cell = rng.choice(CELLS[self.world])
        return {"cell": cell, "origin": origin, "rotation": rng.choice(ROTATIONS)}

    def _some(self, **choices: Any) -> dict[str, Any]:
        """Each field in one step out of four."""
        return {
            name: choice() if callable(choice) else self.rng.choice(choice)
            for name, choice in choices.items()
            if self.rng.random() < 0.25
        }

    def _create(self) -> dict[str, Any]:
        made = {"guid": self._guid(), "setup": self.rng.choice(SETUPS)}
        if self.rng.random() < 0.6:
            made["at"] = self._at()
        if self.rng.random() < 0.5:
            made |= {"parent": self._guid(), "location": self.rng.choice(KEYS)}
        motions = ("0x09000001", "0x00000000", "0x09009999")
        return made | self._some(
            instance=STAMPS, state=STATES, scale=SCALES, player=(True,), motion=motions,
            leads=self._at, placement=KEYS, two_handed=(True,),
        )  # fmt: skip

    def _attach(self) -> dict[str, Any]:
        fields = {"child": self._guid(), "parent": self._guid()}
        fields["location"] = self.rng.choice(KEYS)
        return fields | self._some(placement=KEYS, parent_instance=STAMPS, stamp=STAMPS)

    def _pickup(self) -> dict[str, Any]:
        return {"guid": self._guid(), **self._some(instance=STAMPS)}

    _delete = _pickup

    def _position(self) -> dict[str, Any]:
        return {"guid": self._guid(), "at": self._at()} | self._some(
            instance=STAMPS, stamp=STAMPS, teleport_stamp=STAMPS, force_stamp=STAMPS,
            velocity=lambda: self.rng.sample(NUMBERS, 3), contact=(False,), placement=KEYS,
        )  # fmt: skip

    def _place(self) -> dict[str, Any]:
        return {"guid": self._guid(), "at": self._at()}

    _teleport = _place

    def _state(self) -> dict[str, Any]:
        return {"guid": self._guid(), "state": self.rng.choice(STATES)}

    def _tick(self) -> dict[str, Any]:
        return {"seconds": self.rng.choice((0.0, 0.034, 0.1, 0.3))}

    def _swap(self) -> dict[str, Any]:
        return {"guid": self._guid(), "other": self._guid()}

    def _stance(self) -> dict[str, Any]:
        return {"guid": self._guid(), "style": self.rng.choice(("0x8000003D", "0xFFFFFFFF"))}

    def _message(self) -> dict[str, Any]:
        return {"hex": self.rng.choice(("", "zz", "48f70000", "4bf70000" + "00" * 20, "ff" * 40))}

    def _walk(self) -> dict[str, Any]:
        if self.rng.random() < 0.2:
            return {"guid": self._guid(), "to": self._at()}
        seconds = self.rng.choice((0.0, 0.03, 0.5))
        return {"guid": self._guid(), "heading": self.rng.choice(NUMBERS), "seconds": seconds}

    def _input(self) -> dict[str, Any]:
        keys = self.rng.sample(("w", "s", "a", "d", "shift", "space", "banana", ""), 2)
        return {"keys": keys, "seconds": self.rng.choice((0.0, 0.2))}

    def _use(self) -> dict[str, Any]:
        return self._some(guid=self._guid)

    def _errand(self) -> dict[str, Any]:
        if self.rng.random() < 0.4:
            distance = self.rng.choice((1e-30, 2.5, 1e30))
            return {"guid": self._guid(), "follow": self._guid(), "distance": distance}
        then = [{"do": "pickup", "guid": self._guid()}]
        stops = [{"to": self._at(), **self._some(then=(then,))} for _ in range(2)]
        return {"guid": self._guid(), **self._some(stops=(stops, [])), **self._some(loop=(False,))}

    def _load(self) -> dict[str, Any]:
        return {"landblock": self.rng.choice(BLOCKS)}

    _unload = _load

    def _camera(self) -> dict[str, Any]:
        if self.rng.random() < 0.5:
            return {"eye": self._at(), "target": self._at()}
        return {"follow": self._guid(), "view": self.rng.choice(("default", "map", "banana"))}

    def _time(self) -> dict[str, Any]:
        return {"day": self.rng.choice((0.0, 0.5, 0.999999))}

    def _overlay(self) -> dict[str, Any]:
        return {"name": self.rng.choice(("cells", "", "banana"))}

    def _things(self) -> dict[str, Any]:
        return {"on": self.rng.random() < 0.5}

    def _nothing(self) -> dict[str, Any]:
        return {}

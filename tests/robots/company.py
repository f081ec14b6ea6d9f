"""What stands in a robot's way and moves: the others, and doors that open and shut."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from builders.doors import LEAF_MOTION, LEAF_SETUP, SOLID

from acclient_py.anim import motion as m
from acclient_py.core.frame import make
from robots.solids import ETHEREAL, Solids, gather_one
from robots.survey import measure

ENTER: Final = 0x1012
OPEN: Final = (20, 120)
SHUT: Final = (60, 240)  # ticks that a door stays so, at least and at most


class Leaf:
    """A door. `solids` is what it is made of while it is shut."""

    def __init__(self, world: Any, obj: int) -> None:
        self.world, self.obj = world, obj
        self.solids: Solids | None = None
        self.turned = 0
        """How often it was shut until it held."""

    def measure(self, centres: Any, before: Any, radii: Any) -> tuple[Any, Any]:
        """As the survey's, against the shut leaf."""
        if self.solids is None:
            self.solids = gather_one(self.world, self.obj)
            assert len(self.solids.planes) >= 6, "a leaf has sides"
        return measure(self.solids, centres, before, radii)


class HungDoor(Leaf):
    """A door of the world's own, which its people use, and somebody else now and then."""

    def __init__(self, host: Any, known: Any, will: Any) -> None:
        super().__init__(host.physics, known.obj)
        self.host, self.known, self.will = host, known, will
        self.until = int(will.integers(*SHUT))
        self._held = True

    @property
    def holds(self) -> bool:
        """Shut, and solid."""
        return not int(self.world.graph.arrays.objects["state"][self.obj]) & ETHEREAL

    def step(self, tick: int) -> None:
        """It is used at random; people use it as they need it."""
        if tick >= self.until:
            assert self.host.doors.use(self.known.guid) is None
            open_now = self.host.doors.is_open(self.known)
            self.until = tick + int(self.will.integers(*(OPEN if open_now else SHUT)))
        self.turned += self.holds and not self._held
        self._held = self.holds


class Door(Leaf):
    """A leaf that is opened and shut at random."""

    def __init__(self, world: Any, cell_id: int, origin: Any, will: Any) -> None:
        super().__init__(world, world.make_object(LEAF_SETUP))
        self.will = will
        world.graph.arrays.objects["state"][self.obj] = SOLID
        assert world.movement.set_motion_table(self.obj, LEAF_MOTION)
        assert not world.set_position(self.obj, cell_id, make(*origin, 0.0), ENTER)
        self.open, self.shutting = False, False
        self.until = int(will.integers(*SHUT))

    @property
    def holds(self) -> bool:
        """Shut, and solid."""
        state = int(self.world.graph.arrays.objects["state"][self.obj])
        return not self.open and not self.shutting and not state & ETHEREAL

    def step(self, tick: int) -> None:
        """What a server would tell it in this tick."""
        movement = self.world.movement
        if self.shutting and not movement.is_busy(self.obj):
            if self.world.set_ethereal(self.obj, False):
                self.shutting = False
                self.turned += 1
        elif tick >= self.until and not self.shutting:
            self.open = not self.open
            movement.do_motion(self.obj, m.ON if self.open else m.OFF)
            if self.open:
                self.world.set_ethereal(self.obj, True)
            self.shutting = not self.open
            self.until = tick + int(self.will.integers(*(OPEN if self.open else SHUT)))


class People:
    """Who lives in a place, and where their spheres are: two a body, one twice for who has one.

    objs : (n,) rows of those that go by a motion table, doors left out
    """

    def __init__(self, host: Any, seed: int) -> None:
        self.host, self.world = host, host.physics
        known = [k for k in host.session.directory if self.world.movement.has_table(k.obj)]
        doors = [k for k in known if self.world.movement.has_cycle(k.obj, m.ON)]
        self.doors = [
            HungDoor(host, k, np.random.default_rng([seed, number, 9]))
            for number, k in enumerate(doors)
        ]
        self.objs = np.array([k.obj for k in known if k not in doors])
        self.spheres = np.array([self._spheres(obj) for obj in self.objs]).reshape(-1, 2, 4)

    def _spheres(self, obj: int) -> Any:
        a = self.world.graph.arrays
        shape, scale = a.shapes[a.objects["shape"][obj]], float(a.objects["scale"][obj])
        first, count = int(shape["sphere_first"]), int(shape["sphere_count"])
        rows = [first, first + min(1, count - 1)]
        return a.spheres[rows].astype(np.float64) * scale

    def at(self) -> Any:
        """(n, 3) world metres of their origins."""
        a = self.world.graph.arrays
        at = a.objects["frame"][self.objs].astype(np.float64)[:, :3]
        ids = a.objects["objcell_id"][self.objs].astype(np.int64)
        at[:, 0] += (ids >> 24) * 192.0
        at[:, 1] += (ids >> 16 & 0xFF) * 192.0
        return at

    def centres(self) -> Any:
        """(n, 2, 3) of their spheres, which lie on the upright axis."""
        at = np.repeat(self.at()[:, None, :], 2, axis=1)
        at[:, :, 2] += self.spheres[:, :, 2]
        return at


def nearness(centres: Any, radii: Any) -> tuple[Any, Any]:
    """(metres that each body stands in another one, which): every sphere against all others'."""
    count = len(centres)
    deep, whom = np.full(count, -np.inf), np.full(count, -1)
    for k in range(2):
        for n in range(2):
            way = centres[:, None, k] - centres[None, :, n]
            within = radii[:, k, None] + radii[None, :, n] - np.sqrt((way * way).sum(axis=2))
            np.fill_diagonal(within, -np.inf)
            most = within.max(axis=1)
            whom = np.where(most > deep, within.argmax(axis=1), whom)
            deep = np.maximum(deep, most)
    return deep, whom


__all__ = ["Door", "HungDoor", "People", "nearness"]

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


class Door:
    """A leaf and who uses it. `solids` is what it is made of while it is shut."""

    def __init__(self, world: Any, cell_id: int, origin: Any, will: Any) -> None:
        self.world, self.will = world, will
        self.obj = world.make_object(LEAF_SETUP)
        world.graph.arrays.objects["state"][self.obj] = SOLID
        assert world.movement.set_motion_table(self.obj, LEAF_MOTION)
        assert not world.set_position(self.obj, cell_id, make(*origin, 0.0), ENTER)
        self.solids: Solids | None = None
        self.open, self.shutting = False, False
        self.until = int(will.integers(*SHUT))
        self.turned = 0
        """How often it was shut until it held."""

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

    def measure(self, centres: Any, before: Any, radii: Any) -> tuple[Any, Any]:
        """As the survey's, against the shut leaf."""
        if self.solids is None:
            self.solids = gather_one(self.world, self.obj)
            assert len(self.solids.planes) >= 6, "a leaf has sides"
        return measure(self.solids, centres, before, radii)


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


__all__ = ["Door", "nearness"]

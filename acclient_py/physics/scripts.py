"""Physics scripts: hooks of an object in time (records 0x33, 0x34).

An object's scripts wait in one line: the next begins when the last hook of the one before it has
come. Each update fires every hook that is due. A script that is missing or damaged is reported
once and left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from acclient_py.core.ids import hex8
from acclient_py.dat.records.hooks import Hook
from acclient_py.dat.records.physics_script import PhysicsScript, PhysicsScriptTable
from acclient_py.errors import DataError
from acclient_py.log import warn_once

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

log = logging.getLogger(__name__)

Fire = Callable[[int, Hook], None]

ROUNDING: Final = 1e-6
"""Thirtieths of a second do not add up to whole ones: what is due this much later is due."""


class Playing(Struct):
    """One script of an object, and how far it is."""

    script: PhysicsScript
    start: float
    step: int = 0

    @property
    def end(self) -> float:
        steps = self.script.steps
        return self.start + (steps[-1].start_time if steps else 0.0)


class Scripts(Struct):
    """The script managers of all objects (retail's ScriptManager)."""

    world: PhysicsWorld
    lines: dict[int, list[Playing]] = field(default_factory=dict)
    _records: dict[int, object] = field(default_factory=dict)

    def play(self, obj: int, did: int) -> bool:
        """Add a script to an object's line; False when there is no such script."""
        script = self._record(did)
        if not isinstance(script, PhysicsScript):
            return False
        line = self.lines.setdefault(obj, [])
        line.append(Playing(script, line[-1].end if line else self.world.clock))
        return True

    def choose(self, table: int, script_type: int, intensity: float) -> int | None:
        """The script that a table has for a type at an intensity, or None."""
        found = self._record(table) if table else None
        if not isinstance(found, PhysicsScriptTable):
            return None
        return found.choose(script_type, intensity)

    def forget(self, obj: int) -> None:
        """The object is deleted."""
        self.lines.pop(obj, None)

    def tick(self, now: float, fire: Fire) -> None:
        """Fire what is due of every object that is in a cell, in the order of the lines."""
        for obj in list(self.lines):
            line = self.lines.get(obj)
            if line is None or self.world.graph.arrays.objects["cell"][obj] < 0:
                continue
            for hook in _due(line, now):
                fire(obj, hook)
            if not line and self.lines.get(obj) is line:
                del self.lines[obj]

    def _record(self, did: int) -> object:
        if did not in self._records:
            found: object = None
            try:
                found = self.world.models.dats.record(did)
            except DataError as error:
                warn_once(("record", did), "script %s left out: %s", hex8(did), error, logger=log)
            self._records[did] = found
        return self._records[did]


def _due(line: list[Playing], now: float) -> Iterator[Hook]:
    """Hooks whose time has come, taken out of the line one by one."""
    while line:
        playing = line[0]
        steps = playing.script.steps
        while playing.step < len(steps):
            step = steps[playing.step]
            if playing.start + step.start_time > now + ROUNDING:
                return
            playing.step += 1
            yield step.hook
        line.pop(0)

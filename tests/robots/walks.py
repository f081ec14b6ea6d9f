"""Robots that walk, run, turn, side-step and jump at random, and what is wrong with where they are.

    python tests/robots/walks.py --place village --seed 1 --count 100 --minutes 10

Walk n of a seed and a place is always the same walk, whoever else is walked with it: robots are
players at peace, and pass each other. In the place `company` they are in each other's way, and a
door opens and shuts; in `alderwick` the people of the demo world and their doors are in the way
too. There a walk is the same only with the same others. A second start goes on where the first one
ended; what was found is kept in build/robots. `--case N` walks one of them and
tells what is wrong, tick by tick.
"""

from __future__ import annotations

import argparse
import heapq
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import numpy as np

from acclient_py.anim import motion as m
from acclient_py.core.frame import make
from acclient_py.physics.bodies import CREATURE, PLAYER
from acclient_py.physics.layout import ENV
from acclient_py.physics.state import TransientState
from robots.company import Door, HungDoor, People, nearness
from robots.places import PLACES, Ground, Place
from robots.solids import gather
from robots.survey import held, measure

REPO: Final = Path(__file__).resolve().parents[2]
STATE: Final = REPO / "build" / "robots"
AT_ONCE: Final = 100
TICKS: Final = 30 * 60
ENTER: Final = 0x1012
ON_WALKABLE: Final = int(TransientState.ON_WALKABLE)

# tolerances, metres
IN_POLYGON: Final = 0.02
IN_ROUND: Final = 0.02
OUT_OF_CELL: Final = 0.002
UNDER_GROUND: Final = 0.02
DEEPEST_WATER: Final = 0.9
STILL: Final = 0.001

MOVES: Final = (
    (m.WALK_FORWARD, 0.62), (m.WALK_BACKWARDS, 0.1), (m.SIDESTEP_LEFT, 0.08),
    (m.SIDESTEP_RIGHT, 0.08), (m.READY, 0.12),
)  # fmt: skip


@dataclass
class Fault:
    """One thing that must not be."""

    walk: int
    tick: int
    kind: str
    value: float
    cell: str
    at: tuple[float, float, float]
    what: int = -1


@dataclass
class Tally:
    """What walks came to."""

    walks: int = 0
    ticks: int = 0
    metres: float = 0.0
    jumps: int = 0
    crossings: int = 0
    rooms: int = 0
    touches: int = 0
    doors: int = 0
    cells: set[int] = field(default_factory=set)
    """Ids of all cells that somebody was in."""
    faults: list[Fault] = field(default_factory=list)


class Robot:
    """One body and its will."""

    def __init__(self, walk: int, seed: int, obj: int) -> None:
        self.walk = walk
        self.obj = obj
        self.will = np.random.default_rng([seed, walk])
        self.jumps = 0

    def decide(self, crew: Crew) -> int:
        """Do something else; ticks until the next change of mind."""
        will, movement, obj = self.will, crew.world.movement, self.obj
        if crew.world.graph.arrays.objects["cell"][obj] < 0:
            return 1 << 30
        movement.stop_completely(obj)
        movement.set_heading(obj, self._heading(crew))
        pick, chosen = will.random(), m.READY
        for command, share in MOVES:
            pick -= share
            if pick < 0.0:
                chosen = command
                break
        run = bool(will.random() < 0.5)
        movement.set_hold_run(obj, run)
        if chosen != m.READY:
            movement.do_motion(obj, chosen, hold_run=run)
        if will.random() < 0.2:
            turn = m.TURN_LEFT if will.random() < 0.5 else m.TURN_RIGHT
            movement.do_motion(obj, turn, hold_run=run)
        if will.random() < 0.12:
            self.jumps += movement.jump(obj, float(will.random()))
        return int(will.integers(6, 90))

    def _heading(self, crew: Crew) -> float:
        will = self.will
        x, y, _ = crew.world_metres(self.obj)
        dx, dy = crew.ground.centre[0] - x, crew.ground.centre[1] - y
        leash = crew.ground.place.leash
        if leash and dx * dx + dy * dy > leash * leash:
            return float(np.degrees(np.arctan2(dx, dy)) % 360.0)
        goals = crew.ground.goals
        if len(goals) and will.random() < 0.5:
            away = np.abs(goals - (x, y)).sum(axis=1) + will.random(len(goals)) * 12.0
            dx, dy = goals[int(np.argmin(np.where(away < 0.5, 1e9, away)))] - (x, y)
            return float(np.degrees(np.arctan2(dx, dy)) % 360.0)
        return float(will.random() * 360.0)


class Crew:
    """Robots that walk at the same time in one world."""

    def __init__(self, place: Place, seed: int, walks: range) -> None:
        self.ground = Ground(place)
        self.world = self.ground.world
        self.tick = 0
        self.tally = Tally(walks=len(walks))
        self.solids = gather(self.world)
        self.doors: list[Door | HungDoor] = [
            Door(self.world, *at, np.random.default_rng([seed, number, 9]))
            for number, at in enumerate(place.doors)
        ]
        self.people = None if self.ground.host is None else People(self.ground.host, seed)
        if self.people is not None:
            self.doors += self.people.doors
        self.held = [False for _ in self.doors]
        """By door: whether it was shut a tick ago."""
        self.robots = [self._enter(place, seed, walk) for walk in walks]
        self.objs = np.array([robot.obj for robot in self.robots])
        self.agenda = [(0, number) for number in range(len(self.robots))]
        row = self.world.graph.arrays.objects[self.objs[0]]
        shape = self.world.graph.arrays.shapes[row["shape"]]
        first = int(shape["sphere_first"])
        self.spheres = self.world.graph.arrays.spheres[first : first + 2].astype(np.float64)
        self.before = self._centres()
        self.cells = self._cell_ids()
        self.left = np.full(len(self.objs), 0)
        """By robot: the cell that it was in before this one."""
        self.since = np.zeros(len(self.objs))
        """By robot: metres walked since it came into its cell."""
        self.bad: dict[tuple[int, str], int] = {}

    def _enter(self, place: Place, seed: int, walk: int) -> Robot:
        world = self.world
        obj = world.make_object(place.setup)
        assert world.movement.set_motion_table(obj, place.table)
        world.movement.set_weenie(obj, CREATURE | PLAYER if place.peaceful else CREATURE)
        robot = Robot(walk, seed, obj)
        cell_id, origin = self.ground.starts[walk % len(self.ground.starts)]
        world.movement.set_skills(obj, run=int(robot.will.integers(0, 400)), jump=100)
        for lift in (0.006, 0.03, 0.3):
            x, y, z = origin
            if not world.set_position(obj, cell_id, make(x, y, z + lift, 0.0), ENTER):
                return robot
        raise AssertionError(f"no room at {origin} in {cell_id:08X}")

    # reading ---------------------------------------------------------------------------

    def world_metres(self, obj: int) -> tuple[float, float, float]:
        row = self.world.graph.arrays.objects[obj]
        x, y, z = (float(v) for v in row["frame"][:3])
        cell_id = int(row["objcell_id"])
        return x + (cell_id >> 24) * 192.0, y + (cell_id >> 16 & 0xFF) * 192.0, z

    def _corners(self) -> Any:
        ids = self.world.graph.arrays.objects["objcell_id"][self.objs].astype(np.int64)
        return np.stack(((ids >> 24) * 192.0, (ids >> 16 & 0xFF) * 192.0), axis=1)

    def _centres(self) -> Any:
        """(n, 2, 3): the spheres lie on the upright axis of a body that stands upright."""
        frames = self.world.graph.arrays.objects["frame"][self.objs].astype(np.float64)
        at = frames[:, None, :3] + np.array([[0.0, 0.0, 1.0]]) * self.spheres[None, :, 2:3]
        at[:, :, :2] += self._corners()[:, None, :]
        return at

    def _cell_ids(self) -> Any:
        a = self.world.graph.arrays
        slots = a.objects["cell"][self.objs]
        return np.where(slots >= 0, a.cells["id"][slots].astype(np.int64), 0)

    def state(self) -> bytes:
        """All that is left of the walks: places, rotations, cells, velocities."""
        a = self.world.graph.arrays
        parts = (
            a.objects["frame"][self.objs], a.objects["objcell_id"][self.objs],
            a.objects["transient"][self.objs], self.world.bodies.rows["velocity"][self.objs],
        )  # fmt: skip
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)

    # walking ---------------------------------------------------------------------------

    def step(self) -> None:
        """One tick for all, and a look at where they are."""
        while self.agenda and self.agenda[0][0] <= self.tick:
            _, number = heapq.heappop(self.agenda)
            heapq.heappush(self.agenda, (self.tick + self.robots[number].decide(self), number))
        for door in self.doors:
            door.step(self.tick)
        self.world.tick() if self.ground.host is None else self.ground.host.tick()
        self.tick += 1
        self.look()

    def run(self, ticks: int) -> Tally:
        """Walk for so long."""
        for _ in range(ticks):
            self.step()
        self.world.check()
        self.tally.ticks = ticks
        self.tally.jumps = sum(robot.jumps for robot in self.robots)
        self.tally.doors = sum(door.turned for door in self.doors)
        return self.tally

    def look(self) -> None:
        """Compare where everybody is with where they may be."""
        a = self.world.graph.arrays
        slots = a.objects["cell"][self.objs].astype(np.int64)
        centres, corners = self._centres(), self._corners()
        gone = slots < 0
        self._note("out of the world", gone, gone)
        finite = np.isfinite(centres).all(axis=(1, 2))
        self._note("not a number", ~finite, ~finite)
        radii = np.tile(self.spheres[:, 3], (len(self.objs), 1))
        deep, what = measure(self.solids, centres, self.before, radii)
        self._note("in a polygon", deep[:, 0], deep[:, 0] > IN_POLYGON, what[:, 0])
        self._note("in a round thing", deep[:, 1], deep[:, 1] > IN_ROUND, what[:, 1])
        self._note("through a polygon", what[:, 2] >= 0, what[:, 2] >= 0, what[:, 2])
        self._company(centres, radii)
        out, above = np.zeros(len(self.objs)), np.zeros(len(self.objs))
        held(
            np.maximum(slots, 0), centres[:, 0], corners, a.cells, a.planes, a.terrain_planes,
            a.swne, out, above,
        )  # fmt: skip
        self._note("out of its cell", out, (out > OUT_OF_CELL) & ~gone)
        under = self.spheres[0, 3] - above
        land = a.cells["kind"][slots] != ENV
        wet = a.water[a.cells["block"][slots], np.where(land, a.cells["id"][slots] - 1 & 63, 0)]
        most = UNDER_GROUND + np.where(wet != 0, DEEPEST_WATER, 0.0)
        self._note("under the ground", under, (under > most) & ~gone)
        self._thresholds(centres)
        self.before = centres

    def _company(self, centres: Any, radii: Any) -> None:
        """Who stands in somebody, or in a shut door, or went through one."""
        if not self.ground.place.peaceful:
            deep, whom = self._nearness(centres, radii)
            self._note("in another", deep, deep > IN_ROUND, whom)
            self.tally.touches += int((deep > -IN_ROUND).sum())
        for number, door in enumerate(self.doors):
            holds = door.holds
            if holds:
                depth, what = door.measure(centres, self.before, radii)
                self._note("in a shut door", depth[:, 0], depth[:, 0] > IN_POLYGON)
                if self.held[number]:
                    through = what[:, 2] >= 0
                    self._note("through a shut door", through, through)
            self.held[number] = holds

    def _nearness(self, centres: Any, radii: Any) -> Any:
        if self.people is None:
            return nearness(centres, radii)
        everybody = np.concatenate((centres, self.people.centres()))
        deep, whom = nearness(everybody, np.concatenate((radii, self.people.spheres[:, :, 3])))
        return deep[: len(centres)], whom[: len(centres)]

    def _thresholds(self, centres: Any) -> None:
        """Back in the cell that it has just left, without having walked: a ping-pong."""
        moved = np.sqrt(((centres[:, 0] - self.before[:, 0]) ** 2).sum(axis=1))
        self.tally.metres += float(moved.sum())
        self.since += moved
        now = self._cell_ids()
        changed = now != self.cells
        back = changed & (now == self.left) & (self.since < STILL)
        self._note("ping-pong", self.since, back)
        self.tally.crossings += int(changed.sum())
        self.tally.rooms += int((changed & ((now & 0xFFFF) >= 0x100)).sum())
        self.tally.cells.update(now[changed].tolist())
        self.left = np.where(changed, self.cells, self.left)
        self.since = np.where(changed, 0.0, self.since)
        self.cells = now

    def _note(self, kind: str, value: Any, wrong: Any, what: Any = None) -> None:
        for i in np.flatnonzero(wrong):
            robot = self.robots[i]
            key = (robot.walk, kind)
            known = self.bad.get(key, -(1 << 30))
            self.bad[key] = self.tick
            if known >= self.tick - 1:
                continue  # still the same fault
            row = self.world.graph.arrays.objects[robot.obj]
            x, y, z = (round(float(v), 4) for v in row["frame"][:3])
            self.tally.faults.append(
                Fault(
                    robot.walk,
                    self.tick,
                    kind,
                    round(float(value[i]), 5),
                    f"{int(row['objcell_id']):08X}",
                    (x, y, z),
                    -1 if what is None else int(what[i]),
                )
            )


@dataclass
class Progress:
    """How far a seed has come in a place."""

    seed: int
    place: str
    minutes: float
    done: int = 0
    tally: dict[str, float] = field(default_factory=dict)
    cells: list[int] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path, seed: int, place: str, minutes: float) -> Progress:
        if file.is_file():
            return cls(**json.loads(file.read_text(encoding="utf-8")))
        return cls(seed, place, minutes)

    def add(self, tally: Tally) -> None:
        self.done += tally.walks
        for name in ("metres", "jumps", "crossings", "rooms", "touches", "doors"):
            self.tally[name] = round(self.tally.get(name, 0) + getattr(tally, name), 1)
        self.cells = sorted({*self.cells, *tally.cells})
        self.faults += [asdict(fault) for fault in tally.faults]

    def save(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        beside.replace(file)


def walk(
    place: str, seed: int, count: int, minutes: float, say: Callable[[str], object],
    folder: Path = STATE, at_once: int = AT_ONCE,
) -> Progress:  # fmt: skip
    """Walk until `count` walks are done in all."""
    file = folder / f"{place}-{seed}-{minutes:g}.json"
    progress = Progress.load(file, seed, place, minutes)
    while progress.done < count:
        began = time.monotonic()
        until = min(progress.done + min(at_once, PLACES[place].most), count)
        crew = Crew(PLACES[place], seed, range(progress.done, until))
        progress.add(crew.run(round(minutes * TICKS)))
        progress.save(file)
        told = ", ".join(f"{value:g} {name}" for name, value in progress.tally.items())
        say(
            f"{place} seed {seed}: {progress.done} of {count} walks, {told}, "
            f"{len(progress.cells)} cells seen, {len(progress.faults)} faults, "
            f"{time.monotonic() - began:.0f} s"
        )
    return progress


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--place", choices=[*PLACES, "all"], default="all")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=100)
    words.add_argument("--minutes", type=float, default=10.0)
    words.add_argument("--at-once", type=int, default=AT_ONCE)
    words.add_argument("--case", type=int)
    asked = words.parse_args()
    places = list(PLACES) if asked.place == "all" else [asked.place]
    wrong = 0
    for place in places:
        if asked.case is not None:
            crew = Crew(PLACES[place], asked.seed, range(asked.case, asked.case + 1))
            faults: list[Any] = crew.run(round(asked.minutes * TICKS)).faults
        else:
            faults = walk(
                place, asked.seed, asked.count, asked.minutes,
                lambda text: print(text, flush=True), at_once=asked.at_once,
            ).faults  # fmt: skip
        for fault in faults[:10]:
            print(fault)
        wrong += len(faults)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

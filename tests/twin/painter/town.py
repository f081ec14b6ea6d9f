"""Random towns: a small world built by the program's own calls.

A world is a function of its seed. `change` lets things move, come and go, so that the painter's
permutations have something to follow.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from builders.graphs import IDENTITY
from twin.painter import looks as looks_of
from twin.painter.looks import Corner, Looks, f32
from twin.painter.places import Rooms, ground, make_rooms, models_of, shell_tree

from acclient_py.core.ids import adjust_to_outside
from acclient_py.physics import cells
from acclient_py.physics.layout import BUILDING
from acclient_py.physics.state import DEFAULT_STATE, PhysicsState
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.building import BuildingModel, BuildingPortalModel
from acclient_py.world.cell import EnvCellModel
from acclient_py.world.landblock import Landblock
from acclient_py.world.residency import get_block_orient

MIDDLE = (0x40, 0x50)
HANDS = (1, 2)
"""Holding locations that every body has; the part of one may not exist."""


@dataclass
class Place:
    """Somewhere worth standing at: block-local."""

    cell_id: int
    at: Corner


class Town:
    """One random world."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = rng = random.Random(seed)
        self.looks = Looks()
        self.bodies: list[int] = []
        self._make_bodies()
        self._make_looks()
        self.house_models = [self._house_model() for _ in range(4)]
        self.physics = PhysicsWorld(self.looks.models)
        self.physics.graph.record(True)
        self.radius = rng.choice((1, 1, 1, 2, 3))
        self.groups: list[Rooms] = []
        self.houses: list[Rooms] = []
        self.places: list[Place] = []
        self.movers: list[int] = []
        self.player = -1
        self.land: dict[int, tuple[Landblock, int]] = {}
        """By id, there or gone: the ground and the cells a side of each block of the window."""
        self.rooms: dict[int, EnvCellModel] = {}
        """By id, there or gone: the rooms."""
        self.shells: list[tuple[Rooms, int, list[BuildingPortalModel]]] = []
        """The houses: their rooms, the mesh of the shell, its portals."""
        self._make_ground()
        for _ in range(rng.choice((0, 1, 2, 3, 4))):
            self._make_house()
        for _ in range(rng.choice((0, 0, 1, 1))):
            self._make_dungeon()
        for _ in range(rng.choice((2, 6, 14, 24) if not self.crowd else (3, 7))):
            self._make_thing()
        self.count = 0

    # making -------------------------------------------------------------------------------

    def _make_bodies(self) -> None:
        rng = self.rng
        rows = [
            self.looks.gfx_row(rng, size=rng.choice((0.3, 1.0, 3.0)), slots=rng.randint(1, 4))
            for _ in range(rng.randint(3, 7))
        ]
        for row in rows:
            if rng.random() < 0.5:
                self.looks.levels[row] = self._levels(rows)
        self.crowd = rng.random() < 0.04
        """Bodies of hundreds of parts, which fill the lists to their thresholds and beyond."""
        for number in range(5):
            frames = []
            for _ in range(rng.choice((1, 1, 2, 5, 12)) if not self.crowd else 400):
                gfx = rng.choice(rows) if rng.random() < 0.95 else -1
                frames.append((gfx, self._frame(0.8)))
            holdings = {hand: (rng.choice((0, 7)), self._frame(1.5)) for hand in HANDS}
            self.bodies.append(
                self.looks.models.body(
                    0x02000001 + number, frames, spheres=[(0, 0, 0.5, 0.5)], holdings=holdings
                )
            )

    def _levels(self, rows: list[int]) -> list[tuple[int, int, float, float]]:
        rng = self.rng
        far, found = 0.0, []
        for _ in range(rng.randint(1, 3)):
            far = f32(far + rng.uniform(1, 60))
            gfx = rng.choice(rows) if rng.random() < 0.8 else -1
            found.append((gfx, rng.choice((1, 1, 2, 5)), far, f32(far + rng.uniform(0, 30))))
        return found

    def _make_looks(self) -> None:
        """Other surfaces for some of the meshes, at each of their levels."""
        rows = range(len(self.looks.models.gfx_rows))
        for look in range(1, self.rng.choice((1, 2, 4))):
            row = self.rng.choice(rows)
            count = max(1, len(self.looks.levels.get(row, ())))
            meshes = [self.looks.mesh(self.rng, self.rng.randint(1, 3)) for _ in range(count)]
            self.looks.dressed[look] = (row, meshes)

    def _dress(self, obj: int) -> None:
        """Looks and fading of an object's parts."""
        arrays = self.physics.graph.arrays
        first, count = (int(arrays.objects[n][obj]) for n in ("part_first", "part_count"))
        for part in range(first, first + count):
            fits = [k for k, (g, _) in self.looks.dressed.items() if g == arrays.parts["gfx"][part]]
            if fits and self.rng.random() < 0.6:
                arrays.parts["look"][part] = self.rng.choice(fits)
            if self.rng.random() < 0.08:
                arrays.parts["translucency"][part] = self.rng.choice((0.25, 0.5))

    def _frame(self, reach: float) -> tuple[float, ...]:
        rng = self.rng
        at = [f32(rng.choice((0.0, rng.uniform(-reach, reach)))) for _ in range(3)]
        if rng.random() < 0.6:
            return (*at, *IDENTITY[3:])
        q = [rng.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(v * v for v in q))
        return (*at, *(f32(v / size) for v in q))

    def _house_model(self) -> int:
        """The shell's mesh; its openings come with the rooms."""
        row = self.looks.gfx_row(self.rng, size=9.0, slots=self.rng.randint(1, 4))
        if self.rng.random() < 0.3:
            self.looks.levels[row] = self._levels([row])
        return int(self.looks.models.gfx_rows["id"][row])

    def _make_ground(self) -> None:
        rng, r = self.rng, self.radius
        blocks = []
        for dx in range(-r, r + 1):
            for dy in range(-r, r + 1):
                if rng.random() < 0.93:
                    side = get_block_orient(dx, dy).side
                    blocks.append((ground(rng, MIDDLE[0] + dx, MIDDLE[1] + dy), side))
        rng.shuffle(blocks)
        self.land = {b.id: (b, side) for b, side in blocks}
        self.physics.arrivals.arrive(blocks)
        self.near = [b.id for b, side in blocks if side == 8] or [0x40500000 | 0xFFFF]

    def _spot(self) -> tuple[int, Corner]:
        """A block and a point of it, near a corner or an edge as often as not."""
        rng = self.rng
        x, y = (rng.choice((rng.uniform(4, 188), 3.0, 96.0, 189.0, 24.0)) for _ in range(2))
        return rng.choice(self.near), (f32(x), f32(y), f32(rng.choice((0.0, rng.uniform(0, 40)))))

    def _rooms(self, exits: int) -> Rooms:
        block_id, at = self._spot()
        first = 0x100 + 16 * len(self.groups)
        group = make_rooms(self.rng, block_id, first, at=at, exits=exits)
        models = models_of(self.rng, group, self.looks)
        self.rng.shuffle(models)
        self.groups.append(group)
        for model in models:
            self.rooms[model.id] = model
            self.physics.arrivals.arrive((), [model])
            x, y, z = (float(v) for v in model.frame[:3])
            self.places.append(Place(model.id, (x, y, z + 1.5)))
        return group

    def _make_dungeon(self) -> None:
        self._rooms(self.rng.choice((0, 0, 1, 2, 5)))

    def _make_house(self) -> None:
        if not self.house_models:
            return
        group = self._rooms(self.rng.choice((0, 1, 2, 3, 4, 6, 9)))
        if self._shell_cell(group) < 0:
            return
        did = self.house_models.pop()
        tree, portals = shell_tree(self.rng, group)
        if tree is not None:
            self.looks.trees[self.looks.models.gfx(did)] = tree
        self.shells.append((group, did, portals))
        self.houses.append(group)
        self._raise_shell(group, did, portals)

    def _shell_cell(self, group: Rooms) -> int:
        """The slot of the land cell that owns a house; -1 where it is not there."""
        ok, cell_id, _, _ = adjust_to_outside(group.block_id, group.frame[0], group.frame[1])
        return self.physics.cell_slot(cell_id) if ok else -1

    def _raise_shell(self, group: Rooms, did: int, portals: list[BuildingPortalModel]) -> None:
        physics = self.physics
        cell = self._shell_cell(group)
        cell_id = int(physics.graph.arrays.cells["id"][cell])
        obj = physics.make_object(did, dynamic=False)
        physics.graph.arrays.objects[obj]["kind"] = BUILDING
        frame = np.array(group.frame, np.float32)
        model = BuildingModel(
            did, physics.models.setup(did), frame, cell_id, 0, tuple(portals)
        )  # fmt: skip
        made = physics.blocks.add_building(model, obj, cell)
        physics.buildings.setdefault(cell_id | 0xFFFF, []).append(made)
        cells.own_shell(physics.graph.arrays, obj, cell)
        physics.set_frame(obj, frame)

    def _make_thing(self) -> None:
        rng = self.rng
        state = int(DEFAULT_STATE)
        if rng.random() < 0.06:
            state |= PhysicsState.PARTICLE_EMITTER
        static = rng.random() < 0.4
        if static:
            state |= PhysicsState.STATIC
        obj = self.physics.make_object(
            rng.choice(self.bodies), dynamic=not static, scale=rng.choice((1.0, 1.0, 0.5, 1.7)),
            state=state,
        )  # fmt: skip
        self._dress(obj)
        if not self._put(obj):
            return
        self.movers.append(obj)
        if self.player < 0 and not static and rng.random() < 0.5:
            self.player = obj

    def _put(self, obj: int) -> bool:
        """Into some cell: a room, its threshold, open land, exactly where another stands."""
        rng = self.rng
        kind = rng.random()
        frame = list(self._frame(1.0))
        if kind < 0.6 and self.places:
            place = rng.choice(self.places)
            reach = rng.choice((0.0, 2.0, 4.0, 8.0))
            at = [p + rng.uniform(-reach, reach) for p in place.at]
            cell_id = place.cell_id
            if cell_id & 0xFFFF == 0xFFFF:
                cell_id, at[0], at[1] = self._outdoors(cell_id, at[0], at[1])
        else:
            block_id, spot = self._spot()
            at = list(spot)
            cell_id, at[0], at[1] = self._outdoors(block_id, at[0], at[1])
        cell = self.physics.cell_slot(cell_id)
        if cell < 0:
            return False
        frame[:3] = (f32(v) for v in at)
        if rng.random() < 0.01:
            frame[rng.randrange(3)] = math.nan
        self.physics.add_obj_to_cell(obj, cell, frame)
        if kind > 0.5 and not any(map(math.isnan, frame)):
            self.places.append(Place(cell_id | 0xFFFF if cell_id & 0xFFFF < 0x100 else cell_id,
                                     (frame[0], frame[1], frame[2] + 1.0)))  # fmt: skip
        return True

    @staticmethod
    def _outdoors(block_id: int, x: float, y: float) -> tuple[int, float, float]:
        ok, cell_id, px, py = adjust_to_outside(block_id, f32(x), f32(y))
        return (cell_id if ok else 0), float(px), float(py)

    # from frame to frame --------------------------------------------------------------------

    def change(self) -> None:
        """Something moves, comes, goes, or is hidden."""
        rng = self.rng
        for _ in range(rng.choice((0, 0, 1, 1, 3))):
            kind = rng.random()
            if kind < 0.2 or not self.movers:
                self._make_thing()
                continue
            obj = rng.choice(self.movers)
            if kind < 0.75:
                self.physics.leave_world(obj)
                self._put(obj)
            elif kind < 0.9:
                self.physics.set_nodraw(obj, rng.random() < 0.5)
            elif obj != self.player:
                self.movers.remove(obj)
                self.physics.leave_world(obj)

    def tables(self) -> Any:
        return looks_of.tables(self.looks, self.physics.graph.arrays)

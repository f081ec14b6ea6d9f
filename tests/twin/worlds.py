"""Random small worlds, described once and built twice: as plain objects and as the program's.

A world is a few landblocks side by side with a maze of rooms in each, buildings that stand over
block borders, statics, and a handful of bodies. All numbers are float32 values.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from twin.plain.cells import OUTSIDE, Building, EnvCell, LandCell, Portal
from twin.plain.cells import BuildingPortal as PlainBuildingPortal
from twin.plain.numbers import Frame, Plane, Vector, combine
from twin.plain.objects import NO_PART, Body, Mesh

from acclient_py.core.frame import Frame as RecordFrame
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import BuildingInfo, BuildingPortal, LandBlock, LandBlockInfo, Stab
from acclient_py.dat.records.setup import LightInfo
from acclient_py.world.cell import EnvCellModel, PortalModel, StaticModel
from acclient_py.world.landblock import Landblock, make_landblock
from acclient_py.world.models import Holding, Models, SetupModel
from acclient_py.world.pools import ALWAYS_2D, GFX_DTYPE, HAS_DRAWING, HAS_PHYSICS
from acclient_py.world.shapes import StructureModel

FLAT = np.zeros(256, np.float32)


def f32(value: float) -> float:
    return float(np.float32(value))


def rounded(frame: Frame) -> Frame:
    """The frame of float32 numbers that has a unit rotation as near as float32 has it."""
    size = math.sqrt(sum(v * v for v in frame[3:])) or 1.0
    numbers = [*frame[:3], *[v / size for v in frame[3:]]]
    return cast(Frame, tuple(f32(v) for v in numbers))


def yaw(x: float, y: float, z: float, angle: float) -> Frame:
    return rounded((x, y, z, math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)))


@dataclass
class Room:
    """An env cell as it is authored."""

    id: int
    frame: Frame
    half: Vector
    planes: list[Plane]
    portals: list[Portal]
    stabs: list[int]
    seen_outside: bool
    statics: list[tuple[int, Frame]] = field(default_factory=list)


@dataclass
class House:
    did: int
    frame: Frame
    cell_id: int
    portals: list[PlainBuildingPortal]


@dataclass
class Block:
    id: int
    rooms: list[Room] = field(default_factory=list)
    houses: list[House] = field(default_factory=list)
    statics: list[tuple[int, Frame]] = field(default_factory=list)
    spots: list[Vector] = field(default_factory=list)


@dataclass
class Description:
    meshes: list[Mesh]
    bodies: list[Body]
    blocks: list[Block]

    def body(self, did: int) -> Body | None:
        return next((body for body in self.bodies if body.did == did), None)


WALLS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
"""Axis and the side that the wall stands on."""


class Maker:
    """Draws the numbers of one world."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def number(self, low: float, high: float) -> float:
        return f32(self.rng.uniform(low, high))

    def point(self, reach: float) -> Vector:
        return self.number(-reach, reach), self.number(-reach, reach), self.number(-reach, reach)

    def turned(self, at: Vector) -> Frame:
        """A frame somewhere: straight, turned about z, or anyhow."""
        kind = self.rng.random()
        if kind < 0.25:
            return rounded((*at, 1.0, 0.0, 0.0, 0.0))
        if kind < 0.75:
            return yaw(*at, self.rng.uniform(0, 6.28))
        numbers = [self.rng.gauss(0, 1) for _ in range(4)]
        return rounded((*at, *numbers))

    def mesh(self, row: int) -> Mesh:
        size = self.rng.choice((0.4, 1.0, 2.5, 6.0, 15.0)) if not self.chance(0.02) else 300.0
        middle = self.point(size)
        half = [abs(v) + 0.05 for v in self.point(size)]
        low = tuple(f32(m - h) for m, h in zip(middle, half, strict=True))
        high = tuple(f32(m + h) for m, h in zip(middle, half, strict=True))
        reach = math.sqrt(sum(h * h for h in half))
        drawing = (middle, f32(reach * self.rng.uniform(0.4, 1.2))) if self.chance(0.85) else None
        physics = None
        if self.chance(0.3):
            physics = (self.point(size), f32(reach * self.rng.uniform(0.3, 1.2)))
        return Mesh(row, physics, drawing, cast(Any, (low, high)), self.chance(0.1))

    def body(self, did: int, meshes: list[Mesh]) -> Body:
        rng = self.rng
        parts = tuple(
            None if self.chance(0.1) else rng.choice(meshes)
            for _ in range(rng.choice((1, 1, 2, 3, 4)))
        )
        placements: dict[int, tuple[Frame, ...]] = {}
        for key in (0, 1, 0x65):
            if self.chance(0.7):
                count = len(parts) if self.chance(0.8) else rng.randint(0, len(parts))
                placements[key] = tuple(self.turned(self.point(1.5)) for _ in range(count))
        holdings = {
            where: (
                rng.choice((NO_PART, *range(len(parts)), len(parts) + 2)),
                self.turned(self.point(1.0)),
            )
            for where in (1, 2, 3)
            if self.chance(0.8)
        }
        many = 12 if self.chance(0.05) else rng.choice((0, 0, 1, 2))
        ball = lambda reach: (self.point(reach), self.number(0.1, 2.0))  # noqa: E731
        return Body(
            did,
            parts,
            placements,
            holdings,
            tuple(ball(1.0) for _ in range(many)),
            tuple(ball(0.6) for _ in range(rng.choice((0, 1, 2, 3)))),
            (self.point(0.6), self.number(0.1, 5.0)),
            tuple(self.turned(self.point(1.0)) for _ in range(rng.choice((0, 0, 1, 2)))),
        )

    def rooms(self, block: Block) -> None:
        """A maze: rooms of a grid that is turned, each with a frame of its own."""
        rng = self.rng
        wide, deep, high = rng.choice(
            ((2, 1, 1), (2, 2, 1), (3, 2, 1), (2, 2, 2), (4, 1, 1), (3, 3, 1))
        )
        edge = (self.number(4, 12), self.number(4, 12), self.number(3, 6))
        corner = rng.choice((
            (self.number(20, 150), self.number(20, 150)),
            (self.number(-6, 6), self.number(20, 150)),
            (self.number(150, 190), self.number(150, 190)),
        ))  # fmt: skip
        base = yaw(*corner, self.number(-1, 1), rng.choice((0.0, rng.uniform(0, 6.28))))
        places = [(i, j, k) for k in range(high) for j in range(deep) for i in range(wide)]
        rng.shuffle(places)
        places = places[: rng.randint(1, len(places))]
        ids = {place: block.id & 0xFFFF0000 | 0x100 + n for n, place in enumerate(places)}
        for place, cell_id in ids.items():
            half = cast(Vector, tuple(f32(e / 2) for e in edge))
            at = combine(
                base, (*[(p + 0.5) * e for p, e in zip(place, edge, strict=True)], 1, 0, 0, 0)
            )
            room = Room(cell_id, rounded(at), half, [], [], [], self.chance(0.5))
            block.spots.append(room.frame[:3])
            for axis, sign in WALLS:
                inward = [0.0, 0.0, 0.0]
                inward[axis] = float(-sign)
                if not self.chance(0.03):
                    room.planes.append(cast(Plane, (*inward, half[axis])))
                beyond = list(place)
                beyond[axis] += sign
                other = ids.get(cast(Any, tuple(beyond)))
                if other is None:
                    other = OUTSIDE if self.chance(0.35) else 0
                    if not other and self.chance(0.06):
                        other = block.id & 0xFFFF0000 | 0x140 + rng.randint(0, 3)
                if not other or self.chance(0.1):
                    continue
                plane: Plane = cast(Plane, (*inward, half[axis]))
                side = 0
                if self.chance(0.4):
                    plane, side = cast(Plane, tuple(-v for v in plane)), 1
                if self.chance(0.04):
                    side = 1 - side
                room.portals.append(Portal(plane, other, rng.randint(-1, 3), side))
            if self.chance(0.1):
                room.planes = room.planes[: rng.randint(0, 5)]
            if self.chance(0.7):
                room.planes.append((0.0, 0.0, 0.0, 0.0))
            others = list(ids.values())
            room.stabs = rng.sample(others, rng.randint(0, len(others)))
            if self.chance(0.1):
                room.stabs.append(block.id & 0xFFFF0000 | 0x150)
            block.rooms.append(room)

    def house(self, block: Block, dids: list[int]) -> None:
        rng = self.rng
        spot = rng.choice(block.spots)
        at = self.near(spot, 10.0)
        x, y = (min(max(v, 0.5), 191.5) for v in at[:2])
        frame = self.turned((f32(x), f32(y), at[2]))
        low = (int(x // 24) << 3) + int(y // 24) + 1
        portals = []
        for room in rng.sample(block.rooms, rng.randint(0, len(block.rooms))):
            outer = [i for i, p in enumerate(room.portals) if p.other_cell_id == OUTSIDE]
            index = rng.choice(outer) if outer else -1
            if not outer and room.portals and self.chance(0.3):
                index = rng.randrange(len(room.portals))
            portals.append(PlainBuildingPortal(room.id, index, rng.randint(0, 1)))
        block.houses.append(House(rng.choice(dids), frame, block.id & 0xFFFF0000 | low, portals))

    def near(self, spot: Vector, reach: float) -> Vector:
        dx, dy, dz = self.point(reach)
        return f32(spot[0] + dx), f32(spot[1] + dy), f32(spot[2] + dz / 3)

    def world(self) -> Description:
        rng = self.rng
        meshes = [self.mesh(row) for row in range(8)]
        bodies = [self.body(0x02000001 + n, meshes) for n in range(8)]
        dids = [body.did for body in bodies]
        x, y = rng.choice(((0xA9, 0xB4), (0x12, 0x34), (0, 0), (253, 253), (0x7F, 0x80)))
        wanted = rng.sample(
            [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)], rng.choice((1, 2, 2, 3))
        )
        blocks = []
        for bx, by in wanted:
            block = Block(bx << 24 | by << 16 | 0xFFFF)
            if self.chance(0.85):
                self.rooms(block)
            block.spots += [(self.number(0, 192), self.number(0, 192), 0.0) for _ in range(2)]
            block.spots += [(self.number(-2, 2), self.number(0, 192), 0.0)]
            block.spots += [(self.number(0, 192), self.number(190, 194), 0.0)]
            if block.rooms:
                for _ in range(rng.choice((0, 1, 1, 2))):
                    self.house(block, dids)
                for room in block.rooms:
                    for _ in range(rng.choice((0, 0, 1, 2))):
                        did = 0 if self.chance(0.1) else rng.choice(dids)
                        room.statics.append((did, self.turned(self.near(room.frame[:3], 4.0))))
            for _ in range(rng.choice((0, 1, 2, 4))):
                at = self.near(rng.choice(block.spots), 12.0)
                block.statics.append((rng.choice(dids), self.turned(at)))
            blocks.append(block)
        return Description(meshes, bodies, blocks)


# the plain world ----------------------------------------------------------------------


def plain_land(block: Block) -> list[LandCell]:
    """The 64 land cells of a block with its buildings: the first of a cell wins (1.6)."""
    made = []
    for low in range(1, 65):
        index = low - 1
        centre = ((2 * (index >> 3) + 1) * 12.0, (2 * (index & 7) + 1) * 12.0, 0.0)
        made.append(LandCell(block.id & 0xFFFF0000 | low, (*centre, 1.0, 0.0, 0.0, 0.0)))
    for house in block.houses:
        cell = made[(house.cell_id & 0xFFFF) - 1]
        if cell.building is None:
            cell.building = Building(house.portals)
    return made


def plain_env(room: Room) -> EnvCell:
    return EnvCell(
        room.id,
        room.frame,
        planes=room.planes,
        portals=room.portals,
        stabs=room.stabs,
        seen_outside=room.seen_outside,
    )


# the program's world ------------------------------------------------------------------


class NoFiles:
    """A DAT set without a file."""

    def has(self, did: int) -> bool:
        return False


def array(frame: Frame) -> Any:
    return np.array(frame, np.float32)


def balls(spheres: Any) -> Any:
    return np.array([(*c, r) for c, r in spheres], np.float32).reshape(-1, 4)


def models_of(world: Description) -> Models:
    """The bodies in the program's pools, without files."""
    models = Models(cast(DatSet, NoFiles()))
    for mesh in world.meshes:
        row = np.zeros(1, GFX_DTYPE)
        row["id"] = 0x01000001 + mesh.row
        row["bsp_root"] = row["degrade"] = -1
        flags = ALWAYS_2D if mesh.always_2d else 0
        for name, sphere, bit in (
            ("physics_sphere", mesh.physics, HAS_PHYSICS),
            ("drawing_sphere", mesh.drawing, HAS_DRAWING),
        ):
            if sphere is not None:
                flags |= bit
                row[name] = (*sphere[0], sphere[1])
        row["flags"] = flags
        row["box_min"], row["box_max"] = mesh.box
        models._records.append(None)
        models._gfx_of[0x01000001 + mesh.row] = models._gfx.append(row)
    for body in world.bodies:
        models._setups[body.did] = setup_of(body)
    return models


def setup_of(body: Body) -> SetupModel:
    return SetupModel(
        body.did,
        np.array([-1 if mesh is None else mesh.row for mesh in body.meshes], np.int32),
        np.ones((len(body.meshes), 3), np.float32),
        {
            key: np.array(frames, np.float32).reshape(-1, 7)
            for key, frames in body.placements.items()
        },
        {where: Holding(part, array(frame)) for where, (part, frame) in body.holdings.items()},
        np.array([(*c, r, 1.0) for c, r in body.cylinders], np.float32).reshape(-1, 5),
        balls(body.spheres),
        np.array((*body.sorting[0], body.sorting[1]), np.float32),
        np.array((*body.sorting[0], body.sorting[1]), np.float32),
        lights=tuple(
            LightInfo(n, RecordFrame.of(array(frame)), 0xFFFFFFFF, 1.0, 5.0, 0.0)
            for n, frame in enumerate(body.lights)
        ),
        has_physics_bsp=body.has_physics_bsp,
    )


def env_model(room: Room) -> EnvCellModel:
    planes = np.array(room.planes, np.float32).reshape(-1, 4)
    low, high = np.array([-v for v in room.half]), np.array(room.half)
    structure = StructureModel(
        0x0D000001, 0, cast(Any, SimpleNamespace()), planes, 0, {}, -1,
        low.astype(np.float32), high.astype(np.float32),
    )  # fmt: skip
    portals = tuple(
        PortalModel(
            portal.other_cell_id, portal.side, portal.other_portal_id, False,
            np.array(portal.plane, np.float32), np.zeros((0, 3), np.float32),
        )
        for portal in room.portals
    )  # fmt: skip
    return EnvCellModel(
        room.id, array(room.frame), structure, (), portals, tuple(room.stabs), room.seen_outside,
        tuple(StaticModel(did, array(frame)) for did, frame in room.statics), 0,
    )  # fmt: skip


def landblock_of_block(block: Block) -> Landblock:
    record = LandBlock(block.id, 1, np.zeros(81, np.uint16), np.zeros(81, np.uint8))
    houses = tuple(
        BuildingInfo(
            house.did,
            RecordFrame.of(array(house.frame)),
            0,
            tuple(
                BuildingPortal(
                    0 if p.side else 2, p.other_cell_id & 0xFFFF, p.other_portal_id & 0xFFFF, ()
                )
                for p in house.portals
            ),
        )
        for house in block.houses
    )
    stabs = tuple(Stab(did, RecordFrame.of(array(frame))) for did, frame in block.statics)
    info = LandBlockInfo(block.id & 0xFFFF0000 | 0xFFFE, 0, stabs, houses)
    return make_landblock(record, FLAT, info, block_id=block.id)

"""Tiny worlds in code: models without files, rooms of planes, flat blocks, armed walkers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from acclient_py.core import F32
from acclient_py.dat.records.setup import LightInfo
from acclient_py.errors import MissingRecord
from acclient_py.physics.state import DEFAULT_STATE, PhysicsState
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world.building import BuildingModel, BuildingPortalModel
from acclient_py.world.cell import EnvCellModel, PortalModel, StaticModel
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Holding, Models, SetupModel
from acclient_py.world.pools import ALWAYS_2D, GFX_DTYPE, HAS_DRAWING, HAS_PHYSICS
from acclient_py.world.shapes import StructureModel

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
OUTSIDE = 0xFFFFFFFF


class NoDats:
    """A DAT set without files: every look-up says so."""

    def has(self, record_id: int) -> bool:
        return False

    def record(self, record_id: int) -> Any:
        raise MissingRecord(record_id)

    def ids(self, kind: int) -> Iterator[int]:
        return iter(())


class BuiltModels(Models):
    """Models made by calls instead of records."""

    def __init__(self) -> None:
        super().__init__(NoDats())  # type: ignore[arg-type]

    def box(
        self, did: int, low: Sequence[float], high: Sequence[float], *, sphere: float | None = None,
        centre: Sequence[float] | None = None, bsp: bool = False, flat: bool = False,
        nothing: bool = False,
    ) -> int:  # fmt: skip
        """A mesh with these bounds; its sphere about the middle unless told."""
        low_, high_ = np.array(low, np.float32), np.array(high, np.float32)
        row = np.zeros(1, GFX_DTYPE)
        middle = (low_ + high_) / 2 if centre is None else np.array(centre, np.float32)
        radius = float(np.linalg.norm(high_ - low_)) / 2 if sphere is None else sphere
        row["id"], row["bsp_root"], row["degrade"] = did, -1, -1
        row["box_min"], row["box_max"] = low_, high_
        row["drawing_sphere"] = row["physics_sphere"] = (*middle, radius)
        kind = 0 if nothing else HAS_PHYSICS if bsp else HAS_DRAWING
        row["flags"] = kind | (ALWAYS_2D if flat else 0)
        self._records.append(None)
        index = self._gfx.append(row)
        self._gfx_of[did] = index
        return index

    def body(
        self, did: int, parts: Sequence[tuple[int, Sequence[float]]], *,
        holdings: dict[int, tuple[int, Sequence[float]]] | None = None,
        cylspheres: Sequence[Sequence[float]] = (), spheres: Sequence[Sequence[float]] = (),
        sorting: Sequence[float] = (0, 0, 0.5, 0.5), lights: int = 0, bsp: bool = False,
        placements: dict[int, Sequence[Sequence[float]]] | None = None,
    ) -> int:  # fmt: skip
        """A Setup of parts (mesh row or -1, frame); returns the id."""
        poses = {0: np.array([frame for _, frame in parts], np.float32).reshape(-1, 7)}
        for key, frames in (placements or {}).items():
            poses[key] = np.array(frames, np.float32)
        from acclient_py.core.frame import Frame

        light = LightInfo(0, Frame((0, 0, 1)), 0xFFFFFFFF, 1.0, 5.0, 0.0)
        self._setups[did] = SetupModel(
            did,
            np.array([gfx for gfx, _ in parts], np.int32),
            np.ones((len(parts), 3), np.float32),
            poses,
            {
                key: Holding(part, np.array(frame, np.float32))
                for key, (part, frame) in (holdings or {}).items()
            },
            np.array(cylspheres, np.float32).reshape(-1, 5),
            np.array(spheres, np.float32).reshape(-1, 4),
            np.array(sorting, np.float32),
            np.array(sorting, np.float32),
            height=1.8,
            radius=0.5,
            step_up=0.6,
            step_down=1.5,
            lights=(light,) * lights,
            has_physics_bsp=bsp,
        )
        return did


def box_planes(low: Sequence[float], high: Sequence[float]) -> F32:
    """Six inward planes."""
    return np.array(
        [
            [1, 0, 0, -low[0]], [-1, 0, 0, high[0]], [0, 1, 0, -low[1]],
            [0, -1, 0, high[1]], [0, 0, 1, -low[2]], [0, 0, -1, high[2]],
        ],
        np.float32,
    )  # fmt: skip


def door(plane: Sequence[float], side: int, other: int, other_portal: int = 0) -> PortalModel:
    """A portal in a plane of the cell's frame; `side` is where the cell's interior lies."""
    corners = np.zeros((4, 3), np.float32)
    return PortalModel(other, side, other_portal, True, np.array(plane, np.float32), corners)


def room(
    cell_id: int, low: Sequence[float], high: Sequence[float], portals: Sequence[PortalModel] = (),
    *, stabs: Sequence[int] = (), seen_outside: bool = False, frame: Sequence[float] = IDENTITY,
    statics: Sequence[tuple[int, Sequence[float]]] = (),
) -> EnvCellModel:  # fmt: skip
    """An env cell that is a box in its own frame."""
    planes = box_planes(low, high)
    structure = StructureModel(
        0, 0, None, planes, 0, {}, -1,  # type: ignore[arg-type]
        np.array(low, np.float32), np.array(high, np.float32),
    )  # fmt: skip
    return EnvCellModel(
        cell_id, np.array(frame, np.float32), structure, (), tuple(portals), tuple(stabs),
        seen_outside, tuple(StaticModel(did, np.array(f, np.float32)) for did, f in statics), 0,
    )  # fmt: skip


def block(x: int, y: int, *, height: float = 0.0) -> Landblock:
    """A flat block without anything on it."""
    planes = np.zeros((64, 2, 4), np.float32)
    planes[..., 2] = 1
    planes[..., 3] = -height
    return Landblock(
        x << 24 | y << 16 | 0xFFFF,
        np.full((9, 9), height, np.float32),
        np.zeros(64, bool),
        planes,
        np.zeros(64, np.uint8),
        0,
        np.zeros(81, np.uint16),
        np.zeros(81, np.uint8),
        np.zeros(256, np.float32),
        height,
        height + 200,
    )


def raise_house(
    world: PhysicsWorld, model: int, cell_id: int, portals: Sequence[tuple[int, int]]
) -> int:
    """Put a building on a land cell by hand; the row of `buildings`."""
    from acclient_py.physics import cells
    from acclient_py.physics.layout import BUILDING

    obj = world.make_object(model, dynamic=False)
    world.graph.arrays.objects[obj]["kind"] = BUILDING
    made = BuildingModel(
        model,
        world.models.setup(model),
        np.array(IDENTITY, np.float32),
        cell_id,
        0,
        tuple(BuildingPortalModel(other, index, 0, True, ()) for other, index in portals),
    )
    cell = world.cell_slot(cell_id)
    row = world.blocks.add_building(made, obj, cell)
    world.buildings.setdefault(cell_id | 0xFFFF, []).append(row)
    cells.own_shell(world.graph.arrays, obj, cell)
    return row


MAN, SWORD, SHIELD, CHARM, LAMP, CRATE, PILLAR, GHOST, HOLLOW = range(0x02000001, 0x0200000A)
PLAYER, CREATURE = (0x50000001, 3), (0x80000001, 0)


def models() -> BuiltModels:
    """A man of two parts with two hands, things to hold, a lamp, a crate, a pillar, a ghost."""
    made = BuiltModels()
    body = made.box(0x01000001, (-0.3, -0.3, 0), (0.3, 0.3, 1.0))
    head = made.box(0x01000002, (-0.2, -0.2, 0), (0.2, 0.2, 0.4))
    blade = made.box(0x01000003, (-0.05, 0, -0.05), (0.05, 1.0, 0.05))
    crate = made.box(0x01000004, (-1, -1, 0), (1, 1, 1.5), bsp=True)
    plain = made.box(0x01000005, (-1, -1, 0), (1, 1, 1.5))
    hand = (0.3, 0.2, 0.3, 1, 0, 0, 0)
    made.body(
        MAN, [(body, IDENTITY), (head, (0, 0, 1.0, 1, 0, 0, 0))],
        holdings={1: (1, hand), 2: (0, hand), 3: (7, hand)},
        spheres=[(0, 0, 0.475, 0.48), (0, 0, 1.35, 0.48)],
    )  # fmt: skip
    for did in (SWORD, SHIELD, CHARM):
        made.body(did, [(blade, IDENTITY)], holdings={1: (0, hand)})
    made.body(LAMP, [(plain, IDENTITY)], lights=2, holdings={1: (0, hand)})
    made.body(CRATE, [(crate, IDENTITY)], bsp=True)
    made.body(PILLAR, [(plain, IDENTITY)], cylspheres=[(0, 0, 0, 1.0, 4.0)])
    made.body(GHOST, [(plain, IDENTITY)])
    made.body(HOLLOW, [(-1, IDENTITY), (plain, IDENTITY)])
    return made


def open_land(*, side: int = 3, at: tuple[int, int] = (0x10, 0x20)) -> PhysicsWorld:
    """A world of side x side flat blocks, the first at `at`."""
    world = PhysicsWorld(models())
    blocks = [(block(at[0] + i, at[1] + j), 8) for i in range(side) for j in range(side)]
    world.arrivals.arrive(blocks)
    return world


def two_rooms(world: PhysicsWorld | None = None, base: int = 0x12340000) -> PhysicsWorld:
    """A [0,10]^2 x [0,5] to the west, B beside it to the east, one door at x = 10."""
    world = world or PhysicsWorld(models())
    a, b = base | 0x100, base | 0x101
    world.arrivals.arrive(
        (),
        [
            room(a, (0, 0, 0), (10, 10, 5), [door((1, 0, 0, -10), 1, b)], stabs=[b]),
            room(b, (10, 0, 0), (20, 10, 5), [door((1, 0, 0, -10), 0, a)], stabs=[a]),
        ],
    )
    return world


def put(world: PhysicsWorld, did: int, cell_id: int, *at: float, guid: int = 0, **more: Any) -> int:
    """A new object in a cell at a place, dynamic unless told."""
    obj = world.make_object(did, guid=guid, **more)
    world.add_obj_to_cell(obj, world.cell_slot(cell_id), (*at, 1, 0, 0, 0))
    return obj


def armed(world: PhysicsWorld, who: tuple[int, int], cell_id: int, *at: float) -> list[int]:
    """[bearer, sword, shield, charm on the sword], the bearer in a cell."""
    man = put(world, MAN, cell_id, *at, guid=who[0], instance=who[1])
    sword, shield, charm = (world.make_object(d, guid=d) for d in (SWORD, SHIELD, CHARM))
    for child, parent, where in ((sword, man, 1), (shield, man, 2), (charm, sword, 1)):
        assert world.set_parent(child, parent, where) is None, "the attach was refused"
    return [man, sword, shield, charm]


def cells_of(world: PhysicsWorld, obj: int) -> list[int]:
    """The ids of an object's shadows, in order."""
    return [int(i) for i in world.graph.shadows_on(obj)["cell_id"]]


def holders_of(world: PhysicsWorld, cell_id: int) -> list[int]:
    """Whose shadows a cell lists, in order."""
    graph = world.graph
    return [
        int(graph.arrays.shadows["object"][s]) for s in graph.shadows_of(world.cell_slot(cell_id))
    ]


def parts_in(world: PhysicsWorld, cell_id: int) -> list[tuple[int, int]]:
    """(object, part index) of a cell's part list, in order."""
    entries = world.graph.parts_of(world.cell_slot(cell_id))
    return [(int(e["object"]), int(e["part_index"])) for e in entries]


def objects_in(world: PhysicsWorld, cell_id: int) -> list[int]:
    """A cell's object list, in order."""
    return world.graph.objects_of(world.cell_slot(cell_id))


STATIC_STATE = int(DEFAULT_STATE | PhysicsState.STATIC)
EMITTER_STATE = int(DEFAULT_STATE | PhysicsState.PARTICLE_EMITTER)

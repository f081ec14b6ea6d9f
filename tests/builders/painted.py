"""A painter's stage in code: flat blocks, houses of one room with windows, given surfaces.

What is painted comes back as rows (twin/painter/told.py), so a test reads the frame as a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from builders.graphs import IDENTITY, block, box_planes
from twin.painter.looks import Corner, Looks, tables
from twin.painter.places import OUTSIDE, SIZE, TALL, plane_of, wall
from twin.painter.reading import Node, Opening
from twin.painter.surfaces import Row
from twin.painter.told import rows_of

from acclient_py.order.painter import Landscape, Painter, SkyObjects, SkyPasses
from acclient_py.physics import cells
from acclient_py.physics.layout import BUILDING
from acclient_py.physics.world import PhysicsWorld
from acclient_py.view.camera import Pose, lens
from acclient_py.world.building import BuildingModel, BuildingPortalModel
from acclient_py.world.cell import EnvCellModel, PortalModel
from acclient_py.world.residency import get_block_orient
from acclient_py.world.shapes import StructureModel

X, Y = 0x40, 0x50
BLOCK = X << 24 | Y << 16
IMAGE, ALPHA, CLIP, SOLID = 0x2, 0x102, 0x4, 0x1

Window = tuple[int, int, float, float]
"""The axis of its wall, which of the two walls, and from where to where it goes along it."""


class Stage:
    """Land, houses and things; `paint` walks a frame of it with one painter."""

    def __init__(self, *, radius: int = 1) -> None:
        self.looks = Looks()
        self.physics = PhysicsWorld(self.looks.models)
        self.painter = Painter()
        self.radius = radius
        around = range(-radius, radius + 1)
        self.physics.arrivals.arrive(
            [(block(X + i, Y + j), get_block_orient(i, j).side) for i in around for j in around]
        )
        self._rooms = self._things = 0

    def mesh(self, *kinds: int, half: float = 0.5) -> int:
        """A cube about its origin with one surface slot a type word; its gfx row."""
        low, high = (-half,) * 3, (half,) * 3
        row = self.looks.models.box(0x01000001 + len(self.looks.models.gfx_rows), low, high)
        while len(self.looks.kinds) < row:
            self.looks.kinds.append([])
        self.looks.kinds.insert(row, [(kind, False, False) for kind in kinds])
        for cell_id, mesh in self.looks.cell_meshes.items():
            self.looks.cell_meshes[cell_id] = mesh + (mesh >= row)
        return row

    def put(self, x: float, y: float, z: float, *meshes: int, cell_id: int = 0) -> int:
        """An object of these parts, in a room or on the middle block."""
        did = 0x02000001 + len(self.looks.models._setups)
        self.looks.models.body(did, [(mesh, IDENTITY) for mesh in meshes])
        self._things += 1
        obj = self.physics.make_object(did, guid=0x80000000 + self._things)
        cell_id = cell_id or BLOCK | (int(x // 24) * 8 + int(y // 24) + 1)
        self.physics.add_obj_to_cell(obj, self.physics.cell_slot(cell_id), (x, y, z, 1, 0, 0, 0))
        return obj

    def room(
        self, x: float, y: float, windows: Sequence[Window], *kinds: int,
        doors: Sequence[tuple[Window, int, int]] = (),
    ) -> int:  # fmt: skip
        """A room with windows to the outside; its id.

        kinds : surfaces of its walls ; doors : to other rooms, their id and which portal of theirs
        """
        cell_id = BLOCK | (0x100 + self._rooms)
        self._rooms += 1
        portals = []
        openings = [*((window, OUTSIDE, -1) for window in windows), *doors]
        for index, (window, other, other_portal) in enumerate(openings):
            corners = window_corners(window)
            side = 0 if window[1] < 0 else 1
            made: Any = np.array(corners, np.float32)
            portals.append(PortalModel(other, side, other_portal, True, plane_of(corners), made))
            self.looks.corners_of[cell_id, index] = tuple(corners)
        low, high = (-SIZE, -SIZE, 0.0), (SIZE, SIZE, TALL)
        structure = StructureModel(
            0, 0, None, box_planes(low, high), 0, {}, -1,  # type: ignore[arg-type]
            np.array(low, np.float32), np.array(high, np.float32),
        )  # fmt: skip
        frame = np.array((x, y, 0, 1, 0, 0, 0), np.float32)
        model = EnvCellModel(cell_id, frame, structure, (), tuple(portals), (), True, (), 0)
        self.looks.kinds.append([(kind, False, False) for kind in kinds or (IMAGE,)])
        self.looks.cell_meshes[cell_id] = len(self.looks.kinds) - 1
        self.physics.arrivals.arrive((), [model])
        return cell_id

    def house(
        self, x: float, y: float, windows: Sequence[Window], *kinds: int, back: bool = False
    ) -> tuple[int, int]:
        """A shell round a room of the same windows: (row of `buildings`, the room's id).

        back : a second room, without windows, behind a door in the northern wall; only the list of
               the building's portals names it
        """
        shell = self.mesh(*(kinds or (IMAGE,)), half=SIZE)
        here = BLOCK | (0x100 + self._rooms)
        doors = [((1, 1, -3.0, 3.0), here + 1, 0)] if back else []
        cell_id = self.room(x, y, windows, doors=doors)
        listed = (cell_id, here + 1) if back else (cell_id,)
        if back:
            door = (1, -1, -3.0, 3.0), cell_id, len(windows)
            self.room(x, y + 2 * SIZE, (), doors=[door])
        tree: Node | None = None
        portals = []
        for index, window in enumerate(windows):
            corners = window_corners(window)
            plane = tuple(plane_of(corners))
            tree = Node(plane, None, tree, (Opening(plane, tuple(corners), index),))  # type: ignore[arg-type]
            side = 1 if window[1] < 0 else 0
            portals.append(BuildingPortalModel(cell_id, index, side, True, listed))
        if tree is not None:
            self.looks.trees[shell] = tree
        physics = self.physics
        did = int(self.looks.models.gfx_rows["id"][shell])
        obj = physics.make_object(did, dynamic=False)
        physics.graph.arrays.objects[obj]["kind"] = BUILDING
        frame = np.array((x, y, 0, 1, 0, 0, 0), np.float32)
        land = physics.cell_slot(BLOCK | (int(x // 24) * 8 + int(y // 24) + 1))
        model = BuildingModel(
            did, physics.models.setup(did), frame, int(physics.graph.arrays.cells["id"][land]), 0,
            tuple(portals),
        )  # fmt: skip
        made = physics.blocks.add_building(model, obj, land)
        physics.buildings.setdefault(BLOCK | 0xFFFF, []).append(made)
        cells.own_shell(physics.graph.arrays, obj, land)
        physics.set_frame(obj, frame)
        return made, cell_id

    def paint(
        self, cell_id: int, eye: Corner, target: Corner, *, player: int = -1, sky: bool = True
    ) -> list[Row]:
        """A frame from a place of the middle block, with an empty sky."""
        meshes, portals = tables(self.looks, self.physics.graph.arrays)
        none = SkyObjects(
            np.zeros(1, np.int32), np.zeros((1, 16), np.float32), np.zeros((1, 3), np.float32), 0
        )
        records = self.painter.paint(
            self.physics.graph.views(), meshes, portals,
            lens(Pose.looking_at(cell_id, eye, target), (320, 180)),
            Landscape(X, Y, self.radius), gfx=self.looks.models.gfx_rows,
            sky=SkyPasses(none, none) if sky else None, player=player, marks=True,
        )  # fmt: skip
        return rows_of(records)


def window_corners(window: Window) -> list[Corner]:
    """The polygon of a window, in the room's frame."""
    axis, way, low, high = window
    return wall(axis, way * SIZE, low, high, 2.5, 0.5)


def words(rows: Sequence[Row], *wanted: str) -> list[str]:
    """The kinds of rows in order, of those that are wanted."""
    return [row[0] for row in rows if row[0] in wanted]


def seen(rows: Sequence[Row]) -> list[int]:
    """The land cells whose ground is drawn, in order."""
    return [row[1] for row in rows if row[0] == "terrain"]

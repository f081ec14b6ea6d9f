"""A baked world for the plain walk: its looks read from the records, and one frame of it.

What the renderer made of the same records (mesh tables, openings, deferral bytes) is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from builders.places import Place
from twin.painter import ladder
from twin.painter.memory import Memory
from twin.painter.reading import Gfx, Level, Node, Opening, Picture, Slot
from twin.painter.surfaces import Row
from twin.painter.telling import default_view, eye_of
from twin.painter.told import first_difference, rows_of
from twin.painter.turns import Detail, Lamp, Lamps, Sky, Window
from twin.painter.walk import Frame

from acclient_py.dat.records.bsp import PORT
from acclient_py.kernels.draw import SEALS
from acclient_py.order.transcript import write_frame
from acclient_py.render.frame import FrameRenderer
from acclient_py.transcript.events import Recorder
from acclient_py.world.pools import polygon_planes

Corners = tuple[tuple[float, float, float], ...]
SECOND_SURFACE = 2
"""Sides type of a polygon with a surface of its own on its back."""


class Records:
    """What the plain walk is told of looks, from GfxObj, Environment, EnvCell and Surface."""

    def __init__(self, place: Place) -> None:
        self._dats, self._models = place.models.dats, place.models
        region = place.region
        self._details = {
            which: bool(region.detail(which)[0]) for which in ("building", "environment")
        }
        self._gfx: dict[int, Gfx] = {}
        self._cells: dict[int, tuple[Slot, ...] | None] = {}
        self._corners: dict[tuple[int, int], Corners] = {}

    @property
    def detail(self) -> Detail:
        return Detail(self._details["building"], self._details["environment"])

    def slots(self, polygons: Any, surfaces: Sequence[int], place: str) -> tuple[Slot, ...]:
        """The surface slots of a built mesh in ascending order (rendering 1.4, 2.1)."""
        used: dict[int, bool] = {}
        for polygon in polygons:
            if len(polygon.vertex_indices) < 3:
                continue
            if polygon.pos_surface >= 0:
                stippled = bool(polygon.stippling)
                used[polygon.pos_surface] = used.get(polygon.pos_surface, False) or stippled
            if polygon.sides == SECOND_SURFACE and polygon.neg_surface >= 0:
                used.setdefault(polygon.neg_surface, False)
        found = []
        for index in sorted(used):
            kind = int(self._dats.record(surfaces[index]).type)
            slot = ladder.slot_of(kind, stippled=used[index])
            found.append(Slot(slot.mask, slot.state, slot.textured, self._details[place]))
        return tuple(found)

    def gfx(self, row: int) -> Gfx:
        if row not in self._gfx:
            r = self._models.gfx_rows[row]
            record = self._models.gfx_record(row)
            assert record is not None, "a sound world"
            levels: tuple[Level, ...] = ()
            if record.degrade_id:
                levels = tuple(
                    Level(
                        self._models.gfx(level.model_id), level.mode, level.ideal_distance,
                        level.max_distance,
                    )
                    for level in self._dats.record(record.degrade_id).levels
                )  # fmt: skip
            self._gfx[row] = Gfx(
                row, self.slots(record.polygons, record.surfaces, "building"), levels,
                tuple(r["sort_center"]), tuple(r["drawing_sphere"]), self._tree(record),
            )  # fmt: skip
        return self._gfx[row]

    def _tree(self, record: Any) -> Node | None:
        """What RemoveNonPortalNodes @0x0053A040 leaves of a drawing tree."""
        tree = record.drawing_bsp
        if tree is None or not len(tree.portals):
            return None

        def node(at: int) -> Node | None:
            if at < 0:
                return None
            row = tree.nodes[at]
            positive, negative = node(int(row["positive"])), node(int(row["negative"]))
            openings = []
            if int(row["tag"]) == PORT:
                for polygon, portal in tree.portals_of(at).tolist():
                    corners = self._polygon(record, polygon)
                    plane = tuple(polygon_planes(np.array([corners], np.float32))[0])
                    openings.append(Opening(plane, corners, portal))
            elif positive is None or negative is None:
                return positive or negative
            return Node(tuple(row["plane"]), positive, negative, tuple(openings))

        return node(0)

    @staticmethod
    def _polygon(record: Any, number: int) -> Corners:
        places = record.vertices.positions
        return tuple(
            tuple(float(v) for v in places[i]) for i in record.polygons[number].vertex_indices
        )

    def look_slots(self, look: int, level: int) -> tuple[Slot, ...] | None:
        return None  # a look changes pictures, no slot

    def _cell(self, cell_id: int) -> None:
        cell = self._dats.record(cell_id)
        structures = self._dats.record(cell.environment_id).structures
        structure = structures[cell.structure_index]
        self._cells[cell_id] = None
        if structure.drawing_bsp is not None:
            self._cells[cell_id] = self.slots(structure.polygons, cell.surfaces, "environment")
        for index, portal in enumerate(cell.portals):
            self._corners[cell_id, index] = self._polygon(structure, portal.polygon_id)

    def cell_slots(self, cell_id: int) -> tuple[Slot, ...] | None:
        if cell_id not in self._cells:
            self._cell(cell_id)
        return self._cells[cell_id]

    def corners(self, cell_id: int, portal: int) -> Corners:
        return self._corners[cell_id, portal]


class BothOf:
    """A baked world with the program's renderer and the plain walk beside it."""

    def __init__(self, place: Place, renderer: FrameRenderer) -> None:
        self.place, self.renderer = place, renderer
        self.records = Records(place)
        self.memory = Memory()
        place.physics.graph.record(True)

    def frame(self) -> tuple[list[Row], list[Row]]:
        """The rows of the next frame: the program's, the plain walk's."""
        place, renderer = self.place, self.renderer
        scene, pose = place.maker.scene(), place.maker.pose()
        renderer.draw(scene, pose, marks=True)
        painter = renderer.painter
        program = rows_of(painter.records, painter.portal_vertices, painter.instances)
        if painter.view_source == "exits":
            program += [("view", *map(tuple, view.tolist())) for view in painter.view_polygons()]

        passes = painter._sky_of
        sky = None
        if passes is not None:
            before, after = (
                tuple(p.gfx[: p.count].tolist()) for p in (passes.before, passes.after)
            )
            sky = Sky(before, after)
        lamplight = renderer.assets.lamplight
        rows = [
            Lamp(tuple(row[:3].tolist()), float(row[11]))
            for row in lamplight.lamps[: lamplight.dynamic + lamplight.static]
        ]
        eye = renderer.lens
        assert eye is not None, "a frame has been drawn"
        centre = scene.load_block or (pose.block_x, pose.block_y)
        self.memory.follow(place.physics.graph.drain_events())
        frame = Frame(
            Picture(place.physics, self.records), self.memory, eye_of(eye), default_view(eye),
            Window(*centre, scene.radius), sky=sky, player=scene.player,
            detail=self.records.detail,
            lamps=Lamps(tuple(rows[: lamplight.dynamic]), tuple(rows[lamplight.dynamic :])),
        )  # fmt: skip
        with np.errstate(all="ignore"):
            plain = frame.paint()
        return program, plain + [("view", *view.points) for view in frame.outer]

    def difference(self) -> str | None:
        """Where the two walks of the next frame part."""
        return first_difference(*self.frame())

    def told(self) -> list[dict[str, Any]]:
        """The events of the last frame."""
        recorder = Recorder()
        write_frame(recorder, self.renderer.painter, self.place.physics, self.renderer.size)
        return recorder.events

    def agree_on_seals(self) -> None:
        """After a decision that could go either way: go on from the program's count."""
        self.memory.seals = int(self.renderer.painter.counters[SEALS])

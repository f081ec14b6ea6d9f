"""One world, many eyes, both painters: rows are compared frame by frame."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from twin.painter.memory import Memory
from twin.painter.numbers import doubt
from twin.painter.reading import Picture
from twin.painter.scenes import Scene, Scenes
from twin.painter.surfaces import Row
from twin.painter.told import first_difference, key, rows_of
from twin.painter.turns import Lamps
from twin.painter.views import Eye, View
from twin.painter.walk import Frame

from acclient_py.core import F32
from acclient_py.kernels.draw import DETAIL_BUILDINGS, DETAIL_CELLS
from acclient_py.kernels.lamps import MAX_LAMPS
from acclient_py.order.painter import Landscape, Painter
from acclient_py.view.camera import Lens

CLOSE = 1e-5
"""A decision nearer to its threshold than this may go either way."""


def eye_of(lens: Lens) -> Eye:
    """What the plain walk takes of a lens."""
    vectors = [tuple(float(v) for v in row) for row in lens.basis]
    matrix: Any = lens.world_to_clip
    return Eye(
        lens.pose.cell_id, tuple(lens.eye), vectors[0], vectors[1], vectors[2],  # type: ignore[arg-type]
        lens.size, tuple(lens.planes[0]), matrix.astype(np.float64).tolist(),
    )  # fmt: skip


def default_view(lens: Lens) -> View:
    """The whole picture, with the planes that the lens has."""
    width, height = (float(v) for v in lens.size)
    planes = tuple(tuple(row) for row in lens.planes[: lens.plane_count])
    return View(((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), planes)


def lamp_rows(lamps: Lamps | None) -> tuple[F32, int, int] | None:
    """Lamps as the painter takes them (`kernels/lamps.py`)."""
    if lamps is None:
        return None
    rows: F32 = np.zeros((MAX_LAMPS, 16), np.float32)
    for row, lamp in zip(rows, (*lamps.moving, *lamps.standing), strict=False):
        row[:3], row[11] = lamp.at, lamp.falloff
    return rows, len(lamps.moving), len(lamps.standing)


@dataclass
class Told:
    """What came of one world."""

    seed: int
    frames: int = 0
    scenes: int = 0
    """Frames that draw something else than every frame of the world before them."""
    rows: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    """How often each kind of row was told."""
    undecided: int = 0
    difference: str = ""


class Both:
    """A town with the program's painter and the plain one."""

    def __init__(self, seed: int) -> None:
        self.town = Scenes(seed)
        self.painter = Painter()
        self.memory = Memory()

    def program(self, scene: Scene) -> list[Row]:
        arrays = self.town.physics.graph.views()
        meshes, portals = self.town.tables()
        w = scene.window
        records = self.painter.paint(
            arrays, meshes, portals, scene.lens, Landscape(w.x, w.y, w.radius),
            gfx=self.town.looks.models.gfx_rows, sky=scene.passes, player=scene.player,
            detail=DETAIL_BUILDINGS * scene.detail.buildings + DETAIL_CELLS * scene.detail.cells,
            lamps=lamp_rows(scene.lamps), marks=True,
        )  # fmt: skip
        rows = rows_of(records, self.painter.portal_vertices, self.painter.instances)
        if self.painter.view_source == "exits":
            rows += [("view", *map(tuple, view.tolist())) for view in self.painter.view_polygons()]
        return rows

    def plain(self, scene: Scene) -> list[Row]:
        self.memory.follow(self.town.physics.graph.drain_events())
        picture = Picture(self.town.physics, self.town.looks)
        frame = Frame(
            picture, self.memory, eye_of(scene.lens), default_view(scene.lens), scene.window,
            sky=scene.sky, player=scene.player, detail=scene.detail, lamps=scene.lamps or Lamps(),
        )  # fmt: skip
        rows = frame.paint()
        return rows + [("view", *view.points) for view in frame.outer]


def tell(seed: int, frames: int = 8) -> Told:
    """Both painters through one world; stops at the first frame where they part."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))  # doors that lead round and round
    both = Both(seed)
    told = Told(seed)
    seen = set()
    for _ in range(frames):
        scene = both.town.look()
        doubt.reset()
        with np.errstate(all="ignore"):
            plain = both.plain(scene)
        program = both.program(scene)
        told.frames += 1
        different = first_difference(program, plain)
        if different is not None:
            if doubt.nearest < CLOSE:
                told.undecided = 1
            else:
                pose = scene.lens.pose
                told.difference = (
                    f"world {seed}, frame {scene.number}, eye in 0x{pose.cell_id:08X} at"
                    f" {pose.eye}, nearest decision {doubt.nearest:.2g} ({doubt.what}): {different}"
                )
            return told
        told.rows += len(plain)
        for word in (*(row[0] for row in plain), *doubt.met, *both.town.happened):
            told.kinds[word] = told.kinds.get(word, 0) + 1
        drawn = zlib.crc32(repr(key(tuple(plain))).encode())
        told.scenes += drawn not in seen
        seen.add(drawn)
        both.town.happened.clear()
        both.town.change()
    return told

"""Lamplight: the lamps of a frame, and their light burnt into the walls of env cells.

The walk gets the lamps as rows (`kernels/lamps.py`). A cell is burnt anew when the static lamps
that reach it are others than before, or when it arrives, not each frame.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from acclient_py.core import F32, F64, I32, U8, Struct
from acclient_py.gpu.buffers import Arena
from acclient_py.kernels.lamps import (
    BURNT_REACH,
    MAX_LAMPS,
    MAX_STATIC,
    burn_light,
    choose_lamps,
)
from acclient_py.physics.layout import Arrays
from acclient_py.view.camera import Pose

_BLOCK: Final = 192.0


class Wall(msgspec.Struct, eq=False):
    """A cell's mesh as it lies in the arena, and what was burnt into it."""

    base: int
    packed: Struct  # VERTEX_DTYPE
    positions: F32
    normals: F32
    centre: F64
    radius: float
    burnt: bytes = b""


class Lamplight:
    """Chooses the lamps of each frame and keeps the cells' burnt light up to date."""

    def __init__(self, vertices: Arena) -> None:
        self._vertices = vertices
        self.walls: dict[int, Wall] = {}  # by cell slot
        self._arrived = False
        self.lamps: F32 = np.zeros((MAX_LAMPS, 16), np.float32)
        self.dynamic = 0
        self.static = 0
        self._rows: I32 = np.zeros(MAX_LAMPS, np.int32)
        self._keys: F32 = np.zeros((2, MAX_STATIC), np.float32)
        self._player: F32 = np.zeros(3, np.float32)
        self._seen = b""

    def take(self, slot: int, base: int, mesh: Struct, packed: Struct) -> None:
        """A cell's mesh came into the arena at `base`.

        mesh : position, normal ; packed : the same as it was stored
        """
        positions: F32 = np.ascontiguousarray(mesh["position"], np.float32)
        normals: F32 = np.ascontiguousarray(mesh["normal"], np.float32)
        if not len(positions):
            return
        centre = (positions.min(axis=0) + positions.max(axis=0)).astype(np.float64) / 2
        radius = float(np.sqrt(((positions - centre) ** 2).sum(axis=1).max()))
        self.walls[slot] = Wall(base, packed, positions, normals, centre, radius)
        self._arrived = True

    def drop(self, slot: int) -> None:
        self.walls.pop(slot, None)

    def update(self, arrays: Arrays, pose: Pose, player: int) -> None:
        """Choose this frame's lamps; burn what is not up to date.

        player : row of the player's object, -1: the eye stands for it
        """
        at = self._player
        if player >= 0:
            row = arrays.objects[player]
            cell = int(row["part_cell_id"])
            at[:] = row["frame"][:3]
            at[0] += ((cell >> 24) - pose.block_x) * _BLOCK
            at[1] += ((cell >> 16 & 0xFF) - pose.block_y) * _BLOCK
        else:
            at[:] = pose.eye
        found = choose_lamps(
            arrays.lights,
            arrays.objects,
            pose.block_x,
            pose.block_y,
            at,
            self._rows,
            self._keys,
            self.lamps,
        )
        self.dynamic, self.static = int(found) >> 8, int(found) & 0xFF
        chosen = arrays.lights[self._rows[self.dynamic : self.dynamic + self.static]]
        seen = chosen.tobytes()
        if seen == self._seen and not self._arrived:
            return
        self._seen, self._arrived = seen, False
        self._burn(arrays, chosen)

    def _burn(self, arrays: Arrays, lights: Struct) -> None:
        ids = arrays.objects["part_cell_id"][lights["object"]].astype(np.int64)
        world = lights["frame"][:, :3].astype(np.float64)
        world[:, 0] += (ids >> 24) * _BLOCK
        world[:, 1] += (ids >> 16 & 0xFF) * _BLOCK
        colour = (lights["color"][:, None] >> np.array((16, 8, 0), np.uint32)) & np.uint32(0xFF)
        rows: F64 = np.zeros((len(lights), 8), np.float64)
        rows[:, 3:6] = colour / 255.0
        rows[:, 6] = lights["falloff"]
        rows[:, 7] = lights["intensity"]
        for slot, wall in self.walls.items():
            cell = arrays.cells[slot]
            corner = ((int(cell["id"]) >> 24) * _BLOCK, (int(cell["id"]) >> 16 & 0xFF) * _BLOCK, 0)
            frame = cell["frame"].astype(np.float64)
            away = world - corner - frame[:3]
            rows[:, :3] = _turned_back(away, frame[3:])
            distance = np.sqrt(((rows[:, :3] - wall.centre) ** 2).sum(axis=1))
            near = rows[distance < rows[:, 6] * BURNT_REACH + wall.radius]
            key = near.tobytes()
            if key == wall.burnt:
                continue
            wall.burnt = key
            light: U8 = np.zeros((len(wall.positions), 4), np.uint8)
            burn_light(wall.positions, wall.normals, np.ascontiguousarray(near), len(near), light)
            wall.packed["extra"] = light.view("<u4")[:, 0]
            self._vertices.rewrite(wall.base, wall.packed)


def _turned_back(points: F64, rotation: F64) -> F64:
    """(n, 3) points turned by the inverse of a rotation (w, x, y, z)."""
    w, v = rotation[0], -rotation[1:]
    cross = np.cross(v, points)
    turned: F64 = points + 2.0 * (w * cross + np.cross(v, cross))
    return turned

"""The view `cells`: the land-cell grid on the ground, the current cell lit, children checked.

Green: a child whose cell is its parent's, as it must be. Red: one whose cell is another (C14).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32
from acclient_py.physics.layout import ENV, Arrays
from acclient_py.render.debug.lines import LineSet
from acclient_py.render.debug.switches import View

LIFT: Final = np.float32(0.12)
GRID: Final = (255, 255, 255, 90)
EDGE: Final = (90, 170, 255, 180)  # a landblock's border
CURRENT: Final = (255, 220, 60, 255)
SAME: Final = (60, 230, 90, 255)
OTHER: Final = (255, 40, 40, 255)
PORTAL: Final = (230, 120, 255, 220)
REACH: Final = 1  # blocks around the camera's


def draw_cells(view: View, lines: LineSet) -> None:
    """Collect the lines of this frame."""
    arrays = view.scene.arrays
    for dx in range(-REACH, REACH + 1):
        for dy in range(-REACH, REACH + 1):
            x, y = view.camera[0] + dx, view.camera[1] + dy
            if not (0 <= x < 255 and 0 <= y < 255):
                continue
            block = int(arrays.block_of[x << 8 | y])
            if block >= 0 and int(arrays.blocks["side"][block]) == 8:
                _grid(arrays, block, dx, dy, lines)
    player = view.scene.player
    if player < 0:
        return
    cell = int(arrays.objects["cell"][player])
    if cell >= 0:
        _current(view, cell, lines)
    _children(view, player, lines)


def _grid(arrays: Arrays, block: int, dx: int, dy: int, lines: LineSet) -> None:
    points = _ground(arrays, block, dx, dy)
    along_x = np.stack((points[:-1], points[1:]), axis=2)  # (8, 9, 2, 3)
    along_y = np.stack((points[:, :-1], points[:, 1:]), axis=2)
    lines.add(along_x[:, 1:8].reshape(-1, 3), GRID)
    lines.add(along_y[1:8].reshape(-1, 3), GRID)
    for edge in (along_x[:, 0], along_x[:, 8], along_y[0], along_y[8]):
        lines.add(edge.reshape(-1, 3), EDGE)


def _ground(arrays: Arrays, block: int, dx: int, dy: int) -> F32:
    """(9, 9, 3) float32: the vertices of a block, a little above the ground."""
    at = np.zeros((9, 9, 3), np.float32)
    at[..., 0] = (np.arange(9) * 24.0 + dx * 192.0)[:, None]
    at[..., 1] = (np.arange(9) * 24.0 + dy * 192.0)[None, :]
    at[..., 2] = arrays.heights[block] + LIFT
    return at


def _current(view: View, cell: int, lines: LineSet) -> None:
    arrays = view.scene.arrays
    row = arrays.cells[cell]
    cell_id = int(row["id"])
    dx, dy = (cell_id >> 24) - view.camera[0], (cell_id >> 16 & 0xFF) - view.camera[1]
    if int(row["kind"]) == ENV:
        offset = np.array((dx * 192.0, dy * 192.0, 0.0), np.float32)
        for corners in view.portal_polygons(cell):
            lines.loop(corners + offset, PORTAL)
        return
    block = int(row["block"])
    low = (cell_id & 0xFFFF) - 1
    i, j = low >> 3, low & 7
    points = _ground(arrays, block, dx, dy)
    points[..., 2] += LIFT
    corners = np.array(
        (points[i, j], points[i + 1, j], points[i + 1, j + 1], points[i, j + 1]), np.float32
    )
    for lift in (0.0, 0.15, 0.3):
        lines.loop(corners + np.array((0, 0, lift), np.float32), CURRENT)


def _children(view: View, parent: int, lines: LineSet) -> None:
    objects = view.scene.arrays.objects
    waiting = [parent]
    while waiting:
        above = waiting.pop()
        child = int(objects["first_child"][above])
        while child >= 0:
            waiting.append(child)
            same = int(objects["cell"][child]) == int(objects["cell"][above])
            position_id = int(objects["part_cell_id"][child])
            at: F32 = objects["frame"][child][:3].copy()
            at[0] += ((position_id >> 24) - view.camera[0]) * 192.0
            at[1] += ((position_id >> 16 & 0xFF) - view.camera[1]) * 192.0
            lines.cross(at, 0.35, SAME if same else OTHER)
            child = int(objects["next_sibling"][child])

"""The view `portals`: the openings between env cells, and those that lead outside."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.physics.layout import ENV
from acclient_py.render.debug.lines import LineSet
from acclient_py.render.debug.switches import View

INNER: Final = (230, 120, 255, 220)
EXIT: Final = (90, 220, 255, 255)
OUTSIDE_ID: Final = 0xFFFFFFFF


def draw_portals(view: View, lines: LineSet) -> None:
    """Collect the outlines of all portals of resident env cells."""
    arrays = view.scene.arrays
    found = np.flatnonzero((arrays.cells["kind"] == ENV) & (arrays.cells["resident"] != 0))
    for cell in found.tolist():
        row = arrays.cells[cell]
        cell_id = int(row["id"])
        offset = np.array(
            (
                ((cell_id >> 24) - view.camera[0]) * 192.0,
                ((cell_id >> 16 & 0xFF) - view.camera[1]) * 192.0,
                0.0,
            ),
            np.float32,
        )
        first = int(row["portal_first"])
        for i, corners in enumerate(view.portal_polygons(cell)):
            leads_out = int(arrays.portals["other_cell_id"][first + i]) == OUTSIDE_ID
            lines.loop(corners + offset, EXIT if leads_out else INNER)

"""Openings: portal polygons of env cells and of building shells, as flat tables for the walk."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, I32, Struct
from acclient_py.dat.records.bsp import PORT, BspTree
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.kernels.flood import NODE_DTYPE, POLYGON_DTYPE, Portals
from acclient_py.log import warn_once
from acclient_py.order.memory import grown
from acclient_py.world.cell import EnvCellModel
from acclient_py.world.pools import polygon_planes

_MIN_CORNERS: Final = 3


class Openings:
    """Grows with what is loaded; rows of cells that left are used again by whoever takes them."""

    def __init__(self) -> None:
        self._runs: I32 = np.zeros((64, 2), np.int32)
        self._vertices: F32 = np.zeros((256, 3), np.float32)
        self._used = 0
        self._nodes: list[tuple[Any, int, int, int, int]] = []
        self._polygons: list[tuple[Any, int, int, int]] = []
        self._of_polygon: dict[bytes, int] = {}

    def set_cell(self, model: EnvCellModel, portal_first: int) -> None:
        """Take the portal polygons of a cell whose portals stand at `portal_first` in the graph."""
        size = portal_first + len(model.portals)
        self._runs = grown(self._runs, size)
        for i, portal in enumerate(model.portals):
            corners = np.ascontiguousarray(portal.vertices, np.float32)
            if len(corners) < _MIN_CORNERS:
                warn_once(
                    ("portal", model.id, i),
                    "portal %d of cell 0x%08X has %d corners; nothing is seen through it",
                    i,
                    model.id,
                    len(corners),
                )
            if portal.other_cell_id == model.id:
                warn_once(
                    ("portal", model.id, i),
                    "portal %d of cell 0x%08X leads back into it; nothing is seen through it",
                    i,
                    model.id,
                )
            self._runs[portal_first + i] = self._store(corners), len(corners)

    def _store(self, corners: F32) -> int:
        """A polygon's first vertex; equal polygons are stored once."""
        key = corners.tobytes()
        found = self._of_polygon.get(key)
        if found is None:
            found = self._used
            need = found + len(corners)
            if need > len(self._vertices):
                self._vertices = grown(self._vertices, 2 * need)
            self._vertices[found : found + len(corners)] = corners
            self._used += len(corners)
            self._of_polygon[key] = found
        return found

    def add_tree(self, record: GfxObj) -> int:
        """Take the portal nodes of a mesh's drawing tree; the row of the root, -1 without any."""
        if record.drawing_bsp is None or not len(record.drawing_bsp.portals):
            return -1
        _report_faults(record, record.drawing_bsp)
        return self._tree(record)

    def _tree(self, record: GfxObj) -> int:
        """Portal nodes of a tree and the nodes that order them; the row of the root.

        Retail deletes every node that is no portal node: BSPTREE::RemoveNonPortalNodes @0x0053A040.
        """
        tree = record.drawing_bsp
        assert tree is not None, "asked only for meshes with a drawing tree"
        rows: dict[int, int] = {}
        # children stand after their parents, so from the end every child is known
        for at in range(len(tree.nodes) - 1, -1, -1):
            node = tree.nodes[at]
            positive = rows.get(int(node["positive"]), -1)
            negative = rows.get(int(node["negative"]), -1)
            if int(node["tag"]) != PORT:
                if positive >= 0 and negative >= 0:
                    rows[at] = self._node(node["plane"], positive, negative, 0, 0)
                elif max(positive, negative) >= 0:
                    rows[at] = max(positive, negative)
                continue
            first = len(self._polygons)
            for polygon, portal in tree.portals_of(at).tolist():
                if polygon < len(record.polygons):
                    self._polygon(record, polygon, portal)
            rows[at] = self._node(
                node["plane"], positive, negative, first, len(self._polygons) - first
            )
        return rows.get(0, -1)

    def _node(self, plane: Any, positive: int, negative: int, first: int, count: int) -> int:
        self._nodes.append((tuple(plane.tolist()), positive, negative, first, count))
        return len(self._nodes) - 1

    def _polygon(self, record: GfxObj, polygon: int, portal: int) -> None:
        corners: F32 = np.ascontiguousarray(
            record.vertices.positions[list(record.polygons[polygon].vertex_indices)], np.float32
        )
        if len(corners) < _MIN_CORNERS:
            warn_once(
                ("portal", record.id, portal),
                "portal %d of shell 0x%08X has %d corners; nothing is seen through it",
                portal,
                record.id,
                len(corners),
            )
            return
        plane = polygon_planes(corners[None])[0]
        self._polygons.append((tuple(plane.tolist()), self._store(corners), len(corners), portal))

    def tables(self, portals: int) -> Portals:
        """The arrays for a walk over that many portal rows."""
        self._runs = grown(self._runs, portals)
        nodes: Struct = np.array(self._nodes or [((0,) * 4, -1, -1, 0, 0)], NODE_DTYPE)
        polygons: Struct = np.array(self._polygons or [((0,) * 4, 0, 0, 0)], POLYGON_DTYPE)
        return Portals(self._runs, self._vertices, nodes, polygons)


def _report_faults(record: GfxObj, tree: BspTree) -> None:
    """Say once what of a drawing tree the walk through its openings cannot use."""
    astray = np.flatnonzero(~np.isfinite(tree.nodes["plane"]).all(axis=1))
    if len(astray):
        warn_once(
            ("planes", record.id),
            "plane %d in the tree of shell 0x%08X is not finite; its openings are closed",
            int(astray[0]),
            record.id,
        )
    last = int(tree.portals[:, 0].max())
    if last >= len(record.polygons):
        warn_once(
            ("portal polygons", record.id),
            "an opening of shell 0x%08X is polygon %d of %d; nothing is seen through it",
            record.id,
            last,
            len(record.polygons),
        )

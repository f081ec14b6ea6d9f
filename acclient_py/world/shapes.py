"""Meshes and cell structures of records, packed: polygons with planes, trees with global rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.core import F32, I32
from acclient_py.dat.records import bsp as record_bsp
from acclient_py.dat.records.bsp import BspTree
from acclient_py.dat.records.environment import CellStructure
from acclient_py.dat.records.polygons import Polygons
from acclient_py.errors import RecordError
from acclient_py.world.pools import (
    BSP_NODE_DTYPE,
    LEAF,
    NODE,
    POLYGON_DTYPE,
    PORT,
    Pool,
    polygon_planes,
)


class PolygonShape(Struct, frozen=True, eq=False):
    """One polygon made usable: its corners in order and the plane that they give."""

    vertices: F32  # (k, 3)
    plane: F32  # (4,)


class StructureModel(Struct, frozen=True, eq=False):
    """A cell structure: which space it is, what is solid in it, where its openings are.

    planes       : (n, 4) float32, the positive chain of the cell tree, pointing inwards; a chain
                   that ends in a LEAF ends in a row of zeros
    plane_first  : where they stand in Models.cell_planes
    portals      : polygon id -> shape, the structure's portal polygons, in its own frame
    physics_root : row of Models.bsp_nodes, -1 none
    box_min, box_max : (3,) bounds of all vertices
    """

    environment_id: int
    index: int
    record: CellStructure
    planes: F32
    plane_first: int
    portals: dict[int, PolygonShape]
    physics_root: int
    box_min: F32
    box_max: F32

    @property
    def plane_count(self) -> int:
        """How many planes the chain has, the terminal one included."""
        return len(self.planes)


def check_finite(record_id: int, **what: npt.ArrayLike) -> None:
    """Refuse numbers that are none: nothing could be culled, sorted or drawn by them.

    what : rows of numbers by their names, which the message gives back
    """
    for name, numbers in what.items():
        if np.isfinite(numbers).all():
            continue
        rows = np.atleast_2d(np.asarray(numbers, np.float32))
        place = int(np.argmin(np.isfinite(rows).all(axis=1)))
        at = f" {place}" if len(rows) > 1 else ""
        raise RecordError(f"{name.replace('_', ' ')}{at} is not finite", record=record_id)


def check_corners(polygons: Polygons, vertex_count: int, record_id: int) -> None:
    """Refuse polygons that name a vertex which is not there."""
    corners = polygons.corners
    # as unsigned numbers those below zero are the largest
    if corners.view(np.uint16).max(initial=0) < min(vertex_count, 0x8000) or not len(corners):
        return
    place = int(np.argmax((corners < 0) | (corners >= vertex_count)))
    polygon = int(np.searchsorted(polygons.first + polygons.sizes, place, side="right"))
    raise RecordError(
        f"polygon {polygons[polygon].polygon_id} has corner {int(corners[place])} of"
        f" {vertex_count} vertices",
        record=record_id,
    )


def polygon_shapes(polygons: Polygons, positions: F32) -> list[PolygonShape]:
    """Corners and planes of polygons, in list order. The corners must be in range."""
    corners = positions[polygons.corners]
    planes = _planes(polygons, corners)
    runs = zip(polygons.first.tolist(), polygons.sizes.tolist(), planes, strict=True)
    return [PolygonShape(corners[first : first + size], plane) for first, size, plane in runs]


def _planes(polygons: Polygons, corners: F32) -> F32:
    """(n, 4) float32 planes of polygons whose corners lie end to end."""
    planes: F32 = np.empty((len(polygons), 4), np.float32)
    columns = np.ascontiguousarray(corners.T)
    for size in np.flatnonzero(np.bincount(polygons.sizes)).tolist():
        which = np.flatnonzero(polygons.sizes == size)
        places = polygons.first[which] + np.arange(size)[:, None]
        planes[which] = polygon_planes(columns.take(places, axis=1).transpose(2, 1, 0))
    return planes


def append_polygons(polygons: Polygons, positions: F32, rows: Pool, vertices: Pool) -> int:
    """Put polygons into the pools; returns the row of the first. The corners must be in range."""
    if not polygons:
        return rows.count
    corners = positions[polygons.corners]
    packed = np.zeros(len(polygons), POLYGON_DTYPE)
    packed["plane"] = _planes(polygons, corners)
    packed["vertex_count"] = polygons.sizes
    packed["vertex_first"] = vertices.append(corners) + polygons.first
    packed["sides"] = polygons.heads["sides"]
    return rows.append(packed)


def append_tree(
    tree: BspTree, polygon_first: int, polygon_count: int, nodes: Pool, index: Pool, record_id: int
) -> int:
    """Put a physics tree into the pools, its polygons as rows of the polygon pool; its root row."""
    source = tree.nodes
    if len(tree.polygons) and int(tree.polygons.max()) >= polygon_count:
        raise RecordError(
            f"tree names polygon {int(tree.polygons.max())} of {polygon_count}", record=record_id
        )
    first = nodes.count
    packed = np.zeros(len(source), BSP_NODE_DTYPE)
    packed["plane"] = source["plane"]
    packed["sphere"] = source["sphere"]
    for side, name in (("pos", "positive"), ("neg", "negative")):
        packed[side] = np.where(source[name] >= 0, source[name] + first, -1)
    kinds = np.full(len(source), NODE, np.uint8)
    kinds[source["tag"] == record_bsp.LEAF] = LEAF
    kinds[source["tag"] == record_bsp.PORT] = PORT
    packed["kind"] = kinds
    packed["solid"] = source["solid"] != 0
    rows: I32 = tree.polygons.astype(np.int32) + np.int32(polygon_first)
    packed["poly_first"] = source["polygon_first"] + index.append(rows)
    packed["poly_count"] = source["polygon_count"]
    return nodes.append(packed)


def cell_chain(tree: BspTree) -> F32:
    """(n, 4) planes of a cell tree along its positive children; a LEAF gives a row of zeros."""
    planes = []
    at = 0
    while at >= 0:
        planes.append(tree.nodes["plane"][at])
        at = int(tree.nodes["positive"][at])
    return np.array(planes, np.float32).reshape(-1, 4)


def bounds(positions: F32, record_id: int) -> tuple[F32, F32]:
    """Bounds of (n, 3) positions; two zero corners when there are none. Refuses what is no number.

    A number that is none shows in one of the two: so nothing more is looked through.
    """
    if len(positions) == 0:
        return np.zeros(3, np.float32), np.zeros(3, np.float32)
    columns = np.ascontiguousarray(positions.T, np.float32)
    low, high = columns.min(axis=1), columns.max(axis=1)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        check_finite(record_id, vertex=positions)
    return low, high

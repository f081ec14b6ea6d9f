"""The world as the transition kernels see it: one row of addresses (see `kernels/pointers.py`).

`Tables` keeps the row in step with the graph, the models' pools and the bodies. Each accessor
gives a view of one array.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from acclient_py.core import F32, I32, I64, U32, Struct
from acclient_py.kernels.bundles import accessor_of_bundle, address_of_bundle
from acclient_py.kernels.pointers import accessor, address_of
from acclient_py.physics.bodies import BODY_DTYPE, Bodies
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    BLOCK_DTYPE,
    BUILDING_DTYPE,
    CELL_DTYPE,
    OBJECT_DTYPE,
    PART_DTYPE,
    PORTAL_DTYPE,
    SHADOW_DTYPE,
    SHAPE_DTYPE,
    Arrays,
)
from acclient_py.physics.transit import HEAD_SIZE
from acclient_py.world.models import Models
from acclient_py.world.pools import BSP_NODE_DTYPE, GFX_DTYPE, POLYGON_DTYPE

CELL_ROOM: Final = 256  # cells of one array; a body's spheres reach a few dozen at most
STACK_ROOM: Final = 4096  # node numbers: deeper trees are not descended further
MAX_SPHERES: Final = 2

_GRAPH: Final = (
    "objects",
    "parts",
    "shadows",
    "cells",
    "blocks",
    "portals",
    "planes",
    "buildings",
    "shapes",
    "spheres",
    "cylinders",
    "gfx",
    "swne",
    "terrain_planes",
    "water",
    "terrain",
)
_MODELS: Final = ("bsp_nodes", "bsp_poly_index", "polygons", "poly_vertices")
_OWN: Final = ("bodies", "stack", "cell_ids", "cell_slots", "cell_head", "cell_spheres")

TABLES_DTYPE: Final = np.dtype(
    [
        field
        for name in (*_GRAPH, *_MODELS, *_OWN)
        for field in ((name, "<i8"), (f"{name}_rows", "<i8"))
    ]
    + [("graph", "<i8")]
)


graph_of = accessor_of_bundle(Arrays, "graph")
objects_of = accessor("objects", OBJECT_DTYPE)
parts_of = accessor("parts", PART_DTYPE)
shadows_of = accessor("shadows", SHADOW_DTYPE)
cells_of = accessor("cells", CELL_DTYPE)
blocks_of = accessor("blocks", BLOCK_DTYPE)
portals_of = accessor("portals", PORTAL_DTYPE)
planes_of = accessor("planes", np.float32, 4)
buildings_of = accessor("buildings", BUILDING_DTYPE)
shapes_of = accessor("shapes", SHAPE_DTYPE)
spheres_of = accessor("spheres", np.float32, 4)
cylinders_of = accessor("cylinders", np.float32, 5)
gfx_of = accessor("gfx", GFX_DTYPE)
swne_of = accessor("swne", np.uint8, 64)
terrain_planes_of = accessor("terrain_planes", np.float32, 64, 2, 4)
water_of = accessor("water", np.uint8, 64)
terrain_of = accessor("terrain", np.uint16, 81)
nodes_of = accessor("bsp_nodes", BSP_NODE_DTYPE)
poly_index_of = accessor("bsp_poly_index", np.int32)
polygons_of = accessor("polygons", POLYGON_DTYPE)
vertices_of = accessor("poly_vertices", np.float32, 3)
bodies_of = accessor("bodies", BODY_DTYPE)
stack_of = accessor("stack", np.int32)
cell_ids_of = accessor("cell_ids", np.uint32)
cell_slots_of = accessor("cell_slots", np.int32)
cell_head_of = accessor("cell_head", np.int64)
cell_spheres_of = accessor("cell_spheres", np.float32, 4)


class Tables:
    """Owner of the row, and of the scratch that goes with a path: its cell array and stack."""

    def __init__(self, graph: Graph, models: Models, bodies: Bodies) -> None:
        self.graph = graph
        self.models = models
        self.bodies = bodies
        self.rows: Struct = np.zeros(1, TABLES_DTYPE)
        self.cell_ids: U32 = np.zeros(CELL_ROOM, np.uint32)
        self.cell_slots: I32 = np.zeros(CELL_ROOM, np.int32)
        self.cell_head: I64 = np.zeros(HEAD_SIZE, np.int64)
        self.cell_spheres: F32 = np.zeros((MAX_SPHERES, 4), np.float32)
        self._stack: I32 = np.zeros(STACK_ROOM, np.int32)
        self._kept: dict[str, Any] = {}
        for name in _OWN[1:]:
            self._set(name, self._stack if name == "stack" else getattr(self, name))

    def refresh(self) -> Struct:
        """The row, brought in step with arrays that were replaced since."""
        arrays, models = self.graph.arrays, self.models
        self.bodies.reserve(len(arrays.objects))
        if self._kept.get("graph") is not arrays:
            self._kept["graph"] = arrays
            self.rows["graph"] = address_of_bundle(arrays)
            for name in _GRAPH:
                self._set(name, getattr(arrays, name))
        for name in _MODELS:
            pool = getattr(models, name)
            if len(pool) != self.rows[f"{name}_rows"][0]:
                self._set(name, pool)
        if self._kept.get("bodies") is not self.bodies.rows:
            self._set("bodies", self.bodies.rows)
        return self.rows

    def _set(self, name: str, array: Any) -> None:
        self._kept[name] = array
        self.rows[name] = address_of(array)
        self.rows[f"{name}_rows"] = len(array)

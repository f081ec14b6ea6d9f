"""The world as the transition kernels see it: one row of addresses (see `kernels/pointers.py`).

`Tables` keeps the row in step with the graph, the models' pools and the bodies. Each accessor
gives a view of one array.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from acclient_py.core import F32, I32, I64, U8, U32, Struct
from acclient_py.kernels import kernel
from acclient_py.kernels.pointers import address_of, array_at
from acclient_py.physics.bodies import BODY_DTYPE, Bodies
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import (
    BLOCK_DTYPE,
    BUILDING_DTYPE,
    BUILDING_PORTAL_DTYPE,
    CELL_DTYPE,
    OBJECT_DTYPE,
    PART_DTYPE,
    PORTAL_DTYPE,
    SHADOW_DTYPE,
    SHAPE_DTYPE,
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
    "block_of",
    "env_table",
    "portals",
    "stabs",
    "planes",
    "buildings",
    "building_portals",
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
)


class Places(NamedTuple):
    """The arrays that `find_cell_list` reads, under the graph's names."""

    cells: Struct
    blocks: Struct
    block_of: I32
    env_table: I32
    portals: Struct
    stabs: U32
    planes: F32
    buildings: Struct
    building_portals: Struct
    swne: U8


@kernel
def objects_of(w: Any) -> Any:
    return array_at(w["objects"], (w["objects_rows"],), OBJECT_DTYPE)


@kernel
def parts_of(w: Any) -> Any:
    return array_at(w["parts"], (w["parts_rows"],), PART_DTYPE)


@kernel
def shadows_of(w: Any) -> Any:
    return array_at(w["shadows"], (w["shadows_rows"],), SHADOW_DTYPE)


@kernel
def cells_of(w: Any) -> Any:
    return array_at(w["cells"], (w["cells_rows"],), CELL_DTYPE)


@kernel
def blocks_of(w: Any) -> Any:
    return array_at(w["blocks"], (w["blocks_rows"],), BLOCK_DTYPE)


@kernel
def buildings_of(w: Any) -> Any:
    return array_at(w["buildings"], (w["buildings_rows"],), BUILDING_DTYPE)


@kernel
def shapes_of(w: Any) -> Any:
    return array_at(w["shapes"], (w["shapes_rows"],), SHAPE_DTYPE)


@kernel
def spheres_of(w: Any) -> Any:
    return array_at(w["spheres"], (w["spheres_rows"], 4), np.float32)


@kernel
def cylinders_of(w: Any) -> Any:
    return array_at(w["cylinders"], (w["cylinders_rows"], 5), np.float32)


@kernel
def gfx_of(w: Any) -> Any:
    return array_at(w["gfx"], (w["gfx_rows"],), GFX_DTYPE)


@kernel
def swne_of(w: Any) -> Any:
    return array_at(w["swne"], (w["swne_rows"], 64), np.uint8)


@kernel
def terrain_planes_of(w: Any) -> Any:
    return array_at(w["terrain_planes"], (w["terrain_planes_rows"], 64, 2, 4), np.float32)


@kernel
def water_of(w: Any) -> Any:
    return array_at(w["water"], (w["water_rows"], 64), np.uint8)


@kernel
def terrain_of(w: Any) -> Any:
    return array_at(w["terrain"], (w["terrain_rows"], 81), np.uint16)


@kernel
def bodies_of(w: Any) -> Any:
    return array_at(w["bodies"], (w["bodies_rows"],), BODY_DTYPE)


@kernel
def nodes_of(w: Any) -> Any:
    return array_at(w["bsp_nodes"], (w["bsp_nodes_rows"],), BSP_NODE_DTYPE)


@kernel
def poly_index_of(w: Any) -> Any:
    return array_at(w["bsp_poly_index"], (w["bsp_poly_index_rows"],), np.int32)


@kernel
def polygons_of(w: Any) -> Any:
    return array_at(w["polygons"], (w["polygons_rows"],), POLYGON_DTYPE)


@kernel
def vertices_of(w: Any) -> Any:
    return array_at(w["poly_vertices"], (w["poly_vertices_rows"], 3), np.float32)


@kernel
def stack_of(w: Any) -> Any:
    return array_at(w["stack"], (w["stack_rows"],), np.int32)


@kernel
def cell_ids_of(w: Any) -> Any:
    return array_at(w["cell_ids"], (w["cell_ids_rows"],), np.uint32)


@kernel
def cell_slots_of(w: Any) -> Any:
    return array_at(w["cell_slots"], (w["cell_slots_rows"],), np.int32)


@kernel
def cell_head_of(w: Any) -> Any:
    return array_at(w["cell_head"], (w["cell_head_rows"],), np.int64)


@kernel
def cell_spheres_of(w: Any) -> Any:
    return array_at(w["cell_spheres"], (w["cell_spheres_rows"], 4), np.float32)


@kernel
def places_of(w: Any) -> Any:
    """The arrays of a cell look-up."""
    return Places(
        cells_of(w),
        blocks_of(w),
        array_at(w["block_of"], (w["block_of_rows"],), np.int32),
        array_at(w["env_table"], (w["env_table_rows"],), np.int32),
        array_at(w["portals"], (w["portals_rows"],), PORTAL_DTYPE),
        array_at(w["stabs"], (w["stabs_rows"],), np.uint32),
        array_at(w["planes"], (w["planes_rows"], 4), np.float32),
        buildings_of(w),
        array_at(w["building_portals"], (w["building_portals_rows"],), BUILDING_PORTAL_DTYPE),
        swne_of(w),
    )


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

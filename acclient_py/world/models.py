"""Meshes, setups and cell structures of a DAT set as runtime data, made when first asked for.

One `Models` a DAT set. Geometry goes into flat pools that kernels read by row; setups and
structures are small frozen objects. Nothing made is ever changed or thrown away. A loader thread
may ask at the same time as the main thread: a lock guards the making. A record that is missing or
damaged is reported once and a stand-in takes its place.
"""

# contract: I2
from __future__ import annotations

import logging
import threading
from typing import Any, Final

import msgspec
import numpy as np

from acclient_py.core import F32, I32, Struct
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.degrade import GfxObjDegradeInfo
from acclient_py.dat.records.environment import Environment
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.polygons import Polygons
from acclient_py.dat.records.setup import LightInfo, Setup
from acclient_py.errors import DataError, MissingRecord, RecordError
from acclient_py.log import warn_once
from acclient_py.world import shapes
from acclient_py.world.looks import Looks
from acclient_py.world.pools import (
    ALWAYS_2D,
    BSP_NODE_DTYPE,
    GFX_DTYPE,
    HAS_DRAWING,
    HAS_PHYSICS,
    POLYGON_DTYPE,
    STAND_IN,
    Pool,
)
from acclient_py.world.shapes import StructureModel

log = logging.getLogger(__name__)

GFX_TYPE: Final = 0x01
SETUP_TYPE: Final = 0x02
_STAND_IN_RADIUS: Final = 0.5


class Holding(msgspec.Struct, frozen=True, eq=False):
    """Where a child is held: at which part, and how. A part not below the count: the object."""

    part_index: int
    frame: F32  # (7,)


class SetupModel(msgspec.Struct, frozen=True, eq=False):
    """A body: its parts as rows of Models.gfx_rows, poses, shapes, defaults.

    part_gfx        : (n,) int32, -1 for a null part ; part_scale : (n, 3) float32
    placements      : placement key -> (n, 7) float32
    holdings        : parent location -> the first entry with that key
    cylspheres      : (c, 5) float32 low point, radius, height ; spheres : (s, 4) float32
    sorting_sphere, selection_sphere : (4,) float32
    """

    id: int
    part_gfx: I32
    part_scale: F32
    placements: dict[int, F32]
    holdings: dict[int, Holding]
    cylspheres: F32
    spheres: F32
    sorting_sphere: F32
    selection_sphere: F32
    height: float = 0.0
    radius: float = 0.0
    step_up: float = 0.0
    step_down: float = 0.0
    lights: tuple[LightInfo, ...] = ()
    default_animation: int = 0
    default_script: int = 0
    default_motion_table: int = 0
    default_sound_table: int = 0
    default_script_table: int = 0
    has_physics_bsp: bool = False
    """Some part has a physics tree (what the record's own flag says is not asked)."""
    allow_free_heading: bool = False
    is_simple: bool = False
    """Made for a GfxObj id."""

    @property
    def part_count(self) -> int:
        """How many parts there are, null parts included."""
        return len(self.part_gfx)

    def placement(self, key: int) -> F32 | None:
        """The pose of a placement key, else of key 0, else none.

        Retail: CPartArray::SetPlacementFrame @0x005193D0.
        """
        found = self.placements.get(key)
        return self.placements.get(0) if found is None else found


class Models:
    """All models of one DAT set."""

    def __init__(self, dats: DatSet) -> None:
        self.dats = dats
        self._lock = threading.RLock()
        self._gfx = Pool(GFX_DTYPE)
        self._nodes = Pool(BSP_NODE_DTYPE)
        self._poly_index = Pool(np.int32)
        self._polygons = Pool(POLYGON_DTYPE)
        self._vertices = Pool(np.float32, (3,))
        self._cell_planes = Pool(np.float32, (4,))
        self._gfx_of: dict[int, int] = {}
        self._records: list[GfxObj | None] = []
        self._setups: dict[int, SetupModel] = {}
        self._structures: dict[tuple[int, int], StructureModel | None] = {}
        self.degrades: list[GfxObjDegradeInfo] = []
        self.looks = Looks()

    @property
    def gfx_rows(self) -> Struct:
        """(n,) GFX_DTYPE."""
        return self._gfx.rows

    @property
    def bsp_nodes(self) -> Struct:
        """(n,) BSP_NODE_DTYPE, physics trees of meshes and structures."""
        return self._nodes.rows

    @property
    def bsp_poly_index(self) -> I32:
        """(n,) int32 rows of `polygons`, run by the leaves of trees."""
        return self._poly_index.rows

    @property
    def polygons(self) -> Struct:
        """(n,) POLYGON_DTYPE, physics polygons of meshes and structures."""
        return self._polygons.rows

    @property
    def poly_vertices(self) -> F32:
        """(n, 3) float32, run by `polygons`."""
        return self._vertices.rows

    @property
    def cell_planes(self) -> F32:
        """(n, 4) float32, chains of cell trees."""
        return self._cell_planes.rows

    def gfx(self, did: int) -> int:
        """The row of a GfxObj; -1 for id 0."""
        if did == 0:
            return -1
        index = self._gfx_of.get(did)
        if index is not None:
            return index
        with self._lock:
            index = self._gfx_of.get(did)
            if index is None:
                index = self._make_gfx(did)
                self._gfx_of[did] = index
            return index

    def gfx_record(self, index: int) -> GfxObj | None:
        """The record behind a row; None for a stand-in."""
        return self._records[index]

    def setup(self, did: int) -> SetupModel:
        """The body of a Setup id, or the one-part body of a GfxObj id."""
        model = self._setups.get(did)
        if model is not None:
            return model
        with self._lock:
            model = self._setups.get(did)
            if model is None:
                model = self._make_setup(did)
                self._setups[did] = model
            return model

    def structure(self, environment_id: int, index: int) -> StructureModel | None:
        """A cell structure by its place in an environment's list; None (said once) if it fails."""
        key = environment_id, index
        with self._lock:
            if key not in self._structures:
                try:
                    self._structures[key] = self._make_structure(environment_id, index)
                except DataError as error:
                    warn_once(
                        ("structure", *key), "structure %d of %s left out: %s",
                        index, hex8(environment_id), error, logger=log,
                    )  # fmt: skip
                    self._structures[key] = None
            return self._structures[key]

    def _read(self, did: int, kind: type[Any]) -> Any:
        record = self.dats.record(did)
        if not isinstance(record, kind):
            raise RecordError(f"not a {kind.__name__}", record=did)
        return record

    def _make_gfx(self, did: int) -> int:
        row = np.zeros(1, GFX_DTYPE)
        row["id"] = did
        row["bsp_root"] = row["degrade"] = -1
        record: GfxObj | None = None
        try:
            record = self._read(did, GfxObj)
            self._fill_gfx(row, record)
        except DataError as error:
            warn_once(("record", did), "stand-in drawn for %s: %s", hex8(did), error, logger=log)
            record = None
            r = _STAND_IN_RADIUS
            row["flags"] = HAS_DRAWING | STAND_IN
            row["drawing_sphere"] = (0, 0, r, r)
            row["box_min"], row["box_max"] = (-r, -r, 0), (r, r, 2 * r)
            row["sort_center"] = (0, 0, r)
        self._records.append(record)
        return self._gfx.append(row)

    def _fill_gfx(self, row: Struct, record: GfxObj) -> None:
        positions = record.vertices.positions
        row["box_min"], row["box_max"] = shapes.bounds(positions, record.id)
        shapes.check_finite(record.id, sorting_centre=record.sort_center)
        solid = Polygons.of(record.physics_polygons)
        shapes.check_corners(solid, len(positions), record.id)
        shapes.check_corners(Polygons.of(record.polygons), len(positions), record.id)
        flags = 0
        row["sort_center"] = record.sort_center
        if record.drawing_bsp is not None:
            flags |= HAS_DRAWING
            sphere = record.drawing_bsp.nodes["sphere"][0]
            shapes.check_finite(record.id, drawing_sphere=sphere)
            row["drawing_sphere"] = sphere
        if record.physics_bsp is not None:
            flags |= HAS_PHYSICS
            row["physics_sphere"] = record.physics_bsp.nodes["sphere"][0]
            first = shapes.append_polygons(solid, positions, self._polygons, self._vertices)
            row["bsp_root"] = shapes.append_tree(
                record.physics_bsp, first, len(solid), self._nodes, self._poly_index, record.id
            )
        if record.degrade_id:
            flags |= self._degrade(row, record.degrade_id)
        row["flags"] = flags

    def _degrade(self, row: Struct, did: int) -> int:
        """Take a detail table up; ALWAYS_2D when its first level is not plain."""
        try:
            table: GfxObjDegradeInfo = self._read(did, GfxObjDegradeInfo)
        except DataError as error:
            warn_once(
                ("record", did), "detail levels of %s left out: %s",
                hex8(int(row["id"][0])), error, logger=log,
            )  # fmt: skip
            return 0
        row["degrade"] = len(self.degrades)
        self.degrades.append(table)
        return ALWAYS_2D if table.levels and table.levels[0].mode != 1 else 0

    def _make_setup(self, did: int) -> SetupModel:
        if did == 0 or did >> 24 == GFX_TYPE:
            return self._simple_setup(did, did)
        try:
            record: Setup = self._read(did, Setup)
        except DataError as error:
            warn_once(("record", did), "stand-in made for %s: %s", hex8(did), error, logger=log)
            return self._simple_setup(did, did)
        return self._setup_of(record, did)

    def _simple_setup(self, did: int, gfx_id: int) -> SetupModel:
        """One part at the origin; the sorting sphere is the part's physics or drawing sphere.

        gfx_id : 0 leaves the part without a mesh, and the spheres at nothing
        """
        index = self.gfx(gfx_id)
        row = self._gfx.rows[index] if index >= 0 else np.zeros(1, GFX_DTYPE)[0]
        sphere = row["physics_sphere"] if row["flags"] & HAS_PHYSICS else row["drawing_sphere"]
        pose = np.array([[0, 0, 0, 1, 0, 0, 0]], np.float32)
        return SetupModel(
            did,
            np.array([index], np.int32),
            np.ones((1, 3), np.float32),
            {0: pose},
            {},
            np.zeros((0, 5), np.float32),
            np.zeros((0, 4), np.float32),
            sphere.copy(),
            sphere.copy(),
            has_physics_bsp=bool(row["flags"] & HAS_PHYSICS),
            is_simple=True,
        )

    def _setup_of(self, record: Setup, did: int) -> SetupModel:
        part_gfx = np.array([self.gfx(part) for part in record.parts], np.int32)
        scales = record.scales
        holdings: dict[int, Holding] = {}
        for held in record.holding_locations:
            holdings.setdefault(held.key, Holding(held.part, held.frame.array()))
        placements: dict[int, F32] = {}
        for entry in record.placement_frames:
            placements.setdefault(entry.key, np.ascontiguousarray(entry.pose.frames, np.float32))
        flags = self._gfx.rows["flags"][part_gfx[part_gfx >= 0]]
        return SetupModel(
            did,
            part_gfx,
            np.ones((len(part_gfx), 3), np.float32)
            if scales is None
            else np.ascontiguousarray(scales, np.float32),
            placements,
            holdings,
            np.array(
                [(*c.low_point, c.radius, c.height) for c in record.cyl_spheres], np.float32
            ).reshape(-1, 5),
            np.array([(*s.center, s.radius) for s in record.spheres], np.float32).reshape(-1, 4),
            np.array((*record.sorting_sphere.center, record.sorting_sphere.radius), np.float32),
            np.array((*record.selection_sphere.center, record.selection_sphere.radius), np.float32),
            record.height,
            record.radius,
            record.step_up,
            record.step_down,
            record.lights,
            record.default_animation,
            record.default_script,
            record.default_motion_table,
            record.default_sound_table,
            record.default_script_table,
            has_physics_bsp=bool(np.any(flags & HAS_PHYSICS)),
            allow_free_heading=bool(record.flags & 4),
        )

    def _make_structure(self, environment_id: int, index: int) -> StructureModel:
        environment: Environment = self._read(environment_id, Environment)
        if not 0 <= index < len(environment.structures):
            raise MissingRecord(
                environment_id, what=f"no structure {index} of {len(environment.structures)}"
            )
        record = environment.structures[index]
        positions = record.vertices.positions
        box_min, box_max = shapes.bounds(positions, environment_id)
        solid = Polygons.of(record.physics_polygons)
        shapes.check_corners(Polygons.of(record.polygons), len(positions), environment_id)
        shapes.check_corners(solid, len(positions), environment_id)
        for polygon in record.portals:
            if polygon >= len(record.polygons):
                raise RecordError(
                    f"portal names polygon {polygon} of {len(record.polygons)}",
                    record=environment_id,
                )
        openings = Polygons.of([record.polygons[i] for i in record.portals])
        portals = {
            polygon.polygon_id: shape
            for polygon, shape in zip(
                openings, shapes.polygon_shapes(openings, positions), strict=True
            )
        }
        first = shapes.append_polygons(solid, positions, self._polygons, self._vertices)
        root = shapes.append_tree(
            record.physics_bsp, first, len(solid), self._nodes, self._poly_index, environment_id
        )
        planes = shapes.cell_chain(record.cell_bsp)
        return StructureModel(
            environment_id,
            index,
            record,
            planes,
            self._cell_planes.append(planes),
            portals,
            root,
            box_min,
            box_max,
        )

"""The land: a lattice of heights, types, slots and roads over all blocks of the recipe.

Vertex (i, j) lies 24 i metres east and 24 j metres north of the first block's corner. Shapes
build up heights in metres; then houses and roads level what they stand on; then every height
becomes the nearest entry of the region's height table, so that neighbouring blocks share their
edge vertices exactly.
"""

# contract: T8

from __future__ import annotations

import difflib
import itertools
import math
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from acclient_py.bake.noise import F64, fractal_noise, smoothstep
from acclient_py.bake.schema import places as p
from acclient_py.bake.vec import V2
from acclient_py.core.trig import RAD_PER_DEG, cos, sin
from acclient_py.errors import DataError

EDGE: Final = 24.0
LAST_BLOCK: Final = 254
ROAD_OUTSIDE: Final = 10_000.0
"""Metres that a road may lead out of the land."""
SIDE: Final = 8

TERRAIN_NAMES: Final = (
    *("BarrenRock", "Grassland", "Ice", "LushGrass", "MarshSparseSwamp", "MudRichDirt"),
    *("ObsidianPlain", "PackedDirt", "PatchyDirt", "PatchyGrassland", "SandYellow", "SandGrey"),
    *("SandRockStrewn", "SedimentaryRock", "SemiBarrenRock", "Snow", "WaterRunning"),
    *("WaterStandingFresh", "WaterShallowSea", "WaterShallowStillSea", "WaterDeepSea"),
    *("ForestFloor", "FauxWaterRunning", "SeaSlime", "Argila", "Volcano1", "Volcano2"),
    *("BlueIce", "Moss", "DarkMoss", "Olthoi", "DesolateLands"),
)
ROAD_NAME: Final = "RoadType"


def terrain_type(name: str, where: str) -> int:
    """The number of a terrain type by its name."""
    if name not in TERRAIN_NAMES:
        near = difflib.get_close_matches(name, TERRAIN_NAMES, 1)
        raise DataError(
            f"no terrain type '{name}'",
            where=where,
            do=f"did you mean '{near[0]}'?" if near else None,
        )
    return TERRAIN_NAMES.index(name)


def block_number(name: str) -> tuple[int, int]:
    """Column and row of a block named XXYY."""
    column, row = int(name[:2], 16), int(name[2:], 16)
    if column > LAST_BLOCK or row > LAST_BLOCK:
        raise DataError(f"there is no block {name}: they go from 0000 to FEFE")
    return column, row


class Land(Struct):
    """The lattice. Arrays are (8 columns + 1, 8 rows + 1), x-major.

    z       : metres while shapes are applied
    bytes   : indices of the height table, after `quantise`
    type    : terrain type ; slot : scenery slot ; road : 0..3
    """

    first: tuple[int, int]
    size: tuple[int, int]
    table: F64
    z: F64
    type: npt.NDArray[np.uint16]
    slot: npt.NDArray[np.uint16]
    road: npt.NDArray[np.uint16]
    bytes: npt.NDArray[np.uint8]
    x: F64 = field(default_factory=lambda: np.zeros(0))
    y: F64 = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def make(cls, terrain: p.Terrain, table: F64) -> Land:
        """Heights from the shapes, types from the rules; not yet levelled for houses."""
        first, last = (block_number(name) for name in terrain.blocks)
        nx, ny = last[0] - first[0] + 1, last[1] - first[1] + 1
        if nx < 1 or ny < 1:
            raise DataError("blocks are [south-west, north-east]", where="terrain.blocks")
        shape = (nx * SIDE + 1, ny * SIDE + 1)
        x = np.broadcast_to((np.arange(shape[0]) * EDGE)[:, None], shape).copy()
        y = np.broadcast_to((np.arange(shape[1]) * EDGE)[None, :], shape).copy()
        kind = terrain_type(terrain.type, "terrain.type")
        land = cls(
            first,
            (nx, ny),
            table,
            np.full(shape, terrain.base),
            np.full(shape, kind, dtype=np.uint16),
            np.full(shape, terrain.slot, dtype=np.uint16),
            np.zeros(shape, dtype=np.uint16),
            np.zeros(shape, dtype=np.uint8),
            x,
            y,
        )
        for number, item in enumerate(terrain.shapes):
            land.apply(item, f"terrain.shapes[{number}]")
        return land

    def apply(self, item: p.AnyTerrainShape, where: str) -> None:
        """Change the heights by one shape."""
        x, y = self.x, self.y
        match item:
            case p.NoiseShape():
                scale = 1.0 / item.size
                noise = fractal_noise(
                    x * scale + 0.37,
                    y * scale + 0.61,
                    item.seed,
                    octaves=item.octaves,
                    gain=item.gain,
                    ridged=item.ridged,
                )
                self._join(noise * item.height + item.lift, item.mode or "add")
            case p.Hill():
                d = _distance(x - item.at[0], y - item.at[1])
                self._join(_dome(d, item.radius, item.flat) * item.height, item.mode or "add")
            case p.Ridge():
                d = line_distance(x, y, item.points)
                self._join(_dome(d, item.width * 0.5, item.flat) * item.height, item.mode or "add")
            case p.Lake():
                self._lake(item, where)
            case p.Flatten():
                self.flatten(item.at, item.size, item.height, item.rim)
            case p.Map():
                self._join(_map_heights(item, x, y, where), item.mode or "add")
            case p.Slope():
                rise = (x - item.at[0]) * item.rise[0] + (y - item.at[1]) * item.rise[1]
                self._join(rise, item.mode or "add")

    def _join(self, z: F64, mode: str) -> None:
        if mode == "add":
            self.z = self.z + z
        elif mode == "set":
            self.z = z + np.zeros_like(self.z)
        elif mode == "max":
            self.z = np.maximum(self.z, z)
        else:
            self.z = np.minimum(self.z, z)

    def _lake(self, item: p.Lake, where: str) -> None:
        rx, ry = (item.radius,) * 2 if isinstance(item.radius, int | float) else item.radius
        if min(rx, ry) <= 0.0:
            raise DataError("a radius is more than 0", where=where)
        dx, dy = (self.x - item.at[0]) / rx, (self.y - item.at[1]) / ry
        share = _distance(dx, dy)
        wander = fractal_noise(self.x / 140.0, self.y / 140.0, item.seed + 13, octaves=3)
        share = share * (1.0 + item.rough * wander)
        level = item.level
        if level is None:
            rim = (share > 0.9) & (share < 1.25)
            level = float(self.z[rim].min()) if bool(rim.any()) else float(self.z.min())
        reach = item.shore / max(min(rx, ry), 1.0)
        bed = level - item.depth * (1.0 - smoothstep(0.0, 1.0, share))
        near = 1.0 - smoothstep(1.0, 1.0 + reach, share)
        self.z = np.where(share < 1.0, bed, level + (self.z - level) * (1.0 - near))
        if item.beach is not None:
            self.type[share < 1.0 + reach * 0.45] = terrain_type(item.beach, where)
        self.type[share < 0.93] = terrain_type(item.water, where)
        self.slot[share < 1.0 + reach * 0.45] = 0

    def flatten(self, at: V2, size: V2, height: float | None, rim: float) -> float:
        """Level a rectangle; every vertex of a cell it touches is set. Returns the height."""
        dx = np.abs(self.x - at[0]) - size[0] * 0.5
        dy = np.abs(self.y - at[1]) - size[1] * 0.5
        outside = np.maximum(dx, dy)
        if height is None:
            near = np.argmin(_distance(self.x - at[0], self.y - at[1]))
            height = float(self.z.reshape(-1)[near])
        height = float(self.table[self.nearest(np.array([height]))[0]])
        weight = 1.0 - smoothstep(EDGE, EDGE + max(rim, 1e-6), outside)
        self.z = self.z + (height - self.z) * weight
        return height

    def nearest(self, z: F64) -> npt.NDArray[np.uint8]:
        """The height bytes whose table entries are nearest to heights in metres."""
        high = np.clip(np.searchsorted(self.table, z), 1, 255)
        low = high - 1
        lower = z - self.table[low] <= self.table[high] - z
        return np.where(lower, low, high).astype(np.uint8)

    def quantise(self) -> None:
        """Turn metres into height bytes."""
        self.bytes = self.nearest(self.z)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point, metres from the first block's corner, lies in the land."""
        return 0.0 <= x < self.size[0] * 192.0 and 0.0 <= y < self.size[1] * 192.0

    def _near(self, point: V2, reach: float) -> bool:
        """Whether a point lies in the land or not farther than `reach` from it on each axis."""
        return all(-reach <= c <= n * 192.0 + reach for c, n in zip(point, self.size, strict=True))

    def slope(self) -> F64:
        """Rise over run at each vertex, by central differences."""
        gx = np.zeros_like(self.z)
        gy = np.zeros_like(self.z)
        gx[1:-1] = (self.z[2:] - self.z[:-2]) / (2.0 * EDGE)
        gy[:, 1:-1] = (self.z[:, 2:] - self.z[:, :-2]) / (2.0 * EDGE)
        return np.sqrt(gx * gx + gy * gy)

    def lay_road(self, road: p.Road, where: str) -> None:
        """Set road bits on the lattice vertices along a line; level the ground under it."""
        if len(road.points) < 2:
            raise DataError("a road needs two points or more", where=where)
        for point in road.points:
            if not self._near(point, ROAD_OUTSIDE):
                raise DataError(f"({point[0]:g}, {point[1]:g}) is far from the land", where=where)
        d = line_distance(self.x, self.y, road.points)
        if road.level > 0.0:
            self._level_road(road, d)
        for a, b in zip(road.points, road.points[1:], strict=False):
            for i, j in _lattice_line(a, b):
                if 0 <= i < self.road.shape[0] and 0 <= j < self.road.shape[1]:
                    self.road[i, j] = road.kind
        if road.width > 0.0:
            self.road[d <= road.width * 0.5] = road.kind

    def _level_road(self, road: p.Road, d: F64) -> None:
        """Draw heights near the road towards the mean of their neighbourhood."""
        smooth = self.z
        for _ in range(4):
            padded = np.pad(smooth, 1, mode="edge")
            smooth = (
                (padded[:-2, 1:-1] + padded[2:, 1:-1])
                + (padded[1:-1, :-2] + padded[1:-1, 2:])
                + smooth * 4.0
            ) / 8.0
        weight = 1.0 - smoothstep(road.level * 0.5, road.level, d)
        self.z = self.z + (smooth - self.z) * weight

    def paint(self, rule: p.Paint, where: str) -> None:
        """Set type and slot where all of a rule's conditions hold."""
        _check_paint(rule, where)
        on = np.ones(self.z.shape, dtype=bool)
        if rule.height is not None:
            on &= (self.z >= rule.height[0]) & (self.z <= rule.height[1])
        if rule.slope is not None:
            slope = self.slope()
            on &= (slope >= _tangent(rule.slope[0])) & (slope <= _tangent(rule.slope[1]))
        if rule.noise is not None:
            size, above = rule.noise
            noise = fractal_noise(self.x / size, self.y / size, rule.seed + 401, octaves=3)
            on &= noise > above
        if rule.at is not None:
            dx, dy = self.x - rule.at[0], self.y - rule.at[1]
            if rule.radius is not None:
                on &= _distance(dx, dy) <= rule.radius
            if rule.size is not None:
                on &= (np.abs(dx) <= rule.size[0] * 0.5) & (np.abs(dy) <= rule.size[1] * 0.5)
        if rule.near_road is not None:
            on &= self._road_distance() <= rule.near_road
        if rule.only is not None:
            kinds = [terrain_type(name, where) for name in rule.only]
            on &= np.isin(self.type, kinds)
        self.type[on] = terrain_type(rule.type, where)
        if rule.slot is not None:
            self.slot[on] = rule.slot

    def _road_distance(self) -> F64:
        best = np.full(self.z.shape, 1e9)
        for i, j in zip(*np.nonzero(self.road), strict=True):
            best = np.minimum(best, _distance(self.x - i * EDGE, self.y - j * EDGE))
        return best

    def words(self, column: int, row: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
        """Terrain words and height bytes (81,) of the block at a column and row of the land."""
        i, j = column * SIDE, row * SIDE
        cut = np.s_[i : i + SIDE + 1, j : j + SIDE + 1]
        words = self.road[cut] | self.type[cut] << 2 | self.slot[cut] << 11
        return words.reshape(81).astype(np.uint16), self.bytes[cut].reshape(81).copy()


def _check_paint(rule: p.Paint, where: str) -> None:
    """Refuse conditions that hold nowhere, or that would be passed over."""
    for key, limits in (("height", rule.height), ("slope", rule.slope)):
        if limits is not None:
            check_range(limits, f"{where}.{key}")
    if (rule.at is None) != (rule.radius is None and rule.size is None):
        raise DataError("at goes with radius or size, and they with at", where=where)


def check_range(limits: tuple[float, float], where: str) -> None:
    """Refuse [least, most] the wrong way round."""
    if limits[0] > limits[1]:
        raise DataError(f"[least, most]: {limits[0]:g} is more than {limits[1]:g}", where=where)


def line_distance(x: F64, y: F64, points: list[V2]) -> F64:
    """Distance of lattice points from a line of points."""
    best = np.full(x.shape, 1e9)
    for a, b in itertools.pairwise(points):
        dx, dy = b[0] - a[0], b[1] - a[1]
        size = dx * dx + dy * dy or 1.0
        t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / size, 0.0, 1.0)
        best = np.minimum(best, _distance(x - a[0] - t * dx, y - a[1] - t * dy))
    return best


def _distance(dx: F64, dy: F64) -> F64:
    result: F64 = np.sqrt(dx * dx + dy * dy)
    return result


def _dome(d: F64, radius: float, flat: float) -> F64:
    return 1.0 - smoothstep(radius * flat, radius, d)


def _tangent(degrees: float) -> float:
    if degrees >= 90.0:
        return math.inf
    angle = degrees * RAD_PER_DEG
    return sin(angle) / cos(angle)


def _map_heights(item: p.Map, x: F64, y: F64, where: str) -> F64:
    rows = item.rows[::-1]
    width = len(rows[0]) if rows else 0
    if width < 2 or len(rows) < 2 or any(len(row) != width for row in rows):
        raise DataError("rows: at least two, all of one length", where=where)
    grid = np.array(rows, dtype=np.float64).T * item.scale
    u = np.clip((x - item.at[0]) / item.step, 0.0, width - 1.0)
    v = np.clip((y - item.at[1]) / item.step, 0.0, len(rows) - 1.0)
    i = np.minimum(np.floor(u).astype(np.intp), width - 2)
    j = np.minimum(np.floor(v).astype(np.intp), len(rows) - 2)
    fu, fv = u - i, v - j
    low = grid[i, j] + (grid[i + 1, j] - grid[i, j]) * fu
    high = grid[i, j + 1] + (grid[i + 1, j + 1] - grid[i, j + 1]) * fu
    result: F64 = low + (high - low) * fv
    return result


def _lattice_line(a: V2, b: V2) -> list[tuple[int, int]]:
    """Lattice vertices along a line, each a neighbour (also across a corner) of the last."""
    i0, j0 = math.floor(a[0] / EDGE + 0.5), math.floor(a[1] / EDGE + 0.5)
    i1, j1 = math.floor(b[0] / EDGE + 0.5), math.floor(b[1] / EDGE + 0.5)
    steps = max(abs(i1 - i0), abs(j1 - j0))
    line = [(i0, j0)]
    for k in range(1, steps + 1):
        i = math.floor(i0 + (i1 - i0) * k / steps + 0.5)
        j = math.floor(j0 + (j1 - j0) * k / steps + 0.5)
        line.append((i, j))
    return line

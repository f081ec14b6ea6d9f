"""The world in the recipe language: terrain, roads, statics, houses, rooms, doors, scenery."""

# ruff: noqa: RUF012 -- msgspec copies empty defaults for every instance

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from acclient_py.bake.schema.base import (
    BlockName,
    Id,
    Point,
    Quat,
    Size,
    Size2,
    Size3,
    Table,
    Vec2,
    Vec3,
)
from acclient_py.bake.schema.meshes import AnyPiece

Side = Literal["south", "east", "north", "west"]
Slot = Annotated[int, msgspec.Meta(ge=0, le=31)]


class TerrainShape(Table, kw_only=True):
    """What all changes of the land have: how they join what is there already."""

    mode: Literal["add", "set", "max", "min"] | None = None


class NoiseShape(TerrainShape, kw_only=True, tag_field="kind", tag="noise"):
    """Hills by noise. size: metres from hill to hill; height: metres up and down."""

    size: Annotated[float, msgspec.Meta(ge=0.01)] = 300.0
    height: float = 10.0
    octaves: Annotated[int, msgspec.Meta(ge=1, le=12)] = 4
    gain: float = 0.45
    ridged: bool = False
    seed: int = 0
    lift: float = 0.0


class Hill(TerrainShape, kw_only=True, tag_field="kind", tag="hill"):
    """A round hill, or a hollow with a negative height. flat: share of it that is level on top."""

    at: Vec2
    radius: Size
    height: float
    flat: float = 0.0


class Ridge(TerrainShape, kw_only=True, tag_field="kind", tag="ridge"):
    """A ridge or a valley along a line of points."""

    points: Annotated[list[Vec2], msgspec.Meta(min_length=2)]
    width: Size
    height: float
    flat: float = 0.0


class Lake(TerrainShape, kw_only=True, tag_field="kind", tag="lake"):
    """A basin: ground level at its rim, `depth` below it in the middle, its bed painted."""

    at: Vec2
    radius: float | Size2
    depth: float = 4.0
    level: float | None = None
    shore: float = 40.0
    water: str = "WaterStandingFresh"
    beach: str | None = "SandYellow"
    rough: float = 0.15
    seed: int = 0


class Flatten(TerrainShape, kw_only=True, tag_field="kind", tag="flatten"):
    """Level ground: a rectangle at a height (None: the height in its middle), soft at the rim."""

    at: Vec2
    size: Vec2
    height: float | None = None
    rim: float = 24.0


class Map(TerrainShape, kw_only=True, tag_field="kind", tag="map"):
    """Heights written out, rows from north to south, spread from `at` in steps of `step`."""

    rows: list[list[float]]
    at: Vec2 = (0.0, 0.0)
    step: Size = 24.0
    scale: float = 1.0


class Slope(TerrainShape, kw_only=True, tag_field="kind", tag="slope"):
    """A plane: metres of height for each metre east and north of `at`."""

    rise: Vec2
    at: Vec2 = (0.0, 0.0)


AnyTerrainShape = NoiseShape | Hill | Ridge | Lake | Flatten | Map | Slope


class Paint(Table, kw_only=True):
    """A terrain type where all conditions hold; later rules paint over earlier ones."""

    type: str
    slot: Slot | None = None
    height: Vec2 | None = None
    slope: Vec2 | None = None
    noise: tuple[float, float] | None = None
    seed: int = 0
    at: Vec2 | None = None
    radius: float | None = None
    size: Vec2 | None = None
    near_road: float | None = None
    only: list[str] | None = None


class Road(Table, kw_only=True):
    """A road along a line: road bits on the vertices nearest to it. level: metres smoothed."""

    points: list[Vec2]
    kind: Literal[1, 2, 3] = 1
    width: float = 0.0
    level: float = 0.0


class Terrain(Table, kw_only=True):
    """The land: blocks from the south-west to the north-east corner, both included.

    `at` of everything without a `block` counts in metres from the south-west corner of the
    first block.
    """

    blocks: tuple[BlockName, BlockName]
    base: float = 0.0
    type: str = "Grassland"
    slot: Slot = 0
    shapes: list[AnyTerrainShape] = []
    paint: list[Paint] = []
    roads: list[Road] = []


class Spot(Table, kw_only=True):
    """A place: in a block (metres from its corner) or in the land; without z on the ground."""

    at: Point
    block: BlockName | None = None
    heading: float = 0.0
    rotate: Vec3 | None = None
    rotation: Quat | None = None
    up: float = 0.0


class Place(Spot, kw_only=True):
    """A named place for scenarios and `--at`. room: the env cell it lies in."""

    room: str | None = None


class Static(Spot, kw_only=True):
    """A thing that stands in the land: a setup or a mesh. A list of spots makes copies."""

    model: str
    spots: list[Point] = []
    at: Point = []


class Inside(Table, kw_only=True):
    """A thing in a house or room: its place from the floor's middle, z above the floor."""

    model: str
    at: Vec3
    heading: float = 0.0
    rotate: Vec3 | None = None
    room: str | None = None


class Gap(Table, kw_only=True):
    """A door or window of a house. at: metres from the middle of its side, to the right
    of somebody who faces it from outside. leaf: a setup hung in it, its hinge at its left edge,
    which is then one of the world's things (kind "door")."""

    side: Side
    at: float = 0.0
    width: Size = 1.2
    height: Size = 2.2
    sill: float = 0.0
    bars: bool | None = None
    leaf: str | None = None
    leaf_scale: Size = 1.0


class Roof(Table, kw_only=True):
    """A gabled roof (its ridge along x unless told), a hipped one, or none."""

    kind: Literal["gable", "hip", "flat"] = "gable"
    rise: Size | None = None
    overhang: float = 0.5
    verge: float = 0.35
    thickness: Size = 0.14
    ridge: Literal["x", "y"] | None = None


class Skins(Table, kw_only=True):
    """Surfaces of a house by what they cover."""

    walls: str = "plaster"
    roof: str = "shingles"
    under: str = "planks"
    gable: str = "planks"
    frame: str = "timber"
    base: str = "stone"
    floor: str = "floorboards"
    inner: str = "plaster"
    ceiling: str = "planks"
    step: str = "stone"


class Partition(Table, kw_only=True):
    """An inner wall across a house at a distance from its west (or south) inner wall."""

    at: float
    axis: Literal["x", "y"] = "x"
    thickness: Size = 0.16
    door: float | None = None
    width: Size = 1.1
    height: Size = 2.1


class House(Spot, kw_only=True):
    """A house: shell, roof, rooms, doors and windows, all openings real."""

    size: Size2
    name: str | None = None
    height: Size = 2.8
    wall: Size = 0.3
    floor: float = 0.2
    base: float = 0.6
    door: Side | list[Side] | None = None
    window: list[Side] = []
    doors: list[Gap] = []
    windows: list[Gap] = []
    partitions: list[Partition] = []
    roof: Roof = Roof()
    skins: Skins = Skins()
    timber: bool = False
    inside: list[Inside] = []
    pieces: list[AnyPiece] = []
    flatten: bool | float = True


class Room(Table, kw_only=True):
    """An env cell of a dungeon (or of a building): a box, or a prism over a convex outline.

    at: the floor's middle, block-local; rise: how far the floor climbs towards the room's north.
    """

    name: str
    at: Vec3
    size: Size3 = (6.0, 6.0, 3.0)
    block: BlockName | None = None
    heading: float = 0.0
    outline: list[Vec2] | None = None
    rise: float = 0.0
    steps: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    floor: str = "flagstones"
    wall: str = "stone"
    ceiling: str = "stone"
    inside: list[Inside] = []
    pieces: list[AnyPiece] = []


class Door(Table, kw_only=True):
    """An opening between two rooms whose walls face each other; a gap gets a passage."""

    rooms: tuple[str, str]
    width: Size = 1.6
    height: Size = 2.2
    sill: float = 0.0
    shift: float = 0.0
    wall: str | None = None
    floor: str | None = None


class Exit(Table, kw_only=True):
    """An opening from a building's room to the outside, in the wall nearest to a side."""

    room: str
    side: Side
    at: float = 0.0
    width: Size = 1.2
    height: Size = 2.2
    sill: float = 0.0


class Pad(Table, kw_only=True):
    """Level ground under a building: a rectangle about a place in the building's space."""

    size: Size2
    at: Vec2 = (0.0, 0.0)
    height: float | None = None
    rim: float = 24.0


class Building(Spot, kw_only=True):
    """A building written out: the shell's pieces, its rooms, inner doors and exits.

    Rooms are placed in the building's own space. The shell leaves the exits open; their portal
    polygons are added to it.
    """

    shell: list[AnyPiece]
    rooms: list[Room]
    exits: list[Exit]
    doors: list[Door] = []
    name: str | None = None
    flatten: Pad | None = None


class Scatter(Table, kw_only=True):
    """One kind of thing in a scene. spread: metres it may move; slope: degrees it may stand on."""

    model: str
    frequency: float = 1.0
    spread: Vec2 = (24.0, 24.0)
    at: Vec2 = (0.0, 0.0)
    scale: Vec2 = (1.0, 1.0)
    turn: float = 360.0
    slope: Vec2 = (0.0, 90.0)
    align: bool = False


class Scene(Table, kw_only=True):
    """Things that scenery rules scatter, one try each at every vertex of the scene's ground."""

    objects: list[Scatter]
    id: Id | None = None

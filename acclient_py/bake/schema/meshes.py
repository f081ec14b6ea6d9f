"""Meshes in the recipe language: pieces, each a shape with a place, joined into one model."""

# ruff: noqa: RUF012 -- msgspec copies empty defaults for every instance

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from acclient_py.bake.schema.base import Id, Size, Size2, Size3, Table, Vec2, Vec3

Few = Annotated[int, msgspec.Meta(ge=1, le=4096)]
Segments = Annotated[int, msgspec.Meta(ge=3, le=64)]


class Piece(Table, kw_only=True):
    """What all shapes have: place, turn (degrees about x, y, z), scale, surface, solidity."""

    surface: str = "stone"
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)
    scale: float | Vec3 = 1.0
    smooth: bool | float | None = None
    double: bool = False
    solid: bool = True
    drawn: bool = True
    fit: bool = False
    uv_scale: float | Vec2 = 1.0
    uv_shift: Vec2 = (0.0, 0.0)
    mirror: Literal["x", "y", "z"] | None = None
    repeat: Few = 1
    step: Vec3 = (0.0, 0.0, 0.0)
    turn: float = 0.0


class Box(Piece, kw_only=True, tag_field="shape", tag="box"):
    """A box that stands on its place (or has it in its middle). sides: surfaces by name of side."""

    size: Size3
    bevel: float = 0.0
    centred: bool = False
    taper: Vec2 = (1.0, 1.0)
    sides: dict[Literal["top", "bottom", "north", "south", "east", "west"], str] = {}


class Prism(Piece, kw_only=True, tag_field="shape", tag="prism"):
    """An outline (x, y) drawn up along z; any simple outline. caps: the surface of both ends."""

    outline: Annotated[list[Vec2], msgspec.Meta(min_length=3)]
    height: Size
    caps: str | None = None
    taper: float = 1.0
    bevel: float = 0.0


class Lathe(Piece, kw_only=True, tag_field="shape", tag="lathe"):
    """A profile of (radius, z) turned about z. squash: the y radius by the x radius."""

    profile: Annotated[list[Vec2], msgspec.Meta(min_length=2)]
    segments: Segments = 12
    squash: float = 1.0
    around: float | None = None


class Loft(Piece, kw_only=True, tag_field="shape", tag="loft"):
    """Level ovals joined by a skin. rings, from bottom to top: z, half width, half depth, and the
    oval's middle y and x if it is not 0. square: 0 round, 1 with corners."""

    rings: list[Annotated[list[float], msgspec.Meta(min_length=3, max_length=5)]]
    segments: Segments = 12
    square: float = 0.0


class Sphere(Piece, kw_only=True, tag_field="shape", tag="sphere"):
    """A ball. rough: stones, moved in and out by noise; seed picks which."""

    radius: Size = 0.5
    segments: Segments = 12
    rings: Annotated[int, msgspec.Meta(ge=2, le=64)] = 8
    rough: float = 0.0
    seed: int = 0
    inside: bool = False


class Sweep(Piece, kw_only=True, tag_field="shape", tag="sweep"):
    """A tube along a path; radii are spread over the path's points."""

    path: Annotated[list[Vec3], msgspec.Meta(min_length=2)]
    radii: Annotated[list[Size], msgspec.Meta(min_length=1)]
    segments: Segments = 8
    closed: bool = False
    caps: bool = True


class Grid(Piece, kw_only=True, tag_field="shape", tag="grid"):
    """A level sheet of cells, its middle on its place. bump: height of noise on it."""

    size: Size2
    cells: tuple[Few, Few] = (1, 1)
    bump: float = 0.0
    seed: int = 0


class Cards(Piece, kw_only=True, tag_field="shape", tag="cards"):
    """Upright sheets crossed at the middle, seen from both sides: bushes, flames, grass."""

    size: Size2
    count: Few = 2
    bend: float = 0.0


class Gable(Piece, kw_only=True, tag_field="shape", tag="gable"):
    """A roof over a rectangle, ridge along x or y: two slabs, eaves and gables included."""

    size: Size2
    rise: Size
    overhang: float = 0.4
    verge: float = 0.3
    thickness: float = 0.15
    ridge: Literal["x", "y"] = "x"
    gable: str | None = None
    under: str | None = None


class Pyramid(Piece, kw_only=True, tag_field="shape", tag="pyramid"):
    """A hipped roof or spire over a regular or rectangular base with an overhang."""

    size: Size2
    rise: Size
    overhang: float = 0.4
    thickness: float = 0.15
    under: str | None = None


class Opening(Table, kw_only=True):
    """A hole in a wall. at: metres from the wall's left end to its middle (None: the middle)."""

    at: float | None = None
    width: Size = 1.2
    height: Size = 2.2
    sill: float = 0.0


class Wall(Piece, kw_only=True, tag_field="shape", tag="wall"):
    """An upright wall along x with holes through it; its foot's middle is on its place."""

    length: Size
    height: Size
    thickness: Size = 0.3
    openings: list[Opening] = []


class Stairs(Piece, kw_only=True, tag_field="shape", tag="stairs"):
    """Steps that rise towards y."""

    size: Size3
    steps: Few = 8


class Corner(Table, kw_only=True):
    """One polygon of a soup: corner numbers, and its own surface and uvs if wanted."""

    corners: list[int]
    surface: str | None = None
    uvs: list[Vec2] | None = None
    double: bool | None = None


class Soup(Piece, kw_only=True, tag_field="shape", tag="soup"):
    """Points and polygons written out."""

    points: list[Vec3]
    polygons: list[Corner | list[int]]


class Use(Piece, kw_only=True, tag_field="shape", tag="mesh"):
    """Another mesh of the recipe. Its own surfaces stay unless `surface` is given."""

    mesh: str
    surface: str = ""


AnyPiece = (
    Box
    | Prism
    | Lathe
    | Loft
    | Sphere
    | Sweep
    | Grid
    | Cards
    | Gable
    | Pyramid
    | Wall
    | Stairs
    | Soup
    | Use
)


class Level(Table, kw_only=True):
    """A level of detail: from which distance on another mesh (none: nothing) is drawn."""

    beyond: Size
    mesh: str | None = None
    mode: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1


class Mesh(Table, kw_only=True):
    """A model: pieces, and whether it collides by its own polygons.

    facing : it turns with the eye, from which +y looks away, wholly or about one of its axes
    """

    pieces: list[AnyPiece]
    id: Id | None = None
    physics: bool = False
    smooth: bool | float = False
    sort_center: Vec3 | None = None
    levels: list[Level] = []
    facing: Literal["eye", "x", "y", "z"] | None = None

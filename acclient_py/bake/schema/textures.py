"""Textures, palettes and surfaces in the recipe language."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from acclient_py.bake.schema.base import Color, Id, Size, Size2, Table, Vec2

Colors = Annotated[list[Color], msgspec.Meta(min_length=1)]
Octaves = Annotated[int, msgspec.Meta(ge=1, le=12)]
PositiveInt = Annotated[int, msgspec.Meta(ge=1, le=4096)]
Strokes = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
# A bounded number beside a tuple in one union makes msgspec read wild memory: check in code.
Lattice = int | tuple[PositiveInt, PositiveInt]


class Mask(Table, kw_only=True):
    """Where a layer shows: noise above a threshold, softened."""

    scale: Lattice = 4
    octaves: Octaves = 3
    above: float = 0.0
    soft: float = 0.3
    seed: int = 0
    invert: bool = False


class Layer(Table, kw_only=True):
    """What all layers have: how they mix with what is below, how much, and where."""

    blend: Literal["normal", "multiply", "add", "screen", "overlay"] = "normal"
    amount: float = 1.0
    seed: int = 0
    height: float = 1.0
    mask: Mask | None = None


class Fill(Layer, kw_only=True, tag_field="kind", tag="fill"):
    """One colour."""

    color: Color


class Noise(Layer, kw_only=True, tag_field="kind", tag="noise"):
    """Fractal noise through a ramp of colours. scale: lattice cells over the picture."""

    colors: Colors
    scale: Lattice = 4
    octaves: Octaves = 4
    gain: float = 0.5
    ridged: bool = False
    warp: float = 0.0
    contrast: float = 1.0


class Cells(Layer, kw_only=True, tag_field="kind", tag="cells"):
    """Cobbles, scales, cracks: cells about jittered points. edge: width of the joint in cells."""

    colors: Colors
    scale: Lattice = 8
    mode: Literal["stones", "distance", "border"] = "stones"
    jitter: float = 0.7
    edge: float = 0.08
    edge_color: Color | None = None
    warp: float = 0.0


class Bricks(Layer, kw_only=True, tag_field="kind", tag="bricks"):
    """Courses of bricks or cut stones. mortar: joint width as a fraction of a course."""

    colors: Colors
    rows: PositiveInt = 8
    columns: PositiveInt = 4
    shift: float = 0.5
    mortar: float = 0.1
    mortar_color: Color = "#8A8276"
    bevel: float = 0.12
    wobble: float = 0.0


class Planks(Layer, kw_only=True, tag_field="kind", tag="planks"):
    """Boards with grain. count: boards over the picture; joints: board ends along a board."""

    colors: Colors
    count: PositiveInt = 6
    joints: PositiveInt = 1
    vertical: bool = False
    gap: float = 0.05
    gap_color: Color = "#1E140C"
    grain: float = 0.5


class Shingles(Layer, kw_only=True, tag_field="kind", tag="shingles"):
    """Overlapping rows of shingles or slates with a shadow under each row."""

    colors: Colors
    rows: PositiveInt = 8
    columns: PositiveInt = 8
    round: float = 0.3
    shadow: float = 0.5
    ragged: float = 0.15


class Weave(Layer, kw_only=True, tag_field="kind", tag="weave"):
    """Threads over and under: cloth, mail, thatch. count: threads over the picture."""

    colors: Colors
    count: Lattice = 32
    depth: float = 0.5


class Blades(Layer, kw_only=True, tag_field="kind", tag="blades"):
    """Many thin strokes: grass, straw, fur. Lengths and widths are fractions of the picture."""

    colors: Colors
    count: Strokes = 300
    length: tuple[float, float] = (0.1, 0.25)
    width: float = 0.01
    lean: float = 0.3
    root: Literal["anywhere", "bottom"] = "anywhere"


class Leaves(Layer, kw_only=True, tag_field="kind", tag="leaves"):
    """Leaf shapes that also fill the picture's alpha: for clip maps."""

    colors: Colors
    count: Strokes = 120
    size: tuple[float, float] = (0.06, 0.12)
    slim: float = 0.5
    inside: float = 0.48


class Speckle(Layer, kw_only=True, tag_field="kind", tag="speckle"):
    """Grains: a fraction `density` of the texels takes a colour of the list."""

    colors: Colors
    density: float = 0.1
    scale: PositiveInt = 64


class Gradient(Layer, kw_only=True, tag_field="kind", tag="gradient"):
    """A ramp along v (top to bottom), along u, or from the middle outwards."""

    colors: Colors
    axis: Literal["u", "v", "radial"] = "v"


class Glow(Layer, kw_only=True, tag_field="kind", tag="glow"):
    """A round light whose alpha falls from the middle to `radius`."""

    color: Color
    radius: Size = 0.5
    sharp: float = 2.0


class Stamp(Layer, kw_only=True, tag_field="kind", tag="stamp"):
    """One shape painted on: places and sizes are fractions of the picture, v downwards."""

    color: Color
    shape: Literal["disc", "ring", "rect", "diamond"] = "disc"
    at: Vec2 = (0.5, 0.5)
    size: Vec2 = (0.2, 0.2)
    soft: float = 0.01
    line: float = 0.03
    erase: bool = False


class Light(Layer, kw_only=True, tag_field="kind", tag="light"):
    """Shade by the relief of the layers below, light from the upper left."""

    strength: float = 0.5


AnyLayer = (
    Fill
    | Noise
    | Cells
    | Bricks
    | Planks
    | Shingles
    | Weave
    | Blades
    | Leaves
    | Speckle
    | Gradient
    | Glow
    | Stamp
    | Light
)


class Texture(Table, kw_only=True):
    """A picture made of layers, and how it is stored. Sizes are powers of two."""

    layers: list[AnyLayer]
    id: Id | None = None
    size: int | tuple[int, int] = 128
    format: Literal[
        "R8G8B8", "A8R8G8B8", "A4R4G4B4", "R5G6B5", "A8", "INDEX16", "P8", "LSCAPE", "LSCAPE_ALPHA"
    ] = "R8G8B8"
    background: Color = "#808080"
    palette: str | None = None
    supersample: Literal[1, 2] = 2
    metres: float | Size2 = 2.0


class Palette(Table, kw_only=True):
    """Colours spread over an index range: a ramp, or several with `at` positions."""

    colors: Colors
    id: Id | None = None
    size: PositiveInt = 2048
    clear: Annotated[int, msgspec.Meta(ge=0)] = 0


class Surface(Table, kw_only=True):
    """A texture or a colour with its state bits. A bare texture name makes a plain surface."""

    id: Id | None = None
    texture: str | None = None
    palette: str | None = None
    color: Color | None = None
    clip: bool = False
    alpha: bool = False
    inverse_alpha: bool = False
    additive: bool = False
    translucency: float = 0.0
    luminosity: float = 0.0
    diffuse: float = 1.0
    type: Id | None = None
    metres: float | Size2 | None = None

"""Bodies in the recipe language: setups, animations, motion tables, clothing."""

# ruff: noqa: RUF012 -- msgspec copies empty defaults for every instance

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from acclient_py.bake.schema.base import Color, Id, Size, Table, Vec3

Count = Annotated[int, msgspec.Meta(ge=0, le=0x7FFFFFFF)]
NotLess = Annotated[float, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=600)]


class Part(Table, kw_only=True):
    """One part: its mesh, modelled about its joint, and where the joint sits in the parent's."""

    mesh: str
    name: str | None = None
    parent: str | None = None
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)
    scale: float | Vec3 | None = None


class Hold(Table, kw_only=True):
    """Where a child hangs: on a part (none: on the object itself)."""

    part: str | None = None
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)


class Placement(Table, kw_only=True):
    """A pose without animation: the whole body moved and turned, and single joints turned."""

    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)
    pose: dict[str, Vec3] = {}


class Cylinder(Table, kw_only=True):
    """An upright collision cylinder."""

    radius: Size
    height: Size
    at: Vec3 = (0.0, 0.0, 0.0)


class Ball(Table, kw_only=True):
    """A collision sphere."""

    radius: Size
    at: Vec3 = (0.0, 0.0, 0.0)


class Light(Table, kw_only=True):
    """A light carried by the body. cone: degrees, 0 for a point light."""

    color: Color = "#FFFFFF"
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)
    intensity: float = 1.0
    falloff: float = 8.0
    cone: float = 0.0


class Setup(Table, kw_only=True):
    """A body. A bare `mesh` is a body of one part.

    script: what begins with it; scripts: what is played when it is hidden, created ... by name
    """

    id: Id | None = None
    mesh: str | None = None
    parts: list[Part] = []
    holding: dict[str, Hold] = {}
    connections: dict[str, Hold] = {}
    placements: dict[str, Placement] = {}
    cylinders: list[Cylinder] = []
    spheres: list[Ball] = []
    height: NotLess | None = None
    radius: NotLess | None = None
    step_up: NotLess = 0.0
    step_down: NotLess = 0.0
    sorting: Ball | None = None
    selection: Ball | None = None
    lights: list[Light] = []
    animation: str | None = None
    motion: str | None = None
    script: str | None = None
    scripts: dict[str, str] = {}
    free_heading: bool = False


class Key(Table, kw_only=True):
    """A pose at a time (seconds): joint turns in degrees about x, y, z, and the body's own."""

    time: Seconds
    pose: dict[str, Vec3] = {}
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)


class Leg(Table, kw_only=True):
    """A leg of three joints; phase: its share of the cycle at which its foot comes down."""

    hip: str
    knee: str
    foot: str
    phase: float = 0.0


class Swing(Table, kw_only=True):
    """A joint that swings once a cycle: middle and amount in degrees about x, y, z."""

    joint: str
    amount: Vec3
    middle: Vec3 = (0.0, 0.0, 0.0)
    phase: float = 0.0
    times: int = 1


class Gait(Table, kw_only=True):
    """A cycle of steps. Feet on the ground go back as fast as the body goes on.

    speed: metres a second; cycle: seconds for both feet; duty: share of it that a foot is down;
    toward: degrees from straight ahead, clockwise; spin: degrees a second to the right.
    """

    legs: list[Leg]
    speed: float = 0.0
    cycle: Annotated[float, msgspec.Meta(gt=0, le=600)] = 1.0
    duty: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.6
    lift: float = 0.15
    crouch: float = 0.04
    bob: float = 0.03
    sway: float = 0.02
    lean: float = 0.0
    toward: float = 0.0
    spin: float = 0.0
    pitch: float = 25.0
    swings: list[Swing] = []


class ScriptStep(Table, kw_only=True):
    """One step of a script or of an animation; it does one thing.

    emitter: one started at a place of a part (none: of the object), known as emitter_id
    stop, destroy: an emitter by that number; light: its lights on or off
    fade: translucency from, to, seconds; call: another script, after pause seconds or so
    """

    time: float = 0.0
    part: int | str | None = None
    emitter: str | None = None
    at: Vec3 = (0.0, 0.0, 0.0)
    rotate: Vec3 = (0.0, 0.0, 0.0)
    emitter_id: int = 0
    blocking: bool = False
    stop: int | None = None
    destroy: int | None = None
    light: bool | None = None
    fade: Vec3 | None = None
    call: str | None = None
    pause: float = 0.0


class Animation(Table, kw_only=True):
    """An animation of a setup's parts at 30 frames a second: keys, or a gait.

    even: without slowing down at the keys; steps: what happens when the frame at their time is left
    """

    setup: str
    id: Id | None = None
    keys: list[Key] = []
    seconds: Annotated[float, msgspec.Meta(gt=0, le=600)] | None = None
    loop: bool = True
    even: bool = False
    gait: Gait | None = None
    steps: list[ScriptStep] = []


class Cycle(Table, kw_only=True):
    """One motion: its animation and the body's own velocity (m/s) and turn (radians/s)."""

    animation: str | None = None
    low: int = 0
    high: int = -1
    framerate: float = 30.0
    velocity: Vec3 | None = None
    omega: Vec3 | None = None
    modifier: bool | None = None


class Link(Table, kw_only=True):
    """What plays on the way from one motion to another."""

    start: str
    end: str
    animation: str
    low: int = 0
    high: int = -1
    framerate: float = 30.0


class Style(Table, kw_only=True):
    """The motions of a stance, by command name (Ready, WalkForward ...) or number."""

    motions: dict[str, Cycle]
    default: str = "Ready"
    links: list[Link] = []


class Motion(Table, kw_only=True):
    """A motion table: `motions` is the NonCombat stance, others are named in `styles`."""

    id: Id | None = None
    default: str = "NonCombat"
    motions: dict[str, Cycle] = {}
    links: list[Link] = []
    styles: dict[str, Style] = {}


class Emitter(Table, kw_only=True):
    """A particle emitter. The meshes are those of one particle."""

    mesh: str
    id: Id | None = None
    kind: Literal["birthrate", "metres"] = "birthrate"
    motion: Annotated[int, msgspec.Meta(ge=1, le=12)] = 2
    birthrate: Size = 0.1
    max_particles: Count = 20
    initial: Count = 0
    total: Count = 0
    seconds: float = 0.0
    life: float = 1.0
    life_random: float = 0.0
    offset: Vec3 = (0.0, 0.0, 0.0)
    offset_range: tuple[float, float] = (0.0, 0.0)
    a: Vec3 = (0.0, 0.0, 0.0)
    a_range: tuple[float, float] = (1.0, 1.0)
    b: Vec3 = (0.0, 0.0, 0.0)
    b_range: tuple[float, float] = (1.0, 1.0)
    c: Vec3 = (0.0, 0.0, 0.0)
    c_range: tuple[float, float] = (1.0, 1.0)
    scale: tuple[float, float] = (1.0, 1.0)
    scale_random: float = 0.0
    translucency: tuple[float, float] = (0.0, 1.0)
    translucency_random: float = 0.0
    local: bool = False


class Script(Table, kw_only=True):
    """A physics script."""

    steps: list[ScriptStep]
    id: Id | None = None


class NewPart(Table, kw_only=True):
    """What a garment does to one part: another mesh, and textures exchanged."""

    part: int
    mesh: str | None = None
    textures: dict[str, str] = {}


class Dye(Table, kw_only=True):
    """A palette choice: colour runs (first, count) taken from one of the shades."""

    ranges: list[tuple[int, int]]
    shades: list[str]


class Clothing(Table, kw_only=True):
    """A clothing table: parts by setup, and dyes by number."""

    id: Id | None = None
    setups: dict[str, list[NewPart]] = {}
    dyes: dict[str, list[Dye]] = {}

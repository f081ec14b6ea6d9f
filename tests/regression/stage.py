"""A stage for defects that other clients had: a tiny world in flat colours, a camera, one frame.

A `Shot` is the picture and the very records that it was drawn from, so a test can ask both: what
stands at a point of the world on the screen, and in what order it came there. `Stage.redraw` draws
other records (another order, some left out) with the executor that takes one record at a time:
the picture of the defect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from builders.places import Place
from builders.worlds import baked, opened

from acclient_py.errors import MissingRecord
from acclient_py.gpu.device import Device
from acclient_py.order.stream import Op
from acclient_py.order.study import with_records
from acclient_py.order.transcript import write_frame
from acclient_py.render.frame import FrameRenderer
from acclient_py.transcript.events import Recorder

SIZE = (160, 120)
BLOCK = 0x7F7F0000
OUT = BLOCK | 1  # any land cell: the eye's own is found from its place
CELL = BLOCK | 0x100  # the first room of the block
Point = tuple[float, float, float]

COLOURS = {
    "red": (255, 0, 0),
    "green": (0, 160, 0),  # the ground
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "magenta": (255, 0, 255),
    "cyan": (0, 255, 255),
    "white": (255, 255, 255),
    "orange": (255, 128, 0),
    "sky": (96, 144, 208),  # what the picture is cleared to
}
ROOM = ("yellow", "blue", "cyan")  # walls, floor, ceiling of all rooms
INSIDE = 'floor = "blue"\nwall = "yellow"\nceiling = "cyan"\n'
NEAR = 12  # of 255, by which a channel may be off


def _paint() -> str:
    lines = []
    for name, (r, g, b) in COLOURS.items():
        if name in ("green", "sky"):
            continue
        fill = f'layers = [{{ kind = "fill", color = "#{r:02X}{g:02X}{b:02X}" }}]'
        lines.append(f"[texture.{name}]\nsize = 8\nsupersample = 1\n{fill}\n")
    return "\n".join(lines)


GRASS = """
[texture.turf]
size = 64
supersample = 1
format = "LSCAPE"
layers = [{ kind = "fill", color = "#00A000" }]
[ground.Grassland]
texture = "turf"
color = "#00A000"
"""
DAY = """
[day.plain]
name = "Plain"
things = []
hours = [
  { time = 0.0, sun = 0.0, heading = 0, pitch = 90, color = "#000000", ambient = 1.0, ambient_color = "#FFFFFF", fog = [50000, 60000], fog_color = "#6090D0" },
]
"""  # noqa: E501
FLAT = """
[terrain]
blocks = ["7F7F", "7F7F"]
base = 20
"""
SKINS = (
    'skins = { walls = "red", roof = "red", under = "red", gable = "red", frame = "red", '
    'base = "red", step = "red", floor = "blue", inner = "yellow", ceiling = "cyan" }'
)


def recipe(*parts: str, land: str = FLAT, day: str = DAY) -> str:
    """A world's recipe: flat colours, a day without shadows, ground, and what a test adds."""
    return "\n".join((_paint(), GRASS, day, land, *parts))


def house(at: tuple[float, float], **keys: str) -> str:
    """A red house with a blue floor, yellow walls and a cyan ceiling within."""
    keys = {"block": '"7F7F"', "size": "[7, 6]", **keys}
    rest = "\n".join(f"{key} = {value}" for key, value in keys.items())
    return f"[[house]]\nat = [{at[0]}, {at[1]}]\n{SKINS}\n{rest}\n"


def static(model: str, *at: float) -> str:
    """A thing in the land."""
    return f'[[static]]\nmodel = "{model}"\nblock = "7F7F"\nat = {list(at)}\n'


def mesh(name: str, *pieces: str) -> str:
    """A mesh of pieces."""
    return f"[mesh.{name}]\npieces = [\n" + "".join(f"  {{ {p} }},\n" for p in pieces) + "]\n"


def pane(surface: str, width: float = 2.0, height: float = 2.0, *, low: float = 0.0) -> str:
    """An upright sheet across y, seen from both sides."""
    w, top = width / 2, low + height
    corners = f"[[{-w}, 0, {low}], [{w}, 0, {low}], [{w}, 0, {top}], [{-w}, 0, {top}]]"
    return (
        f'shape = "soup", surface = "{surface}", double = true, solid = false, '
        f"points = {corners}, polygons = [[0, 1, 2, 3]]"
    )


@dataclass(frozen=True)
class Shot:
    """One frame: picture (h, w, 3) int32, its records, its transcript's events, world to pixels."""

    picture: Any
    records: Any
    events: list[dict[str, Any]]
    to_pixel: Callable[[Point], tuple[int, int]]

    def kinds(self, *wanted: str) -> list[dict[str, Any]]:
        """Events of some kinds, in order."""
        return [event for event in self.events if event["event"] in wanted]

    def told(self, kind: str, field: str) -> list[Any]:
        """One field of all events of a kind."""
        return [event[field] for event in self.events if event["event"] == kind]

    def colour(self, point: Point, picture: Any = None) -> str:
        """The name of the colour where a point of the world is on the screen, or its numbers."""
        x, y = self.to_pixel(point)
        pixel = (self.picture if picture is None else picture)[y, x]
        return name_of(pixel)

    def near(self, point: Point, rgb: tuple[int, int, int], picture: Any = None) -> bool:
        """Whether a point's pixel has these numbers, up to rounding and light."""
        x, y = self.to_pixel(point)
        pixel = (self.picture if picture is None else picture)[y, x]
        return bool((np.abs(pixel - np.array(rgb)) <= NEAR).all())

    def count(self, colour: str, picture: Any = None) -> int:
        """How many pixels have a colour."""
        return int(is_colour(self.picture if picture is None else picture, colour).sum())


def is_colour(picture: Any, colour: str) -> Any:
    """Where a picture has a colour of COLOURS."""
    return (np.abs(picture - np.array(COLOURS[colour])) <= NEAR).all(axis=-1)


def name_of(pixel: Any) -> str:
    """The name of a pixel's colour, or its numbers."""
    for name in COLOURS:
        if is_colour(pixel, name):
            return name
    return ",".join(str(int(v)) for v in pixel)


class Stage:
    """A fixture world, fully loaded, and a renderer for it."""

    def __init__(
        self,
        device: Device,
        world: str,
        *,
        size: tuple[int, int] = SIZE,
        doctored: Callable[[int, Any], Any] | None = None,
        missing: Callable[[int], bool] | None = None,
    ) -> None:
        """doctored : takes an id and its record, gives the record to use ; missing : ids to hide"""
        self.world = world
        dats = opened(world)
        plain, has = dats.record, dats.has

        def record(did: int, **options: Any) -> Any:
            if missing is not None and missing(did):
                raise MissingRecord(did)
            found = plain(did, **options)
            return found if doctored is None else doctored(did, found)

        def is_there(did: int, **options: Any) -> bool:
            return has(did, **options) and not (missing is not None and missing(did))

        dats.record, dats.has = record, is_there  # type: ignore[method-assign]
        self.place = Place(dats)
        self.renderer = FrameRenderer(device, self.place.models, self.place.region, size=size)

    @property
    def arrays(self) -> Any:
        return self.place.arrays

    def shoot(self, cell: int, eye: Point, target: Point, *, frames: int = 2) -> Shot:
        """Draw the same view some times (the first frame has no seals before it); the last one."""
        self.place.aim(cell, eye, target)
        for _ in range(frames - 1):
            self.place.draw(self.renderer)
        return self.frame()

    def frame(self) -> Shot:
        """Draw once as the camera stands."""
        picture = self.place.draw(self.renderer, marks=True).astype(np.int32)
        painter = self.renderer.painter
        recorder = Recorder()
        write_frame(recorder, painter, self.place.physics, self.renderer.size)
        lens = self.renderer.lens
        assert lens is not None
        matrix, (width, height) = lens.world_to_clip.astype(float), self.renderer.size
        bx, by = lens.pose.block_x, lens.pose.block_y

        def to_pixel(point: Point) -> tuple[int, int]:
            """Of a point in the space of block 7F7F."""
            x, y = point[0] + (0x7F - bx) * 192.0, point[1] + (0x7F - by) * 192.0
            clip = [sum(v * matrix[i, k] for i, v in enumerate((x, y, point[2], 1.0)))
                    for k in range(4)]  # fmt: skip
            assert clip[3] > 0, "the point is before the eye"
            px = int((clip[0] / clip[3] + 1.0) / 2.0 * width)
            py = int((1.0 - clip[1] / clip[3]) / 2.0 * height)
            assert 0 <= px < width, f"{point} is off the picture"
            assert 0 <= py < height, f"{point} is off the picture"
            return px, py

        return Shot(picture, painter.records.copy(), recorder.events, to_pixel)

    def redraw(self, records: Any) -> Any:
        """The picture of other records of the last frame, one draw each; (h, w, 3) int32."""
        renderer = self.renderer
        used = renderer.submitter.executor
        renderer.submitter.set_executor("reference")
        renderer._submit(with_records(renderer.painter, records))
        renderer.submitter.set_executor(used)
        return renderer.read().astype(np.int32)

    @property
    def clear_colour(self) -> tuple[int, int, int]:
        """What a picture is cleared to."""
        fog = self.place.maker.scene().air.fog
        assert fog is not None, "the day has fog"
        return tuple(int(c) for c in fog.rgb)  # type: ignore[return-value]

    def did(self, kind: str, name: str) -> int:
        """The id of a record of the recipe, as ("mesh", "house 'inn'")."""
        return int(baked(self.world).ids[f"{kind} {name}"])

    def release(self) -> None:
        self.renderer.release()


def ops(records: Any, *wanted: Op) -> list[int]:
    """Places of records of some kinds."""
    return [i for i, op in enumerate(records["op"].tolist()) if op in wanted]


def moved(records: Any, places: Sequence[int], before: int) -> Any:
    """The records with some of them taken out and put in before another one, in their order."""
    taken = set(places)
    head = [i for i in range(before) if i not in taken]
    tail = [i for i in range(before, len(records)) if i not in taken]
    return records[[*head, *places, *tail]]


def terrain_first(records: Any) -> Any:
    """All leaves before everything else that stands in the land: what L4 calls a defect."""
    leaves = ops(records, Op.TERRAIN)
    return moved(records, leaves, leaves[0])


def without(records: Any, places: Sequence[int]) -> Any:
    """The records without some of them."""
    return np.delete(records, list(places))

"""The scenario file: a world and steps in order (I5, I6).

A scenario is what a person attaches to a bug report, what the tests run, and what the viewer
records. It is read whole and checked before the first step runs; an unknown key or a wrong type is
one line that names the place. Ids are strings of eight hexadecimal digits, quaternions w, x, y, z,
origins metres in the landblock's frame, headings compass degrees.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from acclient_py import paths
from acclient_py.core.ids import hex8
from acclient_py.errors import UsageError

SCHEMA: Final = "acclient/scenario/1"
TICKS_PER_SECOND: Final = 30

MAX_SECONDS: Final = 24 * 3600.0
"""No single step simulates more than a day."""


class HexId(int):
    """A 32-bit id, written "0x" and eight hexadecimal digits."""

    def __repr__(self) -> str:
        return hex8(self)


Stamp = Annotated[int, Meta(ge=0, le=0xFFFF)]
Seconds = Annotated[float, Meta(ge=0.0, le=MAX_SECONDS)]
Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]


class At(Struct, forbid_unknown_fields=True, frozen=True):
    """A place: a cell and a frame in the space of the cell's landblock."""

    cell: HexId
    origin: Vec3
    rotation: Quat = (1.0, 0.0, 0.0, 0.0)


class _Step(Struct, forbid_unknown_fields=True, frozen=True, tag_field="do", kw_only=True):
    """One step; `do` says which."""


class Create(_Step, tag="create", frozen=True):
    """A thing comes into being; with a parent it is attached, else placed (E4).

    leads : the thing is a portal, and the player who walks into it goes there (E20)
    """

    guid: HexId
    setup: HexId
    instance: Stamp | None = None
    at: At | None = None
    parent: HexId | None = None
    location: int = 1
    placement: int | None = None
    state: HexId | None = None
    motion: HexId | None = None
    scale: Annotated[float, Meta(gt=0.0)] = 1.0
    player: bool = False
    leads: At | None = None
    two_handed: bool = False


class Attach(_Step, tag="attach", frozen=True):
    """A parent event (E5). `parent_instance` is checked when it is given."""

    child: HexId
    parent: HexId
    location: int = 1
    placement: int = 1
    parent_instance: Stamp | None = None
    stamp: Stamp | None = None


class Swap(_Step, tag="swap", frozen=True):
    """Two things of one bearer are to change places; the two attaches that follow do it whole."""

    guid: HexId
    other: HexId


class Stance(_Step, tag="stance", frozen=True):
    """A body takes a stance of its motion table, by the style's id."""

    guid: HexId
    style: HexId


class Pickup(_Step, tag="pickup", frozen=True):
    """An object leaves the world into a pack (E7)."""

    guid: HexId
    instance: Stamp | None = None
    stamp: Stamp | None = None


class Delete(_Step, tag="delete", frozen=True):
    """An incarnation ends (E8)."""

    guid: HexId
    instance: Stamp | None = None


class Position(_Step, tag="position", frozen=True):
    """A server position (E9)."""

    guid: HexId
    at: At
    instance: Stamp | None = None
    stamp: Stamp | None = None
    teleport_stamp: Stamp | None = None
    force_stamp: Stamp | None = None
    placement: int = 0
    contact: bool = True
    velocity: Vec3 | None = None


class Place(_Step, tag="place", frozen=True):
    """A forced placement: SetPositionSimple, whatever the stamps say."""

    guid: HexId
    at: At


class Teleport(_Step, tag="teleport", frozen=True):
    """The teleport of E20."""

    guid: HexId
    at: At


class State(_Step, tag="state", frozen=True):
    """A new physics state word, taken verbatim (E10)."""

    guid: HexId
    state: HexId
    instance: Stamp | None = None
    stamp: Stamp | None = None


class Message(_Step, tag="message", frozen=True):
    """A wire message, from its opcode on."""

    hex: str


class Walk(_Step, tag="walk", frozen=True):
    """Go forward by the object's own motion table: a heading for some time, or to a place."""

    guid: HexId
    heading: float | None = None
    seconds: Seconds | None = None
    to: At | None = None
    run: bool = False


class Input(_Step, tag="input", frozen=True):
    """Keys of the default keymap, held by the player for some time."""

    keys: list[str]
    seconds: Seconds


class Use(_Step, tag="use", frozen=True):
    """Open or shut something: by its guid, or the nearest thing in the player's reach."""

    guid: HexId | None = None


class Stop(Struct, forbid_unknown_fields=True, frozen=True):
    """A place of an errand.

    wait       : seconds spent there
    open, shut : the door that is opened, or shut, on arriving, unless it is already
    then       : what else is done on arriving
    """

    to: At
    run: bool = False
    wait: Annotated[float, Meta(ge=0.0, le=3600.0)] = 0.0
    open: HexId | None = None
    shut: HexId | None = None
    then: list[Attach | Pickup | State | Use] = []


class Errand(_Step, tag="errand", frozen=True):
    """Go by yourself from here on: along places, over and over, or after somebody.

    It takes no time of its own: the steps that follow do. Without places and without anybody to
    follow it ends the errand that the object is on.
    """

    guid: HexId
    stops: list[Stop] = []
    loop: bool = True
    follow: HexId | None = None
    distance: Annotated[float, Meta(gt=0.0)] = 2.5


class Tick(_Step, tag="tick", frozen=True):
    """Time passes."""

    seconds: Seconds


class Load(_Step, tag="load", frozen=True):
    """A landblock comes into the world."""

    landblock: HexId


class Unload(_Step, tag="unload", frozen=True):
    """A landblock leaves the world."""

    landblock: HexId


class Camera(_Step, tag="camera", frozen=True):
    """Where the picture is taken from: an eye and a target, or behind somebody."""

    eye: At | None = None
    target: At | None = None
    follow: HexId | None = None
    view: str = "default"


class Time(_Step, tag="time", frozen=True):
    """The time of day, 0 midnight, 0.5 noon."""

    day: Annotated[float, Meta(ge=0.0, lt=1.0)]


class Overlay(_Step, tag="overlay", frozen=True):
    """A debug view on or off."""

    name: str
    on: bool = True


class FrameStep(_Step, tag="frame", frozen=True):
    """Draw one frame (in the headless host: walk it without drawing)."""


class Things(_Step, tag="things", frozen=True):
    """The world's own things (doors, portals, creatures) come and go as a server would have it."""

    on: bool = True


class Expect(Struct, forbid_unknown_fields=True, frozen=True):
    """One expectation: the value at a path of the checkpoint, e.g. `objects.0x50000001.cell`.

    near : with numbers, how far off the value may be
    """

    path: str
    equals: Any
    near: float = 0.0


class Checkpoint(_Step, tag="checkpoint", frozen=True):
    """Write down where everything is; check what is expected (I7, I8)."""

    name: str
    expect: list[Expect] = []


Step = (
    Create
    | Attach
    | Swap
    | Stance
    | Pickup
    | Delete
    | Position
    | Place
    | Teleport
    | State
    | Message
    | Walk
    | Input
    | Use
    | Errand
    | Tick
    | Load
    | Unload
    | Camera
    | Time
    | Overlay
    | FrameStep
    | Things
    | Checkpoint
)


class Scenario(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A whole file. `detail_radius` is register D4.

    detail_surfaces : buildings and cells are drawn over with the region's detail textures, and put
                      no blended surface off; retail's preference, on at first
    """

    schema: Literal["acclient/scenario/1"] = SCHEMA
    world: str = "demo"
    seed: int = 1
    detail_radius: Annotated[int, Meta(ge=0, le=12)] = 1
    detail_surfaces: bool = True
    steps: list[Step] = []
    about: str = ""


def _from_json(kind: type, value: Any) -> Any:
    """msgspec's hook for `HexId`."""
    if kind is HexId:
        if isinstance(value, str) and len(value) == 10 and value[:2] in ("0x", "0X"):
            try:
                return HexId(int(value[2:], 16))
            except ValueError:
                pass
        raise ValueError(f'an id is "0x" and eight hexadecimal digits, not {value!r}')
    raise NotImplementedError(kind)


def _to_json(value: Any) -> Any:
    if isinstance(value, HexId):
        return hex8(value)
    raise NotImplementedError(type(value))


_decoder = msgspec.json.Decoder(Scenario, dec_hook=_from_json)
_step_decoder = msgspec.json.Decoder(Step, dec_hook=_from_json)


def parse(text: bytes | str, *, where: str | Path | None = None) -> Scenario:
    """The scenario that `text` holds. UsageError, one line, names the place of the first fault."""
    try:
        scenario = _decoder.decode(text)
    except msgspec.ValidationError as error:
        raise UsageError(f"no scenario: {error}", where=where) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"no JSON: {error}", where=where) from None
    for number, step in enumerate(scenario.steps):
        check_step(step, where=f"{where or 'scenario'} step {number}")
    return scenario


def parse_step(text: bytes | str) -> Step:
    """One step on its own, as the recorder and the library face take it."""
    try:
        step = _step_decoder.decode(text)
    except msgspec.DecodeError as error:
        raise UsageError(f"no step: {error}") from None
    check_step(step, where="step")
    return step


def check_step(step: Step, *, where: str) -> None:
    """What the types alone cannot say. UsageError names the step."""
    if isinstance(step, Walk):
        by_time = step.heading is not None and step.seconds is not None
        if by_time == (step.to is not None):
            raise UsageError("walk takes heading and seconds, or to", where=where)
    if isinstance(step, Camera):
        fixed = step.eye is not None and step.target is not None
        if fixed == (step.follow is not None):
            raise UsageError("camera takes eye and target, or follow", where=where)
    if isinstance(step, Errand):
        if step.stops and step.follow is not None:
            raise UsageError("errand takes stops, or follow", where=where)
        for number, stop in enumerate(step.stops):
            for then in stop.then:
                check_step(then, where=f"{where} stop {number}")
    for at in _places(step):
        if not all(math.isfinite(v) for v in (*at.origin, *at.rotation)):
            raise UsageError("a place holds a number that is not finite", where=where)
        norm = sum(v * v for v in at.rotation)
        if abs(norm - 1.0) > 0.01:
            raise UsageError(
                f"a rotation has the squared length {norm:.4g}, not 1", where=where, do="w, x, y, z"
            )


def _places(step: Step) -> list[At]:
    names = ("at", "to", "leads", "eye", "target")
    found = [getattr(step, name, None) for name in names]
    found += [stop.to for stop in getattr(step, "stops", ())]
    return [at for at in found if isinstance(at, At)]


def opening(scenario: Scenario) -> int:
    """How many steps put the cast there: the creates that a scenario begins with."""
    cast = (Create, Things)
    others = (n for n, step in enumerate(scenario.steps) if not isinstance(step, cast))
    return next(others, len(scenario.steps))


def find(name: str | Path) -> Path:
    """The file of a scenario: a path, or the bare name of a stored one."""
    path = Path(name)
    if path.is_file():
        return path
    stored = paths.scenarios() / f"{name}.json"
    if len(path.parts) == 1 and stored.is_file():
        return stored
    if path.is_dir():
        raise UsageError("is a directory, not a scenario", where=path)
    known = sorted(p.stem for p in paths.scenarios().glob("*.json"))
    hint = f"stored ones: {', '.join(known)}" if known else None
    raise UsageError("no such scenario", where=path, do=hint)


def read(name: str | Path) -> Scenario:
    """The scenario of a file or of a stored name."""
    path = find(name)
    return parse(path.read_bytes(), where=path)


def write(scenario: Scenario) -> bytes:
    """The file's bytes, indented, defaults left out."""
    raw = msgspec.to_builtins(scenario, enc_hook=_to_json, builtin_types=())
    raw["steps"] = [_without_defaults(step) for step in scenario.steps]
    raw = {"schema": raw.pop("schema"), **raw}
    if not raw["about"]:
        del raw["about"]
    return msgspec.json.format(msgspec.json.encode(raw), indent=1) + b"\n"


def _without_defaults(step: Step) -> dict[str, Any]:
    raw: dict[str, Any] = msgspec.to_builtins(step, enc_hook=_to_json, builtin_types=())
    defaults = {
        field.name: field.default
        for field in msgspec.structs.fields(step)
        if field.default is not msgspec.NODEFAULT
    }
    return {
        name: value
        for name, value in raw.items()
        if name not in defaults or getattr(step, name) != defaults[name]
    }


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file."""

    def hook(kind: type) -> dict[str, Any]:
        if kind is HexId:
            return {"type": "string", "pattern": "^0[xX][0-9a-fA-F]{8}$"}
        raise NotImplementedError(kind)

    schema = msgspec.json.schema(Scenario, schema_hook=hook)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema

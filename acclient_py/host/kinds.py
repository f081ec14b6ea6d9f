"""The steps of a scenario, one class a kind, and the places and ids in them (I5).

`scenario.py` reads, checks and writes them, and has all of their names too.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from acclient_py.core.ids import hex8

MAX_SECONDS: Final = 24 * 3600.0
"""No single step simulates more than a day."""


class HexId(int):
    """A 32-bit id, written "0x" and eight hexadecimal digits."""

    def __repr__(self) -> str:
        return hex8(self)


Stamp = Annotated[int, Meta(ge=0, le=0xFFFF)]
Key = Annotated[int, Meta(ge=-0x80000000, le=0x7FFFFFFF)]
"""A holding location or a placement: a signed word on the wire."""

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
    location: Key = 1
    placement: Key | None = None
    state: HexId | None = None
    motion: HexId | None = None
    scale: Annotated[float, Meta(gt=0.0)] = 1.0
    player: bool = False
    leads: At | None = None
    two_handed: bool = False


class Attach(_Step, tag="attach", frozen=True):
    """A parent event (E5).

    placement       : left out, the one that belongs to the location
    parent_instance : checked when it is given
    """

    child: HexId
    parent: HexId
    location: Key = 1
    placement: Key | None = None
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
    placement: Key = 0
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
    near: Annotated[float, Meta(ge=0.0)] = 0.0


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

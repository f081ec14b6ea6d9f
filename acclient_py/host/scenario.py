"""The scenario file: a world and steps in order (I5, I6).

The steps themselves, a class a kind, stand in `kinds.py`; their names are to be had here too.

A scenario is what a person attaches to a bug report, what the tests run, and what the viewer
records. It is read whole and checked before the first step runs; an unknown key or a wrong type is
one line that names the place. Ids are strings of eight hexadecimal digits, quaternions w, x, y, z,
origins metres in the landblock's frame, headings compass degrees.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from acclient_py import paths
from acclient_py.core.ids import hex8
from acclient_py.errors import UsageError
from acclient_py.host.kinds import (
    MAX_SECONDS,
    At,
    Attach,
    Camera,
    Checkpoint,
    Create,
    Delete,
    Errand,
    Expect,
    FrameStep,
    HexId,
    Input,
    Load,
    Message,
    Overlay,
    Pickup,
    Place,
    Position,
    Quat,
    Stance,
    State,
    Step,
    Stop,
    Swap,
    Teleport,
    Things,
    Tick,
    Time,
    Unload,
    Use,
    Vec3,
    Walk,
)

__all__ = [
    "MAX_SECONDS",
    "SCHEMA",
    "TICKS_PER_SECOND",
    "At",
    "Attach",
    "Camera",
    "Checkpoint",
    "Create",
    "Delete",
    "Errand",
    "Expect",
    "FrameStep",
    "HexId",
    "Input",
    "Load",
    "Message",
    "Overlay",
    "Pickup",
    "Place",
    "Position",
    "Quat",
    "Scenario",
    "Stance",
    "State",
    "Step",
    "Stop",
    "Swap",
    "Teleport",
    "Things",
    "Tick",
    "Time",
    "Unload",
    "Use",
    "Vec3",
    "Walk",
    "check_step",
    "find",
    "json_schema",
    "opening",
    "parse",
    "parse_step",
    "read",
    "write",
]

T = TypeVar("T")

SCHEMA: Final = "acclient/scenario/1"
TICKS_PER_SECOND: Final = 30
_ID: Final = re.compile("0[xX][0-9a-fA-F]{8}")
"""Not what `int` would take besides: signs, spaces, underscores, digits of other scripts."""
FLOAT32_MAX: Final = 3.4028234663852886e38
"""The graph and the wire keep 32 bits; what is beyond would be infinite there."""


class Scenario(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A whole file. `detail_radius` is register D4.

    detail_surfaces : buildings and cells are drawn over with the region's detail textures, and put
                      no blended surface off; retail's preference, on at first
    """

    schema: Literal["acclient/scenario/1"] = SCHEMA
    world: str = "demo"
    seed: Annotated[int, Meta(ge=0, le=0x7FFFFFFFFFFFFFFF)] = 1
    detail_radius: Annotated[int, Meta(ge=0, le=12)] = 1
    detail_surfaces: bool = True
    steps: list[Step] = []
    about: str = ""


def _from_json(kind: type, value: Any) -> Any:
    """msgspec's hook for `HexId`."""
    if kind is HexId:
        if isinstance(value, str) and _ID.fullmatch(value):
            return HexId(int(value, 16))
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
        scenario = _decoded(_decoder, _plain(text))
    except msgspec.ValidationError as error:
        raise UsageError(f"no scenario: {error}", where=where) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"no JSON: {error}", where=where) from None
    except RecursionError:
        raise UsageError("no scenario: brackets are nested too deep", where=where) from None
    for number, step in enumerate(scenario.steps):
        check_step(step, where=f"{where or 'scenario'} step {number}")
    return scenario


def _decoded(decoder: msgspec.json.Decoder[T], text: bytes | str) -> T:
    """What a text holds; 3.0 is a whole number too, as JSON Schema has it."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        if not str(error).startswith("Expected `int"):
            raise
    raw = msgspec.json.decode(text)
    waiting = [raw]
    while waiting:
        within = waiting.pop()
        for key, value in within.items() if isinstance(within, dict) else enumerate(within):
            if isinstance(value, float) and value.is_integer():
                within[key] = int(value)
            elif isinstance(value, dict | list):
                waiting.append(value)
    whole: T = msgspec.convert(raw, decoder.type, dec_hook=_from_json)
    return whole


def _plain(text: bytes | str) -> bytes | str:
    """Without the mark that some editors put before the first byte."""
    return text.removeprefix(codecs.BOM_UTF8) if isinstance(text, bytes) else text.lstrip("\ufeff")


def parse_step(text: bytes | str) -> Step:
    """One step on its own, as the recorder and the library face take it."""
    try:
        step = _decoded(_step_decoder, _plain(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
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
    for value in _floats(step):
        if not abs(value) <= FLOAT32_MAX:
            fault = "does not fit 32 bits" if math.isfinite(value) else "is not finite"
            raise UsageError(f"the number {value!r} {fault}", where=where)
    for at in _places(step):
        norm = sum(v * v for v in at.rotation)
        if abs(norm - 1.0) > 0.01:
            raise UsageError(
                f"a rotation has the squared length {norm:.4g}, not 1", where=where, do="w, x, y, z"
            )


def _floats(value: Any) -> Iterator[float]:
    """Every number of a step that is no whole one."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, Expect):
        yield value.near  # what is expected may be anything
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _floats(getattr(value, name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _floats(item)


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
    """The JSON Schema of a scenario file: what it accepts `parse` reads, and nothing else.

    One rule no schema can say: that a rotation has the length 1 (`check_step`).
    """

    def hook(kind: type) -> dict[str, Any]:
        if kind is HexId:
            pattern = "^0[xX][0-9a-fA-F]{8}$"
            return {"type": "string", "minLength": 10, "maxLength": 10, "pattern": pattern}
        raise NotImplementedError(kind)

    schema = msgspec.json.schema(Scenario, schema_hook=hook)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    waiting = [schema]
    while waiting:
        within = waiting.pop()
        if within.get("type") == "number":
            for name, bound in (("Minimum", -FLOAT32_MAX), ("Maximum", FLOAT32_MAX)):
                if f"exclusive{name}" not in within:
                    within.setdefault(name.lower(), bound)
        for value in within.values():
            inner = value if isinstance(value, list) else [value]
            waiting += [one for one in inner if isinstance(one, dict)]
    kinds = schema["$defs"]
    kinds["Walk"]["oneOf"] = [_has(heading="number", seconds="number"), _has(to="object")]
    kinds["Camera"]["oneOf"] = [_has(eye="object", target="object"), _has(follow="string")]
    kinds["Errand"]["not"] = _has(stops="array", follow="string")
    kinds["Errand"]["not"]["properties"]["stops"]["minItems"] = 1
    return schema


def _has(**types: str) -> dict[str, Any]:
    """A schema of objects that have these fields, of these types."""
    return {"required": list(types), "properties": {k: {"type": t} for k, t in types.items()}}

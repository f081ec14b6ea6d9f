"""The event sink that physics and the painter write to, and what an event looks like (T1 to T6).

An event is a name and fields. `Recorder` gives each the next number and keeps or writes it; with
recording off nobody holds a sink at all, so that it costs one test for None. Ids are hexadecimal
strings of eight digits, floats are JSON numbers that read back exactly; what JSON has no number
for is written as "nan", "inf" or "-inf".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from acclient_py.core.ids import hex8

SCHEMA: Final = "acclient/transcript/1"

Event = dict[str, Any]


class Sink(Protocol):
    """Where events go, in the order in which they happen."""

    def emit(self, event: str, /, **fields: Any) -> None:
        """Take one event."""


class Recorder:
    """Numbers events and hands each to `write`, or keeps them when there is none.

    events : what was kept, in order (empty when there is a writer)
    """

    def __init__(self, write: Callable[[Event], None] | None = None) -> None:
        self.events: list[Event] = []
        self.count = 0
        self._write = write or self.events.append

    def emit(self, event: str, /, **fields: Any) -> None:
        """Number one event and pass it on. contract: T6"""
        line: Event = {"event": event, "seq": self.count}
        for name, value in fields.items():
            line[name] = plain(value)
        self.count += 1
        self._write(line)


def header(
    sink: Sink,
    *,
    kind: str,
    world: str,
    size: tuple[int, int] | None = None,
    detail_radius: int = 1,
    deg_mul: float = 0.0,
    detail_surfaces: bool | None = None,
) -> None:
    """The first line: which schema, what was recorded, and the settings that shape it. contract: T7

    kind : "run" or "frame"
    size : pixels of the picture; None for a run
    detail_surfaces : whether they were asked for; None for a run
    """
    fields: dict[str, Any] = {"schema": SCHEMA, "kind": kind, "world": world}
    if size is not None:
        fields["size"] = list(size)
    fields["detail_radius"] = detail_radius
    fields["deg_mul"] = deg_mul
    if detail_surfaces is not None:
        fields["detail_surfaces"] = detail_surfaces
    sink.emit("Header", **fields)


def number(value: float) -> float | str:
    """A float as JSON can hold it, exactly."""
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return "nan"
    return "inf" if value > 0 else "-inf"


def static_name(owner_id: int, index: int) -> str:
    """The name of a thing that has no guid: the record it is authored in, and its place there."""
    return f"{hex8(owner_id)}:{index}"


def plain(value: Any) -> Any:
    """`value` in JSON's own types; numpy scalars and tuples lose their wrapping."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # a numpy scalar or array
        return plain(value.tolist())
    raise TypeError(f"{type(value).__name__} cannot stand in a transcript")

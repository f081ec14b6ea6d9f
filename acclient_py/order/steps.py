"""A frame taken apart at its events: how much of the stream had been drawn after each.

For looking at a frame as it comes into being. The records are those of the walk; nothing is
arranged anew here.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from acclient_py.errors import UsageError
from acclient_py.order.painter import Painter
from acclient_py.order.transcript import write_frame
from acclient_py.physics.world import PhysicsWorld
from acclient_py.transcript.events import Recorder

# An event that stands for what comes after it, and the events that end it
_ENDS: Final = {
    "Block": ("Block", "Weather", "ClearDepth", "DrawEnvCell"),
    "DrawBuilding": ("DrawLandCell", "Block", "DrawBuilding"),  # and its own shell
    "DrawObjCell": ("DrawObjCell", "DrawLandCell", "DrawShell", "LookIn", "Portal"),
    "Flush": (),  # and its own drained entries
}


class Step(Struct, frozen=True):
    """One event of a frame.

    line   : the event as the transcript has it, with its `seq`
    number : which one of its kind, from 1 ; of : how many of its kind there are
    first, end : the records that it stands for; before `first` all earlier events are drawn
    """

    line: dict[str, Any]
    number: int
    of: int
    first: int
    end: int

    @property
    def event(self) -> str:
        return str(self.line["event"])


def steps(painter: Painter, physics: PhysicsWorld, size: tuple[int, int]) -> list[Step]:
    """The events of the painter's last frame, which was walked with marks, in order.

    `seq` counts from 1: a transcript's header is 0.
    """
    recorder = Recorder()
    at: list[int] = []
    write_frame(recorder, painter, physics, size, at=at)
    events = recorder.events
    assert len(at) == len(events), "every event was told from some record"
    kinds = [str(line["event"]) for line in events]
    starts = [*at, painter.count]
    seen: dict[str, int] = {}
    found = []
    for i, line in enumerate(events):
        kind = kinds[i]
        seen[kind] = seen.get(kind, 0) + 1
        end = i + 1
        if kind in _ENDS:
            while end < len(events) and not _ends(kind, events[end]):
                end += 1
                if kind == "DrawBuilding" and kinds[end - 1] == "DrawShell":
                    break
        # a view is told before the first record: it stands for none
        last = starts[end] if kind != "View" else at[i]
        line = {**line, "seq": i + 1}
        found.append(Step(line, seen[kind], kinds.count(kind), at[i], last))
    return found


def _ends(kind: str, line: dict[str, Any]) -> bool:
    """Whether an event comes after all that an event of `kind` stands for."""
    event = str(line["event"])
    if kind == "Flush":
        return event != "DrawDeferred"
    if event == "Flush":
        return line["site"] in ("landscape", "end") or (line["site"] == "cell" and kind != "Block")
    return event in _ENDS[kind]


def find(found: list[Step], wanted: str) -> Step:
    """The step that is meant: a number as the transcript counts, `NAME`, or `NAME/3`.

    Raises UsageError with what there is.
    """
    name, _, number = wanted.partition("/")
    if name.isdigit() and not number:
        seq = int(name)
        if not 1 <= seq <= len(found):
            raise UsageError(
                f"there is no event {seq}", where="--stop-after", do=f"use 1 to {len(found)}"
            )
        return found[seq - 1]
    of_name = [step for step in found if step.event == name]
    if not of_name:
        kinds = ", ".join(sorted({step.event for step in found}))
        raise UsageError(
            f"no event {name!r} in this frame", where="--stop-after", do=f"use {kinds}"
        )
    which = int(number) if number.isdigit() else 1 if not number else 0
    if not 1 <= which <= len(of_name):
        raise UsageError(
            f"no event {wanted!r}",
            where="--stop-after",
            do=f"use {name}/1 to {name}/{len(of_name)}",
        )
    return of_name[which - 1]

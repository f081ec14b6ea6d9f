"""Where two transcripts part, said in words (T7)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from msgspec import Struct

from acclient_py.transcript.events import Event

_MISSING: Event = {}


class Parting(Struct, frozen=True):
    """The first place at which two transcripts differ.

    place       : the event's number in order, counting from 0
    left, right : the events there; None where one transcript has ended
    fields      : names of the fields that differ, in the left one's order
    """

    place: int
    left: Event | None
    right: Event | None
    fields: tuple[str, ...]

    def words(self, left_name: str = "left", right_name: str = "right") -> str:
        """One sentence that says what is different, then both values field by field."""
        if self.left is None or self.right is None:
            longer, shorter = (
                (left_name, right_name) if self.right is None else (right_name, left_name)
            )
            event = self.left if self.right is None else self.right
            rest = describe(event or {})
            return f"event {self.place}: {shorter} has ended, {longer} goes on with {rest}"
        if self.left.get("event") != self.right.get("event"):
            return (
                f"event {self.place}: {left_name} has {describe(self.left)}, "
                f"{right_name} has {describe(self.right)}"
            )
        lines = [f"event {self.place}: {describe(self.left)} differs in {', '.join(self.fields)}"]
        for name in self.fields:
            lines.append(f"  {name}: {left_name} {_show(self.left, name)}")
            lines.append(f"  {' ' * len(name)}  {right_name} {_show(self.right, name)}")
        return "\n".join(lines)


def describe(event: Event) -> str:
    """An event in a few words: its name and the fields that say whose it is."""
    words = [str(event.get("event", "nothing"))]
    for name in ("object", "part", "cell", "block", "building", "portal", "view", "site", "pass"):
        if name in event:
            words.append(f"{name} {event[name]}")
    return " ".join(words)


def first_difference(left: Iterable[Event], right: Iterable[Event]) -> Parting | None:
    """The first event at which the two part, or None when they are the same.

    Fields are compared by value; their order in a line does not count.
    """
    for place, (a, b) in enumerate(zip_longest(left, right)):
        if a is None or b is None:
            return Parting(place, a, b, ())
        if a != b:
            names = list(a) + [name for name in b if name not in a]
            fields = tuple(name for name in names if a.get(name, _MISSING) != b.get(name, _MISSING))
            return Parting(place, a, b, fields)
    return None


def _show(event: Event, name: str) -> str:
    value: Any = event.get(name, _MISSING)
    return "is not there" if value is _MISSING else repr(value)

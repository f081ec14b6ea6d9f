"""The event ring: what the kernels write down while recording is on (T2, T3, T5, E19).

A row is an EVENT_DTYPE of `layout`. The rows are drained in order by whoever records; cells are
named by id, since a slot may be given out again before the row is read.
"""

from __future__ import annotations

from acclient_py.kernels import kernel
from acclient_py.physics.layout import EVENT_COUNT, EVENTS_LOST, Arrays


@kernel
def put(
    g: Arrays, kind: int, cause: int, flags: int,
    obj: int, other: int, old: int, new: int, part: int, place: int,
) -> None:  # fmt: skip
    """Append one event. Callers see to the room before they begin; a lost one is counted."""
    at = g.control[EVENT_COUNT]
    if at >= g.events.shape[0]:
        g.control[EVENTS_LOST] += 1
        return
    g.events["kind"][at] = kind
    g.events["cause"][at] = cause
    g.events["flags"][at] = flags
    g.events["object"][at] = obj
    g.events["guid"][at] = g.objects["guid"][obj]
    g.events["other"][at] = other
    g.events["old"][at] = old
    g.events["new"][at] = new
    g.events["part"][at] = part
    g.events["place"][at] = place
    g.control[EVENT_COUNT] = at + 1

"""The event ring: what the kernels write down while recording is on (T2, T3, T5, E19).

A row is an EVENT_DTYPE of `layout`. The rows are drained in order by whoever records. Cells,
objects and meshes are named by id, since a slot may be given out again before the row is read.
"""

from __future__ import annotations

from acclient_py.kernels import kernel
from acclient_py.physics.layout import EVENT_ADD_PART, EVENT_COUNT, EVENTS_LOST, Arrays


@kernel(inner=True)
def put(
    g: Arrays, kind: int, cause: int, flags: int,
    obj: int, other: int, old: int, new: int, part: int, place: int,
) -> None:  # fmt: skip
    """Append one event. Callers see to the room before they begin; a lost one is counted.

    kind EVENT_ADD_PART takes `old`, the mesh id, from the part itself.
    """
    at = g.control[EVENT_COUNT]
    if at >= g.events.shape[0]:
        g.control[EVENTS_LOST] += 1
        return
    g.events["kind"][at] = kind
    g.events["cause"][at] = cause
    g.events["flags"][at] = flags
    g.events["object"][at] = obj
    g.events["guid"][at] = g.objects["guid"][obj]
    g.events["home_id"][at] = g.objects["home_id"][obj]
    g.events["home_index"][at] = g.objects["home_index"][obj]
    g.events["other"][at] = other
    g.events["other_guid"][at] = g.objects["guid"][other] if other >= 0 else 0
    if kind == EVENT_ADD_PART:
        old = g.gfx["id"][g.parts["gfx"][g.objects["part_first"][obj] + part]]
    g.events["old"][at] = old
    g.events["new"][at] = new
    g.events["part"][at] = part
    g.events["place"][at] = place
    g.control[EVENT_COUNT] = at + 1

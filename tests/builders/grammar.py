"""The rules of a frame's transcript, read from its lines alone (contract L1 to L9, T1, T4).

Nothing here looks at a record or a kernel: what a stranger with the JSON file could ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

Event = dict[str, Any]

LETTERS = {
    "View": "v", "Sky": "s", "Weather": "w", "Block": "B", "Sort": "S", "DrawLandCell": "T",
    "DrawBuilding": "H", "Portal": "P", "LookIn": "L", "DrawShell": "X", "DrawObjCell": "O",
    "Part": "p", "DrawDeferred": "d", "ClearDepth": "c", "Seal": "e", "DrawEnvCell": "E",
}  # fmt: skip
FLUSHES = {"cell": "f", "building": "b", "landscape": "l", "end": "z"}


def letters(events: Sequence[Event]) -> str:
    """One letter an event."""
    return "".join(
        FLUSHES[e["site"]] if e["event"] == "Flush" else LETTERS[e["event"]] for e in events
    )


_HOUSE = r"Hbd*[PLSOp]*X?"
_CELL = rf"T?(?:{_HOUSE})?(?:Op*)?fd*"
FRAME = re.compile(rf"v*s?(?:BS*(?:{_CELL})*)*w?(?:ld*c?e*)?E*[SOp]*zd*")
"""Blocks with sorts, then cells (ground if seen, house, parts, flush); for an eye in a cell the
drain, the clear, seals, shells, objects; the last drain."""


def faults(events: Sequence[Event]) -> Iterator[str]:
    """Every rule that a frame's events break, in words; without the header."""
    told = letters(events)
    if not FRAME.fullmatch(told):
        yield f"the order of events: {told[:400]}"
    indoors = any(e["event"] == "View" and e["source"] == "exits" for e in events) or (
        "v" not in told
    )
    if ("l" in told) != (indoors and "v" in told):
        yield "a drain of the landscape belongs to an eye in a cell that sees the outside"
    yield from _blocks(events)
    yield from _flushes(events)
    yield from _sorts(events)
    yield from _stamps(events)
    yield from _houses(events)


def _blocks(events: Sequence[Event]) -> Iterator[str]:
    """L1, L4: blocks by falling index, each cell of a block once, by rising index."""
    indices = [e["block_index"] for e in events if e["event"] == "Block"]
    if indices != sorted(set(indices), reverse=True):
        yield "blocks out of order"
    at, side, turns = "", 0, [""]
    for e in events:
        if e["event"] == "Block":
            if len(turns) - 1 != side * side:
                yield f"{len(turns) - 1} cells of {at}"
            at, side, turns = e["block"], e["side"], [""]
            if e["in_view"] == "outside":
                yield f"{at} is outside and has its turn"
        elif e["event"] == "DrawLandCell":
            turns[-1] = e["cell"]
            if e["cell_index"] != len(turns) - 1 or e["in_view"] == "outside":
                yield f"cell {e['cell']} at turn {len(turns) - 1} of {at}"
            if side != 8 and e["in_view"] != "partial":
                yield f"coarse cell {e['cell']} is {e['in_view']}"
        elif e["event"] == "Flush" and e["site"] == "cell":
            number = int(e["cell"], 16) & 0xFFFF
            if turns[-1] not in ("", e["cell"]) or e["cell"] in turns[:-1]:
                yield f"the turn of {turns[-1]} ends as that of {e['cell']}"
            if e["cell"][:6] != at[:6] or not 1 <= number <= side * side:
                yield f"{at} has no cell {e['cell']}"
            turns[-1] = e["cell"]
            turns.append("")
    if len(turns) - 1 != side * side:
        yield f"{len(turns) - 1} cells of {at}"


def _flushes(events: Sequence[Event]) -> Iterator[str]:
    """L9: a drain shows as many as waited, clips first; the sizes only grow in between."""
    clip = alpha = 0
    for i, e in enumerate(events):
        if e["event"] != "Flush":
            continue
        if e["clip"] < clip or e["alpha"] < alpha:
            yield f"event {i}: the lists shrank without a drain"
        full = max(e["clip"], e["alpha"]) >= 3000 * e["threshold"]
        if e["threshold"] != (0.75 if e["site"] == "cell" else 0.0) or e["drained"] != full:
            yield f"event {i}: {e}"
        after = i + 1
        while after < len(events) and events[after]["event"] == "DrawDeferred":
            after += 1
        drawn = [d["list"] for d in events[i + 1 : after]]
        wanted = ["clip"] * e["clip"] + ["alpha"] * e["alpha"] if full else []
        if drawn != wanted:
            yield f"event {i}: {len(wanted)} waited, {len(drawn)} were drawn"
        clip, alpha = (0, 0) if full else (e["clip"], e["alpha"])


def _sorts(events: Sequence[Event]) -> Iterator[str]:
    """L6, T4: far to near after a sort, and a cell's parts are drawn in that order."""
    orders: dict[str, list[list[Any]]] = {}
    cell = ""
    for i, e in enumerate(events):
        if e["event"] == "Sort":
            far = [row[2] for row in e["parts"]]
            if far != sorted(far, reverse=True):
                yield f"event {i}: {e['cell']} is not sorted"
            orders[e["cell"]] = e["parts"]
        elif e["event"] == "DrawObjCell":
            cell = e["cell"]
            if cell in orders and len(orders[cell]) != e["parts"]:
                yield f"event {i}: {e['parts']} parts in {cell}, {len(orders[cell])} were sorted"
        elif e["event"] == "Part" and cell in orders:
            if orders[cell][e["place"]][:2] != [e["object"], e["part"]]:
                yield f"event {i}: place {e['place']} of {cell} holds another part"


def _stamps(events: Sequence[Event]) -> Iterator[str]:
    """2.4, 4.6: one stamp outside, another inside; in each a part and a cell are drawn once."""
    parts: set[tuple[str, int]] = set()
    cells: set[str] = set()
    for i, e in enumerate(events):
        if e["event"] == "Flush" and e["site"] == "landscape":
            parts, cells = set(), set()
        elif e["event"] == "Part":
            name = e["object"], e["part"]
            if name in parts:
                yield f"event {i}: {name} twice in one stamp"
            parts.add(name)
        elif e["event"] in ("LookIn", "DrawEnvCell"):
            if e["cell"] in cells:
                yield f"event {i}: {e['cell']} twice in one stamp"
            cells.add(e["cell"])


def _houses(events: Sequence[Event]) -> Iterator[str]:
    """L7: view by view all punches, then all contents; every step names the house."""
    name, view, contents = "", -1, False
    for i, e in enumerate(events):
        if e["event"] == "DrawBuilding":
            name, view, contents = e["building"], -1, False
        elif e["event"] == "Portal":
            if e["building"] != name or e["view"] < view or (contents and e["view"] == view):
                yield f"event {i}: {e}"
            if e["view"] > view:
                contents = False
            view = e["view"]
        elif e["event"] == "LookIn":
            if e["view"] < view:  # an opening on the flank of a cell has no punch (4.4)
                yield f"event {i}: a look-in through view {e['view']}, punched was {view}"
            view, contents = e["view"], True
        elif e["event"] == "DrawShell" and e["building"] != name:
            yield f"event {i}: the shell of another house"

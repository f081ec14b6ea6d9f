"""The program's stream as rows like those of the plain walk, and the first place where two part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twin.painter.surfaces import Row

from acclient_py.core import Struct
from acclient_py.core.ids import hex8
from acclient_py.kernels.draw import REGIMES
from acclient_py.order.stream import FlushSite, Op, RecordFlag

PASSES = {Op.SKY: "sky part", Op.WEATHER: "weather part"}
SLOTS = {
    Op.PART: "part slot",
    Op.SHELL: "shell",
    Op.CELL: "cell slot",
    Op.CLIP: "clip",
    Op.ALPHA: "alpha",
}
AROUND = 3
"""Rows shown before the first difference."""


def rows_of(records: Struct, corners: Any = None, instances: Any = None) -> list[Row]:
    """Every record of a stream that was walked with marks.

    corners   : the painter's corners of masks; with them a mask tells its bounds on the picture
    instances : its matrices; with them a surface tells its regime of light and its lamps
    """
    found: list[Row] = []
    at = 0
    while at < len(records):
        r = records[at]
        at += 1
        if int(r["op"]) == Op.SORT:
            count = int(r["count"])
            parts = [
                (int(p["owner"]), int(p["first"]), float(p["cypt"]))
                for p in records[at : at + count]
            ]
            found.append(("sort", int(r["owner"]), tuple(parts)))
            at += count
        else:
            found.append(_row(r))
            if instances is not None and int(r["op"]) in SLOTS:
                found[-1] += (light_of(instances, int(r["instance"])),)
            if corners is not None and int(r["op"]) in (Op.PUNCH, Op.SEAL):
                first = int(r["first"])
                mask = corners[first : first + int(r["count"]), :2]
                found[-1] += (*mask.min(axis=0).tolist(), *mask.max(axis=0).tolist())
    return found


def light_of(instances: Any, row: int) -> tuple[int, ...]:
    """The regime that a matrix names, and the lamps of the set that it points back to."""
    regime, back = int(instances[row, 15]) % REGIMES, int(instances[row, 15]) // REGIMES
    if not back:
        return (regime,)
    held = instances[row - back]
    return (regime, *(row - back - int(held[k]) for k in range(int(held[8]))))


def _row(r: Struct) -> Row:
    op = Op(int(r["op"]))
    owner, first, count, flags = (int(r[name]) for name in ("owner", "first", "count", "flags"))
    part, slot, view = int(r["part_index"]), int(r["surface_slot"]), int(r["view"])
    if op is Op.SKY_PASS:
        return ("weather",) if first else ("sky",)
    if op in PASSES:
        return PASSES[op], owner, slot
    if op is Op.BLOCK:
        return "block", owner, first, flags, count
    if op is Op.TERRAIN:
        return "terrain", owner, view, part, flags
    if op is Op.LAND_CELL:
        return "land cell", owner, first, count
    if op is Op.BUILDING:
        return "building", first, count
    if op is Op.FLUSH:
        drained = bool(flags & RecordFlag.DRAINED)
        return "flush", FlushSite(owner).name.lower(), float(r["cypt"]), first, count, drained
    if op is Op.PUNCH or op is Op.SEAL:
        return op.name.lower(), owner, part, view
    if op is Op.LOOK_IN or op is Op.ENV_CELL:
        return op.name.lower().replace("_", " "), owner, count, view
    if op is Op.OBJ_CELL:
        return "obj cell", owner, count
    if op is Op.PART_TURN:
        lists = bool(flags & RecordFlag.DEFERRED_CLIP), bool(flags & RecordFlag.DEFERRED_ALPHA)
        return "part", owner, part, first, float(r["cypt"]), count, lists
    if op in SLOTS:
        return SLOTS[op], owner, part, slot, int(r["state"])
    assert op is Op.CLEAR_DEPTH, op
    return "clear depth", first


def key(row: Any) -> Any:
    """A row that equals itself: NaN by name, float32 as a float."""
    if isinstance(row, tuple):
        return tuple(key(item) for item in row)
    if isinstance(row, str | bool | int):
        return row
    value = float(row)
    return "nan" if value != value else value


def same(a: Row, b: Row) -> bool:
    """Whether two rows are equal: to the bit, but views and masks to a hundredth of a pixel."""
    if a[0] != b[0] or a[0] not in ("view", "punch", "seal"):
        return bool(key(a) == key(b))
    return len(a) == len(b) and all(
        abs(p - q) < 0.01 for p, q in zip(_flat(a), _flat(b), strict=True)
    )


def _flat(row: Row) -> list[float]:
    """The numbers of a row; of a view corner by corner."""
    return [v for item in row[1:] for v in (item if isinstance(item, tuple) else (item,))]


def text(row: Row) -> str:
    """A row as people read it; cells and blocks in hex."""
    words = [str(row[0])]
    for item in key(row)[1:]:
        big = isinstance(item, int) and not isinstance(item, bool) and item > 0xFFFF
        words.append(hex8(item) if big else str(item))
    return " ".join(words)


def first_difference(program: Sequence[Row], plain: Sequence[Row]) -> str | None:
    """None when both are equal, else the row where they part and what came before."""
    for at in range(max(len(program), len(plain))):
        mine = program[at] if at < len(program) else ("the end",)
        theirs = plain[at] if at < len(plain) else ("the end",)
        if not same(mine, theirs):
            before = [f"  {text(row)}" for row in plain[max(0, at - AROUND) : at]]
            return "\n".join(
                [f"row {at}:", *before, f"  program: {text(mine)}", f"  plain:   {text(theirs)}"]
            )
    return None

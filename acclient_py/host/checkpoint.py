"""Checkpoints: where everything is, written down in one line (I7), and what was expected (I8)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from acclient_py.core.ids import hex8
from acclient_py.host.scenario import Expect
from acclient_py.physics.layout import OBJECT
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.directory import Directory, Known

Line = dict[str, Any]

NOWHERE = "0x00000000"
_ABSENT: Any = object()
_HUGE = 1e300  # a whole number of JSON may have any length
_INDEX = re.compile("[0-9]{1,9}")
_GUID = re.compile("0[xX][0-9a-fA-F]{1,8}")


def describe(world: PhysicsWorld, known: Known, *, ticking: bool) -> Line:
    """One object as the contract's I7 has it. Floats are those of the 32-bit arrays, exactly."""
    a = world.graph.arrays
    row = a.objects[known.obj]
    cell = int(row["cell"])
    full = hex8(int(a.cells["id"][cell])) if cell >= 0 else None
    parent = int(row["parent"])
    frame = [float(v) for v in row["frame"]]
    line: Line = {
        "guid": hex8(known.guid),
        "instance": known.instance,
        "cell": full,
        "objcell_id": hex8(int(row["objcell_id"])),
        "full_cell_id": full or NOWHERE,
        "parent": hex8(int(a.objects["guid"][parent])) if parent >= 0 else None,
        "location": int(row["location"]) if parent >= 0 else None,
        "children": [
            hex8(int(a.objects["guid"][c]))
            for c in world.graph.children_of(known.obj)
            if not world.effects.emitters.is_emitter(c)
        ],
        "origin": frame[:3],
        "rotation": frame[3:],
        "ticking": ticking,
        "state": hex8(int(row["state"])),
        "shadow_cells": [hex8(int(s["cell_id"])) for s in world.graph.shadows_on(known.obj)],
        "parts": _parts(world, known.obj),
    }
    if known.half:
        line["half_known"] = True
    return line


def _parts(world: PhysicsWorld, obj: int) -> list[Line]:
    """The object's entries in the cells' part lists, in publication order."""
    a = world.graph.arrays
    row = a.objects[obj]
    first, count = int(row["part_first"]), int(row["part_count"])
    gfx = [int(a.parts["gfx"][first + i]) for i in range(count)]
    return [
        {
            "cell": hex8(int(shadow["cell_id"])),
            "index": index,
            "gfxobj": hex8(int(a.gfx["id"][gfx[index]])),
        }
        for shadow in world.graph.shadows_on(obj)
        if shadow["cell"] >= 0
        for index in range(count)
        if gfx[index] >= 0
    ]


def counts(world: PhysicsWorld, directory: Directory, landblocks: int) -> Line:
    """How much there is. Statics and shells are the world's and are not counted with the objects.

    Retail objects, relations, shadows, parts and lights of what the session made: all zero after
    its end. contract: E15
    """
    a = world.graph.arrays
    objects = relations = shadows = parts = lights = 0
    used = world.graph.used("objects")
    mine = (a.objects["kind"][:used] == OBJECT) & (a.objects["home_id"][:used] == 0)
    rows = a.objects[:used][mine]
    objects = len(rows)
    relations = int((rows["parent"] >= 0).sum())
    for row in rows:
        first, count = int(row["shadow_first"]), int(row["shadow_count"])
        shadows += count
        if count:
            live = int((a.shadows["cell"][first : first + count] >= 0).sum())
            part_first, part_count = int(row["part_first"]), int(row["part_count"])
            real = int((a.parts["gfx"][part_first : part_first + part_count] >= 0).sum())
            parts += live * real
        light_first, light_count = int(row["light_first"]), int(row["light_count"])
        if light_count:
            lights += int((a.lights["cell"][light_first : light_first + light_count] >= 0).sum())
    cells = world.graph.used("cells")
    return {
        "objects": objects,
        "relations": relations,
        "shadow_objects": shadows,
        "shadow_parts": parts,
        "lights": lights,
        "staged": directory.staged,
        "lost": world.lost_count(),
        "cells": int((a.cells["resident"][:cells] != 0).sum()),
        "landblocks": landblocks,
    }


def look_up(line: Line, path: str) -> Any:
    """The value at a path such as `objects.0x50000001.origin.0`; `_ABSENT` when there is none.

    In a list of objects a guid names the one that has it; elsewhere a number is an index.
    """
    value: Any = line
    for word in path.split("."):
        if isinstance(value, dict):
            value = value.get(word, _ABSENT)
        elif isinstance(value, list):
            found = [v for v in value if isinstance(v, dict) and v.get("guid") == _guid(word)]
            if found:
                value = found[0]
            elif word == "length":
                value = len(value)
            elif _INDEX.fullmatch(word) and int(word) < len(value):
                value = value[int(word)]
            else:
                return _ABSENT
        else:
            return _ABSENT
        if value is _ABSENT:
            return _ABSENT
    return value


def _guid(word: str) -> str | None:
    return hex8(int(word, 16)) if _GUID.fullmatch(word) else None


def failures(line: Line, expected: list[Expect]) -> list[str]:
    """Each expectation that does not hold, in words: what was expected and what was there.

    Values are shown as the scenario and the checkpoint write them.
    """
    found = []
    for expect in expected:
        value = look_up(line, expect.path)
        if value is not _ABSENT and _same(value, expect.equals, expect.near):
            continue
        wanted = _shown(expect.equals) + (f" within {expect.near:g}" if expect.near else "")
        there = "there is no such thing" if value is _ABSENT else f"found {_shown(value)}"
        path = " ".join(expect.path.split()) or "(an empty path)"
        found.append(f"{path}: expected {wanted}, {there}")
    return found


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same(value: Any, wanted: Any, near: float) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return value == wanted or (abs(wanted) < _HUGE and abs(value - wanted) <= near)
    if isinstance(value, str) and isinstance(wanted, str) and _GUID.fullmatch(value):
        return value.lower() == wanted.lower()  # contract: I6  of an id its digits count
    if isinstance(value, list) and isinstance(wanted, list):
        pairs = zip(value, wanted, strict=True) if len(value) == len(wanted) else None
        return pairs is not None and all(_same(a, b, near) for a, b in pairs)
    return bool(value == wanted)

"""A place that a person typed, made into a cell and a frame that a body can stand at.

It may be pasted from elsewhere as it stands: with the words that a server says before a location,
with the command that goes there, without brackets, or as a step of a scenario has it.
"""

# contract cases: LOC-01
from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from acclient_py.core import F32, location
from acclient_py.core.ids import (
    get_outside_cell_id,
    hex8,
    is_env_cell,
    is_land_cell,
    landblock_of,
)
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc
from acclient_py.host.things import NAMES, place_of
from acclient_py.viewer.beside import beside_houses
from acclient_py.world import terrain
from acclient_py.world.landblock import Landblock, load_landblock
from acclient_py.world.region import RegionModel

CELL: Final = 24.0  # metres
MIDDLE: Final = 0x1C  # land cell 3, 3 of a block: where one stands when a block is named
_READERS: Final = (location.parse_id, location.parse_block)
_SAID: Final = re.compile(
    r"\s*(?:your location is\s*:?|[/@]\w+\b)?\s*(.*?)[\s.]*", re.IGNORECASE | re.DOTALL
)
_QUESTION: Final = re.compile(r"\s*[/@]?(?:my)?loc(?:ation)?\s*", re.IGNORECASE)


def names_of(folder: Path) -> dict[str, Any]:
    """What a baked world calls its places and its player; empty for others."""
    try:
        names = json.loads((folder / NAMES).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return names if isinstance(names, dict) else {}


def is_question(text: str) -> bool:
    """Whether a line asks where one is."""
    return _QUESTION.fullmatch(text) is not None


def find_place(
    dats: DatSet,
    region: RegionModel,
    text: str,
    names: dict[str, Any] | None = None,
    *,
    where: str | None = None,
) -> sc.At:
    """The place of a text: a name, a location, map coordinates, a cell id, a block id.

    What names no height stands on the ground. UsageError when the world has no such place.
    """
    places = (names or {}).get("places", {})
    match = _SAID.fullmatch(text)
    said = match.group(1) if match is not None else text
    named = places.get(said.lower())
    if named is not None:
        return place_of(named)
    written = _written(said)
    frame: F32 | None
    if written is not None:
        cell_id = int(written.cell)
        frame = np.array((*written.origin, *written.rotation), np.float32)
    else:
        cell_id, frame, aside = _read(said)
        if aside is not None:
            return _on_the_map(dats, region, cell_id, aside, where)
    if cell_id == 0:
        known = f", or a name: {', '.join(places)}" if places else ""
        raise UsageError(
            f"no place: {text!r}",
            where=where,
            do="write 0xA9B40019 [84.0 10.5 40.0] 1 0 0 0, or 42.1N, 33.6E, or a block like "
            f"A9B4{known}",
        )
    if cell_id & 0xFFFF in (0xFFFF, 0x0000, 0xFFFE):
        cell_id = (cell_id & 0xFFFF0000) | MIDDLE
    if frame is not None:
        x, y, z, w, qx, qy, qz = (float(v) for v in frame)
        if not _is_there(dats, cell_id, x, y):
            raise _nowhere(cell_id, where)
        norm = math.sqrt(w * w + qx * qx + qy * qy + qz * qz)
        if norm == 0.0:
            raise UsageError("the rotation is all zeros", where=where)
        turn = (w / norm, qx / norm, qy / norm, qz / norm)
        return sc.At(cell=sc.HexId(cell_id), origin=(x, y, z), rotation=turn)
    if is_env_cell(cell_id):
        if not dats.has(cell_id):
            raise _nowhere(cell_id, where)
        return sc.At(cell=sc.HexId(cell_id), origin=dats.env_cell(cell_id).frame.origin)
    return _on_the_map(dats, region, cell_id, (0.0, 0.0), where)


def _read(said: str) -> tuple[int, F32 | None, tuple[float, float] | None]:
    """(cell id, frame, metres off a cell's middle) of a text, as far as it says; id 0: nothing."""
    with contextlib.suppress(UsageError):
        cell_id, frame = location.parse_location(said)
        return cell_id, frame, None
    with contextlib.suppress(UsageError):
        cell_id, east, north = location.parse_map_point(said)
        return cell_id, None, (east, north)
    for reader in _READERS:
        with contextlib.suppress(UsageError):
            return reader(said), None, None
    return 0, None, None


def _written(said: str) -> sc.At | None:
    """A place as a scenario's step has it."""
    if not said.startswith("{"):
        return None
    step: sc.Step | None = None
    with contextlib.suppress(UsageError):
        step = sc.parse_step(f'{{"do": "place", "guid": "0x00000001", "at": {said}}}')
    return step.at if isinstance(step, sc.Place) else None


def _on_the_map(
    dats: DatSet, region: RegionModel, cell_id: int, aside: tuple[float, float], where: str | None
) -> sc.At:
    """On the ground, some metres east and north of the middle of a land cell."""
    block = load_landblock(dats, landblock_of(cell_id), region.heights)
    if block is None or not is_land_cell(cell_id):
        raise _nowhere(cell_id, where)
    return on_ground(dats, block, cell_id, aside)


def _is_there(dats: DatSet, cell_id: int, x: float, y: float) -> bool:
    """Whether a world has the cell of a frame: out of doors, the one under its origin."""
    if is_env_cell(cell_id):
        return dats.has(cell_id)
    under = get_outside_cell_id(cell_id, x, y)
    return is_land_cell(cell_id) and under != 0 and dats.has(landblock_of(under))


def _nowhere(cell_id: int, where: str | None) -> UsageError:
    return UsageError(f"this world has no {hex8(cell_id)}", where=where, do="see acclient dat ls")


def on_ground(
    dats: DatSet, block: Landblock, cell_id: int, aside: tuple[float, float] = (0.0, 0.0)
) -> sc.At:
    """On the ground of a land cell, beside a house that stands there.

    aside : metres east and north of its middle
    """
    low = (cell_id & 0xFFFF) - 1
    x, y = ((low >> 3) + 0.5) * CELL + aside[0], ((low & 7) + 0.5) * CELL + aside[1]
    x, y = beside_houses(dats, block, x, y)
    z = float(terrain.height_under(block.swne, block.planes, x, y))
    return sc.At(cell=sc.HexId(get_outside_cell_id(cell_id, x, y)), origin=(x, y, z))


def first_walkable(dats: DatSet, region: RegionModel) -> sc.At:
    """Somewhere to stand in a world that nobody described: the first dry, even cell.

    Blocks with buildings come first: there is more to see.
    """
    blocks = sorted(dats.ids("LandBlock"), key=lambda b: not dats.has((b & 0xFFFF0000) | 0xFFFE))
    for block_id in blocks:
        block = load_landblock(dats, block_id, region.heights)
        if block is None or block.block_water == 2:
            continue
        for low in _from_the_middle():
            normals = block.planes[low, :, 2]
            if block.water[low] == 0 and all(terrain.walkable(float(n)) for n in normals):
                return on_ground(dats, block, (block_id & 0xFFFF0000) | low + 1)
    raise UsageError("this world has no ground to stand on", where="--at", do="name a place")


def _from_the_middle() -> Iterator[int]:
    """Cell indices of a block, the middle ones first."""
    yield from sorted(range(64), key=lambda c: (abs((c >> 3) - 3.5) + abs((c & 7) - 3.5), c))


def describe(cell_id: int, x: float, y: float) -> str:
    """Map coordinates of a point of a cell's block; indoors those of the land above or below."""
    words = location.map_text(get_outside_cell_id(cell_id, x, y))
    return f"indoors, {words}" if words and is_env_cell(cell_id) else words

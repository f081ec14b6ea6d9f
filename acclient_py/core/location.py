"""Places as people write them: `0xA9B40019 [84.0 10.5 40.0] 1 0 0 0`, map coordinates, block ids.

The first form is the original client's own; it names a cell and a frame in its block, so a place
in a room comes back as the same room (the position alone would not say which).
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from acclient_py.core import F32
from acclient_py.core.ids import blockid_to_lcoord, gid_to_lcoord, lcoord_to_gid
from acclient_py.errors import UsageError

_NUMBER: Final = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_POINT: Final = rf"({_NUMBER})[\s,]+({_NUMBER})[\s,]+({_NUMBER})"
_LOCATION: Final = re.compile(
    rf"\s*(?:0x)?([0-9a-fA-F]{{8}})[\s,]*"
    rf"(?:\[\s*{_POINT}\s*\]|{_POINT})"
    rf"(?:[\s,]+({_NUMBER})[\s,]+({_NUMBER})[\s,]+({_NUMBER})[\s,]+({_NUMBER}))?\s*",
    re.IGNORECASE,
)
_MAP: Final = re.compile(
    r"\s*(\d+(?:\.\d+)?|\d+,\d+(?=\s*[NnSs]))\s*([NnSs]?)(?:\s*,\s*|\s+|(?<=[NnSs]))"
    r"(\d+(?:\.\d+)?|\d+,\d+(?=\s*[EeWw]))\s*([EeWw]?)\s*"
)
UNIT: Final = 240.0
"""Metres of one unit of the map: ten land cells."""
_ID: Final = re.compile(r"\s*(?:0[xX])?([0-9a-fA-F]{8})\s*")
_BLOCK: Final = re.compile(r"\s*(?:0[xX])?([0-9a-fA-F]{4})\s*")
LARGEST: Final = float(np.finfo(np.float32).max)


def format_location(cell_id: int, frame: F32) -> str:
    """A cell and a frame as text, six decimals."""
    x, y, z, qw, qx, qy, qz = (float(v) for v in frame)
    place = f"0x{cell_id & 0xFFFFFFFF:08X} [{x:.6f} {y:.6f} {z:.6f}]"
    return f"{place} {qw:.6f} {qx:.6f} {qy:.6f} {qz:.6f}"


def parse_location(text: str) -> tuple[int, F32]:
    """The cell id and the frame of such a text; without a rotation the frame looks north.

    The brackets may be missing, as after the teleport commands of servers.
    """
    match = _LOCATION.fullmatch(text)
    numbers = [float(v) for v in match.groups()[1:] if v is not None] if match else []
    if match is None or max(map(abs, numbers)) > LARGEST:
        raise UsageError(
            f"not a location: {text!r}, write it like 0xA9B40019 [84.0 10.5 40.0] 1.0 0.0 0.0 0.0"
        )
    if len(numbers) == 3:
        numbers += [1.0, 0.0, 0.0, 0.0]
    return int(match.group(1), 16), np.array(numbers, np.float32)


def lcoord_to_map(x: int, y: int) -> tuple[float, float]:
    """(north, east) of a cell in map units; negative is south and west."""
    return (y - 1024) * 0.1 + 0.5, (x - 1024) * 0.1 + 0.5


def map_text(cell_id: int) -> str:
    """Map coordinates of a land cell (of an indoor cell: of its block's corner), or "".

    Retail: LandDefs::CellidToCoordinateString @0x005A9CB0.
    """
    ok, x, y = gid_to_lcoord(cell_id)
    if not ok:
        ok, x, y = blockid_to_lcoord(cell_id)
    if not ok:
        return ""
    north, east = lcoord_to_map(x, y)
    # a hundredth of a unit below the resolution: the sums above are not exact in binary
    ns = "" if abs(north) < 1e-9 else "N" if north > 0 else "S"
    ew = "" if abs(east) < 1e-9 else "E" if east > 0 else "W"
    return f"{abs(north):.1f}{ns}, {abs(east):.1f}{ew}"


def parse_map(text: str) -> int:
    """The land cell at map coordinates such as `42.1N, 33.6E`.

    A comma may stand for the point of a number that has its letter behind it: `42,1N 33,6E`.
    """
    match = _MAP.fullmatch(text)
    if match is None:
        raise UsageError(f"not map coordinates: {text!r}, write them like 42.1N, 33.6E")
    north, east = _signed(match)
    cell_id = lcoord_to_gid(round((east - 0.5) * 10) + 1024, round((north - 0.5) * 10) + 1024)
    if cell_id == 0:
        raise UsageError(
            f"map coordinates {text!r} are outside the world, -101.9 to 102.0 per axis"
        )
    return cell_id


def parse_map_point(text: str) -> tuple[int, float, float]:
    """(land cell, metres east, metres north of its middle) of map coordinates.

    The middle of a cell is what its coordinates with one decimal say; more decimals say more.
    """
    cell_id = parse_map(text)
    match = _MAP.fullmatch(text)
    assert match is not None, "it was read a line ago"
    _, x, y = gid_to_lcoord(cell_id)
    middle_north, middle_east = lcoord_to_map(x, y)
    north, east = _signed(match)
    return cell_id, (east - middle_east) * UNIT, (north - middle_north) * UNIT


def _signed(match: re.Match[str]) -> tuple[float, float]:
    """(north, east) of map coordinates, negative in the south and west."""
    north, east = (float(match.group(n).replace(",", ".")) for n in (1, 3))
    south, west = match.group(2).upper() == "S", match.group(4).upper() == "W"
    return -north if south else north, -east if west else east


def parse_id(text: str) -> int:
    """An id of eight hexadecimal digits, with or without 0x."""
    match = _ID.fullmatch(text)
    if match is None:
        raise UsageError(f"not an id: {text!r}, write eight hexadecimal digits like 0xA9B40019")
    return int(match.group(1), 16)


def parse_block(text: str) -> int:
    """A block as its record id 0xXXYYFFFF, from four or eight hexadecimal digits."""
    match = _BLOCK.fullmatch(text)
    if match is not None:
        return int(match.group(1), 16) << 16 | 0xFFFF
    return parse_id(text) | 0xFFFF

"""Cell, landblock and record ids, and the arithmetic of the landscape's grid (LandDefs).

An id is `block_x << 24 | block_y << 16 | low`. Land cells are 0x0001..0x0040, env cells
0x0100..0xFFFD, 0xFFFE is the block's info record and 0xFFFF the block itself. A cell of the
landscape has a global coordinate ("lcoord"), 0..2039 on each axis. The functions return plain
numbers and tuples, so that kernels can use them too; a failed conversion says so in its first item.
"""

from __future__ import annotations

import math
from typing import Final, NewType

import numpy as np

from acclient_py.core import Real

CellId = NewType("CellId", int)
LandblockId = NewType("LandblockId", int)
DataId = NewType("DataId", int)
Guid = NewType("Guid", int)

CELL_LENGTH: Final = np.float32(24.0)
BLOCK_LENGTH: Final = np.float32(192.0)
BLOCK_SIDE: Final = 8
"""Land cells on the edge of a block."""
WORLD_CELLS: Final = 2040
"""Land cells on the edge of the world: 255 blocks of 8."""
WORLD_BLOCKS: Final = 255
FIRST_LAND_CELL: Final = 0x0001
LAST_LAND_CELL: Final = 0x0040
FIRST_ENV_CELL: Final = 0x0100
LAST_ENV_CELL: Final = 0xFFFD
INFO_LOW: Final = 0xFFFE
BLOCK_LOW: Final = 0xFFFF
OUTSIDE: Final = 0xFFFFFFFF
"""The other side of a portal that leads to the landscape."""

_F_EPSILON: Final = np.float32(0.0002)
_FAR: Final = np.float32(1.0e8)


def hex8(value: int) -> str:
    """An id as people read it: `0xA9B40019`."""
    return f"0x{int(value) & 0xFFFFFFFF:08X}"


def low(cell_id: int) -> int:
    """The cell's number in its block."""
    return int(cell_id) & 0xFFFF


def block(cell_id: int) -> int:
    """The block's number, x in the high byte, y in the low one."""
    return (int(cell_id) >> 16) & 0xFFFF


def landblock_of(cell_id: int) -> int:
    """The id of the CellLandblock record of a cell's block."""
    return (int(cell_id) & 0xFFFF0000) | 0xFFFF


def landblock_info_of(cell_id: int) -> int:
    """The id of the LandBlockInfo record of a cell's block."""
    return (int(cell_id) & 0xFFFF0000) | 0xFFFE


def is_land_cell(cell_id: int) -> bool:
    """Whether the id names one of the 64 outdoor cells of a block."""
    return 1 <= (int(cell_id) & 0xFFFF) <= 0x40


def is_env_cell(cell_id: int) -> bool:
    """Whether the id names an indoor cell."""
    return 0x100 <= (int(cell_id) & 0xFFFF) <= 0xFFFD


def valid_low(cell_id: int) -> bool:
    """Whether the low word names a cell or the block itself; 0 and 0xFFFE do not."""
    part = int(cell_id) & 0xFFFF
    return 1 <= part <= 0x40 or 0x100 <= part <= 0xFFFD or part == 0xFFFF


def in_bounds(x: int, y: int) -> bool:
    """Whether a global cell coordinate lies in the world. Retail: LandDefs @0x0043D650."""
    return 0 <= x < 2040 and 0 <= y < 2040


def inbound_valid_cellid(cell_id: int) -> bool:
    """Whether an id has a valid low word and a block of the world (both axes are tested).

    Retail: LandDefs::inbound_valid_cellid @0x004979A0.
    """
    value = int(cell_id) & 0xFFFFFFFF
    return valid_low(value) and (value >> 24) < 255 and ((value >> 16) & 0xFF) < 255


def blockid_to_lcoord(cell_id: int) -> tuple[bool, int, int]:
    """(ok, x, y): the global coordinate of the block's south-west cell; the low word is ignored.

    Id 0 fails, and so do the rows and columns 0xFF (with x and y as computed).
    Retail: LandDefs::blockid_to_lcoord @0x0043D680.
    """
    value = int(cell_id) & 0xFFFFFFFF
    if value == 0:
        return False, 0, 0
    x = (value >> 21) & 0x7F8
    y = ((value >> 16) & 0xFF) * 8
    return x < 2040 and y < 2040, x, y


def gid_to_lcoord(cell_id: int) -> tuple[bool, int, int]:
    """(ok, x, y): the global coordinate of a land cell; (False, 0, 0) for any other id.

    Retail: LandDefs::gid_to_lcoord @0x00497A90.
    """
    value = int(cell_id) & 0xFFFFFFFF
    part = value & 0xFFFF
    if part >= 0x100 or not inbound_valid_cellid(value):
        return False, 0, 0
    x = ((value >> 24) & 0xFF) * 8 + ((part - 1) >> 3)
    y = ((value >> 16) & 0xFF) * 8 + ((part - 1) & 7)
    return x < 2040 and y < 2040, x, y


def lcoord_to_gid(x: int, y: int) -> int:
    """The id of the land cell at a global coordinate, 0 outside the world.

    Retail: LandDefs::lcoord_to_gid @0x004A19A0.
    """
    if not in_bounds(x, y):
        return 0
    return (((y >> 3) | ((x >> 3) << 8)) << 16) | ((x & 7) * 8 + (y & 7) + 1)


def get_outside_lcoord(cell_id: int, px: Real, py: Real) -> tuple[bool, int, int]:
    """(ok, x, y): the land cell under a point of the id's block, whatever cell the id names.

    px, py : block-local metres, taken as float32
    Only the result is tested: block 0xFF with a negative px can pass.
    Retail: LandDefs::get_outside_lcoord @0x005A9B00.
    """
    value = int(cell_id) & 0xFFFFFFFF
    if not valid_low(value):
        return False, 0, 0
    qx = np.float32(px) / CELL_LENGTH
    qy = np.float32(py) / CELL_LENGTH
    if not (abs(qx) < _FAR and abs(qy) < _FAR):
        return False, 0, 0
    x = ((value >> 24) & 0xFF) * 8 + int(math.floor(qx))
    y = ((value >> 16) & 0xFF) * 8 + int(math.floor(qy))
    return in_bounds(x, y), x, y


def adjust_to_outside(cell_id: int, px: Real, py: Real) -> tuple[bool, int, np.float32, np.float32]:
    """(ok, id, px, py): the land cell under a point, and the point in that cell's block.

    A coordinate nearer to 0 than EPS is snapped to 0 first. On failure the id is 0 and the point
    is as the snap left it. z is never touched.
    Retail: LandDefs::adjust_to_outside @0x005A9BC0.
    """
    x = np.float32(px)
    y = np.float32(py)
    if valid_low(cell_id):
        if abs(x) < _F_EPSILON:
            x = np.float32(0.0)
        if abs(y) < _F_EPSILON:
            y = np.float32(0.0)
        ok, lx, ly = get_outside_lcoord(cell_id, x, y)
        if ok:
            x = x - np.float32(math.floor(x / BLOCK_LENGTH)) * BLOCK_LENGTH
            y = y - np.float32(math.floor(y / BLOCK_LENGTH)) * BLOCK_LENGTH
            return True, lcoord_to_gid(lx, ly), x, y
    return False, 0, x, y


def get_outside_cell_id(cell_id: int, px: Real, py: Real) -> int:
    """The land cell under a point, or 0. Retail: Position::get_outside_cell_id @0x004527B0."""
    return adjust_to_outside(cell_id, px, py)[1]


def get_block_did(x: int, y: int) -> int:
    """The CellLandblock id of the block that holds a global coordinate; 0 outside the world."""
    if not in_bounds(x, y):
        return 0
    return (((y >> 3) | ((x >> 3) << 8)) << 16) | 0xFFFF


def get_block_offset(from_id: int, to_id: int) -> tuple[np.float32, np.float32]:
    """Metres east and north from one id's block to another's; there is never a height.

    Retail: LandDefs::get_block_offset @0x0043E630.
    """
    a = int(from_id) & 0xFFFFFFFF
    b = int(to_id) & 0xFFFFFFFF
    dx = ((b >> 24) & 0xFF) - ((a >> 24) & 0xFF)
    dy = ((b >> 16) & 0xFF) - ((a >> 16) & 0xFF)
    return np.float32(dx * 192), np.float32(dy * 192)


def within_block(px: Real, py: Real, radius: Real) -> bool:
    """Whether a circle lies in its block. Retail: LandDefs::within_block @0x0050E800."""
    x = np.float32(px)
    y = np.float32(py)
    r = np.float32(radius)
    return bool(r <= x and r <= y and x < BLOCK_LENGTH - r and y < BLOCK_LENGTH - r)


def is_newer(old: int, new: int) -> bool:
    """Whether a 16-bit stamp comes after another; equal is not newer, half-way counts as wrapped.

    Retail: the sequence comparison of object messages (spec 6.5).
    """
    a = int(old) & 0xFFFF
    b = int(new) & 0xFFFF
    if abs(b - a) > 0x7FFF:
        return b < a
    return a < b

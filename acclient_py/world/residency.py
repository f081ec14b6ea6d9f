"""Which blocks are loaded, and in how much detail: pure decisions about the load window.

The load point is the player's, never the camera's. `detail_radius` is the number of rings in full
detail round it: 1 as in retail; a viewer may set more, and the coarser rings then start farther
out by the same amount.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from acclient_py.core.ids import (
    WORLD_BLOCKS,
    adjust_to_outside,
    is_env_cell,
    is_land_cell,
    landblock_info_of,
)
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.world.terrain import (
    EAST,
    IN_VIEWER_BLOCK,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)

DEFAULT_MID_RADIUS: Final = 8
"""The retail preference's default: a window of 17 x 17 blocks."""
MID_RADIUS_CHOICES: Final = (3, 5, 8, 11, 15, 25)
DEFAULT_DETAIL_RADIUS: Final = 1


class BlockDetail(Struct, frozen=True):
    """How a block of the window is made: cells on an edge, and the direction of its seams."""

    side: int
    direction: int


def get_dir(dx: int, dy: int) -> int:
    """The direction of a block by the signs of its offset alone. Retail: @0x005A9AA0."""
    if dx > 0:
        return NORTH_EAST if dy > 0 else SOUTH_EAST if dy < 0 else EAST
    if dx < 0:
        return NORTH_WEST if dy > 0 else SOUTH_WEST if dy < 0 else WEST
    return NORTH if dy > 0 else SOUTH if dy < 0 else IN_VIEWER_BLOCK


def get_block_orient(
    dx: int, dy: int, *, detail_radius: int = DEFAULT_DETAIL_RADIUS
) -> BlockDetail:
    """Detail and seam direction of the block at an offset from the window's middle.

    Retail: LScape::get_block_orient @0x00504F90 (with detail_radius 1).
    """
    # divergence: D4
    ring = max(abs(dx), abs(dy))
    if ring <= detail_radius:
        side, q = 8, detail_radius
    elif ring == detail_radius + 1:
        side, q = 4, detail_radius + 1
    elif ring <= detail_radius + 3:
        side, q = 2, detail_radius + 3
    else:
        return BlockDetail(1, IN_VIEWER_BLOCK)
    if q == 0:
        return BlockDetail(side, IN_VIEWER_BLOCK)
    east = 1 if dx == q else -1 if dx == -q else 0
    north = 1 if dy == q else -1 if dy == -q else 0
    return BlockDetail(side, get_dir(east, north))


def load_point(cell_id: int, x: float, y: float, *, seen_outside: bool = False) -> int:
    """The land cell that the window is centred on, 0 for none: a sealed interior has no landscape.

    cell_id, x, y : the player's position ; seen_outside : of its env cell
    """
    if is_land_cell(cell_id):
        return cell_id
    if is_env_cell(cell_id) and seen_outside:
        return adjust_to_outside(cell_id, x, y)[1]
    return 0


def window(
    point: int,
    mid_radius: int = DEFAULT_MID_RADIUS,
    *,
    detail_radius: int = DEFAULT_DETAIL_RADIUS,
) -> dict[int, BlockDetail]:
    """The blocks of the window round a load point, by record id 0xXXYYFFFF, x-major.

    Blocks outside the world are left out. A load point of 0 gives an empty window.
    """
    if point == 0:
        return {}
    assert mid_radius >= 1, "a window has at least one ring"
    bx, by = point >> 24 & 0xFF, point >> 16 & 0xFF
    blocks = {}
    for dx in range(-mid_radius, mid_radius + 1):
        for dy in range(-mid_radius, mid_radius + 1):
            x, y = bx + dx, by + dy
            if 0 <= x < WORLD_BLOCKS and 0 <= y < WORLD_BLOCKS:
                at = x << 24 | y << 16 | 0xFFFF
                blocks[at] = get_block_orient(dx, dy, detail_radius=detail_radius)
    return blocks


def prefetch_cells(block_id: int, info: LandBlockInfo | None) -> Iterator[int]:
    """Record ids that a block to come will need: itself, its info, the cells behind its doors.

    info : the block's info record once it is there ; each env cell is named once
    Retail: LScape::PreFetchCells @0x00505660.
    """
    yield block_id | 0xFFFF
    yield landblock_info_of(block_id)
    if info is None:
        return
    seen: dict[int, None] = {}
    for building in info.buildings:
        for portal in building.portals:
            for low in (portal.other_cell_id, *portal.stabs):
                if is_env_cell(low):
                    seen[block_id & 0xFFFF0000 | low] = None
    yield from seen

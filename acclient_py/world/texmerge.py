"""Terrain textures: which types meet in a cell, which masks blend them, and the blending itself.

Corners stand in the order SW, SE, NE, NW with the bits 1, 2, 4, 8. A mask's alpha is the weight
of what lies below it: 255 keeps it, 0 replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import U8, U16

ROAD_TYPE: Final = 32
MISSING_TEXTURE: Final = (0, 255, 0)
"""Red, green, blue of what a missing texture shows."""

TILE_SHIFTS: Final = (0, 1, 2, 4, 8)
"""Of the texture detail preference."""

_ROAD_CODES: Final = {7: (3, 6), 11: (9, 3), 13: (9, 12), 14: (6, 12)}


class Overlay(Struct, frozen=True):
    """One terrain type laid over the base: its mask (by list and place) and quarter turns."""

    type: int
    is_corner: bool  # a corner mask, else a side mask
    mask_index: int
    rotation: int


class RoadOverlay(Struct, frozen=True):
    """The road texture laid over all: place in the road masks, and quarter turns."""

    mask_index: int
    rotation: int


class CellTexture(Struct, frozen=True):
    """How a cell's tile is put together. `base_type` is ROAD_TYPE when all of it is road."""

    base_type: int
    overlays: tuple[Overlay, ...]
    roads: tuple[RoadOverlay, ...]


def palette_code(types: Sequence[int], roads: Sequence[int], size: int = 1) -> int:
    """The code of a cell's corners; size 1 in full detail, 4 in coarser blocks.

    Retail: CLandBlockStruct::GetCellRotation @0x00532170.
    """
    r, t = roads, types
    return (
        size << 28
        | r[0] << 26 | r[1] << 24 | r[2] << 22 | r[3] << 20
        | t[0] << 15 | t[1] << 10 | t[2] << 5 | t[3]
    )  # fmt: skip


def cell_code(terrain: U16, side: int, x: int, y: int) -> int:
    """The code of cell (x, y) of a block with `side` cells an edge. terrain : (81,) uint16."""
    step = 8 // side
    sw = int(terrain[x * step * 9 + y * step])
    se = int(terrain[(x + 1) * step * 9 + y * step])
    ne = int(terrain[(x + 1) * step * 9 + (y + 1) * step])
    nw = int(terrain[x * step * 9 + (y + 1) * step])
    return palette_code(
        (sw >> 2 & 31, se >> 2 & 31, ne >> 2 & 31, nw >> 2 & 31),
        (sw & 3, se & 3, ne & 3, nw & 3),
        1 if side == 8 else 4,
    )


def corners_of(code: int) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int], int]:
    """(types, roads, size) of a palette code."""
    return (
        (code >> 15 & 31, code >> 10 & 31, code >> 5 & 31, code & 31),
        (code >> 26 & 3, code >> 24 & 3, code >> 22 & 3, code >> 20 & 3),
        code >> 28 & 15,
    )


def is_uniform(code: int) -> bool:
    """Whether all corners agree and there is no road: the surface is one plain tile."""
    types, roads, _ = corners_of(code)
    return len({*types}) == 1 and not any(roads)


def alpha_hash(code: int) -> int:
    """The hash that chooses masks, the same for all overlays of a cell."""
    return (1379576222 * code - 1372186442) & 0xFFFFFFFF


def alpha_index(code: int, count: int) -> int:
    """Which of `count` masks a cell takes."""
    index = alpha_hash(code) * count >> 32
    return index if index < count else 0


def rotate_code(code: int) -> int:
    """A mask's code after a quarter turn."""
    code *= 2
    return code - 15 if code >= 16 else code


def terrain_overlays(types: Sequence[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
    """(base type, ((type, code), ...)) of four corners.

    Retail: TexMerge::GetTerrain @0x00503DC0.
    """
    if len({*types}) == 4:
        return types[0], ((types[1], 2), (types[2], 4), (types[3], 8))
    base = next(t for t in types if list(types).count(t) > 1)
    odd = [k for k in range(4) if types[k] != base]
    if not odd:
        return base, ()
    first = odd[0]
    if len(odd) == 1:
        return base, ((types[first], 1 << first),)
    second = odd[1]
    if types[second] == types[first] and second == first + 1:
        return base, ((types[first], (1 << first) + (1 << second)),)
    return base, ((types[first], 1 << first), (types[second], 1 << second))


def road_codes(mask: int) -> tuple[bool, tuple[int, ...]]:
    """(all road, codes) of the mask of corners with a road. Retail: GetRoadCode @0x005033F0."""
    if mask == 15:
        return True, ()
    if mask in _ROAD_CODES:
        return False, _ROAD_CODES[mask]
    return False, (mask,) if mask else ()


def find_terrain_alpha(
    code: int, overlay_code: int, corner_codes: Sequence[int], side_codes: Sequence[int]
) -> tuple[bool, int, int] | None:
    """(is corner, mask index, quarter turns) of an overlay; None when the mask never fits.

    Retail: TexMerge::FindTerrainAlpha @0x00503700.
    """
    is_corner = overlay_code in (1, 2, 4, 8)
    masks = corner_codes if is_corner else side_codes
    if not masks:
        return None
    index = alpha_index(code, len(masks))
    turned = masks[index]
    for rotation in range(4):
        if turned == overlay_code:
            return is_corner, index, rotation
        turned = rotate_code(turned)
    return None


def find_road_alpha(code: int, road_code: int, codes: Sequence[int]) -> tuple[int, int] | None:
    """(mask index, quarter turns) of a road; None when no mask fits. Retail: @0x00503600."""
    start = alpha_index(code, len(codes)) if codes else 0
    for step in range(len(codes)):
        index = (start + step) % len(codes)
        turned = codes[index]
        for rotation in range(4):
            if turned == road_code:
                return index, rotation
            turned = rotate_code(turned)
    return None


def cell_texture(
    code: int,
    corner_codes: Sequence[int],
    side_codes: Sequence[int],
    road_mask_codes: Sequence[int],
) -> CellTexture:
    """What a cell's tile is made of, from its palette code and the codes of the region's masks."""
    types, roads, _ = corners_of(code)
    mask = sum(1 << k for k in range(4) if roads[k])
    all_road, wanted = road_codes(mask)
    if all_road:
        return CellTexture(ROAD_TYPE, (), ())
    base, laid = terrain_overlays(types)
    overlays = []
    for kind, overlay_code in laid:
        found = find_terrain_alpha(code, overlay_code, corner_codes, side_codes)
        if found is not None:
            overlays.append(Overlay(kind, *found))
    road_overlays = []
    for road_code in wanted:
        road = find_road_alpha(code, road_code, road_mask_codes)
        if road is not None:
            road_overlays.append(RoadOverlay(*road))
    return CellTexture(base, tuple(overlays), tuple(road_overlays))


def tile_size(base_texture_size: int, shift: int, size: int) -> int:
    """Pixels on the edge of a merged tile. shift : of TILE_SHIFTS ; size : of the palette code."""
    return max(8, (base_texture_size >> shift) // size)


def tiled(texture: U8, tiling: int, pixels: int) -> U8:
    """(pixels, pixels, c) of a texture repeated `tiling` times on each axis, nearest texel."""
    h, w = texture.shape[:2]
    at = np.arange(pixels) * max(tiling, 1)
    result: U8 = texture[(at * h // pixels % h)[:, None], (at * w // pixels % w)[None, :]]
    return result


def turned_alpha(alpha: U8, rotation: int, pixels: int) -> U8:
    """(pixels, pixels) of a mask after quarter turns, by replication or skipping.

    alpha : (h, w) uint8
    """
    h, w = alpha.shape
    at = np.arange(pixels)
    down, across = at * h // pixels, at * w // pixels
    if rotation == 0:
        rows, columns = down[:, None], across[None, :]
    elif rotation == 1:
        rows, columns = down[None, :], (w - 1 - across)[:, None]
    elif rotation == 2:
        rows, columns = (h - 1 - down)[:, None], (w - 1 - across)[None, :]
    else:
        rows, columns = (h - 1 - down)[None, :], across[:, None]
    result: U8 = alpha[rows, columns]
    return result


def blend(below: U8, over: U8, alpha: U8) -> U8:
    """Lay `over` on `below`; alpha is the weight of what is below. All uint8, exact integers.

    Retail: TexMerge::FillTempTexBuffer @0x00504450.
    """
    a = alpha.astype(np.int32)
    a = a + (a > 128)
    mixed = (a * below.astype(np.int32) + (256 - a) * over.astype(np.int32)) >> 8
    result: U8 = np.where(alpha == 255, below, mixed).astype(np.uint8)
    return result


def merge(base: U8, layers: Sequence[tuple[U8, U8]]) -> U8:
    """The merged tile: layers of (colour, weight of what is below), in order terrain then road.

    base, colours : (n, n, 3 or 4) uint8, tiled already ; weights : (n, n) uint8, turned already
    A fourth channel keeps the base's values.
    """
    result = base.copy()
    for colour, weight in layers:
        result[..., :3] = blend(result[..., :3], colour[..., :3], weight[..., None])
    return result

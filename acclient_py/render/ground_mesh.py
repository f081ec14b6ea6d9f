"""Meshes of blocks: vertices that say their cell's surface row, for all new blocks in one call."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32, U16, U32, Struct
from acclient_py.kernels import kernel
from acclient_py.render.geometry import pack_normals
from acclient_py.world.light import vertex_normals
from acclient_py.world.terrain import CORNERS, fill_planes, is_swne, trans_adjust
from acclient_py.world.texmerge import cell_code

# corners of a cell as (dx, dy), in the order SW, SE, NE, NW, and their uv: v grows southwards
_CORNER: Final = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.int64)
_UV: Final = np.array(((0, 1), (1, 1), (1, 0), (0, 0)), np.float32)
_CORNER_NUMBER: Final = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}
# (2 diagonals, 6) corner numbers of a cell's two triangles
_TRIANGLES: Final = np.array(
    [[_CORNER_NUMBER[int(x), int(y)] for x, y in cut.reshape(6, 2)] for cut in CORNERS], np.uint32
)


def row_of(codes: U32, rows: U32, code: int) -> int:
    """The surface row of a palette code, -1 when it has none yet. codes : ascending"""
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) // 2
        if int(codes[middle]) < code:
            low = middle + 1
        else:
            high = middle
    return int(rows[low]) if low < len(codes) and int(codes[low]) == code else -1


@kernel
def block_meshes(
    blocks: Struct, heights: F32, terrain: U16, slots: I32, seams: I32, codes: U32, rows: U32,
    unknown: U32, vertices: Struct, indices: U32,
) -> int:  # fmt: skip
    """Four vertices and 6 indices a cell of each block, cell x * side + y at 4 and 6 * that.

    blocks, heights, terrain : the graph's, by block slot ; slots : (n,) blocks to be made
    seams    : (n,) directions in which the edges of coarse blocks are fitted
    codes, rows : palette codes, ascending, and their surface rows
    unknown  : filled with codes that have no row yet; the vertices of their cells are not whole
    vertices : VERTEX_DTYPE ; indices : counted from each block's first vertex

    Returns how many of `unknown` were filled.
    """
    missing = 0
    first = 0
    for n in range(len(slots)):
        slot = slots[n]
        side = int(blocks[slot].side)
        block_x, block_y = int(blocks[slot].id) >> 24 & 0xFF, int(blocks[slot].id) >> 16 & 0xFF
        step = 8 // side
        across = side + 1
        z = np.empty((across, across), np.float32)
        swne = np.empty(side * side, np.bool_)
        for x in range(across):
            for y in range(across):
                z[x, y] = heights[slot, x * step, y * step]
        for cell in range(side * side):
            swne[cell] = is_swne(block_x * 8 + cell // side, block_y * 8 + cell % side)
        if seams[n] != 0 and 1 < side < 8:
            trans_adjust(z, heights[slot], side, seams[n])
        planes = np.empty((side * side, 2, 4), np.float32)
        fill_planes(z, swne, planes)
        normals = np.empty((across * across, 3), np.float32)
        vertex_normals(planes, swne, side, normals)
        packed = np.empty((across * across, 2), np.int16)
        pack_normals(normals, packed)
        edge = np.float32(192.0 / side)
        for cell in range(side * side):
            x, y = cell // side, cell % side
            code = cell_code(terrain[slot], side, x, y)
            row = row_of(codes, rows, code)
            if row < 0:
                unknown[missing] = code
                missing += 1
                row = 0
            for corner in range(4):
                vx, vy = x + _CORNER[corner, 0], y + _CORNER[corner, 1]
                vertex = vertices[first + 4 * cell + corner]
                vertex.position[0] = np.float32(vx) * edge
                vertex.position[1] = np.float32(vy) * edge
                vertex.position[2] = z[vx, vy]
                vertex.normal[0] = packed[vx * across + vy, 0]
                vertex.normal[1] = packed[vx * across + vy, 1]
                vertex.uv[0] = _UV[corner, 0]
                vertex.uv[1] = _UV[corner, 1]
                vertex.extra = slot << 20 | row
            for at in range(6):
                index = _TRIANGLES[int(swne[cell]), at] + 4 * cell
                indices[(first + 4 * cell) // 4 * 6 + at] = index
        first += 4 * side * side
    return missing

"""Lights of objects: the two pools around the player, each part's own set, light burnt into cells.

A lamp is a row of 16 floats among the frame's matrices, so a shader that knows a row of the frame
finds it: place from the camera's block, 0; colour times intensity, reach as a hardware light;
colour, falloff; intensity, static (1) or not, 0, 0. A set is such a row too: up to eight numbers
of rows back to its lamps, then how many there are. All lamps are point lights: their records name
no other kind.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, F64, I32, U8, Real, Struct, Whole
from acclient_py.kernels import kernel

MAX_DYNAMIC: Final = 7
MAX_STATIC: Final = 40
MAX_LAMPS: Final = MAX_DYNAMIC + MAX_STATIC
SET_LAMPS: Final = 8
HARDWARE_REACH: Final = np.float32(1.5)  # of the falloff
BURNT_REACH: Final = 1.3
BLOCK_SIZE: Final = np.float32(192.0)
BYTE: Final = np.float32(1.0 / 255.0)
ZERO: Final = np.float32(0.0)


@kernel
def choose_lamps(
    lights: Struct,
    objects: Struct,
    camera_x: Whole,
    camera_y: Whole,
    player: F32,
    rows: I32,
    keys: F32,
    lamps: F32,
) -> Whole:
    """The nearest lamps to the player: at most 7 of movers, then at most 40 of statics.

    player : (3,) float32 from the camera's block
    rows   : (47,) int32 out, rows of `lights` ; keys : (2, 40) scratch
    lamps  : (47, 16) float32 out
    Returns how many movers' lamps there are times 256, plus how many of statics.

    Retail: Render::add_dynamic_light, add_static_light; each pool is kept by distance.
    """
    dynamic = 0
    static = 0
    for i in range(len(lights)):
        if lights[i].cell < 0:
            continue
        o = lights[i].object
        at = lights[i].frame
        position_id = np.int64(objects[o].part_cell_id)
        ox = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        x = np.float32(at[0] + ox - player[0])
        y = np.float32(at[1] + oy - player[1])
        z = np.float32(at[2] - player[2])
        d = np.float32(x * x + y * y + z * z)
        pool = 1 if objects[o].home_id != 0 else 0
        most = MAX_STATIC if pool else MAX_DYNAMIC
        first = MAX_DYNAMIC if pool else 0
        count = static if pool else dynamic
        k = count
        while k > 0 and keys[pool, k - 1] > d:
            k -= 1
        if k >= most:
            continue
        for j in range(min(count, most - 1), k, -1):
            keys[pool, j] = keys[pool, j - 1]
            rows[first + j] = rows[first + j - 1]
        keys[pool, k] = d
        rows[first + k] = i
        if count < most:
            static += pool
            dynamic += 1 - pool
    for k in range(static):
        rows[dynamic + k] = rows[MAX_DYNAMIC + k]
    for k in range(dynamic + static):
        light = lights[rows[k]]
        position_id = np.int64(objects[light.object].part_cell_id)
        ox = np.float32(np.float32((position_id >> 24) - camera_x) * BLOCK_SIZE)
        oy = np.float32(np.float32(((position_id >> 16) & 0xFF) - camera_y) * BLOCK_SIZE)
        lamps[k, 0] = light.frame[0] + ox
        lamps[k, 1] = light.frame[1] + oy
        lamps[k, 2] = light.frame[2]
        lamps[k, 3] = ZERO
        for channel in range(3):
            value = np.float32((np.int64(light.color) >> (16 - 8 * channel)) & 0xFF) * BYTE
            lamps[k, 8 + channel] = value
            lamps[k, 4 + channel] = value * light.intensity
        lamps[k, 7] = light.falloff * HARDWARE_REACH
        lamps[k, 11] = light.falloff
        lamps[k, 12] = light.intensity
        lamps[k, 13] = np.float32(1.0) if k >= dynamic else ZERO
    return dynamic * 256 + static


@kernel(inner=True)
def choose_set(
    instances: F32, row: Whole, count: Whole, x: Real, y: Real, z: Real, r: Real
) -> Whole:
    """Write row `row` as the set of lamps that reach a sphere; how many do.

    Lamps stand in rows 0 to `count`, those of movers first, nearest to the player first.
    Retail: minimize_object_lighting @0x0054D480.
    """
    n = 0
    for k in range(SET_LAMPS):
        instances[row, k] = ZERO
    for k in range(count):
        if n == SET_LAMPS:
            break
        dx = np.float32(instances[k, 0] - x)
        dy = np.float32(instances[k, 1] - y)
        dz = np.float32(instances[k, 2] - z)
        reach = np.float32(instances[k, 11] + r)
        if np.float32(dx * dx + dy * dy + dz * dz) < np.float32(reach * reach):
            instances[row, n] = np.float32(row - k)
            n += 1
    instances[row, 8] = np.float32(n)
    return n


@kernel
def burn_light(positions: F32, normals: F32, lamps: F64, count: Whole, out: U8) -> None:
    """Static light of a cell's vertices.

    positions, normals : (n, 3) float32 in the cell's frame
    lamps : (count, 8) float64: place in that frame, colour, falloff, intensity
    out   : (n, 4) uint8, RGB and 0

    Retail: SetStaticLightingVertexColors @0x0059CFE0, calc_point_light @0x0059C8B0.
    """
    for v in range(len(positions)):
        red = 0.0
        green = 0.0
        blue = 0.0
        for k in range(count):
            x = lamps[k, 0] - positions[v, 0]
            y = lamps[k, 1] - positions[v, 1]
            z = lamps[k, 2] - positions[v, 2]
            square = x * x + y * y + z * z
            d = np.sqrt(square)
            reach = lamps[k, 6] * BURNT_REACH
            if not 0.0 < d < reach:
                continue
            facing = normals[v, 0] * x + normals[v, 1] * y + normals[v, 2] * z
            w = (facing + 0.5 * d) / 1.5
            if w <= 0.0:
                continue
            s = w / (square * d if square > 1.0 else d) * (1.0 - d / reach) * lamps[k, 7]
            red += min(s * lamps[k, 3], lamps[k, 3])
            green += min(s * lamps[k, 4], lamps[k, 4])
            blue += min(s * lamps[k, 5], lamps[k, 5])
        out[v, 0] = np.uint8(min(red, 1.0) * 255.0)
        out[v, 1] = np.uint8(min(green, 1.0) * 255.0)
        out[v, 2] = np.uint8(min(blue, 1.0) * 255.0)
        out[v, 3] = np.uint8(0)

"""Block-compressed pictures: DXT1 to DXT5 to RGBA, all blocks at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import U8

BLOCK_BYTES_DXT1: Final = 8
BLOCK_BYTES_DXT: Final = 16


def block_count(width: int, height: int) -> int:
    """4 x 4 blocks of a picture; sides that are no multiple of 4 are rounded up."""
    return -(-width // 4) * -(-height // 4)


def decode_dxt1(data: bytes, width: int, height: int) -> U8:
    """(height, width, 4) RGBA; blocks whose first colour is not greater have holes."""
    blocks = np.frombuffer(data, np.uint8).reshape(-1, BLOCK_BYTES_DXT1)
    return _place(_colors(blocks, has_holes=True), width, height)


def decode_dxt3(data: bytes, width: int, height: int) -> U8:
    """(height, width, 4) RGBA with 4-bit alpha, as stored also in DXT2."""
    blocks = np.frombuffer(data, np.uint8).reshape(-1, BLOCK_BYTES_DXT)
    pixels = _colors(blocks[:, 8:], has_holes=False)
    halves = np.stack((blocks[:, :8] & 15, blocks[:, :8] >> 4), axis=2)
    pixels[:, :, 3] = halves.reshape(-1, 16) * np.uint8(17)
    return _place(pixels, width, height)


def decode_dxt5(data: bytes, width: int, height: int) -> U8:
    """(height, width, 4) RGBA with interpolated alpha, as stored also in DXT4."""
    blocks = np.frombuffer(data, np.uint8).reshape(-1, BLOCK_BYTES_DXT)
    pixels = _colors(blocks[:, 8:], has_holes=False)
    pixels[:, :, 3] = _alphas(blocks)
    return _place(pixels, width, height)


def unpremultiply(pixels: U8) -> U8:
    """Straight colour of a picture whose colour is multiplied by its alpha."""
    alpha = pixels[:, :, 3:].astype(np.uint32)
    color = pixels[:, :, :3].astype(np.uint32)
    straight = (color * 255 + alpha // 2) // np.maximum(alpha, 1)
    out = pixels.copy()
    out[:, :, :3] = np.where(alpha > 0, np.minimum(straight, 255), color)
    return out


def _colors(blocks: U8, *, has_holes: bool) -> U8:
    """(n, 16, 4) RGBA of n colour blocks of 8 bytes: two colours, 16 two-bit choices."""
    ends = np.ascontiguousarray(blocks[:, :4]).view("<u2").astype(np.int32)  # (n, 2)
    red, green, blue = ends >> 11, ends >> 5 & 63, ends & 31
    rgb = np.stack((red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2), axis=2)
    first, second = rgb[:, 0], rgb[:, 1]
    table = np.empty((len(blocks), 4, 4), np.int32)
    table[:, :, 3] = 255
    table[:, 0, :3], table[:, 1, :3] = first, second
    table[:, 2, :3] = (2 * first + second + 1) // 3
    table[:, 3, :3] = (first + 2 * second + 1) // 3
    if has_holes:
        holed = ends[:, 0] <= ends[:, 1]
        table[holed, 2, :3] = (first[holed] + second[holed] + 1) // 2
        table[holed, 3] = 0
    choice = blocks[:, 4:8, None] >> np.array((0, 2, 4, 6), np.uint8) & 3  # (n, row, column)
    pixels = np.take_along_axis(table, choice.reshape(-1, 16, 1).astype(np.int64), axis=1)
    return pixels.astype(np.uint8)


def _alphas(blocks: U8) -> U8:
    """(n, 16) alpha of n blocks: two ends, then 16 three-bit choices in 6 bytes."""
    first, second = blocks[:, 0].astype(np.int32), blocks[:, 1].astype(np.int32)
    table = np.empty((len(blocks), 8), np.int32)
    table[:, 0], table[:, 1] = first, second
    eight = first > second
    for step in range(1, 7):
        table[:, 1 + step] = ((7 - step) * first + step * second + 3) // 7
    for step in range(1, 5):
        short = ((5 - step) * first + step * second + 2) // 5
        table[:, 1 + step] = np.where(eight, table[:, 1 + step], short)
    table[:, 6] = np.where(eight, table[:, 6], 0)
    table[:, 7] = np.where(eight, table[:, 7], 255)
    padded = np.zeros((len(blocks), 8), np.uint8)
    padded[:, :6] = blocks[:, 2:8]
    bits = padded.view("<u8")  # (n, 1)
    choice = bits >> (3 * np.arange(16, dtype=np.uint64)) & np.uint64(7)
    return np.take_along_axis(table, choice.astype(np.int64), axis=1).astype(np.uint8)


def _place(pixels: U8, width: int, height: int) -> U8:
    """Put blocks of 16 pixels side by side and cut off what lies beyond the picture."""
    across, down = -(-width // 4), -(-height // 4)
    rows = pixels.reshape(down, across, 4, 4, 4).transpose(0, 2, 1, 3, 4)
    picture = rows.reshape(4 * down, 4 * across, 4)[:height, :width]
    return np.ascontiguousarray(picture)

"""Noise that is the same on every machine and repeats at its edges.

Every function takes coordinates in lattice units and the lattice's period, hashes integer
lattice points with 32-bit arithmetic and combines the results with + - * / and floor only, so
that two bakes agree to the bit. Nothing here keeps state.
"""

# contract: T8

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

# Sixteen directions of equal length 5 in integers: no root and no sine is needed.
GRADIENTS: Final = np.array(
    [(5, 0), (4, 3), (3, 4), (0, 5), (-3, 4), (-4, 3), (-5, 0), (-4, -3)]
    + [(-3, -4), (0, -5), (3, -4), (4, -3), (4, 3), (-4, 3), (-4, -3), (4, -3)],
    dtype=np.float64,
) * (1.0 / 5.0)
GRADIENT_SCALE: Final = 1.6  # brings the usual spread of one octave to about -1..1
UNIT: Final = 1.0 / 4294967296.0


def lattice_hash(x: I64, y: I64, seed: int) -> npt.NDArray[np.uint32]:
    """Mix two lattice coordinates and a seed into 32 bits (multiply and shift rounds)."""
    h = (x & 0xFFFFFFFF).astype(np.uint32) * np.uint32(0x9E3779B1)
    h ^= (y & 0xFFFFFFFF).astype(np.uint32) * np.uint32(0x85EBCA77)
    h ^= np.uint32((seed * 0xC2B2AE3D + 0x27D4EB2F) & 0xFFFFFFFF)
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    h *= np.uint32(0x297A2D39)
    h ^= h >> np.uint32(15)
    return h


def lattice_unit(x: I64, y: I64, seed: int) -> F64:
    """A number in 0..1 for each lattice point."""
    return lattice_hash(x, y, seed).astype(np.float64) * UNIT


def smooth(t: F64) -> F64:
    """The quintic fade curve: zero slope and curvature at 0 and 1."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def smoothstep(low: float, high: float, x: F64) -> F64:
    """0 below `low`, 1 above `high`, a soft step between them."""
    if high <= low:
        return np.where(x >= high, 1.0, 0.0)
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def gradient_noise(x: F64, y: F64, seed: int, period: tuple[int, int] | None = None) -> F64:
    """One octave of gradient noise, about -1..1.

    x, y   : equal shapes, lattice units
    period : lattice points after which it repeats on x and y; None never
    """
    fx, fy = np.floor(x), np.floor(y)
    ix, iy = fx.astype(np.int64), fy.astype(np.int64)
    dx, dy = x - fx, y - fy
    corners = []
    for oy in (0, 1):
        for ox in (0, 1):
            cx, cy = ix + ox, iy + oy
            if period is not None:
                cx, cy = cx % period[0], cy % period[1]
            g = GRADIENTS[(lattice_hash(cx, cy, seed) >> np.uint32(28)).astype(np.intp)]
            corners.append(g[..., 0] * (dx - ox) + g[..., 1] * (dy - oy))
    sx, sy = smooth(dx), smooth(dy)
    low = corners[0] + (corners[1] - corners[0]) * sx
    high = corners[2] + (corners[3] - corners[2]) * sx
    result: F64 = (low + (high - low) * sy) * GRADIENT_SCALE
    return result


def fractal_noise(
    x: F64,
    y: F64,
    seed: int,
    *,
    octaves: int = 4,
    gain: float = 0.5,
    ridged: bool = False,
    period: tuple[int, int] | None = None,
) -> F64:
    """Octaves of gradient noise, each twice as fine; about -1..1 (ridged: 0..1)."""
    total = np.zeros_like(x)
    amplitude, weight = 1.0, 0.0
    for octave in range(octaves):
        wrap = None if period is None else (period[0] << octave, period[1] << octave)
        factor = float(1 << octave)
        value = gradient_noise(x * factor, y * factor, seed + octave * 101, wrap)
        total += amplitude * (1.0 - np.abs(value) if ridged else value)
        weight += amplitude
        amplitude *= gain
    result: F64 = total / weight
    return result


def cellular(
    x: F64, y: F64, seed: int, *, period: tuple[int, int], jitter: float = 0.7
) -> tuple[F64, F64, F64, F64]:
    """Distances to the two nearest of one jittered point a lattice cell.

    Returns (nearest, second nearest, number in 0..1 of the nearest's cell, distance to the border
    between the two). Up to a jitter of 0.7 the eight neighbours are enough.
    """
    ix, iy = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    far = np.full_like(x, 1e9)
    first, second, owner = far.copy(), far.copy(), np.zeros_like(x)
    px1, py1, px2, py2 = far.copy(), far.copy(), far.copy(), far.copy()
    reach = (-1, 0, 1) if jitter <= 0.7 else (-2, -1, 0, 1, 2)
    for oy in reach:
        for ox in reach:
            cx, cy = ix + ox, iy + oy
            wx, wy = cx % period[0], cy % period[1]
            px = cx + 0.5 + (lattice_unit(wx, wy, seed) - 0.5) * jitter - x
            py = cy + 0.5 + (lattice_unit(wx, wy, seed + 1) - 0.5) * jitter - y
            d = px * px + py * py
            nearer = d < first
            middle = ~nearer & (d < second)
            second = np.where(nearer, first, np.where(middle, d, second))
            px2 = np.where(nearer, px1, np.where(middle, px, px2))
            py2 = np.where(nearer, py1, np.where(middle, py, py2))
            first = np.where(nearer, d, first)
            px1, py1 = np.where(nearer, px, px1), np.where(nearer, py, py1)
            owner = np.where(nearer, lattice_unit(wx, wy, seed + 2), owner)
    first, second = np.sqrt(first), np.sqrt(second)
    gx, gy = px2 - px1, py2 - py1
    gap = np.sqrt(gx * gx + gy * gy)
    border = ((px1 + px2) * 0.5 * gx + (py1 + py2) * 0.5 * gy) / np.maximum(gap, 1e-9)
    return first, second, owner, np.abs(border)

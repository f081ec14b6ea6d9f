"""Trigonometry that gives the same bits on every machine.

Only + - * / and square roots of float64 are used (all of them exactly rounded by IEEE 754), so a
bake or a transcript does not depend on the C library. Each function has a scalar form, which numba
compiles as it stands, and an array form of the same steps, hence of the same bits.

Errors stay near 1e-16 relative for arguments a game meets (angles up to some 1e6 radians).
"""

# contract: T8
from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from acclient_py.core import F64, Bool

PI: Final = 3.141592653589793
TWO_PI: Final = 6.283185307179586
HALF_PI: Final = 1.5707963267948966
RAD_PER_DEG: Final = 0.017453292519943295
DEG_PER_RAD: Final = 57.29577951308232

# pi / 2 in three pieces; the first two have 33 bits, so a multiple below 2^20 is exact
_HALF_PI_1: Final = float.fromhex("0x1.921fb544p+0")
_HALF_PI_2: Final = float.fromhex("0x1.0b4611a6p-34")
_HALF_PI_3: Final = float.fromhex("0x1.3198a2e037073p-69")
_PI_TAIL: Final = float.fromhex("0x1.1a62633145c07p-53")
_HALF_PI_TAIL: Final = float.fromhex("0x1.1a62633145c07p-54")
_TWO_OVER_PI: Final = 0.6366197723675814
_LN2_1: Final = float.fromhex("0x1.62e42fefp-1")
_LN2_2: Final = float.fromhex("0x1.473de6af278edp-34")
_ONE_OVER_LN2: Final = 1.4426950408889634
_SQRT_HALF: Final = 0.7071067811865476

# Taylor coefficients, highest power first
_SIN: Final = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(9, 0, -1))
_COS: Final = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(9, 0, -1))
_ATAN: Final = tuple((-1.0) ** k / (2 * k + 1) for k in range(11, 0, -1))
_LOG: Final = tuple(1.0 / (2 * k + 1) for k in range(11, 0, -1))
_EXP: Final = tuple(1.0 / math.factorial(k) for k in range(15, 1, -1))

# atan of 0, 1/4, 1/2, 3/4 and 1: the nearest double and what it lacks
_ATAN_AT: Final = (
    0.0,
    float.fromhex("0x1.f5b75f92c80ddp-3"),
    float.fromhex("0x1.dac670561bb4fp-2"),
    float.fromhex("0x1.4978fa3269ee1p-1"),
    float.fromhex("0x1.921fb54442d18p-1"),
)
_ATAN_TAIL: Final = (
    0.0,
    float.fromhex("0x1.8ab6e3cf7afbdp-57"),
    float.fromhex("0x1.a2b7f222f65e2p-56"),
    float.fromhex("0x1.2419a87f2a458p-56"),
    float.fromhex("0x1.1a62633145c07p-55"),
)


def _horner(z: Any, coefficients: tuple[float, ...]) -> Any:
    """c0 z^n + ... + cn, for a scalar or an array."""
    total = z * 0.0
    for coefficient in coefficients:
        total = total * z + coefficient
    return total


def _sin_cos(x: float) -> tuple[float, float]:
    """Sine and cosine of one angle."""
    n = math.floor(x * _TWO_OVER_PI + 0.5)
    high = (x - n * _HALF_PI_1) - n * _HALF_PI_2
    low = n * _HALF_PI_3
    r = high - low
    tail = (high - r) - low
    z = r * r
    s = r + (r * z * _horner(z, _SIN) + tail * (1.0 - 0.5 * z))
    c = 1.0 + (z * _horner(z, _COS) - tail * r)
    q = int(n) & 3
    if q == 0:
        return s, c
    if q == 1:
        return c, -s
    if q == 2:
        return -s, -c
    return -c, s


def sin(x: float) -> float:
    """Sine of an angle in radians; NaN of what is not finite."""
    if x - x != 0.0:
        return math.nan
    return _sin_cos(x)[0]


def cos(x: float) -> float:
    """Cosine of an angle in radians; NaN of what is not finite."""
    if x - x != 0.0:
        return math.nan
    return _sin_cos(x)[1]


def sin_cos_array(x: F64) -> tuple[F64, F64]:
    """Sines and cosines of an array of finite angles, the bits of `sin` and `cos`."""
    n = np.floor(x * _TWO_OVER_PI + 0.5)
    high = (x - n * _HALF_PI_1) - n * _HALF_PI_2
    low = n * _HALF_PI_3
    r = high - low
    tail = (high - r) - low
    z = r * r
    s = r + (r * z * _horner(z, _SIN) + tail * (1.0 - 0.5 * z))
    c = 1.0 + (z * _horner(z, _COS) - tail * r)
    q = n.astype(np.int64) & 3
    sines: F64 = np.choose(q, (s, c, -s, -c))
    cosines: F64 = np.choose(q, (c, -s, -c, s))
    return sines, cosines


def _atan_unit(t: float) -> float:
    """Arc tangent of 0 <= t <= 1."""
    k = int(math.floor(t * 4.0 + 0.5))
    c = k * 0.25
    u = (t - c) / (1.0 + t * c)
    z = u * u
    tail: float = u * z * _horner(z, _ATAN) + _ATAN_TAIL[k]
    return _ATAN_AT[k] + (u + tail)


def atan2(y: float, x: float) -> float:
    """Angle of (x, y) in -pi..pi; 0 for (0, 0) whatever the signs, NaN if one is NaN."""
    if x != x or y != y:
        return math.nan
    ax = abs(x)
    ay = abs(y)
    if ax == 0.0 and ay == 0.0:
        return 0.0
    if ax - ax != 0.0 or ay - ay != 0.0:
        ax = 1.0 if ax - ax != 0.0 else 0.0
        ay = 1.0 if ay - ay != 0.0 else 0.0
    angle = 0.0
    if ay <= ax:
        angle = _atan_unit(ay / ax)
    else:
        angle = HALF_PI - (_atan_unit(ax / ay) - _HALF_PI_TAIL)
    if x < 0.0:
        angle = PI - (angle - _PI_TAIL)
    if y < 0.0:
        angle = -angle
    return angle


def atan2_array(y: F64, x: F64) -> F64:
    """Angles of finite points, the bits of `atan2`."""
    ax = np.abs(x)
    ay = np.abs(y)
    steep: Bool = ay > ax
    large = np.where(steep, ay, ax)
    none: Bool = large == 0.0
    t = np.where(steep, ax, ay) / np.where(none, 1.0, large)
    k = np.floor(t * 4.0 + 0.5).astype(np.int64)
    c = k * 0.25
    u = (t - c) / (1.0 + t * c)
    z = u * u
    series = u + (u * z * _horner(z, _ATAN) + np.array(_ATAN_TAIL)[k])
    angle = np.array(_ATAN_AT)[k] + series
    angle = np.where(steep, HALF_PI - (angle - _HALF_PI_TAIL), angle)
    angle = np.where(x < 0.0, PI - (angle - _PI_TAIL), angle)
    angle = np.where(y < 0.0, -angle, angle)
    result: F64 = np.where(none, 0.0, angle)
    return result


def asin(x: float) -> float:
    """Arc sine; NaN outside -1..1."""
    if not -1.0 <= x <= 1.0:
        return math.nan
    return atan2(x, math.sqrt((1.0 - x) * (1.0 + x)))


def acos(x: float) -> float:
    """Arc cosine; NaN outside -1..1."""
    if not -1.0 <= x <= 1.0:
        return math.nan
    return atan2(math.sqrt((1.0 - x) * (1.0 + x)), x)


def fmod(x: float, y: float) -> float:
    """Remainder with the sign of x. IEEE 754 makes it exact, so every C library agrees."""
    if x - x != 0.0 or y == 0.0 or y != y:
        return math.nan
    rest = abs(x) % abs(y)
    return -rest if x < 0.0 else rest


def log(x: float) -> float:
    """Natural logarithm of a positive finite number; NaN of anything else."""
    if not x > 0.0 or x - x != 0.0:
        return math.nan
    mantissa, exponent = math.frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa = mantissa * 2.0
        exponent = exponent - 1
    s = (mantissa - 1.0) / (mantissa + 1.0)
    z = s * s
    series: float = 2.0 * s + (2.0 * s * z * _horner(z, _LOG) + exponent * _LN2_2)
    return exponent * _LN2_1 + series


def exp(x: float) -> float:
    """Exponential; 0 far below and infinity far above the range of float64."""
    if x != x:
        return math.nan
    if x > 710.0:
        return math.inf
    if x < -745.5:
        return 0.0
    n = math.floor(x * _ONE_OVER_LN2 + 0.5)
    r = (x - n * _LN2_1) - n * _LN2_2
    return math.ldexp(1.0 + (r + r * r * _horner(r, _EXP)), int(n))


def power(base: float, exponent: float) -> float:
    """base ^ exponent for a positive base; 1 for exponent 0, NaN for other bases."""
    if exponent == 0.0:
        return 1.0
    if not base > 0.0:
        return math.nan
    return exp(exponent * log(base))

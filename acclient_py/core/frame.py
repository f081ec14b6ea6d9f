"""Frames: an origin and a unit quaternion, as seven float32 numbers `x y z qw qx qy qz`.

The functions take and fill (7,) float32 arrays and compile under numba as they stand; every step is
rounded to float32, as retail's was. `q` is w, x, y, z. Local +y is forward. `Frame` is the same for
records, where the bits of a file have to survive.
"""

from __future__ import annotations

import struct
from typing import Final, Self

import numpy as np
from msgspec import Struct

from acclient_py.core import F32, Real
from acclient_py.core.geom import F_EPSILON
from acclient_py.core.ids import get_block_offset
from acclient_py.core.trig import DEG_PER_RAD, RAD_PER_DEG, acos, asin, atan2, cos, fmod, sin

_ZERO: Final = np.float32(0.0)
_ONE: Final = np.float32(1.0)
_TWO: Final = np.float32(2.0)


class Frame(Struct, frozen=True):
    """A frame of a record: its numbers are the float32 values of the file, as Python floats."""

    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """w, x, y, z"""

    def array(self) -> F32:
        """The seven numbers, new and writeable."""
        return np.array((*self.origin, *self.rotation), np.float32)

    @classmethod
    def of(cls, frame: F32) -> Self:
        """The record form of seven numbers."""
        x, y, z, qw, qx, qy, qz = (float(v) for v in frame)
        return cls((x, y, z), (qw, qx, qy, qz))

    def bytes(self) -> bytes:
        """The 28 bytes of the file."""
        return struct.pack("<7f", *self.origin, *self.rotation)


def identity() -> F32:
    """A frame at the origin that looks north."""
    return np.array((0, 0, 0, 1, 0, 0, 0), np.float32)


def make(x: Real, y: Real, z: Real, heading_deg: float = 0.0) -> F32:
    """A frame at a place, turned to a compass heading."""
    frame = np.array((x, y, z, 1, 0, 0, 0), np.float32)
    if heading_deg != 0.0:
        set_heading(frame, heading_deg)
    return frame


def rotate_by(
    qw: np.float32, qx: np.float32, qy: np.float32, qz: np.float32,
    x: np.float32, y: np.float32, z: np.float32,
) -> tuple[np.float32, np.float32, np.float32]:  # fmt: skip
    """A vector turned by a unit quaternion, through the matrix that retail caches."""
    xx = qx * qx
    yy = qy * qy
    zz = qz * qz
    xy = qx * qy
    xz = qx * qz
    yz = qy * qz
    wx = qw * qx
    wy = qw * qy
    wz = qw * qz
    rx = (_ONE - _TWO * (yy + zz)) * x + _TWO * (xy - wz) * y + _TWO * (xz + wy) * z
    ry = _TWO * (xy + wz) * x + (_ONE - _TWO * (xx + zz)) * y + _TWO * (yz - wx) * z
    rz = _TWO * (xz - wy) * x + _TWO * (yz + wx) * y + (_ONE - _TWO * (xx + yy)) * z
    return rx, ry, rz


def normalise(frame: F32) -> None:
    """Make the rotation a unit quaternion; a zero one stays zero."""
    total = frame[3] * frame[3] + frame[4] * frame[4] + frame[5] * frame[5] + frame[6] * frame[6]
    if total > _ZERO:
        scale = _ONE / np.sqrt(total)
        frame[3] = frame[3] * scale
        frame[4] = frame[4] * scale
        frame[5] = frame[5] * scale
        frame[6] = frame[6] * scale


def set_rotation(frame: F32, qw: Real, qx: Real, qy: Real, qz: Real) -> None:
    """Set and normalise the rotation. Retail: Frame::set_rotate."""
    frame[3] = np.float32(qw)
    frame[4] = np.float32(qx)
    frame[5] = np.float32(qy)
    frame[6] = np.float32(qz)
    normalise(frame)


def multiply_rotation(a: F32, b: F32, out: F32) -> None:
    """out's rotation = a's times b's (b first, then a), normalised. out may be a or b."""
    aw = a[3]
    ax = a[4]
    ay = a[5]
    az = a[6]
    bw = b[3]
    bx = b[4]
    by = b[5]
    bz = b[6]
    out[3] = aw * bw - ax * bx - ay * by - az * bz
    out[4] = aw * bx + ax * bw + ay * bz - az * by
    out[5] = aw * by + ay * bw + az * bx - ax * bz
    out[6] = aw * bz + az * bw + ax * by - ay * bx
    normalise(out)


def combine(a: F32, b: F32, sx: Real, sy: Real, sz: Real, out: F32) -> None:
    """out = b seen from outside a, b's origin scaled: R(a)(s b.origin) + a.origin, a.q b.q.

    out may be a or b. Retail: Frame::combine (spec physics-membership 6.2).
    """
    x, y, z = rotate_by(
        a[3], a[4], a[5], a[6],
        np.float32(sx) * b[0], np.float32(sy) * b[1], np.float32(sz) * b[2],
    )  # fmt: skip
    ox = x + a[0]
    oy = y + a[1]
    oz = z + a[2]
    multiply_rotation(a, b, out)
    out[0] = ox
    out[1] = oy
    out[2] = oz


def subtract1(a: F32, b: F32, out: F32) -> None:
    """out = the frame that combined with b gives a: a.q conj(b.q), a.origin - R(q) b.origin.

    out may be a or b. Retail: Frame::subtract1 @0x00535520.
    """
    ax = a[0]
    ay = a[1]
    az = a[2]
    bx = b[0]
    by = b[1]
    bz = b[2]
    aw = a[3]
    ai = a[4]
    aj = a[5]
    ak = a[6]
    bw = b[3]
    bi = -b[4]
    bj = -b[5]
    bk = -b[6]
    out[3] = aw * bw - ai * bi - aj * bj - ak * bk
    out[4] = aw * bi + ai * bw + aj * bk - ak * bj
    out[5] = aw * bj + aj * bw + ak * bi - ai * bk
    out[6] = aw * bk + ak * bw + ai * bj - aj * bi
    normalise(out)
    x, y, z = rotate_by(out[3], out[4], out[5], out[6], bx, by, bz)
    out[0] = ax - x
    out[1] = ay - y
    out[2] = az - z


def local_to_global_vec(
    frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A direction out of a frame."""
    return rotate_by(
        frame[3], frame[4], frame[5], frame[6], np.float32(x), np.float32(y), np.float32(z)
    )


def global_to_local_vec(
    frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A direction into a frame."""
    return rotate_by(
        frame[3], -frame[4], -frame[5], -frame[6], np.float32(x), np.float32(y), np.float32(z)
    )


def local_to_global(
    frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A point out of a frame."""
    rx, ry, rz = local_to_global_vec(frame, x, y, z)
    return rx + frame[0], ry + frame[1], rz + frame[2]


def global_to_local(
    frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A point into a frame."""
    return global_to_local_vec(
        frame, np.float32(x) - frame[0], np.float32(y) - frame[1], np.float32(z) - frame[2]
    )


def get_vector_heading(frame: F32) -> tuple[np.float32, np.float32, np.float32]:
    """The forward direction (local +y) of a frame."""
    return local_to_global_vec(frame, _ZERO, _ONE, _ZERO)


def vector_heading_deg(x: Real, y: Real) -> np.float32:
    """The compass heading of a direction, 0 north, 90 east."""
    return np.float32(fmod(450.0 - atan2(np.float64(y), np.float64(x)) * DEG_PER_RAD, 360.0))


def get_heading(frame: F32) -> np.float32:
    """The compass heading of a frame in degrees, 0 to 360."""
    x, y, _ = get_vector_heading(frame)
    return vector_heading_deg(x, y)


def set_euler(frame: F32, pitch: Real, yaw: Real) -> None:
    """Set the rotation: pitch about x, then yaw about z, both in radians."""
    sp = np.float32(sin(np.float64(pitch) * 0.5))
    cp = np.float32(cos(np.float64(pitch) * 0.5))
    sy = np.float32(sin(np.float64(yaw) * 0.5))
    cy = np.float32(cos(np.float64(yaw) * 0.5))
    set_rotation(frame, cy * cp, cy * sp, sy * sp, sy * cp)


def set_vector_heading(frame: F32, x: Real, y: Real, z: Real) -> None:
    """Turn a frame to look along a direction; one shorter than EPS leaves it as it is.

    Retail: Frame::set_vector_heading @0x00535DB0.
    """
    vx = np.float32(x)
    vy = np.float32(y)
    vz = np.float32(z)
    length = np.sqrt(vx * vx + vy * vy + vz * vz)
    if not length >= F_EPSILON:
        return
    up = min(max(np.float64(vz / length), -1.0), 1.0)
    yaw = -fmod(
        450.0 - atan2(np.float64(vy / length), np.float64(vx / length)) * DEG_PER_RAD, 360.0
    )
    set_euler(frame, asin(up), yaw * RAD_PER_DEG)


def set_heading(frame: F32, heading_deg: Real) -> None:
    """Turn a frame to a compass heading; the steepness of its forward direction is kept.

    Retail: Frame::set_heading (spec landscape 5.4).
    """
    _, _, z = get_vector_heading(frame)
    angle = np.float64(heading_deg) * RAD_PER_DEG
    set_vector_heading(frame, sin(angle), cos(angle), z)


def rotate_about_global_axis(frame: F32, x: Real, y: Real, z: Real, angle: Real) -> None:
    """Turn a frame about a unit axis of the outer space by an angle in radians."""
    s = np.float32(sin(np.float64(angle) * 0.5))
    w = np.float32(cos(np.float64(angle) * 0.5))
    i = np.float32(x) * s
    j = np.float32(y) * s
    k = np.float32(z) * s
    bw = frame[3]
    bi = frame[4]
    bj = frame[5]
    bk = frame[6]
    frame[3] = w * bw - i * bi - j * bj - k * bk
    frame[4] = w * bi + i * bw + j * bk - k * bj
    frame[5] = w * bj + j * bw + k * bi - i * bk
    frame[6] = w * bk + k * bw + i * bj - j * bi
    normalise(frame)


def interpolate_rotation(a: F32, b: F32, t: Real, out: F32) -> None:
    """out's rotation = between a's (t 0) and b's (t 1) on the shorter arc, normalised.

    Linear weights when the two agree within EPS. out's origin is not touched; out may be a or b.
    Retail: Frame::interpolate_rotation (spec physics-membership 6.2).
    """
    aw = a[3]
    ax = a[4]
    ay = a[5]
    az = a[6]
    bw = b[3]
    bx = b[4]
    by = b[5]
    bz = b[6]
    cosine = aw * bw + ax * bx + ay * by + az * bz
    if cosine < _ZERO:
        cosine = -cosine
        bw = -bw
        bx = -bx
        by = -by
        bz = -bz
    weight_b: float = np.float64(t)
    weight_a: float = 1.0 - weight_b
    if _ONE - cosine > F_EPSILON:
        angle = acos(min(np.float64(cosine), 1.0))
        over = 1.0 / sin(angle)
        weight_a = sin(weight_a * angle) * over
        weight_b = sin(weight_b * angle) * over
    wa = np.float32(weight_a)
    wb = np.float32(weight_b)
    set_rotation(out, wa * aw + wb * bw, wa * ax + wb * bx, wa * ay + wb * by, wa * az + wb * bz)


def get_offset(
    from_id: int, from_frame: F32, to_id: int, to_frame: F32
) -> tuple[np.float32, np.float32, np.float32]:
    """Metres from one position's origin to another's, over block borders."""
    dx, dy = get_block_offset(from_id, to_id)
    return (
        dx + to_frame[0] - from_frame[0],
        dy + to_frame[1] - from_frame[1],
        to_frame[2] - from_frame[2],
    )


def get_distance(from_id: int, from_frame: F32, to_id: int, to_frame: F32) -> np.float32:
    """Metres between two positions' origins, over block borders."""
    x, y, z = get_offset(from_id, from_frame, to_id, to_frame)
    return np.float32(np.sqrt(x * x + y * y + z * z))


def point_to_block(
    to_id: int, from_id: int, frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A point of a frame in `from_id`'s block, in the coordinates of `to_id`'s block.

    Retail: Position::localtoglobal with another position.
    """
    gx, gy, gz = local_to_global(frame, x, y, z)
    dx, dy = get_block_offset(to_id, from_id)
    return gx + dx, gy + dy, gz


def point_to_frame(
    to_id: int, to_frame: F32, from_id: int, frame: F32, x: Real, y: Real, z: Real
) -> tuple[np.float32, np.float32, np.float32]:
    """A point of a frame in `from_id`'s block, in the coordinates of a frame in `to_id`'s block.

    Retail: Position::localtolocal.
    """
    bx, by, bz = point_to_block(to_id, from_id, frame, x, y, z)
    return global_to_local(to_frame, bx, by, bz)


def to_matrix(frame: F32, out: F32) -> None:
    """Write the 4 x 4 matrix of a frame: row vectors, translation in row 3 (float32)."""
    for row in range(3):
        x, y, z = local_to_global_vec(
            frame,
            _ONE if row == 0 else _ZERO,
            _ONE if row == 1 else _ZERO,
            _ONE if row == 2 else _ZERO,
        )
        out[row, 0] = x
        out[row, 1] = y
        out[row, 2] = z
        out[row, 3] = _ZERO
    out[3, 0] = frame[0]
    out[3, 1] = frame[1]
    out[3, 2] = frame[2]
    out[3, 3] = _ONE


def is_valid(frame: F32) -> bool:
    """Whether origin and rotation are finite and the rotation is a unit quaternion within 5 EPS."""
    for i in range(7):
        if not abs(frame[i]) < np.float32(3.0e38):
            return False
    total = frame[3] * frame[3] + frame[4] * frame[4] + frame[5] * frame[5] + frame[6] * frame[6]
    return bool(abs(total - _ONE) < np.float32(0.001))

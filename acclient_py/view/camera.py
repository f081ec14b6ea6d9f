"""The eye: where it stands, where it looks, and the matrices and planes that follow.

A pose is taken once a frame; everything of that frame is made from it. Space is that of the
camera's landblock: origin at its south-west corner, metres, z up. Matrices are for row vectors,
translation in row 3, float32, with GL's clip range.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, Self, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from pyrr import matrix44

from acclient_py.core import F32, F64
from acclient_py.core.frame import local_to_global_vec

GAME_FOV: Final = 1.5708  # radians, retail's default of 90 degrees
NEAR: Final = 0.1
FAR: Final = 4000.0
SKY_FAR_FACTOR: Final = 4.0
PLANES: Final = 32  # a view's near plane and at most 31 edges
_EPS: Final = 0.0002
_UP: Final = (0.0, 0.0, 1.0)
_POLE: Final = 1.55  # radians; the free camera never looks straight up or down


class Pose(Struct, frozen=True):
    """One frame's eye.

    cell_id : the cell that the eye is in; its block is the space of everything drawn
    eye     : block-local origin
    yaw     : compass heading, radians, 0 north, clockwise from above
    pitch   : radians, up positive
    fov     : retail's gameFOV, radians
    """

    cell_id: int
    eye: tuple[float, float, float]
    yaw: float = 0.0
    pitch: float = 0.0
    fov: float = GAME_FOV

    @property
    def block_x(self) -> int:
        return self.cell_id >> 24 & 0xFF

    @property
    def block_y(self) -> int:
        return self.cell_id >> 16 & 0xFF

    def forward(self) -> F32:
        """(3,) float32, unit."""
        level = math.cos(self.pitch)
        return np.array(
            (
                math.sin(self.yaw) * level,
                math.cos(self.yaw) * level,
                math.sin(self.pitch),
            ),
            np.float32,
        )

    @classmethod
    def looking_at(
        cls,
        cell_id: int,
        eye: tuple[float, float, float],
        target: tuple[float, float, float],
        *,
        fov: float = GAME_FOV,
    ) -> Self:
        """A pose whose middle is `target`, given in the space of the eye's block."""
        x, y, z = (b - a for a, b in zip(eye, target, strict=True))
        flat = math.hypot(x, y)
        if flat < _EPS and abs(z) < _EPS:
            return cls(cell_id, eye, fov=fov)
        pitch = max(-_POLE, min(_POLE, math.atan2(z, flat)))
        return cls(cell_id, eye, math.atan2(x, y), pitch, fov)


class Lens(Struct, frozen=True, eq=False):
    """The matrices and the default view of one pose and picture size.

    world_to_clip, sky_to_clip : (4, 4) float32; the sky's has its own far plane
    planes                     : (32, 4) float32, `plane_count` in use: near, then one an edge
    basis                      : (3, 3) float64: ahead, right at the picture's edge, up at its edge
    """

    pose: Pose
    size: tuple[int, int]
    world_to_clip: F32
    sky_to_clip: F32
    eye: F32
    planes: F32
    plane_count: int
    basis: F64


def fov_y(fov: float, aspect: float) -> float:
    """The vertical opening, radians, as retail derives it from the width of the picture."""
    return fov / max(aspect - 0.1, 0.3)


Projection = tuple[float, float, float, float, float]


@lru_cache(maxsize=8)
def _projections(opening: float, aspect: float) -> tuple[Projection, Projection]:
    """View space to clip space, for the world and for the sky: what is not zero of the matrices."""
    degrees = math.degrees(opening)
    near_to_far = [
        matrix44.create_perspective_projection(degrees, aspect, NEAR, far)
        for far in (FAR, FAR * SKY_FAR_FACTOR)
    ]
    world, sky = (
        tuple(float(m[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (2, 3), (3, 2)))
        for m in near_to_far
    )
    return cast(Projection, world), cast(Projection, sky)


Vec = tuple[float, float, float]


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _along(a: Vec, b: Vec, x: float, c: Vec, y: float) -> Vec:
    """a + x b + y c."""
    return (a[0] + x * b[0] + y * c[0], a[1] + x * b[1] + y * c[1], a[2] + x * b[2] + y * c[2])


def _unit(a: Vec) -> Vec:
    length = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    return a[0] / length, a[1] / length, a[2] / length


def _dot(a: Vec, b: Vec) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _world_to_view(eye: Vec, ahead: Vec) -> list[tuple[float, float, float, float]]:
    """Rows of the matrix that looks from the eye along `ahead`, z up.

    Sums in a fixed order: a transcript sees what comes of it, and no two BLAS agree (T8).
    """
    # contract: T8
    x, y, z = (at + step for at, step in zip(eye, ahead, strict=True))
    forward = _unit((x - eye[0], y - eye[1], z - eye[2]))
    side = _unit(_cross(forward, _UP))
    above = _unit(_cross(side, forward))
    rows = [(side[i], above[i], -forward[i], 0.0) for i in range(3)]
    return [*rows, (-_dot(side, eye), -_dot(above, eye), _dot(forward, eye), 1.0)]


def _to_clip(rows: list[tuple[float, float, float, float]], projection: Projection) -> F32:
    """(4, 4) float32: rows of a matrix to view space, times a projection."""
    a, b, c, d, e = projection
    return np.array([(x * a, y * b, z * c + w * e, z * d) for x, y, z, w in rows], np.float32)


def lens(pose: Pose, size: tuple[int, int]) -> Lens:
    """Everything that a frame needs of its eye. size : (width, height) in pixels"""
    width, height = size
    aspect = width / max(height, 1)
    opening = fov_y(pose.fov, aspect)
    level = math.cos(pose.pitch)
    ahead = (math.sin(pose.yaw) * level, math.cos(pose.yaw) * level, math.sin(pose.pitch))
    right = (math.cos(pose.yaw), -math.sin(pose.yaw), 0.0)
    above = _cross(right, ahead)
    world_to_view = _world_to_view(pose.eye, ahead)
    to_clip, far_clip = _projections(opening, aspect)
    tall = math.tan(opening / 2)
    wide = tall * aspect
    corners = ((-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall))
    planes, count = view_planes(
        pose.eye, ahead, [_along(ahead, right, x, above, y) for x, y in corners]
    )
    basis = np.array((ahead, [v * wide for v in right], [v * tall for v in above]), np.float64)
    return Lens(
        pose,
        size,
        _to_clip(world_to_view, to_clip),
        _to_clip(world_to_view, far_clip),
        np.array(pose.eye, np.float32),
        planes,
        count,
        basis,
    )


def view_planes(eye: Vec, ahead: Vec, rays: list[Vec]) -> tuple[F32, int]:
    """The planes of a view polygon seen from the eye: near, then N = ray(i+1) x ray(i).

    Retail: Render::copy_view @0x0054DFC0.
    """
    rows = [(*ahead, -sum(a * b for a, b in zip(eye, ahead, strict=True)) - NEAR)]
    for i, ray in enumerate(rays):
        x, y, z = _cross(rays[(i + 1) % len(rays)], ray)
        if abs(x) < _EPS and abs(y) < _EPS and abs(z) < _EPS:
            continue
        length = math.sqrt(x * x + y * y + z * z)
        x, y, z = x / length, y / length, z / length
        rows.append((x, y, z, -(eye[0] * x + eye[1] * y + eye[2] * z)))
    planes = np.zeros((PLANES, 4), np.float32)
    planes[: len(rows)] = rows
    return planes, len(rows)


class FollowCamera(Struct):
    """Third person: behind and above a body, looking at its head.

    distance : metres from the head to the eye
    yaw      : radians added to the body's heading
    pitch    : radians that the camera looks down (negative)
    """

    distance: float = 5.0
    yaw: float = 0.0
    pitch: float = -0.25
    head: float = 1.6

    def look(self, frame: F32) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """(eye, target) in the space of the body's frame, (7,) float32."""
        yaw = heading(frame) + self.yaw
        target = (float(frame[0]), float(frame[1]), float(frame[2]) + self.head)
        level = math.cos(self.pitch) * self.distance
        eye = (
            target[0] - math.sin(yaw) * level,
            target[1] - math.cos(yaw) * level,
            target[2] - math.sin(self.pitch) * self.distance,
        )
        return eye, target

    def pose(self, frame: F32, cell_id: int, at: tuple[float, float, float]) -> Pose:
        """The view from where the eye came to, on the line to the head or in the head itself."""
        return Pose(cell_id, at, heading(frame) + self.yaw, max(-_POLE, min(_POLE, self.pitch)))


def heading(frame: F32) -> float:
    """Where a frame's +y points, radians clockwise from north."""
    x, y, _ = local_to_global_vec(frame, np.float32(0.0), np.float32(1.0), np.float32(0.0))
    return math.atan2(float(x), float(y))


class FreeCamera(Struct):
    """An eye that flies."""

    pose: Pose

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn by radians, clockwise and up."""
        self.pose = replace(
            self.pose,
            yaw=(self.pose.yaw + yaw) % (2 * math.pi),
            pitch=max(-_POLE, min(_POLE, self.pose.pitch + pitch)),
        )

    def move(self, ahead: float, right: float, up: float) -> None:
        """Move by metres along the view, to its right, and straight up."""
        f = self.pose.forward()
        side = (math.cos(self.pose.yaw), -math.sin(self.pose.yaw))
        x, y, z = self.pose.eye
        self.pose = replace(
            self.pose,
            eye=(
                x + float(f[0]) * ahead + side[0] * right,
                y + float(f[1]) * ahead + side[1] * right,
                z + float(f[2]) * ahead + up,
            ),
        )

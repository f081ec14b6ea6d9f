"""The eye: where it stands, where it looks, and the matrices and planes that follow.

A pose is taken once a frame; everything of that frame is made from it. Space is that of the
camera's landblock: origin at its south-west corner, metres, z up. Matrices are for row vectors,
translation in row 3, float32, with GL's clip range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from pyrr import matrix44, vector

from acclient_py.core import F32, F64
from acclient_py.core.frame import local_to_global_vec

GAME_FOV: Final = 1.5708  # radians, retail's default of 90 degrees
NEAR: Final = 0.1
FAR: Final = 4000.0
SKY_FAR_FACTOR: Final = 4.0
PLANES: Final = 32  # a view's near plane and at most 31 edges
_EPS: Final = 0.0002
_POLE: Final = 1.55  # radians; the free camera never looks straight up or down


@dataclass(frozen=True, slots=True)
class Pose:
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


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
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


def lens(pose: Pose, size: tuple[int, int]) -> Lens:
    """Everything that a frame needs of its eye. size : (width, height) in pixels"""
    width, height = size
    aspect = width / max(height, 1)
    opening = fov_y(pose.fov, aspect)
    eye = np.array(pose.eye, np.float64)
    ahead = pose.forward().astype(np.float64)
    target = eye + ahead
    up = np.array((0.0, 0.0, 1.0))
    world_to_view = matrix44.create_look_at(eye, target, up)
    degrees = math.degrees(opening)
    to_clip = matrix44.create_perspective_projection(degrees, aspect, NEAR, FAR)
    far_clip = matrix44.create_perspective_projection(degrees, aspect, NEAR, FAR * SKY_FAR_FACTOR)
    tall = math.tan(opening / 2)
    wide = tall * aspect
    right = vector.normalise(np.cross(ahead, up))
    above = np.cross(right, ahead)
    corners = ((-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall))
    rays = [ahead + right * x + above * y for x, y in corners]
    planes, count = view_planes(eye, ahead, rays)
    return Lens(
        pose,
        size,
        matrix44.multiply(world_to_view, to_clip).astype(np.float32),
        matrix44.multiply(world_to_view, far_clip).astype(np.float32),
        eye.astype(np.float32),
        planes,
        count,
        np.stack((ahead, right * wide, above * tall)),
    )


def view_planes(eye: np.ndarray, ahead: np.ndarray, rays: list[np.ndarray]) -> tuple[F32, int]:
    """The planes of a view polygon seen from the eye: near, then N = ray(i+1) x ray(i).

    Retail: Render::copy_view @0x0054DFC0.
    """
    planes = np.zeros((PLANES, 4), np.float32)
    planes[0, :3] = ahead
    planes[0, 3] = -(eye * ahead).sum() - NEAR
    count = 1
    for i, ray in enumerate(rays):
        following = rays[(i + 1) % len(rays)]
        normal = np.cross(following, ray)
        if (np.abs(normal) < _EPS).all():
            continue
        normal /= math.sqrt(float((normal * normal).sum()))
        planes[count, :3] = normal
        planes[count, 3] = -(eye * normal).sum()
        count += 1
    return planes, count


@dataclass(slots=True)
class FollowCamera:
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
        x, y, z = local_to_global_vec(frame, np.float32(0.0), np.float32(1.0), np.float32(0.0))
        yaw = math.atan2(float(x), float(y)) + self.yaw
        target = (float(frame[0]), float(frame[1]), float(frame[2]) + self.head)
        level = math.cos(self.pitch) * self.distance
        eye = (
            target[0] - math.sin(yaw) * level,
            target[1] - math.cos(yaw) * level,
            target[2] - math.sin(self.pitch) * self.distance,
        )
        return eye, target

    def first_person(self, frame: F32, cell_id: int, at: tuple[float, float, float]) -> Pose:
        """The view from the head itself."""
        return Pose(cell_id, at, heading(frame) + self.yaw, self.pitch)


def heading(frame: F32) -> float:
    """Where a frame's +y points, radians clockwise from north."""
    x, y, _ = local_to_global_vec(frame, np.float32(0.0), np.float32(1.0), np.float32(0.0))
    return math.atan2(float(x), float(y))


@dataclass(slots=True)
class FreeCamera:
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

"""The eye: matrices, planes, pyrr's signs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyrr import matrix44

from acclient_py.core import frame as frames
from acclient_py.view.camera import FollowCamera, Pose, fov_y, lens

DATA = Path(__file__).resolve().parents[1] / "data" / "landscape_vectors.json"
CAMERAS: list[Any] = json.loads(DATA.read_text(encoding="utf-8"))["visibility"]["cameras"]


def project(point: tuple[float, float, float], pose: Pose, size: tuple[int, int]) -> Any:
    x, y, z, w = np.array((*point, 1.0), np.float32) @ lens(pose, size).world_to_clip
    return x / w, y / w, z / w, w


@pytest.mark.parametrize(("aspect", "degrees"), [(4 / 3, 73.0), (16 / 10, 60.0), (16 / 9, 53.6)])
def test_the_opening_follows_the_width(aspect: float, degrees: float) -> None:
    assert math.degrees(fov_y(1.5708, aspect)) == pytest.approx(degrees, abs=0.1)


def test_ahead_is_the_middle_and_right_is_right() -> None:
    for yaw, ahead, right in (
        (0.0, (0, 10, 0), (1, 10, 0)),
        (math.pi / 2, (10, 0, 0), (10, -1, 0)),
    ):
        pose = Pose(0x01010001, (0.0, 0.0, 0.0), yaw=yaw)
        x, y, _, w = project(ahead, pose, (320, 180))
        assert (x, y) == pytest.approx((0, 0), abs=1e-5)
        assert w == pytest.approx(10, abs=1e-4)
        assert project(right, pose, (320, 180))[0] > 0
    assert project((0, 10, 1), Pose(0x01010001, (0, 0, 0)), (320, 180))[1] > 0


def test_window_depth_is_that_of_retails_projection() -> None:
    pose = Pose(0x01010001, (0.0, 0.0, 0.0))
    near, far = 0.1, 4000.0
    for d in (1.0, 25.0, 400.0):
        z = project((0, d, 0), pose, (320, 180))[2] * 0.5 + 0.5
        assert z == pytest.approx(far / (far - near) * (1 - near / d), abs=1e-6)


@pytest.mark.contract("L2")
@pytest.mark.parametrize("camera", CAMERAS)
def test_planes_of_the_default_view(camera: dict[str, Any]) -> None:
    width, height = (int(n) for n in camera["aspect"].split(":"))
    aspect = width / height
    pose = Pose(
        0x01010001,
        tuple(camera["eye"]),
        yaw=math.radians(camera["heading"]),
        pitch=math.radians(camera["pitch"]),
        fov=math.radians(camera["fov_y_deg"]) * (aspect - 0.1),
    )
    made = lens(pose, (width * 100, height * 100))
    assert made.plane_count == len(camera["planes"])
    for got, wanted in zip(made.planes, camera["planes"], strict=False):
        assert got[:3] == pytest.approx(wanted["n"], abs=2e-6)
        assert got[3] == pytest.approx(wanted["d"], abs=2e-3)


def test_a_following_camera_is_behind_and_above() -> None:
    camera = FollowCamera(distance=5.0, pitch=-0.3, head=1.6)
    eye, head = camera.look(frames.make(100, 100, 20, 90))  # looks east
    assert head == pytest.approx((100, 100, 21.6), abs=1e-4)
    assert eye[0] < 96
    assert eye[1] == pytest.approx(100, abs=1e-3)
    assert eye[2] > 21.6


def test_looking_at_a_point_puts_it_in_the_middle() -> None:
    pose = Pose.looking_at(0x01010001, (10, 20, 30), (14, 11, 25))
    x, y, _, _ = project((14, 11, 25), pose, (320, 180))
    assert (x, y) == pytest.approx((0, 0), abs=1e-5)


def test_pyrrs_signs() -> None:
    """Row vectors, translation in row 3; its z rotation turns clockwise seen from above."""
    moved = matrix44.create_from_translation([1.0, 2.0, 3.0])
    assert moved[3, :3].tolist() == [1.0, 2.0, 3.0]
    turned = np.array([1.0, 0.0, 0.0, 1.0]) @ matrix44.create_from_z_rotation(math.pi / 2)
    assert turned[1] == pytest.approx(-1.0, abs=1e-9)

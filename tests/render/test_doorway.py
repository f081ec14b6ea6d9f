"""The eye through a doorway, step by step: no flash, and one branch on each side (case POR-03)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from acclient_py.view.camera import Pose
from acclient_py.view.eye import SweptEye

STEPS = 400
STEP = 0.002  # metres
HEAD = (84.0, 82.0, 21.4)  # in the hut; its door is to the south


@pytest.mark.slow
@pytest.mark.parametrize("yaw", [0.0, math.pi])
def test_no_flash_as_the_eye_goes_through_a_doorway(
    place: Callable[[str], Any], renderer_of: Callable[..., Any], yaw: float
) -> None:
    """Looking in and looking out.

    Sabotage: take the head's cell for the eye's; out of doors the picture is that of the room.
    """
    hut = place("hut")
    renderer = renderer_of(hut, size=(160, 90))
    sweep = SweptEye(hut.physics)
    cells: list[int] = []
    worst, before = 0.0, None
    for step in range(STEPS):
        y = 81.5 - STEP * step
        cell, eye = sweep.place(0x7F7F0100, HEAD, (HEAD[0], y, HEAD[2]))
        renderer.draw(hut.maker.scene(), Pose(cell, eye, yaw))
        picture = renderer.read().astype(np.int16)
        colours = len(np.unique(picture.reshape(-1, 3), axis=0))
        assert colours > 20, f"an empty picture at y {eye[1]:.3f} in {cell:08X}"
        if before is not None:
            worst = max(worst, float(np.abs(picture - before).mean()))
        before = picture
        if cells[-1:] != [cell]:
            cells.append(cell)
    assert cells == [0x7F7F0100, 0x7F7F001C]
    assert worst < 4.0, "of 255, the mean change of a picture in 2 mm"

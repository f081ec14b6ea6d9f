"""The camera comes after the body as retail's does: by ticks, and the hands are never late."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from builders.hosts import BODY, PLAYER, Story, story

from acclient_py.core import F32
from acclient_py.core.frame import make
from acclient_py.core.ids import get_block_offset
from acclient_py.render.scene import SceneMaker
from acclient_py.view.camera import Pose
from acclient_py.viewer.lag import Lag
from acclient_py.viewer.rig import CameraRig
from acclient_py.viewer.stiffness import RETAIL, SLACKEST, STIFF

SOMEBODY, HERE = (3, 1), 0x7F7F003C


def at(x: float, degrees: float = 0.0) -> F32:
    return np.asarray(make(x, 90.0, 20.0, degrees), np.float32)


def late(lag: Lag, share: float = 1.0) -> F32:
    found = lag.frame(share)
    assert found is not None
    return found[1].copy()


@pytest.mark.parametrize(("stiffness", "share"), [(RETAIL, 0.15), (SLACKEST, 0.29 / 3), (STIFF, 1)])
def test_a_tick_goes_stiffness_times_ten_times_seconds_of_the_way(
    stiffness: float, share: float
) -> None:
    """Sabotage: leave the factor 10 out; a tenth of the way is made."""
    lag = Lag(stiffness)
    lag.note(SOMEBODY, HERE, at(100.0))
    assert late(lag)[0] == 100.0, "the first tick is where the body is"
    left = 1.0
    for _ in range(5):
        lag.note(SOMEBODY, HERE, at(101.0, 90.0))
        left *= 1.0 - share
        assert late(lag)[0] == pytest.approx(101.0 - left, abs=1e-5)
        w, z = (float(late(lag)[k]) for k in (3, 6))
        assert -2.0 * math.atan2(z, w) == pytest.approx(math.radians(90.0 * (1.0 - left)), abs=1e-4)


def test_it_turns_the_shorter_way_and_goes_on_over_a_border() -> None:
    """Sabotage: leave the block's offset out; the place jumps by 192 m, and the lag ends."""
    lag = Lag(RETAIL)
    lag.note(SOMEBODY, HERE, at(191.9, 350.0))
    lag.note(SOMEBODY, 0x807F0004, at(0.1, 10.0))
    found = lag.frame(1.0)
    assert found is not None
    assert found[0] == 0x807F0004
    assert found[1][0] == pytest.approx(-0.1 + 0.2 * 0.15, abs=1e-4)
    assert -2.0 * math.atan2(found[1][6], found[1][3]) == pytest.approx(
        math.radians(-7.0), abs=1e-4
    )


def test_between_two_ticks_it_is_between_their_places() -> None:
    lag = Lag(RETAIL)
    lag.note(SOMEBODY, HERE, at(100.0))
    lag.note(SOMEBODY, HERE, at(101.0))
    places = [late(lag, share)[0] for share in (0.0, 0.5, 1.0)]
    assert places == pytest.approx([100.0, 100.075, 100.15], abs=1e-5)


@pytest.mark.parametrize("change", ["a jump", "somebody else", "a cut"])
def test_it_comes_after_a_jump_another_body_and_a_cut_at_once(change: str) -> None:
    """Sabotage: let it come after a jump as after a step; a teleport shows all between."""
    lag = Lag(RETAIL)
    lag.note(SOMEBODY, HERE, at(100.0))
    if change == "a cut":
        lag.forget()
        assert lag.frame(1.0) is None
    who = (3, 2) if change == "somebody else" else SOMEBODY
    lag.note(who, HERE, at(103.0 if change == "a jump" else 101.0))
    assert late(lag, 0.0)[0] == late(lag)[0] == pytest.approx(101.0, abs=2.01)
    assert late(lag)[0] in (101.0, 103.0)


def runs(told: Story, stiffness: float, ticks: int) -> tuple[CameraRig, Any]:
    start = {"cell": "0x7F7F003C", "origin": [170.0, 90.0, 20.0], "rotation": [1, 0, 0, 0]}
    told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=start)
    rig = CameraRig(SceneMaker(told.host), head=1.6, stiffness=stiffness)
    for _ in range(ticks):
        told.host.driver.keep(["forward"])
        told.host.tick()
        rig.note()
    return rig, told.host.player.obj


def behind(told: Story, pose: Pose, obj: int) -> float:
    """Metres south of the head that the eye is."""
    row = told.host.physics.row(obj)
    _, dy = get_block_offset(int(row["objcell_id"]), pose.cell_id)
    return float(row["frame"][1]) - (pose.eye[1] + float(dy))


def test_behind_a_runner_it_falls_back_by_as_much_as_retail_does() -> None:
    """4 m/s: the way of a tick x (1 - 0.15) / 0.15. Sabotage: hand no late place to the scene."""
    with story("doll") as told:
        rig, obj = runs(told, RETAIL, 60)
        level = 5.0 * math.cos(0.25)
        assert behind(told, rig.pose(), obj) == pytest.approx(
            level + 4.0 / 30 * 0.85 / 0.15, abs=0.02
        )
        told.host.driver.keep([])
        for _ in range(60):
            told.host.tick()
            rig.note()
        assert behind(told, rig.pose(), obj) == pytest.approx(level, abs=0.02)


def test_a_stiff_camera_is_never_late() -> None:
    with story("doll") as told:
        rig, obj = runs(told, STIFF, 60)
        assert behind(told, rig.pose(), obj) == pytest.approx(5.0 * math.cos(0.25), abs=0.005)


def test_the_hands_and_the_view_from_the_eyes_are_at_once() -> None:
    """Sabotage: let the eye in the head be late too; a runner sees himself from behind."""
    with story("doll") as told:
        rig, obj = runs(told, RETAIL, 60)
        rig.follow.yaw += 0.5
        assert rig.pose().yaw == pytest.approx(0.5, abs=1e-5)
        rig.set_view("first")
        assert behind(told, rig.pose(), obj) == pytest.approx(0.0, abs=1e-4)
        assert rig._scenes.reach < 0.01

"""Pictures between two ticks: smooth, and nobody but the picture sees them."""

from __future__ import annotations

import numpy as np
import pytest
from builders.hosts import BODY, PLAYER, SWORD, Story, story

from acclient_py.core.ids import get_block_offset
from acclient_py.physics.layout import PART_NODRAW
from acclient_py.render.scene import SceneMaker
from acclient_py.view.camera import FollowCamera
from acclient_py.viewer import near
from acclient_py.viewer.blend import Blend

EAST = [0.70710678, 0.0, 0.0, -0.70710678]


def runner(told: Story, x: float) -> Blend:
    at = {"cell": "0x7F7F003C", "origin": [x, 90.0, 20.0], "rotation": EAST}
    told.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=at)
    told.do("create", guid=SWORD, setup="0x02000010", parent=PLAYER, location=1)
    blend = Blend(told.host.physics.graph)
    for _ in range(30):
        tick(told, blend)
    return blend


def tick(told: Story, blend: Blend) -> None:
    told.host.driver.keep(["forward"])
    told.host.tick()
    blend.note()


def east(told: Story) -> float:
    """Metres east of block 7F7F of the player as the graph has it now."""
    row = told.host.physics.row(told.host.player.obj)
    return float(row["frame"][0]) + float(get_block_offset(0x7F7F0001, int(row["objcell_id"]))[0])


@pytest.mark.parametrize("x", [150.0, 183.0])
def test_at_144_pictures_a_second_a_runner_goes_evenly(x: float) -> None:
    """Over a block border too. Sabotage: leave the block offset out of `note`; one step is 0.

    Without blending most steps are 0 and the rest 0.13 m.
    """
    with story("doll") as told:
        blend = runner(told, x)
        shown, plain, eyes = [], [], []
        maker, camera = SceneMaker(told.host), FollowCamera()
        for picture in range(200):
            time = picture * 30 / 144
            if int(time) > int((picture - 1) * 30 / 144) and picture:
                tick(told, blend)
            plain.append(east(told))
            with blend.shown(time % 1.0):
                shown.append(east(told))
                pose = maker.follow(told.host.player.obj, camera)
                eyes.append(pose.eye[0] + float(get_block_offset(0x7F7F0001, pose.cell_id)[0]))
            assert east(told) == plain[-1], "put back after the picture"
        steps = np.diff(shown)
        assert (x + 40 > 192) == (east(told) > 192)
        assert steps.min() > 0.8 * steps.mean()
        assert steps.max() < 1.2 * steps.mean()
        assert np.abs(np.diff(eyes) - steps).max() < 0.002, "the camera goes with the body"
        jerks = np.diff(plain)
        assert np.median(jerks) == 0.0
        assert jerks.max() > 4 * steps.mean()


def test_what_it_carries_keeps_its_place_in_the_hand() -> None:
    with story("doll") as told:
        blend = runner(told, 150.0)
        graph = told.host.physics.graph
        parts = graph.arrays.parts
        sword = told.host.known(int(SWORD, 16)).obj
        first = int(graph.arrays.objects["part_first"][sword])
        now = parts["frame"][first].copy()
        with blend.shown(0.5):
            half = parts["frame"][first].copy()
        assert 0.02 < np.linalg.norm(now[:3] - half[:3]) < 0.2
        assert np.linalg.norm(half[3:]) == pytest.approx(1.0, abs=1e-5)
        assert (parts["frame"][first] == now).all()


def test_a_teleport_and_an_error_leave_nothing_between() -> None:
    """Sabotage: forget the limit of a jump; the player is seen half way to where he went."""
    with story("doll") as told:
        blend = runner(told, 150.0)
        told.do("teleport", guid=PLAYER, at={"cell": "0x7F7F0012", "origin": [60.0, 36.0, 20.0]})
        blend.note()
        here = east(told)
        with blend.shown(0.5):
            assert east(told) == here
        tick(told, blend)
        here = east(told)
        with pytest.raises(ValueError, match="drawn"), blend.shown(0.1):
            raise ValueError("it could not be drawn")
        assert east(told) == here


def test_what_changed_since_the_tick_is_left_alone() -> None:
    """Sabotage: show all ways, changed or not; a sword laid down is in the hand again."""
    with story("doll") as told:
        blend = runner(told, 150.0)
        graph = told.host.physics.graph
        at = {"cell": "0x7F7F003C", "origin": [150.0, 80.0, 20.0], "rotation": [1.0, 0.0, 0.0, 0.0]}
        told.do("position", guid=SWORD, at=at)
        parts = graph.arrays.parts[: graph.used("parts")]
        sword = told.host.known(int(SWORD, 16)).obj
        lies = told.host.physics.row(sword)["frame"].copy()
        mine = parts["frame"][parts["object"] == sword].copy()
        with blend.shown(0.5):
            assert (told.host.physics.row(sword)["frame"] == lies).all()
        assert (told.host.physics.row(sword)["frame"] == lies).all()
        assert (parts["frame"][parts["object"] == sword] == mine).all()


def test_a_tick_is_noted_in_rows_that_are_there() -> None:
    """Sabotage: make the rows anew at each tick."""
    with story("doll") as told:
        blend = runner(told, 150.0)
        rows = (blend._objects, blend._parts, blend._ways)
        tick(told, blend)
        assert all(
            a is b for a, b in zip(rows, (blend._objects, blend._parts, blend._ways), strict=True)
        )


def test_from_the_eyes_the_own_body_is_not_drawn_and_is_again_after() -> None:
    """Sabotage: hide the body without its children; the sword hangs in the air."""
    with story("doll") as told:
        runner(told, 150.0)
        graph, maker, body = told.host.physics.graph, SceneMaker(told.host), told.host.player.obj
        maker.follow(body, FollowCamera(distance=0.0))
        assert maker.reach < near.WITHIN
        maker.follow(body, FollowCamera(distance=5.0))
        assert maker.reach == pytest.approx(5.0, abs=0.01)
        parts = graph.arrays.parts[: graph.used("parts")]
        flags = parts["flags"]
        before = flags.copy()
        mine = np.isin(parts["object"], graph.subtree_of(body))
        assert mine.sum() > 15
        with near.unseen(graph, body):
            hidden = flags & np.uint32(PART_NODRAW) != 0
            assert hidden[mine].all()
            assert (flags[~mine] == before[~mine]).all()
        assert (flags == before).all()

"""Steps that cannot be done: refused in the next checkpoint, and the story goes on (I5)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders.hosts import HERE, PLAYER, SWORD, Story

from acclient_py.core.frame import get_heading
from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc

NOBODY = "0x8000FFFF"


@pytest.mark.contract("I5")
@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"do": "walk", "guid": NOBODY, "heading": 0.0, "seconds": 1.0}, "nobody has this guid"),
        ({"do": "walk", "guid": SWORD, "heading": 0.0, "seconds": 1.0}, "no motion table"),
        ({"do": "place", "guid": NOBODY, "at": HERE}, "nobody has this guid"),
        ({"do": "teleport", "guid": NOBODY, "at": HERE}, "nobody has this guid"),
        ({"do": "swap", "guid": NOBODY, "other": SWORD}, "nobody has this guid"),
        ({"do": "stance", "guid": NOBODY, "style": "0x8000003D"}, "nobody has this guid"),
        ({"do": "camera", "follow": NOBODY}, "nobody has this guid"),
        ({"do": "input", "keys": ["banana"], "seconds": 1.0}, "no key 'banana'"),
    ],
)
def test_a_step_about_nobody_is_refused_and_ends_nothing(
    told: Story, step: dict[str, Any], reason: str
) -> None:
    """Sabotage: let `Host.step` raise; the story ends there."""
    told.arm(PLAYER)
    story_ = sc.parse(json.dumps({"steps": [step, {"do": "checkpoint", "name": "on"}]}))
    (line,) = told.host.play(story_)
    (refused,) = line["refused"]
    assert (refused["step"], refused["do"]) == (0, step["do"])
    assert reason in refused["reason"]


@pytest.mark.contract("I5")
def test_keys_without_a_player_are_refused(told: Story) -> None:
    """Sabotage: raise UsageError in `hold_keys`; the checkpoint is not reached."""
    told.do("input", keys=["w"], seconds=1.0)
    (refused,) = told.host.checkpoint("on")["refused"]
    assert refused["do"] == "input"
    assert "needs a player" in refused["reason"]


@pytest.mark.contract("I5")
def test_a_walk_that_does_not_arrive_says_which_step_it_was(told: Story) -> None:
    """Sabotage: leave the number out of the refusal; the key is missing."""
    told.arm(PLAYER)
    walk = {"do": "walk", "guid": PLAYER, "to": {"cell": "0x12340001", "origin": [0, 0, 0]}}
    steps = [{"do": "tick", "seconds": 0}, walk, {"do": "checkpoint", "name": "on"}]
    (line,) = told.host.play(sc.parse(json.dumps({"steps": steps})))
    (refused,) = line["refused"]
    assert refused["step"] == 1
    assert "was not reached" in refused["reason"]


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    "step",
    [
        {"do": "place", "guid": PLAYER, "at": {"cell": "0x7F7F0001", "origin": [1e39, 0, 0]}},
        {"do": "position", "guid": PLAYER, "at": HERE, "velocity": [0, -1e39, 0]},
        {"do": "create", "guid": PLAYER, "setup": "0x02000001", "scale": 1e39},
        {"do": "walk", "guid": PLAYER, "heading": 1e300, "seconds": 1.0},
        {"do": "errand", "guid": PLAYER, "stops": [{"to": {**HERE, "origin": [0, 0, -4e38]}}]},
    ],
)
def test_a_number_that_32_bits_cannot_hold_is_refused_when_the_file_is_read(
    step: dict[str, Any],
) -> None:
    """Sabotage: look at places only; velocity, scale and heading pass."""
    with pytest.raises(UsageError, match=r"step 0: the number .* does not fit 32 bits"):
        sc.parse(json.dumps({"steps": [step]}), where=None)


@pytest.mark.contract("I2")
@pytest.mark.parametrize("field", ["location", "placement"])
def test_a_location_beyond_the_wires_word_is_refused_when_the_file_is_read(field: str) -> None:
    """Sabotage: take any whole number; packing the message raises struct.error."""
    step = {"do": "attach", "child": SWORD, "parent": PLAYER, field: 1 << 40}
    with pytest.raises(UsageError, match=field):
        sc.parse(json.dumps({"steps": [step]}))


@pytest.mark.contract("I6")
def test_whole_turns_are_taken_off_a_heading_of_any_size(told: Story) -> None:
    """Sabotage: hand the degrees on as they are; the rotation has no unit length."""
    told.arm(PLAYER)
    for heading in (1e30, -720.0 - 90.0):
        told.do("walk", guid=PLAYER, heading=heading, seconds=0.0)
        frame = told.host.physics.row(told.host.known(int(PLAYER, 16)).obj)["frame"]
        assert sum(float(v) ** 2 for v in frame[3:]) == pytest.approx(1.0, abs=1e-5)
    assert get_heading(frame) == pytest.approx(270.0, abs=1e-3)


@pytest.mark.contract("I5")
@pytest.mark.parametrize("draw", [[], [{"do": "frame"}]])
def test_where_nothing_was_put_the_eye_is_the_load_point(
    told: Story, draw: list[dict[str, Any]]
) -> None:
    """Sabotage: leave the eye out; nothing is loaded and the picture is empty."""
    eye, target = HERE, {**HERE, "origin": [0.0, 0.0, 0.0]}
    steps = [{"do": "camera", "eye": eye, "target": target}, *draw]
    told.host.on_frame = lambda: seen.append(len(told.host.residency.blocks))
    seen: list[int] = []
    list(told.host.play(sc.parse(json.dumps({"steps": steps}))))
    assert int(HERE["cell"], 16) & 0xFFFF0000 | 0xFFFF in told.host.residency.blocks
    assert all(seen)

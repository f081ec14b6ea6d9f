"""A torch in a walking hand, through drawn frames: its part, its light, its fire; and none of them
when it has gone (C13, E14, E16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from builders.hosts import BODY, PLAYER, Story
from builders.walkers import recipe
from builders.worlds import opened

from acclient_py.order.stream import Op
from acclient_py.physics.state import PhysicsState
from acclient_py.render.frame import FrameRenderer
from acclient_py.render.scene import SceneMaker

TORCH = "0x80000020"
RIGHT_HAND, PLACEMENT = 1, 1
FLAME = """
[texture.flame]
size = 16
format = "A8R8G8B8"
background = "#FF804000"
layers = [{ kind = "glow", color = "#FFB060FF", radius = 0.5, sharp = 1.0 }]
[surface.flame]
texture = "flame"
alpha = true
additive = true
luminosity = 1.0
[mesh.flame]
facing = "eye"
pieces = [{ shape = "soup", surface = "flame", double = true, points = [[-0.1, 0, -0.1], [0.1, 0, -0.1], [0.1, 0, 0.1], [-0.1, 0, 0.1]], polygons = [{ corners = [0, 1, 2, 3], uvs = [[0, 1], [1, 1], [1, 0], [0, 0]] }] }]
[mesh.torch]
pieces = [{ shape = "box", size = [0.05, 0.05, 0.6], surface = "planks", at = [0, 0, 0.2] }]
[emitter.flames]
mesh = "flame"
birthrate = 0.1
initial = 4
max_particles = 12
life = 1.0
local = true
a = [0, 0, 0.1]
a_range = [0.5, 1.0]
[script.burns]
steps = [{ emitter = "flames", at = [0, 0, 0.5] }]
[setup.torch]
id = "0x02000040"
mesh = "torch"
script = "burns"
lights = [{ color = "#FFA040", at = [0, 0, 0.5], intensity = 2.5, falloff = 6.0 }]
[setup.torch.placements]
Default = {}
RightHandCombat = { rotate = [15, 0, 0] }
"""  # noqa: E501 -- recipes have long lines
AT = {"cell": "0x7F7F0100", "origin": [84.0, 83.0, 20.2]}


@pytest.fixture
def told() -> Iterator[Story]:
    story = Story(opened(recipe("hut", FLAME)))
    story.do("time", day=0.0)
    story.do("create", guid=PLAYER, instance=3, setup=BODY, player=True, at=AT)
    story.do(
        "create", guid=TORCH, setup="0x02000040", parent=PLAYER, location=RIGHT_HAND,
        placement=PLACEMENT,
    )  # fmt: skip
    story.do("tick", seconds=1.0)
    assert story.refused() == []
    yield story
    story.dats.close()


def draw(told: Story, renderer: FrameRenderer) -> Any:
    told.do("camera", eye=dict(AT, origin=[85.8, 82.0, 21.8]),
            target=dict(AT, origin=[83.5, 84.0, 20.8]))  # fmt: skip
    maker = SceneMaker(told.host)
    renderer.draw(maker.scene(), maker.pose())
    return renderer.read().astype(int)


def turned(q: Any, v: Any) -> Any:
    """A vector turned by w, x, y, z."""
    u, v = np.array(q[1:], float), np.array(v, float)
    t = 2.0 * np.cross(u, v)
    return v + q[0] * t + np.cross(u, t)


def held_by_hand(told: Story) -> tuple[Any, Any]:
    """(origin, up) of the torch's part: the hand's part, the holding place, the torch's own turn.

    From the records and the hand alone, put together here.
    """
    physics, dats = told.host.physics, told.dats
    man = physics.row(told.host.known(int(PLAYER, 16)).obj)
    place = dats.record(int(BODY, 16)).holding_location(RIGHT_HAND)
    own = dats.record(0x02000040).placement(PLACEMENT).frames[0]
    hand = physics.graph.arrays.parts["frame"][int(man["part_first"]) + place.part].astype(float)
    inner = turned(place.frame.rotation, own[:3]) + place.frame.origin
    up = turned(hand[3:], turned(place.frame.rotation, turned(own[3:], (0, 0, 1))))
    return hand[:3] + turned(hand[3:], inner), up


def test_the_torch_its_fire_and_its_light_go_with_the_hand_and_leave_with_it(
    told: Story, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Walking, at each of ten ticks. Sabotage: attach with no holding frame (its place and its
    matrix part), `swap_parts` that does nothing (no flame), lamps never chosen (the last one)."""
    host, known = told.host, told.host.known(int(TORCH, 16))
    renderer = renderer_of(host)
    arrays, torch = host.physics.graph.arrays, known.obj
    before = None
    for _ in range(10):
        told.do("walk", guid=PLAYER, heading=0.0, seconds=0.0334)
        lit = draw(told, renderer)
        records, instances = renderer.painter.records, renderer.painter.instances
        own = records[(records["owner"] == torch) & (records["op"] <= Op.WEATHER)]
        assert len(own) >= 1
        matrix = instances[int(own[0]["instance"])][:12].reshape(3, 4)
        origin, up = held_by_hand(told)
        assert matrix[:, 3] == pytest.approx(origin, abs=1e-4)
        assert matrix[:, 2] == pytest.approx(up, abs=1e-4)
        if before is not None:
            assert not np.array_equal(matrix, before), "it moves with the hand"
        before = matrix.copy()
        emitters = [
            int(e)
            for e in np.flatnonzero(arrays.objects["state"] & int(PhysicsState.PARTICLE_EMITTER))
            if arrays.objects["cell"][e] >= 0
        ]
        assert len(emitters) == 1
        flames = records[(records["owner"] == emitters[0]) & (records["op"] == Op.ALPHA)]
        assert len(flames) >= 4
        tip = matrix[:, 3] + 0.5 * matrix[:, 2]
        for flame in flames:
            at = instances[int(flame["instance"])][[3, 7, 11]]
            assert float(np.sqrt(((at - tip) ** 2).sum())) < 1.2, "it burns at the tip"
    told.do("pickup", guid=TORCH)
    told.do("tick", seconds=0.1)
    dark = draw(told, renderer)
    records = renderer.painter.records
    assert not (records["owner"] == torch).any()
    assert not (records["owner"] == emitters[0]).any(), "nor its fire"
    assert told.counts()["lights"] == 0
    warm = lit.sum() - dark.sum()
    assert warm > 2 * lit.shape[0] * lit.shape[1], "the room was lit by it"

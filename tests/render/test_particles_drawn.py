"""Particles in the one stream: parts of their emitter in its cell, put off by their surface.

A long room with a fire at one end (R30, R32; spec rendering 8.2: there is no particle pass).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from builders.places import Place
from builders.worlds import baked, opened

from acclient_py.order.stream import Op
from acclient_py.physics.state import PhysicsState
from acclient_py.render.frame import FrameRenderer

ROOM = """
[texture.glow]
size = 16
format = "A8R8G8B8"
background = "#FF804000"
layers = [{ kind = "glow", color = "#FFB060FF", radius = 0.5, sharp = 1.0 }]
[surface.glow]
texture = "glow"
alpha = true
additive = true
luminosity = 1.0
[mesh.spark]
facing = "eye"
levels = [{ beyond = 10 }]
pieces = [{ shape = "soup", surface = "glow", double = true, points = [[-0.2, 0, -0.2], [0.2, 0, -0.2], [0.2, 0, 0.2], [-0.2, 0, 0.2]], polygons = [{ corners = [0, 1, 2, 3], uvs = [[0, 1], [1, 1], [1, 0], [0, 0]] }] }]
[mesh.log]
pieces = [{ shape = "box", size = [0.4, 0.1, 0.1], surface = "planks" }]
[emitter.fire]
mesh = "spark"
birthrate = 0.1
initial = 6
max_particles = 30
life = 1.5
a = [0, 0, 0.5]
a_range = [0.5, 1.5]
offset = [0, 0, 1]
offset_range = [0.05, 0.4]
[script.burn]
steps = [{ emitter = "fire", at = [0, 0, 0.4] }]
[setup.fire]
mesh = "log"
script = "burn"
[[room]]
name = "long"
block = "0101"
at = [60, 60, 0]
size = [6, 60, 4]
inside = [{ model = "fire", at = [0, -26, 0] }]
[[room]]
name = "end"
block = "0101"
at = [60, 93, 0]
[[door]]
rooms = ["long", "end"]
"""  # noqa: E501 -- recipes have long lines
FIRE = (60.0, 34.0, 0.6)


@pytest.fixture
def place() -> Place:
    made = Place(opened(ROOM))
    for _ in range(60):
        made.physics.tick()
    made.physics.check()
    return made


def emitter_of(place: Place) -> int:
    objects = place.arrays.objects
    found = np.flatnonzero(objects["state"] & int(PhysicsState.PARTICLE_EMITTER))
    assert len(found) == 1
    return int(found[0])


def look(place: Place, renderer: FrameRenderer, away: float) -> np.ndarray:
    cell = baked(ROOM).cells["long"]
    place.aim(cell, (60.0, 34.0 + away, 1.6), FIRE)
    return place.draw(renderer)


def test_living_particles_are_parts_of_their_emitter_in_the_alpha_list(
    place: Place, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Each once, where its part is. Sabotage: leave `swap_parts` out: nothing of it is drawn."""
    renderer = renderer_of(place)
    picture = look(place, renderer, 6.0)
    emitter = emitter_of(place)
    records = renderer.painter.records
    mine = records[(records["owner"] == emitter) & (records["op"] <= Op.WEATHER)]
    living = place.physics.effects.emitters.living()
    assert living > 10
    assert len(mine) == living
    assert set(mine["op"].tolist()) == {Op.ALPHA}
    row = place.arrays.objects[emitter]
    first = int(row["part_first"])
    for record in mine:
        at = place.arrays.parts["frame"][first + int(record["part_index"])][:3]
        matrix = renderer.painter.instances[int(record["instance"])]
        assert matrix[[3, 7, 11]] == pytest.approx(at, abs=1e-4)
    middle = picture[60:120, 130:190].astype(int)
    assert (middle[..., 0] - middle[..., 2]).max() > 60, "something burns there"


def test_particles_are_sorted_with_the_other_parts_of_their_cell(
    place: Place, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Far to near within the cell, as all parts are (L6)."""
    renderer = renderer_of(place)
    look(place, renderer, 6.0)
    records = renderer.painter.records
    mine = records[(records["owner"] == emitter_of(place)) & (records["op"] == Op.ALPHA)]
    distances = mine["cypt"].tolist()
    assert distances == sorted(distances, reverse=True)
    assert len(set(distances)) > 5


def test_beyond_the_degrade_distance_nothing_is_drawn_and_all_lives_on(
    place: Place, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """The mesh shows until 16 m (10 m, times 1.6 for the best quality); the log stays.

    Sabotage: never say GONE in `update_obj_cell`; the second assertion fails.
    """
    renderer = renderer_of(place)
    emitter = emitter_of(place)
    for away, shown in ((15.0, True), (17.0, False)):
        look(place, renderer, away)
        drawn = (renderer.painter.records["owner"] == emitter).any()
        assert bool(drawn) == shown
    assert place.physics.effects.emitters.living() > 10


def test_particles_turn_their_front_to_the_eye(
    place: Place, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """A card seen from the side is as broad as from the front."""
    renderer = renderer_of(place)
    emitter = emitter_of(place)
    widths = []
    for eye in ((60.0, 38.0, 0.8), (62.5, 34.0, 0.8)):
        place.aim(baked(ROOM).cells["long"], eye, FIRE)
        place.draw(renderer)
        records = renderer.painter.records
        record = records[(records["owner"] == emitter) & (records["op"] == Op.ALPHA)][0]
        matrix = renderer.painter.instances[int(record["instance"])][:12].reshape(3, 4)
        across = matrix[:, 0]  # where the card's x goes
        to_eye = np.array(eye) - matrix[:, 3]
        widths.append(abs(float((across * to_eye).sum())) / float(np.sqrt((to_eye**2).sum())))
    assert max(widths) < 0.05, "its breadth stands across the line of sight"

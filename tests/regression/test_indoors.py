"""An eye in a house: what other clients showed through floors, doors and windows.

Rows R2, R8, R10, R11, R14, R29 of the public defects, POR-01, POR-08. R13 is LF2's
(test_landscape_order.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from builders import walkers
from builders.hosts import story
from builders.worlds import TINY, baked, opened
from regression.stage import (
    BLOCK,
    CELL,
    DAY,
    INSIDE,
    OUT,
    ROOM,
    Stage,
    house,
    is_colour,
    mesh,
    moved,
    ops,
    recipe,
    static,
    without,
)

from acclient_py.core import frame as frames
from acclient_py.order.stream import Op

Staged = Callable[..., Stage]
ENTER = 0x1012


BUTTRESS = 'shape = "box", surface = "white", size = [0.6, 0.4, 3.0], at = [4.6, 1.0, 0]'


@pytest.mark.contract("L8", "L11")
def test_r2_the_own_shell_is_seen_through_the_window(staged: Staged) -> None:
    """Sabotage: leave the shell of the eye's own house out; the buttress is gone."""
    world = recipe(
        house((84, 84), windows='[{ side = "east", width = 1.6, height = 1.4, bars = false }]',
              pieces=f"[{{ {BUTTRESS} }}]"),
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(CELL, (82.5, 83.0, 21.7), (88.0, 85.0, 21.5))
    told = [e["event"] for e in shot.kinds("DrawShell", "ClearDepth", "Seal", "DrawEnvCell")]
    assert told == ["DrawShell", "ClearDepth", "Seal", "DrawEnvCell"]
    buttress = (88.3, 84.9, 21.2)
    assert shot.colour(buttress) == "white"
    assert shot.colour((87.2, 85.6, 21.7)) == "yellow"
    gone = stage.redraw(without(shot.records, ops(shot.records, Op.SHELL)))
    assert shot.colour(buttress, gone) in ("green", "sky")


@pytest.mark.contract("L8", "L11")
def test_r8_the_player_on_the_sill_is_whole(staged: Staged) -> None:
    """From within: what of the player is outside belongs to the outside's picture, what is inside
    to the inside's. Sabotage: give the player's parts a stamp; one of the two is missing."""
    world = recipe(
        house((84, 84), door='"south"'),
        mesh("man", 'shape = "box", size = [0.6, 1.6, 1.7], surface = "magenta"'),
        '[setup.man]\nmesh = "man"\nspheres = [{ radius = 0.3, at = [0, 0, 0.3] }]\n',
    )
    stage = staged(world, fresh=True)
    physics = stage.place.physics
    man = physics.make_object(stage.did("setup", "man"), guid=0x50000001)
    physics.enter_world(man, CELL, frames.make(84, 81.45, 20.2, 0))
    stage.place.player = SimpleNamespace(obj=man)
    eye, target = (83.0, 85.5, 22.4), (84.0, 81.4, 21.0)
    shot = stage.shoot(CELL, eye, target)
    outer, inner = (83.72, 80.85, 21.2), (83.9, 82.2, 20.5)
    assert shot.colour(outer) == shot.colour(inner) == "magenta"
    parts, clear = ops(shot.records, Op.PART), ops(shot.records, Op.CLEAR_DEPTH)[0]
    outside = [i for i in parts if i < clear]
    inside = [i for i in parts if i > clear]
    assert outside
    assert inside
    assert shot.colour(outer, stage.redraw(without(shot.records, outside))) != "magenta"
    assert shot.colour(inner, stage.redraw(without(shot.records, inside))) != "magenta"
    for step in range(8):  # over the sill and out
        y = 81.6 - 0.1 * step
        physics.set_position(man, CELL if y > 81.3 else OUT, frames.make(84, y, 20.2, 0), ENTER)
        body = stage.shoot(CELL, eye, target, frames=1)
        assert body.count("magenta") > 400, y


RAIN = """
[surface.rain]
texture = "magenta"
translucency = 0.5
"""
RAINY = DAY.replace(
    "things = []", 'things = [{ mesh = "rain", after = true, weather = true, keep_height = true }]'
)


@pytest.mark.contract("L1", "L8", "L11")
def test_r10_rain_stays_outside(staged: Staged) -> None:
    """Out and up through the door there is rain, on the walls there is none, and what is seen in
    the door is no hole. Sabotage: draw the weather last; the walls are wet."""
    rain = mesh(
        "rain",
        'shape = "prism", surface = "rain", solid = false, double = true, '
        "height = 60, at = [0, 0, -30], outline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]",
    )
    stage = staged(recipe(RAIN, rain, house((84, 84), door='"south"'), day=RAINY))
    shot = stage.shoot(CELL, (84, 83.4, 20.9), (84, 81.0, 21.5))
    told = [e["event"] for e in shot.kinds("Sky", "Weather", "ClearDepth", "DrawEnvCell")]
    assert told == ["Sky", "Weather", "ClearDepth", "DrawEnvCell"]
    sky, ground, wall = (84.0, 81.2, 22.2), (84.0, 79.0, 20.0), (82.6, 81.3, 21.6)
    wet_sky, wet_ground = (175, 72, 231), (127, 80, 127)
    assert shot.near(sky, wet_sky)
    assert shot.near(ground, wet_ground)
    assert shot.colour(wall) == "yellow"
    late = stage.redraw(moved(shot.records, ops(shot.records, Op.WEATHER), len(shot.records)))
    assert shot.near(wall, (255, 127, 127), late)


def repainted(name: str) -> str:
    """A tiny recipe's buildings in flat colours: shells red, rooms as all rooms here."""
    text = (TINY / f"{name}.toml").read_text("utf-8")
    text = text[text.index("[[building]]") :]
    text = re.sub(r'surface = "\w+"', 'surface = "red"', text)
    return text.replace("[[building.rooms]]\n", "[[building.rooms]]\n" + INSIDE)


@pytest.mark.contract("L8", "L11")
def test_r11_grass_stays_out_of_the_stair(staged: Staged) -> None:
    """From a chamber under the ground up a stair: grass and sky within the exit, nowhere else, and
    nothing of a bush whose roots stand across the stair.

    Sabotage: keep the depth of the outside; the bush covers the stair's walls.
    """
    bush = mesh("bush", 'shape = "box", size = [6, 0.6, 4], surface = "white"')
    stage = staged(recipe(repainted("mine"), bush, static("bush", 84, 100, 16.5)))
    shot = stage.shoot(BLOCK | 0x102, (84, 106.5, 18.1), (84, 86, 20.6))
    assert [e["event"] for e in shot.kinds("ClearDepth", "Seal")] == ["ClearDepth", "Seal"]
    (exit_view,) = shot.told("View", "polygon")
    height, width, _ = shot.picture.shape
    xs = [(x + 1) / 2 * width for x, _ in exit_view]
    ys = [(1 - y) / 2 * height for _, y in exit_view]
    outdoors = is_colour(shot.picture, "green") | is_colour(shot.picture, "sky")
    rows, columns = np.nonzero(outdoors | is_colour(shot.picture, "white"))
    assert len(rows) > 10
    assert shot.told("Part", "object") == ["0x7F7FFFFF:0"], "the bush is drawn with the outside"
    assert columns.min() >= min(xs) - 1
    assert columns.max() <= max(xs) + 1
    assert rows.min() >= min(ys) - 1
    assert rows.max() <= max(ys) + 1
    from_porch = stage.shoot(CELL, (84, 86.0, 21.6), (84, 96, 19.6))
    assert from_porch.count("green") == from_porch.count("sky") == from_porch.count("red") == 0


COURT = """
[[building]]
name = "court"
block = "7F7F"
at = [84, 84]
flatten = { size = [24, 24] }
shell = [
  { shape = "wall", surface = "red", length = 6, height = 3.4, at = [-2, -3.17, 0], openings = [{ at = 4.0, width = 2.0, height = 1.6, sill = 1.2 }] },
  { shape = "wall", surface = "white", length = 6, height = 3.4, at = [-2, 1.83, 0] },
]
[[building.exits]]
room = "a"
side = "north"
at = 1.0
width = 2.0
height = 1.6
sill = 1.0
[[building.doors]]
rooms = ["a", "c"]
width = 2.4
[[building.doors]]
rooms = ["c", "b"]
width = 2.4
"""  # noqa: E501
COURT_ROOMS = {
    # name: middle, size; a yard lies between a and b, west of c
    "a": ((0, -5.0), (10, 3.3)),
    "c": ((3, -0.675), (4, 5.35)),
    "b": ((0, 3.5), (10, 3.0)),
}


@pytest.mark.contract("L8", "L11")
def test_r11_a_seal_keeps_the_far_wing_behind_the_window(staged: Staged) -> None:
    """Two wings joined by a passage; out of a window of one the outer wall of the other is seen,
    though its rooms are drawn later. Sabotage: leave the seals out; the room is seen in its place.
    """
    rooms = "".join(
        f'[[building.rooms]]\nname = "{name}"\nat = [{x}, {y}, 0.2]\nsize = [{w}, {d}, 3.0]\n'
        + INSIDE
        for name, ((x, y), (w, d)) in COURT_ROOMS.items()
    )
    world = recipe(COURT + rooms)
    stage = staged(world)
    cells = baked(world).cells
    shot = stage.shoot(cells["court/a"], (85, 77.9, 21.9), (84.5, 81.0, 21.8))
    told = shot.told("DrawEnvCell", "cell")
    assert f"0x{cells['court/b']:08X}" in told, "the far wing is reached through the passage"
    assert len(shot.kinds("Seal")) >= 1
    wall = (79.6, 85.68, 21.9)
    assert shot.colour(wall) == "white"
    bare = stage.redraw(without(shot.records, ops(shot.records, Op.SEAL)))
    assert shot.colour(wall, bare) == "yellow"


@pytest.mark.contract("L5", "L11")
def test_r14_por01_nothing_under_the_floor_is_seen(staged: Staged) -> None:
    """POR-01: a bright box buried under the floor, and another one over the ceiling, both outdoors.

    Looking at the floor no exit is in view, so nothing of the landscape is even offered.
    """
    world = recipe(
        house((84, 84), door='"south"', height="2.6"),
        mesh("box", 'shape = "box", size = [3, 3, 1.0], surface = "magenta"'),
        static("box", 84, 84.5, 18.6), static("box", 84, 84.5, 26.0),
    )  # fmt: skip
    stage = staged(world)
    outside = stage.shoot(OUT, (84, 70, 30), (84, 84, 25))
    assert outside.count("magenta") > 50
    for target in ((84.0, 85.2, 20.2), (84.0, 85.2, 22.8)):
        shot = stage.shoot(CELL, (84, 84.2, 21.7), target)
        assert shot.count("magenta") == 0
        assert not shot.kinds("View", "Part", "DrawLandCell", "Sky")
    both = stage.shoot(CELL, (84, 86, 22.4), (84, 81.6, 20.4))
    assert both.kinds("View", "DrawLandCell")
    assert both.count("magenta") == 0


@pytest.mark.contract("L1", "L11")
def test_r29_the_sky_is_in_the_window_at_noon(staged: Staged) -> None:
    """Sabotage: skip the sky for an eye in a cell; the window shows what was cleared."""
    dome = (
        '[surface.dome]\ntexture = "white"\nluminosity = 1.0\n[mesh.dome]\npieces = '
        '[{ shape = "sphere", radius = 900, surface = "dome", inside = true, solid = false }]\n'
    )
    day = DAY.replace("things = []", 'things = [{ mesh = "dome" }]')
    window = '[{ side = "south", width = 2.0, height = 1.4, sill = 0.8, bars = false }]'
    stage = staged(recipe(dome, house((84, 84), windows=window), day=day))
    shot = stage.shoot(CELL, (84, 83, 21.2), (84, 81, 21.5))
    assert [e["event"] for e in shot.kinds("Sky", "DrawEnvCell")] == ["Sky", "DrawEnvCell"]
    above = (84.0, 81.1, 22.1)
    assert shot.colour(above) == "white"
    bare = stage.redraw(without(shot.records, ops(shot.records, Op.SKY)))
    assert shot.colour(above, bare) == "sky"


@pytest.mark.parametrize(
    ("at", "searched"),
    [((84, 84, 20.2), True), ((87.2, 84, 20.2), True), ((84, 84, 20.18), False)],
)
def test_por08_a_teleport_into_a_room_that_is_there(
    staged: Staged, at: tuple[float, float, float], searched: bool
) -> None:
    """POR-08: feet on the floor's plane, in a wall's plane, and under the floor (put there without
    a search for room, since nothing that stands fits there): the eye is in the room."""
    world = recipe(
        house((84, 84), door='"south"'),
        '[mesh.man]\npieces = [{ shape = "box", size = [0.4, 0.4, 1.7], surface = "magenta" }]\n'
        '[setup.man]\nmesh = "man"\nheight = 1.8\nradius = 0.4\nstep_up = 0.6\nstep_down = 1.5\n'
        "spheres = [{ radius = 0.3, at = [0, 0, 0.3] }]\n",
    )
    stage = staged(world, fresh=True)
    physics = stage.place.physics
    man = physics.make_object(stage.did("setup", "man"), guid=0x50000001)
    if searched:
        physics.enter_world(man, BLOCK | 0x09, frames.make(30, 10, 20, 0))
        physics.set_position(man, CELL, frames.make(*at, 0), ENTER)
    else:
        physics.add_obj_to_cell(man, physics.cell_slot(CELL), frames.make(*at, 0))
    assert physics.full_cell_id(man) == CELL
    stage.place.player = SimpleNamespace(obj=man)
    stage.place.look.camera = SimpleNamespace(eye=None, target=None, follow=None, view="first")
    assert stage.place.maker.pose().cell_id == CELL
    shot = stage.frame()
    assert shot.told("DrawEnvCell", "cell")[-1] == f"0x{CELL:08X}"
    assert sum(shot.count(name) for name in ROOM) > 0.5 * shot.picture.size / 3


@pytest.mark.contract("E20")
@pytest.mark.parametrize("z", [20.205, 20.2, 20.18])
def test_por08_a_teleport_message_names_the_floor_itself(z: float) -> None:
    """POR-08: a body whose sphere is 5 mm into the floor stays in the room.

    Sabotage: look for room around the place before a hair above it; it ends outside the door.
    """
    with story(opened(walkers.recipe("hut"))) as told:
        told.do("create", guid="0x50000001", instance=1, setup="0x02000001",
                motion="0x09000001", player=True,
                at={"cell": "0x7F7F0009", "origin": [30, 10, 20]})  # fmt: skip
        told.do("teleport", guid="0x50000001", at={"cell": "0x7F7F0100", "origin": [84, 84, z]})
        told.do("tick", seconds=0.5)
        body = told.look()["0x50000001"]
        assert body["cell"] == "0x7F7F0100"
        assert body["origin"][:2] == pytest.approx([84.0, 84.0], abs=0.01)
        assert body["origin"][2] == pytest.approx(20.205, abs=0.01)

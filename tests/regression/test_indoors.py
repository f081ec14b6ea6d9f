"""Frames of an eye in a cell: what other clients showed through floors, doors and walls.

Rows R2, R3, R8, R9, R10, R11, R14, R20, R21, R29 of the public defects, POR-01, POR-04, POR-08.
R13 is LF2's (test_landscape_order.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from builders.worlds import TINY, baked
from regression.stage import (
    BLOCK,
    DAY,
    OUT,
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
from acclient_py.gpu.state import State
from acclient_py.kernels.flood import LOST_VIEWS
from acclient_py.order.stream import Op

Staged = Callable[..., Stage]
ROOM = ("yellow", "blue", "cyan")  # walls, floor, ceiling
INSIDE = 'floor = "blue"\nwall = "yellow"\nceiling = "cyan"\n'
CELL = BLOCK | 0x100
ENTER = 0x1012


def room(name: str, at: tuple[float, float, float], size: tuple[float, float, float],
         *more: str) -> str:  # fmt: skip
    """A room of a dungeon in block 7F7F."""
    body = f'[[room]]\nname = "{name}"\nblock = "7F7F"\nat = {list(at)}\nsize = {list(size)}\n'
    return body + INSIDE + "\n".join(more) + "\n"


def door(a: str, b: str, **keys: float) -> str:
    """A door between two rooms."""
    rest = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return f'[[door]]\nrooms = ["{a}", "{b}"]\nwall = "yellow"\nfloor = "blue"\n{rest}'


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


@pytest.mark.contract("L11")
@pytest.mark.parametrize("front", ["ccw", "cw"])
def test_r3_floor_and_ceiling_of_a_high_cell(
    staged: Staged, front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One winding for all meshes; with the other one floors vanish."""
    if front == "cw":
        real = State.apply

        def apply(self: State, ctx: Any, target: Any) -> None:
            real(self, ctx, target)
            ctx.front_face = "cw"

        monkeypatch.setattr(State, "apply", apply)
    stage = staged(
        recipe(room("a", (20, 20, 0), (6, 6, 7)), room("b", (30, 20, 0), (6, 6, 7)), door("a", "b"))
    )
    eye = (20.0, 20.0, 3.5)
    down = stage.shoot(CELL, eye, (20.3, 20.4, 0))
    up = stage.shoot(CELL, eye, (20.3, 20.4, 7))
    right = front == "ccw"
    assert (down.colour((20.5, 20.5, 0.0)) == "blue") is right
    assert (up.colour((20.5, 20.5, 7.0)) == "cyan") is right
    assert (down.count("sky") == up.count("sky") == 0) is right


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


def grid() -> str:
    """Twelve rooms, 36 portals: a 4 by 3 grid with all doors, and a second one between two."""
    parts = [
        room(f"r{i}{k}", (20 + 6 * i, 20 + 6 * k, 0), (6, 6, 3)) for i in range(4) for k in range(3)
    ]
    for i in range(4):
        for k in range(3):
            if i < 3 and (i, k) != (1, 1):
                parts.append(door(f"r{i}{k}", f"r{i + 1}{k}", width=1.4))
            if k < 2:
                parts.append(door(f"r{i}{k}", f"r{i}{k + 1}", width=1.4))
    parts += [door("r11", "r21", width=1.4, shift=s) for s in (-1.5, 1.5)]
    return recipe(*parts)


@pytest.mark.contract("L11")
def test_r9_por04_a_flood_ends_though_rooms_form_loops(staged: Staged) -> None:
    """POR-04: in a grid of loops each cell is drawn once a frame, with few views.

    Sabotage: leave out the side test of InitCell and take openings in either winding; views are
    lost for want of room.
    """
    world = grid()
    stage = staged(world)
    cells = baked(world).cells
    arrays = stage.arrays
    assert int((arrays.portals["other_cell_id"] != 0).sum()) == 36
    most = 0
    for heading in range(0, 360, 15):
        x, y = np.sin(np.radians(heading)), np.cos(np.radians(heading))
        shot = stage.shoot(cells["r11"], (26.4, 26.2, 1.6), (26.4 + float(x), 26.2 + float(y), 1.5))
        told = shot.kinds("DrawEnvCell")
        assert len({e["cell"] for e in told}) == len(told) <= 12
        assert told[-1]["cell"] == f"0x{cells['r11']:08X}"
        most = max(most, *(e["views"] for e in told))
        holes = np.nonzero(is_colour(shot.picture, "sky"))[1]
        assert not len(holes) or np.ptp(holes) <= 1, "a view thinner than a pixel is none"
        assert int(stage.renderer.painter._inside.counters[LOST_VIEWS]) == 0
    assert 1 < most <= 6


@pytest.mark.contract("L11")
def test_r9_two_rooms_do_not_pass_a_view_to_and_fro(staged: Staged) -> None:
    """A step through the door, a centimetre a frame: one view each, both rooms, no hole.

    Sabotage: cut openings at the picture's near plane; close to the door its room is missing.
    """
    world = recipe(room("w", (20, 20, 0), (8, 8, 3)), room("e", (28, 20, 0), (8, 8, 3)),
                   door("w", "e"))  # fmt: skip
    stage = staged(world)
    cells = baked(world).cells
    for step in range(-40, 41):
        x = 24.003 + step * 0.01
        here = cells["w"] if x < 24.0 else cells["e"]
        shot = stage.shoot(here, (x, 20.2, 1.6), (x + 4.0, 20.4, 1.4), frames=1)
        told = {e["cell"]: e["views"] for e in shot.kinds("DrawEnvCell")}
        wanted = ["w", "e"] if x < 24.0 else ["e"]
        assert told == {f"0x{cells[name]:08X}": 1 for name in wanted}, x
        assert shot.count("sky") == 0, x


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
    """From a chamber under the ground up a stair: grass and sky within the exit, nowhere else.

    Sabotage: keep the depth of the outside; the shell's back covers the stair.
    """
    stage = staged(recipe(repainted("mine")))
    shot = stage.shoot(BLOCK | 0x102, (84, 106.5, 18.1), (84, 86, 20.6))
    assert [e["event"] for e in shot.kinds("ClearDepth", "Seal")] == ["ClearDepth", "Seal"]
    (exit_view,) = shot.told("View", "polygon")
    height, width, _ = shot.picture.shape
    xs = [(x + 1) / 2 * width for x, _ in exit_view]
    ys = [(1 - y) / 2 * height for _, y in exit_view]
    outdoors = is_colour(shot.picture, "green") | is_colour(shot.picture, "sky")
    rows, columns = np.nonzero(outdoors)
    assert len(rows) > 10
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


def barracks() -> str:
    """A building of 200 rooms, 10 by 20, every one with doors to its neighbours."""
    rooms, doors = [], []
    for i in range(10):
        for k in range(20):
            rooms.append(
                f'[[building.rooms]]\nname = "r{i}_{k}"\nat = [{4 * i - 18}, {4 * k - 38}, 0.2]\n'
                f"size = [4, 4, 3]\n{INSIDE}"
            )
            if i < 9:
                doors.append(
                    f'[[building.doors]]\nrooms = ["r{i}_{k}", "r{i + 1}_{k}"]\nwidth = 2.0\n'
                )
            if k < 19:
                doors.append(
                    f'[[building.doors]]\nrooms = ["r{i}_{k}", "r{i}_{k + 1}"]\nwidth = 2.0\n'
                )
    shell = (
        '[[building]]\nname = "inn"\nblock = "7F7F"\nat = [84, 84]\n'
        "flatten = { size = [60, 100] }\n"
        'shell = [{ shape = "box", surface = "red", size = [41, 81, 0.2], at = [0, 0, 3.4] }]\n'
    )
    out = '[[building.exits]]\nroom = "r5_0"\nside = "south"\n'
    return recipe(shell, *rooms, out, *doors)


@pytest.mark.contract("L11")
def test_r20_an_inn_of_200_cells_is_there_at_the_first_frame(staged: Staged) -> None:
    """The block goes and comes again around the eye; the first frame has all walls and floors.

    Sabotage: gather a building's cells when its block comes, before they have slots.
    """
    world = barracks()
    stage = staged(world, fresh=True)
    cells = baked(world).cells
    residency = stage.place.residency
    here = (82.0, 86.0, 21.7)
    arrivals = []
    for _ in range(2):
        residency.unload(BLOCK | 0xFFFF)
        residency.load(BLOCK | 0xFFFF)
        shot = stage.shoot(cells["inn/r4_10"], here, (90.0, 100.0, 21.4), frames=1)
        arrivals.append(shot)
        assert shot.count("sky") == shot.count("green") == 0
        assert (
            sum(shot.count(name) for name in ROOM) == shot.picture.shape[0] * shot.picture.shape[1]
        )
    assert len(arrivals[0].told("DrawEnvCell", "cell")) > 8
    later = stage.frame()
    for shot in arrivals:
        assert np.array_equal(shot.picture, later.picture)
        assert shot.told("DrawEnvCell", "cell") == later.told("DrawEnvCell", "cell")


@pytest.mark.contract("L11")
def test_r21_cells_of_one_structure_are_each_whole(staged: Staged) -> None:
    """Rooms of one structure in a row: each looks the same from its own middle."""
    rooms = [room(f"r{k}", (20 + 8 * k, 20, 0), (8, 8, 3)) for k in range(4)]
    world = recipe(*rooms, *(door(f"r{k}", f"r{k + 1}") for k in range(3)))
    stage = staged(world)
    cells = baked(world).cells
    records = {name: stage.place.models.dats.record(cells[name]) for name in cells}
    structures = {(r.environment_id, r.structure_index) for r in records.values()}
    assert len(structures) < len(records), "some share a structure"
    south = {}
    for name, (x, y) in {"r1": (28, 20), "r2": (36, 20)}.items():
        shot = stage.shoot(cells[name], (x, y + 1.0, 1.6), (x, y - 4, 1.4))
        south[name] = shot.picture
        assert sum(shot.count(colour) for colour in ROOM) == shot.picture.size // 3
    assert np.array_equal(south["r1"], south["r2"])


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

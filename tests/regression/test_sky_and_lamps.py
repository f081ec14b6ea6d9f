"""The sky's two passes, weather, torches.

Rows R15, R16, R17, R22 of the public defects, and the sky's half of R30.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from builders.worlds import baked
from regression.stage import (
    CELL,
    DAY,
    OUT,
    Shot,
    Stage,
    house,
    mesh,
    moved,
    ops,
    pane,
    recipe,
    static,
)

from acclient_py.core import frame as frames
from acclient_py.order.stream import Op

Staged = Callable[..., Stage]


def weather(*things: str) -> str:
    return DAY.replace("things = []", f"things = [{', '.join(things)}]")


def tube(name: str, surface: str, radius: float, low: float, high: float) -> str:
    """An upright square tube around the eye, seen from within."""
    outline = [[-radius, -radius], [radius, -radius], [radius, radius], [-radius, radius]]
    return mesh(
        name,
        f'shape = "prism", surface = "{surface}", solid = false, double = true, '
        f"height = {high - low}, at = [0, 0, {low}], outline = {outline}",
    )


@pytest.mark.contract("L1", "L8")
def test_r17_r30_rain_falls_before_what_is_near_and_the_moon_keeps_its_height(
    staged: Staged,
) -> None:
    """Weather (property 4 without 8) hangs 120 m lower, other things of the second pass do not;
    both come after the blocks, whatever is near. Sabotage: sink the whole pass; draw it first."""
    rain = '[surface.rain]\ntexture = "magenta"\ntranslucency = 0.5\n'
    world = recipe(
        rain, tube("rain", "rain", 40, 110, 160), mesh("moon", pane("white", 6, 6) +
        ", at = [8, 60, 6]"), mesh("beast", 'shape = "box", size = [1, 1, 1.8], surface = "blue"'),
        static("beast", 84, 84),
        day=weather('{ mesh = "moon", after = true }',
                    '{ mesh = "rain", after = true, weather = true }'),
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 79, 21.4), (84, 84, 21.4))
    told = [e["event"] for e in shot.kinds("Sky", "Block", "Weather")]
    assert told == ["Sky", "Block", "Weather"]
    beast = (84.0, 83.5, 21.2)
    assert shot.near(beast, (127, 0, 255)), "rain is drawn over what stands near"
    records = shot.records
    second = ops(records, Op.WEATHER)
    heights = [float(stage.renderer.painter.instances[records["instance"][i], 11]) for i in second]
    assert heights == pytest.approx([21.4, 21.4 - 120.0], abs=0.01)
    moon = (92.0, 139.0, 21.4 + 9.0)
    assert shot.near(moon, (255, 127, 255)), "the moon, in the rain"
    early = stage.redraw(moved(records, second, ops(records, Op.TERRAIN)[0]))
    assert shot.colour(beast, early) == "blue"


def test_r17_a_sheet_of_the_sky_repeats_its_picture(staged: Staged) -> None:
    """Stars all over, not a square in a corner. Sabotage: CLAMP for every surface."""
    stars = (
        "[texture.stars]\nsize = 32\nsupersample = 1\nlayers = ["
        '{ kind = "fill", color = "#000000" }, '
        '{ kind = "stamp", shape = "rect", color = "#FFFFFF", size = [0.5, 0.5] }]\n'
        '[surface.stars]\ntexture = "stars"\nluminosity = 1.0\n'
    )
    sheet = mesh(
        "sheet",
        'shape = "soup", surface = "stars", solid = false, double = true, '
        "points = [[-60, 60, -40], [60, 60, -40], [60, 60, 60], [-60, 60, 60]], "
        "polygons = [{ corners = [0, 1, 2, 3], uvs = [[0, 5], [6, 5], [6, 0], [0, 0]] }]",
    )
    stage = staged(recipe(stars, sheet, day=weather('{ mesh = "sheet" }')), fresh=True)
    view = (OUT, (84.0, 84.0, 25.0), (84.0, 96.0, 29.0))

    def stripes(shot: Shot) -> int:
        bright = shot.picture[:60, :, 0] > 128
        return int((bright[:, 1:] != bright[:, :-1]).sum(axis=1).max())

    shot = stage.shoot(*view)
    assert [e["event"] for e in shot.kinds("Sky", "Block", "Weather")][:2] == ["Sky", "Block"]
    assert len(ops(shot.records, Op.SKY)) == 1, "the sheet, before any block"
    assert stripes(shot) >= 8
    rows = stage.renderer.assets.surfaces.rows
    rows[:, 0] &= ~np.uint32(0x200)
    stage.renderer.assets.surfaces._written = 0
    stage.renderer.assets.surfaces.upload()
    assert stripes(stage.shoot(*view)) < 4


NIGHT = DAY.replace("ambient = 1.0", "ambient = 0.2")


def torch(colour: str, power: float, reach: float) -> str:
    """A body that carries a lamp."""
    lamp = f'color = "{colour}", at = [0, 0, 0.5], intensity = {power}, falloff = {reach}'
    box = mesh("torch", 'shape = "box", size = [0.1, 0.1, 0.4], surface = "orange"')
    return f'{box}[setup.torch]\nmesh = "torch"\nlights = [{{ {lamp} }}]\n'


def test_r15_a_torch_does_not_light_a_facade(staged: Staged) -> None:
    """In the landscape stage there is sun and ambient light only; the same torch lights a room."""
    lamp = torch("#FFC080", 3.0, 6.0)
    inside = 'inside = [{ model = "torch", at = [-1.0, 1.0, 0.8] }]'
    dark = recipe(lamp, house((84, 84), door='"south"'), day=NIGHT)
    outdoors = recipe(
        lamp, house((84, 84), door='"south"'), static("torch", 85.7, 79.4, 21.0),
        mesh("post", 'shape = "box", size = [0.5, 0.5, 1.6], surface = "white"'),
        static("post", 86.6, 80.2), day=NIGHT,
    )  # fmt: skip
    indoors = recipe(lamp, house((84, 84), door='"south"').rstrip() + "\n" + inside, day=NIGHT)
    facade, wall = (86.0, 81.0, 21.6), (81.5, 86.7, 21.4)
    front = (OUT, (84.0, 72.0, 21.7), (84.5, 84.0, 21.6))
    plain, lit = staged(dark).shoot(*front), staged(outdoors).shoot(*front)
    assert len(ops(lit.records, Op.PART)) == 2
    assert pixel(lit, (86.5, 79.95, 21.2)) == [51, 51, 51], "nor what stands beside it"
    assert pixel(lit, facade) == pixel(plain, facade) == [51, 0, 0]
    room = (CELL, (84.0, 82.5, 21.7), (83.0, 86.0, 21.4))
    assert pixel(staged(dark).shoot(*room), wall) == [51, 51, 0]
    assert pixel(staged(indoors).shoot(*room), wall)[0] > 100


def pixel(shot: Shot, point: tuple[float, float, float]) -> list[int]:
    x, y = shot.to_pixel(point)
    return [int(v) for v in shot.picture[y, x]]


def test_r16_a_corridor_of_torches_does_not_pop_nor_whiten(staged: Staged) -> None:
    """Twelve strong torches: a wall's light is burnt in, capped by each lamp's own colour, and the
    same from wherever it is seen. Sabotage: light walls by the eight lamps nearest to the eye."""
    torches = ", ".join(
        f'{{ model = "torch", at = [{-1.6 if k % 2 else 1.6}, {3 * k - 16.5}, 1.2] }}'
        for k in range(12)
    )
    world = recipe(
        torch("#804020", 100.0, 1.6),
        '[[room]]\nname = "hall"\nblock = "7F7F"\nat = [84, 84, 0]\nsize = [4, 38, 3]\n'
        f'floor = "white"\nwall = "white"\nceiling = "white"\ninside = [{torches}]\n',
        '[[room]]\nname = "end"\nblock = "7F7F"\nat = [84, 106, 0]\nsize = [4, 6, 3]\n'
        'floor = "white"\nwall = "white"\nceiling = "white"\n'
        '[[door]]\nrooms = ["hall", "end"]\n',
        day=NIGHT,
    )
    stage = staged(world, size=(960, 720))
    cell = baked(world).cells["hall"]
    spots = [(86.0, 84.0 + 3 * k - 16.5, 1.6) for k in range(4, 12, 2)]
    seen: dict[int, list[list[int]]] = {}
    for y in (66.0, 70.0, 73.0, 76.0):
        shot = stage.shoot(cell, (83.0, y, 1.6), (85.0, y + 12, 1.6))
        assert len(shot.kinds("DrawEnvCell")) == 2, "both rooms' shells, then what stands in them"
        assert len(shot.told("Part", "object")) > 2, "torches are drawn from here"
        for k, spot in enumerate(spots):
            if spot[1] > y + 3:
                seen.setdefault(k, []).append(pixel(shot, spot))
    assert max(len(found) for found in seen.values()) == 4
    for found in seen.values():
        assert np.ptp(np.array(found), axis=0).max() <= 12, "a pixel's own size, no lamp less"
        assert max(f[2] for f in found) <= 51 + 2 * 32 + 4, "as blue as its lamps, not white"
    assert max(f[0] for found in seen.values() for f in found) > 100


def test_r22_the_light_follows_the_players_cell_not_the_cameras(staged: Staged) -> None:
    """Two rooms by day, one sealed, one that sees the outside. Sabotage: ask the camera's cell."""
    rooms = "".join(
        f'[[room]]\nname = "{name}"\nblock = "7F7F"\nat = [{x}, 20, 0]\nsize = [8, 8, 3]\n'
        'floor = "white"\nwall = "white"\nceiling = "white"\n'
        for name, x in (("sealed", 20), ("open", 28))
    )
    world = recipe(
        rooms + '[[door]]\nrooms = ["sealed", "open"]\nwidth = 2.0\n',
        mesh("man", 'shape = "box", size = [0.2, 0.2, 0.2], surface = "magenta"')
        + '[setup.man]\nmesh = "man"\n',
    )
    stage = staged(world, fresh=True)
    cells, physics = baked(world).cells, stage.place.physics
    stage.arrays.cells["seen_outside"][physics.cell_slot(cells["sealed"])] = 0
    stage.arrays.cells["seen_outside"][physics.cell_slot(cells["open"])] = 1
    wall = (31.9, 18.5, 1.6)
    for name, x, level in (("sealed", 20.0, 51), ("open", 28.0, 255)):
        man = physics.make_object(stage.did("setup", "man"))
        physics.add_obj_to_cell(man, physics.cell_slot(cells[name]), frames.make(x, 23, 0.2, 0))
        stage.place.player = SimpleNamespace(obj=man)
        for camera, eye in (("sealed", 23.0), ("open", 25.0)):
            shot = stage.shoot(cells[camera], (eye, 19.6, 1.6), (32.0, 19.0, 1.6))
            assert pixel(shot, wall) == [level] * 3, (name, camera)
            drawn = shot.told("DrawEnvCell", "cell")
            assert drawn[-1] == f"0x{cells[camera]:08X}", "the walk begins with the camera's cell"

"""Blended surfaces: what other clients made of the state ladder.

Rows R18, R25, R26 of the public defects; ORD-03, ORD-06, ORD-08.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from builders.worlds import baked
from regression.stage import (
    BLOCK,
    DAY,
    OUT,
    Stage,
    mesh,
    ops,
    pane,
    recipe,
    static,
    without,
)

from acclient_py.order.stream import Op

Staged = Callable[..., Stage]
DEFERRED = (Op.ALPHA, Op.CLIP)
FOG = DAY.replace("fog = [50000, 60000]", "fog = [4, 20]")  # half way at 12 m
TINT = (200, 100, 40)
ALPHA = 160


def glass(name: str, kind: int, alpha: int = ALPHA, translucency: float = 0.0) -> str:
    """A surface of some type bits with one colour and one alpha."""
    r, g, b = TINT
    return (
        f'[texture.t_{name}]\nsize = 8\nsupersample = 1\nformat = "A8R8G8B8"\n'
        f'background = "#{r:02X}{g:02X}{b:02X}{alpha:02X}"\n'
        f'layers = [{{ kind = "fill", color = "#{r:02X}{g:02X}{b:02X}00" }}]\n'
        f'[surface.{name}]\ntexture = "t_{name}"\ntype = "0x{kind:08X}"\n'
        f"translucency = {translucency}\n"
    )


# name: type bits, alpha of the picture, translucency, and what becomes of a colour c with alpha a
# over a background d: (source factor, destination factor), fogged
ROWS: dict[str, tuple[int, int, float, Callable[[float], tuple[float, float]], bool]] = {
    "solid": (0x2, 255, 0.0, lambda a: (1, 0), True),
    "clip": (0x4, 220, 0.0, lambda a: (1, 1 - a), True),
    "translucent": (0x12, 255, 0.4, lambda a: (a, 1 - a), True),
    "alpha": (0x102, ALPHA, 0.0, lambda a: (a, 1 - a), True),
    "alpha_clip": (0x104, 220, 0.0, lambda a: (a, 1 - a), True),
    "alpha_additive": (0x10102, ALPHA, 0.0, lambda a: (a, 1), False),
    "inverse": (0x202, ALPHA, 0.0, lambda a: (1 - a, a), True),
    "inverse_additive": (0x10202, ALPHA, 0.0, lambda a: (1 - a, 1), False),
    "additive": (0x10002, ALPHA, 0.0, lambda a: (1, 1), False),
    "additive_translucent": (0x10012, 255, 0.4, lambda a: (1, 1), False),
    "cloud": (0x10114, 220, 0.4, lambda a: (a, 1 - a), False),
}


@pytest.mark.parametrize("name", ROWS)
def test_r26_a_row_of_the_ladder_in_fog(staged: Staged, name: str) -> None:
    """R18 is the row `cloud` (0x00010114): not additive, and not fogged.

    Sabotage: fog additive rows, take the factor of INVALPHA as it is, or let ADDITIVE win over
    TRANSLUCENT on a clip map.
    """
    kind, alpha, translucency, factors, fogged = ROWS[name]
    world = recipe(
        glass(name, kind, alpha, translucency), mesh("sheet", pane(name, 1.0, 1.0, low=1.2)),
        mesh("wall", pane("blue", 30.0, 14.0)), static("sheet", 84, 84), static("wall", 84, 94),
        day=FOG,
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 72, 21.7), (84, 84, 21.7))
    middle = (84.0, 84.0, 21.7)
    x, y = shot.to_pixel(middle)
    own = [i for i in ops(shot.records, Op.PART, *DEFERRED)
           if shot.records["owner"][i] == owner_of(stage, 0)]  # fmt: skip
    assert len(own) == 1
    behind = stage.redraw(without(shot.records, own))[y, x]
    a = alpha / 255 * (1 - translucency)
    source, destination = factors(a)
    colour = np.array(TINT, float)
    if fogged:
        colour = 0.5 * colour + 0.5 * np.array(stage.clear_colour)
    wanted = np.minimum(source * colour + destination * behind, 255)
    assert np.abs(shot.picture[y, x] - wanted).max() <= 3
    listed = {Op.PART: None, Op.ALPHA: "alpha", Op.CLIP: "clip"}[
        Op(int(shot.records["op"][own[0]]))
    ]
    assert listed == (None if name == "solid" else "clip" if name == "clip" else "alpha")


def owner_of(stage: Stage, index: int) -> int:
    """The row of a static of the land."""
    objects = stage.arrays.objects
    found = (objects["home_id"] == (BLOCK | 0xFFFF)) & (objects["home_index"] == index)
    return int(np.flatnonzero(found & (objects["kind"] != 2))[0])


@pytest.mark.parametrize("far", [10.0, 60.0])
def test_r25_a_clip_map_of_true_colour(staged: Staged, far: float) -> None:
    """Drawn as ONE / 1 - SRC_A from 200 of 255 on, else not at all, near and far.

    Sabotage: test at a half; 190 is drawn.
    """
    alphas = (130, 190, 210, 255)
    parts = []
    for k, alpha in enumerate(alphas):
        name = f"a{alpha}"
        parts += [glass(name, 0x4, alpha), mesh(name, pane(name, 1.6, 3.0))]
        parts.append(static(name, 80 + 2.4 * k, 84))
    parts += [mesh("wall", pane("blue", 60, 20)), static("wall", 84, 90)]
    shot = staged(recipe(*parts)).shoot(OUT, (84, 84 - far, 21.7), (84, 84, 21.7))
    for k, alpha in enumerate(alphas):
        middle = (80 + 2.4 * k, 84.0, 21.7)
        if alpha < 200:
            assert shot.colour(middle) == "blue", alpha
        else:
            r, g, b = TINT
            blue = round(min(b + 255 * (1 - alpha / 255), 255))
            assert shot.near(middle, (r, g, blue)), alpha
    assert len(ops(shot.records, Op.CLIP)) == 4


def test_r25_a_palette_has_a_lower_reference(staged: Staged) -> None:
    """Between a hole and a leaf alpha rises; with a palette 100 of 255 are enough, else 200.

    Sabotage: one reference for both; the two cover as much.
    """
    r, g, b = TINT
    tint = f"#{r:02X}{g:02X}{b:02X}"
    half = 'kind = "stamp", shape = "rect", at = [0.75, 0.5], size = [0.5, 1.0], soft = 0.0'
    world = recipe(
        f'[palette.p]\ncolors = ["{tint}", "{tint}"]\n'
        '[texture.tp]\nsize = 64\nmetres = 8.0\nsupersample = 1\nformat = "INDEX16"\n'
        f'palette = "p"\nbackground = "#80808000"\nlayers = [{{ {half}, color = "#FFFFFF" }}]\n'
        '[texture.tt]\nsize = 64\nmetres = 8.0\nsupersample = 1\nformat = "A8R8G8B8"\n'
        f'background = "{tint}00"\nlayers = [{{ {half}, color = "{tint}" }}]\n'
        '[surface.sp]\ntexture = "tp"\nclip = true\n[surface.st]\ntexture = "tt"\nclip = true\n',
        mesh("mp", pane("sp", 8, 1)), static("mp", 84, 84, 20.5),
        mesh("mt", pane("st", 8, 1)), static("mt", 84, 84, 21.8),
        mesh("wall", pane("blue", 60, 20)), static("wall", 84, 90),
    )  # fmt: skip
    stage = staged(world, size=(640, 480))
    shot = stage.shoot(OUT, (84, 83.2, 21.65), (84, 84, 21.65))
    assert shot.told("Part", "deferred") == [None, "clip", "clip"], "the wall, then two clip maps"
    covered = []
    for z in (21.3, 22.0):
        row = shot.to_pixel((84.0, 84.0, z))[1]
        covered.append(int((shot.picture[row, :, 0] > 60).sum()))
    metre = shot.to_pixel((84.5, 84.0, 21.65))[0] - shot.to_pixel((83.5, 84.0, 21.65))[0]
    texel = metre / 8  # one edge; the other side of the leaf is off the picture
    assert covered[0] - covered[1] == pytest.approx(texel * 100 / 255, abs=0.1 * texel)


FACES = ("red", "yellow", "magenta", "cyan", "white", "orange", "blue", "green8")


def octahedron(order: list[int]) -> str:
    """A floating octahedron, half clear, each face its own colour; its polygons in any order."""
    corners = [
        [0, 1, 4],
        [1, 2, 4],
        [2, 3, 4],
        [3, 0, 4],
        [1, 0, 5],
        [2, 1, 5],
        [3, 2, 5],
        [0, 3, 5],
    ]
    polygons = ", ".join(f'{{ corners = {corners[i]}, surface = "half{i}" }}' for i in order)
    piece = (
        'shape = "soup", solid = false, points = [[2, 0, 4], [0, 2, 4], [-2, 0, 4], [0, -2, 4], '
        f"[0, 0, 6], [0, 0, 2]], polygons = [{polygons}]"
    )
    surfaces = "".join(
        f'[surface.half{i}]\ntexture = "{FACES[i]}"\ntranslucency = 0.5\n' for i in range(8)
    )
    green = '[texture.green8]\nsize = 8\nlayers = [{ kind = "fill", color = "#00FF00" }]\n'
    return recipe(green, surfaces, mesh("glass", piece), static("glass", 84, 84))


def test_ord03_only_the_front_faces_of_a_clear_solid(staged: Staged) -> None:
    """ORD-03: from six sides each face is itself over the background, whatever the file's order.

    Sabotage: do not cull; the far faces shine through.
    """
    stage, other = staged(octahedron(list(range(8)))), staged(octahedron([5, 2, 7, 0, 3, 6, 1, 4]))
    middle = np.array((84.0, 84.0, 24.0))
    rgb = {**dict.fromkeys(FACES)}
    values = dict(zip(FACES, [(255, 0, 0), (255, 255, 0), (255, 0, 255), (0, 255, 255),
                              (255, 255, 255), (255, 128, 0), (0, 0, 255), (0, 255, 0)],
                      strict=True))  # fmt: skip
    assert rgb.keys() == values.keys()
    sides = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0.02, 0, 1), (0.02, 0, -0.4)]
    signs = [(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1), (1, 1, -1), (-1, 1, -1), (-1, -1, -1),
             (1, -1, -1)]  # fmt: skip
    for side in sides:
        eye = tuple(float(v) for v in middle + 7.0 * np.array(side))
        shot = stage.shoot(OUT, eye, tuple(middle.tolist()))
        again = other.shoot(OUT, eye, tuple(middle.tolist()))
        assert np.array_equal(shot.picture, again.picture)
        bare = stage.redraw(without(shot.records, ops(shot.records, Op.ALPHA)))
        seen = 0
        for name, sign in zip(FACES, signs, strict=True):
            normal = np.array(sign, float)
            centre = middle + normal * 2 / 3
            if (np.array(eye) - centre) @ normal <= 0.3:
                continue
            seen += 1
            x, y = shot.to_pixel(tuple(centre.tolist()))
            wanted = 0.5 * np.array(values[name]) + 0.5 * bare[y, x]
            assert np.abs(shot.picture[y, x] - wanted).max() <= 3, (side, name)
        assert seen == 4


@pytest.mark.contract("L6", "L9", "T8")
def test_ord06_ties_do_not_flicker(staged: Staged) -> None:
    """ORD-06: eight equal clear sheets at one distance, fifty frames: one picture, one stream."""
    stage = staged("glass")
    first = stage.shoot(OUT, (100, 91, 22.5), (100, 100, 20.5))
    assert len(ops(first.records, Op.ALPHA)) >= 8
    for _ in range(50):
        shot = stage.frame()
        assert np.array_equal(shot.picture, first.picture)
        assert shot.events == first.events


@pytest.mark.contract("S1", "L5", "L9")
def test_ord08_a_prop_that_two_rooms_list(staged: Staged) -> None:
    """ORD-08: both rooms list the same prop at one place. Each room's list makes its own static
    (S1), told apart by cell and place in the list; an opaque one is drawn over itself to no effect,
    and one prop that reaches into both rooms is drawn once."""
    shared = (
        '[mesh.chest]\npieces = [{ shape = "box", size = [0.8, 1.2, 0.8], surface = "magenta" }]\n'
    )
    rooms = [
        f'[[room]]\nname = "{name}"\nblock = "7F7F"\nat = [{x}, 20, 0]\nsize = [6, 6, 3]\n'
        f'floor = "blue"\nwall = "yellow"\nceiling = "cyan"\n{{{name}}}'
        for name, x in (("w", 20), ("e", 26))
    ]
    door = '[[door]]\nrooms = ["w", "e"]\nwidth = 3.0\n'
    inside = 'inside = [{{ model = "chest", at = [{at}, 0, 0] }}]\n'

    def world(*listed: str) -> str:
        filled = [
            text.format(**{name: inside.format(at={"w": 3.0, "e": -3.0}[name]) if name in listed
                           else ""})
            for text, name in zip(rooms, ("w", "e"), strict=True)
        ]  # fmt: skip
        return recipe(shared, *filled, door)

    one, both = staged(world("w")), staged(world("w", "e"))
    view = (baked(world("w")).cells["w"], (18.0, 20.4, 1.7), (26.0, 20.0, 0.6))
    alone, twice = one.shoot(*view), both.shoot(*view)
    assert alone.told("Part", "object") == ["0x7F7F0100:0"]
    assert sorted(twice.told("Part", "object")) == ["0x7F7F0100:0", "0x7F7F0101:0"]
    assert np.array_equal(alone.picture, twice.picture)
    assert np.array_equal(both.frame().picture, twice.picture)

"""LF1 to LF6 of contract L: each order told by the transcript and seen in a pixel.

Every test also draws the wrong order from the same records: the pixel is another colour then.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders.worlds import baked, opened
from msgspec.structs import replace
from regression.stage import (
    COLOURS,
    NEAR,
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
    terrain_first,
    without,
)

from acclient_py.dat.records.gfxobj import GfxObjFlags
from acclient_py.order.stream import Op

Staged = Callable[..., Stage]
Shown = Callable[[str, Any, Any], None]

HILL = """
[terrain]
blocks = ["7F7F", "7F7F"]
base = 20
shapes = [{ kind = "ridge", points = [[0, 48], [192, 48]], width = 40, height = 6 }]
"""
PILLAR = mesh("pillar", 'shape = "box", size = [1, 1, 4], surface = "magenta"')


@pytest.mark.contract("L1", "L4", "L5", "L8", "LF1")
def test_lf1_a_hill_of_a_nearer_cell_hides_the_house_behind_it(
    staged: Staged, shown: Shown
) -> None:
    """R5 and R19. Sabotage: all leaves first; the door is cut through the hill, and is seen."""
    world = recipe(
        house((84, 84), size="[12, 6]", height="9.0", roof='{ kind = "flat" }',
              doors='[{ side = "south", width = 5.0, height = 5.0 }]', flatten="8.0"),
        PILLAR, static("pillar", 78, 76), static("pillar", 74, 54), land=HILL,
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 36, 25.2), (84, 84, 26))
    far, near = "0x7F7F001C", "0x7F7F001B"
    told = [
        (event["event"], event["cell"])
        for event in shot.kinds("DrawLandCell", "DrawBuilding", "DrawObjCell")
        if event["cell"] in (far, near)
    ]
    assert told == [
        ("DrawLandCell", far), ("DrawBuilding", far), ("DrawObjCell", far),
        ("DrawLandCell", near), ("DrawObjCell", near),
    ]  # fmt: skip
    door = (84.0, 81.0, 21.5)
    assert shot.told("Portal", "mode") == ["punch"]
    assert shot.colour(door) == "green"
    wrong = stage.redraw(terrain_first(shot.records))
    assert shot.colour(door, wrong) in ("yellow", "blue", "cyan"), "the room is seen in the hill"
    shown("order_lf1", shot.picture, wrong)


# Seen through two windows at once: a sheet of half clear magenta, and its colour over the ground.
HALVES = """
[surface.half_magenta]
texture = "magenta"
translucency = 0.5
[surface.half_red]
texture = "red"
translucency = 0.5
[surface.half_blue]
texture = "blue"
translucency = 0.5
"""


def two_windows(first: str, second: str) -> str:
    """A house with two windows to the north, given in either order, and a sheet before both."""
    gap = '{{ side = "north", at = {}, width = 1.4, height = 1.6, sill = 0.8, bars = false }}'
    return recipe(
        house((84, 84), size="[10, 6]", windows=f"[{gap.format(first)}, {gap.format(second)}]"),
        HALVES, mesh("sheet", pane("half_magenta", 16.0, 5.0)), static("sheet", 84, 92),
    )  # fmt: skip


@pytest.mark.contract("L1", "L2", "L11", "LF2")
def test_lf2_two_views_are_one_landscape(staged: Staged, shown: Shown) -> None:
    """R13. Sabotage: draw the landscape once a view; the sheet is laid over the ground twice."""
    stage = staged(two_windows("-2.5", "2.5"))
    eye, target = (84.0, 82.5, 21.9), (84.0, 90.0, 21.4)
    shot = stage.shoot(0x7F7F0100, eye, target)
    views = shot.told("View", "polygon")
    assert len(views) == 2
    told = [event["event"] for event in shot.kinds("Sky", "Weather", "ClearDepth")]
    assert told == ["Sky", "Weather", "ClearDepth"]
    leaves, blocks = shot.told("DrawLandCell", "cell"), shot.told("Block", "block")
    assert len(leaves) == len(set(leaves)) > 8
    assert len(blocks) == len(set(blocks)) == 1

    other = staged(two_windows("2.5", "-2.5")).shoot(0x7F7F0100, eye, target)
    assert other.told("View", "polygon") == views[::-1]
    assert other.told("DrawLandCell", "cell") == leaves
    assert other.told("Block", "block") == blocks

    records = shot.records
    outside = slice(0, ops(records, Op.CLEAR_DEPTH)[0])
    wrong = stage.redraw(np.concatenate((records[outside], records)))
    for x in (76.5, 91.5):
        ground = (x, 96.0, 20.0)
        assert shot.near(ground, (127, 80, 127))
        assert shot.near(ground, (191, 40, 191), wrong)
    shown("order_lf2", shot.picture, wrong)


@pytest.mark.contract("L6", "LF3")
def test_lf3_a_tie_keeps_the_order_of_the_frame_before(staged: Staged, shown: Shown) -> None:
    """Sabotage: begin every sort from the list as published; the third picture is the first."""
    world = recipe(
        HALVES, mesh("near", pane("half_red", 14, 14)), mesh("far", pane("half_blue", 14, 14)),
        static("near", 81, 80), static("far", 87, 88),
    )  # fmt: skip
    stage = staged(world, fresh=True)

    def names(shot: Shot) -> list[str]:
        return [obj for obj, _, _ in shot.told("Sort", "parts")[0]]

    afar, middle = ((84, 6, 22), (84, 84, 23)), (84.0, 84.0, 21.0)
    first = stage.shoot(OUT, *afar)
    assert len({distance for _, _, distance in first.told("Sort", "parts")[0]}) == 1
    red, blue = names(first)
    red_below, blue_below = (64, 40, 127), (127, 40, 64)
    assert first.near(middle, red_below), "drawn as they were put there"
    near = stage.shoot(OUT, (84, 66, 22), (84, 84, 23))
    assert names(near) == [blue, red]
    again = stage.shoot(OUT, *afar)
    assert names(again) == [blue, red]
    assert again.near(middle, blue_below), "drawn as the frame before left them"
    a, b = ops(again.records, Op.ALPHA)
    wrong = stage.redraw(moved(again.records, [b], a))
    assert again.near(middle, red_below, wrong)
    shown("order_lf3", again.picture, wrong)


# A sheet that runs along y from cell (3, 5) into the nearer (3, 4): it has its turn in the first.
SHEET = mesh("sheet", pane("half_magenta", 34, 24)) + (
    '[[static]]\nmodel = "sheet"\nblock = "7F7F"\nat = [84, 118]\nheading = 90\n'
)
GONE = (
    mesh("gone", 'shape = "box", size = [1, 1, 1], surface = "white"')
    + "levels = [{ beyond = 20 }]\n"
    + static("gone", 180, 180)
)


@pytest.mark.contract("L7", "L9", "LF4")
def test_lf4_a_building_without_a_mesh_does_not_drain(staged: Staged, shown: Shown) -> None:
    """Sabotage: drain before the level of detail is chosen; ground is laid over the sheet."""
    # The house stands in cell (1, 5), whose turn comes between the sheet's two cells.
    world = recipe(HALVES, SHEET, house((36, 132), name='"house"', door='"north"'), GONE)
    levels = opened(world).record(baked(world).ids["mesh gone"]).degrade_id
    shell = baked(world).ids["mesh house 'house'"]

    def doctored(did: int, record: Any) -> Any:
        """The shell takes the levels of detail of `gone`: nothing from 70 m on."""
        if did == shell:
            flags = record.flags | GfxObjFlags.HAS_DEGRADE
            return replace(record, flags=flags, degrade_id=levels)
        return record

    eye, target = (14.0, 14.0, 44.0), (84.0, 118.0, 14.0)
    ground, below = (86.0, 106.0, 20.0), (127, 80, 127)
    full = staged(world).shoot(OUT, eye, target)
    assert full.told("DrawBuilding", "level") == [0]
    assert full.colour(ground) == "green", "the house's drain puts the sheet under this ground"
    stage = staged(world, doctored=doctored)
    shot = stage.shoot(OUT, eye, target)
    assert not shot.kinds("DrawBuilding", "DrawShell", "Portal", "LookIn")
    assert {event["site"] for event in shot.kinds("Flush") if event["drained"]} == {"end"}
    assert shot.near(ground, below)
    sheet = ops(shot.records, Op.ALPHA)
    owners = shot.records["owner"]
    leaf = next(i for i in ops(shot.records, Op.TERRAIN) if owners[i] == 0x7F7F000E)
    wrong = stage.redraw(moved(shot.records, sheet, leaf))
    assert shot.colour(ground, wrong) == "green"
    shown("order_lf4", shot.picture, wrong)


@pytest.mark.contract("L8", "L9", "LF5")
def test_lf5_what_a_far_cell_put_off_is_there_before_a_nearer_shell(
    staged: Staged, shown: Shown
) -> None:
    """Sabotage: keep all blended draws to the end of the frame; the sheet stands before the wall.

    The wall belongs to the nearer cell (3, 4) and reaches into (3, 5), where the sheet stands
    before it: retail's order, wrong to the eye here, is the order that is asked for.
    """
    world = recipe(
        HALVES, house((84, 108), size="[8, 36]", height="6.0", door='"east"'),
        mesh("sheet", pane("half_blue", 5, 4)),
        '[[static]]\nmodel = "sheet"\nblock = "7F7F"\nat = [77, 124]\nheading = 90\n',
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (40, 108, 23), (77, 116, 22))
    told = [event["event"] for event in shot.kinds("DrawDeferred", "DrawShell")]
    assert told == ["DrawDeferred", "DrawShell"]
    middle = (77.0, 124.0, 22.0)
    assert shot.colour(middle) == "red"
    sheet = ops(shot.records, Op.ALPHA)
    late = stage.redraw(moved(shot.records, sheet, len(shot.records)))
    assert shot.near(middle, (127, 0, 127), late)
    shown("order_lf5", shot.picture, late)


CROWD = ("red", "blue", "yellow", "magenta", "cyan", "white", "orange")


@pytest.mark.contract("L6", "L9", "LF6")
def test_lf6_a_cells_order_is_that_of_a_plain_walk(staged: Staged, shown: Shown) -> None:
    """A random crowd of half clear sheets in one cell: the order that a plain sort says, and all
    over them the colour that they give when they are laid over one another so.

    Sabotage: draw the cell's list as it was published; at many points another colour stands.
    (Ten thousand random scenes, record by record: tests/twin/test_walk.py, lane `soak`.)
    """
    rng = random.Random(6)
    crowd = [
        (rng.choice(CROWD), rng.uniform(79, 89), rng.uniform(76, 92), rng.uniform(0.2, 2.5))
        for _ in range(16)
    ]
    surfaces = "".join(
        f'[surface.half_{name}]\ntexture = "{name}"\ntranslucency = 0.5\n'
        + mesh(f"sheet_{name}", pane(f"half_{name}", 3.0, 2.2))
        for name in CROWD
    )
    world = recipe(surfaces, *(static(f"sheet_{n}", x, y, 20 + z) for n, x, y, z in crowd))
    stage = staged(world, size=(400, 300))
    eye = (84.0, 69.0, 22.2)
    shot = stage.shoot(OUT, eye, (84, 84, 22.0))

    def far(index: int) -> float:
        _, x, y, z = crowd[index]
        return math.dist(eye, (x, y, 20 + z + 1.1))

    plain = sorted(range(len(crowd)), key=far, reverse=True)
    told = [int(name.rpartition(":")[2]) for name in shot.told("Part", "object")]
    assert told == plain
    blended = ops(shot.records, Op.ALPHA)
    assert [int(e["object"].rpartition(":")[2]) for e in shot.kinds("DrawDeferred")] == plain
    bare = stage.redraw(without(shot.records, blended))
    listed = sorted(blended, key=lambda at: int(shot.records["owner"][at]))
    wrong_records = shot.records.copy()
    wrong_records[blended] = shot.records[listed]
    wrong = stage.redraw(wrong_records)

    def laid(point: tuple[float, float, float]) -> list[float] | None:
        """What sheets give, one over the other, on the way from the eye to a point and beyond;
        None where the edge of one runs."""
        px, py = shot.to_pixel(point)
        colour = [float(v) for v in bare[py, px]]
        for index in plain:
            name, x, y, z = crowd[index]
            t = (y - eye[1]) / (point[1] - eye[1])
            across, up = (eye[k] + t * (point[k] - eye[k]) for k in (0, 2))
            inside = min(1.5 - abs(across - x), up - 20 - z, 22.2 + z - up)
            if abs(inside) < 0.08:  # a pixel
                return None
            if inside > 0:
                colour = [0.5 * c + 0.5 * v for c, v in zip(colour, COLOURS[name], strict=True)]
        return colour

    asked = others = 0
    for i in range(21 * 8):
        point = (79.0 + 0.5 * (i % 21), 84.0, 20.4 + 0.5 * (i // 21))
        px, py = shot.to_pixel(point)
        wanted = laid(point)
        if wanted is not None:
            asked += 1
            assert np.abs(shot.picture[py, px] - wanted).max() <= 3
            others += np.abs(wrong[py, px] - wanted).max() > NEAR
    assert asked > 40
    assert others > 10, "the list's own order gives other colours"
    shown("order_lf6", shot.picture, wrong)

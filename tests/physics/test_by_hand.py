"""Slopes, ledges and walls against numbers worked out by hand from section 5, to the tick."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from builders.walkers import Walker, recipe
from builders.worlds import baked

from acclient_py.physics.path import FLOOR_Z

RADIUS = 0.48
MIDDLE = 0.48  # of the lower sphere over the ground: 0.475 in the Setup, 0.005 at rest
PACE = 3.12 / 30.0  # metres a walking doll makes in a tick
FIELD = 0x7F7F0024
HALL = 0x01010100
LEDGES = (0.3, 0.47, 0.55, 0.61, 0.70, 0.78, 0.9)
CYLINDERS = {0.59: True, 0.60: True, 0.604: False, 0.65: False}

ROOMS = """
[[room]]
name = "hall"
block = "0101"
at = [60, 60, 0]
size = [60, 60, 30]
[[room]]
name = "side"
block = "0101"
at = [93, 60, 0]
size = [6, 6, 4]
[[door]]
rooms = ["hall", "side"]
width = 3
"""


def hillside(step: float) -> str:
    """Ground that rises eastwards by `step` metres a cell, from 10 steps at x = 96."""
    heights = [min(i * step, 800.0) for i in range(256)]
    return f"""
[region]
heights = {heights}
[terrain]
blocks = ["7F7F", "7F7F"]
base = {10 * step}
shapes = [{{ kind = "slope", rise = [{step / 24.0}, 0], at = [96, 96] }}]
"""


@cache
def furnished() -> str:
    """The hall, with a Setup for each ledge and each cylinder."""
    text = ROOMS
    for i, height in enumerate(LEDGES):
        piece = f'{{ shape = "box", surface = "stone", size = [4, 4, {height}] }}'
        text += f"[mesh.ledge{i}]\nphysics = true\npieces = [{piece}]\n"
        text += f'[setup.ledge{i}]\nmesh = "ledge{i}"\n'
    text += '[mesh.post]\npieces = [{ shape = "box", surface = "stone", size = [1, 1, 1] }]\n'
    for i, height in enumerate(CYLINDERS):
        text += f'[setup.post{i}]\nmesh = "post"\n'
        text += f"cylinders = [{{ radius = 0.5, height = {height} }}]\n"
    return text


def in_hall(name: str) -> Walker:
    walker = Walker(furnished(), HALL, (50.0, 60.0, 0.01))
    walker.statue(baked(recipe(furnished())).ids[f"setup {name}"], HALL, (60.0, 60.0, 0.0))
    return walker


@pytest.mark.parametrize(("step", "stands"), [(27.01, True), (27.02, False), (13.5, True)])
def test_one_walks_on_the_steepest_slope_and_slides_off_the_next(step: float, stands: bool) -> None:
    """0.4 mm a metre lie between the two: normals of 0.66423 and 0.66409, the floor's is 0.66417.

    What goes into the ground is taken off a step: uphill it is shorter by the square of the
    cosine. Downhill and across it keeps its length, seen from above (5.3).
    Sabotage: ask for a steeper floor (`FLOOR_Z` 0.6640), or take nothing off a step uphill.
    """
    rise = step / 24.0
    flat = 1.0 / math.sqrt(1.0 + rise * rise)
    assert (flat >= FLOOR_Z) == stands

    def ground(x: float) -> float:
        return 10.0 * step + (x - 96.0) * rise

    walker = Walker(hillside(step), FIELD, (108.0, 84.0, ground(108.0) + 0.3))
    assert walker.grounded == stands
    if not stands:
        walker.tick(30)
        assert walker.at[0] < 107.0
        return
    for heading in (90, 45, 0, 225, 270):
        walker.place(FIELD, (108.0, 84.0, ground(108.0) + 0.3))
        walker.walk(heading, 10)
        begin = walker.at
        walker.walk(heading, 15)
        east, north = (15 * PACE * f(math.radians(heading)) for f in (math.sin, math.cos))
        if east > 0.0:
            east *= flat * flat
        moved = walker.at - begin
        assert moved == pytest.approx([east, north, east * rise], abs=1e-3), heading
        assert walker.at[2] - ground(walker.at[0]) == pytest.approx(0.005, abs=2e-4)


@pytest.mark.parametrize("i", range(len(LEDGES)))
def test_a_ledge_is_stepped_on_when_the_lowest_sphere_touches_its_top(i: int) -> None:
    """Of a step that ends `near` before the ledge: its face is touched, and its top's edge (5.8).

    Half a centimetre of rest, and no more than one and a half step heights (0.9 m).
    Sabotage: let `find_walkable` take a polygon whose edge is beyond the radius.
    """
    height, walker = LEDGES[i], in_hall(f"ledge{i}")
    for pace in (0.02, PACE, 0.3):
        for before in np.linspace(RADIUS + 2e-4, RADIUS + pace - 3e-4, 8):
            walker.place(HALL, (58.0 - before, 60.0, 0.01))
            walker.step(pace, 0.0)
            near, reach = before - pace, (RADIUS - 2e-4) ** 2
            meets = near**2 + max(0.0, MIDDLE - height) ** 2 < reach
            steps = meets and near**2 + (height - MIDDLE) ** 2 < reach and height <= 0.905
            where = 58.0 - (before if meets and not steps else near)
            up = height if steps else 0.0
            assert walker.at == pytest.approx([where, 60.0, up + 0.005], abs=2e-3), (pace, near)


@pytest.mark.parametrize("i", range(len(CYLINDERS)))
def test_a_cylinder_is_stepped_on_up_to_the_step_height(i: int) -> None:
    """The sphere's radius and the height, less where its middle is: 0.48 + h - 0.48 (5.8).

    Sabotage: leave the sphere's radius out of the rise; he steps onto all of them.
    """
    height, climbs = list(CYLINDERS.items())[i]
    walker = in_hall(f"post{i}")
    walker.place(HALL, (58.0, 60.0, 0.01))
    top = max(float(walker.at[2]) for _ in range(40) if walker.step(0.05, 0.0))
    assert top == pytest.approx(0.005 + (height if climbs else 0.0), abs=1e-3)


@pytest.mark.parametrize("degrees", [0.5, 10, 45, 80, 82, 83, 89, 89.95])
def test_along_a_wall_goes_what_is_left_of_a_step(degrees: float) -> None:
    """The cosine of the angle; less than the root of epsilon (14 mm) along it is no slide (5.5).

    Then each second step is lost: it is stopped, and the next is laid along the wall (5.3). What is
    shorter than epsilon is no step.
    Sabotage: let `slide_sphere` take any way for one; at 83 degrees he goes at twice the speed.
    """
    walker = Walker(ROOMS, HALL, (30.485, 45.0, 0.01))  # the wall is at x = 30
    angle = math.radians(degrees)
    begin = walker.at
    walker.walk(360.0 - degrees, 120)
    begin = walker.at
    walker.walk(360.0 - degrees, 60)
    along = PACE * math.cos(angle)
    if along < math.sqrt(2e-4):
        along = along / 2.0 if along >= 2e-4 else 0.0
    assert walker.at[0] - 30.0 == pytest.approx(RADIUS, abs=0.12)
    assert walker.at[0] == pytest.approx(begin[0], abs=1e-3)
    assert walker.at[1] - begin[1] == pytest.approx(60 * along, abs=2 * along + 1e-3)

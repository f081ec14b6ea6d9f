"""A body walks through baked worlds: doors, stairs and walls are what the recipe says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders.walkers import Walker
from builders.worlds import TINY, baked

from acclient_py.bake.bake import bake_recipe

PLAYER = "0x50000001"


def walk(folder: Path, worlds: list[str], start: dict[str, Any], legs: list[Any]) -> list[Any]:
    """Where the doll is after each leg (heading, seconds): (cell, origin)."""
    includes = [str(TINY / name) for name in ["parts/doll.toml", *worlds]]
    recipe = folder / "walk.toml"
    recipe.write_text(f"include = {json.dumps(includes)}\n", encoding="utf-8")
    world = bake_recipe(recipe, folder / "world")
    steps: list[dict[str, Any]] = [
        {"do": "create", "guid": PLAYER, "instance": 1, "setup": "0x02000001",
         "motion": "0x09000001", "player": True, "at": start},
    ]  # fmt: skip
    for number, (heading, seconds) in enumerate(legs):
        steps.append({"do": "walk", "guid": PLAYER, "heading": heading, "seconds": seconds})
        steps.append({"do": "checkpoint", "name": str(number)})
    scenario = folder / "walk.json"
    scenario.write_text(
        json.dumps({"schema": "acclient/scenario/1", "world": str(world.folder), "steps": steps})
    )
    done = subprocess.run(
        [sys.executable, "-m", "acclient_py", "run", str(scenario)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    objects = [json.loads(line)["objects"][0] for line in done.stdout.splitlines()]
    return [(int(o["cell"], 16), o["origin"]) for o in objects]


def test_one_enters_the_hut_by_its_door_and_its_walls_hold(tmp_path: Path) -> None:
    """Sabotage: leave the reveals' holes out of the inner faces; the door is shut."""
    start = {"cell": "0x7F7F001C", "origin": [84.0, 76.0, 20.0], "rotation": [1, 0, 0, 0]}
    before, inside, wall, out = walk(
        tmp_path, ["hut.toml"], start, [(0.0, 1.2), (0.0, 1.5), (0.0, 2.0), (180.0, 4.0)]
    )
    assert before[0] == 0x7F7F001C
    assert inside[0] == wall[0] == 0x7F7F0100
    assert inside[1][2] == pytest.approx(20.2, abs=0.01)  # on the floor
    assert 86.7 - wall[1][1] == pytest.approx(0.48, abs=0.05)  # the body's radius off the wall
    assert out[0] == 0x7F7F001C
    assert out[1][2] == pytest.approx(20.0, abs=0.01)


def test_one_climbs_the_inns_stairs_and_comes_down_again(tmp_path: Path) -> None:
    start = {"cell": "0x7F7F003C", "origin": [187.5, 77.0, 20.0], "rotation": [1, 0, 0, 0]}
    legs = [(0.0, 1.35), (90.0, 1.5), (0.0, 1.0), (0.0, 1.6), (270.0, 1.5), (90.0, 1.5),
            (180.0, 3.0)]  # fmt: skip
    places = walk(tmp_path, ["inn.toml"], start, legs)
    assert [cell & 0xFFFF for cell, _ in places] == [
        0x100, 0x101, 0x102, 0x103, 0x104, 0x103, 0x101,
    ]  # fmt: skip
    assert places[4][1][2] == pytest.approx(23.2, abs=0.01)  # the upper floor
    assert places[6][1][2] == pytest.approx(20.2, abs=0.01)  # the lower one


# world: start (x, y), and for each place on the way its (x, y), room and floor above the start's
WAYS: dict[str, tuple[tuple[float, float], list[tuple[float, float, str | None, float]]]] = {
    "cottage": ((83, 78), [(83, 84, "0", 0.2), (83, 78, None, 0.0)]),
    "tower": (
        (81.5, 78),
        [
            *[
                (*[(81.5, 81.5), (86.5, 81.5), (86.5, 86.5), (81.5, 86.5)][k % 4],
                 f"landing_{k}", k + 0.2)
                for k in range(9)
            ],
            (84, 81.5, "gallery", 8.2),
            (84, 84, "lantern", 8.2),
            (84, 81.5, "gallery", 8.2),
            (81.5, 81.5, "landing_8", 8.2),
            (81.5, 86.5, "landing_7", 7.2),
        ],
    ),
    "hall": (
        (84, 84),
        [(76, 84, "hall/back", 0.2), (84, 84, None, 0), (101, 84, "booth/0", 0.2),
         (96, 84, None, 0)],
    ),
    "mine": (
        (84, 79),
        [(84, 83, "porch", 0.2), (84, 103, "chamber", -3.6), (92, 103, "gallery", -3.6),
         (84, 103, "chamber", -3.6), (84, 83, "porch", 0.2), (84, 79, None, 0)],
    ),
    "inn": (
        (187.5, 77),
        [(187.5, 85, "taproom", 0.2), (185.2, 84.6, "taproom", 0.2),
         (185.2, 86.7, "back", 0.2), (191.8, 86.7, "cellar", -2.8), (192.5, 81, "cellar", -2.8),
         (191.8, 86.7, "cellar", -2.8), (185.2, 86.7, "back", 0.2), (185.2, 84.6, "taproom", 0.2)],
    ),
    "two_huts": ((84, 84), [(72, 84, "west/0", 0.2), (84, 84, None, 0), (96, 84, "east/0", 0.2)]),
}  # fmt: skip


@pytest.mark.parametrize("world", WAYS)
def test_fixture_architecture_is_walked_through(world: str) -> None:
    """Sabotage: give the tower's flights one step each (1 m), or a door of the mine 0.9 m of
    width; a place is not reached."""
    start, way = WAYS[world]
    cells = {name: number & 0xFFFF for name, number in baked(world).cells.items()}
    cell = 0x7F7F0000 | int(start[0] // 24) * 8 + int(start[1] // 24) + 1
    walker = Walker(world, cell, (*start, 20.0))
    for x, y, room, up in way:
        walker.go(x, y)
        name = room if room is None or "/" in room else f"{world}/{room}"
        if name is None:
            assert walker.cell_id & 0xFFFF < 0x100
        else:
            assert walker.cell_id & 0xFFFF == cells[name], name
        assert walker.at[2] == pytest.approx(20.0 + up, abs=0.02)
        assert walker.grounded

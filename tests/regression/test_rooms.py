"""Many rooms: floods that ended too late or too soon, floors that vanished, cells that exploded.

Rows R3, R9, R20, R21 of the public defects, POR-04.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders.worlds import baked
from regression.stage import (
    BLOCK,
    CELL,
    INSIDE,
    ROOM,
    Stage,
    is_colour,
    recipe,
)

from acclient_py.gpu.device import Device
from acclient_py.gpu.state import State
from acclient_py.kernels.flood import LOST_VIEWS

Staged = Callable[..., Stage]


def room(name: str, at: tuple[float, float, float], size: tuple[float, float, float],
         *more: str) -> str:  # fmt: skip
    """A room of a dungeon in block 7F7F."""
    body = f'[[room]]\nname = "{name}"\nblock = "7F7F"\nat = {list(at)}\nsize = {list(size)}\n'
    return body + INSIDE + "\n".join(more) + "\n"


def door(a: str, b: str, **keys: float) -> str:
    """A door between two rooms."""
    rest = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return f'[[door]]\nrooms = ["{a}", "{b}"]\nwall = "yellow"\nfloor = "blue"\n{rest}'


@pytest.mark.contract("L11")
@pytest.mark.parametrize("front", ["ccw", "cw"])
def test_r3_floor_and_ceiling_of_a_high_cell(
    staged: Staged, front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One winding for all meshes; with the other one floors vanish."""
    if front == "cw":
        real = State.apply

        def apply(self: State, device: Device, target: Any) -> None:
            real(self, device, target)
            device.ctx.front_face = "cw"
            device.known.forget()  # so that the next state says it right again

        monkeypatch.setattr(State, "apply", apply)
    stage = staged(
        recipe(room("a", (20, 20, 0), (6, 6, 7)), room("b", (30, 20, 0), (6, 6, 7)), door("a", "b"))
    )
    eye = (20.0, 20.0, 3.5)
    down = stage.shoot(CELL, eye, (20.3, 20.4, 0))
    up = stage.shoot(CELL, eye, (20.3, 20.4, 7))
    cell = f"0x{CELL:08X}"
    assert down.told("DrawEnvCell", "cell")[-1] == up.told("DrawEnvCell", "cell")[-1] == cell
    right = front == "ccw"
    assert (down.colour((20.5, 20.5, 0.0)) == "blue") is right
    assert (up.colour((20.5, 20.5, 7.0)) == "cyan") is right
    assert (down.count("sky") == up.count("sky") == 0) is right


@pytest.mark.contract("L8")
def test_a_fixed_eye_is_in_the_room_that_holds_it(staged: Staged) -> None:
    """Its cell may be named a room off, as a body's may.

    Sabotage: take the cell that is named; the eye sees nothing of it, and the picture is empty.
    """
    stage = staged(
        recipe(room("a", (20, 20, 0), (6, 6, 3)), room("b", (30, 20, 0), (6, 6, 3)), door("a", "b"))
    )
    eye, target = (30.0, 20.0, 1.6), (20.0, 20.2, 1.5)
    right, off = stage.shoot(CELL + 1, eye, target), stage.shoot(CELL, eye, target)
    assert right.told("DrawEnvCell", "cell")[-1] == f"0x{CELL + 1:08X}"
    assert off.told("DrawEnvCell", "cell") == right.told("DrawEnvCell", "cell")
    assert (off.picture == right.picture).all()


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

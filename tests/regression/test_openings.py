"""Openings seen from outside: what other clients showed through hills, roofs and doors.

Rows R1, R4, R6, R7, R12, R23, R24, R27, R28, R31 of the public defects, ORD-01 and POR-03.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders.worlds import baked
from msgspec.structs import replace
from regression.stage import (
    CELL,
    OUT,
    ROOM,
    Stage,
    house,
    is_colour,
    mesh,
    moved,
    ops,
    pane,
    recipe,
    static,
    terrain_first,
)

from acclient_py.core import frame as frames
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.gpu import programs
from acclient_py.order.stream import Op

Staged = Callable[..., Stage]

FLAME = """
[surface.flame]
texture = "blue"
additive = true
"""  # over a yellow wall it is white, over a red one magenta


@pytest.mark.contract("L4", "L7", "L8")
def test_r6_a_house_at_200_m_is_not_seen_through_a_ridge(staged: Staged) -> None:
    land = """
[terrain]
blocks = ["7F7F", "7F80"]
base = 20
shapes = [{ kind = "ridge", points = [[0, 168], [192, 168]], width = 40, height = 16 }]
"""
    world = recipe(
        house((84, 60), block='"7F80"', size="[22, 12]", height="16.0", roof='{ kind = "flat" }',
              doors='[{ side = "south", width = 14.0, height = 12.0 }]', flatten="8.0"),
        land=land,
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 46, 26), (84, 246, 30))
    door = (84.0, 246.0, 26.0)
    assert [e["building"] for e in shot.kinds("Portal")] == ["0x7F80FFFF:0"]
    assert shot.colour(door) == "green"
    assert not any(shot.count(name) for name in ROOM)
    wrong = stage.redraw(terrain_first(shot.records))
    assert shot.colour(door, wrong) in ROOM


def facing(flame: tuple[float, float, float]) -> str:
    """Two huts with their doors towards each other, and a flame somewhere."""
    return recipe(
        house((72, 84), door='"east"'), house((102, 84), door='"west"'), FLAME,
        mesh("flame", pane("flame", 0.6, 0.6)),
        f'[[static]]\nmodel = "flame"\nblock = "7F7F"\nat = {list(flame)}\nheading = 90\n',
    )  # fmt: skip


@pytest.mark.contract("L8", "L9")
@pytest.mark.parametrize(("side", "under"), [(84.0, "white"), (86.2, "magenta")])
def test_r7_a_flame_before_a_doorway(staged: Staged, side: float, under: str) -> None:
    """ORD-01: out of one hut at the other: before its door, and before its wall."""
    stage = staged(facing((94.0, side, 21.4)))
    shot = stage.shoot(CELL, (73.0, 84, 21.7), (94, 84, 21.6))
    flame = (94.0, side, 21.7)
    assert shot.colour(flame) == under
    told = [e["event"] for e in shot.kinds("Portal", "LookIn", "DrawDeferred", "ClearDepth")]
    assert told == ["Portal", "LookIn", "DrawDeferred", "ClearDepth"]
    blended, punch = ops(shot.records, Op.ALPHA), ops(shot.records, Op.PUNCH)[0]
    wrong = stage.redraw(moved(shot.records, blended, punch))
    plain = {"white": "yellow", "magenta": "red"}[under]
    assert shot.colour(flame, wrong) == plain, "the room, or the wall, wipes it out"


@pytest.mark.contract("L8", "L9", "L11")
def test_r7_a_flame_behind_a_doorway(staged: Staged) -> None:
    """In the room, seen through its door: it waits for the next drain, after the shell."""
    world = recipe(
        FLAME, mesh("flame", pane("flame", 0.8, 0.8)),
        house((84, 84), door='"south"', inside='[{ model = "flame", at = [0, 1.5, 1.2] }]'),
    )  # fmt: skip
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 72, 21.7), (84, 84, 21.6))
    flame = (84.0, 85.5, 21.8)
    assert shot.colour(flame) == "white"
    told = [e["event"] for e in shot.kinds("LookIn", "DrawShell", "DrawDeferred")]
    assert told == ["LookIn", "DrawShell", "DrawDeferred"]
    first = ops(shot.records, Op.CELL)[0]
    wrong = stage.redraw(moved(shot.records, ops(shot.records, Op.ALPHA), first))
    assert shot.colour(flame, wrong) == "yellow"
    inside = stage.shoot(CELL, (84, 82, 21.7), (84, 86, 21.8))
    assert inside.colour(flame) == "white"


@pytest.mark.contract("L7")
def test_r23_windows_behind_a_roof_are_not_seen_through_it(staged: Staged) -> None:
    """The farther house has its window towards the eye, the nearer roof stands before it; and a
    window on the far side is no opening at all (sabotage: leave out the side test)."""
    window = '[{ side = "south", width = 3.0, height = 1.6, sill = 0.6, bars = false }]'
    behind = '[{ side = "north", width = 3.0, height = 1.6, sill = 0.6, bars = false }]'
    world = recipe(house((84, 108), windows=window), house((84, 84), windows=behind, height="3.0"))
    stage = staged(world, fresh=True)
    shot = stage.shoot(OUT, (84, 66, 24), (84, 105, 22))
    far, near = "0x7F7FFFFF:0", "0x7F7FFFFF:1"
    assert {e["building"] for e in shot.kinds("DrawBuilding")} == {far, near}
    assert [e["building"] for e in shot.kinds("Portal")] == [far]
    hidden = (84.0, 105.2, 21.4)
    assert shot.colour(hidden) == "red"
    assert not any(shot.count(name) for name in ROOM)
    shells, punch = ops(shot.records, Op.SHELL), ops(shot.records, Op.PUNCH)[0]
    wrong = stage.redraw(moved(shot.records, shells, punch))
    assert shot.colour(hidden, wrong) in ROOM
    stage.arrays.building_portals["side"] ^= 1
    turned = stage.shoot(OUT, (84, 66, 24), (84, 105, 22))
    assert [e["building"] for e in turned.kinds("Portal")] == [near]


@pytest.mark.contract("L7")
def test_r23_an_opening_whose_room_is_not_there_is_not_punched(staged: Staged) -> None:
    world = recipe(house((84, 84), door='"south"'))

    def doctored(did: int, record: Any) -> Any:
        if not isinstance(record, LandBlockInfo):
            return record
        (building,) = record.buildings
        portals = tuple(replace(p, other_cell_id=0x1FF) for p in building.portals)
        return replace(record, buildings=(replace(building, portals=portals),))

    shot = staged(world, doctored=doctored).shoot(OUT, (84, 72, 21.7), (84, 84, 21.6))
    assert shot.kinds("DrawBuilding", "DrawShell")
    assert not shot.kinds("Portal", "LookIn")
    assert not any(shot.count(name) for name in ROOM)
    assert shot.colour((84.0, 81.0, 20.4)) != "sky"


@pytest.mark.contract("L8", "L11")
def test_r1_por03_over_a_threshold_by_two_millimetres(staged: Staged) -> None:
    """POR-03: 200 frames through a door; no frame is bare, none differs much from the one before,
    and what is drawn of cells does not change. Sabotage: cut openings at the picture's near plane.
    """
    stage = staged(recipe(house((84, 84), door='"south"')))
    before, most, rooms = None, 0.0, []
    for k in range(200):
        y = 81.1005 + 0.002 * k
        here = OUT if y < 81.3 else CELL
        stage.place.aim(here, (84.1, y, 21.6), (84.6, y + 4.0, 21.4))
        picture = stage.place.draw(stage.renderer).astype(np.int32)
        records = stage.renderer.painter.records
        rooms.append(set(records["owner"][records["op"] == Op.CELL].tolist()))
        bare = is_colour(picture, "sky").sum() + is_colour(picture, "green").sum()
        assert bare == 0, y
        if before is not None:
            most = max(most, float((picture != before).any(axis=2).mean()))
        before = picture
    assert most < 0.03
    assert all(found == {CELL} for found in rooms)


@pytest.mark.contract("L7", "L11")
@pytest.mark.parametrize("near", [0.05, 0.02, 0.001])
def test_r24_an_eye_at_an_opening_sees_through_it(staged: Staged, near: float) -> None:
    """The portal stands in the wall's inner face, at y 81.3; its polygon passes the near plane.

    Sabotage: drop a polygon with a corner behind the near plane; the picture is bare.
    """
    stage = staged(recipe(house((84, 84), door='"south"')))
    for aside in (-1.5, 0.0, 1.5):
        into = stage.shoot(OUT, (84, 81.3 - near, 21.3), (84 + aside, 84, 21.3))
        assert into.kinds("Portal", "LookIn")
        seen = sum(into.count(name) for name in ROOM)
        assert seen > 0.9 * into.picture.shape[0] * into.picture.shape[1]
        assert into.count("sky") == into.count("green") == 0
        outof = stage.shoot(CELL, (84, 81.3 + near, 21.3), (84 + aside, 78, 21.3))
        assert len(outof.kinds("View")) == 1
        assert outof.count("green") > 2000
        assert outof.count("sky") > 2000
        assert not any(outof.count(name) for name in ("yellow", "cyan"))


@pytest.mark.contract("L8", "L11")
def test_r27_a_creature_in_a_room_is_seen_through_the_door(staged: Staged) -> None:
    """Sabotage: draw only statics of a cell that is looked into; the first colour fails."""
    world = recipe(
        house((84, 84), door='"south"'),
        mesh("imp", 'shape = "box", size = [0.5, 0.5, 1.2], surface = "magenta"'),
        '[setup.imp]\nmesh = "imp"\ncylinders = [{ radius = 0.3, height = 1.2 }]\n',
    )
    stage = staged(world, fresh=True)
    physics = stage.place.physics
    room = CELL
    setup = stage.did("setup", "imp")
    before, aside = physics.make_object(setup, guid=0x80000001), physics.make_object(
        setup, guid=0x80000002
    )  # fmt: skip
    physics.enter_world(before, room, frames.make(84, 85, 20.2, 0))
    physics.enter_world(aside, room, frames.make(81.2, 82, 20.2, 0))
    shot = stage.shoot(OUT, (84, 73, 21.7), (84, 84, 21.0))
    assert shot.colour((84.0, 84.7, 20.9)) == "magenta"
    assert shot.told("Part", "object") == ["0x80000001"], "the other is beside the opening"
    told = [e["event"] for e in shot.kinds("LookIn", "Part", "DrawShell")]
    assert told == ["LookIn", "Part", "DrawShell"]
    physics.leave_world(before)
    assert stage.frame().colour((84.0, 84.7, 20.9)) == "yellow"


@pytest.mark.contract("L7", "L10")
def test_r4_fills_of_a_shell_are_not_drawn_and_a_door_is(staged: Staged) -> None:
    """Sabotage: draw untextured slots of shells too; a plate stands in the door."""
    world = recipe(
        '[surface.fill]\ncolor = "#FF8000"\n[surface.plain]\ncolor = "#FFFFFF"\n',
        mesh("door", 'shape = "box", size = [0.6, 0.1, 2.0], surface = "plain"'),
        house((84, 84), door='"south"', pieces=(
            '[{ shape = "soup", surface = "fill", solid = false, '
            "points = [[-0.7, -2.8, 0.2], [0.7, -2.8, 0.2], [0.7, -2.8, 2.4], [-0.7, -2.8, 2.4]], "
            "polygons = [[0, 1, 2, 3]] }]")),
        static("door", 84.3, 81.1, 20.2),
    )  # fmt: skip
    stage = staged(world, fresh=True)
    shot = stage.shoot(OUT, (84, 74, 21.7), (84, 84, 21.4))
    open_half, door = (83.6, 81.2, 21.4), (84.3, 81.05, 21.4)
    told = [e["event"] for e in shot.kinds("Portal", "LookIn", "DrawShell", "Part")]
    assert told == ["Portal", "LookIn", "DrawShell", "Part"], "the door is a thing of its own"
    assert shot.colour(open_half) == "yellow"
    assert shot.colour(door) == "white"
    assert shot.count("orange") == 0
    stage.renderer.assets.tables.slots["textured"][:] = 1
    assert stage.frame().colour(open_half) == "orange"


APRON = (
    '[{ shape = "soup", surface = "white", solid = false, '
    "points = [[-8, -8, 0], [8, -8, 0], [8, -3, 0], [-8, -3, 0]], polygons = [[0, 1, 2, 3]] }]"
)


@pytest.mark.contract("L4")
@pytest.mark.parametrize("dropped", [True, False])
def test_r12_a_floor_at_the_grounds_height_wins(
    staged: Staged, dropped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ground is drawn a centimetre lower and never left out under a house."""
    if not dropped:  # the defect: the same height, and ground comes first
        real = programs.source

        def source(name: str, *rest: Any) -> str:
            return real(name, *rest).replace("0.00999999978", "-0.00999999978")

        monkeypatch.setattr(programs, "source", source)
    world = recipe(house((84, 84), door='"south"', floor="0.0", pieces=APRON))
    stage = staged(world, fresh=True)
    for eye in ((84, 60, 24), (70, 76, 30), (84, 40, 21.7)):
        shot = stage.shoot(OUT, eye, (84, 82, 20))
        paved = [
            shot.colour((76.5 + i / 4, 76.5 + k / 4, 20.0)) for i in range(60) for k in range(14)
        ]
        assert ("0x7F7F001C" in shot.told("DrawLandCell", "cell")) is True
        if not dropped:
            assert "green" in paved
            return
        assert set(paved) == {"white"}
    inside = stage.shoot(OUT, (84, 72, 21.7), (84, 82, 20))
    assert inside.colour((84.0, 83.0, 20.0)) == "blue"


@pytest.mark.contract("L11")
def test_r28_a_door_at_150_m_stands_still(staged: Staged) -> None:
    """The eye moves by millimetres; the same room is seen through the same pixels."""
    door = '[{ side = "south", width = 6.0, height = 5.0 }]'
    stage = staged(recipe(house((84, 172), size="[14, 8]", height="6.0", doors=door)))
    counts, rooms = [], []
    for step in range(24):
        shot = stage.shoot(OUT, (84 + 0.001 * step, 18, 24), (84, 168, 22), frames=1)
        counts.append(sum(shot.count(name) for name in ROOM))
        rooms.append(shot.told("LookIn", "cell"))
    assert min(counts) > 10
    assert max(counts) - min(counts) <= 0.25 * max(counts)
    assert rooms == [["0x7F7F0100"]] * len(rooms)


@pytest.mark.contract("L11")
def test_r28_a_spiral_of_cells_has_no_holes(staged: Staged) -> None:
    """From every landing of a tower, four ways: no picture shows what it was cleared to, no cell
    comes twice, and no mesh is missing. Sabotage: stop the flood after 8 cells."""
    stage = staged("tower")
    cells = baked("tower").cells
    turns = [(81.5, 81.5), (86.5, 81.5), (86.5, 86.5), (81.5, 86.5)]
    seen: set[str] = set()
    for k in range(9):
        x, y = turns[k % 4]
        z = 20.0 + k + 1.8
        for ahead in ((x + 3, y), (x - 3, y), (x, y + 3), (x, y - 3)):
            shot = stage.shoot(cells[f"tower/landing_{k}"], (x, y, z), (*ahead, z - 0.4), frames=2)
            told = shot.told("DrawEnvCell", "cell")
            assert len(told) == len(set(told))
            assert f"0x{cells[f'tower/landing_{k}']:08X}" == told[-1], "the eye's cell comes last"
            clear = np.array(stage.clear_colour)
            if not shot.kinds("View"):
                assert not (shot.picture == clear).all(axis=2).any()
            seen |= set(told)
    assert seen == {f"0x{cell:08X}" for cell in cells.values()}


THIN = """
[[building]]
name = "shed"
block = "7F7F"
at = [84, 84]
flatten = { size = [12, 12] }
shell = [
  { shape = "wall", surface = "red", thickness = 0.02, length = 8.08, height = 4.0, at = [0, -3.03, 0], openings = [{ at = 4.04, width = 3.0, height = 2.6, sill = 0.2 }] },
  { shape = "wall", surface = "red", thickness = 0.02, length = 8.08, height = 4.0, at = [0, 3.03, 0] },
  { shape = "wall", surface = "red", thickness = 0.02, length = 6.08, height = 4.0, at = [-4.03, 0, 0], rotate = [0, 0, 90] },
  { shape = "wall", surface = "red", thickness = 0.02, length = 6.08, height = 4.0, at = [4.03, 0, 0], rotate = [0, 0, 90] },
  { shape = "box", surface = "red", size = [8.2, 6.2, 0.1], at = [0, 0, 4.0] },
]
[[building.rooms]]
name = "in"
at = [0, 0, 0.2]
size = [8.0, 6.0, 3.6]
floor = "blue"
wall = "yellow"
ceiling = "cyan"
[[building.exits]]
room = "in"
side = "south"
width = 3.0
height = 2.6
"""  # noqa: E501


@pytest.mark.contract("L7")
def test_r31_a_door_seen_at_one_degree(staged: Staged) -> None:
    """No test stands on the portal polygon, so nothing flickers at a grazing angle, and what stands
    right behind the opening and came with a farther cell is wiped out by it.

    Sabotage: test the punch's depth against what is there, LESS; the slab stands in the door.
    """
    slab = mesh("slab", 'shape = "box", size = [6, 20, 3], surface = "white"')
    stage = staged(recipe(THIN, slab, static("slab", 84, 91.06)), size=(960, 540))
    for degrees in (1.6, 1.8, 2.2, 3.0):  # towards the wall's middle; 0.7 less to the far jamb
        y = 81.0 - 4.0 * np.tan(np.radians(degrees))
        shot = stage.shoot(OUT, (79.0, float(y), 21.6), (84.0, 81.1, 21.5))
        told = [e["event"] for e in shot.kinds("Part", "Portal", "DrawShell")]
        assert told == ["Part", "Portal", "DrawShell"], "the slab comes before the house"
        (left, row), (right, _) = (shot.to_pixel((x, 81.0, 21.5)) for x in (82.4, 85.6))
        across = shot.picture[row, min(left, right) : max(left, right) + 1]
        room = np.any([is_colour(across, name) for name in ROOM], axis=0)
        assert room.sum() >= 1, degrees
        assert (room | is_colour(across, "red")).all(), degrees
        assert np.ptp(np.flatnonzero(room)) + 1 == room.sum(), "one strip without a gap"

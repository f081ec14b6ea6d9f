"""Broken worlds on the screen: the frame goes on, the fault is said once, the stand-in is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from regression.stage import BLOCK, CELL, OUT, ROOM, Stage, house, mesh, recipe, static

from acclient_py.core import frame as frames
from acclient_py.dat.records.env_cell import EnvCell, PortalFlags
from acclient_py.dat.records.environment import Environment
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.errors import MissingRecord
from acclient_py.log import forget_warnings
from acclient_py.view.eye import SweptEye

Staged = Callable[..., Stage]
HUT = recipe(house((84, 84), door='"south"', name='"hut"'))
AT_THE_DOOR = (OUT, (84.0, 72.0, 21.7), (84.0, 84.0, 21.6))


@pytest.fixture(autouse=True)
def _fresh_warnings() -> None:
    forget_warnings()


def said(caplog: pytest.LogCaptureFixture, *words: str) -> list[str]:
    """What was logged that holds all these words."""
    lines = [record.getMessage() for record in caplog.records]
    return [line for line in lines if all(word in line for word in words)]


@pytest.mark.contract("L7")
def test_a_building_without_portals(staged: Staged, caplog: pytest.LogCaptureFixture) -> None:
    """Its shell has an opening that the block does not list: said once, the rest is drawn.

    Sabotage: leave the check of openings out; nothing is said.
    """

    def doctored(did: int, record: Any) -> Any:
        if not isinstance(record, LandBlockInfo):
            return record
        return replace(record, buildings=tuple(replace(b, portals=()) for b in record.buildings))

    stage = staged(HUT, doctored=doctored)
    shot = stage.shoot(*AT_THE_DOOR)
    assert len(said(caplog, "lists 0")) == 1
    assert len(shot.kinds("DrawBuilding", "DrawShell")) == 2
    assert not shot.kinds("Portal", "LookIn")
    assert shot.count("red") > 500
    assert not any(shot.count(name) for name in ROOM)


def short(polygons: Any, portals: Any) -> Any:
    """Polygons of which those that are openings have two corners."""
    return tuple(
        replace(p, vertex_indices=p.vertex_indices[:2], pos_uv=p.pos_uv[:2]) if i in portals else p
        for i, p in enumerate(polygons)
    )


@pytest.mark.contract("L11")
def test_a_portal_of_a_cell_with_two_corners(
    staged: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is seen through it, and that is said once. Sabotage: say nothing of it; the last
    assertion fails."""

    def doctored(did: int, record: Any) -> Any:
        if not isinstance(record, Environment):
            return record
        structures = tuple(
            replace(s, polygons=short(s.polygons, s.portals)) for s in record.structures
        )
        return replace(record, structures=structures)

    stage = staged(HUT, doctored=doctored)
    shot = stage.shoot(CELL, (84, 85, 21.6), (84, 81, 21.6))
    assert not shot.kinds("View", "Seal")
    assert [e["cell"] for e in shot.kinds("DrawEnvCell")] == [f"0x{CELL:08X}"]
    assert shot.count("yellow") > 2000
    assert len(said(caplog, "2 corners", f"0x{CELL:08X}")) == 1


@pytest.mark.contract("L7")
def test_a_portal_of_a_shell_with_two_corners(
    staged: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    def doctored(did: int, record: Any) -> Any:
        if not isinstance(record, GfxObj) or record.drawing_bsp is None:
            return record
        portals = {int(p) for p, _ in record.drawing_bsp.portals.tolist()}
        return replace(record, polygons=short(record.polygons, portals))

    stage = staged(HUT, doctored=doctored)
    shot = stage.shoot(*AT_THE_DOOR)
    assert shot.kinds("DrawShell")
    assert not shot.kinds("Portal", "LookIn")
    assert len(said(caplog, "2 corners")) == 1
    again = stage.frame()
    assert np.array_equal(again.picture, shot.picture)


@pytest.mark.contract("L11")
def test_a_cell_that_sees_itself(staged: Staged, caplog: pytest.LogCaptureFixture) -> None:
    """Its door leads back into it: the flood ends, the cell is drawn once, the door is bare.

    Sabotage: let its door give it views; it has more than one.
    """

    def doctored(did: int, record: Any) -> Any:
        if not isinstance(record, EnvCell):
            return record
        back = {"other_cell_id": did & 0xFFFF, "other_portal_id": 0}
        portals = tuple(
            replace(p, flags=p.flags & ~PortalFlags.OUTSIDE, **back) for p in record.portals
        )
        return replace(record, portals=portals)

    stage = staged(HUT, doctored=doctored)
    for heading in range(0, 360, 30):
        x, y = np.sin(np.radians(heading)), np.cos(np.radians(heading))
        shot = stage.shoot(CELL, (84, 84, 21.6), (84 + float(x), 84 + float(y), 21.5))
        told = [(e["cell"], e["views"]) for e in shot.kinds("DrawEnvCell")]
        assert told == [(f"0x{CELL:08X}", 1)], "its door gives it no view"
        assert sum(shot.count(name) for name in ROOM) > 10000
    assert len(said(caplog, "leads back", f"0x{CELL:08X}")) == 1
    outside = stage.shoot(*AT_THE_DOOR)
    assert outside.told("LookIn", "cell") == [f"0x{CELL:08X}"]


@pytest.mark.contract("L11")
def test_a_view_that_shrinks_to_nothing(staged: Staged) -> None:
    """A slit of a millimetre far away is thinner than a pixel: no punch, no look-in, no fault."""
    slit = '[{ side = "south", width = 0.001, height = 1.5, sill = 0.5 }]'
    world = recipe(house((84, 84), windows=slit))
    stage = staged(world)
    shot = stage.shoot(OUT, (84, 20, 22), (84, 84, 21.6))
    assert shot.kinds("DrawShell")
    assert not shot.kinds("Portal", "LookIn")
    inside = stage.shoot(CELL, (84, 86.5, 21.6), (84.5, 81, 21.6))
    assert not inside.kinds("View")
    assert sum(inside.count(name) for name in ROOM) == inside.picture.size / 3


@pytest.mark.contract("L7", "L11")
@pytest.mark.parametrize("cell", [OUT, CELL])
def test_an_eye_on_a_portals_plane(
    staged: Staged, cell: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither side sees the other from exactly there (spec 4.3); both frames are whole, and a
    millimetre further they are joined again. Sabotage: cut openings at w = 0; corners of a seal
    are no numbers."""
    monkeypatch.setattr(SweptEye, "off_portals", lambda self, cell_id, eye: eye)
    stage = staged(HUT)
    plane = float(np.float32(81.3))
    for ahead in ((84.4, 86.0, 21.4), (83.5, 76.0, 21.4), (90.0, 81.3, 21.6)):
        shot = stage.shoot(cell, (84.0, plane, 21.6), ahead)
        drawn = shot.kinds("DrawEnvCell") if cell == CELL else shot.kinds("DrawLandCell")
        assert drawn
        assert not shot.kinds("Portal")
        assert np.isfinite(stage.renderer.painter.portal_vertices).all()
    step = 0.001 if cell == CELL else -0.001
    beside = stage.shoot(cell, (84.0, plane + step, 21.6), (84.2, plane - 8 * step / 0.001, 21.6))
    assert beside.kinds("View" if cell == CELL else "Portal")


@pytest.mark.contract("L11")
def test_a_fixed_eye_in_a_doors_plane_sees_through_it(staged: Staged) -> None:
    """As the swept eye does, a fixed one in a room stands half a millimetre within a door's plane.

    Sabotage: leave a fixed eye where it was put; the door shows what the picture was cleared to,
    and the landscape is not drawn.
    """
    stage = staged(HUT)
    plane = float(np.float32(81.3))
    out = stage.shoot(CELL, (84.0, plane, 21.6), (84.2, 73.3, 21.0))
    assert len(out.kinds("View")) == 1
    assert out.count("green") > 0.4 * out.picture.size / 3
    into = stage.shoot(CELL, (84.0, plane, 21.6), (84.4, 86.0, 21.4))
    assert sum(into.count(name) for name in ROOM) > 0.95 * into.picture.size / 3


@pytest.mark.contract("L5")
def test_a_missing_mesh_is_a_stand_in_and_said_once(
    staged: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    """Sabotage: leave a thing without a mesh out; nothing stands there."""
    world = recipe(mesh("post", 'shape = "box", size = [1, 1, 2], surface = "white"'),
                   static("post", 84, 84), static("post", 88, 84))  # fmt: skip
    whole = staged(world).shoot(OUT, (86, 74, 22), (86, 84, 21))
    post = (84.0, 83.6, 20.4)
    assert whole.colour(post) == "white"

    def doctored(did: int, record: Any) -> Any:
        if isinstance(record, GfxObj) and record.surfaces and did == posts:
            raise MissingRecord(did)
        return record

    posts = staged(world).did("mesh", "post")
    stage = staged(world, doctored=doctored)
    shot = stage.shoot(OUT, (86, 74, 22), (86, 84, 21))
    assert len(shot.kinds("Part")) == 2
    assert shot.colour((84.0, 83.6, 20.3)) not in ("white", "green", "sky"), "a stand-in is seen"
    assert len(said(caplog, "stand-in", f"0x{posts:08X}")) == 1


@pytest.mark.contract("L6", "L10")
def test_a_nan_in_a_frame(staged: Staged, caplog: pytest.LogCaptureFixture) -> None:
    """A part that stands nowhere is not drawn and is said once; the others are as before.

    Sabotage: let it through; the picture has its triangles, or the sort loses an entry.
    """
    world = recipe(
        mesh("post", 'shape = "box", size = [1, 1, 2], surface = "white"'),
        mesh("mark", 'shape = "box", size = [1, 1, 2], surface = "magenta"'),
        '[setup.post]\nmesh = "post"\n[setup.mark]\nmesh = "mark"\n',
    )
    stage = staged(world, fresh=True)
    physics = stage.place.physics
    put = {}
    for name, x in (("post", 82.0), ("mark", 86.0)):
        obj = physics.make_object(stage.did("setup", name))
        physics.add_obj_to_cell(obj, physics.cell_slot(BLOCK | 0x1C), frames.make(x, 84, 20, 0))
        put[name] = obj
    view = (OUT, (84.0, 74.0, 22.0), (84.0, 84.0, 21.0))
    whole = stage.shoot(*view)
    assert whole.count("white") > 100
    part = int(stage.arrays.objects["part_first"][put["post"]])
    for broken in (slice(0, 3), slice(3, 7), slice(0, 1)):
        stage.arrays.parts["frame"][part, broken] = np.nan
        shot = stage.shoot(*view)
        assert shot.count("white") == 0
        assert shot.count("magenta") == whole.count("magenta")
        assert len(shot.told("Sort", "parts")[0]) == 2, "the order still holds both"
        assert np.array_equal(
            shot.picture[whole.picture[..., 1] == 160], whole.picture[whole.picture[..., 1] == 160]
        )
    assert len(said(caplog, "not finite")) == 1, "once, whatever of it is broken"

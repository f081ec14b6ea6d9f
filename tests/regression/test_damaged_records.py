"""Records that contradict themselves or each other: one line said of each, the rest is drawn.

A house, a post beside it, and one damage at a time. The table names what is damaged, the words of
the line that is said of it, and what is still seen of the house from before its door.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from regression.stage import BLOCK, CELL, OUT, ROOM, Shot, Stage, house, mesh, recipe, static

from acclient_py.core.frame import Frame
from acclient_py.dat.records.env_cell import EnvCell, PortalFlags
from acclient_py.dat.records.environment import Environment
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.log import forget_warnings

NAN = float("nan")
Damage = Callable[[int, Any], Any]
HUT = recipe(
    house((84, 84), door='"south"', name='"hut"'),
    mesh("post", 'shape = "box", size = [1, 1, 2], surface = "white"'),
    static("post", 88, 78),
)
BEFORE_THE_DOOR = (OUT, (84.0, 72.0, 21.7), (84.0, 84.0, 21.6))
IN_THE_ROOM = (CELL, (84.0, 86.5, 21.6), (84.0, 81.0, 21.4))


@pytest.fixture(autouse=True)
def _fresh_warnings() -> None:
    forget_warnings()


def of(kind: type[Any], change: Callable[[Any], Any]) -> Damage:
    """A damage of all records of a kind."""
    return lambda did, record: change(record) if isinstance(record, kind) else record


def shell(change: Callable[[Any], Any]) -> Damage:
    """A damage of the house's shell, which alone has openings."""

    def doctored(did: int, record: Any) -> Any:
        tree = record.drawing_bsp if isinstance(record, GfxObj) else None
        return change(record) if tree is not None and len(tree.portals) else record

    return doctored


def astray(record: Any) -> Any:
    """Its first corner is nowhere."""
    rows = record.vertices.vertices.copy()
    rows["position"][0] = NAN
    return replace(record, vertices=replace(record.vertices, vertices=rows))


def nodes(field: str) -> Callable[[Any], Any]:
    """A field of all nodes of the drawing tree is no number."""

    def change(record: Any) -> Any:
        rows = record.drawing_bsp.nodes.copy()
        rows[field] = NAN
        return replace(record, drawing_bsp=replace(record.drawing_bsp, nodes=rows))

    return change


def openings(column: int, value: int) -> Callable[[Any], Any]:
    """Openings are another polygon (column 0) or lead to another portal (1)."""

    def change(record: Any) -> Any:
        rows = np.array(record.drawing_bsp.portals)
        rows[:, column] = value
        return replace(record, drawing_bsp=replace(record.drawing_bsp, portals=rows))

    return change


def buildings(change: Callable[[Any], Any]) -> Damage:
    return of(LandBlockInfo, lambda r: replace(r, buildings=tuple(change(b) for b in r.buildings)))


def behind(**fields: Any) -> Callable[[Any], Any]:
    """The openings that a building lists are others."""
    return lambda b: replace(b, portals=tuple(replace(p, **fields) for p in b.portals))


def doors(**fields: Any) -> Damage:
    """The portals of a room are others."""

    def change(record: Any) -> Any:
        keep = {"flags": PortalFlags(0), **fields}
        return replace(record, portals=tuple(replace(p, **keep) for p in record.portals))

    return of(EnvCell, change)


def moved(frame: Frame, *origin: float) -> Frame:
    return replace(frame, origin=origin)


def turned(frame: Frame) -> Frame:
    return replace(frame, rotation=(NAN, 0.0, 0.0, 0.0))


WHOLE, SHELL, NOTHING, CHECKER = "whole", "shell", "nothing", "checker"
HOUSE = f"0x{BLOCK | 0xFFFF:08X}"
ROOM_ID = f"0x{CELL:08X}"
TABLE: dict[str, tuple[Damage, tuple[str, ...], str]] = {
    "planes of a shell's tree": (shell(nodes("plane")), ("plane 0", "not finite"), SHELL),
    "opening is no polygon": (shell(openings(0, 999)), ("polygon 999 of",), SHELL),
    "opening is not listed": (shell(openings(1, 77)), ("78 openings", "lists 1"), SHELL),
    "sphere of a shell": (shell(nodes("sphere")), ("stand-in", "sphere is not finite"), CHECKER),
    "corner of a shell": (shell(astray), ("stand-in", "vertex 0 is not finite"), CHECKER),
    "sorting centre": (
        shell(lambda r: replace(r, sort_center=(0.0, NAN, 0.0))),
        ("stand-in", "sorting centre is not finite"),
        CHECKER,
    ),
    "building is nowhere": (
        buildings(lambda b: replace(b, frame=moved(b.frame, NAN, 84.0, 20.0))),
        ("building 0", HOUSE, "not finite"),
        NOTHING,
    ),
    "building is turned nowhere": (
        buildings(lambda b: replace(b, frame=turned(b.frame))),
        ("building 0", HOUSE, "not finite"),
        NOTHING,
    ),
    "building is in another block": (
        buildings(lambda b: replace(b, frame=moved(b.frame, 84.0, -84.0, 20.0))),
        ("building 0", HOUSE, "none of the block's cells"),
        NOTHING,
    ),
    "opening leads to no cell": (
        buildings(behind(other_cell_id=0x144)), (HOUSE, "0x7F7F0144"), SHELL
    ),
    "opening leads to a land cell": (
        buildings(behind(other_cell_id=0x3)), (HOUSE, "0x7F7F0003"), SHELL
    ),
    "stab list names nothing": (
        buildings(behind(stabs=(0x100, 0x133))), (HOUSE, "0x7F7F0133"), WHOLE
    ),
    "room is nowhere": (
        of(EnvCell, lambda r: replace(r, frame=moved(r.frame, 84.0, NAN, 20.0))),
        (ROOM_ID, "frame is not finite"),
        SHELL,
    ),
    "corner of a room": (
        of(Environment, lambda r: replace(r, structures=tuple(map(astray, r.structures)))),
        ("0x0D000001", "vertex 0 is not finite"),
        SHELL,
    ),
    "portal of a room is no polygon": (
        doors(polygon_id=99), (ROOM_ID, "polygon 99 is no portal"), SHELL
    ),
    "portal of a room leads to no cell": (
        doors(other_cell_id=0x177), (HOUSE, "0x7F7F0177"), WHOLE
    ),
    "room lacks surfaces": (
        of(EnvCell, lambda r: replace(r, surfaces=())), ("checker", ROOM_ID, "of 0"), CHECKER
    ),
    "post stands nowhere": (
        of(
            LandBlockInfo,
            lambda r: replace(
                r, objects=tuple(replace(o, frame=moved(o.frame, NAN, 0, 0)) for o in r.objects)
            ),
        ),
        ("static 0", HOUSE, "not finite"),
        WHOLE,
    ),
}  # fmt: skip


def seen(shot: Shot) -> str:
    """What stands where the house should; a checker is magenta and black, however small."""
    red, green, blue = (shot.picture[..., k] for k in range(3))
    if ((red > 80) & (abs(red - blue) < 2) & (green < 30)).any():
        return CHECKER
    if any(shot.count(name) for name in ROOM):
        return WHOLE
    return SHELL if shot.count("red") else NOTHING


def said(caplog: pytest.LogCaptureFixture, *words: str) -> list[str]:
    """What was logged that holds all these words."""
    lines = [record.getMessage() for record in caplog.records]
    return [line for line in lines if all(word in line for word in words)]


@pytest.mark.contract("I2")
@pytest.mark.parametrize("name", TABLE)
def test_a_damaged_record(
    staged: Callable[..., Stage], caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """One line, and the frame goes on: ground, sky, post, and what is left of the house."""
    doctored, words, left = TABLE[name]
    stage = staged(HUT, doctored=doctored)
    shot = stage.shoot(*BEFORE_THE_DOOR)
    assert len(said(caplog, *words)) == 1, caplog.text
    assert seen(shot) == left
    assert shot.count("green") > 7000
    assert bool(shot.count("white")) == (name != "post stands nowhere")
    again = stage.frame()
    assert np.array_equal(again.picture, shot.picture)
    stage.shoot(*IN_THE_ROOM)
    assert len(said(caplog, *words)) == 1, "once"


@pytest.mark.contract("I2", "L7")
def test_rooms_that_are_lacking(
    staged: Callable[..., Stage], caplog: pytest.LogCaptureFixture
) -> None:
    """A block whose env cells are not in the DATs: said once, its shells stand, nothing is punched.

    Sabotage: leave Residency._report_missing out; nothing is said.
    """
    stage = staged(
        HUT, missing=lambda did: did >> 16 == BLOCK >> 16 and 0x100 <= did & 0xFFFF < 0xFFFE
    )
    shot = stage.shoot(*BEFORE_THE_DOOR)
    assert len(said(caplog, HOUSE, "(1, the first", ROOM_ID)) == 1, caplog.text
    assert shot.kinds("DrawShell")
    assert not shot.kinds("Portal", "LookIn")
    assert seen(shot) == SHELL

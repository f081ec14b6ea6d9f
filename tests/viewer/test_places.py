"""Places in the forms that other programs write, and the round trip of what is printed here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from builders.hosts import HERE, Story, story
from builders.hosts import PLAYER as WHO
from builders.worlds import opened

from acclient_py.core import location
from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.render.scene import SceneMaker
from acclient_py.viewer.commands import Commands
from acclient_py.viewer.hud import Hud
from acclient_py.viewer.places import find_place, is_question, names_of

HUMAN = "0x02000001"


@pytest.mark.parametrize(
    "text",
    [
        "0x7F7F003D [180.5 96.25 20.0] 0.6 0 0 -0.8",
        "Your location is: 0x7F7F003D [180.500000 96.250000 20.000000] 0.600000 0 0 -0.8",
        "  your location is 7F7F003D [180.5, 96.25, 20.0] 0.6, 0, 0, -0.8.",
        "@teleloc 0x7F7F003D 180.5 96.25 20.0 0.6 0 0 -0.8",
        "/teleloc 7f7f003d 180.5,96.25,20,0.6,0,0,-0.8",
        '{"cell": "0x7F7F003D", "origin": [180.5, 96.25, 20], "rotation": [0.6, 0, 0, -0.8]}',
    ],
)
def test_a_location_as_others_write_it(text: str) -> None:
    with opened("doll") as dats:
        at = find_place(dats, Host(dats).region, text)
    assert (int(at.cell), at.origin) == (0x7F7F003D, (180.5, 96.25, 20.0))
    assert at.rotation == pytest.approx((0.6, 0.0, 0.0, -0.8), abs=1e-6)


@pytest.mark.parametrize(
    ("text", "cell", "x", "y"),
    [
        ("0.2S, 0.1E", 0x7F7F0022, 108.0, 36.0),
        ("0.2s 0.1e", 0x7F7F0022, 108.0, 36.0),
        ("0.2S,0.1E", 0x7F7F0022, 108.0, 36.0),
        ("/go 0.2S0.1E", 0x7F7F0022, 108.0, 36.0),
        ("0.21S, 0.14E", 0x7F7F0022, 117.6, 33.6),
    ],
)
def test_map_coordinates_to_the_decimal(text: str, cell: int, x: float, y: float) -> None:
    """Sabotage: take the middle of the cell whatever the decimals; the last row is 9.6 m off."""
    with opened("doll") as dats:
        at = find_place(dats, Host(dats).region, text)
    assert int(at.cell) == cell
    assert at.origin == pytest.approx((x, y, 20.0), abs=1e-3)


ODD = {
    # hexadecimal in any case, with and without 0x
    "0X7F7F": 0x7F7F001C,
    "7f7f": 0x7F7F001C,
    "0x7f7fffff": 0x7F7F001C,
    "7F7FFFFE": 0x7F7F001C,
    "0x7F7F003D[170 96 20]": 0x7F7F003D,
    "  0x7F7F003D ,[ 170 , 96 , 20 ] ": 0x7F7F003D,
    "0x7F7F003D [+170.0 9.6e1 20.] 1e-30 0 0 0": 0x7F7F003D,
    # a cell of the next block by the origin, as a body just over the border has it
    "0x7F7F003D [200 96 20]": 0x7F7F003D,
    # signs and decimals of the map
    "0,2S 0,1E": 0x7F7F0022,
    "0,2S, 0,1e": 0x7F7F0022,
    "0.2s,0.1e": 0x7F7F0022,
    "-0.2N, 0.1E": None,
    "0.2N, 0.1S": None,
    "99999999999999999999999N, 1E": None,
    # names
    " Field. ": 0x7F7F003D,
    "fie ld": None,
    # no numbers, or too large ones
    "0x7F7F003D [nan 96 20]": None,
    "0x7F7F003D [1e40 96 20]": None,
    "0x7F7F003D [170 96 20] 1e40 0 0 0": None,
    "0x7F7F003D [170 96 20] 0 0 0 0": None,
    '{"cell": "0x7F7F003D", "origin": [1e400, 1, 1]}': None,
    # out of the world
    "0x7F7F003D [1e9 96 20]": None,
    "0x7F7F003D [-20000 96 20]": None,
    "0x7F7F003D [170 96000 20]": None,
    "101.9S, 101.9W": None,
    "0xFFFFFFFF": None,
    "0x00000000 [1 2 3]": None,
    # cells that there are not
    "0x7F7F0050 [1 2 3]": None,
    "0x7F7F0177 [1 2 3]": None,
    "0x7F7F0177": None,
    "9" * 5000: None,
}


@pytest.fixture(scope="module")
def wanderer() -> Any:
    with story("doll") as told:
        told.do("create", guid=WHO, setup=HUMAN, player=True, at=HERE)
        yield told


@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:40])
def test_an_odd_place_is_gone_to_or_refused_and_never_the_void(wanderer: Story, text: str) -> None:
    """LOC-01. Sabotage: take a frame for there because its block is; somebody is nowhere."""
    names = names_of(wanderer.dats.folder)
    try:
        at = find_place(wanderer.dats, wanderer.host.region, text, names)
    except UsageError:
        assert ODD[text] is None
        return
    assert int(at.cell) == ODD[text]
    wanderer.host.step(sc.Teleport(guid=sc.HexId(int(WHO, 16)), at=at))
    wanderer.host.tick()
    seen = wanderer.look()[WHO]
    assert seen["cell"] is not None
    assert np.isfinite([*seen["origin"], *seen["rotation"]]).all()


def test_what_is_no_place_says_what_would_be_one() -> None:
    with opened("doll") as dats:
        region, names = Host(dats).region, names_of(dats.folder)
        for text in ("/dance", "0x7F7F003D [1 2", "{}", '{"cell": "0x7F7F003D"', "1 2 3"):
            with pytest.raises(UsageError, match="or a name: field"):
                find_place(dats, region, text, names)
        with pytest.raises(UsageError, match="no place"):
            find_place(dats, region, "300.0N, 1.0E", names)


def test_questions() -> None:
    for text in ("/loc", "loc", "@loc", " /LOC ", "/myloc"):
        assert is_question(text), text
    for text in ("/local", "locker", "/loc 1", "field"):
        assert not is_question(text), text


KINDS = {
    "outdoors": ("doll", 0x7F7F003D, (180.5, 96.25, 20.0)),
    "a room": ("hut", 0x7F7F0100, (84.25, 84.5, 20.005)),
    "a dungeon": ("two_rooms", 0x01010101, (28.125, 20.0, 0.0)),
    "below nought": ("two_rooms", 0x01010100, (20.0, 20.0, -0.0)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_printed_and_typed_again_it_is_the_same_place_and_picture(kind: str) -> None:
    """LOC-01: cell and frame to six decimals, and the very same eye, so the same picture.

    Sabotage: print the cell's block in place of the cell; a room comes back out of doors.
    """
    world, cell, origin = KINDS[kind]
    with story(world) as told:
        at = {"cell": f"0x{cell:08X}", "origin": origin, "rotation": [0.6, 0, 0, -0.8]}
        told.do("create", guid=WHO, setup=HUMAN, player=True, at=at)
        first, eye = seen(told)
        assert first.startswith(f"0x{cell:08X} [")
        at_text = find_place(told.dats, told.host.region, first)
        told.host.step(sc.Teleport(guid=sc.HexId(int(WHO, 16)), at=at_text))
        again, eye_again = seen(told)
    assert again == first
    assert eye_again.cell_id == eye.cell_id
    assert eye_again.eye == pytest.approx(eye.eye, abs=2e-6)
    assert eye_again.yaw == pytest.approx(eye.yaw, abs=2e-6)


def seen(told: Story) -> tuple[str, Any]:
    return Hud(told.host, []).location, SceneMaker(told.host).pose()


@pytest.mark.parametrize(
    ("cell", "origin"),
    [
        (0x00000001, (0.0, 0.0, 0.0)),
        (0xFEFE0040, (191.99, 191.99, 700.0)),
        (0x01D40162, (90.0, -110.25, -18.0)),
        (0x01D4FFFD, (-351.5, 932.25, -1.0)),
    ],
)
def test_the_corners_of_the_world_read_back(cell: int, origin: tuple[float, ...]) -> None:
    """LOC-01: block 0x0000 and 0xFEFE, below nought, beyond the block: none of it is normalised."""
    frame = np.array((*origin, 1.0, 0.0, 0.0, 0.0), np.float32)
    text = location.format_location(cell, frame)
    for written in (text, text.replace("[", "").replace("]", "")):
        again, back = location.parse_location(written)
        assert again == cell
        assert location.format_location(again, back) == text


# the line, from the keys to the place


class Line:
    """Commands with a window, panels and a loop that say what they were asked."""

    def __init__(self, told: Story) -> None:
        self.said: list[str] = []
        self.copied: list[str] = []
        self.recorded: list[Any] = []
        self.made = Commands.__new__(Commands)
        stage = SimpleNamespace(
            host=told.host, dats=told.dats, recorder=SimpleNamespace(step=self.recorded.append)
        )
        window = SimpleNamespace(copy_text=self.copied.append)
        rig = SimpleNamespace(land=lambda: None)
        self.made.loop = SimpleNamespace(stage=stage, window=window, rig=rig)  # type: ignore[assignment]
        self.made.hud = Hud(told.host, [])
        self.made.say = self.said.append  # type: ignore[method-assign]


def test_a_line_goes_there_and_is_recorded_and_loc_is_the_originals_form() -> None:
    """Sabotage: step the host without the recorder; a recording ends where it began."""
    with story("doll") as told:
        told.arm(WHO)
        line = Line(told)
        line.made.obey("0x7F7F0012 [60.0 36.5 20.0] 1 0 0 0")
        told.host.tick()
        look = told.look()
        assert {look[who]["cell"] for who in (WHO, "0x80000010", "0x80000012")} == {"0x7F7F0012"}
        assert [type(step).__name__ for step in line.recorded] == ["Teleport"]
        line.made.obey("/loc")
        assert line.copied == [Hud(told.host, []).location]
        assert line.copied[0].startswith("0x7F7F0012 [60.000000 36.500000 20.00")
        line.made.obey("nowhere at all")
        assert line.said[-1].startswith("no place: 'nowhere at all'")
        assert told.look()[WHO]["cell"] == "0x7F7F0012"

"""Places as text: the round trip, map coordinates, blocks (case LOC-01)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.core import location
from acclient_py.core.ids import lcoord_to_gid
from acclient_py.errors import UsageError

PLACES = {
    "outdoors": (0xA9B40019, (84.0, 10.5, 40.0, 1, 0, 0, 0)),
    "a room": (0xA9B40100, (84.25, 101.125, 40.005, 0.9659258, 0, 0, 0.258819)),
    "a dungeon below ground": (0x01D40162, (90.0, -110.25, -18.0, 0.5, 0.5, -0.5, -0.5)),
    "the first block": (0x00000001, (0.0, 0.0, 0.0, 1, 0, 0, 0)),
    "the last block": (0xFEFE0040, (191.99, 191.99, 700.0, 0, 0, 0, 1)),
    "a room beyond its block": (0x01D4FFFD, (-351.5, 932.25, -1.0, 1, 0, 0, 0)),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_printed_place_reads_back_as_the_same_cell_and_pose(name: str) -> None:
    """LOC-01. Sabotage: normalise the origin into the block; rooms then come back elsewhere."""
    cell_id, numbers = PLACES[name]
    frame = np.array(numbers, np.float32)
    text = location.format_location(cell_id, frame)
    again, back = location.parse_location(text)
    assert again == cell_id
    assert np.abs(back - frame).max() <= 1e-6 * max(1.0, np.abs(frame).max())
    assert location.format_location(again, back) == text


def test_the_form_is_the_originals() -> None:
    text = "0xA9B40019 [84.000000 10.500000 40.000000] 1.000000 0.000000 0.000000 0.000000"
    cell_id, frame = location.parse_location(text)
    assert cell_id == 0xA9B40019
    assert frame.tolist() == [84, 10.5, 40, 1, 0, 0, 0]
    assert location.format_location(cell_id, frame) == text


def test_a_place_without_rotation_looks_north() -> None:
    assert location.parse_location("a9b40019 [1, 2, 3]")[1].tolist() == [1, 2, 3, 1, 0, 0, 0]


@pytest.mark.parametrize(
    "text",
    ["", "0xA9B4 [1 2 3]", "0xA9B40019 [1 2]", "0xA9B40019 [1 2 3] 1 0", "0xA9B40019 [a b c]"],
)
def test_what_is_no_place_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="write it like"):
        location.parse_location(text)


@given(st.integers(0, 2039), st.integers(0, 2039))
def test_map_coordinates_read_back_as_the_same_cell(x: int, y: int) -> None:
    cell_id = lcoord_to_gid(x, y)
    assert location.parse_map(location.map_text(cell_id)) == cell_id


def test_map_coordinates_outside_the_world_are_refused() -> None:
    for text in ("102.1N, 0.0", "0.5S, 300.0W"):
        with pytest.raises(UsageError, match="outside"):
            location.parse_map(text)
    for text in ("42.1", "north, east", "42.1X, 3.0E"):
        with pytest.raises(UsageError, match="like"):
            location.parse_map(text)


def test_a_room_has_the_map_coordinates_of_its_block() -> None:
    assert location.map_text(0xA9B40100) == location.map_text(0xA9B40001)
    assert location.map_text(0) == ""


def test_blocks_and_ids() -> None:
    assert location.parse_block("A9B4") == location.parse_block("0xA9B40019") == 0xA9B4FFFF
    assert location.parse_id("0xA9B40019") == 0xA9B40019
    for text in ("A9B", "0xA9B4001G", "123456789"):
        with pytest.raises(UsageError):
            location.parse_id(text)

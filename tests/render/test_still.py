"""A picture in ten lines, as the README has them."""

from __future__ import annotations

import pytest
from builders.hosts import PLAYER, story

import acclient_py


@pytest.mark.contract("I9")
def test_a_host_is_drawn_to_an_array_in_one_call() -> None:
    """Sabotage: read the picture before it is drawn; every pixel has one colour."""
    with story("doll") as told:
        told.arm(PLAYER)
        picture = acclient_py.draw_frame(told.host, size=(160, 90))
    assert picture.shape == (90, 160, 3)
    assert picture.std() > 10.0

"""The walk against the plain one in worlds with architecture: every record in order (LF6).

Random towns are compared by the thousand (`tests/twin/test_walk.py`); here both walk through baked
houses, halls and dungeons, the plain one by what the records say of meshes, trees and portals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain, islice

import pytest
from builders.eyes import Eye, odd_eyes, plain_eyes
from builders.grammar import faults
from builders.places import Place
from twin.painter.baked import BothOf
from twin.painter.numbers import doubt
from twin.painter.telling import CLOSE

from acclient_py.render.frame import FrameRenderer

WORLDS = (
    "cottage", "detail", "hall", "inn", "mine", "ring", "study", "tower", "two_huts", "two_rooms",
)  # fmt: skip
EYES = int(os.environ.get("ACCLIENT_BAKED_EYES", "12"))
"""Eyes in a world; a longer tour asks for more."""
SIZE = (320, 180)


def eyes_of(place: Place, count: int, seed: int = 1) -> Iterator[Eye]:
    """Three of people, one odd, and so on."""
    plain, odd = plain_eyes(place, count, seed), odd_eyes(place, count, seed)
    return islice(chain.from_iterable(zip(plain, plain, plain, odd, strict=False)), count)


@pytest.mark.contract("L1", "L2", "L4", "L5", "L6", "L7", "L9", "L11", "LF6", "T1", "T4")
@pytest.mark.parametrize("world", WORLDS)
def test_every_record_of_a_baked_world_is_the_plain_walks(
    world: str, place: Callable[[str], Place], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """What both say is also asked for the rules that its lines alone must keep.

    Sabotage: draw the shells that a flood found near to far; the rows of the inn part. Name no cell
    that is out of view; the flushes of the cottage's land are those of other cells.
    """
    here = place(world)
    both = BothOf(here, renderer_of(here, size=SIZE))
    close = 0
    for n, (cell, eye, target) in enumerate(eyes_of(here, EYES)):
        here.aim(cell, eye, target)
        for _ in range(2):
            doubt.reset()
            different = both.difference()
            if different is not None and doubt.nearest < CLOSE:
                close += 1
                both.agree_on_seals()
                break
            where = f"eye {n}: {cell:08X} {eye} to {target}, nearest {doubt.nearest:.2g}: "
            assert different is None, where + str(different)
            assert list(faults(both.told())) == [], where
    assert close <= EYES // 4, "eyes on planes are the only close ones"

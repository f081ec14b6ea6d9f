"""Ground between blocks on the screen (TER-05; its vertices are asked in tests/world)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from regression.stage import OUT, Stage, is_colour, recipe

from acclient_py.host.residency import Residency

Staged = Callable[..., Stage]
ROUGH = """
[terrain]
blocks = ["7D7D", "8181"]
base = 40
shapes = [{ kind = "noise", size = 40, height = 40, octaves = 3, gain = 0.7, seed = 4 }]
"""


@pytest.mark.parametrize(("rings", "shift"), [(0, 0), (2, 0), (2, 1)])
def test_ter05_no_crack_along_a_seam(staged: Staged, rings: int, shift: int) -> None:
    """TER-05: rough ground over twenty-five blocks, near ones in full detail, far ones coarse:
    skimming along the seams, nothing of what the picture was cleared to is seen under any ground.

    Sabotage: raise one block of the arrays by a metre (shift 1); the seam gapes.
    """
    stage = staged(recipe(land=ROUGH), fresh=True, size=(320, 240))
    if rings:  # two rings about the middle block: full detail in one, half in the other
        place = stage.place
        dats = place.models.dats
        for block in [i for i in dats.ids() if i & 0xFFFF == 0xFFFF]:
            place.residency.unload(block)
        place.residency = Residency(place.physics, dats, place.region, mid_radius=rings)
        place.residency.change_position(0x7F7F0024, blocking=True)
    blocks = stage.arrays.blocks
    assert {int(side) for side in blocks["side"] if side} == ({8, 4} if rings else {8})
    if shift:
        block = int(stage.arrays.block_of[0x7F80])
        stage.arrays.heights[block] += np.float32(1.0)
        blocks["generation"][block] += 1
    holes = []
    for x, y, ahead in (
        (96.0, 180.0, (96.0, 230.0)), (20.0, 186.0, (180.0, 193.0)), (186.0, 20.0, (194.0, 180.0)),
        (96.0, 96.0, (96.0, 420.0)), (96.0, 96.0, (420.0, 96.0)),
    ):  # fmt: skip
        shot = stage.shoot(OUT, (x, y, 92.0), (*ahead, 40.0))
        assert len(shot.kinds("Block")) >= 4, "there are seams before the eye"
        ground = np.maximum.accumulate(is_colour(shot.picture, "green"), axis=0)
        holes.append(int((ground & is_colour(shot.picture, "sky")).sum()))
    if shift:
        assert max(holes) > 0
    else:
        assert max(holes) == 0, holes

"""The state ladder of surface type bits, row by row, and the rows that come of it."""

from __future__ import annotations

import numpy as np
import pytest

from acclient_py.gpu.state import LESS, State
from acclient_py.kernels.ops import S_BLEND, S_CLIP, S_DETAIL, S_OPAQUE, S_SKY
from acclient_py.render.pipeline import FACTORS, STATES, literal_state
from acclient_py.render.surfaces import BLEND_ROWS, surface_ladder
from acclient_py.world.mesh import deferral_mask

ONE, ZERO, A, INV = "ONE", "ZERO", "SRC_A", "INV_SRC_A"
NOW, CLIP, ALPHA = 0, 8, 6  # bits of the deferral mask

# type bits: source, destination, tested, depth written, fogged, list
ROWS = {
    0x1: (ONE, ZERO, False, True, True, NOW),
    0x2: (ONE, ZERO, False, True, True, NOW),
    0x4: (ONE, INV, True, True, True, CLIP),
    0x14: (A, INV, False, False, True, CLIP),
    0x11: (A, INV, False, False, True, ALPHA),
    0x12: (A, INV, False, False, True, ALPHA),
    0x102: (A, INV, False, False, True, ALPHA),
    0x104: (A, INV, True, True, True, ALPHA),
    0x10102: (A, ONE, False, False, False, ALPHA),
    0x202: (INV, A, False, False, True, ALPHA),
    0x10202: (INV, ONE, False, False, False, ALPHA),
    0x10002: (ONE, ONE, False, False, False, ALPHA),
    0x10012: (ONE, ONE, False, False, False, ALPHA),
    0x10112: (A, ONE, False, False, False, ALPHA),
    0x10114: (A, INV, False, False, False, ALPHA),
}


@pytest.mark.parametrize("bits", ROWS, ids=hex)
def test_a_row_of_the_ladder(bits: int) -> None:
    source, destination, tested, written, fog, listed = ROWS[bits]
    for palettised, reference in ((True, 100), (False, 200)):
        ladder = surface_ladder(bits, 0.25, palettised=palettised)
        assert (ladder.source, ladder.destination) == (source, destination)
        assert ladder.reference == (reference if tested else 0)
        assert ladder.depth_write is written
        assert ladder.fog is fog
        assert ladder.alpha == (0.75 if bits & 0x10 else 1.0)
        if (source, destination) == (ONE, ZERO):
            assert ladder.state == S_OPAQUE
        else:
            assert ladder.state == (S_CLIP if written else S_BLEND)
    mask = deferral_mask(bits, stippled=False)
    assert (mask == 0) if listed == NOW else bool(mask & listed)


@pytest.mark.parametrize("bits", ROWS, ids=hex)
def test_a_translucent_material_blends_what_does_not_blend_yet(bits: int) -> None:
    ladder = surface_ladder(bits, 0.25, material=True, palettised=True)
    plain = surface_ladder(bits, 0.25, palettised=True)
    if plain.blend and not plain.reference:
        assert (ladder.source, ladder.destination) == (plain.source, plain.destination)
    else:
        assert (ladder.source, ladder.destination) == (A, INV)
    assert (ladder.reference, ladder.depth_write, ladder.state) == (0, False, S_BLEND)


@pytest.mark.parametrize("faded", [False, True])
@pytest.mark.parametrize("bits", ROWS, ids=hex)
def test_the_literal_state_is_the_ladders(bits: int, faded: bool) -> None:
    """What is set for a draw, from the row on the GPU, is what the ladder says of the bits."""
    plain = surface_ladder(bits, 0.25, palettised=True)
    words = np.zeros(8, np.uint32)
    words[0], words[2] = plain.blend_row << 4, plain.reference
    wanted = surface_ladder(bits, 0.25, material=faded, palettised=True)
    factors = FACTORS[BLEND_ROWS[wanted.source, wanted.destination]]
    state, tested = literal_state(wanted.state, words, 0.5 if faded else 1.0)
    assert state == State(LESS, wanted.depth_write, factors)
    assert tested is bool(wanted.reference)
    in_sky, _ = literal_state(S_SKY, words, 0.5 if faded else 1.0)
    assert (in_sky.depth, in_sky.depth_write, in_sky.blend) == ("1", False, factors)
    over, still_tested = literal_state(S_DETAIL, words, 1.0)
    assert over == STATES[S_DETAIL]
    assert still_tested is bool(plain.reference)

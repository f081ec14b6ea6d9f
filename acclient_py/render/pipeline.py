"""Pipeline states of the world's draws, in two forms that show the same picture.

Folded: the shader multiplies by the source factor and one blend function serves all rows of the
ladder, so that a run of draws needs no change of state. Literal: each draw with the factors of its
own surface, as retail sets them. They part by at most 1/255 for each blended layer, where a product
is rounded once more.
"""

from __future__ import annotations

from typing import Final

from acclient_py.core import U32
from acclient_py.gpu.state import (
    ALWAYS,
    BLEND_DETAIL,
    BLEND_OVER,
    LEQUAL,
    LESS,
    ONE,
    ONE_MINUS_SRC_ALPHA,
    SRC_ALPHA,
    State,
)
from acclient_py.kernels.ops import (
    S_BLEND,
    S_CLIP,
    S_DETAIL,
    S_MASK,
    S_OPAQUE,
    S_SKY,
)

STATES: Final = {
    S_OPAQUE: State(LESS, True, None),
    S_CLIP: State(LESS, True, BLEND_OVER),
    S_BLEND: State(LESS, False, BLEND_OVER),
    S_DETAIL: State(LEQUAL, True, BLEND_DETAIL),
    S_MASK: State(ALWAYS, True, BLEND_OVER, cull=False, clamp=True),
    S_SKY: State(ALWAYS, False, BLEND_OVER),
}

# factors by the rows of world.vert's BLENDS; None: no blending
FACTORS: Final[tuple[tuple[int, int] | None, ...]] = (
    None,
    (SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
    (SRC_ALPHA, ONE),
    (ONE, ONE),
    (ONE, ONE_MINUS_SRC_ALPHA),
    (ONE_MINUS_SRC_ALPHA, SRC_ALPHA),
    (ONE_MINUS_SRC_ALPHA, ONE),
)
MASK: Final = State(ALWAYS, True, FACTORS[1], cull=False, clamp=True)


def literal_state(state: int, words: U32, alpha: float) -> tuple[State, bool]:
    """(state, whether alpha is tested) of a draw, from its surface and its part's own material.

    state : the record's, of which only sky and detail pass are taken
    words : the surface's row ; alpha : of the part's material
    Retail: the end of D3DPolyRender::SetSurface @0x0059C4D0.
    """
    row = int(words[0]) >> 4 & 15
    tested = int(words[2]) > 0
    faded = alpha < 1.0
    if state == S_DETAIL:
        return STATES[S_DETAIL], tested and not faded
    if faded and (row == 0 or tested):
        row, tested = 1, False
    factors = FACTORS[row]
    if state == S_SKY:
        return State(ALWAYS, False, factors), tested
    return State(LESS, tested or factors is None, factors), tested

"""Mip levels of clip-mapped pictures that cover as much as the picture itself (register D21).

An average of alpha falls under the fixed reference where leaves are thinner than a texel, and a far
tree is a bare trunk. Here each level's alpha is scaled so that the share of texels that pass the
test is that of level 0.
"""

from __future__ import annotations

import numpy as np

from acclient_py.core import I64, U8
from acclient_py.render.mips import levels_of


def coverage(picture: U8, reference: int) -> float:
    """The share of texels whose alpha passes the test."""
    return float((picture[..., 3] >= reference).mean())


def _least_to_pass(counts: I64, share: float) -> int:
    """The alpha from which on texels shall pass, so that their share comes nearest; 0 for none.

    counts : (256,) how many texels have each alpha
    """
    values = np.flatnonzero(counts)
    passing = np.cumsum(counts[values][::-1])[::-1] / counts.sum()  # from each value on
    if share == 0.0 or not values[-1]:
        return 0
    return int(values[np.abs(passing - share)[values > 0].argmin() + int(values[0] == 0)])


def levels_that_cover(picture: U8, reference: int) -> list[U8]:
    """Levels 1 and on of a (size, size, 4) picture, down to one texel.

    Colours and the alpha that the next level is made from are plain averages.
    """
    share = coverage(picture, reference)
    levels = levels_of(picture)
    alpha = np.arange(256.0)
    for level in levels:
        at_least = _least_to_pass(np.bincount(level[..., 3].reshape(-1), minlength=256), share)
        if at_least:
            scaled = np.minimum(np.floor(alpha * (reference / at_least) + 0.5), 255.0)
            # what passes is not thinned: the blend lets what lies behind shine through
            kept = np.where(alpha >= at_least, np.maximum(scaled, alpha), np.minimum(scaled, alpha))
            put = np.where(
                alpha >= at_least, np.maximum(kept, reference), np.minimum(kept, reference - 1)
            )
            level[..., 3] = put.astype(np.uint8)[level[..., 3]]
    return levels

"""Mip levels of clip-mapped pictures that cover as much as the picture itself (register D21).

An average of alpha falls under the fixed reference where leaves are thinner than a texel, and a far
tree is a bare trunk. Here each level's alpha is scaled so that the share of texels that pass the
test is that of level 0.
"""

from __future__ import annotations

import numpy as np

from acclient_py.core import U8
from acclient_py.render.mips import halved


def coverage(picture: U8, reference: int) -> float:
    """The share of texels whose alpha passes the test."""
    return float((picture[..., 3] >= reference).mean())


def _least_to_pass(alpha: U8, share: float) -> int:
    """The alpha from which on texels shall pass, so that their share comes nearest; 0 for none."""
    values, counts = np.unique(alpha, return_counts=True)
    passing = np.cumsum(counts[::-1])[::-1] / alpha.size  # from each value on
    if share == 0.0 or not values[-1]:
        return 0
    return int(values[np.abs(passing - share)[values > 0].argmin() + int(values[0] == 0)])


def levels_that_cover(picture: U8, reference: int) -> list[U8]:
    """Levels 1 and on of a (size, size, 4) picture, down to one texel.

    Colours and the alpha that the next level is made from are plain averages.
    """
    share = coverage(picture, reference)
    levels: list[U8] = []
    while len(picture) > 1:
        picture = halved(picture)
        level = picture.copy()
        at_least = _least_to_pass(level[..., 3], share)
        if at_least:
            alpha = level[..., 3].astype(np.float64)
            scaled = np.minimum(np.floor(alpha * (reference / at_least) + 0.5), 255.0)
            # what passes is not thinned: the blend lets what lies behind shine through
            kept = np.where(alpha >= at_least, np.maximum(scaled, alpha), np.minimum(scaled, alpha))
            level[..., 3] = np.where(
                alpha >= at_least, np.maximum(kept, reference), np.minimum(kept, reference - 1)
            ).astype(np.uint8)
        levels.append(level)
    return levels

"""The stable far-to-near order of one cell's parts, repaired from last frame's."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32
from acclient_py.kernels import kernel

SHIFTS_PER_ENTRY: Final = 12  # more disorder than this and merging is cheaper than shifting


@kernel(inner=True)
def sort_parts(cypt: F32, permutation: I32, first: int, count: int, scratch: I32) -> None:
    """Order one cell's shadow parts far to near, equal distances as they came.

    cypt        : float32, view distance by what the permutation holds; NaN and infinity allowed
    permutation : int32, last frame's order at first .. first + count, repaired in place, far first
    scratch     : int32, at least `count`

    Walks backward and shifts while the next distance is greater, so a NaN stops a shift as in
    retail: a library sort would move it. A great disorder without NaN is merged instead: the
    stable descending order of numbers is one and the same however it is found.

    Retail: CShadowPart::insertion_sort @0x006b5130.
    """
    # contract: L6
    budget = count * SHIFTS_PER_ENTRY
    end = first + count
    broken = False
    checked = False
    for i in range(end - 2, first - 1, -1):
        entry = permutation[i]
        key = cypt[entry]
        j = i
        while j + 1 < end and cypt[permutation[j + 1]] > key:
            permutation[j] = permutation[j + 1]
            j += 1
        permutation[j] = entry
        budget -= j - i
        if budget < 0 and not checked:
            checked = True
            for k in range(first, end):
                broken = broken or np.isnan(cypt[permutation[k]])
            if not broken:
                break
    if not checked or broken:
        return
    # what is left to do is stable, and so was what was done
    width = 1
    while width < count:
        lo = 0
        while lo < count:
            mid = min(lo + width, count)
            hi = min(lo + 2 * width, count)
            a = lo
            b = mid
            for k in range(lo, hi):
                if a < mid and (
                    b >= hi or cypt[permutation[first + a]] >= cypt[permutation[first + b]]
                ):
                    scratch[k] = permutation[first + a]
                    a += 1
                else:
                    scratch[k] = permutation[first + b]
                    b += 1
            lo = hi
        for k in range(count):
            permutation[first + k] = scratch[k]
        width *= 2

"""The stable far-to-near order of one cell's parts, repaired from last frame's."""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32
from acclient_py.kernels import kernel

SHIFTS_PER_ENTRY: Final = 12  # more disorder than this and merging is cheaper than shifting
SCRATCH_PER_ENTRY: Final = 2
# unsigned places: a signed index might count from the end, which is asked at every access
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)


@kernel(inner=True)
def merge_parts(keys: F32, permutation: I32, first: int, count: int, scratch: I32) -> None:
    """Finish a sort that has far to go, among distances without NaN; arguments as `sort_parts`.

    What is left to do is stable, and so was what was done.
    """
    far = scratch.view(np.float32)  # distances in the second half
    width = 1
    while width < count:
        lo = 0
        while lo < count:
            mid = min(lo + width, count)
            hi = min(lo + 2 * width, count)
            a = lo
            b = mid
            for out in range(lo, hi):
                if a < mid and (b >= hi or keys[a] >= keys[b]):
                    taken = a
                    a += 1
                else:
                    taken = b
                    b += 1
                scratch[out] = permutation[first + taken]
                far[count + out] = keys[taken]
            lo = hi
        for out in range(count):
            permutation[first + out] = scratch[out]
            keys[out] = far[count + out]
        width *= 2


@kernel(inner=True)
def sort_parts(keys: F32, permutation: I32, first: int, count: int, scratch: I32) -> None:
    """Order one cell's shadow parts far to near, equal distances as they came.

    keys        : float32, view distances in the permutation's order; NaN and infinity allowed
    permutation : int32, last frame's order at first .. first + count, repaired in place, far first
    scratch     : int32, at least 2 * `count`

    Both come out in the new order. Whoever gathers the keys need not call while none is greater
    than the one before it: in most frames none is.
    Walks backward and shifts while the next distance is greater, so a NaN stops a shift as in
    retail: a library sort would move it. The distances go along with the entries, so a shift reads
    what lies beside it. A great disorder without NaN is merged instead: the stable descending order
    of numbers is one and the same however it is found.

    Retail: CShadowPart::insertion_sort @0x006b5130.
    """
    # contract: L6
    if count < 2:  # the place before the last one, unsigned, is none
        return
    n = np.uint64(count)
    at = np.uint64(first)
    budget = count * SHIFTS_PER_ENTRY
    checked = False
    i = n - _ONE
    while i > _ZERO:
        i -= _ONE
        key = keys[i]
        j = i + _ONE
        if not keys[j] > key:
            continue
        entry = permutation[at + i]
        while j < n and keys[j] > key:
            keys[j - _ONE] = keys[j]
            permutation[at + j - _ONE] = permutation[at + j]
            j += _ONE
        keys[j - _ONE] = key
        permutation[at + j - _ONE] = entry
        budget -= int(j - i)
        if budget < 0 and not checked:
            checked = True
            broken = False
            k = _ZERO
            while k < n:
                broken |= np.isnan(keys[k])
                k += _ONE
            if not broken:
                merge_parts(keys, permutation, first, count, scratch)
                return

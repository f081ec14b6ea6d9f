"""Items that lie scattered over the bytes of a record, taken by numpy in one go.

Lists whose items differ in size are read in two steps: a loop that only finds where each item
begins, and these functions, which take everything else from those places at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def items_at(data: bytes, dtype: npt.DTypeLike, places: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The items whose first bytes are at `places`, all within `data`. An own array."""
    kind = np.dtype(dtype)
    if not places.size:
        return np.zeros(places.shape, kind)
    # an item begins at each byte: they overlap. numpy copies records faster as plain bytes
    copied = np.dtype((np.void, kind.itemsize)) if kind.names else kind
    begun: npt.NDArray[Any] = np.ndarray((len(data) - kind.itemsize + 1,), copied, data, 0, (1,))
    taken: npt.NDArray[Any] = begun[places].view(kind)
    return taken


def runs(first: npt.NDArray[Any], counts: npt.NDArray[Any], step: int = 1) -> npt.NDArray[np.int64]:
    """first[0], first[0] + step, ... of counts[0] numbers, and so on for each run."""
    ends = counts.cumsum()
    numbers: npt.NDArray[np.int64] = (first - step * (ends - counts)).repeat(counts)
    numbers += np.arange(0, step * len(numbers), step)
    return numbers

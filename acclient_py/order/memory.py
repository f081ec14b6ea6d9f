"""Arrays that a painter keeps from frame to frame, made and grown in one place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclient_py.kernels.draw import VIEW_DTYPE
from acclient_py.kernels.flood import (
    FLOOD_CELL_DTYPE,
    FLOOD_COUNTERS,
    FLOOD_LIST_DTYPE,
    FLOOD_PORTAL_DTYPE,
    MAX_VIEWS,
    SCRATCH,
    Flood,
)


def grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with at least `size` rows, new ones zero."""
    if len(array) >= size:
        return array
    new = np.zeros((size, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


def flood_memory(cells: int, portals: int) -> Flood:
    """Memory of one kind of flood, for that many cell slots and portal rows."""
    cells = max(cells, 1)
    return Flood(
        counters=np.zeros(FLOOD_COUNTERS, np.int64),
        views=np.zeros(MAX_VIEWS, VIEW_DTYPE),
        runs=np.zeros(MAX_VIEWS, VIEW_DTYPE),
        cells=np.zeros(cells, FLOOD_CELL_DTYPE),
        portals=np.zeros(max(portals, 1), FLOOD_PORTAL_DTYPE),
        list=np.zeros(cells, FLOOD_LIST_DTYPE),
        a=np.zeros((SCRATCH, 4), np.float64),
        b=np.zeros((SCRATCH, 4), np.float64),
        work=np.zeros(2 * MAX_VIEWS + 4, np.int32),
        place_work=np.zeros(2 * cells + 2, np.int32),
        node_work=np.zeros(1024, np.int32),
    )

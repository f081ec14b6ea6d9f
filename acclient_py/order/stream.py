"""Draw records: one structured array a frame, in the order in which everything takes effect.

The walk appends, the executors and the transcript read. A record is one step: a draw, or a mark
that draws nothing. The array is made once and kept; it grows only when a frame did not fit, and
then that frame is walked again.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

import numpy as np

from acclient_py.core import Struct
from acclient_py.kernels import ops

DRAW_DTYPE: Final = np.dtype(
    [
        ("op", "u1"),  # Op
        ("state", "u1"),  # PipelineState: optimisation only, equal neighbours may merge
        ("layout", "u1"),  # vertex layout
        ("flags", "u1"),  # RecordFlag
        ("first", "<u4"),  # index range
        ("count", "<u4"),
        ("base", "<i4"),  # added to each index
        ("instance", "<u4"),  # per-draw data slot
        ("owner", "<u4"),  # object, cell, block or building: what the transcript names
        ("part_index", "<u2"),
        ("surface_slot", "<u2"),  # deferral is per surface slot of a part
        ("cypt", "<f4"),  # view distance, as sorted by L6
        ("view", "<u2"),
        ("light_set", "<u2"),
        ("material", "<u4"),  # surface row on the GPU
    ]
)
assert DRAW_DTYPE.itemsize == 40


class Op(IntEnum):
    """What a record does."""

    SKY = ops.SKY
    TERRAIN = ops.TERRAIN
    PUNCH = ops.PUNCH
    SEAL = ops.SEAL
    SHELL = ops.SHELL
    CELL = ops.CELL
    PART = ops.PART
    CLIP = ops.CLIP
    ALPHA = ops.ALPHA
    WEATHER = ops.WEATHER
    CLEAR_DEPTH = ops.CLEAR_DEPTH
    VIEW = ops.VIEW
    SKY_PASS = ops.SKY_PASS
    BLOCK = ops.BLOCK
    SORT = ops.SORT
    LAND_CELL = ops.LAND_CELL
    BUILDING = ops.BUILDING
    FLUSH = ops.FLUSH
    OBJ_CELL = ops.OBJ_CELL
    LOOK_IN = ops.LOOK_IN
    STAMP = ops.STAMP
    SORTED = ops.SORTED
    PART_TURN = ops.PART_TURN
    ENV_CELL = ops.ENV_CELL


class PipelineState(IntEnum):
    """The few states of spec/rendering.md 10.3."""

    OPAQUE = ops.S_OPAQUE
    CLIP = ops.S_CLIP
    BLEND = ops.S_BLEND
    DETAIL = ops.S_DETAIL
    MASK = ops.S_MASK
    SKY = ops.S_SKY
    CLEAR = ops.S_CLEAR


class FlushSite(IntEnum):
    """Where the alpha lists may drain (L9)."""

    CELL = ops.SITE_CELL
    BUILDING = ops.SITE_BUILDING
    LANDSCAPE = ops.SITE_LANDSCAPE
    END = ops.SITE_END


class RecordFlag(IntFlag):
    """Details of a record."""

    CLIP_LIST = ops.F_CLIP_LIST
    DRAINED = ops.F_DRAINED
    DEFERRED_CLIP = ops.F_DEFERRED_CLIP
    DEFERRED_ALPHA = ops.F_DEFERRED_ALPHA
    DETAIL = ops.F_DETAIL


def draws(stream: Struct) -> Struct:
    """The records of a stream that draw something, in order."""
    return stream[stream["op"] <= ops.LAST_DRAW]

"""Wrong orders, for study: what a frame would look like if it were drawn as others draw it.

Each takes the finished stream of a frame and arranges its records anew. Nothing here is part of the
walk, nothing is compiled, and the painter's own stream stays as it is: the arrangement goes to the
GPU as a copy. The defects that come out are those which retail's order prevents.
"""

from __future__ import annotations

from copy import copy
from typing import Final

import msgspec
import numpy as np

from acclient_py.core import F64, I64, Struct
from acclient_py.core.ids import get_block_offset
from acclient_py.errors import UsageError
from acclient_py.kernels.draw import N_RECORDS
from acclient_py.kernels.ops import LAST_DRAW
from acclient_py.order.names import ALPHAS, ORDERS, RETAIL
from acclient_py.order.painter import Painter
from acclient_py.order.stream import FlushSite, Op
from acclient_py.physics.layout import Arrays
from acclient_py.view.camera import Lens

_MATRIX_OPS: Final = (Op.SHELL, Op.CELL, Op.PART, Op.CLIP, Op.ALPHA)
_FIXED: Final = (Op.SKY, Op.WEATHER, Op.CLEAR_DEPTH, Op.SEAL, Op.SKY_PASS)
BLOCK_M: Final = 192.0


class Study(msgspec.Struct, frozen=True):
    """An arrangement of a frame: `order` one of ORDERS, `alpha` one of ALPHAS."""

    order: str = RETAIL
    alpha: str = RETAIL

    def __post_init__(self) -> None:
        for name, known, option in (
            (self.order, ORDERS, "--order"),
            (self.alpha, ALPHAS, "--alpha"),
        ):
            if name not in known:
                raise UsageError(f"no order {name!r}", where=option, do=f"use {', '.join(known)}")

    @property
    def wrong(self) -> bool:
        """Whether this is another order than retail's."""
        return self != RIGHT

    @property
    def title(self) -> str:
        """What a picture drawn so must say."""
        if not self.wrong:
            return "retail order"
        named = [f"order {self.order}"] if self.order != RETAIL else []
        if self.alpha != RETAIL:
            named.append(f"alpha {self.alpha}")
        return f"WRONG ON PURPOSE: {', '.join(named)}"

    @property
    def meaning(self) -> str:
        """What is done differently, in words."""
        if not self.wrong:
            return ORDERS[RETAIL]
        said = [ORDERS[self.order]] if self.order != RETAIL else []
        if self.alpha != RETAIL:
            said.append(ALPHAS[self.alpha])
        return "; ".join(said)


RIGHT: Final = Study()
WRONG: Final = (
    *(Study(order=name) for name in ORDERS if name != RETAIL),
    *(Study(alpha=name) for name in ALPHAS if name != RETAIL),
)


def arrange(study: Study, painter: Painter, arrays: Arrays, eye: Lens) -> Struct:
    """The painter's last frame, which was walked with marks, in the order of a study."""
    records = painter.records
    if not study.wrong:
        return records
    far = distances(painter, arrays, eye)
    order = arranged(records, far, study, views=painter.view_count)
    result: Struct = records[order]
    return result


def with_records(painter: Painter, records: Struct) -> Painter:
    """A painter that shows other records over the last frame's matrices and corners.

    It shares everything else with the one that walked, which keeps its own stream.
    """
    shown = copy(painter)
    shown.stream = records
    shown.counters = painter.counters.copy()
    shown.counters[N_RECORDS] = len(records)
    return shown


def distances(painter: Painter, arrays: Arrays, eye: Lens) -> F64:
    """(n,) metres from the eye to the middle of what each record draws; marks have 0.

    Ground is measured level, to the middle of its cell; a punch stands where its building does.
    """
    records = painter.records
    at = np.asarray(eye.eye, np.float64)
    far: F64 = np.zeros(len(records), np.float64)
    ops = records["op"]
    rows = np.isin(ops, _MATRIX_OPS)
    matrix = painter.instances[records["instance"][rows]].astype(np.float64)
    offset = matrix[:, (3, 7, 11)] - at
    far[rows] = np.sqrt((offset * offset).sum(axis=1))
    sorted_by = records["cypt"].astype(np.float64)
    known = rows & (sorted_by > 0) & (sorted_by < 1e30)
    far[known] = sorted_by[known]
    ground = np.flatnonzero(ops == Op.TERRAIN)
    blocks = np.flatnonzero(ops == Op.BLOCK)
    if len(ground):
        side = records["count"][blocks[np.searchsorted(blocks, ground) - 1]].astype(np.int64)
        ids = records["owner"][ground].astype(np.int64)
        place = (ids & 0xFFFF) - 1
        step = BLOCK_M / side
        x = ((ids >> 24) - eye.pose.block_x) * BLOCK_M + (place // side + 0.5) * step - at[0]
        y = ((ids >> 16 & 0xFF) - eye.pose.block_y) * BLOCK_M + (place % side + 0.5) * step - at[1]
        far[ground] = np.sqrt(x * x + y * y)
    for i in np.flatnonzero(ops == Op.PUNCH).tolist():
        shell = int(arrays.buildings["object"][int(records["owner"][i])])
        dx, dy = get_block_offset(eye.pose.cell_id, int(arrays.objects["part_cell_id"][shell]))
        away = arrays.objects["frame"][shell][:3] + np.array((dx, dy, 0.0)) - at
        far[i] = np.sqrt((away * away).sum())
    return far


def arranged(records: Struct, far: F64, study: Study, *, views: int = 1) -> I64:
    """The places of `records` in the order of a study; draws only, none twice but the landscape's.

    far : (n,) what `distances` says ; views : how many views the landscape was drawn for
    """
    ops = records["op"]
    order: I64 = np.arange(len(records), dtype=np.int64)
    if study.order == "whole-terrain-first":
        order = _ground_first(records)
    elif study.order == "shells-first":
        order = _shells_first(records)
    elif study.order == "landscape-per-view":
        order = _again_for_each_view(records, views)
    elif study.order == "depth-sorted":
        order = _by_distance(records, far)
    order = order[ops[order] <= LAST_DRAW]
    if study.order == "no-portals":
        order = order[~np.isin(ops[order], (Op.PUNCH, Op.SEAL, Op.CLEAR_DEPTH))]
    if study.alpha == "sorted":
        late = np.isin(ops[order], (Op.CLIP, Op.ALPHA))
        held = order[late]
        held = held[np.argsort(-far[held], kind="stable")]
        order = np.concatenate((order[~late], held))
    return order


def _ground_first(records: Struct) -> I64:
    """The landscape's ground straight after the sky."""
    ops = records["op"]
    ground = ops == Op.TERRAIN
    before = int(np.flatnonzero(ops == Op.SKY)[-1]) + 1 if (ops == Op.SKY).any() else 0
    places: I64 = np.arange(len(records), dtype=np.int64)
    head, tail = places[:before], places[before:]
    return np.concatenate((head[~ground[:before]], places[ground], tail[~ground[before:]]))


def _again_for_each_view(records: Struct, views: int) -> I64:
    """All up to the drain after the landscape, which only an eye in a cell has, once a view."""
    ops = records["op"]
    places: I64 = np.arange(len(records), dtype=np.int64)
    drain = np.flatnonzero((ops == Op.FLUSH) & (records["owner"] == FlushSite.LANDSCAPE))
    if not len(drain):
        return places
    end = int(drain[0]) + 1
    while end < len(records) and ops[end] in (Op.CLIP, Op.ALPHA):
        end += 1
    return np.concatenate((np.tile(places[:end], max(views, 1)), places[end:]))


def _shells_first(records: Struct) -> I64:
    """Each building's shell to where its portal pass begins."""
    ops = records["op"]
    places = list(range(len(records)))
    for start in np.flatnonzero(ops == Op.BUILDING).tolist():
        shell = int(records["owner"][start])
        punch = start + 1
        while punch < len(records) and ops[punch] in (Op.FLUSH, Op.CLIP, Op.ALPHA):
            punch += 1
        end = punch
        while end < len(records) and ops[end] not in (Op.BUILDING, Op.BLOCK, Op.FLUSH):
            if ops[end] == Op.SHELL and int(records["owner"][end]) == shell:
                break
            end += 1
        last = end
        while last < len(records) and ops[last] == Op.SHELL:
            last += 1
        places[punch:last] = [*range(end, last), *range(punch, end)]
    return np.array(places, np.int64)


def _by_distance(records: Struct, far: F64) -> I64:
    """Far to near between what stays: sky, weather, the outside's last drain, clear, seals."""
    ops = records["op"]
    stays = np.isin(ops, _FIXED)
    stays |= (ops == Op.FLUSH) & (records["owner"] == FlushSite.LANDSCAPE)
    key = np.where(stays, 0.0, -far)
    return np.lexsort((key, ~stays, np.cumsum(stays))).astype(np.int64)

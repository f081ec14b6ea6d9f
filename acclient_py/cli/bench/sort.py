"""The far-to-near order of many small cells and of one large one, repaired each frame."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._c import library
from acclient_py.core import F32, I32
from acclient_py.kernels import kernel
from acclient_py.kernels.sort import sort_parts


@kernel
def sort_cells(cypt: F32, order: I32, first: I32, cells: int, scratch: I32, keys: F32) -> None:
    """Each cell's slice in turn, as the walk calls the sort."""
    for c in range(cells):
        at = first[c]
        count = first[c + 1] - at
        for k in range(count):
            keys[k] = cypt[at + k]
        sort_parts(keys, order, at, count, scratch)


def run(quick: bool) -> list[Row]:
    """Times the kernel and the C loop on the same drifting distances."""
    clib = library("sort.c")
    rows = []
    for name, sizes, goal in (
        ("sort of 2,500 cells of 8 parts", np.full(2500, 8), 1.10),
        ("sort of one cell of 10,000 parts", np.array([10_000]), 1.0),
    ):
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        rng = np.random.default_rng(1)
        base = rng.uniform(0, 200, int(first[-1])).astype(np.float32)
        frames = [
            base + rng.normal(0, 0.01, len(base)).astype(np.float32)
            for _ in range(4 if quick else 16)
        ]
        start = np.concatenate([np.argsort(-base[a:b], kind="stable") for a, b in _pairs(first)])
        scratch = np.zeros(int(sizes.max()), np.int32)
        keys = np.zeros(int(sizes.max()), np.float32)
        ours, theirs = start.astype(np.int32), start.astype(np.int32)

        def mine(
            cypt: F32,
            order: I32 = ours,
            at: I32 = first,
            room: I32 = scratch,
            held: F32 = keys,
        ) -> None:
            sort_cells(cypt, order, at, len(at) - 1, room, held)

        def plain(cypt: F32, order: I32 = theirs, at: I32 = first) -> None:
            clib.sort_cells(_p(cypt), _p(order), _p(at), len(at) - 1)

        a, b = _best(mine, frames), _best(plain, frames)
        assert np.array_equal(ours, theirs), "both give the same order"
        rows.append(Row(name, a / b, "x", "C at -O3, the same loop", goal))
    return rows


def _pairs(first: I32) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in pairwise(first)]


def _p(array: F32 | I32) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _best(function: Callable[[F32], None], frames: list[F32]) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for cypt in frames:
            function(cypt)
        best = min(best, (time.perf_counter() - start) / len(frames))
    return best

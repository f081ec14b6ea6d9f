"""The far-to-near order of many small cells and of one large one, repaired each frame (G8)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._c import library
from acclient_py.cli.bench._turns import best_of_turns
from acclient_py.core import F32, I32
from acclient_py.kernels import kernel
from acclient_py.kernels.sort import SCRATCH_PER_ENTRY, sort_parts


@kernel
def sort_cells(cypt: F32, order: I32, first: I32, cells: int, scratch: I32, keys: F32) -> None:
    """Each cell's slice in turn, as the walk calls the sort: distances are gathered first."""
    for c in range(cells):
        at = np.uint64(first[c])
        count = np.uint64(first[c + 1]) - at
        moved = False
        before = np.float32(np.inf)
        k = np.uint64(0)
        while k < count:
            key = cypt[at + np.uint64(np.uint32(order[at + k]))]
            keys[k] = key
            moved |= key > before
            before = key
            k += np.uint64(1)
        if moved:
            sort_parts(keys, order, int(at), int(count), scratch)


def run(quick: bool) -> list[Row]:
    """Times the kernel and two C loops on the same drifting distances."""
    c = library("sort.c")
    rows = []
    for name, sizes, goal in (
        ("sort of 2,500 cells of 8 parts", np.full(2500, 8), 1.10),
        ("sort of one cell of 10,000 parts", np.array([10_000]), 1.0),
    ):
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        cells = len(sizes)
        rng = np.random.default_rng(1)
        base = rng.uniform(0, 200, int(first[-1])).astype(np.float32)
        frames = [
            base + rng.normal(0, 0.01, len(base)).astype(np.float32)
            for _ in range(4 if quick else 16)
        ]
        start = np.concatenate([np.argsort(-base[a:b], kind="stable") for a, b in pairwise(first)])
        scratch = np.zeros(SCRATCH_PER_ENTRY * int(sizes.max()), np.int32)
        keys = np.zeros(int(sizes.max()), np.float32)
        ours, plain, carrying = (start.astype(np.int32) for _ in range(3))

        def kernels(cypt: F32, order: I32, first: I32, scratch: I32, keys: F32) -> None:
            sort_cells(cypt, order, first, len(first) - 1, scratch, keys)

        def loop(cypt: F32, order: I32, first: I32) -> None:
            c.sort_cells(_p(cypt), _p(order), _p(first), len(first) - 1)

        def carried(cypt: F32, order: I32, first: I32, keys: F32) -> None:
            c.sort_cells_carrying(_p(cypt), _p(order), _p(first), len(first) - 1, _p(keys))

        mine, theirs, best = best_of_turns(
            [
                _over(
                    partial(kernels, order=ours, first=first, scratch=scratch, keys=keys), frames
                ),
                _over(partial(loop, order=plain, first=first), frames),
                _over(partial(carried, order=carrying, first=first, keys=keys.copy()), frames),
            ],
            10 if quick else 40,
        )
        assert np.array_equal(ours, plain), "both give the same order"
        assert np.array_equal(ours, carrying), "both give the same order"
        rows.append(Row(name, mine / theirs, "x", "C at -O3, the same loop", goal))
        rows.append(
            Row(f"the same, {cells} cells", mine / best, "x", "C that carries the distances")
        )
    return rows


def _over(function: Callable[[F32], None], frames: list[F32]) -> Callable[[], None]:
    def call() -> None:
        for cypt in frames:
            function(cypt)

    return call


def _p(array: F32 | I32) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)

"""DAT files: look-up and parse of land blocks against C (G10), opening, single look-ups."""

from __future__ import annotations

import ctypes
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from acclient_py.cli.bench import Needs, Row
from acclient_py.cli.bench._c import library
from acclient_py.core import F32, U32
from acclient_py.dat.container import DatFile
from acclient_py.dat.land import land_blocks
from acclient_py.dat.writer import CELL, build
from acclient_py.kernels.land_blocks import READ, read_land_blocks

NAME: Final = "dat"
BLOCKS: Final = 65_000
GOAL: Final = 1.10


def run(quick: bool) -> list[Row]:
    """Ratios to C over a cell file of 65,000 land blocks, and plain times beside them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / CELL.name
        build(path, _records(), CELL)
        with DatFile.open(path) as cell:
            return [*_against_c(cell, quick), *_times(path, cell, quick)]


def _records() -> dict[int, bytes]:
    rng = np.random.default_rng(6)
    noise = rng.integers(0, 256, (BLOCKS, 252), np.uint8)
    noise[:, 251] = 0
    ids = np.arange(BLOCKS, dtype="<u4") << np.uint32(16) | np.uint32(0xFFFF)
    noise[:, :4] = ids.view(np.uint8).reshape(-1, 4)
    return {int(id): row.tobytes() for id, row in zip(ids, noise, strict=True)}


def _against_c(cell: DatFile, quick: bool) -> list[Row]:
    """The kernel and the C program in turns, on scattered ids and on a load window."""
    rng = np.random.default_rng(7)
    table = (np.arange(256) * 2.0).astype(np.float32)
    scattered = rng.choice(BLOCKS, 10_000, replace=False).astype(np.uint32)
    side = np.arange(100, 125, dtype=np.uint32)
    window = (side[:, None] << np.uint32(8) | side[None, :]).ravel()
    cases = {"10,000 scattered ids": scattered, "a window of 25 x 25": window}
    rows = []
    for what, blocks in cases.items():
        ids = np.ascontiguousarray(blocks << np.uint32(16) | np.uint32(0xFFFF))
        name = f"look-up and parse, {what}"
        try:
            ratio = _ratio(cell, ids, table, 15 if quick else 60)
        except Needs as error:
            rows.append(Row(name, None, goal=GOAL, needs=str(error)))
            continue
        rows.append(Row(name, ratio, yardstick="C -O3 = 1", goal=GOAL))
    return rows


def _ratio(cell: DatFile, ids: U32, table: F32, rounds: int) -> float:
    load = library("dat.c").load_blocks
    load.restype = ctypes.c_int64
    words = cell.words()
    root, size = cell.header.root, cell.block_size
    ours, theirs = _outputs(len(ids)), _outputs(len(ids))
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    arguments = (
        pointer(words.ctypes.data),
        number(words.nbytes),
        number(size),
        number(root),
        number(len(ids)),
        pointer(ids.ctypes.data),
        pointer(table.ctypes.data),
        *(pointer(array.ctypes.data) for array in theirs),
    )

    def kernel() -> None:
        read_land_blocks(words, size, root, ids, table, *ours)

    def yardstick() -> None:
        load(*arguments)

    kernel()
    yardstick()
    assert (ours[0] == READ).all(), "every block is there"
    for mine, c in zip(ours, theirs, strict=True):
        assert np.array_equal(mine, c), "the two must do the same work"
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        times[0].append(_time(kernel))
        times[1].append(_time(yardstick))
    return min(times[0]) / min(times[1])


def _outputs(count: int) -> tuple[np.ndarray, ...]:
    return (
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint32),
        np.zeros((count, 81), np.uint16),
        np.zeros((count, 81), np.float32),
    )


def _time(call: Callable[[], object]) -> float:
    """Seconds a call, over about two milliseconds of calls."""
    start = time.perf_counter()
    call()
    once = time.perf_counter() - start
    repeats = max(1, min(1000, int(0.002 / max(once, 1e-9))))
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def _times(path: Path, cell: DatFile, quick: bool) -> list[Row]:
    """Opening, and single look-ups through the Python face."""
    opened = []
    for _ in range(5 if quick else 20):
        start = time.perf_counter()
        with DatFile.open(path) as fresh:
            fresh.read(0x7F7FFFFF)
        opened.append(time.perf_counter() - start)
    ids = (np.random.default_rng(8).choice(BLOCKS, 2000) << 16 | 0xFFFF).tolist()
    start = time.perf_counter()
    for id in ids:
        cell.read(id)
    single = (time.perf_counter() - start) / len(ids)
    table = np.zeros(256, np.float32)
    every = np.arange(BLOCKS, dtype=np.uint32) << np.uint32(16) | np.uint32(0xFFFF)
    whole = _time(lambda: land_blocks(cell, every, table))
    note = f"{BLOCKS} land blocks"
    return [
        Row("open and read one record", statistics.median(opened) * 1e3, "ms", note, 100.0),
        Row("one record by id, in Python", single * 1e6, "us", note),
        Row("all land blocks into arrays", whole * 1e3, "ms", note),
    ]

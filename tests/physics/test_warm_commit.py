"""What a warmed crossing costs: one compiled call for all who move, and nothing taken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from builders.graphs import CRATE, CREATURE, PLAYER, armed, open_land, put

from acclient_py.kernels import DISABLED
from acclient_py.physics import position
from acclient_py.physics.layout import CAUSE_MOVE
from acclient_py.physics.position import Batch
from acclient_py.physics.world import PhysicsWorld

HERE, THERE = 0x1120003D, 0x12200005
FRAMES = {HERE: (191, 100, 0, 1, 0, 0, 0), THERE: (1, 100, 0, 1, 0, 0, 0)}


class Crossers:
    """Armed walkers at a border of two blocks; `cross` takes all of them over it and back."""

    def __init__(self, count: int) -> None:
        self.world: PhysicsWorld = open_land()
        self.roots = [
            armed(self.world, PLAYER if n % 2 else CREATURE, HERE, 191, 100, 0)[0]
            for n in range(count)
        ]
        self.batch = Batch()
        self.ids = np.array([HERE, THERE], np.uint32)
        self.slots = np.array([self.world.cell_slot(i) for i in (HERE, THERE)], np.int32)
        self.frames = {cell: np.array(frame, np.float32) for cell, frame in FRAMES.items()}
        for _ in range(4):
            self.cross()

    def cross(self) -> None:
        for cell in (THERE, HERE):
            for root in self.roots:
                self.batch.add(
                    root, self.world.cell_slot(cell), self.frames[cell], cell_id=cell,
                    cause=CAUSE_MOVE, ids=self.ids, slots=self.slots,
                )  # fmt: skip
            self.batch.commit(self.world.graph)


def test_all_who_move_go_through_one_compiled_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: commit the rows of a batch one by one; the first count is that of the rows."""
    crossers = Crossers(20)
    calls = {"commit_kernel": 0, "republish": 0, "make_arrays": 0, "write_cells": 0}

    def counted(name: str) -> Any:
        kernel = getattr(position, name)

        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return kernel(*arguments)

        return call

    for name in calls:
        if not DISABLED or name == "commit_kernel":  # plain kernels call each other by name
            monkeypatch.setattr(position, name, counted(name))
    crossers.cross()
    assert calls == {"commit_kernel": 2, "republish": 0, "make_arrays": 0, "write_cells": 0}
    crossers.world.check()


@pytest.mark.contract("C19")
@pytest.mark.skipif(DISABLED, reason="plain Python makes numbers")
def test_a_warmed_crossing_takes_no_memory() -> None:
    """Counted: Python's blocks, and what compiled code asks for and gives back.

    A call asks once for each array that it is handed, whoever moves; nothing stays.
    Sabotage: an array made in `write_cells`, or a list kept per commit; a count rises.
    """
    asked = []
    for walkers in (1, 5):
        crossers = Crossers(walkers)
        crossers.cross()
        began, kept = _asked()
        before = sys.getallocatedblocks()
        for _ in range(200):
            crossers.cross()
        after = sys.getallocatedblocks()
        ended, still = _asked()
        assert still == kept
        assert after - before < 50, "200 crossings there and back"
        assert crossers.world.counts()["relations"] == 3 * walkers
        asked.append(ended - began)
    assert asked[0] == asked[1] > 0, "not a call's arguments alone"


def _asked() -> tuple[int, int]:
    """How often compiled code has asked for memory, and how many of these it still holds."""
    from numba.core.runtime import _nrt_python as runtime
    from numba.core.runtime import rtsys

    runtime.memsys_enable_stats()
    stats = rtsys.get_allocation_stats()
    return int(stats.alloc), int(stats.alloc) - int(stats.free)


def statements(residents: int) -> int:
    """Statements that 20 crossings there and back run when both cells hold so many others.

    Kernels have to be plain Python for that.
    """
    assert DISABLED, "compiled code shows no statements"
    crossers = Crossers(1)
    for n in range(residents):
        for cell in (HERE, THERE):
            x, y = FRAMES[cell][:2]
            put(crossers.world, CRATE, cell, x, y - n % 9, 0)
    crossers.cross()
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        for _ in range(20):
            crossers.cross()
    finally:
        sys.settrace(before)
    crossers.world.check()
    return count


def test_a_crossing_does_the_same_whoever_else_is_there() -> None:
    """Sabotage: look an object up in its cell's list from the front; the second count is higher."""
    if DISABLED:
        few, many = statements(3), statements(300)
    else:
        tests = Path(__file__).parents[1]
        script = "import test_warm_commit as t; print(t.statements(3), t.statements(300))"
        paths = os.pathsep.join(
            [str(tests), str(tests / "physics"), os.environ.get("PYTHONPATH", "")]
        )
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        few, many = map(int, done.stdout.split())
    assert few > 10_000, "crossings were counted"
    assert many < 1.1 * few, "where a list's slab is nearly full, its room is counted once more"

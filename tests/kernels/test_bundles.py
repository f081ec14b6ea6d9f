"""Bundles: a named tuple of arrays is one address to a kernel, and one type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from acclient_py.core import F32, I32
from acclient_py.kernels import DISABLED, kernel
from acclient_py.kernels.bundles import LAYOUTS, accessor_of_bundle, address_of_bundle, bundle


@bundle
class Pair(NamedTuple):
    """Two arrays."""

    numbers: I32
    rows: F32  # (n, 2, 3)


def _pair(count: int) -> Pair:
    rows = np.arange(count * 6, dtype=np.float32).reshape(count, 2, 3)
    return Pair(np.arange(count, dtype=np.int32), rows)


ROW = np.dtype([("other", "<i4"), ("pair", "<i8")])
pair_of = accessor_of_bundle(Pair, "pair")


@kernel(inner=True)
def _add(pair: Pair, at: int, amount: int) -> None:
    pair.numbers[at] += amount


@kernel
def _total(pair: Pair) -> float:
    for i in range(pair.numbers.shape[0]):
        _add(pair, i, 1)
        _add(pair, np.uint8(i), True)
    total = 0.0
    for i in range(pair.rows.shape[0]):
        for j in range(pair.rows.shape[1]):
            for k in range(pair.rows.shape[2]):
                total += pair.rows[i, j, k]
    return total


@kernel
def _total_by_row(row: Any) -> float:
    return _total(pair_of(row))


def test_a_kernel_reads_and_writes_the_arrays_of_a_bundle() -> None:
    pair = _pair(5)
    assert _total(pair) == sum(range(30))
    assert pair.numbers.tolist() == [2, 3, 4, 5, 6]


def test_a_replaced_array_is_seen() -> None:
    pair = _pair(3)
    _total(pair)
    longer = pair._replace(numbers=np.zeros(7, np.int32))
    _total(longer)
    assert longer.numbers.tolist() == [2] * 7
    assert isinstance(longer, Pair)


def test_a_row_can_name_a_bundle() -> None:
    pair = _pair(4)
    rows = np.zeros(1, ROW)
    rows["pair"] = address_of_bundle(pair)
    assert _total_by_row(rows[0]) == sum(range(24))


@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_all_instances_are_one_type() -> None:
    made: Any = _total
    frozen = _pair(2)
    frozen.rows.flags.writeable = False
    for pair in (_pair(2), _pair(9), frozen):
        _total(pair)
    assert len(made.signatures) == 1


@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_whole_numbers_of_all_types_are_one_machine_code() -> None:
    """Sabotage: hand the types on as they come in `_take_whole_numbers`; there are four."""
    from numba import typeof, types

    inner: Any = _add
    for number in (types.int64, types.uint8, types.boolean, types.literal(3)):
        inner.get_call_template((typeof(_pair(1)), number, types.int64), {})
    assert len(inner.signatures) == 1


@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_a_bundle_wants_the_arrays_of_its_class() -> None:
    with pytest.raises(AssertionError, match="rows: kernels walk contiguous arrays"):
        _total(Pair(np.zeros(1, np.int32), np.zeros((4, 2, 3), np.float32)[::2]))
    with pytest.raises(AssertionError, match="numbers: items of int64"):
        _total(Pair(np.zeros(1, np.int64), np.zeros((4, 2, 3), np.float32)))  # type: ignore[arg-type]


def test_python_may_call_an_inner_kernel() -> None:
    pair = _pair(3)
    _add(pair, 1, 40)
    assert pair.numbers.tolist() == [0, 41, 2]


LAID_OUT = """
import numpy as np
from acclient_py.kernels import kernel
from acclient_py.kernels.pointers import accessor, address_of

THING = np.dtype([{fields}])
things_of = accessor("things", THING)

@kernel
def wanted(rows):
    return things_of(rows[0])[1].wanted

things = np.zeros(2, THING)
things["wanted"][1] = 7
rows = np.zeros(1, [("things", "<i8"), ("things_rows", "<i8")])
rows["things"], rows["things_rows"] = address_of(things), 2
print(wanted(rows))
"""


@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_rows_that_are_laid_out_anew_are_read_by_new_machine_code(tmp_path: Path) -> None:
    """Sabotage: leave `made_from` out of the key; the second answer is what lies at the old place.

    The row of addresses looks the same before and after; only the accessor knows the difference.
    """
    layout = tmp_path / "rows.py"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    said = []
    for fields in ('("wanted", "<i4")', '("before", "<i4"), ("wanted", "<i4")'):
        layout.write_text(LAID_OUT.split("@kernel")[0].replace("{fields}", fields), "utf-8")
        (tmp_path / "user.py").write_text(
            "from rows import *\n@kernel" + LAID_OUT.split("@kernel")[1], "utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-B", "user.py"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said.append(done.stdout.strip() or done.stderr)
    assert said == ["7", "7"]


def test_an_accessor_of_a_bundle_says_where_its_rows_are_laid_out() -> None:
    """Sabotage: name no LAYOUTS in it; a changed dtype of the graph goes unnoticed."""
    files = {Path(file).name for file in LAYOUTS}
    assert {"layout.py", "mesh.py", "pools.py"} <= files
    assert all(Path(file).is_file() for file in LAYOUTS)
    if not DISABLED:
        assert len(pair_of.made_from.split()) == 2 + len(LAYOUTS)

"""L6: the sort of one cell's parts, against the plain loop that retail runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.kernels import sort

VECTORS = Path(__file__).resolve().parents[1] / "data" / "physics_vectors.json"


def plain(keys: list[float], order: list[int]) -> list[int]:
    """From the second-to-last down: an entry goes back while the one after it is farther."""
    order = list(order)
    for start in range(len(order) - 2, -1, -1):
        at = start
        while at + 1 < len(order) and keys[order[at + 1]] > keys[order[at]]:
            order[at], order[at + 1] = order[at + 1], order[at]
            at += 1
    return order


def run(keys: list[float], order: list[int]) -> list[int]:
    permutation = np.array([99, *order, 77], np.int32)
    scratch = np.zeros(sort.SCRATCH_PER_ENTRY * len(order), np.int32)
    far = np.array([keys[i] for i in order], np.float32)
    sort.sort_parts(far, permutation, 1, len(order), scratch)
    new = np.array([keys[i] for i in permutation[1:-1]], np.float32)
    assert np.array_equal(far, new, equal_nan=True), "the distances went along"
    assert permutation[0] == 99
    assert permutation[-1] == 77
    return permutation[1:-1].tolist()


distances = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 2.0, np.inf, -np.inf, np.nan]),
    st.floats(width=32),
)


@pytest.mark.contract("L6")
@given(st.lists(distances, max_size=60), st.randoms(use_true_random=False))
def test_the_kernel_is_the_plain_loop(keys: list[float], random: object) -> None:
    order = list(range(len(keys)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert run(keys, order) == plain(keys, order)


@pytest.mark.contract("L6")
@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 50, 400]), st.booleans())
def test_great_disorder_gives_the_same_order(seed: int, values: int, nan: bool) -> None:
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, values, 300).astype(np.float32)
    if nan:
        keys[rng.integers(0, 300)] = np.nan
    order = rng.permutation(300).tolist()
    assert run(keys.tolist(), order) == plain(keys.tolist(), order)


@pytest.mark.contract("L6")
def test_tabulated_sorts() -> None:
    if not VECTORS.exists():
        pytest.skip("no physics vectors")
    rows = json.loads(VECTORS.read_text(encoding="utf-8"))["shadow_part_sort"]
    for row in rows:
        names = [name for name, _ in row["in"]]
        keys = [float(key) for _, key in row["in"]]
        got = run(keys, list(range(len(keys))))
        assert [[names[i], keys[i]] for i in got] == [[n, float(k)] for n, k in row["expect"]]


@pytest.mark.contract("L6")
def test_nan_stops_a_shift() -> None:
    assert run([1.0, np.nan, 5.0], [0, 1, 2]) == [0, 1, 2]
    assert run([1.0, 3.0, np.nan, 5.0], [0, 1, 2, 3]) == [1, 0, 2, 3]

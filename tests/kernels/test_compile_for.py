"""Machine code made without a call, as the first start's second process makes it."""

from __future__ import annotations

import numpy as np

from acclient_py import kernels
from acclient_py.kernels import kernel


@kernel
def _raise_first(values: np.ndarray) -> None:
    values[0] += 1.0


def test_what_is_compiled_for_arguments_is_not_called_and_not_compiled_again() -> None:
    """Sabotage: have `compile_for` call the kernel; the first assertion fails. Have it compile for
    a list in place of the array; the last does."""
    values = np.zeros(2)
    kernels.compile_for(_raise_first, values)
    assert values[0] == 0.0
    _raise_first(values)
    assert values[0] == 1.0
    if not kernels.DISABLED:
        assert len(_raise_first.signatures) == 1  # type: ignore[attr-defined]

"""Numbers, ids and geometry: the bottom of the program, imported by everything.

Scalar functions here are written once, as plain Python that numba compiles too (ints masked,
float32 stepwise where retail used floats); kernels jit these very functions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
I8: TypeAlias = NDArray[np.int8]
I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U8: TypeAlias = NDArray[np.uint8]
U16: TypeAlias = NDArray[np.uint16]
U32: TypeAlias = NDArray[np.uint32]
U64: TypeAlias = NDArray[np.uint64]
Bool: TypeAlias = NDArray[np.bool_]
Struct: TypeAlias = NDArray[Any]
"""A structured array."""
Real: TypeAlias = "float | np.floating[Any]"
"""A number that a function rounds to the precision it works in."""
Whole: TypeAlias = "int | np.integer[Any]"
"""A whole number, of Python or of an array."""

__all__ = [
    "F32",
    "F64",
    "I8",
    "I16",
    "I32",
    "I64",
    "U8",
    "U16",
    "U32",
    "U64",
    "Bool",
    "Real",
    "Struct",
    "Whole",
]  # fmt: skip

"""Arrays found by address: how a kernel that calls many others hands the world on.

numba passes a tuple of arrays by value, seven words an array, and counts references to each at
every call; a chain of calls with forty arrays takes minutes to compile. Such a kernel takes one
structured row instead, whose fields hold addresses and lengths, and each function makes the views
it needs. The row's owner keeps the arrays alive and makes the row anew when one was replaced.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from acclient_py.kernels import DISABLED, kernel

if DISABLED:
    import ctypes

    def array_at(address: int, shape: tuple[int, ...], dtype: Any) -> Any:
        """A view of `shape` items at an address."""
        count = 1
        for n in shape:
            count *= int(n)
        size = count * np.dtype(dtype).itemsize
        memory = (ctypes.c_ubyte * size).from_address(int(address))
        return np.frombuffer(memory, dtype).reshape(shape)

else:
    from numba import carray, types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def _pointer(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], cgutils.voidptr_t)

        return types.voidptr(types.int64), generate

    @kernel
    def array_at(address: int, shape: tuple[int, ...], dtype: Any) -> Any:
        """A view of `shape` items at an address."""
        return carray(_pointer(address), shape, dtype)


def address_of(array: Any) -> int:
    """Where an array's items lie; the caller keeps it alive."""
    assert array.flags.c_contiguous, "kernels walk contiguous arrays"
    return int(array.ctypes.data)

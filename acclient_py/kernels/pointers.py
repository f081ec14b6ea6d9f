"""Arrays found by address: how a kernel that calls many others hands the world on.

numba passes a tuple of arrays by value, seven words an array, and counts references to each at
every call; a chain of calls with forty arrays takes minutes to compile. Such a kernel takes one
structured row instead, whose fields `name` and `name_rows` hold the address and the length of an
array, and each function makes the views it needs with an accessor. The row's owner keeps the arrays
alive and makes the row anew when one was replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from acclient_py.kernels import DISABLED

if DISABLED:
    import ctypes

    def accessor(name: str, dtype: Any, *width: int) -> Callable[[Any], Any]:
        """What makes the view of one array out of a row: `width` is the shape of an item."""
        item = np.dtype(dtype)
        size = item.itemsize * int(np.prod(width))

        def view(row: Any) -> Any:
            rows = int(row[f"{name}_rows"])
            memory = (ctypes.c_ubyte * (size * rows)).from_address(int(row[name]))
            return np.frombuffer(memory, item).reshape(rows, *width)

        return view

else:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from acclient_py.kernels._loading import item_type

    def accessor(name: str, dtype: Any, *width: int) -> Callable[[Any], Any]:
        """What makes the view of one array out of a row: `width` is the shape of an item."""

        def view(typing_context: Any, row: Any) -> Any:
            item = item_type(np.dtype(dtype))
            array = types.Array(item, 1 + len(width), "C")

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                # only compiling needs it, and it brings in a good part of numba
                from numba.np.arrayobj import populate_array

                def field(which: str) -> Any:
                    word = context.get_value_type(types.int64)
                    member: Any = cgutils.get_record_member
                    at = member(builder, args[0], row.offset(which), word)
                    return builder.load(at, align=1)

                made = context.make_array(array)(context, builder)
                kind = context.get_data_type(item)
                size = context.get_constant(types.intp, context.get_abi_sizeof(kind))
                lengths = [
                    field(f"{name}_rows"),
                    *(context.get_constant(types.intp, n) for n in width),
                ]
                steps = [size]
                for length in lengths[:0:-1]:
                    steps.insert(0, builder.mul(steps[0], length))
                fill: Any = populate_array
                fill(
                    made,
                    data=builder.inttoptr(field(name), kind.as_pointer()),
                    shape=lengths,
                    strides=steps,
                    itemsize=size,
                    meminfo=None,
                )
                return made._getvalue()

            return array(row), generate

        made: Any = intrinsic(view)
        made.made_from = f"{name} {np.dtype(dtype)!r} {width}"
        found: Callable[[Any], Any] = made
        return found


def address_of(array: Any) -> int:
    """Where an array's items lie; the caller keeps it alive."""
    assert array.flags.c_contiguous, "kernels walk contiguous arrays"
    return int(array.ctypes.data)

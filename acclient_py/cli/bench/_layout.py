"""C declarations of the program's rows and bundles: a yardstick works on the same memory.

They are written anew from the numpy layouts at each build: a column that is added somewhere moves
the yardstick's struct with it, and a column that is renamed fails its build.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

_SCALARS: Final = {
    "u1": "uint8_t", "u2": "uint16_t", "u4": "uint32_t", "u8": "uint64_t",
    "i1": "int8_t", "i2": "int16_t", "i4": "int32_t", "i8": "int64_t",
    "f4": "float", "f8": "double",
}  # fmt: skip


def _scalar(dtype: np.dtype[Any]) -> str:
    return _SCALARS[f"{dtype.kind}{dtype.itemsize}"]


def struct(name: str, dtype: np.dtype[Any]) -> str:
    """A packed struct whose fields lie where numpy has them."""
    assert dtype.fields is not None, f"{name} is no row"
    lines = []
    at = 0
    for field in dtype.names or ():
        kind, offset = dtype.fields[field][:2]
        if offset > at:
            lines.append(f"    uint8_t pad_{at}[{offset - at}];")
        base, shape = kind.subdtype or (kind, ())
        lines.append(f"    {_scalar(base)} {field}{''.join(f'[{n}]' for n in shape)};")
        at = offset + kind.itemsize
    if dtype.itemsize > at:
        lines.append(f"    uint8_t pad_{at}[{dtype.itemsize - at}];")
    body = "\n".join(lines)
    return f"typedef struct __attribute__((packed)) {{\n{body}\n}} {name};\n"


def bundle(name: str, arrays: Any, rows: Mapping[np.dtype[Any], str]) -> str:
    """What lies at a bundle's address: of each array a pointer and its shape."""
    lines = []
    for field, array in zip(arrays._fields, arrays, strict=True):
        kind = rows[array.dtype] if array.dtype.names else _scalar(array.dtype)
        lines.append(f"    {kind} *{field};")
        lines += [f"    int64_t {field}_n{axis};" for axis in range(array.ndim)]
    body = "\n".join(lines)
    return f"typedef struct {{\n{body}\n}} {name};\n"


def addresses(name: str, dtype: np.dtype[Any], kinds: Mapping[str, str]) -> str:
    """A row of addresses of bundles, each to its own kind; those without one are plain words."""
    lines = [
        f"    {f'{kinds[field]} *' if field in kinds else 'int64_t '}{field};"
        for field in dtype.names or ()
    ]
    body = "\n".join(lines)
    return f"typedef struct {{\n{body}\n}} {name};\n"


def constants(module: Any, names: tuple[str, ...]) -> str:
    """`#define`s of a module's numbers."""
    lines = []
    for name in names:
        value = getattr(module, name)
        text = f"{float(value)!r}f" if isinstance(value, np.floating | float) else str(int(value))
        lines.append(f"#define {name} {text}")
    return "\n".join(lines) + "\n"

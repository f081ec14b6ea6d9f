"""Compiled functions: `kernel` makes one, `warm` loads them all. numba is named here only.

A kernel takes and fills arrays and knows nothing of objects. Those that work on no owner's data
stand in this package; one that writes a graph's fields stands in the module that owns the fields.
Arithmetic that Python and kernels share is a plain function in `core/`, compiled for kernels by
`kernel(function)`; what such a function calls of this package is compiled along with it.

numba's own cache does not notice a change in another file. Here the folder of each kernel's machine
code is named after all that went into it: its own file, the keys of the kernels it names, the
values of the constants it names, and the versions. So an edit costs only those kernels that it
touches. A helper stands above its caller, or the caller's key does not know it.

Which kernels the program calls, and with which types, is not declared anywhere: it is remembered. A
kernel that was called from Python leaves a mark beside its machine code, and `warm` loads all
marked ones. On an empty cache a child process runs the program for a moment first (`exercise`).
What `warm` had to load one by one it keeps in one file, an image, for the next start.

With NUMBA_DISABLE_JIT=1 kernels are the plain functions, and numba is not imported.
"""

from __future__ import annotations

from acclient_py.kernels._making import (
    DISABLED,
    REGISTRY,
    Kernel,
    cache_folder,
    compile_for,
    kernel,
    share_compiling,
)
from acclient_py.kernels._warming import (
    compiled_count,
    compiled_names,
    exercised,
    load_all,
    mark_exercised,
    modules_with_kernels,
    say_each_compilation,
    warm,
)

__all__ = [
    "DISABLED",
    "REGISTRY",
    "Kernel",
    "cache_folder",
    "compile_for",
    "compiled_count",
    "compiled_names",
    "exercised",
    "kernel",
    "load_all",
    "mark_exercised",
    "modules_with_kernels",
    "say_each_compilation",
    "share_compiling",
    "warm",
]

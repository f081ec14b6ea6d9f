"""A device whose GL calls are counted, every one, moderngl's own among them."""

from __future__ import annotations

import ctypes
from typing import Any

from acclient_py.cli.bench._c import library
from acclient_py.render.device import Device


def counted_device() -> tuple[Device, Any]:
    """An offscreen device, and the library whose `total()` is the number of calls so far."""
    stubs = library("_gl_calls.c")
    stubs.counted.restype = ctypes.c_void_p
    stubs.counted.argtypes = [ctypes.c_void_p]
    stubs.total.restype = ctypes.c_uint64

    class Counted(Device):
        """Hands moderngl, and whoever calls by pointer, a stub for each function."""

        def __init__(self, loader: Any, **options: Any) -> None:
            found = loader.load_opengl_function

            def load(name: str) -> int:
                return stubs.counted(found(name) or None) or 0

            loader.load_opengl_function = load
            super().__init__(loader, **options)

    return Counted.offscreen(), stubs

"""What any program of this kind pays: Python, numpy, a stored kernel, a window with a bar."""

from __future__ import annotations

import sys
import time

import numpy as np

from acclient_py.core import F32
from acclient_py.kernels import kernel
from acclient_py.viewer import keys
from acclient_py.viewer.app import App, Marks
from acclient_py.viewer.window import library


@kernel
def total(values: F32) -> float:
    """A kernel like any other, whose machine code is kept."""
    found = 0.0
    for value in values:
        found += value
    return found


def main(width: int, height: int) -> None:
    """Open the viewer's window, load nothing, and say `first frame`."""
    with App(
        library(), size=(width, height), gl="max", fullscreen=False, vsync=False,
        keymap=keys.load(None), hud=False, mark=Marks(time.perf_counter()),
    ):  # fmt: skip
        total(np.zeros(8, np.float32))
        print("first frame", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""What the window shows while the world is being loaded: a bar, and a line in the title.

The work runs in a thread of its own; it tells how far it is. The bar needs neither fonts nor
shaders, so it is there as soon as the window is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.viewer.window import TITLE, Window

T = TypeVar("T")
Report = Callable[[str, int, int], None]

BACKGROUND: Final = (0.055, 0.065, 0.085)
TROUGH: Final = (0.13, 0.15, 0.19)
BAR: Final = (0.82, 0.66, 0.33)
WAIT: Final = 1.0 / 15.0  # between two pictures of the bar, which cost the work what they take


class Loading(Generic[T]):
    """Runs `work(report)` in a thread; report(text, done, total), total 0 when nobody knows."""

    def __init__(self, work: Callable[[Report], T]) -> None:
        self.text = "starting"
        self.done = 0
        self.total = 0
        self.error: BaseException | None = None
        self._result: list[T] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[Report], T]) -> None:
        try:
            self._result.append(work(self._report))
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            self.error = error
        finally:
            self._ready.set()

    def _report(self, text: str, done: int, total: int) -> None:
        self.text, self.done, self.total = text, done, total

    def wait(self, seconds: float) -> bool:
        """Whether it is finished, after at most so many seconds."""
        return self._ready.wait(seconds)

    @property
    def fraction(self) -> float:
        """0..1; negative while nobody knows."""
        return min(1.0, self.done / self.total) if self.total > 0 else -1.0

    def result(self) -> T:
        """What the work gave; raises what it raised."""
        self._thread.join()
        if self.error is not None:
            raise self.error
        return self._result[0]


def bar_box(size: tuple[int, int], fraction: float, now: float) -> tuple[int, int, int, int, int]:
    """(x, y, width, height of the trough, filled pixels from its left or where the runner is)."""
    width, height = size
    wide = max(1, width * 2 // 5)
    tall = max(2, height // 90)
    x, y = (width - wide) // 2, height // 3
    if fraction >= 0.0:
        return x, y, wide, tall, int(wide * fraction)
    return x, y, wide, tall, int(wide * (now % 1.5) / 1.5)


class Bar:
    """Draws the bar, and shows it as pictures of the world are shown.

    So the driver has made what it needs for that while the world is being loaded.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._target: Target | None = None

    def draw(self, size: tuple[int, int], fraction: float, now: float) -> None:
        """Clear the window, whose framebuffer has this size, and draw the bar into it."""
        target = self._target
        if target is None or target.size != size:
            self.release()
            target = self._target = Target(self._device, size)
        target.begin(*BACKGROUND)
        clear = target.framebuffer.clear
        x, y, wide, tall, filled = bar_box(size, fraction, now)
        clear(*TROUGH, 1.0, viewport=(x, y, wide, tall))
        if fraction < 0.0:
            runner = max(1, wide // 6)
            clear(*BAR, 1.0, viewport=(x + min(filled, wide - runner), y, runner, tall))
        elif filled > 0:
            clear(*BAR, 1.0, viewport=(x, y, filled, tall))
        target.show()

    def release(self) -> None:
        if self._target is not None:
            self._target.release()
            self._target = None


def show(window: Window, bar: Bar, loading: Loading[Any]) -> bool:
    """Keep the window alive until the work is done; false when the user closed it."""
    shown = ""
    while True:
        if window.closing:
            return False
        if window.drawable:
            bar.draw(window.framebuffer_size, loading.fraction, time.perf_counter())
            window.swap()
        if loading.text != shown:
            shown = loading.text
            window.set_title(f"{TITLE} - {shown}")
        window.poll()
        if loading.wait(WAIT):
            return True

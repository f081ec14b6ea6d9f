"""Times of several functions, taken in turns in one process: the machine's moods hit all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence


def best_of_turns(calls: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least seconds that each call took."""
    for call in calls:
        call()
    best = [float("inf")] * len(calls)
    was = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for which, call in enumerate(calls):
                started = time.perf_counter()
                call()
                best[which] = min(best[which], time.perf_counter() - started)
    finally:
        if was:
            gc.enable()
    return best

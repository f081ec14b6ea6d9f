"""Ticks out of wall time: how many quanta of 1/30 s are due, and never a rush after a pause."""

# contract cases: WIN-04
from __future__ import annotations

from typing import Final

QUANTUM: Final = 1.0 / 30.0
MOST: Final = 4  # ticks in one turn; what is beyond is dropped, not caught up


class TickClock:
    """Says how many ticks are due. contract: D8"""

    def __init__(self, *, quantum: float = QUANTUM, most: int = MOST) -> None:
        self.quantum = quantum
        self.most = most
        self._last: float | None = None
        self._owed = 0.0

    def due(self, now: float) -> int:
        """How many ticks to make at `now`, seconds of a clock that only rises.

        None at first: the time to the first tick begins then, and the first picture does not wait
        for all that a world's first moment sets going.
        """
        if self._last is None:
            self._last = now
            return 0
        self._owed += max(0.0, now - self._last)
        self._last = now
        count = int(self._owed / self.quantum + 1e-9)
        self._owed -= count * self.quantum
        if count > self.most:
            count, self._owed = self.most, 0.0
        return count

    def until_next(self, now: float) -> float:
        """Seconds until the next tick is due."""
        if self._last is None:
            return self.quantum
        return max(0.0, self.quantum - self._owed - (now - self._last))

    @property
    def blend(self) -> float:
        """How far the time of the frame lies between the last tick and the next, 0..1."""
        return min(1.0, max(0.0, self._owed / self.quantum))

    def pause(self) -> None:
        """Time that passes from here to the next `due` does not count."""
        self._last = None

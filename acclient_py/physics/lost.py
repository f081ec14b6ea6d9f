"""Lost cells and the 25 seconds that an object without a cell still lives (spec 3.8).

An object whose cell is not resident keeps its id and waits in the list of that id; when the cell
arrives, the list is taken out whole, in order. A deadline counts only while it is the object's
last one.
"""

from __future__ import annotations

import heapq
from typing import Final

DESTRUCTION_DELAY: Final = 25.0
"""Seconds that a lost object lives."""

_EPSILON: Final = 0.0002


class LostCells:
    """Waiting objects by cell id, and deadlines by object."""

    def __init__(self) -> None:
        self._lost: dict[int, list[int]] = {}
        self._id_of: dict[int, int] = {}
        self._deadline: dict[int, float] = {}
        self._queue: list[tuple[float, int, int]] = []
        self._turn = 0

    def __len__(self) -> int:
        return len(self._id_of)

    def __contains__(self, obj: int) -> bool:
        return obj in self._id_of

    def add(self, obj: int, cell_id: int) -> None:
        """Wait for a cell. Retail: CLostCell::GotoLostCell @0x00508210."""
        self.remove(obj)
        self._lost.setdefault(cell_id, []).append(obj)
        self._id_of[obj] = cell_id

    def remove(self, obj: int) -> None:
        """Wait no more; the list's last member moves into the hole."""
        cell_id = self._id_of.pop(obj, None)
        if cell_id is None:
            return
        waiting = self._lost[cell_id]
        at = waiting.index(obj)
        waiting[at] = waiting[-1]
        waiting.pop()
        if not waiting:
            del self._lost[cell_id]

    def waiting(self, cell_id: int) -> list[int]:
        """Who waits for a cell, in order."""
        return list(self._lost.get(cell_id, ()))

    def take(self, cell_id: int) -> list[int]:
        """All who wait for a cell, in order; they wait no more. Retail: InitObjCell."""
        waiting = self._lost.pop(cell_id, [])
        for obj in waiting:
            del self._id_of[obj]
        return waiting

    def condemn(self, obj: int, now: float) -> None:
        """Set an object's deadline, in place of an earlier one."""
        self._turn += 1
        self._deadline[obj] = now + DESTRUCTION_DELAY
        heapq.heappush(self._queue, (now + DESTRUCTION_DELAY, self._turn, obj))

    def reprieve(self, obj: int) -> None:
        """Cancel an object's deadline."""
        self._deadline.pop(obj, None)

    def deadline(self, obj: int) -> float | None:
        """When an object is to be deleted."""
        return self._deadline.get(obj)

    def deadline_count(self) -> int:
        """How many objects have a deadline."""
        return len(self._deadline)

    def due(self, now: float) -> list[int]:
        """The objects whose time is up, in order of their deadlines. Retail: CPhysics::UseTime."""
        found = []
        while self._queue and self._queue[0][0] <= now:
            deadline, _, obj = heapq.heappop(self._queue)
            current = self._deadline.get(obj)
            if current is not None and abs(current - deadline) <= _EPSILON:
                del self._deadline[obj]
                found.append(obj)
        return found

    def by_cell(self) -> list[tuple[int, list[int]]]:
        """All lists, by cell id."""
        return sorted(self._lost.items())

"""What the plain painter keeps: stamps, distances, levels, permutations, the count of seals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from twin.painter.numbers import F
from twin.painter.reading import Cell, Part

from acclient_py.physics.layout import EVENT_ADD_PART, EVENT_REMOVE_PART

FAR_AWAY = F(np.finfo(np.float32).max)
"""The distance of a part that was never measured."""


@dataclass
class Known:
    """What is remembered of a part."""

    distance: Any = FAR_AWAY
    level: int = 0
    mode: int = 1
    """How that level faces: 1 as it is, 2 along the heading, 5 about its z axis."""
    heading: tuple[Any, Any, Any] = (F(0), F(0), F(1))
    gone: bool = False
    """An emitter's, beyond the distance at which it shows any."""
    stamp: int = 0


class Memory:
    """Made once, handed to every frame."""

    def __init__(self) -> None:
        self.stamp = 0
        self.seals = 0
        self._parts: dict[tuple[int, int, int], Known] = {}
        self._orders: dict[int, list[tuple[int, int]]] = {}
        self.cell_stamps: dict[int, int] = {}

    def of(self, part: Part) -> Known:
        name = part.owner.row, part.owner.generation, part.index
        return self._parts.setdefault(name, Known())

    def order_of(self, cell: Cell) -> list[Part]:
        """The cell's parts as the last frame left them."""
        by_name = {(part.owner.row, part.index): part for part in cell.entries}
        kept = self._orders.setdefault(cell.id, list(by_name))
        assert sorted(kept) == sorted(by_name), "a permutation follows its cell's list"
        return [by_name[name] for name in kept]

    def keep_order(self, cell: Cell, parts: list[Part]) -> None:
        self._orders[cell.id] = [(part.owner.row, part.index) for part in parts]

    def follow(self, events: Any) -> None:
        """L6: an added entry goes to the end, a removed one is replaced by the last."""
        for event in events:
            kind, cell = int(event["kind"]), int(event["new"])
            name = int(event["object"]), int(event["part"])
            if kind == EVENT_ADD_PART:
                self._orders.setdefault(cell, []).append(name)
            elif kind == EVENT_REMOVE_PART:
                order = self._orders[cell]
                at = order.index(name)
                last = order.pop()
                if at < len(order):
                    order[at] = last

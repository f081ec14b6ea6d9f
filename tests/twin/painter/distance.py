"""CYpt in its three regimes, the level of detail that follows, and the sort of one cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from twin.painter.memory import Memory
from twin.painter.numbers import F, doubt, length, offset_between, placed
from twin.painter.reading import Cell, Obj, Part, Picture
from twin.painter.views import Eye

CELL_LIMIT = 50.0
OBJECT_LIMIT = 625.0
EMITTER_LIMIT = 256.0
DEGRADE_DISTANCE = 50.0


class Distances:
    """Measures what stands in a cell, from one eye."""

    def __init__(self, picture: Picture, memory: Memory, eye: Eye, player: int) -> None:
        self.picture, self.memory, self.eye, self.player = picture, memory, eye, player

    def from_eye(self, block_id: int, at: Any) -> tuple[Any, Any, Any]:
        """From the eye to a place of a block."""
        dx, dy, _ = offset_between(self.eye.cell_id, block_id)
        return (
            dx + F(at[0]) - self.eye.at[0],
            dy + F(at[1]) - self.eye.at[1],
            F(at[2]) - self.eye.at[2],
        )

    def update_cell(self, cell: Cell) -> None:
        """UpdateObjCell @0x005A0690."""
        if not cell.shadows:
            return
        if cell.id & 0xFFFF < 0x100:
            x, y, _ = self.from_eye(cell.id, cell.frame)
            d = np.sqrt(x * x + y * y)
            if not d <= CELL_LIMIT:
                doubt.below(d, CELL_LIMIT, "cell")
                for obj in cell.shadows:
                    self._all(obj, d)
                return
            doubt.below(d, CELL_LIMIT, "cell")
        for obj in cell.shadows:
            self.update_object(obj)

    def update_object(self, obj: Obj) -> None:
        """CPhysicsObj::UpdateViewerDistance @0x00510B30."""
        v = self.from_eye(obj.cell_id, obj.frame)
        limit = EMITTER_LIMIT if obj.emitter else OBJECT_LIMIT
        flat = v[0] * v[0] + v[1] * v[1]
        doubt.below(flat, limit, "object")
        if flat >= limit:
            self._all(obj, length(v))
            return
        for part in obj.parts:
            self.update_part(part)

    def update_part(self, part: Part) -> None:
        """CPhysicsPart::UpdateViewerDistance @0x0050E030."""
        if part.gfx < 0:
            return
        centre = self.picture.gfx(part.gfx).sort_center
        scaled = [s * c for s, c in zip(part.scale, centre, strict=True)]
        v = self.from_eye(part.owner.part_cell_id, placed(part.frame, scaled))
        self._take(part, length(v))

    def _all(self, obj: Obj, d: Any) -> None:
        for part in obj.parts:
            if part.gfx >= 0:
                self._take(part, d)

    def _take(self, part: Part, d: Any) -> None:
        known = self.memory.of(part)
        known.distance = d
        known.level = 0 if part.owner.row == self.player else self._level(part, d)

    def _level(self, part: Part, d: Any) -> int:
        """GfxObjDegradeInfo::get_degrade @0x0051E4B0, with deg_mul 0."""
        levels = self.picture.gfx(part.gfx).levels
        with np.errstate(all="ignore"):
            d = max(F(0), abs(d / part.scale[2]) - F(DEGRADE_DISTANCE))
        for i, level in enumerate(levels):
            if doubt.below(d, F(level.ideal), "level"):
                return i
        return max(0, len(levels) - 1)

    def shown(self, part: Part) -> int:
        """The mesh of a part at its level; -1: nothing."""
        if part.gfx < 0:
            return -1
        levels = self.picture.gfx(part.gfx).levels
        return levels[self.memory.of(part).level].gfx if levels else part.gfx


def insertion_sort(parts: list[Part], memory: Memory) -> None:
    """L6, literally. Retail: CShadowPart::insertion_sort @0x006B5130."""
    for at in range(len(parts) - 2, -1, -1):
        moved = parts[at]
        mine = memory.of(moved).distance
        to = at
        while to + 1 < len(parts) and memory.of(parts[to + 1]).distance > mine:
            parts[to] = parts[to + 1]
            to += 1
        parts[to] = moved

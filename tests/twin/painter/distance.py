"""CYpt in its three regimes, the level of detail that follows, and the sort of one cell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from twin.painter.memory import Memory
from twin.painter.numbers import (
    EPS,
    F,
    Frame,
    Point,
    doubt,
    length,
    matrix,
    offset_between,
    placed,
)
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
                    self._all(obj, d, (x, y, F(0)))
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
            self._all(obj, length(v), v)
            return
        for part in obj.parts:
            self.update_part(part)
            if obj.emitter:
                self._emitted(part, length(v))

    def update_part(self, part: Part) -> None:
        """CPhysicsPart::UpdateViewerDistance @0x0050E030."""
        if part.gfx < 0:
            return
        centre = self.picture.gfx(part.gfx).sort_center
        scaled = [s * c for s, c in zip(part.scale, centre, strict=True)]
        v = self.from_eye(part.owner.part_cell_id, placed(part.frame, scaled))
        self._take(part, length(v), v)

    def _all(self, obj: Obj, d: Any, v: Any) -> None:
        for part in obj.parts:
            self._take(part, d, v)
            if obj.emitter:
                self._emitted(part, d)

    def _take(self, part: Part, d: Any, v: Any) -> None:
        known = self.memory.of(part)
        known.distance, known.gone = d, False
        known.level, known.mode = 0, 1
        levels = self.picture.gfx(part.gfx).levels if part.gfx >= 0 else ()
        if levels and part.owner.row != self.player:
            known.level = self._level(part, d)
            known.mode = levels[known.level].mode
            long = d > F(EPS)
            known.heading = (v[0] / d, v[1] / d, v[2] / d) if long else (F(0), F(0), F(1))

    def _emitted(self, part: Part, d: Any) -> None:
        """get_max_degrade_distance: an emitter shows nothing beyond it."""
        if part.gfx >= 0:
            levels = self.picture.gfx(part.gfx).levels
            most = levels[max(len(levels) - 2, 0)].most if levels else 100.0
            self.memory.of(part).gone = bool(d > F(most))

    def draw_frame(self, part: Part) -> Frame:
        """calc_draw_frame: the part's frame, turned as its level wants."""
        known = self.memory.of(part)
        if known.mode == 1:
            return part.frame
        x, y, z = (float(v) for v in known.heading)
        if known.mode == 2:
            yaw, pitch = math.atan2(x, y), math.asin(max(-1.0, min(1.0, z)))
            if x == 0 and y == 0:
                yaw = math.pi / 2
            across, up = (-yaw / 2), (pitch / 2)
            q = (
                math.cos(across) * math.cos(up), math.cos(across) * math.sin(up),
                math.sin(across) * math.sin(up), math.sin(across) * math.cos(up),
            )  # fmt: skip
            return (*part.frame[:3], *(F(v) for v in q))
        assert known.mode == 5, "the scenes have no other"
        return self._about_z(part.frame, (x, y, z))

    @staticmethod
    def _about_z(frame: Frame, h: Point) -> Frame:
        """The frame turned about its own z axis until its y axis looks along a heading."""
        m = matrix(frame)
        x, y = ((m[0][k] * h[0] + m[1][k] * h[1] + m[2][k] * h[2]) for k in (0, 1))
        if math.hypot(x, y) < EPS:
            return frame
        half = -math.atan2(x, y) / 2
        c, s = math.cos(half), math.sin(half)
        w, i, j, k = (float(v) for v in frame[3:])
        q = (w * c - k * s, i * c + j * s, j * c - i * s, w * s + k * c)
        return (*frame[:3], *(F(v) for v in q))

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
        if part.gfx < 0 or self.memory.of(part).gone:
            return -1
        levels = self.picture.gfx(part.gfx).levels
        return levels[self.level_of(part)].gfx if levels else part.gfx

    def level_of(self, part: Part) -> int:
        """The level that was chosen last; where the mesh is another one since, one that it has."""
        known, count = self.memory.of(part).level, len(self.picture.gfx(part.gfx).levels)
        if known >= max(count, 1):
            doubt.met.append("level of another mesh")
        return min(known, max(count - 1, 0))


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

"""Surface slots: drawn at once or put off into one of the two lists, and the lists' drains (L9).

Rows that the plain walk tells are tuples whose first item is a word; `told.py` has the same rows of
the program's stream.
"""

from __future__ import annotations

from typing import Any

from twin.painter.memory import Memory
from twin.painter.reading import Part, Slot

Row = tuple[Any, ...]

ROOM = 3000
CLIPPED = 8
WAITS = 14
BLEND_STATE, DETAIL_STATE = 2, 3


class Canvas:
    """The rows of one frame, in order, and what waits."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.clip: list[Row] = []
        self.alpha: list[Row] = []

    def tell(self, *row: Any) -> None:
        self.rows.append(row)

    def flush(self, site: str, threshold: float) -> None:
        """FlushAlphaList @0x0059D2E0: the clip list, then the alpha list, as they were filled."""
        clip, alpha = len(self.clip), len(self.alpha)
        drained = clip >= ROOM * threshold or alpha >= ROOM * threshold
        self.tell("flush", site, threshold, clip, alpha, drained)
        if not drained:
            return
        self.rows += self.clip
        self.rows += self.alpha
        self.clip, self.alpha = [], []

    def mesh(
        self, word: str, owner: int, part: int, slots: tuple[Slot, ...], *, fills: bool,
        light: tuple[int, ...], faded: bool = False, detail: bool = False,
    ) -> None:  # fmt: skip
        """D3DPolyRender::DrawMesh @0x0059D4A0.

        fills : surfaces without a picture are drawn too ; faded : the material is translucent
        light  : its regime and the numbers of its lamps (register D17: also of what waits)
        detail : a detail surface is current, so nothing waits
        """
        for index, slot in enumerate(slots):
            if not fills and not slot.textured:
                continue
            state = BLEND_STATE if faded else slot.state
            if not detail and (slot.mask & WAITS or faded):
                clipped = slot.mask & CLIPPED
                name, waiting = ("clip", self.clip) if clipped else ("alpha", self.alpha)
                if len(waiting) < ROOM:
                    waiting.append((name, owner, part, index, state, light))
                continue
            self.tell(word, owner, part, index, state, light)
            if detail and slot.detail:
                self.tell(word, owner, part, index, DETAIL_STATE, light)


def lists_of(slots: tuple[Slot, ...], *, faded: bool) -> tuple[bool, bool]:
    """Whether some slot of a mesh goes to the clip list, and whether some to the alpha list."""
    waiting = [slot.mask for slot in slots if slot.mask & WAITS or faded]
    return any(m & CLIPPED for m in waiting), any(not m & CLIPPED for m in waiting)


def fresh(memory: Memory, part: Part) -> bool:
    """Whether a part was not drawn since the stamp was raised (2.4: the player's as others')."""
    return memory.of(part).stamp != memory.stamp

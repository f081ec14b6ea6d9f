"""Surface types: whether a slot waits (rendering 1.4), in which state it is drawn (1.2, 10.3)."""

from __future__ import annotations

from twin.painter.reading import Slot

IMAGE, CLIPMAP, TRANSLUCENT = 0x2, 0x4, 0x10
ALPHA, INVALPHA, ADDITIVE = 0x100, 0x200, 0x10000
OPAQUE_STATE, CLIP_STATE, BLEND_STATE = 0, 1, 2


def waiting_mask(kind: int, *, stippled: bool) -> int:
    """isStippledOrAlphaedMask."""
    if kind & 0x00010300:
        mask = 2
    elif kind & CLIPMAP:
        mask = 8
    elif kind & TRANSLUCENT:
        mask = 4
    else:
        mask = 0
    return mask | int(stippled)


def state_of(kind: int) -> int:
    """What SetSurface @0x0059C4D0 leaves: no blend; an alpha test that writes depth; a blend."""
    blend = bool(kind & (ALPHA | INVALPHA | ADDITIVE))
    test = False
    if kind & CLIPMAP:
        blend = test = True
    if kind & TRANSLUCENT and (not blend or test):
        blend, test = True, False
    if not blend:
        return OPAQUE_STATE
    return CLIP_STATE if test else BLEND_STATE


def slot_of(kind: int, *, stippled: bool) -> Slot:
    textured = bool(kind & (IMAGE | CLIPMAP))
    return Slot(waiting_mask(kind, stippled=stippled), state_of(kind), textured)

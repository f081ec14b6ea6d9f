"""Where a window was before it took the whole screen, so that it comes back exactly there.

Place and size are taken before the switch, never from events after it, and never while the window
is on the whole screen or maximised.
"""

# contract cases: WIN-06
from __future__ import annotations

from msgspec import Struct


class Box(Struct, frozen=True):
    """A window in screen coordinates."""

    x: int
    y: int
    width: int
    height: int


class Placement:
    """Remembers the windowed box."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.maximised = False
        self.fullscreen = False

    def enter(self, box: Box, *, maximised: bool, restored: Box | None = None) -> None:
        """The window goes to the whole screen now.

        box : where it is ; restored : where it was before it was maximised, when that is known
        """
        if self.fullscreen:
            return
        self.fullscreen = True
        self.maximised = maximised
        if not maximised:
            self.box = box
        elif restored is not None:
            self.box = restored

    def leave(self) -> Box:
        """The window comes back; where to. `maximised` says what to do after."""
        self.fullscreen = False
        return self.box


def shared(area: Box, box: Box) -> int:
    """How much of a window lies on a screen, in square units."""
    wide = min(box.x + box.width, area.x + area.width) - max(box.x, area.x)
    tall = min(box.y + box.height, area.y + area.height) - max(box.y, area.y)
    return max(0, wide) * max(0, tall)


def centre_on(areas: list[Box], box: Box) -> int:
    """Which of the screens holds most of a window, 0 when none does."""
    best, most = 0, 0
    for index, area in enumerate(areas):
        found = shared(area, box)
        if found > most:
            best, most = index, found
    return best


def on_a_screen(areas: list[Box], box: Box) -> Box:
    """The box, or, when its screen is gone, one as large in the middle of the first."""
    if not areas or any(shared(area, box) for area in areas):
        return box
    area = areas[0]
    width, height = min(box.width, area.width), min(box.height, area.height)
    x, y = area.x + (area.width - width) // 2, area.y + (area.height - height) // 2
    return Box(x, y, width, height)

"""What is shown over the picture, and when: text, notes, help. Without the `ui` packages: nothing.

The packages are imported at the first frame that shows anything; where they are missing, one note
says how to get them, and the window's title shows the place instead.
"""

# contract cases: WIN-07
from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.viewer.input import Input

if TYPE_CHECKING:
    from acclient_py.viewer.overlay.drawer import Drawer

log = logging.getLogger(__name__)

NOTE_SECONDS: Final = 4.0
HOW_TO_GET: Final = 'the text over the picture needs more packages: pip install "acclient-py[ui]"'


class Panels:
    """Owner of what is switched on.

    missing : the `ui` packages are not there
    """

    def __init__(self, device: Device, *, hud: bool) -> None:
        self.hud = hud
        self.help: list[tuple[str, str]] | None = None
        self.about = ""
        self.line: tuple[str, list[str]] | None = None
        """What is being typed, and what is offered; None: nothing is."""
        self.banner = ""
        """What has to be said all the time, as that the order is wrong on purpose."""
        self.missing = False
        self._device = device
        self._drawer: Drawer | None = None
        self._notes: list[tuple[float, str]] = []

    def note(self, text: str, now: float) -> None:
        """Say something for a few seconds."""
        self._notes.append((now + NOTE_SECONDS, text))
        log.info("%s", text)

    @property
    def wants_mouse(self) -> bool:
        return self._drawer is not None and self.help is not None and self._drawer.wants_mouse

    def begin(
        self, target: Target, hands: Input, dt: float, *, scale: float,
        cursor_scale: tuple[float, float], lines: list[str], late: bool = False,
    ) -> bool:  # fmt: skip
        """Build text and help of a frame, and draw them; notes come later. Whether anything was.

        late : the world is shown first; the library of texts takes a tenth of a second to come
        """
        wanted = self.hud or self.help is not None or self.line is not None or self.banner
        if late or not wanted:
            return False
        drawer = self._ready()
        if drawer is None:
            return False
        from acclient_py.viewer.overlay import panels

        drawer.begin(target.size, dt, scale=scale)
        drawer.mouse(
            hands.cursor[0] * cursor_scale[0], hands.cursor[1] * cursor_scale[1], hands.buttons
        )
        if self.hud:
            panels.corner(lines, target.size[0])
        if self.help is not None:
            panels.help_screen(self.help, self.about, target.size)
        if self.line is not None:
            panels.field(*self.line, target.size)
        if self.banner:
            panels.banner(self.banner, target.size)
        drawer.end(target)
        return True

    def finish(self, target: Target, now: float, *, scale: float) -> None:
        """Draw the notes, after everything that a screenshot holds."""
        if not self._notes:
            return
        self._notes = [(until, text) for until, text in self._notes if until > now]
        drawer = self._ready() if self._notes else None
        if drawer is None:
            return
        from acclient_py.viewer.overlay import panels

        drawer.begin(target.size, 1.0 / 60.0, scale=scale)
        panels.notes([text for _, text in self._notes], target.size)
        drawer.end(target)

    def _ready(self) -> Drawer | None:
        if self._drawer is None and not self.missing:
            try:
                from acclient_py.viewer.overlay.drawer import Drawer
            except ImportError as error:
                log.warning("%s", HOW_TO_GET)
                log.debug("%s", error)
                self.missing = True
                return None
            self._drawer = Drawer(self._device)
        return self._drawer

    def release(self) -> None:
        if self._drawer is not None:
            self._drawer.release()
            self._drawer = None

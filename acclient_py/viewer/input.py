"""Window events made into actions: what is held, what was pressed, how far the mouse went.

The window's callbacks only write events down; they are taken here once a turn of the loop, so that
nothing moves between two draws of one frame. Motion is by the place of a key, text by its letter.
When the window loses focus nothing is held any more: the key-up will never come.
"""

# contract cases: INP-01 INP-02 INP-04 ORD-04 HDP-01
from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from acclient_py.viewer.keys import CODES, CTRL, MOUSE, Keymap

KEY: Final = "key"
BUTTON: Final = "button"
CURSOR: Final = "cursor"
SCROLL: Final = "scroll"
FOCUS: Final = "focus"
TEXT: Final = "text"
STRENGTH: Final = "strength"

SLASH: Final = ord("/")

RELEASE: Final = 0
PRESS: Final = 1
REPEAT: Final = 2


class Event(NamedTuple):
    """One thing that the window reported.

    code : key or button number, codepoint, 1 or 0 for focus ; action : RELEASE, PRESS, REPEAT
    x, y : cursor in window units, or wheel steps; x : how far a stick or trigger is out, 0..1
    """

    kind: str
    code: int = 0
    action: int = 0
    mods: int = 0
    x: float = 0.0
    y: float = 0.0


EDITING: Final = {
    CODES[name]: name
    for name in ("enter", "kp-enter", "escape", "backspace", "delete", "up", "down", "tab")
}
"""Keys that mean something while a line is typed."""

PASTE: Final = "paste"


class Input:
    """The state of keys and mouse."""

    def __init__(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self.focused = True
        self.cursor = (0.0, 0.0)
        """In window units, not in pixels."""
        self.buttons = [False, False, False]
        self.moved = (0.0, 0.0)
        """How far the mouse went while it looks around, since the last `begin`."""
        self.wheel = 0.0
        self.pressed: list[str] = []
        """Actions that were begun since the last `begin`, in order."""
        self.typing = False
        """A line is being typed: keys are letters, and move nobody."""
        self.typed: list[str] = []
        """What was typed since the last `begin`: letters, names of EDITING, PASTE; in order."""
        self._strengths: dict[int, float] = {}  # of keys that can be down in part
        self._down: dict[int, str] = {}  # key to the action that it began, in order
        self._tapped: dict[str, None] = {}  # begun since the last tick, held for one tick at least
        self._have_cursor = False
        self._let_go = False  # everything, since the last tick
        self._opened = False  # a line, by the key that went down last: what it prints comes yet

    def begin(self) -> None:
        """A new turn: forget what belongs to one turn only."""
        self.moved = (0.0, 0.0)
        self.wheel = 0.0
        self.pressed.clear()
        self.typed.clear()

    def feed(self, events: Iterable[Event], *, mouse_taken: bool = False) -> None:
        """Take events in order. mouse_taken : a panel has the mouse, so it looks at nothing"""
        for event in events:
            if event.kind == KEY:
                self._key(event.code, event.action, event.mods)
            elif event.kind == CURSOR:
                self._move(event.x, event.y)
            elif event.kind == BUTTON:
                if 0 <= event.code < len(self.buttons):
                    self.buttons[event.code] = event.action != RELEASE
                if not (mouse_taken and event.action == PRESS):
                    self._key(MOUSE + event.code, event.action, event.mods)
            elif event.kind == SCROLL:
                if not mouse_taken:
                    self.wheel += event.y
            elif event.kind == TEXT:
                if self.typing and (event.code == SLASH or not self._opened):
                    self.typed.append(chr(event.code))
                self._opened = False
            elif event.kind == STRENGTH:
                self._strengths[event.code] = event.x
            elif event.kind == FOCUS:
                self.focused = bool(event.code)
                if not self.focused:
                    self.release_all()

    def begin_line(self) -> None:
        """From here on keys are letters.

        Of what the key prints that asked for the line, only a slash is its first letter.
        """
        self.release_all()
        self.typing = self._opened = True

    def _key(self, key: int, action: int, mods: int) -> None:
        self._opened = False
        if action == RELEASE:
            self._down.pop(key, None)
            self._strengths.pop(key, None)
            return
        if self.typing and key < MOUSE:
            if key in EDITING:
                self.typed.append(EDITING[key])
            elif key == CODES["v"] and mods & CTRL:
                self.typed.append(PASTE)
            return
        if action == REPEAT:
            return
        meant = self.keymap.action_of(key, mods)
        if meant is not None:
            self._down[key] = meant
            self._tapped[meant] = None
            self.pressed.append(meant)

    def _move(self, x: float, y: float) -> None:
        if self._have_cursor and self.looking:
            self.moved = (
                self.moved[0] + x - self.cursor[0],
                self.moved[1] + y - self.cursor[1],
            )
        self.cursor = (x, y)
        self._have_cursor = True

    def forget_cursor(self) -> None:
        """The cursor is about to jump (it was shown or hidden): that is no movement."""
        self._have_cursor = False

    def release_all(self) -> None:
        """Nothing is held, from here on."""
        self._down.clear()
        self._tapped.clear()
        self._strengths.clear()
        self.buttons = [False, False, False]
        self.moved = (0.0, 0.0)
        self._let_go = True

    def take_let_go(self) -> bool:
        """Whether everything was let go since the last tick: then no key's end means anything."""
        let_go, self._let_go = self._let_go, False
        return let_go

    def held(self, action: str) -> bool:
        """Whether a key of this action is down."""
        return action in self._down.values()

    def strength(self, action: str) -> float:
        """How far an action is held, 0..1: a stick may be out in part, a key is down or not."""
        return max(
            (self._strengths.get(key, 1.0) for key, a in self._down.items() if a == action),
            default=0.0,
        )

    @property
    def looking(self) -> bool:
        """Whether the mouse turns the camera."""
        return "mouse-look" in self._down.values()

    def take_held(self) -> list[str]:
        """Actions for the next tick, in the order in which they began; a short tap counts once."""
        actions = list(dict.fromkeys([*self._down.values(), *self._tapped]))
        self._tapped.clear()
        return actions

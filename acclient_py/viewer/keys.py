"""Keys by their place, and the keymap: which key stands for which action.

A key is named after what a US keyboard prints on its place, in small letters; the number behind it
is the window library's. A keymap is a TOML file: `[keys]` with a list of keys for each action, and
`base`, the keymap that it changes. `alt+` and `ctrl+` before a key ask for that modifier.
"""

# contract cases: INP-02 INP-04
from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from acclient_py import paths
from acclient_py.errors import UsageError

DEFAULT: Final = "retail"
OWN: Final = "keymap.toml"  # in the config folder

SHIFT: Final = 1
CTRL: Final = 2
ALT: Final = 4

MOUSE: Final = 1000  # a mouse button's code is this and its number
PAD: Final = 2000  # and a gamepad's keys are numbered from here

_PRINTED: Final = {
    "space": 32, "apostrophe": 39, "comma": 44, "minus": 45, "period": 46, "slash": 47,
    "semicolon": 59, "equal": 61, "left-bracket": 91, "backslash": 92, "right-bracket": 93,
    "grave": 96, "world-1": 161, "world-2": 162,
}  # fmt: skip
_OTHERS: Final = {
    "escape": 256, "enter": 257, "tab": 258, "backspace": 259, "insert": 260, "delete": 261,
    "right": 262, "left": 263, "down": 264, "up": 265, "page-up": 266, "page-down": 267,
    "home": 268, "end": 269, "caps-lock": 280, "scroll-lock": 281, "num-lock": 282,
    "print-screen": 283, "pause": 284, "kp-decimal": 330, "kp-divide": 331, "kp-multiply": 332,
    "kp-subtract": 333, "kp-add": 334, "kp-enter": 335, "kp-equal": 336, "shift": 340,
    "ctrl": 341, "alt": 342, "super": 343, "right-shift": 344, "right-ctrl": 345,
    "right-alt": 346, "right-super": 347, "menu": 348,
    "mouse-left": MOUSE, "mouse-right": MOUSE + 1, "mouse-middle": MOUSE + 2,
}  # fmt: skip

_PAD: Final = (
    "pad-a", "pad-b", "pad-x", "pad-y", "pad-left-bumper", "pad-right-bumper", "pad-back",
    "pad-start", "pad-guide", "pad-left-stick", "pad-right-stick", "pad-up", "pad-right",
    "pad-down", "pad-left", "pad-left-trigger", "pad-right-trigger", "pad-left-half",
    "pad-left-stick-up", "pad-left-stick-down", "pad-left-stick-left", "pad-left-stick-right",
    "pad-right-stick-up", "pad-right-stick-down", "pad-right-stick-left", "pad-right-stick-right",
)  # fmt: skip

CODES: Final[dict[str, int]] = {
    **{chr(c).lower(): c for c in (*range(48, 58), *range(65, 91))},
    **_PRINTED,
    **{f"f{n}": 289 + n for n in range(1, 26)},
    **{f"kp{n}": 320 + n for n in range(10)},
    **_OTHERS,
    **{name: PAD + n for n, name in enumerate(_PAD)},
}
"""Name of a key to its number."""

_NUMPAD: Final = {
    "kp-decimal": ".",
    "kp-divide": "/",
    "kp-multiply": "*",
    "kp-subtract": "-",
    "kp-add": "+",
}

NAMES: Final = {code: name for name, code in CODES.items()}

ACTIONS: Final = {
    "forward": "go forward",
    "backward": "go back",
    "turn-left": "turn left",
    "turn-right": "turn right",
    "sidestep-left": "step left",
    "sidestep-right": "step right",
    "walk": "walk, while held",
    "jump": "jump",
    "autorun": "run on by yourself, on or off",
    "stop": "stop",
    "use": "open or shut what is in reach",
    "camera-turn-left": "turn the camera left",
    "camera-turn-right": "turn the camera right",
    "camera-up": "raise the camera",
    "camera-down": "lower the camera",
    "camera-closer": "camera closer (wheel)",
    "camera-farther": "camera farther (wheel)",
    "view-default": "view from behind",
    "view-first": "view from the eyes",
    "view-look-down": "view from above",
    "view-map": "view as a map",
    "mouse-look": "look around with the mouse, while held",
    "fly": "fly the camera, on or off",
    "fly-up": "fly up",
    "fly-down": "fly down",
    "sheathe": "sheathe or draw the weapon",
    "torch": "torch in the left hand, or out",
    "swap": "the sword for both hands, or sword and shield",
    "slot-1": "first thing in hand, or away",
    "slot-2": "second thing in hand, or away",
    "slot-3": "third thing in hand, or away",
    "go-to": "go to a place, or /loc",
    "help": "these keys",
    "hud": "location and frame time",
    "overlay-cells": "overlay: cell membership",
    "overlay-portals": "overlay: portals",
    "study-order": "draw in a wrong order, to study it: the next one, then the right one",
    "record": "save what you did as a scenario",
    "copy-location": "copy the location",
    "fullscreen": "full screen, on or off",
    "screenshot": "screenshot",
    "screenshot-plain": "screenshot without text",
    "leave": "close what is open",
    "quit": "quit",
}
"""Every action, and what it does in a few words."""


class Chord(Struct, frozen=True):
    """A key with the modifiers that it needs."""

    key: int
    mods: int = 0


class Keymap(Struct, frozen=True):
    """name : as chosen ; actions : action to the chords that stand for it, first one first

    dead_zone : of a gamepad's sticks, a share of their way; None: the usual one
    """

    name: str
    about: str
    actions: dict[str, tuple[Chord, ...]]
    dead_zone: float | None = None

    def action_of(self, key: int, mods: int) -> str | None:
        """The action of a key that goes down; a chord with modifiers goes before the bare key."""
        bare = None
        for action, chords in self.actions.items():
            for chord in chords:
                if chord.key != key:
                    continue
                if chord.mods and chord.mods == mods & (CTRL | ALT):
                    return action
                if not chord.mods:
                    bare = action
        return bare

    def rows(
        self, name_of: Callable[[int], str | None], *, pad: bool = False
    ) -> Iterator[tuple[str, str]]:
        """(keys, what they do) for the help, in the letters of the user's own layout.

        pad : there is a gamepad, so its keys are named too
        """
        for action, words in ACTIONS.items():
            chords = [c for c in self.actions.get(action, ()) if pad or c.key < PAD]
            if chords:
                yield ", ".join(label(chord, name_of) for chord in chords), words


def label(chord: Chord, name_of: Callable[[int], str | None]) -> str:
    """A chord as a person reads it. name_of : a printing key's letter in the user's layout"""
    mods = [word for bit, word in ((CTRL, "Ctrl"), (ALT, "Alt")) if chord.mods & bit]
    name = NAMES.get(chord.key, str(chord.key))
    letter = name_of(chord.key) if chord.key < 256 and name != "space" else None
    if letter and len(letter) == 1:
        shown = letter.upper()
    elif name.startswith("kp"):
        shown = f"Num {_NUMPAD.get(name, name[2:].strip('-'))}"
    elif name.startswith("mouse-"):
        shown = f"{name[6:].capitalize()} button"
    elif name.startswith("pad-"):
        shown = f"Pad {name[4:].replace('-', ' ')}"
    else:
        shown = name.replace("-", " ").capitalize()
    return "+".join([*mods, shown])


def parse_chord(text: str, *, where: str) -> Chord:
    """`w`, `alt+left`, `mouse-right`."""
    *mods, key = text.lower().split("+")
    bits = {"ctrl": CTRL, "alt": ALT}
    unknown = [m for m in mods if m not in bits]
    if key not in CODES or unknown:
        wrong = unknown[0] if unknown else key
        raise UsageError(f"no key {wrong!r}", where=where, do="docs/viewer.md lists their names")
    return Chord(CODES[key], sum(bits[m] for m in dict.fromkeys(mods)))


def parse(text: str, *, name: str, where: str, seen: tuple[str, ...] = ()) -> Keymap:
    """The keymap of a TOML text, laid over its base."""
    try:
        raw: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"no TOML: {error}", where=where) from None
    unknown = sorted(set(raw) - {"about", "base", "keys", "dead-zone"})
    if unknown:
        do = "use about, base, keys, dead-zone"
        raise UsageError(f"no setting {unknown[0]!r}", where=where, do=do)
    dead_zone = _dead_zone(raw.get("dead-zone"), where=where)
    actions: dict[str, tuple[Chord, ...]] = {}
    base = raw.get("base")
    if base is not None:
        if not isinstance(base, str) or base in seen:
            raise UsageError("a keymap cannot be its own base", where=where)
        below = _shipped(base, where=where, seen=(*seen, base))
        actions.update(below.actions)
        dead_zone = below.dead_zone if dead_zone is None else dead_zone
    keys = raw.get("keys", {})
    if not isinstance(keys, dict):
        raise UsageError("[keys] is no table", where=where)
    for action, held in keys.items():
        if action not in ACTIONS:
            raise UsageError(f"no action {action!r}", where=where, do="docs/viewer.md lists them")
        if not isinstance(held, list) or not all(isinstance(k, str) for k in held):
            raise UsageError(f"{action}: not a list of keys", where=where, do='write ["w", "up"]')
        actions[action] = tuple(parse_chord(key, where=f"{where} {action}") for key in held)
    taken: dict[Chord, str] = {}
    changed = set(keys)
    for action, chords in list(actions.items()):  # a key that was given a new action has left
        if action not in changed:
            mine = {c for a in changed for c in actions[a]}
            actions[action] = tuple(c for c in chords if c not in mine)
        for chord in actions[action]:
            if taken.setdefault(chord, action) != action:
                raise UsageError(
                    f"{label(chord, lambda _: None)} is {taken[chord]} and {action}", where=where
                )
    return Keymap(name, str(raw.get("about", name)), actions, dead_zone)


def _dead_zone(given: object, *, where: str) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0.0 <= given <= 0.9:
        raise UsageError("dead-zone is no number from 0 to 0.9", where=where)
    return float(given)


def _shipped(name: str, *, where: str, seen: tuple[str, ...] = ()) -> Keymap:
    path = paths.keymaps() / f"{name}.toml"
    if not path.is_file() or "/" in name:
        known = ", ".join(sorted(p.stem for p in paths.keymaps().glob("*.toml")))
        raise UsageError(f"no keymap {name!r}", where=where, do=f"there are: {known}")
    return parse(
        path.read_text(encoding="utf-8-sig"), name=name, where=str(path), seen=seen or (name,)
    )


def load(name: str | None = None) -> Keymap:
    """The keymap of a name or file; without one the user's own, else retail's."""
    if name is None:
        own = paths.config_dir() / OWN
        if not own.is_file():
            return _shipped(DEFAULT, where="keymap")
        name = str(own)
    path = Path(name).expanduser()
    if path.suffix == ".toml" and path.is_file():
        text = path.read_text(encoding="utf-8-sig")
        if "base" not in text:
            text = f'base = "{DEFAULT}"\n{text}'
        return parse(text, name=path.stem, where=str(path))
    return _shipped(name, where="--keys")

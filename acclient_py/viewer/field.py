"""The one line that is typed: a place to go to in any form, or `/loc` for the place one is at.

It holds letters, not places of keys, so it is typed as the user's own layout has it.
"""

# contract cases: INP-02 LOC-01
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from acclient_py.viewer.input import PASTE

KEPT: Final = 20  # lines that the arrows bring back
LONGEST: Final = 200  # characters
SHOWN: Final = 6  # names that are offered


class Field:
    """A line of text while it is being typed.

    open : keys go into it ; names : places that it offers
    """

    def __init__(self, names: Sequence[str], paste: Callable[[], str]) -> None:
        self.open = False
        self.text = ""
        self.names = list(names)
        self._paste = paste
        self._said: list[str] = []
        self._back = 0

    def begin(self) -> None:
        """An empty line."""
        self.open, self.text, self._back = True, "", 0

    def close(self) -> None:
        self.open = False

    def take(self, typed: Iterable[str]) -> str | None:
        """Letters and editing keys in order; the whole line when it was entered, else None."""
        said = None
        for key in typed:
            if not self.open:
                break
            if key in ("enter", "kp-enter"):
                self.close()
                said = self.text.strip()
                if said and said not in self._said[-1:]:
                    self._said = [*self._said, said][-KEPT:]
            elif key == "escape":
                self.close()
            elif key == "backspace":
                self.text = self.text[:-1]
            elif key == "delete":
                self.text = ""
            elif key in ("up", "down"):
                self._recall(1 if key == "up" else -1)
            elif key == "tab":
                self._complete()
            else:
                more = self._paste() if key == PASTE else key
                more = "".join(c for c in more.splitlines()[0] if c.isprintable()) if more else ""
                self.text = (self.text + more)[:LONGEST]
        return said or None

    def offers(self) -> list[str]:
        """Names of places that begin like the line, or hold it."""
        text = self.text.strip().lower()
        first = [name for name in self.names if name.startswith(text)]
        rest = [name for name in self.names if text and text in name and name not in first]
        return [*first, *rest][:SHOWN]

    def _complete(self) -> None:
        offers = self.offers()
        if offers:
            self.text = offers[0]

    def _recall(self, step: int) -> None:
        self._back = max(0, min(len(self._said), self._back + step))
        self.text = self._said[-self._back] if self._back else ""

"""The errors that a user may see: what is wrong, where, and what to do about it.

Each fits on one line. Only `cli/main.py` prints them and chooses the exit code (I2); everybody
else raises. A broken promise inside the program is no `AcclientError` but an assertion.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

EXIT_DONE: Final = 0
EXIT_NO: Final = 1  # the answer is no
EXIT_BAD: Final = 2  # bad usage, bad input, a missing part of the machine


class AcclientError(Exception):
    """Anything that this program refuses, in words for a person.

    what  : the fault itself
    where : the file, field or argument it stands in, said first
    do    : the next step for the user, said last
    """

    exit_code: int = EXIT_BAD

    def __init__(
        self, what: str, *, where: str | Path | None = None, do: str | None = None
    ) -> None:
        self.what = what
        self.where = None if where is None else str(where)
        self.do = do
        super().__init__(what)

    def place(self) -> str:
        """Where the fault is, or an empty text."""
        return self.where or ""

    def __str__(self) -> str:
        place = self.place()
        text = f"{place}: {self.what}" if place else self.what
        if self.do:
            text = f"{text}; {self.do}"
        return " ".join(text.split())


class UsageError(AcclientError):
    """The command line, a setting or a call asks for something that does not exist."""


class DataError(AcclientError):
    """A file is not what it should be.

    file : the file's path, when it is known
    at   : the byte in it (in the record, for a `RecordError`)
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | Path | None = None,
        file: str | Path | None = None,
        at: int | None = None,
        do: str | None = None,
    ) -> None:
        super().__init__(what, where=where, do=do)
        self.file = None if file is None else str(file)
        self.at = at

    def place(self) -> str:
        words = [word for word in (self.file, self.where) if word]
        if self.at is not None:
            words.append(f"at byte {self.at}")
        return " ".join(words)


class RecordError(DataError):
    """A record's bytes cannot be what its kind says. `record` is its 32-bit id, `at` the byte."""

    def __init__(
        self,
        what: str,
        *,
        record: int | None = None,
        at: int | None = None,
        file: str | Path | None = None,
        do: str | None = None,
    ) -> None:
        super().__init__(what, file=file, at=at, do=do)
        self.record = record

    def place(self) -> str:
        words = [self.file] if self.file else []
        if self.record is not None:
            words.append(f"record 0x{self.record & 0xFFFFFFFF:08X}")
        if self.at is not None:
            words.append(f"at byte {self.at}")
        return " ".join(words)


class MissingRecord(DataError):
    """An id that the DAT set does not hold."""

    def __init__(
        self, record: int, *, file: str | Path | None = None, what: str = "no such record"
    ) -> None:
        super().__init__(what, file=file)
        self.record = record

    def place(self) -> str:
        words = [self.file] if self.file else []
        words.append(f"record 0x{self.record & 0xFFFFFFFF:08X}")
        return " ".join(words)


class GpuError(AcclientError):
    """No graphics context, or one that cannot do what is needed."""


class RefusedEvent(AcclientError):
    """An event that the session refuses before the first write (E3); `what` is the reason."""

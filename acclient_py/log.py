"""Logging: set up once by the command line, and warnings that are given once an id.

Importing the package configures nothing. Messages go to standard error (I4), one line an event.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import warnings
from collections.abc import Hashable

ROOT_NAME = "acclient_py"

_lock = threading.Lock()
_warned: set[Hashable] = set()


class _Line(logging.Formatter):
    """`acclient: warning: text`; the module's name too when debugging."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if logging.getLogger(ROOT_NAME).level <= logging.DEBUG:
            text = f"{record.name}: {text}"
        line = f"acclient: {record.levelname.lower()}: {text}"
        if record.exc_info:
            line = f"{line}\n{self.formatException(record.exc_info)}"
        return line


class _Stderr(logging.Handler):
    """Writes to what standard error is now, which a caller of `cli.main.run` may exchange."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line; nobody may be reading."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()


def configure(level: int = logging.WARNING) -> None:
    """Send the package's messages from `level` on to standard error; again only sets the level.

    What numpy says of sums with odd numbers is for those who debug: standard error holds lines of
    this program, and a damaged record has one of its own (I2).
    """
    warnings.simplefilter("default" if level <= logging.DEBUG else "ignore", RuntimeWarning)
    root = logging.getLogger(ROOT_NAME)
    root.setLevel(level)
    if not root.handlers:
        handler = _Stderr()
        handler.setFormatter(_Line())
        root.addHandler(handler)
        root.propagate = False


def warn_once(
    key: Hashable, message: str, *args: object, logger: logging.Logger | None = None
) -> bool:
    """Warn about `key` the first time it is met; true if this was the first time.

    key : what the warning is about, e.g. ("gfx", 0x01000001); a second warning of it is dropped
    """
    with _lock:
        if key in _warned:
            return False
        _warned.add(key)
    (logger or logging.getLogger(ROOT_NAME)).warning(message, *args)
    return True


def warned(key: Hashable) -> bool:
    """Whether `warn_once` has spoken about `key`."""
    with _lock:
        return key in _warned


def forget_warnings() -> None:
    """Let every warning be given again: a new world was opened, or a test begins."""
    with _lock:
        _warned.clear()

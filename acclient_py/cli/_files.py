"""The files that a command line names: one that is written is nothing else besides."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from acclient_py.errors import UsageError


def keep_apart(writes: Mapping[str, str | Path | None], reads: Iterable[str | Path] = ()) -> None:
    """UsageError when a file would be written for two options, or over what is read.

    writes : by option, None where it is not given
    A device or a pipe takes any number of writers; links to one file are that file.
    """
    # contract: I2
    taken = {_identity(path): "is what is read" for path in reads}
    for option, path in writes.items():
        key = None if path is None else _identity(path)
        if key is None:
            continue
        if key in taken:
            raise UsageError(taken[key], where=f"{option} {path}", do="name another file")
        taken[key] = f"is written for {option} already"


def _identity(path: str | Path) -> object:
    """What two names of one file have in common; None for what is no plain file."""
    try:
        seen = Path(path).stat()
    except OSError:
        return str(Path(path).resolve())
    return (seen.st_dev, seen.st_ino) if stat.S_ISREG(seen.st_mode) else None

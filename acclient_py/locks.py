"""A lock between processes: one bakes or installs, the others wait. Standard library only."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path


@contextlib.contextmanager
def one_at_a_time(lock: Path, *, waiting: Callable[[], object] | None = None) -> Iterator[int]:
    """Hold the lock file while the body runs, which gets its descriptor; who is killed lets go.

    waiting : called once when another process holds it

    A program that inherits the descriptor (POSIX) holds the lock too, until it ends.
    """
    with lock.open("a+") as file:
        told = False
        while not _try(file.fileno()):
            if not told and waiting is not None:
                waiting()
            told = True
            time.sleep(0.2)
        yield file.fileno()


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

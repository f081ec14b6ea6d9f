"""Compile the kernels of the named modules (of all, without names) into the cache.

One line a kernel: its number, the count, its name. `warm` runs this as a child process on an
empty cache; by hand it is a way to prepare a machine.
"""

from __future__ import annotations

import importlib
import sys

from acclient_py import kernels


def main(names: list[str]) -> int:
    """Import the modules, warm their kernels, and say each."""
    for name in names or kernels.modules_with_kernels():
        importlib.import_module(name)

    def say(done: int, total: int, name: str) -> None:
        if name:
            sys.stdout.write(f"{done} {total} {name}\n")
            sys.stdout.flush()

    kernels.warm(say, child=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

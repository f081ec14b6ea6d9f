"""Load every kernel of the package, compiling those with samples of their own: for a look.

`python -m acclient_py.kernels` says how many there are, how many are ready and how long it took.
"""

from __future__ import annotations

import sys
import time

from acclient_py import kernels


def main() -> int:
    """Import every module that holds kernels, warm them, and say so in one line."""
    began = time.perf_counter()
    kernels.load_all()
    imported = time.perf_counter()
    compiled = kernels.warm()
    marked = sum(made.marked for made in kernels.REGISTRY.values())
    sys.stdout.write(
        f"{len(kernels.REGISTRY)} kernels, {marked} called before, {compiled} compiled now; "
        f"import {imported - began:.2f} s, load {time.perf_counter() - imported:.2f} s\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

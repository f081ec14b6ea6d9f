"""A child process on Mesa's null driver: every GL call is made, nothing is drawn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Final

from acclient_py.cli.bench import Needs

NULL_DRIVER: Final = {"GALLIUM_NOOP": "1", "GALLIUM_THREAD": "0"}
"""Without the second, Mesa's null driver ends in a segmentation fault at a buffer's first write."""


def child(module: str, *arguments: object, null: bool = True, **more: str) -> Any:
    """Run `python -m module ARGUMENTS`; the JSON of its last line. `Needs` when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, **(NULL_DRIVER if null else {}), **more},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise Needs(f"{module.rpartition('.')[2]} to run ({last[0]})")
    return json.loads(lines[-1])

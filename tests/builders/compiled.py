"""Code that is run in a fresh interpreter, for what happens once a process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path


def run(folder: Path, code: str, **env: str | None) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh interpreter that sees the package and `folder`."""
    repo = Path(__file__).resolve().parents[2]
    whole: dict[str, str] = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("NUMBA_", "ACCLIENT"))
    }
    whole["PYTHONPATH"] = os.pathsep.join([str(repo), str(folder)])
    for key, value in env.items():
        whole.pop(key, None)
        if value is not None:
            whole[key] = value
    return subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(code)],
        env=whole,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )

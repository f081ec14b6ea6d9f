"""What the set-up says, and how it runs other programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]


class Refused(Exception):
    """The set-up cannot go on; the text is the one line that says why and what to do."""


def say(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"acclient set-up: {text}\n")
    sys.stderr.flush()


def guarded(main: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run `main`; what stops the set-up becomes one line and an exit code."""
    try:
        return main(arguments)
    except Refused as refused:
        text = str(refused)
    except KeyboardInterrupt:
        sys.stderr.write("\nacclient: interrupted; run the same line again to go on\n")
        return 130
    except OSError as error:
        text = f"{error.filename or REPO}: {error.strerror or error}"
    sys.stderr.write(f"acclient: error: {text}\n")
    return 2


def environment() -> dict[str, str]:
    """The environment for programs of the .venv."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "__PYVENV_LAUNCHER__")}


def start(command: Sequence[str]) -> int:
    """Hand this process over to `command`; on Windows wait for it."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execve(command[0], list(command), environment())
    return subprocess.call(list(command), env=environment())


def shown(
    command: Sequence[str],
    title: str,
    *,
    env: dict[str, str] | None = None,
    log: Path | None = None,
) -> tuple[int, list[str]]:
    """Run a command; its last line and the time stand on one line of a terminal as it goes.

    Gives the exit code and all lines of output; `log` gets them too.
    """
    began = time.monotonic()
    terminal = sys.stderr.isatty()
    lines: list[str] = []
    process = subprocess.Popen(
        list(command),
        cwd=REPO,
        env=env or environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            lines.append(line.rstrip())
            if terminal:
                seconds = time.monotonic() - began
                width = shutil.get_terminal_size().columns - 1
                text = f"  {title} {seconds:4.0f} s  {line.strip()}"[:width]
                sys.stderr.write(f"\r{text:<{width}}")
                sys.stderr.flush()
        code = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        if terminal:
            sys.stderr.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
        if log is not None:
            log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    say(f"{title}: {'failed' if code else 'done'}, {time.monotonic() - began:.0f} s")
    return code, lines

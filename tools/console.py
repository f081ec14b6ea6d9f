"""What the set-up says, and how it runs other programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
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
    code, lines = shown_together([(command, title)], env=env)[0]
    if log is not None:
        log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return code, lines


def shown_together(
    jobs: Sequence[tuple[Sequence[str], str]], *, env: dict[str, str] | None = None
) -> list[tuple[int, list[str]]]:
    """Run commands at the same time, as `shown` does with one."""
    began = time.monotonic()
    terminal = sys.stderr.isatty()
    width = shutil.get_terminal_size().columns - 1
    running: list[tuple[subprocess.Popen[str], str, list[str], threading.Thread]] = []
    try:
        for command, title in jobs:
            process = subprocess.Popen(
                list(command),
                cwd=REPO,
                env=env or environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=False,  # the lock of the set-up, see prepare.py
                text=True,
                encoding="utf-8",
                errors="replace",
            )
            lines: list[str] = []
            reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
            running.append((process, title, lines, reader))
            reader.start()
        waiting = list(running)
        while waiting:
            waiting[0][3].join(0.1)
            if terminal:
                parts = [f"{title}  {lines[-1] if lines else ''}" for _, title, lines, _ in waiting]
                text = f"  {time.monotonic() - began:4.0f} s  {'  |  '.join(parts)}"[:width]
                sys.stderr.write(f"\r{text:<{width}}")
                sys.stderr.flush()
            for job in [job for job in waiting if not job[3].is_alive()]:
                waiting.remove(job)
                code = job[0].wait()
                if terminal:
                    sys.stderr.write("\r" + " " * width + "\r")
                took = time.monotonic() - began
                say(f"{job[1]}: {'failed' if code else 'done'}, {took:.0f} s")
    except BaseException:
        for process, _, _, _ in running:
            process.kill()
            process.wait()
        raise
    return [(process.returncode, lines) for process, _, lines, _ in running]


def _read(process: subprocess.Popen[str], lines: list[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.strip())

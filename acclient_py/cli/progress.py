"""Progress on standard error: a bar for a terminal, a few plain lines for a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int, str], None]


@contextmanager
def progress(title: str, *, every: int = 0) -> Iterator[Report]:
    """Show how far a long job is; yields a function of (done, total, what is being done).

    every : where there is no terminal, one report of so many is a line; 0 is none
    """
    if not sys.stderr.isatty():
        sys.stderr.write(f"acclient: {title} ...\n")
        sys.stderr.flush()
        told = 0

        def line(done: int, total: int, what: str) -> None:
            nonlocal told
            told += 1
            if every and told % every == 0:
                sys.stderr.write(f"acclient: {title}: {done} of {total}, {what}\n")
                sys.stderr.flush()

        yield line
        sys.stderr.write(f"acclient: {title}: done\n")
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[what]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
        task = bar.add_task(title, total=None, what="")

        def report(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, what=what[:40])

        yield report
        bar.update(task, what="")

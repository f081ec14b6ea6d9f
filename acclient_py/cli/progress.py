"""Progress on standard error: a bar for a terminal, two plain lines for a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int, str], None]


@contextmanager
def progress(title: str) -> Iterator[Report]:
    """Show how far a long job is; yields a function of (done, total, what is being done)."""
    if not sys.stderr.isatty():
        sys.stderr.write(f"acclient: {title} ...\n")
        sys.stderr.flush()
        yield lambda done, total, what: None
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

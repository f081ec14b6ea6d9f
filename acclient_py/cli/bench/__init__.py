"""`acclient bench`: measures, and says how the figures stand to a yardstick of the same run.

Each module of this package with a `run` is one bench: `run(quick) -> list[Row]`. Its first line of
docstring is what `--list` prints; its C yardstick, if it has one, lies beside it under the same
name and is built by `_c.library`. A bench reports, a test never asserts a time.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Iterable
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import asdict

from acclient_py.errors import AcclientError, UsageError


class Needs(AcclientError):
    """A yardstick that is not there; the row says `n/a: needs ...`."""


class Row(Struct, frozen=True):
    """One figure.

    value     : the number (a ratio where there is a yardstick); None when it was not to be had
    unit      : of the value: "x" for a ratio, "ms", "MiB", ...
    yardstick : what 1.0 stands for, or what was measured
    goal      : the value must not be above it; None where nothing is promised
    needs     : what is missing, when `value` is None
    """

    name: str
    value: float | None
    unit: str = "x"
    yardstick: str = ""
    goal: float | None = None
    needs: str = ""


def benches() -> dict[str, str]:
    """Name and first docstring line of every bench, without importing any."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.name.startswith("_"):
            continue
        doc = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        found[file.stem] = doc.splitlines()[0] if doc else ""
    return found


def measure(name: str, quick: bool) -> list[Row]:
    """Run one bench; one that lacks something of this machine gives a single row that says so."""
    module = importlib.import_module(f"{__name__}.{name}")
    try:
        rows: list[Row] = module.run(quick)
    except Needs as error:
        return [Row(name, None, needs=str(error))]
    return rows


def _cells(row: Row) -> tuple[str, str, str, str, str]:
    value = f"n/a: needs {row.needs}" if row.value is None else f"{row.value:.4g} {row.unit}"
    goal = "" if row.goal is None else f"<= {row.goal:g}"
    if row.goal is None or row.value is None:
        verdict = ""
    else:
        verdict = "met" if row.value <= row.goal else "missed"
    return row.name, value, row.yardstick, goal, verdict


def _table(rows: Iterable[Row]) -> str:
    head = ("what", "value", "yardstick", "goal", "")
    lines = [head, *map(_cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


@click.command(
    help="Measure, and print ratios to yardsticks of the same run. All benches without NAME."
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="Say which benches there are.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: name, value, ...")
@click.option("--quick", is_flag=True, help="Smaller scenes and fewer rounds.")
def command(names: tuple[str, ...], listing: bool, as_json: bool, quick: bool) -> None:
    known = benches()
    if listing:
        for name, text in known.items():
            click.echo(json.dumps({"name": name, "what": text}) if as_json else f"{name:16} {text}")
        return
    for name in names:
        if name not in known:
            raise UsageError(
                f"no bench {name!r}", do=f"there are: {', '.join(known) or 'none yet'}"
            )
    for name in names or known:
        rows = measure(name, quick)
        if as_json:
            for row in rows:
                click.echo(json.dumps({"bench": name, **asdict(row)}))
        else:
            click.echo(f"{name}: {known[name]}\n{_table(rows)}\n")

"""`acclient doctor`: what this machine has, what is missing, and the command that mends it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec.structs import asdict

from acclient_py.cli.machine import MISSING, NOTE, OK, Finding, examine
from acclient_py.errors import EXIT_BAD, EXIT_DONE

MARKS = {OK: (" ok", "green"), NOTE: ("  -", "yellow"), MISSING: ("!!!", "red")}


def lines(findings: list[Finding], *, colour: bool) -> Iterator[str]:
    """The report for a person: a heading a part, a line a finding, a line for what mends it."""
    part = ""
    for finding in findings:
        if finding.part != part:
            part = finding.part
            yield part
        mark, shade = MARKS[finding.state]
        mark = click.style(mark, fg=shade) if colour else mark
        yield f"  {mark}  {finding.name}: {finding.text}"
        if finding.mend:
            yield f"         -> {finding.mend}"


def verdict(findings: list[Finding]) -> str:
    """One sentence for the end."""
    missing = [finding for finding in findings if finding.state == MISSING]
    if not missing:
        return "everything that is needed is there"
    return "missing: " + "; ".join(f"{finding.part} {finding.name}" for finding in missing)


@click.command(
    help="Say what graphics, display, Python, packages and data this machine has, and what is "
    "missing, with the command that mends it. Exits 2 when something is missing.",
    epilog="acclient doctor --report | xclip copies a block for a bug report.",
)
@click.option("--report", is_flag=True, help="One block for a bug report, without your name in it.")
@click.option("--json", "as_json", is_flag=True, help="The same as one JSON object.")
def command(report: bool, as_json: bool) -> int:
    findings = list(examine())
    good = not any(finding.state == MISSING for finding in findings)
    if as_json:
        rows = [asdict(finding) for finding in findings]
        click.echo(json.dumps({"ok": good, "findings": rows}, indent=1))
    elif report:
        text = "\n".join([*lines(findings, colour=False), verdict(findings)])
        home = str(Path.home())
        click.echo(f"```\n{text.replace(home, '~') if len(home) > 1 else text}\n```")
    else:
        for line in lines(findings, colour=sys.stdout.isatty()):
            click.echo(line)
        click.echo(verdict(findings))
    return EXIT_DONE if good else EXIT_BAD

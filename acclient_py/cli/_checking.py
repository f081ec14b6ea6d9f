"""What `acclient dat check` does: every container rule, every record, one line a finding."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from msgspec import Struct

from acclient_py.cli.progress import Report, progress
from acclient_py.dat.check import check_file
from acclient_py.dat.container import DatFile
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import read_record
from acclient_py.errors import EXIT_DONE, EXIT_NO, DataError, RecordError


class Findings(Struct):
    """Prints what it is told, and counts it."""

    as_json: bool
    faults: int = 0
    warnings: int = 0

    def say(self, severity: str, file: str, text: str, record: int | None = None) -> None:
        """severity : "fault" or "warning"; text names the file itself where it has no record"""
        if severity == "fault":
            self.faults += 1
        else:
            self.warnings += 1
        if self.as_json:
            row: dict[str, Any] = {"finding": severity, "file": file, "text": text}
            if record is not None:
                row["record"] = f"0x{record & 0xFFFFFFFF:08X}"
            self.line(row)
        else:
            click.echo(f"{severity}: {text}")

    def line(self, row: dict[str, Any]) -> None:
        click.echo(msgspec.json.encode(row).decode())

    def error(self, name: str, error: DataError) -> None:
        self.say("fault", name, str(error), getattr(error, "record", None))


def check_set(
    files: dict[str, DatFile], problems: list[DataError], as_json: bool, dats: DatSet | None = None
) -> int:
    """Check all files; prints the findings and a summary, and gives the exit code.

    dats : the set, when every landblock is to be built from it too
    """
    findings = Findings(as_json)
    for problem in problems:
        findings.error("", problem)
    with progress("reading every record") as report:
        counts = {name: _check(name, dat, findings, report) for name, dat in files.items()}
    built: dict[str, int] = {}
    if dats is not None:
        from acclient_py.cli._building import check_membership

        built = check_membership(dats, lambda severity, text: findings.say(severity, "cell", text))
    if as_json:
        summary: dict[str, Any] = {"faults": findings.faults, "warnings": findings.warnings}
        if built:
            summary["built"] = built
        findings.line({"summary": {"records": counts, **summary}})
    else:
        read = ", ".join(f"{count} in {files[name].name}" for name, count in counts.items())
        if built:
            read += f"; built {', '.join(f'{n} {name}' for name, n in built.items())}"
        click.echo(f"{read}: {findings.faults} faults, {findings.warnings} warnings")
    return EXIT_NO if findings.faults else EXIT_DONE


def _check(name: str, dat: DatFile, findings: Findings, report: Report) -> int:
    """Check one file; the number of its records that could be read."""
    container = check_file(dat)
    for text in container.faults:
        findings.say("fault", name, f"{dat.path}: {text}")
    for text in container.warnings:
        findings.say("warning", name, f"{dat.path}: {text}")
    good = done = 0
    spare = dat.size  # bytes that may be read twice: what shares blocks is a fault already
    # the container check has named the damaged nodes already
    for entry in dat.entries(on_fault=lambda error: None):
        done += 1
        if done % 256 == 0:
            report(done, container.entries, f"0x{entry.id:08X}")
        if entry.id in container.shared:
            spare -= entry.size
            if spare < 0:
                continue
        try:
            if entry.size:
                read_record(entry.id, dat.read_entry(entry), name)
            good += 1
        except RecordError as error:
            error.file = str(dat.path)
            findings.error(name, error)
    report(done, done, dat.name)
    return good

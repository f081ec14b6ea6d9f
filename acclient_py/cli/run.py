"""`acclient run`: the headless host. Scenarios in, one line of JSON a checkpoint out.

No module of this path imports a graphics library; a test proves it.
"""

# contract: I2 I4 I7 I8
from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from acclient_py.cli._files import keep_apart
from acclient_py.errors import EXIT_NO, AcclientError, UsageError

if TYPE_CHECKING:
    from acclient_py.host.scenario import Scenario
    from acclient_py.transcript.events import Sink


@click.command("run", short_help="Run a scenario without any graphics.")
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "-o",
    "--output",
    metavar="OUT.jsonl",
    type=click.Path(path_type=Path),
    help="Write the checkpoints there instead of to standard output.",
)
@click.option("--world", default=None, metavar="WORLD", help="A world in place of the scenario's.")
@click.option(
    "--probe",
    is_flag=True,
    help="Print each write of an object's cell (statics left out), on standard error.",
)
@click.option("--check", is_flag=True, help="Check the graph's invariants after every step.")
@click.option(
    "--transcript",
    metavar="OUT.jsonl",
    type=click.Path(path_type=Path),
    help="Write every change of membership there.",
)
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    output: Path | None,
    world: str | None,
    probe: bool,
    check: bool,
    transcript: Path | None,
) -> None:
    """Run a scenario file, a stored scenario by its name, or every one of a folder.

    Exits with 1 when a checkpoint's expectation does not hold; what was expected and what was
    there is said on standard error.
    """
    files = scenario_files(scenario)
    many = len(files) > 1 or Path(scenario).is_dir()
    if many and transcript is not None:
        raise UsageError("a transcript is of one scenario", where="--transcript", do="name a file")
    keep_apart({"-o": output, "--transcript": transcript}, reads=files)
    failed = 0
    with ExitStack() as stack:
        out = sys.stdout.buffer if output is None else stack.enter_context(opened(output))
        sink = recorder(stack, transcript)
        for file in files:
            try:
                faults = run_file(
                    file, out, world=world, probe=probe, check=check, sink=sink, named=many
                )
            except AcclientError as error:
                if not many:
                    raise
                faults = [str(error)]
            for fault in faults:
                click.echo(f"acclient: {file.stem}: {fault}", err=True)
            failed += bool(faults)
        out.flush()
    if many:
        click.echo(f"{len(files) - failed} passed, {failed} failed", err=True)
    if failed:
        ctx.exit(EXIT_NO)


def scenario_files(name: str) -> list[Path]:
    """The files that an argument names: all of a folder in name order, or the one."""
    from acclient_py.host import scenario

    folder = Path(name)
    if not folder.is_dir():
        return [scenario.find(name)]
    files = sorted(folder.glob("*.json"))
    if not files:
        raise UsageError("holds no scenario", where=folder, do="put *.json files there")
    return files


def run_file(
    file: Path,
    out: IO[bytes],
    *,
    world: str | None = None,
    probe: bool = False,
    check: bool = False,
    sink: Sink | None = None,
    named: bool = False,
) -> list[str]:
    """Run one scenario, write its checkpoints to `out`; the expectations that did not hold."""
    from acclient_py.cli.worlds import open_world
    from acclient_py.host import scenario as files
    from acclient_py.host.host import Host
    from acclient_py.transcript.events import header
    from acclient_py.transcript.writer import encode

    read = files.read(file)
    spec = world_of(read, file, world)
    faults: list[str] = []
    with open_world(spec) as dats:
        if sink is not None:
            header(sink, kind="run", world=read.world, detail_radius=read.detail_radius)
        host = Host(
            dats,
            detail_radius=read.detail_radius,
            seed=read.seed,
            check=check,
            probe=_print_probe if probe else None,
            sink=sink,
        )
        for line in host.play(read):
            if named:
                line = {"scenario": file.stem, **line}
            out.write(encode(line))
        faults.extend(host.faults)
    return faults


def world_of(read: Scenario, file: Path, override: str | None) -> str:
    """The world to open: what the command line says, else what the scenario says.

    A scenario's path of a recipe or folder counts from the scenario's own folder.
    """
    if override is not None:
        return override
    beside = file.parent / read.world
    return str(beside) if read.world != "demo" and beside.exists() else read.world


def recorder(stack: ExitStack, path: Path | None) -> Sink | None:
    """A sink that writes a transcript file, or None."""
    if path is None:
        return None
    from acclient_py.transcript.writer import recorder_to

    return recorder_to(stack.enter_context(opened(path)))


def opened(path: Path) -> IO[bytes]:
    """A file to write, or a UsageError."""
    try:
        return path.open("wb")
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", where=path, do="name another file"
        ) from error


def _print_probe(line: str) -> None:
    click.echo(line, err=True)

"""`acclient scenario`: check, upgrade, shrink scenario files; make one from a packet capture."""

# contract: I2 I4
from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from acclient_py.cli._files import keep_apart
from acclient_py.errors import EXIT_NO, AcclientError, UsageError

if TYPE_CHECKING:
    from acclient_py.dat.dataset import DatSet
    from acclient_py.host.capture import Capture, Seen
    from acclient_py.host.scenario import Scenario

FILE: Final = click.Path(path_type=Path)
SCHEMAS: Final = ("scenario", "checkpoint", "transcript")


@click.group("scenario", short_help="Check, upgrade, shrink scenarios; make one from a capture.")
def command() -> None:
    """Work on scenario files."""


@command.command("check", short_help="Read scenarios and say what is wrong with them.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-q", "--quiet", is_flag=True, help="Print faults only.")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], quiet: bool) -> None:
    """Read each scenario (a file, a folder of them, a stored name); one line a fault, exit 1."""
    from acclient_py.cli.run import scenario_files
    from acclient_py.host import scenario

    faulty = 0
    for name in files:
        try:
            paths = scenario_files(name)
        except AcclientError as error:
            click.echo(f"acclient: {error}", err=True)
            faulty += 1
            continue
        for path in paths:
            try:
                read = scenario.read(path)
            except AcclientError as error:
                click.echo(f"acclient: {error}", err=True)
                faulty += 1
                continue
            if not quiet:
                click.echo(f"{path}: {len(read.steps)} steps, world {read.world}")
    if faulty:
        ctx.exit(EXIT_NO)


@command.command("upgrade", short_help="Make scenarios of older schemas into today's.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
def upgrade(files: tuple[Path, ...]) -> None:
    """Write each file anew where its schema is older; nothing is written when nothing changes."""
    from acclient_py.host.scenario import find
    from acclient_py.host.upgrade import upgrade as upgraded

    results = []
    for file in files:
        path = find(file)
        before = path.read_bytes()
        results.append((path, before, upgraded(before, where=str(path))))
    for path, before, after in results:
        if after != before:
            path.write_bytes(after)
        click.echo(f"{path}: {'upgraded' if after != before else 'is up to date'}")


@command.command("schema", short_help="Print a JSON Schema.")
@click.argument("name", metavar="|".join(SCHEMAS), type=click.Choice(SCHEMAS))
def schema(name: str) -> None:
    """Print the JSON Schema of scenario files, checkpoint lines or transcript lines."""
    from acclient_py.host.schemas import text_of

    click.echo(text_of(name), nl=False)


@command.command("shrink", short_help="Drop steps while the fault stays.")
@click.argument("file", metavar="FILE", type=FILE)
@click.option(
    "--expect",
    metavar="TEXT",
    default=None,
    help="The fault is a failed expectation whose line holds TEXT.",
)
@click.option(
    "--command",
    "line",
    metavar="COMMAND",
    default=None,
    help="The fault is COMMAND's exit code; {} stands for the file.",
)
@click.option("--world", default=None, metavar="WORLD", help="A world in place of the scenario's.")
@click.option("-o", "--output", metavar="OUT.json", type=FILE, default=None)
def shrink(
    file: Path, expect: str | None, line: str | None, world: str | None, output: Path | None
) -> None:
    """Make a scenario with a fault as short as it can be, beside it as FILE.min.json.

    Without --expect or --command the fault is what the run itself shows: its first failed
    expectation, or the error or broken invariant that ends it.
    """
    from acclient_py.cli.run import opened, world_of
    from acclient_py.cli.worlds import open_world
    from acclient_py.host import scenario as sc
    from acclient_py.host.shrink import shrink as shortest

    if expect is not None and line is not None:
        raise UsageError("one fault at a time", where="--expect, --command", do="give one of them")
    path = sc.find(file)
    whole = sc.read(path)
    target = output or path.with_suffix(".min.json")
    keep_apart({"-o": target}, reads=[path])
    runs = 0

    def counted(fails: Callable[[Scenario], bool]) -> Callable[[Scenario], bool]:
        def ask(candidate: Scenario) -> bool:
            nonlocal runs
            runs += 1
            return fails(candidate)

        return ask

    if line is not None:
        with tempfile.TemporaryDirectory() as folder:
            fails = command_fails(line, whole, Path(folder) / path.name)
            least = shortest(whole, counted(fails))
    else:
        with open_world(world_of(whole, path, world)) as dats:
            least = shortest(whole, counted(run_fails(dats, whole, expect)))
    with opened(target) as out:
        out.write(sc.write(least))
    click.echo(f"{target}")
    click.echo(f"{len(least.steps)} of {len(whole.steps)} steps are left, {runs} runs", err=True)


def outcome(dats: DatSet, scenario: Scenario) -> list[str]:
    """What is wrong with a run, graph checks included: failed expectations, or how it ended."""
    from acclient_py.host.host import Host
    from acclient_py.physics.check import InvariantError

    host = Host(dats, detail_radius=scenario.detail_radius, seed=scenario.seed, check=True)
    try:
        for _ in host.play(scenario):
            pass
    except InvariantError as error:
        return [f"ended by {type(error).__name__} {error.clause}"]
    except Exception as error:  # noqa: BLE001 - whatever ends a run may be the fault looked for
        return [f"ended by {type(error).__name__}"]
    return host.faults


def run_fails(dats: DatSet, whole: Scenario, expect: str | None) -> Callable[[Scenario], bool]:
    """Whether a run has the fault that the whole scenario has. UsageError when that has none."""
    faults = [f for f in outcome(dats, whole) if expect is None or expect in f]
    if not faults:
        text = "no expectation of it fails" if expect is None else f"nothing with {expect!r} fails"
        raise UsageError(f"there is nothing to shrink: {text}", where="shrink")
    fault = expect if expect is not None else faults[0].split(": expected", 1)[0]
    return lambda candidate: any(fault in found for found in outcome(dats, candidate))


def command_fails(line: str, whole: Scenario, file: Path) -> Callable[[Scenario], bool]:
    """Whether a command exits as it does for the whole scenario. UsageError when that is 0."""
    from acclient_py.host.scenario import write

    words = [word.replace("{}", str(file)) for word in shlex.split(line)]
    if not words or str(file) not in " ".join(words):
        raise UsageError("names no file", where="--command", do="put {} where the file goes")

    def code(candidate: Scenario) -> int:
        file.write_bytes(write(candidate))
        try:
            done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise UsageError(f"cannot be run: {error.strerror}", where=words[0]) from None
        return done.returncode

    wanted = code(whole)
    if wanted == 0:
        raise UsageError("exits with 0: there is nothing to shrink", where="--command")
    return lambda candidate: code(candidate) == wanted


@command.command("from-capture", short_help="Make a scenario from a packet capture.")
@click.argument("file", metavar="FILE", type=FILE)
@click.option("-o", "--output", metavar="OUT.json", type=FILE, required=True)
@click.option("--world", default="demo", show_default=True, metavar="WORLD")
@click.option(
    "--port",
    "ports",
    type=click.IntRange(1, 65535),
    multiple=True,
    metavar="N",
    help="A port that the servers used; may be repeated. [default: 9000 to 10013]",
)
def from_capture(file: Path, output: Path, world: str, ports: tuple[int, ...]) -> None:
    """Take what the server sent out of a capture and write it as steps.

    FILE is a pcap or pcapng file, or JSON Lines with one message a line: "hex", and "time" in
    seconds where it is known. What was taken, could not be read or is not known is counted, by
    opcode, on standard error.
    """
    from acclient_py.cli.run import opened
    from acclient_py.host import capture
    from acclient_py.host.scenario import write

    keep_apart({"-o": output}, reads=[file])
    found = capture.read(file, ports=ports or capture.SERVER_PORTS)
    scenario, seen = capture.to_scenario(found, world=world, about=f"from {file.name}")
    with opened(output) as out:
        out.write(write(scenario))
    _report(found, seen)


def _report(found: Capture, seen: list[Seen]) -> None:
    """What was in a capture, on standard error."""
    click.echo(f"{'opcode':<14} {'taken':>7} {'unread':>7} {'unknown':>7}  message", err=True)
    for one in seen:
        click.echo(
            f"{one.opcode:<14} {one.taken:>7} {one.unread:>7} {one.unknown:>7}  {one.name or '-'}",
            err=True,
        )
    for reason, count in sorted(found.passed_over.items()):
        click.echo(f"passed over: {count} {reason}", err=True)
    for problem in found.problems:
        click.echo(f"acclient: {problem}", err=True)

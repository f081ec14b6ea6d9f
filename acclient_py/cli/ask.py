"""`acclient ask`: questions about a world in, answers out, one line of JSON each."""

# contract: I1 I2 I4
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import click

from acclient_py.cli._files import keep_apart
from acclient_py.cli.worlds import open_world, world_option
from acclient_py.errors import EXIT_NO, UsageError


@click.command("ask", short_help="Answer questions about a world, one line of JSON each.")
@world_option
@click.argument("questions", metavar="QUESTIONS.jsonl", type=click.Path(allow_dash=True))
@click.option(
    "-o", "--output", metavar="ANSWERS.jsonl", type=click.Path(), help="Write the answers there."
)
@click.pass_context
def command(ctx: click.Context, world: str, questions: str, output: str | None) -> None:
    """Answer the questions of a file, in order, in a fresh world.

    Each line is a JSON object with "in"; lines with "in" and "out" come back. Every block of the
    world counts as loaded in full detail. A question that has no answer gets an "error" in its
    "out", and the exit code is then 1. docs/ask.md lists the questions.
    """
    keep_apart({"-o": output}, reads=[] if questions == "-" else [questions])
    with ExitStack() as stack:
        rows = list(read_questions(questions))
        dats = stack.enter_context(open_world(world))
        sink = sys.stdout if output is None else stack.enter_context(_opened(output))
        faults = ask(dats, rows, sink)
    if faults:
        ctx.exit(EXIT_NO)


def ask(dats: object, questions: list[str], sink: TextIO) -> int:
    """Answer questions in a fresh world, a line each; returns how many had no answer."""
    import msgspec

    from acclient_py.cli.asking import AskWorld, answer
    from acclient_py.dat.dataset import DatSet

    assert isinstance(dats, DatSet), "a DAT set"
    world = AskWorld(dats)
    faults = 0
    for at, question in enumerate(questions, start=1):
        out, good = answer(world, question)
        if not good:
            faults += 1
            click.echo(f"acclient: question {at}: {question!r}: {out['error']}", err=True)
        sink.write(msgspec.json.encode({"in": question, "out": out}).decode() + "\n")
    return faults


def read_questions(path: str) -> Iterator[str]:
    """The "in" of every line of a JSON lines file; "-" is standard input."""
    import msgspec

    class Row(msgspec.Struct):
        question: str = msgspec.field(name="in")

    decoder = msgspec.json.Decoder(Row)
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", where=path, do="name a file") from error
    for at, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line).question
        except (msgspec.MsgspecError, RecursionError) as error:
            raise UsageError(
                str(error), where=f"{path} line {at}", do='write lines like {"in": "gid 0 0"}'
            ) from error


def _opened(path: str) -> TextIO:
    try:
        return Path(path).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", where=path, do="name another file"
        ) from error

"""`acclient diff`: the first event at which two transcripts part."""

# contract: T7 I2
from __future__ import annotations

from pathlib import Path

import click

from acclient_py.errors import EXIT_NO


@click.command("diff", short_help="Find the first event at which two transcripts part.")
@click.argument("left", metavar="A.jsonl", type=click.Path(path_type=Path))
@click.argument("right", metavar="B.jsonl", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the difference as one JSON object.")
@click.pass_context
def command(ctx: click.Context, left: Path, right: Path, as_json: bool) -> None:
    """Compare two transcripts event by event.

    Prints the first event that differs, in words, and exits with 1; prints that they are the same
    and exits with 0 otherwise. Transcripts come from `acclient run --transcript` and
    `acclient frame --transcript`.
    """
    from acclient_py.transcript.diff import first_difference
    from acclient_py.transcript.writer import encode, read

    parting = first_difference(read(left), read(right))
    if parting is None:
        click.echo("{}" if as_json else "the same")
        return
    if as_json:
        event = {
            "place": parting.place,
            "fields": list(parting.fields),
            "left": parting.left,
            "right": parting.right,
        }
        click.echo(encode(event), nl=False)
    else:
        click.echo(parting.words(left.name, right.name))
    ctx.exit(EXIT_NO)

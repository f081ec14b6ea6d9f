"""`acclient`: finds a command's module, runs it, prints the one error line, chooses the exit code.

Start-up is this module, click and nothing else: each command's module is loaded when it is called.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
import importlib.util
import logging
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import click

from acclient_py import __version__, log, paths
from acclient_py.errors import EXIT_BAD, EXIT_DONE, AcclientError

DEFAULT: Final = "view"
FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
EXIT_INTERRUPTED: Final = 130  # what shells expect of a program ended by Ctrl-C

# Name and help of every command; one whose module this version lacks is not listed.
COMMANDS: Final = {
    "view": "Walk through a world in a window (what plain `acclient` does).",
    "frame": "Run a scenario, then draw one frame into a picture, without a window.",
    "run": "Run a scenario without any graphics; one line of JSON a checkpoint.",
    "diff": "Find the first event at which two transcripts part.",
    "scrub": "Open a recorded frame and step through its draws.",
    "scenario": "Check, shrink, upgrade or import scenario files.",
    "ask": "Answer questions about a world, one line of JSON each.",
    "bake": "Make a DAT set from a world recipe.",
    "map": "Draw a map of a whole world's terrain.",
    "dat": "Look into DAT files: ls, info, show, check.",
    "bench": "Measure, and print ratios to yardsticks of the same run.",
    "doctor": "Say what this machine has, what is missing, and what mends it.",
}

EXAMPLES: Final = (
    ("acclient", "walk through the demo world"),
    ("acclient --world ~/ac", "the same with your own retail DAT files"),
    ("acclient frame border_walk -o out.png", "a picture, without a display"),
    ("acclient run border_walk", "what is in which cell, as JSON"),
    ("acclient dat ls ~/ac", "what a DAT set holds"),
    ("acclient doctor", "what is missing on this machine"),
)


def _module_of(name: str) -> str:
    return f"acclient_py.cli.{name}"


class LazyGroup(click.Group):
    """A click group whose commands are modules, imported on use; `view` when none is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(_module_of(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(_module_of(cmd_name)).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `view` where the command would stand, when there is none (`acclient --world DIR`)."""
        flags = {
            o for p in self.params if isinstance(p, click.Option) and p.is_flag for o in p.opts
        }
        flags |= set(self.get_help_option_names(ctx))
        ends = flags - {"--debug", "--verbose", "-v"}
        at = 0
        while at < len(args) and args[at] in flags:
            if args[at] in ends:
                return super().parse_args(ctx, args)
            at += 1
        if at == len(args) or args[at].startswith("-"):
            args = [*args[:at], DEFAULT, *args[at:]]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            near = difflib.get_close_matches(args[0], known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise click.UsageError(f"no command {args[0]!r} in this version; {hint}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, COMMANDS[name]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        with formatter.section("Examples"):
            formatter.write_dl(list(EXAMPLES))
        formatter.write_paragraph()
        formatter.write_text(
            "Every option can be set in the environment: --world is ACCLIENT_WORLD, --root is "
            "ACCLIENT_ROOT, and `acclient frame --size` is ACCLIENT_FRAME_SIZE. "
            "`acclient COMMAND --help` explains one command."
        )


def _print_paths(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        places = paths.describe()
        width = max(map(len, places))
        for name, place in places.items():
            click.echo(f"{name:<{width}}  {place}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="A client for the world of Asheron's Call. Without a command it opens the viewer.",
    epilog=None,
)
@click.version_option(__version__, prog_name="acclient", message="%(prog)s %(version)s")
@click.option(
    "--paths",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_paths,
    help="Print where everything is kept.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say what is being done.")
@click.option("--debug", is_flag=True, help="Show tracebacks and probes.")
def group(verbose: bool, debug: bool) -> None:
    """Set up logging; everything else is the command's."""
    log.configure(logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING)


# `--root` is taken out of the arguments before click sees them (below); here it is for the help.
group.params.append(
    click.Option(
        ["--root"],
        metavar="DIR",
        expose_value=False,
        help="Keep caches, config and pictures under DIR.",
    )
)


def _hoist(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """Take `--root DIR` and `--debug` out, wherever they stand: they hold for every command."""
    rest: list[str] = []
    debug = False
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == "--debug":
            debug = True
        elif word == "--root" or word.startswith("--root="):
            value = word[len("--root=") :] if "=" in word else next(words, "")
            if not value:
                raise click.UsageError("--root needs a folder")
            paths.set_root(value)
        else:
            rest.append(word)
    return rest, debug


def _say(text: str) -> None:
    """One line on standard error."""
    with contextlib.suppress(OSError):  # nobody may be reading
        click.echo(f"acclient: {' '.join(text.split())}", err=True)


def _usage(error: click.ClickException) -> str:
    """What click found wrong, and how to get help about it."""
    text = error.format_message()
    ctx = getattr(error, "ctx", None)
    if ctx is not None and "; " not in text:
        text = f"{text.rstrip('.')}; see {ctx.command_path} --help"
    return text


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code (I2); prints the error line if there is one."""
    words = list(sys.argv[1:] if arguments is None else arguments)

    def action() -> Any:
        rest, debug = _hoist(words)
        if debug:
            rest.insert(0, "--debug")
        # not group.main: it has its own way with closed pipes and Ctrl-C
        try:
            with group.make_context("acclient", rest, auto_envvar_prefix="ACCLIENT") as ctx:
                return group.invoke(ctx)
        except click.exceptions.Exit as done:
            return done.exit_code

    return guarded(action, debug="--debug" in words)


def guarded(action: Callable[[], Any], *, debug: bool = False) -> int:
    """Run `action`; what it raises becomes one line and an exit code. Its own code is an int."""
    try:
        result = action()
        sys.stdout.flush()
        return result if isinstance(result, int) else EXIT_DONE
    except BrokenPipeError:
        _close_quietly()
        return EXIT_DONE
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return EXIT_INTERRUPTED
    except Exception as error:  # the border to the user
        if debug:
            raise
        return report(error)


def report(error: Exception) -> int:
    """Print the one line about `error`; a code to exit with."""
    # contract: I2
    if isinstance(error, AcclientError):
        _say(f"error: {error}")
        return error.exit_code
    if isinstance(error, click.ClickException):
        _say(f"error: {_usage(error)}")
    elif isinstance(error, OSError) and error.filename is not None:
        _say(f"error: {error.filename}: {error.strerror or error}")
    elif isinstance(error, OSError) and error.errno in FULL:
        _say(f"error: what was asked for cannot be written: {error.strerror}; make room")
    elif isinstance(error, ModuleNotFoundError):
        _say(f"error: the package {error.name} is not installed; run `acclient doctor`")
    else:
        _say(
            f"error: internal fault: {type(error).__name__}: {error}; "
            "run it again with --debug and report both with `acclient doctor --report`"
        )
    return EXIT_BAD


def _close_quietly() -> None:
    """The reader of our output has gone: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def main() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # the same bytes on every system (I4, T8)
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.exit(run())

"""`acclient` itself: its commands, its one error line, its exit codes, what it imports."""

from __future__ import annotations

import errno
import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from acclient_py import paths
from acclient_py.cli import main as command_line
from acclient_py.errors import (
    AcclientError,
    DataError,
    MissingRecord,
    RecordError,
    UsageError,
)


def acclient(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "acclient_py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(paths.ROOT_VARIABLE, str(tmp_path))
    return tmp_path


def command_that(raises: BaseException | None, result: object = None) -> click.Command:
    @click.command()
    def command() -> object:
        if raises is not None:
            raise raises
        return result

    return command


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    """Run `acclient view` with a stand-in command; (exit code, standard error)."""

    def run(command: click.Command, *before: str) -> tuple[int, str]:
        monkeypatch.setattr(command_line.LazyGroup, "get_command", lambda *a: command)
        code = command_line.run([*before, "view"])
        return code, capsys.readouterr().err

    return run


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    ("raises", "code", "line"),
    [
        (None, 0, ""),
        (
            RecordError("polygon index 70 of 64", record=0x010005E8, at=212, file="a.dat"),
            2,
            "acclient: error: a.dat record 0x010005E8 at byte 212: polygon index 70 of 64",
        ),
        (
            DataError("no portal here", file="dir", do="name another folder"),
            2,
            "acclient: error: dir: no portal here; name another folder",
        ),
        (MissingRecord(0x0D000001), 2, "acclient: error: record 0x0D000001: no such record"),
        (UsageError("two\nlines"), 2, "acclient: error: two lines"),
        (PermissionError(13, "Permission denied", "out.png"), 2, "out.png: Permission denied"),
        (ModuleNotFoundError("no", name="trimesh"), 2, "the package trimesh is not installed"),
        (KeyError("x"), 2, "internal fault: KeyError: 'x'; run it again with --debug"),
        (KeyboardInterrupt(), 130, "acclient: interrupted"),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_each_error_is_one_line_and_a_code(
    run_command, raises: BaseException | None, code: int, line: str
) -> None:
    """Sabotage: let `report` give EXIT_NO; the first assertion fails."""
    got, err = run_command(command_that(raises))
    assert got == code
    assert line in err
    assert len(err.splitlines()) == (1 if line else 0)


@pytest.mark.contract("I2")
def test_a_command_that_answers_no_exits_1(run_command) -> None:
    assert run_command(command_that(None, result=1)) == (1, "")


def test_debug_shows_the_traceback(run_command) -> None:
    with pytest.raises(AcclientError):
        run_command(command_that(UsageError("no")), "--debug")


@pytest.mark.contract("I2")
def test_bad_usage_exits_2_with_one_line_and_names_the_nearest_command() -> None:
    done = acclient("bnch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "acclient: error: no command 'bnch' in this version; did you mean"
    )
    assert len(done.stderr.splitlines()) == 1
    done = acclient("bench", "--nothing")
    assert done.returncode == 2
    assert done.stderr == "acclient: error: No such option '--nothing'; see acclient bench --help\n"


def test_version_starts_without_numpy_numba_or_graphics() -> None:
    """Start-up is click and the standard library; Sabotage: import numpy in cli/main.py."""
    code = (
        "import sys; from acclient_py.cli.main import run; assert run(['--version']) == 0; "
        "print(sorted(m for m in ('numpy', 'numba', 'moderngl', 'glfw', 'rich', 'msgspec') "
        "if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert version.startswith("acclient ")
    assert loaded == "[]"


def test_help_lists_the_commands_that_are_there_with_examples_and_without_colour() -> None:
    done = acclient("--help", FORCE_COLOR="", COLUMNS="100")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "Examples" in done.stdout
    for name in command_line.COMMANDS:
        listed = any(line.split()[:1] == [name] for line in done.stdout.splitlines())
        assert listed == (importlib.util.find_spec(f"acclient_py.cli.{name}") is not None)


@pytest.mark.parametrize(
    "name",
    [n for n in command_line.COMMANDS if importlib.util.find_spec(f"acclient_py.cli.{n}")],
)
def test_every_command_module_holds_a_command_with_help(name: str) -> None:
    command = importlib.import_module(f"acclient_py.cli.{name}").command
    assert isinstance(command, click.Command)
    assert command.help
    done = acclient(name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: acclient {name}")


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ([], ["view"]),
        (["--world", "x"], ["view", "--world", "x"]),
        (["--debug", "--overlay", "cells"], ["--debug", "view", "--overlay", "cells"]),
        (["frame", "x"], ["frame", "x"]),
        (["-v", "frame"], ["-v", "frame"]),
    ],
)
def test_without_a_command_it_is_the_viewer(
    given: list[str], passed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(
        click.Group, "parse_args", lambda self, ctx, args: seen.append(args) or args
    )
    command_line.group.parse_args(click.Context(command_line.group), list(given))
    assert seen == [passed]


def test_root_keeps_everything_in_one_place_wherever_it_stands(tmp_path: Path) -> None:
    """Sabotage: leave `paths.root` out of one function of paths.py; the assertion names it."""
    place = tmp_path / "all here"
    for words in (["--root", str(place), "--paths"], ["--paths", f"--root={place}"]):
        done = acclient(*words)
        assert done.returncode == 0
        kept = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
        for name in ("config", "cache", "worlds", "kernels", "pictures", "state"):
            assert Path(kept[name]).is_relative_to(place), name
        assert (Path(kept["assets"]).name, Path(kept["shaders"]).name) == ("assets", "shaders")
    assert not place.exists()
    assert acclient("--root").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="pipes that close")
def test_a_reader_that_goes_away_is_no_error() -> None:
    code = (
        "import sys, click; from acclient_py.cli import main; main.LazyGroup.get_command = "
        "lambda *a: click.Command('view', callback=lambda: "
        "[click.echo('x' * 999) for _ in range(9999)]); "
        "sys.argv = ['acclient', 'view']; main.main()"
    )
    line = f'"{sys.executable}" -c "{code}" | head -c 10; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("x" * 10, "")
    assert done.returncode == 0


@pytest.mark.contract("I4")
def test_messages_go_to_what_standard_error_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: keep the stream of the first call; the second text is empty."""
    import io
    import logging

    from acclient_py import log

    texts = []
    for word in ("one", "two"):
        monkeypatch.setattr("sys.stderr", io.StringIO())
        log.configure()
        logging.getLogger("acclient_py.some").warning("%s", word)
        texts.append(sys.stderr.getvalue())  # type: ignore[attr-defined]
        sys.stderr.close()
    logging.getLogger("acclient_py.some").warning("nobody reads")
    assert texts == ["acclient: warning: one\n", "acclient: warning: two\n"]


@pytest.mark.contract("I2")
def test_a_full_disk_is_no_fault_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    """Sabotage: leave errno out of `report`; the line calls it an internal fault."""

    def action() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert command_line.guarded(action) == 2
    err = capsys.readouterr().err
    assert err.startswith("acclient: error: what was asked for cannot be written: ")
    assert err.count("\n") == 1
    assert "internal" not in err


def test_a_picture_without_a_name_has_that_of_its_scenario(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sabotage: take the whole path of the scenario; the picture would lie beside it."""
    from acclient_py.cli import frame

    places: list[Path] = []
    monkeypatch.setattr(frame, "open_device", lambda gl: SimpleNamespace(release=lambda: None))
    monkeypatch.setattr(
        frame, "draw", lambda device, scenario, output, **how: places.append(output)
    )
    assert command_line.run(["frame", "stories/night.json"]) == 0
    assert command_line.run(["frame", "hamlet", "-o", "a.png"]) == 0
    assert places == [Path("night.png"), Path("a.png")]
    assert capsys.readouterr().out == "night.png\n"

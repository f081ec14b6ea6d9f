"""tools/run.py and tools/test.py: what is done, in which order, and what an interruption leaves."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"
SCRIPTS = ("run.py", "test.py")


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[SimpleNamespace]:
    """The modules of tools/, over a repository of their own in `tmp_path`."""
    monkeypatch.syspath_prepend(str(TOOLS))
    names = ("console", "system_packages", "prepare", "lanes")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    loaded = SimpleNamespace(**{name: __import__(name) for name in names})
    repo = tmp_path / "repo"
    (repo / "acclient_py").mkdir(parents=True)
    (repo / "assets" / "recipes").mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt"):
        (repo / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(loaded.prepare, "REPO", repo)
    loaded.repo, loaded.venv = repo, repo / ".venv"
    yield loaded
    for name in names:
        sys.modules.pop(name, None)


class FakeCommands:
    """Stands in for `shown`: keeps the command lines, makes a .venv, fails where it is told to."""

    def __init__(self, venv: Path) -> None:
        self.venv = venv
        self.lines: list[str] = []
        self.answer: Callable[[str], tuple[int, list[str]]] = lambda line: (0, [])

    def __call__(
        self, command: Sequence[str], title: str, *, env: object = None, log: object = None
    ) -> tuple[int, list[str]]:
        line = " ".join(map(str, command[1:]))
        self.lines.append(line)
        if line.startswith("-m venv"):
            (self.venv / "bin").mkdir()
            (self.venv / "bin" / "python").symlink_to(sys.executable)
        return self.answer(line)


@pytest.fixture
def commands(tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> FakeCommands:
    fake = FakeCommands(tools.venv)
    monkeypatch.setattr(tools.prepare, "shown", fake)
    monkeypatch.setattr(tools.prepare, "shown_together", lambda jobs: [fake(*job) for job in jobs])
    monkeypatch.setattr(tools.prepare, "system_packages", lambda purposes: [])
    monkeypatch.setattr(tools.prepare, "usable", lambda python: python.exists())
    return fake


def prepare(tools: SimpleNamespace, *purposes: str, **more: Any) -> Path:
    python: Path = tools.prepare.prepare(list(purposes or ["run"]), venv=tools.venv, **more)
    return python


posix = pytest.mark.skipif(os.name != "posix", reason="the stand-in makes links")


@posix
def test_first_run_does_every_step_and_second_run_starts_no_program(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    """Sabotage: leave "ready" out of the stamp; the last assertion fails."""
    prepare(tools)
    steps = [line.split()[1] for line in commands.lines]
    assert steps == ["venv", "pip", "acclient_py.cli.worlds", "acclient_py.cli.warmup"]
    commands.lines.clear()
    assert prepare(tools) == tools.venv / "bin" / "python"
    assert commands.lines == []


@posix
def test_new_constraints_install_again_and_a_new_source_bakes_again(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    prepare(tools)
    commands.lines.clear()
    (tools.repo / "constraints.txt").write_text("other", encoding="utf-8")
    prepare(tools)
    assert [line.split()[1] for line in commands.lines] == ["pip"]
    commands.lines.clear()
    (tools.repo / "acclient_py" / "new.py").write_text("", encoding="utf-8")
    prepare(tools)
    assert [line.split()[1] for line in commands.lines] == [
        "acclient_py.cli.worlds",
        "acclient_py.cli.warmup",
    ]


@posix
def test_an_installation_that_was_killed_is_made_anew(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    """Sabotage: write the stamp before pip runs; the first assertion fails."""

    def killed(line: str) -> tuple[int, list[str]]:
        if "pip install" in line:
            os._exit(9)
        return 0, []

    child = os.fork()
    if child == 0:
        commands.answer = killed
        prepare(tools)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert tools.prepare.read_stamp(tools.venv) == {}
    (tools.venv / "half").touch()
    prepare(tools)
    assert [line.split()[1] for line in commands.lines][:2] == ["venv", "pip"]
    assert not (tools.venv / "half").exists()


@posix
def test_an_installation_that_was_interrupted_is_made_anew(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    """Sabotage: take the mark away in a `finally`; what pip left half done is gone on with."""

    def interrupted(line: str) -> tuple[int, list[str]]:
        if "pip install" in line:
            raise KeyboardInterrupt
        return 0, []

    commands.answer = interrupted
    with pytest.raises(KeyboardInterrupt):
        prepare(tools)
    (tools.venv / "half").touch()
    commands.answer = lambda line: (0, [])
    commands.lines.clear()
    prepare(tools)
    assert [line.split()[1] for line in commands.lines][:2] == ["venv", "pip"]
    assert not (tools.venv / "half").exists()


HAS = """
import os, pathlib, sys
sys.exit(not any(
    os.path.samefile(f"/proc/self/fd/{fd}", sys.argv[1]) for fd in os.listdir("/proc/self/fd")
    if os.path.exists(f"/proc/self/fd/{fd}")
))
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks at /proc")
def test_a_program_of_the_set_up_holds_its_lock_too(
    tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: start it without the lock; pip goes on while the next set-up deletes the .venv."""
    monkeypatch.setattr(tools.prepare, "system_packages", lambda purposes: [])
    monkeypatch.setattr(tools.prepare, "make_ready", lambda python, strict: True)
    lock = tools.venv.with_name(".venv.lock")
    codes = []

    def install(venv: Path) -> None:
        venv.mkdir()
        codes.append(tools.console.shown([sys.executable, "-c", HAS, str(lock)], "looks")[0])

    monkeypatch.setattr(tools.prepare, "install", install)
    prepare(tools)
    assert codes == [0]


@posix
def test_a_broken_interpreter_is_made_anew(tools: SimpleNamespace, commands: FakeCommands) -> None:
    prepare(tools)
    (tools.venv / "bin" / "python").unlink()
    commands.lines.clear()
    prepare(tools)
    assert commands.lines[0].startswith("-m venv")


@posix
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("WARNING: Retrying: NewConnectionError('x')", "no network"),
        ("ERROR: No matching distribution found for x (from versions: none)", "no network"),
        ("ERROR: [Errno 28] No space left on device", "no space left"),
        ("ERROR: Something new", "pip failed: ERROR: Something new"),
    ],
)
def test_a_failed_pip_is_one_line_and_leaves_no_stamp(
    tools: SimpleNamespace, commands: FakeCommands, said: str, told: str
) -> None:
    commands.answer = lambda line: (1, [said]) if "pip install" in line else (0, [])
    with pytest.raises(tools.console.Refused, match=told) as caught:
        prepare(tools)
    assert "\n" not in str(caught.value)
    assert tools.prepare.read_stamp(tools.venv) == {}
    commands.answer = lambda line: (0, [])
    commands.lines.clear()
    prepare(tools)
    assert commands.lines[0].startswith("-m pip")


@posix
def test_versions_that_this_system_lacks_are_replaced_by_near_ones(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    commands.answer = lambda line: (
        (1, ["ERROR: No matching distribution found for x"])
        if "constraints.txt" in line
        else (0, [])
    )
    prepare(tools)
    pips = [line for line in commands.lines if "pip install" in line]
    assert ["constraints.txt" in line for line in pips] == [True, False]


@posix
def test_tests_go_on_without_a_demo_world_and_the_program_does_not(
    tools: SimpleNamespace, commands: FakeCommands
) -> None:
    commands.answer = lambda line: (2, ["acclient: error: why"]) if "worlds" in line else (0, [])
    prepare(tools, strict=False)
    with pytest.raises(tools.console.Refused, match="demo world could not be prepared: why"):
        prepare(tools)


def test_without_ensurepip_the_package_is_named(
    tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools.prepare.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(tools.console.Refused, match=r"apt-get install python3\.\d+-venv"):
        tools.prepare.install(tools.venv)
    assert not tools.venv.exists()


def test_two_at_once_wait_for_each_other(tmp_path: Path, repo: Path) -> None:
    """Sabotage: take the lock shared; the second process does not wait, and the order breaks."""
    code = f"""
import sys, time, pathlib
sys.path.insert(0, {str(repo)!r})
from acclient_py.locks import one_at_a_time
with one_at_a_time(pathlib.Path("lock")):
    with open("order", "a") as f: f.write("in "); f.flush(); time.sleep(0.3); f.write("out ")
"""
    processes = [subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert (tmp_path / "order").read_text().split() == ["in", "out"] * 3


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_old_python_gets_one_line(script: str) -> None:
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 1, 'final', 0); "
        f"runpy.run_path({str(TOOLS / script)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "3.11 or newer is needed" in done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_can_be_read_by_python_2(script: str) -> None:
    """What Python 2.7 cannot parse would be a syntax error there instead of the one line."""
    text = (TOOLS / script).read_text(encoding="ascii")
    tree = ast.parse(text)
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Starred, ast.Nonlocal, ast.AsyncFor)
    for node in ast.walk(tree):
        assert not isinstance(node, newer), ast.unparse(node)
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert not node.args.kwonlyargs
            assert all(argument.annotation is None for argument in node.args.args)
        if isinstance(node, ast.ImportFrom):
            assert node.module != "__future__"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
        ):
            assert len(node.args) == 1
            assert not node.keywords


def test_set_up_imports_only_the_standard_library() -> None:
    """All that the two commands of the README import; a tool that they do not may need packages."""
    allowed = set(sys.stdlib_module_names)
    allowed.add("acclient_py")  # its lock, which imports the standard library only
    todo, seen = ["run", "test"], set[str]()
    while todo:
        module = todo.pop()
        if module in seen:
            continue
        seen.add(module)
        path = TOOLS / f"{module}.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if (TOOLS / f"{name}.py").exists():
                    todo.append(name)
                else:
                    assert name.partition(".")[0] in allowed, f"{path.name} imports {name}"
    assert seen >= {"run", "test", "prepare", "console", "lanes", "system_packages"}


def test_arguments_of_the_test_script(tools: SimpleNamespace) -> None:
    parse = tools.lanes.parse
    assert parse([]) == (None, False, [])
    assert parse(["--lane", "fuzz", "--", "-k", "dat"]) == ("fuzz", False, ["-k", "dat"])
    assert parse(["--lane=soak", "--setup-only"]) == ("soak", True, [])
    for wrong in (["--lane", "nothing"], ["--lane"], ["-k", "dat"]):
        with pytest.raises(tools.console.Refused):
            parse(wrong)


def test_the_lanes_are_those_that_marks_may_name(tools: SimpleNamespace) -> None:
    import conftest

    assert set(tools.lanes.LANES) == set(conftest.LANES)
    for name in conftest.LANES:
        lines = [line for _run, line in tools.lanes.commands(Path("python"), name, [])]
        assert any(f"--lane={name}" in line for line in lines)
        for line in lines:
            there = {word for word in line[1:] if (conftest.REPO / word).exists()}
            assert all(word.startswith("tests/") for word in there), "taken for tests to collect"


def test_the_suite_runs_on_two_processes(tools: SimpleNamespace) -> None:
    [(_run, line)] = tools.lanes.commands(Path("python"), None, ["-k", "x"])
    assert line[:3] == ["python", "-m", "pytest"]
    assert line[line.index("-n") + 1] == "2"
    assert line[-2:] == ["-k", "x"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb is for Linux")
def test_a_display_is_started_where_there_is_none_and_ended_after(
    tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not tools.lanes.shutil.which("Xvfb"):
        pytest.skip("no Xvfb")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with tools.lanes.display() as shown:
        socket = Path(f"/tmp/.X11-unix/X{shown['DISPLAY'][1:]}")
        assert socket.exists()
    assert not socket.exists()
    monkeypatch.setenv("DISPLAY", ":5")
    with tools.lanes.display() as shown:
        assert shown == {}


def test_what_debian_lacks_is_named_exactly(
    tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    system = tools.system_packages
    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setattr(system.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000, raising=False)
    there = "libegl1 installed\nlibgl1 installed\nxvfb not-installed\nxauth installed\n"
    answer = SimpleNamespace(stdout=there, returncode=1)
    monkeypatch.setattr(system.subprocess, "run", lambda *a, **k: answer)
    missing = system.system_packages(["run", "test"])
    assert missing == [
        *("libgl1-mesa-dri", "libxcursor1", "libxi6", "libxinerama1", "libxrandr2", "xvfb"),
        *("openbox", "xdotool"),
    ]
    line = "apt-get update && apt-get install -y --no-install-recommends " + " ".join(missing)
    assert line in capsys.readouterr().err

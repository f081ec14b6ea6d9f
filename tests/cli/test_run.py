"""`acclient run`: checkpoints, folders, exit codes, probe; no graphics library (I2, I4, I7, I8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders.worlds import baked

from acclient_py.cli import main as command_line

GRAPHICS = ("moderngl", "glcontext", "glfw", "imgui_bundle", "OpenGL", "pyrr")
HERE = {"cell": "0x7F7F003C", "origin": [180.0, 90.0, 20.0]}
THERE = {"cell": "0x807F0005", "origin": [0.2, 100.0, 20.0]}
ARM: list[dict[str, Any]] = [
    {"do": "create", "guid": "0x50000001", "instance": 3, "setup": "0x02000001", "player": True,
     "at": HERE},
    {"do": "create", "guid": "0x80000010", "setup": "0x02000010", "parent": "0x50000001"},
]  # fmt: skip
CROSS: list[dict[str, Any]] = [
    {"do": "place", "guid": "0x50000001", "at": THERE},
    {
        "do": "checkpoint",
        "name": "over",
        "expect": [{"path": "objects.0x80000010.cell", "equals": "0x807F0005"}],
    },
]


def write(path: Path, steps: list[dict[str, Any]]) -> Path:
    body = {"schema": "acclient/scenario/1", "world": str(baked("doll").folder), "steps": steps}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run a command line here; (exit code, standard output's lines, standard error)."""

    def command(*words: str | Path) -> tuple[int, list[dict[str, Any]], str]:
        code = command_line.run([str(word) for word in words])
        seen = capfdbinary.readouterr()
        return code, [json.loads(line) for line in seen.out.splitlines()], seen.err.decode()

    return command


@pytest.mark.contract("I8")
def test_a_failed_expectation_says_what_was_there_and_exits_1(run: Any, tmp_path: Path) -> None:
    """Sabotage: let `failures` return nothing; the exit code is 0."""
    steps = [*ARM, {"do": "checkpoint", "name": "here", "expect": [
        {"path": "objects.0x80000010.cell", "equals": "0x807F0005"}]}]  # fmt: skip
    code, lines, err = run("run", write(tmp_path / "s.json", steps))
    assert code == 1
    assert [line["checkpoint"] for line in lines] == ["here"]
    assert "s: checkpoint 'here': objects.0x80000010.cell: expected \"0x807F0005\"" in err
    assert 'found "0x7F7F003C"' in err


@pytest.mark.contract("I8")
def test_values_are_shown_as_the_file_writes_them(run: Any, tmp_path: Path) -> None:
    """Sabotage: show Python's words for values; the lines differ."""
    expected = [
        {"path": "objects.0x80000010.parent", "equals": None},
        {"path": "objects.0x50000001.parent", "equals": "0x50000002"},
        {"path": "objects.0x50000001.ticking", "equals": 1},
        {"path": "counts.relations", "equals": 9, "near": 0.5},
        {"path": "objects.0x50000009.cell", "equals": None},
        {"path": "objects.9.a\nb", "equals": [True, "x"]},
    ]
    steps = [*ARM, {"do": "checkpoint", "name": "a\nb", "expect": expected}]
    code, _, err = run("run", write(tmp_path / "s.json", steps))
    assert code == 1
    start = "acclient: s: checkpoint 'a\\nb': objects."
    assert err.splitlines() == [
        f'{start}0x80000010.parent: expected null, found "0x50000001"',
        f'{start}0x50000001.parent: expected "0x50000002", found null',
        f"{start}0x50000001.ticking: expected 1, found true",
        f"{start.removesuffix('objects.')}counts.relations: expected 9 within 0.5, found 1",
        f"{start}0x50000009.cell: expected null, there is no such thing",
        f'{start}9.a b: expected [true,"x"], there is no such thing',
    ]


@pytest.mark.contract("I2")
def test_one_file_is_not_written_twice_nor_over_what_is_read(run: Any, tmp_path: Path) -> None:
    """Sabotage: let `keep_apart` find nothing; the scenario is gone."""
    folder = tmp_path / "stories"
    folder.mkdir()
    file = write(folder / "s.json", [*ARM, *CROSS])
    (tmp_path / "link.json").symlink_to(file)
    before, out = file.read_bytes(), tmp_path / "out.jsonl"
    (tmp_path / "other").symlink_to(out)
    for words, says in (
        (("-o", out, "--transcript", out), "is written for -o already"),
        (("-o", out, "--transcript", tmp_path / "x" / ".." / "out.jsonl"), "-o already"),
        (("-o", file), "is what is read"),
        (("--transcript", tmp_path / "link.json"), "is what is read"),
    ):
        code, lines, err = run("run", file, *words)
        assert (code, lines) == (2, [])
        assert says in err
        assert err.count("\n") == 1
    assert run("run", folder, "-o", file)[0] == 2
    assert file.read_bytes() == before
    assert not out.exists()
    assert run("run", file, "-o", "/dev/null", "--transcript", "/dev/null")[0] == 0


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no JSON"),
        ('{"steps": [{"do": "fly"}]}', "Invalid value 'fly'"),
        ('{"world": "no/such/place"}', "no/such/place"),
    ],
)
def test_a_bad_scenario_is_one_line_and_exit_2(
    run: Any, tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    code, lines, err = run("run", path)
    assert (code, lines) == (2, [])
    assert err.startswith("acclient: error: ")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.contract("I5")
def test_a_refused_step_without_a_checkpoint_after_it_is_told_in_one_line(
    run: Any, tmp_path: Path
) -> None:
    """Sabotage: say nothing at the end of a story; the refusal is lost."""
    steps = [{"do": "walk", "guid": "0x50000099", "heading": 0, "seconds": 1}]
    code, lines, err = run("run", write(tmp_path / "s.json", steps))
    assert (code, lines) == (0, [])
    said = "acclient: warning: step 0 (walk) was refused: 0x50000099: nobody has this guid"
    assert err.startswith(said)
    assert err.count("\n") == 1
    code, (line,), err = run(
        "run", write(tmp_path / "s.json", [*steps, {"do": "checkpoint", "name": ""}])
    )
    assert (code, err) == (0, "")
    assert line["refused"][0]["step"] == 0


@pytest.mark.contract("I7")
@pytest.mark.contract("I4")
def test_a_run_prints_one_line_a_checkpoint_and_nothing_else(run: Any, tmp_path: Path) -> None:
    """Sabotage: print progress on standard output; the lines are no JSON."""
    code, lines, err = run("run", write(tmp_path / "s.json", [*ARM, *CROSS]), "--check")
    assert (code, err) == (0, "")
    (line,) = lines
    assert set(line) == {
        "checkpoint", "tick", "time", "objects", "counts", "crossings", "refused",
    }  # fmt: skip
    assert line["crossings"] == [
        {"guid": "0x50000001", "from": "0x7F7F003C", "to": "0x807F0005", "tick": 0,
         "cause": "place"}
    ]  # fmt: skip
    player, sword = line["objects"]
    assert player["children"] == [sword["guid"]] == ["0x80000010"]
    assert player["cell"] == sword["cell"] == "0x807F0005"


def test_output_goes_to_a_file_when_one_is_named(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    scenario = write(tmp_path / "s.json", [*ARM, *CROSS])
    assert run("run", scenario, "-o", out) == (0, [], "")
    assert json.loads(out.read_text())["checkpoint"] == "over"
    code, _, err = run("run", scenario, "-o", tmp_path / "no" / "out.jsonl")
    assert code == 2
    assert "cannot be written" in err


@pytest.mark.contract("E19")
def test_the_probe_prints_one_line_a_write(run: Any, tmp_path: Path) -> None:
    """Sabotage: name every cause `move`; the comparison fails."""
    _, _, err = run("run", write(tmp_path / "s.json", [*ARM, *CROSS]), "--probe")
    assert err.splitlines() == [
        "probe parent=- child=0x50000001 old=- new=0x7F7F003C cause=place",
        "probe parent=0x50000001 child=0x80000010 old=- new=0x7F7F003C cause=attach",
        "probe parent=- child=0x50000001 old=0x7F7F003C new=0x807F0005 cause=place",
        "probe parent=0x50000001 child=0x80000010 old=0x7F7F003C new=0x807F0005 cause=propagate",
    ]


@pytest.mark.contract("I2")
def test_a_folder_runs_whole_in_name_order_whatever_is_in_it(run: Any, tmp_path: Path) -> None:
    """Sabotage: let the first bad file end the run; `c_good` is missing."""
    write(tmp_path / "c_good.json", [*ARM, *CROSS])
    write(tmp_path / "a_good.json", [*ARM, *CROSS])
    (tmp_path / "b_bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not one", encoding="utf-8")
    code, lines, err = run("run", tmp_path)
    assert code == 1
    assert [line["scenario"] for line in lines] == ["a_good", "c_good"]
    told = err.splitlines()
    assert len(told) == 2
    assert told[0].startswith("acclient: b_bad: ")
    assert told[1] == "2 passed, 1 failed"
    (tmp_path / "b_bad.json").unlink()
    code, _, err = run("run", tmp_path)
    assert (code, err) == (0, "2 passed, 0 failed\n")
    code, _, err = run("run", tmp_path, "--transcript", tmp_path / "t.jsonl")
    assert code == 2
    assert "a transcript is of one scenario" in err


def test_an_empty_folder_is_one_line(run: Any, tmp_path: Path) -> None:
    code, _, err = run("run", tmp_path)
    assert code == 2
    assert "holds no scenario" in err


def test_no_graphics_library_is_imported(tmp_path: Path) -> None:
    scenario = write(tmp_path / "s.json", [*ARM, *CROSS, {"do": "frame"}])
    code = (
        "import sys\n"
        "from acclient_py.cli.main import run\n"
        f"code = run(['run', {str(scenario)!r}])\n"
        f"print(code, [name for name in {GRAPHICS!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stderr.splitlines()[-1] == "0 []"
    assert json.loads(done.stdout)["checkpoint"] == "over"

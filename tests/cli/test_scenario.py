"""`acclient scenario`: check, upgrade, shrink, from-capture, schema."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import captures as made
from builders.worlds import baked, opened

from acclient_py.cli import main as command_line
from acclient_py.host import scenario as sc
from acclient_py.host import upgrade
from acclient_py.host.drive import Driver
from acclient_py.physics.check import InvariantError
from acclient_py.session import messages as wire

REPO = Path(__file__).resolve().parents[2]
HERE = {"cell": "0x7F7F003C", "origin": [180.0, 90.0, 20.0]}
THERE = {"cell": "0x807F0005", "origin": [0.2, 100.0, 20.0]}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run `acclient scenario ...` here; (exit code, standard output, standard error)."""

    def command(*words: str | Path) -> tuple[int, str, str]:
        code = command_line.run(["scenario", *(str(word) for word in words)])
        seen = capsys.readouterr()
        return code, seen.out, seen.err

    return command


def scenario(path: Path, steps: list[dict[str, Any]], **more: Any) -> Path:
    body = {"schema": sc.SCHEMA, "world": str(baked("doll").folder), "steps": steps, **more}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


# check


def test_check_tells_every_fault_and_exits_1(run: Any, tmp_path: Path) -> None:
    good = scenario(tmp_path / "good.json", [{"do": "tick", "seconds": 1}])
    bad = tmp_path / "bad.json"
    bad.write_text('{"steps": [{"do": "tick", "seconds": -1}]}', encoding="utf-8")
    code, out, err = run("check", good, bad, tmp_path / "none.json")
    assert code == 1
    assert out == f"{good}: 1 steps, world {baked('doll').folder}\n"
    assert len(err.splitlines()) == 2
    assert "$.steps[0].seconds" in err
    assert "no such scenario" in err


def test_check_takes_folders_and_stored_names(run: Any, tmp_path: Path) -> None:
    scenario(tmp_path / "a.json", [])
    scenario(tmp_path / "b.json", [])
    code, out, err = run("check", tmp_path, "-q", "start")
    assert (code, out, err) == (0, "", "")


# upgrade


def test_a_scenario_of_today_is_not_written(run: Any, tmp_path: Path) -> None:
    path = scenario(tmp_path / "s.json", [])
    path.chmod(0o444)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    code, out, err = run("upgrade", path)
    assert (code, err) == (0, "")
    assert out == f"{path}: is up to date\n"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ("acclient/scenario/2", "newer than this program's acclient/scenario/1"),
        ("acclient/scenario/0", "acclient/scenario/0, which is not known; acclient/scenario/1"),
        ("acclient/transcript/1", "its schema is 'acclient/transcript/1'"),
        (7, "its schema is 7"),
    ],
)
def test_an_unknown_version_is_one_line(
    run: Any, tmp_path: Path, schema: object, says: str
) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"schema": schema, "steps": []}), encoding="utf-8")
    before = path.read_bytes()
    code, _, err = run("upgrade", path)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
    assert path.read_bytes() == before


def test_nothing_is_written_when_one_of_several_is_bad(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(upgrade.UPGRADES, 0, lambda raw: {**raw, "steps": raw["actions"]})
    old = tmp_path / "old.json"
    old.write_text('{"schema": "acclient/scenario/0", "actions": []}', encoding="utf-8")
    bad = tmp_path / "bad.json"
    bad.write_text("[]", encoding="utf-8")
    before = old.read_bytes()
    assert run("upgrade", old, bad)[0] == 2
    assert old.read_bytes() == before


def test_an_older_version_is_taken_through_each_upgrade(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def renamed(raw: dict[str, Any]) -> dict[str, Any]:
        return {"steps": raw["actions"], "world": raw["world"]}

    monkeypatch.setitem(upgrade.UPGRADES, 0, renamed)
    path = tmp_path / "old.json"
    old = {
        "schema": "acclient/scenario/0",
        "world": "demo",
        "actions": [{"do": "tick", "seconds": 2.0}],
    }
    path.write_text(json.dumps(old), encoding="utf-8")
    code, out, _ = run("upgrade", path)
    assert (code, out) == (0, f"{path}: upgraded\n")
    assert sc.read(path) == sc.Scenario(steps=[sc.Tick(seconds=2.0)])


# shrink


def steps_with_a_fault() -> list[dict[str, Any]]:
    """Twenty steps of which three are needed for what the last one expects wrongly."""
    idle = [{"do": "tick", "seconds": 0.1}, {"do": "time", "day": 0.25}]
    return [
        *idle,
        {"do": "create", "guid": "0x50000001", "setup": "0x02000001", "player": True, "at": HERE},
        *idle,
        {"do": "create", "guid": "0x80000010", "setup": "0x02000010", "parent": "0x50000001"},
        *idle,
        {"do": "create", "guid": "0x80000011", "setup": "0x02000011", "parent": "0x50000001",
         "location": 3},
        {"do": "place", "guid": "0x50000001", "at": THERE},
        {"do": "checkpoint", "name": "mid"},
        *idle,
        {"do": "checkpoint", "name": "end", "expect": [
            {"path": "objects.0x50000001.cell", "equals": "0x807F0005"},
            {"path": "objects.0x80000010.cell", "equals": "0x7F7F003C"},
            {"path": "counts.objects", "equals": 3}]},
        *idle,
    ]  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--expect", '0x80000010.cell: expected "0x7F7F003C", f')])
def test_a_failed_expectation_is_kept_with_the_fewest_steps(
    run: Any, tmp_path: Path, options: tuple[str, ...]
) -> None:
    path = scenario(tmp_path / "s.json", steps_with_a_fault())
    code, out, err = run("shrink", path, *options)
    assert (code, out) == (0, f"{tmp_path / 's.min.json'}\n")
    least = sc.read(tmp_path / "s.min.json")
    kinds = [type(step).__name__ for step in least.steps]
    if options:
        assert kinds == ["Create", "Create", "Place", "Checkpoint"]
        assert " of 16 steps are left" in err
    else:  # that there is no such object fails the same expectation
        assert kinds == ["Checkpoint"]
    last = least.steps[-1]
    assert isinstance(last, sc.Checkpoint)
    assert [expect.path for expect in last.expect] == ["objects.0x80000010.cell"]


def test_a_run_that_ends_in_an_error_is_shrunk_too(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(driver: Driver, step: sc.Walk) -> str | None:
        raise InvariantError("S9", "broken by a walk")

    monkeypatch.setattr(Driver, "walk", broken)
    steps = [
        *steps_with_a_fault()[:9],
        {"do": "walk", "guid": "0x50000099", "heading": 0, "seconds": 1},
    ]
    path = scenario(tmp_path / "s.json", steps)
    assert run("shrink", path, "-o", tmp_path / "least.json")[0] == 0
    assert [type(s).__name__ for s in sc.read(tmp_path / "least.json").steps] == ["Walk"]


def test_a_command_says_whether_the_fault_is_there(run: Any, tmp_path: Path) -> None:
    path = scenario(tmp_path / "s.json", steps_with_a_fault())
    script = tmp_path / "judge.py"
    script.write_text(
        "import json, sys\n"
        "steps = [s['do'] for s in json.load(open(sys.argv[1]))['steps']]\n"
        "sys.exit(3 if 'place' in steps and steps.count('tick') >= 2 else 0)\n",
        encoding="utf-8",
    )
    code, _, err = run("shrink", path, "--command", f"{sys.executable} {script} {{}}")
    assert code == 0, err
    kinds = [type(step).__name__ for step in sc.read(tmp_path / "s.min.json").steps]
    assert sorted(kinds) == ["Place", "Tick", "Tick"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "nothing to shrink"),
        (("--expect", "zebra"), "nothing with 'zebra' fails"),
        (("--command", "true {}"), "exits with 0"),
        (("--command", "true"), "names no file"),
        (("--command", "no-such-program {}"), "cannot be run"),
        (("--command", "true {}", "--expect", "x"), "one fault at a time"),
    ],
)
def test_without_a_fault_there_is_nothing_to_shrink(
    run: Any, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    path = scenario(tmp_path / "s.json", [{"do": "checkpoint", "name": "x"}])
    code, _, err = run("shrink", path, *options)
    assert code == 2
    assert says in err
    assert not (tmp_path / "s.min.json").exists()


# from-capture


def test_a_capture_becomes_a_scenario_that_runs(run: Any, tmp_path: Path) -> None:
    from acclient_py.host import steps
    from acclient_py.host.host import Host
    from acclient_py.world.models import Models

    player = sc.Create(
        guid=sc.HexId(0x50000001),
        setup=sc.HexId(0x02000001),
        instance=3,
        at=sc.At(sc.HexId(0x7F7F003C), (180.0, 90.0, 20.0)),
    )
    sword = sc.Create(
        guid=sc.HexId(0x80000010), setup=sc.HexId(0x02000010), parent=sc.HexId(0x50000001)
    )
    with opened("doll") as dats:
        models = Models(dats)
        messages = [
            wire.CreatePlayer(0x50000001),
            *(steps.create(step, None, models.setup(step.setup)) for step in (player, sword)),
        ]
    raw = [wire.encode(message) for message in messages]
    raw.insert(1, bytes.fromhex("e0f600000400616263640000"))
    cuts = [b"".join(made.fragments(m, number=k, size=100)) for k, m in enumerate(raw)]
    capture = tmp_path / "seen.pcap"
    capture.write_bytes(made.pcap(made.received(*cuts)))
    out = tmp_path / "seen.json"
    code, printed, err = run("from-capture", capture, "-o", out, "--world", baked("doll").folder)
    assert (code, printed) == (0, "")
    rows = [line.split() for line in err.splitlines()]
    assert rows[0] == ["opcode", "taken", "unread", "unknown", "message"]
    assert rows[1:] == [
        ["0xF6E0", "0", "0", "1", "-"],
        ["0xF745", "2", "0", "0", "CreateObject"],
        ["0xF746", "1", "0", "0", "CreatePlayer"],
    ]
    read = sc.read(out)
    with opened("doll") as dats:
        host = Host(dats, check=True)
        for _ in host.play(read):
            pass
        seen = {o["guid"]: o for o in host.checkpoint("end")["objects"]}
    assert seen["0x80000010"]["cell"] == seen["0x50000001"]["cell"] == "0x7F7F003C"
    assert seen["0x50000001"]["instance"] == 3
    assert host.tick_count == 90


def test_a_file_that_is_no_capture_writes_nothing(run: Any, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all\n", encoding="utf-8")
    code, out, err = run("from-capture", letter, "-o", tmp_path / "out.json")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert not (tmp_path / "out.json").exists()


# schema


@pytest.mark.contract("T7")
@pytest.mark.parametrize("name", ["scenario", "checkpoint", "transcript"])
def test_the_shipped_schema_is_what_the_code_says(run: Any, name: str) -> None:
    """Sabotage: add a field to the code and not to the file; the comparison fails."""
    code, out, _ = run("schema", name)
    shipped = REPO / "assets" / "schemas" / f"{name}.schema.json"
    assert code == 0
    assert shipped.read_text(encoding="utf-8") == out, (
        f"run: acclient scenario schema {name} > assets/schemas/{name}.schema.json"
    )


@pytest.mark.contract("I2")
@pytest.mark.parametrize("verb", ["shrink", "from-capture"])
def test_what_is_read_is_not_written_over(run: Any, tmp_path: Path, verb: str) -> None:
    """Sabotage: open the output whatever it is; the file is gone."""
    path = scenario(tmp_path / "s.json", [])
    before = path.read_bytes()
    code, _, err = run(verb, path, "-o", path)
    assert code == 2
    assert "is what is read" in err
    assert path.read_bytes() == before

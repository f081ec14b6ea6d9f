"""`acclient dat`: what it prints, where, and its exit codes."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from builders.worlds import baked

from acclient_py.cli.main import run
from acclient_py.dat.container import DatFile
from acclient_py.dat.writer import CELL, HIGHRES, PORTAL, build
from acclient_py.log import forget_warnings
from acclient_py.physics.blocks import Blocks

PALETTE = struct.pack("<II3I", 0x04000001, 3, 0xFF000000, 0xFF112233, 0x80FFFFFF)
SURFACE = bytes.fromhex("0100000016396fff000000000000c07f0000803f")
LAND = struct.pack("<II", 0x7F7FFFFF, 0) + bytes(81 * 2) + bytes(range(81)) + b"\0"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    records = {0x04000001: PALETTE, 0x08000001: SURFACE, 0x0E000002: bytes(range(200))}
    build(tmp_path / PORTAL.name, records, PORTAL)
    build(tmp_path / CELL.name, {0x7F7FFFFF: LAND}, CELL)
    forget_warnings()
    return tmp_path


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_ls_lists_every_record_of_every_file(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "ls", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [line.split() for line in out.splitlines()]
    assert [row[:4] for row in rows] == [
        ["0x04000001", "Palette", "portal", "20"],
        ["0x08000001", "Surface", "portal", "20"],
        ["0x0E000002", "CharGen", "portal", "200"],
        ["0xFFFF0001", "Iteration", "portal", "12"],
        ["0x7F7FFFFF", "LandBlock", "cell", "252"],
        ["0xFFFF0001", "Iteration", "cell", "12"],
    ]


def test_ls_of_one_kind_one_file_and_as_json(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "ls", str(folder), "--kind", "landblock", "--json"]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert row["id"] == "0x7F7FFFFF"
    assert row["kind"] == "LandBlock"
    assert (row["file"], row["size"], row["version"]) == ("cell", 252, 2)
    assert run(["dat", "ls", str(folder), "--file", "cell"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert run(["dat", "ls", str(folder / CELL.name)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_info_says_what_each_file_is(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "info", str(folder), "--json"]) == 0
    portal, cell = lines(capsys.readouterr().out)
    assert (portal["file"], portal["records"], portal["block_size"]) == ("portal", 4, 1024)
    assert portal["kinds"] == {"CharGen": 1, "Iteration": 1, "Palette": 1, "Surface": 1}
    assert portal["iterations"] == [[1, 1]]
    assert (cell["file"], cell["engine_pack_version"], cell["bytes"]) == ("cell", 22, 1 << 20)
    assert run(["dat", "info", str(folder)]) == 0
    assert "block_size: 256" in capsys.readouterr().out


def test_show_prints_fields_json_and_bytes(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "show", str(folder), "0x08000001"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Surface 0x08000001, 20 bytes, {folder / PORTAL.name}\n")
    assert "luminosity: nan" in text
    assert run(["dat", "show", str(folder), "08000001", "--json"]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert isinstance(row["record"], dict)
    assert row["record"]["luminosity"] == "nan"
    assert row["record"]["diffuse"] == 1.0
    assert run(["dat", "show", str(folder), "7F7FFFFF", "--json"]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert isinstance(row["record"], dict)
    assert row["record"]["heights"] == list(range(81))
    assert run(["dat", "show", str(folder), "0E000002"]) == 0
    text = capsys.readouterr().out
    assert "000000  00 01 02 03" in text
    assert run(["dat", "show", str(folder), "04000001", "--raw", "--json"]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert row["data"] == PALETTE.hex()


def test_show_cuts_long_lists_unless_told(folder: Path, capsys: Capture) -> None:
    long = {0x0E000002: bytes(1000)}
    build(folder / PORTAL.name, long, PORTAL)
    assert run(["dat", "show", str(folder), "0E000002"]) == 0
    assert "744 more bytes (--all)" in capsys.readouterr().out
    assert run(["dat", "show", str(folder), "0E000002", "--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 63


def test_export_writes_the_bytes_of_a_record(folder: Path, capsys: Capture) -> None:
    target = folder / "out.bin"
    assert run(["dat", "export", str(folder), "--raw", "0x04000001", "-o", str(target)]) == 0
    out, err = capsys.readouterr()
    assert target.read_bytes() == PALETTE
    assert out == ""
    assert "20 bytes" in err


def test_export_to_standard_output(folder: Path) -> None:
    command = [sys.executable, "-m", "acclient_py", "dat", "export", str(folder)]
    done = subprocess.run(
        [*command, "--raw", "08000001", "-o", "-"],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, SURFACE, b"")


@pytest.mark.contract("I2", "I4")
def test_check_of_a_sound_set_is_0(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "check", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert out == f"4 in {PORTAL.name}, 2 in {CELL.name}: 0 faults, 0 warnings\n"
    assert "reading every record" in err


@pytest.mark.contract("I2")
def test_check_reports_each_damaged_record_and_is_1(folder: Path, capsys: Capture) -> None:
    """Sabotage: return 0 from `check_set`; the first assertion fails."""
    with DatFile.open(folder / PORTAL.name) as file:
        palette, surface = file.find(0x04000001), file.find(0x08000001)
    assert palette is not None
    assert surface is not None
    data = bytearray((folder / PORTAL.name).read_bytes())
    data[palette.offset + 8 : palette.offset + 12] = b"\xff" * 4  # the count of colours
    data[surface.offset : surface.offset + 4] = struct.pack("<I", 0x80000000)  # the link
    (folder / PORTAL.name).write_bytes(data)
    assert run(["dat", "check", str(folder)]) == 1
    found = capsys.readouterr().out.splitlines()
    name = str(folder / PORTAL.name)
    assert any(line.startswith(f"fault: {name} record 0x04000001 at byte") for line in found)
    assert any(line.startswith(f"fault: {name} record 0x08000001 at byte") for line in found)
    assert found[-1].startswith(f"2 in {PORTAL.name}, 2 in {CELL.name}: ")
    assert run(["dat", "check", str(folder), "--json"]) == 1
    *rows, last = lines(capsys.readouterr().out)
    assert {row["record"] for row in rows if "record" in row} == {"0x04000001", "0x08000001"}
    assert isinstance(last["summary"], dict)
    assert last["summary"]["faults"] == len(rows)


@pytest.mark.contract("I2")
def test_ls_and_info_of_a_damaged_directory_go_on_and_are_1(folder: Path, capsys: Capture) -> None:
    build(folder / CELL.name, {id << 16 | 0xFFFF: LAND for id in range(100)}, CELL)
    with DatFile.open(folder / CELL.name) as file:
        first = file.node(file.header.root).branches[0]
    data = bytearray((folder / CELL.name).read_bytes())
    data[first : first + 4] = bytes(4)
    (folder / CELL.name).write_bytes(data)
    for what in ("ls", "info"):
        assert run(["dat", what, str(folder)]) == 1
        assert "0x04000001" in capsys.readouterr().out or what == "info"
    assert run(["dat", "check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert f"directory node 0x{first:08X}" in out


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["ls", "{folder}/nowhere"], "no such world"),
        (["ls", "{folder}/nowhere.dat"], "cannot be opened"),
        (["show", "{folder}", "xyz"], "'xyz' is no record id"),
        (["show", "{folder}", "100000000"], "is no record id"),
        (["show", "{folder}", "a", "b"], "3 words"),
        (["show", "{folder}", "0x01000001"], "record 0x01000001: no such record"),
        (["ls", "{folder}", "--kind", "Nonsense"], "no kind of record 'Nonsense'"),
        (["ls", "{folder}", "--file", "sound"], "sound"),
        (["export", "{folder}", "--raw", "04000001", "-o", "{folder}/a/b"], "cannot be written"),
    ],
)
def test_bad_usage_is_one_line_and_2(
    words: list[str], what: str, folder: Path, capsys: Capture
) -> None:
    assert run(["dat", *[word.format(folder=folder) for word in words]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("acclient: error: ")
    assert what in err
    assert err.count("\n") == 1


@pytest.mark.contract("I2")
@pytest.mark.parametrize("damage", ["empty", "text", "directory", "block size"])
@pytest.mark.parametrize("what", ["ls", "info", "check"])
def test_an_unusable_portal_file_is_one_line_with_path_and_2(
    what: str, damage: str, folder: Path, capsys: Capture
) -> None:
    """DAT-09: never a cheerful end."""
    path = folder / PORTAL.name
    data = bytearray(path.read_bytes())
    path.unlink()
    if damage == "directory":
        path.mkdir()
    else:
        data[0x144:0x148] = bytes(4)
        path.write_bytes({"empty": b"", "text": b"x" * 5000, "block size": bytes(data)}[damage])
    assert run(["dat", what, str(folder)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"acclient: error: {path}")


@pytest.mark.contract("I1", "S11", "E15")
def test_check_builds_every_landblock_and_takes_it_away(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: leave the statics in at a departure; the last assertion fails without it."""
    world = str(baked("doll").folder)
    assert run(["dat", "check", world, "--membership"]) == 0
    out, err = capsys.readouterr()
    assert "; built 2 landblocks, 128 cells, " in out
    assert out.endswith(": 0 faults, 0 warnings\n")
    assert "building every landblock" in err
    assert run(["dat", "check", f"{world}/{CELL.name}", "--membership"]) == 2
    assert "one file is no world" in capsys.readouterr().err
    monkeypatch.setattr(Blocks, "remove_land", lambda self, block_id: None)
    assert run(["dat", "check", world, "--membership"]) == 1
    found = capsys.readouterr().out.splitlines()
    assert found[0].startswith("fault: landblock 0x7F7FFFFF: ")
    assert any(line.endswith("landblocks left behind") for line in found)


@pytest.mark.parametrize(("file", "length"), [(None, 28), ("highres", 28), ("portal", 25)])
def test_a_file_that_is_named_is_that_very_file(
    folder: Path, capsys: Capture, file: str | None, length: int
) -> None:
    """Sabotage: let one stand in for the other; the portal's picture cannot be seen."""
    head = struct.pack("<IIiiI", 0x06000001, 0, 1, 1, 0x1C)
    small, large = head + struct.pack("<iB", 1, 9), head.replace(b"\x1c", b"\x15")
    large += struct.pack("<iI", 4, 9)
    palette = {0x04000001: PALETTE, 0x06000001: small}
    build(folder / PORTAL.name, palette, PORTAL)
    build(folder / HIGHRES.name, {0x06000001: large}, HIGHRES)
    words = [] if file is None else ["--file", file]
    assert run(["dat", "show", str(folder), "0x06000001", *words]) == 0
    assert f"{length} bytes" in capsys.readouterr().out
    if file is not None:
        assert run(["dat", "show", str(folder), "0x04000001", "--file", file]) == (
            0 if file == "portal" else 2
        )
        questions = folder / "q.jsonl"
        questions.write_text(f'{{"in": "raw {file} 0x06000001"}}', encoding="utf-8")
        build(folder / CELL.name, {0x7F7FFFFF: LAND}, CELL)
        capsys.readouterr()
        run(["ask", "--world", str(folder), str(questions)])
        (row,) = lines(capsys.readouterr().out)
        assert row["out"]["len"] == length  # type: ignore[index]


def test_a_file_that_is_not_there_has_no_record(folder: Path, capsys: Capture) -> None:
    assert run(["dat", "show", str(folder), "0x04000001", "--file", "highres"]) == 2
    assert "no such record" in capsys.readouterr().err


def test_a_hook_is_shown_by_its_fields() -> None:
    """Sabotage: show it as any other struct; its payload is a row of hex digits."""
    from acclient_py.cli._plain import plain
    from acclient_py.dat.records.hooks import Hook, HookType

    assert plain(Hook.make(HookType.TRANSPARENT_PART, -1, (3, 0.5, 1.0, 2.0))) == {
        "type": {"value": 7, "names": ["TRANSPARENT_PART"]},
        "direction": -1,
        "fields": {"part": 3, "start": 0.5, "end": 1.0, "time": 2.0},
    }
    assert plain(Hook(HookType.REPLACE_OBJECT, 1, b"\1\2\3\0"))["fields"] == {"raw": "01020300"}

"""`acclient ask`: rows in, rows out, faults, exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import records as made
from builders.dat_sets import (
    BLOCK,
    ENVIRONMENT,
    GFX,
    ROOM,
    SETUP,
    block,
    box_gfx,
    dat_set,
    env_cell,
    room,
    simple_setup,
)

from acclient_py.cli import ask as ask_command
from acclient_py.cli.asking import AskWorld, answer, load_verbs, number
from acclient_py.cli.asking.dats import fnv1a
from acclient_py.cli.main import run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    dat_set(
        tmp_path,
        {
            0x13000000: made.region(),
            GFX: box_gfx(),
            SETUP: simple_setup(),
            BLOCK: block(lambda x, y: 10 + 3 * x + y),
        },
    ).close()
    return tmp_path


def questions(folder: Path, *rows: Any) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows) + "\n")
    return file


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_rows_come_back_in_order_with_their_answers(folder: Path, capsys: Capture) -> None:
    file = questions(folder, {"in": "gid 1 2"}, {"in": "valid 0x00000001", "out": 7, "by": "x"})
    assert run(["ask", "--world", str(folder), str(file)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert answers(out) == [
        {"in": "gid 1 2", "out": {"gid": 11, "block": 65535, "in_bounds": 1}},
        {"in": "valid 0x00000001", "out": {"valid": 1}},
    ]


def test_answers_go_to_a_file(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    file = questions(folder, {"in": "gid 0 0"})
    target = tmp_path / "out.jsonl"
    assert run(["ask", "--world", str(folder), str(file), "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert answers(target.read_text())[0]["out"]["gid"] == 1


FAULTS = (
    "nonsense 1", "", "gid 1", "gid one two", "lcoord 0xZZ", "lcoord 0x123456789",
    "adjout 0xA9B40001 nan 0 0", "adjout 0xA9B40001 1e999 0 0", "heading 1 2 3",
    "split 0x01010001", "polys 0xA9B40100", "raw nowhere 0x01000001", "obj 0x13000000",
    "combine 1 2 3",
)  # fmt: skip


@pytest.mark.contract("I2")
def test_each_fault_is_one_line_and_the_exit_code_is_1(folder: Path, capsys: Capture) -> None:
    """Sabotage: raise instead of answering; the rows behind the first fault are missing."""
    file = questions(folder, *({"in": f} for f in FAULTS), {"in": "gid 0 0"})
    assert run(["ask", "--world", str(folder), str(file)]) == 1
    out, err = capsys.readouterr()
    rows = answers(out)
    assert [row["in"] for row in rows] == [*FAULTS, "gid 0 0"]
    assert all(list(row["out"]) == ["error"] for row in rows[:-1])
    assert rows[-1]["out"]["gid"] == 1
    assert len(err.splitlines()) == len(FAULTS)
    assert all("\n" not in row["out"]["error"] for row in rows[:-1])


@pytest.mark.contract("I2")
@pytest.mark.parametrize("line", ["not json", '{"out": 1}', "[1]", '{"in": 5}'])
def test_a_line_that_is_no_question_is_bad_input(folder: Path, line: str, capsys: Capture) -> None:
    file = questions(folder, {"in": "gid 0 0"}, line)
    assert run(["ask", "--world", str(folder), str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "line 2" in err
    assert len(err.splitlines()) == 1


def test_a_file_that_is_not_there_is_bad_input(folder: Path, capsys: Capture) -> None:
    assert run(["ask", "--world", str(folder), str(folder / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_the_ground_of_a_world(folder: Path) -> None:
    from acclient_py.dat.dataset import DatSet

    with DatSet.open(folder) as dats:
        world = AskWorld(dats)
        out, good = answer(world, "terrainpoly 0xA9B40001 12 3 0")
        assert good
        assert out["ok"] == 1
        # a plane through every vertex: 2 * (10 + 3 x + y)
        assert out["z"] == pytest.approx(2 * (10 + 3 * 0.5 + 0.125), abs=1e-5)
        assert answer(world, "terrainpoly 0xA9B40001 100 100 0")[0] == {"ok": 0}
        corners = answer(world, "polys 0xA9B40001")[0]["polys"][0]["verts"]
        assert corners[0] == [0, 0, 20]
        assert len(answer(world, "split 0xA9B40001")[0]["cut"]) == 64


def test_cells_of_a_world(tmp_path: Path) -> None:
    from acclient_py.dat.dataset import DatSet
    from acclient_py.dat.records import LandBlockInfo

    info = LandBlockInfo(0xA9B4FFFE, 1, (), ())
    records = {
        0x13000000: made.region(),
        GFX: box_gfx(),
        ENVIRONMENT: room(),
        BLOCK: block(20, has_objects=1),
        0xA9B4FFFE: info,
        ROOM: env_cell(),
    }
    dat_set(tmp_path, records).close()
    with DatSet.open(tmp_path) as dats:
        world = AskWorld(dats)
        asked = lambda text: answer(world, text)[0]  # noqa: E731
        assert asked("pic 0xA9B40100 84 84 42") == {"inside": 1}
        assert asked("pic 0xA9B40100 94 84 42") == {"inside": 0}
        assert asked("pic 0xA9B4001C 84 84 900") == {"inside": 1}
        assert asked("sic 0xA9B40100 89.2 84 42 0.5")["kind"] == 1
        assert asked("sic 0xA9B40100 84 84 42 0.5")["local"] == [0, 0, 2]
        assert asked("child 0xA9B40100 84 84 42 1") == {"cell": 0xA9B40100}
        assert asked("child 0xA9B40100 120 84 42 1") == {"cell": 0}
        cell = asked("envcell 0xA9B40100")
        assert cell["portals"][0]["other"] == 0xFFFFFFFF
        assert cell["statics"] == [GFX]
        assert cell["shadow"] == 1
        assert asked("shadows 0xA9B40100") == {
            "objects": [GFX], "shadows": [{"setup": GFX, "home": 0xA9B40100}],
        }  # fmt: skip
        for bad in ("pic 0xA9B40101 1 1 1", "child 0xA9B40001 1 1 1 1", "sic 0xA9B40001 1 1 1 1"):
            assert "error" in asked(bad)


def test_records_of_a_world(folder: Path) -> None:
    from acclient_py.dat.dataset import DatSet

    with DatSet.open(folder) as dats:
        world = AskWorld(dats)
        data = box_gfx().write()
        expected = {"ok": 1, "len": len(data), "fnv1a": fnv1a(data)}
        assert answer(world, "raw portal 0x01000001")[0] == expected
        assert answer(world, "raw cell 0x01000001")[0] == {"ok": 0}
        assert answer(world, "obj 0x01000009")[0] == {"ok": 0}
        out = answer(world, "obj 0x01000001")[0]
        assert (out["npoly"], out["nphys"], out["nsurf"]) == (6, 6, 1)
        assert out["psphere"] == [0, 0, 0.5]
        assert answer(world, "obj 0x02000001")[0]["nparts"] == 1


def test_fnv1a_of_known_words() -> None:
    assert fnv1a(b"") == 0x811C9DC5
    assert fnv1a(b"a") == 0xE40C292C
    assert fnv1a(b"foobar") == 0xBF9CF968


def test_numbers_go_out_short_and_what_is_not_finite_as_words() -> None:
    assert number(np.float32(0.1)) == 0.100000001
    assert number(float("nan")) == "nan"
    assert number(-np.float32(np.inf)) == "-inf"


def test_a_file_starts_with_a_fresh_world(folder: Path) -> None:
    """What one file's questions did to the world is gone for the next file's."""
    from acclient_py.dat.dataset import DatSet

    worlds: list[AskWorld] = []
    verbs = load_verbs()

    def probe(world: AskWorld, words: list[str]) -> dict[str, Any]:
        del words
        worlds.append(world)
        world.state["count"] = world.state.get("count", 0) + 1
        return {"count": world.state["count"]}

    verbs["probe"] = probe
    try:
        with DatSet.open(folder) as dats:
            for _ in range(2):
                sink = io.StringIO()
                assert ask_command.ask(dats, ["probe", "probe"], sink) == 0
                assert [row["out"]["count"] for row in answers(sink.getvalue())] == [1, 2]
    finally:
        del verbs["probe"]
    assert worlds[0] is worlds[1] is not worlds[2]


def test_every_verb_is_documented(repo: Path) -> None:
    text = (repo / "docs" / "ask.md").read_text(encoding="utf-8")
    words = set(text.replace("`", " ").replace(",", " ").split())
    assert [name for name in load_verbs() if name not in words] == []


@pytest.mark.contract("I2")
def test_the_questions_are_not_written_over(folder: Path, capsys: Capture) -> None:
    """Sabotage: open the output whatever it is; the questions are gone."""
    file = questions(folder, {"in": "gid 0 0"})
    link = folder / "link.jsonl"
    link.symlink_to(file)
    before = file.read_bytes()
    for target in (file, link):
        assert run(["ask", "--world", str(folder), str(file), "-o", str(target)]) == 2
        err = capsys.readouterr().err
        assert "is what is read" in err
        assert err.count("\n") == 1
    assert file.read_bytes() == before


@pytest.mark.contract("S10")
def test_spheres_may_reach_more_cells_than_any_body_does(folder: Path) -> None:
    """Sabotage: answer with the first thousand; the count differs."""
    from acclient_py.dat.dataset import DatSet

    side = range(-30, 30)
    spheres = " ".join(f"{24 * x + 12} {24 * y + 12} 20 1" for x in side for y in side)
    with DatSet.open(folder) as dats:
        out, good = answer(AskWorld(dats), f"cells {BLOCK - 0xFFFE:#010x} 0 0 0 3600 {spheres}")
    assert good
    assert len(out["cells"]) == len(set(out["cells"])) == 3600


@pytest.mark.contract("I2")
def test_a_number_beyond_32_bits_is_told_and_nothing_else_is(folder: Path) -> None:
    """Sabotage: round it aloud; numpy warns on standard error."""
    import warnings

    from acclient_py.dat.dataset import DatSet

    with DatSet.open(folder) as dats, warnings.catch_warnings():
        warnings.simplefilter("error")
        out, good = answer(AskWorld(dats), "adjout 0xA9B40001 -1e39 0 0")
    assert not good
    assert "not a finite number of 32 bits: '-1e39'" in out["error"]

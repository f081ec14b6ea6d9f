"""Transitions against the answers of two other programs, where their folder is at hand."""

from __future__ import annotations

import importlib.util
import io
import json
from pathlib import Path
from typing import Any

import pytest

from acclient_py.cli.ask import ask, read_questions
from acclient_py.dat.dataset import DatSet

# Both witnesses go on into the obstacle when a body pressed against it has nowhere to slide; the
# client is blocked (spec physics-membership 5.5, the last case of slide_sphere).
SPEC_WINS = ("trans 0x303 0x01020100 62.36155 -38.93107",)


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[tuple[dict[str, Any], str]]:
    """(golden row, verdict) of every question about moving."""
    oracle = shared / "oracle"
    golden_file = oracle / "vectors" / "motion.jsonl"
    if not golden_file.exists():
        pytest.skip("no answers of other programs")
    spec = importlib.util.spec_from_file_location("oracle_compare", oracle / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    sink = io.StringIO()
    with DatSet.open(oracle / "dats") as dats:
        ask(dats, list(read_questions(str(golden_file))), sink)
    found = []
    for row, line in zip(compare.rows(golden_file), sink.getvalue().splitlines(), strict=True):
        mine = json.loads(line)["out"]
        verdict = compare.verdict(row["out"], mine)
        if row["by"] == "differ" and verdict != "equal":
            other = {**row["out"], **row["ace"]}
            verdict = "as ace" if compare.verdict(other, mine) == "equal" else "as neither"
        found.append((row, verdict))
    return found


@pytest.mark.contract("I1", "C7")
@pytest.mark.parametrize("verb", ["enter", "trans", "walk"])
def test_rows_on_which_the_witnesses_agree_are_right(rows: Any, verb: str) -> None:
    mine = [(r, v) for r, v in rows if r["in"].startswith(verb) and r["by"] == "both"]
    assert len(mine) == {"enter": 94, "trans": 294, "walk": 27}[verb]
    wrong = [r["in"] for r, v in mine if v != "equal"]
    assert [q for q in wrong if not q.startswith(SPEC_WINS)] == []


def test_rows_on_which_they_differ_follow_one_of_them(rows: Any) -> None:
    assert [r["in"] for r, v in rows if r["by"] == "differ" and v == "as neither"] == []

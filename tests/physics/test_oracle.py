"""Cell arrays, static shadows and little stories against the answers of other programs.

Rows on which both witnesses agree decide, whole and in order. On a row on which they differ the
answer has to be one witness's: which one follows from the contract, and is never a third thing.
"""

from __future__ import annotations

import importlib.util
import io
import json
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from acclient_py.cli.ask import ask, read_questions
from acclient_py.dat.dataset import DatSet

STORIES = 14


@pytest.fixture(scope="module")
def oracle(shared: Path) -> Path:
    folder = shared / "oracle"
    if not (folder / "compare.py").exists():
        pytest.skip("no answers of other programs")
    return folder


@pytest.fixture(scope="module")
def compare(oracle: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("oracle_compare", oracle / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verdicts(oracle: Path, compare: ModuleType, golden_file: Path) -> Counter[tuple[str, str]]:
    """How many rows of a file got which verdict, by who vouches for them."""
    sink = io.StringIO()
    with DatSet.open(oracle / "dats") as dats:
        faults = ask(dats, list(read_questions(str(golden_file))), sink)
    assert faults == 0
    answers = [json.loads(line)["out"] for line in sink.getvalue().splitlines()]
    found: Counter[tuple[str, str]] = Counter()
    for row, answer in zip(compare.rows(golden_file), answers, strict=True):
        golden = row["out"]
        if row["in"].startswith("d_cell"):
            golden, answer = compare.without_planes(golden), compare.without_planes(answer)
        verdict = compare.verdict(golden, answer)
        if row["by"] == "differ" and verdict != "equal":
            other = {**golden, **row.get("ace", {})}
            verdict = "ace" if compare.verdict(other, answer) == "equal" else "neither"
        found[row["by"], verdict] += 1
    return found


@pytest.mark.contract("S10")
def test_cell_arrays_of_spheres(oracle: Path, compare: ModuleType) -> None:
    """Sabotage: drop the slack of the cell BSP test; rows go wrong."""
    found = verdicts(oracle, compare, oracle / "vectors" / "celllist.jsonl")
    assert found == {("both", "equal"): 1133, ("gdle", "equal"): 41}


@pytest.mark.contract("S1", "S2", "S3", "S4")
def test_shadows_of_statics(oracle: Path, compare: ModuleType) -> None:
    """Sabotage: send every static through its boxes; the pillars' rows go wrong.

    The two rows that go with the other witness are pillars by an exit door: their route prunes.
    """
    found = verdicts(oracle, compare, oracle / "vectors" / "shadow.jsonl")
    assert found == {("both", "equal"): 263, ("differ", "equal"): 9, ("differ", "ace"): 2}


@pytest.mark.contract("C1", "C2", "C3", "C4", "C5", "C6", "C11", "C12", "S6", "S8")
def test_every_story_ends_as_both_witnesses_say(oracle: Path, compare: ModuleType) -> None:
    """Sabotage: skip the grandchildren in write_cells; two stories go wrong."""
    stories = sorted((oracle / "scenarios").glob("*.jsonl"))
    assert len(stories) == STORIES
    for story in stories:
        found = verdicts(oracle, compare, story)
        wrong = {key: n for key, n in found.items() if key[1] not in ("equal", "ace")}
        assert wrong == {}, story.name
        assert all(by == "differ" for by, verdict in found if verdict == "ace"), story.name


@pytest.mark.contract("S5")
def test_parts_carry_planes_where_both_witnesses_leave_them_out(oracle: Path) -> None:
    """Sabotage: planes always 0; nothing carries any (last assertion)."""
    carried = 0
    for story in sorted((oracle / "scenarios").glob("*.jsonl")):
        sink = io.StringIO()
        with DatSet.open(oracle / "dats") as dats:
            ask(dats, list(read_questions(str(story))), sink)
        for line in sink.getvalue().splitlines():
            row = json.loads(line)
            words = row["in"].split()
            if words[0] == "d_cell":
                planes = [planes for _, planes in row["out"]["parts"]]
                if int(words[1], 16) & 0xFFFF < 0x100:
                    assert not any(planes), row
                carried += sum(planes)
    assert carried > 0

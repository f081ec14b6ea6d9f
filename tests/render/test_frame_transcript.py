"""`acclient frame --transcript`: every line is what the shipped schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from builders.worlds import baked

from acclient_py.cli import main as command_line

REPO = Path(__file__).resolve().parents[2]


@pytest.mark.contract("T1", "T7", "T8")
def test_a_frames_lines_are_valid_and_the_same_every_time(
    ctx: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sabotage: write a block's `in_view` as a number; the schema refuses the line."""
    schema = json.loads((REPO / "assets" / "schemas" / "transcript.schema.json").read_text("utf-8"))
    line = jsonschema.Draft202012Validator(schema)
    body = {
        "schema": "acclient/scenario/1",
        "world": str(baked("hut").folder),
        "steps": [
            {"do": "load", "landblock": "0x7F7FFFFF"},
            {"do": "camera", "eye": {"cell": "0x7F7F001B", "origin": [80, 60, 25]},
             "target": {"cell": "0x7F7F001B", "origin": [96, 84, 21]}},
        ],
    }  # fmt: skip
    story = tmp_path / "s.json"
    story.write_text(json.dumps(body), encoding="utf-8")
    written = []
    for name in ("a", "b"):
        words = ["frame", str(story), "-o", str(tmp_path / f"{name}.png"), "--size", "160x90"]
        transcript = tmp_path / f"{name}.jsonl"
        code = command_line.run([*words, "--transcript", str(transcript)])
        assert (code, capsys.readouterr().err) == (0, "")
        written.append(transcript.read_bytes())
    events = [json.loads(row) for row in written[0].splitlines()]
    for event in events:
        line.validate(event)
    kinds = {event["event"] for event in events}
    assert {"Header", "View", "Sky", "Block", "DrawLandCell", "DrawBuilding", "Flush"} <= kinds
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert events[0]["kind"] == "frame"
    assert written[0] == written[1]


@pytest.mark.contract("T4")
def test_a_sorted_cell_tells_its_order_and_is_drawn_in_it(ctx: Any, tmp_path: Path) -> None:
    """Sabotage: write the list before the sort; the first comparison fails."""
    here = {"cell": "0x7F7F003C", "origin": [180.0, 90.0, 20.0]}
    body = {
        "schema": "acclient/scenario/1",
        "world": str(baked("doll").folder),
        "steps": [
            {"do": "create", "guid": "0x50000001", "setup": "0x02000001", "player": True,
             "at": here},
            {"do": "create", "guid": "0x80000010", "setup": "0x02000010", "parent": "0x50000001"},
            {"do": "camera", "follow": "0x50000001"},
        ],
    }  # fmt: skip
    story, transcript = tmp_path / "s.json", tmp_path / "t.jsonl"
    story.write_text(json.dumps(body), encoding="utf-8")
    words = ["frame", str(story), "-o", str(tmp_path / "p.png"), "--size", "160x90"]
    assert command_line.run([*words, "--transcript", str(transcript)]) == 0
    events = [json.loads(row) for row in transcript.read_bytes().splitlines()]
    (order,) = [e["parts"] for e in events if e["event"] == "Sort" and e["cell"] == here["cell"]]
    distances = [cypt for _, _, cypt in order]
    assert len(order) == 18
    assert distances == sorted(distances, reverse=True)
    drawn = [(e["object"], e["part"]) for e in events if e["event"] == "Part"]
    assert drawn == [(guid, part) for guid, part, _ in order]

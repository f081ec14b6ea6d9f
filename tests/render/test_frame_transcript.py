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


@pytest.mark.contract("T7")
@pytest.mark.contract("T8")
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

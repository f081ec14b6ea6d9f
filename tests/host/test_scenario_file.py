"""The scenario file: what it says is what was read; a fault is one line that names the place."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from acclient_py.errors import UsageError
from acclient_py.host import scenario
from acclient_py.host.scenario import At, Checkpoint, Create, HexId, Scenario, Tick, Walk

GOOD = """{"schema": "acclient/scenario/1", "world": "demo", "seed": 2, "steps": [
  {"do": "create", "guid": "0x50000001", "instance": 3, "setup": "0x02000001", "player": true,
   "at": {"cell": "0x7F7F0019", "origin": [84.0, 10.5, 40.0], "rotation": [1, 0, 0, 0]}},
  {"do": "walk", "guid": "0x50000001", "heading": 90.0, "seconds": 2.0},
  {"do": "tick", "seconds": 1.0},
  {"do": "checkpoint", "name": "there",
   "expect": [{"path": "objects.0x50000001.cell", "equals": "0x7F7F0019"}]}]}"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no JSON"),
        ("[]", r"Expected `object`"),
        ('{"stepz": []}', "unknown field `stepz`"),
        ('{"schema": "acclient/scenario/2"}', r"\$\.schema"),
        ('{"steps": [{"do": "crate"}]}', r"Invalid value 'crate' - at `\$\.steps\[0\]\.do`"),
        ('{"steps": [{"do": "delete", "guid": "0x5"}]}', r"\$\.steps\[0\]\.guid"),
        ('{"steps": [{"do": "delete", "guid": 1342177281}]}', "eight hexadecimal digits"),
        ('{"steps": [{"do": "tick", "seconds": -1}]}', r"\$\.steps\[0\]\.seconds"),
        ('{"steps": [{"do": "tick", "seconds": 1e9}]}', r"\$\.steps\[0\]\.seconds"),
        ('{"steps": [{"do": "walk", "guid": "0x50000001"}]}', "step 0: walk takes"),
        ('{"steps": [{"do": "camera", "view": "map"}]}', "step 0: camera takes"),
        (
            '{"steps": [{"do": "place", "guid": "0x50000001", "at": {"cell": "0x7F7F0019",'
            ' "origin": [0, 0, 0], "rotation": [2, 0, 0, 0]}}]}',
            "squared length 4",
        ),
    ],
)
def test_a_fault_is_one_line_that_names_the_place(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        scenario.parse(text, where="s.json")
    assert "\n" not in str(caught.value)
    assert "s.json" in str(caught.value)


def test_an_unknown_name_lists_the_stored_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such scenario"):
        scenario.find("no_such_walk")
    with pytest.raises(UsageError, match="directory"):
        scenario.find(tmp_path)


@pytest.mark.contract("I5")
@pytest.mark.contract("I6")
def test_steps_read_as_they_are_written() -> None:
    """Sabotage: read rotations as x, y, z, w; the comparison of the first step fails."""
    read = scenario.parse(GOOD)
    assert read.seed == 2
    assert read.steps[0] == Create(
        guid=HexId(0x50000001),
        instance=3,
        setup=HexId(0x02000001),
        player=True,
        at=At(HexId(0x7F7F0019), (84.0, 10.5, 40.0), (1.0, 0.0, 0.0, 0.0)),
    )
    assert read.steps[1] == Walk(guid=HexId(0x50000001), heading=90.0, seconds=2.0)
    assert read.steps[2] == Tick(seconds=1.0)
    assert isinstance(read.steps[3], Checkpoint)


def test_a_file_written_reads_back_the_same() -> None:
    read = scenario.parse(GOOD)
    written = scenario.write(read)
    assert scenario.parse(written) == read
    assert b'"0x7F7F0019"' in written


def test_every_step_of_the_contract_is_known() -> None:
    names = {
        "create",
        "attach",
        "pickup",
        "delete",
        "position",
        "place",
        "teleport",
        "state",
        "message",
        "walk",
        "input",
        "tick",
        "load",
        "unload",
        "camera",
        "time",
        "overlay",
        "frame",
        "checkpoint",
    }
    more = {"use", "things", "swap", "stance", "errand"}  # beyond the contract
    schema = scenario.json_schema()
    known = {
        entry["properties"]["do"]["enum"][0]
        for entry in schema["$defs"].values()
        if "do" in entry.get("properties", {})
    }
    assert known == names | more


def test_the_json_schema_agrees_with_the_reader() -> None:
    schema = scenario.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(GOOD), schema)
    jsonschema.validate(json.loads(scenario.write(Scenario(steps=[]))), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"steps": [{"do": "crate"}]}, schema)

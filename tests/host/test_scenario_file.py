"""The scenario file: what it says is what was read; a fault is one line that names the place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from acclient_py.errors import UsageError
from acclient_py.host import scenario
from acclient_py.host.scenario import At, Checkpoint, Create, Delete, HexId, Scenario, Tick, Walk

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


@pytest.mark.contract("I6")
@pytest.mark.parametrize(
    "text",
    ["0x5000_001", "0x+5000001", "0x-5000001", "0x 5000001", "0x5000001", "0x500000001", "50000001",
     "0x5000000g", "0x\uff15\uff10\uff10\uff10\uff10\uff10\uff10\uff11"],
)  # fmt: skip
def test_an_id_is_eight_hexadecimal_digits_and_nothing_else(text: str) -> None:
    """Sabotage: take what `int` takes; underscores, signs and blanks pass."""
    with pytest.raises(UsageError, match="eight hexadecimal digits"):
        scenario.parse_step(json.dumps({"do": "delete", "guid": text}))
    for good in ("0x5000000a", "0X5000000A"):
        step = scenario.parse_step(json.dumps({"do": "delete", "guid": good}))
        assert step == Delete(guid=HexId(0x5000000A))


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """Sabotage: hand the reader's refusal on at once; 3.0 is no instance."""
    text = GOOD.replace('"instance": 3,', '"instance": 3.0,').replace('"seed": 2', '"seed": 2e0')
    assert scenario.parse(text) == scenario.parse(GOOD)
    with pytest.raises(UsageError, match="Expected `int"):
        scenario.parse(GOOD.replace('"instance": 3,', '"instance": 3.5,'))


PLACE = {"cell": "0x7F7F0019", "origin": [84.0, 10.5, 40], "rotation": [1, 0, 0, 0]}
EVERYTHING: list[dict[str, Any]] = [
    {"do": "create", "guid": "0x50000001", "setup": "0x02000001", "instance": 3, "at": PLACE,
     "parent": None, "location": 1, "placement": 1, "state": "0x00000408", "motion": "0x09000001",
     "scale": 1.5, "player": True, "leads": PLACE, "two_handed": False},
    {"do": "attach", "child": "0x80000010", "parent": "0x50000001", "location": 1,
     "placement": None, "parent_instance": 3, "stamp": 5},
    {"do": "swap", "guid": "0x80000010", "other": "0x80000011"},
    {"do": "stance", "guid": "0x50000001", "style": "0x8000003E"},
    {"do": "pickup", "guid": "0x80000010", "instance": 0, "stamp": 7},
    {"do": "delete", "guid": "0x80000010", "instance": 0},
    {"do": "position", "guid": "0x80000010", "at": PLACE, "instance": 0, "stamp": 8,
     "teleport_stamp": 1, "force_stamp": 0, "placement": 0, "contact": True, "velocity": [0, 0, 1]},
    {"do": "place", "guid": "0x50000001", "at": PLACE},
    {"do": "teleport", "guid": "0x50000001", "at": PLACE},
    {"do": "state", "guid": "0x50000001", "state": "0x00004408", "instance": 3, "stamp": 2},
    {"do": "message", "hex": "48f70000"},
    {"do": "walk", "guid": "0x50000001", "heading": 90.0, "seconds": 2.0, "to": None, "run": False},
    {"do": "walk", "guid": "0x50000001", "to": PLACE},
    {"do": "input", "keys": ["w", "shift"], "seconds": 1.5},
    {"do": "use", "guid": "0x50000001"},
    {"do": "errand", "guid": "0x80000001", "loop": False, "distance": 1.0, "stops": [
        {"to": PLACE, "run": True, "wait": 1.0, "open": "0x70000001", "shut": None,
         "then": [{"do": "pickup", "guid": "0x80000010"}, {"do": "use"}]}]},
    {"do": "errand", "guid": "0x80000001", "follow": "0x50000001"},
    {"do": "tick", "seconds": 1.0},
    {"do": "load", "landblock": "0x7F7FFFFF"},
    {"do": "unload", "landblock": "0x7F7FFFFF"},
    {"do": "camera", "eye": PLACE, "target": PLACE, "view": "default"},
    {"do": "camera", "follow": "0x50000001"},
    {"do": "time", "day": 0.25},
    {"do": "overlay", "name": "cells", "on": True},
    {"do": "frame"},
    {"do": "things", "on": False},
    {"do": "checkpoint", "name": "a", "expect": [{"path": "tick", "equals": [1], "near": 0.5}]},
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 3.0, 1.5, -0.0, 65535, 65536, 2**31 - 1, 2**31, -(2**31) - 1,
    2**63 - 1, 2**63, 10**39, 1e39, -1e39, 3.5e38, 86400, 86401.0, 1e-320, "", "x", "0x50000001",
    "0X5000000a", "0x5000_001", "0x+5000001", "0x50000001\n", "50000001", [], {}, [0, 0], [0, 0, 0],
    [1, 0, 0, 0], [0.0, 0, 0, 1, 0], PLACE, [PLACE],
]  # fmt: skip


def replaced(value: Any) -> Iterator[Any]:
    """Copies with one thing in them replaced by each odd one, or dropped."""
    for key in value if isinstance(value, dict) else range(len(value)):
        without = value.copy()
        del without[key]
        yield without
        inner = replaced(value[key]) if isinstance(value[key], dict | list) else ()
        for other in (*ODD, *inner):
            copy = value.copy()
            copy[key] = other
            yield copy


@pytest.mark.contract("I5", "I6")
@pytest.mark.parametrize("step", EVERYTHING, ids=lambda step: str(step["do"]))
def test_each_field_of_a_step_is_what_the_schema_says(step: dict[str, Any]) -> None:
    """Sabotage: refuse 3.0 where the schema has a whole number, or take `0x5000_001`."""
    schema = scenario.json_schema()
    kind = type(scenario.parse_step(json.dumps(step))).__name__
    validator = jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}
    )
    differ = []
    for made in replaced(step):
        if made.get("do") == step["do"]:
            text = json.dumps(made)
            says = fault_of(text, scenario.parse_step)
            if says != ROTATION and validator.is_valid(made) == bool(says):
                differ.append((text, says))
    assert differ == []


ROTATION = "of a rotation, which no schema can say"


def fault_of(text: str, read: Callable[[str], object]) -> str:
    """What the reader says of a text, nothing when it is good."""
    try:
        read(text)
    except UsageError as error:
        return ROTATION if "squared length" in str(error) else str(error)
    return ""


def changed(rng: random.Random, value: Any) -> Any:
    """A copy with something replaced, dropped, added or doubled somewhere in it."""
    copy = json.loads(json.dumps(value))
    at = copy
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys or rng.random() < 0.1:
            more = json.loads(json.dumps(rng.choice(ODD)))
            if isinstance(at, dict):
                at[rng.choice(["stops", "follow", "to", "heading", "seconds", "eye", "zz"])] = more
            else:
                at.append(more)
            return copy
        key = rng.choice(keys)
        if isinstance(at[key], dict | list) and rng.random() < 0.7:
            at = at[key]
        elif rng.random() < 0.2:
            del at[key]
            return copy
        else:
            at[key] = json.loads(json.dumps(rng.choice(ODD)))
            return copy


@pytest.mark.contract("I5", "I6")
@pytest.mark.parametrize("seed", range(2))
def test_what_the_schema_accepts_is_what_the_reader_accepts(seed: int) -> None:
    """Sabotage: leave the rule of `walk`, or the bounds of numbers, out of the schema."""
    schema = scenario.json_schema()
    validator = jsonschema.Draft202012Validator(schema)
    rng = random.Random(seed)
    whole = {"schema": scenario.SCHEMA, "world": "demo", "seed": 1, "detail_radius": 1,
             "detail_surfaces": True, "about": "x", "steps": EVERYTHING}  # fmt: skip
    assert validator.is_valid(whole)
    scenario.parse(json.dumps(whole))
    differ, both = [], [0, 0]
    for _ in range(400):
        made = {**whole, "steps": [rng.choice(EVERYTHING)]}
        for _ in range(rng.choice((1, 1, 2))):
            made = changed(rng, made)
        text = json.dumps(made)
        says = fault_of(text, scenario.parse)
        both[not says] += 1
        if says != ROTATION and validator.is_valid(made) == bool(says):
            differ.append((text, says))
    assert differ == []
    assert min(both) > 50


def test_the_json_schema_agrees_with_the_reader() -> None:
    schema = scenario.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(GOOD), schema)
    jsonschema.validate(json.loads(scenario.write(Scenario(steps=[]))), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"steps": [{"do": "crate"}]}, schema)

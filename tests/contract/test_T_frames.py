"""Contract T for frames: events are told from the painter's records, exactly and every time."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from builders.painted import ALPHA, BLOCK, IMAGE, Stage

from acclient_py.order.stream import Op
from acclient_py.order.transcript import write_frame
from acclient_py.transcript.events import Event, Recorder, header

REPO = Path(__file__).resolve().parents[2]
LINE = jsonschema.Draft202012Validator(
    json.loads((REPO / "assets" / "schemas" / "transcript.schema.json").read_text("utf-8"))
)
HERE = "0x40500025"
EYE = BLOCK | 0x25, (108.0, 70.0, 2.0), (108.0, 108.0, 1.5)
SOUTH, NORTH = (1, -1, -3.5, 3.5), (1, 1, -3.5, 3.5)
LEFT, RIGHT = (1, -1, -3.0, -1.8), (1, -1, 1.8, 3.0)


def told(stage: Stage) -> list[Event]:
    """The events of the last frame, as they read back from their lines."""
    recorder = Recorder()
    header(recorder, kind="frame", world="stage", size=(320, 180))
    write_frame(recorder, stage.painter, stage.physics, (320, 180))
    return [json.loads(json.dumps(event)) for event in recorder.events]


def house() -> Stage:
    """A house with a room that holds a pane, two things before it, a pane behind it."""
    stage = Stage()
    _, room = stage.house(108.0, 108.0, (SOUTH,))
    stage.put(108.0, 106.5, 1.0, stage.mesh(ALPHA), cell_id=room)
    stage.put(108.0, 140.0, 6.0, stage.mesh(ALPHA))
    stage.put(100.0, 98.0, 1.0, stage.mesh(IMAGE), stage.mesh(IMAGE))
    stage.paint(*EYE)
    return stage


def turn_of(events: list[Event], cell: str) -> list[Event]:
    """What a land cell's turn holds, up to its flush."""
    kinds = [(e["event"], e.get("cell")) for e in events]
    start = kinds.index(("DrawLandCell", cell))
    end = next(i for i in range(start, len(events)) if events[i].get("site") == "cell")
    return events[start : end + 1]


@pytest.mark.contract("T1")
def test_a_houses_turn_is_told_step_by_step() -> None:
    """Sabotage: leave out a step, or say of no flush that it drained; one of both lines fails."""
    turn = turn_of(told(house()), HERE)
    assert [e["event"] for e in turn][:10] == [
        "DrawLandCell", "DrawBuilding", "Flush", "DrawDeferred", "Portal", "LookIn",
        "DrawObjCell", "Part", "DrawShell", "DrawObjCell",
    ]  # fmt: skip
    flushes = [{k: v for k, v in e.items() if k != "seq"} for e in turn if e["event"] == "Flush"]
    assert flushes == [
        {"event": "Flush", "site": "building", "threshold": 0.0, "clip": 0, "alpha": 1,
         "drained": True},
        {"event": "Flush", "site": "cell", "threshold": 0.75, "clip": 0, "alpha": 1,
         "drained": False, "cell": HERE},
    ]  # fmt: skip


@pytest.mark.contract("T1", "L7")
def test_a_look_in_names_the_view_of_the_landscape_that_it_is_through() -> None:
    """Two windows, a house before each. Sabotage: say 0 of every look-in; the first line fails."""
    stage = Stage()
    room = stage.room(108.0, 108.0, (LEFT, RIGHT))
    _, left = stage.house(94.0, 66.0, (NORTH,))
    _, right = stage.house(122.0, 66.0, (NORTH,))
    stage.paint(room, (108.0, 111.0, 1.5), (108.0, 90.0, 1.5))
    events = told(stage)
    views = {e["cell"]: e["view"] for e in events if e["event"] == "LookIn"}
    assert views == {f"0x{left:08X}": 0, f"0x{right:08X}": 1}
    assert {e["view"] for e in events if e["event"] == "Portal"} == {0, 1}


@pytest.mark.contract("T4")
def test_a_sorted_cell_tells_each_distance_in_its_order() -> None:
    """Sabotage: tell the list before the sort, or another's distances; the last line fails."""
    stage = Stage()
    for y in (100.0, 110.0, 105.0, 118.0):
        stage.put(108.0, y, 1.0, stage.mesh(IMAGE))
    stage.paint(*EYE)
    events = told(stage)
    (order,) = [e["parts"] for e in events if e["event"] == "Sort" and e["cell"] == HERE]
    assert [name for name, _, _ in order] == [f"0x8000000{n}" for n in (4, 2, 3, 1)]
    drawn = [(e["object"], e["part"], e["cypt"]) for e in events if e["event"] == "Part"]
    assert drawn == [tuple(row) for row in order]


@pytest.mark.contract("T6")
def test_floats_read_back_exactly_and_what_is_no_number_has_a_name() -> None:
    """Sabotage: round to three places, or write NaN as null; one of both lines fails."""
    stage = Stage()
    thing = stage.put(107.3, 101.7, 1.0, stage.mesh(IMAGE))
    stage.paint(*EYE)
    (record,) = [r for r in stage.painter.records if int(r["op"]) == Op.PART_TURN]
    (part,) = [e for e in told(stage) if e["event"] == "Part"]
    assert part["cypt"] == float(record["cypt"])
    stage.physics.graph.arrays.parts["frame"][:, 0] = math.nan
    stage.physics.graph.arrays.objects["frame"][thing][0] = math.nan
    stage.paint(*EYE)
    (part,) = [e for e in told(stage) if e["event"] == "Part"]
    assert part["cypt"] == "nan"


@pytest.mark.contract("T7")
def test_each_line_of_a_frame_is_what_the_schema_says() -> None:
    """Sabotage: write a cell's id as a number; the validation fails."""
    for event in told(house()):
        LINE.validate(event)


@pytest.mark.contract("T8")
def test_two_painters_tell_the_same_of_the_same_world() -> None:
    """Sabotage: name a thing by where it lies in memory; the comparison fails."""

    def lines() -> list[Any]:
        return told(house())

    first, second = lines(), lines()
    assert first == second
    assert len(first) > 100

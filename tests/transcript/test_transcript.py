"""Events, the file that holds them, and the first difference of two files."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.errors import DataError
from acclient_py.transcript.diff import first_difference
from acclient_py.transcript.events import SCHEMA, Recorder, header, static_name
from acclient_py.transcript.writer import encode, read, recorder_to


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"event":"Sky","seq":0}\nnonsense\n')
    with pytest.raises(DataError, match="line 2"):
        list(read(path))


def test_a_line_without_an_event_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"seq":0}\n')
    with pytest.raises(DataError, match="line 1 names no event"):
        list(read(path))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nothing\.jsonl"):
        list(read(tmp_path / "nothing.jsonl"))


@pytest.mark.contract("T7")
def test_the_header_names_schema_and_settings() -> None:
    """Sabotage: leave the schema out of the header; the first assertion fails."""
    recorder = Recorder()
    header(recorder, kind="frame", world="demo", size=(640, 360))
    first = recorder.events[0]
    assert first["schema"] == SCHEMA
    assert first == {
        "event": "Header",
        "seq": 0,
        "schema": SCHEMA,
        "kind": "frame",
        "world": "demo",
        "size": [640, 360],
        "detail_radius": 1,
        "deg_mul": 0.0,
    }


def test_events_are_numbered_in_the_order_in_which_they_come() -> None:
    recorder = Recorder()
    for name in ("Sky", "Block", "Weather"):
        recorder.emit(name)
    assert [(e["event"], e["seq"]) for e in recorder.events] == [
        ("Sky", 0),
        ("Block", 1),
        ("Weather", 2),
    ]


@pytest.mark.contract("T6")
@given(st.floats(width=32))
def test_floats_read_back_exactly(value: float) -> None:
    """Sabotage: round floats to six places on the way out; the comparison fails."""
    stream = io.BytesIO()
    recorder_to(stream).emit("Part", cypt=np.float32(value))
    back = json.loads(stream.getvalue())["cypt"]
    if math.isfinite(value):
        assert back == value
    else:
        assert back == ("nan" if math.isnan(value) else "inf" if value > 0 else "-inf")


@pytest.mark.contract("T6")
def test_a_static_is_named_by_its_record_and_place() -> None:
    assert static_name(0x7F7FFFFF, 3) == "0x7F7FFFFF:3"


@pytest.mark.contract("T8")
def test_the_same_events_give_the_same_bytes() -> None:
    """Sabotage: sort the fields of an event; the assertion fails."""
    events = [
        {"event": "Sky", "seq": 0, "pass": "pre"},
        {"event": "Sort", "seq": 1, "parts": [[1]]},
    ]
    assert b"".join(map(encode, events)) == (
        b'{"event":"Sky","seq":0,"pass":"pre"}\n{"event":"Sort","seq":1,"parts":[[1]]}\n'
    )


@pytest.mark.contract("T7")
def test_the_first_difference_is_said_in_words() -> None:
    """Sabotage: compare only event names; the second assertion fails."""
    left = [{"event": "Sky", "seq": 0}, {"event": "AddPart", "seq": 1, "part": 0, "cell": "0x1"}]
    right = [{"event": "Sky", "seq": 0}, {"event": "AddPart", "seq": 1, "part": 0, "cell": "0x2"}]
    assert first_difference(left, left) is None
    parting = first_difference(left, right)
    assert parting is not None
    assert (parting.place, parting.fields) == (1, ("cell",))
    assert "AddPart part 0 cell 0x1 differs in cell" in parting.words("a", "b")


def test_a_transcript_that_ends_early_parts_at_its_end() -> None:
    left = [{"event": "Sky", "seq": 0}, {"event": "Weather", "seq": 1}]
    parting = first_difference(left, left[:1])
    assert parting is not None
    assert parting.words("a", "b") == "event 1: b has ended, a goes on with Weather"


def test_a_value_that_json_has_no_form_for_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        Recorder().emit("Sky", what=object())

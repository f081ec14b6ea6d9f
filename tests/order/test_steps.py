"""A frame taken apart at its events."""

from __future__ import annotations

import pytest

from acclient_py.errors import UsageError
from acclient_py.order.steps import Step, find


def step(seq: int, event: str, number: int, of: int) -> Step:
    return Step({"event": event, "seq": seq}, number, of, 0, 0)


FOUND = [step(1, "View", 1, 1), step(2, "Part", 1, 2), step(3, "Part", 2, 2)]


@pytest.mark.parametrize(
    ("wanted", "seq"), [("1", 1), ("3", 3), ("View", 1), ("Part", 2), ("Part/2", 3)]
)
def test_an_event_is_found_by_number_or_name(wanted: str, seq: int) -> None:
    assert find(FOUND, wanted).line["seq"] == seq


@pytest.mark.parametrize(
    ("wanted", "help"),
    [("0", "1 to 3"), ("4", "1 to 3"), ("Parts", "Part, View"), ("Part/3", "Part/2"),
     ("Part/x", "Part/2"), ("", "Part, View"), ("/1", "Part, View")],
)  # fmt: skip
def test_what_is_not_there_is_refused_with_what_is(wanted: str, help: str) -> None:
    with pytest.raises(UsageError) as error:
        find(FOUND, wanted)
    assert help in str(error.value)
    assert "--stop-after" in str(error.value)

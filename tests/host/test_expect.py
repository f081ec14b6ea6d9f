"""What a checkpoint expects: paths, values, and what is said of those that do not hold (I8)."""

from __future__ import annotations

from typing import Any

import pytest

from acclient_py.errors import UsageError
from acclient_py.host.checkpoint import failures, look_up
from acclient_py.host.scenario import Expect, parse_step

LINE: dict[str, Any] = {
    "tick": 3,
    "objects": [
        {"guid": "0x50000001", "cell": "0x7F7F00AB", "origin": [1.0, 2.5, 3.0], "ticking": True,
         "children": ["0x80000010"], "parent": None},
        {"guid": "0x80000010", "cell": None, "parent": "0x50000001"},
    ],
    "crossings": [],
}  # fmt: skip


@pytest.mark.contract("I8")
@pytest.mark.parametrize(
    "path",
    ["objects.\u00b2", "objects." + "9" * 5000, "objects.-1", "objects.0x150000001.cell",
     "objects.0x5000_0001.cell", "objects.0x+5000001", "", "..", "tick.0", "crossings.0",
     "objects.length.length", "objects.0x50000001.origin.\u0663"],
)  # fmt: skip
def test_a_path_to_nothing_is_told_whatever_it_says(path: str) -> None:
    """Sabotage: take what `isdigit` takes for an index; a raised two ends the run."""
    (told,) = failures(LINE, [Expect(path=path, equals=1)])
    assert told.endswith("expected 1, there is no such thing")


@pytest.mark.contract("I8")
def test_a_guid_of_any_case_names_one_object() -> None:
    """Sabotage: compare words as they are; the second is not found."""
    for word in ("0x50000001", "0X50000001"):
        assert look_up(LINE, f"objects.{word}.origin.1") == 2.5
    assert look_up(LINE, "objects.1.parent") == "0x50000001"
    assert look_up(LINE, "objects.length") == 2


@pytest.mark.contract("I6", "I8")
@pytest.mark.parametrize(
    ("path", "equals", "near", "holds"),
    [
        ("objects.0.cell", "0x7F7F00AB", 0, True),
        ("objects.0.cell", "0x7f7f00ab", 0, True),
        ("objects.0.cell", "0X7F7F00aB", 0, True),
        ("objects.0.cell", "0x7F7F00AC", 0, False),
        ("objects.0.cell", "7F7F00AB", 0, False),
        ("objects.0.children", ["0x80000010"], 0, True),
        ("objects.0.ticking", True, 0, True),
        ("objects.0.ticking", 1, 0, False),
        ("objects.0.parent", None, 0, True),
        ("tick", 3.0, 0, True),
        ("tick", 5, 2, True),
        ("tick", 5, 1.9, False),
        ("tick", 10**400, 1e9, False),
        ("tick", "3", 0, False),
        ("objects.0.origin", [1, 2, 3], 0.5, True),
        ("objects.0.origin", [1, 2, 3], 0.4, False),
        ("objects.0.origin", [1, 2], 9, False),
    ],
)
def test_a_value_is_compared_as_what_it_is(
    path: str, equals: Any, near: float, holds: bool
) -> None:
    """Sabotage: compare ids as text; the rows in small letters fail."""
    assert (failures(LINE, [Expect(path=path, equals=equals, near=near)]) == []) is holds


def test_nothing_is_nearer_than_near() -> None:
    """Sabotage: take any number; the run ends in the comparison."""
    with pytest.raises(UsageError, match="near"):
        parse_step(
            '{"do": "checkpoint", "name": "a",'
            ' "expect": [{"path": "tick", "equals": 0, "near": -1}]}'
        )

"""The line that is typed."""

from __future__ import annotations

from acclient_py.viewer.field import LONGEST, Field

NAMES = ("green", "hall", "great hall")


def typed(field: Field, *keys: str) -> str | None:
    return field.take(keys)


def opened(paste: str = "") -> Field:
    field = Field(NAMES, lambda: paste)
    field.begin()
    return field


def test_a_line_is_what_was_typed_until_enter() -> None:
    field = opened()
    assert typed(field, *"hallo", "backspace", "enter", "x") == "hall"
    assert not field.open
    assert field.text == "hall", "what comes after the end of a line is none of it"


def test_escape_goes_nowhere() -> None:
    field = opened()
    assert typed(field, *"hall", "escape", "enter") is None
    assert not field.open


def test_an_empty_line_goes_nowhere() -> None:
    field = opened()
    assert typed(field, " ", "enter") is None
    assert not field.open


def test_names_are_offered_and_completed() -> None:
    field = opened()
    assert field.offers() == list(NAMES)
    typed(field, *"ha")
    assert field.offers() == ["hall", "great hall"], "what begins so comes first"
    typed(field, "delete", *"gr")
    assert field.offers() == ["green", "great hall"]
    typed(field, "delete", *"ha")
    assert typed(field, "tab", "enter") == "hall"


def test_what_is_pasted_is_one_line() -> None:
    field = opened("0x7F7F0100 [1 2 3]\nrm -rf\t")
    assert typed(field, "paste", "enter") == "0x7F7F0100 [1 2 3]"
    field = opened("x" * 1000)
    typed(field, "paste")
    assert len(field.text) == LONGEST


def test_the_arrows_bring_lines_back() -> None:
    field = opened()
    for line in ("hall", "green"):
        field.begin()
        typed(field, *line, "enter")
    field.begin()
    typed(field, "up", "up", "up")
    assert field.text == "hall"
    assert typed(field, "down", "enter") == "green"

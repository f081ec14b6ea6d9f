"""Files as people's editors and accidents make them: marks before the first byte, deep brackets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from acclient_py.bake.files import parsed
from acclient_py.cli.ask import read_questions
from acclient_py.errors import AcclientError
from acclient_py.host import capture, upgrade
from acclient_py.host import scenario as sc
from acclient_py.host.things import read_things
from acclient_py.transcript import writer
from acclient_py.viewer import keys

MARK = b"\xef\xbb\xbf"
DEEP = "[" * 100_000 + "]" * 100_000
STORY = b'{"schema": "acclient/scenario/1", "steps": [{"do": "frame"}]}'

Reader = Callable[[Path], object]
READERS: dict[str, tuple[bytes, str, Reader]] = {
    "scenario": (STORY, "a.json", lambda p: sc.read(p).steps),
    "upgrade": (STORY, "a.json", lambda p: upgrade.upgrade(p.read_bytes(), where="a")[-20:]),
    "capture": (b'{"hex": "48f70000"}', "a.jsonl", lambda p: capture.read(p).messages),
    "transcript": (b'{"event": "Header", "seq": 0}', "a.jsonl", lambda p: list(writer.read(p))),
    "recipe": (b'[world]\r\nname = "b"\r\n', "a.toml", parsed),
    "recipe as JSON": (b'{"world": {"name": "b"}}', "a.json", parsed),
    "questions": (b'{"in": "gid 0 0"}', "a.jsonl", lambda p: list(read_questions(str(p)))),
    "keymap": (b'base = "wasd"\n', "a.toml", lambda p: keys.load(str(p)).actions),
}


@pytest.mark.contract("I2")
@pytest.mark.parametrize("kind", READERS)
def test_a_mark_before_the_first_byte_changes_nothing(kind: str, tmp_path: Path) -> None:
    """Sabotage: read as plain UTF-8; the marked file is refused."""
    text, name, read = READERS[kind]
    file = tmp_path / name
    file.write_bytes(text)
    plain = read(file)
    file.write_bytes(MARK + text)
    assert plain
    assert read(file) == plain


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("scenario", '{"steps": [{"do": "checkpoint", "name": "", "expect": [{"path": "tick", '
         f'"equals": {DEEP}}}]}}]}}'),
        ("upgrade", f'{{"schema": {DEEP}}}'),
        ("transcript", f'{{"event": {DEEP}}}'),
        ("recipe", f"a = {DEEP}"),
        ("recipe as JSON", f'{{"a": {DEEP}}}'),
        ("questions", f'{{"in": "gid 0 0", "more": {DEEP}}}'),
    ],
)  # fmt: skip
def test_brackets_without_end_are_bad_input(kind: str, text: str, tmp_path: Path) -> None:
    """Sabotage: catch only the decoder's own errors; RecursionError comes out."""
    _, name, read = READERS[kind]
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AcclientError):
        read(file)


def test_a_question_is_a_line_and_no_other_mark_ends_it(tmp_path: Path) -> None:
    """Sabotage: split as Python splits lines; the second question is torn."""
    file = tmp_path / "q.jsonl"
    text = '{"in": "gid 0 0"}\r\n{"in": "gid 1 1", "by": "a\u2028b\x85c"}\n\n'
    file.write_text(text, encoding="utf-8", newline="")
    assert list(read_questions(str(file))) == ["gid 0 0", "gid 1 1"]


@pytest.mark.contract("I2")
@pytest.mark.parametrize(
    "text",
    ["[1", "[]", "null", '{"things": 5}', '{"things": [{}]}', '{"things": [{"guid": "x"}]}', DEEP],
)
def test_names_that_are_damaged_cost_the_things_and_no_more(text: str, tmp_path: Path) -> None:
    """Sabotage: let the KeyError out; every command on this world ends with it."""
    (tmp_path / "names.json").write_text(text, encoding="utf-8")
    assert read_things(tmp_path) == []

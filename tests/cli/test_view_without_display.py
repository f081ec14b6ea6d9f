"""Where there is no display, `view` says so in one line and draws the demo walk instead (I3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from acclient_py.cli import main as command_line
from acclient_py.viewer import offscreen, window


@pytest.mark.contract("I3")
def test_no_display_is_one_line_and_pictures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sabotage: let the reason go on as an error; the first assertion fails."""

    def no_library(platform: str) -> Any:
        raise window.NoDisplay("no window can be opened here", where="display", do="start one")

    asked: dict[str, Any] = {}

    def walk(opening: Any, wishes: dict[str, Any], **how: Any) -> Iterator[str]:
        asked.update(how)
        for count in range(1, 101):
            how["report"](count // 10, 60, f"{count} pictures")
        yield "out (3 pictures)"

    monkeypatch.setattr(window, "library", no_library)
    monkeypatch.setattr(offscreen, "walk_into_pictures", walk)
    code = command_line.run(["view", "--frames", "3", "--size", "64x36"])
    out, err = capsys.readouterr()
    assert (code, out) == (0, "out (3 pictures)\n")
    assert err.splitlines() == [
        "acclient: no window can be opened here: drawing the demo walk into pictures",
        "acclient: demo walk ...",
        "acclient: demo walk: 5 of 60, 50 pictures",
        "acclient: demo walk: 10 of 60, 100 pictures",
        "acclient: demo walk: done",
    ]
    assert (asked["frames"], asked["size"]) == (3, (64, 36))
    command_line.run(["view"])
    assert asked["size"] == (640, 360)

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
        yield "out (3 pictures)"

    monkeypatch.setattr(window, "library", no_library)
    monkeypatch.setattr(offscreen, "walk_into_pictures", walk)
    code = command_line.run(["view", "--frames", "3", "--size", "64x36"])
    out, err = capsys.readouterr()
    assert (code, out) == (0, "out (3 pictures)\n")
    told = "acclient: no window can be opened here: drawing the demo walk into pictures\n"
    assert err == told
    assert (asked["frames"], asked["size"]) == (3, (64, 36))

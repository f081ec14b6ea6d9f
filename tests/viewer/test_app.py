"""What the command line asks of the window comes to the loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders.compiled import run

from acclient_py.viewer import app as module
from acclient_py.viewer import loading, loop
from acclient_py.viewer.app import App
from acclient_py.viewer.stiffness import STIFF


class Seen(Exception):
    """The loop was asked for."""


@pytest.mark.parametrize("compared", [False, True])
def test_smoothness_and_stiffness_come_to_the_loop_and_nothing_compared_has_them(
    monkeypatch: pytest.MonkeyPatch, *, compared: bool
) -> None:
    """D8, D36. Sabotage: leave `smooth` out of the call, as was once done; the window jerks."""
    asked: dict[str, Any] = {}

    def made(*_args: Any, **options: Any) -> None:
        asked.update(options)
        raise Seen

    monkeypatch.setattr(module.loading, "show", lambda *_: True)
    monkeypatch.setattr(loop, "Loop", made)
    app: Any = App.__new__(App)
    app.window = app.device = app.hands = None
    app.mark = lambda _name: None
    app.bar = loading.Bar(app.device)
    job: Any = type("Job", (), {"result": staticmethod(lambda: None)})
    with pytest.raises(Seen):
        app.run(job, smooth=True, stiffness=0.6, checkpoint=print if compared else None)
    assert (asked["smooth"], asked["stiffness"]) == ((False, STIFF) if compared else (True, 0.6))


WHILE = """
import gc, sys, time
from acclient_py.cli import main, view
from acclient_py.viewer import window

def library(platform):
    ends = time.monotonic() + 60
    while "acclient_py.viewer.stage" not in sys.modules and time.monotonic() < ends:
        time.sleep(0.01)
    print("acclient_py.viewer.stage" in sys.modules, gc.isenabled())
    raise window.NoDisplay("none", where="display")

window.library = library
view._into_pictures = lambda *args, **kws: print(gc.isenabled())
main.run(["view"])
"""


def test_the_code_comes_while_the_windows_library_looks_for_a_display(tmp_path: Path) -> None:
    """Sabotage: begin it behind the library; nothing has come after a minute."""
    done = run(tmp_path, WHILE)
    assert done.stdout == "True False\nTrue\n", done.stderr

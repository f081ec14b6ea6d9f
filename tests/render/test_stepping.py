"""A frame drawn as far as one of its events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acclient_py.cli import main as command_line
from acclient_py.order.steps import steps
from acclient_py.order.stream import Op
from acclient_py.order.transcript import write_frame
from acclient_py.render import stepping
from acclient_py.render.frame import FrameRenderer
from acclient_py.transcript.events import Recorder
from tests.render.test_study import aimed, drawn


@pytest.mark.contract("T1")
@pytest.mark.parametrize("name", ["study_door", "study_sunken", "study_panes"])
def test_steps_are_the_transcripts_events_and_cover_the_stream(
    name: str, place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: forget an event's record in _Teller.tell; the counts differ."""
    here = aimed(place, name)
    renderer = renderer_of(here)
    drawn(here, renderer)
    painter = renderer.painter
    recorder = Recorder()
    write_frame(recorder, painter, here.physics, renderer.size)
    found = steps(painter, here.physics, renderer.size)
    assert [s.event for s in found] == [line["event"] for line in recorder.events]
    assert [s.line["seq"] for s in found] == list(range(1, len(found) + 1))
    firsts = [s.first for s in found]
    assert firsts == sorted(firsts)
    assert all(s.first <= s.end <= painter.count for s in found)
    # what a shell, a part or a mask draws is its own
    own = {"DrawShell": Op.SHELL, "Part": Op.PART, "Portal": Op.PUNCH, "Seal": Op.SEAL}
    shells = 0
    for s in found:
        ops = {int(op) for op in painter.records["op"][s.first : s.end]}
        draws = {op for op in ops if op <= Op.CLEAR_DEPTH}
        if s.event in own:
            assert draws <= {own[s.event]}
        if s.event == "DrawBuilding":
            assert Op.TERRAIN not in draws
            shells += Op.SHELL in draws  # the last thing of a building, if it is seen
    assert shells == sum(s.event == "DrawShell" for s in found)


def test_the_last_step_leaves_the_whole_frame(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, "study_door")
    renderer = renderer_of(here)
    whole = drawn(here, renderer)
    found = steps(renderer.painter, here.physics, renderer.size)
    renderer.redraw(records=found[-1].end)
    assert np.array_equal(renderer.read(), whole)
    ground = next(s for s in found if s.event == "DrawLandCell")
    renderer.redraw(records=ground.first)
    assert not np.array_equal(renderer.read(), whole), "nothing but the sky yet"


def test_a_step_is_bright_and_the_rest_is_dim(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: leave the picture as bright as it is; what was there before keeps its colours."""
    here = aimed(place, "study_door")
    renderer = renderer_of(here)
    whole = drawn(here, renderer)
    found = steps(renderer.painter, here.physics, renderer.size)
    shell = next(s for s in found if s.event == "DrawShell" and s.number == s.of)
    picture = stepping.picture(renderer, shell)
    same = (picture == whole).all(axis=2)
    assert 2000 < same.sum() < picture.shape[0] * picture.shape[1] / 2
    assert (picture[~same].astype(int) <= whole[~same]).mean() > 0.9
    punch = next(s for s in found if s.event == "Portal" and s.number == s.of)
    hatched = stepping.picture(renderer, punch)
    assert (hatched == stepping.MASK).all(axis=2).sum() > 50
    assert np.array_equal(renderer.read(), whole), "the target ends with the whole frame"


@pytest.mark.parametrize("event", ["View", "Part", "DrawLandCell/2", "5"])
def test_the_command_draws_a_step(event: str, tmp_path: Path) -> None:
    out = tmp_path / "p.png"
    arguments = ["frame", "study_panes", "-o", str(out), "--size", "160x90"]
    assert command_line.run([*arguments, "--stop-after", event]) == 0
    assert out.is_file()


@pytest.mark.parametrize(
    ("event", "more"), [("Nothing", []), ("99999", []), ("Sky", ["--order", "depth-sorted"])]
)
def test_the_command_refuses_what_is_not_there(
    event: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "p.png"
    arguments = ["frame", "study_panes", "-o", str(out), "--size", "160x90", "--stop-after", event]
    assert command_line.run([*arguments, *more]) == 2
    assert "--stop-after" in capsys.readouterr().err
    assert not out.exists()

"""Wrong orders have pixels of another colour than retail's, in a world made to show each defect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from acclient_py import paths
from acclient_py.cli import main as command_line
from acclient_py.host import scenario as files
from acclient_py.order.study import RIGHT, WRONG, Study
from acclient_py.render import sheets
from acclient_py.render.frame import FrameRenderer

DEFECTS = {
    "study_bank": Study(order="whole-terrain-first"),
    "study_door": Study(order="depth-sorted"),
    "study_sunken": Study(order="no-portals"),
    "study_wing": Study(order="shells-first"),
    "study_panes": Study(alpha="sorted"),
}


def aimed(place: Callable[[str], Any], name: str) -> Any:
    """The study world, seen as a stored scenario sees it."""
    read = files.read(files.find(name))
    camera = next(step for step in read.steps if hasattr(step, "eye"))
    here = place("study")
    here.aim(int(camera.eye.cell), camera.eye.origin, camera.target.origin)
    return here


def drawn(here: Any, renderer: FrameRenderer) -> np.ndarray:
    """The second frame with marks: one that has an earlier frame's seals behind it."""
    here.draw(renderer)
    return here.draw(renderer, marks=True)


@pytest.mark.contract("L4", "L7", "L8", "L9", "L10")
@pytest.mark.parametrize("name", DEFECTS)
def test_the_defect_is_on_the_screen(
    name: str, place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: let `arranged` return the stream as it is; no pixel differs."""
    here = aimed(place, name)
    renderer = renderer_of(here)
    right = drawn(here, renderer)
    walked = renderer.painter.records.copy()
    renderer.redraw(DEFECTS[name])
    wrong = renderer.read()
    panel, count = sheets.changed(right, wrong)
    assert count > 200
    assert (panel == sheets.CHANGED).all(axis=2).sum() >= count
    renderer.redraw(RIGHT)
    assert np.array_equal(renderer.read(), right)
    assert np.array_equal(renderer.painter.records, walked), "the painter's order is its own"


@pytest.mark.parametrize("name", DEFECTS)
def test_both_executors_draw_a_wrong_order_alike(
    name: str, place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, name)
    one, other = renderer_of(here), renderer_of(here, executor="reference")
    one.study = other.study = DEFECTS[name]
    assert np.array_equal(drawn(here, one), drawn(here, other))


def test_a_frame_is_retails_unless_asked(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, "study_wing")
    renderer = renderer_of(here)
    assert renderer.study is RIGHT
    right = drawn(here, renderer)
    renderer.study = DEFECTS["study_wing"]
    assert not np.array_equal(here.draw(renderer), right)
    renderer.study = RIGHT
    assert np.array_equal(here.draw(renderer), right)


def test_the_picture_says_that_it_is_wrong() -> None:
    picture = np.zeros((90, 320, 3), np.uint8)
    assert np.array_equal(sheets.titled(picture, RIGHT), picture)
    said = [sheets.titled(picture, study) for study in WRONG]
    for index, one in enumerate(said):
        assert (one[:40, :, 0] > 150).sum() > 20, "letters in the warning's colour"
        assert np.array_equal(one[40:], picture[40:])
        assert not any(np.array_equal(one, other) for other in said[:index])


def test_compare_puts_right_wrong_and_difference_in_one_picture(tmp_path: Path) -> None:
    world = paths.recipes() / "tiny" / "study.toml"
    out = tmp_path / "c.png"
    code = command_line.run(
        ["frame", "study_sunken", "--compare", "--order", "no-portals", "--size", "160x90"]
        + ["--world", str(world), "-o", str(out)]
    )
    assert code == 0
    picture = np.asarray(Image.open(out).convert("RGB"))
    assert picture.shape[1] == 3 * 160 + 8
    line = (picture.shape[0] - 90) // 2
    right, wrong = picture[line : line + 90, :160], picture[line : line + 90, 164:324]
    marked = (picture[line : line + 90, 328:] == sheets.CHANGED).all(axis=2)
    differs = (right != wrong).any(axis=2)
    assert differs.sum() > 1000
    assert (marked[differs]).all()


@pytest.mark.parametrize(
    "wish", [["--order", "depth-sorted"], ["--alpha", "sorted"], ["--compare"]]
)
def test_a_transcript_of_a_wrong_order_is_refused(
    wish: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, told = tmp_path / "p.png", tmp_path / "t.jsonl"
    code = command_line.run(["frame", "start", "-o", str(out), "--transcript", str(told), *wish])
    assert code == 2
    assert "--transcript" in capsys.readouterr().err
    assert not out.exists()
    assert not told.exists()


def test_an_unknown_order_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = command_line.run(["frame", "start", "-o", str(tmp_path / "p.png"), "--order", "nearest"])
    assert code == 2
    assert "whole-terrain-first" in capsys.readouterr().err

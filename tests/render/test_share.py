"""Python's share of a frame follows the state runs: twice the objects are not one call more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from builders.worlds import opened

from acclient_py.cli.bench import _town
from acclient_py.cli.bench._calls import calls_of
from acclient_py.cli.bench.share import Still
from acclient_py.order.stream import Op, draws
from acclient_py.render.device import Device
from acclient_py.render.frame import FrameRenderer

CRATES = 200


def frame_of(
    crates: int, renderer_of: Callable[..., FrameRenderer], stack: ExitStack
) -> dict[str, Any]:
    still = Still(stack.enter_context(opened(_town.recipe(crates))))
    renderer = renderer_of(still, size=(320, 180))

    def frame() -> None:
        renderer.draw(still.maker.scene(), still.maker.pose())

    for _ in range(4):
        frame()
    calls = [calls_of(frame) for _ in range(3)]
    records = renderer.painter.records
    return {
        "calls": min(calls),
        "gl_draws": renderer.submitter.calls,
        "runs": renderer.submitter.runs,
        "draws": len(draws(records)),
        "ops": records["op"].copy(),
        "punched": len(np.unique(records["owner"][records["op"] == Op.PUNCH])),
        "picture": renderer.read().copy(),
    }


@pytest.mark.contract("L10")
def test_twice_the_objects_are_no_call_more_in_a_town_at_night(
    device: Device, renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: one Python call a draw in Submitter._batched; the calls of the two differ."""
    if not device.multi_draw:
        pytest.skip("runs are one call each where the device has multi-draw")
    with ExitStack() as stack:
        one, two = (frame_of(n, renderer_of, stack) for n in (CRATES, 2 * CRATES))
    assert one["punched"] == _town.HOUSES, "ten buildings are open to the eye"
    assert (one["ops"] == Op.ALPHA).sum() >= _town.PANES, "forty blended parts are in view"
    assert two["draws"] - one["draws"] >= CRATES, "the new crates are drawn"
    assert not np.array_equal(one["picture"], two["picture"])
    assert two["runs"] == one["runs"]
    assert two["gl_draws"] == one["gl_draws"]
    assert two["calls"] == one["calls"]

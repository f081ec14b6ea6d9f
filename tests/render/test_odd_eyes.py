"""Odd eyes where people live: in walls and roofs, on the planes of doors, under floors.

Each frame is drawn by the batched executor and record by record. Nobody looks from there on
purpose, so nothing is asked of the picture; the frame must be whole, finite and told in order.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders.eyes import odd_eyes
from builders.places import Place

from acclient_py.order.transcript import write_frame
from acclient_py.render.frame import FrameRenderer
from acclient_py.transcript.events import Recorder

WORLDS = ("cottage", "hall", "inn", "mine", "ring", "tower", "two_huts", "two_rooms")
EYES = int(os.environ.get("ACCLIENT_ODD_EYES", "8"))
"""Eyes in a world; a longer tour asks for more."""
SIZE = (96, 64)


def broken(events: list[dict[str, Any]]) -> str:
    """The first rule of the order (L1, L8, L11) that a frame's events break; empty for none."""
    kinds = [event["event"] for event in events]
    counts = Counter(kinds)
    if counts["Sky"] > 1 or counts["Weather"] > 1 or counts["ClearDepth"] > 1:
        return "one landscape for all views"
    for name in ("Block", "DrawEnvCell"):
        if (
            max(
                Counter(
                    e.get("block", e.get("cell")) for e in events if e["event"] == name
                ).values(),
                default=1,
            )
            > 1
        ):
            return f"two turns of one {name}"
    drawn = Counter((e["object"], e["part"]) for e in events if e["event"] == "Part")
    if max(drawn.values(), default=1) > 1:
        return "a part twice in one stamp"
    if "DrawEnvCell" in kinds:
        first = kinds.index("DrawEnvCell")
        if {"Block", "DrawLandCell", "Seal", "ClearDepth", "Sky"} & set(kinds[first:]):
            return "the outside after the inside"
    pending = 0
    for event in events:
        if event["event"] == "Part" and event.get("deferred"):
            pending += 1
        if event["event"] == "Flush" and event["drained"]:
            pending = 0
    return "parts are left in the lists" if pending else ""


@pytest.mark.contract("L1", "L8", "L10", "L11")
@pytest.mark.parametrize("world", WORLDS)
def test_odd_eyes(
    world: str, place: Callable[[str], Place], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: let the batched executor clear no depth; pictures of the cottage differ."""
    here = place(world)
    batched, single = (
        renderer_of(here, size=SIZE),
        renderer_of(here, size=SIZE, executor="reference"),
    )
    for n, (cell, eye, target) in enumerate(odd_eyes(here, EYES)):
        here.aim(cell, eye, target)
        for _ in range(2):
            one, other = here.draw(batched, marks=True), here.draw(single, marks=True)
        where = f"eye {n}: {cell:08X} {eye} to {target}"
        painter = batched.painter
        assert np.array_equal(one, other), where
        assert np.array_equal(painter.records, single.painter.records), where
        assert np.isfinite(painter.portal_vertices[: painter.frame.portal_vertices]).all(), where
        assert np.isfinite(painter.instances[: painter.instance_count]).all(), where
        recorder = Recorder()
        write_frame(recorder, painter, here.physics, SIZE)
        assert not broken(recorder.events), where

"""Odd eyes where people live: in walls and roofs, on the planes of doors, under floors.

Each frame is drawn by the batched executor and record by record. Nobody looks from there on
purpose, so nothing is asked of the picture; the frame must be whole, finite and told in order.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from builders.places import Place

from acclient_py.core.frame import local_to_global
from acclient_py.order.transcript import write_frame
from acclient_py.render.frame import FrameRenderer
from acclient_py.transcript.events import Recorder

WORLDS = ("cottage", "hall", "inn", "mine", "ring", "tower", "two_huts", "two_rooms")
EYES = int(os.environ.get("ACCLIENT_ODD_EYES", "8"))
"""Eyes in a world; a longer tour asks for more."""
SIZE = (96, 64)
AROUND = 4.0  # metres about a cell within which an eye is put

Eye = tuple[int, tuple[float, float, float], tuple[float, float, float]]


def eyes_of(place: Place, count: int, seed: int = 1) -> Iterator[Eye]:
    """(cell, eye, target) of that many eyes, some on portals' planes, some lost about a cell."""
    rng = np.random.default_rng(seed)
    arrays, models = place.arrays, place.physics.blocks.env_models
    slots = sorted(models)
    for n in range(count):
        slot = slots[int(rng.integers(len(slots)))]
        model = models[slot]
        low, high = model.structure.box_min, model.structure.box_max
        kind = n % 4
        if kind == 0 and model.portals:  # on the plane of one of its portals
            portal = model.portals[int(rng.integers(len(model.portals)))]
            weights = rng.dirichlet(np.ones(len(portal.vertices)))
            local = (weights[:, None] * portal.vertices).sum(axis=0)
        elif kind == 1:  # in one of its corners, or an edge
            local = np.where(rng.random(3) < 0.7, rng.choice((low, high)), (low + high) / 2)
        elif kind == 2:  # anywhere in it
            local = rng.uniform(low, high)
        else:  # about it: in the wall, on the roof, below
            local = rng.uniform(low - AROUND, high + AROUND)
        at = local_to_global(arrays.cells["frame"][slot], *(np.float32(v) for v in local))
        eye = tuple(float(v) for v in at)
        turn, up = rng.uniform(0, 2 * math.pi), rng.uniform(-1.2, 1.2)
        target = (eye[0] + math.sin(turn), eye[1] + math.cos(turn), eye[2] + up)
        inside = [int(arrays.cells["id"][s]) for s in slots if place.physics.point_in_cell(s, *eye)]
        lost = kind == 3 and rng.random() < 0.3  # in no cell that holds it
        land = (model.id & 0xFFFF0000) | 1
        yield (inside[0] if inside else model.id if lost else land), eye, target  # type: ignore[misc]


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
    for n, (cell, eye, target) in enumerate(eyes_of(here, EYES)):
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

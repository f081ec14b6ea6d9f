"""Whole frames of tiny worlds: executors agree, pictures are kept, the graph is what is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from acclient_py.core import frame as frames
from acclient_py.gpu.device import Device
from acclient_py.order.stream import Op, draws
from acclient_py.render.frame import FrameRenderer

SHOTS = {
    # name: world, cell, eye, target
    "hut_outside": ("hut", 0x7F7F0001, (80, 66, 23), (84, 84, 21.5)),
    "hut_window": ("hut", 0x7F7F0001, (100, 90, 24), (84, 84, 21.5)),
    "hut_inside": ("hut", 0x7F7F0100, (84, 86, 21.6), (84, 80, 21.6)),
    "two_huts_across": ("two_huts", 0x7F7F0100, (72, 84, 21.6), (96, 84, 21.6)),
    "glass": ("glass", 0x7F7F0001, (60, 54, 22), (60, 60, 21)),
    "panes": ("glass", 0x7F7F0001, (100, 91, 22.5), (100, 100, 20.5)),
    "cottage_inside": ("cottage", 0x7F7F0100, (81.6, 86.4, 21.9), (86, 82.4, 21.2)),
    "hall_back": ("hall", 0x7F7F0101, (75, 84, 21.8), (101, 84, 21.6)),
    "mine_chamber": ("mine", 0x7F7F0102, (84, 106.5, 18.1), (84, 86, 20.4)),
    "tower_lantern": ("tower", 0x7F7F0112, (85, 85, 29.8), (83.2, 81, 29.6)),
    "patches": ("patches", 0x7F7F0001, (96, 40, 60), (96, 96, 20)),
    "ring_hall": ("ring", 0x02020100, (50, 38, 1.6), (50, 44, 1.5)),
}


def aimed(place: Callable[[str], Any], name: str) -> Any:
    world, cell, eye, target = SHOTS[name]
    here = place(world)
    here.aim(cell, eye, target)
    return here


@pytest.mark.parametrize("name", SHOTS)
def test_picture(
    name: str,
    place: Callable[[str], Any],
    renderer_of: Callable[..., FrameRenderer],
    same_picture: Callable[[str, np.ndarray], None],
) -> None:
    here = aimed(place, name)
    renderer = renderer_of(here)
    here.draw(renderer)
    same_picture(name, here.draw(renderer))


@pytest.mark.parametrize("name", ["patches", "hall_back", "panes"])
def test_a_sampler_chosen_by_index_or_by_branches_reads_the_same(
    name: str, place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer],
    device: Device, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Both programs of `world.frag`. Sabotage: one overlay less with JUMPS; patches differ."""
    if not device.jumps:
        pytest.skip("no sampler is chosen by an index here")
    here = aimed(place, name)
    jumping = here.draw(renderer_of(here))
    monkeypatch.setattr(Device, "jumps", False)
    assert np.array_equal(here.draw(renderer_of(here)), jumping)


@pytest.mark.contract("L10")
@pytest.mark.parametrize("gl", ["3.3", "max"])
@pytest.mark.parametrize("name", ["two_huts_across", "glass", "hut_window"])
def test_all_executors_give_the_same_picture(
    name: str, gl: str, place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer],
    device: Device, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if gl == "3.3":
        monkeypatch.setattr(device, "version", 330)
    here = aimed(place, name)
    one, other = renderer_of(here), renderer_of(here, executor="reference")
    rng = np.random.default_rng(5)
    _, cell, eye, target = SHOTS[name]
    for _ in range(4):
        moved = tuple(np.asarray(target) + rng.uniform(-1.5, 1.5, 3))
        here.aim(cell, eye, moved)
        for _ in range(2):
            batched, literal = here.draw(one), here.draw(other)
        assert np.array_equal(batched, literal)
        assert np.array_equal(one.painter.records, other.painter.records)
    if gl == "max" and device.multi_draw:
        assert one.submitter.calls < other.submitter.calls


@pytest.mark.contract("L8", "L11")
def test_inside_the_outside_comes_first_then_seals_then_shells(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Sabotage: draw the cells before the landscape; the order of ops fails."""
    here = aimed(place, "two_huts_across")
    renderer = renderer_of(here)
    here.draw(renderer)
    first = [int(op) for op in draws(renderer.painter.records)["op"]]
    assert Op.CLEAR_DEPTH not in first, "the frame before had no seals"
    here.draw(renderer)
    ops = [int(op) for op in draws(renderer.painter.records)["op"]]
    clear, seal = ops.index(Op.CLEAR_DEPTH), ops.index(Op.SEAL)
    assert ops.index(Op.TERRAIN) < clear < seal
    assert max(i for i, op in enumerate(ops) if op in (Op.TERRAIN, Op.SHELL)) < clear
    own = max(i for i, op in enumerate(ops) if op == Op.CELL)
    assert own > seal
    assert ops.count(Op.CLEAR_DEPTH) == 1


@pytest.mark.contract("L7")
def test_a_building_is_punches_then_contents_then_shell(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = place("hut")
    here.aim(0x7F7F0001, (92, 70, 23), (84, 84, 21.5))  # the door and the window at once
    renderer = renderer_of(here)
    here.draw(renderer, marks=True)
    ops = [int(op) for op in renderer.painter.records["op"]]
    building = ops.index(Op.BUILDING)
    kinds = [op for op in ops[building:] if op in (Op.FLUSH, Op.PUNCH, Op.CELL, Op.SHELL)]
    assert kinds[:3] == [Op.FLUSH, Op.PUNCH, Op.PUNCH]
    assert kinds[3] == Op.CELL
    assert kinds.index(Op.SHELL) > max(i for i, op in enumerate(kinds) if op == Op.CELL)
    assert Op.PUNCH not in kinds[3:]


def test_the_interior_is_seen_through_the_door(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, "hut_outside")
    renderer = renderer_of(here)
    with_portals = here.draw(renderer).astype(int)
    here.arrays.buildings["portal_count"] = 0
    without = here.draw(renderer).astype(int)
    assert (np.abs(with_portals - without).max(axis=2) > 0).sum() > 100


@pytest.mark.contract("L5", "L6")
def test_what_is_seen_is_the_graph(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    """Change the membership behind the renderer's back: the picture changes with it."""
    here = place("doll")
    here.aim(0x7F7F0001, (96, 90, 22), (96, 96, 21))
    renderer = renderer_of(here)
    empty = here.draw(renderer)
    obj = here.physics.make_object(0x02000001, guid=0x50000001)
    here.physics.enter_world(obj, 0x7F7F0025, frames.make(96, 96, 20, 180))
    filled = here.draw(renderer)
    changed = (empty != filled).any(axis=2).sum()
    assert changed > 200
    here.physics.remove_shadows_from_cells(obj)
    assert np.array_equal(here.draw(renderer), empty)
    here.physics.recalc_cross_cells(obj)
    assert np.array_equal(here.draw(renderer), filled)


@pytest.mark.contract("L6")
def test_a_frame_leaves_the_membership_alone(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, "glass")
    renderer = renderer_of(here)
    here.draw(renderer)
    arrays = here.arrays
    kept = {
        name: getattr(arrays, name).copy()
        for name in ("objects", "parts", "shadows", "places", "cells", "blocks")
    }
    entries = arrays.entries[["object", "part", "back", "part_index", "planes"]].copy()
    here.aim(0x7F7F0001, (90, 120, 25), (100, 100, 21))
    here.draw(renderer)
    for name, before in kept.items():
        assert np.array_equal(getattr(arrays, name), before), name
    after = arrays.entries[["object", "part", "back", "part_index", "planes"]]
    assert np.array_equal(after, entries)
    here.physics.check()


@pytest.mark.contract("L10")
def test_calls_do_not_grow_with_objects(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer], device: Device
) -> None:
    if not device.multi_draw:
        pytest.skip("needs indirect draws")
    here = place("doll")
    here.aim(0x7F7F0001, (96, 60, 30), (96, 110, 20))
    renderer = renderer_of(here)
    counts = []
    for n in (4, 8):
        for k in range(n):
            obj = here.physics.make_object(0x02000001)
            x, y = 80 + 4 * (k % 8), 100 + 5 * math.floor(k / 8) + n
            here.physics.enter_world(obj, 0x7F7F0025, frames.make(x, y, 20, 0))
        here.draw(renderer)
        counts.append((renderer.counters.parts, renderer.submitter.calls))
    assert counts[1][0] > 1.5 * counts[0][0]
    assert counts[1][1] == counts[0][1]


def test_a_warm_frame_allocates_nothing_that_stays(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    import gc
    import sys

    here = aimed(place, "two_huts_across")
    renderer = renderer_of(here, size=(16, 9))
    scene, pose = here.maker.scene(), here.maker.pose()
    for _ in range(6):  # numpy's and numba's caches of small blocks fill up once
        for _ in range(200):
            renderer.draw(scene, pose)
        gc.collect()
    stream, instances = renderer.painter.stream, renderer.painter.instances
    before = sys.getallocatedblocks()
    for _ in range(200):
        renderer.draw(scene, pose)
    gc.collect()
    assert sys.getallocatedblocks() - before < 60
    assert renderer.painter.stream is stream
    assert renderer.painter.instances is instances


def test_a_missing_texture_is_a_checker_and_said_once(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer],
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from acclient_py.errors import MissingRecord
    from acclient_py.log import forget_warnings

    forget_warnings()
    here = aimed(place, "hut_outside")
    real = here.models.dats.record

    def record(did: int, **options: Any) -> Any:
        if did >> 24 == 0x08:
            raise MissingRecord(did)
        return real(did, **options)

    monkeypatch.setattr(here.models.dats, "record", record)
    renderer = renderer_of(here)
    picture = here.draw(renderer)
    magenta = (picture[..., 0] > 2 * picture[..., 1] + 40) & (
        picture[..., 2] > picture[..., 1] + 40
    )
    assert magenta.sum() > 50
    said = [r.getMessage() for r in caplog.records if "checker" in r.getMessage()]
    assert said
    assert len(said) == len(set(said))


def test_overlays_off_change_no_pixel(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = aimed(place, "hut_outside")
    renderer = renderer_of(here)
    plain = here.draw(renderer)
    shown = here.draw(renderer, overlays=("cells", "portals"))
    assert (shown != plain).any()
    assert np.array_equal(here.draw(renderer), plain)

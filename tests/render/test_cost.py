"""What a warm frame does not do: make buffers, keep memory, or pay for what is switched off.

Nothing is timed. Calls are counted by the interpreter's profile hook, GPU objects where they are
made, memory by the interpreter's count of blocks.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from acclient_py.gpu.device import Device
from acclient_py.kernels.ops import LAST_DRAW
from acclient_py.render.frame import FrameRenderer

Places = Callable[[str], Any]
Renderers = Callable[..., FrameRenderer]

POSES = [
    (0x7F7F0100, (72, 84, 21.6), (96, 84, 21.6)),
    (0x7F7F0001, (60, 60, 24), (84, 84, 21.5)),
    (0x7F7F0001, (84, 60, 30), (84, 110, 21.5)),
    (0x7F7F0001, (110, 60, 22), (90, 84, 21.5)),
]


def calls_of(action: Callable[[], object]) -> Counter[str]:
    """The functions that an action calls, Python's and others', by name, and how often."""
    seen: Counter[str] = Counter()

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            seen[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            seen[getattr(argument, "__qualname__", str(argument))] += 1

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return seen


@pytest.fixture
def two(place: Places) -> Any:
    here = place("two_huts")
    here.aim(*POSES[0])
    return here


def test_what_is_switched_off_calls_nothing(two: Any, renderer_of: Renderers) -> None:
    """Marks and overlays off: the very calls of a renderer that never had them, none for a mark.

    Sabotage: once lines were drawn, go on with overlays in every frame; the last counts fail.
    """
    renderer, fresh = renderer_of(two), renderer_of(two)
    scene, pose = two.maker.scene(), two.maker.pose()

    def frame(of: FrameRenderer, **options: Any) -> Counter[str]:
        return calls_of(lambda: of.draw(scene, pose, **options))

    for _ in range(8):
        renderer.draw(scene, pose)
        fresh.draw(scene, pose)
    never = frame(fresh)
    assert frame(fresh) == never, "equal frames make equal calls"
    assert frame(renderer) == never
    records = renderer.painter.records.copy()
    assert (records["op"] <= LAST_DRAW).all(), "no mark is written"
    with_overlays = frame(renderer, overlays=("cells", "portals"))
    assert sum(with_overlays.values()) > sum(never.values()) + 20
    renderer.draw(scene, pose, marks=True)
    marked = renderer.painter.records
    assert len(marked) > len(records)
    assert np.array_equal(marked[marked["op"] <= LAST_DRAW], records), "marks move no draw"
    renderer.draw(scene, pose)
    assert frame(renderer) == never
    assert np.array_equal(renderer.painter.records, records)


def test_calls_do_not_depend_on_what_is_drawn(
    place: Places, renderer_of: Renderers, device: Device
) -> None:
    """Python's share grows with runs of equal state, not with objects: ten bodies more, no call."""
    from acclient_py.core import frame as frames

    here = place("doll")
    here.aim(0x7F7F0001, (96, 60, 30), (96, 110, 20))
    renderer = renderer_of(here)

    def stand(x: float, y: float) -> None:
        obj = here.physics.make_object(0x02000001)
        here.physics.enter_world(obj, 0x7F7F0025, frames.make(x, y, 20, 0))

    stand(90, 100)
    counts = []
    for row in range(2):
        for _ in range(8):
            here.draw(renderer)
        scene, pose = here.maker.scene(), here.maker.pose()
        calls = calls_of(partial(renderer.draw, scene, pose))
        counts.append((renderer.counters.parts, sum(calls.values())))
        for k in range(10):
            stand(80 + 4 * k, 104 + 6 * row)
    assert counts[1][0] > 5 * counts[0][0]
    if device.multi_draw:
        assert counts[1][1] == counts[0][1]


class Counting:
    """A context, with a note of everything that is made."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.made: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "texture", "texture_array", "vertex_array", "framebuffer"):
            self.made.append(name)
        return getattr(self.real, name)


class Round:
    """A renderer and a camera that goes round."""

    def __init__(self, here: Any, renderer: FrameRenderer) -> None:
        self.renderer = renderer
        self.scenes = []
        for pose in POSES:
            here.aim(*pose)
            self.scenes.append((here.maker.scene(), here.maker.pose()))

    def go(self, count: int) -> None:
        for _ in range(count):
            for scene, pose in self.scenes:
                self.renderer.draw(scene, pose)

    def kept(self) -> tuple[Any, ...]:
        """Streams, tables and rings."""
        painter, submitter = self.renderer.painter, self.renderer.submitter
        return (
            painter.stream,
            painter.instances,
            painter.portal_vertices,
            self.renderer.assets.tables,
            submitter._instances.buffer,
            submitter._commands.buffer,
            submitter._draw_data.buffer,
            submitter._portals.buffer,
            submitter._command_rows,
        )


def test_a_warm_frame_makes_nothing_on_the_gpu(
    two: Any, renderer_of: Renderers, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: make a buffer at each `Ring.begin`; the list of what was made fails."""
    camera = Round(two, renderer_of(two, size=(32, 18)))
    camera.go(2)
    kept, counting = camera.kept(), Counting(device.ctx)
    monkeypatch.setattr(device, "ctx", counting)
    camera.go(2)
    assert counting.made == []
    assert all(a is b for a, b in zip(kept, camera.kept(), strict=True))


def test_a_warm_frame_keeps_no_memory(two: Any, renderer_of: Renderers) -> None:
    """Sabotage: keep each frame's counters in a list; the count of blocks fails."""
    camera = Round(two, renderer_of(two, size=(32, 18)))
    for _ in range(4):  # numpy's and numba's caches of small blocks fill up once
        camera.go(40)
        gc.collect()
    before = sys.getallocatedblocks()
    camera.go(50)
    gc.collect()
    grown = sys.getallocatedblocks() - before
    assert grown < 60, f"{grown} blocks more after 200 frames"


def test_a_frame_makes_few_gl_calls_and_as_many_for_any_number_of_objects() -> None:
    """GOALS G6: at most 40 calls, of them at most 8 draws, the same for 60 objects and for 600.

    Sabotage: say every state whole again (`State.apply` with `before` None): 53 calls.
    """
    found = []
    for objects in (60, 600):
        done = subprocess.run(
            [sys.executable, "-m", "acclient_py.cli.bench.peers", "count", "5", str(objects), "4"],
            capture_output=True,
            text=True,
            check=False,
        )
        if "Needs" in done.stderr:
            pytest.skip("no gcc to build the counting stubs with")
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    few, many = found
    assert many["parts"] > 3 * few["parts"]
    assert few["gl_calls"] == many["gl_calls"] <= 40
    assert few["draws"] == many["draws"] <= 8


def test_what_the_context_was_told_by_others_is_said_again(
    renderer_of: Renderers, two: Any
) -> None:
    """State and textures set past the device, and `forget`: the same picture as before.

    Sabotage: leave the units in `Known.forget`; the picture is another one.
    """
    renderer = renderer_of(two)
    scene, pose = two.maker.scene(), two.maker.pose()
    renderer.draw(scene, pose)
    renderer.draw(scene, pose)
    expected = renderer.read()
    device = renderer.device
    stray = device.ctx.texture_array((4, 4, 1), 4, bytes(64))
    for unit in range(7):
        stray.use(unit)
    device.ctx.enable_only(device.ctx.BLEND | device.ctx.CULL_FACE)
    device.ctx.front_face, device.ctx.depth_func = "cw", ">"
    device.known.forget()
    renderer.draw(scene, pose)
    assert np.array_equal(renderer.read(), expected)
    stray.release()

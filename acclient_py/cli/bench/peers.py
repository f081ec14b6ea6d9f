"""A whole frame beside Panda3D, one landscape: CPU, memory, pictures, GL calls (G3 to G6, G16)."""

from __future__ import annotations

import gc
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from acclient_py.cli.bench import Needs, Row
from acclient_py.cli.bench._null import child

SIZE: Final = (1280, 720)
BODY_M: Final = 1.8
RUN_M: Final = 6.0 / 60.0
EYE_BEHIND_M: Final = 5.0
FOV_DEG: Final = 90.0


def run(quick: bool) -> list[Row]:
    """Children turn by turn, each the best of its rounds."""
    rounds = 1 if quick else 3
    rows = []
    scenes = ((9, 2_000, 0.05, 1.3), (25, 20_000, 0.02, 1.0))
    for blocks, objects, goal, memory in scenes[:1] if quick else scenes:
        name = f"main-thread CPU of a frame, {blocks}x{blocks}, {objects:,} objects"
        ours, theirs = [], []
        try:
            for _ in range(rounds):
                ours.append(child(__name__, "ours", blocks, objects, 120))
                theirs.append(_panda("graph", blocks, objects, 60, null=True))
        except Needs as error:
            rows.append(Row(name, None, goal=goal, needs=str(error)))
            if ours:
                rows.append(Row(f"  {name}", ours[0]["cpu_ms"], "ms", "null driver"))
            continue
        a, b = (min(f["cpu_ms"] for f in found) for found in (ours, theirs))
        note = f"Panda3D's scene graph; {a:.3g} ms and {b:.3g} ms, null driver"
        rows.append(Row(name, a / b, "x", note, goal))
        rows.append(Row(f"worst of 120 frames, {blocks}x{blocks}", ours[0]["worst_ms"], "ms"))
        a, b = (min(f["peak_mib"] for f in found) for found in (ours, theirs))
        name = f"peak memory, {blocks}x{blocks}, {objects:,} objects"
        rows.append(Row(name, a / b, "x", f"{a:.0f} MiB and {b:.0f} MiB, null driver", memory))
    for mode, goal in (("ordered", 0.90), ("graph", 1.10)):
        name = f"wall time of a picture, 1280x720, 9x9, 2,000 objects, Panda3D {mode} = 1"
        ours, theirs = [], []
        try:
            for _ in range(rounds):
                ours.append(child(__name__, "ours", 9, 2_000, 12, null=False))
                theirs.append(_panda(mode, 9, 2_000, 12, null=False))
        except Needs as error:
            rows.append(Row(name, None, goal=goal, needs=str(error)))
            continue
        for field, called, wanted in (
            ("wall_ms", name, goal),
            ("all_ms", "  CPU of all threads", None),
        ):
            a, b = (min(f[field] for f in found) for found in (ours, theirs))
            rows.append(Row(called, a / b, "x", f"{a:.3g} ms and {b:.3g} ms", wanted))
    counted = ((9, 2_000), (25, 2_000), (25, 20_000), (51, 200_000))
    for blocks, objects in counted[:3] if quick else counted:
        name = f"GL calls a frame, {blocks}x{blocks}, {objects:,} objects"
        try:
            found = child(__name__, "count", blocks, objects, 8)
        except Needs as error:
            rows.append(Row(name, None, goal=40, needs=str(error)))
            continue
        rows.append(Row(name, found["gl_calls"], "", f"{found['parts']} parts drawn", 40))
        rows.append(Row(f"  of them draws, {objects:,} objects", found["draws"], "", "", 8))
    return rows


def _panda(mode: str, blocks: int, objects: int, frames: int, *, null: bool) -> Any:
    if importlib.util.find_spec("panda3d") is None:
        raise Needs("Panda3D (pip install panda3d)")
    return child(f"{__package__}._panda", mode, blocks, objects, frames, null=null)


def timed(frame: Callable[[], None], finish: Callable[[], None], frames: int) -> dict[str, float]:
    """CPU of this thread and of all, and wall time of frames, in milliseconds, after five to warm
    up; the peak memory of the process so far, in MiB.

    The CPU is that of two frames in a row, halved: one of two has a tick of the host.
    """
    for _ in range(5):
        frame()
        finish()
    gc.collect()
    gc.disable()
    cpu, total, wall = [], [], []
    for _ in range(frames):
        began, spent, of_all = time.perf_counter(), time.thread_time(), time.process_time()
        frame()
        cpu.append(time.thread_time() - spent)
        finish()
        wall.append(time.perf_counter() - began)
        total.append(time.process_time() - of_all)
    gc.enable()
    pairs = [(a + b) / 2 for a, b in pairwise(cpu)]
    return {
        "cpu_ms": min(pairs) * 1e3,
        "cpu_median_ms": statistics.median(pairs) * 1e3,
        "worst_ms": max(cpu) * 1e3,
        "wall_ms": min(wall) * 1e3,
        "all_ms": min((a + b) / 2 for a, b in pairwise(total)) * 1e3,
        "peak_mib": _peak_mib(),
    }


def _peak_mib() -> float:
    """The most memory that this process had at once; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def ours(blocks: int, objects: int, frames: int, *, count: bool) -> dict[str, object]:
    """This program: the host ticks at every other frame, the body runs, each frame is walked."""
    from acclient_py.cli.bench._landscape import stage
    from acclient_py.render.device import Device
    from acclient_py.render.frame import FrameRenderer
    from acclient_py.render.scene import SceneMaker

    counter: Any = None
    with stage(blocks, objects) as host:
        if count:
            from acclient_py.cli.bench._counting import counted_device

            device, counter = counted_device()
        else:
            device = Device.offscreen()
        with (
            device,
            FrameRenderer(device, host.models, host.region, size=SIZE) as renderer,
        ):
            maker = SceneMaker(host, radius=blocks // 2)
            host.driver.keep(("forward",))
            turn = 0

            def frame() -> None:
                nonlocal turn
                turn += 1
                if turn % 2:
                    host.tick()
                renderer.draw(maker.scene(), maker.pose())

            found: dict[str, object] = dict(timed(frame, device.ctx.finish, frames))
            if counter is not None:
                least = None
                for _ in range(frames):
                    before = counter.total()
                    frame()
                    least = min(least or 1 << 60, counter.total() - before)
                found["gl_calls"] = least
            found["draws"] = renderer.submitter.calls
            found["parts"] = renderer.counters.parts
    return found


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    print(json.dumps(ours(*map(int, numbers), count=what == "count")))

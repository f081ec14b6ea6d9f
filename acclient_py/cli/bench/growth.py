"""Growth of Python blocks and memory: a walking player, headless ticks, then drawn frames (G13)."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._null import child

LAP: Final = 480  # ticks: four sides of a square


def run(quick: bool) -> list[Row]:
    """In a process of its own: the null driver is chosen when a context is made.

    The first ticks and frames are not counted: each motion, cell and texture that the people of the
    world come to is made ready once, and it takes minutes of their day until they were everywhere.
    """
    first, ticks, frames = (2_000, 2_000, 600) if quick else (12_000, 10_000, 3_000)
    found = child(__name__, first, ticks, frames)
    rows = []
    for what, of in (("frame", frames), ("tick", ticks)):
        grown = found[what]
        note = f"{grown['blocks']:+d} in {of:,}, walking, after {first:,} drawn"
        per = max(grown["blocks"], 0) / of
        rows.append(Row(f"Python blocks a {what}", round(per, 1), "", note, 0.0))
        rows.append(Row(f"  resident memory, {what}s", grown["mib"], "MiB", "", 0.5))
    return rows


def measure(first: int, ticks: int, frames: int) -> dict[str, Any]:
    """The viewer's own stage of the demo world, its player going round a square."""
    from acclient_py.cli.worlds import open_world
    from acclient_py.host import scenario as sc
    from acclient_py.render.device import Device
    from acclient_py.viewer.demo import square
    from acclient_py.viewer.stage import Wishes, build

    stage = build(open_world, Wishes(), lambda *_: None, mark=lambda _: None)
    host = stage.host
    assert host.player is not None, "the demo has a player"
    guid = host.player.guid
    row = host.physics.row(host.player.obj)
    frame = [float(number) for number in row["frame"]]
    start = sc.At(
        cell=sc.HexId(int(row["objcell_id"])),
        origin=(frame[0], frame[1], frame[2]),
        rotation=(frame[3], frame[4], frame[5], frame[6]),
    )

    def walk(count: int) -> None:
        for _ in range(max(1, count // LAP)):
            for step in square(guid):
                host.step(step)
            host.step(sc.Place(guid=sc.HexId(guid), at=start))

    grown = {}
    try:
        with Device.offscreen() as device, stage.renderer(device, (1280, 720)) as renderer:
            host.on_tick = lambda: renderer.draw(stage.scenes.scene(), stage.scenes.pose())
            for _ in range(
                4
            ):  # what a full collection lets go is made once more after the first ones
                walk(first // 4)
                before = _held()
            walk(frames)
            grown["frame"] = _since(before)
            host.on_tick = None
        for _ in range(2):
            walk(LAP)
            before = _held()
        walk(ticks)
        grown["tick"] = _since(before)
        return grown
    finally:
        stage.close()


def _held() -> tuple[int, float]:
    """Blocks that Python has handed out, MiB that the process has in memory."""
    import gc
    import os
    import resource
    from pathlib import Path

    gc.collect()
    pages = Path("/proc/self/statm")
    if pages.exists():
        held = int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    else:  # only the peak is known there
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return sys.getallocatedblocks(), held


def _since(before: tuple[int, float]) -> dict[str, Any]:
    blocks, mib = _held()
    return {"blocks": blocks - before[0], "mib": round(mib - before[1], 2)}


if __name__ == "__main__":
    print(json.dumps(measure(*map(int, sys.argv[1:]))))

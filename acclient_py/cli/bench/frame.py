"""A whole frame: main-thread CPU on the null driver, draw calls, growth of Python blocks."""

from __future__ import annotations

import json
import sys
from typing import Final

from acclient_py.cli.bench import Row
from acclient_py.cli.bench._null import child

SCENARIO: Final = "start"


def run(quick: bool) -> list[Row]:
    """In a process of its own: the null driver is chosen when a context is made."""
    found = child(__name__, "quick" if quick else "full")
    null = "Mesa's null driver" if found["mesa"] else f"with {found['renderer']}"
    return [
        Row("frame, main-thread CPU", found["cpu_ms"], "ms", null, 1.0),
        Row("draw calls a frame", found["calls"], "", f"{found['parts']} parts", 40),
        Row("commands to draws", found["commands"] / max(found["draws"], 1), "x", "draws"),
        Row("Python blocks a frame", found["growth"], "", "steady state", 0.0),
    ]


def measure(quick: bool) -> dict[str, object]:
    """Draw the start of the demo world again and again; figures of the best round."""
    import gc
    import time

    from acclient_py.cli.worlds import open_world
    from acclient_py.host import scenario
    from acclient_py.host.host import Host
    from acclient_py.order.stream import draws
    from acclient_py.render.device import Device
    from acclient_py.render.frame import FrameRenderer
    from acclient_py.render.scene import SceneMaker

    rounds, frames = (4, 50) if quick else (12, 250)
    with open_world() as dats, Device.offscreen() as device:
        host = Host(dats, detail_radius=3)
        for _ in host.play(scenario.read(scenario.find(SCENARIO))):
            pass
        with FrameRenderer(device, host.models, host.region) as renderer:
            maker = SceneMaker(host)
            best, growth = float("inf"), 0
            for _ in range(rounds):
                gc.collect()
                before = sys.getallocatedblocks()
                start = time.process_time()
                for _ in range(frames):
                    renderer.draw(maker.scene(), maker.pose())
                best = min(best, (time.process_time() - start) / frames)
                gc.collect()
                growth = sys.getallocatedblocks() - before
            figures: dict[str, object] = {
                "cpu_ms": best * 1000.0,
                "calls": renderer.submitter.calls,
                "commands": renderer.submitter.command_count,
                "draws": len(draws(renderer.painter.records)),
                "parts": renderer.counters.parts,
                "growth": round(max(growth, 0) / frames, 2),
                "renderer": device.renderer,
                "mesa": "llvmpipe" in device.renderer,
            }
        host.close()
    return figures


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1:] == ["quick"])))

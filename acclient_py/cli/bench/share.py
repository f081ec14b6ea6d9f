"""Python's share of a frame, counted in calls: it follows state runs, not the number of draws."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from acclient_py.cli.bench import Needs, Row, _town
from acclient_py.cli.bench._null import child

CRATES: Final = 400


def run(quick: bool) -> list[Row]:
    """The same frame with the objects doubled, and doubled again."""
    sizes = (CRATES, 2 * CRATES) if quick else (CRATES, 2 * CRATES, 4 * CRATES)
    rows = []
    try:
        found = [child(__name__, "town", n) for n in sizes]
    except Needs as error:
        return [Row("Python calls a frame", None, needs=str(error))]
    for n, one in zip(sizes, found, strict=True):
        note = f"{one['draws']} draws, {one['runs']} state runs, {one['parts']} parts"
        rows.append(Row(f"Python calls a frame, town at night, {n} crates", one["calls"], "", note))
        grown = one["calls"] - found[0]["calls"]
        rows.append(Row(f"  more than with {sizes[0]}", grown, "calls", "", 0))
    scenes = ((9, 1_000), (9, 2_000)) if quick else ((9, 2_000), (9, 4_000), (25, 20_000))
    for blocks, objects in scenes:
        one = child(__name__, "landscape", blocks, objects)
        name = f"Python calls a frame, {blocks}x{blocks}, {objects:,} objects"
        rows.append(Row(name, one["calls"], "", f"{one['draws']} draws, {one['runs']} state runs"))
    return rows


class Still:
    """A baked world with everything loaded and an eye that stands still, as a picture reads it."""

    def __init__(self, dats: Any) -> None:
        from acclient_py.host.host import CameraWish, Look
        from acclient_py.host.residency import Residency
        from acclient_py.host.scenario import At, HexId
        from acclient_py.physics.world import PhysicsWorld
        from acclient_py.render.scene import SceneMaker
        from acclient_py.world.models import Models
        from acclient_py.world.region import load_region

        self.models = Models(dats)
        self.region = load_region(dats)
        self.physics = PhysicsWorld(self.models)
        self.residency = Residency(self.physics, dats, self.region)
        for block in [i for i in dats.ids() if i & 0xFFFF == 0xFFFF]:
            self.residency.load(block)
        self.player: Any = None
        eye, target = (
            At(cell=HexId(_town.CELL), origin=origin, rotation=(1.0, 0.0, 0.0, 0.0))
            for origin in (_town.EYE, _town.TARGET)
        )
        self.look = Look(CameraWish(eye, target), _town.MIDNIGHT)
        self.maker = SceneMaker(self)


def town(crates: int) -> dict[str, int]:
    """A frame of the town."""
    from acclient_py.bake.bake import bake_recipe
    from acclient_py.dat.dataset import DatSet

    with tempfile.TemporaryDirectory() as folder:
        bake_recipe(_town.recipe(crates), Path(folder))
        with DatSet.open(folder) as dats:
            still = Still(dats)
            return counted(still, still.maker)


def counted(host: Any, maker: Any) -> dict[str, int]:
    """Calls, draws and runs of one frame, warm."""
    from acclient_py.cli.bench._calls import calls_of
    from acclient_py.order.stream import draws
    from acclient_py.render.device import Device
    from acclient_py.render.frame import FrameRenderer

    with (
        Device.offscreen() as device,
        FrameRenderer(device, host.models, host.region, size=(640, 360)) as renderer,
    ):

        def frame() -> None:
            renderer.draw(maker.scene(), maker.pose())

        for _ in range(4):
            frame()
        return {
            "calls": calls_of(frame),
            "draws": len(draws(renderer.painter.records)),
            "runs": renderer.submitter.runs,
            "gl_draws": renderer.submitter.calls,
            "parts": renderer.counters.parts,
        }


def landscape(blocks: int, objects: int) -> dict[str, int]:
    """A frame of the landscape, the walker standing."""
    from acclient_py.cli.bench._landscape import stage
    from acclient_py.render.scene import SceneMaker

    with stage(blocks, objects) as host:
        return counted(host, SceneMaker(host, radius=blocks // 2))


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    print(json.dumps((town if what == "town" else landscape)(*map(int, numbers))))

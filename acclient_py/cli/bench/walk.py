"""The frame build: the program's own walk and commands against C on the same arrays (G1, G2)."""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from acclient_py.cli.bench import Needs, Row, _layout
from acclient_py.cli.bench._c import library
from acclient_py.cli.bench._null import child

SCENES: Final = (
    # blocks a side, objects, goal of the ratio, goal of commands to draws
    (9, 2_000, 1.15, None),
    (25, 2_000, None, 0.10),
    (25, 20_000, 1.15, None),
    (51, 20_000, 1.25, None),
    (51, 200_000, 1.10, None),
)
POSES: Final = 24

Sides = tuple[Callable[[], object], Callable[[], object]]


def run(quick: bool) -> list[Row]:
    """One child a scene; quick leaves out the large ones."""
    rows = []
    for blocks, objects, goal, fewer in SCENES[:3] if quick else SCENES:
        name = f"{blocks}x{blocks} blocks, {objects:,} objects"
        try:
            found = child(__name__, blocks, objects, 3 if quick else 7)
        except Needs as error:
            rows.append(Row(f"walk and commands, {name}", None, goal=goal, needs=str(error)))
            continue
        note = f"C -O3, same bytes; {found['draws']} draws, {found['ms']:.3g} ms"
        rows.append(Row(f"walk and commands, {name}", found["ratio"], "x", note, goal))
        rows.append(Row(f"  the walk alone, {name}", found["walk"], "x", "C -O3"))
        rows.append(Row(f"  the commands alone, {name}", found["build"], "x", "C -O3"))
        share = found["commands"] / max(found["draws"], 1)
        rows.append(Row(f"commands to draws, {name}", share, "x", "draws", fewer))
    return rows


def header(painter: Any, meshes: Any) -> str:
    """Declarations of everything that walk.c touches."""
    from acclient_py.kernels import commands, cull, draw, ops
    from acclient_py.order.stream import DRAW_DTYPE
    from acclient_py.physics import layout
    from acclient_py.world.pools import GFX_DTYPE

    rows = {
        DRAW_DTYPE: "Draw", draw.SLOT_DTYPE: "Slot", draw.LEVEL_DTYPE: "Level",
        draw.GFX_MESH_DTYPE: "GfxMesh", draw.MESH_DTYPE: "Mesh", draw.LEAF_DTYPE: "Leaf",
        draw.PART_MEMORY_DTYPE: "PartMemory", draw.VIEW_DTYPE: "View", GFX_DTYPE: "Gfx",
        layout.OBJECT_DTYPE: "Object", layout.PART_DTYPE: "Part", layout.SHADOW_DTYPE: "Shadow",
        layout.PART_ENTRY_DTYPE: "Entry", layout.CELL_DTYPE: "Cell", layout.BLOCK_DTYPE: "Block",
        layout.PORTAL_DTYPE: "Portal", layout.BUILDING_DTYPE: "Building",
        layout.BUILDING_PORTAL_DTYPE: "BuildingPortal",
    }  # fmt: skip
    told = dict(zip(painter._row.dtype.names, painter._told, strict=True))
    kinds = {
        "membership": "Membership", "meshes": "Meshes", "memory": "Memory", "window": "Window",
        "eye": "Eye", "sky": "Sky",
    }  # fmt: skip
    text = ["#include <stdint.h>\n"]
    text += [_layout.struct(name, dtype) for dtype, name in rows.items()]
    text += [_layout.bundle(kinds[name], told[name], rows) for name in kinds]
    text.append(_layout.addresses("Frame", painter._row.dtype, kinds))
    words = (
        "N_RECORDS", "N_INSTANCES", "N_CLIP", "N_ALPHA", "FULL", "STAMP", "PLAYER", "CAMERA_X",
        "CAMERA_Y", "PARTS_DRAWN", "LEAVES_DRAWN", "PARTS_TESTED", "DROPPED", "VIEWS",
        "SKY_BEFORE", "SKY_AFTER", "LAMPS", "ASTRAY", "MOVING_LAMPS", "LAMP_SET", "WALL_SET",
        "NEVER", "FAR_CELL", "OBJECT_LIMIT_SQ", "PARTICLE_LIMIT_SQ", "DEGRADE_ALLOWANCE",
        "NO_TABLE_DISTANCE", "GONE", "BLOCK_SIZE", "PARTICLE_EMITTER", "PART_NODRAW",
        "PART_LUMINOSITY", "PART_DIFFUSE", "PLAIN", "ROOM", "DRAIN_SHARE",
    )  # fmt: skip
    text.append(_layout.constants(draw, words))
    names = (
        "SKY", "TERRAIN", "PART", "CLIP", "ALPHA", "WEATHER", "LAST_DRAW", "S_OPAQUE", "S_BLEND",
        "S_SKY", "S_DETAIL", "F_CLIP_LIST", "LAYOUT_PORTAL", "LAYOUT_WORLD", "LIST_SLOTS",
        "NO_OWNER",
    )  # fmt: skip
    text.append(_layout.constants(ops, names))
    text.append(_layout.constants(commands, ("NO_SURFACE",)))
    text.append(f"#define CULL_EPS {float(cull.EPS)!r}f\n")
    return "".join(text)


class Rival:
    """Stands in for the two kernels in a frame: runs each side in turn, compares, keeps the times.

    What a turn changes is put back before the next, so that both repair the same disorder.
    """

    def __init__(self, renderer: Any, rounds: int) -> None:
        from acclient_py.kernels import walk
        from acclient_py.render import submit

        modules: tuple[Any, Any] = walk, submit
        self.painter = renderer.painter
        self.rounds = rounds
        self.c: Any = None
        self.walk_kernel: Callable[..., None] = modules[0].paint
        self.commands_kernel: Callable[..., None] = modules[1].build_commands
        self.assets = renderer.assets
        self.times: dict[str, list[float]] = {"walk": [0, 0], "commands": [0, 0]}
        modules[0].paint, modules[1].build_commands = self.paint, self.build

    def paint(self, row: Any) -> None:
        """The walk, in both."""
        painter = self.painter
        if self.c is None:
            self.c = library("walk.c", header(painter, self.assets.tables))
        told = dict(zip(row.dtype.names, painter._told, strict=True))
        memory, graph = told["memory"], told["membership"]
        changed = (memory.counters, memory.parts, graph.order, graph.ranks)
        before = [array.copy() for array in changed]
        best = [float("inf"), float("inf")]
        results: list[Any] = [None, None]
        address = ctypes.c_void_p(row.ctypes.data)
        sides: Sides = (lambda: self.walk_kernel(row), lambda: self.c.paint(address))
        for _ in range(self.rounds):
            for which, side in enumerate(sides):
                for array, old in zip(changed, before, strict=True):
                    array[...] = old
                started = time.perf_counter()
                side()
                best[which] = min(best[which], time.perf_counter() - started)
                if results[which] is None:
                    n = memory.counters
                    results[which] = (
                        memory.stream[: n[0]].tobytes(), memory.instances[: n[1]].tobytes(),
                        graph.order.tobytes(), graph.ranks.tobytes(), n.tolist(),
                    )  # fmt: skip
        for mine, theirs in zip(*results, strict=True):
            assert mine == theirs, "C and the kernel walk the same frame"
        self._note("walk", best)

    def build(self, *arguments: Any) -> None:
        """The commands, in both."""
        outputs = list(arguments[-5:])
        told = [
            ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_int64(int(a))
            for a in arguments
        ]
        best = [float("inf"), float("inf")]
        results = []
        sides: Sides = (
            lambda: self.commands_kernel(*arguments),
            lambda: self.c.build_commands(*told),
        )
        for turn in range(self.rounds):
            for which, side in enumerate(sides):
                started = time.perf_counter()
                side()
                best[which] = min(best[which], time.perf_counter() - started)
                if turn == 0:
                    n, runs, streamed = outputs[-1].tolist()
                    sizes = (n, n, streamed, runs, 3)
                    results.append(
                        [a[:size].tobytes() for a, size in zip(outputs, sizes, strict=True)]
                    )
        assert results[0] == results[1], "C and the kernel make the same commands"
        self._note("commands", best)

    def _note(self, what: str, best: list[float]) -> None:
        for which in (0, 1):
            self.times[what][which] += best[which]


def measure(blocks: int, objects: int, rounds: int) -> dict[str, object]:
    """A walk through the landscape, each frame built by both sides."""
    from acclient_py.cli.bench._landscape import stage
    from acclient_py.order.stream import draws
    from acclient_py.render.device import Device
    from acclient_py.render.frame import FrameRenderer
    from acclient_py.render.scene import SceneMaker

    with (
        stage(blocks, objects) as host,
        Device.offscreen() as device,
        FrameRenderer(device, host.models, host.region, size=(1280, 720)) as renderer,
    ):
        maker = SceneMaker(host, radius=blocks // 2)
        for _ in range(3):
            renderer.draw(maker.scene(), maker.pose())
        rival = Rival(renderer, rounds)
        for _ in range(POSES):
            host.tick(2)
            renderer.draw(maker.scene(), maker.pose())
        (walk, c_walk), (build, c_build) = rival.times["walk"], rival.times["commands"]
        return {
            "ratio": (walk + build) / (c_walk + c_build),
            "walk": walk / c_walk,
            "build": build / c_build,
            "ms": (walk + build) / POSES * 1e3,
            "draws": len(draws(renderer.painter.records)),
            "commands": renderer.submitter.command_count,
            "parts": renderer.counters.parts,
        }


if __name__ == "__main__":
    print(json.dumps(measure(*map(int, sys.argv[1:4]))))

"""The landscape in Panda3D: a node a block, a node an object below it, a body with three items.

graph   : the scene graph as it is meant to be used; each object is culled by itself
ordered : objects in the back-to-front bin, the nearest to a painter's order that it has
"""

# mypy: ignore-errors
# (panda3d has no types)

from __future__ import annotations

import ctypes
import json
import math
import sys

import numpy as np

from acclient_py.cli.bench import _landscape as land
from acclient_py.cli.bench.peers import BODY_M, EYE_BEHIND_M, FOV_DEG, RUN_M, SIZE, timed


def _node(core, name, vertices, indices):
    data = core.GeomVertexData(name, core.GeomVertexFormat.getV3n3t2(), core.Geom.UHStatic)
    data.uncleanSetNumRows(len(vertices))
    memoryview(data.modifyArray(0)).cast("B")[:] = memoryview(
        np.ascontiguousarray(vertices, np.float32)
    ).cast("B")
    triangles = core.GeomTriangles(core.Geom.UHStatic)
    triangles.setIndexType(core.Geom.NTUint32)
    rows = triangles.modifyVertices()
    rows.uncleanSetNumRows(len(indices))
    memoryview(rows).cast("B")[:] = memoryview(np.ascontiguousarray(indices, np.uint32)).cast("B")
    geometry = core.Geom(data)
    geometry.addPrimitive(triangles)
    node = core.GeomNode(name)
    node.addGeom(geometry)
    return core.NodePath(node)


def _texture(core, number):
    rng = np.random.default_rng(number)
    picture = rng.integers(60, 200, (64, 64, 4)).astype(np.uint8)
    picture[..., 3] = 255
    made = core.Texture(f"skin{number}")
    made.setup2dTexture(64, 64, core.Texture.TUnsignedByte, core.Texture.FRgba)
    made.setRamImageAs(picture.tobytes(), "RGBA")
    made.setMinfilter(core.SamplerState.FTLinearMipmapLinear)
    return made


def measure(mode: str, blocks: int, objects: int, frames: int) -> dict[str, object]:
    """Frames of the walker's run."""
    from panda3d import core

    core.loadPrcFileData(
        "",
        "load-display p3headlessgl\naux-display\nwindow-type offscreen\nsync-video 0\n"
        f"audio-library-name null\nwin-size {SIZE[0]} {SIZE[1]}\n",
    )
    from direct.showbase.ShowBase import ShowBase

    given = land.plain(blocks, objects)
    base = ShowBase(windowType="offscreen")
    base.disableMouse()
    kinds = []
    for k, (vertices, indices) in enumerate(zip(given.vertices, given.indices, strict=True)):
        kind = _node(core, f"kind{k}", vertices, indices)
        kind.setTexture(_texture(core, k + 1))
        kinds.append(kind)
    grass = _texture(core, 0)
    roots = {}
    for bx in range(blocks):
        for by in range(blocks):
            root = base.render.attachNewNode(f"block {bx} {by}")
            ground = _node(core, "ground", *given.block(bx, by))
            ground.setTexture(grass)
            ground.reparentTo(root)
            roots[bx, by] = root
    plan = given.plan
    for kind, (x, y, z), turn in zip(
        plan.kind.tolist(), plan.at.tolist(), plan.heading.tolist(), strict=True
    ):
        block = int(x // land.BLOCK_M), int(y // land.BLOCK_M)
        node = kinds[kind].copyTo(roots[block])
        node.setPosHpr(x, y, z, math.degrees(turn), 0, 0)
        if mode == "ordered":
            node.setBin("back-to-front", 0)
    body = kinds[0].copyTo(base.render)
    body.setScale(BODY_M / 5.0)
    for k in range(3):
        item = kinds[k + 1].copyTo(body)
        item.setScale(0.2)
        item.setPos(0.5 - 0.5 * k, 0, 3)
    lens = base.camLens
    lens.setNearFar(0.1, 4000)
    lens.setAspectRatio(SIZE[0] / SIZE[1])
    lens.setFov(FOV_DEG)
    base.camera.reparentTo(base.render)
    middle = blocks * land.BLOCK_M / 2
    turn = 0

    def frame() -> None:
        nonlocal turn
        turn += 1
        y = middle + RUN_M * turn
        z = float(land.ground(plan.heights, np.array([[middle, y]]))[0])
        body.setPos(middle, y, z)
        base.camera.setPos(middle, y - EYE_BEHIND_M, z + 2.9)
        base.camera.lookAt(middle, y, z + 1.6)
        base.graphicsEngine.renderFrame()

    def finish() -> None:
        """Nothing, where GL cannot be asked."""

    try:
        egl = ctypes.CDLL("libEGL.so.1")
        egl.eglGetProcAddress.restype = ctypes.c_void_p
        finish = ctypes.CFUNCTYPE(None)(egl.eglGetProcAddress(b"glFinish"))
    except OSError:
        pass
    return timed(frame, finish, frames)


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], *map(int, sys.argv[2:5]))))

"""Boards: draw records made by hand over a few quads, for executors alone. No world, no walk.

Corners are given in clip space (x and y from -1 to 1, z from -1 near to 1 far). Everything that an
executor reads of a painter and of assets is here, made of the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from acclient_py.gpu.buffers import Arena
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.gpu.textures import TextureArray
from acclient_py.kernels.draw import LEAF_DTYPE
from acclient_py.kernels.ops import F_DETAIL, LAYOUT_PORTAL, S_CLEAR, S_DETAIL, S_MASK, S_OPAQUE
from acclient_py.order.stream import DRAW_DTYPE, Op
from acclient_py.render import frame_data
from acclient_py.render.geometry import VERTEX_DTYPE, octahedral
from acclient_py.render.ground import KIND_GROUND
from acclient_py.render.mips import levels_of
from acclient_py.render.submit import STREAM_INDICES, Submitter
from acclient_py.render.surfaces import SurfaceTable, surface_ladder

PUNCH_Z: Final = 2.0 * 0.99999899 - 1.0
WHOLE: Final = (-1.0, -1.0, 1.0, 1.0)

# the rows of the ladder (rendering 1.2): type bits, translucency
LADDER: Final = {
    "solid": (0x1, 0.0),
    "image": (0x2, 0.0),
    "clip": (0x4, 0.0),
    "clip translucent": (0x14, 0.4),
    "translucent": (0x12, 0.4),
    "alpha": (0x102, 0.0),
    "alpha clip": (0x104, 0.0),
    "alpha additive": (0x10102, 0.0),
    "inverse alpha": (0x202, 0.0),
    "inverse alpha additive": (0x10202, 0.0),
    "additive": (0x10002, 0.0),
    "additive translucent": (0x10012, 0.4),
    "rain": (0x10112, 0.4),
    "cloud sheet": (0x10114, 0.4),
}
OPAQUE: Final = ("solid", "image")


def noise(seed: int, size: int = 64) -> np.ndarray:
    """A picture whose colours and alpha take all values, alpha in large patches too."""
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (size, size, 4), dtype=np.uint8)
    patches = rng.integers(0, 3, (8, 8)).repeat(size // 8, axis=0).repeat(size // 8, axis=1)
    picture[..., 3] = np.where(
        patches == 0, 0, np.where(patches == 1, 255, picture[..., 3])
    ).astype(np.uint8)
    return picture


class Board:
    """Records in the making, and all that draws them."""

    def __init__(self, device: Device, size: tuple[int, int] = (48, 32)) -> None:
        self.device = device
        self.target = Target(device, size)
        self.surfaces = SurfaceTable(device, 64)
        self.vertices = Arena(device, VERTEX_DTYPE.itemsize, 4096)
        self.indices = Arena(device, 4, 8192, head=2 * STREAM_INDICES)
        self.arrays = [TextureArray(device, 64, levels_of=levels_of)]
        self.arrays += [TextureArray(device, 64, levels_of=levels_of) for _ in range(4)]
        for seed in range(4):
            self.arrays[0].add(noise(seed))
        for array in self.arrays[1:]:
            array.add(noise(9))
        self.ground = TextureArray(device, 64, levels_of=levels_of)
        self.masks = TextureArray(device, 64, levels_of=levels_of)
        self.ground.add(noise(5))
        self.masks.add(noise(6))
        for array in (*self.arrays, self.ground, self.masks):
            array.finish()
        self.materials: dict[tuple[Any, ...], tuple[int, int]] = {}
        self.frame = frame_data.blank()
        for name in ("world_to_clip", "sky_to_clip"):
            self.frame[name][0] = np.eye(4)
        self.frame["sun_vector"][0, :3] = (0.3, 0.2, 0.6)
        self.frame["sun_colour"][0, :3] = (0.9, 0.8, 0.7)
        self.frame["terrain_ambient"][0, :3] = 0.4
        self.frame["object_ambient"][0, :3] = self.frame["indoor_ambient"][0, :3] = (0.4, 0.5, 0.6)
        self.frame["fog_colour"][0, :3] = (0.6, 0.3, 0.5)
        self.frame["fog_range"][0] = (0.4, 0.6, 1.0, 0.0)
        self.blocks = np.zeros(2, [("id", "<u4"), ("generation", "<u4")])
        self.blocks["id"] = 0x7F7FFFFF
        self.leaves = np.zeros(2, LEAF_DTYPE)
        self.leaves["first"] = -1
        self.terrain_index = np.zeros((2, 384), np.uint32)
        self.submitters: dict[str, Submitter] = {}
        self.quads: dict[tuple[Any, ...], tuple[int, int]] = {}
        self.clear()

    def clear(self) -> None:
        """No records any more; meshes and materials stay."""
        self.records: list[np.ndarray] = []
        self.matrices: list[np.ndarray] = []
        self.corners: list[tuple[float, float, float]] = []

    # what is drawn ------------------------------------------------------------------------

    def surface(self, kind: str, picture: int = 0, *, palettised: bool = True) -> tuple[int, int]:
        """(row, pipeline state) of a row of LADDER."""
        key = (kind, picture, palettised)
        if key not in self.materials:
            bits, translucency = LADDER[kind]
            ladder = surface_ladder(bits, translucency, palettised=palettised)
            row = self.surfaces.add_mesh(
                ladder, picture=(0, picture), wrap=True, luminosity=0.1, diffuse=0.8
            )
            self.materials[key] = (row, ladder.state)
        return self.materials[key]

    def detail_of(self, kind: str, picture: int) -> int:
        """The row of a detail pass over a surface."""
        key = ("detail", kind, picture)
        if key not in self.materials:
            ladder = surface_ladder(*LADDER[kind], palettised=True)
            row = self.surfaces.add_mesh(
                ladder, picture=(0, 3), wrap=True, luminosity=0.0, diffuse=1.0, detail=2.0
            )
            self.materials[key] = (row, S_DETAIL)
        return self.materials[key][0]

    def quad(self, box: Sequence[float], z: Sequence[float], extra: int = 0) -> tuple[int, int]:
        """(first index, base vertex) of a quad; z of its west and east edge."""
        key = (tuple(box), tuple(z), extra)
        if key not in self.quads:
            x0, y0, x1, y1 = box
            made = np.zeros(4, VERTEX_DTYPE)
            made["position"] = ((x0, y0, z[0]), (x1, y0, z[1]), (x1, y1, z[1]), (x0, y1, z[0]))
            made["uv"] = ((0, 1), (1, 1), (1, 0), (0, 0))
            made["normal"] = octahedral(np.array((0.2, 0.1, 0.97), np.float32))
            made["extra"] = extra
            base = self.vertices.put(made)
            self.quads[key] = (self.indices.put(np.array((0, 1, 2, 0, 2, 3), np.uint32)), base)
        return self.quads[key]

    def add(self, op: Op, **fields: Any) -> None:
        row = np.zeros(1, DRAW_DTYPE)
        row["op"] = op
        for name, value in fields.items():
            row[name] = value
        self.records.append(row)

    def draw(
        self,
        kind: str,
        box: Sequence[float] = WHOLE,
        z: Sequence[float] | float = 0.0,
        *,
        op: Op = Op.PART,
        picture: int = 0,
        alpha: float = 1.0,
        detail: bool = False,
        palettised: bool = True,
        state: int | None = None,
    ) -> None:
        """A part with one surface. alpha : of its own material ; detail : with a detail pass."""
        row, own_state = self.surface(kind, picture, palettised=palettised)
        if alpha < 1.0 and own_state != 2:
            own_state = 2
        matrix = np.zeros(16, np.float32)
        matrix[[0, 5, 10]] = 1.0
        matrix[12:16] = (alpha, -1.0, -1.0, 3.0 if op in (Op.SKY, Op.WEATHER) else 0.0)
        self.matrices.append(matrix)
        first, base = self.quad(box, (z, z) if isinstance(z, int | float) else z)
        where = {"first": first, "base": base, "count": 6, "instance": len(self.matrices) - 1}
        self.add(op, state=own_state if state is None else state, material=row, **where)
        if detail:
            over = self.detail_of(kind, picture)
            self.add(op, state=S_DETAIL, flags=F_DETAIL, material=over, **where)

    def leaf(self, slot: int, cell: int, box: Sequence[float], z: Sequence[float]) -> None:
        """The ground of one cell of a block; a cell keeps the box that it was first given."""
        key = ("ground", slot)
        if key not in self.materials:
            words = np.zeros(8, np.uint32)
            words[0] = KIND_GROUND | 2 << 12
            self.materials[key] = (self.surfaces.add(words), 0)
            filler = np.zeros(384, np.uint32)
            self.leaves[slot]["first"] = self.indices.put(filler)
            self.leaves[slot]["base"] = 0
        extra = slot << 20 | self.materials[key][0]
        _, base = self.quad(box, z, extra)
        at = int(self.leaves[slot]["first"]) + 6 * cell
        corners = np.array((0, 1, 2, 0, 2, 3), np.uint32) + np.uint32(base)
        if not self.terrain_index[slot, 6 * cell : 6 * cell + 6].any():
            self.terrain_index[slot, 6 * cell : 6 * cell + 6] = corners
            self.indices.rewrite(at, corners)
        self.add(Op.TERRAIN, state=S_OPAQUE, first=at, count=6, instance=slot, material=0xFFFFFFFF)

    def opening(self, op: Op, box: Sequence[float], z: float = 0.0) -> None:
        """A punch, or a seal at depth z."""
        width, height = self.target.size
        x0, x1 = ((x + 1) / 2 * width for x in (box[0], box[2]))
        y0, y1 = ((y + 1) / 2 * height for y in (box[1], box[3]))
        z = PUNCH_Z if op == Op.PUNCH else z
        first = len(self.corners)
        self.corners += [
            (x0, y0, z),
            (x1, y0, z),
            (x1, y1, z),
            (x0, y0, z),
            (x1, y1, z),
            (x0, y1, z),
        ]
        self.add(op, state=S_MASK, layout=LAYOUT_PORTAL, first=first, count=6)

    def clear_depth(self) -> None:
        self.add(Op.CLEAR_DEPTH, state=S_CLEAR)

    # drawing ------------------------------------------------------------------------------

    def painter(self, order: Sequence[int] | None = None) -> Any:
        """What an executor takes for a painter; `order`: the records' places."""
        records = np.concatenate(self.records) if self.records else np.zeros(0, DRAW_DTYPE)
        if order is not None:
            records = records[list(order)]
        corners = np.array(self.corners or [(0, 0, 0)], np.float32)
        matrices = np.array(self.matrices or [np.zeros(16)], np.float32)
        leaves = int((records["op"] == Op.TERRAIN).sum())
        return SimpleNamespace(
            records=records,
            stream=records,
            count=len(records),
            instances=matrices,
            instance_count=len(self.matrices),
            portal_vertices=corners,
            frame=SimpleNamespace(portal_vertices=len(self.corners), leaves=leaves),
        )

    def show(self, executor: str = "batched", order: Sequence[int] | None = None) -> np.ndarray:
        """What an executor makes of the records; `plain` is batched without multi-draws."""
        self.surfaces.upload()
        if executor not in self.submitters:
            assets: Any = SimpleNamespace(
                vertices=self.vertices,
                indices=self.indices,
                surfaces=self.surfaces,
                pictures=SimpleNamespace(arrays=self.arrays),
                ground=SimpleNamespace(textures=self.ground, masks=self.masks),
                tables=SimpleNamespace(leaves=self.leaves),
                terrain_index=self.terrain_index,
            )
            device = self.device
            if executor == "plain":  # batched, on a device that has no more than OpenGL 3.3
                device = copy(device)
                device.version = 330
            name = "batched" if executor == "plain" else executor
            self.submitters[executor] = Submitter(device, assets, executor=name)
        self.target.begin(0.2, 0.4, 0.6)
        submitter = self.submitters[executor]
        submitter.draw(self.painter(order), self.frame, self.target, self.blocks, (0x7F, 0x7F))
        return self.target.read()

    def release(self) -> None:
        for owner in (*self.submitters.values(), *self.arrays, self.ground, self.masks):
            owner.release()
        for owner in (self.surfaces, self.vertices, self.indices, self.target):
            owner.release()


def random_board(board: Board, seed: int) -> None:
    """Fill a board: all blend rows, coplanar pairs, slants, openings, sky, details, faded parts."""
    board.clear()
    rng = np.random.default_rng(seed)
    boxes = [WHOLE]
    for _ in range(6):
        x, y = rng.uniform(-1, 0.4, 2)
        w, h = rng.uniform(0.3, 1.4, 2)
        boxes.append((float(x), float(y), float(min(x + w, 1)), float(min(y + h, 1))))
    planes = [tuple(float(v) for v in rng.uniform(-0.95, 0.95, 2)) for _ in range(4)]
    planes += [(float(v), float(v)) for v in rng.uniform(-0.95, 0.95, 3)]
    kinds = [*LADDER, *OPAQUE * 4]

    def thing(op: Op, state: int | None = None) -> None:
        board.draw(
            str(rng.choice(kinds)),
            boxes[int(rng.integers(len(boxes)))],
            planes[int(rng.integers(len(planes)))],
            op=op,
            picture=int(rng.integers(4)),
            alpha=float(rng.choice((1.0, 1.0, 1.0, 0.6))),
            detail=op in (Op.SHELL, Op.CELL) and rng.random() < 0.5,
            palettised=bool(rng.integers(2)),
            state=state,
        )

    for _ in range(int(rng.integers(0, 4))):
        thing(Op.SKY, state=5)
    for cell in range(int(rng.integers(0, 5))):
        board.leaf(int(rng.integers(2)), cell, boxes[cell], planes[cell])
    for _ in range(int(rng.integers(12, 36))):
        box = boxes[int(rng.integers(len(boxes)))]
        match int(rng.integers(14)):
            case 0:
                board.opening(Op.PUNCH, box)
            case 1:
                board.opening(Op.SEAL, box, planes[-1][0])
            case 2 if rng.random() < 0.4:
                board.clear_depth()
            case 3 | 12 | 13:
                cell = int(rng.integers(5))
                board.leaf(int(rng.integers(2)), cell, boxes[cell], planes[cell])
            case 4 | 5:
                thing(Op.SHELL)
            case 6 | 7:
                thing(Op.CELL)
            case 8:
                thing(Op.CLIP)
            case 9:
                thing(Op.ALPHA)
            case _:
                thing(Op.PART)
    for _ in range(int(rng.integers(0, 3))):
        thing(Op.WEATHER, state=5)


def random_walls(board: Board, seed: int) -> None:
    """Fill a board with walls and their detail passes: many slots in a row, often equally deep.

    Now and then a detail pass stands alone, without its surface.
    """
    board.clear()
    rng = np.random.default_rng(seed)
    boxes = [WHOLE, (-1.0, -1.0, 0.3, 0.6), (-0.4, -0.7, 1.0, 1.0), (-0.7, -0.3, 0.5, 0.9)]
    planes = [(0.4, -0.4), (-0.4, 0.4), (0.1, 0.1), (0.1, 0.1), (-0.2, 0.3)]
    for _ in range(int(rng.integers(8, 24))):
        kind = str(rng.choice([*OPAQUE * 6, "clip", "alpha clip", "translucent"]))
        box = boxes[int(rng.integers(len(boxes)))]
        if rng.random() < 0.06:
            board.opening(Op.PUNCH, box)
        detail = bool(rng.random() < 0.8)
        board.draw(
            kind,
            box,
            planes[int(rng.integers(len(planes)))],
            op=Op.SHELL,
            picture=int(rng.integers(4)),
            detail=detail,
        )
        if detail and rng.random() < 0.04:
            del board.records[-2]

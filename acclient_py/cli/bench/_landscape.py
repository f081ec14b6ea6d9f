"""The landscape that frames are measured on: hills, trees and houses by the thousand, one walker.

Made the same each time from two numbers, blocks a side and objects; kept as a DAT set in the cache,
so that the program opens it like any world and its own walk, membership and animation run on it.
The same meshes and places as plain arrays are what other engines are given (`Plain`).

Half of the objects stand in clumps, half anywhere; one in seventeen is a house (a plain mesh
without openings), the others are trees of fourteen kinds, about 200 triangles each. In the middle
walks a body of seventeen parts with a sword, a shield and a charm on the sword.
"""

from __future__ import annotations

import hashlib
import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct

from acclient_py import paths
from acclient_py.core import F32, F64, I64, U8, U32
from acclient_py.locks import one_at_a_time

BLOCK_M: Final = 192.0
CELL_M: Final = 24.0
MIDDLE: Final = 0x7F  # block index of the middle, both ways
TREES: Final = 14
HOUSES: Final = 6
STEP_M: Final = 0.5  # of the height table
LEVEL: Final = 100  # height index of the plain
PLAYER: Final = "0x50000001"
SEED: Final = 7
RUN_M_S: Final = 6.0


class Plan(Struct, frozen=True):
    """What stands where. `blocks` a side, odd; the middle one is 0x7F7F.

    heights : (n * 8 + 1, n * 8 + 1) uint8 [x, y], indices of the height table
    kind    : (objects,) 0..13 trees, 14..19 houses ; at : (objects, 3) float32 from the south-west
    heading : (objects,) radians, counter-clockwise
    """

    blocks: int
    heights: U8
    kind: I64
    at: F32
    heading: F32

    @property
    def first(self) -> int:
        """Block index of the south-western block, both ways."""
        return MIDDLE - self.blocks // 2


def plan(blocks: int, objects: int) -> Plan:
    """A landscape, the same each time."""
    rng = np.random.default_rng(SEED)
    n = blocks * 8 + 1
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    z: F64 = np.zeros((n, n))
    for k in range(1, 6):
        wave, other = rng.uniform(0.02, 0.12, 2) * k
        phase, turn = rng.uniform(0, 2 * math.pi, 2)
        z += 14.0 / k * np.sin(x * wave + phase) * np.cos(y * other + turn)
    z += rng.normal(0, 0.35, (n, n))
    heights = np.clip(np.rint(z / STEP_M) + LEVEL, 0, 255).astype(np.uint8)
    size = blocks * BLOCK_M
    clumps = rng.uniform(0, size, (max(1, objects // 40), 2))
    chosen = clumps[rng.integers(0, len(clumps), objects)] + rng.normal(0, 35, (objects, 2))
    near = rng.random(objects) < 0.5
    where = np.where(near[:, None], chosen, rng.uniform(0, size, (objects, 2)))
    where = np.clip(where, 1.0, size - 1.0)
    house = rng.random(objects) < 0.06
    kind = np.where(
        house, TREES + rng.integers(0, HOUSES, objects), rng.integers(0, TREES, objects)
    )
    at = np.column_stack((where, np.zeros(objects))).astype(np.float32)
    at[:, 2] = ground(heights, where)
    heading = rng.uniform(0, 2 * math.pi, objects).astype(np.float32)
    return Plan(blocks, heights, kind.astype(np.int64), at, heading)


def ground(heights: U8, where: F64) -> F64:
    """Metres above zero at (n, 2) places, from the four vertices around each."""
    z = heights.astype(np.float64) * STEP_M
    cell = np.minimum((where / CELL_M).astype(np.int64), len(heights) - 2)
    i, j = cell.T
    u, v = (where / CELL_M - cell).T
    low = z[i, j] * (1 - u) + z[i + 1, j] * u
    high = z[i, j + 1] * (1 - u) + z[i + 1, j + 1] * u
    found: F64 = low * (1 - v) + high * v
    return found


def recipe() -> str:
    """The meshes, the pictures and the body, as a recipe of one block of land."""
    lines = [
        f'include = ["{(paths.recipes() / "tiny" / "parts" / "doll.toml").as_posix()}"]',
        f"region = {{ heights = {STEP_M} }}",
        f'terrain = {{ blocks = ["{MIDDLE:02X}{MIDDLE:02X}", "{MIDDLE:02X}{MIDDLE:02X}"], '
        f"base = {LEVEL * STEP_M} }}",
    ]
    for k in range(TREES + HOUSES):
        red, green, blue = (60 + (37 * (k + 1) * (c + 3)) % 140 for c in range(3))
        colours = [
            f"#{red:02x}{green:02x}{blue:02x}",
            f"#{red // 2 + 60:02x}{green:02x}{blue // 2:02x}",
        ]
        lines.append(
            f"[texture.skin{k}]\nsize = 64\nsupersample = 1\n"
            f'layers = [{{ kind = "noise", scale = 8, octaves = 2, seed = {k}, '
            f'colors = ["{colours[0]}", "{colours[1]}"] }}]'
        )
    for k in range(TREES):
        high = 5 + 0.7 * k
        pieces = [
            _piece(k, shape="lathe", segments=8, profile=[[0.25 + 0.02 * k, 0], [0.25, high * 0.3]])
        ]
        for j in range(4):
            wide, low = (2.2 - 0.45 * j) * (1 + 0.05 * k), high * (0.25 + 0.17 * j)
            profile = [[0.01, low], [wide, low], [0.01, low + high * 0.32]]
            pieces.append(_piece(k, shape="lathe", segments=11, profile=profile))
        lines.append(f"[mesh.kind{k}]\npieces = [{', '.join(pieces)}]")
    for k in range(HOUSES):
        w, d, h = 5 + 0.8 * k, 7 + 0.6 * k, 4 + 0.3 * k
        walls = [
            _piece(
                TREES + k,
                shape="wall",
                length=length,
                height=h,
                at=at,
                rotate=[0, 0, turn],
                openings=[
                    {"at": 1.5, "width": 0.8, "height": 1.0, "sill": 1.0},
                    {"at": 3.5, "width": 0.8, "height": 1.0, "sill": 1.0},
                ],
            )
            for length, at, turn in (
                (w, [0, -d / 2, 0], 0),
                (w, [0, d / 2, 0], 180),
                (d, [-w / 2, 0, 0], 270),
                (d, [w / 2, 0, 0], 90),
            )
        ]
        roof = _piece(TREES + k, shape="gable", size=[w, d], rise=h * 0.6, at=[0, 0, h])
        lines.append(f"[mesh.kind{TREES + k}]\npieces = [{', '.join([*walls, roof])}]")
    for k in range(TREES + HOUSES):
        lines.append(f'[[static]]\nmodel = "kind{k}"\nblock = "7F7F"\nat = [{8 * k + 10}, 10]')
    return "\n".join(lines) + "\n"


def _piece(skin: int, **keys: Any) -> str:
    """One piece of a mesh in the recipe's words."""

    def word(value: Any) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{k} = {word(v)}" for k, v in value.items()) + " }"
        if isinstance(value, str):
            return f'"{value}"'
        if isinstance(value, list):
            return "[" + ", ".join(map(word, value)) + "]"
        return f"{value:g}"

    written = ", ".join(f"{name} = {word(value)}" for name, value in keys.items())
    return f'{{ {written}, surface = "skin{skin}", solid = false }}'


def folder(blocks: int, objects: int) -> Path:
    """The DAT set of a landscape, made now if the cache has none."""
    from acclient_py.cli.worlds import baker_key

    text = recipe()
    made_from = Path(__file__).read_bytes() + text.encode() + baker_key().encode()
    key = hashlib.sha256(made_from).hexdigest()[:16]
    kept = paths.usable_cache_dir() / "bench"
    kept.mkdir(parents=True, exist_ok=True)
    found = kept / f"landscape-{blocks}-{objects}-{key}"
    if not found.is_dir():
        with one_at_a_time(kept / "landscape.lock"):
            if not found.is_dir():
                beside = found.with_suffix(".part")
                shutil.rmtree(beside, ignore_errors=True)
                _write(beside, text, plan(blocks, objects))
                beside.rename(found)
    return found


def _write(out: Path, text: str, land: Plan) -> None:
    """Bake the recipe, then put the whole land's blocks in place of its one."""
    from acclient_py.bake.bake import bake_recipe
    from acclient_py.core.frame import Frame
    from acclient_py.dat.dataset import DatSet
    from acclient_py.dat.records import LandBlock, LandBlockInfo, Stab
    from acclient_py.dat.writer import CELL, build

    source = out.with_suffix(".toml")
    source.write_text(text, encoding="utf-8")
    bake_recipe(source, out)
    with DatSet.open(out) as dats:
        sample = dats.record(MIDDLE << 24 | MIDDLE << 16 | 0xFFFE)
        assert isinstance(sample, LandBlockInfo), "the recipe's block has statics"
        models = [stab.id for stab in sample.objects]
    records: dict[int, bytes] = {}
    stabs: dict[int, list[Stab]] = {}
    block = (land.at[:, :2] / BLOCK_M).astype(np.int64)
    for k, (bx, by), (x, y, z), turn in zip(
        land.kind.tolist(), block.tolist(), land.at.tolist(), land.heading.tolist(), strict=True
    ):
        frame = Frame(
            (x - bx * BLOCK_M, y - by * BLOCK_M, z), (math.cos(turn / 2), 0, 0, math.sin(turn / 2))
        )
        number = land.first + bx << 8 | land.first + by
        stabs.setdefault(number, []).append(Stab(models[k], frame))
    grass = np.full(81, 1 << 2, np.uint16)
    for bx in range(land.blocks):
        for by in range(land.blocks):
            number = land.first + bx << 8 | land.first + by
            heights = land.heights[bx * 8 : bx * 8 + 9, by * 8 : by * 8 + 9].reshape(-1)
            here = stabs.get(number, [])
            record = LandBlock(number << 16 | 0xFFFF, int(bool(here)), grass, heights)
            records[record.id] = record.write()
            if here:
                info = LandBlockInfo(number << 16 | 0xFFFE, 0, tuple(here), ())
                records[info.id] = info.write()
    build(out / CELL.name, records, CELL)


@contextmanager
def stage(blocks: int, objects: int) -> Iterator[Any]:
    """A host on a landscape, everything in full detail, the walker running in the middle."""
    from acclient_py.dat.dataset import DatSet
    from acclient_py.host.host import Host

    with DatSet.open(folder(blocks, objects)) as dats:
        reach = blocks // 2
        host = Host(dats, detail_radius=reach, mid_radius=reach, crossings=False)
        middle = np.array([[blocks * BLOCK_M / 2, blocks * BLOCK_M / 2]])
        z = float(ground(plan(blocks, 0).heights, middle)[0])
        _step(
            host, do="create", guid=PLAYER, instance=3, setup="0x02000001", player=True,
            at={"cell": f"0x{MIDDLE:02X}{MIDDLE:02X}001C", "origin": [96.0, 96.0, z + 0.1],
                "rotation": [1, 0, 0, 0]},
        )  # fmt: skip
        for guid, setup, parent, location in (
            ("0x80000010", "0x02000010", PLAYER, 1),
            ("0x80000011", "0x02000011", PLAYER, 3),
            ("0x80000012", "0x02000012", "0x80000010", 1),
        ):
            _step(host, do="create", guid=guid, setup=setup, parent=parent, location=location)
        _step(host, do="camera", follow=PLAYER, view="default")
        host.tick(10)
        try:
            yield host
        finally:
            host.close()


def _step(host: Any, **fields: Any) -> None:
    import json

    from acclient_py.host import scenario

    host.step(scenario.parse_step(json.dumps(fields)))


class Plain(Struct, frozen=True):
    """The same landscape as arrays, for engines that know nothing of DATs.

    vertices : per kind (n, 8) float32 x y z nx ny nz u v ; indices : per kind (m,) uint32 triangles
    """

    plan: Plan
    vertices: tuple[F32, ...]
    indices: tuple[U32, ...]

    def block(self, bx: int, by: int) -> tuple[F32, U32]:
        """The ground of a block as the meshes are given, counted from the south-western one."""
        n = 9
        x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        heights = self.plan.heights[bx * 8 : bx * 8 + n, by * 8 : by * 8 + n] * np.float32(STEP_M)
        east, north = (np.gradient(heights, CELL_M, axis=axis) for axis in (0, 1))
        normal = np.stack((-east, -north, np.ones_like(heights)), axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        made = np.zeros((n, n, 8), np.float32)
        made[..., 0], made[..., 1] = bx * BLOCK_M + x * CELL_M, by * BLOCK_M + y * CELL_M
        made[..., 2], made[..., 3:6] = heights, normal
        made[..., 6], made[..., 7] = x, y
        at = np.add.outer(np.arange(n - 1) * n, np.arange(n - 1)).reshape(-1, 1)
        corners = at + np.array([[0, n, n + 1, 0, n + 1, 1]])
        return made.reshape(-1, 8), corners.reshape(-1).astype(np.uint32)


def plain(blocks: int, objects: int) -> Plain:
    """The landscape for others: the meshes are read from the DAT set that this program opens."""
    from acclient_py.dat.dataset import DatSet

    vertices, indices = [], []
    with DatSet.open(folder(blocks, objects)) as dats:
        for did in models(dats):
            record = dats.record(did)
            array = record.vertices
            rows: list[Any] = []
            for polygon in record.polygons:
                corners = [
                    (*array.positions[v], *array.normals[v], *array.uvs[array.uv_first[v] + uv])
                    for v, uv in zip(polygon.vertex_indices, polygon.pos_uv, strict=True)
                ]
                for k in range(1, len(corners) - 1):
                    rows += [corners[0], corners[k], corners[k + 1]]
            vertices.append(np.array(rows, np.float32))
            indices.append(np.arange(len(rows), dtype=np.uint32))
    return Plain(plan(blocks, objects), tuple(vertices), tuple(indices))


def models(dats: Any) -> list[int]:
    """The ids of the kinds, in order: the recipe's middle block lists each once."""
    import json

    ids = json.loads((dats.folder / "names.json").read_text("utf-8"))
    return [int(ids["ids"][f"mesh kind{k}"], 16) for k in range(TREES + HOUSES)]

"""Files that another program wrote: every record reads as that program says, and is rewritten.

Both sides are laid out as one long list of values in the order of the format; the whole list has
to agree. The files and their listings lie in the shared folder and are never copied.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.dat import records as rec
from acclient_py.dat.container import DatFile

FILES = {"portal": "client_portal.dat", "cell": "client_cell_1.dat"}
HIDDEN = {"mask", "restriction_buckets", "second_id", "stray_count"}  # not in the listing


def listing(shared: Path, name: str) -> list[dict[str, Any]]:
    path = shared / "oracle" / "dats" / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return rows[1:]


def theirs(value: Any) -> Iterator[Any]:
    """The listing's values in the order of the format."""
    if isinstance(value, dict):
        if "SplittingPlane" in value:
            yield value["Type"]
            if value["Type"] != rec.bsp.LEAF:
                yield from theirs(value["SplittingPlane"])
            for child in ("PosNode", "NegNode"):
                yield from theirs(value[child]) if value[child] else ["no child"]
            for name in ("LeafIndex", "Solid", "BoundingSphere", "Polygons", "Portals"):
                yield from theirs(value.get(name, []))
        elif "HookType" in value:
            yield value["HookType"]
            yield (value["Direction"] + 0x80000000) % 0x100000000 - 0x80000000
            for name, field in value.items():
                if name not in ("HookType", "Direction"):
                    yield from theirs(field)
        elif "Blue" in value:
            yield value["Alpha"] << 24 | value["Red"] << 16 | value["Green"] << 8 | value["Blue"]
        else:
            for field in value.values():
                yield from theirs(field)
    elif isinstance(value, list):
        for item in value:
            yield from theirs(item)
    elif value is not None:
        yield int(value) if isinstance(value, bool) else value


def tree(value: rec.BspTree, index: int = 0) -> Iterator[Any]:
    node = value.nodes[index]
    yield int(node["tag"])
    if node["tag"] != rec.bsp.LEAF:
        yield from node["plane"].tolist()
    for side in ("positive", "negative"):
        yield from tree(value, int(node[side])) if node[side] >= 0 else ["no child"]
    yield int(node["leaf"])
    if value.kind == rec.BspKind.PHYSICS:
        yield int(node["solid"])
    if value.kind != rec.BspKind.CELL:
        yield from node["sphere"].tolist()
    yield from value.polygons_of(index).tolist()
    yield from value.portals_of(index).reshape(-1).tolist()


def ours(value: Any) -> Iterator[Any]:
    """A record's values in the order of the format."""
    if isinstance(value, rec.BspTree):
        yield from tree(value)
    elif isinstance(value, rec.VertexArray):
        yield value.type
        for row, first in zip(value.vertices, value.uv_first, strict=True):
            yield from (int(row["id"]), *row["position"].tolist(), *row["normal"].tolist())
            yield from value.uvs[first : first + row["uv_count"]].reshape(-1).tolist()
    elif isinstance(value, rec.Hook):
        yield from (value.type, value.direction)
        yield from ours(tuple(value.fields.values()))
    elif isinstance(value, rec.MotionData):
        yield from (value.bitfield, value.flags)
        yield from ours((value.anims, value.velocity, value.omega))
    elif isinstance(value, Frame):
        yield from (*value.origin, *value.rotation)
    elif isinstance(value, np.ndarray):
        if value.dtype == np.uint8:
            yield value.tobytes().hex()
        else:
            yield from value.reshape(-1).tolist()
    elif isinstance(value, bytes):
        yield value.hex()
    elif isinstance(value, tuple | rec.Polygons):
        for item in value:
            yield from ours(item)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            if name not in HIDDEN:
                yield from ours(getattr(value, name))
    elif value is not None:
        yield value


def expected(row: dict[str, Any]) -> list[Any]:
    """The values that a row announces, moved to where the format has them."""
    obj = dict(row["obj"])
    record_id, category = obj.pop("Id"), obj.pop("DataCategory")
    head: list[Any] = [] if row["type"] == "Surface" else [record_id]
    if row["type"] in ("SurfaceTexture", "RenderSurface"):
        head.append(category)
    if row["type"] == "Surface":
        obj["ColorValue"] = obj["ColorValue"] or 0
    if row["type"] == "Setup":
        del obj["NumParts"]
    if row["type"] == "EnvCell":
        obj["Surfaces"] = [rec.env_cell.SURFACE_BASE | low for low in obj["Surfaces"]]
        obj["EnvironmentId"] |= rec.env_cell.ENVIRONMENT_BASE
        if not obj["Flags"] & 8:
            del obj["RestrictionObj"]
    if row["type"] == "Region":
        assert obj.pop("Version") == 3
        assert obj["TerrainInfo"]["LandSurfaces"].pop("Type") == 0
    return head + list(theirs(obj))


def normal(values: list[Any]) -> list[Any]:
    """Numbers as float32, whole numbers as they are: the listing has shortest float32 texts."""
    return [float(np.float32(v)) if isinstance(v, float) else v for v in values]


@pytest.mark.parametrize("name", FILES)
def test_every_record_reads_as_its_listing_says(shared: Path, name: str) -> None:
    """Sabotage: exchange two fields in any `unpack`; the record's line then differs."""
    kinds: Counter[str] = Counter()
    with DatFile.open(shared / "oracle" / "dats" / FILES[name]) as dat:
        for row in listing(shared, name):
            record: Any = rec.read_record(row["id"], dat.read(row["id"]), name)
            kinds[row["type"]] += 1
            if row["type"] == "Iteration":
                first, length = row["obj"]["Iterations"][0]
                assert list(record) == list(range(first, first - length))
                continue
            assert normal(list(ours(record))) == normal(expected(row)), f"0x{row['id']:08X}"
        assert sum(kinds.values()) == sum(1 for _ in dat.entries())
    assert len(kinds) == {"portal": 17, "cell": 4}[name], kinds


@pytest.mark.parametrize("name", FILES)
def test_every_record_is_rewritten_to_the_same_bytes_but_for_padding(
    shared: Path, name: str
) -> None:
    """Where the writer's own repacking is the same, so is ours; else only pad bytes differ.

    A pad byte is one that we write as zero, and whose change makes no other record.
    """
    with DatFile.open(shared / "oracle" / "dats" / FILES[name]) as dat:
        for row in listing(shared, name):
            data = dat.read(row["id"])
            written = rec.read_record(row["id"], data, name).write()
            assert len(written) == len(data)
            if row["repack"] == "same":
                assert written == data
                continue
            differing = [at for at, (a, b) in enumerate(zip(written, data, strict=True)) if a != b]
            for at in differing:
                assert written[at] == 0
                other = bytearray(written)
                other[at] = 0x5A
                assert rec.read_record(row["id"], bytes(other), name).write() == written
            assert len(differing) <= (1 if row["type"] == "LandBlock" else len(data) // 10)

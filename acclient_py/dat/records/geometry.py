"""Vertex arrays, shared by GfxObj and cell structures.

Vertices are numpy arrays: positions and normals by row, texture coordinates in one list with a
first index and a count for each vertex. Corners of polygons mean places in these arrays, never the
stored ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.gather import items_at, runs

VERTEX_DTYPE: Final = np.dtype(
    [
        ("id", "<u2"),  # the place in the array, in sound records
        ("uv_count", "<u2"),
        ("position", "<f4", 3),
        ("normal", "<f4", 3),
    ]
)
"""The fixed head of a stored vertex, 28 bytes; uv_count pairs of float32 follow it."""

VERTEX_TYPE_CSW: Final = 1


class VertexArray(Struct, frozen=True, eq=False):
    """The vertices of a mesh, in file order.

    vertices : (n,) VERTEX_DTYPE
    uvs      : (m, 2) float32, all vertices' pairs one after the other; v grows downwards
    uv_first : (n,) int32, each vertex's first row in `uvs`
    """

    type: int  # 1, CSWVertex
    vertices: npt.NDArray[Any]
    uvs: npt.NDArray[np.float32]
    uv_first: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.vertices)

    @property
    def positions(self) -> npt.NDArray[np.float32]:
        """(n, 3) float32."""
        positions: npt.NDArray[np.float32] = self.vertices["position"]
        return positions

    @property
    def normals(self) -> npt.NDArray[np.float32]:
        """(n, 3) float32."""
        normals: npt.NDArray[np.float32] = self.vertices["normal"]
        return normals

    @classmethod
    def make(
        cls,
        positions: npt.ArrayLike,
        normals: npt.ArrayLike,
        uvs: Sequence[Sequence[tuple[float, float]]],
    ) -> Self:
        """Vertices from rows: (n, 3) positions, (n, 3) normals, and each vertex's uv pairs."""
        where = np.asarray(positions, np.float32).reshape(-1, 3)
        vertices = np.zeros(len(where), VERTEX_DTYPE)
        vertices["id"] = np.arange(len(where))
        vertices["uv_count"] = [len(pairs) for pairs in uvs]
        vertices["position"] = where
        vertices["normal"] = np.asarray(normals, np.float32).reshape(-1, 3)
        flat = [pair for pairs in uvs for pair in pairs]
        return cls(
            VERTEX_TYPE_CSW,
            vertices,
            np.asarray(flat, np.float32).reshape(-1, 2),
            _first_of(vertices["uv_count"]),
        )

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        kind = cursor.i32()
        count = cursor.count32(VERTEX_DTYPE.itemsize)
        start = cursor.at
        sizes = _equal_uv_counts(cursor, count)
        if sizes is not None:
            stride = VERTEX_DTYPE.itemsize + 8 * sizes
            rows = cursor.array(np.dtype((np.void, stride)), count) if count else None
            if rows is None:
                vertices, uvs = np.zeros(0, VERTEX_DTYPE), np.zeros((0, 2), np.float32)
            else:
                raw = rows.view(np.uint8).reshape(count, stride)
                vertices = np.ascontiguousarray(raw[:, :28]).view(VERTEX_DTYPE).reshape(count)
                uvs = np.ascontiguousarray(raw[:, 28:]).view("<f4").reshape(-1, 2)
        else:
            vertices, uvs = _unpack_uneven(cursor, count)
        assert cursor.at == start + 28 * count + 8 * len(uvs), "vertices lie end to end"
        for values in (vertices, uvs):
            values.setflags(write=False)
        return cls(kind, vertices, uvs, _first_of(vertices["uv_count"]))

    def pack(self, out: Packer) -> None:
        out.i32(self.type)
        count = len(self.vertices)
        out.u32(count)
        heads = np.ascontiguousarray(self.vertices, VERTEX_DTYPE)
        uvs = np.ascontiguousarray(self.uvs, "<f4").reshape(-1, 2)
        sizes = heads["uv_count"].astype(np.int64)
        assert int(sizes.sum()) == len(uvs), "uv_count must add up to the number of pairs"
        ends = np.cumsum(28 + 8 * sizes)
        raw = np.empty(28 * count + 8 * len(uvs), np.uint8)
        is_head = np.zeros(len(raw), bool)
        is_head[((ends - 28 - 8 * sizes)[:, None] + np.arange(28)).reshape(-1)] = True
        raw[is_head] = heads.view(np.uint8)
        raw[~is_head] = uvs.view(np.uint8).reshape(-1)
        out.bytes(raw.tobytes())


def _first_of(counts: npt.NDArray[np.uint16]) -> npt.NDArray[np.int32]:
    """Running start of each run."""
    first = np.zeros(len(counts), np.int32)
    if len(counts) > 1:
        np.cumsum(counts[:-1], out=first[1:])
    first.setflags(write=False)
    return first


def _equal_uv_counts(cursor: Cursor, count: int) -> int | None:
    """The uv count that all vertices have, None when they differ (or do not fit that way)."""
    if count == 0:
        return 0
    data, at = cursor.data, cursor.at
    first = int.from_bytes(data[at + 2 : at + 4], "little")
    stride = VERTEX_DTYPE.itemsize + 8 * first
    if count * stride > cursor.remaining:
        return None
    raw = np.frombuffer(data, np.uint8, count * stride, at).reshape(count, stride)
    same = (raw[:, 2] == first & 0xFF) & (raw[:, 3] == first >> 8)
    return first if bool(same.all()) else None


def _unpack_uneven(cursor: Cursor, count: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32]]:
    """Vertices with differing uv counts: their places one by one, then all at once."""
    data, size, start = cursor.data, cursor.size, cursor.at
    at, last = start, size - VERTEX_DTYPE.itemsize
    places: list[int] = []
    found = places.append
    for _ in range(count):
        found(at)
        if at > last:
            break
        at += 28 + 8 * data[at + 2] + 2048 * data[at + 3]
    if at > size or (places and places[-1] > last):
        cursor.need(places[-1] - start)
        cursor.need(max(28, at - places[-1]))  # says so
    cursor.need(at - start)
    begun = np.array(places, np.int64)
    vertices = items_at(data, VERTEX_DTYPE, begun)
    pairs = items_at(data, "V8", runs(begun + 28, vertices["uv_count"].astype(np.int64), 8))
    return vertices, pairs.view("<f4").reshape(-1, 2)

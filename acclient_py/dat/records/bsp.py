"""BSP trees: cell, physics and drawing, stored flat in the order of the file.

The nodes of a tree stand in one structured array in pre-order; children are indices into it,
-1 for none. Reading and writing walk with an explicit stack, so depth costs memory in
proportion to the bytes that are there and nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.common import Pair, Sphere, Vec3


class BspKind(IntEnum):
    """Which of the three layouts a tree has; known from its place in the record."""

    CELL = 0
    PHYSICS = 1
    DRAWING = 2


def tag_code(name: str) -> int:
    """The u32 of a four-letter tag; the letters stand in reverse in the file."""
    return int.from_bytes(name.encode("ascii"), "big")


def tag_name(tag: int) -> str:
    """The four letters of a tag."""
    return tag.to_bytes(4, "big").decode("latin-1")


LEAF: Final = tag_code("LEAF")
PORT: Final = tag_code("PORT")
# whether a node of this tag stores a positive and a negative child
_NO_CHILDREN: Final = (False, False)
_CHILDREN: Final = {
    **dict.fromkeys(map(tag_code, ("PORT", "BPIN", "BPnN")), (True, True)),
    **dict.fromkeys(map(tag_code, ("BPnn", "BPIn")), (True, False)),
    **dict.fromkeys(map(tag_code, ("BpIN", "BpnN")), (False, True)),
}

BSP_NODE_DTYPE: Final = np.dtype(
    [
        ("tag", "<u4"),
        ("plane", "<f4", 4),  # nx ny nz d; zero in a LEAF
        ("sphere", "<f4", 4),  # x y z r; zero where the kind stores none
        ("positive", "<i4"),  # node index, -1 none
        ("negative", "<i4"),
        ("leaf", "<i4"),  # leaf index, LEAF only
        ("solid", "<i4"),  # physics LEAF only
        ("polygon_first", "<i4"),  # run in BspTree.polygons
        ("polygon_count", "<i4"),
        ("portal_first", "<i4"),  # run in BspTree.portals
        ("portal_count", "<i4"),
    ]
)


class BspNode(Struct, frozen=True):
    """A node as a tree of objects: what a builder of trees hands to `BspTree.from_node`."""

    tag: str  # four letters
    plane: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    positive: BspNode | None = None
    negative: BspNode | None = None
    sphere: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    polygons: tuple[int, ...] = ()
    portals: tuple[Pair, ...] = ()  # (polygon, portal index)
    leaf: int = 0
    solid: int = 0


class BspTree(Struct, frozen=True, eq=False):
    """One tree; node 0 is the root.

    nodes    : (n,) BSP_NODE_DTYPE in pre-order
    polygons : (m,) uint16, places in the list of the tree's kind (drawing or physics polygons)
    portals  : (k, 2) uint16, rows (polygon, portal index)
    """

    kind: BspKind
    nodes: npt.NDArray[Any]
    polygons: npt.NDArray[np.uint16]
    portals: npt.NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.nodes)

    def polygons_of(self, index: int) -> npt.NDArray[np.uint16]:
        """The polygons listed in one node."""
        node = self.nodes[index]
        first = int(node["polygon_first"])
        return self.polygons[first : first + int(node["polygon_count"])]

    def portals_of(self, index: int) -> npt.NDArray[np.uint16]:
        """The (polygon, portal index) rows of one PORT node."""
        node = self.nodes[index]
        first = int(node["portal_first"])
        return self.portals[first : first + int(node["portal_count"])]

    @property
    def root_sphere(self) -> Sphere:
        """The sphere of the whole tree (zero where the root stores none)."""
        x, y, z, radius = self.nodes["sphere"][0].tolist()
        center: Vec3 = (x, y, z)
        return Sphere(center, radius)

    @classmethod
    def from_node(cls, kind: BspKind, root: BspNode) -> Self:
        """Flatten a tree of objects. Children that a tag does not announce are a ValueError."""
        rows: list[BspNode] = []
        links: list[list[int]] = []
        stack: list[tuple[BspNode, int, int]] = [(root, -1, 0)]
        while stack:
            node, parent, side = stack.pop()
            index = len(rows)
            rows.append(node)
            links.append([-1, -1])
            if parent >= 0:
                links[parent][side] = index
            wants = _CHILDREN.get(tag_code(node.tag), _NO_CHILDREN)
            if wants != (node.positive is not None, node.negative is not None):
                raise ValueError(f"a {node.tag} node with other children than its tag says")
            if node.negative is not None:
                stack.append((node.negative, index, 1))
            if node.positive is not None:
                stack.append((node.positive, index, 0))
        nodes = np.zeros(len(rows), BSP_NODE_DTYPE)
        nodes["tag"] = [tag_code(node.tag) for node in rows]
        nodes["plane"] = [node.plane for node in rows]
        nodes["sphere"] = [node.sphere for node in rows]
        nodes["positive"], nodes["negative"] = np.array(links, np.int32).T
        nodes["leaf"] = [node.leaf for node in rows]
        nodes["solid"] = [node.solid for node in rows]
        portals = [tuple(word for pair in node.portals for word in pair) for node in rows]
        return cls(
            kind,
            nodes,
            _lists(nodes, "polygon", [node.polygons for node in rows], 1),
            _lists(nodes, "portal", portals, 2).reshape(-1, 2),
        )

    @classmethod
    def unpack(cls, cursor: Cursor, kind: BspKind) -> Self:
        """Read a tree. Every node takes at least 8 bytes, which bounds it."""
        read = _Reader(cursor, kind).run()
        tree = cls(kind, read.nodes, read.polygons, read.portals)
        for values in (tree.nodes, tree.polygons, tree.portals):
            values.setflags(write=False)
        return tree

    def pack(self, out: Packer) -> None:
        """Append the tree in pre-order, each node's tail behind its children."""
        kind = self.kind
        stack = [(0, False)]
        while stack:
            index, is_tail = stack.pop()
            node = self.nodes[index]
            tag = int(node["tag"])
            if is_tail:
                out.array(node["sphere"], "<f4")
                if kind == BspKind.DRAWING:
                    self._pack_lists(out, index, tag)
                continue
            out.u32(tag)
            if tag == LEAF:
                out.i32(int(node["leaf"]))
                if kind == BspKind.PHYSICS:
                    out.i32(int(node["solid"]))
                    out.array(node["sphere"], "<f4")
                    self._pack_lists(out, index, tag)
                continue
            out.array(node["plane"], "<f4")
            if kind == BspKind.DRAWING or (kind == BspKind.PHYSICS and tag != PORT):
                stack.append((index, True))
            if int(node["negative"]) >= 0:
                stack.append((int(node["negative"]), False))
            if int(node["positive"]) >= 0:
                stack.append((int(node["positive"]), False))

    def _pack_lists(self, out: Packer, index: int, tag: int) -> None:
        polygons, portals = self.polygons_of(index), self.portals_of(index)
        out.u32(len(polygons))
        if tag == PORT:
            out.u32(len(portals))
        out.array(polygons, "<u2")
        if tag == PORT:
            out.array(portals, "<u2")


_NO_FLOATS: Final = bytes(16)
_HEAD: Final = struct.Struct("<Ii")  # of a leaf: tag, index


class _Reader:
    """The walk that reads a tree: heads in pre-order, tails filled in behind the children.

    A world's start reads some ten thousand nodes, so the head is read without a call a field.
    """

    def __init__(self, cursor: Cursor, kind: BspKind) -> None:
        self.cursor = cursor
        self.kind = kind
        self.planes: list[bytes] = []
        self.spheres: list[bytes] = []
        self.numbers: list[list[int]] = []  # the columns of BSP_NODE_DTYPE without the floats
        self.polygons: list[tuple[int, ...]] = []
        self.portals: list[tuple[int, ...]] = []

    def run(self) -> BspTree:
        """Read from the root to the last tail."""
        cursor, data, head = self.cursor, self.cursor.data, _HEAD.unpack_from
        is_physics, is_drawing = self.kind == BspKind.PHYSICS, self.kind == BspKind.DRAWING
        rows, planes, spheres = self.numbers, self.planes, self.spheres
        # (index, -1): the tail of a node; (parent, side): a child that is still to be read
        stack: list[tuple[int, int]] = [(-1, 0)]
        while stack:
            owner, side = stack.pop()
            if side < 0:
                self.tail(owner)
                continue
            index = len(rows)
            at = cursor.need(8)  # a plane's first word, unless it is a leaf
            tag, leaf = head(data, at)
            if owner >= 0:
                rows[owner][1 + side] = index
            numbers = [tag, -1, -1, 0, 0]
            rows.append(numbers)
            spheres.append(_NO_FLOATS)
            self.polygons.append(())
            self.portals.append(())
            if tag == LEAF:
                planes.append(_NO_FLOATS)
                numbers[3] = leaf
                if is_physics:
                    numbers[4] = cursor.i32()
                    self.tail(index)
                continue
            cursor.need(12)
            planes.append(data[at + 4 : at + 20])
            if is_drawing or (is_physics and tag != PORT):
                stack.append((index, -1))
            has_positive, has_negative = _CHILDREN.get(tag, _NO_CHILDREN)
            if has_negative:
                stack.append((index, 1))
            if has_positive:
                stack.append((index, 0))
        nodes = np.zeros(len(rows), BSP_NODE_DTYPE)
        nodes["plane"] = np.frombuffer(b"".join(planes), "<f4").reshape(-1, 4)
        nodes["sphere"] = np.frombuffer(b"".join(spheres), "<f4").reshape(-1, 4)
        columns = np.array(rows, np.int64)
        for column, name in enumerate(("tag", "positive", "negative", "leaf", "solid")):
            nodes[name] = columns[:, column]
        return BspTree(
            self.kind,
            nodes,
            _lists(nodes, "polygon", self.polygons, 1),
            _lists(nodes, "portal", self.portals, 2).reshape(-1, 2),
        )

    def tail(self, index: int) -> None:
        """Sphere and lists of a node: what the file stores behind its children."""
        cursor, tag = self.cursor, self.numbers[index][0]
        self.spheres[index] = cursor.bytes(16)
        if self.kind != BspKind.DRAWING and tag != LEAF:
            return
        polygon_count = cursor.u32()
        portal_count = cursor.u32() if tag == PORT else 0
        if polygon_count:
            self.polygons[index] = cursor.u16s(cursor.count(polygon_count, 2))
        if portal_count:
            self.portals[index] = cursor.u16s(2 * cursor.count(portal_count, 4))


def _lists(
    nodes: npt.NDArray[Any], name: str, runs: Sequence[tuple[int, ...]], width: int
) -> npt.NDArray[np.uint16]:
    """Lay the nodes' lists end to end in node order and note each one's run in the nodes."""
    counts = np.array([len(run) // width for run in runs], np.int64)
    nodes[f"{name}_count"] = counts
    nodes[f"{name}_first"] = np.cumsum(counts) - counts
    return np.array([value for run in runs for value in run], np.uint16)

"""BSP trees: cell, physics and drawing, stored flat in the order of the file.

The nodes of a tree stand in one structured array in pre-order; children are indices into it,
-1 for none. Reading and writing walk with an explicit stack, so depth costs memory in
proportion to the bytes that are there and nothing else.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final, NoReturn, Self

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
        return cls(kind, *_Reader(cursor, kind).run())

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


_POSITIVE: Final = 1
_NEGATIVE: Final = 2
_STORED: Final = {  # by a tag's bytes: which children the node stores
    tag.to_bytes(4, "little"): _POSITIVE * has_positive | _NEGATIVE * has_negative
    for tag, (has_positive, has_negative) in _CHILDREN.items()
}
_LEAF_BYTES: Final = LEAF.to_bytes(4, "little")
_PORT_BYTES: Final = PORT.to_bytes(4, "little")

# a row of BSP_NODE_DTYPE is put together of stored bytes and of these
_ROW: Final = BSP_NODE_DTYPE.itemsize
_NEGATIVE_AT: Final = 40  # where in a row
_SPHERE_AT: Final = 20
_INT: Final = struct.Struct("<i")
_BEHIND_PLANE: Final = struct.Struct("<16x2i24x")  # the children
_LEAF_FRONT: Final = _LEAF_BYTES + bytes(16)
_CHILDLESS: Final = struct.pack("<2i", -1, -1)
_NO_LISTS: Final = bytes(16)


class _Reader:
    """The walk that reads a tree: heads in pre-order, tails filled in behind the children.

    A world's start reads some ten thousand nodes, so it puts the rows together as bytes.
    """

    def __init__(self, cursor: Cursor, kind: BspKind) -> None:
        self.cursor = cursor
        self.kind = kind
        self.rows = bytearray()
        self.polygons: dict[int, bytes] = {}  # by node; lists that are not empty
        self.portals: dict[int, bytes] = {}

    def run(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
        """Nodes, polygons and portals of the tree, read to its last tail."""
        self._walk()
        nodes = np.frombuffer(self.rows, BSP_NODE_DTYPE)
        polygons = _laid_out(nodes, "polygon", self.polygons, 2)
        portals = _laid_out(nodes, "portal", self.portals, 4).reshape(-1, 2)
        nodes.setflags(write=False)
        return nodes, polygons, portals

    def _walk(self) -> None:
        cursor, data, size, rows = self.cursor, self.cursor.data, self.cursor.size, self.rows
        is_physics, is_drawing = self.kind == BspKind.PHYSICS, self.kind == BspKind.DRAWING
        stored, behind_plane, word = _STORED, _BEHIND_PLANE.pack, int.from_bytes
        at, node = cursor.at, -1
        # ~node: the tail of a node; node: its negative child; still to be read
        stack: list[int] = []
        while True:
            node += 1
            tag = data[at : at + 4]
            if tag != _LEAF_BYTES:
                begin, at = at, at + 20
                if at > size:
                    cursor.at = begin
                    cursor.need(8)  # a plane's first word, unless it is a leaf
                    cursor.need(12)
                children = stored.get(tag, 0)
                rows += data[begin:at]
                rows += behind_plane(node + 1 if children & _POSITIVE else -1, -1)
                if is_drawing or (is_physics and tag != _PORT_BYTES):
                    stack.append(~node)
                if children & _NEGATIVE:
                    stack.append(node)
                if children & _POSITIVE:
                    continue
            elif is_physics:
                begin, at = at, at + 32
                count = word(data[at - 4 : at], "little")
                numbers, sphere = data[begin + 4 : begin + 12], data[begin + 12 : begin + 28]
                rows += _LEAF_FRONT + sphere + _CHILDLESS + numbers + _NO_LISTS
                if count:
                    self.polygons[node] = data[at : at + 2 * count]
                    at += 2 * count
                if at > size:
                    self._refuse_leaf(begin)
            else:
                cursor.at = at
                at = cursor.need(8) + 8
                rows += _LEAF_FRONT + bytes(16) + _CHILDLESS + data[at - 4 : at] + bytes(20)
            while stack and stack[-1] < 0:
                owner, begin = ~stack.pop(), at
                at += 16
                if at > size:
                    cursor.at = begin
                    cursor.need(16)
                sphere_at = _ROW * owner + _SPHERE_AT
                rows[sphere_at : sphere_at + 16] = data[begin:at]
                if is_drawing:
                    cursor.at = at
                    self._drawing_lists(owner)
                    at = cursor.at
            if not stack:
                break
            _INT.pack_into(rows, _ROW * stack.pop() + _NEGATIVE_AT, node + 1)
        cursor.at = at

    def _refuse_leaf(self, at: int) -> NoReturn:
        """Say which part of a physics LEAF does not fit."""
        cursor = self.cursor
        cursor.at = at
        for size in (8, 4, 16):
            cursor.need(size)
        cursor.count32(2)
        raise AssertionError("asked only of a leaf that does not fit")

    def _drawing_lists(self, node: int) -> None:
        """The lists behind the sphere of a drawing node."""
        cursor, row = self.cursor, _ROW * node
        is_port = self.rows[row : row + 4] == _PORT_BYTES
        polygon_count = cursor.u32()
        portal_count = cursor.u32() if is_port else 0
        if polygon_count:
            self.polygons[node] = cursor.bytes(2 * cursor.count(polygon_count, 2))
        if portal_count:
            self.portals[node] = cursor.bytes(4 * cursor.count(portal_count, 4))


def _laid_out(
    nodes: npt.NDArray[Any], name: str, lists: dict[int, bytes], size: int
) -> npt.NDArray[np.uint16]:
    """The nodes' lists end to end in node order; notes each one's run in the nodes.

    size : bytes of an item
    """
    if not lists:
        return np.frombuffer(b"", "<u2")
    listed = sorted(lists)
    counts = [0] * len(nodes)  # plain: most trees have a node or two
    for node in listed:
        counts[node] = len(lists[node]) // size
    nodes[f"{name}_count"] = counts
    nodes[f"{name}_first"] = list(itertools.accumulate(counts, initial=0))[:-1]
    return np.frombuffer(b"".join([lists[node] for node in listed]), "<u2")


def _lists(
    nodes: npt.NDArray[Any], name: str, runs: Sequence[tuple[int, ...]], width: int
) -> npt.NDArray[np.uint16]:
    """Lay the nodes' lists end to end in node order and note each one's run in the nodes."""
    counts = np.array([len(run) // width for run in runs], np.int64)
    nodes[f"{name}_count"] = counts
    nodes[f"{name}_first"] = np.cumsum(counts) - counts
    return np.array([value for run in runs for value in run], np.uint16)

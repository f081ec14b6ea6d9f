"""Insert, replace and delete in the directory (dat format 1.4).

A B-tree of order 62, minimum degree t = 31. Full nodes are split on the way down, thin ones filled
up on the way down, so no edit ever comes back up; nodes are rewritten over their own chains.
"""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct

from acclient_py.dat.blocks import U32, chain_offsets, read_chain
from acclient_py.dat.btree import (
    DEPTH_MAX,
    ENTRIES_MAX,
    ENTRIES_MIN,
    MIN_DEGREE,
    NODE_SIZE,
    Entry,
    Node,
    pack_node,
)
from acclient_py.dat.freelist import FreeList
from acclient_py.dat.overlay import Overlay
from acclient_py.errors import RecordError


class EditNode(Struct):
    """A directory node while it is changed."""

    at: int
    entries: list[Entry]
    branches: list[int]  # empty in a leaf, else len(entries) + 1

    def place(self, id: int) -> tuple[int, bool]:
        """Index of the first entry not below `id`, and whether that one is `id`."""
        index = bisect_left(self.entries, id, key=lambda entry: entry.id)
        return index, index < len(self.entries) and self.entries[index].id == id


class TreeEdit:
    """The directory of a file under change. `root` moves when the tree grows or shrinks."""

    def __init__(self, disk: Overlay, free_list: FreeList, root: int, *, file: str) -> None:
        self.disk = disk
        self.free_list = free_list
        self.root = root
        self.file = file

    def load(self, at: int) -> EditNode:
        raw = read_chain(
            self.disk, self.disk.block_size, at, length=NODE_SIZE, record=None, file=self.file
        )
        node = Node.read(raw, at, file=self.file)
        entries = [node.entry(index) for index in range(len(node.ids))]
        return EditNode(at, entries, list(node.branches))

    def find(self, id: int) -> Entry | None:
        """The entry of a record, or None."""
        node, index = self._seek(id)
        return None if node is None else node.entries[index]

    def replace(self, entry: Entry) -> None:
        """Write another entry over the one with its id, which must exist."""
        node, index = self._seek(entry.id)
        assert node is not None, "only what is there can be replaced"
        node.entries[index] = entry
        self._write(node)

    def _seek(self, id: int) -> tuple[EditNode | None, int]:
        at = self.root
        for _ in range(DEPTH_MAX):
            node = self.load(at)
            index, found = node.place(id)
            if found:
                return node, index
            if not node.branches:
                return None, 0
            at = node.branches[index]
        raise self._too_deep(id, at)

    def _too_deep(self, id: int, at: int) -> RecordError:
        return RecordError(
            f"the directory is deeper than {DEPTH_MAX} nodes, or a circle",
            record=id,
            at=at,
            file=self.file,
        )

    def _write(self, node: EditNode) -> None:
        """Rewrite a node over its own chain, links untouched."""
        size = self.disk.block_size
        places, _ = chain_offsets(
            self.disk, size, node.at, length=NODE_SIZE, record=None, file=self.file
        )
        data = pack_node(node.entries, node.branches)
        for number, at in enumerate(places):
            piece = data[number * (size - 4) : (number + 1) * (size - 4)]
            self.disk.put(at, U32.pack(self.disk.link(at)) + piece.ljust(size - 4, b"\0"))

    def _new(self, entries: list[Entry], branches: list[int]) -> EditNode:
        return EditNode(self.free_list.store(pack_node(entries, branches)), entries, branches)

    # -- insert -------------------------------------------------------------------------------

    def insert(self, entry: Entry) -> None:
        """Add an entry whose id is not there yet."""
        node = self.load(self.root)
        if len(node.entries) == ENTRIES_MAX:
            child, node = node, self._new([], [node.at])
            self.root = node.at
            self._split_child(node, 0, child)
        for _ in range(DEPTH_MAX):
            index, _found = node.place(entry.id)
            if not node.branches:
                node.entries.insert(index, entry)
                self._write(node)
                return
            child = self.load(node.branches[index])
            if len(child.entries) == ENTRIES_MAX:
                right = self._split_child(node, index, child)
                if entry.id > node.entries[index].id:
                    child = right
            node = child
        raise self._too_deep(entry.id, node.at)

    def _split_child(self, parent: EditNode, index: int, child: EditNode) -> EditNode:
        """Move the upper half of a full child into a new right neighbour and return that."""
        right = self._new(child.entries[MIN_DEGREE:], child.branches[MIN_DEGREE:])
        parent.entries.insert(index, child.entries[MIN_DEGREE - 1])
        parent.branches.insert(index + 1, right.at)
        del child.entries[MIN_DEGREE - 1 :]
        del child.branches[MIN_DEGREE:]
        self._write(child)
        self._write(parent)
        return right

    # -- delete -------------------------------------------------------------------------------

    def delete(self, id: int) -> None:
        """Remove the entry of an id that is there."""
        node = self.load(self.root)
        for _ in range(DEPTH_MAX):
            index, found = node.place(id)
            if not node.branches:
                assert found, "only what is there can be deleted"
                del node.entries[index]
                self._write(node)
                break
            if found:
                node, id = self._delete_inner(node, index, id)
            else:
                node = self._descend(node, index)
        else:
            raise self._too_deep(id, node.at)
        root = self.load(self.root)
        if not root.entries and root.branches:
            self.root = root.branches[0]
            self.free_list.free(root.at)

    def _delete_inner(self, node: EditNode, index: int, id: int) -> tuple[EditNode, int]:
        """Replace an entry of an inner node by a neighbour; returns where that is to be deleted."""
        left = self.load(node.branches[index])
        right = self.load(node.branches[index + 1])
        if len(left.entries) > ENTRIES_MIN:
            node.entries[index] = self._outermost(left, -1)
            child = left
        elif len(right.entries) > ENTRIES_MIN:
            node.entries[index] = self._outermost(right, 0)
            child = right
        else:
            return self._merge(node, index, left, right), id
        self._write(node)
        return child, node.entries[index].id

    def _outermost(self, node: EditNode, side: int) -> Entry:
        """The smallest (side 0) or largest (side -1) entry of a subtree."""
        for _ in range(DEPTH_MAX):
            if not node.branches:
                return node.entries[side]
            node = self.load(node.branches[side])
        raise self._too_deep(0, node.at)

    def _descend(self, node: EditNode, index: int) -> EditNode:
        """The child at `index`, after it has been given an entry to spare."""
        child = self.load(node.branches[index])
        if len(child.entries) > ENTRIES_MIN:
            return child
        left = self.load(node.branches[index - 1]) if index > 0 else None
        if left is not None and len(left.entries) > ENTRIES_MIN:
            child.entries.insert(0, node.entries[index - 1])
            node.entries[index - 1] = left.entries.pop()
            if left.branches:
                child.branches.insert(0, left.branches.pop())
            self._write(left)
        else:
            right = self.load(node.branches[index + 1]) if index < len(node.entries) else None
            if right is None or len(right.entries) <= ENTRIES_MIN:
                if left is not None:
                    return self._merge(node, index - 1, left, child)
                assert right is not None, "an inner node has two children"
                return self._merge(node, index, child, right)
            child.entries.append(node.entries[index])
            node.entries[index] = right.entries.pop(0)
            if right.branches:
                child.branches.append(right.branches.pop(0))
            self._write(right)
        self._write(child)
        self._write(node)
        return child

    def _merge(self, parent: EditNode, index: int, left: EditNode, right: EditNode) -> EditNode:
        """Join two thin children and the entry between them; 30 + 1 + 30 just fit."""
        left.entries += [parent.entries.pop(index), *right.entries]
        left.branches += right.branches
        del parent.branches[index + 1]
        self._write(left)
        self._write(parent)
        self.free_list.free(right.at)
        return left

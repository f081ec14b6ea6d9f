"""What is wrong with the container of a DAT file (dat format 1.3, 1.8).

The blocks reached from the directory and those of the free list must be disjoint and together
cover the file; every chain ends with link 0 at just the length it should; the tree is sorted,
filled and level. What public writers leave behind without harm is a warning, not a fault.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from acclient_py.dat.blocks import (
    FREE_BIT,
    LINK_MASK,
    Source,
    chain_offsets,
    check_block,
    read_chain,
)
from acclient_py.dat.btree import DEPTH_MAX, ENTRIES_MIN, NODE_SIZE, Entry, Node
from acclient_py.dat.container import DatFile
from acclient_py.dat.header import HEADER_SIZE, TRANSACTION_AT, Header, transaction_fault
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID
from acclient_py.errors import DataError

Progress = Callable[[int], None]
"""Called with the number of entries checked so far."""


class ContainerReport(Struct):
    """What a check found. A file without faults can be edited by the client."""

    faults: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    entries: int = 0
    nodes: int = 0
    height: int = 0
    free: int = 0
    lost: int = 0
    shared: set[int] = field(default_factory=set)  # records in blocks of another chain


def check_file(file: DatFile, progress: Progress | None = None) -> ContainerReport:
    """Check the container of an open file; records are not decoded."""
    report = check_container(file.source, file.header, file=str(file.path), progress=progress)
    report.faults[:0] = [w for w in file.warnings if w not in report.faults]
    return report


def check_container(
    source: Source, header: Header, *, file: str, progress: Progress | None = None
) -> ContainerReport:
    """Check header, directory, chains and free list of a whole file."""
    check = _Check(source, header, file)
    fault = transaction_fault(source[: TRANSACTION_AT + 8])
    if fault is not None:
        check.report.faults.append(fault)
    if header.file_size != len(source):
        check.report.faults.append(
            f"the header says {header.file_size} bytes, the file has {len(source)}"
        )
    check.tree(progress)
    check.free_list()
    check.cover()
    return check.report


class _Check:
    """One run over one file. `owner` says what each used or free block belongs to."""

    def __init__(self, source: Source, header: Header, file: str) -> None:
        self.source = source
        self.header = header
        self.file = file
        self.report = ContainerReport()
        self.empty: list[int] = []
        self.owner: dict[int, int | None] = {}  # block offset -> record id; None: node or free

    def tree(self, progress: Progress | None) -> None:
        """Walk the directory level by level, left to right within a level by the stack."""
        report = self.report
        leaf_depth = -1
        previous = -1
        # (offset, depth) of a node, or an entry between two children
        todo: list[tuple[int, int] | Entry] = [(self.header.root, 0)]
        seen: set[int] = set()
        while todo:
            item = todo.pop()
            if isinstance(item, Entry):
                if item.id <= previous:
                    report.faults.append(
                        f"the directory is out of order: 0x{item.id:08X} after 0x{previous:08X}"
                    )
                previous = max(previous, item.id)
                self.entry(item)
                report.entries += 1
                if progress and report.entries % 256 == 0:
                    progress(report.entries)
                continue
            at, depth = item
            if at in seen or depth >= DEPTH_MAX:
                report.faults.append(f"directory node 0x{at:08X} is reached twice, or too deep")
                continue
            seen.add(at)
            node = self.node(at)
            if node is None:
                continue
            count = len(node.ids)
            if depth and count < ENTRIES_MIN:
                report.faults.append(f"directory node 0x{at:08X} has {count} entries, 30 are due")
            if not depth and not count and node.branches:
                report.faults.append("the root has a child and no entry")
            entries = [node.entry(index) for index in range(count)]
            if node.is_leaf:
                if leaf_depth not in (-1, depth):
                    report.faults.append(f"leaf 0x{at:08X} lies at depth {depth}, not {leaf_depth}")
                leaf_depth = depth if leaf_depth < 0 else leaf_depth
                report.height = max(report.height, depth)
                todo.extend(reversed(entries))
                continue
            todo.append((node.branches[count], depth + 1))
            for index in reversed(range(count)):
                todo.append(entries[index])
                todo.append((node.branches[index], depth + 1))

        if self.empty:
            report.warnings.append(
                f"{len(self.empty)} records are empty, which the client cannot read, "
                f"the first is 0x{self.empty[0]:08X}"
            )

    def node(self, at: int) -> Node | None:
        size = self.header.block_size
        try:
            raw = read_chain(self.source, size, at, length=NODE_SIZE, record=None, file=self.file)
            node = Node.read(raw, at, file=self.file)
        except DataError as error:
            self.report.faults.append(f"directory node 0x{at:08X}: {error.what}")
            return None
        self.report.nodes += 1
        self.claim(at, NODE_SIZE, None)
        return node

    def entry(self, entry: Entry) -> None:
        """Check one entry and claim the blocks of its record."""
        report = self.report
        name = f"record 0x{entry.id:08X}"
        if entry.version == 0:
            report.faults.append(f"{name} has version 0, which the retail client refuses")
        if entry.id == ITERATION_RECORD_ID and entry.version != 1:
            report.warnings.append(f"{name} has version {entry.version}; the client reads only 1")
        if entry.flags & ~1:
            report.warnings.append(f"{name} has reserved flags 0x{entry.flags:04X}")
        if entry.size == 0:
            self.empty.append(entry.id)
            if entry.offset == 0:
                return
        self.claim(entry.offset, max(1, entry.size), entry.id)

    def claim(self, at: int, length: int, id: int | None) -> None:
        """Note the blocks of a chain as used, and that it ends where it should."""
        name = f"directory node 0x{at:08X}" if id is None else f"record 0x{id:08X}"
        size = self.header.block_size
        try:
            blocks, link = chain_offsets(
                self.source,
                size,
                at,
                length=length,
                record=id,
                file=self.file,
                taken=self.owner,  # or a few thousand entries could name one long chain
            )
        except DataError as error:
            self.report.faults.append(f"{name}: {error.what}")
            return
        if link:
            self.report.warnings.append(f"{name}: its chain goes on after its end")
        if blocks[-1] in self.owner:
            self.report.faults.append(f"{name}: block 0x{blocks[-1]:08X} belongs to another chain")
            if id is not None:
                self.report.shared.add(id)
        for block in blocks:
            self.owner.setdefault(block, id)

    def free_list(self) -> None:
        header, report = self.header, self.report
        size = header.block_size
        at, last, count = header.first_free, 0, 0
        while at and count <= header.free_count:
            try:
                check_block(self.source, size, at, record=None, file=self.file)
            except DataError as error:
                report.faults.append(f"the list of free blocks: {error.what}")
                return
            link = int.from_bytes(self.source[at : at + 4], "little")
            if not link & FREE_BIT:
                if count == 0 and link == 0 and self.foreign_free_list():
                    return
                report.faults.append(f"the list of free blocks runs into used block 0x{at:08X}")
                return
            if at in self.owner:
                report.faults.append(f"free block 0x{at:08X} is in use, or in the list twice")
                return
            self.owner[at] = None
            count += 1
            last, at = at, link & LINK_MASK
        report.free = count
        if at or count != header.free_count:
            found = f"more than {count - 1}" if at else str(count)
            report.faults.append(
                f"the list of free blocks has {found} blocks, the header says {header.free_count}"
            )
        elif last != header.last_free:
            report.faults.append(
                f"the list of free blocks ends at 0x{last:08X}, not 0x{header.last_free:08X}"
            )

    def foreign_free_list(self) -> bool:
        """A public writer's free blocks: one run, links of 0 (1.8); true if it is that."""
        header = self.header
        size = header.block_size
        run = range(header.first_free, header.last_free + 1, size)
        if len(run) != header.free_count or header.last_free + size > len(self.source):
            return False
        for at in run:
            if at in self.owner or self.source[at : at + 4] != bytes(4):
                return False
        self.owner.update(dict.fromkeys(run))
        self.report.free = header.free_count
        self.report.warnings.append(
            "the free blocks are not linked, as a public writer leaves them"
        )
        return True

    def cover(self) -> None:
        """Every block from the first to the end of the file is used or free."""
        size = self.header.block_size
        report = self.report
        start = min(self.owner, default=HEADER_SIZE)
        if start < HEADER_SIZE:
            report.warnings.append(f"the blocks begin at {start}, below {HEADER_SIZE}")
        else:
            start = HEADER_SIZE
        skewed = sum(1 for at in self.owner if (at - start) % size)
        if skewed:
            report.faults.append(f"{skewed} blocks do not lie on a multiple of the block size")
        total, rest = divmod(len(self.source) - start, size)
        if rest:
            report.warnings.append(f"{rest} bytes at the end are less than a block")
        report.lost = max(0, total - len(self.owner))
        if report.lost and not report.faults:
            report.warnings.append(f"{report.lost} of {total} blocks are neither used nor free")

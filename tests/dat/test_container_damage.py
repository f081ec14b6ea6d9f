"""Damaged files: one error that names file, record and byte; the rest stays readable.

All of it in bounded work: the time limit on a test is generous, a hang is what it catches.
"""

from __future__ import annotations

import random
import struct
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acclient_py.dat.blocks import chain_offsets, read_chain
from acclient_py.dat.btree import Entry, pack_node
from acclient_py.dat.check import check_container, check_file
from acclient_py.dat.container import DatFile
from acclient_py.dat.editor import DatEditor
from acclient_py.dat.header import Header
from acclient_py.dat.stored import unpack_stored
from acclient_py.dat.writer import CELL, PORTAL, FileKind, build, free_run, pack_chain
from acclient_py.errors import DataError, MissingRecord, RecordError

pytestmark = pytest.mark.timeout(60)

SMALL = FileKind("small.dat", 256, 2, 1, 22)


def put(path: Path, at: int, data: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[at : at + len(data)] = data
    path.write_bytes(whole)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A sound file of 150 records in three nodes."""
    path = tmp_path / "small.dat"
    build(path, {id: bytes([id]) * (id * 7 % 900 + 1) for id in range(1, 150)}, SMALL, growth=4096)
    return path


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is empty"),
        (b"BT", "2 bytes are too few"),
        (b"portal of text\n" * 400, "magic 0x"),
        (bytes(4096), "magic 0x00000000"),
    ],
    ids=["empty", "two bytes", "text", "zeros"],
)
def test_what_is_no_dat_file_is_refused_by_name(data: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    path.write_bytes(data)
    for opened in (DatFile.open, DatEditor.open):
        with pytest.raises(DataError) as caught:
            opened(path)
        assert what in str(caught.value)
        assert str(path) in str(caught.value)


def test_a_directory_and_a_missing_file_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a directory, not a DAT file"):
        DatFile.open(tmp_path)
    with pytest.raises(DataError, match=r"gone\.dat: cannot be opened: No such file"):
        DatFile.open(tmp_path / "gone.dat")


@pytest.mark.parametrize("size", [0, 1, 4, -1, -256, 0x7FFFFFFF])
def test_an_impossible_block_size_is_refused(size: int, small: Path) -> None:
    put(small, 0x144, struct.pack("<i", size))
    with pytest.raises(DataError, match=r"block size|outside the file"):
        DatFile.open(small)


@pytest.mark.parametrize("root", [0, 4, 399, 0x7FFFFFFF, 0x80000400, 0xFFFFFFFF])
def test_a_root_outside_the_file_is_refused(root: int, small: Path) -> None:
    put(small, 0x160, u32(root))
    with pytest.raises(DataError, match="the directory begins at"):
        DatFile.open(small)


def test_a_truncated_file_is_read_as_far_as_it_goes(small: Path) -> None:
    """The root of this file is moved to the front, so that it survives the cut."""
    with DatEditor.create(small, SMALL, growth=65536) as editor:
        for id in range(1, 60):
            editor.put(id, bytes([id]) * 300)
        editor.save()
    small.write_bytes(small.read_bytes()[: 1024 + 40 * 256 + 100])
    with DatFile.open(small) as file:
        assert any("the header says" in warning for warning in file.warnings)
        good, bad = set(), set()
        for entry in file.entries():
            try:
                assert file.read_entry(entry) == bytes([entry.id]) * 300
                good.add(entry.id)
            except RecordError as error:
                bad.add(error.record)
        assert len(good) > 10
        assert len(bad) > 10
        assert good | bad == set(range(1, 60))
        assert check_file(file).faults


def test_an_unfinished_transaction_warns_and_reads(small: Path) -> None:
    put(small, 0x100, bytes([5]))
    with DatFile.open(small) as file:
        assert ["update" in warning for warning in file.warnings] == [True]
        assert file.read(3) == bytes([3]) * 22
        assert any("update" in fault for fault in check_file(file).faults)
    with pytest.raises(DataError, match="unfinished"):
        DatEditor.open(small)


def test_an_all_zero_transaction_area_is_a_fault(small: Path) -> None:
    put(small, 0x100, bytes(64))
    with DatFile.open(small) as file:
        assert file.read(3) == bytes([3]) * 22
        assert any("refuses" in fault for fault in check_file(file).faults)


def entry_of(path: Path, id: int) -> Entry:
    with DatFile.open(path) as file:
        entry = file.find(id)
    assert entry is not None
    return entry


@pytest.mark.parametrize(
    ("link", "what"),
    [
        (0, "too early"),
        (0x80000000, "free block"),
        (0xFFFFFFFF, "free block"),
        (0x7FFFFFFF, "outside the file"),
        (4, "outside the file"),
        ("self", "circle"),
        ("first", "circle"),
    ],
)
@pytest.mark.parametrize("id", [100, 60])  # 701 and 421 bytes: three and two blocks
def test_a_broken_chain_names_file_record_and_byte(
    link: int | str, what: str, id: int, small: Path
) -> None:
    entry = entry_of(small, id)
    value = entry.offset if isinstance(link, str) else link
    put(small, entry.offset, u32(value))
    with DatFile.open(small) as file:
        with pytest.raises(RecordError) as caught:
            file.read(id)
        error = caught.value
        assert (error.record, error.file) == (id, str(small))
        assert error.at is not None
        assert what in str(error)
        assert f"record 0x{id:08X} at byte" in str(error)
        for other in range(1, 150):
            if other != id:
                assert file.read(other) == bytes([other]) * (other * 7 % 900 + 1)
        assert any(f"0x{id:08X}" in fault for fault in check_file(file).faults)


def test_a_free_block_anywhere_in_a_long_chain_is_found(small: Path) -> None:
    """Record 110 has four blocks in a row, which are read in one go when all is well."""
    entry = entry_of(small, 110)
    assert entry.size > 3 * 252
    data = small.read_bytes()
    for number in range(4):
        put(small, entry.offset + number * 256 + 3, b"\x80")
        with DatFile.open(small) as file, pytest.raises(RecordError, match="free block"):
            file.read(110)
        small.write_bytes(data)


def test_a_circle_of_blocks_is_found_although_the_length_would_end_it() -> None:
    source = bytearray(1024 + 8 * 256)
    for at, link in ((1024, 1280), (1280, 1536), (1536, 1024)):
        source[at : at + 4] = u32(link)
    for reader in (read_chain, chain_offsets):
        with pytest.raises(RecordError, match="circle"):
            reader(bytes(source), 256, 1024, length=252 * 7, record=9, file="x")


def tree_file(nodes: dict[int, bytes], root: int, blocks: int = 64) -> bytes:
    """A file of 2048-byte blocks, one node in each, at block numbers."""
    size = 1024 + blocks * 2048
    header = Header(2048, size, 1, 0, root=1024 + root * 2048)
    data = bytearray(header.head() + bytes(blocks * 2048))
    for number, node in nodes.items():
        at = 1024 + number * 2048
        data[at : at + 4 + len(node)] = bytes(4) + node
    return bytes(data)


def at(number: int) -> int:
    return 1024 + number * 2048


def record(id: int) -> Entry:
    return Entry(0, 2, id, at(40), 10, 0, 1)


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "tree.dat"
    path.write_bytes(data)
    return path


def test_a_directory_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    nodes = {
        0: pack_node([record(100)], [at(1), at(2)]),
        1: pack_node([record(50)], []),
        2: pack_node([record(150)], [at(0), at(0)]),
    }
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        assert file.find(50) == record(50)
        assert file.find(100) == record(100)
        with pytest.raises(RecordError, match="circle"):
            file.find(120)
        with pytest.raises(RecordError, match="reached twice"):
            list(file.entries())
        faults: list[DataError] = []
        assert [e.id for e in file.entries(on_fault=faults.append)] == [50, 100, 150]
        assert len(faults) == 2
        report = check_file(file)
        assert any("reached twice" in fault for fault in report.faults)
        assert report.nodes == 3


def test_a_directory_of_ten_thousand_levels_is_refused(tmp_path: Path) -> None:
    """A chain of nodes, each with one child: found after 16 levels, without recursion."""
    levels = 10_000
    nodes = {n: pack_node([], [at(n + 1)]) for n in range(levels - 1)}
    with DatFile.open(written(tmp_path, tree_file(nodes, 0, levels))) as file:
        with pytest.raises(RecordError, match="deeper than 16"):
            file.find(5)
        faults: list[DataError] = []
        assert list(file.entries(on_fault=faults.append)) == []
        assert len(faults) == 1
        assert check_file(file).nodes == 16


@pytest.mark.parametrize("count", [62, 63, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_a_node_of_too_many_entries_is_refused(count: int, tmp_path: Path) -> None:
    leaf = bytearray(pack_node([record(50)], []))
    leaf[248:252] = u32(count)
    nodes = {0: pack_node([record(100)], [at(1), at(2)]), 1: bytes(leaf)}
    nodes[2] = pack_node([record(150)], [])
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        with pytest.raises(RecordError, match=f"claims {count} entries") as caught:
            file.find(50)
        assert caught.value.at == at(1)
        assert file.find(150) == record(150)
        faults: list[DataError] = []
        assert [e.id for e in file.entries(on_fault=faults.append)] == [100, 150]
        assert len(faults) == 1


def test_ids_out_of_order_are_reported(tmp_path: Path) -> None:
    nodes = {0: pack_node([record(100), record(90), record(110)], [])}
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        with pytest.raises(RecordError, match="out of order") as caught:
            list(file.entries())
        assert caught.value.record == 90
        assert [e.id for e in file.entries(on_fault=lambda error: None)] == [100, 110]


def test_check_names_thin_nodes_and_leaves_that_are_not_level(tmp_path: Path) -> None:
    full = [record(id) for id in range(200, 230)]
    nodes = {
        0: pack_node([record(100), record(190)], [at(1), at(2), at(3)]),
        1: pack_node([record(id) for id in range(60, 89)], []),
        2: pack_node([record(id) for id in range(101, 131)], []),
        3: pack_node(full, [at(4)] + [at(5)] * 30),
        4: pack_node([record(id) for id in range(191, 199)], []),
    }
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        faults = check_file(file).faults
    assert any(f"node 0x{at(1):08X} has 29 entries" in fault for fault in faults)
    assert not any(f"node 0x{at(2):08X} has" in fault for fault in faults)
    assert any(f"leaf 0x{at(4):08X} lies at depth 2, not 1" in fault for fault in faults)


def test_a_foreign_leaf_mark_is_a_leaf(tmp_path: Path) -> None:
    leaf = u32(0xCDCDCDCD) * 62 + pack_node([record(100)], [])[248:]
    with DatFile.open(written(tmp_path, tree_file({0: leaf}, 0))) as file:
        assert file.find(100) == record(100)
        assert file.find(50) is None
        assert list(file.entries()) == [record(100)]


@pytest.mark.parametrize("size", [0x7FFFFFFF, 0xFFFFFFFF, 1 << 20])
def test_a_record_longer_than_the_file_costs_nothing(size: int, tmp_path: Path) -> None:
    nodes = {0: pack_node([Entry(0, 2, 7, at(1), size, 0, 1), record(100)], [])}
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        tracemalloc.start()
        with pytest.raises(RecordError, match="cannot lie in a file") as caught:
            file.read(7)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert caught.value.record == 7
        assert peak < 1 << 20
        assert file.read(100) == bytes(10)
        assert check_file(file).faults


def test_an_empty_record_is_empty_wherever_it_points(tmp_path: Path) -> None:
    nodes = {0: pack_node([Entry(0, 2, 7, 0xFFFFFFF, 0, 0, 1)], [])}
    with DatFile.open(written(tmp_path, tree_file(nodes, 0))) as file:
        assert file.read(7) == b""


# -- compressed entries ---------------------------------------------------------------------------


def packed(data: bytes, claim: int | None = None) -> bytes:
    return u32(len(data) if claim is None else claim) + zlib.compress(data, 9)


def test_compressed_entries_are_read_unpacked(tmp_path: Path) -> None:
    data = bytes(range(256)) * 20
    stored = packed(data)
    blocks = pack_chain(stored, at(1), 2048)
    entry = Entry(1, 2, 7, at(1), len(stored), 0, 1)
    whole = bytearray(tree_file({0: pack_node([entry], [])}, 0))
    whole[at(1) : at(1) + len(blocks)] = blocks
    with DatFile.open(written(tmp_path, bytes(whole))) as file:
        assert file.read(7) == data
        assert file.read_stored(entry) == stored
        assert file.read_head(entry, 300) == data[:300]
    with DatEditor.open(tmp_path / "tree.dat") as editor:
        assert editor.read(7) == data


@pytest.mark.parametrize(
    ("stored", "what"),
    [
        (b"", "of 0 bytes"),
        (bytes(15), "of 15 bytes"),
        (packed(bytes(5000), 5001), "does not hold the 5001"),
        (packed(bytes(5000), 4999), "does not hold the 4999"),
        (packed(bytes(5000), 3), "claim to hold 3"),
        (packed(bytes(5000), 0xFFFFFFFF), "claim to hold 4294967295"),
        (packed(bytes(5000), 64 << 20), "claim to hold 67108864"),
        (packed(bytes(5000))[:-6], "does not hold the 5000"),
        (u32(5000) + bytes(40), "damaged"),
        (packed(bytes(5000))[:-1] + b"x", "damaged"),
    ],
)
def test_damaged_compressed_data_is_refused(stored: bytes, what: str) -> None:
    with pytest.raises(RecordError, match=what) as caught:
        unpack_stored(stored, record=0x06000001, file="f.dat")
    assert str(caught.value).startswith("f.dat record 0x06000001 at byte")


def test_a_compression_bomb_is_not_unpacked() -> None:
    """200 MiB of zeros behind a claim of 400,000 bytes: no more than the claim is made."""
    bomb = u32(400_000) + zlib.compress(bytes(200 << 20), 9)
    tracemalloc.start()
    with pytest.raises(RecordError, match="does not hold the 400000"):
        unpack_stored(bomb, record=1, file="f.dat")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20


# -- the free list --------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["count", "circle", "used", "outside", "last"])
def test_a_broken_free_list_hinders_edits_only(damage: str, small: Path) -> None:
    with DatFile.open(small) as file:
        header = file.header
    assert header.free_count > 3
    second = header.first_free + 256
    if damage == "count":
        put(small, 0x15C, u32(header.free_count + 1))
    elif damage == "circle":
        put(small, second, u32(0x80000000 | header.first_free))
    elif damage == "used":
        put(small, second, u32(0x80000000 | 1024))
    elif damage == "outside":
        put(small, second, u32(0xFFFFFFFF))
    else:
        put(small, 0x158, u32(header.first_free))
    with DatFile.open(small) as file:
        assert file.read(100) == bytes([100]) * 701
        assert any("free" in fault for fault in check_file(file).faults)
    with pytest.raises(DataError):
        DatEditor.open(small)


def test_unlinked_free_blocks_of_a_public_writer_can_be_edited(small: Path) -> None:
    with DatFile.open(small) as file:
        header = file.header
    for place in range(header.first_free, header.last_free + 1, 256):
        put(small, place, u32(0))
    with DatFile.open(small) as file:
        report = check_file(file)
        assert report.faults == []
        assert len(report.warnings) == 1
    with DatEditor.open(small) as editor:
        editor.put(500, bytes(1000))
        report = check_container(editor.disk, editor.current_header(), file="x")
        assert (report.faults, report.warnings) == ([], [])


def test_a_lost_block_is_a_warning_and_a_shared_one_a_fault(small: Path) -> None:
    one, two = entry_of(small, 100), entry_of(small, 101)
    data = small.read_bytes()
    put(small, one.offset, u32(two.offset + 256))  # 100 goes on in 101's second block
    with DatFile.open(small) as file:
        assert any("another chain" in fault for fault in check_file(file).faults)
    small.write_bytes(data)
    where = data.index(one.pack())
    put(small, where + 12, u32(10))  # 100 shrinks to one block, its link stays
    with DatFile.open(small) as file:
        report = check_file(file)
        assert report.faults == []
        assert report.lost == 2
        assert any("goes on after its end" in warning for warning in report.warnings)


class Counted(bytes):
    """Bytes that count how often a link is looked at."""

    links = 0

    def __getitem__(self, key):  # type: ignore[no-untyped-def,override]
        if isinstance(key, slice) and key.stop == (key.start or 0) + 4:
            Counted.links += 1
        return super().__getitem__(key)


def test_many_records_that_name_one_long_chain_cost_no_more_than_it(tmp_path: Path) -> None:
    """Sabotage: follow each chain to its end; 150 times 2,000 blocks are looked at."""
    path = tmp_path / "shared.dat"
    kind = FileKind("shared.dat", 2048, 2, 1, 22)
    build(path, dict.fromkeys(range(1, 150), b"x") | {200: bytes(2044 * 2000)}, kind)
    data = path.read_bytes()
    long = entry_of(path, 200)
    for id in range(1, 150):
        where = data.index(entry_of(path, id).pack())
        put(path, where + 8, struct.pack("<iI", long.offset, long.size))
    data = Counted(path.read_bytes())
    Counted.links = 0
    report = check_container(data, Header.read(data, file="shared.dat"), file="shared.dat")
    assert sum("belongs to another chain" in fault for fault in report.faults) == 149
    assert report.shared == {*range(2, 150), 200}
    assert Counted.links < 3 * len(data) // 2048


# -- fuzz -----------------------------------------------------------------------------------------


def use(path: Path) -> None:
    """Everything that a reader does; whatever fails must fail as a DataError of this file."""
    faults: list[DataError] = []
    try:
        file = DatFile.open(path)
    except DataError as error:
        faults.append(error)
    else:
        use_open(file, faults)
    assert all(str(path) in str(error) for error in faults)


def use_open(file: DatFile, faults: list[DataError]) -> None:
    with file:
        for entry in file.entries(on_fault=faults.append):
            try:
                file.read_entry(entry)
            except RecordError as error:
                faults.append(error)
        for id in (0, 1, 75, 149, 0xFFFF0001):
            try:
                file.read(id)
            except (RecordError, MissingRecord) as error:
                faults.append(error)
        check_file(file)


def damaged_bytes(data: bytes) -> Iterator[tuple[int, int]]:
    """Every byte of the header and of the nodes (at their end), each with a few values."""
    with_meaning = [*range(0x100, 0x106), *range(0x140, 0x190)]
    for place in with_meaning:
        for value in (0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1):
            yield place, value


def test_each_byte_of_the_header_damaged(small: Path) -> None:
    data = small.read_bytes()
    for place, value in damaged_bytes(data):
        put(small, place, bytes([value]))
        use(small)
        small.write_bytes(data)


def test_each_byte_of_the_directory_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {id: bytes([id]) * (id * 3) for id in range(1, 70)}, SMALL, growth=4096)
    data = path.read_bytes()
    rng = random.Random(4)
    with DatFile.open(path) as file:
        first_node = min(file.node(file.header.root).branches)
        end = file.header.first_free
    assert end - first_node == 3 * 7 * 256
    for place in range(first_node, end):
        if not any(data[place - 4 : place + 5]):
            continue  # slack and unused slots, but for their borders
        put(path, place, bytes([rng.choice((0, 1, 0x3D, 0x7F, 0x80, 0xFF, data[place] ^ 4))]))
        use(path)
        path.write_bytes(data)


@given(st.data())
@settings(max_examples=150)
def test_any_damage_gives_the_one_kind_of_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.dat"
    build(path, {id: bytes([id]) * (id * 7 % 900 + 1) for id in range(1, 150)}, SMALL, growth=4096)
    whole = bytearray(path.read_bytes())
    with DatFile.open(path) as file:
        nodes = [file.header.root, *file.node(file.header.root).branches]
    in_node = st.builds(int.__add__, st.sampled_from(nodes), st.integers(0, 7 * 256 - 4))
    counts = st.sampled_from([node + 4 + 248 for node in nodes])
    in_head = st.integers(0x140, 0x18C)
    anywhere = st.integers(0, len(whole) - 4)
    for _ in range(data.draw(st.integers(1, 6))):
        where = data.draw(anywhere | in_head | in_node | counts)
        word = data.draw(
            st.sampled_from([0, 4, 1024, 0x80000000, 0xFFFFFFFF, 62])
            | st.integers(0, len(whole))
            | st.integers(0, 0xFFFFFFFF)
        )
        whole[where : where + 4] = u32(word)
    cut = data.draw(st.integers(0, len(whole)) | st.just(len(whole)))
    path.write_bytes(whole[:cut])
    use(path)


def test_free_run_and_create_agree(tmp_path: Path) -> None:
    """An empty file by the editor and one by the writer hold the same but for the order."""
    with DatEditor.create(tmp_path / "a.dat", CELL) as editor:
        assert check_container(editor.disk, editor.current_header(), file="a").faults == []
        assert len(editor.disk) == 1 << 20
    with DatEditor.create(tmp_path / "b.dat", PORTAL, blocks=3) as editor:
        assert editor.current_header().free_count == 1
    assert free_run(1024, 1024 + 512, 256) == u32(0x80000500) + bytes(252) + u32(
        0x80000000
    ) + bytes(252)

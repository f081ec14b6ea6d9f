"""Many land blocks at once: the kernel against the record reader, also on damaged files."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from acclient_py.dat.container import DatFile
from acclient_py.dat.land import LandBlocks, land_blocks
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.dat.writer import CELL, FileKind, build
from acclient_py.errors import DataError, MissingRecord, RecordError

TABLE = (np.arange(256) * 2.5).astype(np.float32)
WIDE = FileKind("wide.dat", 1024, 2, 1, 22)
NARROW = FileKind("narrow.dat", 64, 2, 1, 22)
ODD = FileKind("odd.dat", 301, 2, 1, 22)


def records(count: int) -> dict[int, bytes]:
    rng = random.Random(count)
    ids = [block << 16 | 0xFFFF for block in rng.sample(range(0xFEFF), count)]
    return {id: struct.pack("<II", id, rng.randrange(2)) + rng.randbytes(243) + b"\0" for id in ids}


def plainly(cell: DatFile, ids: np.ndarray) -> LandBlocks:
    """The same by the record reader alone."""
    found = np.zeros(len(ids), bool)
    has_objects = np.zeros(len(ids), np.uint32)
    terrain = np.zeros((len(ids), 81), np.uint16)
    z = np.zeros((len(ids), 81), np.float32)
    faults: list[DataError] = []
    for index, id in enumerate(ids.tolist()):
        try:
            record = LandBlock.read(cell.read(id), id)
        except MissingRecord:
            continue
        except RecordError as error:
            faults.append(error)
            continue
        found[index] = True
        has_objects[index] = record.has_objects
        terrain[index] = record.terrain
        z[index] = TABLE[record.heights]
    return LandBlocks(ids, found, has_objects, terrain, z, tuple(faults))


def assert_same(cell: DatFile, ids: np.ndarray) -> LandBlocks:
    ours, plain = land_blocks(cell, ids, TABLE), plainly(cell, ids)
    assert np.array_equal(ours.found, plain.found)
    assert np.array_equal(ours.has_objects, plain.has_objects)
    assert np.array_equal(ours.terrain, plain.terrain)
    assert np.array_equal(ours.z, plain.z)
    assert [error.what for error in ours.faults] == [error.what for error in plain.faults]
    return ours


@pytest.mark.parametrize("kind", [CELL, WIDE, NARROW, ODD], ids=lambda kind: kind.name)
@pytest.mark.parametrize("count", [1, 61, 62, 4000])
def test_blocks_are_what_the_reader_reads(kind: FileKind, count: int, tmp_path: Path) -> None:
    truth = records(count)
    build(tmp_path / kind.name, truth, kind)
    absent = [0x00000000, 0xFEFFFFFF, 0xFFFFFFFF, 0xFFFF0000]
    ids = np.array([*truth, *absent], np.uint32)
    np.random.default_rng(1).shuffle(ids)
    with DatFile.open(tmp_path / kind.name) as cell:
        blocks = assert_same(cell, ids)
        assert blocks.found.sum() == count
        assert blocks.faults == ()


def test_no_ids_no_blocks(tmp_path: Path) -> None:
    build(tmp_path / CELL.name, records(3), CELL)
    with DatFile.open(tmp_path / CELL.name) as cell:
        assert land_blocks(cell, np.zeros(0, np.uint32), TABLE).z.shape == (0, 81)


def test_a_closed_file_says_so(tmp_path: Path) -> None:
    build(tmp_path / CELL.name, records(3), CELL)
    cell = DatFile.open(tmp_path / CELL.name)
    cell.close()
    with pytest.raises(DataError, match="closed"):
        land_blocks(cell, np.zeros(1, np.uint32), TABLE)


def test_a_damaged_block_is_one_fault_and_the_rest_is_read(tmp_path: Path) -> None:
    truth = records(200)
    build(tmp_path / CELL.name, truth, CELL)
    ids = np.array(sorted(truth), np.uint32)
    with DatFile.open(tmp_path / CELL.name) as cell:
        entry = cell.find(int(ids[50]))
    assert entry is not None
    data = bytearray((tmp_path / CELL.name).read_bytes())
    data[entry.offset + 3] = 0x80
    (tmp_path / CELL.name).write_bytes(data)
    with DatFile.open(tmp_path / CELL.name) as cell:
        blocks = assert_same(cell, ids)
        assert blocks.found.sum() == 199
        (fault,) = blocks.faults
        assert isinstance(fault, RecordError)
        assert (fault.record, fault.file) == (int(ids[50]), str(cell.path))


def test_a_record_that_is_too_short_is_a_fault_that_names_the_file(tmp_path: Path) -> None:
    truth = records(5)
    short = min(truth)
    build(tmp_path / CELL.name, {**truth, short: truth[short][:100]}, CELL)
    with DatFile.open(tmp_path / CELL.name) as cell:
        (fault,) = assert_same(cell, np.array(sorted(truth), np.uint32)).faults
        assert (fault.file, getattr(fault, "record", None)) == (str(cell.path), short)


@pytest.mark.parametrize(
    ("block", "word", "value", "found", "faults"),
    [
        (6, 0, 0x80000000, 0, 6),  # the last block of the node is free
        (0, 0, 0x80000000, 0, 6),
        (0, 62 + 1, 62, 0, 6),  # the count of entries
        (0, 1, 0xCDCDCDCD, 5, 0),  # a leaf of a public writer
    ],
)
def test_a_changed_leaf(
    block: int, word: int, value: int, found: int, faults: int, tmp_path: Path
) -> None:
    path = tmp_path / CELL.name
    truth = records(5)
    build(path, truth, CELL)
    with DatFile.open(path) as cell:
        at = cell.header.root + block * 256 + word * 4
    data = path.read_bytes()
    path.write_bytes(data[:at] + struct.pack("<I", value) + data[at + 4 :])
    with DatFile.open(path) as cell:
        blocks = assert_same(cell, np.array([*sorted(truth), 0xFEFEFFFF], np.uint32))
        assert (blocks.found.sum(), len(blocks.faults)) == (found, faults)


def test_damaged_directories_are_read_as_the_reader_reads_them(tmp_path: Path) -> None:
    """Every third word of the nodes damaged in turn; the two must agree each time."""
    path = tmp_path / CELL.name
    truth = records(70)
    build(path, truth, CELL, growth=4096)
    ids = np.array([*sorted(truth), 5], np.uint32)
    data = path.read_bytes()
    with DatFile.open(path) as cell:
        first = min(cell.node(cell.header.root).branches)
        end = cell.header.first_free
    rng = random.Random(9)
    differ = 0
    for at in range(first, end, 12):
        word = rng.choice(
            [0, 1, 1024, 0x80000000, 0xFFFFFFFF, first, at & ~255, rng.getrandbits(13)]
        )
        path.write_bytes(data[:at] + struct.pack("<I", word) + data[at + 4 :])
        try:
            cell = DatFile.open(path)
        except DataError:
            continue
        with cell:
            differ += not assert_same(cell, ids).found[:-1].all()
    assert differ > 50, "most of the damage must have been met"

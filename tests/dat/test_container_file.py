"""Whole files: written and read back, found without a scan, read by several threads."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from acclient_py.dat.check import check_file
from acclient_py.dat.container import DatFile
from acclient_py.dat.writer import CELL, FILE_KINDS, LOCAL, PORTAL, FileKind, build, write_beside
from acclient_py.errors import DataError, MissingRecord, RecordError

PEERS = [("client_portal.dat", "portal"), ("client_cell_1.dat", "cell"), ("btree.dat", "btree")]


def some_records(count: int, seed: int = 1) -> dict[int, bytes]:
    rng = random.Random(seed)
    ids = rng.sample(range(1, 0xFFFF0000), count)
    return {id: rng.randbytes(rng.choice((1, 16, 251, 252, 253, 1020, 1021, 9000))) for id in ids}


@pytest.mark.parametrize(("name", "listing"), PEERS)
def test_peer_written_files_read_entry_for_entry(name: str, listing: str, shared: Path) -> None:
    folder = shared / "oracle" / "dats"
    with gzip.open(folder / f"{listing}.jsonl.gz", "rt", encoding="utf-8") as lines:
        head, *rows = map(json.loads, lines)
    with DatFile.open(folder / name) as file:
        for key, value in (
            ("block_size", file.header.block_size),
            ("file_size", file.header.file_size),
            ("type", file.header.data_set),
            ("subset", file.header.data_subset),
            ("first_free", file.header.first_free),
            ("last_free", file.header.last_free),
            ("free_count", file.header.free_count),
            ("root", file.header.root),
            ("engine_version", file.header.engine_pack_version),
            ("game_version", file.header.game_pack_version),
            ("minor", file.header.version_minor),
            ("major", str(uuid.UUID(bytes_le=file.header.version_major))),
        ):
            assert head["header"][key] == value, key
        entries = list(file.entries())
        assert len(entries) == len(rows)
        for entry, row in zip(entries, rows, strict=True):
            for key in ("id", "offset", "size", "flags", "version", "iteration", "date"):
                assert getattr(entry, key) == row[key], (hex(entry.id), key)
            assert hashlib.sha1(file.read(entry.id)).hexdigest() == row["sha1"], hex(entry.id)
            assert file.find(entry.id) == entry
        report = check_file(file)
        assert report.faults == [], "the known habits of that writer are warnings only"
        assert report.warnings
        assert report.entries == len(rows)


@pytest.mark.parametrize("kind", FILE_KINDS, ids=lambda kind: kind.name)
def test_a_built_file_is_sound_and_holds_its_records(kind: FileKind, tmp_path: Path) -> None:
    records = some_records(700)
    path = tmp_path / kind.name
    guid = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    build(path, records, kind, guid=guid, minor=3)
    with DatFile.open(path) as file:
        header = file.header
        assert (header.data_set, header.data_subset) == (kind.data_set, kind.data_subset)
        assert header.engine_pack_version == (22 if kind is CELL else 110)
        assert header.game_pack_version == 0
        assert header.version_major == guid.bytes_le
        assert header.version_minor == 3
        assert file.size % (1 << 20) == 0
        assert header.free_count > 0
        report = check_file(file)
        assert (report.faults, report.warnings) == ([], [])
        entries = list(file.entries())
        assert [entry.id for entry in entries] == sorted([*records, 0xFFFF0001])
        assert {entry.version for entry in entries[:-1]} == {2}
        assert entries[-1].version == 1
        assert [entry.offset for entry in entries] == sorted(entry.offset for entry in entries)
        assert {id: file.read(id) for id in records} == records
        iterations = file.iterations()
        assert iterations is not None
        assert list(iterations) == [1]


def test_the_same_records_in_another_order_give_the_same_bytes(tmp_path: Path) -> None:
    records = some_records(300)
    build(tmp_path / "a.dat", records, PORTAL)
    build(tmp_path / "b.dat", dict(reversed(records.items())), PORTAL)
    data = (tmp_path / "a.dat").read_bytes()
    assert data == (tmp_path / "b.dat").read_bytes()
    assert hashlib.sha256(data[1024 : 1024 + 4096]).hexdigest() == (
        hashlib.sha256((tmp_path / "b.dat").read_bytes()[1024 : 1024 + 4096]).hexdigest()
    )


def test_all_slack_of_a_built_file_is_zero(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {5: b"\xff" * 1500}, PORTAL)
    data = path.read_bytes()
    assert data[:0x100] == bytes(256)
    assert data[0x100:0x140] == bytes.fromhex("00504c0000") + bytes(59)
    assert data[0x190:1024] == bytes(1024 - 0x190)
    assert data[1024:1028] == (2048).to_bytes(4, "little")
    assert data[2048:3072] == bytes(4) + b"\xff" * 480 + bytes(540)


def test_a_build_replaces_the_file_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {5: b"first"}, LOCAL)
    with pytest.raises(RecordError, match="0x00000006"):
        build(path, {5: b"second", 6: b""}, LOCAL)
    with DatFile.open(path) as file:
        build(path, {5: b"third"}, LOCAL)
        assert file.read(5) == b"first"
    with DatFile.open(path) as file:
        assert file.read(5) == b"third"
    assert [item.name for item in tmp_path.iterdir()] == ["x.dat"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_bytes(b"old")

    def fail() -> None:
        with write_beside(path) as file:
            file.write(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["x.dat"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere.*x\.dat: cannot be written"):
        build(tmp_path / "nowhere" / "x.dat", {5: b"x"}, CELL)


def test_ids_are_unsigned(tmp_path: Path) -> None:
    ids = [1, 0x7FFFFFFF, 0x80000000, 0xFFFEFFFF]
    build(tmp_path / "x.dat", {id: id.to_bytes(4, "little") for id in ids}, CELL)
    with DatFile.open(tmp_path / "x.dat") as file:
        assert list(file.ids()) == [*ids, 0xFFFF0001]
        assert all(file.read(id) == id.to_bytes(4, "little") for id in ids)


@pytest.fixture(scope="module")
def land(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cell file with 65,000 land blocks."""
    path = tmp_path_factory.mktemp("land") / "client_cell_1.dat"
    build(path, {block << 16 | 0xFFFF: block.to_bytes(252, "little") for block in LAND}, CELL)
    return path


LAND = range(65_000)


def test_a_record_among_65000_is_found_by_three_nodes(
    land: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No scan: opening reads no node, a look-up one node a level and the record's own chain."""
    chains: list[int | None] = []
    plain = DatFile._chain

    def counted(self: DatFile, at: int, length: int, record: int | None) -> bytes:
        chains.append(record)
        return plain(self, at, length, record)

    monkeypatch.setattr(DatFile, "_chain", counted)
    with DatFile.open(land) as file:
        assert chains == []
        assert file.read(0x7F7FFFFF) == (0x7F7F).to_bytes(252, "little")
        assert chains.count(None) <= 3
        assert [record for record in chains if record is not None] == [0x7F7FFFFF]
        with pytest.raises(MissingRecord):
            file.read(0x7F7FFFFE)
        chains.clear()
        assert list(file.ids(0x12340000, 0x1236FFFF)) == [0x1234FFFF, 0x1235FFFF, 0x1236FFFF]
        assert len(chains) <= 6


def test_every_one_of_65000_blocks_is_found(land: Path) -> None:
    with DatFile.open(land) as file:
        for block in random.Random(3).sample(LAND, 3000):
            assert file.read(block << 16 | 0xFFFF) == block.to_bytes(252, "little")
        assert list(file.ids())[:-1] == [block << 16 | 0xFFFF for block in LAND]
        assert len(file._nodes) <= 1024


def test_many_threads_read_what_one_reads(land: Path) -> None:
    def read(seed: int) -> bool:
        picks = random.Random(seed).choices(LAND, k=500)
        return all(file.read(b << 16 | 0xFFFF) == b.to_bytes(252, "little") for b in picks)

    with DatFile.open(land) as file, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(16)))


def test_a_closed_file_says_so_and_its_bytes_stay(land: Path) -> None:
    file = DatFile.open(land)
    data = file.read(0x0001FFFF)
    view = memoryview(data)
    walk = file.entries()
    next(walk)
    file.close()
    file.close()
    assert bytes(view) == (1).to_bytes(252, "little")
    with pytest.raises(DataError, match="closed"):
        file.read(0x0001FFFF)
    with pytest.raises(DataError, match="closed"):
        list(walk)


def test_closing_while_a_view_of_the_mapping_is_out_does_not_crash(land: Path) -> None:
    file = DatFile.open(land)
    view = memoryview(file._map)
    file.close()
    assert bytes(view[0x140:0x142]) == b"BT"
    view.release()
    file.close()


def test_closing_under_reading_threads_ends_in_the_one_error(land: Path) -> None:
    file = DatFile.open(land)

    def read(seed: int) -> str:
        rng = random.Random(seed)
        while True:
            block = rng.choice(LAND)
            try:
                assert file.read(block << 16 | 0xFFFF) == block.to_bytes(252, "little")
            except DataError as error:
                return str(error)

    with ThreadPoolExecutor(4) as pool:
        results = [pool.submit(read, seed) for seed in range(4)]
        file.close()
        assert all("closed" in result.result(timeout=30) for result in results)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_plain_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """Sabotage: write beside whatever it is; the pipe and the link are plain files afterwards."""
    pipe, link, behind = tmp_path / "pipe", tmp_path / "link", tmp_path / "behind"
    os.mkfifo(pipe)
    behind.write_bytes(b"old")
    link.symlink_to(behind)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for path in (pipe, link):
            with write_beside(path) as file:
                file.write(b"new")
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert behind.read_bytes() == b"new"

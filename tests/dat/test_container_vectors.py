"""The container vectors of the DAT specification: files byte for byte, shapes of trees."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from acclient_py.dat.btree import Entry
from acclient_py.dat.check import check_container, check_file
from acclient_py.dat.container import DatFile
from acclient_py.dat.editor import DatEditor
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID, IterationRecord
from acclient_py.dat.stored import unpack_stored
from acclient_py.dat.writer import CELL

VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "dat_vectors.json").read_text(encoding="utf-8")
)["vectors"]


def of_kind(kind: str) -> list[Any]:
    found = [vector for vector in VECTORS if vector["kind"] == kind]
    assert found, f"no vector of kind {kind}"
    return found


def image(vector: Any) -> bytes:
    """The file that a dat_file vector describes in chunks."""
    out = bytearray(vector["size"])
    for chunk in vector["chunks"]:
        data = bytes.fromhex(chunk["hex"])
        out[chunk["offset"] : chunk["offset"] + len(data)] = data
    return bytes(out)


@pytest.mark.parametrize("vector", of_kind("IterationRecord"), ids=lambda v: v["name"])
def test_iteration_record_reads_and_writes_the_clients_form(vector: Any) -> None:
    value = vector["value"]
    numbers = value if isinstance(value, list) else list(range(value["first"], value["last"] + 1))
    data = bytes.fromhex(vector["hex"])
    record = IterationRecord.read(data, ITERATION_RECORD_ID)
    assert list(record) == numbers
    assert record.write() == data
    assert IterationRecord.of(numbers).write() == data


@pytest.mark.parametrize("vector", of_kind("compressed_payload"), ids=lambda v: v["name"])
def test_compressed_payload_unpacks(vector: Any) -> None:
    stored = bytes.fromhex(vector["hex"])
    assert unpack_stored(stored, record=1, file="x") == bytes.fromhex(vector["value"])


@pytest.mark.parametrize("vector", of_kind("dat_file"), ids=lambda v: v["name"])
def test_the_one_node_file_is_read_as_drawn(vector: Any, tmp_path: Path) -> None:
    data = image(vector)
    assert hashlib.sha256(data).hexdigest() == vector["sha256"]
    path = tmp_path / "one.dat"
    path.write_bytes(data)
    want = vector["value"]["header"]
    with DatFile.open(path) as file:
        header = file.header
        assert file.warnings == []
        assert (header.block_size, header.file_size) == (want["bs"], want["size"])
        assert (header.data_set, header.data_subset) == (want["type"], want["subset"])
        assert (header.first_free, header.last_free) == (want["ff"], want["lf"])
        assert (header.free_count, header.root) == (want["nf"], want["root"])
        assert (header.engine_pack_version, header.game_pack_version) == (want["eng"], want["game"])
        assert header.version_major.hex() == want["guid"]
        assert header.version_minor == want["minor"]
        entries = [
            Entry(
                row["flags_version"] & 0xFFFF,
                row["flags_version"] >> 16,
                row["id"],
                row["offset"],
                row["size"],
                row["date"],
                row["iteration"],
            )
            for row in vector["value"]["entries"]
        ]
        assert list(file.entries()) == entries
        report = check_file(file)
        assert (report.faults, report.warnings) == ([], [])


@pytest.mark.parametrize("vector", of_kind("dat_file"), ids=lambda v: v["name"])
def test_the_same_inserts_give_the_one_node_file_to_the_byte(vector: Any, tmp_path: Path) -> None:
    """The file was made by these three inserts, in this order, into 16 blocks."""
    source = tmp_path / "one.dat"
    source.write_bytes(image(vector))
    made = tmp_path / "made.dat"
    guid = bytes.fromhex(vector["value"]["header"]["guid"])
    with (
        DatFile.open(source) as file,
        DatEditor.create(made, CELL, guid=guid, blocks=16, reserve=0) as editor,
    ):
        for id in (0x0000FFFF, 0x0000FFFE, ITERATION_RECORD_ID):
            assert editor.put(id, file.read(id))
        editor.save()
    assert made.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("vector", of_kind("dat_free_list"), ids=lambda v: v["name"])
def test_free_list_after_delete_and_replace(vector: Any, tmp_path: Path) -> None:
    want = vector["value"]
    with DatEditor.create(tmp_path / "x.dat", CELL, blocks=24, reserve=0) as editor:
        editor.put(0x0000FFFF, bytes(252))
        editor.put(0x0000FFFE, bytes(272))
        editor.put(0x0001FFFF, bytes(252))
        editor.put(ITERATION_RECORD_ID, bytes(8))
        editor.delete(0x0000FFFE)
        editor.put(0x0001FFFF, bytes([1]) * 252)
        header = editor.current_header()
        chain = []
        at = header.first_free
        while at:
            chain.append(at)
            link = editor.disk.link(at)
            assert link & 0x80000000
            at = link & 0x7FFFFFFF
        assert chain == want["free_chain"]
        assert (header.first_free, header.last_free) == (want["first"], want["last"])
        assert header.free_count == want["count"]
        assert (header.root, header.file_size) == (want["root_node"], want["size"])
        assert check_container(editor.disk, header, file="x").faults == []


@pytest.mark.parametrize("row", of_kind("btree_insert")[0]["value"], ids=lambda r: str(r["n"]))
def test_ascending_inserts_give_the_given_shape(row: Any, tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", CELL) as editor:
        for id in range(1, row["n"] + 1):
            editor.put(id, b"x")
        counts = []
        stack = [(editor.tree.root, 0)]
        height = 0
        while stack:
            at, depth = stack.pop()
            node = editor.tree.load(at)
            counts.append(len(node.entries))
            height = max(height, depth)
            stack += [(branch, depth + 1) for branch in reversed(node.branches)]
    assert counts == row["preorder_entry_counts"]
    assert height == row["height"]

"""Edits of the directory against a plain dict, the whole container checked after each of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from acclient_py.dat.btree import Plan, plan_tree
from acclient_py.dat.check import ContainerReport, check_container
from acclient_py.dat.container import DatFile
from acclient_py.dat.editor import DatEditor
from acclient_py.dat.writer import CELL, PORTAL, FileKind, build
from acclient_py.errors import DataError, MissingRecord, RecordError

TINY = FileKind("tiny.dat", 64, 1, 0, 110)
"""Small blocks make long chains: a node takes 29."""


VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "dat_vectors.json").read_text(encoding="utf-8")
)["vectors"]
BULK = next(vector for vector in VECTORS if vector["kind"] == "btree_bulk")


def checked(editor: DatEditor) -> ContainerReport:
    """The container as it stands, which must be without fault or lost block."""
    report = check_container(editor.disk, editor.current_header(), file="edited")
    assert report.faults == []
    assert report.warnings == []
    return report


def content(editor: DatEditor, ids: list[int]) -> dict[int, bytes]:
    return {id: editor.read(id) for id in ids}


def random_edits(editor: DatEditor, seed: int, edits: int, ids: int) -> dict[int, bytes]:
    """Random inserts, updates and deletes; grows for the first half, shrinks in the second."""
    rng = random.Random(seed)
    truth: dict[int, bytes] = {}
    places = [rng.getrandbits(32) for _ in range(ids)]
    heights = set()
    for number in range(edits):
        id = rng.choice(places)
        if id in truth and rng.random() < (0.3 if number < edits // 2 else 0.95):
            editor.delete(id)
            del truth[id]
        elif number < edits // 2 or id in truth:
            data = rng.randbytes(rng.choice((1, 7, 60, 61, 252, 253, 700)))
            assert editor.put(id, data)
            truth[id] = data
        report = checked(editor)
        assert report.entries == len(truth)
        heights.add(report.height)
        entry = editor.find(id)
        assert (entry is not None) == (id in truth)
        if id in truth:
            assert editor.read(id) == truth[id]
    assert heights == {0, 1}, "the run must both split and merge"
    return truth


@pytest.mark.slow
def test_thousands_of_random_edits_each_leave_a_sound_file(tmp_path: Path) -> None:
    """Sabotage: leave out the right neighbour in `_descend`; a node of 29 entries is found."""
    with DatEditor.create(tmp_path / "x.dat", CELL, growth=16384) as editor:
        truth = random_edits(editor, 1, 3000, 320)
        editor.save()
        assert content(editor, sorted(truth)) == truth
    with DatFile.open(tmp_path / "x.dat") as file:
        assert {entry.id: file.read_entry(entry) for entry in file.entries()} == truth


def test_edits_go_on_in_a_saved_file_of_many_nodes(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    rng = random.Random(2)
    truth = {rng.getrandbits(32): rng.randbytes(rng.randint(1, 90)) for _ in range(5000)}
    build(path, truth, TINY)
    with DatEditor.open(path) as editor:
        assert checked(editor).height == 2
        gone = rng.sample(sorted(truth), 4300)
        for number, id in enumerate(gone):
            editor.delete(id)
            del truth[id]
            if number % 500 == 0:
                checked(editor)
                editor.save()
        assert checked(editor).height == 1
        editor.save()
    with DatFile.open(path) as file:
        left = {entry.id: file.read_entry(entry) for entry in file.entries()}
    assert left.pop(0xFFFF0001)
    assert left == truth


@given(st.lists(st.tuples(st.integers(0, 159), st.booleans()), min_size=150, max_size=150))
@settings(max_examples=15, phases=[Phase.generate])
def test_any_sequence_of_edits_equals_a_dict(edits: list[tuple[int, bool]]) -> None:
    """From a tree of several leaves; every id drawn first is deleted, so that leaves merge."""
    editor = DatEditor.create(Path("never-saved.dat"), PORTAL, growth=65536)
    truth = {id: bytes([id + 1]) for id in range(160)}
    for id, data in truth.items():
        editor.put(id, data)
    for id, keep in edits:
        if id in truth and not keep:
            editor.delete(id)
            del truth[id]
        else:
            truth[id] = bytes([id + 1]) * (1 + len(truth) % 130)
            editor.put(id, truth[id])
    for id in sorted({id for id, _ in edits} & truth.keys()):
        editor.delete(id)
        del truth[id]
    assert checked(editor).entries == len(truth)
    assert content(editor, sorted(truth)) == truth


def test_an_older_iteration_is_ignored(tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", PORTAL) as editor:
        assert editor.put(5, b"new", iteration=7)
        before = editor.current_header()
        assert not editor.put(5, b"old", iteration=6)
        assert editor.read(5) == b"new"
        assert editor.current_header() == before
        assert editor.put(5, b"same", iteration=7)
        assert editor.put(5, b"unversioned")
        entry = editor.find(5)
        assert entry is not None
        assert entry.iteration == 7
        assert editor.put(5, b"newer", iteration=8)
        assert editor.read(5) == b"newer"


def test_the_iteration_record_has_version_1_and_iteration_1(tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", PORTAL) as editor:
        editor.put(0xFFFF0001, bytes(8), iteration=9)
        editor.put(0x01000001, bytes(8), iteration=9)
        first, second = editor.find(0xFFFF0001), editor.find(0x01000001)
        assert first is not None
        assert second is not None
        assert (first.version, first.iteration) == (1, 1)
        assert (second.version, second.iteration) == (2, 9)


def test_an_update_takes_a_new_chain_and_frees_the_old(tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", CELL) as editor:
        editor.put(5, bytes(300))
        old = editor.find(5)
        assert old is not None
        editor.put(5, bytes(10))
        new = editor.find(5)
        assert new is not None
        assert new.offset != old.offset
        assert editor.current_header().last_free == old.offset + 256
        checked(editor)


def test_the_file_grows_before_the_reserve_is_touched(tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", CELL, blocks=70, growth=256 * 100) as editor:
        assert editor.current_header().free_count == 63
        editor.put(1, bytes(252 * 11))  # 63 > 11 + 51
        assert editor.current_header().free_count == 52
        editor.put(2, bytes(252))  # 52 is not above 1 + 51
        assert editor.current_header().free_count == 52 + 100 - 1
        assert editor.current_header().file_size == 1024 + 170 * 256
        checked(editor)


def test_one_block_stays_free_whatever_is_stored(tmp_path: Path) -> None:
    with DatEditor.create(tmp_path / "x.dat", CELL, blocks=7, growth=256, reserve=0) as editor:
        assert editor.current_header().free_count == 1, "the root took seven blocks"
        for id in range(200):
            editor.put(id, b"x")
            assert editor.current_header().free_count >= 1
            checked(editor)


def test_a_refused_edit_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {id: bytes([1]) * 40 for id in range(1, 200)}, TINY)
    with DatEditor.open(path) as editor:
        before = editor.current_header()
        with pytest.raises(MissingRecord):
            editor.delete(500)
        with pytest.raises(RecordError):
            editor.put(7, b"")
        # the chain of record 100 is cut: deleting it takes the entry out, then fails to free
        entry = editor.find(100)
        assert entry is not None
        editor.disk.put_link(entry.offset, 0x80000000)
        with pytest.raises(DataError, match="damaged"):
            editor.delete(100)
        # and replacing it has taken blocks for the new bytes by then
        with pytest.raises(DataError, match="damaged"):
            editor.put(100, bytes(500))
        assert editor.find(100) == entry
        assert editor.current_header() == before


def test_unsaved_edits_never_reach_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {1: b"one"}, CELL)
    before = path.read_bytes()
    with DatEditor.open(path) as editor:
        editor.put(1, b"two")
        editor.put(2, bytes(5000))
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["x.dat"]


def test_a_reader_of_the_old_file_keeps_it_over_a_save(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    build(path, {1: b"one"}, CELL)
    with DatFile.open(path) as old:
        with DatEditor.open(path) as editor:
            editor.put(1, b"two")
            editor.save()
            assert editor.read(1) == b"two"
        assert old.read(1) == b"one"
    with DatFile.open(path) as new:
        assert new.read(1) == b"two"


def plan_nodes(plan: Plan) -> list[Plan]:
    """The nodes of a planned tree in pre-order."""
    return [plan, *(node for child in plan.children for node in plan_nodes(child))]


def plan_order(plan: Plan) -> list[int]:
    """The entries of a planned tree in an in-order walk."""
    if not plan.children:
        return list(plan.keys)
    out = plan_order(plan.children[0])
    for key, child in zip(plan.keys, plan.children[1:], strict=True):
        out += [key, *plan_order(child)]
    return out


def plan_height(plan: Plan) -> int:
    return 1 + plan_height(plan.children[0]) if plan.children else 0


@pytest.mark.parametrize("row", BULK["value"], ids=lambda r: str(r["n"]))
def test_bulk_built_trees_have_the_given_shape(row: Any) -> None:
    plan = plan_tree(row["n"])
    nodes = plan_nodes(plan)
    counts = [len(node.keys) for node in nodes]
    assert plan_height(plan) == row["height"]
    assert (counts[0], len(nodes), max(counts)) == (row["root_entries"], row["nodes"], row["max"])
    assert min(counts[1:], default=None) == row["min_nonroot"]
    assert plan_order(plan) == list(range(row["n"]))


@pytest.mark.parametrize("count", [0, 1, 61, 62, 63, 1000, 3843, 3844, 805_348])
def test_bulk_trees_are_level_and_filled(count: int) -> None:
    plan = plan_tree(count)
    nodes = plan_nodes(plan)
    assert all(30 <= len(node.keys) <= 61 for node in nodes[1:])
    assert all(len(n.children) in (0, len(n.keys) + 1) for n in nodes)
    assert plan_order(plan) == list(range(count))


def test_bulk_trees_are_filled_for_every_count_to_5000() -> None:
    for count in range(5001):
        counts = [len(node.keys) for node in plan_nodes(plan_tree(count))]
        assert sum(counts) == count
        assert all(30 <= number <= 61 for number in counts[1:]), count

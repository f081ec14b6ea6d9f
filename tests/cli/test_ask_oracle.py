"""`acclient ask` against the answers of other programs, where their folder is at hand.

Rows on which the witnesses agree decide. A second set of tests breaks the functions that the client
runs on, one at a time, and sees the rows go wrong: so the answers do come from them.
"""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from acclient_py.cli import asking as asked
from acclient_py.cli.ask import ask, read_questions
from acclient_py.cli.asking import cells
from acclient_py.core import frame, geom, ids
from acclient_py.dat.container import DatFile
from acclient_py.dat.dataset import DatSet
from acclient_py.physics import arrival, position, transit
from acclient_py.world import cell, landblock, shapes, terrain

# file -> rows on which the witnesses agree and the contract does not object
DECISIVE = {
    "landdefs": 616, "frames": 275, "splits": 321, "terrain": 553, "cellgeom": 1213, "datread": 116,
}  # fmt: skip


@pytest.fixture(scope="module")
def oracle(shared: Path) -> Path:
    folder = shared / "oracle"
    if not (folder / "compare.py").exists():
        pytest.skip("no answers of other programs")
    return folder


@pytest.fixture(scope="module")
def compare(oracle: Path) -> ModuleType:
    """The comparer, as a module."""
    spec = importlib.util.spec_from_file_location("oracle_compare", oracle / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verdicts(oracle: Path, compare: ModuleType, name: str) -> list[tuple[str, str, str]]:
    """(question, by, verdict) of every row of a file."""
    golden_file = oracle / "vectors" / f"{name}.jsonl"
    golden = compare.rows(golden_file)
    settled = compare.settled_lines(golden_file)
    sink = io.StringIO()
    with DatSet.open(oracle / "dats") as dats:
        ask(dats, list(read_questions(str(golden_file))), sink)
    given = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [row["in"] for row in given] == [row["in"] for row in golden]
    found = []
    for place, (row, mine) in enumerate(zip(golden, given, strict=True), start=1):
        by = "settled" if place in settled else row["by"]
        verdict = compare.verdict(row["out"], mine["out"])
        if by == "differ" and verdict != "equal":
            other = {**row["out"], **row["ace"]}
            verdict = "as ace" if compare.verdict(other, mine["out"]) == "equal" else "as neither"
        found.append((row["in"], by, verdict))
    return found


@pytest.mark.contract("I1")
@pytest.mark.parametrize("name", DECISIVE)
def test_rows_on_which_the_witnesses_agree_are_right(
    oracle: Path, compare: ModuleType, name: str
) -> None:
    rows = verdicts(oracle, compare, name)
    decisive = [row for row in rows if row[1] == "both"]
    assert len(decisive) == DECISIVE[name]
    assert [row for row in decisive if row[2] != "equal"] == []
    single = [row for row in rows if row[1] in ("gdle", "ace")]
    assert [row for row in single if row[2] != "equal"] == []


def test_rows_on_which_they_differ_are_as_the_specification_settles_them(
    oracle: Path, compare: ModuleType
) -> None:
    rows = [
        r for name in ("landdefs", "frames", "terrain") for r in verdicts(oracle, compare, name)
    ]
    for question, by, verdict in rows:
        if by == "differ":
            # neither witness subtracts as the client does; all others follow the first
            expected = "as neither" if question.startswith("subtract1") else "equal"
            assert verdict == expected, question
    settled = [row for row in rows if row[1] == "settled"]
    assert [row[2] for row in settled] == ["wrong"]  # both axes of a block are tested


def broken_tuple(value: Any) -> Callable[..., Any]:
    return lambda *_args, **_kw: value


def shifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its answer pushed off by one."""

    def wrong(*args: Any, **kw: Any) -> Any:
        result = function(*args, **kw)
        if isinstance(result, tuple):
            return tuple([v + 1 if not isinstance(v, bool) else v for v in result])
        if isinstance(result, cell.EnvCellModel):
            return replace(result, seen_outside=not result.seen_outside)
        return result + 1

    return wrong


def spoiled(function: Callable[..., Any], at: int) -> Callable[..., Any]:
    """The function with its out argument spoiled afterwards."""

    def wrong(*args: Any, **kw: Any) -> Any:
        result = function(*args, **kw)
        args[at][:] += np.float32(1)
        return result

    return wrong


SABOTAGE: tuple[tuple[str, Any, str, Any, tuple[str, ...]], ...] = (
    ("landdefs", ids, "gid_to_lcoord", shifted(ids.gid_to_lcoord), ("lcoord",)),
    ("landdefs", ids, "blockid_to_lcoord", shifted(ids.blockid_to_lcoord), ("blockcoord",)),
    ("landdefs", ids, "inbound_valid_cellid", broken_tuple(False), ("valid", "lcoord")),
    ("landdefs", ids, "lcoord_to_gid", shifted(ids.lcoord_to_gid), ("gid", "adjout")),
    ("landdefs", ids, "get_block_did", broken_tuple(1), ("gid",)),
    ("landdefs", ids, "in_bounds", broken_tuple(False), ("gid", "adjout")),
    ("landdefs", ids, "get_outside_lcoord", shifted(ids.get_outside_lcoord), ("adjout",)),
    ("landdefs", ids, "adjust_to_outside", broken_tuple((True, 1, 0, 0)), ("adjout",)),
    ("landdefs", ids, "get_block_offset", shifted(ids.get_block_offset), ("blockoff",)),
    ("frames", frame, "combine", spoiled(frame.combine, 5), ("combine",)),
    ("frames", frame, "rotate_by", shifted(frame.rotate_by), ("combine", "l2g", "heading", "dist")),
    ("frames", frame, "local_to_global", shifted(frame.local_to_global), ("l2g", "dist")),
    ("frames", frame, "global_to_local_vec", shifted(frame.global_to_local_vec), ("l2g", "dist")),
    ("frames", frame, "get_heading", shifted(frame.get_heading), ("heading",)),
    ("frames", frame, "vector_heading_deg", shifted(frame.vector_heading_deg), ("heading", "dist")),
    ("frames", frame, "set_vector_heading", spoiled(frame.set_vector_heading, 0),
     ("setheading", "setvecheading")),
    ("frames", frame, "set_euler", spoiled(frame.set_euler, 0), ("setheading", "setvecheading")),
    ("frames", frame, "interpolate_rotation", spoiled(frame.interpolate_rotation, 3),
     ("interprot",)),
    ("frames", frame, "get_offset", shifted(frame.get_offset), ("dist",)),
    ("frames", geom, "cylinder_distance", shifted(geom.cylinder_distance), ("dist",)),
    ("splits", terrain, "diagonals", lambda *_a: np.zeros(64, bool), ("split",)),
    ("splits", terrain, "split_hash", lambda x, y: np.uint32(x) + np.uint32(y), ("split",)),
    ("splits", terrain, "water_classes", lambda _t: (np.zeros(64, np.uint8), 0), ("split",)),
    ("terrain", terrain, "vertex_heights", shifted(terrain.vertex_heights),
     ("polys", "terrainpoly")),
    ("terrain", terrain, "triangle_planes", shifted(terrain.triangle_planes),
     ("polys", "terrainpoly")),
    ("terrain", terrain, "triangle_vertices", shifted(terrain.triangle_vertices), ("polys",)),
    ("terrain", terrain, "find_terrain_poly", broken_tuple(1), ("terrainpoly",)),
    ("terrain", terrain, "outside_edge_2d", broken_tuple(False), ("terrainpoly",)),
    ("terrain", terrain, "water_depth", broken_tuple(5.0), ("terrainpoly",)),
    ("terrain", geom, "height_on_plane", shifted(geom.height_on_plane), ("terrainpoly",)),
    ("terrain", landblock, "make_landblock", None, ("split", "polys", "terrainpoly")),
    ("cellgeom", transit, "point_in_cell", broken_tuple(False), ("pic",)),
    ("cellgeom", transit, "find_visible_child_cell", broken_tuple(-1), ("child",)),
    ("cellgeom", geom, "sphere_intersects_planes", broken_tuple(2), ("sic",)),
    ("cellgeom", frame, "global_to_local", shifted(frame.global_to_local), ("sic",)),
    ("cellgeom", cell, "make_env_cell", shifted(cell.make_env_cell), ("envcell",)),
    ("cellgeom", shapes, "polygon_planes", shifted(shapes.polygon_planes), ("envcell",)),
    ("cellgeom", shapes, "cell_chain", shifted(shapes.cell_chain), ("pic", "sic", "child")),
    ("cellgeom", arrival.Arrivals, "_init_static_objects", broken_tuple(None),
     ("shadows", "envcell")),
    ("cellgeom", position.Batch, "cross", broken_tuple(None), ("shadows", "envcell")),
    ("datread", DatFile, "read_entry", broken_tuple(b"other"), ("raw",)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "module", "function", "wrong", "verbs"),
    SABOTAGE,
    ids=[f"{row[1].__name__.rsplit('.')[-1]}.{row[2]}" for row in SABOTAGE],
)
def test_breaking_a_function_that_the_client_runs_on_breaks_the_answers(
    oracle: Path,
    compare: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    module: ModuleType,
    function: str,
    wrong: Any,
    verbs: tuple[str, ...],
) -> None:
    if wrong is None:

        def wrong(record: Any, table: Any, *args: Any, **kw: Any) -> Any:
            other = type(record)(
                record.id, 0, np.roll(record.terrain, 5), np.roll(record.heights, 5)
            )
            return original(other, table, *args, **kw)

    original = getattr(module, function)
    for user in (module, ids, frame, geom, terrain, landblock, cell, shapes, asked, cells):
        if getattr(user, function, None) is original:
            monkeypatch.setattr(user, function, wrong)
    rows = verdicts(oracle, compare, name)
    for verb in verbs:
        mine = [row for row in rows if row[0].split()[0] == verb and row[1] == "both"]
        assert any(row[2] != "equal" for row in mine), f"{verb} does not run on {function}"

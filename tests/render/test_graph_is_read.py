"""Pictures come from the graph and go nowhere else: what a renderer can reach, it can only read.

Three proofs. The arrays that it is handed refuse to be written, and every array that can be reached
from it, however far inside, is either its own or such a view. A frame with all that can be asked of
it leaves each byte of the graph as it was. And the sources of the packages name nothing of the
world but what reads.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest
from msgspec import Struct, StructMeta

from acclient_py.core import frame as frames
from acclient_py.kernels import DISABLED
from acclient_py.order.study import Study
from acclient_py.physics.graph import PAINTERS_OWN
from acclient_py.physics.layout import Arrays
from acclient_py.render.debug.switches import SWITCHES
from acclient_py.render.frame import FrameRenderer

READING = ("order", "view", "render")
"""The packages that may only read."""

READS = {
    "physics": {
        "graph", "models", "bodies", "clock", "moving_pictures", "full_cell_id", "cell_slot",
        "setup_of", "buildings",
    },
    "_physics": {"graph", "models", "bodies", "cell_slot", "adjust_position", "buildings"},
    "graph": {"views"},
}  # fmt: skip
"""What they may ask of a world and of its graph, by the names that hold these."""


def reachable(root: object) -> Iterator[tuple[str, Any]]:
    """Every array that can be got at from an object: through fields, items, closures, bases."""
    waiting: list[tuple[str, Any]] = [("", root)]
    seen: set[int] = set()
    kept = []  # so that no number is given twice
    while waiting:
        path, thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (type, ModuleType, str, bytes, int, float)):
            continue
        seen.add(id(thing))
        kept.append(thing)
        if isinstance(thing, np.ndarray):
            yield path, thing
            waiting.append((f"{path}.base", thing.base))
            continue
        if isinstance(thing, dict):
            waiting += [(f"{path}[{key!r}]", value) for key, value in thing.items()]
        elif isinstance(thing, (list, tuple, set, frozenset)):
            names = getattr(thing, "_fields", range(len(thing)))
            waiting += [(f"{path}.{n}", item) for n, item in zip(names, thing, strict=True)]
        elif isinstance(thing, MethodType):
            waiting.append((f"{path}.__self__", thing.__self__))
        elif isinstance(thing, FunctionType):
            cells = thing.__closure__ or ()
            waiting += [(f"{path}()", cell.cell_contents) for cell in cells]
        elif not type(thing).__module__.startswith("acclient_py"):
            continue  # a GL object, a lock
        waiting += [(f"{path}.{n}", value) for n, value in getattr(thing, "__dict__", {}).items()]
        for kind in type(thing).__mro__:
            slots = kind.__dict__.get("__slots__", ())
            if isinstance(kind, StructMeta) and kind is not Struct:
                slots = kind.__struct_fields__
            for name in (slots,) if isinstance(slots, str) else slots:
                if hasattr(thing, name):
                    waiting.append((f"{path}.{name}", getattr(thing, name)))


def span(array: np.ndarray) -> tuple[int, int]:
    return np.lib.array_utils.byte_bounds(array)


class Filled:
    """A world with a body in it, drawn with everything that can be asked of a frame."""

    def __init__(self, place: Callable[[str], Any], renderer_of: Callable[..., Any]) -> None:
        self.here = place("doll")
        self.here.aim(0x7F7F0001, (96, 90, 22), (96, 96, 21))
        physics = self.here.physics
        self.obj = physics.make_object(0x02000001, guid=0x50000001)
        physics.enter_world(self.obj, 0x7F7F0025, frames.make(96, 96, 20, 180))
        self.renderer: FrameRenderer = renderer_of(self.here)

    def draw(self) -> np.ndarray:
        self.here.draw(self.renderer, marks=True, overlays=tuple(SWITCHES))
        self.renderer.redraw(Study("depth-sorted", "sorted"))
        self.renderer.redraw(records=5)
        return self.here.draw(self.renderer)


@pytest.fixture
def filled(place: Callable[[str], Any], renderer_of: Callable[..., Any]) -> Filled:
    return Filled(place, renderer_of)


@pytest.mark.contract("C18", "L6", "E14")
def test_what_a_renderer_is_handed_cannot_be_written(filled: Filled) -> None:
    """Sabotage: hand out `graph.arrays` in `SceneMaker.scene`; the first array is written."""
    filled.draw()
    handed = filled.renderer.last_arrays
    for name, array in zip(Arrays._fields, handed, strict=True):
        if name in PAINTERS_OWN or array.size == 0:
            continue
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        if array.dtype.names:
            with pytest.raises(ValueError, match="read-only"):
                array[0][array.dtype.names[0]] = 0
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            array.flags.writeable = True


@pytest.mark.contract("C18", "L6", "S9")
def test_all_that_a_renderer_can_reach_of_the_graph_is_read_only(filled: Filled) -> None:
    """Sabotage: let the painter follow `graph.arrays`, or keep a writeable part list in it."""
    filled.draw()
    graph = filled.here.physics.graph
    own = {name: span(getattr(graph.arrays, name)) for name in PAINTERS_OWN}
    spans = {
        name: span(array)
        for name, array in zip(Arrays._fields, graph.arrays, strict=True)
        if array.size and name != "gfx"  # the models' pool, which grows when a level is asked for
    }
    met = set()
    for path, array in reachable(filled.renderer):
        if array.size == 0:
            continue
        low, high = span(array)
        for name, (first, end) in spans.items():
            if low < end and first < high:
                met.add(name)
                assert name in own or not array.flags.writeable, f"{path} writes {name}"
    assert {"objects", "parts", "shadows", "entries", "cells", *PAINTERS_OWN} <= met


@pytest.mark.contract("L6", "E14")
def test_no_copy_of_a_part_list_survives_in_a_renderer(filled: Filled) -> None:
    """The membership is changed behind its back: nothing that it holds still tells the old one.

    Sabotage: keep a copy of `entries` in the painter and refresh it only when the arrays have
    grown; the picture is the old one.
    """
    with_body = filled.draw()
    graph = filled.here.physics.graph
    cell = int(graph.arrays.objects["cell"][filled.obj])
    entries = graph.parts_of(cell).copy()
    assert len(entries) > 5, "the body is there"
    filled.here.physics.remove_shadows_from_cells(filled.obj)
    without = filled.draw()
    assert (with_body != without).any(axis=2).sum() > 200
    mine = {id(array) for _, array in reachable(graph)}
    rows = entries.tobytes()
    for path, array in reachable(filled.renderer):
        if id(array) not in mine and array.dtype == entries.dtype:
            low, _ = span(array)
            shared = any(low == span(other)[0] for other in graph.arrays if other.size)
            assert shared or rows not in array.tobytes(), f"{path} still has the old list"
    filled.here.physics.recalc_cross_cells(filled.obj)
    assert np.array_equal(filled.draw(), with_body)


@pytest.mark.contract("C18", "L6", "E14")
def test_a_frame_with_everything_leaves_every_byte_of_the_graph(filled: Filled) -> None:
    """Sabotage: write a part's `look` in the walk; `parts` is listed."""
    filled.draw()
    physics = filled.here.physics
    scratch = {*PAINTERS_OWN, "stack"}

    def state() -> dict[str, bytes]:
        arrays = physics.graph.arrays
        told = {n: getattr(arrays, n).tobytes() for n in Arrays._fields if n not in scratch}
        return {**told, "bodies": physics.bodies.rows.tobytes()}

    before = state()
    filled.here.aim(0x7F7F0001, (100, 93, 22), (96, 96, 21))
    filled.draw()
    filled.here.maker.eye.place(0x7F7F0025, (96.0, 96.0, 21.6), (96.0, 80.0, 22.0))
    filled.here.maker.eye.slide(0x7F7F0025, (96.0, 96.0, 21.6), (120.0, 80.0, 19.0))
    after = state()
    assert [name for name in after if after[name] != before[name]] == []
    physics.check()


def test_plain_walks_meet_the_same_refusals(repo: Path) -> None:
    """Compiled code asks no array's leave; in plain Python the same walk would be refused.

    Sabotage: as above; the child fails with "read-only".
    """
    if DISABLED:
        pytest.skip("this is the plain run")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__,
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=repo, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]


def asked(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """What is taken of whatever bears the name of a world or a graph: (name, attribute, line)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            holder = node.value
            name = holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
            if name in READS:
                yield name, node.attr, node.lineno


@pytest.mark.contract("C18", "E14")
def test_the_reading_packages_ask_a_world_for_nothing_that_writes(repo: Path) -> None:
    """Sabotage: take `graph.arrays` or call `physics.write_cell` in `render/scene.py`."""
    count = 0
    for package in READING:
        for source in sorted((repo / "acclient_py" / package).rglob("*.py")):
            text = source.read_text(encoding="utf-8")
            assert "WRITEABLE" not in text, f"{source} unlocks an array"
            for name, attribute, line in asked(ast.parse(text)):
                count += 1
                assert attribute in READS[name], f"{source.name}:{line} takes {name}.{attribute}"
    assert count >= 10, "they do ask"

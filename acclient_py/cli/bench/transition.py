"""One moving body among 500 objects in the demo's hamlet, and a thousand creatures that walk."""

from __future__ import annotations

import ctypes
import json
import time
from typing import Any, Final

import numpy as np

from acclient_py.anim.motion import WALK_FORWARD
from acclient_py.cli.asking import AskWorld
from acclient_py.cli.bench import Row
from acclient_py.cli.bench._c import library
from acclient_py.cli.worlds import open_world
from acclient_py.core.frame import set_heading
from acclient_py.kernels import kernel
from acclient_py.physics.bodies import BODY_DTYPE
from acclient_py.physics.path import PATH_DTYPE
from acclient_py.physics.transit import COUNT, CURR_CELL
from acclient_py.physics.transition import init_object, init_path
from acclient_py.physics.valid import find_transitional_position

_ENTER: Final = 0x1012
_SPREAD: Final = 40.0  # metres round the start


@kernel
def many(paths: Any, tables: Any, obj: int, cell: int, cell_id: int, a: Any, b: Any, n: int) -> int:
    """The same transition `n` times, as the tick runs it; how many were valid."""
    t = paths[0]
    w = tables[0]
    good = 0
    for _ in range(n):
        init_object(t, w, obj, False)
        init_path(t, cell, cell_id, a, cell_id, b, True)
        if find_transitional_position(paths, tables):
            good += 1
    return good


class Crowd:
    """The demo world with a body at its start and others round it."""

    def __init__(self, others: int) -> None:
        dats = open_world("demo")
        names = json.loads((dats.folder / "names.json").read_text("utf-8"))
        start = names["places"][names["start"]]
        player = names["player"]
        setup, table = int(player["setup"], 16), int(player["motion"], 16)
        cell_id = int(start["cell"], 16)
        world = AskWorld(dats).near(cell_id)
        rng = np.random.default_rng(7)
        self.world = world
        self.objects: list[int] = []
        for number in range(others + 1):
            obj = world.make_object(setup)
            world.movement.set_motion_table(obj, table)
            frame = np.array((*start["origin"], 1, 0, 0, 0), np.float32)
            if number:
                frame[:2] += rng.uniform(-_SPREAD, _SPREAD, 2).astype(np.float32)
            frame[2] += 0.1
            set_heading(frame, float(rng.uniform(0, 360)))
            if world.set_position(obj, cell_id, frame, _ENTER):
                world.delete_object(obj)
            else:
                self.objects.append(obj)
        for _ in range(3):
            world.tick()


_NAMES: Final = {"<f8": "double", "<i8": "int64_t", "<i4": "int32_t", "<u4": "uint32_t"}
_POINTERS: Final = (
    "objects", "bodies", "shadows", "parts", "shapes", "gfx", "spheres", "cylinders", "swne",
    "terrain_planes", "water",
)  # fmt: skip


def declared(name: str, dtype: np.dtype[Any]) -> str:
    """A structured dtype as a struct of C; both lay their fields out alike."""
    lines = []
    for field in dtype.names or ():
        base, shape = (dtype[field].base, dtype[field].shape)
        size = "".join(f"[{n}]" for n in shape)
        lines.append(f"    {_NAMES[base.str]} {field}{size};")
    return "typedef struct {\n" + "\n".join(lines) + f"\n}} {name};\n"


class InC:
    """The same step in C, on the same rows and a path of its own."""

    def __init__(self, world: Any) -> None:
        header = declared("Path", PATH_DTYPE) + declared("Body", BODY_DTYPE)
        self.c = library("transition.c", header)
        for which, dtype in enumerate((PATH_DTYPE, BODY_DTYPE)):
            assert self.c.sizes_path(which) == dtype.itemsize, f"row {which} differs in C"
        arrays, tables = world.graph.arrays, world.transitions.tables
        self.graph = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        self.path = world.transitions.paths.copy()
        self.ids, self.slots = tables.cell_ids.copy(), tables.cell_slots.copy()
        self.head = tables.cell_head.copy()
        rows = [
            world.bodies.rows if name == "bodies" else getattr(arrays, name) for name in _POINTERS
        ]
        pointers = [row.ctypes.data for row in rows]
        pointers += [ctypes.addressof(self.graph)]
        pointers += [a.ctypes.data for a in (self.ids, self.slots, self.head)]
        self.world = (ctypes.c_void_p * len(pointers))(*pointers)
        self.c.many.restype = ctypes.c_int64

    def many(self, obj: int, cell: int, cell_id: int, a: Any, b: Any, n: int) -> int:
        """As the kernel of the same name; -1 when it meets what the yardstick does not know."""
        whole = (ctypes.c_int64(v) for v in (obj, cell, cell_id))
        ends = (ctypes.c_void_p(v.ctypes.data) for v in (a, b))
        path = ctypes.c_void_p(self.path.ctypes.data)
        return int(self.c.many(path, self.world, *whole, *ends, ctypes.c_int64(n)))

    def parted(self, world: Any) -> list[str]:
        """What differs of the two paths and their cell arrays, scratch left out."""
        tables, ours = world.transitions.tables, world.transitions.path
        count = int(self.head[COUNT])
        pairs = [
            (name, ours[name], self.path[0][name])
            for name in PATH_DTYPE.names or ()
            if name not in _SCRATCH
        ]
        pairs += [
            ("cell ids", tables.cell_ids[:count], self.ids[:count]),
            ("cell slots", tables.cell_slots[:count], self.slots[:count]),
            ("cell head", tables.cell_head[[COUNT, CURR_CELL]], self.head[[COUNT, CURR_CELL]]),
        ]
        return [name for name, one, two in pairs if not np.array_equal(one, two)]


_SCRATCH: Final = frozenset(
    name for name in PATH_DTYPE.names or () if name.startswith(("localspace", "backup", "at_"))
)


def run(quick: bool) -> list[Row]:
    crowd = Crowd(500)
    world, obj = crowd.world, crowd.objects[0]
    transitions = world.transitions
    row = world.row(obj)
    a = row["frame"].astype(np.float64)
    b = a.copy()
    b[1] += 3.12 / 30.0
    args = (
        transitions.paths,
        transitions.tables.refresh(),
        obj,
        int(row["cell"]),
        int(row["objcell_id"]),
        a,
        b,
    )
    many(*args, 1)
    count = 500 if quick else 5000
    in_c = InC(world)
    assert in_c.many(*args[2:], 1) == many(*args, 1) == 1, "the step is one over open ground"
    assert in_c.parted(world) == [], "C and the kernels part"
    best, theirs = float("inf"), float("inf")
    for _ in range(5):  # turn by turn
        best = min(best, _timed(lambda: many(*args, count)) / count)
        theirs = min(theirs, _timed(lambda: in_c.many(*args[2:], count)) / count)
    rows = [
        Row(
            "one transition among 500 objects",
            best * 1e6,
            "us",
            f"{len(crowd.objects)} bodies within {_SPREAD:.0f} m, one step of a walk",
            60.0,
        ),
        Row("the same step in kernels", best / theirs, "x", "C -O3, the same rows", 2.0),
    ]
    number = 200 if quick else 1000
    walkers = Crowd(number)
    for each in walkers.objects:
        walkers.world.movement.do_motion(each, WALK_FORWARD)
    walkers.world.tick()
    ticks = 5 if quick else 30
    spent = min(_timed(walkers.world.tick) for _ in range(ticks))
    rows.append(
        Row(
            f"a tick of {len(walkers.objects)} walking creatures",
            spent * 1e3,
            "ms",
            "half a core is 16.7 ms at 30 ticks a second",
            500.0 / 30.0,
        )
    )
    return rows


def _timed(work: Any) -> float:
    """Seconds of this thread: half a core is asked for, whatever else runs on the machine."""
    began = time.thread_time()
    work()
    return time.thread_time() - began

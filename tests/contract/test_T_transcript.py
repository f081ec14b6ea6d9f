"""Contract T: membership transcripts say what the graph did, exactly and the same every time.

The strongest of these tests knows nothing of the program but the events: it keeps cells and lists
from the transcript alone, and at the end has to hold what the graph holds, entry by entry.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from builders.hosts import BODY, CREATURE, HERE, PLAYER, SHIELD, SWORD, THERE, Story, story
from builders.worlds import baked

from acclient_py.cli import main as command_line
from acclient_py.core.ids import hex8
from acclient_py.transcript.events import Event, Recorder, static_name

REPO = Path(__file__).resolve().parents[2]
LINE = jsonschema.Draft202012Validator(
    json.loads((REPO / "assets" / "schemas" / "transcript.schema.json").read_text("utf-8"))
)
MEMBERSHIP = ("CellArray", "AddShadow", "AddPart", "RemoveShadow", "RemovePart", "CellWrite")

PILLAR = "0x02000001"  # of the ring
SOUTH, STAIR, CELLAR = "0x02020100", "0x02020108", "0x02020109"


class Told(Story):
    """A story that keeps its transcript."""

    def __init__(self, world: str = "doll", **options: Any) -> None:
        self.recorder = Recorder()
        super().__init__(world, sink=self.recorder, **options)

    def take(self) -> list[Event]:
        """The events since the last call, each valid by the shipped schema."""
        events = [json.loads(json.dumps(event)) for event in self.recorder.events]
        self.recorder.events.clear()
        for event in events:
            LINE.validate(event)
        return events


@pytest.fixture
def told() -> Iterator[Told]:
    made = Told()
    yield made
    made.dats.close()


class Ledger:
    """Cells and lists as the events alone tell them."""

    def __init__(self) -> None:
        self.cell: dict[str, str | None] = {}
        self.shadows: dict[str, list[str]] = defaultdict(list)  # by cell: objects
        self.parts: dict[str, list[tuple[str, int, str, bool]]] = defaultdict(list)

    def take(self, events: list[Event]) -> None:
        for event in events:
            getattr(self, event["event"], lambda event: None)(event)

    def CellWrite(self, event: Event) -> None:
        assert self.cell.get(event["object"]) == event["old"], event
        self.cell[event["object"]] = event["new"]

    def AddShadow(self, event: Event) -> None:
        assert event["object"] not in self.shadows[event["cell"]], event
        self.shadows[event["cell"]].append(event["object"])

    def RemoveShadow(self, event: Event) -> None:
        self._swap_out(self.shadows[event["cell"]], event["object"], lambda row: row)

    def AddPart(self, event: Event) -> None:
        rows = self.parts[event["cell"]]
        assert event["place"] == len(rows), event
        rows.append((event["object"], event["part"], event["gfxobj"], event["planes"]))

    def RemovePart(self, event: Event) -> None:
        key = (event["object"], event["part"])
        self._swap_out(self.parts[event["cell"]], key, lambda row: row[:2])

    @staticmethod
    def _swap_out(rows: list[Any], key: Any, of: Any) -> None:
        place = [of(row) for row in rows].index(key)
        rows[place] = rows[-1]
        del rows[-1]


def graph_of(told: Told) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What the graph holds, in the ledger's form: cells, shadow lists, part lists."""
    graph = told.host.physics.graph
    a = graph.arrays

    def name(obj: int) -> str:
        row = a.objects[obj]
        guid = int(row["guid"])
        return hex8(guid) if guid else static_name(int(row["home_id"]), int(row["home_index"]))

    cells: dict[str, Any] = {}
    for obj in range(graph.used("objects")):
        if a.objects["kind"][obj] == 1 and a.objects["cell"][obj] >= 0:
            cells[name(obj)] = hex8(graph.full_cell_id(obj))
    shadows, parts = {}, {}
    for cell in range(graph.used("cells")):
        if not a.cells["kind"][cell]:
            continue
        key = hex8(int(a.cells["id"][cell]))
        mine = [name(int(a.shadows["object"][s])) for s in graph.shadows_of(cell)]
        rows = [
            (
                name(int(e["object"])),
                int(e["part_index"]),
                hex8(int(a.gfx["id"][a.parts["gfx"][e["part"]]])),
                bool(e["planes"]),
            )
            for e in graph.parts_of(cell)
        ]
        if mine:
            shadows[key] = mine
        if rows:
            parts[key] = rows
    return cells, shadows, parts


def assert_told(told: Told, ledger: Ledger) -> None:
    """The ledger, kept from the events alone, holds what the graph holds, in the same order."""
    ledger.take(told.take())
    cells, shadows, parts = graph_of(told)
    assert {name: cell for name, cell in ledger.cell.items() if cell} == cells
    assert {cell: rows for cell, rows in ledger.shadows.items() if rows} == shadows
    assert {cell: rows for cell, rows in ledger.parts.items() if rows} == parts


def live_through(told: Told, who: str) -> Iterator[None]:
    """A life with most of what can happen; a stop after each event."""
    told.arm(who)
    yield
    for place in (THERE, HERE, THERE):
        told.do("place", guid=who, at=place)
        yield
    told.do("walk", guid=who, heading=270, seconds=2)
    yield
    told.do("pickup", guid=SWORD)
    yield
    told.do("attach", child=SWORD, parent=who, location=1)
    yield
    told.do("position", guid=SHIELD, at=HERE, teleport_stamp=1)
    yield
    told.do("teleport", guid=who, at=HERE)
    yield
    told.do("unload", landblock="0x807FFFFF")
    told.do("load", landblock="0x807FFFFF")
    yield
    told.do("create", guid=SWORD, instance=1, setup=BODY, at=THERE)
    yield
    told.host.close()
    yield


@pytest.mark.contract("T2")
@pytest.mark.contract("T3")
@pytest.mark.contract("T5")
@pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])
def test_the_events_alone_tell_what_the_graph_holds(told: Told, who: str) -> None:
    """Sabotage: leave RemovePart out of `release_cell`, or count AddPart's place from one; the
    comparison of the part lists fails. Give CellWrite the new cell twice; the ledger's own
    assertion fails."""
    ledger = Ledger()
    for _ in live_through(told, who):
        assert_told(told, ledger)
    assert set(ledger.cell.values()) == {None}


@pytest.mark.contract("T2")
@pytest.mark.contract("T3")
def test_statics_and_env_cells_are_told_too() -> None:
    """Sabotage: name a static by its row when the event is read; the names are wrong after the
    rows were given out again."""
    told, ledger = Told("ring"), Ledger()
    told.do(
        "create", guid=PLAYER, setup=PILLAR, player=True,
        at={"cell": SOUTH, "origin": [50.0, 36.1, 0.0]},
    )  # fmt: skip
    assert_told(told, ledger)
    assert len(ledger.parts[SOUTH]) == 2, "a lamp and the player"
    static = f"{CELLAR}:0"
    assert ledger.cell[static] == CELLAR
    for at in (
        {"cell": CELLAR, "origin": [50.0, 21.0, -3.0]},
        {"cell": SOUTH, "origin": [50.0, 40.0, 0.0]},
        {"cell": CELLAR, "origin": [51.0, 21.0, -3.0]},
    ):
        told.do("teleport", guid=PLAYER, at=at)
        assert_told(told, ledger)
    told.do("unload", landblock="0x0202FFFF")
    assert_told(told, ledger)
    assert ledger.cell[static] is None
    told.host.close()
    told.dats.close()


@pytest.mark.contract("T2")
def test_one_publication_is_told_in_its_order(told: Told) -> None:
    """Sabotage: give a child's array the child as its source; the second assertion fails."""
    told.arm(PLAYER)
    told.take()
    told.do("place", guid=PLAYER, at=THERE)
    events = [e for e in told.take() if e["event"] in MEMBERSHIP]
    kinds = [e["event"] for e in events]
    last_write = len(kinds) - 1 - kinds[::-1].index("CellWrite")
    assert "AddPart" not in kinds[: last_write + 1]
    arrays = [e for e in events if e["event"] == "CellArray"][-4:]
    family = [PLAYER, SWORD, "0x80000012", SHIELD]
    assert [(e["object"], e["from"]) for e in arrays] == [(name, PLAYER) for name in family]
    assert all(e["ids"] == [THERE["cell"]] for e in arrays)
    assert all(e["cells"] == e["ids"] for e in arrays)
    at = events.index(arrays[0])
    following = events[at : at + 3]
    assert [e["event"] for e in following] == ["CellArray", "AddShadow", "AddPart"]
    assert following[1] == {
        "event": "AddShadow", "seq": following[1]["seq"], "object": PLAYER,
        "cell": THERE["cell"], "count": 1,
    }  # fmt: skip
    part = following[2]
    gfx = told.host.physics.graph.arrays.gfx["id"]
    first = told.host.models.setup(int(BODY, 16)).part_gfx[0]
    assert (part["part"], part["gfxobj"], part["planes"]) == (0, hex8(int(gfx[first])), False)
    assert [e["seq"] for e in events] == list(range(events[0]["seq"], events[-1]["seq"] + 1))


@pytest.mark.contract("T2")
def test_an_array_over_a_border_says_so() -> None:
    """Sabotage: count only live cells in AddShadow; the last assertion fails."""
    told = Told()
    edge = {"cell": "0x7F7F003C", "origin": [180.0, 191.7, 20.0]}  # the block north is not there
    told.do("create", guid=PLAYER, setup=BODY, at=edge, player=True)
    arrays = [e for e in told.take() if e["event"] == "CellArray" and e["object"] == PLAYER]
    told.do("tick", seconds=0.1)
    arrays += [e for e in told.take() if e["event"] == "CellArray" and e["object"] == PLAYER]
    last = arrays[-1]
    assert last["ids"] == ["0x7F7F0040", "0x7F800039"]
    assert last["cells"] == ["0x7F7F0040", None]
    assert last["added_outside"] is True
    assert last["do_not_load_cells"] is False
    told.dats.close()


@pytest.mark.contract("T2")
def test_parts_in_two_env_cells_have_planes() -> None:
    """Sabotage: write the number of shadows in place of the planes; the schema refuses it."""
    told = Told("ring")
    door = {"cell": STAIR, "origin": [50.0, 35.9, 0.0]}
    told.do("create", guid=PLAYER, setup=PILLAR, at=door, player=True)
    events = [e for e in told.take() if e.get("object") == PLAYER]
    (array,) = [e for e in events if e["event"] == "CellArray"]
    assert sorted(array["ids"]) == [SOUTH, STAIR]
    added = [e for e in events if e["event"] == "AddPart"]
    assert [(e["cell"], e["planes"]) for e in added] == [(cell, True) for cell in array["ids"]]
    counts = [e["count"] for e in events if e["event"] == "AddShadow"]
    assert counts == [2, 2]
    told.dats.close()


TORCH = """
[terrain]
blocks = ["7F7F", "7F7F"]
base = 20
[world]
name = "torch"
[mesh.post]
pieces = [{ shape = "box", size = [0.2, 0.2, 1.5] }]
[mesh.lick]
pieces = [{ shape = "cards", size = [0.2, 0.3], count = 1 }]
[emitter.flame]
mesh = "lick"
motion = 2
birthrate = 0.05
max_particles = 3
initial = 1
life = 0.6
a = [0, 0, 0.5]
a_range = [0.7, 1.2]
[script.burn]
steps = [{ emitter = "flame", part = 0, at = [0, 0, 1.5], emitter_id = 1 }]
[setup.torch]
mesh = "post"
script = "burn"
[[static]]
model = "torch"
block = "7F7F"
at = [180, 20]
"""


@pytest.mark.contract("T2", "T5")
def test_what_hangs_on_a_static_names_it() -> None:
    """Sabotage: name a root without a guid by its guid; parent and root are 0x00000000."""
    told = Told(TORCH)
    static, cell = "0x7F7FFFFF:0", "0x7F7F0039"
    at = {"cell": cell, "origin": [170.0, 20.0, 20.0]}
    torch = baked(TORCH).ids["setup torch"]
    told.do("create", guid=CREATURE, setup=hex8(torch), at=at)
    told.do("tick", seconds=0.2)
    events = told.take()
    writes = [e for e in events if e["event"] == "CellWrite" and e["parent"]]
    assert [(e["parent"], e["new"], e["cause"]) for e in writes] == [
        (CREATURE, cell, "attach"), (static, cell, "attach")
    ]  # fmt: skip
    physics = told.host.physics
    physics.calc_cross_cells_static(int(physics.statics[0x7F7FFFFF][0]))
    told.host._after()
    arrays = [(e["object"], e["from"]) for e in told.take() if e["event"] == "CellArray"]
    (flame,) = {e["object"] for e in writes if e["parent"] == static}
    assert arrays == [(static, static), (flame, static)]
    told.dats.close()


@pytest.mark.contract("T3")
@pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])
def test_removal_comes_first_and_in_the_same_vocabulary(told: Told, who: str) -> None:
    """Sabotage: publish a child before its parent's shadows are out; the order differs."""
    told.arm(who)
    told.take()
    told.host.physics.recalc_cross_cells(told.host.known(int(SWORD, 16)).obj)
    told.host._after()
    events = told.take()
    charm = "0x80000012"
    cell = HERE["cell"]

    def out(name: str) -> list[tuple[Any, ...]]:
        return [("RemoveShadow", name, cell), ("RemovePart", name, cell)]

    def put(name: str) -> list[tuple[Any, ...]]:
        return [
            ("CellArray", name, None),
            ("AddShadow", name, cell),
            ("AddPart", name, cell),
        ]

    told_in_order = [(e["event"], e["object"], e.get("cell")) for e in events]
    assert told_in_order == [
        *out(SWORD), *out(charm), *put(SWORD), *put(charm),  # the sword, and all that hangs on it
        *out(charm), *put(charm),  # the charm by its own shape
    ]  # fmt: skip
    assert [e["from"] for e in events if e["event"] == "CellArray"] == [SWORD, SWORD, charm]


@pytest.mark.contract("T5")
@pytest.mark.contract("E19")
@pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])
def test_each_write_of_a_cell_has_its_cause(told: Told, who: str) -> None:
    """Sabotage: report the leave and the enter apart; the first comparison fails."""
    charm = "0x80000012"

    def writes() -> list[tuple[Any, ...]]:
        return [
            (e["object"], e["parent"], e["old"], e["new"], e["cause"])
            for e in told.take()
            if e["event"] == "CellWrite"
        ]

    here, there = HERE["cell"], THERE["cell"]
    told.arm(who)
    assert writes() == [
        (who, None, None, here, "place"),
        (SWORD, who, None, here, "attach"),
        (SHIELD, who, None, here, "attach"),
        (charm, SWORD, None, here, "attach"),
    ]
    told.do("place", guid=who, at=THERE)
    assert writes() == [
        (who, None, here, there, "place"),
        (SWORD, who, here, there, "propagate"),
        (charm, SWORD, here, there, "propagate"),
        (SHIELD, who, here, there, "propagate"),
    ]
    told.do("pickup", guid=SWORD)
    assert writes() == [
        (SWORD, None, there, None, "withdraw"),
        (charm, SWORD, there, None, "withdraw"),
    ]
    told.do("delete", guid=SHIELD)
    assert writes() == [(SHIELD, who, there, None, "delete")]
    told.do("unload", landblock="0x807FFFFF")
    assert writes() == [(who, None, there, None, "lost")]


@pytest.mark.contract("T6")
def test_every_id_has_eight_digits_and_every_line_a_number(told: Told) -> None:
    """Sabotage: write ids as numbers; the schema refuses the first event."""
    events: list[Event] = []
    for _ in live_through(told, PLAYER):
        events += told.take()
    assert {e["event"] for e in events} == set(MEMBERSHIP)
    assert [e["seq"] for e in events] == list(range(len(events)))
    LINE.validate(events[0])
    with pytest.raises(jsonschema.ValidationError):
        LINE.validate({**events[0], "object": 5})
    with pytest.raises(jsonschema.ValidationError):
        LINE.validate({"event": "Nothing", "seq": 0})


# two runs


def scenario(path: Path) -> Path:
    """A scenario with walks, crossings and statics, on the doll's world."""
    steps = [
        {"do": "create", "guid": PLAYER, "instance": 3, "setup": BODY, "player": True, "at": HERE},
        {"do": "create", "guid": SWORD, "setup": "0x02000010", "parent": PLAYER, "location": 1},
        {"do": "create", "guid": SHIELD, "setup": "0x02000011", "parent": PLAYER, "location": 3},
        {"do": "walk", "guid": PLAYER, "heading": 77.0, "seconds": 5.0},
        {"do": "input", "keys": ["w", "d"], "seconds": 1.0},
        {"do": "walk", "guid": PLAYER, "to": HERE, "run": True},
        {"do": "unload", "landblock": "0x807FFFFF"},
        {"do": "pickup", "guid": SWORD},
        {"do": "checkpoint", "name": "end"},
    ]
    body = {"schema": "acclient/scenario/1", "world": str(baked("doll").folder), "steps": steps}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


@pytest.mark.contract("T8")
def test_every_run_writes_the_same_bytes(tmp_path: Path) -> None:
    """Sabotage: name an event by Python's `hash`, or walk a set; the last comparison fails."""
    file = str(scenario(tmp_path / "s.json"))
    written = []
    for name in ("a", "b"):
        out, transcript = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.t.jsonl"
        code = command_line.run(["run", file, "-o", str(out), "--transcript", str(transcript)])
        assert code == 0
        written.append((out.read_bytes(), transcript.read_bytes()))
    for seed in ("1", "4242"):
        out, transcript = tmp_path / f"{seed}.jsonl", tmp_path / f"{seed}.t.jsonl"
        words = ["run", file, "-o", str(out), "--transcript", str(transcript), "--check"]
        subprocess.run(
            [sys.executable, "-m", "acclient_py", *words],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        written.append((out.read_bytes(), transcript.read_bytes()))
    assert written[0][1].count(b"\n") > 1000
    assert len(set(written)) == 1


@pytest.mark.contract("T7")
def test_diff_says_the_first_event_at_which_two_runs_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sabotage: compare the files' lengths only; the exit code is 0."""
    file = scenario(tmp_path / "s.json")
    other = tmp_path / "o.json"
    other.write_text(file.read_text().replace("77.0", "78.0"))
    names = []
    for name, path in (("a", file), ("b", other)):
        names.append(str(tmp_path / f"{name}.jsonl"))
        out = str(tmp_path / "checkpoints")
        assert command_line.run(["run", str(path), "-o", out, "--transcript", names[-1]]) == 0
    capsys.readouterr()
    assert command_line.run(["diff", names[0], names[0]]) == 0
    assert capsys.readouterr().out == "the same\n"
    assert command_line.run(["diff", *names]) == 1
    said = capsys.readouterr().out
    assert said.startswith("event ")
    assert "0x50000001" in said
    assert command_line.run(["diff", names[0], str(tmp_path / "none")]) == 2


@pytest.mark.contract("T5")
def test_a_probe_and_a_transcript_tell_the_same_writes() -> None:
    """Sabotage: print the probe only for children; the comparison fails."""
    told = Told()
    for _ in live_through(told, CREATURE):
        pass
    writes = [
        f"probe parent={e['parent'] or '-'} child={e['object']} old={e['old'] or '-'} "
        f"new={e['new'] or '-'} cause={e['cause']}"
        for e in told.take()
        if e["event"] == "CellWrite"
    ]
    assert writes
    assert told.take_probes() == writes
    told.dats.close()


def test_without_a_sink_or_a_probe_nothing_is_recorded() -> None:
    with story("doll") as told:
        quiet = type(told.host)(told.dats, crossings=False)
        assert quiet.recording is None
        assert not quiet.physics.graph.recording

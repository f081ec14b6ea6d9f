"""The walk that proves it: the seven steps of contract E, for a player and for a creature.

The scenarios lie in `assets/scenarios` and say in their checkpoints what must be there. Here each
runs, and after every step it is asked again: is every child where its parent is, does the graph
hold together, is what lies in a pack in no list. Facts are counted, so that none holds by absence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from acclient_py.cli.worlds import open_world
from acclient_py.dat.dataset import DatSet
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host

PLAYER, CREATURE, OTHER = "0x50000001", "0x80000001", "0x50000002"
SWORD, SHIELD = "0x80000010", "0x80000011"
CLEAVER = "0x80000021"

pytestmark = pytest.mark.compiled

COMPARED = {  # scenario: children compared with their parents, at the least
    "proof_1_equip": 150,
    "proof_2_borders": 150,
    "proof_3_drop": 60,
    "proof_4_delete": 70,
    "proof_5_reconnect": 120,
    "proof_6_teleport": 70,
    "proof_7_reload": 140,
}


@pytest.fixture(scope="module")
def demo() -> Iterator[DatSet]:
    with open_world("demo") as dats:
        yield dats


class Proof:
    """A stored scenario, run step by step with every fact asked after each."""

    def __init__(self, dats: DatSet, name: str) -> None:
        read = sc.read(name)
        self.probes: list[str] = []
        self.compared: Counter[str] = Counter()
        self.seen: dict[str, dict[str, Any]] = {}
        self.checkpoints: list[dict[str, Any]] = []
        self.host = Host(
            dats, detail_radius=read.detail_radius, seed=read.seed, probe=self.probes.append
        )
        for step in read.steps:
            line = self.host.step(step)
            if line is not None:
                self.checkpoints.append(line)
                self.seen[line["checkpoint"]] = {o["guid"]: o for o in line["objects"]}
            self._ask()

    def _ask(self) -> None:
        physics = self.host.physics
        physics.check()
        everywhere = self._in_lists()
        for known in self.host.session.directory:
            parent = physics.parent_of(known.obj)
            if parent >= 0:
                root = self.host.session.directory.of_object(parent)
                assert root is not None
                assert physics.full_cell_id(known.obj) == physics.full_cell_id(parent)
                if physics.full_cell_id(parent):
                    self.compared["player" if root.guid >> 28 == 5 else "creature"] += 1
            if not physics.is_resident(known.obj):
                assert known.obj not in everywhere, f"a ghost of {known.guid:#x}"

    def _in_lists(self) -> set[int]:
        """Whoever is in any cell's list of objects, shadows or parts."""
        graph = self.host.physics.graph
        found: set[int] = set()
        for cell in range(graph.used("cells")):
            if graph.arrays.cells["kind"][cell]:
                found.update(graph.objects_of(cell))
                found.update(int(o) for o in graph.parts_of(cell)["object"])
                found.update(int(graph.arrays.shadows["object"][s]) for s in graph.shadows_of(cell))
        return found


@pytest.fixture(scope="module")
def proofs(demo: DatSet) -> dict[str, Proof]:
    return {}


@pytest.fixture
def prove(demo: DatSet, proofs: dict[str, Proof]) -> Any:
    """A proof, run once for the module."""

    def run(name: str) -> Proof:
        if name not in proofs:
            proofs[name] = Proof(demo, name)
        return proofs[name]

    return run


@pytest.mark.contract("E17")
@pytest.mark.contract("C14")
@pytest.mark.parametrize("name", sorted(COMPARED))
def test_every_step_of_the_walk_holds(prove: Any, name: str) -> None:
    """Sabotage: stop the recursion of enter_cell or of leave_cell; the equality in `_ask` fails."""
    proof = prove(name)
    assert proof.host.faults == []
    assert sum(len(line["refused"]) for line in proof.checkpoints) == 0
    assert proof.compared.total() >= COMPARED[name]
    assert min(proof.compared["player"], proof.compared["creature"]) > 15


@pytest.mark.contract("E5")
@pytest.mark.contract("E14")
@pytest.mark.contract("C13")
@pytest.mark.parametrize(
    ("who", "items"), [(PLAYER, (SWORD, SHIELD)), (CREATURE, (CLEAVER, "0x80000022"))]
)
def test_what_is_in_the_hand_turns_with_the_hand(
    prove: Any, who: str, items: tuple[str, ...]
) -> None:
    """Sabotage: leave out the frames of the children in set_frame; the turned frames are the old
    ones and the second assertion fails."""
    seen = prove("proof_1_equip").seen
    for turn in range(1, 6):
        before, after = seen[f"in the hands {turn}"], seen[f"turned {turn}"]
        for item in items:
            assert after[item]["rotation"] != before[item]["rotation"]
            held = [a - b for a, b in zip(after[item]["origin"], after[who]["origin"], strict=True)]
            assert 0.1 < sum(v * v for v in held) ** 0.5 < 2.5


@pytest.mark.contract("E6")
@pytest.mark.contract("E17")
def test_both_classes_cross_the_same_borders(prove: Any) -> None:
    """Sabotage: give creatures' children no propagation; `_ask` fails before this one."""
    crossings = [c for line in prove("proof_2_borders").checkpoints for c in line["crossings"]]
    blocks: dict[str, list[str]] = {PLAYER: [], CREATURE: []}
    for crossing in crossings:
        blocks[crossing["guid"]].append(crossing["to"][:6])
    for seen in blocks.values():
        assert {"0x7F7F", "0x7F80", "0x807F", "0x8080"} <= set(seen)
        assert len(seen) >= 5
    assert "0x0102" in blocks[PLAYER]


@pytest.mark.contract("E7")
@pytest.mark.contract("E16")
def test_a_dropped_weapon_is_gone_when_it_was_picked_up(prove: Any) -> None:
    """Sabotage: leave the shadows in leave_world; `_ask` finds the ghost."""
    seen = prove("proof_3_drop").seen
    for weapon in (SWORD, CLEAVER):
        assert len(seen["on the ground"][weapon]["parts"]) > 0
        assert seen["on the ground"][weapon]["parent"] is None
        assert seen["picked up"][weapon]["parts"] == []
        assert seen["in hand again"][weapon]["parts"] != []


@pytest.mark.contract("E15")
@pytest.mark.parametrize("name", sorted(COMPARED))
def test_nothing_is_left_after_the_end(prove: Any, name: str) -> None:
    """Sabotage: forget the shadows of a deleted object; a count is not zero."""
    proof = prove(name)
    proof.host.close()
    proof.host.physics.check()
    counts = proof.host.checkpoint("end")["counts"]
    names = ("objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged", "lost")
    assert {name: counts[name] for name in names} == dict.fromkeys(names, 0)

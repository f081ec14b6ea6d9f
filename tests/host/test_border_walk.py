"""The stored walk: arms carried over four borders and a four-block corner, there and back."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from acclient_py.cli.worlds import open_world
from acclient_py.host import scenario
from acclient_py.host.host import Host

PLAYER, CREATURE = "0x50000001", "0x80000001"
ITEMS = {
    PLAYER: ("0x80000010", "0x80000011", "0x80000012"),
    CREATURE: ("0x80000021", "0x80000022"),
}
PROBE = re.compile(r"probe parent=(\S+) child=(\S+) old=(\S+) new=(\S+) cause=(\S+)")


class Walked:
    """The walk's checkpoints and probe lines."""

    def __init__(self) -> None:
        self.probes: list[tuple[str, ...]] = []
        read = scenario.read("border_walk")
        with open_world(read.world) as dats:
            host = Host(dats, detail_radius=read.detail_radius, check=False, probe=self._probe)
            self.lines: list[dict[str, Any]] = list(host.play(read))
            self.faults = list(host.faults)

    def _probe(self, line: str) -> None:
        found = PROBE.fullmatch(line)
        assert found is not None, line
        self.probes.append(found.groups())


@pytest.fixture(scope="module")
def walked() -> Walked:
    return Walked()


@pytest.mark.contract("C14")
@pytest.mark.contract("E17")
def test_every_item_is_in_its_bearers_cell_at_every_checkpoint(walked: Walked) -> None:
    """Sabotage: stop the recursion of enter_cell; the first comparison after a crossing fails."""
    assert walked.faults == []
    assert len(walked.lines) == 11
    for line in walked.lines:
        objects = {o["guid"]: o for o in line["objects"]}
        for bearer, items in ITEMS.items():
            root = objects[bearer]
            assert root["cell"] is not None
            for item in items:
                for name in ("cell", "objcell_id", "full_cell_id"):
                    assert objects[item][name] == root[name], (line["checkpoint"], item, name)


@pytest.mark.contract("E6")
def test_each_leg_crosses_a_border_for_both(walked: Walked) -> None:
    """Sabotage: clamp the cell to the block's own grid (MEM-01); the set of blocks stays one."""
    blocks: dict[str, set[str]] = {PLAYER: set(), CREATURE: set()}
    for line in walked.lines[1:]:
        crossed = Counter(c["guid"] for c in line["crossings"])
        for bearer in ITEMS:
            assert crossed[bearer] >= 1, (line["checkpoint"], bearer)
        for crossing in line["crossings"]:
            assert crossing["cause"] == "move"
            blocks[crossing["guid"]].add(crossing["to"][:6])
    for seen in blocks.values():
        assert seen == {"0x7F7F", "0x7F80", "0x807F", "0x8080"}


@pytest.mark.contract("E19")
def test_each_move_of_a_root_is_one_line_for_every_descendant(walked: Walked) -> None:
    """Sabotage: report the leave and the enter apart; the counts differ."""
    moves = Counter(child for parent, child, _, _, cause in walked.probes if cause == "move")
    spread = Counter(child for _, child, _, _, cause in walked.probes if cause == "propagate")
    for bearer, items in ITEMS.items():
        assert moves[bearer] >= len(walked.lines) - 1
        for item in items:
            assert spread[item] == moves[bearer]
    known = {"attach", "move", "place", "propagate"}
    assert {cause for *_, cause in walked.probes} <= known


@pytest.mark.contract("C2")
def test_descendants_follow_in_child_list_order(walked: Walked) -> None:
    """Sabotage: visit the children backwards; the comparison fails."""
    order = [PLAYER, "0x80000010", "0x80000012", "0x80000011"]
    lines = [(child, cause) for _, child, _, _, cause in walked.probes]
    starts = [i for i, line in enumerate(lines) if line == (PLAYER, "move")]
    for start in starts:
        assert [child for child, _ in lines[start : start + 4]] == order

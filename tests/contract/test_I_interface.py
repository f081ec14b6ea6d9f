"""Contract I: what steps, checkpoints and the library say, as far as no window is needed.

Commands, exit codes and files are proven in `tests/cli` (I1 to I4, I7, I8); here are the meanings.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from builders.hosts import (
    BODY,
    CREATURE,
    HERE,
    PLAYER,
    SHIELD,
    SHIELD_SETUP,
    SWORD,
    SWORD_SETUP,
    THERE,
    Story,
    parents,
)
from builders.worlds import baked

import acclient_py
from acclient_py.core.frame import get_heading
from acclient_py.session.messages import Stamp

REPO = Path(__file__).resolve().parents[2]
LINE = jsonschema.Draft202012Validator(
    json.loads((REPO / "assets" / "schemas" / "checkpoint.schema.json").read_text("utf-8"))
)


@pytest.mark.contract("I5")
def test_a_refused_step_is_told_in_the_next_checkpoint_and_only_there(told: Story) -> None:
    """Sabotage: keep the refusals after a checkpoint; the last assertion fails."""
    told.arm(PLAYER)
    told.do("pickup", guid=SWORD, stamp=0)
    told.do("attach", child=SHIELD, parent=PLAYER, location=77)
    told.do("load", landblock="0x1111FFFF")
    refused = told.host.checkpoint("a")["refused"]
    assert [line["do"] for line in refused] == ["pickup", "attach", "load"]
    assert [line["reason"] for line in refused] == [
        "stale position stamp",
        "the parent has no holding location 77",
        "there is no landblock 0x1111FFFF",
    ]
    assert told.host.checkpoint("b")["refused"] == []


@pytest.mark.contract("I5")
def test_stamps_left_out_are_the_next_in_order(told: Story) -> None:
    """Sabotage: send stamp 1 always; the second pickup is stale."""
    told.arm(PLAYER)
    known = told.host.known(int(SWORD, 16))
    before = known.stamps[Stamp.POSITION]
    for _ in range(3):
        told.do("pickup", guid=SWORD)
        told.do("attach", child=SWORD, parent=PLAYER, location=1)
    told.do("position", guid=SWORD, at=HERE)
    assert known.stamps[Stamp.POSITION] == before + 7
    assert told.refused() == []


@pytest.mark.contract("I5")
def test_without_a_player_the_first_place_is_the_load_point(told: Story) -> None:
    """Sabotage: take the last place; the block of the first is not there."""
    told.do("create", guid=CREATURE, setup=BODY, at=HERE)
    first = set(told.host.residency.blocks)
    assert 0x7F7FFFFF in first
    told.do("create", guid=SWORD, setup=SWORD_SETUP, at=THERE)
    assert told.host.residency.current_cell == int(HERE["cell"], 16)
    assert set(told.host.residency.blocks) == first
    told.do("unload", landblock="0x807FFFFF")
    assert set(told.host.residency.blocks) == first - {0x807FFFFF}
    told.do("load", landblock="0x807FFFFF")
    assert set(told.host.residency.blocks) == first


@pytest.mark.contract("I5")
@pytest.mark.contract("I6")
@pytest.mark.parametrize(("heading", "dx", "dy"), [(0, 0, 1), (90, 1, 0), (180, 0, -1)])
def test_a_walk_goes_by_the_compass(told: Story, heading: float, dx: int, dy: int) -> None:
    """Sabotage: turn headings the other way round; the east walk goes west."""
    told.do("create", guid=PLAYER, setup=BODY, player=True, at={**HERE, "origin": [170, 90, 20]})
    told.do("tick", seconds=0.5)
    before = told.look()[PLAYER]["origin"]
    told.do("walk", guid=PLAYER, heading=heading, seconds=2.0)
    seen = told.look()[PLAYER]
    moved = [a - b for a, b in zip(seen["origin"], before, strict=True)]
    assert moved[0] * dx + moved[1] * dy > 2.0
    assert abs(moved[0] * dy) + abs(moved[1] * dx) < 0.2
    frame = told.host.physics.row(told.host.known(int(PLAYER, 16)).obj)["frame"]
    assert abs((float(get_heading(frame)) - heading + 180) % 360 - 180) < 0.5
    assert told.host.tick_count == 75


@pytest.mark.contract("I7")
@parents
def test_a_checkpoint_is_valid_sorted_and_tells_a_stale_id_from_a_cell(
    told: Story, who: str
) -> None:
    """Sabotage: write objcell_id for `full_cell_id`; the assertion on the charm fails."""
    told.do("create", guid=SHIELD, setup=SHIELD_SETUP, at=HERE)
    told.do("delete", guid=SHIELD)
    told.arm(who)
    told.do("pickup", guid=SWORD)
    line = json.loads(json.dumps(told.host.checkpoint("x")))
    LINE.validate(line)
    guids = [o["guid"] for o in line["objects"]]
    assert guids == sorted(guids)
    charm = next(o for o in line["objects"] if o["guid"] == "0x80000012")
    assert (charm["cell"], charm["full_cell_id"]) == (None, "0x00000000")
    assert charm["objcell_id"] == HERE["cell"]
    sword = next(o for o in line["objects"] if o["guid"] == SWORD)
    assert (sword["objcell_id"], sword["parent"], sword["location"]) == ("0x00000000", None, None)
    bearer = next(o for o in line["objects"] if o["guid"] == who)
    assert [p["index"] for p in bearer["parts"]] == list(range(len(bearer["parts"])))
    assert {p["cell"] for p in bearer["parts"]} == set(bearer["shadow_cells"])
    assert line["counts"]["objects"] == 4
    assert line["counts"]["relations"] == 2


@pytest.mark.contract("I7")
def test_crossings_are_of_blocks_and_of_those_without_a_parent(told: Story) -> None:
    """Sabotage: count cells in place of blocks; the first comparison has two more."""
    told.arm(PLAYER)
    told.host.checkpoint("before")
    for origin in ([180.0, 60.0, 20.0], [180.0, 90.0, 20.0]):
        cell = f"0x7F7F00{0x39 + int(origin[1] // 24):02X}"
        told.do("place", guid=PLAYER, at={"cell": cell, "origin": origin})
    told.do("place", guid=PLAYER, at=THERE)
    crossings = told.host.checkpoint("after")["crossings"]
    assert [(c["guid"], c["from"], c["to"], c["cause"]) for c in crossings] == [
        (PLAYER, HERE["cell"], THERE["cell"], "place")
    ]
    assert told.host.checkpoint("again")["crossings"] == []


@pytest.mark.contract("I9")
def test_ten_lines_open_a_world_and_move_somebody_over_a_border() -> None:
    """Sabotage: hand out the graph's own arrays; the write at the end is not refused."""
    create = {"do": "create", "guid": PLAYER, "setup": BODY, "player": True, "at": HERE}
    place = {"do": "place", "guid": PLAYER, "at": THERE}
    with acclient_py.open_world(str(baked("doll").folder)) as dats:
        host = acclient_py.Host(dats)
        host.step(acclient_py.parse_step(json.dumps(create)))
        host.step(acclient_py.parse_step(json.dumps(place)))
        host.tick(3)
        cells = host.physics.graph.views().cells
        cell = host.physics.row(host.known(int(PLAYER, 16)).obj)["cell"]
        assert cells["id"][cell] == int(THERE["cell"], 16)
        with pytest.raises(ValueError, match="read-only"):
            cells["id"][cell] = 0

"""Wrong orders are re-arrangements of a finished stream: nothing is lost, nothing comes twice."""

from __future__ import annotations

import numpy as np
import pytest

from acclient_py.errors import UsageError
from acclient_py.order.names import ORDERS
from acclient_py.order.painter import Painter
from acclient_py.order.stream import DRAW_DTYPE, FlushSite, Op
from acclient_py.order.study import RIGHT, WRONG, Study, arranged, with_records

# a frame in a cell: sky, two land cells with a building in the second, then the inside
FRAME = [
    # op, owner, metres
    (Op.SKY_PASS, 0, 0.0),
    (Op.SKY, 0, 0.0),
    (Op.BLOCK, 0x7F7FFFFF, 0.0),
    (Op.TERRAIN, 0x7F7F0001, 60.0),
    (Op.PART, 1, 61.0),
    (Op.TERRAIN, 0x7F7F0002, 40.0),
    (Op.BUILDING, 9, 0.0),
    (Op.FLUSH, FlushSite.BUILDING, 0.0),
    (Op.ALPHA, 1, 61.0),
    (Op.PUNCH, 0, 38.0),
    (Op.CELL, 0x7F7F0100, 39.0),
    (Op.OBJ_CELL, 0x7F7F0100, 0.0),
    (Op.PART, 2, 39.5),
    (Op.SHELL, 9, 38.0),
    (Op.SHELL, 9, 38.0),
    (Op.PART, 3, 30.0),
    (Op.FLUSH, FlushSite.CELL, 0.0),
    (Op.FLUSH, FlushSite.LANDSCAPE, 0.0),
    (Op.CLIP, 3, 30.0),
    (Op.CLEAR_DEPTH, 0, 0.0),
    (Op.SEAL, 0x7F7F0101, 5.0),
    (Op.CELL, 0x7F7F0101, 4.0),
    (Op.PART, 4, 3.0),
    (Op.FLUSH, FlushSite.END, 0.0),
    (Op.ALPHA, 4, 3.0),
]
MASKS = (Op.PUNCH, Op.SEAL, Op.CLEAR_DEPTH)


@pytest.fixture
def records() -> np.ndarray:
    made = np.zeros(len(FRAME), DRAW_DTYPE)
    made["op"] = [op for op, _, _ in FRAME]
    made["owner"] = [owner for _, owner, _ in FRAME]
    made["instance"] = np.arange(len(FRAME))  # names the record
    return made


def ops(records: np.ndarray, study: Study) -> list[int]:
    order = arranged(records, np.array([far for _, _, far in FRAME]), study)
    assert len(set(order.tolist())) == len(order), "no record comes twice"
    return [int(op) for op in records["op"][order]]


@pytest.mark.parametrize("study", [RIGHT, *WRONG], ids=lambda s: f"{s.order}-{s.alpha}")
def test_an_arrangement_keeps_every_draw(records: np.ndarray, study: Study) -> None:
    """Sabotage: drop the last record of an arrangement; the counts differ."""
    kept = [op for op, _, _ in FRAME if op <= Op.CLEAR_DEPTH]
    if study.order == "no-portals":
        kept = [op for op in kept if op not in MASKS]
    assert sorted(ops(records, study)) == sorted(int(op) for op in kept)


def test_retail_is_left_alone(records: np.ndarray) -> None:
    assert ops(records, RIGHT) == [int(op) for op, _, _ in FRAME if op <= Op.CLEAR_DEPTH]


@pytest.mark.contract("L1")
def test_a_landscape_for_each_view_is_drawn_as_often_as_there_are_views(
    records: np.ndarray,
) -> None:
    """Sabotage: let the drain out of what comes twice; the clip entry comes once."""
    study = Study(order="landscape-per-view")
    far = np.array([far for _, _, far in FRAME])
    twice = records["op"][arranged(records, far, study, views=2)].tolist()
    landscape = ops(records, RIGHT)[: ops(records, RIGHT).index(Op.CLEAR_DEPTH)]
    assert twice == [*landscape, *ops(records, RIGHT)]
    outdoors = records[: len(records) - 8]
    kept = arranged(outdoors, far[:-8], study, views=1)
    assert outdoors["instance"][kept].tolist() == [
        i for i, op in enumerate(outdoors["op"]) if op <= Op.CLEAR_DEPTH
    ]


@pytest.mark.contract("L4")
def test_whole_terrain_first_moves_the_ground_behind_the_sky(records: np.ndarray) -> None:
    found = ops(records, Study(order="whole-terrain-first"))
    assert found[:4] == [Op.SKY, Op.TERRAIN, Op.TERRAIN, Op.PART]
    assert found[4:] == [op for op in ops(records, RIGHT)[2:] if op != Op.TERRAIN][1:]


@pytest.mark.contract("L7")
def test_shells_first_moves_a_shell_between_its_drain_and_its_portals(records: np.ndarray) -> None:
    found = ops(records, Study(order="shells-first"))
    at = found.index(Op.SHELL)
    assert found[at - 1 : at + 3] == [Op.ALPHA, Op.SHELL, Op.SHELL, Op.PUNCH]


def test_depth_sorted_is_far_to_near_on_each_side_of_the_seals(records: np.ndarray) -> None:
    far = np.array([metres for _, _, metres in FRAME])
    order = arranged(records, far, Study(order="depth-sorted")).tolist()
    clear = next(i for i, at in enumerate(order) if FRAME[at][0] == Op.CLEAR_DEPTH)
    outside = [far[at] for at in order[1:clear]]
    inside = [far[at] for at in order[clear + 2 :]]
    # what the outside's last drain held comes behind it
    assert outside[:-1] == sorted(outside[:-1], reverse=True)
    assert outside[-1] == 30.0
    assert inside == sorted(inside, reverse=True)
    assert FRAME[order[clear + 1]][0] == Op.SEAL


@pytest.mark.contract("L9")
def test_sorted_alpha_is_one_run_at_the_end(records: np.ndarray) -> None:
    found = ops(records, Study(alpha="sorted"))
    assert found[-3:] == [Op.ALPHA, Op.CLIP, Op.ALPHA]
    assert not {Op.ALPHA, Op.CLIP} & set(found[:-3])


def test_the_painter_keeps_its_own_stream(records: np.ndarray) -> None:
    """Sabotage: let with_records write into the painter's counters; its count is 2 then."""
    painter = Painter()
    painter.stream[: len(records)] = records
    painter.counters[0] = len(records)
    shown = with_records(painter, records[:2])
    assert shown.count == 2
    assert painter.count == len(records)
    assert np.array_equal(painter.records, records)


def test_every_wrong_order_is_named_in_its_title() -> None:
    for study in WRONG:
        assert "WRONG ON PURPOSE" in study.title
        assert (study.order if study.order != "retail" else study.alpha) in study.title
    assert "WRONG" not in RIGHT.title
    assert len(WRONG) == len(ORDERS) - 1 + 1


@pytest.mark.parametrize(
    ("order", "alpha", "option"), [("x", "retail", "--order"), ("retail", "x", "--alpha")]
)
def test_an_unknown_order_is_refused(order: str, alpha: str, option: str) -> None:
    with pytest.raises(UsageError) as error:
        Study(order, alpha)
    assert option in str(error.value)
    assert "depth-sorted" in str(error.value) or "sorted" in str(error.value)

"""The load window: rings, directions, the load point, what to fetch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from builders import records as made

from acclient_py.world import residency

ORDER: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "landscape_vectors.json").read_text()
)["order"]


def test_rings_and_directions() -> None:
    for row in ORDER["orient"]:
        found = residency.get_block_orient(row["dx"], row["dy"])
        assert (found.side, found.direction) == (row["side"], row["dir"]), row


def test_a_larger_detail_radius_moves_the_coarse_rings_out() -> None:
    """Sabotage: ignore detail_radius; the first assertion fails."""
    for dx in range(-12, 13):
        for dy in range(-12, 13):
            wide = residency.get_block_orient(dx, dy, detail_radius=5)
            ring = max(abs(dx), abs(dy))
            assert (wide.side == 8) is (ring <= 5)
            if ring > 5:
                # the same as retail, four blocks nearer along the axis it lies on
                assert wide.side == residency.get_block_orient(ring - 4, 0).side
    east = residency.get_block_orient(6, 0, detail_radius=5)
    assert east == residency.get_block_orient(2, 0)
    assert residency.get_block_orient(0, 0, detail_radius=0).side == 8
    assert residency.get_block_orient(1, 0, detail_radius=0).side == 4


def test_a_window_has_w_times_w_blocks_and_ends_at_the_worlds_edge() -> None:
    blocks = residency.window(0xA9B40019, 3)
    assert len(blocks) == 49
    assert list(blocks)[:2] == [0xA6B1FFFF, 0xA6B2FFFF]
    assert blocks[0xA9B4FFFF].side == 8
    assert blocks[0xACB4FFFF].side == 2
    corner = residency.window(0x00000001, 3)
    assert len(corner) == 16
    assert set(corner) == {x << 24 | y << 16 | 0xFFFF for x in range(4) for y in range(4)}
    assert len(residency.window(0xFEFE0040, 1)) == 4


def test_the_default_window_is_17_wide() -> None:
    assert len(residency.window(0x7F7F0001)) == 17 * 17


def test_a_sealed_interior_has_no_window() -> None:
    assert residency.load_point(0x01D40100, 10.0, 10.0) == 0
    assert residency.window(0) == {}


def test_an_interior_that_sees_outside_is_loaded_round_the_land_cell_under_it() -> None:
    assert residency.load_point(0xA9B40100, 84.0, 10.5, seen_outside=True) == 0xA9B40019
    assert residency.load_point(0xA9B40100, -5.0, 10.5, seen_outside=True) == 0xA8B40039
    assert residency.load_point(0xA9B40019, 0.0, 0.0) == 0xA9B40019


def test_what_a_block_to_come_needs() -> None:
    assert list(residency.prefetch_cells(0xA9B4FFFF, None)) == [0xA9B4FFFF, 0xA9B4FFFE]
    info = made.land_block_info()
    ids = list(residency.prefetch_cells(0xA9B4FFFF, info))
    assert ids[:2] == [0xA9B4FFFF, 0xA9B4FFFE]
    assert len(ids) == len(set(ids))
    assert all(0x100 <= i & 0xFFFF < 0xFFFE and i >> 16 == 0xA9B4 for i in ids[2:])
    named = {p.other_cell_id for b in info.buildings for p in b.portals}
    assert {i & 0xFFFF for i in ids[2:]} >= {low for low in named if 0x100 <= low < 0xFFFE}

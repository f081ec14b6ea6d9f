"""Terrain textures: codes, masks, rotations, and the merge in exact integers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.dat_sets import block

from acclient_py.world import texmerge

DATA = Path(__file__).parents[1] / "data"
MERGE: dict[str, Any] = json.loads((DATA / "landscape_vectors.json").read_text())["texture_merge"]
DATS: dict[str, Any] = json.loads((DATA / "dat_vectors.json").read_text())
CORNER = MERGE["map_lists_used"]["corner"]
SIDE = MERGE["map_lists_used"]["side"]
ROAD = MERGE["map_lists_used"]["road"]


def mask_of(roads: list[int]) -> int:
    return sum(1 << k for k in range(4) if roads[k])


def test_codes_overlays_roads_and_masks() -> None:
    for row in MERGE["keys"]:
        code = texmerge.palette_code(row["types"], row["roads"], row["size"])
        assert code == int(row["palcode"], 16), row
        assert texmerge.corners_of(code) == (
            tuple(row["types"]), tuple(row["roads"]), row["size"],
        )  # fmt: skip
        assert texmerge.alpha_hash(code) == int(row["alpha_hash"], 16)
        assert texmerge.alpha_index(code, 4) == row["alpha_index_of_4"]
        assert texmerge.alpha_index(code, 3) == row["alpha_index_of_3"]
        assert texmerge.is_uniform(code) is row["uniform"]
        all_road, roads = texmerge.road_codes(mask_of(row["roads"]))
        assert all_road is row["all_road"]
        assert [*roads, 0, 0][:2] == row["road_codes"]
        made = texmerge.cell_texture(code, CORNER, SIDE, ROAD)
        if all_road:
            assert made == texmerge.CellTexture(texmerge.ROAD_TYPE, (), ())
            continue
        base, laid = texmerge.terrain_overlays(row["types"])
        kinds = [base, *(t for t, _ in laid), None, None, None][:4]
        assert kinds == row["base_and_overlay_types"], row
        assert [*(c for _, c in laid), 0, 0, 0][:3] == row["overlay_codes"], row
        assert [
            {
                "list": "corner" if o.is_corner else "side",
                "map": o.mask_index,
                "rotation": o.rotation,
            }
            for o in made.overlays
        ] == row["terrain_alpha"], row
        assert [{"map": r.mask_index, "rotation": r.rotation} for r in made.roads] == row[
            "road_alpha"
        ], row


def test_terrain_codes_of_the_format() -> None:
    for item in DATS["vectors"]:
        if item["kind"] != "terrain_code":
            continue
        for row in item["value"]:
            assert texmerge.palette_code(row["types"], row["roads"]) == row["pcode"]
            all_road, roads = texmerge.road_codes(mask_of(row["roads"]))
            assert (all_road, list(roads)) == (row["fill"], row["road_codes"])
            base, laid = texmerge.terrain_overlays(row["types"])
            assert (base, [list(o) for o in laid]) == (row["base"], row["overlays"])


def test_codes_of_a_whole_block_are_those_of_its_cells() -> None:
    record = block(0, lambda x, y: (x * 3 + y) % 32 << 2 | (x + 2 * y) % 4)
    words = record.terrain
    for side in (8, 4, 2, 1):
        step = 8 // side
        for x in range(side):
            for y in range(side):
                at = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
                corners = [int(words[a * step * 9 + b * step]) for a, b in at]
                code = texmerge.palette_code(
                    [w >> 2 & 31 for w in corners], [w & 3 for w in corners], 1 if side == 8 else 4
                )
                assert texmerge.cell_code(words, side, x, y) == code


def test_a_mask_that_never_fits_is_left_out() -> None:
    code = texmerge.palette_code((1, 1, 1, 2), (1, 0, 1, 0))
    made = texmerge.cell_texture(code, (9,), (9,), (8,))
    assert made == texmerge.CellTexture(1, (), ())
    assert texmerge.cell_texture(code, (), (), ()).overlays == ()


def test_quarter_turns_of_codes() -> None:
    for code, turned in MERGE["rotate_code"].items():
        assert texmerge.rotate_code(int(code)) == turned


def test_tile_sizes() -> None:
    for row in MERGE["tile_size"]:
        assert texmerge.tile_size(row["base"], row["shift"], row["key_size"]) == row["pixels"]
    for base, shift, size, pixels in MERGE["public"]["size_examples"]:
        assert texmerge.tile_size(base, shift, size) == pixels


def test_blending_is_exact() -> None:
    """Sabotage: a float lerp; the row of alpha 129 differs."""
    for row in MERGE["blend"]:
        found = texmerge.blend(
            np.array([row["dst"]], np.uint8),
            np.array([row["src"]], np.uint8),
            np.array([row["alpha"]], np.uint8),
        )
        assert int(found[0]) == row["out"], row


def test_a_merged_tile_keeps_its_alpha_and_blends_layer_by_layer() -> None:
    example = MERGE["public"]["mid_alpha_example"]
    base = np.full((2, 2, 4), (*example["base"], 77), np.uint8)
    over = np.full((2, 2, 4), (*example["overlay"], 0), np.uint8)
    weight = np.full((2, 2), example["alpha"], np.uint8)
    weight[1, 1] = 255
    merged = texmerge.merge(base, [(over, weight)])
    assert merged[0, 0].tolist() == [*example["out"], 77]
    assert merged[1, 1].tolist() == base[1, 1].tolist()
    assert base[0, 0].tolist() == [*example["base"], 77]


@pytest.mark.parametrize("rotation", range(4))
def test_masks_turn_as_the_table_says(rotation: int) -> None:
    rng = np.random.default_rng(1)
    alpha = rng.integers(0, 256, (8, 8), dtype=np.uint8)
    h = w = 8
    turned = texmerge.turned_alpha(alpha, rotation, 8)
    for y in range(8):
        for x in range(8):
            expected = (
                alpha[y, x], alpha[x, w - 1 - y], alpha[h - 1 - y, w - 1 - x], alpha[h - 1 - x, y],
            )[rotation]  # fmt: skip
            assert turned[y, x] == expected
    doubled = texmerge.turned_alpha(alpha, rotation, 16)
    assert np.array_equal(doubled[::2, ::2], turned)
    assert np.array_equal(doubled[1::2, 1::2], turned)


def test_a_turned_corner_mask_covers_the_corner_of_its_code() -> None:
    """Code 8 is the north-west corner; a quarter turn carries it on to the south-west one."""
    mask = np.full((8, 8), 255, np.uint8)
    mask[:4, :4] = 0  # rows run southwards: the top left of the picture is north-west
    rotation = texmerge.find_terrain_alpha(0x10008442, 1, (8,), (9,))
    assert rotation == (True, 0, 1)
    turned = texmerge.turned_alpha(mask, 1, 8)
    assert turned[7, 0] == 0
    assert turned[0, 0] == turned[0, 7] == turned[7, 7] == 255


def test_tiling_repeats_the_texture() -> None:
    texture = np.arange(16, dtype=np.uint8).reshape(4, 4, 1)
    assert np.array_equal(texmerge.tiled(texture, 2, 8), np.tile(texture, (2, 2, 1)))
    assert texmerge.tiled(texture, 1, 2)[:, :, 0].tolist() == [[0, 2], [8, 10]]

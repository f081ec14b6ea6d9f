"""Scenery: hashes, places, roads, and what a block grows (TER-03)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import records as made
from builders.dat_sets import BLOCK, GFX, SETUP, at, block, box_gfx, dat_set, simple_setup
from msgspec.structs import replace

from acclient_py.core.frame import get_heading
from acclient_py.core.geom import FLOOR_Z
from acclient_py.dat import records as rec
from acclient_py.world import scenery, terrain
from acclient_py.world.landblock import load_landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel, load_region

DATA = Path(__file__).parents[1] / "data"
LAND: dict[str, Any] = json.loads((DATA / "landscape_vectors.json").read_text())
DATS: dict[str, Any] = json.loads((DATA / "dat_vectors.json").read_text())
SCENE = 0x12000001
GRASS_WITH_SCENE = 1 << 11  # terrain type 0, slot 1


def entry(**changes: Any) -> rec.SceneObject:
    base = rec.SceneObject(SETUP, at(0, 0, 0), 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 90.0, 0, 0, 0)
    return replace(base, **changes)


def grown(
    tmp_path: Path,
    *entries: rec.SceneObject,
    words: Any = GRASS_WITH_SCENE,
    heights: Any = 20,
    buildings: frozenset[int] = frozenset(),
    radius: float = 0.0,
) -> list[scenery.SceneryObject]:
    dats = dat_set(
        tmp_path,
        {
            0x13000000: made.region(),
            SCENE: rec.Scene(SCENE, entries),
            GFX: box_gfx(),
            SETUP: simple_setup(sorting_sphere=rec.Sphere((0, 0, 0), radius)),
            BLOCK: block(heights, words),
        },
    )
    with dats:
        region = load_region(dats)
        land = load_landblock(dats, BLOCK, region.heights)
        assert land is not None
        return scenery.get_land_scenes(land, region, dats, Models(dats), buildings)


def test_hashes_quadrants_rotations_and_scales() -> None:
    for row in LAND["scenery"]["objects"]:
        gx, gy, k = row["gx"], row["gy"], row["k"]
        salts = LAND["scenery"]["salts"]
        for name, salt in salts.items():
            found = scenery.object_hash(gx, gy, salt + k)
            assert found == int(row["freq" if name == "freq" else name], 16), row
        assert scenery.quadrant_hash(gx, gy) == int(row["quadrant_raw"], 16)
        assert scenery.quadrant_hash(gx, gy) >> 30 == row["quadrant"]
        noise = scenery.unit(scenery.object_hash(gx, gy, scenery.SALT_FREQUENCY + k))
        assert noise == pytest.approx(row["freq_unit"], abs=1e-9)
        assert scenery.object_rotation_deg(gx, gy, k, 360.0) == pytest.approx(
            row["rotation_deg_max360"], abs=1e-6
        )
        scaled = entry(min_scale=0.8, max_scale=1.6)
        assert scenery.object_scale(gx, gy, k, scaled) == pytest.approx(
            row["scale_min0_8_max1_6"], abs=1e-6
        )
        placed = entry(base_frame=at(1, 2, 0), displace_x=10.0, displace_y=6.0)
        assert scenery.displaced(gx, gy, k, placed) == pytest.approx(
            row["place_base_1_2_disp_10_6"], abs=1e-5
        )


def test_public_hashes() -> None:
    public = LAND["scenery"]["public"]
    for gx, gy, salt, word in public["object_hash"]:
        assert scenery.object_hash(gx, gy, int(salt, 16)) == int(word, 16)
    for gx, gy, word in public["scene_hash"]:
        assert scenery.scene_hash(gx, gy) == int(word, 16)
    for item in DATS["vectors"]:
        if item["kind"] != "landscape_hash":
            continue
        for row in item["value"]:
            x, y = row["x"], row["y"]
            assert scenery.scene_hash(x, y) == row["scene"]
            assert scenery.quadrant_hash(x, y) == row["quadrant"]
            for name, salt in (
                ("frequency", scenery.SALT_FREQUENCY), ("displace_x", scenery.SALT_DISPLACE_X),
                ("displace_y", scenery.SALT_DISPLACE_Y), ("scale", scenery.SALT_SCALE),
                ("rotation", scenery.SALT_ROTATION),
            ):  # fmt: skip
                assert scenery.object_hash(x, y, salt + 2) == row[name], (name, row)


def test_scene_indices() -> None:
    base = made.region()
    for row in LAND["scenery"]["scene_index"]:
        word = scenery.scene_hash(row["gx"], row["gy"])
        assert word == int(row["raw"], 16)
        for count, index in row["index_of"].items():
            scenes = tuple(range(0x12000000, 0x12000000 + int(count)))
            record = replace(base, scene_types=(rec.SceneType(0, ()), rec.SceneType(0, scenes)))
            region = RegionModel(0x13000000, np.zeros(256, np.float32), record)
            assert region.scene_id(0, 1, word) == 0x12000000 + index
            assert region.scene_id(0, 2, word) == region.scene_id(5, 0, word) == 0


def test_roads() -> None:
    for row in LAND["on_road"]["rows"]:
        *corners, dx, dy, expected = row
        assert scenery.on_road(*map(bool, corners), dx, dy) is expected, row
    for *corners, on, off in LAND["on_road"]["public"]["rows"]:
        flags = [bool(corner) for corner in corners]
        assert scenery.on_road(*flags, *on)
        assert not scenery.on_road(*flags, *off)


def test_all_81_vertices_are_asked_and_what_falls_outside_is_dropped(tmp_path: Path) -> None:
    placed = grown(tmp_path, entry())
    # vertices of the east and north edge stand at 192, which is outside
    assert len(placed) == 64
    assert [o.cell_id & 0xFFFF for o in placed] == list(range(1, 65))
    assert all(o.frame[2] == 40.0 for o in placed)


def test_only_what_lands_on_the_road_is_dropped(tmp_path: Path) -> None:
    """TER-03. Sabotage: test the road bits of the vertex before the displacement."""
    road = GRASS_WITH_SCENE | 1

    def words(x: int, y: int) -> int:
        return road if (x, y) == (4, 4) else GRASS_WITH_SCENE

    away = grown(tmp_path, entry(base_frame=at(10.0, 0.0, 0.0)), words=words)
    without = grown(tmp_path, entry(base_frame=at(10.0, 0.0, 0.0)))
    assert len(away) == len(without)
    near = grown(tmp_path, entry(base_frame=at(1.0, 0.0, 0.0)), words=words)
    plain = grown(tmp_path, entry(base_frame=at(1.0, 0.0, 0.0)))
    missing = {tuple(o.frame[:2]) for o in plain} - {tuple(o.frame[:2]) for o in near}
    assert len(missing) == 1
    (x, y) = missing.pop()
    assert abs(x - 96) <= 1
    assert abs(y - 96) <= 1


def test_nothing_grows_in_a_cell_with_a_building(tmp_path: Path) -> None:
    cell = 0xA9B40000 | 10
    placed = grown(tmp_path, entry(), buildings=frozenset({cell}))
    assert len(placed) == 63
    assert cell not in {o.cell_id for o in placed}


def test_slope_limits_are_cosines_with_both_ends(tmp_path: Path) -> None:
    def ramp(x: int, y: int) -> int:
        del y
        return 20 * x

    flat = grown(tmp_path, entry(min_slope=float(FLOOR_Z), max_slope=1.0), heights=ramp)
    assert flat == []  # 40 m in 24 is steeper
    steep = grown(tmp_path, entry(min_slope=0.0, max_slope=float(FLOOR_Z)), heights=ramp)
    assert len(steep) == 64


def test_an_object_whose_sphere_leaves_the_block_is_dropped(tmp_path: Path) -> None:
    placed = grown(tmp_path, entry(), radius=10.0)
    assert len(placed) == 49
    assert min(o.frame[0] for o in placed) == 24.0


def test_frequency_precedes_all_and_server_objects_are_none(tmp_path: Path) -> None:
    assert grown(tmp_path, entry(frequency=0.0)) == []
    assert grown(tmp_path, entry(weenie_object=1)) == []
    half = grown(tmp_path, entry(frequency=0.5))
    gx, gy = 0xA9 * 8, 0xB4 * 8
    expected = [
        (i, j)
        for i in range(8)
        for j in range(8)
        if scenery.unit(scenery.object_hash(gx + i, gy + j, scenery.SALT_FREQUENCY)) < 0.5
    ]
    assert len(half) == len(expected) > 0


def test_aligned_objects_look_up_the_slope_and_stay_upright(tmp_path: Path) -> None:
    def ramp(x: int, y: int) -> int:
        del y
        return 10 + 3 * x

    placed = grown(tmp_path, entry(align=1), heights=ramp)
    assert placed
    for o in placed:
        assert get_heading(o.frame) == pytest.approx(90.0, abs=1e-3)
        assert o.frame[4] == pytest.approx(0.0, abs=1e-6)


def test_scenery_stands_on_the_drawn_ground(tmp_path: Path) -> None:
    def hills(x: int, y: int) -> int:
        return 20 + (x * 5 + y * 3) % 9

    placed = grown(tmp_path, entry(displace_x=20.0, displace_y=20.0), heights=hills)
    z = terrain.vertex_heights(block(hills).heights, np.arange(256, dtype=np.float32) * 2)
    swne = terrain.diagonals(0xA9, 0xB4)
    xs, ys = (np.array([o.frame[axis] for o in placed], np.float32) for axis in (0, 1))
    found = terrain.heights_under(z, swne, xs, ys)
    assert np.abs(found - [o.frame[2] for o in placed]).max() < 1e-3


def test_the_worked_answers_of_another_program_agree_where_they_may(shared: Path) -> None:
    """What the other program places, and we refuse, has one of the reasons that the spec lists."""
    file = shared / "oracle" / "vectors" / "scenery.jsonl"
    if not file.exists():
        pytest.skip("no scenery answers")
    from acclient_py.dat.dataset import DatSet

    with DatSet.open(shared / "oracle" / "dats") as dats:
        region, models = load_region(dats), Models(dats)
        compared = 0
        for line in file.read_text().splitlines():
            row = json.loads(line)
            block_id = int(row["in"].split()[1], 16)
            land = load_landblock(dats, block_id, region.heights)
            assert land is not None
            ours = {
                (o.did, *(round(float(v), 1) for v in o.frame[:3])): o
                for o in scenery.get_land_scenes(land, region, dats, models, frozenset())
            }
            theirs = {
                (o["setup"], *(round(v, 1) for v in o["pos"]["frame"][:3])): o
                for o in row["out"]["scenery"]
            }
            for key in ours.keys() & theirs.keys():
                mine, other = ours[key], theirs[key]
                compared += 1
                assert mine.cell_id == other["pos"]["cell"]
                assert mine.scale == pytest.approx(other["scale"], rel=1e-5)
                quaternion = np.array(other["pos"]["frame"][3:])
                cosine = abs(float(np.dot(quaternion, mine.frame[3:])))
                assert cosine == pytest.approx(1.0, abs=1e-4)
            # it has no slope and no within-block test, so it places some that we do not
            assert ours.keys() <= theirs.keys()
        assert compared > 200

"""Scenery: hashes, places, roads, and what a block grows (TER-03)."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import records as made
from builders.dat_sets import BLOCK, GFX, SETUP, at, block, box_gfx, dat_set, simple_setup
from msgspec.structs import replace

from acclient_py.core.frame import Frame, get_heading, set_heading, vector_heading_deg
from acclient_py.core.geom import FLOOR_Z, height_on_plane
from acclient_py.core.trig import power
from acclient_py.dat import records as rec
from acclient_py.world import scenery, terrain
from acclient_py.world.landblock import Landblock, load_landblock, make_landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel, load_region
from acclient_py.world.scenes import Scenes

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
    building_cell: int = -1,
    radius: float = 0.0,
) -> Any:
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
        owned = np.arange(64) == building_cell
        return Scenes(region, dats, Models(dats)).grow(land, owned)


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
        assert scenery.object_scale(gx, gy, k, 0.8, 1.6) == pytest.approx(
            row["scale_min0_8_max1_6"], abs=1e-6
        )
        assert scenery.displaced(gx, gy, k, 1.0, 2.0, 10.0, 6.0) == pytest.approx(
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
            assert region.scenes(0, 1) == scenes
            assert scenery.scene_index(word, int(count)) == index
            assert region.scenes(0, 2) == region.scenes(5, 0) == ()


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
    assert placed["land_cell"].tolist() == list(range(64))
    assert (placed["frame"][:, 2] == 40.0).all()


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
    missing = {(*o[:2],) for o in plain["frame"]} - {(*o[:2],) for o in near["frame"]}
    assert len(missing) == 1
    (x, y) = missing.pop()
    assert abs(x - 96) <= 1
    assert abs(y - 96) <= 1


def test_nothing_grows_in_a_cell_with_a_building(tmp_path: Path) -> None:
    placed = grown(tmp_path, entry(), building_cell=9)
    assert len(placed) == 63
    assert 9 not in placed["land_cell"]


def test_slope_limits_are_cosines_with_both_ends(tmp_path: Path) -> None:
    def ramp(x: int, y: int) -> int:
        del y
        return 20 * x

    flat = grown(tmp_path, entry(min_slope=float(FLOOR_Z), max_slope=1.0), heights=ramp)
    assert len(flat) == 0  # 40 m in 24 is steeper
    steep = grown(tmp_path, entry(min_slope=0.0, max_slope=float(FLOOR_Z)), heights=ramp)
    assert len(steep) == 64


def test_an_object_whose_sphere_leaves_the_block_is_dropped(tmp_path: Path) -> None:
    placed = grown(tmp_path, entry(), radius=10.0)
    assert len(placed) == 49
    assert placed["frame"][:, 0].min() == 24.0


def test_frequency_precedes_all_and_server_objects_are_none(tmp_path: Path) -> None:
    assert len(grown(tmp_path, entry(frequency=0.0))) == 0
    assert len(grown(tmp_path, entry(weenie_object=1))) == 0
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
    assert len(placed)
    for frame in placed["frame"]:
        assert get_heading(frame) == pytest.approx(90.0, abs=1e-3)
        assert frame[4] == pytest.approx(0.0, abs=1e-6)


def test_scenery_stands_on_the_drawn_ground(tmp_path: Path) -> None:
    def hills(x: int, y: int) -> int:
        return 20 + (x * 5 + y * 3) % 9

    placed = grown(tmp_path, entry(displace_x=20.0, displace_y=20.0), heights=hills)
    z = terrain.vertex_heights(block(hills).heights, np.arange(256, dtype=np.float32) * 2)
    swne = terrain.diagonals(0xA9, 0xB4)
    xs, ys, zs = placed["frame"].T[:3]
    found = terrain.heights_under(z, swne, xs, ys)
    assert np.abs(found - zs).max() < 1e-3


def plainly(
    land: Landblock, scenes: list[tuple[rec.SceneObject, ...]], owned: Any, radius: float
) -> list[tuple[int, bytes, float, int]]:
    """What grows where vertices choose among scenes: plain steps, whole numbers of any size."""

    def noise(gx: int, gy: int, salt: int) -> float:
        word = 1813693831 * gy - (1360117743 * gx * gy + 1888038839) * salt - 1109124029 * gx
        return (word & 0xFFFFFFFF) * 2.0**-32

    found = []
    for i, j, k in itertools.product(range(9), range(9), range(7)):
        gx, gy = land.x * 8 + i, land.y * 8 + j
        choose = gy * (712977289 * gx + 1813693831) - 1109124029 * gx + 2139937281
        rules = scenes[(choose & 0xFFFFFFFF) * len(scenes) >> 32]
        if k >= len(rules):
            continue
        rule = rules[k]
        if rule.weenie_object or not noise(gx, gy, 23399 + k) < rule.frequency:
            continue
        dx, dy, _ = rule.base_frame.origin
        if rule.displace_x > 0:
            dx += noise(gx, gy, 45773 + k) * rule.displace_x
        if rule.displace_y > 0:
            dy += noise(gx, gy, 72719 + k) * rule.displace_y
        quadrant = 1813693831 * gy - gx * (1870387557 * gy + 1109124029) - 402451965
        for _ in range((quadrant & 0xFFFFFFFF) >> 30):
            dx, dy = -dy, dx
        x, y = np.float32(24.0 * i + dx), np.float32(24.0 * j + dy)
        cell = terrain.cell_under(x, y)
        if cell < 0 or owned[cell]:
            continue
        at = (cell >> 3) * 9 + (cell & 7)
        roads = [bool(land.terrain[at + step] & 3) for step in (0, 1, 9, 10)]
        if on_a_road(*roads, float(x) - 24.0 * (cell >> 3), float(y) - 24.0 * (cell & 7)):
            continue
        triangle = terrain.find_terrain_poly(bool(land.swne[cell]), cell, x, y)
        nx, ny, nz, d = land.planes[cell, triangle]
        if triangle < 0 or not rule.min_slope <= float(nz) <= rule.max_slope:
            continue
        frame = rule.base_frame.array()
        frame[:3] = x, y, height_on_plane(nx, ny, nz, d, x, y, frame[2])
        if rule.align:
            set_heading(frame, float(vector_heading_deg(-nx, -ny)))
        elif rule.max_rotation > 0:
            set_heading(frame, noise(gx, gy, 63127 + k) * rule.max_rotation)
        low, high = rule.min_scale, rule.max_scale
        scale = high
        if low != high and low > 0:
            scale = float(np.float32(power(high / low, noise(gx, gy, 32593 + k)) * low))
        r = np.float32(radius)
        if r <= frame[0] < np.float32(192.0) - r and r <= frame[1] < np.float32(192.0) - r:
            found.append((rule.object_id, frame.tobytes(), scale, cell))
    return found


def on_a_road(*args: Any) -> bool:
    """Sixteen answers side by side."""
    *corners, dx, dy = args
    far, wide = 19.0, 5.0
    answers = (
        False, dx + dy > 43, dy - dx < -far, dx > far, dy - dx > far, dy > far,
        abs(dx + dy - 24) < wide, dx > far or dy > far, dx + dy < wide, abs(dx - dy) < wide,
        dy < wide, dx > far or dy < wide, dx < wide, dx < wide or dy > far,
        dx < wide or dy < wide, True,
    )  # fmt: skip
    return answers[int("".join(str(int(corner)) for corner in corners), 2)]


def test_what_grows_is_what_plain_steps_say_bit_for_bit(tmp_path: Path) -> None:
    """Sabotage: a salt, a quadrant, a road, the slope, a rounding: the rows differ."""
    random = np.random.default_rng(20261130)

    def number(low: float, high: float) -> float:
        return float(np.float32(random.uniform(low, high)))

    total = 0
    for turn in range(80):
        rules = [
            entry(
                object_id=SETUP + k,
                base_frame=Frame((number(-9, 9), number(-9, 9), number(-1, 1))),
                frequency=number(0.2, 1.2),
                displace_x=number(-4, 24),
                displace_y=number(-4, 24),
                min_scale=number(-0.1, 1),
                max_scale=number(0.5, 2) if k % 3 else 1.0,
                max_rotation=number(-90, 360),
                min_slope=number(-0.1, 0.8),
                max_slope=number(0.7, 1.1),
                align=k % 4 == 1,
                weenie_object=k % 5 == 4,
            )
            for k in range(11)
        ]
        scenes = [tuple(rules[:6]), (), tuple(rules[6:])]
        heights = random.integers(0, 40, (9, 9))
        words = GRASS_WITH_SCENE | random.choice([0, 0, 1, 3], (9, 9))
        corner = int(random.integers(0, 255)) << 24 | int(random.integers(0, 255)) << 16
        land = make_landblock(
            replace(
                block(lambda x, y: int(heights[x, y]), lambda x, y: int(words[x, y])),  # noqa: B023
                id=corner | 0xFFFF,
            ),
            np.arange(256, dtype=np.float32) * np.float32(1.7),
        )
        owned = random.random(64) < 0.1
        radius = number(0, 3)
        folder = tmp_path / str(turn)
        folder.mkdir()
        kinds = (rec.SceneType(0, ()), rec.SceneType(0, (SCENE, SCENE + 1, SCENE + 2)))
        setup = simple_setup(sorting_sphere=rec.Sphere((0, 0, 0), radius))
        dats = dat_set(
            folder,
            {
                0x13000000: replace(made.region(), scene_types=kinds),
                GFX: box_gfx(),
                **{SCENE + n: rec.Scene(SCENE + n, rules) for n, rules in enumerate(scenes)},
                **{SETUP + k: replace(setup, id=SETUP + k) for k in range(len(rules))},
            },
        )
        with dats:
            rows = Scenes(load_region(dats), dats, Models(dats)).grow(land, owned)
        told = [
            (int(row["did"]), row["frame"].tobytes(), float(row["scale"]), int(row["land_cell"]))
            for row in rows
        ]
        assert told == plainly(land, scenes, owned, radius)
        total += len(told)
    assert total > 3000


def test_the_worked_answers_of_another_program_agree_where_they_may(shared: Path) -> None:
    """What the other program places, and we refuse, has one of the reasons that the spec lists."""
    file = shared / "oracle" / "vectors" / "scenery.jsonl"
    if not file.exists():
        pytest.skip("no scenery answers")
    from acclient_py.dat.dataset import DatSet

    with DatSet.open(shared / "oracle" / "dats") as dats:
        region = load_region(dats)
        scenes = Scenes(region, dats, Models(dats))
        compared = 0
        for line in file.read_text().splitlines():
            row = json.loads(line)
            block_id = int(row["in"].split()[1], 16)
            land = load_landblock(dats, block_id, region.heights)
            assert land is not None
            ours = {
                (int(o["did"]), *(round(float(v), 1) for v in o["frame"][:3])): o
                for o in scenes.grow(land, np.zeros(64, bool))
            }
            theirs = {
                (o["setup"], *(round(v, 1) for v in o["pos"]["frame"][:3])): o
                for o in row["out"]["scenery"]
            }
            for key in ours.keys() & theirs.keys():
                mine, other = ours[key], theirs[key]
                compared += 1
                assert block_id & 0xFFFF0000 | mine["land_cell"] + 1 == other["pos"]["cell"]
                assert mine["scale"] == pytest.approx(other["scale"], rel=1e-5)
                quaternion = np.array(other["pos"]["frame"][3:])
                cosine = abs(float(np.dot(quaternion, mine["frame"][3:])))
                assert cosine == pytest.approx(1.0, abs=1e-4)
            # it has no slope and no within-block test, so it places some that we do not
            assert ours.keys() <= theirs.keys()
        assert compared > 200

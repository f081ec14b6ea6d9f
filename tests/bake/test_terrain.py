"""The land: shapes, roads, paint, and the region that goes with it."""

from __future__ import annotations

import numpy as np
import pytest
from builders.worlds import baked, opened

from acclient_py.bake.terrain import TERRAIN_NAMES
from acclient_py.dat.records import LandBlock, LandBlockInfo, Region, Scene

COUNTRY = """
[terrain]
blocks = ["3030", "3232"]
base = 40
shapes = [
  { kind = "hill", at = [100, 100], radius = 90, height = 40, flat = 0.3 },
  { kind = "lake", at = [400, 400], radius = 100, depth = 6, level = 40, beach = "SandYellow" },
  { kind = "ridge", points = [[0, 500], [500, 560]], width = 80, height = 30 },
]
roads = [{ points = [[0, 288], [288, 288], [480, 96]] }]
paint = [
  { type = "SemiBarrenRock", slope = [24, 90] },
  { type = "ForestFloor", slot = 1, at = [300, 100], radius = 60 },
]
[region]
heights = 0.5
[mesh.tree]
pieces = [{ shape = "lathe", profile = [[0.3, 0], [0.2, 3], [0, 5]], segments = 6 }]
[setup.tree]
mesh = "tree"
[scene.wood]
objects = [{ model = "tree", frequency = 1.0, spread = [20, 20], scale = [0.5, 1.5] }]
[ground.ForestFloor]
texture = "ground/ForestFloor"
slots = [[], ["wood"]]
"""


def lattice() -> tuple[np.ndarray, np.ndarray, Region]:
    """Heights and terrain words of the whole country, (25, 25)."""
    heights, words = np.zeros((25, 25)), np.zeros((25, 25), int)
    with opened(COUNTRY) as dats:
        region: Region = dats.record(0x13000000)
        for column in range(3):
            for row in range(3):
                block: LandBlock = dats.record((0x30 + column) << 24 | (0x30 + row) << 16 | 0xFFFF)
                cut = np.s_[8 * column : 8 * column + 9, 8 * row : 8 * row + 9]
                heights[cut] = region.land.heights[block.heights].reshape(9, 9)
                words[cut] = block.terrain.reshape(9, 9)
    return heights, words, region


def test_shapes_stand_where_they_were_put() -> None:
    z, words, region = lattice()
    assert region.land.heights[3] == 1.5
    assert z[4, 4] == 80.0  # the hill's flat top: 40 + 40
    assert z[24, 0] == 40.0
    kinds = words >> 2 & 31
    assert z[17, 17] < 35.0
    assert kinds[17, 17] == TERRAIN_NAMES.index("WaterStandingFresh")
    assert (kinds == TERRAIN_NAMES.index("SandYellow")).sum() > 3
    assert z[10, 22] > 60.0  # the ridge
    assert kinds[4, 2] == TERRAIN_NAMES.index("SemiBarrenRock")
    assert kinds[12, 4] == TERRAIN_NAMES.index("ForestFloor")
    assert words[12, 4] >> 11 == 1


def test_a_road_is_a_chain_of_neighbouring_vertices() -> None:
    """Sabotage: step over every second vertex in _lattice_line."""
    _, words, _ = lattice()
    road = words & 3
    chain = [(i, 12) for i in range(13)] + [(12 + k, 12 - k) for k in range(1, 9)]
    assert {tuple(v) for v in np.argwhere(road).tolist()} == set(chain)


def test_the_region_is_complete() -> None:
    _, _, region = lattice()
    assert [t.name for t in region.terrain_types] == list(TERRAIN_NAMES)
    assert [t.terrain_type for t in region.texture_merge.textures] == list(range(33))
    assert [code for code, _ in region.texture_merge.corner_masks] == [8, 8, 8, 8]
    assert [code for code, _ in region.texture_merge.side_masks] == [9]
    assert [code for code, _ in region.texture_merge.road_masks] == [9, 10, 8]
    assert region.parts == 0x21F
    time = region.time
    assert (time.zero_time_of_year, time.zero_year, time.day_length) == (3600.0, 10, 7620.0)
    assert (time.days_per_year, time.year_spec, len(time.times_of_day)) == (360, "P.Y.", 16)
    assert [t.name for t in time.times_of_day][14:] == ["Gloaming", "Gloaming-and-Half"]
    assert [i for i, t in enumerate(time.times_of_day) if not t.is_night] == list(range(4, 12))
    assert len(time.seasons) == 12
    assert region.sky is not None
    (group,) = region.sky.day_groups
    assert [row.begin for row in group.times] == sorted(row.begin for row in group.times)
    assert max(row.directional_brightness for row in group.times) > 1.0


def test_scenes_reach_the_scene_slots_of_their_ground() -> None:
    _, _, region = lattice()
    floor = region.terrain_types[TERRAIN_NAMES.index("ForestFloor")]
    assert len(floor.scene_types) == 2
    (scene_id,) = region.scene_types[floor.scene_types[1]].scenes
    assert region.scene_types[floor.scene_types[0]].scenes == ()
    with opened(COUNTRY) as dats:
        scene: Scene = dats.record(scene_id)
    (entry,) = scene.objects
    assert entry.object_id == baked(COUNTRY).ids["setup tree"]
    assert (entry.min_scale, entry.max_scale, entry.min_slope, entry.max_slope) == (0.5, 1.5, 0, 1)


HILLSIDE = """
[terrain]
blocks = ["3030", "3030"]
base = 2
shapes = [{ kind = "slope", rise = [0.15, 0.12] }]
[region]
heights = 0.25
"""
HOUSE = """
[[house]]
at = [96, 96]
size = [60, 8]
door = "south"
flatten = 1.0
"""
SHED = """
[[building]]
at = [100, 100]
flatten = { at = [0, 60], size = [40, 4], rim = 1 }
shell = [{ shape = "box", size = [0.1, 4, 3], at = [2.05, 0, 0] }]
rooms = [{ name = "in", at = [0, 0, 0], size = [4, 4, 3] }]
exits = [{ room = "in", side = "south" }]
"""


def ground(text: str) -> np.ndarray:
    """Heights of the one block of a hillside, (9, 9) with x first."""
    with opened(HILLSIDE + text) as dats:
        block: LandBlock = dats.record(0x3030FFFF)
        region: Region = dats.record(0x13000000)
    return region.land.heights[block.heights].reshape(9, 9)


@pytest.mark.parametrize("text", [HOUSE, SHED])
def test_ground_is_levelled_under_what_is_turned_however_it_is_turned(text: str) -> None:
    """Sabotage: level by `heading` alone, or a building's pad as if it were not turned."""
    east = ground(text + "heading = 90\n")
    assert (ground(text + "rotate = [0, 0, -90]\n") == east).all()
    assert (
        ground(text + "rotation = [0.7071067811865476, 0, 0, -0.7071067811865476]\n") == east
    ).all()
    north, bare = ground(text), ground("")
    assert ((north != bare) != (east != bare)).any()
    if text == SHED:  # the pad lies 60 m ahead: 160 m to the east, 2 m to both sides
        assert len({east[6, 4], east[6, 5], east[7, 3], east[7, 4]}) == 1
    else:  # 60 m from north to south
        assert len({east[4, j] for j in range(2, 7)}) == 1


def test_what_lies_over_its_blocks_edge_is_of_the_block_under_it() -> None:
    """Sabotage: keep the block that is named; the place is in land cell 0, which there is not."""
    text = """
[terrain]
blocks = ["3030", "3131"]
base = 20
[mesh.stone]
pieces = [{ shape = "box", size = [1, 1, 1] }]
[[static]]
model = "stone"
block = "3031"
at = [200, -1]
[place.over]
block = "3031"
at = [200, -1]
"""
    assert baked(text).places["over"] == {
        "cell": "0x31300008", "origin": [8.0, 191.0, 20.0], "rotation": [1.0, 0.0, 0.0, 0.0],
    }  # fmt: skip
    with opened(text) as dats:
        info: LandBlockInfo = dats.record(0x3130FFFE)
        assert not dats.has(0x3031FFFE, file="cell")
    (stone,) = info.objects
    assert stone.frame.origin == (8.0, 191.0, 20.0)

"""Models, cells, buildings, blocks and the region; what is faulty becomes a stand-in."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import records as made
from builders.dat_sets import (
    BLOCK,
    ENVIRONMENT,
    GFX,
    ROOM,
    SETUP,
    at,
    block,
    box_gfx,
    dat_set,
    env_cell,
    room,
    simple_setup,
)
from msgspec.structs import replace

from acclient_py.core import geom
from acclient_py.dat import records as rec
from acclient_py.errors import DataError
from acclient_py.log import forget_warnings
from acclient_py.world.building import make_buildings
from acclient_py.world.cell import land_cell_centre, load_env_cell
from acclient_py.world.landblock import load_landblock
from acclient_py.world.models import Models
from acclient_py.world.pools import (
    ALWAYS_2D,
    HAS_DRAWING,
    HAS_PHYSICS,
    LEAF,
    STAND_IN,
    Pool,
    polygon_planes,
)
from acclient_py.world.region import load_region, set_height_table

TABLE = np.arange(256, dtype=np.float32) * np.float32(2)


@pytest.fixture(autouse=True)
def _fresh_warnings() -> None:
    forget_warnings()


def test_a_mesh_becomes_rows(tmp_path: Path) -> None:
    with dat_set(tmp_path, {GFX: box_gfx(size=(2.0, 2.0, 1.5))}) as dats:
        models = Models(dats)
        index = models.gfx(GFX)
        assert models.gfx(GFX) == index
        row = models.gfx_rows[index]
        assert row["flags"] == HAS_PHYSICS | HAS_DRAWING
        assert row["physics_sphere"].tolist() == row["drawing_sphere"].tolist()
        assert row["box_min"].tolist() == [-1, -1, 0]
        assert row["box_max"].tolist() == [1, 1, 1.5]
        root = models.bsp_nodes[row["bsp_root"]]
        leaf = models.bsp_nodes[root["pos"]]
        assert (leaf["kind"], leaf["solid"], leaf["poly_count"]) == (LEAF, 1, 6)
        run = models.bsp_poly_index[leaf["poly_first"] : leaf["poly_first"] + 6]
        polygons = models.polygons[run]
        # outward planes of the box, each through its own corners
        out = np.zeros(4, np.float32)
        for polygon in polygons:
            first, count = polygon["vertex_first"], polygon["vertex_count"]
            corners = models.poly_vertices[first : first + count]
            geom.plane_of_polygon(np.ascontiguousarray(corners), count, out)
            assert out.tobytes() == polygon["plane"].tobytes()
        centre_distance = polygons["plane"][:, 2] * 0.75 + polygons["plane"][:, 3]
        assert (centre_distance < 0).all()


def test_vectorised_planes_have_the_bits_of_the_scalar_function() -> None:
    rng = np.random.default_rng(4)
    out = np.zeros(4, np.float32)
    for count in (1, 2, 3, 4, 7):
        corners = rng.normal(size=(50, count, 3)).astype(np.float32)
        corners[7] = 0
        for polygon, plane in zip(corners, polygon_planes(corners), strict=True):
            geom.plane_of_polygon(polygon, count, out)
            assert out.tobytes() == plane.tobytes()


def test_two_meshes_keep_their_own_rows(tmp_path: Path) -> None:
    other = 0x01000002
    with dat_set(tmp_path, {GFX: box_gfx(), other: box_gfx(other, (3.0, 3.0, 3.0))}) as dats:
        models = Models(dats)
        a, b = models.gfx(GFX), models.gfx(other)
        rows = models.gfx_rows
        for index, top in ((a, 1.0), (b, 3.0)):
            leaf = models.bsp_nodes[models.bsp_nodes[rows[index]["bsp_root"]]["pos"]]
            run = models.bsp_poly_index[leaf["poly_first"] : leaf["poly_first"] + 6]
            corners = [
                models.poly_vertices[p["vertex_first"] : p["vertex_first"] + 4]
                for p in models.polygons[run]
            ]
            assert np.max(np.concatenate(corners)[:, 2]) == top


def test_a_missing_mesh_is_said_once_and_stood_in_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Sabotage: warn at every look-up; the count of messages fails."""
    with dat_set(tmp_path, {SETUP: simple_setup(parts=(GFX, GFX, 0))}) as dats:
        models = Models(dats)
        setup = models.setup(SETUP)
        assert setup.part_gfx.tolist() == [0, 0, -1]
        assert models.gfx_rows[0]["flags"] == HAS_DRAWING | STAND_IN
        assert models.gfx_record(0) is None
        assert models.gfx(GFX) == 0
        models.gfx(GFX)
    assert [r.getMessage() for r in caplog.records].count(caplog.records[0].getMessage()) == 1
    assert "0x01000001" in caplog.text


@pytest.mark.contract("I2")
@pytest.mark.parametrize("fault", ["corner", "tree", "bytes"])
def test_a_damaged_mesh_leaves_nothing_half_made(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    sound = box_gfx()
    if fault == "corner":
        bad: Any = replace(
            sound, physics_polygons=(replace(sound.physics_polygons[0], vertex_indices=(0, 1, 99)),)
        )
    elif fault == "tree":
        bad = replace(sound, physics_polygons=sound.physics_polygons[:3])
    else:
        bad = sound.write()[:-7]
    other = 0x01000002
    with dat_set(tmp_path, {GFX: bad, other: box_gfx(other)}) as dats:
        models = Models(dats)
        index = models.gfx(GFX)
        assert models.gfx_rows[index]["flags"] & STAND_IN
        assert models.gfx_rows[index]["bsp_root"] == -1
        again = models.gfx(other)
        assert models.gfx_rows[again]["flags"] == HAS_PHYSICS | HAS_DRAWING
    assert caplog.text.count("0x01000001: ") + caplog.text.count("0x01000001 ") >= 1


def test_detail_tables_and_always_2d(tmp_path: Path) -> None:
    table = made.degrade()
    gfx = replace(box_gfx(), flags=3 | 8, degrade_id=table.id)
    for mode, expected in ((1, 0), (2, ALWAYS_2D)):
        levels = (replace(table.levels[0], mode=mode), *table.levels[1:])
        with dat_set(tmp_path, {GFX: gfx, table.id: replace(table, levels=levels)}) as dats:
            models = Models(dats)
            index = models.gfx(GFX)
            row = models.gfx_rows[index]
            assert row["flags"] & ALWAYS_2D == expected
            assert models.degrades[row["degrade"]].levels == levels


def test_a_setup_becomes_a_body(tmp_path: Path) -> None:
    record = made.setup()
    with dat_set(tmp_path, {GFX: box_gfx(solid=False), record.id: record}) as dats:
        setup = Models(dats).setup(record.id)
        assert setup.part_count == len(record.parts)
        assert setup.default_animation == record.default_animation
        assert setup.default_motion_table == record.default_motion_table
        assert (setup.step_up, setup.step_down) == (record.step_up, record.step_down)
        for placement in record.placement_frames:
            assert np.array_equal(setup.placements[placement.key], placement.pose.frames)
        held = record.holding_locations[0]
        assert setup.holdings[held.key].part_index == held.part
        assert np.array_equal(setup.holdings[held.key].frame, held.frame.array())
        assert setup.spheres.shape == (len(record.spheres), 4)
        assert setup.cylspheres.shape == (len(record.cyl_spheres), 5)
        assert not setup.has_physics_bsp
        assert not setup.is_simple


def test_placements_fall_back_to_key_0_and_then_to_none(tmp_path: Path) -> None:
    with dat_set(tmp_path, {GFX: box_gfx(), SETUP: simple_setup()}) as dats:
        setup = Models(dats).setup(SETUP)
        assert setup.placement(0x65) is setup.placements[0]
        bare = replace(setup, placements={})
        assert bare.placement(0) is None


def test_a_mesh_as_an_object_is_a_body_of_one_part(tmp_path: Path) -> None:
    with dat_set(tmp_path, {GFX: box_gfx()}) as dats:
        models = Models(dats)
        setup = models.setup(GFX)
        assert setup.is_simple
        assert setup.part_gfx.tolist() == [models.gfx(GFX)]
        assert setup.has_physics_bsp
        assert np.array_equal(setup.sorting_sphere, models.gfx_rows[0]["physics_sphere"])
        pose = setup.placement(0x65)
        assert pose is not None
        assert pose.tolist() == [[0, 0, 0, 1, 0, 0, 0]]


def test_an_env_cell_has_planes_portals_and_stabs(tmp_path: Path) -> None:
    with dat_set(tmp_path, {ENVIRONMENT: room(), GFX: box_gfx(), ROOM: env_cell()}) as dats:
        made_cell = load_env_cell(Models(dats), ROOM)
        assert made_cell is not None
        planes = made_cell.planes
        assert planes.shape == (7, 4)
        assert planes[-1].tolist() == [0, 0, 0, 0]
        outside, inside = made_cell.portals
        assert outside.other_cell_id == 0xFFFFFFFF
        assert (outside.portal_side, outside.exact_match, outside.other_portal_id) == (1, False, -1)
        assert inside.other_cell_id == 0xA9B40101
        assert (inside.portal_side, inside.exact_match, inside.other_portal_id) == (1, True, 2)
        assert outside.plane.tolist() == [1, 0, 0, -5]
        assert made_cell.stabs == (0xA9B40100, 0xA9B40101)
        assert made_cell.seen_outside
        assert made_cell.statics[0].did == GFX
        assert made_cell.structure.box_max.tolist() == [5, 5, 6]


@pytest.mark.parametrize("fault", ["structure", "polygon", "environment"])
def test_a_cell_that_cannot_be_made_is_left_out_and_said_once(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    record = env_cell(structure_index=3) if fault == "structure" else env_cell()
    if fault == "polygon":
        record = env_cell(portals=(rec.CellPortal(0, 2, 0x0101, 0),))
    records: dict[int, Any] = {GFX: box_gfx(), ROOM: record}
    if fault != "environment":
        records[ENVIRONMENT] = room()
    with dat_set(tmp_path, records) as dats:
        models = Models(dats)
        assert load_env_cell(models, ROOM) is None
        assert load_env_cell(models, ROOM) is None
        assert load_env_cell(models, 0xA9B40107) is None
    assert caplog.text.count("0xA9B40100 left out") == 1


def test_buildings_stand_in_the_cell_under_their_origin(tmp_path: Path) -> None:
    portal = rec.BuildingPortal(2, 0x0100, 0, (0x0101, 0x0100))
    other = rec.BuildingPortal(0, 0x0102, 0xFFFF, (0x0100, 0x0102))
    info = rec.LandBlockInfo(
        0xA9B4FFFE,
        3,
        (),
        (
            rec.BuildingInfo(GFX, at(84.0, 84.0, 40.0), 1, (portal, other)),
            rec.BuildingInfo(GFX, at(-1.0, 84.0, 40.0), 1, (portal,)),
        ),
    )
    with dat_set(tmp_path, {GFX: box_gfx()}) as dats:
        buildings, stabs = make_buildings(info, BLOCK, Models(dats))
        (house,) = buildings
        assert house.cell_id == 0xA9B4001C
        assert [p.other_cell_id for p in house.portals] == [0xA9B40100, 0xA9B40102]
        assert [p.portal_side for p in house.portals] == [0, 1]
        assert [p.other_portal_id for p in house.portals] == [0, -1]
        assert stabs == (0xA9B40101, 0xA9B40100, 0xA9B40102)


def test_land_cells_are_placed_by_their_centre() -> None:
    assert land_cell_centre(0xA9B40001)[:3].tolist() == [12, 12, 0]
    assert land_cell_centre(0xA9B4000A)[:3].tolist() == [36, 36, 0]


def test_a_block_is_loaded_with_its_info(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    info = rec.LandBlockInfo(0xA9B4FFFE, 0, (), ())
    lonely = 0xAAB4FFFF
    records = {
        BLOCK: block(lambda x, y: x * 10 + y, has_objects=1),
        0xA9B4FFFE: info,
        lonely: block(5, has_objects=1, block_id=lonely),
    }
    with dat_set(tmp_path, records) as dats:
        land = load_landblock(dats, 0xA9B40019, TABLE)
        assert land is not None
        assert land.info == info
        assert (land.x, land.y) == (0xA9, 0xB4)
        assert (land.min_z, land.max_z) == (-1.0, 2 * 88 + 200.0)
        assert land.heights[3, 5] == 2 * 35
        assert land.grid(4).z[1, 2] == 2 * 24
        bare = load_landblock(dats, lonely, TABLE)
        assert bare is not None
        assert bare.info is None
        assert "0xAAB4FFFF" in caplog.text
        assert load_landblock(dats, 0x01010001, TABLE) is None


def test_a_height_table_ends_at_the_first_entry_out_of_range() -> None:
    entries = np.arange(256, dtype=np.float32) * 5
    table = set_height_table(entries, np.full(256, 7, np.float32))
    assert table[160] == 800
    assert (table[161:] == 7).all()
    entries[3] = np.nan
    assert set_height_table(entries).tolist() == [0, 5, 10, *[0] * 253]
    assert np.array_equal(set_height_table(np.arange(256, dtype=np.float32)), np.arange(256))


def test_a_set_without_a_region_says_so(tmp_path: Path) -> None:
    with dat_set(tmp_path, {GFX: box_gfx()}) as dats, pytest.raises(DataError, match="no region"):
        load_region(dats)


def test_a_region_has_codes_textures_and_scenes(tmp_path: Path) -> None:
    with dat_set(tmp_path, {0x13000000: made.region()}) as dats:
        region = load_region(dats)
        assert region.heights[10] == 20
        assert region.mask_codes() == ((8,), (9,), (9, 10))
        first = region.record.texture_merge.textures[0]
        assert region.terrain_texture(31) is first  # no descriptor of its own
        assert region.terrain_texture(0) is first


def test_pools_grow_without_moving_what_a_reader_holds() -> None:
    pool = Pool(np.int32)
    pool.append(np.arange(60, dtype=np.int32))
    before = pool.rows
    first = pool.append(np.arange(100, 1000, dtype=np.int32))
    assert first == 60
    assert before.tolist() == list(range(60))
    assert pool.rows[:60].tolist() == list(range(60))
    assert pool.rows[60] == 100
    assert pool.rows.flags.c_contiguous
    assert pool.rows.flags.writeable


def test_threads_make_each_model_once(tmp_path: Path) -> None:
    """NUM-03's neighbour: four loader threads ask for the same forty meshes."""
    ids = [0x01000001 + k for k in range(40)]
    with dat_set(
        tmp_path, {did: box_gfx(did, (1.0, 1.0, 1.0 + k)) for k, did in enumerate(ids)}
    ) as dats:
        models = Models(dats)
        found: list[list[int]] = [[], [], [], []]

        def ask(out: list[int]) -> None:
            out += [models.gfx(did) for did in ids]

        threads = [threading.Thread(target=ask, args=(out,)) for out in found]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found[0] == found[1] == found[2] == found[3]
        assert sorted(found[0]) == list(range(40))
        rows = models.gfx_rows
        for did, index in zip(ids, found[0], strict=True):
            assert rows[index]["id"] == did
            assert rows[index]["box_max"][2] == did - 0x01000001 + 1.0

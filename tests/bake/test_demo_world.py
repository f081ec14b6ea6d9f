"""The demo world: what scenarios, pictures and pages about it rely on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from acclient_py import paths
from acclient_py.bake.bake import BakedWorld
from acclient_py.bake.checks import faults_of
from acclient_py.bake.houses import HINGE
from acclient_py.bake.setups import PARENT_LOCATIONS
from acclient_py.cli.worlds import DEMO, world_folder
from acclient_py.core.frame import combine
from acclient_py.core.ids import hex8
from acclient_py.dat.check import check_file
from acclient_py.dat.container import DatFile
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import EnvCell, LandBlock, LandBlockInfo, Setup
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.degrade import GfxObjDegradeInfo
from acclient_py.dat.records.env_cell import EnvCellFlags
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.motion_table import MotionTable, motion_key
from acclient_py.dat.records.particle_emitter import ParticleEmitter
from acclient_py.dat.records.physics_script import PhysicsScript
from acclient_py.dat.records.surface import Surface

NON_COMBAT = 0x8000003D
HUMAN, SWORD, SHIELD, CHARM, TORCH, GREATSWORD, BRAKK, CLEAVER, BUCKLER, DOOR, PORTAL = (
    0x02000001,
    0x02000010,
    0x02000011,
    0x02000012,
    0x02000013,
    0x02000014,
    0x02000020,
    0x02000021,
    0x02000022,
    0x02000030,
    0x02000040,
)
TWO_HANDED_SWORD = 0x80000044
HAMLET = 0x7F7F
HALLS = 0x0102

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def world() -> BakedWorld:
    return BakedWorld.open(world_folder(DEMO))


@pytest.fixture(scope="module")
def dats(world: BakedWorld) -> Iterator[DatSet]:
    with DatSet.open(world.folder) as opened:
        yield opened


def setup(dats: DatSet, did: int) -> Setup:
    record = dats.record(did)
    assert isinstance(record, Setup)
    return record


def cell(dats: DatSet, cell_id: int) -> EnvCell:
    record = dats.record(cell_id)
    assert isinstance(record, EnvCell)
    return record


def locations(record: Setup) -> set[int]:
    return {location.key for location in record.holding_locations}


@pytest.mark.contract("I1")
def test_nothing_is_wrong_with_the_set(world: BakedWorld, dats: DatSet) -> None:
    assert list(faults_of(dats)) == []
    for name in ("client_portal.dat", "client_cell_1.dat"):
        with DatFile.open(world.folder / name) as file:
            report = check_file(file)
            assert not report.faults, report.faults[:3]


def test_there_is_one_region_and_land_without_gaps(dats: DatSet) -> None:
    assert dats.has(0x13000000)
    blocks = [(x, y) for x in range(0x7B, 0x84) for y in range(0x7B, 0x84)]
    assert len(blocks) >= 49
    assert all(dats.has(x << 24 | y << 16 | 0xFFFF) for x, y in blocks)


def test_neighbouring_blocks_share_their_edges(dats: DatSet) -> None:
    def heights(x: int, y: int) -> list[list[int]]:
        record = dats.record(x << 24 | y << 16 | 0xFFFF)
        assert isinstance(record, LandBlock)
        return [[int(v) for v in row] for row in record.heights.reshape(9, 9)]

    for x in range(0x7B, 0x83):
        for y in range(0x7B, 0x83):
            here, east, north = heights(x, y), heights(x + 1, y), heights(x, y + 1)
            assert here[8] == east[0]
            assert [column[8] for column in here] == [column[0] for column in north]


def test_the_sea_is_all_round(dats: DatSet) -> None:
    """The rim of the world is level water, so that the horizon has no wall and no hole."""
    for k in range(0x7B, 0x84):
        for x, y, cut in ((0x7B, k, 0), (0x83, k, 8)):
            record = dats.record(x << 24 | y << 16 | 0xFFFF)
            assert isinstance(record, LandBlock)
            rim = record.heights.reshape(9, 9)[cut]
            assert len({int(v) for v in rim}) == 1


@pytest.mark.parametrize(("did", "count"), [(HUMAN, 17), (BRAKK, 12)])
def test_bodies_have_their_parts_spheres_and_steps(dats: DatSet, did: int, count: int) -> None:
    record = setup(dats, did)
    assert len(record.parts) >= count
    assert len(record.spheres) == 2
    assert 0.5 <= record.step_up <= 0.7
    assert record.step_down == pytest.approx(1.5)


def test_the_human_is_built_as_retails_is(dats: DatSet) -> None:
    record = setup(dats, HUMAN)
    assert [round(s.radius, 3) for s in record.spheres] == [0.48, 0.48]
    assert [round(s.center[2], 3) for s in record.spheres] == [0.475, 1.35]
    assert record.height == pytest.approx(1.8)


@pytest.mark.parametrize("did", [HUMAN, BRAKK])
def test_bodies_hold_a_weapon_and_a_shield(dats: DatSet, did: int) -> None:
    wanted = {PARENT_LOCATIONS["RightHand"], PARENT_LOCATIONS["Shield"]}
    assert wanted <= locations(setup(dats, did))


def test_the_sword_has_a_place_for_the_charm(dats: DatSet) -> None:
    assert 1 in locations(setup(dats, SWORD))


@pytest.mark.parametrize(
    "did",
    [HUMAN, SWORD, SHIELD, CHARM, TORCH, GREATSWORD, BRAKK, CLEAVER, BUCKLER, DOOR, PORTAL],
)
def test_the_known_setups_are_there(dats: DatSet, did: int) -> None:
    assert dats.has(did), hex8(did)


@pytest.mark.parametrize("did", [HUMAN, BRAKK])
@pytest.mark.parametrize(
    "command", [0x41000003, 0x45000005, 0x44000007, 0x6500000D, 0x6500000F, 0x40000015]
)
def test_bodies_stand_walk_run_turn_sidestep_and_fall(dats: DatSet, did: int, command: int) -> None:
    table = dats.record(setup(dats, did).default_motion_table)
    assert isinstance(table, MotionTable)
    cycles = dict(table.cycles)
    assert cycles[motion_key(NON_COMBAT, command)].anims


def test_a_shut_door_fills_its_doorway(dats: DatSet) -> None:
    """A gap of millimetres is a dotted line of daylight in a dim room.

    Sabotage: hang the leaf 8 mm over the floor; the line with the floor fails.
    """
    leaf = dats.record(0x01000030)
    assert isinstance(leaf, GfxObj)
    low, high = leaf.vertices.positions.min(axis=0), leaf.vertices.positions.max(axis=0)
    recipe = tomllib.loads((paths.recipes() / "demo" / "hamlet.toml").read_text("utf-8"))
    doors = [d for h in recipe["house"] for d in h.get("doors", ()) if d.get("leaf") == "door"]
    assert len(doors) == 2
    for door in doors:
        scale = door.get("leaf_scale", 1.0)
        assert HINGE + low[0] * scale <= 0.0, "the hinge's side"
        assert HINGE + high[0] * scale >= door["width"], "the other side"
        assert low[2] * scale <= 0.0, "the floor"
        assert high[2] * scale >= door["height"], "the lintel"


def test_no_part_of_a_body_is_without_a_picture(dats: DatSet) -> None:
    for did in (HUMAN, BRAKK, SWORD, SHIELD, CHARM, CLEAVER, BUCKLER):
        for part in setup(dats, did).parts:
            model = dats.record(part)
            assert isinstance(model, GfxObj)
            for surface_id in model.surfaces:
                surface = dats.record(surface_id)
                assert isinstance(surface, Surface)
                assert surface.texture_id, f"{hex8(did)}: {hex8(surface_id)} is a flat colour"


def test_the_houses_are_reached_through_portals(dats: DatSet) -> None:
    """From every building's portals, cell by cell, every cell of the hamlet is reached."""
    info = dats.record(HAMLET << 16 | 0xFFFE)
    assert isinstance(info, LandBlockInfo)
    assert len(info.buildings) == 2
    reached: set[int] = set()
    open_cells = [p.other_cell_id for b in info.buildings for p in b.portals]
    assert all(len(b.portals) >= 3 for b in info.buildings), "a door and windows"
    while open_cells:
        low = open_cells.pop()
        if low in reached or low == 0xFFFF:
            continue
        reached.add(low)
        here = cell(dats, HAMLET << 16 | low)
        assert here.flags & EnvCellFlags.SEEN_OUTSIDE
        open_cells += [p.other_cell_id for p in here.portals]
    assert reached == set(range(0x100, 0x100 + info.cell_count))


def test_the_larger_house_has_two_rooms(world: BakedWorld) -> None:
    assert {"hall/0", "hall/1", "cottage/0"} <= set(world.cells)


def test_houses_are_furnished(world: BakedWorld, dats: DatSet) -> None:
    for name in ("hall/0", "hall/1", "cottage/0"):
        record = cell(dats, world.cells[name])
        lit = [s for s in record.statics if s.id >> 24 == 2 and setup(dats, s.id).lights]
        assert len(record.statics) >= 3, name
        assert lit, f"{name} has no light"


def test_the_old_halls_make_a_ring_and_are_sealed(dats: DatSet) -> None:
    info = dats.record(HALLS << 16 | 0xFFFE)
    assert isinstance(info, LandBlockInfo)
    assert info.cell_count >= 6
    cells = {k: cell(dats, HALLS << 16 | 0x100 + k) for k in range(info.cell_count)}
    assert not any(c.flags & EnvCellFlags.SEEN_OUTSIDE for c in cells.values())
    doors = {frozenset((0x100 + k, p.other_cell_id)) for k, c in cells.items() for p in c.portals}
    assert len(doors) >= len(cells), "a tree of cells has fewer doors: there is a way round"


def test_the_walk_over_the_corner_is_level_ground(dats: DatSet) -> None:
    """The four vertices about the corner of 7F7F, 807F, 8080, 7F80 are of one height."""
    record = dats.record(0x7F7FFFFF)
    assert isinstance(record, LandBlock)
    near = record.heights.reshape(9, 9)[7:, 7:]
    assert len({int(v) for v in near.reshape(-1)}) == 1


def test_named_places_lie_in_cells_that_exist(world: BakedWorld, dats: DatSet) -> None:
    assert {"green", "road", "hall", "cottage", "dungeon", "corner", "lake"} <= set(world.places)
    for name, place in world.places.items():
        number = int(place["cell"], 16)
        known = number if number & 0xFFFF >= 0x100 else number | 0xFFFF
        assert dats.has(known), name


def things(world: BakedWorld) -> dict[str, dict[str, Any]]:
    listed = json.loads((world.folder / "names.json").read_text(encoding="utf-8"))["things"]
    return {thing["name"]: thing for thing in listed}


def test_doors_hang_in_the_doorways_of_both_houses(world: BakedWorld, dats: DatSet) -> None:
    """At the left edge, in the land cell before the house, reaching through the inner face."""
    for name, cell_id in (("hall/door 0", 0x7F7F0015), ("cottage/door 0", 0x7F7F0025)):
        door = things(world)[name]
        assert (door["kind"], door["setup"]) == ("door", hex8(DOOR))
        assert door["at"]["cell"] == hex8(cell_id)
        assert int(door["state"], 16) & 0x10000, "it collides by its own mesh"
        assert not int(door["state"], 16) & 0x400, "it hangs and does not fall"
    assert setup(dats, DOOR).default_motion_table == 0x09000030
    assert setup(dats, DOOR).spheres[0].radius < 0.05, "placed where it hangs (not where it fits)"


def test_portals_lead_from_the_hamlet_to_the_halls_and_back(world: BakedWorld) -> None:
    there, back = (things(world)[n] for n in ("portal to the old halls", "portal to Alderwick"))
    for portal, to in ((there, back), (back, there)):
        assert (portal["kind"], portal["setup"]) == ("portal", hex8(PORTAL))
        assert int(portal["state"], 16) & 0x4, "one passes through it"
        place = world.places[portal["to"]]
        assert place["cell"][:6] == to["at"]["cell"][:6]
        x, y, _ = (a - b for a, b in zip(place["origin"], to["at"]["origin"], strict=True))
        assert 1.2 < (x * x + y * y) ** 0.5 < 4.0, "before the other portal, not in it"


@pytest.mark.parametrize("name", ["hearth", "candle", "laid", "brazier", "wall_torch", "altar"])
def test_what_burns_has_a_flame(world: BakedWorld, dats: DatSet, name: str) -> None:
    """A script that starts an emitter whose particles turn to the eye."""
    burning = setup(dats, world.ids[f"setup {name}"])
    script = dats.record(burning.default_script)
    assert isinstance(script, PhysicsScript)
    for step in script.steps:
        fields = step.hook.fields
        emitter = dats.record(fields["emitter_info"])
        assert isinstance(emitter, ParticleEmitter)
        assert emitter.total_particles == 0
        assert emitter.total_seconds == 0.0, "it burns for ever"
        mesh = dats.record(emitter.hardware_model_id)
        assert isinstance(mesh, GfxObj)
        table = dats.record(mesh.degrade_id)
        assert isinstance(table, GfxObjDegradeInfo)
        assert table.levels[0].mode == 2


def test_the_torch_has_light_flame_and_a_grip_for_either_hand(dats: DatSet) -> None:
    torch = setup(dats, TORCH)
    assert len(torch.lights) == 1
    script = dats.record(torch.default_script)
    assert isinstance(script, PhysicsScript)
    assert [step.hook.fields["part"] for step in script.steps] == [0, 0], "a grip turns the part"
    keys = {frame.key for frame in torch.placement_frames}
    assert {1, 3, 4, 7} <= keys


def test_both_hands_hold_the_great_sword_in_every_frame(dats: DatSet) -> None:
    """The left fist stays on the grip, a hand below the right one."""
    human, sword = setup(dats, HUMAN), setup(dats, GREATSWORD)
    holds = {entry.key: entry for entry in human.holding_locations}
    placed = next(f for f in sword.placement_frames if f.key == 1).pose.frames[0]
    table = dats.record(human.default_motion_table)
    assert isinstance(table, MotionTable)
    cycles = dict(table.cycles)
    for command in (0x41000003, 0x45000005, 0x44000007):
        anim = dats.record(cycles[motion_key(TWO_HANDED_SWORD, command)].anims[0].animation_id)
        assert isinstance(anim, Animation)
        for frame in anim.frames:
            hands = []
            for key in (1, 2):
                held = np.zeros(7, np.float32)
                part = np.asarray(frame.frames[holds[key].part], np.float32)
                combine(part, holds[key].frame.array(), 1.0, 1.0, 1.0, held)
                hands.append(held)
            blade = np.zeros(7, np.float32)
            combine(hands[0], np.asarray(placed, np.float32), 1.0, 1.0, 1.0, blade)
            grip = np.zeros(7, np.float32)
            combine(blade, np.float32((0, 0, -0.15, 1, 0, 0, 0)), 1.0, 1.0, 1.0, grip)
            assert float(np.abs(grip[:3] - hands[1][:3]).max()) < 0.03

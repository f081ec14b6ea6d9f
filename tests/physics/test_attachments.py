"""What is held follows the hand in every frame of every animation (spec 6.2, 6.3; C13).

The chain is object frame, part of the bearer by the animation, holding frame, part of the thing by
its placement: composed here from the records, step by step, and compared to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from builders.hosts import CHARM, HERE, PLAYER, SHIELD, SWORD, Story, story

from acclient_py.anim import motion as m
from acclient_py.core import F32
from acclient_py.core.frame import combine
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.motion_table import MotionTable
from acclient_py.physics.world import PhysicsWorld

SCALE = 1.25
TABLE = 0x09000001
STANCES = (m.NON_COMBAT, m.SWORD_SHIELD_COMBAT)
MOTIONS = (m.READY, m.WALK_FORWARD, m.RUN_FORWARD, m.TURN_RIGHT, m.SIDESTEP_RIGHT)


@pytest.fixture
def told() -> Iterator[Story]:
    """A player half as big again as others, armed, turned away from the axes."""
    with story() as begun:
        begun.arm(PLAYER)
        yield begun


def composed(a: F32, b: F32, scale: float) -> F32:
    out = np.zeros(7, np.float32)
    combine(a, np.ascontiguousarray(b, np.float32), scale, scale, scale, out)
    return out


def part(world: PhysicsWorld, obj: int, index: int) -> F32:
    first = int(world.row(obj)["part_first"])
    frame: F32 = world.graph.arrays.parts["frame"][first + index]
    return frame


def check_chain(world: PhysicsWorld, man: int, pose: F32, items: dict[int, int]) -> None:
    """items : child -> its placement; each child before what hangs on it"""
    own = np.array(world.row(man)["frame"], np.float32)
    scale = float(world.row(man)["scale"])
    parts = {man: [composed(own, row, scale) for row in pose]}
    for index, expected in enumerate(parts[man]):
        assert np.array_equal(part(world, man, index), expected), f"part {index} of the bearer"
    for child, placement in items.items():
        row = world.row(child)
        parent, location = world.parent_of(child), world.location_of(child)
        bearer, thing = world.setup_of(parent), world.setup_of(child)
        assert bearer is not None
        assert thing is not None
        holding = bearer.holdings[location]
        # the holding frame is not scaled by the bearer's scale
        frame = composed(parts[parent][holding.part_index], holding.frame, 1.0)
        assert np.array_equal(row["frame"], frame), f"{child} is not in the hand"
        mine = thing.placement(placement)
        assert mine is not None
        parts[child] = [composed(frame, f, float(row["scale"])) for f in mine]
        for index, expected in enumerate(parts[child]):
            assert np.array_equal(part(world, child, index), expected), f"part {index} of {child}"


def animations(dats: DatSet, table_id: int) -> list[Animation]:
    """Every animation that a motion table plays: cycles, modifiers, links."""
    table = dats.record(table_id)
    assert isinstance(table, MotionTable)
    datas = [data for _, data in (*table.cycles, *table.modifiers)]
    datas += [data for links in table.links for _, data in links.targets]
    ids = sorted({anim.animation_id for data in datas for anim in data.anims})
    found = [dats.record(did) for did in ids]
    return [record for record in found if isinstance(record, Animation)]


def follow_all(told: Story, man: int, table_id: int, items: dict[int, int]) -> int:
    """Pose every frame of every animation and check the chain; how many frames there were."""
    world = told.host.physics
    done = 0
    for record in animations(told.dats, table_id):
        for frame in record.frames:
            world.set_pose(man, frame.frames)
            check_chain(world, man, np.asarray(frame.frames, np.float32), items)
            done += 1
    return done


@pytest.mark.contract("C13")
def test_items_follow_the_hand_in_every_frame_of_every_animation(told: Story) -> None:
    """Sabotage: scale the holding frame in `set_frames`, or leave a part's pose as it was."""
    world = told.host.physics
    man, sword, shield, charm = (
        told.host.known(int(g, 16)).obj for g in (PLAYER, SWORD, SHIELD, CHARM)
    )
    world.set_scale(man, SCALE)
    world.set_frame(man, (180.3, 90.7, 20.0, 0.6, 0.0, 0.0, 0.8))
    items = {sword: 1, shield: 6, charm: 0}
    assert follow_all(told, man, TABLE, items) > 100


@pytest.mark.contract("C13")
def test_items_are_in_the_hand_after_every_tick_of_every_motion(told: Story) -> None:
    """The pose that a tick shows is the sequence's own, and all that hangs on it is there.

    Sabotage: leave `set_frames` out of the tick of a body that stands still.
    """
    world = told.host.physics
    man, sword, shield, charm = (
        told.host.known(int(g, 16)).obj for g in (PLAYER, SWORD, SHIELD, CHARM)
    )
    told.host.tick(5)
    movement = world.movement
    s = int(world.bodies.rows["sequence"][man])
    seen: set[tuple[int, int]] = set()
    for style in STANCES:
        movement.set_style(man, style)
        for command in MOTIONS:
            movement.do_motion(man, command)
            for _ in range(40):
                told.host.tick()
                first, count = movement.sequences.pose(s)
                seen.add((first, count))
                pose = world.graph.arrays.poses[first : first + count]
                check_chain(world, man, pose, {sword: 1, shield: 6, charm: 0})
            movement.stop_completely(man)
            told.do("place", guid=PLAYER, at=HERE)
    assert len(seen) > 60


@pytest.mark.contract("E16")
def test_nothing_is_left_in_the_air_when_a_thing_is_put_away(told: Story) -> None:
    """Five times out and in, while walking: drawn in the hand or nowhere (E16).

    Sabotage: leave `remove_shadows_from_cells` out of `withdraw`; the sword stays in the cells.
    """
    world = told.host.physics
    sword = told.host.known(int(SWORD, 16)).obj
    told.host.physics.movement.do_motion(told.host.known(int(PLAYER, 16)).obj, m.WALK_FORWARD)
    for _ in range(5):
        told.do("tick", seconds=0.2)
        told.do("pickup", guid=SWORD)
        told.do("tick", seconds=0.1)
        entries = world.graph.arrays.entries
        cells = world.graph.arrays.cells
        for cell in np.flatnonzero(cells["parts_count"] > 0):
            first, count = int(cells["parts_first"][cell]), int(cells["parts_count"][cell])
            assert sword not in entries["object"][first : first + count].tolist()
        assert told.look()[SWORD]["shadow_cells"] == []
        told.do("attach", child=SWORD, parent=PLAYER, location=1, placement=1)
        assert told.look()[SWORD]["parts"]

"""Particles: every motion law, when they come and go, whose cell they are in (spec rendering 8.2).

The expected places are written out by hand from the laws; the emitter has no chance in it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from builders.effects import LAND, along, bearer, emitter, shown, start, ticks, world_of
from builders.graphs import parts_in

from acclient_py.core.frame import Frame
from acclient_py.dat.records.hooks import Hook, HookType
from acclient_py.physics import particles as p
from acclient_py.physics.layout import PART_NODRAW
from acclient_py.physics.world import PhysicsWorld

WEST_TURN = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # its front looks west: x -> y, y -> -x
AT = (84.0, 12.0, 0.0)
HOLD = (1.0, 2.0, 3.0)  # turned west: (-2, 1, 3)
O = (AT[0] - 2.0, AT[1] + 1.0, AT[2] + 3.0)
A, B, C = (0.5, 0.25, 2.0), (1.5, 0.75, -4.0), (3.0, 0.5, 0.25)
T = 1.0 / 3.0


def turned(v: tuple[float, float, float]) -> tuple[float, float, float]:
    return (-v[1], v[0], v[2])


def at(a: tuple[float, ...], b: tuple[float, ...], t: float = T) -> tuple[float, ...]:
    return tuple(O[k] + t * a[k] + 0.5 * t * t * b[k] for k in range(3))


def swarm(t: float) -> tuple[float, ...]:
    a = turned(A)
    waves = (math.cos(B[0] * t) * C[0], math.sin(B[1] * t) * C[1], math.cos(B[2] * t) * C[2])
    return tuple(O[k] + t * a[k] + waves[k] for k in range(3))


def implode(t: float) -> tuple[float, ...]:
    offset = tuple((O[k] - AT[k]) * C[k] for k in range(3))
    share = math.cos(A[0] * t)
    return tuple(AT[k] + offset[k] + share * offset[k] + t * t * B[k] for k in range(3))


LAWS = {
    p.STILL: O,
    p.LOCAL_VELOCITY: at(turned(A), (0, 0, 0)),
    p.PARABOLIC_LVGA: at(turned(A), B),
    p.PARABOLIC_LVGAGR: at(turned(A), B),
    p.SWARM: swarm(T),
    p.IMPLODE: implode(T),
    p.PARABOLIC_LVLA: at(turned(A), turned(B)),
    p.PARABOLIC_LVLALR: at(turned(A), turned(B)),
    p.PARABOLIC_GVGA: at(A, B),
    p.PARABOLIC_GVGAGR: at(A, B),
    p.GLOBAL_VELOCITY: at(A, (0, 0, 0)),
}


def spark(kind: int, **fields: object) -> object:
    """One particle at once, from the first tick on."""
    values: dict[str, object] = {
        "particle_type": kind, "initial_particles": 1, "max_particles": 1, "a": along(*A),
        "b": along(*B), "c": along(*C),
    }  # fmt: skip
    return emitter(**{**values, **fields})


def lit(kind: int) -> tuple[PhysicsWorld, int, int]:
    world = world_of(spark(kind))
    man = bearer(world, *AT, turn=WEST_TURN)
    return world, man, start(world, man, at=HOLD)


@pytest.mark.parametrize("kind", sorted(LAWS))
def test_each_law_moves_as_written(kind: int) -> None:
    """R32. Sabotage: turn b of type 3 by the parent's frame, or leave c out of type 5."""
    world, man, number = lit(kind)
    ticks(world, 11)  # born in the first, ten ticks old
    assert shown(world, man, number) == [pytest.approx(LAWS[kind], abs=2e-5)]


def test_explode_flies_along_a_drawn_direction_with_its_own_upward_share() -> None:
    """R32: P + o + t (t b + c a.x), z plus t a.z; c is a direction of length one."""
    world, man, number = lit(p.EXPLODE)
    ticks(world, 11)
    (found,) = shown(world, man, number)
    row = world.effects.emitters.particles[0]
    away = [float(v) for v in row["c"]]
    assert math.sqrt(sum(v * v for v in away)) == pytest.approx(1.0, abs=1e-5)
    expected = [O[k] + T * (T * B[k] + away[k] * A[0]) for k in range(3)]
    expected[2] += T * A[2]
    assert found == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(
    ("kind", "axis"),
    [(p.PARABOLIC_LVGAGR, C), (p.PARABOLIC_LVLALR, turned(C)), (p.PARABOLIC_GVGAGR, C)],
)
def test_turning_particles_turn_about_c_in_their_own_axes(
    kind: int, axis: tuple[float, float, float]
) -> None:
    """R32. Sabotage: leave the turn out: the particle stays as the parent stood."""
    world, man, number = lit(kind)
    ticks(world, 11)
    emitter_obj = world.effects.emitters.of(man)[number]
    first = int(world.graph.arrays.objects["part_first"][emitter_obj])
    q = [float(v) for v in world.graph.arrays.parts["frame"][first][3:]]
    about = turned(axis)  # local axes are the parent's
    angle = T * math.sqrt(sum(v * v for v in about))
    unit = [v / math.sqrt(sum(v * v for v in about)) for v in about]
    s, c = math.sin(angle / 2), math.cos(angle / 2)
    dw, dx, dy, dz = c, *(s * v for v in unit)
    w, x, y, z = WEST_TURN
    expected = (
        dw * w - dx * x - dy * y - dz * z, dw * x + dx * w + dy * z - dz * y,
        dw * y - dx * z + dy * w + dz * x, dw * z + dx * y - dy * x + dz * w,
    )  # fmt: skip
    assert q == pytest.approx(expected, abs=2e-5)


def test_a_local_particle_follows_its_parent_and_others_stay() -> None:
    """R30. Sabotage: take the frame at birth for local ones too; the torch's flame stays behind."""
    world = world_of(spark(p.STILL, is_parent_local=1), spark(p.STILL, id=0x32000002))
    man = bearer(world, *AT)
    near, far = start(world, man, at=(0, 0, 1)), start(world, man, 0x32000002, at=(0, 0, 2))
    ticks(world, 2)
    world.set_frame(man, (85.0, 14.0, 0.0, 1, 0, 0, 0))
    ticks(world, 1)
    assert shown(world, man, near) == [pytest.approx((85.0, 14.0, 1.0))]
    assert shown(world, man, far) == [pytest.approx((84.0, 12.0, 2.0))]


def test_a_particle_of_a_part_starts_from_that_part() -> None:
    """R30: the man's second part sits a metre above the first."""
    world = world_of(spark(p.STILL))
    man = bearer(world, *AT)
    number = start(world, man, part=1, at=(0, 0, 0.5))
    ticks(world, 1)
    assert shown(world, man, number) == [pytest.approx((84.0, 12.0, 1.5))]


def test_particles_left_behind_a_block_border_stay_where_they_were() -> None:
    world = world_of(spark(p.STILL), spark(p.STILL, id=0x32000002, is_parent_local=1))
    man = bearer(world, 191.0, 12.0, 0.0)
    behind, along_ = start(world, man), start(world, man, 0x32000002)
    ticks(world, 1)
    world.set_position(man, 0x11200001, (3.0, 12.0, 0.0, 1, 0, 0, 0), 0x1012)
    ticks(world, 1)
    assert world.full_cell_id(man) == 0x11200001
    x, y, _ = shown(world, man, behind)[0]
    assert (x, y) == pytest.approx((-1.0, 12.0))
    x, y, _ = shown(world, man, along_)[0]
    assert (x, y) == pytest.approx((3.0, 12.0))


def test_birthrate_lifespan_and_most_at_once() -> None:
    """Strictly more than the birthrate must pass; a particle goes when its span is over."""
    world = world_of(emitter(birthrate=0.49, lifespan=1.1, max_particles=2, particle_type=p.STILL))
    man = bearer(world, *AT)
    number = start(world, man)
    found = []
    for _ in range(60):
        ticks(world, 1)
        found.append(len(shown(world, man, number)))
    # born at tick 15, 30; the first goes at 48 and the third comes at once, since 0.6 s have passed
    assert found[13:16] == [0, 1, 1]
    assert found[28:31] == [1, 2, 2]
    assert found[46:49] == [2, 2, 2]
    assert world.effects.emitters.rows[0]["emitted"] == 3


def test_metres_count_what_the_emitter_moved() -> None:
    world = world_of(emitter(emitter_type=2, birthrate=0.5, particle_type=p.STILL))
    man = bearer(world, *AT)
    number = start(world, man)
    ticks(world, 30)
    assert shown(world, man, number) == []
    for step in range(1, 5):
        world.set_frame(man, (84.0 + 0.3 * step, 12.0, 0.0, 1, 0, 0, 0))
        ticks(world, 1)
    assert [x for x, _, _ in shown(world, man, number)] == pytest.approx([84.6, 85.2])


def test_an_emitter_with_a_total_ends_and_leaves_nothing() -> None:
    """Sabotage: never set `ended`: the emitter and its object stay for ever."""
    world = world_of(emitter(birthrate=0.1, total_particles=3, lifespan=0.5, particle_type=p.STILL))
    man = bearer(world, *AT)
    before = world.counts()
    number = start(world, man)
    most = 0
    for _ in range(40):
        ticks(world, 1)
        if number in world.effects.emitters.of(man):
            most = max(most, len(shown(world, man, number)))
    assert most == 3
    assert len(world.effects.emitters) == 0
    assert world.counts() == before


def test_an_emitter_with_seconds_stops_after_them() -> None:
    world = world_of(emitter(birthrate=0.1, total_seconds=1.0, lifespan=0.2, particle_type=p.STILL))
    man = bearer(world, *AT)
    start(world, man)
    ticks(world, 30)
    assert len(world.effects.emitters) == 1
    ticks(world, 10)
    assert len(world.effects.emitters) == 0


def test_stop_lets_particles_live_on_and_destroy_takes_them() -> None:
    world = world_of(spark(p.STILL, birthrate=0.1), spark(p.STILL, id=0x32000002))
    man = bearer(world, *AT)
    one, other = start(world, man), start(world, man, 0x32000002)
    ticks(world, 2)
    world.effects.fire(man, Hook.make(HookType.STOP_PARTICLE, 1, (one,)))
    world.effects.fire(man, Hook.make(HookType.DESTROY_PARTICLE, 1, (other,)))
    world.check()
    assert list(world.effects.emitters.of(man)) == [one]
    assert len(shown(world, man, one)) == 1
    ticks(world, 70)
    assert world.effects.emitters.of(man) == {}


def test_a_number_that_is_there_is_replaced_or_blocks() -> None:
    world = world_of(spark(p.STILL), spark(p.STILL, id=0x32000002))
    man = bearer(world, *AT)
    start(world, man, number=7)
    first = world.effects.emitters.of(man)[7]
    blocking = (0x32000002, 0xFFFFFFFF, Frame(), 7)
    world.effects.fire(man, Hook.make(HookType.CREATE_BLOCKING_PARTICLE, 1, blocking))
    assert world.effects.emitters.of(man) == {7: first}
    start(world, man, 0x32000002, number=7)
    assert len(world.effects.emitters) == 1
    rows = world.effects.emitters.rows
    assert world.graph.arrays.objects["guid"][rows["object"][rows["object"] >= 0][0]] == 0xEE000002


@pytest.mark.contract("S7")
def test_a_particle_is_in_its_emitters_own_cell_alone_and_leaves_it() -> None:
    """Sabotage: leave `part_in` out; the second assertion fails, and `check` with S9."""
    world = world_of(spark(p.STILL, lifespan=0.5))
    man = bearer(world, 95.9, 12.0, 0.0)  # the man himself reaches into the cell beside
    number = start(world, man)
    emitter_obj = world.effects.emitters.of(man)[number]
    assert (emitter_obj, 0) not in parts_in(world, LAND)
    ticks(world, 1)
    assert (emitter_obj, 0) in parts_in(world, LAND)
    assert (emitter_obj, 0) not in parts_in(world, 0x10200021)
    ticks(world, 16)  # it goes in one tick, and the next comes only after a second
    assert (emitter_obj, 0) not in parts_in(world, LAND)


@pytest.mark.contract("E16")
def test_nothing_is_left_of_the_emitters_of_what_is_deleted() -> None:
    """Sabotage: leave `forget` out of delete_object: `check` finds a child of a free row."""
    world = world_of(spark(p.STILL, max_particles=8, birthrate=0.05))
    before = world.counts()
    man = bearer(world, *AT)
    start(world, man)
    start(world, man, part=1)
    ticks(world, 20)
    world.delete_object(man)
    world.check()
    assert world.counts() == before
    assert world.effects.emitters.living() == 0


def test_scale_and_translucency_go_from_first_to_last() -> None:
    world = world_of(
        spark(
            p.STILL,
            start_scale=0.5,
            final_scale=2.5,
            start_translucency=0.2,
            final_translucency=1.0,
            lifespan=1.0,
        )
    )
    man = bearer(world, *AT)
    number = start(world, man)
    emitter_obj = world.effects.emitters.of(man)[number]
    first = int(world.graph.arrays.objects["part_first"][emitter_obj])
    ticks(world, 16)
    part = world.graph.arrays.parts[first]
    assert part["scale"].tolist() == pytest.approx([1.5] * 3)
    assert float(part["translucency"]) == pytest.approx(0.6)
    assert not int(part["flags"]) & PART_NODRAW
    assert part["frame"][3:].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_offsets_lie_about_the_axis_within_their_bounds() -> None:
    """Perpendicular to the direction, between least and most metres away, in every direction."""
    direction = along(0.0, 0.0, 1.0, 0.5, 2.0)
    world = world_of(
        emitter(
            particle_type=p.STILL,
            offset=direction,
            birthrate=0.01,
            max_particles=200,
            initial_particles=200,
            lifespan=100.0,
        )
    )
    man = bearer(world, *AT)
    number = start(world, man)
    ticks(world, 1)
    found = np.array(shown(world, man, number)) - np.array(AT)
    away = np.hypot(found[:, 0], found[:, 1])
    assert len(found) == 200
    assert np.abs(found[:, 2]).max() < 1e-5
    assert 0.5 <= away.min() + 1e-5 < 0.6
    assert 1.9 < away.max() <= 2.0 + 1e-5
    quarters = {(x > 0, y > 0) for x, y in found[:, :2]}
    assert len(quarters) == 4


def places(seed: int, *, with_others: bool = False) -> list[tuple[float, ...]]:
    record = emitter(
        birthrate=0.05, max_particles=30, offset=along(0, 0, 1, 0.1, 2.0), lifespan_random=0.5,
        a=along(0, 0, 1, 0.5, 2.0),
    )  # fmt: skip
    world = world_of(record, seed=seed)
    if with_others:
        start(world, bearer(world, 20.0, 20.0, 0.0))
    man = bearer(world, *AT)
    world.graph.arrays.objects["guid"][man] = 0x50000001
    number = start(world, man)
    ticks(world, 40)
    return shown(world, man, number)


@pytest.mark.contract("T8")
def test_the_stream_is_the_emitters_own() -> None:
    """Same seed, same places, whoever else emits; another seed, others.

    Sabotage: one stream for all emitters; the second assertion fails.
    """
    assert places(1) == places(1)
    assert places(1) == places(1, with_others=True)
    assert places(1) != places(2)


def test_no_emitter_without_a_mesh_or_a_record() -> None:
    world = world_of(spark(p.STILL, hardware_model_id=0))
    man = bearer(world, *AT)
    start(world, man)
    start(world, man, 0x32000099)
    assert len(world.effects.emitters) == 0
    world.check()


def test_an_emitter_out_of_the_world_rests_and_comes_back() -> None:
    world = world_of(spark(p.STILL, is_parent_local=1, lifespan=100.0))
    man = bearer(world, *AT)
    number = start(world, man)
    ticks(world, 2)
    emitter_obj = world.effects.emitters.of(man)[number]
    world.leave_world(man)
    ticks(world, 2)
    assert (emitter_obj, 0) not in parts_in(world, LAND)
    world.add_obj_to_cell(man, world.cell_slot(LAND), (80.0, 12.0, 0.0, 1, 0, 0, 0))
    ticks(world, 1)
    assert (emitter_obj, 0) in parts_in(world, LAND)
    assert shown(world, man, number) == [pytest.approx((80.0, 12.0, 0.0))]

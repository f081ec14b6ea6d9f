"""Luminosity, diffusion and moving pictures of parts: by the world's methods and by hooks."""

from __future__ import annotations

import numpy as np
from builders.graphs import MAN, open_land, put

from acclient_py.dat.records.hooks import Hook, HookType
from acclient_py.physics.layout import PART_DIFFUSE, PART_LUMINOSITY, PART_NODRAW
from acclient_py.physics.world import PhysicsWorld

LAND = 0x10200019
FORWARD = 1


def parts(world: PhysicsWorld, obj: int, field: str) -> list[float]:
    row = world.graph.arrays.objects[obj]
    rows = world.graph.arrays.parts[int(row["part_first"]) :][: int(row["part_count"])]
    values: list[float] = rows[field].tolist()
    return values


def flagged(world: PhysicsWorld, obj: int, flag: int) -> list[bool]:
    return [bool(int(word) & flag) for word in parts(world, obj, "flags")]


def test_a_part_has_light_of_its_own_only_where_it_was_set() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    assert flagged(world, man, PART_LUMINOSITY | PART_DIFFUSE) == [False, False]
    world.set_luminosity(man, 0.5, part=1)
    assert flagged(world, man, PART_LUMINOSITY) == [False, True]
    assert parts(world, man, "luminosity")[1] == 0.5
    world.set_luminosity(man, 0.75, part=2)
    assert flagged(world, man, PART_LUMINOSITY) == [False, True], "there is no part 2"
    world.set_diffusion(man, 0.0)
    assert flagged(world, man, PART_DIFFUSE) == [True, True], "none at all is a value too"
    world.set_nodraw(man, True)
    world.set_part(man, 1, world.models.gfx(0))
    assert flagged(world, man, PART_NODRAW) == [True, True]
    assert flagged(world, man, PART_LUMINOSITY) == [False, True], "another mesh keeps the light"


def test_hooks_take_light_from_one_value_to_another() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    world.effects.fire(man, Hook.make(HookType.LUMINOUS, FORWARD, (0.0, 1.0, 1.0)))
    world.effects.fire(man, Hook.make(HookType.DIFFUSE_PART, FORWARD, (1, 1.0, 0.5, 0.0)))
    assert parts(world, man, "luminosity") == [0.0, 0.0]
    assert flagged(world, man, PART_DIFFUSE) == [False, True]
    assert parts(world, man, "diffuse")[1] == 0.5
    for _ in range(15):
        world.tick()
    assert np.allclose(parts(world, man, "luminosity"), 0.5, atol=0.05)
    for _ in range(20):
        world.tick()
    assert parts(world, man, "luminosity") == [1.0, 1.0]


def test_a_texture_velocity_belongs_to_the_model() -> None:
    world = open_land()
    man = put(world, MAN, LAND, 84, 12, 0)
    first, second = (int(g) for g in parts(world, man, "gfx"))
    world.tick()
    world.effects.fire(man, Hook.make(HookType.TEXTURE_VELOCITY_PART, FORWARD, (1, 0.5, -0.25)))
    assert world.moving_pictures == {second: (0.5, -0.25, world.clock)}
    world.effects.fire(man, Hook.make(HookType.TEXTURE_VELOCITY, FORWARD, (0.125, 0.0)))
    assert set(world.moving_pictures) == {first, second}
    world.set_texture_velocity(man, 0.0, 0.0)
    assert world.moving_pictures == {}

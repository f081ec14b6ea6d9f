"""Lamps: the pools around the player, each part's own set, light burnt into the walls of cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from acclient_py.kernels import lamps
from acclient_py.physics.layout import LIGHT_DTYPE, OBJECT_DTYPE
from acclient_py.render.frame import FrameRenderer

rng = np.random.default_rng(11)


def hung(places: np.ndarray, *, static: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lights at (n, 3) places of block 0x0202, one object each."""
    lights, objects = np.zeros(len(places), LIGHT_DTYPE), np.zeros(len(places), OBJECT_DTYPE)
    lights["object"] = np.arange(len(places))
    lights["frame"][:, :3] = places
    lights["frame"][:, 3] = 1
    lights["color"], lights["intensity"], lights["falloff"] = 0xFF804020, 2.0, 6.0
    objects["part_cell_id"] = 0x02020100
    objects["home_id"] = np.where(static, 0x0202FFFF, 0)
    return lights, objects


def chosen(lights: np.ndarray, objects: np.ndarray, player: tuple[float, float, float]) -> Any:
    rows = np.zeros(lamps.MAX_LAMPS, np.int32)
    out = np.zeros((lamps.MAX_LAMPS, 16), np.float32)
    found = lamps.choose_lamps(
        lights, objects, 2, 2, np.float32(player), rows, np.zeros((2, 40), np.float32), out
    )  # fmt: skip
    return rows, int(found) >> 8, int(found) & 0xFF, out


def test_each_pool_keeps_the_nearest_and_movers_come_first() -> None:
    """Sabotage: keep the first ones instead of the nearest; the comparison of rows fails."""
    places = rng.uniform(0, 190, (120, 3)).astype(np.float32)
    static = rng.random(120) < 0.7
    lights, objects = hung(places, static=static)
    lights["cell"][5] = -1  # out of the world
    rows, moving, standing, out = chosen(lights, objects, (90.0, 80.0, 70.0))
    distance = np.square(places - np.float32((90, 80, 70))).sum(axis=1)
    distance[5] = np.inf
    for first, count, most, kind in (
        (0, moving, lamps.MAX_DYNAMIC, ~static),
        (moving, standing, lamps.MAX_STATIC, static),
    ):
        nearest = [int(i) for i in np.argsort(distance, kind="stable") if kind[i] and i != 5]
        assert count == most
        assert rows[first : first + count].tolist() == nearest[:most]
    assert np.allclose(out[0, 4:8], (0x80 / 255 * 2, 0x40 / 255 * 2, 0x20 / 255 * 2, 9.0))


def test_a_part_gets_at_most_eight_lamps_and_only_those_that_reach_it() -> None:
    instances = np.zeros((60, 16), np.float32)
    instances[:20, 0] = np.arange(20) * 2.0
    instances[:20, 11] = 5.0
    assert lamps.choose_set(instances, 40, 20, 10.0, 0.0, 0.0, 1.0) == 5
    assert [40 - int(k) for k in instances[40, :5]] == [3, 4, 5, 6, 7]  # nearer than 6 m
    assert lamps.choose_set(instances, 41, 20, 20.0, 0.0, 0.0, 90.0) == 8
    assert [41 - int(k) for k in instances[41, :8]] == list(range(8))
    assert instances[41, 8] == 8


def burnt(position: Any, normal: Any, hung_lamps: Any) -> Any:
    """The same for one vertex, written as the formula stands."""
    total = np.zeros(3)
    for lamp in hung_lamps:
        way = lamp[:3] - position
        d = np.linalg.norm(way)
        reach = lamp[6] * 1.3
        w = (np.dot(normal, way) + 0.5 * d) / 1.5
        if d < reach and w > 0:
            s = w / (d**3 if d * d > 1 else d) * (1 - d / reach) * lamp[7]
            total += np.minimum(s * lamp[3:6], lamp[3:6])
    return np.clip(total, 0, 1)


def test_burnt_light_is_the_formula() -> None:
    """Sabotage: leave out the cap by the lamp's colour; the bright lamp's row fails."""
    positions = rng.uniform(-6, 6, (200, 3)).astype(np.float32)
    normals = rng.normal(size=(200, 3)).astype(np.float32)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    rows = np.zeros((6, 8))
    rows[:, :3] = rng.uniform(-6, 6, (6, 3))
    rows[:, 3:6] = rng.random((6, 3)) * 0.4
    rows[:, 6], rows[:, 7] = rng.uniform(2, 9, 6), (1, 1, 0.5, 100, 2, 1)
    out = np.zeros((200, 4), np.uint8)
    lamps.burn_light(positions, normals, rows, len(rows), out)
    wanted = [burnt(p, n, rows) * 255 for p, n in zip(positions, normals, strict=True)]
    assert np.abs(out[:, :3] - np.array(wanted)).max() <= 1
    assert out[:, :3].max() > 60


def test_a_lamp_lights_walls_and_what_stands_there_and_goes_out_with_its_object(
    place: Callable[[str], Any], renderer_of: Callable[..., FrameRenderer]
) -> None:
    here = place("hut")
    here.aim(0x7F7F0100, (84, 86, 21.6), (84, 80, 21.6))
    renderer = renderer_of(here)
    dark = here.draw(renderer).astype(int)
    arrays = here.arrays
    here.physics.graph.give("lights", *map(int, (0, 0)))
    slot = here.physics.cell_slot(0x7F7F0100)
    lamp = here.physics.graph.take("lights", 1)
    arrays = here.arrays
    owner = int(np.flatnonzero(arrays.objects["home_id"])[0])
    row = arrays.lights[lamp]
    row["object"], row["cell"], row["color"] = owner, slot, 0xFFFF9040
    row["intensity"], row["falloff"] = 2.0, 8.0
    row["frame"] = (84, 82, 22, 1, 0, 0, 0)
    was = int(arrays.objects["part_cell_id"][owner])
    arrays.objects["part_cell_id"][owner] = 0x7F7F0100
    for home in (0x7F7FFFFF, 0):  # burnt into the walls; then carried, a hardware light
        arrays.objects["home_id"][owner] = home
        lit = here.draw(renderer).astype(int)
        brighter = (lit - dark).reshape(-1, 3)
        assert (brighter[:, 0] > 20).mean() > 0.2, "much of the room is lit"
        assert brighter[:, 0].sum() > 1.5 * brighter[:, 2].sum(), "warmly"
    row["cell"] = -1
    arrays.objects["home_id"][owner] = 0x7F7FFFFF
    arrays.objects["part_cell_id"][owner] = was
    assert np.array_equal(here.draw(renderer), dark)

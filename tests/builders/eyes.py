"""Eyes in baked worlds: where people stand, and where nobody looks from on purpose."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from builders.places import Place

from acclient_py.core.frame import local_to_global
from acclient_py.core.ids import adjust_to_outside

AROUND = 4.0  # metres about a cell within which an odd eye is put
HEAD = 1.6

Point = tuple[float, float, float]
Eye = tuple[int, Point, Point]
"""(cell, eye, target), both in the space of the cell's block."""


def odd_eyes(place: Place, count: int, seed: int = 1) -> Iterator[Eye]:
    """That many eyes, some on portals' planes, some in corners, some lost about a cell."""
    rng = np.random.default_rng(seed)
    arrays, models = place.arrays, place.physics.blocks.env_models
    slots = sorted(models)
    for n in range(count):
        slot = slots[int(rng.integers(len(slots)))]
        model = models[slot]
        low, high = model.structure.box_min, model.structure.box_max
        kind = n % 4
        if kind == 0 and model.portals:  # on the plane of one of its portals
            portal = model.portals[int(rng.integers(len(model.portals)))]
            weights = rng.dirichlet(np.ones(len(portal.vertices)))
            local = (weights[:, None] * portal.vertices).sum(axis=0)
        elif kind == 1:  # in one of its corners, or an edge
            local = np.where(rng.random(3) < 0.7, rng.choice((low, high)), (low + high) / 2)
        elif kind == 2:  # anywhere in it
            local = rng.uniform(low, high)
        else:  # about it: in the wall, on the roof, below
            local = rng.uniform(low - AROUND, high + AROUND)
        eye = _placed(place, slot, local)
        turn, up = rng.uniform(0, 2 * math.pi), rng.uniform(-1.2, 1.2)
        target = (eye[0] + math.sin(turn), eye[1] + math.cos(turn), eye[2] + up)
        inside = [int(arrays.cells["id"][s]) for s in slots if place.physics.point_in_cell(s, *eye)]
        lost = kind == 3 and rng.random() < 0.3  # in no cell that holds it
        land = (model.id & 0xFFFF0000) | 1
        yield (inside[0] if inside else model.id if lost else land), eye, target


def plain_eyes(place: Place, count: int, seed: int = 1) -> Iterator[Eye]:
    """That many eyes of people: in a room, looking at one of its openings or about, or outside
    before an opening, near or far, looking at it."""
    rng = np.random.default_rng(seed)
    models = place.physics.blocks.env_models
    slots = sorted(models)
    doors = [
        (slot, portal.vertices.mean(axis=0))
        for slot in slots
        for portal in models[slot].portals
        if portal.other_cell_id == 0xFFFFFFFF and len(portal.vertices)
    ]
    for _ in range(count):
        if doors and rng.random() < 0.5:
            slot, middle = doors[int(rng.integers(len(doors)))]
            low, high = models[slot].structure.box_min, models[slot].structure.box_max
            at, centre = _placed(place, slot, middle), _placed(place, slot, (low + high) / 2)
            turn = math.atan2(at[0] - centre[0], at[1] - centre[1]) + rng.uniform(-0.9, 0.9)
            far = float(rng.choice((0.5, 2.0, 6.0, 15.0, 40.0, 90.0)))
            eye = (at[0] + far * math.sin(turn), at[1] + far * math.cos(turn), at[2] + 0.6)
            yield _outdoors(models[slot].id, eye, at)
            continue
        slot = slots[int(rng.integers(len(slots)))]
        model = models[slot]
        low, high = model.structure.box_min, model.structure.box_max
        local = rng.uniform(0.85 * low + 0.15 * high, 0.15 * low + 0.85 * high)
        local[2] = min(low[2] + HEAD, 0.2 * low[2] + 0.8 * high[2])
        eye = _placed(place, slot, local)
        if model.portals and rng.random() < 0.8:
            portal = model.portals[int(rng.integers(len(model.portals)))]
            target = _placed(place, slot, portal.vertices.mean(axis=0))
        else:
            turn = rng.uniform(0, 2 * math.pi)
            target = (eye[0] + math.sin(turn), eye[1] + math.cos(turn), eye[2] + rng.uniform(-1, 1))
        yield model.id, eye, target


def _placed(place: Place, slot: int, local: np.ndarray) -> Point:
    at = local_to_global(place.arrays.cells["frame"][slot], *(np.float32(v) for v in local))
    x, y, z = (float(v) for v in at)
    return x, y, z


def _outdoors(cell_id: int, eye: Point, target: Point) -> Eye:
    """The land cell under an eye, and both points in its block."""
    found, land, x, y = adjust_to_outside((cell_id & 0xFFFF0000) | 1, eye[0], eye[1])
    if not found:
        return (cell_id & 0xFFFF0000) | 1, eye, target
    dx, dy = float(x) - eye[0], float(y) - eye[1]
    return int(land), (float(x), float(y), eye[2]), (target[0] + dx, target[1] + dy, target[2])

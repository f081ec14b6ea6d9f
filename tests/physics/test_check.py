"""The quick check of the graph against the plain one: the same words for every broken graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builders.graphs import (
    CREATURE,
    EMITTER_STATE,
    HOLLOW,
    LAMP,
    PILLAR,
    PLAYER,
    armed,
    open_land,
    put,
    two_rooms,
)
from builders.plain_check import plain_check

from acclient_py.physics.check import FAULTS, InvariantError, check_graph
from acclient_py.physics.state import PARTICLE_EMITTER as EMITTER
from acclient_py.physics.world import PhysicsWorld

A, B = 0x12340100, 0x12340101
LAND = 0x10200001
FIELDS = {
    "objects": (
        "cell", "objcell_id", "cell_next", "cell_prev", "parent", "first_child", "last_child",
        "next_sibling", "prev_sibling", "part_cell_id", "state", "has_part_array", "kind",
        "shadow_count", "part_count", "light_count", "light_first", "shadow_first", "place_first",
        "part_first",
    ),
    "cells": (
        "id", "kind", "objects_first", "objects_last", "objects_count", "shadows_first",
        "shadows_last", "shadows_count", "parts_first", "parts_count", "lights_first",
        "lights_last", "lights_count",
    ),
    "shadows": ("object", "cell", "cell_id", "next", "prev"),
    "entries": ("object", "part", "back", "part_index", "planes"),
    "parts": ("gfx",),
    "lights": ("object", "cell", "next", "prev"),
}  # fmt: skip
NO_LINKS = (
    "shadow_first", "place_first", "part_first", "light_first", "parts_first", "shadow_count",
    "parts_count", "part_count", "light_count", "objects_count", "shadows_count",
    "lights_count", "back", "part", "ranks",
)  # fmt: skip
"""Where -1 is no null: plain Python then reads from the other end, and its words say nothing."""
PLAIN = ("places", "order", "ranks", "control")


@pytest.fixture
def world() -> PhysicsWorld:
    """Two rooms and flat land, two armed walkers (one in the door), lamps, statics, an emitter."""
    world = two_rooms(open_land(side=1))
    man = armed(world, PLAYER, A, 9.9, 5, 0)[0]
    assert world.set_parent(world.make_object(0), man, 3) is None, "half known: no part array"
    world.calc_cross_cells(man)
    armed(world, CREATURE, LAND, 23.8, 10, 0)
    put(world, LAMP, A, 3, 3, 0)
    put(world, LAMP, B, 13, 3, 0)
    put(world, PILLAR, LAND, 12, 12, 0, dynamic=False)
    put(world, HOLLOW, B, 12, 5, 0)
    put(world, PILLAR, A, 5, 5, 0, state=EMITTER_STATE)
    return world


def verdict(check: Any, world: PhysicsWorld) -> str:
    try:
        check(world.graph)
    except InvariantError as error:
        return str(error)
    return "sound"


def test_a_sound_graph_is_sound(world: PhysicsWorld) -> None:
    """Sabotage: count children as entries twice; the first assertion fails."""
    assert verdict(check_graph, world) == "sound"
    assert verdict(plain_check, world) == "sound"


def rows_of(world: PhysicsWorld, name: str) -> int:
    graph = world.graph
    a = graph.arrays
    pools = {"shadows": a.shadow_meta, "entries": a.entry_meta, "places": a.place_meta}
    if name in pools:
        return int(pools[name][0])
    return graph.used(name) if name in ("objects", "cells", "parts", "lights") else 3


@pytest.mark.contract("C14", "C15", "C17", "S9", "E15")
def test_both_say_the_same_of_every_broken_graph(world: PhysicsWorld) -> None:
    """Each field of a few rows is set to a few values, one at a time.

    Sabotage: leave one comparison out of `invariants.py`; its row is listed.
    """
    rng = np.random.default_rng(11)
    graph = world.graph
    told: dict[str, int] = {}
    different = []
    for name in (*FIELDS, *PLAIN):
        array = getattr(graph.arrays, name)
        for field in FIELDS.get(name, ("",)):
            column = array[field] if field else array
            for _ in range(40):
                row = int(rng.integers(0, rows_of(world, name)))
                was = column[row]
                flipped = int(was) ^ (EMITTER if field == "state" else 1)
                value = int(rng.choice([-1, 0, 1, 2, 3, 5, flipped, int(was) + 1]))
                if column.dtype.kind == "u":
                    value &= (1 << 8 * column.dtype.itemsize) - 1
                if value == was:
                    continue
                column[row] = value
                try:
                    plain = verdict(plain_check, world)
                except (IndexError, KeyError):
                    plain = "nonsense"
                quick = verdict(check_graph, world)
                column[row] = was
                told[plain[:30]] = told.get(plain[:30], 0) + 1
                if not 0 <= value < 1000 and field in NO_LINKS and plain != "sound":
                    plain = "nonsense"
                if quick != plain and not (plain == "nonsense" and quick != "sound"):
                    different.append(f"{name}[{row}].{field} {was} -> {value}: {plain} | {quick}")
    assert different == []
    assert verdict(check_graph, world) == "sound"
    assert len(told) > 60, "few kinds of faults were made"
    clauses = {words.partition(":")[0] for words in told}
    assert clauses >= {clause for clause, _ in FAULTS.values()} - {"T2"}

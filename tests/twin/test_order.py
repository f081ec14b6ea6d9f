"""S11: the same world, brought in at once or in any order of pieces, gives the same arrays."""

from __future__ import annotations

import random
from typing import Any

import pytest
from twin.worlds import Description, Maker, env_model, landblock_of_block, models_of

from acclient_py.physics.layout import OBJECT
from acclient_py.physics.world import PhysicsWorld

FIRST = (0, 120, 160)
"""Twenty worlds each; among them some that tell apart every mark of register row D12."""


def pieces(described: Description) -> list[Any]:
    """Blocks and rooms, each to be brought in by itself."""
    return [*described.blocks, *[room for block in described.blocks for room in block.rooms]]


def bring(world: PhysicsWorld, some: list[Any]) -> None:
    blocks = [(landblock_of_block(p), 8) for p in some if hasattr(p, "houses")]
    world.arrivals.arrive(blocks, [env_model(p) for p in some if not hasattr(p, "houses")])


def read(world: PhysicsWorld) -> tuple[dict[Any, Any], dict[int, Any]]:
    """The array of each static by the place of its manifest; the entries of each cell as a set."""
    graph = world.graph
    objects = graph.arrays.objects
    ids = graph.arrays.cells["id"]
    names, arrays = {}, {}
    for obj in range(graph.used("objects")):
        if objects["kind"][obj] == OBJECT:
            name = int(objects["home_id"][obj]), int(objects["home_index"][obj])
            names[obj] = name
            arrays[name] = [
                (cell_id, cell >= 0)
                for cell_id, cell in graph.shadows_on(obj)[["cell_id", "cell"]].tolist()
            ]
    cells = {}
    for slot in range(graph.used("cells")):
        entries = graph.parts_of(slot)[["object", "part_index", "planes"]].tolist()
        if entries:
            cells[int(ids[slot])] = sorted((names[o], part, planes) for o, part, planes in entries)
    return arrays, cells


@pytest.mark.contract("S11", "SF7")
@pytest.mark.parametrize("first", FIRST)
def test_any_order_of_pieces_gives_the_same_arrays_and_sets(first: int) -> None:
    """Sabotage: do not mark who stopped at something missing (D12); the arrays differ."""
    for seed in range(first, first + 20):
        rng = random.Random(seed)
        described = Maker(rng).world()
        at_once = PhysicsWorld(models_of(described))
        bring(at_once, pieces(described))
        wanted = read(at_once)
        for _ in range(3):
            order = pieces(described)
            rng.shuffle(order)
            world = PhysicsWorld(models_of(described))
            while order:
                count = rng.randint(1, min(3, len(order)))
                bring(world, order[:count])
                del order[:count]
            arrays, cells = read(world)
            assert arrays == wanted[0], seed
            assert cells == wanted[1], seed
            world.check()

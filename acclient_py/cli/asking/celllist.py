"""Questions about cell arrays: cells."""

from __future__ import annotations

import numpy as np

from acclient_py.cli.asking import (
    Answer,
    AskError,
    AskWorld,
    read_id,
    read_int,
    read_numbers,
    verb,
)
from acclient_py.physics import transit


@verb("cells")
def cells(world: AskWorld, words: list[str]) -> Answer:
    """`cells cell x y z n (x y z r)*n`: what spheres reach, and which cell holds the first."""
    if len(words) < 5 or len(words) != 5 + 4 * read_int(words[4]):
        raise AskError("write: cells CELL x y z n (x y z r)*n")
    cell_id = read_id(words[0])
    origin = read_numbers(words[1:4])
    count = read_int(words[4])
    spheres = np.zeros((max(count, 1), 4), np.float32)
    spheres[:count] = read_numbers(words[5:]).reshape(-1, 4)
    physics = world.near(cell_id)
    head = np.zeros(transit.HEAD_SIZE, np.int64)
    room, head[transit.OVERFLOW] = 512, 1
    while head[transit.OVERFLOW]:
        room *= 2
        ids, slots = np.zeros(room, np.uint32), np.zeros(room, np.int32)
        head[transit.CURR_CELL] = -1
        transit.find_cell_list(
            physics.graph.arrays, cell_id, origin[0], origin[1], spheres, count, ids, slots, head,
            True,
        )  # fmt: skip
    found = int(head[transit.COUNT])
    curr = int(head[transit.CURR_CELL])
    return {
        "cells": [int(i) for i in ids[:found]],
        "loaded": [int(slot >= 0) for slot in slots[:found]],
        "curr": 0 if curr < 0 else int(physics.graph.arrays.cells["id"][curr]),
        "hits_interior": int(head[transit.HITS_INTERIOR]),
    }

"""Questions about the ground: split, polys, terrainpoly."""

from __future__ import annotations

from acclient_py.cli.asking import (
    Answer,
    AskError,
    AskWorld,
    need,
    number,
    numbers,
    read_id,
    read_numbers,
    verb,
)
from acclient_py.core import geom
from acclient_py.core.ids import hex8, is_land_cell
from acclient_py.world import terrain
from acclient_py.world.landblock import Landblock


def _land_cell(world: AskWorld, word: str) -> tuple[Landblock, int]:
    """The block of a land cell, and the cell's index in it."""
    cell_id = read_id(word)
    if not is_land_cell(cell_id):
        raise AskError(f"{hex8(cell_id)} is no land cell")
    return world.landblock(cell_id), (cell_id & 0xFFFF) - 1


@verb("split")
def split(world: AskWorld, words: list[str]) -> Answer:
    """`split block`: diagonals and water of its 64 cells."""
    need(words, 1, "split BLOCK")
    landblock = world.landblock(read_id(words[0]))
    return {
        "cut": [int(cut) for cut in landblock.swne],
        "water": landblock.block_water,
        "cellwater": [int(water) for water in landblock.water],
    }


@verb("polys")
def polys(world: AskWorld, words: list[str]) -> Answer:
    """`polys cell`: planes and corners of its two triangles."""
    need(words, 1, "polys CELL")
    landblock, cell = _land_cell(world, words[0])
    corners = landblock.grid().vertices()[cell]
    return {
        "polys": [
            {
                "plane": numbers(landblock.planes[cell, t]),
                "verts": [numbers(corner) for corner in corners[t]],
            }
            for t in range(2)
        ]
    }


@verb("terrainpoly")
def terrainpoly(world: AskWorld, words: list[str]) -> Answer:
    """`terrainpoly cell x y z`: the triangle under a point, its height there, the water's depth."""
    need(words, 4, "terrainpoly CELL X Y Z")
    landblock, cell = _land_cell(world, words[0])
    x, y, z = read_numbers(words[1:])
    t = terrain.find_terrain_poly(bool(landblock.swne[cell]), cell, x, y)
    if t < 0:
        return {"ok": 0}
    plane = landblock.planes[cell, t]
    depth = terrain.water_depth(int(landblock.water[cell]), landblock.terrain, cell, x, y)
    return {
        "ok": 1,
        "plane": numbers(plane),
        "z": number(geom.height_on_plane(plane[0], plane[1], plane[2], plane[3], x, y, z)),
        "poly": t,
        "water_depth": number(depth),
    }


@verb("scenery")
def scenery(world: AskWorld, words: list[str]) -> Answer:
    """`scenery block`: what grows on it, in order of insertion."""
    need(words, 1, "scenery BLOCK")
    landblock = world.landblock(read_id(words[0]))
    return {
        "scenery": [
            {
                "setup": int(placed["did"]),
                "scale": number(placed["scale"]),
                "pos": {
                    "cell": landblock.id & 0xFFFF0000 | int(placed["land_cell"]) + 1,
                    "frame": numbers(placed["frame"]),
                },
            }
            for placed in world.scenery(landblock)
        ]
    }

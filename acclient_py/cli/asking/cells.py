"""Questions about cells: envcell, pic, sic, child, shadows."""

from __future__ import annotations

from acclient_py.cli.asking import (
    Answer,
    AskError,
    AskWorld,
    need,
    numbers,
    read_id,
    read_int,
    read_numbers,
    verb,
)
from acclient_py.core.frame import global_to_local
from acclient_py.core.geom import sphere_intersects_planes
from acclient_py.core.ids import hex8
from acclient_py.physics import transit
from acclient_py.physics.world import PhysicsWorld


def resident(world: AskWorld, word: str) -> tuple[PhysicsWorld, int]:
    """The graph with a cell and its surroundings in it, and the cell's slot."""
    cell_id = read_id(word)
    physics = world.near(cell_id)
    slot = physics.cell_slot(cell_id)
    if slot < 0:
        raise AskError(f"no cell {hex8(cell_id)} in this world")
    return physics, slot


@verb("envcell")
def envcell(world: AskWorld, words: list[str]) -> Answer:
    """`envcell id`: what an env cell is, what its portals lead to, what stands in it."""
    need(words, 1, "envcell ID")
    cell = world.env_cell(read_id(words[0]))
    physics, slot = resident(world, words[0])
    return {
        "seen_outside": int(cell.seen_outside),
        "env": cell.structure.environment_id,
        "struct": cell.structure.index,
        "frame": numbers(cell.frame),
        "restriction": cell.restriction_id,
        "stabs": list(cell.stabs),
        "portals": [
            {
                "other": portal.other_cell_id,
                "side": portal.portal_side,
                "other_portal": portal.other_portal_id,
                "exact": int(portal.exact_match),
                "plane": numbers(portal.plane),
                "nverts": len(portal.vertices),
            }
            for portal in cell.portals
        ],
        "statics": [static.did for static in cell.statics],
        "npoly": len(cell.structure.record.polygons),
        "nphys": len(cell.structure.record.physics_polygons),
        "shadow": len(physics.graph.shadows_of(slot)),
    }


@verb("pic")
def pic(world: AskWorld, words: list[str]) -> Answer:
    """`pic cell x y z`: whether the cell holds a point."""
    need(words, 4, "pic CELL X Y Z")
    x, y, z = read_numbers(words[1:])
    physics, slot = resident(world, words[0])
    return {"inside": int(transit.point_in_cell(physics.graph.arrays, slot, x, y, z))}


@verb("sic")
def sic(world: AskWorld, words: list[str]) -> Answer:
    """`sic cell x y z r`: how a sphere lies to an env cell."""
    need(words, 5, "sic CELL X Y Z R")
    x, y, z, radius = read_numbers(words[1:])
    cell = world.env_cell(read_id(words[0]))
    local = global_to_local(cell.frame, x, y, z)
    kind = sphere_intersects_planes(cell.planes, 0, len(cell.planes), *local, radius)
    return {"kind": int(kind), "local": numbers(local)}


@verb("child")
def child(world: AskWorld, words: list[str]) -> Answer:
    """`child cell x y z search`: the cell or one next to it that holds a point."""
    need(words, 5, "child CELL X Y Z 0|1")
    world.env_cell(read_id(words[0]))
    x, y, z = read_numbers(words[1:4])
    physics, slot = resident(world, words[0])
    search = bool(read_int(words[4]))
    found = transit.find_visible_child_cell(physics.graph.arrays, slot, x, y, z, search)
    return {"cell": int(physics.graph.arrays.cells["id"][found]) if found >= 0 else 0}


@verb("shadows")
def shadows(world: AskWorld, words: list[str]) -> Answer:
    """`shadows cell`: the objects that are in a cell, and those that reach into it."""
    need(words, 1, "shadows CELL")
    physics, slot = resident(world, words[0])
    arrays = physics.graph.arrays
    reaching = [int(arrays.shadows["object"][row]) for row in physics.graph.shadows_of(slot)]
    return {
        "shadows": [
            {"setup": setup_of(physics, obj), "home": int(arrays.objects["objcell_id"][obj])}
            for obj in reaching
        ],
        "objects": [setup_of(physics, obj) for obj in physics.graph.objects_of(slot)],
    }


def setup_of(physics: PhysicsWorld, obj: int) -> int:
    """The data id that an object was made from; 0 without a part array."""
    setup = physics.objects.setup_of(obj)
    return 0 if setup is None else setup.id

"""The state word of an object of a world, and what changes with it (spec 4.1, 4.2, contract E10).

`PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from acclient_py.core.frame import combine
from acclient_py.physics import cells, children, shadow
from acclient_py.physics.layout import PART_NODRAW
from acclient_py.physics.state import (
    PhysicsState,
    TransientState,
)  # fmt: skip

PLAY_UNHIDE: Final = 0x75
PLAY_HIDDEN: Final = 0x76

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


def set_active(world: PhysicsWorld, obj: int, on: bool) -> None:
    """The active bit; a static object is never active (4.2)."""
    row = world.graph.arrays.objects[obj]
    if not on:
        row["transient"] = int(row["transient"]) & ~TransientState.ACTIVE & 0xFFFFFFFF
    elif not row["state"] & PhysicsState.STATIC:
        if not row["transient"] & TransientState.ACTIVE:
            row["update_time"] = world.clock
        row["transient"] = int(row["transient"]) | TransientState.ACTIVE


def set_state(world: PhysicsWorld, obj: int, state: int) -> None:
    """The new word, verbatim, and what changes with it. Retail: @0x00514DD0."""
    # contract: E10
    row = world.graph.arrays.objects[obj]
    changed = int(row["state"]) ^ state
    row["state"] = state
    if changed & PhysicsState.PARTICLE_EMITTER and row["cell"] >= 0:
        world.turned.add(obj)
    if changed & PhysicsState.LIGHTING_ON:
        _relight(world, obj)
    if changed & PhysicsState.NODRAW:
        children.set_nodraw(world.graph.arrays, obj, bool(state & PhysicsState.NODRAW))
    if changed & PhysicsState.HIDDEN:
        world.set_hidden(obj, bool(state & PhysicsState.HIDDEN))


def _relight(world: PhysicsWorld, obj: int) -> None:
    graph = world.graph
    row = graph.arrays.objects[obj]
    first, count = int(row["light_first"]), int(row["light_count"])
    for light in range(first, first + count):
        cells.darken(graph.arrays, light)
    world.objects.sync_lights(obj)
    cells.light_up(graph.arrays, obj)
    row, lights = graph.arrays.objects[obj], graph.arrays.lights
    first = int(row["light_first"])
    for light in range(first, first + int(row["light_count"])):
        combine(row["frame"], lights["offset"][light], 1.0, 1.0, 1.0, lights["frame"][light])


def set_nodraw(world: PhysicsWorld, obj: int, on: bool) -> None:
    """NODRAW and the parts' draw flag."""
    children.set_nodraw(world.graph.arrays, obj, on)


def set_hidden(world: PhysicsWorld, obj: int, on: bool) -> None:
    """HIDDEN, and NODRAW on each direct child; no list is touched. Retail: @0x00514C60."""
    # contract: E10
    row = world.graph.arrays.objects[obj]
    state = int(row["state"])
    report, ignore = PhysicsState.REPORT_COLLISIONS, PhysicsState.IGNORE_COLLISIONS
    if on:
        state = (state | PhysicsState.HIDDEN | ignore) & ~report
    else:
        state = (state | report) & ~(PhysicsState.HIDDEN | ignore)
    row["state"] = state & 0xFFFFFFFF
    world.effects.play_type(obj, PLAY_HIDDEN if on else PLAY_UNHIDE)
    for child in world.children_of(obj):
        children.set_nodraw(world.graph.arrays, child, on)


def set_translucency(world: PhysicsWorld, obj: int, value: float, part: int | None = None) -> None:
    """How far one part, or all of them, can be seen through: 0 not at all, 1 is not drawn.

    A cloaked object keeps what it has. A part at 1 has its draw flag off instead of a material.
    Retail: CPhysicsObj::SetTranslucency, CPhysicsPart::SetTranslucency.
    """
    row = world.graph.arrays.objects[obj]
    if row["state"] & PhysicsState.CLOAKED:
        return
    first, count = int(row["part_first"]), int(row["part_count"])
    if part is not None and not 0 <= part < count:
        return
    chosen = slice(first, first + count) if part is None else slice(first + part, first + part + 1)
    parts = world.graph.arrays.parts[chosen]
    parts["translucency"] = value
    hidden = value == 1.0 or bool(row["state"] & PhysicsState.NODRAW)
    flags = parts["flags"] & ~np.uint32(PART_NODRAW)
    parts["flags"] = flags | np.uint32(PART_NODRAW if hidden else 0)


def set_part(world: PhysicsWorld, obj: int, index: int, gfx: int) -> None:
    """Another mesh for one part, in the cells where the object's shadows are (3.3)."""
    world.remove_part_from_shadow_cells(obj, index)
    world.objects.set_part(obj, index, gfx)
    world.add_part_to_shadow_cells(obj, index)


def remove_part_from_shadow_cells(world: PhysicsWorld, obj: int, index: int) -> None:
    """A single part out of every live shadow cell. Retail: @0x00510E70."""
    world.room_for_events(obj)
    shadow.remove_part_from_shadow_cells(world.graph.arrays, obj, index)


def add_part_to_shadow_cells(world: PhysicsWorld, obj: int, index: int) -> None:
    """A single part into every live shadow cell, without planes. Retail: @0x00510E00."""
    graph = world.graph
    world.room_for_events(obj)
    shadow.part_room(graph.arrays, obj, world.batch.need)
    graph.reserve(entries=int(world.batch.need[2]))
    shadow.add_part_to_shadow_cells(graph.arrays, obj, index)

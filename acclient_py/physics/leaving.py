"""Leaving a world: the withdrawal and the end of an object (spec 3.7, contract C4, E8).

`PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from acclient_py.physics import cells, shadow, velocities
from acclient_py.physics.layout import (
    CAUSE_DELETE,
    CAUSE_WITHDRAW,
)  # fmt: skip
from acclient_py.physics.state import TransientState

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

_LEFT: Final = 0x1F4 | 0xB  # every transient bit that leaving the world clears


def exit_world(world: PhysicsWorld, obj: int) -> None:
    """The handlers of an exit; no cell work (3.7). Retail: CPhysicsObj::exit_world @0x00514E60."""
    world.movement.exit_world(obj)


def leave_world(world: PhysicsWorld, obj: int, *, cause: int = CAUSE_WITHDRAW) -> None:
    """C4: out of every list with the subtree; its own id becomes 0. Retail: @0x005155A0."""
    # contract: C4
    world.withdraw(obj, cause, pending=False)


def withdraw(world: PhysicsWorld, obj: int, cause: int, *, pending: bool) -> None:
    world.lost.remove(obj)
    world.lost.reprieve(obj)
    world.set_active(obj, False)
    world.remove_shadows_from_cells(obj)
    world.leave_cell(obj, cause, pending=pending)
    cells.withdraw_id(world.graph.arrays, obj)
    world.clear_transient_states(obj)


def clear_transient_states(world: PhysicsWorld, obj: int) -> None:
    """Contact and all that rests on it (4.2): who walked leaves the ground. Retail: @0x00511BF0."""
    row = world.graph.arrays.objects[obj]
    stood = int(row["transient"]) & TransientState.ON_WALKABLE
    row["transient"] = int(row["transient"]) & ~_LEFT & 0xFFFFFFFF
    if stood:
        velocities.leave_ground(world.movement, obj)
        row["transient"] = int(row["transient"]) & ~_LEFT & 0xFFFFFFFF
    else:
        velocities.accelerate(world.movement, obj)


def delete_object(world: PhysicsWorld, obj: int) -> None:
    """E8: leave with the children attached, then unmake the relations; the row is freed.

    Retail: CObjectMaint::DeleteObject @0x00508460.
    """
    # contract: E8
    world.effects.forget(obj)
    world.exit_world(obj)
    world.leave_world(obj, cause=CAUSE_DELETE)
    world.unset_parent(obj)
    world.unparent_children(obj)
    if world.player == obj:
        world.player = -1
    row = world.graph.arrays.objects[obj]
    home = int(row["home_id"])
    if home in world.statics:
        made = world.statics[home]
        if row["home_index"] < len(made) and made[row["home_index"]] == obj:
            made[row["home_index"]] = -1  # its block must not free it again
    world.movement.forget(obj)
    world.turned.discard(obj)
    shadow.free_slabs(world.graph.arrays, obj)
    world.objects.free(obj)

"""Frames, placements and poses of objects of a world (spec 6.2, 6.3). No cell work.

`PhysicsWorld` has all of them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from acclient_py.core import F32
from acclient_py.core.frame import Frame
from acclient_py.core.ids import adjust_to_outside
from acclient_py.physics import cells, children
from acclient_py.physics.state import (
    PhysicsState,
)  # fmt: skip

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


def as_frame(frame: Frame | npt.ArrayLike) -> F32:
    """Seven float32 numbers of one's own."""
    if isinstance(frame, Frame):
        return frame.array()
    made: F32 = np.array(frame, np.float32)
    assert made.shape == (7,), "a frame has seven numbers"
    return made


def own_frame(world: PhysicsWorld, obj: int) -> F32:
    frame: F32 = world.graph.arrays.objects["frame"][obj].copy()
    return frame


def push_frame(world: PhysicsWorld, obj: int) -> None:
    world.set_frame(obj, world.own_frame(obj))


def set_frame(world: PhysicsWorld, obj: int, frame: Frame | npt.ArrayLike) -> None:
    """Write the frame; parts, lights and descendants follow. No cell work."""
    roots = world._one[0]
    roots[0] = obj
    children.set_frames(world.graph.arrays, roots, as_frame(frame).reshape(1, 7))


def update_child(world: PhysicsWorld, child: int) -> None:
    """C13: put a child where its holding place is now."""
    # contract: C13
    out = np.zeros(7, np.float32)
    children.held_frame(world.graph.arrays, child, out)
    world.set_frame(child, out)


def update_children(world: PhysicsWorld, obj: int) -> None:
    """`UpdateChildrenInternal`: every child in order; needs a part array."""
    if world.graph.arrays.objects["has_part_array"][obj]:
        for child in list(world.children_of(obj)):
            world.update_child(child)


def has_anims(world: PhysicsWorld, obj: int) -> bool:
    """Whether an animation gives the pose, so that placements do not matter."""
    return world.objects.has_anims(obj)


def set_placement_frame(world: PhysicsWorld, obj: int, key: int) -> bool:
    """The Setup's placement, and the frame pushed into the parts; False without one (6.2)."""
    found = world.objects.set_placement(obj, key)
    if not world.state_of(obj) & PhysicsState.PARTICLE_EMITTER:
        world.push_frame(obj)
    return found


def pose_rows(world: PhysicsWorld, obj: int) -> slice:
    """The object's own rows of `graph.arrays.poses`, to be written before a `set_frame`."""
    first, count = world.objects.own_pose(obj)
    return slice(first, first + count)


def set_pose(world: PhysicsWorld, obj: int, frames: F32) -> None:
    """Pose all parts, (n, 7) relative to the object, and recompose; missing ones stay."""
    rows = world.pose_rows(obj)
    count = min(len(frames), rows.stop - rows.start)
    world.graph.arrays.poses[rows.start : rows.start + count] = frames[:count]
    world.push_frame(obj)


def set_scale(world: PhysicsWorld, obj: int, scale: float) -> None:
    """The object's scale; parts are recomposed."""
    world.objects.set_scale(obj, scale)
    world.push_frame(obj)


def store_position(
    world: PhysicsWorld, obj: int, cell_id: int, frame: Frame | npt.ArrayLike
) -> None:
    """Id and frame, no cell and no list; outdoors the id follows the point. 0x005141A0."""
    made = as_frame(frame)
    if cell_id & 0xFFFF < 0x100:
        _, cell_id, made[0], made[1] = adjust_to_outside(cell_id, made[0], made[1])
    cells.set_cell_id(world.graph.arrays, obj, cell_id)
    world.set_frame(obj, made)

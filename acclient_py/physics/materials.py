"""What an object's parts have in place of their surfaces' light, and pictures that move.

Translucency is with the other states; these are its neighbours in retail's material of a part.
`PhysicsWorld` has them as methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from acclient_py.physics.layout import PART_DIFFUSE, PART_LUMINOSITY

if TYPE_CHECKING:
    from acclient_py.core import Struct
    from acclient_py.physics.world import PhysicsWorld


def set_luminosity(world: PhysicsWorld, obj: int, value: float, part: int | None = None) -> None:
    """How far one part, or all of them, glow: 0 to 1. Retail: CPhysicsPart::SetLuminosity."""
    parts = _parts(world, obj, part)
    parts["luminosity"] = value
    parts["flags"] |= np.uint32(PART_LUMINOSITY)


def set_diffusion(world: PhysicsWorld, obj: int, value: float, part: int | None = None) -> None:
    """How much of the sun one part, or all of them, take. Retail: CPhysicsPart::SetDiffusion."""
    parts = _parts(world, obj, part)
    parts["diffuse"] = value
    parts["flags"] |= np.uint32(PART_DIFFUSE)


def set_texture_velocity(
    world: PhysicsWorld, obj: int, u: float, v: float, part: int | None = None
) -> None:
    """Have the pictures of one part, or of all, move: repeats a second; 0, 0 stops them.

    It belongs to the model: whatever else shows the same model moves too.
    Retail: CPhysicsObj::SetTextureVelocity, CPhysics::UpdateTexVelocity @0x00509820.
    """
    for gfx in _parts(world, obj, part)["gfx"].tolist():
        if gfx < 0:
            continue
        if u == 0.0 and v == 0.0:
            world.moving_pictures.pop(gfx, None)
        else:
            world.moving_pictures[gfx] = (u, v, world.clock)


def _parts(world: PhysicsWorld, obj: int, part: int | None) -> Struct:
    """The rows of one part (none, if the object has no such part), or of all."""
    row = world.graph.arrays.objects[obj]
    first, count = int(row["part_first"]), int(row["part_count"])
    chosen = slice(first, first + count)
    if part is not None:
        chosen = slice(first + part, first + part + (1 if 0 <= part < count else 0))
    found: Struct = world.graph.arrays.parts[chosen]
    return found

"""The flag words of physics objects, under their retail names."""

from __future__ import annotations

import enum
from typing import Final


class PhysicsState(enum.IntFlag):
    """`state`: what the server says an object is (spec physics-membership 4.1)."""

    STATIC = 0x00000001
    ETHEREAL = 0x00000004
    REPORT_COLLISIONS = 0x00000008
    IGNORE_COLLISIONS = 0x00000010
    NODRAW = 0x00000020
    MISSILE = 0x00000040
    PUSHABLE = 0x00000080
    ALIGNPATH = 0x00000100
    PATHCLIPPED = 0x00000200
    GRAVITY = 0x00000400
    LIGHTING_ON = 0x00000800
    PARTICLE_EMITTER = 0x00001000
    HIDDEN = 0x00004000
    SCRIPTED_COLLISION = 0x00008000
    HAS_PHYSICS_BSP = 0x00010000
    INELASTIC = 0x00020000
    HAS_DEFAULT_ANIM = 0x00040000
    HAS_DEFAULT_SCRIPT = 0x00080000
    CLOAKED = 0x00100000
    REPORT_COLLISIONS_AS_ENVIRONMENT = 0x00200000
    EDGE_SLIDE = 0x00400000
    SLEDDING = 0x00800000
    FROZEN = 0x01000000


class TransientState(enum.IntFlag):
    """`transient`: what the last steps left behind (4.2)."""

    CONTACT = 0x001
    ON_WALKABLE = 0x002
    SLIDING = 0x004
    WATER_CONTACT = 0x008
    STATIONARY_FALL = 0x010
    STATIONARY_STOP = 0x020
    STATIONARY_STUCK = 0x040
    ACTIVE = 0x080
    CHECK_ETHEREAL = 0x100


class SetPositionFlags(enum.IntFlag):
    """How an object is to be placed (3.6)."""

    PLACEMENT = 0x0001
    TELEPORT = 0x0002
    RESTORE = 0x0004
    SLIDE = 0x0010
    DONOTCREATECELLS = 0x0020
    SCATTER = 0x0100
    RANDOMSCATTER = 0x0200
    LINE = 0x0400
    SEND_POSITION_EVENT = 0x1000


class SetPositionError(enum.IntEnum):
    """What came of it."""

    OK = 0
    GENERAL_FAILURE = 1
    NO_VALID_POSITION = 2
    NO_CELL = 3
    COLLIDED = 4


DEFAULT_STATE: Final = (
    PhysicsState.EDGE_SLIDE
    | PhysicsState.LIGHTING_ON
    | PhysicsState.GRAVITY
    | PhysicsState.REPORT_COLLISIONS
)

# plain ints for kernels
PARTICLE_EMITTER: Final = 0x00001000
HAS_PHYSICS_BSP: Final = 0x00010000
STATIC: Final = 0x00000001
NODRAW: Final = 0x00000020

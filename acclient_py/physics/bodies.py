"""What moves: one row an object beside the graph's, with velocity, contact and shape of motion.

A row is zero until its object is given a body. The kernels of the transition and of the tick read
and write these rows; `cell` and `objcell_id` stay in the graph (C18).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import Struct

# what the game layer knows of an object ("weenie"), as far as motion asks
CREATURE: Final = 1
PLAYER: Final = 2
IMPENETRABLE: Final = 4
PK: Final = 8
PKLITE: Final = 16
THING: Final = 32  # known to the game, and no creature

STEERED_OFFSET: Final = 1
STEERED_LEASH: Final = 2

DEFAULT_FRICTION: Final = 0.95
DEFAULT_ELASTICITY: Final = 0.05
MAX_ELASTICITY: Final = 0.1

BODY_DTYPE: Final = np.dtype(
    [
        ("velocity", "<f8", 3),
        ("acceleration", "<f8", 3),
        ("omega", "<f8", 3),
        ("contact", "<f8", 4),  # contact plane
        ("sliding", "<f8", 3),  # sliding normal
        ("cached_velocity", "<f8", 3),  # what the last tick really moved, a second
        ("friction", "<f8"),
        ("elasticity", "<f8"),
        ("contact_cell_id", "<u4"),
        ("contact_water", "<i4"),
        ("generation", "<i4"),  # of the object row that this body belongs to
        ("weenie", "<i4"),  # CREATURE, PLAYER, ...
        ("sequence", "<i4"),  # -1 none
        ("hit_environment", "<i4"),
        ("grounded", "<i4"),  # events of the last tick: 1 hit the ground, 2 left it
        ("steered", "<i4"),  # STEERED_*: what position corrections do to the next tick
        ("offset", "<f8", 7),  # a frame relative to the body's, in place of its own motion
        ("leash", "<f8"),  # what is left of the motion
        ("travelled", "<f8"),  # metres on the leash
    ],
    align=True,
)


class Bodies:
    """The rows, as many as the graph has object rows."""

    def __init__(self, capacity: int = 64) -> None:
        self.rows: Struct = np.zeros(capacity, BODY_DTYPE)
        self.rows["sequence"] = -1

    def reserve(self, count: int) -> None:
        """Room for object rows 0 to `count` - 1."""
        if count > len(self.rows):
            grown = np.zeros(max(count, 2 * len(self.rows)), BODY_DTYPE)
            grown["sequence"] = -1
            grown[: len(self.rows)] = self.rows
            self.rows = grown

    @staticmethod
    def fresh() -> Struct:
        """(1,) the row of a new object: at rest, with retail's default friction and elasticity."""
        made = np.zeros(1, BODY_DTYPE)
        made["friction"] = DEFAULT_FRICTION
        made["elasticity"] = DEFAULT_ELASTICITY
        made["sequence"] = -1
        return made

    def reset(self, obj: int, generation: int) -> None:
        """A new object in this row."""
        self.reserve(obj + 1)
        self.rows[obj : obj + 1] = self.fresh()
        self.rows[obj]["generation"] = generation

"""Where one stands who is put on the ground where a house is: beside it, not under its floor."""

from __future__ import annotations

import math
from typing import Final

from acclient_py.core.ids import BLOCK_LENGTH
from acclient_py.dat.dataset import DatSet
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models, SetupModel

CLEAR: Final = 1.0  # metres from the farthest corner of a house
ROUND: Final = tuple(
    (math.sin(math.radians(heading)), math.cos(math.radians(heading)))
    for heading in (180, 90, 0, 270, 135, 45, 315, 225)
)
"""Ways from the middle of a house, east and north; of those as near the first is taken."""


def beside_houses(dats: DatSet, block: Landblock, x: float, y: float) -> tuple[float, float]:
    """A place of a block, metres, or the nearest beside the house that it lies in."""
    if block.info is None or not block.info.buildings:
        return x, y
    models = Models(dats)
    rings = [
        (*house.frame.origin[:2], _radius(models.setup(house.model_id), models) + CLEAR)
        for house in block.info.buildings
    ]

    def is_free(x: float, y: float) -> bool:
        return all(math.hypot(x - hx, y - hy) >= reach - 0.01 for hx, hy, reach in rings)

    if is_free(x, y):
        return x, y
    places = [
        (hx + reach * east, hy + reach * north) for hx, hy, reach in rings for east, north in ROUND
    ]
    free = [p for p in places if min(p) >= 0.0 and max(p) < BLOCK_LENGTH and is_free(*p)]
    return min(free, key=lambda p: round(math.hypot(p[0] - x, p[1] - y), 3), default=(x, y))


def _radius(house: SetupModel, models: Models) -> float:
    """How far the corners of a house's bounds are from its origin, metres, seen from above."""
    farthest = 0.0
    pose = house.placement(0)
    for part, row in enumerate(house.part_gfx):
        if row < 0:
            continue
        gfx = models.gfx_rows[row]
        east, north, _ = (
            max(-float(a), float(b)) for a, b in zip(gfx["box_min"], gfx["box_max"], strict=True)
        )
        away = 0.0 if pose is None else math.hypot(float(pose[part, 0]), float(pose[part, 1]))
        farthest = max(farthest, math.hypot(east, north) + away)
    return farthest

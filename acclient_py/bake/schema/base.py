"""What all tables of the recipe language share."""

from __future__ import annotations

from typing import Annotated

import msgspec

Color = Annotated[
    str, msgspec.Meta(pattern=r"^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$", description="#RRGGBB[AA]")
]
Size = Annotated[float, msgspec.Meta(gt=0)]
Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Size2 = tuple[Size, Size]
Size3 = tuple[Size, Size, Size]
Point = Annotated[
    list[float], msgspec.Meta(min_length=2, max_length=3, description="x, y or x, y, z")
]
Quat = Annotated[tuple[float, float, float, float], msgspec.Meta(description="w, x, y, z")]
Id = Annotated[str, msgspec.Meta(pattern=r"^0x[0-9A-Fa-f]{8}$", description="0x%08X")]
BlockName = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9A-Fa-f]{4}$", description="column and row, XXYY")
]


class Table(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A table: every key has a name and unknown keys are refused."""

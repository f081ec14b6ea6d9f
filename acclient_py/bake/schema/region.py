"""The region in the recipe language: heights, time, sky, terrain types."""

# ruff: noqa: RUF012 -- msgspec copies empty defaults for every instance

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from acclient_py.bake.schema.base import Color, Table, Vec2


class TerrainKind(Table, kw_only=True):
    """One of the 32 kinds of ground (or RoadType): its picture, tiling, map colour and scenes.

    slots: for each scenery slot the scenes that may be chosen there.
    """

    texture: str
    tiling: Annotated[int, msgspec.Meta(ge=1, le=255)] = 4
    color: Color | None = None
    slots: Annotated[list[list[str]], msgspec.Meta(max_length=32)] = []


class SkyThing(Table, kw_only=True):
    """A thing in the sky. time: fractions of the day, equal for always; angle: degrees."""

    mesh: str
    time: Vec2 = (0.0, 0.0)
    angle: Vec2 = (0.0, 0.0)
    drift: Vec2 = (0.0, 0.0)
    after: bool = False
    weather: bool = False
    keep_height: bool = False


class SkyChange(Table, kw_only=True):
    """What becomes of a sky thing from a row's time on. Percentages."""

    thing: int
    mesh: str | None = None
    rotate: float = 0.0
    transparent: float = -1.0
    luminosity: float = 0.0
    bright: float = 0.0


class SkyHour(Table, kw_only=True):
    """Light and fog from a time of the day on (fractions of the day)."""

    time: float
    sun: float
    heading: float
    pitch: float
    color: Color
    ambient: float
    ambient_color: Color
    fog: Vec2 = (300.0, 1200.0)
    fog_color: Color = "#A0B0C0"
    fog_on: bool = True
    changes: list[SkyChange] = []


class DayKind(Table, kw_only=True):
    """One kind of day."""

    name: str
    things: list[SkyThing]
    hours: list[SkyHour]
    chance: float = 1.0


class Region(Table, kw_only=True):
    """The region record's own numbers. heights: step of the height table in metres, or a table.

    building_detail, cell_detail: textures that are drawn over houses and rooms, detail_tiling times
    as often as the pictures below (in rooms three times that).
    """

    name: str = "Dereth"
    heights: float | list[float] = 2.0
    base_texture: Annotated[int, msgspec.Meta(ge=1, le=2048)] = 256
    tick: float = 0.3
    light_tick: float = 3.0
    mask_size: Literal[8, 16, 32, 64, 128, 256, 512] = 64
    building_detail: str | None = None
    cell_detail: str | None = None
    detail_tiling: int = 2

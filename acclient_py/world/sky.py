"""Game time, day groups, and the state of sky, light and fog at a time of day: pure functions.

Nothing here keeps a clock. Times of day are fractions 0..1; game time is counted in ticks of one
second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import F32
from acclient_py.core.frame import identity, rotate_about_global_axis, set_heading
from acclient_py.core.trig import RAD_PER_DEG, cos, sin
from acclient_py.dat.records.region_sky import DayGroup, GameTime, SkyReplacement, SkyTime

HOURS: Final = 16
HOUR_NAMES: Final = (
    "Darktide", "Foredawn", "Dawnsong", "Morntide", "Midsong", "Warmtide", "Evensong", "Gloaming",
)  # fmt: skip
FIRST_DAY_HOUR: Final = 4
LAST_DAY_HOUR: Final = 11
DEFAULT_TICK_SIZE: Final = 3.0

AFTER_LAND: Final = 1
HIDDEN_UNDER_OVERRIDE: Final = 2
WEATHER: Final = 4
KEEPS_HEIGHT: Final = 8
WEATHER_Z: Final = -120.0

Rgb = tuple[int, int, int]


class Calendar(Struct, frozen=True):
    """A moment of game time. `day` counts from 0 in the year; `fraction` is of the day."""

    year: int
    day: int
    fraction: float
    hour: int
    """0..15"""

    @property
    def hour_name(self) -> str:
        """Its name in the game."""
        return HOUR_NAMES[self.hour >> 1] + ("-and-Half" if self.hour & 1 else "")

    @property
    def is_day(self) -> bool:
        """From Dawnsong to Warmtide-and-Half."""
        return FIRST_DAY_HOUR <= self.hour <= LAST_DAY_HOUR


def calendar(
    ticks: float,
    *,
    zero_time_of_year: float = 3600.0,
    zero_year: int = 10,
    day_length: float = 7620.0,
    days_per_year: int = 360,
) -> Calendar:
    """The calendar at a tick count. Retail: GameTime::CalcDayBegin, CalcTimeOfDay @0x005A64A0."""
    total = ticks + zero_time_of_year
    year_length = day_length * days_per_year
    years = math.floor(total / year_length)
    rest = total - years * year_length
    day = min(math.floor(rest / day_length), days_per_year - 1)
    fraction = (rest - day * day_length) / day_length
    hour = min(math.floor(fraction * HOURS), HOURS - 1)
    return Calendar(zero_year + years, day, fraction, hour)


def calendar_of(ticks: float, time: GameTime) -> Calendar:
    """The calendar with a region's own numbers."""
    return calendar(
        ticks,
        zero_time_of_year=time.zero_time_of_year,
        zero_year=time.zero_year,
        day_length=time.day_length,
        days_per_year=time.days_per_year,
    )


def date_text(when: Calendar, time: GameTime) -> str:
    """`Morningthaw 1, 10 P.Y.`: the season that has begun last, the day in it, the year."""
    season = None
    for entry in time.seasons:
        if entry.start_day <= when.day:
            season = entry
    name, begin = (season.name, season.start_day) if season else ("", 0)
    return f"{name} {when.day - begin + 1}, {when.year} {time.year_spec}".strip()


def day_group_hash(year: int, day: int, days_per_year: int = 360) -> int:
    """The word that chooses a day's group."""
    return ((year * days_per_year + day) * 1782775218 - 1967253934) & 0xFFFFFFFF


def day_group_index(year: int, day: int, count: int, days_per_year: int = 360) -> int:
    """Which of `count` groups a day has. Retail: CalcPresentDayGroup @0x00500E10."""
    index = day_group_hash(year, day, days_per_year) * count >> 32
    return index if index < count else 0


def bracket(begins: Sequence[float], t: float) -> tuple[int, int, float]:
    """(row, next row, factor): between which rows a time lies. Rows are sorted by `begin`."""
    row = 0
    for index, begin in enumerate(begins):
        if begin <= t:
            row = index
    following = row + 1 if row + 1 < len(begins) else 0
    end = begins[following] if row + 1 < len(begins) else 1.0
    span = end - begins[row]
    return row, following, (t - begins[row]) / span if span != 0 else 0.0


def sun_vector(heading_deg: float, pitch_deg: float, bright: float) -> F32:
    """(3,) float32: towards the sun; its length is the sun's level."""
    h, p = heading_deg * RAD_PER_DEG, pitch_deg * RAD_PER_DEG
    across = cos(p)
    return np.array((sin(h) * across, cos(h) * across, sin(p)), np.float32) * np.float32(bright)


def rgb_of(colour: int) -> Rgb:
    """Red, green, blue of 0xAARRGGBB."""
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255


def _mix(a: float, b: float, f: float) -> float:
    return a + (b - a) * f


def _mix_rgb(a: int, b: int, f: float) -> Rgb:
    """Linear by byte, truncated."""
    r, g, bl = (
        min(max(int(_mix(x, y, f)), 0), 255) for x, y in zip(rgb_of(a), rgb_of(b), strict=True)
    )
    return r, g, bl


class Lighting(Struct, frozen=True, eq=False):
    """Light of the landscape. sun_vector : (3,) float32, its length is the sun's level."""

    ambient_level: float
    ambient_rgb: Rgb
    sun_vector: F32
    sun_rgb: Rgb


class Fog(Struct, frozen=True):
    """World fog: linear by range from near to far."""

    near: float
    far: float
    rgb: Rgb


DEFAULT_FOG: Final = Fog(400.0, 2000.0, (0xAA, 0xAA, 0xAA))
WHITE: Final[Rgb] = (255, 255, 255)


def default_lighting() -> Lighting:
    """Light without a region or a day group."""
    return Lighting(0.3, WHITE, np.array((0.5, 0, 0.8), np.float32), WHITE)


def initial_lighting() -> Lighting:
    """Light before the first light tick."""
    return Lighting(0.4, WHITE, np.array((1.2, 0, 0.5), np.float32), WHITE)


def _rows(group: DayGroup, t: float) -> tuple[SkyTime, SkyTime, float]:
    row, following, f = bracket([entry.begin for entry in group.times], t)
    return group.times[row], group.times[following], f


def lighting(group: DayGroup | None, t: float) -> Lighting:
    """The light at a time of day. Retail: SkyDesc::GetLighting @0x00500A80."""
    if group is None or not group.times:
        return default_lighting()
    a, b, f = _rows(group, t)
    return Lighting(
        _mix(a.ambient_brightness, b.ambient_brightness, f),
        _mix_rgb(a.ambient_color, b.ambient_color, f),
        sun_vector(
            _mix(a.directional_heading, b.directional_heading, f),
            _mix(a.directional_pitch, b.directional_pitch, f),
            _mix(a.directional_brightness, b.directional_brightness, f),
        ),
        _mix_rgb(a.directional_color, b.directional_color, f),
    )


def world_fog(group: DayGroup | None, t: float) -> Fog | None:
    """The fog at a time of day; None where one of the rows has none. Retail: @0x00500CE0."""
    if group is None or not group.times:
        return None
    a, b, f = _rows(group, t)
    if a.fog_mode == 0 or b.fog_mode == 0:
        return None
    return Fog(
        _mix(a.fog_near, b.fog_near, f),
        _mix(a.fog_far, b.fog_far, f),
        _mix_rgb(a.fog_color, b.fog_color, f),
    )


class SkyObjectState(Struct, frozen=True, eq=False):
    """One sky object at a time of day.

    model_id : 0 when it is not there ; frame : (7,) float32 rotation, at the origin
    luminosity, diffuse, translucency : 0..1, None where nothing sets them (1 of the last: unseen)
    """

    index: int
    model_id: int
    frame: F32
    luminosity: float | None
    diffuse: float | None
    translucency: float | None
    properties: int
    texture_velocity: tuple[float, float]

    @property
    def is_after(self) -> bool:
        """Drawn in the second pass, after the land."""
        return bool(self.properties & AFTER_LAND)

    @property
    def is_weather(self) -> bool:
        """Left out when weather is off; follows the camera."""
        return bool(self.properties & WEATHER)


def sky_objects(group: DayGroup | None, t: float) -> list[SkyObjectState]:
    """All sky objects of a group at a time of day. Retail: SkyDesc::GetSky @0x00501EC0."""
    if group is None:
        return []
    replacements: dict[int, SkyReplacement] = {}
    next_replacements: dict[int, SkyReplacement] = {}
    f = 0.0
    if group.times:
        row, following, f = _rows(group, t)
        replacements = {entry.object_index: entry for entry in row.replacements}
        next_replacements = {entry.object_index: entry for entry in following.replacements}
    states = []
    for index, entry in enumerate(group.objects):
        visible = entry.begin_time == entry.end_time or entry.begin_time < t < entry.end_time
        model_id = entry.model_id if visible else 0
        rotation = entry.begin_angle
        if entry.begin_angle != entry.end_angle and entry.begin_time != entry.end_time:
            share = (t - entry.begin_time) / (entry.end_time - entry.begin_time)
            rotation = _mix(entry.begin_angle, entry.end_angle, share)
        heading = 0.0
        luminosity = bright = transparent = -1.0
        mine, later = replacements.get(index), next_replacements.get(index)
        if mine is not None:
            model_id = mine.model_id or model_id
            heading = mine.rotate
            if mine.luminosity > 0:
                luminosity = mine.luminosity
                if later is not None and later.luminosity > 0:
                    luminosity = _mix(luminosity, later.luminosity, f)
            if mine.max_bright > 0:
                bright = mine.max_bright
                if later is not None and later.max_bright > 0:
                    bright = _mix(bright, later.max_bright, f)
            if mine.transparent >= 0:
                transparent = mine.transparent
                if later is not None and later.transparent >= 0:
                    transparent = _mix(transparent, later.transparent, f)
        frame = identity()
        if heading != 0:
            set_heading(frame, heading)
        if rotation != 0:
            rotate_about_global_axis(frame, 0.0, 1.0, 0.0, -rotation * RAD_PER_DEG)
        states.append(
            SkyObjectState(
                index,
                model_id,
                frame,
                luminosity * 0.01 if luminosity >= 0 else None,
                bright * 0.01 if bright >= 0 else None,
                transparent * 0.01 if transparent >= 0 else None,
                entry.properties,
                (entry.texture_velocity_u, entry.texture_velocity_v),
            )
        )
    return states


def advance_texture(total: float, velocity: float, seconds: float) -> float:
    """The running shift of a sky mesh's texture after some seconds."""
    step = seconds * velocity
    if total >= 1.0:
        step -= 1.0
    return total + step

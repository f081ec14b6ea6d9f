"""The Region's game time and sky."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer


class TimeOfDay(Struct, frozen=True):
    """A named part of the day."""

    start: float  # fraction of the day
    is_night: int
    name: str

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.f32(), cursor.u32(), cursor.str_())

    def pack(self, out: Packer) -> None:
        out.f32(self.start)
        out.u32(self.is_night)
        out.str_(self.name)


class Season(Struct, frozen=True):
    """A named part of the year."""

    start_day: int
    name: str

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.str_())

    def pack(self, out: Packer) -> None:
        out.u32(self.start_day)
        out.str_(self.name)


class GameTime(Struct, frozen=True):
    """How time runs in the region."""

    zero_time_of_year: float
    zero_year: int
    day_length: float  # seconds
    days_per_year: int
    year_spec: str
    times_of_day: tuple[TimeOfDay, ...]
    days_of_week: tuple[str, ...]
    seasons: tuple[Season, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.f64(),
            cursor.u32(),
            cursor.f32(),
            cursor.u32(),
            cursor.str_(),
            cursor.many(TimeOfDay.unpack, 12),
            cursor.many(Cursor.str_, 4),
            cursor.many(Season.unpack, 8),
        )

    def pack(self, out: Packer) -> None:
        out.f64(self.zero_time_of_year)
        out.u32(self.zero_year)
        out.f32(self.day_length)
        out.u32(self.days_per_year)
        out.str_(self.year_spec)
        out.many(self.times_of_day, TimeOfDay.pack)
        out.u32(len(self.days_of_week))
        for name in self.days_of_week:
            out.str_(name)
        out.many(self.seasons, Season.pack)


class SkyObject(Struct, frozen=True):
    """Something in the sky; begin equal to end time is always visible."""

    begin_time: float  # fraction of the day
    end_time: float
    begin_angle: float  # degrees
    end_angle: float
    texture_velocity_u: float
    texture_velocity_v: float
    model_id: int  # GfxObj or Setup
    effect_id: int  # PhysicsScript; never used by the client
    properties: int  # 1 after the land, 2 hidden under override fog, 4 weather, 8 keep height

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        floats, words = cursor.f32s(6), cursor.u32s(3)
        begin_time, end_time, begin_angle, end_angle, u, v = floats
        return cls(begin_time, end_time, begin_angle, end_angle, u, v, *words)

    def pack(self, out: Packer) -> None:
        out.f32s(
            (
                self.begin_time,
                self.end_time,
                self.begin_angle,
                self.end_angle,
                self.texture_velocity_u,
                self.texture_velocity_v,
            )
        )
        out.u32s((self.model_id, self.effect_id, self.properties))


class SkyReplacement(Struct, frozen=True):
    """What becomes of one sky object from a time on; the values are percentages."""

    object_index: int
    model_id: int  # 0: keep
    rotate: float
    transparent: float
    luminosity: float
    max_bright: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.u32(), cursor.u32(), *cursor.f32s(4))

    def pack(self, out: Packer) -> None:
        out.u32(self.object_index)
        out.u32(self.model_id)
        out.f32s((self.rotate, self.transparent, self.luminosity, self.max_bright))


class SkyTime(Struct, frozen=True):
    """Light and fog from a time of the day on. Colours are 0xAARRGGBB."""

    begin: float  # fraction of the day
    directional_brightness: float
    directional_heading: float  # degrees
    directional_pitch: float
    directional_color: int
    ambient_brightness: float
    ambient_color: int
    fog_near: float
    fog_far: float
    fog_color: int
    fog_mode: int
    replacements: tuple[SkyReplacement, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        begin, brightness, heading, pitch = cursor.f32s(4)
        color, ambient, ambient_color = cursor.u32(), cursor.f32(), cursor.u32()
        near, far = cursor.f32s(2)
        fog_color, fog_mode = cursor.u32s(2)
        cursor.align4()
        return cls(
            begin,
            brightness,
            heading,
            pitch,
            color,
            ambient,
            ambient_color,
            near,
            far,
            fog_color,
            fog_mode,
            cursor.many(SkyReplacement.unpack, 24),
        )

    def pack(self, out: Packer) -> None:
        out.f32s(
            (
                self.begin,
                self.directional_brightness,
                self.directional_heading,
                self.directional_pitch,
            )
        )
        out.u32(self.directional_color)
        out.f32(self.ambient_brightness)
        out.u32(self.ambient_color)
        out.f32s((self.fog_near, self.fog_far))
        out.u32(self.fog_color)
        out.u32(self.fog_mode)
        out.align4()
        out.many(self.replacements, SkyReplacement.pack)


class DayGroup(Struct, frozen=True):
    """One kind of day. The choice pays no regard to `chance`."""

    chance: float
    name: str
    objects: tuple[SkyObject, ...]
    times: tuple[SkyTime, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.f32(),
            cursor.str_(),
            cursor.many(SkyObject.unpack, 36),
            cursor.many(SkyTime.unpack, 48),
        )

    def pack(self, out: Packer) -> None:
        out.f32(self.chance)
        out.str_(self.name)
        out.many(self.objects, SkyObject.pack)
        out.many(self.times, SkyTime.pack)


class SkyDesc(Struct, frozen=True):
    """The sky: how often it is looked at, and the kinds of days."""

    tick_size: float
    light_tick_size: float
    day_groups: tuple[DayGroup, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        tick_size, light_tick_size = cursor.f64(), cursor.f64()
        cursor.align4()
        return cls(tick_size, light_tick_size, cursor.many(DayGroup.unpack, 16))

    def pack(self, out: Packer) -> None:
        out.f64(self.tick_size)
        out.f64(self.light_tick_size)
        out.align4()
        out.many(self.day_groups, DayGroup.pack)

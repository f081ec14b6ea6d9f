"""The region record: heights, game time, sky, scenes, terrain types and the masks that blend them.

Game time and calendar are retail's constants. The terrain types come from the tables `ground.*`
by their retail names; what the recipe does not define stands in the base library.
"""

# contract: T8

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.bake.book import Book
from acclient_py.bake.noise import F64
from acclient_py.bake.pictures import corner_mask, road_mask
from acclient_py.bake.schema import region as r
from acclient_py.bake.schema.places import Scene
from acclient_py.bake.terrain import ROAD_NAME, TERRAIN_NAMES, check_range, terrain_type
from acclient_py.bake.textures import argb, put_picture
from acclient_py.bake.vec import f32
from acclient_py.core.frame import Frame
from acclient_py.core.trig import RAD_PER_DEG, cos
from acclient_py.dat.records import region as record
from acclient_py.dat.records.region_sky import (
    DayGroup,
    GameTime,
    Season,
    SkyDesc,
    SkyObject,
    SkyReplacement,
    SkyTime,
    TimeOfDay,
)
from acclient_py.dat.records.region_terrain import (
    NO_SOUND,
    ROAD_TERRAIN,
    SceneType,
    TerrainTexture,
    TerrainType,
    TextureMerge,
)
from acclient_py.dat.records.scene import Scene as SceneRecord
from acclient_py.dat.records.scene import SceneObject
from acclient_py.errors import DataError

REGION_ID: Final = 0x13000000
HEIGHT_LIMIT: Final = 800.0
PARTS: Final = record.RegionParts(0x21F)
CORNER_MASKS: Final = 4
HOURS: Final = (
    *("Darktide", "Foredawn", "Dawnsong", "Morntide", "Midsong", "Warmtide", "Evensong"),
    "Gloaming",
)
DAYLIGHT: Final = range(4, 12)
MONTHS: Final = (
    *("Morningthaw", "Solclaim", "Seedsow", "Leafdawning", "Verdantine", "Thistledown"),
    *("Harvestgain", "Leafcull", "Frostfell", "Snowreap", "Coldeve", "Wintersebb"),
)
WEEKDAYS: Final = ("Firstday", "Secondday", "Thirdday", "Fourthday", "Fifthday", "Sixthday")


def region_table(book: Book) -> r.Region:
    """The region's own numbers."""
    found: r.Region | None = book.tables.single("region")
    return r.Region() if found is None else found


def height_table(region: r.Region) -> F64:
    """(256,) float64 heights, never falling, at most 800."""
    if isinstance(region.heights, list):
        if len(region.heights) != 256:
            raise DataError("a height table has 256 entries", where="region.heights")
        table = np.array(region.heights, dtype=np.float64)
    else:
        table = np.minimum(np.arange(256) * float(region.heights), HEIGHT_LIMIT)
    flat = table[-1] <= table[0]
    if flat or bool((np.diff(table) < 0).any()) or table[0] < 0.0 or table[-1] > HEIGHT_LIMIT:
        raise DataError("heights rise from 0 to 800 at most", where="region.heights")
    return table.astype(np.float32).astype(np.float64)


def make_region(book: Book) -> None:
    """The region record with everything it names."""
    region = region_table(book)
    for name in book.tables.recipe.ground:
        if name != ROAD_NAME:
            terrain_type(name, f"ground.{name}")
    if region.name != region.name.encode("cp1252", "replace").decode("cp1252"):
        raise DataError("a name has letters that the DAT files lack (cp1252)", where="region.name")
    scene_types: list[SceneType] = []
    terrain_types = tuple(_terrain_type(book, name, scene_types) for name in TERRAIN_NAMES)
    heights = height_table(region).astype(np.float32)
    result = record.Region(
        REGION_ID,
        1,
        region.name,
        record.LandDefs(255, 255, 24.0, 8, 1, 200.0, 1000.0, 5.0, heights),
        game_time(),
        int(PARTS),
        SkyDesc(region.tick, region.light_tick, _days(book)),
        (),
        tuple(scene_types),
        terrain_types,
        _texture_merge(book, region),
        record.RegionMisc(1, 0, 0, 4, 0, 0),
    )
    book.put(REGION_ID, result.write())


def game_time() -> GameTime:
    """Retail's calendar: 16 hours a day, 6 days a week, 12 months of 30 days."""
    hours = []
    for hour in range(16):
        name = HOURS[hour // 2] + ("-and-Half" if hour % 2 else "")
        hours.append(TimeOfDay(hour / 16.0, int(hour not in DAYLIGHT), name))
    months = tuple(Season(30 * k, name) for k, name in enumerate(MONTHS))
    return GameTime(3600.0, 10, 7620.0, 360, "P.Y.", tuple(hours), WEEKDAYS, months)


def ground(book: Book, name: str) -> r.TerrainKind:
    """The table of a terrain type."""
    found: r.TerrainKind | None = book.tables.find("ground", name)
    if found is None:
        raise book.tables.unknown("ground", name, "region")
    return found


def _terrain_type(book: Book, name: str, scene_types: list[SceneType]) -> TerrainType:
    kind = ground(book, name)
    indices = []
    for slot in kind.slots:
        scenes = tuple(book.id_of("scene", scene, f"ground.{name}") for scene in slot)
        entry = SceneType(NO_SOUND, scenes)
        if entry not in scene_types:
            scene_types.append(entry)
        indices.append(scene_types.index(entry))
    color = argb(kind.color or "#6F7F4F")
    return TerrainType(name, color, tuple(indices))


def _texture_merge(book: Book, region: r.Region) -> TextureMerge:
    size = region.mask_size
    corners, sides, roads = [], [], []
    for k in range(CORNER_MASKS):
        number = book.fresh("texture")
        put_picture(book, number, corner_mask(size, 8, k))
        corners.append((8, number))
    number = book.fresh("texture")
    put_picture(book, number, corner_mask(size, 9))
    sides.append((9, number))
    for code in (9, 10, 8):
        number = book.fresh("texture")
        put_picture(book, number, road_mask(size, code))
        roads.append((code, number))
    textures = []
    details = {1: region.building_detail, 2: region.cell_detail}
    for index, name in enumerate((*TERRAIN_NAMES, ROAD_NAME)):
        kind = ground(book, name)
        texture = book.id_of("texture", kind.texture, f"ground.{name}")
        number = ROAD_TERRAIN if name == ROAD_NAME else index
        detail = details.get(index)
        over = (region.detail_tiling, book.id_of("texture", detail, "region")) if detail else (0, 0)
        textures.append(TerrainTexture(number, texture, kind.tiling, 0, 0, 0, 0, 0, 0, *over))
    return TextureMerge(
        region.base_texture, tuple(corners), tuple(sides), tuple(roads), tuple(textures)
    )


def _days(book: Book) -> tuple[DayGroup, ...]:
    names = list(book.tables.recipe.day) or list(book.tables.base.day)
    groups = []
    for name in names:
        day: r.DayKind | None = book.tables.find("day", name)
        assert day is not None, "the name comes from the tables"
        label = f"day.{name}"
        for place, thing in enumerate(day.things):
            check_range(thing.time, f"{label}.things[{place}].time")
        for place, hour in enumerate(day.hours):
            check_range(hour.fog, f"{label}.hours[{place}].fog")
        things = tuple(_sky_object(book, thing, label) for thing in day.things)
        times = [hour.time for hour in day.hours]
        if not times or times[0] != 0.0 or times != sorted(times):
            raise DataError("hours begin at 0 and go forward", where=label)
        hours = tuple(_sky_time(book, hour, label, len(things)) for hour in day.hours)
        groups.append(DayGroup(f32(day.chance), day.name, things, hours))
    return tuple(groups)


def _sky_object(book: Book, thing: r.SkyThing, label: str) -> SkyObject:
    properties = int(thing.after) | 4 * int(thing.weather) | 8 * int(thing.keep_height)
    return SkyObject(
        f32(thing.time[0]),
        f32(thing.time[1]),
        f32(thing.angle[0]),
        f32(thing.angle[1]),
        f32(thing.drift[0]),
        f32(thing.drift[1]),
        book.id_of("mesh", thing.mesh, label),
        0,
        properties,
    )


def _sky_time(book: Book, hour: r.SkyHour, label: str, count: int) -> SkyTime:
    changes = []
    for change in hour.changes:
        if not 0 <= change.thing < count:
            raise DataError(f"thing {change.thing} of {count}", where=label)
        model = book.id_of("mesh", change.mesh, label) if change.mesh else 0
        changes.append(
            SkyReplacement(
                change.thing,
                model,
                f32(change.rotate),
                f32(change.transparent),
                f32(change.luminosity),
                f32(change.bright),
            )
        )
    return SkyTime(
        f32(hour.time),
        f32(hour.sun),
        f32(hour.heading),
        f32(hour.pitch),
        argb(hour.color),
        f32(hour.ambient),
        argb(hour.ambient_color),
        f32(hour.fog[0]),
        f32(hour.fog[1]),
        argb(hour.fog_color),
        int(hour.fog_on),
        tuple(changes),
    )


def make_scene(book: Book, name: str) -> None:
    """The scene record of a table `scene.NAME`."""
    number = book.ids[("scene", name)]
    scene: Scene = book.tables.need("scene", name)
    objects = []
    for place, item in enumerate(scene.objects):
        label = f"scene '{name}' objects[{place}]"
        if not 0.0 < item.scale[0] <= item.scale[1]:
            raise DataError("scale = [least, most], more than 0", where=label)
        check_range(item.slope, f"{label}.slope")
        # The least slope in degrees is the greatest cosine, and the other way round.
        low = cos(min(item.slope[1], 90.0) * RAD_PER_DEG) if item.slope[1] < 90.0 else 0.0
        high = cos(item.slope[0] * RAD_PER_DEG)
        objects.append(
            SceneObject(
                book.model_id(item.model, f"scene '{name}'"),
                Frame((f32(item.at[0]), f32(item.at[1]), 0.0)),
                f32(item.frequency),
                f32(item.spread[0]),
                f32(item.spread[1]),
                f32(item.scale[0]),
                f32(item.scale[1]),
                f32(item.turn),
                f32(low),
                f32(high),
                int(item.align),
                0,
                0,
            )
        )
    book.put(number, SceneRecord(number, tuple(objects)).write())

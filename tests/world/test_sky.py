"""Calendar, day groups, brackets, sun, fog and sky objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import records as made
from msgspec.structs import replace

from acclient_py.core.frame import get_heading
from acclient_py.dat import records as rec
from acclient_py.world import sky

DATA = Path(__file__).parents[1] / "data"
TIME: dict[str, Any] = json.loads((DATA / "landscape_vectors.json").read_text())["time"]
DATS: dict[str, Any] = json.loads((DATA / "dat_vectors.json").read_text())
MONTHS = (
    "Morningthaw", "Solclaim", "Seedsow", "Leafdawning", "Verdantine", "Thistledown",
    "Harvestgain", "Leafcull", "Frostfell", "Snowreap", "Coldeve", "Wintersebb",
)  # fmt: skip


def game_time() -> rec.GameTime:
    seasons = tuple([rec.Season(30 * i, name) for i, name in enumerate(MONTHS)])
    return replace(made.region().time, seasons=seasons)


def row(begin: float, **changes: Any) -> rec.SkyTime:
    base = rec.SkyTime(begin, 1.0, 90.0, 45.0, 0xFF000000, 0.2, 0xFF000000, 10, 100, 0, 1, ())
    return replace(base, **changes)


def test_calendar() -> None:
    for case in TIME["calendar"]:
        when = sky.calendar(case["ticks"])
        assert (when.year, when.day, when.hour) == (
            case["year"], case["day_of_year0"], case["hour_index"],
        ), case  # fmt: skip
        assert when.fraction == pytest.approx(case["fraction"], abs=1e-6)
        assert when.hour_name == case["hour"]
        assert when.is_day is case["daytime"]
        month = f"{case['month_30day']} {case['day_in_month1']}, {case['year']} P.Y."
        assert sky.date_text(when, game_time()) == month


def test_public_anchors() -> None:
    for ticks, text in TIME["public"]["anchors"]:
        when = sky.calendar_of(ticks, game_time())
        assert f"{sky.date_text(when, game_time())}, {when.hour_name}" == text


def test_day_groups() -> None:
    for case in TIME["day_group"]:
        assert sky.day_group_hash(case["year"], case["day"]) == int(case["raw"], 16)
        assert sky.day_group_index(case["year"], case["day"], 20) == case["index_of_20"]
        assert sky.day_group_index(case["year"], case["day"], 3) == case["index_of_3"]
    for item in DATS["vectors"]:
        if item["kind"] == "day_group":
            for case in item["value"]:
                found = sky.day_group_hash(case["year"], case["day"], case["days_per_year"])
                assert found == case["word"]


def test_brackets() -> None:
    for case in TIME["bracket"]:
        a, b, f = sky.bracket(case["begins"], case["t"])
        assert (a, b) == (case["from"], case["to"]), case
        assert f == pytest.approx(case["factor"], abs=1e-6), case


def test_sun_vectors() -> None:
    for case in TIME["sun"]:
        found = sky.sun_vector(case["heading"], case["pitch"], case["bright"])
        assert found == pytest.approx(case["vector"], abs=1e-6), case


def test_light_is_mixed_linearly_and_colours_truncated() -> None:
    group = rec.DayGroup(
        1.0,
        "x",
        (),
        (
            row(0.0, directional_heading=350.0, ambient_color=0xFF000003),
            row(0.5, directional_heading=10.0, ambient_color=0xFF000A08, ambient_brightness=0.6),
        ),
    )
    light = sky.lighting(group, 0.25)
    assert light.ambient_level == pytest.approx(0.4)
    assert light.ambient_rgb == (0, 5, 5)  # 5.5 is cut
    # heading 180: no shortest arc
    assert light.sun_vector == pytest.approx(sky.sun_vector(180.0, 45.0, 1.0), abs=1e-6)


def test_without_a_group_there_is_a_default_light_and_no_fog() -> None:
    assert sky.lighting(None, 0.3).ambient_level == 0.3
    assert sky.world_fog(None, 0.3) is None
    assert sky.sky_objects(None, 0.3) == []


def test_fog_needs_both_rows() -> None:
    both = rec.DayGroup(1.0, "x", (), (row(0.0), row(0.5, fog_near=20, fog_far=300)))
    assert sky.world_fog(both, 0.25) == sky.Fog(15.0, 200.0, (0, 0, 0))
    one = rec.DayGroup(1.0, "x", (), (row(0.0), row(0.5, fog_mode=0)))
    assert sky.world_fog(one, 0.25) is None


def sky_object(begin: float, end: float, angles: tuple[float, float], bits: int = 0) -> Any:
    return rec.SkyObject(begin, end, *angles, 0.5, 0.0, 0x01000001, 0, bits)


def test_sky_objects_come_and_go_turn_and_are_replaced() -> None:
    objects = (
        sky_object(0.2, 0.4, (0.0, 90.0)),
        sky_object(0.0, 0.0, (30.0, 30.0), bits=5),
        sky_object(0.5, 0.6, (0.0, 0.0)),
    )
    first = rec.SkyReplacement(2, 0x01000009, 90.0, 20.0, 50.0, 0.0)
    second = rec.SkyReplacement(2, 0, 0.0, 40.0, 100.0, 80.0)
    group = rec.DayGroup(
        1.0, "x", objects, (row(0.0, replacements=(first,)), row(0.6, replacements=(second,)))
    )
    at = sky.sky_objects(group, 0.3)
    assert [state.model_id for state in at] == [0x01000001, 0x01000001, 0x01000009]
    # half of 90 degrees about the global y axis, negative
    assert at[0].frame[3:] == pytest.approx((0.92388, 0, -0.38268, 0), abs=1e-4)
    assert at[1].is_after
    assert at[1].is_weather
    assert at[2].luminosity == pytest.approx(0.75)
    assert at[2].translucency == pytest.approx(0.3)
    assert at[2].diffuse is None
    assert get_heading(at[2].frame) == pytest.approx(90.0, abs=1e-3)
    assert sky.sky_objects(group, 0.2)[0].model_id == 0  # the window is open, not closed
    assert sky.sky_objects(group, 0.7)[2].model_id == 0  # its replacement brings no mesh
    keeps = rec.SkyReplacement(1, 0, 0.0, 20.0, 0.0, 0.0)
    group = rec.DayGroup(1.0, "x", objects, (row(0.0, replacements=(keeps,)),))
    assert sky.sky_objects(group, 0.3)[1].model_id == 0x01000001


def test_texture_shift_wraps() -> None:
    total = 0.0
    for _ in range(100):
        total = sky.advance_texture(total, 0.5, 0.1)
        assert 0.0 <= total < 1.1
    assert np.isfinite(total)

"""Light, fog and sky of a moment, from the region's day group.

The sky's objects are centred on the eye (register D10), turned as `world/sky.py` says; weather
that does not keep the eye's height hangs 120 m below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from acclient_py.core import F32, I32
from acclient_py.core.frame import combine, to_matrix
from acclient_py.order.painter import SkyObjects, SkyPasses
from acclient_py.world import sky
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel

SKY_REGIME: Final = 3.0  # as in world.vert
MAX_SKY_PARTS: Final = 64


class Atmosphere(Struct, frozen=True, eq=False):
    """What a moment's light, fog and sky are. fog : None for none"""

    lighting: sky.Lighting
    fog: sky.Fog | None
    objects: tuple[sky.SkyObjectState, ...] = ()


def atmosphere(region: RegionModel, fraction: float, group: int = 0) -> Atmosphere:
    """The atmosphere at a fraction of the day under one of the region's day groups."""
    record = region.record.sky
    groups = record.day_groups if record is not None else ()
    if not groups:
        return Atmosphere(sky.default_lighting(), sky.DEFAULT_FOG)
    day = groups[group % len(groups)]
    return Atmosphere(
        sky.lighting(day, fraction),
        sky.world_fog(day, fraction),
        tuple(sky.sky_objects(day, fraction)),
    )


class SkyDome:
    """Makes the sky's two passes for an eye. Keeps its arrays; owns no GPU object."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._key: tuple[object, ...] = ()
        self._passes = SkyPasses(_empty(), _empty())

    def passes(
        self, now: Atmosphere, eye: F32, *, weather: bool = True, player_outside: bool = True
    ) -> SkyPasses:
        """Objects before the blocks and after them; nothing after them for a player indoors."""
        key = (id(now), weather, player_outside)
        if key != self._key:
            self._key = key
            self._fill(self._passes.before, now, weather, False)
            self._fill(self._passes.after, now, weather and player_outside, True)
        for objects in (self._passes.before, self._passes.after):
            rows = objects.rows[: objects.count]
            rows[:, (3, 7, 11)] = objects.offsets[: objects.count] + eye
        return self._passes

    def drift(
        self, now: Atmosphere, seconds: float, others: Mapping[int, tuple[float, float, float]]
    ) -> Iterator[tuple[int, float, float]]:
        """(model row, u, v) of pictures that move: how far they have drifted by now.

        others : those that are not the sky's, as PhysicsWorld.moving_pictures

        Retail adds a step a tick and takes 1 away beyond 1; here it is the fraction of the whole.
        """
        # divergence: D23
        for state in now.objects:
            u, v = state.texture_velocity
            if state.model_id and (u != 0.0 or v != 0.0):
                shift = u * seconds % 1.0, v * seconds % 1.0
                for gfx in self._models.setup(state.model_id).part_gfx.tolist():
                    yield gfx, *shift
        for gfx, (u, v, since) in others.items():
            yield gfx, u * (seconds - since) % 1.0, v * (seconds - since) % 1.0

    def _fill(self, out: SkyObjects, now: Atmosphere, weather: bool, after: bool) -> None:
        n = 0
        for state in now.objects:
            if not state.model_id or state.is_after != after or state.translucency == 1.0:
                continue
            if (state.is_weather and not weather) or (after and not weather):
                continue
            sinks = state.is_weather and not state.properties & sky.KEEPS_HEIGHT
            setup = self._models.setup(state.model_id)
            pose = setup.placement(0)
            for part, gfx in enumerate(setup.part_gfx.tolist()):
                if n == MAX_SKY_PARTS:
                    break
                frame = state.frame.copy()
                if pose is not None and part < len(pose):
                    combine(state.frame, pose[part], 1.0, 1.0, 1.0, frame)
                matrix = np.zeros((4, 4), np.float32)
                to_matrix(frame, matrix)
                scaled = matrix[:3, :3] * setup.part_scale[part][:, None]
                out.gfx[n] = gfx
                out.rows[n, 0:3], out.rows[n, 4:7], out.rows[n, 8:11] = scaled.T
                out.offsets[n] = matrix[3, :3]
                if sinks:
                    out.offsets[n, 2] += sky.WEATHER_Z
                out.rows[n, 12] = 1.0 - (state.translucency or 0.0)
                out.rows[n, 13] = -1.0 if state.luminosity is None else state.luminosity
                out.rows[n, 14] = -1.0 if state.diffuse is None else state.diffuse
                out.rows[n, 15] = SKY_REGIME
                n += 1
        out.count = n


def _empty() -> SkyObjects:
    gfx: I32 = np.full(MAX_SKY_PARTS, -1, np.int32)
    return SkyObjects(
        gfx,
        np.zeros((MAX_SKY_PARTS, 16), np.float32),
        np.zeros((MAX_SKY_PARTS, 3), np.float32),
        0,
    )

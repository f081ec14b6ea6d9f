"""Scenes: the rules of scenery, read when a vertex first asks for them, as rows for a kernel."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from acclient_py.core import I64, Bool, Struct
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records.scene import Scene, SceneObject
from acclient_py.errors import DataError
from acclient_py.log import warn_once
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel
from acclient_py.world.scenery import (
    DONE,
    GROWN_DTYPE,
    RULE_DTYPE,
    SCENE_DTYPE,
    WANTS_SCENE,
    get_land_scenes,
)

log = logging.getLogger(__name__)

_AS_THEY_ARE: Final = (
    "object_id", "weenie_object", "frequency", "displace_x", "displace_y", "min_scale",
    "max_scale", "max_rotation", "min_slope", "max_slope", "align",
)  # fmt: skip


class Scenes:
    """The scenes of a region. What a block grows does not depend on what was asked before."""

    def __init__(self, region: RegionModel, dats: DatSet, models: Models) -> None:
        self._dats = dats
        self._models = models
        self._slots = np.zeros((32 * 32, 2), np.int32)
        listed: list[int] = []
        rows: dict[int, int] = {0: -1}
        for at in range(32 * 32):
            scenes = region.scenes(at >> 5, at & 31)
            self._slots[at] = len(listed), len(scenes)
            for scene_id in scenes:
                listed.append(rows.setdefault(scene_id, len(rows) - 1))
        self._listed = np.array(listed, np.int32)
        self._ids = list(rows)[1:]
        self._scenes: Struct = np.full(len(self._ids), -1, SCENE_DTYPE)
        self._rules: Struct = np.zeros(0, RULE_DTYPE)
        self._room: Struct = np.zeros(0, GROWN_DTYPE)
        self._at: I64 = np.zeros(4, np.int64)

    def grow(self, landblock: Landblock, owned: Bool) -> Struct:
        """(n,) GROWN_DTYPE: what grows on a block in full detail, in order of insertion.

        owned : (64,) land cells that own a building
        """
        at = self._at
        at[:] = 0
        while True:
            asked = get_land_scenes(
                landblock.terrain, landblock.swne, landblock.planes, owned,
                landblock.x, landblock.y, self._slots, self._listed, self._scenes, self._rules,
                at, self._room,
            )  # fmt: skip
            if asked == DONE:
                return self._room[: at[2]].copy()
            if asked == WANTS_SCENE:
                self._read(int(at[3]))
            else:
                rule = self._rules[at[3]]
                rule["sphere"] = self._models.setup(int(rule["object_id"])).sorting_sphere
                rule["known"] = 1

    def _read(self, row: int) -> None:
        """The rules of a scene, none where its record cannot be read."""
        objects: tuple[SceneObject, ...] = ()
        scene_id = self._ids[row]
        try:
            scene = self._dats.record(scene_id)
            assert isinstance(scene, Scene), "ids of type 0x12 are scenes"
            objects = scene.objects
        except DataError as error:
            warn_once(
                ("record", scene_id), "no scenery of %s: %s", hex8(scene_id), error, logger=log
            )
        self._scenes[row] = len(self._rules), len(objects)
        rules: Struct = np.zeros(len(objects), RULE_DTYPE)
        for rule, entry in zip(rules, objects, strict=True):
            rule["base_frame"] = entry.base_frame.array()
            for name in _AS_THEY_ARE:
                rule[name] = getattr(entry, name)
        self._rules = np.concatenate((self._rules, rules))
        if len(self._room) < 81 * len(objects):
            more: Struct = np.zeros(81 * len(objects), GROWN_DTYPE)
            more[: len(self._room)] = self._room
            self._room = more

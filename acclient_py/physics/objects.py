"""Making objects: a part array from a Setup, its shape, poses and lights (spec 6.1, 6.2)."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from acclient_py.core import F32
from acclient_py.core.ids import hex8
from acclient_py.errors import DataError
from acclient_py.log import warn_once
from acclient_py.physics.graph import Graph
from acclient_py.physics.layout import PART_ALWAYS_2D
from acclient_py.physics.state import DEFAULT_STATE, PhysicsState
from acclient_py.world.models import Models, SetupModel
from acclient_py.world.pools import ALWAYS_2D

log = logging.getLogger(__name__)

RESTING: Final = 0x65
"""The placement that a new object starts with."""

SETUP_TYPE: Final = 0x02000000


class Objects:
    """Rows of objects with part arrays, made from setups; shapes and placement poses are shared."""

    def __init__(self, graph: Graph, models: Models) -> None:
        self.graph = graph
        self.models = models
        self.seen: list[SetupModel | None] = [None]
        """Every setup that an object was made of: what the field `setup` of a row points into."""
        self._seen_at: dict[int, int] = {}
        self._shapes: dict[int, int] = {}
        self._emitter_shapes: dict[float, int] = {}
        self._placements: dict[tuple[int, int], tuple[int, int]] = {}
        self._animations: dict[int, tuple[int, int]] = {}
        self._own_pose: dict[int, tuple[int, int]] = {}
        self._anims: set[int] = set()

    def make(self, did: int, *, is_static: bool, scale: float) -> int:
        """A new object; without a part array when the id is 0 or its setup has no parts."""
        graph = self.graph
        obj = graph.new_object()
        state = DEFAULT_STATE | (PhysicsState.STATIC if is_static else PhysicsState(0))
        setup = None
        if did:
            if did >> 24 == 0:
                did |= SETUP_TYPE
                state |= PhysicsState.ETHEREAL | PhysicsState.IGNORE_COLLISIONS
            setup = self.models.setup(did)
            graph.set_gfx(self.models.gfx_rows)
        if setup is not None and setup.part_count:
            self._make_parts(obj, setup, scale)
            if setup.has_physics_bsp:
                state |= PhysicsState.HAS_PHYSICS_BSP
            if is_static and setup.default_animation:
                state |= PhysicsState.HAS_DEFAULT_ANIM
            if is_static and setup.default_script:
                state |= PhysicsState.HAS_DEFAULT_SCRIPT
        row = graph.arrays.objects[obj]
        row["state"] = int(state)
        row["scale"] = scale
        if setup is not None and setup.part_count:
            self.sync_lights(obj)
            if setup.default_animation:
                self._start_animation(obj, setup.default_animation)
            self.set_placement(obj, RESTING)
        return obj

    def _make_parts(self, obj: int, setup: SetupModel, scale: float) -> None:
        graph = self.graph
        count = setup.part_count
        first = graph.take("parts", count)
        parts = graph.arrays.parts[first : first + count]
        parts["gfx"] = setup.part_gfx
        parts["object"] = obj
        parts["frame"] = (0, 0, 0, 1, 0, 0, 0)
        parts["scale"] = setup.part_scale * np.float32(scale)
        flags = graph.arrays.gfx["flags"][np.maximum(setup.part_gfx, 0)]
        parts["flags"] = np.where(flags & ALWAYS_2D != 0, PART_ALWAYS_2D, 0)
        parts["translucency"] = parts["look"] = 0
        row = graph.arrays.objects[obj]
        row["has_part_array"] = 1
        row["part_first"] = first
        row["part_count"] = count
        row["shape"] = self._shape(setup)
        row["setup"] = self._seen(setup)

    def setup_of(self, obj: int) -> SetupModel | None:
        """The setup of an object's part array; None without one."""
        return self.seen[int(self.graph.arrays.objects["setup"][obj])]

    def _seen(self, setup: SetupModel) -> int:
        at = self._seen_at.get(setup.id)
        if at is None or self.seen[at] is not setup:
            at = self._seen_at[setup.id] = len(self.seen)
            self.seen.append(setup)
        return at

    def make_emitter(self, count: int, radius: float) -> int:
        """An emitter's own object: null parts, one a particle, and nothing to collide with.

        Retail: CPhysicsObj::makeParticleObject.
        """
        graph = self.graph
        obj = graph.new_object()
        first = graph.take("parts", count)
        parts = graph.arrays.parts[first : first + count]
        parts["gfx"] = -1
        parts["object"] = obj
        parts["frame"] = (0, 0, 0, 1, 0, 0, 0)
        parts["scale"] = 1.0
        shape = self._emitter_shapes.get(radius)
        if shape is None:
            shape = self._emitter_shapes[radius] = graph.take("shapes")
            graph.arrays.shapes[shape]["sorting"] = (0.0, 0.0, 0.0, radius)
        row = graph.arrays.objects[obj]
        row["has_part_array"] = 1
        row["part_first"], row["part_count"] = first, count
        row["shape"] = shape
        return obj

    def _shape(self, setup: SetupModel) -> int:
        shape = self._shapes.get(setup.id)
        if shape is not None:
            return shape
        graph = self.graph
        shape = self._shapes[setup.id] = graph.take("shapes")
        spheres = graph.take("spheres", len(setup.spheres))
        graph.arrays.spheres[spheres : spheres + len(setup.spheres)] = setup.spheres
        cylinders = graph.take("cylinders", len(setup.cylspheres))
        graph.arrays.cylinders[cylinders : cylinders + len(setup.cylspheres)] = setup.cylspheres
        row = graph.arrays.shapes[shape]
        row["sphere_first"], row["sphere_count"] = spheres, len(setup.spheres)
        row["cylinder_first"], row["cylinder_count"] = cylinders, len(setup.cylspheres)
        row["sorting"] = setup.sorting_sphere
        row["height"], row["radius"] = setup.height, setup.radius
        row["step_up"], row["step_down"] = setup.step_up, setup.step_down
        row["flags"] = 4 if setup.allow_free_heading else 0
        return shape

    def _rows(self, frames: F32) -> tuple[int, int]:
        first = self.graph.take("poses", len(frames))
        self.graph.arrays.poses[first : first + len(frames)] = frames
        return first, len(frames)

    def _point_at(self, obj: int, pose: tuple[int, int]) -> None:
        row = self.graph.arrays.objects[obj]
        row["pose_first"], row["pose_count"] = pose

    def _start_animation(self, obj: int, did: int) -> None:
        """The pose of a default animation: its frame 0, of static objects too."""
        pose = self._animations.get(did)
        if pose is None:
            try:
                frames = self.models.dats.record(did).frames
                pose = self._rows(np.asarray(frames[0].frames, np.float32)) if frames else (-1, 0)
            except (DataError, AttributeError) as error:
                warn_once(
                    ("record", did), "animation %s left out: %s", hex8(did), error, logger=log
                )
                pose = (-1, 0)
            self._animations[did] = pose
        if pose[0] >= 0:
            self._anims.add(obj)
            self._point_at(obj, pose)

    def animate(self, obj: int) -> None:
        """From now on the pose comes from an animation."""
        self._anims.add(obj)

    def has_anims(self, obj: int) -> bool:
        """Whether a pose comes from an animation, so that placements do not matter."""
        return obj in self._anims

    def set_placement(self, obj: int, key: int) -> bool:
        """Take a placement's pose (only seen while there is no animation); False without one.

        Retail: CPartArray::SetPlacementFrame @0x005193D0.
        """
        setup = self.setup_of(obj)
        if setup is None:
            return False
        frames = setup.placement(key)
        if obj in self._anims:
            return frames is not None
        if frames is None:
            self._point_at(obj, (-1, 0))
            return False
        at = key if key in setup.placements else 0
        pose = self._placements.get((setup.id, at))
        if pose is None:
            pose = self._placements[setup.id, at] = self._rows(frames)
        self._point_at(obj, pose)
        return True

    def own_pose(self, obj: int) -> tuple[int, int]:
        """(first, count) rows of `poses` that are this object's alone, one a part; made once."""
        pose = self._own_pose.get(obj)
        if pose is None:
            row = self.graph.arrays.objects[obj]
            frames = np.zeros((int(row["part_count"]), 7), np.float32)
            frames[:, 3] = 1.0
            first, count = int(row["pose_first"]), min(int(row["pose_count"]), len(frames))
            if first >= 0:
                frames[:count] = self.graph.arrays.poses[first : first + count]
            pose = self._own_pose[obj] = self._rows(frames)
        self._anims.add(obj)
        self._point_at(obj, pose)
        return pose

    def release_pose(self, obj: int) -> None:
        """No animation any more: the placement counts again."""
        self._anims.discard(obj)

    def set_part(self, obj: int, index: int, gfx: int) -> None:
        """Give a part another mesh, by row of the models' pool."""
        self.graph.set_gfx(self.models.gfx_rows)
        part = int(self.graph.arrays.objects["part_first"][obj]) + index
        row = self.graph.arrays.parts[part]
        row["gfx"] = gfx
        row["look"] = 0  # the look was of the model before
        always = gfx >= 0 and int(self.graph.arrays.gfx["flags"][gfx]) & ALWAYS_2D
        row["flags"] = (int(row["flags"]) & ~PART_ALWAYS_2D) | (PART_ALWAYS_2D if always else 0)

    def set_scale(self, obj: int, scale: float) -> None:
        """The object's scale, and that of its parts' meshes."""
        row = self.graph.arrays.objects[obj]
        row["scale"] = scale
        setup = self.setup_of(obj)
        if setup is not None:
            first = int(row["part_first"])
            parts = self.graph.arrays.parts[first : first + setup.part_count]
            parts["scale"] = setup.part_scale * np.float32(scale)

    def sync_lights(self, obj: int) -> None:
        """Lights exist while LIGHTING_ON is set; the caller has taken old ones out of cells."""
        graph = self.graph
        row = graph.arrays.objects[obj]
        setup = self.setup_of(obj)
        wanted = setup.lights if setup and row["state"] & PhysicsState.LIGHTING_ON else ()
        if len(wanted) == row["light_count"]:
            return
        graph.give("lights", int(row["light_first"]), int(row["light_count"]))
        first = graph.take("lights", len(wanted))
        row = graph.arrays.objects[obj]
        row["light_first"], row["light_count"] = first, len(wanted)
        for at, light in enumerate(wanted, first):
            made = graph.arrays.lights[at]
            made["object"] = obj
            made["cell"] = made["next"] = made["prev"] = -1
            made["offset"] = made["frame"] = light.frame.array()
            made["color"], made["intensity"] = light.color, light.intensity
            made["falloff"], made["cone"] = light.falloff, light.cone_angle

    def free(self, obj: int) -> None:
        """Give back the rows of an object that has left the world and all relations."""
        graph = self.graph
        row = graph.arrays.objects[obj]
        graph.give("parts", int(row["part_first"]), int(row["part_count"]))
        graph.give("lights", int(row["light_first"]), int(row["light_count"]))
        own = self._own_pose.pop(obj, None)
        if own is not None:
            graph.give("poses", *own)
        self._anims.discard(obj)
        row["setup"] = 0
        graph.free_object(obj)

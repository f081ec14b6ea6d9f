"""What a frame is of: the graph, the light of the hour, where the load window stands.

`scene_of` and `pose_of` read a running host without changing it; `WorldView` says what they read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from msgspec import Struct, field

from acclient_py.core import F32
from acclient_py.core.ids import get_block_offset, is_env_cell
from acclient_py.physics.layout import Arrays
from acclient_py.physics.world import PhysicsWorld
from acclient_py.render.atmosphere import Atmosphere, atmosphere
from acclient_py.view.camera import FollowCamera, Pose
from acclient_py.view.eye import SweptEye, outside_cell
from acclient_py.world.region import RegionModel

HEAD_HEIGHT: Final = 1.6  # metres above the origin, for a body whose setup says no height
VIEWS: Final = {
    # distance, pitch in radians
    "default": (5.0, -0.25),
    "first": (0.0, 0.0),
    "look-down": (7.0, -1.1),
    "map": (60.0, -1.45),
}


Late = tuple[int, F32]
"""A cell id, and a frame in that cell's block."""


class Scene(Struct, frozen=True):
    """What a frame is of: everything is read, nothing is kept.

    arrays        : the graph's, as its readers see them
    load_block    : block indices of the load point, None: the eye's
    radius        : blocks of the window around it
    detail_radius : rings in full detail ; air : light, fog and sky
    player        : row of the player's object, -1 none
    indoors       : the player is in an env cell
    sealed        : and that cell does not see the outside
    weather       : whether weather is drawn ; seconds : how long the world has run
    detail_surfaces : whether buildings and cells get the region's detail surfaces
    moving        : as PhysicsWorld.moving_pictures
    """

    arrays: Arrays
    load_block: tuple[int, int] | None
    air: Atmosphere
    radius: int = 8
    detail_radius: int = 1
    player: int = -1
    indoors: bool = False
    sealed: bool = False
    weather: bool = True
    seconds: float = 0.0
    detail_surfaces: bool = True
    moving: Mapping[int, tuple[float, float, float]] = field(default_factory=dict)


class WorldView(Protocol):
    """What a picture reads of a host."""

    physics: PhysicsWorld
    region: RegionModel
    look: Any  # day fraction, camera wish, whether there are detail surfaces
    residency: Any  # load point and detail radius

    @property
    def player(self) -> Any:
        """The local player's record with `.obj`, or None."""


class SceneMaker:
    """Makes scenes of a host. Keeps the hour's atmosphere, so that equal hours cost nothing."""

    def __init__(self, view: WorldView, *, radius: int = 8, day_group: int = 0) -> None:
        self._view = view
        self.eye = SweptEye(view.physics)
        self.reach = math.inf
        """Metres from the head to the eye of the last pose; infinite when it follows nobody."""
        self.radius = radius
        self.day_group = day_group
        self._hour: float | None = None
        self._air: Atmosphere | None = None

    def scene(self) -> Scene:
        """The scene as it stands now."""
        view = self._view
        arrays = view.physics.graph.views()
        day = float(view.look.day)
        if self._air is None or day != self._hour:
            self._hour = day
            self._air = atmosphere(view.region, day, self.day_group)
        player = -1 if view.player is None else int(view.player.obj)
        cell_id = view.physics.full_cell_id(player) if player >= 0 else 0
        indoors = is_env_cell(cell_id)
        sealed = False
        if indoors:
            slot = view.physics.cell_slot(cell_id)
            sealed = slot >= 0 and not arrays.cells["seen_outside"][slot]
        point = int(view.residency.point) or cell_id
        return Scene(
            arrays,
            (point >> 24 & 0xFF, point >> 16 & 0xFF) if point else None,
            self._air,
            radius=self.radius,
            detail_radius=int(view.residency.detail_radius),
            player=player,
            indoors=indoors,
            sealed=sealed,
            seconds=float(view.physics.clock),
            moving=MappingProxyType(view.physics.moving_pictures),
            detail_surfaces=bool(view.look.detail_surfaces),
        )

    @property
    def wish(self) -> Any:
        """Where the host was asked to look from; another object at each step that says so."""
        return self._view.look.camera

    def pose(self, camera: FollowCamera | None = None, late: Late | None = None) -> Pose:
        """Where the host's camera wish, or a following camera, puts the eye.

        late : as that of `follow`
        """
        view = self._view
        wish = view.look.camera
        self.reach = math.inf
        if wish.eye is not None:
            return self._fixed(wish)
        body = self._body(wish.follow)
        if body < 0:
            return Pose(int(view.residency.point) or 0x00010001, (96.0, 96.0, 60.0), pitch=-0.4)
        return self.follow(body, camera or self._follower(body, wish.view), late)

    @property
    def followed(self) -> tuple[tuple[int, int], int, F32] | None:
        """Whom a following camera is behind: (row, generation), cell id, frame; None for nobody."""
        wish = self._view.look.camera
        body = -1 if wish.eye is not None else self._body(wish.follow)
        if body < 0:
            return None
        physics = self._view.physics
        row = physics.graph.views().objects[body]
        cell_id = physics.full_cell_id(body) or int(row["objcell_id"])
        return (body, int(row["generation"])), cell_id, row["frame"]

    def follow(self, body: int, camera: FollowCamera, late: Late | None = None) -> Pose:
        """An eye behind a body, in the cell that it can reach.

        late : what the eye's place is measured from, when that comes after the body; the eye's way
               begins in the body's head all the same, and an eye in the head is not late
        """
        physics = self._view.physics
        row = physics.graph.views().objects[body]
        eye, head = camera.look(row["frame"])
        cell_id = physics.full_cell_id(body) or int(row["objcell_id"])
        frame = row["frame"]
        if late is not None and camera.distance > 0.0:
            frame = late[1]
            eye, _ = camera.look(frame)
            dx, dy = get_block_offset(cell_id, late[0])
            eye = (eye[0] + float(dx), eye[1] + float(dy), eye[2])
        found, at = self.eye.place(cell_id, head, eye, body=body)
        dx, dy = get_block_offset(cell_id, found)
        self.reach = math.dist((at[0] + float(dx), at[1] + float(dy), at[2]), head)
        return camera.pose(frame, found, at)

    def fly(self, before: Pose, wanted: tuple[float, float, float]) -> tuple[int, Any]:
        """(cell, eye) of a free eye that goes on from a pose: along what is in its way."""
        player = self._view.player
        body = -1 if player is None else int(player.obj)
        return self.eye.slide(before.cell_id, before.eye, wanted, body=body)

    def _fixed(self, wish: Any) -> Pose:
        cell_id, at = int(wish.eye.cell), _point(wish.eye.origin)
        if is_env_cell(cell_id):
            cell_id = self.eye.room(cell_id, at)
            at = self.eye.off_portals(cell_id, at)
        else:
            cell_id, at = outside_cell(cell_id, at)
        if wish.target is not None:
            dx, dy = get_block_offset(cell_id, int(wish.target.cell))
            x, y, z = _point(wish.target.origin)
            return Pose.looking_at(cell_id, at, (x + float(dx), y + float(dy), z))
        w, x, y, z = (float(v) for v in wish.eye.rotation)
        # +y turned by the quaternion
        ahead = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
        target = (at[0] + ahead[0], at[1] + ahead[1], at[2] + ahead[2])
        return Pose.looking_at(cell_id, at, target)

    def _body(self, guid: int | None) -> int:
        view = self._view
        if guid is None:
            return -1 if view.player is None else int(view.player.obj)
        objects = view.physics.graph.views().objects
        found = (objects["guid"] == guid).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def _follower(self, body: int, name: str) -> FollowCamera:
        distance, pitch = VIEWS.get(name, VIEWS["default"])
        setup = self._view.physics.setup_of(body)
        height = setup.height if setup is not None and setup.height > 0 else HEAD_HEIGHT / 0.9
        return FollowCamera(distance=distance, pitch=pitch, head=height * 0.9)


def _point(origin: Any) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in origin)
    return x, y, z

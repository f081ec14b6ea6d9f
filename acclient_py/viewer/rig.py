"""The camera under the hands: behind the body, or flying free; one pose a frame."""

# contract cases: ORD-04
from __future__ import annotations

import math
from typing import Final

from acclient_py.render.scene import VIEWS, SceneMaker
from acclient_py.view.camera import FollowCamera, FreeCamera, Pose
from acclient_py.viewer.input import Input
from acclient_py.viewer.lag import Lag
from acclient_py.viewer.stiffness import STIFF

TURN: Final = 1.6  # radians a second, by key
LOOK: Final = 0.0035  # radians for one unit of the mouse
ZOOM: Final = 1.12  # a step of the wheel
ZOOM_KEY: Final = 2.0  # factor a second
NEAREST: Final = 0.6
FARTHEST: Final = 60.0
FIRST_PERSON: Final = 0.45  # nearer than this is the view from the eyes
LOWEST: Final = -1.5
HIGHEST: Final = 1.2
FLY: Final = 12.0  # metres a second
FLY_FAST: Final = 5.0
HOVER: Final = 2.0  # metres over a place that is flown to

VIEW_ACTIONS: Final = {
    "view-default": "default",
    "view-first": "first",
    "view-look-down": "look-down",
    "view-map": "map",
}


class CameraRig:
    """Owner of the viewer's camera.

    flying : the free camera's, None while the camera follows the body
    lag    : how it comes after the body
    """

    def __init__(
        self, scenes: SceneMaker, *, head: float | None = None, stiffness: float = STIFF
    ) -> None:
        self._scenes = scenes
        self.lag = Lag(stiffness)
        self.follow = FollowCamera()
        if head is not None:
            self.follow.head = head
        self.flying: FreeCamera | None = None
        self._wish = scenes.wish
        self.view = "default"
        self.set_view("default")

    def set_view(self, name: str) -> None:
        """One of the stored views, behind the body again."""
        distance, pitch = VIEWS.get(name, VIEWS["default"])
        self.view = name
        self.follow.distance, self.follow.pitch, self.follow.yaw = distance, pitch, 0.0

    def toggle_flying(self, pose: Pose) -> bool:
        """Take off from a pose, or go back to the body; whether it flies now."""
        self.flying = None if self.flying is not None else FreeCamera(pose)
        return self.flying is not None

    def take_off(self) -> None:
        """Fly from where the camera is."""
        self.flying = FreeCamera(self.pose())

    def fly_to(self, cell_id: int, at: tuple[float, float, float]) -> None:
        """Be over a place at once, and fly on, looking the same way."""
        before = self.pose()
        eye = (at[0], at[1], at[2] + HOVER)
        self.flying = FreeCamera(Pose(cell_id, eye, before.yaw, before.pitch, before.fov))

    def land(self) -> None:
        """Behind the body again, as it was before the flight."""
        self.flying = None

    def press(self, action: str) -> bool:
        """An action that was begun; whether it was the camera's."""
        name = VIEW_ACTIONS.get(action)
        if name is None:
            return False
        self.flying = None
        self.set_view(name)
        return True

    def update(self, dt: float, hands: Input) -> None:
        """Move by what is held. dt : seconds since the last frame"""
        held = hands.strength
        dx, dy = hands.moved
        yaw = dx * LOOK + TURN * dt * (held("camera-turn-right") - held("camera-turn-left"))
        pitch = -dy * LOOK + TURN * dt * (held("camera-down") - held("camera-up"))
        if self.flying is not None:
            self._fly(dt, hands, yaw, pitch)
            return
        camera = self.follow
        camera.yaw = math.remainder(camera.yaw + yaw, math.tau)
        camera.pitch = max(LOWEST, min(HIGHEST, camera.pitch + pitch))
        steps = -hands.wheel
        factor = ZOOM**steps * ZOOM_KEY ** (dt * (held("camera-farther") - held("camera-closer")))
        if factor != 1.0:
            self._zoom(factor)

    def _zoom(self, factor: float) -> None:
        camera = self.follow
        wanted = max(camera.distance, FIRST_PERSON) * factor
        if wanted < NEAREST:
            wanted = 0.0 if factor < 1.0 else NEAREST
        camera.distance = min(FARTHEST, wanted)

    def _fly(self, dt: float, hands: Input, yaw: float, pitch: float) -> None:
        free = self.flying
        assert free is not None, "flying"
        held = hands.strength
        yaw += TURN * dt * (held("turn-right") - held("turn-left"))
        if yaw or pitch:
            free.turn(yaw, pitch)
        speed = FLY * dt * (FLY_FAST if held("walk") else 1.0)
        ahead = held("forward") - held("backward")
        right = held("sidestep-right") - held("sidestep-left")
        up = max(held("fly-up"), held("jump")) - held("fly-down")
        if not (ahead or right or up):
            return
        before = free.pose
        free.move(speed * ahead, speed * right, speed * up)
        cell_id, eye = self._scenes.fly(before, free.pose.eye)
        free.pose = Pose(cell_id, eye, free.pose.yaw, free.pose.pitch, before.fov)

    def note(self) -> None:
        """A tick was made: the camera comes after the body that it follows."""
        followed = self._scenes.followed
        if followed is not None:
            self.lag.note(*followed)

    def pose(self, share: float = 1.0) -> Pose:
        """This frame's pose; taken once, everything of the frame is made from it.

        share : of the last tick's way, as that of `Blend.shown`
        """
        if self.flying is not None:
            return self.flying.pose
        wish = self._scenes.wish
        if wish is not self._wish:
            self._wish = wish
            if wish.eye is None:
                self.set_view(wish.view)
                self.lag.forget()
                self.note()
        return self._scenes.pose(self.follow, self.lag.frame(share))

"""The loop: events in, ticks of 1/30 s, one pose and one picture a turn.

Ticks come from the clock of the wall and are the host's; pictures between two ticks show the last
one, or what moved on its way to it (register D8). Events are taken between two pictures only, so a
picture has one pose. While nothing can be seen the world goes on at 30 turns a second, and nothing
is caught up afterwards.
"""

# contract cases: ORD-04 WIN-01 WIN-04
from __future__ import annotations

import contextlib
import gc
import sys
import time
from array import array
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct, field

from acclient_py.gpu.device import Device
from acclient_py.render.debug import switches
from acclient_py.render.frame import FrameRenderer
from acclient_py.viewer import near
from acclient_py.viewer.clock import TickClock
from acclient_py.viewer.control import MOVES
from acclient_py.viewer.demo import Interrupted
from acclient_py.viewer.gamepad import DEAD_ZONE, Gamepad
from acclient_py.viewer.input import CURSOR, FOCUS, Event, Input
from acclient_py.viewer.rig import VIEW_ACTIONS, CameraRig
from acclient_py.viewer.stage import Stage
from acclient_py.viewer.window import Window

KEPT: Final = 512  # pictures whose times are remembered
LONGEST: Final = 0.1  # seconds that a picture may move the camera by, whatever it took
TAKE_OVER: Final = frozenset((*MOVES, "jump", "autorun", "stop"))
PLACE_EVERY: Final = 30  # ticks between two looks at where the window stands


class FrameStats(Struct):
    """Times of the pictures, seconds; a ring, so that nothing grows."""

    count: int = 0
    worst: float = 0.0
    total: float = 0.0
    cpu: float = 0.0  # of this thread
    last: float = 0.0
    smooth: float = 0.0
    blocks_at: int = 0  # Python blocks at `measure_from`
    measure_from: int = 30  # pictures before that are not counted
    times: array[float] = field(default_factory=lambda: array("d", bytes(8 * KEPT)))

    def add(self, seconds: float, cpu: float) -> None:
        self.last = seconds
        self.smooth = seconds if not self.count else self.smooth * 0.95 + seconds * 0.05
        self.times[self.count % len(self.times)] = seconds
        self.count += 1
        if self.count == self.measure_from:
            gc.collect()
            self.blocks_at = sys.getallocatedblocks()
        if self.count > self.measure_from:
            self.total += seconds
            self.cpu += cpu
            self.worst = max(self.worst, seconds)

    def lines(self) -> list[str]:
        """What `--frames` prints, in milliseconds."""
        measured = self.count - self.measure_from
        if measured <= 0:
            return [f"frames {self.count}"]
        gc.collect()
        growth = sys.getallocatedblocks() - self.blocks_at
        recent = sorted(self.times[: min(self.count, len(self.times))])
        return [
            f"frames {self.count}, measured {measured}",
            f"frame ms: mean {self.total / measured * 1e3:.3f}, "
            f"median {recent[len(recent) // 2] * 1e3:.3f}, worst {self.worst * 1e3:.3f}",
            f"main-thread cpu ms: mean {self.cpu / measured * 1e3:.3f}",
            f"growth of Python blocks: {growth} ({growth / measured:.3f} a frame)",
        ]


class Loop:
    """Runs one stage in one window."""

    def __init__(
        self,
        window: Window,
        device: Device,
        stage: Stage,
        hands: Input,
        *,
        overlays: tuple[str, ...] = (),
        smooth: bool,
        stiffness: float,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        """
        smooth    : pictures between two ticks show what moved on its way (register D8)
        stiffness : of the following camera, 1 where it is never late (register D36)
        """
        self.window = window
        self.device = device
        self.stage = stage
        self.hands = hands
        self.overlays: tuple[str, ...] = overlays
        dead_zone = hands.keymap.dead_zone
        self.pad = Gamepad(DEAD_ZONE if dead_zone is None else dead_zone)
        self.clock = TickClock()
        self.blend = stage.blend if smooth else None
        self.stats = FrameStats()
        self.now = now
        self.renderer: FrameRenderer = stage.renderer(device, window.framebuffer_size)
        self.rig = CameraRig(stage.scenes, head=stage.head, stiffness=stiffness)
        self.on_action: Callable[[str], None] = lambda action: None
        self.on_typed: Callable[[list[str]], None] = lambda typed: None
        self.on_draw: Callable[[], None] = lambda: None
        self.on_first: Callable[[], None] = lambda: None
        self.before_tick: Callable[[], None] = lambda: None
        self.quitting = False
        # keys that were hit while the world was loaded were meant for nothing that was to be seen
        hands.feed(e for e in window.take() if e.kind in (FOCUS, CURSOR))
        self._last = now()
        self._ticks = 0
        self.bodiless = False
        """Nobody can walk here: the eye flies, and the blocks come with it."""
        self._borrowed = False  # somebody else makes the ticks
        self._owed = 0

    def by_itself(self, frames: int | None = None) -> Callable[[], None]:
        """A function that shows pictures until the next tick is due, for who makes the ticks.

        It raises demo.Interrupted when a key takes over, the window closes or enough was shown.
        """
        self._owed = 0

        def between() -> None:
            self._note()
            self._borrowed = True
            try:
                while self._owed == 0:
                    self.turn()
                    moved = any(a in TAKE_OVER for a in self.hands.pressed)
                    enough = frames is not None and self.stats.count >= frames
                    if moved or enough or self.quitting or self.window.closing:
                        raise Interrupted
                self._owed -= 1
            finally:
                self._borrowed = False

        return between

    def hurried(self, every: int) -> Callable[[], None]:
        """As `by_itself`, without waiting for the clock: a picture each `every` ticks.

        It raises demo.Interrupted when the window closes.
        """
        count = 0

        def between() -> None:
            nonlocal count
            count += 1
            self._note()
            if count % every:
                return
            self._borrowed = True
            try:
                self.turn()
            finally:
                self._borrowed = False
            if self.quitting or self.window.closing:
                raise Interrupted

        return between

    def run(self, frames: int | None = None) -> None:
        """Turn until the window closes, or for so many pictures."""
        while not self.window.closing and not self.quitting:
            if frames is not None and self.stats.count >= frames:
                return
            self.turn()

    def turn(self) -> None:
        """Events, the ticks that are due, one picture."""
        window, hands = self.window, self.hands
        began = self.now()
        cpu = time.thread_time()
        window.poll(0.0 if window.drawable else max(0.001, self.clock.until_next(began)))
        hands.begin()
        self._obey(window.take())
        self._obey(self.pad.events(window.gamepad(), focused=hands.focused))
        if window.look_around(hands.looking):
            hands.forget_cursor()
        began_tick = self.now()
        for _ in range(self.clock.due(began_tick)):
            if self._borrowed:
                self._owed += 1
            else:
                self._tick()
        dt, self._last = min(LONGEST, began_tick - self._last), began_tick
        if not window.drawable:
            return
        self.rig.update(dt, hands)
        self.draw()
        window.swap()
        if self.stats.count == 0:
            self.on_first()
        self.stats.add(self.now() - began, time.thread_time() - cpu)

    def fly_alone(self) -> None:
        """From here on the eye flies, for want of a body."""
        self.bodiless = True
        self.rig.take_off()

    @property
    def mode(self) -> str:
        """What is out of the ordinary, in words."""
        words = ["flying"] if self.rig.flying is not None else []
        if self.stage.control.autorun:
            words.append("running on")
        return ", ".join([*words, *self.overlays])

    def _obey(self, events: Iterable[Event]) -> None:
        """Events one by one: a key that opens or ends a typed line changes what the next ones mean,
        and after a slow picture all of them come at once."""
        hands = self.hands
        for event in events:
            typed, pressed = len(hands.typed), len(hands.pressed)
            hands.feed((event,))
            if len(hands.typed) > typed:
                self.on_typed(hands.typed[typed:])
            for action in hands.pressed[pressed:]:
                self._press(action)

    def _press(self, action: str) -> None:
        if self.bodiless and (action == "fly" or action in VIEW_ACTIONS):
            return  # there is no body to come back to
        if action == "fly":
            self.rig.toggle_flying(self.rig.pose())
        elif action == "fullscreen":
            self.window.toggle_fullscreen()
        elif action == "quit":
            self.quitting = True
        elif action.startswith("overlay-"):
            self.toggle_overlay(action.removeprefix("overlay-"))
        elif not (self.rig.press(action) or self.stage.control.press(action)):
            self.on_action(action)

    def toggle_overlay(self, name: str) -> None:
        """A debug view on or off."""
        if name in self.overlays:
            self.overlays = tuple(n for n in self.overlays if n != name)
        elif name in switches.SWITCHES:
            self.overlays = (*self.overlays, name)

    def _tick(self) -> None:
        stage = self.stage
        if self.hands.take_let_go():
            stage.host.driver.release_all()
            stage.recorder.let_go()
        held = self.hands.take_held() if self.rig.flying is None else []
        if self.bodiless and self.rig.flying is not None:
            stage.host.residency.change_position(self.rig.flying.pose.cell_id, blocking=False)
        wanted = stage.control.wanted(held)
        stage.host.driver.keep(wanted)
        stage.recorder.tick(wanted)
        stage.host.tick()
        self._note()
        self._ticks += 1
        if self._ticks % PLACE_EVERY == 0:
            self.window.remember_place()

    def _note(self) -> None:
        """A tick was made, whoever made it."""
        if self.blend is not None:
            self.blend.note()
        self.rig.note()

    def draw(self) -> None:
        """One picture of the world as it stands, with one pose, into the window."""
        renderer = self.renderer
        renderer.resize(self.window.framebuffer_size)
        share = 1.0 if self.blend is None else self.clock.blend
        with contextlib.nullcontext() if self.blend is None else self.blend.shown(share):
            pose = self.rig.pose(share)
            with self._without_the_body():
                renderer.draw(self.stage.scenes.scene(), pose, overlays=self.overlays)
        self.on_draw()
        renderer.target.show()

    def _without_the_body(self) -> contextlib.AbstractContextManager[None]:
        """Nothing of a body that the eye is in is drawn."""
        player = self.stage.host.player
        in_it = self.rig.flying is None and self.stage.scenes.reach < near.WITHIN
        if player is None or not in_it:
            return contextlib.nullcontext()
        return near.unseen(self.stage.host.physics.graph, player.obj)

    def release(self) -> None:
        self.renderer.release()

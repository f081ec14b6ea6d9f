"""The program around the loop: window first, then the world behind it, then the turns.

Code and world are loaded by a thread that begins before the window does.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from acclient_py.gpu.device import Device
from acclient_py.viewer import loading
from acclient_py.viewer.icon import icon
from acclient_py.viewer.input import Input
from acclient_py.viewer.keys import Keymap
from acclient_py.viewer.stiffness import RETAIL, STIFF
from acclient_py.viewer.window import TITLE, Window

if TYPE_CHECKING:
    from acclient_py.dat.dataset import DatSet
    from acclient_py.host.host import Line
    from acclient_py.host.scenario import Scenario
    from acclient_py.order.study import Study
    from acclient_py.viewer.commands import Commands
    from acclient_py.viewer.loop import Loop
    from acclient_py.viewer.stage import Stage


HURRY: Final = 30
"""Ticks a picture of a scenario that is played for its checkpoints."""


class Marks:
    """How long each stretch of the start took, since the clock said `began`."""

    def __init__(self, began: float) -> None:
        self.began = began
        self.marks: list[tuple[str, float]] = []

    def __call__(self, name: str) -> None:
        """A stretch is done."""
        self.marks.append((name, time.perf_counter() - self.began))


def begin_code() -> None:
    """Bring the code in while the window's library looks for a display.

    Nothing collects garbage from here to the first frame: all that is made stays. Whoever needs a
    module that could not be brought in meets the reason.
    """

    def work() -> None:
        with contextlib.suppress(Exception):
            importlib.import_module("acclient_py.viewer.stage")

    gc.disable()
    threading.Thread(target=work, daemon=True).start()


def begin_loading(
    open_world: Callable[[], DatSet],
    wishes: dict[str, Any],
    *,
    exercise: Sequence[str] | None,
    mark: Marks,
) -> loading.Loading[Stage]:
    """Load beside what opens the window: code first, then the world.

    wishes   : those of `stage.Wishes`
    exercise : the command that compiles the kernels, where they have to be
    """

    def work(report: loading.Report) -> Stage:
        from acclient_py.viewer import stage

        mark("modules")
        return stage.build(open_world, stage.Wishes(**wishes, exercise=exercise), report, mark=mark)

    return loading.Loading(work)


class App:
    """Owner of window, device, stage and loop. A context manager.

    mark : of the start, for the times that `report` gives
    """

    def __init__(
        self,
        glfw: Any,
        *,
        size: tuple[int, int],
        gl: str,
        fullscreen: bool,
        vsync: bool,
        keymap: Keymap,
        hud: bool,
        mark: Marks,
    ) -> None:
        self.mark = mark
        self._compiled = 0  # kernels, by the first frame
        self.mark("window library")
        self.window = Window(
            glfw, size, gl=gl, fullscreen=fullscreen, vsync=vsync, title=f"{TITLE} - starting"
        )
        self.device = Device.from_window(self.window.address_of, gl=gl)
        self.hands = Input(keymap)
        self.hud = hud
        self.faults: list[str] = []
        """What a played scenario expected and did not find."""
        self.stage: Stage | None = None
        self.loop: Loop | None = None
        self.commands: Commands | None = None
        self.bar = loading.Bar(self.device)
        if self.window.drawable:
            self.bar.draw(self.window.framebuffer_size, -1.0, 0.0)
            self.window.swap()
        self.mark("window and context")

    def run(
        self,
        job: loading.Loading[Stage],
        *,
        overlays: Sequence[str] = (),
        demo: bool = False,
        frames: int | None = None,
        story: Scenario | None = None,
        checkpoint: Callable[[Line], None] | None = None,
        smooth: bool = True,
        stiffness: float = RETAIL,
        study: Study | None = None,
    ) -> None:
        """Load, then turn until the window closes.

        job        : what `begin_loading` began
        story      : a scenario to play; the stage has its beginning
        smooth, stiffness : as those of the loop, where nothing is compared
        study      : a wrong order to begin with; None: retail's
        checkpoint : takes its checkpoints; it is then played as fast as it goes, and that is all
        """

        if not loading.show(self.window, self.bar, job):
            return
        self.bar.release()
        self.stage = job.result()
        self.mark("world")
        from acclient_py.viewer.commands import Commands
        from acclient_py.viewer.loop import Loop

        compared = checkpoint is not None
        self.loop = Loop(
            self.window, self.device, self.stage, self.hands, overlays=tuple(overlays),
            smooth=smooth and not compared, stiffness=STIFF if compared else stiffness,
        )  # fmt: skip
        self.commands = Commands(self.loop, hud=self.hud)
        if study is not None:
            self.commands.study(study)
        if story is None and self.stage.host.player is None:
            self.loop.fly_alone()
            self.commands.say("no body can walk in this world: you fly, F1 shows the keys")
        self.mark("upload")
        self.loop.on_first = self._shown
        if frames is not None:
            self.loop.stats.measure_from = max(1, min(300, frames // 4))
        if demo:
            self._walk_by_itself(frames)
        if story is not None:
            self._play(story, frames, checkpoint)
            if checkpoint is not None:
                return
        self.loop.run(frames)

    def _shown(self) -> None:
        """The first picture is in the window: what can wait is done now."""
        from acclient_py import kernels

        self.mark("first frame")
        gc.enable()  # what the start made stays: it is not looked through again and again
        gc.freeze()
        self._compiled = kernels.compiled_count()
        banner = "" if self.commands is None else self.commands.panels.banner
        self.window.set_title(f"{TITLE} - {banner}" if banner else TITLE)
        self.window.set_icon(*icon())

    def _walk_by_itself(self, frames: int | None) -> None:
        """The demo walk, until it ends or a key takes over."""
        from acclient_py.viewer import demo

        assert self.loop is not None
        assert self.stage is not None
        walk = self.loop.by_itself(frames)
        done = demo.play(self.stage.host, demo.steps_for(self.stage.dats, self.stage.host), walk)
        self.stage.recorder.give_up("the demo walk is no recording")
        if not done and self.commands is not None:
            self.commands.say("your turn: F1 shows the keys")

    def _play(
        self, story: Scenario, frames: int | None, checkpoint: Callable[[Line], None] | None
    ) -> None:
        """A scenario, from after its beginning."""
        from acclient_py.host.scenario import opening
        from acclient_py.viewer import demo

        assert self.loop is not None
        assert self.stage is not None
        first = opening(story)
        hurried = checkpoint is not None
        between = self.loop.hurried(HURRY) if hurried else self.loop.by_itself(frames)
        each = checkpoint or (lambda line: None)
        demo.play(self.stage.host, story.steps[first:], between, first=first, each=each)
        self.stage.recorder.give_up("a played scenario is no recording")
        self.faults = list(self.stage.host.faults)

    def report(self) -> list[str]:
        """Where the start's time went, and the times of the pictures."""
        lines = []
        before = 0.0
        for name, at in sorted(self.mark.marks, key=lambda mark: mark[1]):
            lines.append(f"start {at:6.3f} s  +{at - before:.3f}  {name}")
            before = at
        if self.loop is not None:
            from acclient_py import kernels

            late = kernels.compiled_count() - self._compiled
            lines += self.loop.stats.lines()
            lines.append(f"kernels compiled: {self._compiled} before the first frame, {late} after")
        return lines

    def release(self) -> None:
        gc.enable()
        gc.unfreeze()
        if self.commands is not None:
            self.commands.release()
        if self.loop is not None:
            self.loop.release()
        if self.stage is not None:
            self.stage.close()
        self.bar.release()
        self.device.release()
        self.window.close()

    def __enter__(self) -> App:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

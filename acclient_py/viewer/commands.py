"""What the other keys do: text, help, places, screenshots, recordings, the things in hand."""

# contract cases: WIN-07
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from acclient_py import paths
from acclient_py.core import U8
from acclient_py.errors import AcclientError
from acclient_py.host import scenario as sc
from acclient_py.render.picture_files import save_png
from acclient_py.viewer.field import Field
from acclient_py.viewer.hud import Hud, machine_lines
from acclient_py.viewer.loop import Loop
from acclient_py.viewer.panels import Panels
from acclient_py.viewer.places import find_place, is_question, names_of
from acclient_py.viewer.recorder import expectations, numbered
from acclient_py.viewer.wielding import ACTIONS
from acclient_py.viewer.window import TITLE

if TYPE_CHECKING:
    from acclient_py.order.study import Study

SCREENSHOT: Final = "screenshot-{:04d}.png"
RECORDING: Final = "recording-{:04d}.json"
TITLE_EVERY: Final = 1.0  # seconds; the place goes there when there is no text in the picture
SLOTS: Final = {"slot-1": 0, "slot-2": 1, "slot-3": 2}


class Commands:
    """Attached to a loop: takes its actions and draws over its pictures."""

    def __init__(self, loop: Loop, *, hud: bool) -> None:
        self.loop = loop
        self.panels = Panels(loop.device, hud=hud)
        self.hud = Hud(loop.stage.host, machine_lines(loop.device, loop.window.platform))
        self._scale = loop.window.content_scale
        self._shoot: str | None = None
        self._title_at = 0.0
        names = names_of(loop.stage.dats.folder)
        self.field = Field(list(names.get("places", {})), loop.window.pasted_text)
        loop.on_typed = self.typed
        loop.on_action = self.act
        loop.on_draw = self.draw

    def act(self, action: str) -> None:
        """An action that neither camera nor body took."""
        slot = SLOTS.get(action)
        if slot is not None:
            self._do(self.loop.stage.control.slot_step(slot))
        elif action in ACTIONS:
            for step in self.loop.stage.wielder.steps(action):
                self._do(step)
        elif action == "use":
            self._do(sc.Use())
        elif action == "study-order":
            self._next_order()
        elif action == "hud":
            self.panels.hud = not self.panels.hud
        elif action == "go-to":
            self._open_field()
        elif action == "help":
            self._help(on=self.panels.help is None)
        elif action == "leave":
            self._help(on=False)
        elif action in ("screenshot", "screenshot-plain"):
            self._shoot = action
        elif action == "record":
            self._save_recording()
        elif action == "copy-location":
            self.copy_location()

    def _next_order(self) -> None:
        """Retail's order, then each wrong one, then retail's again."""
        from acclient_py.order.study import RIGHT, WRONG

        orders = (RIGHT, *WRONG)
        before = self.loop.renderer.study
        at = orders.index(before) if before in orders else 0
        self.study(orders[(at + 1) % len(orders)])

    def study(self, study: Study) -> None:
        """Draw in another order from now on; a wrong one says so in the picture and the title."""
        self.loop.renderer.study = study
        self.panels.banner = study.title if study.wrong else ""
        self.loop.window.set_title(f"{TITLE} - {study.title}" if study.wrong else TITLE)
        self.say(study.meaning)

    def copy_location(self) -> None:
        """The place in the original client's form: said, and into the clipboard."""
        self.loop.window.copy_text(self.hud.location)
        self.say(self.hud.location)

    # going places

    def _open_field(self) -> None:
        """A line to type."""
        self.loop.hands.begin_line()
        self.field.begin()

    def typed(self, keys: list[str]) -> None:
        """What was typed into the open line."""
        said = self.field.take(keys)
        self.loop.hands.typing = self.field.open
        if said is not None:
            self.obey(said)

    def obey(self, said: str) -> None:
        """A line that was entered: `/loc`, or a place in any form."""
        stage = self.loop.stage
        player = stage.host.player
        if is_question(said):
            self.copy_location()
            return
        try:
            names = names_of(stage.dats.folder)
            at = find_place(stage.dats, stage.host.region, said, names)
        except AcclientError as error:
            self.say(str(error))
            return
        if player is None:
            self.loop.rig.fly_to(int(at.cell), at.origin)
            return
        self.loop.rig.land()
        self._do(sc.Teleport(guid=sc.HexId(player.guid), at=at))

    def draw(self) -> None:
        """Text, then a screenshot when one is due, then notes: these are in no screenshot."""
        loop, panels = self.loop, self.panels
        now = loop.now()
        target = loop.renderer.target
        if self._shoot == "screenshot-plain":
            self._take()
        panels.line = (self.field.text, self.field.offers()) if self.field.open else None
        shown = panels.begin(
            target,
            loop.hands,
            loop.stats.last,
            scale=self._scale,
            cursor_scale=loop.window.cursor_scale,
            lines=self.hud.lines(now, loop.stats, mode=loop.mode) if panels.hud else [],
            late=loop.stats.count == 0 and self._shoot is None,
        )
        if self._shoot is not None:
            self._take()
        panels.finish(target, now, scale=self._scale)
        if (
            panels.missing
            and not shown
            and (self.field.open or now - self._title_at >= TITLE_EVERY)
        ):
            self._title_at = now
            words = self.panels.banner or self.hud.location
            if self.field.open:
                words = f"go to: {self.field.text}_"
            loop.window.set_title(f"{TITLE} - {words}")

    def refresh_scale(self) -> None:
        """The window may have gone to another screen."""
        self._scale = self.loop.window.content_scale

    def say(self, text: str) -> None:
        self.panels.note(text, self.loop.now())

    def _help(self, *, on: bool) -> None:
        keymap = self.loop.hands.keymap
        letter = self.loop.window.key_letter
        pad = self.loop.window.has_gamepad
        self.panels.help = list(keymap.rows(letter, pad=pad)) if on else None
        self.panels.about = f"Keys: {keymap.about}"

    def _take(self) -> None:
        self._shoot = None
        try:
            path = numbered(paths.pictures_dir(), SCREENSHOT)
            save_png(path, self._picture())
        except (AcclientError, OSError) as error:
            self.say(f"no screenshot: {error}")
            return
        self.say(f"saved {path}")

    def _picture(self) -> U8:
        """The picture as it stands; one in a wrong order has its name in it, text or no text."""
        renderer = self.loop.renderer
        if not renderer.study.wrong:
            return renderer.read()
        from acclient_py.render.sheets import titled

        return titled(renderer.read(), renderer.study)

    def _save_recording(self) -> None:
        """Everything since the start goes into a scenario that comes to the same place."""
        recorder = self.loop.stage.recorder
        if recorder.useless:
            self.say(f"no recording: {recorder.useless}")
            return
        try:
            path: Path = numbered(paths.state_dir() / "scenarios", RECORDING)
            path.write_bytes(sc.write(recorder.finish(expectations(self.loop.stage.host))))
        except OSError as error:
            self.say(f"no recording: {error}")
            return
        self.say(f"saved {path}")

    def _do(self, step: sc.Step | None) -> None:
        """A step of the player's, also for the recording; None: there is nothing to do."""
        stage = self.loop.stage
        if step is None:
            return
        stage.recorder.step(step)
        stage.host.step(step)
        refused = stage.host.refused
        if refused:
            self.say(f"refused: {refused[-1]['reason']}")
            refused.clear()

    def release(self) -> None:
        self.panels.release()

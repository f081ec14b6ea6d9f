"""Drives objects by their own motion tables: a walk of a scenario, the keys of a player.

A walk turns the object to its heading and sets it going forward; time and the ground do the rest.
A walk to a place is a trip there.
What a key does is an *action*; which key stands for which action is the viewer's keymap, and the
default one for `input` steps.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from acclient_py import paths
from acclient_py.anim import motion
from acclient_py.core.ids import hex8
from acclient_py.errors import RefusedEvent
from acclient_py.host import scenario as sc
from acclient_py.host.trips import Progress, trip_to

if TYPE_CHECKING:
    from acclient_py.host.host import Host

ACTIONS: Final = {
    "forward": motion.WALK_FORWARD,
    "backward": motion.WALK_BACKWARDS,
    "turn-left": motion.TURN_LEFT,
    "turn-right": motion.TURN_RIGHT,
    "sidestep-left": motion.SIDESTEP_LEFT,
    "sidestep-right": motion.SIDESTEP_RIGHT,
}
"""Actions that hold a motion for as long as their key is down."""


OPPOSITE: Final = {
    "forward": "backward",
    "backward": "forward",
    "turn-left": "turn-right",
    "turn-right": "turn-left",
    "sidestep-left": "sidestep-right",
    "sidestep-right": "sidestep-left",
}
"""What an action takes the place of; let go of one, and the other, if still held, is back."""

CHARGE_TICKS: Final = 30
"""Ticks for which the jump key is held for the highest jump."""


class Driver:
    """Holds motions of the objects of one host."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._held: list[str] = []
        self._running = False
        self._charge = 0

    # a player's actions

    def hold(self, action: str, on: bool) -> None:
        """Begin or end one of `ACTIONS`; of the player. He runs unless `keep` says otherwise."""
        player = self.host.player
        if player is None:
            return
        movement = self.host.physics.movement
        if on:
            movement.ways.cancel(player.obj)  # whoever takes the keys goes where he likes
            movement.do_motion(player.obj, ACTIONS[action], hold_run=self._running)
        else:
            movement.stop_motion(player.obj, ACTIONS[action])

    def keep(self, actions: Sequence[str]) -> None:
        """Hold exactly these actions in the tick to come: what is new begins, what is missing ends.

        actions : of `ACTIONS`, "walk" (do not run) and "jump" (charge; its end is the jump), in the
                  order in which they began. Others are left alone.

        The viewer calls it before every tick, and so does an `input` step, so that a recording
        comes to the same state.
        """
        player = self.host.player
        if player is None:
            return
        wanted = [action for action in actions if action in ACTIONS]
        held, self._held = self._held, wanted
        for action in held:
            if action not in wanted:
                self.hold(action, False)
        running = "walk" not in actions
        if running != self._running:
            self._running = running
            self.host.physics.movement.set_hold_run(player.obj, running)
        for action in wanted:
            back = action in held and OPPOSITE[action] in held and OPPOSITE[action] not in wanted
            if action not in held or back:
                self.hold(action, True)
        if "jump" in actions:
            if not self._charge:
                self.host.physics.movement.charge_jump(player.obj)
            self._charge += 1
        elif self._charge:
            extent, self._charge = min(1.0, self._charge / CHARGE_TICKS), 0
            self.jump(extent)

    def release_all(self) -> None:
        """End every held action: the keys are no longer ours (focus, a step that is no input)."""
        self._charge = 0
        player = self.host.player
        if player is not None:
            self.host.physics.movement.end_charge(player.obj)
        if self._held:
            self.keep(())

    def jump(self, extent: float) -> None:
        """Jump with a charge of 0..1."""
        player = self.host.player
        if player is not None and not self.host.physics.movement.jump(player.obj, extent):
            self.host.physics.movement.end_charge(player.obj)

    def hold_keys(self, step: sc.Input) -> None:
        """An `input` step: keys of the default keymap, held for some time.

        They stay held into an `input` step that follows; the next `walk` or `tick`, or the end,
        lets go.
        """
        if self.host.player is None:
            raise RefusedEvent("input needs a player", do="create one first")
        keymap = default_keymap()
        actions = []
        for key in step.keys:
            action = keymap.get(key.lower())
            if action is None:
                raise RefusedEvent(f"no key {key!r} in the default keymap")
            actions.append(action)
        for _ in range(ticks(step.seconds)):
            self.keep(actions)
            self.host.tick()

    # a walk

    def walk(self, step: sc.Walk) -> str | None:
        """Forward by the object's own motion table, for some time or to a place; why not there.

        contract: I5
        """
        known = self.host.known(step.guid)
        movement = self.host.physics.movement
        reason: str | None = None
        if not movement.has_table(known.obj):
            raise RefusedEvent("has no motion table to walk by", where=hex8(step.guid))
        if step.heading is not None and step.seconds is not None:
            movement.set_heading(known.obj, math.fmod(step.heading, 360.0))
            movement.do_motion(known.obj, motion.WALK_FORWARD, hold_run=step.run)
            self.host.tick(ticks(step.seconds))
        elif step.to is not None:
            reason = self._walk_to(known.obj, step.to, run=step.run)
        if self.host.session.directory.get(known.guid) is not known:
            return f"{hex8(known.guid)} was lost on the way, for longer than it lives"
        movement.stop_motion(known.obj, motion.WALK_FORWARD)
        return reason

    def _walk_to(self, obj: int, to: sc.At, *, run: bool) -> str | None:
        trip = trip_to(to, run=run)
        movement = self.host.physics.movement
        try:
            while (progress := trip.go_on(movement, obj, self.host.routes)) is Progress.GOING:
                self.host.tick()
        finally:
            movement.ways.cancel(obj)  # who shows the ticks may break off
        if progress is Progress.THERE:
            return None
        return f"{hex8(int(to.cell))} was not reached, {trip.best:.2f} m are left"


def ticks(seconds: float) -> int:
    """Seconds rounded to ticks, a half upwards."""
    return int(seconds * sc.TICKS_PER_SECOND + 0.5)


def default_keymap() -> dict[str, str]:
    """Key name to action, of the keymap that the program ships as its default."""
    path = paths.keymaps() / "retail.toml"
    with path.open("rb") as stream:
        keys = tomllib.load(stream)["keys"]
    return {key: action for action, held in keys.items() for key in held}

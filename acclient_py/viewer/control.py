"""The hands on the player: held actions to motions, keys for the things in hand."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from acclient_py.host import scenario as sc
from acclient_py.host.host import Host

MOVES: Final = (
    "forward",
    "backward",
    "turn-left",
    "turn-right",
    "sidestep-left",
    "sidestep-right",
)
ENDS_AUTORUN: Final = frozenset(("forward", "backward", "stop"))


class Slot(Struct, frozen=True):
    """A thing that the player can hold: where it hangs, and by which placement."""

    guid: int
    location: int
    placement: int | None


def slots_of(steps: list[sc.Step], player: int | None) -> list[Slot]:
    """What a scenario hangs on the player, in its order."""
    found = []
    for step in steps:
        if isinstance(step, sc.Create) and step.parent is not None and step.parent == player:
            found.append(Slot(int(step.guid), step.location, step.placement))
    return found


class Control:
    """Owner of what the player is told to do.

    autorun : forward goes on by itself
    """

    def __init__(self, host: Host, slots: list[Slot]) -> None:
        self.host = host
        self.slots = slots
        self.autorun = False

    def press(self, action: str) -> bool:
        """An action that was begun; whether it was the player's."""
        if action == "autorun":
            self.autorun = not self.autorun
        elif action in ENDS_AUTORUN:
            self.autorun = False
        else:
            return False
        return True

    def wanted(self, held: list[str]) -> list[str]:
        """The actions that a tick holds, in the order in which they began."""
        actions = [a for a in held if a in MOVES or a in ("walk", "jump")]
        if "stop" in held:
            actions = [a for a in actions if a not in MOVES]
        elif self.autorun and "forward" not in actions:
            actions.insert(0, "forward")
        return actions

    def slot_step(self, number: int) -> sc.Step | None:
        """The event that takes the thing of a slot into the hand, or away; None: no such slot."""
        host = self.host
        player = host.player
        if player is None or not 0 <= number < len(self.slots):
            return None
        slot = self.slots[number]
        known = host.session.directory.get(slot.guid)
        if known is None:
            return None
        if host.physics.parent_of(known.obj) == player.obj:
            return sc.Pickup(guid=sc.HexId(slot.guid))
        return sc.Attach(
            child=sc.HexId(slot.guid),
            parent=sc.HexId(player.guid),
            location=slot.location,
            **({} if slot.placement is None else {"placement": slot.placement}),
        )

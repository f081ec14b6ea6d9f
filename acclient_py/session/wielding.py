"""What a bearer's hands can hold at once: swaps that are done whole, and things for two hands.

A swap of two things is asked for here and answered by two parent events. The first answer is kept
until the second one is there; then both are done in one go, whatever their order. When the second
does not come in time, or says something else, the swap is off and both things are where they were.

A thing for both hands leaves no hand for another: what the hands hold comes out of the world before
it comes in, and it goes itself when a hand takes something else. The server's own pickups, which
may come later, then find the work done. So no frame shows both (EQP-09).
"""

from __future__ import annotations

import logging
from typing import Final

from msgspec import Struct, field

from acclient_py.core.ids import hex8
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.directory import Directory, Known
from acclient_py.session.messages.weenie_desc import WeenieDesc

log = logging.getLogger(__name__)

RIGHT_HAND: Final = 1
LEFT_HAND: Final = 2
SHIELD: Final = 3
LEFT_WEAPON: Final = 8
LEFT_UNARMED: Final = 9
HANDS: Final = (RIGHT_HAND, LEFT_HAND, SHIELD, LEFT_WEAPON, LEFT_UNARMED)

TWO_HANDED: Final = 0x02000000
"""Bit of a weenie's valid locations."""

SWAP_SECONDS: Final = 3.0


class Swap(Struct):
    """Two things of one bearer that change places. answers : guid -> (location, placement)"""

    bearer: int
    wanted: dict[int, int]  # guid -> location
    until: float
    answers: dict[int, tuple[int, int]] = field(default_factory=dict)


class Wielding:
    """Swaps under way, and which things need both hands."""

    def __init__(self, world: PhysicsWorld, directory: Directory) -> None:
        self.world = world
        self.directory = directory
        self.swaps: list[Swap] = []
        self._two_handed: set[int] = set()

    def note(self, guid: int, weenie: WeenieDesc) -> None:
        """What a create says of a thing."""
        valid = weenie.get("valid_locations")
        if isinstance(valid, int) and valid & TWO_HANDED:
            self._two_handed.add(guid)
        else:
            self._two_handed.discard(guid)

    def is_two_handed(self, guid: int) -> bool:
        return guid in self._two_handed

    def forget(self, guid: int) -> None:
        """The thing or the bearer is deleted."""
        self._two_handed.discard(guid)
        self.cancel(guid)

    # swaps -----------------------------------------------------------------------------

    def request_swap(self, one: Known, other: Known) -> str | None:
        """Ask that two things change places; why that cannot be, or None."""
        bearer = self.world.parent_of(one.obj)
        if one.guid == other.guid:
            return "a thing cannot change places with itself"
        if bearer < 0 or self.world.parent_of(other.obj) != bearer:
            return "the two are not held by one bearer"
        places = [self.world.location_of(known.obj) for known in (one, other)]
        self.cancel(one.guid)
        self.cancel(other.guid)
        wanted = {one.guid: places[1], other.guid: places[0]}
        self.swaps.append(Swap(bearer, wanted, self.world.clock + SWAP_SECONDS))
        return None

    def answer(self, child: Known, parent: Known, location: int, placement: int) -> Swap | None:
        """A parent event that may be one of a swap's answers.

        Returns the swap that is complete now, to be done; an incomplete one keeps the answer. An
        event that says something else ends the swap. `keeps` tells whether the event was kept.
        """
        swap = self._of(child.guid)
        if swap is None:
            return None
        if parent.obj != swap.bearer or swap.wanted[child.guid] != location:
            self.cancel(child.guid)
            return None
        swap.answers[child.guid] = (location, placement)
        if len(swap.answers) == len(swap.wanted):
            self.swaps.remove(swap)
        return swap

    def cancel(self, guid: int) -> None:
        """The swap of a thing is off; what was answered so far is forgotten."""
        swap = self._of(guid)
        if swap is not None:
            self.swaps.remove(swap)

    def use_time(self) -> None:
        """Swaps whose second answer did not come in time are off."""
        now = self.world.clock
        for swap in [swap for swap in self.swaps if swap.until <= now]:
            self.swaps.remove(swap)
            names = ", ".join(hex8(guid) for guid in swap.wanted)
            log.debug("the swap of %s is off: no answer in %g s", names, SWAP_SECONDS)

    def _of(self, guid: int) -> Swap | None:
        return next((swap for swap in self.swaps if guid in swap.wanted), None)

    # hands -----------------------------------------------------------------------------

    def free_hands(self, child: Known, parent: Known, location: int) -> None:
        """Before an attach: what cannot be held together with it leaves the world.

        contract: E16
        """
        # divergence: D27
        if location not in HANDS:
            return
        whole = child.guid in self._two_handed
        for held in list(self.world.children_of(parent.obj)):
            other = self.directory.of_object(held)
            if other is None or other is child or self.world.location_of(held) not in HANDS:
                continue
            if whole or other.guid in self._two_handed:
                self.world.unset_parent(held)
                self.directory.unlatch(other.guid)
                self.world.leave_world(held)

"""Attach and pickup: who carries whom (E5, E7). No placement search, no parking, no leash (E11)."""

from __future__ import annotations

import logging

from acclient_py.core.ids import hex8
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.directory import Directory, Known
from acclient_py.session.messages.physics_desc import Stamp
from acclient_py.session.wielding import Swap, Wielding

log = logging.getLogger(__name__)


class Relations:
    """The transactions that make and unmake parent links."""

    def __init__(self, world: PhysicsWorld, directory: Directory) -> None:
        self.world = world
        self.directory = directory
        self.wielding = Wielding(world, directory)

    def parent_event(
        self, child: Known, parent: Known, location: int, placement: int, stamp: int
    ) -> str | None:
        """A parent event behind its gate; why it was not done, or None.

        The stamp is consumed even when the relation is refused; nothing else changes then (D7).
        Retail: DoParentEvent @0x00452290. contract: E5
        """
        if not child.accept(Stamp.POSITION, stamp):
            return "stale position stamp"
        swap = self.wielding.answer(child, parent, location, placement)
        if swap is not None:
            return self._swap(child, parent, swap)
        had_parent = self.world.parent_of(child.obj) >= 0
        # divergence: D7
        reason = self.attach(child, parent, location, placement)
        if reason is None and not had_parent and not self.directory.is_player(parent):
            child.parented = True
        return reason

    def _swap(self, child: Known, parent: Known, swap: Swap) -> str | None:
        """One half of a swap: kept, until both are there and both are done."""
        if len(swap.answers) < len(swap.wanted):
            return None
        reason = None
        for guid, (location, placement) in swap.answers.items():
            known = child if guid == child.guid else self.directory.get(guid)
            if known is not None:
                reason = self.attach(known, parent, location, placement) or reason
        return reason

    def attach(
        self, child: Known, parent: Known, location: int, placement: int | None
    ) -> str | None:
        """Attach in one synchronous transaction, or say why not and change nothing. contract: E3"""
        reason = self.world.refuse_parent(child.obj, parent.obj, location)
        if reason is None:
            self.wielding.free_hands(child, parent, location)
            reason = self.world.set_parent(child.obj, parent.obj, location)
        if reason is not None:
            if self.directory.latch(child.guid):
                log.warning(
                    "%s cannot be attached to %s: %s", hex8(child.guid), hex8(parent.guid), reason
                )
            return reason
        self.directory.unlatch(child.guid)
        if placement is not None:
            self.world.set_placement_frame(child.obj, placement)
        return None

    def pickup(self, known: Known, stamp: int) -> str | None:
        """Out of the world into a pack: detach, then leave, in this order. contract: E7

        Retail: DoPickupEvent @0x00452240.
        """
        if not known.accept(Stamp.POSITION, stamp):
            return "stale position stamp"
        self.wielding.cancel(known.guid)
        self.world.unset_parent(known.obj)
        self.directory.unlatch(known.guid)
        self.world.leave_world(known.obj)
        return None

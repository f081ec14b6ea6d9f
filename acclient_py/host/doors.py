"""Using things that open and close: what a server answers to a use, without a server.

A thing whose motion table has On and Off is used by turning it to the other one. It is told so by
the messages of the wire, a MovementEvent and a SetState, as a server would send them: what is open
lets everybody through (ETHEREAL); what shuts is solid again when its motion has ended and nobody
stands in its way. Its own mesh, where the motion has put it, is what blocks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from acclient_py.anim import motion
from acclient_py.core.ids import get_block_offset
from acclient_py.physics.state import PhysicsState
from acclient_py.session import messages as wire
from acclient_py.session.messages import Stamp
from acclient_py.session.messages.movement import INTERPRETED, InterpretedState, MovementBlock

if TYPE_CHECKING:
    from acclient_py.host.host import Host
    from acclient_py.session.directory import Known

REACH: Final = 3.0
"""Metres from the player's origin to that of what he uses, when nothing is named."""

_FORWARD: Final = 0x2  # an interpreted state that names a forward motion


class Doors:
    """What is used in one host; `shutting` holds guids that are not solid yet."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.shutting: dict[int, None] = {}

    def use(self, guid: int | None) -> str | None:
        """Open what is shut, shut what is open; why not, or None. Without a guid, the nearest."""
        known = self.nearest() if guid is None else self.host.session.directory.get(guid)
        if known is None:
            return "there is nothing in reach to use" if guid is None else "nobody has this guid"
        if not self._turns(known):
            return "it neither opens nor closes"
        self._turn(known, on=not self.is_open(known))
        return None

    def is_open(self, known: Known) -> bool:
        """Whether its motion is On, or on the way there."""
        now = self.host.physics.movement.motion_of(known.obj)
        return now is not None and now[1] == motion.ON

    def nearest(self) -> Known | None:
        """The nearest thing in the player's reach that opens and closes."""
        player = self.host.player
        if player is None:
            return None
        physics, best, found = self.host.physics, REACH, None
        mine = physics.row(player.obj)
        for known in self.host.session.directory:
            row = physics.row(known.obj)
            if row["cell"] < 0 or row["parent"] >= 0 or not self._turns(known):
                continue
            dx, dy = get_block_offset(int(mine["objcell_id"]), int(row["objcell_id"]))
            x, y, z = (float(row["frame"][k]) - float(mine["frame"][k]) for k in range(3))
            away = math.sqrt((x + float(dx)) ** 2 + (y + float(dy)) ** 2 + z * z)
            if away < best:
                best, found = away, known
        return found

    def tick(self) -> None:
        """Those that shut become solid when they are shut and nobody stands there."""
        for guid in list(self.shutting):
            known = self.host.session.directory.get(guid)
            if known is None or self.is_open(known):
                del self.shutting[guid]
            elif not self.host.physics.movement.is_busy(known.obj) and not (
                self.host.physics.is_overlapped(known.obj)
            ):
                del self.shutting[guid]
                self._set_ethereal(known, False)

    def _turns(self, known: Known) -> bool:
        movement = self.host.physics.movement
        return all(movement.has_cycle(known.obj, m) for m in (motion.ON, motion.OFF))

    def _turn(self, known: Known, *, on: bool) -> None:
        command = (motion.ON if on else motion.OFF) & 0xFFFF
        state = InterpretedState(_FORWARD, None, command, None, None, None, None, None, ())
        self.host.session.handle(
            wire.MovementEvent(
                known.guid,
                known.instance,
                known.next_stamp(Stamp.MOVEMENT),
                known.stamps[Stamp.SERVER_CONTROLLED_MOVE],
                0,
                MovementBlock(INTERPRETED, 0, motion.NON_COMBAT & 0xFFFF, state=state),
            )
        )
        if on:
            self.shutting.pop(known.guid, None)
            self._set_ethereal(known, True)
        else:
            self.shutting[known.guid] = None

    def _set_ethereal(self, known: Known, on: bool) -> None:
        state = int(self.host.physics.state_of(known.obj)) & ~PhysicsState.ETHEREAL
        state |= PhysicsState.ETHEREAL if on else 0
        stamp = known.next_stamp(Stamp.STATE)
        self.host.session.handle(wire.SetState(known.guid, int(state), known.instance, stamp))

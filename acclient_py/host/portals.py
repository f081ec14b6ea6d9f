"""Portals: who walks into one goes where it leads, as a server would send him (E20).

A portal is an object that a scenario gave a destination. The player who comes into it gets a
PlayerTeleport and then an UpdatePosition with the next teleport stamp; the session does the rest,
the wait for a place that is not loaded included. Who arrives beside a portal has to leave it first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from acclient_py.core.ids import get_block_offset
from acclient_py.host import scenario as sc
from acclient_py.host import steps
from acclient_py.session import messages as wire
from acclient_py.session.messages import Stamp

if TYPE_CHECKING:
    from acclient_py.host.host import Host
    from acclient_py.session.directory import Known

PORTAL_ENTRY: Final = 0x52  # of the script types
USUAL_RADIUS: Final = 0.9
"""Metres, of a portal whose Setup names no radius."""


class Portals:
    """The destinations of one host's portals, by guid; `inside` holds those that he stands in."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.leads: dict[int, sc.At] = {}
        self.inside: set[int] = set()
        self._came_out = False

    def tick(self) -> None:
        """Send the player on who has come into a portal."""
        player = self.host.player
        if not self.leads or player is None or self.host.session.positions.arrivals:
            return
        came_out, self._came_out = self._came_out, False
        for guid, to in self.leads.items():
            known = self.host.session.directory.get(guid)
            if known is None or not self._holds(player.obj, known.obj):
                self.inside.discard(guid)
            elif came_out:  # one comes out of a portal, and is not taken back by it
                self.inside.add(guid)
            elif guid not in self.inside:
                self.inside.add(guid)
                self._send(player, to)
                return

    def _send(self, player: Known, to: sc.At) -> None:
        self._came_out = True
        self.host.physics.effects.play_type(player.obj, PORTAL_ENTRY)
        self.host.session.handle(wire.PlayerTeleport(player.next_stamp(Stamp.TELEPORT)))
        go = sc.Teleport(guid=sc.HexId(player.guid), at=to)
        answer = self.host.session.handle(steps.teleport(go, player))
        if answer.reason:
            self.host.refused.append({"do": "teleport", "reason": answer.reason})

    def _holds(self, body: int, portal: int) -> bool:
        physics = self.host.physics
        a, b = physics.row(body), physics.row(portal)
        if a["cell"] < 0 or b["cell"] < 0:
            return False
        dx, dy = get_block_offset(int(b["objcell_id"]), int(a["objcell_id"]))
        x, y, z = (float(a["frame"][k]) - float(b["frame"][k]) for k in range(3))
        setup = physics.setup_of(portal)
        radius = USUAL_RADIUS
        height = 2.5
        if setup is not None and setup.radius > 0.0:
            radius, height = float(setup.radius), max(float(setup.height), height)
        x, y = x + float(dx), y + float(dy)
        return abs(z) < height and x * x + y * y < radius * radius

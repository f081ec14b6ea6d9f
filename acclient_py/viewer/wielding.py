"""Keys for the things in hand: sheathe and draw, torch, one weapon for both hands or two things.

Each answers with the events that a server would send, hide before show, so a recording has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from acclient_py.anim import motion
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.session.directory import Known
from acclient_py.session.wielding import HANDS, LEFT_HAND, RIGHT_HAND, SHIELD

BELT: Final = 4
BACK: Final = 5  # where a quiver hangs
PLACEMENTS: Final = {RIGHT_HAND: 1, LEFT_HAND: 3, SHIELD: 6, BELT: 4, BACK: 5}
ACTIONS: Final = ("sheathe", "torch", "swap")


class Wielder:
    """What the player has, in hand or put away; `has` names it in the order of the keys."""

    def __init__(self, host: Host, has: Sequence[int]) -> None:
        self.host = host
        self.has = has

    def steps(self, action: str) -> list[sc.Step]:
        """The events of one of ACTIONS; none when there is nothing to do it with."""
        player = self.host.player
        if player is None:
            return []
        if action == "sheathe":
            return self._sheathe(player)
        return self._torch(player) if action == "torch" else self._swap(player)

    # what there is ---------------------------------------------------------------------

    def _things(self) -> Iterator[Known]:
        for guid in self.has:
            known = self.host.session.directory.get(guid)
            if known is not None:
                yield known

    def _at(self, player: Known, *locations: int) -> list[Known]:
        physics = self.host.physics
        return [
            known
            for known in self._things()
            if physics.parent_of(known.obj) == player.obj
            and physics.location_of(known.obj) in locations
        ]

    def _two_handed(self, known: Known) -> bool:
        return self.host.session.relations.wielding.is_two_handed(known.guid)

    def _is_torch(self, known: Known) -> bool:
        setup = self.host.physics.setup_of(known.obj)
        return setup is not None and bool(setup.lights) and setup.default_script != 0

    # the events ------------------------------------------------------------------------

    def _sheathe(self, player: Known) -> list[sc.Step]:
        held = [known for known in self._at(player, RIGHT_HAND) if not self._is_torch(known)]
        if held:
            place = BACK if self._two_handed(held[0]) else BELT
            return [_attach(held[0], player, place), _stance(player, motion.NON_COMBAT)]
        for known in self._at(player, BELT, BACK):
            if self._two_handed(known):
                away = self._away(self._at(player, *HANDS))
                stance = motion.TWO_HANDED_SWORD
            else:
                away = self._away(self._at(player, RIGHT_HAND))
                with_shield = bool(self._at(player, SHIELD))
                stance = motion.SWORD_SHIELD_COMBAT if with_shield else motion.SWORD_COMBAT
            return [*away, _attach(known, player, RIGHT_HAND), _stance(player, stance)]
        return []

    def _torch(self, player: Known) -> list[sc.Step]:
        torch = next((known for known in self._things() if self._is_torch(known)), None)
        if torch is None:
            return []
        if self.host.physics.parent_of(torch.obj) == player.obj:
            return [sc.Pickup(guid=sc.HexId(torch.guid))]
        big = [known for known in self._at(player, RIGHT_HAND) if self._two_handed(known)]
        put_away = [_attach(known, player, BACK) for known in big]
        if big:
            put_away.append(_stance(player, motion.NON_COMBAT))
        away = self._away(self._at(player, SHIELD, LEFT_HAND))
        return [*put_away, *away, _attach(torch, player, LEFT_HAND)]

    def _swap(self, player: Known) -> list[sc.Step]:
        big = next((known for known in self._things() if self._two_handed(known)), None)
        if big is None:
            return []
        if self.host.physics.parent_of(big.obj) != player.obj:
            away = self._away(self._at(player, *HANDS))
            begin = _stance(player, motion.TWO_HANDED_SWORD)
            return [*away, _attach(big, player, RIGHT_HAND), begin]
        one = [known for known in self._things() if not self._two_handed(known)]
        weapons = [known for known in one if not self._is_torch(known)]
        places = (RIGHT_HAND, SHIELD)
        back = [_attach(*pair) for pair in zip(weapons, (player, player), places, strict=False)]
        stance = motion.SWORD_SHIELD_COMBAT if len(back) > 1 else motion.SWORD_COMBAT
        return [sc.Pickup(guid=sc.HexId(big.guid)), *back, _stance(player, stance)]

    @staticmethod
    def _away(things: list[Known]) -> list[sc.Step]:
        return [sc.Pickup(guid=sc.HexId(known.guid)) for known in things]


def _attach(known: Known, player: Known, location: int) -> sc.Step:
    return sc.Attach(
        child=sc.HexId(known.guid),
        parent=sc.HexId(player.guid),
        location=location,
        placement=PLACEMENTS[location],
    )


def _stance(player: Known, style: int) -> sc.Step:
    return sc.Stance(guid=sc.HexId(player.guid), style=sc.HexId(style))


def belongings(steps: list[sc.Step], player: int | None) -> list[int]:
    """What a scenario's opening gives the player: in his hands, or nowhere yet."""
    return [
        int(step.guid)
        for step in steps
        if isinstance(step, sc.Create)
        and step.at is None
        and (step.parent is None or step.parent == player)
    ]

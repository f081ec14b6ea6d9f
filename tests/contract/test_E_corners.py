"""Corners of contract E that the story tests leave open: no search, no clock."""

from __future__ import annotations

from typing import Any

import pytest
from builders.hosts import CHARM, CREATURE, HERE, PLAYER, SHIELD, SWORD, THERE, story

from acclient_py.physics.state import TransientState

parents = pytest.mark.parametrize("who", [PLAYER, CREATURE], ids=["player", "creature"])


@pytest.mark.contract("E11")
@parents
def test_attach_pickup_and_delete_ask_for_no_place(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: place a child that is attached; the first assertion fails."""
    with story() as told:
        told.arm(who)
        physics = told.host.physics
        searched: list[int] = []
        search = physics.transitions.place

        def place(obj: int, *args: Any, **more: Any) -> Any:
            searched.append(obj)
            return search(obj, *args, **more)

        monkeypatch.setattr(physics.transitions, "place", place)
        told.do("attach", child=SHIELD, parent=who, location=2)
        told.do("attach", child=CHARM, parent=who, location=3)
        told.do("pickup", guid=CHARM)
        told.do("delete", guid=SHIELD)
        assert searched == []
        told.do("place", guid=who, at=THERE)
        assert searched == [told.host.known(int(who, 16)).obj]


@pytest.mark.contract("E12")
@parents
def test_a_childs_clock_stands_still(who: str) -> None:
    """Sabotage: let a child be active at attach; the first assertion fails."""
    with story() as told:
        told.arm(who)
        physics = told.host.physics
        sword, body = (told.host.known(int(g, 16)).obj for g in (SWORD, who))
        assert not int(physics.row(sword)["transient"]) & TransientState.ACTIVE
        assert not physics.is_ticking(sword)
        assert physics.is_ticking(body)
        began = float(physics.row(sword)["update_time"])
        told.do("tick", seconds=0.5)
        told.do("place", guid=who, at=HERE)
        assert float(physics.row(sword)["update_time"]) == began

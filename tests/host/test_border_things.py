"""Things at the border of a block and hands that are busy on the way over it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from builders.hosts import (
    BODY,
    CHARM,
    CREATURE,
    HERE,
    PLAYER,
    SHIELD,
    SHIELD_SETUP,
    SWORD,
    SWORD_SETUP,
    THERE,
    Story,
    story,
)
from builders.walkers import DOLL_MOTION, ENTER, Walker, recipe
from builders.worlds import baked, opened

from acclient_py.core.frame import make
from acclient_py.core.ids import hex8

WIDE = """
[setup.wide]
mesh = "ball"
spheres = [{ radius = 6.0, at = [0, 0, 6] }]
[mesh.ball]
pieces = [{ shape = "box", surface = "leather", size = [8, 8, 8] }]
"""


def listed(walker: Walker, obj: int) -> set[int]:
    """Ids of the cells in whose shadow lists an object is."""
    graph = walker.world.graph
    cells = np.flatnonzero(graph.arrays.cells["id"])
    return {
        int(graph.arrays.cells["id"][cell])
        for cell in cells.tolist()
        for shadow in graph.shadows_of(cell)
        if graph.arrays.shadows["object"][shadow] == obj
    }


def test_a_wide_body_over_the_corner_of_four_blocks_leaves_nothing_behind() -> None:
    """MEM-08. Sabotage: take it out of its own cell only; after the delete it is still listed."""
    walker = Walker("flat4", 0x7F7F0040, (170.0, 170.0, 20.0), extra=WIDE)
    wide = walker.world.make_object(baked(recipe("flat4", WIDE)).ids["setup wide"])
    blocks = set()
    for at in [*np.arange(180.0, 204.0, 2.5), *np.arange(204.0, 180.0, -2.5)]:
        far = at >= 192.0
        cell = 0x80800001 if far else 0x7F7F0040
        local = at - 192.0 * far
        assert not walker.world.set_position(wide, cell, make(local, local, 20.0, 0.0), ENTER)
        shadows = walker.world.graph.shadows_on(wide)
        assert listed(walker, wide) == {int(cell_id) for cell_id in shadows["cell_id"]}
        blocks |= {int(cell_id) >> 16 for cell_id in shadows["cell_id"]}
        walker.world.check()
    assert blocks == {0x7F7F, 0x7F80, 0x807F, 0x8080}
    walker.world.delete_object(wide)
    assert listed(walker, wide) == set()
    walker.world.check()


STATICS = """
[mesh.post]
physics = true
pieces = [{ shape = "box", surface = "leather", size = [0.4, 0.4, 2] }]
[setup.post]
mesh = "post"
[[static]]
model = "post"
block = "7F7F"
at = [185.0, 84.0]
[[static]]
model = "post"
block = "7F7F"
at = [191.9, 84.0]
[[static]]
model = "post"
block = "807F"
at = [2.0, 84.0]
"""


KEPT = ("kind", "generation", "frame", "cell", "objcell_id", "shadow_first", "shadow_count")


def test_over_a_border_no_static_is_made_anew() -> None:
    """MEM-05: rows, generations and shadows of three posts at the border stay as they are."""
    with story(opened(recipe("doll", STATICS))) as told:
        at = {"cell": "0x7F7F003C", "origin": [191.1, 90.0, 20.0]}
        told.stand(PLAYER, at=at)
        told.do("tick", seconds=0.1)
        arrays = told.host.physics.graph.arrays
        posts = [
            obj
            for obj in range(len(arrays.objects))
            if arrays.objects["objcell_id"][obj] and abs(arrays.objects["frame"][obj, 1] - 84) < 0.1
        ]
        assert len(posts) == 3

        def kept() -> list[bytes]:
            return [arrays.objects[name][posts].tobytes() for name in KEPT]

        before = kept()
        cells = set()
        for heading in (90.0, 270.0, 90.0):
            for _ in range(15):
                told.do("walk", guid=PLAYER, heading=heading, seconds=1 / 30)
                cells.add(told.look()[PLAYER]["cell"][:6])
                assert kept() == before
        assert cells == {"0x7F7F", "0x807F"}


# hands -------------------------------------------------------------------------------------------

GREAT = "0x80000021"
THINGS = (SWORD, SHIELD, GREAT, CHARM)
SETUPS = {SWORD: SWORD_SETUP, SHIELD: SHIELD_SETUP, GREAT: SWORD_SETUP, CHARM: "0x02000012"}


class Busy:
    """Two bearers at a border that walk, jump, die and come back, and hand things about."""

    def __init__(self, told: Story, seed: int) -> None:
        self.told = told
        self.rng = random.Random(seed)
        self.instance = {PLAYER: 3, CREATURE: 1}
        self.keys: list[str] = []
        for who in (PLAYER, CREATURE):
            self.come(who)
        for thing in THINGS:
            told.do("create", guid=thing, setup=SETUPS[thing], two_handed=thing == GREAT)

    def come(self, who: str) -> None:
        at = {"cell": "0x7F7F003C", "origin": [190.5, 90.0 + (who == CREATURE), 20.0]}
        self.told.do(
            "create", guid=who, instance=self.instance[who], setup=BODY, at=at,
            motion=hex8(DOLL_MOTION), player=who == PLAYER,
        )  # fmt: skip

    def deed(self) -> None:
        """One thing that a server or a player may do at any time."""
        told, rng = self.told, self.rng
        thing, other = rng.sample(THINGS, 2)
        who = rng.choice((PLAYER, CREATURE))
        match rng.randrange(11):
            case 0 | 1:
                told.do("attach", child=thing, parent=who, location=rng.choice((1, 2, 3, 4)))
            case 2:
                told.do("attach", child=thing, parent=other, location=1)
            case 3:
                told.do("pickup", guid=thing)
            case 4:
                told.do("swap", guid=thing, other=other)
            case 5:
                told.do("position", guid=thing, at=rng.choice((HERE, THERE)))
            case 6:
                told.do("delete", guid=CREATURE)
                self.instance[CREATURE] += 1
                self.come(CREATURE)
            case 7:
                told.do("teleport", guid=PLAYER, at=rng.choice((HERE, THERE)))
            case 8:
                told.do("delete", guid=thing)
                told.do("create", guid=thing, setup=SETUPS[thing], two_handed=thing == GREAT)
            case 9:
                self.keys = rng.sample(["forward", "backward", "turn-left", "jump", "walk"], 2)
            case _:
                told.do("stance", guid=who, style=rng.choice(("0x8000003D", "0x8000003E")))

    def held(self) -> int:
        """How many things hang on a bearer; each is in its bearer's cell and in nobody's way."""
        seen = self.told.look()
        count = 0
        for guid in THINGS:
            line = seen.get(guid)
            if line is None or line["parent"] is None:
                continue
            count += 1
            bearer = seen[line["parent"]]
            for name in ("cell", "full_cell_id"):  # an id alone may be stale (C4)
                assert line[name] == bearer[name], (guid, name)
            assert guid in bearer["children"]
        return count


@pytest.mark.contract("C14", "E16", "E17")
@pytest.mark.parametrize("seed", range(4))
def test_hands_that_are_busy_at_every_moment_of_a_walk_over_a_border(
    told: Story, seed: int
) -> None:
    """Mid-step, mid-jump, at the border, while the bearer dies: no ghost, nothing left behind.

    The host checks the whole graph after each step and tick. Sabotage: leave the children out of
    `enter_cell`; a thing is in another cell than its bearer.
    """
    busy = Busy(told, seed)
    held = 0
    blocks = set()
    for _ in range(120):
        busy.deed()
        told.host.driver.keep(busy.keys)
        told.host.tick(2)
        held += busy.held()
        blocks.add((told.look()[PLAYER]["cell"] or "")[:6])
    assert held > 60
    assert blocks >= {"0x7F7F", "0x807F"}
    told.host.driver.keep([])
    for guid in (CREATURE, *THINGS):
        told.do("delete", guid=guid)
    told.do("tick", seconds=0.1)
    assert set(told.look()) == {PLAYER}

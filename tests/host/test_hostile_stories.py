"""Random steps of somebody who means no good end nothing, tear nothing and leave nothing (I2, I5).

The graph is checked after every step and tick; what a checkpoint says is strict JSON.
"""

from __future__ import annotations

import json
import warnings
from contextlib import suppress
from typing import Any

import jsonschema
import pytest
from builders.hostile import Hostile
from builders.hosts import BODY, HERE, PLAYER, SWORD, SWORD_SETUP, THERE, Story, story

from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc
from acclient_py.host import schemas

STEPS = 70
LEFT = ("objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged", "lost")


def tell(told: Story, step: dict[str, Any], number: int) -> None:
    """One step; a file that holds it may be refused as it is read, in one line."""
    with suppress(UsageError):
        told.host.step(sc.parse_step(json.dumps(step)), number=number)


@pytest.mark.contract("I5", "E3", "E15", "C14", "S9")
@pytest.mark.parametrize("world", ["doll", "ring"])
@pytest.mark.parametrize("seed", [*range(6), 394, 403])
def test_a_hostile_story_runs_to_its_end(world: str, seed: int) -> None:
    """Sabotage: let a distance overflow aloud; the last two seeds fail."""
    validator = jsonschema.Draft202012Validator(schemas.schema_of("checkpoint"))
    hostile = Hostile(world, seed)
    with warnings.catch_warnings(), story(world) as told:
        warnings.simplefilter("error", RuntimeWarning)
        for number in range(STEPS):
            tell(told, hostile.step(), number)
            line = told.host.checkpoint("so far")
            validator.validate(json.loads(json.dumps(line, allow_nan=False)))
            assert all("\n" not in refused["reason"] for refused in line["refused"])
        told.host.close()
        told.host.physics.check()
        counts = told.counts()
        assert {name: counts[name] for name in LEFT} == dict.fromkeys(LEFT, 0)


@pytest.mark.contract("E3")
def test_a_refused_player_is_not_the_player() -> None:
    """Sabotage: keep whom a refused create names, or look for the mesh of a setup of 0."""
    with story() as told:
        told.do("create", guid="0x50000002", setup="0x00000000", player=True, at=HERE)
        told.arm(PLAYER)
        told.do("create", guid="0x50000003", setup="0x0F000010", player=True, at=HERE)
        told.do("create", guid="0x50000004", setup="0x00000000", player=True, at=HERE)
        assert len(told.refused()) == 3
        assert told.host.player is not None
        assert told.host.player.guid == int(PLAYER, 16)


@pytest.mark.contract("E3")
@pytest.mark.parametrize(("scale", "refused"), [(1e6, 0), (1.1e6, 1), (3e38, 1)])
def test_a_scale_beyond_all_frames_is_refused(scale: float, refused: int) -> None:
    """Sabotage: accept every scale; the count differs."""
    with story() as told:
        before = told.look()
        told.do("create", guid=SWORD, setup=SWORD_SETUP, at=HERE, scale=scale)
        reasons = told.refused()
        assert len(reasons) == refused
        assert all("a scale of" in reason for reason in reasons)
        assert (told.look() == before) == bool(refused)


@pytest.mark.contract("S3", "E3")
def test_a_giant_touches_no_more_land_than_any_window_has() -> None:
    """Sabotage: leave the bound of a reach out; two million cells are in the array."""
    with story() as told:
        told.do("create", guid=PLAYER, setup=BODY, at=HERE, scale=1e6, state="0x00010000")
        cells = told.look()[PLAYER]["shadow_cells"]
        assert cells[0] == HERE["cell"]
        assert 201 <= len(cells) <= 201 * 201
        told.do("place", guid=PLAYER, at=THERE)
        assert told.look()[PLAYER]["shadow_cells"][0] == THERE["cell"]

"""The demo: a tour that the world's cast goes through by itself, one tick at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from acclient_py.dat.dataset import DatSet
from acclient_py.host import scenario as sc
from acclient_py.host.host import CameraWish, Host, Line
from acclient_py.viewer.places import names_of

WALK: Final = "demo_tour"
SIDE_SECONDS: Final = 4.0


class Interrupted(Exception):
    """The walk ends before its last step."""


def cast_and_walk(dats: DatSet) -> tuple[list[sc.Step], list[sc.Step]] | None:
    """Creates and the rest of the stored walk, when it is this world's."""
    stored = sc.read(WALK)
    if names_of(dats.folder).get("world") != stored.world:
        return None
    cast: list[sc.Step] = [s for s in stored.steps if isinstance(s, sc.Create)]
    return cast, [s for s in stored.steps if not isinstance(s, sc.Create)]


def square(player: int) -> list[sc.Step]:
    """A walk for any world: round a square."""
    guid = sc.HexId(player)
    return [
        sc.Walk(guid=guid, heading=heading, seconds=SIDE_SECONDS)
        for heading in (0.0, 90.0, 180.0, 270.0)
    ]


def steps_for(dats: DatSet, host: Host) -> list[sc.Step]:
    """What the cast of a stage does by itself."""
    stored = cast_and_walk(dats)
    if stored is not None:
        return stored[1]
    player = host.player
    return [] if player is None else square(player.guid)


def play(
    host: Host,
    steps: Iterable[sc.Step],
    between: Callable[[], None],
    *,
    first: int = 0,
    each: Callable[[Line], None] = lambda line: None,
) -> bool:
    """Run the steps; whether all ran.

    between : called after every tick; may raise Interrupted
    first   : the number of the first of these steps in their scenario ; each : takes checkpoints
    """
    host.on_tick = between
    try:
        for number, step in enumerate(steps, first):
            line = host.step(step, number=number)
            if line is not None:
                each(line)
        return True
    except Interrupted:
        return False
    finally:
        host.on_tick = None
        host.look.camera = CameraWish()  # the camera is the hands' again
        host.driver.release_all()
        player = host.player
        if player is not None:
            host.errands.begin(sc.Errand(guid=sc.HexId(player.guid)))  # he has none any more
            host.physics.movement.stop_completely(player.obj)

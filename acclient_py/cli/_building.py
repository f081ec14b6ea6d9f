"""What `acclient dat check --membership` does: every landblock is built, proven and taken away."""

from __future__ import annotations

import logging
from collections.abc import Callable

from acclient_py.cli.progress import progress
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import DataError
from acclient_py.host.host import Host
from acclient_py.physics.check import InvariantError

_NOTHING = ("objects", "shadow_objects", "shadow_parts", "lights", "cells", "landblocks")

Say = Callable[[str, str], None]
"""(severity, text) of a finding."""


class _Heard(logging.Handler):
    """Hands on what the program says about stand-ins and things that are left out."""

    def __init__(self, say: Say) -> None:
        super().__init__(logging.WARNING)
        self.say = say

    def emit(self, record: logging.LogRecord) -> None:
        self.say("warning", record.getMessage())


def check_membership(dats: DatSet, say: Say) -> dict[str, int]:
    """Build each landblock with its env cells, buildings, statics and scenery; sums of all.

    A graph that is not whole, a record that cannot be built, and what is still there after the
    block has left are faults. contract: S11, E15
    """
    host = Host(dats, crossings=False)
    sums = {"landblocks": 0, "cells": 0, "statics": 0, "shadow_objects": 0, "shadow_parts": 0}
    blocks = list(dats.ids("LandBlock", file="cell"))
    heard = _Heard(say)
    logger = logging.getLogger("acclient_py")
    logger.addHandler(heard)
    try:
        with progress("building every landblock") as report:
            for done, block in enumerate(blocks, 1):
                _check_block(host, block, sums, say)
                if done % 16 == 0 or done == len(blocks):
                    report(done, len(blocks), f"0x{block:08X}")
    finally:
        logger.removeHandler(heard)
    return sums


def _check_block(host: Host, block: int, sums: dict[str, int], say: Say) -> None:
    where = f"landblock 0x{block:08X}"
    try:
        if not host.residency.load(block):
            say("fault", f"{where}: cannot be built")
        host.physics.check()
        counts = host.physics.counts()
        sums["statics"] += counts["objects"]
        for name in ("landblocks", "cells", "shadow_objects", "shadow_parts"):
            sums[name] += counts[name]
        host.residency.unload(block)
        host.physics.check()
    except DataError as error:
        say("fault", f"{where}: {error}")
        host.residency.unload(block)
    except InvariantError as error:
        say("fault", f"{where}: {error}")
    counts = host.physics.counts()
    left = [f"{counts[name]} {name}" for name in _NOTHING if counts[name]]
    if left:
        say("fault", f"{where}: {', '.join(left)} left behind")

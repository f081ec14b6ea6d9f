"""Fixture worlds with some of their records changed or broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from builders.worlds import baked

from acclient_py.dat.dataset import DatSet
from acclient_py.dat.editor import DatEditor
from acclient_py.dat.writer import CELL, PORTAL

Change = Callable[[Any], Any] | bytes


def damaged(
    world: str, folder: Path, cell: dict[int, Change] | None = None, **portal: Any
) -> DatSet:
    """A copy of a fixture world, opened, with records changed.

    cell, portal : by id, bytes to put there or a function of the record that is there
    """
    made = folder / world
    shutil.copytree(baked(world).folder, made)
    with DatSet.open(baked(world).folder) as dats:
        for name, changes in ((CELL.name, cell or {}), (PORTAL.name, portal.get("portal") or {})):
            with DatEditor.open(made / name) as editor:
                for did, change in changes.items():
                    data = change if isinstance(change, bytes) else change(dats.record(did)).write()
                    editor.put(did, data)
                editor.save()
    return DatSet.open(made)

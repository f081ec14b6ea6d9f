"""A building as runtime data: its shell model, the land cell that owns it, its openings."""

from __future__ import annotations

import logging

import numpy as np
from msgspec import Struct

from acclient_py.core import F32
from acclient_py.core.ids import adjust_to_outside, hex8, landblock_of
from acclient_py.dat.records.landblock_info import BuildingInfo, LandBlockInfo
from acclient_py.log import warn_once
from acclient_py.world.models import Models, SetupModel

log = logging.getLogger(__name__)


class BuildingPortalModel(Struct, frozen=True, eq=False):
    """One opening: which env cell lies behind it, and what can be seen through it."""

    other_cell_id: int  # full id
    other_portal_id: int  # index in that env cell's portal list, -1 none
    portal_side: int
    exact_match: bool
    stabs: tuple[int, ...]  # full ids


class BuildingModel(Struct, frozen=True, eq=False):
    """One building. `cell_id` is the land cell under its origin, 0 when that is in no such cell.

    A building is found only through that one cell; the first of two in a cell wins.
    """

    model_id: int
    setup: SetupModel
    frame: F32  # (7,) block-local
    cell_id: int
    leaf_count: int
    portals: tuple[BuildingPortalModel, ...]


def make_building(info: BuildingInfo, block_id: int, models: Models) -> BuildingModel:
    """The building of a record of a block. Retail: CLandBlock::init_buildings @0x0052FD80."""
    frame = info.frame.array()
    ok, cell_id, _, _ = adjust_to_outside(landblock_of(block_id), frame[0], frame[1])
    if not ok or landblock_of(cell_id) != landblock_of(block_id):
        cell_id = 0
    block = block_id & 0xFFFF0000
    setup = models.setup(info.model_id)
    _check_openings(info, setup, models)
    return BuildingModel(
        info.model_id,
        setup,
        frame,
        cell_id,
        info.leaf_count,
        tuple(
            [
                BuildingPortalModel(
                    block | portal.other_cell_id,
                    portal.other_portal_id - ((portal.other_portal_id & 0x8000) << 1),
                    portal.portal_side,
                    bool(portal.flags & 1),
                    tuple([block | low for low in portal.stabs]),
                )
                for portal in info.portals
            ]
        ),
    )


def _check_openings(info: BuildingInfo, setup: SetupModel, models: Models) -> None:
    """Say once of a shell that it has openings which its building does not list."""
    shell = int(setup.part_gfx[0]) if len(setup.part_gfx) else -1
    record = models.gfx_record(shell) if shell >= 0 else None
    if record is None or record.drawing_bsp is None or not len(record.drawing_bsp.portals):
        return
    named = int(record.drawing_bsp.portals[:, 1].max()) + 1
    if named > len(info.portals):
        warn_once(
            ("openings", info.model_id),
            "building %s has %d openings but lists %d; nothing is seen through the others",
            hex8(info.model_id),
            named,
            len(info.portals),
            logger=log,
        )


def finite(building: BuildingModel) -> bool:
    """Whether its frame is made of numbers."""
    return bool(np.isfinite(building.frame).all())


def stands(building: BuildingModel) -> bool:
    """Whether it stands in a cell of its block, and any way round at all."""
    return building.cell_id != 0 and finite(building)


def make_buildings(
    info: LandBlockInfo, block_id: int, models: Models
) -> tuple[tuple[BuildingModel, ...], tuple[int, ...]]:
    """The buildings of a block that stand in one of its cells, and the union of their stab lists.

    The union has full ids, no duplicates, in the order in which they are met.
    """
    made = [make_building(entry, block_id, models) for entry in info.buildings]
    for index, building in enumerate(made):
        if not stands(building):
            warn_once(
                ("building", block_id, index),
                "building %d of %s (%s) left out: its frame is %s",
                index,
                hex8(landblock_of(block_id)),
                hex8(building.model_id),
                "in none of the block's cells" if finite(building) else "not finite",
                logger=log,
            )
    kept = tuple([building for building in made if stands(building)])
    stabs: dict[int, None] = {}
    for building in kept:
        for portal in building.portals:
            stabs.update(dict.fromkeys(portal.stabs))
    return kept, tuple(stabs)

"""An env cell as runtime data: its space and frame, what its portals lead to, what stands in it."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from acclient_py.core import F32
from acclient_py.core.ids import OUTSIDE, hex8
from acclient_py.dat.records.env_cell import EnvCell, EnvCellFlags, PortalFlags
from acclient_py.errors import DataError, RecordError
from acclient_py.log import warn_once
from acclient_py.world.models import Models
from acclient_py.world.shapes import StructureModel, check_finite

log = logging.getLogger(__name__)


class PortalModel(Struct, frozen=True, eq=False):
    """One portal of an env cell, its polygon in the cell's frame.

    portal_side   : the side of the plane on which the owning cell's interior lies (0 positive)
    other_cell_id : full id, 0xFFFFFFFF for the outside
    other_portal_id : index in the other cell's list, -1 none
    """

    other_cell_id: int
    portal_side: int
    other_portal_id: int
    exact_match: bool
    plane: F32  # (4,)
    vertices: F32  # (k, 3)


STATIC_DTYPE: Final = np.dtype([("did", "<u4"), ("frame", "<f4", 7)])
"""A static object of a manifest: its data id and its block-local frame."""


class StaticModel(Struct, frozen=True, eq=False):
    """A static object of a manifest: its data id and its block-local frame."""

    did: int
    frame: F32  # (7,)


class EnvCellModel(Struct, frozen=True, eq=False):
    """One env cell. `stabs` are full ids, in file order. `frame` is block-local.

    manifest : the statics once more, as the bytes of STATIC_DTYPE rows
    """

    id: int
    frame: F32
    structure: StructureModel
    surfaces: tuple[int, ...]
    portals: tuple[PortalModel, ...]
    stabs: tuple[int, ...]
    seen_outside: bool
    statics: tuple[StaticModel, ...]
    restriction_id: int
    manifest: bytes = b""  # made of `statics`

    def __post_init__(self) -> None:
        rows = np.zeros(len(self.statics), STATIC_DTYPE)
        for row, static in zip(rows, self.statics, strict=True):
            row["did"], row["frame"] = static.did, static.frame
        force_setattr(self, "manifest", rows.tobytes())

    @property
    def planes(self) -> F32:
        """(n, 4) float32 inward planes in the cell's frame."""
        return self.structure.planes


def make_env_cell(record: EnvCell, models: Models) -> EnvCellModel:
    """The cell of a record; RecordError when its structure or a portal's polygon is not there,
    or when it stands nowhere."""
    frame = record.frame.array()
    check_finite(record.id, frame=frame)
    structure = models.structure(record.environment_id, record.structure_index)
    if structure is None:
        raise RecordError(
            f"structure {record.structure_index} of {hex8(record.environment_id)} is not there",
            record=record.id,
        )
    block = record.id & 0xFFFF0000
    portals = []
    for portal in record.portals:
        shape = structure.portals.get(portal.polygon_id)
        if shape is None:
            raise RecordError(
                f"polygon {portal.polygon_id} is no portal of its structure", record=record.id
            )
        to_outside = bool(portal.flags & PortalFlags.OUTSIDE)
        signed = portal.other_portal_id - ((portal.other_portal_id & 0x8000) << 1)
        portals.append(
            PortalModel(
                OUTSIDE if to_outside else block | portal.other_cell_id,
                portal.portal_side,
                signed,
                bool(portal.flags & PortalFlags.EXACT_MATCH),
                shape.plane,
                shape.vertices,
            )
        )
    return EnvCellModel(
        record.id,
        frame,
        structure,
        record.surfaces,
        tuple(portals),
        tuple([block | low for low in record.visible_cells]),
        bool(record.flags & EnvCellFlags.SEEN_OUTSIDE),
        tuple([StaticModel(stab.id, stab.frame.array()) for stab in record.statics]),
        record.restriction_id or 0,
    )


def load_env_cell(models: Models, cell_id: int) -> EnvCellModel | None:
    """The cell of an id from the models' DAT set; None where there is none, or it fails (once)."""
    if not models.dats.has(cell_id):
        return None
    try:
        record = models.dats.record(cell_id)
        if not isinstance(record, EnvCell):  # a stab list may name anything
            raise RecordError("is no env cell", record=cell_id)
        return make_env_cell(record, models)
    except DataError as error:
        warn_once(("record", cell_id), "%s left out: %s", hex8(cell_id), error, logger=log)
        return None


def land_cell_centre(cell_id: int) -> F32:
    """The frame of a land cell: the centre of its square, no rotation.

    Retail: CLandBlockStruct::ConstructPolygons @0x00531D10.
    """
    index = (cell_id & 0xFFFF) - 1
    x = (2 * (index >> 3) + 1) * 12
    y = (2 * (index & 7) + 1) * 12
    return np.array((x, y, 0, 1, 0, 0, 0), np.float32)

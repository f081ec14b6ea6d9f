"""How the membership arrays are laid out: dtypes, flags, and the tuple that kernels take.

`graph.py` says what ties them together. -1 is retail's null pointer.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, I32, I64, U8, U16, U32, Struct
from acclient_py.kernels.bundles import bundle

OBJECT_DTYPE: Final = np.dtype(
    [
        ("cell", "<i4"),  # reference: slot, -1 null. Not null means resident
        ("objcell_id", "<u4"),  # id in the position, maybe stale (C3)
        ("cell_next", "<i4"),
        ("cell_prev", "<i4"),
        ("parent", "<i4"),
        ("first_child", "<i4"),
        ("next_sibling", "<i4"),
        ("part_cell_id", "<u4"),  # the cell id in the positions of all its parts
        ("state", "<u4"),  # PhysicsState, the word as it came
        ("has_part_array", "u1"),
        ("kind", "u1"),  # FREE, OBJECT, BUILDING
        ("marks", "u1"),  # MARK_*
        ("spare", "u1"),
        ("part_first", "<i4"),
        ("part_count", "<u2"),
        ("light_count", "<u2"),
        ("light_first", "<i4"),
        ("shadow_first", "<i4"),
        ("shadow_count", "<i4"),
        ("shadow_room", "<i4"),
        ("place_first", "<i4"),
        ("place_room", "<i4"),
        ("pose_first", "<i4"),  # rows of `poses`, frames relative to the object; -1 none
        ("pose_count", "<i4"),
        ("scale", "<f4"),
        ("frame", "<f4", 7),
        ("hold_frame", "<f4", 7),  # of a child: copied from the holding location at attach
        ("hold_part", "<i4"),  # of a child: the parent's part; out of range: the parent itself
        ("location", "<i4"),
        ("prev_sibling", "<i4"),
        ("last_child", "<i4"),
        ("shape", "<i4"),  # row of `shapes`
        ("guid", "<u4"),
        ("instance", "<u2"),
        ("generation", "<u2"),  # counts how often the row was given out
        ("transient", "<u4"),
        ("home_id", "<u4"),  # of a static: its landblock or env cell, 0 for others
        ("home_index", "<i4"),
        ("setup", "<i4"),  # its Setup among those of `Objects.seen`; 0 none
        ("update_time", "<f8"),
    ],
    align=True,
)

PART_DTYPE: Final = np.dtype(
    [
        ("gfx", "<i4"),  # row of `gfx`, degrade level 0; -1 a null part
        ("object", "<i4"),
        ("frame", "<f4", 7),
        ("scale", "<f4", 3),  # gfxobj_scale: default scale times object scale
        ("flags", "<u4"),  # PART_*
        ("translucency", "<f4"),  # of its own material: 0 as the surfaces say, 1 not drawn
        ("luminosity", "<f4"),  # in place of the surfaces', where PART_LUMINOSITY is set
        ("diffuse", "<f4"),  # likewise, PART_DIFFUSE
        ("look", "<i4"),  # row of the looks that have been seen, 0: the model as it is
    ],
    align=True,
)

SHADOW_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),
        ("cell", "<i4"),  # -1: the body pokes into a cell that is not resident
        ("cell_id", "<u4"),
        ("next", "<i4"),  # in the cell's list
        ("prev", "<i4"),
    ],
    align=True,
)

PART_ENTRY_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),
        ("part", "<i4"),  # row of `parts`
        ("back", "<i4"),  # index into `places` that points here
        ("part_index", "<u2"),
        ("planes", "u1"),  # 1: drawn with the cell's clip planes, in the cell's frame (S5)
        ("spare", "u1"),
    ],
    align=True,
)

LIGHT_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),
        ("cell", "<i4"),
        ("next", "<i4"),
        ("prev", "<i4"),
        ("frame", "<f4", 7),  # where it is: object frame combined with `offset`
        ("offset", "<f4", 7),
        ("color", "<u4"),
        ("intensity", "<f4"),
        ("falloff", "<f4"),
        ("cone", "<f4"),
    ],
    align=True,
)

CELL_DTYPE: Final = np.dtype(
    [
        ("id", "<u4"),
        ("kind", "u1"),  # FREE, LAND, ENV
        ("resident", "u1"),
        ("seen_outside", "u1"),
        ("spare", "u1"),
        ("block", "<i4"),
        ("building", "<i4"),  # of a land cell: row of `buildings`, -1 none
        ("objects_first", "<i4"),
        ("objects_last", "<i4"),
        ("objects_count", "<i4"),
        ("shadows_first", "<i4"),
        ("shadows_last", "<i4"),
        ("shadows_count", "<i4"),
        ("parts_first", "<i4"),
        ("parts_count", "<i4"),
        ("parts_room", "<i4"),
        ("lights_first", "<i4"),
        ("lights_last", "<i4"),
        ("lights_count", "<i4"),
        ("plane_first", "<i4"),  # of an env cell: the positive chain of its cell BSP, in `planes`
        ("plane_count", "<i4"),
        ("portal_first", "<i4"),
        ("portal_count", "<i4"),
        ("stab_first", "<i4"),
        ("stab_count", "<i4"),
        ("structure", "<i4"),  # of an env cell: its physics tree, row of Models.bsp_nodes; -1 none
        ("frame", "<f4", 7),
        # a walk of the landscape looks at the first 64 bytes of every land cell: a row that is no
        # multiple of that lies in two lines of the cache as often as not
        ("spare_words", "<u4", 2),
    ],
    align=True,
)

BLOCK_DTYPE: Final = np.dtype(
    [
        ("id", "<u4"),  # 0xXXYYFFFF
        ("side", "<i4"),  # cells a side: 8, 4, 2, 1; 0 without land
        ("cell_first", "<i4"),  # slot of land cell 1, 64 in a row; -1 unless side is 8
        ("env_first", "<i4"),  # into `env_table`
        ("env_count", "<i4"),
        ("generation", "<u4"),  # counts loads of this row
        ("water", "<i4"),  # 0 none, 1 partly, 2 entirely
    ],
    align=True,
)

PORTAL_DTYPE: Final = np.dtype(
    [
        ("plane", "<f4", 4),  # in the cell's frame
        ("other_cell_id", "<u4"),  # 0xFFFFFFFF the outside
        ("other_portal", "<i4"),
        ("side", "u1"),  # on which side of the plane the interior of the owning cell lies
        ("exact", "u1"),
    ],
    align=True,
)

BUILDING_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),  # the shell
        ("cell", "<i4"),  # the land cell under its origin
        ("block", "<i4"),
        ("portal_first", "<i4"),
        ("portal_count", "<i4"),
    ],
    align=True,
)

BUILDING_PORTAL_DTYPE: Final = np.dtype(
    [
        ("other_cell_id", "<u4"),
        ("other_portal", "<i4"),  # index into that env cell's portals
        ("stab_first", "<i4"),  # run of `stabs`: the cells that can be seen through it
        ("stab_count", "<i4"),
        ("side", "u1"),
        ("exact", "u1"),
    ],
    align=True,
)

SHAPE_DTYPE: Final = np.dtype(
    [
        ("sphere_first", "<i4"),  # rows of `spheres` (x y z r)
        ("sphere_count", "<i4"),
        ("cylinder_first", "<i4"),  # rows of `cylinders` (x y z r height)
        ("cylinder_count", "<i4"),
        ("sorting", "<f4", 4),
        ("height", "<f4"),
        ("radius", "<f4"),
        ("step_up", "<f4"),
        ("step_down", "<f4"),
        ("flags", "<u4"),  # of the Setup
    ],
    align=True,
)

EVENT_DTYPE: Final = np.dtype(
    [
        ("kind", "u1"),  # EVENT_*
        ("cause", "u1"),  # CAUSE_* of a cell write
        ("flags", "u1"),  # planes of a part; 1 added_outside, 2 do_not_load_cells of an array
        ("spare", "u1"),
        ("object", "<i4"),
        ("guid", "<u4"),
        ("home_id", "<u4"),  # of a static, with its index: rows are given out again, names are not
        ("home_index", "<i4"),
        ("other", "<i4"),  # the parent, or the root whose array is taken
        ("other_guid", "<u4"),
        ("old", "<u4"),  # a cell id; of an array or shadow: how many cells; of a part: its mesh id
        ("new", "<u4"),  # a cell id
        ("part", "<i4"),
        ("place", "<i4"),
    ],
    align=True,
)

OBJECT_LINKS: Final = (
    "cell", "cell_next", "cell_prev", "parent", "first_child", "last_child", "next_sibling",
    "prev_sibling", "pose_first", "shape", "shadow_first", "place_first",
)  # fmt: skip

FREE: Final = 0
OBJECT: Final = 1
BUILDING: Final = 2
LAND: Final = 1
ENV: Final = 2

MARK_LATE: Final = 1  # its last computation met something that was not resident (register D12)
MARK_EXAMINATION: Final = 2  # retail's m_bExaminationObject
MARK_ACTIVE_CHILD: Final = 4

FLAG_OUTSIDE: Final = 1  # of a cell array that is to be published
FLAG_DO_NOT_LOAD: Final = 2
FLAG_MISSED: Final = 4

PART_NODRAW: Final = 1
PART_ALWAYS_2D: Final = 2
PART_LUMINOSITY: Final = 4
PART_DIFFUSE: Final = 8

EVENT_CELL_ARRAY: Final = 1
EVENT_ARRAY_CELL: Final = 2
EVENT_ADD_SHADOW: Final = 3
EVENT_ADD_PART: Final = 4
EVENT_REMOVE_SHADOW: Final = 5
EVENT_REMOVE_PART: Final = 6
EVENT_CELL_WRITE: Final = 7

CAUSES: Final = (
    "",
    "move",
    "place",
    "teleport",
    "force",
    "static",
    "withdraw",
    "delete",
    "lost",
    "attach",
    "propagate",
)
CAUSE_MOVE: Final = 1
CAUSE_PLACE: Final = 2
CAUSE_TELEPORT: Final = 3
CAUSE_FORCE: Final = 4
CAUSE_STATIC: Final = 5
CAUSE_WITHDRAW: Final = 6
CAUSE_DELETE: Final = 7
CAUSE_LOST: Final = 8
CAUSE_ATTACH: Final = 9
CAUSE_PROPAGATE: Final = 10

# `control`: the graph's few scalars, in an array that kernels may write
RECORDING: Final = 0  # 1 while events are written
EVENT_COUNT: Final = 1
SHADOW_TOTAL: Final = 2  # rows in use, for the counts of a checkpoint
ENTRY_TOTAL: Final = 3
EVENTS_LOST: Final = 4  # must stay 0: there was no room

# slab pools that kernels hand out from: meta[USED], meta[SIZE], then one free list a size class
USED: Final = 0
SIZE: Final = 1
FREE_LISTS: Final = 2
META_SIZE: Final = 36

NO_STRUCTURE: Final = -1


@bundle
class Arrays(NamedTuple):
    """What every kernel of the graph takes: one argument, one signature."""

    control: I64
    events: Struct
    objects: Struct
    parts: Struct
    poses: F32  # (n, 7)
    shadows: Struct
    places: I32
    entries: Struct
    order: I32  # this and `ranks` are the painter's to write (L6)
    ranks: I32
    shadow_meta: I64
    place_meta: I64
    entry_meta: I64
    lights: Struct
    cells: Struct
    blocks: Struct
    block_of: I32  # (65536,) id >> 16 to block slot, -1 not there
    env_table: I32  # env_table[env_first + low - 0x100] is a slot, -1 not there
    portals: Struct
    stabs: U32
    planes: F32  # (n, 4)
    buildings: Struct
    building_portals: Struct
    shapes: Struct
    spheres: F32  # (n, 4)
    cylinders: F32  # (n, 5)
    gfx: Struct  # the models' pool, GFX_DTYPE
    swne: U8  # (blocks, 64)
    heights: F32  # (blocks, 9, 9), x-major
    terrain_planes: F32  # (blocks, 64, 2, 4)
    water: U8  # (blocks, 64)
    terrain: U16  # (blocks, 81)
    stack: I32  # scratch of the tree walks, one longer than `objects`

"""What a frame is walked with: layouts, bundles and counters; marks, and the two alpha lists.

`parts.py` draws parts with them, `openings.py` buildings and cells, `walk.py` the whole.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acclient_py.core import F32, F64, I32, I64, U32, Real, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.bundles import bundle
from acclient_py.kernels.ops import (
    F_DRAINED,
    FLUSH,
    SITE_CELL,
)

SLOT_DTYPE: Final = np.dtype(
    [
        ("first", "<u4"),
        ("count", "<u4"),
        ("base", "<i4"),
        ("material", "<u4"),
        ("state", "u1"),  # pipeline state
        ("mask", "u1"),  # 1 stippled, 2 alpha, 4 translucent, 8 clip: what is deferred
        ("textured", "u1"),
        ("spare", "u1"),
        ("detail", "<u4"),  # material of the pass over it while a detail surface is current
    ],
    align=True,
)
NO_DETAIL: Final = 0xFFFFFFFF

LEVEL_DTYPE: Final = np.dtype(
    [("gfx", "<i4"), ("mode", "<u4"), ("low", "<f4"), ("ideal", "<f4"), ("high", "<f4")]
)

# `counters` of a walk
N_RECORDS: Final = 0
N_INSTANCES: Final = 1
N_CLIP: Final = 2
N_ALPHA: Final = 3
FULL: Final = 4  # 1 when the stream or the instances did not fit
STAMP: Final = 5  # the frame stamp, raised by each frame
MARKS: Final = 6  # 1 when the marks of the transcript are written
PLAYER: Final = 7  # row of the player's object, -1 none
CAMERA_X: Final = 8  # the camera's block
CAMERA_Y: Final = 9
SEALS: Final = 10  # retail's portalsDrawnCount, carried from frame to frame
PARTS_DRAWN: Final = 11
LEAVES_DRAWN: Final = 12
PARTS_TESTED: Final = 13
DROPPED: Final = 14  # entries beyond the lists' 3000 slots
N_PORTAL_VERTICES: Final = 15
ROOT: Final = 16  # slot of the eye's env cell, -1 outdoors
VIEWS: Final = 17  # views of the outside that the frame found
ON_WINDOW: Final = 18  # 1 when the camera's block is a place of the window
SKY_BEFORE: Final = 19  # parts of the sky's passes; -1: no sky
SKY_AFTER: Final = 20
LAMPS: Final = 21  # lamps of this frame, in the first rows of `instances`
MOVING_LAMPS: Final = 22  # of them, those of movers
LAMP_SET: Final = 23  # row of the last set of lamps, -1 none
WALL_SET: Final = 24  # row of the set of all movers' lamps, -1 none
DETAIL: Final = 25  # which detail surfaces there are, DETAIL_*
ASTRAY: Final = 26  # row of a part whose frame is not finite, plus 1; 0 none was met
COUNTERS: Final = 27

DETAIL_BUILDINGS: Final = 1
DETAIL_CELLS: Final = 2

# regimes of light, as in world.vert
SUN: Final = np.float32(0.0)
INDOOR: Final = np.float32(1.0)
BAKED: Final = np.float32(2.0)
REGIMES: Final = 4  # a regime plus this times the rows back to a set of lamps

ZERO: Final = np.float32(0.0)
ONE: Final = np.float32(1.0)
TWO: Final = np.float32(2.0)
NEVER: Final = np.float32(3.4028234663852886e38)  # retail's first CYpt
FAR_CELL: Final = np.float32(50.0)
OBJECT_LIMIT_SQ: Final = np.float32(625.0)
PARTICLE_LIMIT_SQ: Final = np.float32(256.0)
DEGRADE_ALLOWANCE: Final = np.float32(50.0)
NO_TABLE_DISTANCE: Final = np.float32(100.0)  # how far an emitter's particles without levels show
GONE: Final = 0xFFFF  # the level of a particle that is farther than its emitter shows any
BLOCK_SIZE: Final = np.float32(192.0)
PARTICLE_EMITTER: Final = 0x1000
PART_NODRAW: Final = 1
PART_LUMINOSITY: Final = 4
PART_DIFFUSE: Final = 8
PLAIN: Final = 1  # the mode of a level of detail that turns nowhere
EPS: Final = np.float32(0.00019999999)
ROOM: Final = 512  # records that one part or one mark may need at most
DRAIN_SHARE: Final = 2250  # 0.75 of 3000 (L9)


GFX_MESH_DTYPE: Final = np.dtype(
    [
        ("mesh", "<i4"),  # row of `meshes`, -1 nothing to draw
        ("level_first", "<i4"),  # run of `levels`
        ("level_count", "<i4"),  # 0: no levels of detail
        ("node_root", "<i4"),  # root of a shell's portal nodes, -1 none
    ]
)
MESH_DTYPE: Final = np.dtype([("slot_first", "<i4"), ("slot_count", "<i4")])
LEAF_DTYPE: Final = np.dtype(
    [
        ("first", "<i4"),  # first index of the block's leaves, -1 not there
        ("base", "<i4"),  # number of its first vertex
    ]
)


@bundle
class Meshes(NamedTuple):
    """What can be drawn: index ranges by mesh and surface slot. Owned by `render/assets.py`."""

    gfx: Struct  # (gfx rows,) GFX_MESH_DTYPE
    meshes: Struct  # MESH_DTYPE
    slots: Struct  # SLOT_DTYPE
    levels: Struct  # LEVEL_DTYPE
    looks: I32  # by look of a part: first of `look_meshes`, one a level of detail; -1 none
    look_meshes: I32
    cell_mesh: I32  # (cell slots,) mesh row of an env cell, -1 none
    leaves: Struct  # (block slots,) LEAF_DTYPE


@bundle
class Membership(NamedTuple):
    """The graph's arrays that the walk reads (`physics/layout.py` says what is in them)."""

    objects: Struct
    parts: Struct
    shadows: Struct
    entries: Struct
    order: I32  # this and `ranks` alone are written (L6)
    ranks: I32
    cells: Struct
    blocks: Struct
    block_of: I32
    env_table: I32
    portals: Struct
    stabs: U32
    buildings: Struct
    building_portals: Struct
    gfx: Struct


PART_MEMORY_DTYPE: Final = np.dtype(
    [
        ("cypt", "<f4"),
        ("stamp", "<u4"),  # of the frame that drew it last
        ("owner", "<u4"),  # whose part it was when cypt was written
        ("level", "<u4"),  # of detail
        ("mode", "<u4"),  # of that level: PLAIN, 2 faces the eye, 3 4 5 turns about x y z
        ("heading", "<f4", 3),  # from the eye to it, where the mode asks for it
    ]
)


@bundle
class Memory(NamedTuple):
    """What the painter remembers from frame to frame, and the rings that it fills."""

    counters: I64  # COUNTERS
    stream: Struct  # order.stream.DRAW_DTYPE
    instances: F32  # (n, 16): three rows of the matrix, then alpha, luminosity, diffuse, regime
    clip: Struct  # DRAW_DTYPE, 3000
    alpha: Struct
    parts: Struct  # PART_MEMORY_DTYPE by row of `parts`
    cell_stamp: U32  # by cell slot
    keys: F32  # scratch of one cell's sort
    scratch: I32
    blank: Struct  # one record of zeros
    vertices: F32  # (n, 3) corners of openings
    lamps: F32  # (47, 16), as `kernels/lamps.py` says


@bundle
class Eye(NamedTuple):
    """The eye of a frame, relative to the camera's block."""

    world_to_clip: F32  # (4, 4), row vectors
    at: F32  # (3,)
    basis: F64  # (3, 3): ahead, right at the picture's edge, up at its edge
    size: F64  # (2,) pixels
    near_plane: F32  # (4,)


VIEW_DTYPE: Final = np.dtype(
    [
        ("plane_count", "<i4"),
        ("point_count", "<i4"),
        ("next", "<i4"),  # of the same cell, -1 the last
        ("spare", "<i4"),
        ("planes", "<f4", (32, 4)),  # near plane, then one an edge, all through the eye
        ("points", "<f4", (32, 2)),  # pixels, counter-clockwise with y up
    ]
)


@kernel(inner=True)
def mark(
    memory: Memory, op: Whole, flags: Whole, owner: Whole, first: Whole, count: Whole, cypt: Real
) -> None:
    """Append a record that draws nothing, when the transcript wants marks."""
    c = memory.counters
    if c[MARKS] == 0:
        return
    n = c[N_RECORDS]
    if n >= len(memory.stream):
        c[FULL] = 1
        return
    stream = memory.stream
    stream[n] = memory.blank[0]
    r = stream[n]
    r.op = op
    r.flags = flags
    r.first = first
    r.count = count
    r.owner = owner
    r.cypt = cypt
    c[N_RECORDS] = n + 1


@kernel(inner=True)
def flush_alpha_list(memory: Memory, site: Whole, threshold: Whole) -> None:
    """Drain the two lists into the stream if one of them holds `threshold` entries.

    Clip entries first, each list in the order in which it was filled; nothing sorts them.
    Retail: D3DPolyRender::FlushAlphaList @0x0059D2E0.
    """
    # contract: L9
    c = memory.counters
    clips = c[N_CLIP]
    alphas = c[N_ALPHA]
    drains = clips >= threshold or alphas >= threshold
    if c[MARKS]:
        share = np.float32(0.75) if site == SITE_CELL else ZERO
        mark(memory, FLUSH, F_DRAINED if drains else 0, site, clips, alphas, share)
    if not drains:
        return
    n = c[N_RECORDS]
    if n + clips + alphas > len(memory.stream):
        c[FULL] = 1
        return
    stream = memory.stream
    clip = memory.clip
    alpha = memory.alpha
    for i in range(clips):
        stream[n] = clip[i]
        n += 1
    for i in range(alphas):
        stream[n] = alpha[i]
        n += 1
    c[N_RECORDS] = n
    c[N_CLIP] = 0
    c[N_ALPHA] = 0


@kernel(inner=True)
def has_room(memory: Memory, records: Whole) -> bool:
    """Whether that many records and one matrix fit; if not, the frame is marked as full."""
    c = memory.counters
    if (
        c[N_RECORDS] + records + ROOM > len(memory.stream)
        or c[N_INSTANCES] + 2 > len(memory.instances)
    ):  # fmt: skip
        c[FULL] = 1
        return False
    return True

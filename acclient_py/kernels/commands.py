"""Draw records made into GPU commands: neighbours of one state become one run.

Ground leaves that follow one another become one command over a streamed run of indices; everything
else keeps its index range. A run is what one call draws.

Nothing is swapped but this, which changes no bit of colour or depth: the detail passes of opaque
surfaces wait for the end of their opaque run. Say such a pass has depth d at a pixel. Its surface
was drawn before, so what stands there is at d or nearer. Now an opaque draw (LESS, no blending)
comes in between. Where it writes, it is nearer than d: it paints over a pass that came first, and a
pass that comes after (LESS or equal) fails; the same. Where it does not write, it changes nothing.
The passes keep their order among themselves.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import I32, U32, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.ops import (
    LAST_DRAW,
    LAYOUT_PORTAL,
    LAYOUT_WORLD,
    S_DETAIL,
    S_OPAQUE,
    TERRAIN,
)

# columns of `runs`
RUN_STATE: Final = 0
RUN_FIRST: Final = 1  # command; of portals the first corner
RUN_COUNT: Final = 2
RUN_LAYOUT: Final = 3
RUN_COLUMNS: Final = 4

# columns of a command, as glMultiDrawElementsIndirect wants them
INDEX_COUNT: Final = 0
INSTANCES: Final = 1
FIRST_INDEX: Final = 2
BASE_VERTEX: Final = 3
BASE_INSTANCE: Final = 4
COMMAND_COLUMNS: Final = 5

NO_SURFACE: Final = 0xFFFFFFFF
ONE: Final = np.uint64(1)
TWO, THREE, FOUR, FIVE = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(5)
OPAQUE: Final = S_OPAQUE | LAYOUT_WORLD << 16  # state and layout of a run


@kernel(inner=True)
def details_of(
    stream: Struct,
    first: Whole,
    end: Whole,
    place: Whole,
    instance_base: Whole,
    draw_base: Whole,
    commands: U32,
    draw_data: U32,
) -> Whole:
    """Commands of the detail passes among stream[first:end], from `place` on; the place after."""
    n = np.uint64(place)
    for i in range(np.uint64(first), np.uint64(end)):
        record = stream[i]
        if record.op > LAST_DRAW or record.state != S_DETAIL:
            continue
        commands[n, INDEX_COUNT] = record.count
        commands[n, INSTANCES] = 1
        commands[n, FIRST_INDEX] = record.first
        commands[n, BASE_VERTEX] = np.uint32(record.base)
        commands[n, BASE_INSTANCE] = np.uint32(np.uint64(draw_base) + n)
        draw_data[n, 0] = record.instance + np.uint32(instance_base)
        draw_data[n, 1] = record.material
        n += ONE
    return np.int64(n)


@kernel
def build_commands(
    stream: Struct,
    count: Whole,
    leaves: Struct,
    terrain_index: U32,
    instance_base: Whole,
    draw_base: Whole,
    stream_base: Whole,
    commands: U32,
    draw_data: U32,
    index_stream: U32,
    runs: I32,
    out: I32,
) -> None:
    """Turn records into commands and runs.

    stream, count   : DRAW_DTYPE records of the frame
    leaves          : (block slots,) LEAF_DTYPE
    terrain_index   : (block slots, 384) uint32 absolute vertex numbers of its leaves
    instance_base   : added to each record's instance row ; draw_base : first row of draw data
    stream_base     : number of index_stream[0] in the index buffer
    commands        : (n, 5) uint32 out ; draw_data : (n, 2) uint32 out
    index_stream    : (n,) uint32 out ; runs : (n, 4) int32 out
    out             : (3,) int32 out: commands, runs, streamed indices
    """
    # unsigned places: a signed index might count from the end, which is asked at every access
    n = np.uint64(0)
    run = np.uint64(0)  # the next one
    first = np.int64(0)  # command or corner of the open run
    size = np.int64(0)
    streamed = np.uint64(0)
    leaf = np.uint64(0)  # command of the open leaf
    leaf_open = False
    leaf_indices = np.uint32(0)
    state = np.uint32(0x100)  # of the open run, and its layout: none yet
    since = np.uint64(0)  # the record that the open run begins with
    under = np.uint64(0)  # the last surface of the open run
    later = False  # detail passes wait for the end of the open run
    for i in range(np.uint64(count)):
        record = stream[i]
        op = record.op
        if op > LAST_DRAW:
            continue
        both = np.uint32(record.state) | np.uint32(np.uint32(record.layout) << np.uint32(16))
        breaks = both != state
        if not breaks and record.layout == LAYOUT_PORTAL:  # corners mostly lie end to end
            breaks = np.int64(record.first) != first + size
        if breaks and record.state == S_DETAIL and state == OPAQUE and size > 0:
            own = stream[under]  # contract: L10
            if (
                record.first == own.first
                and record.count == own.count
                and record.base == own.base
                and record.instance == own.instance
                and own.op != TERRAIN
            ):
                later = True
                continue
        if breaks:
            if run > 0:
                runs[run - ONE, RUN_FIRST] = first
                runs[run - ONE, RUN_COUNT] = size
            if leaf_open:
                commands[leaf, INDEX_COUNT] = leaf_indices
            if later:
                later = False
                first = np.int64(n)
                n = np.uint64(
                    details_of(stream, since, i, n, instance_base, draw_base, commands, draw_data)
                )
                runs[run, RUN_STATE] = S_DETAIL
                runs[run, RUN_LAYOUT] = LAYOUT_WORLD
                runs[run, RUN_FIRST] = first
                runs[run, RUN_COUNT] = np.int64(n) - first
                run += ONE
            state = both
            since = np.uint64(i)
            runs[run, RUN_STATE] = record.state
            runs[run, RUN_LAYOUT] = record.layout
            run += ONE
            first = np.int64(n)
            size = np.int64(0)
            leaf_open = False
        if record.layout == LAYOUT_PORTAL:
            if size == 0:
                first = np.int64(record.first)
            size += np.int64(record.count)
            continue
        under = np.uint64(i)
        if op == TERRAIN:
            b = np.uint64(record.instance)
            at = np.uint64(np.int64(record.first) - leaves[b].first)
            if not leaf_open:
                leaf_open = True
                leaf = n
                leaf_indices = np.uint32(0)
                commands[n, INSTANCES] = 1
                commands[n, FIRST_INDEX] = np.uint32(np.uint64(stream_base) + streamed)
                commands[n, BASE_VERTEX] = 0
                commands[n, BASE_INSTANCE] = np.uint32(np.uint64(draw_base) + n)
                draw_data[n, 0] = 0
                draw_data[n, 1] = NO_SURFACE
                n += ONE
                size += 1
            # all six are read before one is written: they move as two words of the machine
            i0 = terrain_index[b, at]
            i1 = terrain_index[b, at + ONE]
            i2 = terrain_index[b, at + TWO]
            i3 = terrain_index[b, at + THREE]
            i4 = terrain_index[b, at + FOUR]
            i5 = terrain_index[b, at + FIVE]
            index_stream[streamed] = i0
            index_stream[streamed + ONE] = i1
            index_stream[streamed + TWO] = i2
            index_stream[streamed + THREE] = i3
            index_stream[streamed + FOUR] = i4
            index_stream[streamed + FIVE] = i5
            streamed += np.uint64(6)
            leaf_indices += np.uint32(6)
            continue
        if leaf_open:
            leaf_open = False
            commands[leaf, INDEX_COUNT] = leaf_indices
        commands[n, INDEX_COUNT] = record.count
        commands[n, INSTANCES] = 1
        commands[n, FIRST_INDEX] = record.first
        commands[n, BASE_VERTEX] = np.uint32(record.base)
        commands[n, BASE_INSTANCE] = np.uint32(np.uint64(draw_base) + n)
        draw_data[n, 0] = record.instance + np.uint32(instance_base)
        draw_data[n, 1] = record.material
        n += ONE
        size += 1
    if run > 0:
        runs[run - ONE, RUN_FIRST] = first
        runs[run - ONE, RUN_COUNT] = size
    if leaf_open:
        commands[leaf, INDEX_COUNT] = leaf_indices
    if later:
        first = np.int64(n)
        n = np.uint64(
            details_of(stream, since, count, n, instance_base, draw_base, commands, draw_data)
        )
        runs[run, RUN_STATE] = S_DETAIL
        runs[run, RUN_LAYOUT] = LAYOUT_WORLD
        runs[run, RUN_FIRST] = first
        runs[run, RUN_COUNT] = np.int64(n) - first
        run += ONE
    out[0] = np.int32(n)
    out[1] = np.int32(run)
    out[2] = np.int32(streamed)

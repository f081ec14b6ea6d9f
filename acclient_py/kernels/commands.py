"""Draw records made into GPU commands: neighbours of one state become one run.

Nothing is ever swapped. Ground leaves that follow one another become one command over a streamed
run of indices; everything else keeps its index range. A run is what one call draws.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import I32, U32, Struct, Whole
from acclient_py.kernels import kernel
from acclient_py.kernels.ops import LAST_DRAW, LAYOUT_PORTAL, TERRAIN

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
    n = 0
    run = -1
    streamed = 0
    open_leaf = False
    state = np.int64(-1)
    layout = np.int64(-1)
    for i in range(count):
        op = stream[i].op
        if op > LAST_DRAW:
            continue
        breaks = np.int64(stream[i].state) != state or np.int64(stream[i].layout) != layout
        if not breaks and layout == LAYOUT_PORTAL:  # corners of neighbours mostly lie end to end
            breaks = np.int64(stream[i].first) != runs[run, 1] + runs[run, 2]
        if breaks:
            state = np.int64(stream[i].state)
            layout = np.int64(stream[i].layout)
            run += 1
            runs[run, 0] = state
            runs[run, 1] = n
            runs[run, 2] = 0
            runs[run, 3] = layout
            open_leaf = False
        if layout == LAYOUT_PORTAL:
            if runs[run, 2] == 0:
                runs[run, 1] = np.int32(stream[i].first)
            runs[run, 2] += np.int32(stream[i].count)
            continue
        if op == TERRAIN:
            b = stream[i].instance
            at = np.int64(stream[i].first) - leaves[b].first
            if not open_leaf:
                open_leaf = True
                commands[n, 0] = 0
                commands[n, 1] = 1
                commands[n, 2] = stream_base + streamed
                commands[n, 3] = 0
                commands[n, 4] = draw_base + n
                draw_data[n, 0] = 0
                draw_data[n, 1] = NO_SURFACE
                n += 1
                runs[run, 2] += 1
            for k in range(6):
                index_stream[streamed + k] = terrain_index[b, at + k]
            streamed += 6
            commands[n - 1, 0] += np.uint32(6)
            continue
        open_leaf = False
        commands[n, 0] = stream[i].count
        commands[n, 1] = 1
        commands[n, 2] = stream[i].first
        commands[n, 3] = np.uint32(stream[i].base)
        commands[n, 4] = draw_base + n
        draw_data[n, 0] = stream[i].instance + np.uint32(instance_base)
        draw_data[n, 1] = stream[i].material
        n += 1
        runs[run, 2] += 1
    out[0] = n
    out[1] = run + 1
    out[2] = streamed

"""The words of the draw stream as plain numbers, for kernels; `order/stream.py` gives them names.

A record's `op` says what one step of the walk did. Those up to LAST_DRAW draw; the rest are marks.
"""

from __future__ import annotations

from typing import Final

# draws
SKY: Final = 1
TERRAIN: Final = 2
PUNCH: Final = 3
SEAL: Final = 4
SHELL: Final = 5
CELL: Final = 6
PART: Final = 7
CLIP: Final = 8
ALPHA: Final = 9
WEATHER: Final = 10
CLEAR_DEPTH: Final = 11
LAST_DRAW: Final = 11
# marks without work for the GPU
VIEW: Final = 20
SKY_PASS: Final = 21
BLOCK: Final = 22
SORT: Final = 23
LAND_CELL: Final = 24  # not visible, its DrawSortCell still ran
BUILDING: Final = 25
FLUSH: Final = 26
OBJ_CELL: Final = 27
LOOK_IN: Final = 28
STAMP: Final = 29
SORTED: Final = 30  # one part's place after a sort
PART_TURN: Final = 31  # a part is drawn or put off
ENV_CELL: Final = 32  # an env cell's shell follows

# pipeline states, spec/rendering.md 10.3
S_OPAQUE: Final = 0
S_CLIP: Final = 1
S_BLEND: Final = 2
S_DETAIL: Final = 3
S_MASK: Final = 4
S_SKY: Final = 5
S_CLEAR: Final = 6
STATES: Final = 7

# flush sites
SITE_CELL: Final = 0
SITE_BUILDING: Final = 1
SITE_LANDSCAPE: Final = 2
SITE_END: Final = 3

# what a record's flags say
F_CLIP_LIST: Final = 1
F_DRAINED: Final = 2
F_DEFERRED_CLIP: Final = 4
F_DEFERRED_ALPHA: Final = 8
F_DETAIL: Final = 16  # the pass of a detail surface

LAYOUT_WORLD: Final = 0
LAYOUT_PORTAL: Final = 1

LIST_SLOTS: Final = 3000  # room of each of the two alpha lists
NO_OWNER: Final = 0xFFFFFFFF

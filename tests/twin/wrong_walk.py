"""Wrong walks by name; each must be told from the right one by the plain walk.

`NUMBA_DISABLE_JIT=1 python -m twin.wrong_walk unstable_sort` breaks it and tells worlds until one
differs; the exit code is 0 when one did.
"""

from __future__ import annotations

import sys

from sabotage.patching import apply

WORLDS = 60
FIRST = {"list_of_the_cell": 30, "cells_as_they_came": 150}
"""The first world that is told, where those before it do not tell the two apart."""
FRAMES = 4
WALK = "acclient_py.kernels.walk"
OPENINGS = "acclient_py.kernels.openings"
FLOOD = "acclient_py.kernels.flood"
PARTS = "acclient_py.kernels.parts"


def unstable_sort() -> None:
    """L6 forbids it: equal distances swap."""
    apply(
        "acclient_py.kernels.sort:sort_parts",
        "        if not keys[j] > key:\n"
        "            continue\n"
        "        entry = permutation[at + i]\n"
        "        while j < n and keys[j] > key:\n",
        "        if not keys[j] >= key:\n"
        "            continue\n"
        "        entry = permutation[at + i]\n"
        "        while j < n and keys[j] >= key:\n",
    )


def fresh_sort() -> None:
    """L6 forbids it: a copy of the list is sorted anew, so ties forget the frame before."""
    apply(
        "acclient_py.kernels.parts:sort_cell",
        "    for k in range(np.uint64(count)):\n",
        "    for k in range(count):\n"
        "        order[first + k] = k\n"
        "    for k in range(np.uint64(count)):\n",
    )


def shell_before_look_ins() -> None:
    """L7 forbids it: the shell's depth is there before the openings are punched."""
    apply(
        f"{OPENINGS}:draw_building_portals",
        "    c = memory.counters\n",
        "    c = memory.counters\n"
        "    draw_shell(g.buildings, g.objects, g.parts, g.gfx, meshes, memory, window.views, b,\n"
        "               g.parts[g.objects[g.buildings[b].object].part_first].gfx, c[VIEWS])\n",
    )


def punch_by_punch() -> None:
    """Rendering 4.2 forbids it: each opening is punched and filled before the next is punched."""
    apply(
        f"{OPENINGS}:draw_portal",
        "            emit_portal(memory, flood, vertices, n, PUNCH, b, number, view)\n"
        "        return\n",
        "            emit_portal(memory, flood, vertices, n, PUNCH, b, number, view)\n",
    )
    apply(f"{OPENINGS}:draw_building_portals", "range(2 * c[VIEWS])", "range(0, 2 * c[VIEWS], 2)")


def drain_by_cell() -> None:
    """L9 forbids it: every cell drains the lists."""
    apply(
        f"{WALK}:walk_landscape",
        "flush_alpha_list(memory, SITE_CELL, DRAIN_SHARE)",
        "flush_alpha_list(memory, SITE_CELL, 0)",
    )


def last_view_only() -> None:
    """L3 forbids it: a later view lowers what an earlier one admitted."""
    apply(
        "acclient_py.kernels.cull:check_blocks",
        "cell_in_view[q, c] = seen if seen != 0 else rating",
        "cell_in_view[q, c] = rating",
    )


def list_of_the_cell() -> None:
    """Rendering 4.3 forbids it: a look-in enters what the cell's own list names."""
    apply(
        f"{OPENINGS}:draw_portal",
        "        g.building_portals[portal].stab_first,\n"
        "        g.building_portals[portal].stab_count,\n",
        "        g.cells[root].stab_first,\n        g.cells[root].stab_count,\n",
    )


def cells_as_they_came() -> None:
    """Rendering 4.5 forbids it: a cell that turns out to be nearer keeps its place in the list."""
    apply(f"{FLOOD}:move_before", "here <= there:", "here >= 0:")


def turning_back() -> None:
    """Rendering 4.5 forbids it: the flood goes back through the door that it came by."""
    apply(
        f"{FLOOD}:init_cell",
        "            here.inward = 1\n            here.seen = 1\n",
        "            here.inward = 0\n            here.seen = 1\n",
    )


def seals_of_this_frame() -> None:
    """Section 5 forbids it: the depth is cleared whatever the frame before has sealed."""
    apply(f"{WALK}:seal_exits", "    if before:\n", "    if before >= 0:\n")


def one_stamp_a_frame() -> None:
    """Section 5 forbids it: what stands in the doorway is not drawn again with the inside."""
    apply(f"{WALK}:seal_exits", "    c[STAMP] += 1\n", "")


def lamps_of_the_part_before() -> None:
    """Rendering 7.4 forbids it: a part has the lamps of the part that was drawn before it."""
    apply(f"{PARTS}:lamps_of_part", "        for k in range(found):\n", "        for k in ():\n")


def no_plane_is_thick() -> None:
    """Rendering 4.5 forbids it: an eye within 0.2 mm of an opening's plane is on a side of it."""
    apply(
        f"{FLOOD}:init_cell",
        "(d > EPS and side != 0) or (d < -EPS and side == 0)",
        "(d > 0.0 and side != 0) or (d <= 0.0 and side == 0)",
    )


WRONG = {
    made.__name__: made
    for made in (
        unstable_sort, fresh_sort, shell_before_look_ins, punch_by_punch, drain_by_cell,
        last_view_only, list_of_the_cell, cells_as_they_came,
        turning_back, seals_of_this_frame, one_stamp_a_frame, lamps_of_the_part_before,
        no_plane_is_thick,
    )
}  # fmt: skip


def main(name: str) -> int:
    from twin.painter.telling import tell

    before = tell(0, frames=1)
    assert not before.difference, "the right one differs already"
    WRONG[name]()
    first = FIRST.get(name, 0)
    for number in range(first, first + WORLDS):
        told = tell(number, frames=FRAMES)
        if told.difference:
            print(f"caught: {name}: {told.difference}")
            return 0
    print(f"not caught in {WORLDS} worlds: {name}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

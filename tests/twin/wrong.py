"""Three wrong kernels by name; each must be told from the right one by the plain twin.

`NUMBA_DISABLE_JIT=1 python -m twin.wrong aggregate_box` breaks it and tells stories until one
differs; the exit code is 0 when one did.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from sabotage.patching import apply, replace_everywhere

from acclient_py.core.frame import local_to_global
from acclient_py.physics import transit
from acclient_py.world.pools import HAS_DRAWING, HAS_PHYSICS

STORIES = 120


def aggregate_box() -> None:
    """S3 forbids it: one box and one sphere around all parts, in place of each part's own."""
    right = transit.find_bbox_cell_list

    def wrong(g: Any, o: int, ids: Any, slots: Any, head: Any, near: Any) -> None:
        first, count = int(g.objects["part_first"][o]), int(g.objects["part_count"][o])
        parts, row = g.parts.copy(), np.zeros(1, g.gfx.dtype)
        real = [p for p in range(first, first + count) if parts["gfx"][p] >= 0]
        points = []
        for p in real:
            mesh, frame = g.gfx[parts["gfx"][p]], parts["frame"][p].copy()
            for x in (mesh["box_min"][0], mesh["box_max"][0]):
                for y in (mesh["box_min"][1], mesh["box_max"][1]):
                    for z in (mesh["box_min"][2], mesh["box_max"][2]):
                        points.append(local_to_global(frame, x, y, z))
        if real:
            low, high = np.min(points, axis=0), np.max(points, axis=0)
            row["box_min"], row["box_max"] = low, high
            sphere = (*((low + high) / 2), float(np.linalg.norm(high - low)) / 2)
            row["physics_sphere"] = row["drawing_sphere"] = sphere
            row["flags"] = HAS_PHYSICS | HAS_DRAWING
            parts["gfx"][real] = len(g.gfx)
            parts["frame"][real] = (0, 0, 0, 1, 0, 0, 0)
            origin = g.parts["frame"][real[0]][:3]
            row["box_min"] -= origin
            row["box_max"] -= origin
            row["physics_sphere"][0, :3] -= origin
            row["drawing_sphere"][0, :3] -= origin
            for p in real:
                parts["frame"][p][:3] = origin
        right(g._replace(parts=parts, gfx=np.concatenate((g.gfx, row))), o, ids, slots, head, near)

    replace_everywhere(right, wrong)


def ordered_removal() -> None:
    """3.1 forbids it: a shadow leaves a cell's list and the others close up in order."""
    apply(
        "acclient_py.physics.shadow:republish",
        """                    end = shadows[last]
                    if n != last:
                        q = end["prev"]
                        shadows[q]["next"] = -1
                        here["shadows_last"] = q
                        end["next"] = n
                        shadows[n]["prev"] = last
                    end["prev"] = p
                    if p >= 0:
                        shadows[p]["next"] = last
                    else:
                        here["shadows_first"] = last
""",
        """                    shadows[n]["prev"] = p
                    if p >= 0:
                        shadows[p]["next"] = n
                    else:
                        here["shadows_first"] = n
""",
    )


def children_left_out() -> None:
    """S6 forbids it: the root publishes for itself and its children get nothing."""
    apply(
        "acclient_py.physics.shadow:republish",
        "            n_shadows = count\n            if me",
        "            n_shadows = count if o == root else 0\n            if me",
    )


WRONG = {made.__name__: made for made in (aggregate_box, ordered_removal, children_left_out)}


def main(name: str) -> int:
    from twin.driver import run

    before = run(0, length=4)
    assert before.difference is None, "the right one differs already"
    WRONG[name]()
    for number in range(STORIES):
        outcome = run(number, length=20)
        if outcome.difference is not None and not outcome.undecided:
            print(f"caught: {name}: story {number}: {str(outcome.difference)[:200]}")
            return 0
    print(f"not caught in {STORIES} stories: {name}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""The rows of many statics, laid out from the patterns of their Setups in one pass.

A row is copied as words: a record's fields one by one would cost four times as much. What differs
from static to static (where its parts lie, its scale, its place in a manifest, which life its row
is in) is written over the copy.
"""

from __future__ import annotations

from typing import Final

from acclient_py.core import F32, I32, I64, U32, U64, Struct
from acclient_py.kernels import kernel
from acclient_py.physics.bodies import BODY_DTYPE
from acclient_py.physics.layout import OBJECT_DTYPE, PART_DTYPE, Arrays

_OBJECT_WORDS: Final = OBJECT_DTYPE.itemsize // 8
_PART_WORDS: Final = PART_DTYPE.itemsize // 4
_BODY_WORDS: Final = BODY_DTYPE.itemsize // 8

NONE: Final = -1
"""In place of a pattern: no object is made."""
APART: Final = -2
"""In place of a pattern: such statics start something, and are made one by one."""
_SPREAD: Final = 0x9E3779B1  # 2**32 over the golden ratio: data ids that follow one another part


@kernel(inner=True)
def _place_of(keys: U32, did: int) -> int:
    """Where a data id is in a table with open addresses, or the free place where it belongs."""
    mask = keys.shape[0] - 1
    at: int = ((did * _SPREAD) >> 8) & mask
    while keys[at] != 0 and keys[at] != did:
        at = (at + 1) & mask
    return at


@kernel
def place_of(keys: U32, did: int) -> int:
    """keys : (2**k,) uint32, at least one of them 0. The place of a data id that is not 0."""
    return _place_of(keys, did)


@kernel
def match(keys: U32, values: I64, dids: U32, at: int, which: I64, uses: I64) -> int:
    """The patterns of data ids from the one at `at` on, up to one that the table does not have.

    keys, values : (2**k,) the table, key 0 a free place ; uses : (p,) counted up
    which        : (n,) filled; a data id of 0 has none
    Returns where it stopped: n when all are known.
    """
    while at < dids.shape[0]:
        did = int(dids[at])
        pattern = NONE
        if did != 0:
            place = _place_of(keys, did)
            if keys[place] == 0:
                return at
            pattern = values[place]
        which[at] = pattern
        if pattern >= 0:
            uses[pattern] += 1
        at += 1
    return at


@kernel
def lay_out(
    g: Arrays, objects: U64, parts: U32, bodies: U64, body_rows: Struct,
    pattern_objects: U64, pattern_parts: U32, pattern_body: U64, starts: I64, classes: I64,
    part_rows: I32, cursors: I64, which: I64, given: I32, scales: F32, homes: U32, sizes: I64,
    generations: I32, clock: float,
) -> None:  # fmt: skip
    """Fill the rows of all statics that follow a pattern: objects, parts, bodies.

    objects, parts, bodies : the graph's and the bodies' rows as words, (n, words)
    pattern_objects : (p, words) ; pattern_parts : the parts of all, pattern p's from starts[p] on
    classes   : (p,) which of `cursors` counts the runs of part rows that are as long as p's
    part_rows : first rows of runs that have been taken, those of one length side by side
    cursors   : (c,) the next of them, for each length; moved on
    which     : (n,) the pattern of each static, negative: not made here
    given     : (n,) its object row, -1 none
    homes, sizes : (h,) the manifests, one after the other, and how many statics are in each
    """
    # contract: S1
    at = 0
    for h in range(homes.shape[0]):
        for index in range(sizes[h]):
            i = at
            at += 1
            o = given[i]
            if o < 0:
                continue
            p = which[i]
            if p >= 0:
                first = part_rows[cursors[classes[p]]]
                cursors[classes[p]] += 1
                for k in range(_OBJECT_WORDS):
                    objects[o, k] = pattern_objects[p, k]
                for k in range(_BODY_WORDS):
                    bodies[o, k] = pattern_body[k]
                me = g.objects[o]
                me["part_first"] = first
                me["scale"] = scales[i]
                me["update_time"] = clock
                me["generation"] = generations[o]
                body_rows[o]["generation"] = generations[o]
                start = starts[p]
                for n in range(me["part_count"]):
                    for k in range(_PART_WORDS):
                        parts[first + n, k] = pattern_parts[start + n, k]
                    part = g.parts[first + n]
                    part["object"] = o
                    for k in range(3):
                        part["scale"][k] *= scales[i]
            g.objects["home_id"][o] = homes[h]
            g.objects["home_index"][o] = index

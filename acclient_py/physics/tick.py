"""One quantum for everything that moves (spec physics-membership 5.2, 5.9; C7, C8; register D8).

`tick_bodies` walks the objects in row order and does each one whole before the next: its sequence,
its flight, its transition, its commit, its contact. So two bodies never take the same place in one
tick, and the same input gives the same bytes at any frame rate.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from acclient_py.core.frame import set_heading, set_vector_heading, vector_heading_deg
from acclient_py.core.trig import exp, log
from acclient_py.kernels import kernel
from acclient_py.kernels.sequence import advance, combine_row, grotate
from acclient_py.physics.bodies import STEERED_LEASH, STEERED_OFFSET
from acclient_py.physics.children import set_frames
from acclient_py.physics.layout import CAUSE_MOVE, OBJECT, Arrays
from acclient_py.physics.path import (
    EPSILON,
    Int,
    block_dx,
    block_dy,
    copy,
    stored,
)
from acclient_py.physics.position import commit_kernel
from acclient_py.physics.settle import settle_body
from acclient_py.physics.state import STATIC, PhysicsState, TransientState
from acclient_py.physics.transit import ADDED_OUTSIDE, COUNT, DO_NOT_LOAD, MISSED
from acclient_py.physics.transition import init_object, init_path
from acclient_py.physics.valid import find_transitional_position

QUANTUM: Final = 1.0 / 30.0
MAX_SPEED: Final = 50.0
SMALL_SPEED_SQUARED: Final = 0.0625
ACTIVITY_RADIUS: Final = 96.0
COS_10_DEGREES: Final = 0.984807753012208

MIN_STEP: Final = 0.0002
MAX_STEP: Final = 0.2  # retail's MAX_QUANTUM
HUGE_STEP: Final = 2.0
MIN_QUANTUM: Final = 1.0 / 30.0

_ACTIVE: Final = int(TransientState.ACTIVE)
_CONTACT: Final = int(TransientState.CONTACT)
_ON_WALKABLE: Final = int(TransientState.ON_WALKABLE)
_FROZEN: Final = int(PhysicsState.FROZEN)
_HIDDEN: Final = int(PhysicsState.HIDDEN)
_SLEDDING: Final = int(PhysicsState.SLEDDING)
_ALIGNPATH: Final = int(PhysicsState.ALIGNPATH)
_HAS_DEFAULT_ANIM: Final = int(PhysicsState.HAS_DEFAULT_ANIM)
_ALL: Final = 0xFFFFFFFF

# what `tick_bodies` leaves in its `out`
LOST_COUNT: Final = 0
NEED_ROOM: Final = 1  # object whose publication lacks room, else -1
MOVED_COUNT: Final = 2


def quantum_steps(elapsed: float) -> tuple[list[float], bool]:
    """How retail splits the time since an object's last update: steps, and whether any are done.

    Here a tick is always one quantum of 1/30 s (register D8); this is the rule it stands for.
    """
    # divergence: D8
    if elapsed <= MIN_STEP or elapsed > HUGE_STEP:
        return [], False
    steps: list[float] = []
    rest = elapsed
    if rest > MAX_STEP:
        while rest > MAX_STEP:
            steps.append(MAX_STEP)
            rest -= MAX_STEP
        if rest <= MIN_QUANTUM:
            return steps, True
    return [*steps, rest], True


@kernel(inner=True)
def calc_friction(body: Any, state: Int, transient: Int, quantum: float, speed2: float) -> None:
    """The ground takes what goes into it, and some of the rest (0x50EE70)."""
    if transient & _ON_WALKABLE == 0:
        return
    v = body["velocity"]
    n = body["contact"]
    d = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    if d >= 0.25:
        return
    v[0] -= d * n[0]
    v[1] -= d * n[1]
    v[2] -= d * n[2]
    k = body["friction"]
    if state & _SLEDDING != 0:
        if speed2 < 1.5625:
            k = 1.0
        elif speed2 >= 6.25 and n[2] < COS_10_DEGREES:
            k = 0.2
    keep = 0.0
    if k < 1.0:
        keep = exp(quantum * log(1.0 - k))
    v[0] *= keep
    v[1] *= keep
    v[2] *= keep


@kernel(inner=True)
def update_physics(body: Any, state: Int, transient: Int, quantum: float, f: Any) -> None:
    """Flight over one quantum, into the frame `f` (0x510700). Nobody falls asleep on the way."""
    # divergence: D42
    v = body["velocity"]
    a = body["acceleration"]
    w = body["omega"]
    speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if speed2 > 0.0:
        if speed2 > MAX_SPEED * MAX_SPEED:
            s = MAX_SPEED / math.sqrt(speed2)
            v[0] *= s
            v[1] *= s
            v[2] *= s
            speed2 = MAX_SPEED * MAX_SPEED
        calc_friction(body, state, transient, quantum, speed2)
        if speed2 - SMALL_SPEED_SQUARED < EPSILON:
            v[0] = 0.0
            v[1] = 0.0
            v[2] = 0.0
        half = 0.5 * quantum * quantum
        for k in range(3):
            f[k] += v[k] * quantum + a[k] * half
    for k in range(3):
        v[k] += a[k] * quantum
    grotate(f, w[0] * quantum, w[1] * quantum, w[2] * quantum)


@kernel(inner=True)
def adjust_offset(body: Any, root: Any) -> None:
    """What the position corrections make of a quantum's own motion (0x512C30, spec 5.11).

    The way that interpolation or a sticky target asks for takes its place; the leash shortens it.
    """
    if body["steered"] & STEERED_OFFSET != 0:
        copy(root, body["offset"], 7)
    if body["steered"] & STEERED_LEASH != 0:
        way = 0.0
        for k in range(3):
            root[k] *= body["leash"]
            way += root[k] * root[k]
        body["travelled"] += math.sqrt(way)


@kernel(inner=True)
def take_pose(g: Arrays, obj: Int, sequence: Any, store: Any) -> None:
    """The pose of the sequence's present frame becomes the object's."""
    at = sequence["curr"]
    if at < 0:
        return
    anim = store[1][store[0][at]["anim"]]
    frame = int(math.floor(sequence["frame_number"]))
    frame = min(max(frame, 0), anim["frame_count"] - 1)
    g.objects["pose_first"][obj] = anim["pose_first"] + frame * anim["part_count"]
    g.objects["pose_count"][obj] = anim["part_count"]


@kernel
def tick_bodies(
    paths: Any,
    tables: Any,
    g: Arrays,
    bodies: Any,
    sequences: Any,
    store: Any,
    start: Int,
    stop: Int,
    player: Int,
    quantum: float,
    cells: Any,
    one: Any,
    frames: Any,
    out: Any,
    lost: Any,
    lost_frames: Any,
    scratch: Any,
) -> Int:
    """One quantum for the objects of rows `start` to `stop` - 1; the row after the last one done.

    cells   : (ids, slots, head): the path's cell array
    one     : rows of one for a commit: roots, targets, cell ids, causes, firsts, counts, flags,
              routes, more ids and slots, head, spheres, need
    frames  : (1, 7) float32 ; scratch : (3, 7) float64
    out     : LOST_COUNT, NEED_ROOM, MOVED_COUNT
    lost    : (n, 2) int64 object and cell id of what left the loaded world ; lost_frames : (n, 7)
    """
    # contract: C7, C8
    t = paths[0]
    w = tables[0]
    objects = g.objects
    ids, slots, head = cells
    roots, targets, cell_ids, causes, firsts, counts, flags, routes, head2, spheres2, need = one
    root = scratch[0]
    new = scratch[1]
    old = scratch[2]
    out[NEED_ROOM] = -1
    for obj in range(start, stop):
        if objects["kind"][obj] != OBJECT:
            continue
        state = np.int64(objects["state"][obj])
        transient = np.int64(objects["transient"][obj])
        body = bodies[obj]
        body["grounded"] = 0
        if (
            objects["parent"][obj] >= 0
            or objects["cell"][obj] < 0
            or (state & _FROZEN != 0 and state & STATIC == 0)
        ):
            if transient & _ACTIVE != 0:
                objects["transient"][obj] = np.uint32(transient & ~_ACTIVE & _ALL)
            continue
        s = body["sequence"]
        if state & STATIC != 0:
            if s >= 0 and state & _HAS_DEFAULT_ANIM != 0:
                for k in range(7):
                    root[k] = 0.0
                root[3] = 1.0
                advance(sequences, s, store, quantum, root)
                take_pose(g, obj, sequences[s], store)
                roots[0] = obj
                copy(frames[0], objects["frame"][obj], 7)
                set_frames(g, roots, frames)
            continue
        from_id = np.int64(objects["objcell_id"][obj])
        if player >= 0:  # the player is near himself, and awake again after a hold
            mine = objects["frame"][obj]
            other = objects["frame"][player]
            other_id = np.int64(objects["objcell_id"][player])
            dx = np.float64(other[0]) - mine[0] + block_dx(from_id, other_id)
            dy = np.float64(other[1]) - mine[1] + block_dy(from_id, other_id)
            dz = np.float64(other[2]) - mine[2]
            if dx * dx + dy * dy + dz * dz > ACTIVITY_RADIUS * ACTIVITY_RADIUS:
                transient &= ~_ACTIVE & _ALL
            else:
                transient |= _ACTIVE
            objects["transient"][obj] = np.uint32(transient)
        if transient & _ACTIVE == 0:
            continue
        copy(old, objects["frame"][obj], 7)
        for k in range(7):
            root[k] = 0.0
        root[3] = 1.0
        if state & _HIDDEN == 0 and s >= 0:
            advance(sequences, s, store, quantum, root)
            take_pose(g, obj, sequences[s], store)
        reach = np.float64(objects["scale"][obj]) if transient & _ON_WALKABLE != 0 else 0.0
        for k in range(3):
            root[k] *= reach
        if body["steered"] != 0:
            adjust_offset(body, root)
        copy(new, old, 7)
        combine_row(new, scratch, 0)
        if state & _HIDDEN == 0:
            update_physics(body, state, transient, quantum, new)
        for k in range(7):
            new[k] = stored(new[k])
        shape = objects["shape"][obj]
        has_spheres = shape >= 0 and g.shapes["sphere_count"][shape] > 0
        still = (
            abs(new[0] - old[0]) <= EPSILON
            and abs(new[1] - old[1]) <= EPSILON
            and abs(new[2] - old[2]) <= EPSILON
        )
        roots[0] = obj
        speed = body["cached_velocity"]
        moved = False
        if has_spheres and not still:
            if state & _ALIGNPATH != 0:
                copy(frames[0], new, 7)
                set_vector_heading(frames[0], new[0] - old[0], new[1] - old[1], new[2] - old[2])
                copy(new, frames[0], 7)
            elif state & _SLEDDING != 0:
                v = body["velocity"]
                if abs(v[0]) >= EPSILON or abs(v[1]) >= EPSILON or abs(v[2]) >= EPSILON:
                    copy(frames[0], new, 7)
                    set_heading(frames[0], vector_heading_deg(v[0], v[1]))
                    copy(new, frames[0], 7)
            init_object(t, w, obj, False)
            cell = np.int64(objects["cell"][obj])
            init_path(t, cell, from_id, old, from_id, new, True)
            head[DO_NOT_LOAD] = 0
            moved = find_transitional_position(paths, tables)
            if not moved and t["killed_velocity"] != 0:
                v = body["velocity"]
                v[0] = 0.0
                v[1] = 0.0
                v[2] = 0.0
        if not moved:
            for k in range(3):
                speed[k] = 0.0
                new[k] = old[k]
            copy(frames[0], new, 7)
            set_frames(g, roots, frames)
            continue
        curr = t["curr"]
        speed[0] = (curr[0] - old[0] + block_dx(from_id, t["curr_id"])) / quantum
        speed[1] = (curr[1] - old[1] + block_dy(from_id, t["curr_id"])) / quantum
        speed[2] = (curr[2] - old[2]) / quantum
        out[MOVED_COUNT] += 1
        if t["curr_cell"] < 0:
            n = out[LOST_COUNT]
            lost[n, 0] = obj
            lost[n, 1] = t["curr_id"]
            copy(lost_frames[n], curr, 7)
            out[LOST_COUNT] = n + 1
            continue
        targets[0] = t["curr_cell"]
        cell_ids[0] = t["curr_id"]
        causes[0] = CAUSE_MOVE
        firsts[0] = 0
        counts[0] = head[COUNT]
        flags[0] = (
            (1 if head[ADDED_OUTSIDE] != 0 else 0)
            | (2 if head[DO_NOT_LOAD] != 0 else 0)
            | (4 if head[MISSED] != 0 else 0)
        )
        copy(frames[0], curr, 7)
        done = commit_kernel(
            g,
            roots,
            targets,
            cell_ids,
            causes,
            frames,
            firsts,
            counts,
            flags,
            routes,
            ids,
            slots,
            head[COUNT],
            head2,
            spheres2,
            need,
        )
        settle_body(t, objects, bodies, obj)
        if done != 1:
            out[NEED_ROOM] = obj
            return obj + 1
    return stop

"""Particles: rows beside the parts that they move (spec rendering 8.2).

An emitter is an object of the graph, the child of the object that it belongs to, with one part for
each particle that may live at once; a dead particle's part is null. So a particle is celled, sorted
and drawn like any other part. `advance_particles` moves all of them once a tick and says which
parts came and went; `swap_parts` then writes those into the cells.

A particle's frame counts from the block of the emitter's `part_cell_id`, which is written here and
nowhere else (retail: CPhysicsObj::AddPartToShadowCells @0x00510E00 gives a part its cell id).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from acclient_py.core.trig import PI, cos, sin
from acclient_py.kernels import kernel
from acclient_py.kernels.sequence import grotate, rotate_vector
from acclient_py.physics.events import put
from acclient_py.physics.layout import (
    EVENT_ADD_PART,
    EVENT_REMOVE_PART,
    PART_ALWAYS_2D,
    PART_NODRAW,
    RECORDING,
    SIZE,
    USED,
    Arrays,
)
from acclient_py.physics.path import Int, block_dx, block_dy
from acclient_py.physics.shadow import part_in, part_out, slab_class
from acclient_py.physics.state import NODRAW
from acclient_py.world.pools import ALWAYS_2D

EMITTER_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),  # the emitter's own object; -1 a free row
        ("parent", "<i4"),
        ("part", "<i4"),  # of the parent, -1 the parent itself
        ("particle_first", "<i4"),
        ("most", "<i4"),  # particles at once
        ("pending", "<i4"),  # to be emitted at the first update
        ("count", "<i4"),  # particles that live
        ("emitted", "<i4"),
        ("total", "<i4"),  # 0: no end by number
        ("gfx", "<i4"),  # what a particle is made of
        ("type", "<i4"),  # STILL .. GLOBAL_VELOCITY
        ("kind", "<i4"),  # PER_SECOND, PER_METRE
        ("stopped", "u1"),
        ("local", "u1"),  # particles stay with the parent
        ("ended", "u1"),  # stopped, and the last particle is gone
        ("spare", "u1"),
        ("random", "<i8", 2),  # state of its own stream
        ("birthrate", "<f8"),
        ("created", "<f8"),
        ("seconds", "<f8"),  # 0: no end by time
        ("last_time", "<f8"),
        ("span", "<f8"),
        ("span_random", "<f8"),
        ("last_at", "<f4", 3),
        ("last_cell_id", "<u4"),
        ("hold", "<f4", 3),  # where it sits, in the parent's or its part's frame
        ("away", "<f4", 5),  # vector, least, most: of the offset, perpendicular to the vector
        ("a", "<f4", 5),  # vector, least, most length
        ("b", "<f4", 5),
        ("c", "<f4", 5),
        ("scale", "<f4", 3),  # first, last, random
        ("clear", "<f4", 3),  # translucency: first, last, random
    ],
    align=True,
)
PARTICLE_DTYPE: Final = np.dtype(
    [
        ("alive", "<i4"),
        ("cell_id", "<u4"),  # of the block that `start` counts from
        ("birth", "<f8"),
        ("life", "<f8"),  # seconds lived
        ("span", "<f8"),
        ("start", "<f4", 7),  # the parent's frame at birth
        ("offset", "<f4", 3),
        ("a", "<f4", 3),
        ("b", "<f4", 3),
        ("c", "<f4", 3),
        ("scale", "<f4", 2),  # first, last
        ("clear", "<f4", 2),
    ],
    align=True,
)

STILL: Final = 1
LOCAL_VELOCITY: Final = 2
PARABOLIC_LVGA: Final = 3
PARABOLIC_LVGAGR: Final = 4
SWARM: Final = 5
EXPLODE: Final = 6
IMPLODE: Final = 7
PARABOLIC_LVLA: Final = 8
PARABOLIC_LVLALR: Final = 9
PARABOLIC_GVGA: Final = 10
PARABOLIC_GVGAGR: Final = 11
GLOBAL_VELOCITY: Final = 12

PER_SECOND: Final = 1
PER_METRE: Final = 2

SMALL: Final = 0.0002
LEAST_SCALE: Final = 0.1
MOST_SCALE: Final = 10.0

# what `advance_particles` leaves in its `out`
CHANGES: Final = 0
ENDED: Final = 1

_FIRST: Final = 2147483563
_SECOND: Final = 2147483399


@kernel(inner=True)
def roll_dice(e: Any, low: float, high: float) -> float:
    """A number of the emitter's own stream, low <= x < high: two multiplicative generators."""
    state = e["random"]
    first = state[0] * 40014 % _FIRST
    second = state[1] * 40692 % _SECOND
    state[0] = first
    state[1] = second
    z = (first - second) % (_FIRST - 1)
    return low + (high - low) * (float(z) / float(_FIRST))


@kernel(inner=True)
def _turned(f: Any, v: Any, out: Any) -> None:
    x, y, z = rotate_vector(f[3], f[4], f[5], f[6], v[0], v[1], v[2])
    out[0] = x
    out[1] = y
    out[2] = z


@kernel(inner=True)
def _vector(e: Any, spread: Any, out: Any) -> None:
    """`spread`'s vector times a length between its least and most."""
    length = roll_dice(e, 0.0, 1.0) * (spread[4] - spread[3]) + spread[3]
    for k in range(3):
        out[k] = spread[k] * length


@kernel(inner=True)
def emit_particle(e: Any, p: Any, base: Any, cell_id: Int, now: float, drawn: Any) -> None:
    """A new particle `p` of emitter `e` at the parent's frame `base`; drawn : (4, 3) scratch.

    Retail: ParticleEmitter::EmitParticle @0x0051D010, Particle::Init @0x0051C930.
    """
    kind = e["type"]
    p["alive"] = 1
    p["cell_id"] = cell_id
    p["birth"] = now
    p["life"] = 0.0
    span = roll_dice(e, -1.0, 1.0) * e["span_random"] + e["span"]
    p["span"] = max(span, 0.0)
    for first in range(1, -1, -1):
        value = roll_dice(e, -1.0, 1.0) * e["clear"][2] + e["clear"][first]
        p["clear"][first] = min(max(value, 0.0), 1.0)
    for first in range(1, -1, -1):
        value = roll_dice(e, -1.0, 1.0) * e["scale"][2] + e["scale"][first]
        p["scale"][first] = min(max(value, LEAST_SCALE), MOST_SCALE)
    offset = drawn[0]
    a = drawn[1]
    b = drawn[2]
    c = drawn[3]
    _vector(e, e["c"], c)
    _vector(e, e["b"], b)
    _vector(e, e["a"], a)
    for k in range(2, -1, -1):
        offset[k] = roll_dice(e, -1.0, 1.0)
    away = e["away"]
    along = offset[0] * away[0] + offset[1] * away[1] + offset[2] * away[2]
    square = 0.0
    for k in range(3):
        offset[k] -= along * away[k]
        square += offset[k] * offset[k]
    length = math.sqrt(square)
    reach = 0.0
    if length > SMALL:
        reach = ((away[4] - away[3]) * roll_dice(e, 0.0, 1.0) + away[3]) / length
    for k in range(3):
        offset[k] = offset[k] * reach + e["hold"][k]
    for k in range(7):
        p["start"][k] = base[k]
    _turned(base, offset, p["offset"])
    for k in range(3):
        p["a"][k] = a[k]
        p["b"][k] = b[k]
        p["c"][k] = c[k]
    if kind <= SWARM or kind in (PARABOLIC_LVLA, PARABOLIC_LVLALR):
        _turned(base, a, p["a"])
    if kind in (PARABOLIC_LVLA, PARABOLIC_LVLALR):
        _turned(base, b, p["b"])
    if kind == PARABOLIC_LVLALR:
        _turned(base, c, p["c"])
    if kind == IMPLODE:
        for k in range(3):
            p["offset"][k] *= p["c"][k]
            p["c"][k] = p["offset"][k]
    if kind == EXPLODE:
        r = roll_dice(e, -PI, PI)
        t = roll_dice(e, -PI, PI)
        level = cos(t)
        x = cos(r) * c[0] * level
        y = sin(r) * c[1] * level
        z = sin(t) * c[2]
        length = math.sqrt(x * x + y * y + z * z)
        if length > SMALL:
            p["c"][0] = x / length
            p["c"][1] = y / length
            p["c"][2] = z / length
        else:
            for k in range(3):
                p["c"][k] = 0.0


@kernel(inner=True)
def move_particle(kind: Int, p: Any, base: Any, out: Any) -> None:
    """Where a particle is after its life so far; out : (7,) float64 frame, its turn untouched
    unless the type turns it.

    Retail: Particle::Update @0x0051C290.
    """
    t = p["life"]
    a = p["a"]
    b = p["b"]
    c = p["c"]
    for k in range(3):
        out[k] = np.float64(base[k]) + p["offset"][k]
    if kind == EXPLODE:
        for k in range(3):
            out[k] += t * (t * b[k] + c[k] * a[0])
        out[2] += t * a[2]
    elif kind == IMPLODE:
        share = cos(a[0] * t)
        for k in range(3):
            out[k] += share * c[k] + t * t * b[k]
    elif kind == SWARM:
        out[0] += t * a[0] + cos(b[0] * t) * c[0]
        out[1] += t * a[1] + sin(b[1] * t) * c[1]
        out[2] += t * a[2] + cos(b[2] * t) * c[2]
    elif kind != STILL:
        bends = kind not in (LOCAL_VELOCITY, GLOBAL_VELOCITY)
        for k in range(3):
            out[k] += t * a[k]
            if bends:
                out[k] += 0.5 * t * t * b[k]
        if kind in (PARABOLIC_LVGAGR, PARABOLIC_LVLALR, PARABOLIC_GVGAGR):
            for k in range(3, 7):
                out[k] = base[k]
            x, y, z = rotate_vector(out[3], out[4], out[5], out[6], t * c[0], t * c[1], t * c[2])
            grotate(out, x, y, z)


@kernel(inner=True)
def show_particle(g: Arrays, o: Int, index: Int, kind: Int, p: Any, base: Any, out: Any) -> None:
    """Write a particle into its part: frame in the emitter's block, scale, translucency."""
    row = g.objects["part_first"][o] + index
    f = g.parts["frame"][row]
    for k in range(3, 7):
        out[k] = f[k]
    move_particle(kind, p, base, out)
    here = np.int64(g.objects["part_cell_id"][o])
    out[0] += block_dx(here, np.int64(p["cell_id"]))
    out[1] += block_dy(here, np.int64(p["cell_id"]))
    for k in range(7):
        f[k] = out[k]
    share = 1.0
    if p["life"] < p["span"]:
        share = p["life"] / p["span"]
    size = (p["scale"][1] - p["scale"][0]) * share + p["scale"][0]
    for k in range(3):
        g.parts["scale"][row, k] = size
    clear = np.float32((p["clear"][1] - p["clear"][0]) * share + p["clear"][0])
    g.parts["translucency"][row] = clear
    flags = g.parts["flags"][row] & np.uint32(0xFFFFFFFF ^ PART_NODRAW)
    if clear == np.float32(1.0) or g.objects["state"][o] & np.uint32(NODRAW) != 0:
        flags = flags | np.uint32(PART_NODRAW)
    g.parts["flags"][row] = flags


@kernel(inner=True)
def should_emit(e: Any, at: Any, cell_id: Int, now: float) -> bool:
    """Retail: ParticleEmitterInfo::ShouldEmitParticle @0x00517420."""
    if e["total"] > 0 and e["emitted"] >= e["total"]:
        return False
    if e["count"] >= e["most"]:
        return False
    if e["kind"] & PER_SECOND != 0:
        return bool(now - e["last_time"] > e["birthrate"])
    if e["kind"] & PER_METRE != 0:
        old = np.int64(e["last_cell_id"])
        x = np.float64(at[0]) - e["last_at"][0] + block_dx(old, cell_id)
        y = np.float64(at[1]) - e["last_at"][1] + block_dy(old, cell_id)
        z = np.float64(at[2]) - e["last_at"][2]
        return bool(x * x + y * y + z * z > e["birthrate"] * e["birthrate"])
    return False


@kernel
def advance_particles(
    g: Arrays,
    emitters: Any,
    particles: Any,
    now: float,
    changes: Any,
    drawn: Any,
    frame: Any,
    out: Any,
) -> None:
    """One update of every emitter whose object is in a cell: particles age, die and come.

    changes : (n, 3) int32 out: emitter's object, part, mesh row or -1; in order
    drawn   : (4, 3) float64 scratch ; frame : (7,) float64 scratch ; out : CHANGES, ENDED

    Retail: ParticleEmitter::UpdateParticles @0x0051D180.
    """
    objects = g.objects
    n = 0
    ended = 0
    for i in range(len(emitters)):
        e = emitters[i]
        o = e["object"]
        if o < 0 or objects["cell"][o] < 0:
            continue
        parent = e["parent"]
        base = objects["frame"][parent]
        if e["part"] >= 0:
            base = g.parts["frame"][objects["part_first"][parent] + e["part"]]
        cell_id = np.int64(objects["objcell_id"][o])
        objects["part_cell_id"][o] = objects["objcell_id"][o]
        kind = e["type"]
        first = e["particle_first"]
        lasts = e["total"] == 0 and e["seconds"] == 0.0
        for k in range(e["most"]):
            p = particles[first + k]
            if p["alive"] == 0:
                continue
            if lasts:
                p["life"] += now - p["birth"]
                p["birth"] = now
            else:
                p["life"] = now - p["birth"]
            if e["local"] != 0:
                p["cell_id"] = cell_id
                show_particle(g, o, k, kind, p, base, frame)
            else:
                show_particle(g, o, k, kind, p, p["start"], frame)
            if p["life"] >= p["span"]:
                p["alive"] = 0
                e["count"] -= 1
                changes[n, 0] = o
                changes[n, 1] = k
                changes[n, 2] = -1
                n += 1
        while e["stopped"] == 0 and (
            e["pending"] > 0 or should_emit(e, objects["frame"][o], cell_id, now)
        ):
            k = 0
            while k < e["most"] and particles[first + k]["alive"] != 0:
                k += 1
            if k < e["most"]:
                p = particles[first + k]
                emit_particle(e, p, base, cell_id, now, drawn)
                f = g.parts["frame"][objects["part_first"][o] + k]
                f[3] = 1.0
                f[4] = 0.0
                f[5] = 0.0
                f[6] = 0.0
                show_particle(g, o, k, kind, p, base, frame)
                e["count"] += 1
                e["emitted"] += 1
                e["last_time"] = now
                for axis in range(3):
                    e["last_at"][axis] = objects["frame"][o][axis]
                e["last_cell_id"] = cell_id
                changes[n, 0] = o
                changes[n, 1] = k
                changes[n, 2] = e["gfx"]
                n += 1
            if e["pending"] == 0:
                break
            e["pending"] -= 1
        if e["seconds"] > 0.0 and e["created"] + e["seconds"] < now:
            e["stopped"] = 1
        if e["total"] > 0 and e["emitted"] >= e["total"]:
            e["stopped"] = 1
        if e["stopped"] != 0 and e["count"] == 0:
            e["ended"] = 1
            ended += 1
    out[CHANGES] = n
    out[ENDED] = ended


@kernel
def swap_parts(g: Arrays, changes: Any, start: Int, count: Int, need: Any) -> Int:
    """Give parts other meshes, in the cells where their objects' shadows are too.

    Returns the number of changes done: fewer than `count` when a cell's list has no room. Then
    need[2] says how many rows of entries are wanted; grow, and go on from there.
    Retail: CPhysicsObj::AddPartToShadowCells @0x00510E00, RemovePartFromShadowCells @0x00510E70.
    """
    # contract: S7
    recording = g.control[RECORDING] != 0
    objects = g.objects
    for i in range(start, count):
        o = changes[i, 0]
        index = changes[i, 1]
        gfx = changes[i, 2]
        first = objects["shadow_first"][o]
        parts = objects["part_count"][o]
        row = objects["part_first"][o] + index
        shadows = objects["shadow_count"][o]
        for k in range(shadows):
            c = g.shadows["cell"][first + k]
            back = objects["place_first"][o] + k * parts + index
            if c < 0 or g.places[back] < 0:
                continue
            place = g.places[back]
            g.places[back] = -1
            part_out(g, c, place)
            if recording:
                cell_id = g.shadows["cell_id"][first + k]
                put(g, EVENT_REMOVE_PART, 0, 0, o, o, 0, cell_id, index, place)
        g.parts["gfx"][row] = gfx
        if gfx < 0:
            continue
        always = np.uint32(0)
        if g.gfx["flags"][gfx] & np.uint32(ALWAYS_2D) != 0:
            always = np.uint32(PART_ALWAYS_2D)
        g.parts["flags"][row] = (g.parts["flags"][row] & np.uint32(PART_NODRAW)) | always
        wanted = 0
        for k in range(shadows):
            c = g.shadows["cell"][first + k]
            if c >= 0 and g.cells["parts_count"][c] == g.cells["parts_room"][c]:
                wanted += 2 << slab_class(g.cells["parts_count"][c] + 1)
        if g.entry_meta[USED] + wanted > g.entry_meta[SIZE]:
            need[2] = wanted
            return i
        for k in range(shadows):
            c = g.shadows["cell"][first + k]
            if c < 0:
                continue
            back = objects["place_first"][o] + k * parts + index
            part_in(g, c, o, index, back, 0)
            if recording:
                cell_id = g.shadows["cell_id"][first + k]
                put(g, EVENT_ADD_PART, 0, 0, o, o, 0, cell_id, index, g.places[back])
    return count

"""Animation sequences advanced in time: retail's `CSequence::update` over flat arrays.

A sequence is a chain of nodes (animation, low, high, rate); `frame_number` runs through them and
whatever a whole frame carries (root motion, one frame's worth of velocity and omega, hooks) is
given out when that frame is left. Nothing is interpolated between key frames.
The arrays are those of `anim/sequence.py`; a frame here is x y z qw qx qy qz in float64.
"""

from __future__ import annotations

import math
from typing import Any

from acclient_py.kernels import kernel

EPSILON = 0.0002


@kernel
def normalise(f: Any) -> None:
    """The quaternion of frame `f` made unit length, in place."""
    m = math.sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5] + f[6] * f[6])
    if m > 0.0:
        f[3] /= m
        f[4] /= m
        f[5] /= m
        f[6] /= m


@kernel
def grotate(f: Any, x: float, y: float, z: float) -> None:
    """Frame `f` turned by the rotation vector (x, y, z), in the axes around it (`Frame::grotate`).

    The half angle's sine and cosine come from their series on a 2^-k part of the angle, doubled k
    times: only + - * /, so the bits are the same everywhere.
    """
    m = math.sqrt(x * x + y * y + z * z)
    if m < EPSILON:
        return
    h = 0.5 * m
    k = 0
    while h > 0.25:
        h *= 0.5
        k += 1
    z2 = h * h
    s = h * (
        1.0
        - z2 / 6.0 * (1.0 - z2 / 20.0 * (1.0 - z2 / 42.0 * (1.0 - z2 / 72.0 * (1.0 - z2 / 110.0))))
    )
    c = 1.0 - z2 / 2.0 * (
        1.0 - z2 / 12.0 * (1.0 - z2 / 30.0 * (1.0 - z2 / 56.0 * (1.0 - z2 / 90.0)))
    )
    for _ in range(k):
        c, s = c * c - s * s, 2.0 * s * c
    s /= m
    rx = x * s
    ry = y * s
    rz = z * s
    qw = f[3]
    qx = f[4]
    qy = f[5]
    qz = f[6]
    f[3] = c * qw - rx * qx - ry * qy - rz * qz
    f[4] = c * qx + rx * qw + ry * qz - rz * qy
    f[5] = c * qy - rx * qz + ry * qw + rz * qx
    f[6] = c * qz + rx * qy - ry * qx + rz * qw
    normalise(f)


@kernel
def rotate_vector(qw: float, qx: float, qy: float, qz: float, x: float, y: float, z: float) -> Any:
    """The vector (x, y, z) turned by a unit quaternion."""
    tx = 2.0 * (qy * z - qz * y)
    ty = 2.0 * (qz * x - qx * z)
    tz = 2.0 * (qx * y - qy * x)
    return (
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    )


@kernel
def combine_row(f: Any, rows: Any, row: int) -> None:
    """`f = f . rows[row]`."""
    x, y, z = rotate_vector(f[3], f[4], f[5], f[6], rows[row, 0], rows[row, 1], rows[row, 2])
    f[0] += x
    f[1] += y
    f[2] += z
    qw = f[3]
    qx = f[4]
    qy = f[5]
    qz = f[6]
    w = rows[row, 3]
    a = rows[row, 4]
    b = rows[row, 5]
    c = rows[row, 6]
    f[3] = qw * w - qx * a - qy * b - qz * c
    f[4] = qw * a + qx * w + qy * c - qz * b
    f[5] = qw * b - qx * c + qy * w + qz * a
    f[6] = qw * c + qx * b - qy * a + qz * w
    normalise(f)


@kernel
def subtract_row(f: Any, rows: Any, row: int) -> None:
    """`f` such that `f . rows[row]` was the old `f` (`Frame::subtract1` 0x535520)."""
    qw = f[3]
    qx = f[4]
    qy = f[5]
    qz = f[6]
    w = rows[row, 3]
    a = -rows[row, 4]
    b = -rows[row, 5]
    c = -rows[row, 6]
    f[3] = qw * w - qx * a - qy * b - qz * c
    f[4] = qw * a + qx * w + qy * c - qz * b
    f[5] = qw * b - qx * c + qy * w + qz * a
    f[6] = qw * c + qx * b - qy * a + qz * w
    normalise(f)
    x, y, z = rotate_vector(f[3], f[4], f[5], f[6], rows[row, 0], rows[row, 1], rows[row, 2])
    f[0] -= x
    f[1] -= y
    f[2] -= z


@kernel
def apply_physics(sequence: Any, f: Any, t: float) -> None:
    """`f` moved by the sequence's velocity and turned by its omega (in f's own axes) over `t`."""
    v = sequence["velocity"]
    w = sequence["omega"]
    f[0] += v[0] * t
    f[1] += v[1] * t
    f[2] += v[2] * t
    x, y, z = rotate_vector(f[3], f[4], f[5], f[6], w[0] * t, w[1] * t, w[2] * t)
    grotate(f, x, y, z)


@kernel
def leave_frame(store: Any, owner: int, anim: int, frame: int, direction: int) -> None:
    """The hooks of the frame that is left, written behind the others (retail `execute_hooks`)."""
    _, anims, _, hook_starts, hook_directions, hooks, counts, _ = store
    if frame < 0 or frame >= anims[anim]["frame_count"]:
        return
    row = anims[anim]["hook_first"] + frame
    for h in range(hook_starts[row], hook_starts[row + 1]):
        d = hook_directions[h]
        if d == 0 or d == direction:
            n = counts[0]
            if n < hooks.shape[0]:
                hooks[n, 0] = owner
                hooks[n, 1] = h
            counts[0] = n + 1


@kernel
def starting_frame(node: Any) -> float:
    """Where a node begins in its own direction of play."""
    if node["rate"] < 0.0:
        return float(node["high"] + 1 - EPSILON)
    return float(node["low"])


@kernel
def ending_frame(node: Any) -> float:
    """Where a node ends in its own direction of play."""
    if node["rate"] < 0.0:
        return float(node["low"])
    return float(node["high"] + 1 - EPSILON)


@kernel
def advance(sequences: Any, s: int, store: Any, quantum: float, out: Any) -> None:
    """One sequence advanced by `quantum` seconds; its root motion is combined into `out` (f8[7]).

    store : (nodes, anims, pos_frames, hook_starts, hook_directions, hooks, counts, free_nodes);
            counts[0] = hooks written (more than fit are only counted), counts[1] = free nodes
    """
    nodes, anims, pos_frames, _, _, _, counts, free_nodes = store
    sequence = sequences[s]
    if sequence["first"] < 0:
        apply_physics(sequence, out, quantum)
        return
    q = quantum
    while True:
        at = sequence["curr"]
        node = nodes[at]
        anim = node["anim"]
        pos_first = anims[anim]["pos_first"]
        rate = node["rate"]
        step = rate * q
        frame = sequence["frame_number"]
        last = int(math.floor(frame))
        frame += step
        left = 0.0
        done = False
        if step > 0.0:
            if math.floor(frame) > node["high"]:
                over = frame - node["high"] - 1.0
                if over < 0.0:
                    over = 0.0
                if rate > EPSILON:
                    left = over / rate
                frame = float(node["high"])
                done = True
            while math.floor(frame) > last:
                if pos_first >= 0:
                    combine_row(out, pos_frames, pos_first + last)
                if rate > EPSILON:
                    apply_physics(sequence, out, 1.0 / rate)
                leave_frame(store, sequence["object"], anim, last, 1)
                last += 1
        elif step < 0.0:
            if math.floor(frame) < node["low"]:
                over = frame - node["low"]
                if over > 0.0:
                    over = 0.0
                if rate < -EPSILON:
                    left = over / rate
                frame = float(node["low"])
                done = True
            while math.floor(frame) < last:
                if pos_first >= 0:
                    subtract_row(out, pos_frames, pos_first + last)
                if rate < -EPSILON:
                    apply_physics(sequence, out, -1.0 / rate)
                leave_frame(store, sequence["object"], anim, last, -1)
                last -= 1
        else:
            if q > EPSILON or q < -EPSILON:
                apply_physics(sequence, out, q)
        sequence["frame_number"] = frame
        if not done:
            break
        if sequence["first"] != sequence["cyclic"]:
            sequence["anim_done"] += 1
        # on to the next node; what is left behind backwards and entered forwards counts once
        if rate < 0.0:
            if pos_first >= 0:
                subtract_row(out, pos_frames, pos_first + int(math.floor(frame)))
            if rate < -EPSILON:
                apply_physics(sequence, out, -1.0 / rate)
        at = node["next"]
        if at < 0:
            at = sequence["cyclic"]
        sequence["curr"] = at
        node = nodes[at]
        frame = starting_frame(node)
        sequence["frame_number"] = frame
        if node["rate"] > 0.0:
            if anims[node["anim"]]["pos_first"] >= 0:
                combine_row(
                    out, pos_frames, anims[node["anim"]]["pos_first"] + int(math.floor(frame))
                )
            if node["rate"] > EPSILON:
                apply_physics(sequence, out, 1.0 / node["rate"])
        q = left
    # finished link nodes are dropped from the head
    while sequence["first"] != sequence["curr"] and sequence["first"] != sequence["cyclic"]:
        head = sequence["first"]
        sequence["first"] = nodes[head]["next"]
        nodes[sequence["first"]]["prev"] = -1
        free_nodes[counts[1]] = head
        counts[1] += 1
